// SPDX-License-Identifier: MIT
// The typed loops of a reduction on the CPU: many elements into few states.
#pragma once

#include <gnp/exec/compute.hpp>
#include <gnp/expr/scalar/reducers.hpp>

namespace gnp::inline GNP_ABI::detail {

/// The part made of one element; `positions` is null unless the reducer is indexed.
template <class Reducer, class T>
inline typename Reducer::part lifted(const T* values, const std::int64_t* positions, index_t i) {
  if constexpr (requires { Reducer::lift(values[i], 0LL); }) {
    return Reducer::lift(values[i], static_cast<long long>(positions[i]));
  } else {
    return Reducer::lift(values[i]);
  }
}

/// Parts side by side: what fills eight of the processor's widest registers.
template <class Part>
inline constexpr int lanes_of = sizeof(Part) >= 16 ? 16 : 256 / static_cast<int>(sizeof(Part));

/// Elements that are joined one by one; only then states meet, whose sums lose nothing. As many as in NumPy.
inline constexpr index_t longest_run = 16;

/// Asks for `count` elements a page beyond these, which may be beyond all of them. One thread of an Intel Xeon,
/// 2^24 floats, without, one and four kilobytes ahead: norm 2.50, 2.40 and 2.28 ms (NumPy 2.47), max 3.9, 3.5
/// and 2.4. Eight are better for these, and worse by a fifth where the array is larger than the last cache.
template <int count, class T>
inline __attribute__((always_inline)) void fetch_ahead(const T* values) {
  const char* bytes = reinterpret_cast<const char*>(values);
  for (int i = 0; i < count * static_cast<int>(sizeof(T)); i += 64) __builtin_prefetch(bytes + 4096 + i);
}

/// `count` elements into one state, in lanes of parts that are joined element by element and then meet as a
/// tree.
template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state gathered(const T* values,
                                                                       const std::int64_t* positions,
                                                                       index_t count) {
  using part = typename Reducer::part;
  constexpr int lanes = lanes_of<part>;
  typename Reducer::state total = Reducer::identity();
  index_t i = 0;
  while (count - i >= lanes) {
    if constexpr (requires(const T(&few)[lanes]) { Reducer::cannot_win(total, few); }) {
      if (Reducer::cannot_win(total, *reinterpret_cast<const T(*)[lanes]>(values + i))) {
        i += lanes;
        continue;
      }
    }
    part parts[lanes];
    for (int l = 0; l < lanes; ++l) parts[l] = lifted<Reducer>(values, positions, i + l);
    const index_t steps = (std::min)(longest_run, (count - i) / lanes);
    for (index_t step = 1; step < steps; ++step) {
      fetch_ahead<lanes>(values + i + step * lanes);
      GNP_INDEPENDENT
      for (int l = 0; l < lanes; ++l)
        parts[l] = Reducer::join(parts[l], lifted<Reducer>(values, positions, i + step * lanes + l));
    }
    for (int width = lanes / 2; width > 0; width /= 2) {
      for (int l = 0; l < width; ++l) parts[l] = Reducer::join(parts[l], parts[l + width]);
    }
    total = Reducer::combine(total, Reducer::whole(parts[0]));
    i += steps * lanes;
  }
  while (i < count) {
    const index_t last = (std::min)(count, i + longest_run);
    part rest = lifted<Reducer>(values, positions, i);
    for (++i; i < last; ++i) rest = Reducer::join(rest, lifted<Reducer>(values, positions, i));
    total = Reducer::combine(total, Reducer::whole(rest));
  }
  return total;
}

/// Reducers that take a handful of elements better than one by one.
template <class Reducer, class T>
concept takes_batches = requires(const T (&few)[2]) {
  Reducer::batch(few);
};

template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state gathered_in_batches(const T* values,
                                                                                  index_t count) {
  constexpr int size = 128;
  typename Reducer::state total = Reducer::identity();
  for (; count >= size; values += size, count -= size) {
    total = Reducer::combine(total, Reducer::batch(*reinterpret_cast<const T(*)[size]>(values)));
  }
  for (index_t i = 0; i < count; ++i) total = Reducer::combine(total, Reducer::whole(Reducer::lift(values[i])));
  return total;
}

template <class Reducer, class T>
inline __attribute__((always_inline)) void gather_each_row(typename Reducer::state* states, const T* values,
                                                           const std::int64_t* positions, index_t count,
                                                           index_t length) {
  for (index_t row = 0; row < count; ++row) {
    const T* from = values + row * length;
    if constexpr (takes_batches<Reducer, T>) {
      states[row] = Reducer::combine(states[row], gathered_in_batches<Reducer>(from, length));
    } else {
      const std::int64_t* at = positions == nullptr ? nullptr : positions + row * length;
      states[row] = Reducer::combine(states[row], gathered<Reducer>(from, at, length));
    }
  }
}

template <class Reducer, class T>
inline __attribute__((always_inline)) void gather_each_column(typename Reducer::state* states, const T* values,
                                                              const std::int64_t* positions, index_t count,
                                                              index_t rows, index_t step) {
  constexpr index_t most = 256;
  typename Reducer::part parts[most];
  for (index_t first = 0; first < count; first += most) {
    const index_t columns = (std::min)(most, count - first);
    // A few rows are joined before they meet the states, which cost more to combine.
    for (index_t row = 0; row < rows; row += longest_run) {
      const index_t last = (std::min)(rows, row + longest_run);
      for (index_t c = 0; c < columns; ++c)
        parts[c] = lifted<Reducer>(values, positions, row * step + first + c);
      for (index_t next = row + 1; next < last; ++next) {
        GNP_INDEPENDENT
        for (index_t c = 0; c < columns; ++c)
          parts[c] = Reducer::join(parts[c], lifted<Reducer>(values, positions, next * step + first + c));
      }
      for (index_t c = 0; c < columns; ++c)
        states[first + c] = Reducer::combine(states[first + c], Reducer::whole(parts[c]));
    }
  }
}

#if GNP_WIDE_LOOPS
#define GNP_WIDE __attribute__((target("avx2")))
template <class Reducer, class T>
GNP_WIDE void gather_rows_wide(typename Reducer::state* states, const T* values, const std::int64_t* positions,
                               index_t count, index_t length) {
  gather_each_row<Reducer>(states, values, positions, count, length);
}
template <class Reducer, class T>
GNP_WIDE void gather_columns_wide(typename Reducer::state* states, const T* values,
                                  const std::int64_t* positions, index_t count, index_t rows, index_t step) {
  gather_each_column<Reducer>(states, values, positions, count, rows, step);
}
#undef GNP_WIDE
#endif

/// reduction_code's functions for a reducer of elements T with results R.
template <class Reducer, class T, class R>
struct gathering {
  using state = typename Reducer::state;

  static void begin(void* states, index_t count) {
    for (index_t i = 0; i < count; ++i) static_cast<state*>(states)[i] = Reducer::identity();
  }
  static void rows(void* states, const void* values, const std::int64_t* positions, index_t count,
                   index_t length) {
    auto* to = static_cast<state*>(states);
    const auto* from = static_cast<const T*>(values);
#if GNP_WIDE_LOOPS
    if (__builtin_cpu_supports("avx2")) return gather_rows_wide<Reducer>(to, from, positions, count, length);
#endif
    gather_each_row<Reducer>(to, from, positions, count, length);
  }
  static void columns(void* states, const void* values, const std::int64_t* positions, index_t count,
                      index_t rows, index_t step) {
    auto* to = static_cast<state*>(states);
    const auto* from = static_cast<const T*>(values);
#if GNP_WIDE_LOOPS
    if (__builtin_cpu_supports("avx2"))
      return gather_columns_wide<Reducer>(to, from, positions, count, rows, step);
#endif
    gather_each_column<Reducer>(to, from, positions, count, rows, step);
  }
  static void combine(void* states, const void* more, index_t count) {
    for (index_t i = 0; i < count; ++i) {
      static_cast<state*>(states)[i] =
          Reducer::combine(static_cast<state*>(states)[i], static_cast<const state*>(more)[i]);
    }
  }
  static void finish(void* results, const void* states, index_t count, double parameter) {
    for (index_t i = 0; i < count; ++i) {
      static_cast<R*>(results)[i] =
          scalar::cast<R>(Reducer::finish(static_cast<const state*>(states)[i], parameter));
    }
  }
};

}  // namespace gnp::inline GNP_ABI::detail
