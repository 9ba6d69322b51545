// SPDX-License-Identifier: MIT
// Folds a run of elements into one state on the CPU, in parallel lanes that fill the processor's vectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gnp/core/shape.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/expr/scalar/reducers.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many parts lie side by side: they fill eight of the processor's widest registers.
template <class Part>
inline constexpr int lanes_of = sizeof(Part) >= 16 ? 16 : 256 / static_cast<int>(sizeof(Part));

/// How many elements are joined one by one before they become a state, whose sums keep the rounding errors. As
/// many as in NumPy.
inline constexpr index_t longest_run = 16;

/// Extreme values, and sums of integers, are exact for any number of elements, so their runs may be longer.
template <class Reducer>
inline constexpr index_t longest_run_of = longest_run;
template <class T, class A, bool Largest, bool Skip>
inline constexpr index_t longest_run_of<scalar::extreme_of<T, A, Largest, Skip>> = 64;
template <class T, class A>
inline constexpr index_t longest_run_of<scalar::plain_sum_of<T, A>> =
    scalar::is_integer_v<A> ? 64 : longest_run;
template <class T, class A>
inline constexpr index_t longest_run_of<scalar::integer_mean_of<T, A>> = 64;

/// Can a state be final, so that no later element changes it? Among truth values the first may decide.
template <class Reducer>
inline constexpr bool ends_early = false;
template <class T, class A>
inline constexpr bool ends_early<scalar::any_of<T, A>> = true;
template <class T, class A>
inline constexpr bool ends_early<scalar::all_of<T, A>> = true;
template <class T, bool Largest, bool Skip>
inline constexpr bool ends_early<scalar::extreme_of<T, bool, Largest, Skip>> = true;

/// The byte that decides the result, if the elements are bytes and there is such a byte; else -1.
template <class Reducer>
inline constexpr int deciding_byte = -1;
template <class A>
inline constexpr int deciding_byte<scalar::any_of<bool, A>> = 1;
template <class T, class A>
inline constexpr int deciding_byte<scalar::all_of<T, A>> = std::is_integral_v<T> && sizeof(T) == 1 ? 0 : -1;
template <class T, bool Largest, bool Skip>
inline constexpr int deciding_byte<scalar::extreme_of<T, bool, Largest, Skip>> =
    std::is_same_v<T, bool> ? (Largest ? 1 : 0) : -1;

/// How many bytes ahead memory is prefetched. One thread of an Intel Xeon, 2^24 floats, without prefetching and
/// with one and four kilobytes: norm 2.50, 2.40 and 2.28 ms (NumPy 2.47), max 3.9, 3.5 and 2.4 ms. Eight
/// kilobytes are better for these, but a fifth slower if the array is larger than the last-level cache. An AMD
/// EPYC (Zen 4) prefetches by itself and becomes a quarter slower with explicit prefetching, both from memory
/// and from the last-level cache. With a distance of 0, the lines are already in the cache, and nothing is
/// requested.
inline index_t fetch_distance() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_is("intel") ? 4096 : 0;
#else
  return 0;
#endif
}

/// Prefetches `count` elements, `ahead` bytes after `values`, which may be past the end of the array.
template <int count, class T>
inline __attribute__((always_inline)) void fetch_ahead(const T* values, index_t ahead) {
  const char* bytes = reinterpret_cast<const char*>(values);
  for (int i = 0; i < count * static_cast<int>(sizeof(T)); i += 64) __builtin_prefetch(bytes + ahead + i);
}

/// Does the reducer find both the least and the largest? They are found separately: vectors would mix them.
template <class Reducer>
inline constexpr bool is_range = false;
template <class T, class A>
inline constexpr bool is_range<scalar::range_of<T, A>> = true;

template <class A>
using as_wide_as =
    std::conditional_t<sizeof(A) == 1, std::uint8_t,
                       std::conditional_t<sizeof(A) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(A) == 4, std::uint32_t, std::uint64_t>>>;

/// Does the reducer count elements that are not zero? Sums of truth values do so as well.
template <class Reducer>
inline constexpr bool counts_nonzero = false;
template <class A>
inline constexpr bool counts_nonzero<scalar::plain_sum_of<bool, A>> = std::is_integral_v<A>;
template <class A>
inline constexpr bool counts_nonzero<scalar::integer_mean_of<bool, A>> = true;
template <class T, class A>
inline constexpr bool counts_nonzero<scalar::count_of<T, A>> = true;

/// The type in which elements are gathered: bytes for truth values of bytes, so that a vector holds many, and a
/// type as wide as an element for counts of a few elements.
template <class Reducer, class T>
struct part_for {
  using type = std::conditional_t<counts_nonzero<Reducer>, as_wide_as<T>, typename Reducer::part>;
};
template <class T, class A, class Byte>
  requires(sizeof(Byte) == 1)
struct part_for<scalar::any_of<T, A>, Byte> {
  using type = std::uint8_t;
};
template <class T, class A, class Byte>
  requires(sizeof(Byte) == 1)
struct part_for<scalar::all_of<T, A>, Byte> {
  using type = std::uint8_t;
};
template <class Reducer, class T>
using gathered_part = typename part_for<Reducer, T>::type;

template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state folded(const T* values, index_t count,
                                                                     index_t apart = 1);

template <class T, class A>
inline __attribute__((always_inline)) scalar::range_state<A> range_folded(const T* values, index_t count) {
  using range = scalar::range_of<T, A>;
  constexpr index_t some = 16384 / static_cast<index_t>(sizeof(T));  // they stay in the first-level cache
  scalar::range_state<A> total = range::identity();
  for (index_t done = 0; done < count; done += some) {
    const index_t here = (std::min)(some, count - done);
    total = range::combine(total, {folded<scalar::extreme_of<T, A, false, false>>(values + done, here),
                                   folded<scalar::extreme_of<T, A, true, false>>(values + done, here)});
  }
  return total;
}

/// Is an element other than zero? Computed without branches, and for halves from their bits.
template <class T>
constexpr bool is_nonzero(T x) {
  if constexpr (scalar::is_complex_v<T>) {
    const bool real = x.real() != 0, imaginary = x.imag() != 0;
    return real | imaginary;
  } else if constexpr (scalar::is_half_v<T>) {
    return (x.bits & 0x7fff) != 0;
  } else {
    return x != T(0);
  }
}

/// How many of `count` elements, `apart` from each other, are not zero. The counters are as wide as the
/// elements, and are added up before they overflow. What lies between the elements is counted, too, and left
/// out at the end.
template <class A, class T>
inline __attribute__((always_inline)) A counted(const T* values, index_t count, index_t apart) {
  using part = as_wide_as<T>;
  constexpr index_t lanes = 128 / static_cast<index_t>(sizeof(part));
  constexpr index_t most = sizeof(part) == 1 ? 255 : 65535;
  const index_t last = count == 0 ? 0 : (count - 1) * apart + 1;
  const index_t ahead = fetch_distance();
  A total = 0;
  index_t i = 0;
  while (last - i >= lanes) {
    part parts[static_cast<std::size_t>(lanes)] = {};
    const index_t steps = (std::min)(most, (last - i) / lanes);
    for (index_t step = 0; step < steps; ++step) {
      const T* const next = values + i + step * lanes;
      fetch_ahead<static_cast<int>(lanes)>(next, ahead);
      GNP_INDEPENDENT
      for (index_t l = 0; l < lanes; ++l)
        parts[l] = static_cast<part>(parts[l] + static_cast<part>(is_nonzero(next[l])));
    }
    std::uint64_t sum = 0;
    for (index_t l = 0; l < lanes; l += apart) sum += parts[l];
    total += static_cast<A>(sum);
    i += steps * lanes;
  }
  for (; i < last; i += apart) total += static_cast<A>(is_nonzero(values[i]));
  return total;
}

/// Extremes of complex numbers, whose real and imaginary parts are compared separately.
template <class Reducer, class T>
struct compares_complex {
  static constexpr bool value = false;
};
template <class R, bool Largest, bool Skip>
struct compares_complex<scalar::extreme_of<std::complex<R>, std::complex<R>, Largest, Skip>, std::complex<R>> {
  static constexpr bool value = true;

  /// Is the first of two numbers the extreme one? The same rule as in scalar::extreme, without branches.
  static constexpr bool is_first(R a, R a_imag, R b, R b_imag) {
    const bool is_nan = Skip ? (b != b) | (b_imag != b_imag) : (a != a) | (a_imag != a_imag);
    const R other = Skip ? a_imag : b_imag;  // is_nan has not examined it
    const bool comes_first = (Largest ? b < a : a < b) & (other == other);
    return is_nan | comes_first | ((a == b) & (Largest ? b_imag <= a_imag : a_imag <= b_imag));
  }
  /// Joins (real[i], imag[i]) with number i, counted from `next`. Numbers are `apart` from each other; an
  /// imaginary part is `to_imag` after its real part.
  static __attribute__((always_inline)) void join(R* real, R* imag, const R* next, index_t apart,
                                                  index_t to_imag, index_t count) {
    GNP_INDEPENDENT
    for (index_t i = 0; i < count; ++i) {
      const R a = real[i], a_imag = imag[i];
      const R b = next[apart * i], b_imag = next[apart * i + to_imag];
      const bool stays = is_first(a, a_imag, b, b_imag);
      real[i] = stays ? a : b;
      imag[i] = stays ? a_imag : b_imag;
    }
  }

  /// Like `folded`, for a row. The result is exact, however many numbers there are.
  static __attribute__((always_inline)) std::complex<R> in_row(const std::complex<R>* values, index_t count,
                                                               index_t apart) {
    using extreme = scalar::extreme_of<std::complex<R>, std::complex<R>, Largest, Skip>;
    constexpr index_t lanes = lanes_of<R> / 2;
    const index_t last = count == 0 ? 0 : (count - 1) * apart + 1;
    const index_t ahead = fetch_distance();
    std::complex<R> total = extreme::identity();
    index_t i = 0;
    if (last >= lanes) {
      const R* const from = reinterpret_cast<const R*>(values);
      R parts[static_cast<std::size_t>(2 * lanes)];
      for (index_t l = 0; l < lanes; ++l) parts[l] = from[2 * l];
      for (index_t l = 0; l < lanes; ++l) parts[lanes + l] = from[2 * l + 1];
      for (i = lanes; i + lanes <= last; i += lanes) {
        fetch_ahead<static_cast<int>(lanes)>(values + i, ahead);
        join(parts, parts + lanes, from + 2 * i, 2, 1, lanes);
      }
      for (index_t width = lanes / 2; width >= 4; width /= 2) {
        join(parts, parts + lanes, parts + width, 1, lanes, width);
      }
      if (apart <= 2) join(parts, parts + lanes, parts + 2, 1, lanes, 2);
      if (apart == 1) join(parts, parts + lanes, parts + 1, 1, lanes, 1);
      total = extreme::combine(total, std::complex<R>(parts[0], parts[lanes]));
    }
    for (; i < last; i += apart) total = extreme::combine(total, values[i]);
    return total;
  }

  /// The same for columns.
  static __attribute__((always_inline)) void in_columns(std::complex<R>* states, const std::complex<R>* values,
                                                        index_t columns, index_t rows, index_t step) {
    constexpr index_t most = 512;
    R real[most], imag[most];
    for (index_t first = 0; first < columns; first += most) {
      const index_t some = (std::min)(most, columns - first);
      R* const to = reinterpret_cast<R*>(states + first);
      const R* const from = reinterpret_cast<const R*>(values + first);
      for (index_t c = 0; c < some; ++c) {
        real[c] = to[2 * c];
        imag[c] = to[2 * c + 1];
      }
      for (index_t row = 0; row < rows; ++row) join(real, imag, from + 2 * row * step, 2, 1, some);
      for (index_t c = 0; c < some; ++c) {
        to[2 * c] = real[c];
        to[2 * c + 1] = imag[c];
      }
    }
  }
};

/// Does the reducer add complex numbers? It adds their parts separately, because g++ does not vectorise whole
/// complex numbers.
template <class Reducer, class T>
inline constexpr bool adds_complex = false;
template <class R>
inline constexpr bool adds_complex<scalar::sum_of<std::complex<R>, std::complex<R>>, std::complex<R>> = true;
template <class R>
inline constexpr bool adds_complex<scalar::mean_of<std::complex<R>, std::complex<R>>, std::complex<R>> = true;

// Before a loop of a few steps that is to become vectors: g++ would unroll it first, and then the steps remain
// apart.
#if defined(__clang__) || defined(__CUDACC__) || !defined(__GNUC__)
#define GNP_KEEP_LOOP
#else
#define GNP_KEEP_LOOP _Pragma("GCC unroll 1")
#endif

/// Joins each of `Count` parts to the one `apart` after it, a register at a time: in one loop, they would go
/// through memory.
template <class Reducer, int Count, int Apart, class Part>
inline __attribute__((always_inline)) void join_to(Part* parts) {
  constexpr int width = (std::min)(Count, (std::max)(4, lanes_of<Part> / 8));
  GNP_KEEP_LOOP
  for (int l = 0; l < width; ++l) parts[l] = static_cast<Part>(Reducer::join(parts[l], parts[l + Apart]));
  if constexpr (Count > width) join_to<Reducer, Count - width, Apart>(parts + width);
}

/// Joins each of `Count` parts to one of the other half, until only `Least` are left. (In a loop over the
/// widths the parts would not stay in registers.)
template <class Reducer, int Count, int Least, class Part>
inline __attribute__((always_inline)) void join_halves(Part* parts) {
  if constexpr (Count > Least) {
    constexpr int half = Count / 2;
    join_to<Reducer, half, half>(parts);
    join_halves<Reducer, half, Least>(parts);
  }
}

/// Adds the first of `count` elements to `total`, as many as fill whole sets of lanes, and returns how many
/// these are. If elements are 2 or 4 apart, what lies between them is added, too, and left out at the end.
template <class R>
inline __attribute__((always_inline)) index_t add_complex(scalar::compensated_sum<std::complex<R>>& total,
                                                          const std::complex<R>* values, index_t count,
                                                          index_t apart) {
  constexpr int lanes = lanes_of<R>;
  constexpr index_t numbers = lanes / 2;
  const R* const from = reinterpret_cast<const R*>(values);
  const index_t ahead = fetch_distance();
  index_t i = 0;
  while (count - i >= numbers) {
    const index_t steps = (std::min)(longest_run, (count - i) / numbers);
    R parts[static_cast<std::size_t>(lanes)];
    for (int l = 0; l < lanes; ++l) parts[l] = from[2 * i + l];
    for (index_t step = 1; step < steps; ++step) {
      const R* const next = from + 2 * i + step * lanes;
      fetch_ahead<lanes>(next, ahead);
      GNP_INDEPENDENT
      for (int l = 0; l < lanes; ++l) parts[l] += next[l];
    }
    join_halves<scalar::sum_of<R, R>, lanes, 8>(parts);
    for (int l = 0; l < 4 && apart <= 2; ++l) parts[l] += parts[l + 4];
    for (int l = 0; l < 2 && apart == 1; ++l) parts[l] += parts[l + 2];
    total = scalar::two_sum(total, {std::complex<R>(parts[0], parts[1]), std::complex<R>(0)});
    i += steps * numbers;
  }
  return i;
}

/// Does the reducer look for a byte that is not zero?
template <class Reducer, class T>
inline constexpr bool seeks_nonzero_byte = false;
template <class T, class A, class Byte>
inline constexpr bool seeks_nonzero_byte<scalar::any_of<T, A>, Byte> =
    std::is_integral_v<Byte> && sizeof(Byte) == 1;

/// Is any of a few bytes other than zero? Words of eight bytes are joined: one by one, the up to 255 bytes that
/// lanes leave over would take longer than all others of a row of 1000.
inline __attribute__((always_inline)) bool has_nonzero_byte(const unsigned char* bytes, index_t count) {
  std::uint64_t joined = 0;
  index_t i = 0;
  for (; count - i >= 8; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    joined |= word;
  }
  for (; i < count; ++i) joined |= bytes[i];
  return joined != 0;
}

/// How many parts fill one register.
template <class Part>
inline constexpr int lanes_of_register = (std::max)(4, lanes_of<Part> / 8);

/// The parts of a register as one, without those that lie between elements that are `apart`.
template <class Reducer, class Part>
inline __attribute__((always_inline)) Part met_of(Part* parts, index_t apart) {
  join_halves<Reducer, lanes_of_register<Part>, 4>(parts);
  Part met = parts[0];
  if (apart <= 2) met = static_cast<Part>(Reducer::join(met, parts[2]));
  if (apart == 1) met = static_cast<Part>(Reducer::join(met, Reducer::join(parts[1], parts[3])));
  return met;
}

/// Joins elements [i, last) to the parts of a register: as many as fill it at a time, and the others to what
/// the register becomes. One by one, each of them would wait for the one before.
template <class Reducer, class Part, class Values>
inline __attribute__((always_inline)) typename Reducer::state finished(Part* parts, const Values& values,
                                                                       index_t i, index_t last, index_t apart) {
  constexpr int few = lanes_of_register<Part>;
  for (; last - i >= few; i += few) {
    GNP_KEEP_LOOP
    for (int l = 0; l < few; ++l)
      parts[l] = static_cast<Part>(Reducer::join(parts[l], Reducer::lift(values[i + l])));
  }
  Part met = met_of<Reducer>(parts, apart);
  for (; i < last; i += apart) met = static_cast<Part>(Reducer::join(met, Reducer::lift(values[i])));
  return Reducer::whole(met);
}

/// Folds `count` elements into one state, in lanes of parts, which are finally combined in a tree. If elements
/// are 2 or 4 apart, what lies between them is joined, too, in lanes that are left out of the tree's last
/// steps. `values` is a pointer to T's, or computes them.
template <class Reducer, class T, class Values>
inline __attribute__((always_inline)) typename Reducer::state folded_in_lanes(const Values& values,
                                                                              index_t count, index_t apart) {
  using part = gathered_part<Reducer, T>;
  constexpr int lanes = lanes_of<part>;
  constexpr int few = lanes_of_register<part>;
  typename Reducer::state total = Reducer::identity();
  const index_t ahead = fetch_distance();
  const index_t last = count == 0 ? 0 : (count - 1) * apart + 1;  // there may be no memory after it
  index_t i = 0;
  if constexpr (adds_complex<Reducer, T>) i = add_complex(total, values, last, apart);
  while (last - i >= lanes) {
    part parts[static_cast<std::size_t>(lanes)];
    for (int l = 0; l < lanes; ++l) parts[l] = static_cast<part>(Reducer::lift(values[i + l]));
    const index_t steps = (std::min)(longest_run_of<Reducer>, (last - i) / lanes);
    for (index_t step = 1; step < steps; ++step) {
      fetch_ahead<lanes>(values + i + step * lanes, ahead);
      GNP_INDEPENDENT
      for (int l = 0; l < lanes; ++l)
        parts[l] = static_cast<part>(Reducer::join(parts[l], Reducer::lift(values[i + step * lanes + l])));
    }
    join_halves<Reducer, lanes, few>(parts);
    i += steps * lanes;
    if constexpr (!seeks_nonzero_byte<Reducer, T>) {  // a short row becomes a state once
      if (last - i < lanes && steps + lanes / few <= longest_run)
        return Reducer::combine(total, finished<Reducer>(parts, values, i, last, apart));
    }
    total = Reducer::combine(total, Reducer::whole(met_of<Reducer>(parts, apart)));
    if constexpr (ends_early<Reducer>) {
      if (total != Reducer::identity()) return total;
    }
  }
  if constexpr (seeks_nonzero_byte<Reducer, T>) {
    return Reducer::combine(total,
                            has_nonzero_byte(reinterpret_cast<const unsigned char*>(values) + i, last - i));
  }
  if (last - i >= (std::max)(8, few)) {
    part parts[static_cast<std::size_t>(few)];
    GNP_KEEP_LOOP
    for (int l = 0; l < few; ++l) parts[l] = static_cast<part>(Reducer::lift(values[i + l]));
    return Reducer::combine(total, finished<Reducer>(parts, values, i + few, last, apart));
  }
  while (i < last) {
    const index_t end = (std::min)(last, i + longest_run * apart);
    auto rest = Reducer::lift(values[i]);
    for (i += apart; i < end; i += apart) rest = Reducer::join(rest, Reducer::lift(values[i]));
    total = Reducer::combine(total, Reducer::whole(rest));
  }
  return total;
}

template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state folded(const T* values, index_t count,
                                                                     index_t apart) {
  if constexpr (counts_nonzero<Reducer>) {
    return counted<typename Reducer::state>(values, count, apart);
  } else if constexpr (compares_complex<Reducer, T>::value) {
    return compares_complex<Reducer, T>::in_row(values, count, apart);
  } else if constexpr (is_range<Reducer>) {
    return range_folded<T, decltype(Reducer::identity().low)>(values, count);
  } else if constexpr (deciding_byte<Reducer> >= 0) {
    const void* found = std::memchr(values, deciding_byte<Reducer>, static_cast<std::size_t>(count));
    return found == nullptr ? Reducer::identity() : !Reducer::identity();
  } else {
    return folded_in_lanes<Reducer, T>(values, count, apart);
  }
}

#undef GNP_KEEP_LOOP

/// Folds elements that are any number of elements `apart`, several at a time, each of which is read alone.
/// `values` is a pointer, or computes them.
template <class Reducer, class Values>
inline __attribute__((always_inline)) typename Reducer::state folded_one_by_one(Values values, index_t count,
                                                                                index_t apart) {
  using part = typename Reducer::part;
  constexpr int together = 8;
  typename Reducer::state total = Reducer::identity();
  for (; count >= together;) {
    part parts[together];
    for (int l = 0; l < together; ++l) parts[l] = Reducer::lift(values[l * apart]);
    const index_t steps = (std::min)(longest_run_of<Reducer>, count / together);
    for (index_t step = 1; step < steps; ++step) {
      const Values next = values + step * together * apart;
      for (int l = 0; l < together; ++l)
        parts[l] = static_cast<part>(Reducer::join(parts[l], Reducer::lift(next[l * apart])));
    }
    join_halves<Reducer, together, 1>(parts);
    total = Reducer::combine(total, Reducer::whole(parts[0]));
    values = values + steps * together * apart;
    count -= steps * together;
  }
  for (index_t i = 0; i < count; ++i)
    total = Reducer::combine(total, Reducer::whole(Reducer::lift(values[i * apart])));
  return total;
}
template <class Reducer, class T>
GNP_LANES typename Reducer::state folded_by_steps(const T* values, index_t count, index_t apart) {
  return folded_one_by_one<Reducer>(values, count, apart);
}

}}}  // namespace gnp::GNP_ABI::detail
