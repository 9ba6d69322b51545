// SPDX-License-Identifier: MIT
// The typed loops of a reduction on the CPU: many elements into few states.
#pragma once

#include <gnp/exec/gather_positions.hpp>
#include <gnp/exec/reduction.hpp>

namespace gnp::inline GNP_ABI::detail {

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
                                                           element_positions at, index_t count,
                                                           index_t length) {
  for (index_t row = 0; row < count; ++row) {
    const T* from = values + row * length;
    if constexpr (finds_position<Reducer>) {
      states[row] = Reducer::combine(states[row], position_in<Reducer>(from, at, length));
    } else if constexpr (takes_batches<Reducer, T>) {
      states[row] = Reducer::combine(states[row], gathered_in_batches<Reducer>(from, length));
    } else {
      states[row] = Reducer::combine(states[row], gathered<Reducer>(from, length));
    }
  }
}

/// Rows [row, last) of at most lanes_of columns.
template <class Reducer, class T>
inline __attribute__((always_inline)) void join_columns(typename Reducer::state* states, const T* values,
                                                        index_t columns, index_t row, index_t last,
                                                        index_t step) {
  typename Reducer::part parts[lanes_of<typename Reducer::part>];
  for (index_t c = 0; c < columns; ++c) parts[c] = Reducer::lift(values[row * step + c]);
  for (index_t next = row + 1; next < last; ++next) {
    GNP_INDEPENDENT
    for (index_t c = 0; c < columns; ++c)
      parts[c] = Reducer::join(parts[c], Reducer::lift(values[next * step + c]));
  }
  for (index_t c = 0; c < columns; ++c) states[c] = Reducer::combine(states[c], Reducer::whole(parts[c]));
}

template <class Reducer, class T>
inline __attribute__((always_inline)) void gather_each_column(typename Reducer::state* states, const T* values,
                                                              element_positions at, index_t count, index_t rows,
                                                              index_t step) {
  if constexpr (finds_position<Reducer>) {
    positions_in_columns<Reducer>(states, values, at, count, rows, step);
  } else {
    // A few rows of columns side by side are joined in registers before they meet the states, which cost more.
    constexpr index_t lanes = lanes_of<typename Reducer::part>;
    for (index_t row = 0; row < rows; row += longest_run) {
      const index_t last = (std::min)(rows, row + longest_run);
      index_t first = 0;
      for (; first + lanes <= count; first += lanes)
        join_columns<Reducer>(states + first, values + first, lanes, row, last, step);
      if (first < count) join_columns<Reducer>(states + first, values + first, count - first, row, last, step);
    }
  }
}

#if GNP_WIDE_LOOPS
#define GNP_WIDE GNP_LOOP __attribute__((target("avx2")))
template <class Reducer, class T>
GNP_WIDE void gather_rows_wide(typename Reducer::state* states, const T* values, element_positions at,
                               index_t count, index_t length) {
  gather_each_row<Reducer>(states, values, at, count, length);
}
template <class Reducer, class T>
GNP_WIDE void gather_columns_wide(typename Reducer::state* states, const T* values, element_positions at,
                                  index_t count, index_t rows, index_t step) {
  gather_each_column<Reducer>(states, values, at, count, rows, step);
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
  GNP_LOOP static void rows(void* states, const void* values, element_positions at, index_t count,
                            index_t length) {
    auto* to = static_cast<state*>(states);
    const auto* from = static_cast<const T*>(values);
#if GNP_WIDE_LOOPS
    if (__builtin_cpu_supports("avx2")) return gather_rows_wide<Reducer>(to, from, at, count, length);
#endif
    gather_each_row<Reducer>(to, from, at, count, length);
  }
  GNP_LOOP static void columns(void* states, const void* values, element_positions at, index_t count,
                               index_t rows, index_t step) {
    auto* to = static_cast<state*>(states);
    const auto* from = static_cast<const T*>(values);
#if GNP_WIDE_LOOPS
    if (__builtin_cpu_supports("avx2")) return gather_columns_wide<Reducer>(to, from, at, count, rows, step);
#endif
    gather_each_column<Reducer>(to, from, at, count, rows, step);
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
