// SPDX-License-Identifier: MIT
// The text between prelude and kernel: the kernel's arguments, and how a thread accesses its elements.
//
// Written for these constants, which the generator puts before it: rank, vector (elements per thread), slots
// (distinct operands, the destination first), items (vectors per thread), in_vectors (does p.size count the
// innermost axis in vectors?), constants, index_t and offset_t (32 or 64 bits), value_t (what the expression
// computes).
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel's one parameter; gpu_run.hpp packs it in the same order.
inline constexpr const char* arguments_text = R"(
struct arguments {
  unsigned long long count;
  unsigned long long size[rank];
  unsigned long long magic[rank];
  unsigned long long shift[rank];
  unsigned long long data[slots];
  long long stride[slots][rank];
$shifts  alignas(16) unsigned char constant[constants > 0 ? constants : 1][16];
};
template <class T> inline T constant(const arguments& p, int i) { return *reinterpret_cast<const T*>(p.constant[i]); }
)";

/// For rolled operands, also the shifts.
inline constexpr const char* shifts_text = "  long long shift_by[$count];\n";

/// The elements of one thread.
inline constexpr const char* pack_text = R"(
template <int Bytes> struct raw { using type = unsigned char; };
template <> struct raw<2> { using type = unsigned short; };
template <> struct raw<3> { using type = uchar3; };
template <> struct raw<4> { using type = unsigned; };
template <> struct raw<6> { using type = ushort3; };
template <> struct raw<8> { using type = uint2; };
template <> struct raw<12> { using type = uint3; };
template <> struct raw<24> { using type = ulonglong3; };
template <> struct raw<16> { using type = uint4; };

// The elements of one thread, as what they are and as what memory moves them in.
template <class T> struct pack {
  static constexpr int bytes = sizeof(T) * vector;
  static constexpr int pieces = bytes > 16 ? bytes / 16 : 1;
  using piece = typename raw<bytes / pieces>::type;
  union {
    piece whole[pieces];
    T v[vector];
  };
};
template <class T> inline void load_vector(pack<T>& x, const T* from) {
  const auto* pieces = reinterpret_cast<const typename pack<T>::piece*>(from);
  for (int i = 0; i < pack<T>::pieces; ++i) x.whole[i] = pieces[i];
}
template <class T> inline void store_vector(T* to, const pack<T>& x) {
  auto* pieces = reinterpret_cast<typename pack<T>::piece*>(to);
  for (int i = 0; i < pack<T>::pieces; ++i) pieces[i] = x.whole[i];
}

// An element on its way into the expression. Small signed integers pass through a register of their own: NVRTC 13.0
// makes wrong PTX of bytes loaded eight at once, for architectures before 100. In x / 2 of the first byte of each word
// it adds the sign, leaves out the extension to 16 bits (cvt.s16.s8) that the other three get, and shifts a bit of
// the byte beside it in: 0 / 2 is -128 where the next byte is odd. Four or sixteen at once come out right.
template <class T> inline T element(const pack<T>& x, int e) { return x.v[e]; }
template <> inline signed char element(const pack<signed char>& x, int e) {
  int value = x.v[e];
  asm("" : "+r"(value));
  return static_cast<signed char>(value);
}
template <> inline short element(const pack<short>& x, int e) {
  int value = x.v[e];
  asm("" : "+r"(value));
  return static_cast<short>(value);
}
)";

/// How a thread accesses its elements, whatever their layout is. (wrapped_text and the texts after it have
/// their own ways.)
inline constexpr const char* access_text = R"(
enum lane_access { run, repeated, every_other, strided, transposed, counted, pointers };

// Where a thread's elements start, and how many of `vector` there are.
struct place {
  offset_t c[rank];
  int valid;
};

// Where the text says along which axes a slot moves, what is the same along others is computed once.
template <int Slot, lane_access Access, unsigned Moves = ~0u> inline offset_t offset_of(const arguments& p, const place& at) {
  offset_t sum = 0;
  if (Moves >> (rank - 1) & 1) sum = Access == run ? at.c[rank - 1] : at.c[rank - 1] * static_cast<offset_t>(p.stride[Slot][rank - 1]);
  #pragma unroll
  for (int d = 0; d + 1 < rank; ++d) if (Moves >> d & 1) sum += at.c[d] * static_cast<offset_t>(p.stride[Slot][d]);
  return sum;
}

template <class T> inline void load_run(pack<T>& x, const T* from, int valid) {
  if constexpr (whole_vectors) {
    load_vector(x, from);
  } else if (valid >= vector) {
    load_vector(x, from);
  } else {
    for (int e = 0; e < vector; ++e) x.v[e] = from[e < valid ? e : 0];
  }
}

// Stride 2: two whole vectors, from the aligned address at the first element or one before it; element by element where
// one of the vectors would reach past the view.
template <class T, int Slot> inline void load_every_other(pack<T>& x, const arguments& p, const T* from, int valid) {
  const int odd = reinterpret_cast<unsigned long long>(from) / sizeof(T) % vector;
  const T* first = reinterpret_cast<const T*>(p.data[Slot]);
  const T* last = first;
  #pragma unroll
  for (int d = 0; d < rank; ++d) {
    const long long size = static_cast<long long>(p.size[d]) * (in_vectors && d == rank - 1 ? vector : 1);
    const long long reach = (size - 1) * p.stride[Slot][d];
    (reach < 0 ? first : last) += reach;
  }
  if (valid >= vector && from - odd >= first && from - odd + 2 * vector - 1 <= last) {
    pack<T> low, high;
    load_run(low, from - odd, vector);
    load_run(high, from - odd + vector, vector);
    for (int e = 0; e < vector / 2; ++e) {
      x.v[e] = odd ? low.v[2 * e + 1] : low.v[2 * e];
      x.v[vector / 2 + e] = odd ? high.v[2 * e + 1] : high.v[2 * e];
    }
  } else {
    for (int e = 0; e < vector; ++e) x.v[e] = from[e < valid ? 2 * e : 0];
  }
}

template <class T, int Slot, lane_access Access, unsigned Moves = ~0u> inline pack<T> loaded(const arguments& p, const place& at) {
  const offset_t offset = offset_of<Slot, Access, Moves>(p, at);
  const offset_t stride = static_cast<offset_t>(p.stride[Slot][rank - 1]);
  pack<T> x;
  if constexpr (Access == counted) {
    for (int e = 0; e < vector; ++e) x.v[e] = static_cast<long long>(p.data[Slot]) + offset + e * stride;
  } else {
    const T* from = reinterpret_cast<const T*>(p.data[Slot]) + offset;
    if constexpr (Access == run) load_run(x, from, at.valid);
    if constexpr (Access == every_other) load_every_other<T, Slot>(x, p, from, at.valid);
    if constexpr (Access == strided) for (int e = 0; e < vector; ++e) x.v[e] = from[e < at.valid ? e * stride : 0];
    if constexpr (Access == repeated) {
      const T value = *from;
      for (int e = 0; e < vector; ++e) x.v[e] = value;
    }
  }
  return x;
}

template <class T, lane_access Access, int Slot = 0> inline void store(const arguments& p, const place& at, const pack<T>& x) {
  T* to = reinterpret_cast<T*>(p.data[Slot]) + offset_of<Slot, Access>(p, at);
  if constexpr (Access == run && whole_vectors) {
    store_vector(to, x);
  } else if (Access == run && at.valid >= vector) {
    store_vector(to, x);
  } else {
    const offset_t stride = Access == run ? 1 : static_cast<offset_t>(p.stride[Slot][rank - 1]);
    for (int e = 0; e < vector; ++e) if (e < at.valid) to[e * stride] = x.v[e];
  }
}
)";

/// Elements of several slots that lie beside each other: a thread, which has single elements, moves them at
/// once.
inline constexpr const char* records_text = R"(
template <class T, int Width> struct record {
  using whole = typename raw<static_cast<int>(sizeof(T)) * Width>::type;
  union {
    whole all;
    T v[Width];
  };
};
template <class T, int Width> inline T element(const record<T, Width>& x, int place) {
  pack<T> one;
  one.v[0] = x.v[place];
  return element(one, 0);
}
template <class T, int Width, int Slot, unsigned Moves = ~0u> inline record<T, Width> loaded_record(const arguments& p, const place& at) {
  record<T, Width> x;
  const T* from = reinterpret_cast<const T*>(p.data[Slot]) + offset_of<Slot, strided, Moves>(p, at);
  x.all = *reinterpret_cast<const typename record<T, Width>::whole*>(from);
  return x;
}
template <class T, int Width, int Slot> inline void store_record(const arguments& p, const place& at, const record<T, Width>& x) {
  T* to = reinterpret_cast<T*>(p.data[Slot]) + offset_of<Slot, strided>(p, at);
  *reinterpret_cast<typename record<T, Width>::whole*>(to) = x.all;
}
)";

/// Elements of short rows that a vector runs through.
inline constexpr const char* wrapped_text = R"(
template <class T, int Slot, unsigned Moves> inline pack<T> loaded_through_rows(const arguments& p, const place& at) {
  const offset_t length = static_cast<offset_t>(p.size[rank - 1]);
  offset_t row = static_cast<offset_t>(divided(static_cast<index_t>(at.c[rank - 1]), static_cast<index_t>(p.magic[rank - 1]), static_cast<index_t>(p.shift[rank - 1])));
  offset_t column = at.c[rank - 1] - row * length;
  const T* from = reinterpret_cast<const T*>(p.data[Slot]);
  pack<T> x;
  for (int e = 0; e < vector; ++e) {
    offset_t offset = 0;
    if (Moves & 1) offset += row * static_cast<offset_t>(p.stride[Slot][0]);
    if (Moves & 2) offset += column * static_cast<offset_t>(p.stride[Slot][rank - 1]);
    x.v[e] = e < at.valid ? from[offset] : x.v[0];  // (what is computed of it is not stored)
    if (++column == length) {
      column = 0;
      ++row;
    }
  }
  return x;
}
)";

/// Rolled elements: along some axes they come from the given number of places before, wrapping around at the
/// beginning. Shifts has six bits for each axis: which of the kernel's shifts it is, or 0. Rows are whole
/// vectors. A thread's elements begin `Ahead` elements into one of these, and end in the next one. Slots that
/// are rolled from the same memory have the same Source, so that what several of them read is loaded once.
inline constexpr const char* rolled_text = R"(
template <int Shift> inline offset_t place_before(const arguments& p, offset_t place, offset_t size) {
  if (Shift == 0) return place;
  place -= static_cast<offset_t>(p.shift_by[Shift > 0 ? Shift - 1 : 0]);
  return place < 0 ? place + size : place;
}
template <int D, int Source, unsigned long long Shifts> inline offset_t rolled_row(const arguments& p, const place& at) {
  if constexpr (D + 1 >= rank) return 0;
  else return rolled_row<D + 1, Source, Shifts>(p, at) +
    place_before<static_cast<int>(Shifts >> 6 * D & 63)>(p, at.c[D], static_cast<offset_t>(p.size[D])) * static_cast<offset_t>(p.stride[Source][D]);
}
template <class T, int Source, unsigned long long Shifts, lane_access Inner, int Ahead, int NextShift> inline pack<T> loaded_rolled(const arguments& p, const place& at) {
  const offset_t size = static_cast<offset_t>(p.size[rank - 1]) * (in_vectors ? vector : 1);
  const offset_t stride = Inner == run ? 1 : static_cast<offset_t>(p.stride[Source][rank - 1]);
  const T* row = reinterpret_cast<const T*>(p.data[Source]) + rolled_row<0, Source, Shifts>(p, at);
  const offset_t column = place_before<static_cast<int>(Shifts >> 6 * (rank - 1) & 63)>(p, at.c[rank - 1], size);
  pack<T> x;
  if constexpr (Inner == repeated) {
    const T value = *row;
    for (int e = 0; e < vector; ++e) x.v[e] = value;
  } else {
    load_vector(x, row + column * stride);
  }
  if constexpr (Ahead > 0) {
    pack<T> next;
    load_vector(next, row + place_before<NextShift>(p, at.c[rank - 1], size));
    for (int e = 0; e < vector; ++e) x.v[e] = e + Ahead < vector ? x.v[e + Ahead] : next.v[e + Ahead - vector];
  }
  return x;
}
)";

/// Runs that begin `Ahead` elements into a vector of memory, in all rows alike. Slots that are read in the same
/// vectors of memory have the same Source, so that these are loaded once.
inline constexpr const char* unaligned_text = R"(
template <class T, int Slot, int Ahead, int Source, int SourceAhead, unsigned Moves> inline pack<T> loaded_unaligned(const arguments& p, const place& at) {
  const offset_t offset = offset_of<Source, run, Moves>(p, at);
  pack<T> x;
  if (at.valid < vector) {
    const T* from = reinterpret_cast<const T*>(p.data[Slot]) + offset;
    for (int e = 0; e < vector; ++e) x.v[e] = from[e < at.valid ? e : 0];
    return x;
  }
  const T* from = reinterpret_cast<const T*>(p.data[Source]) - SourceAhead + offset;
  pack<T> next;
  load_vector(x, from);
  load_vector(next, from + vector);
  for (int e = 0; e < vector; ++e) x.v[e] = e + Ahead < vector ? x.v[e + Ahead] : next.v[e + Ahead - vector];
  return x;
}
)";

/// The addresses where the elements begin that a loop of the thread reads. The text knows along which axes they
/// move, so that what is the same for all of a thread's elements is read once. Past the last element, the first
/// one is used again, because the loop reads there, too, and memory may end.
inline constexpr const char* pointers_text = R"(
inline offset_t loop_step(const arguments& p, int i) { return static_cast<offset_t>(constant<long long>(p, i)); }
template <class T, int Within, unsigned Moves, bool Neighbours = false> inline pack<T> pointers_to(const arguments& p, const place& at) {
  offset_t offset = 0;
  #pragma unroll
  for (int d = 0; d + 1 < rank; ++d) if (Moves >> d & 1) offset += at.c[d] * static_cast<offset_t>(p.stride[Within][d]);
  const offset_t stride = !(Moves >> (rank - 1) & 1) ? 0 : Neighbours ? 1 : static_cast<offset_t>(p.stride[Within][rank - 1]);
  if (!Neighbours) offset += at.c[rank - 1] * stride;
  pack<T> x;
  for (int e = 0; e < vector; ++e) {
    x.v[e] = reinterpret_cast<T>(p.data[Within]) + offset + (in_vectors || e < at.valid ? e * stride : 0);
  }
  return x;
}
template <class T, int Within, unsigned Moves, bool Neighbours> inline pack<T> loaded_from(const arguments& p, const place& at) {
  const pack<const T*> from = pointers_to<const T*, Within, Moves, Neighbours>(p, at);
  pack<T> x;
  for (int e = 0; e < vector; ++e) x.v[e] = *from.v[e];
  return x;
}
// So many elements in whole vectors.
template <int Count, class T> inline void load_elements(T (&to)[Count], const T* from) {
  #pragma unroll
  for (int i = 0; i < Count * sizeof(T) / 16; ++i) {
    union { uint4 whole; T v[16 / sizeof(T)]; } piece;
    piece.whole = reinterpret_cast<const uint4*>(from)[i];
    for (int e = 0; e < 16 / sizeof(T); ++e) to[i * (16 / sizeof(T)) + e] = piece.v[e];
  }
}
// The same of elements that follow each other for several steps along the first axis.
template <int Within, unsigned Moves, bool Neighbours, int Count, class T> inline void load_line(T (&to)[Count], const arguments& p, const place& at) {
  load_elements(to, pointers_to<const T*, Within, Moves, Neighbours>(p, at).v[0]);
}
)";

/// The location of element n of a job. Coordinates come from divisions, which are done by multiplications.
inline constexpr const char* location_text = R"(
inline unsigned divided(unsigned n, unsigned magic, unsigned shift) { return (__umulhi(n, magic) + n) >> shift; }
inline unsigned long long divided(unsigned long long n, unsigned long long magic, unsigned long long shift) {
  return (__umul64hi(n, magic) + n) >> shift;
}

// Coordinates of element n along the axes [First, Last), the last of them fastest.
template <int First, int Last> inline void locate(const arguments& p, place& at, index_t n) {
  #pragma unroll
  for (int d = Last - 1; d > First; --d) {
    const index_t outer = divided(n, static_cast<index_t>(p.magic[d]), static_cast<index_t>(p.shift[d]));
    at.c[d] = static_cast<offset_t>(n - outer * static_cast<index_t>(p.size[d]));
    n = outer;
  }
  if (First < Last) at.c[First] = static_cast<offset_t>(n);
}

// Of vector n along the axes from First on: the innermost is counted in vectors, the last of which may be cut short
// where that axis is alone.
template <int First> inline void locate_vector(const arguments& p, place& at, index_t n) {
  locate<First, rank>(p, at, n);
  if (First == rank) return;
  at.c[rank - 1] *= vector;
  at.valid = vector;
  if (First == rank - 1 && !in_vectors) {
    const offset_t left = static_cast<offset_t>(p.size[rank - 1]) - at.c[rank - 1];
    if (left < vector) at.valid = static_cast<int>(left);
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
