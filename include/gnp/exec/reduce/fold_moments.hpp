// SPDX-License-Identifier: MIT
// Variances on the CPU. As many elements as fit in the first-level cache are processed at a time, in two
// vectorised passes, and the results are merged.
#pragma once

#include <gnp/exec/reduce/fold_lanes.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The means and squared distances, for reducers that merge them.
template <class Reducer>
struct moments {
  static constexpr bool merged = false;
};
template <class T, class A, class P, bool Skip, bool Root>
struct moments<scalar::moments_of<T, A, P, Skip, Root>> {
  static constexpr bool merged = true;
  static constexpr index_t lanes = lanes_of<A>;
  static constexpr auto places = static_cast<std::size_t>(lanes);
  using state = scalar::moments_state<A, P>;

  /// Counts and sums for each lane: first the sums of distances from an origin, then those of squared distances
  /// from the mean.
  template <class Sum>
  struct sums {
    Sum total[places] = {};
    P count[places] = {};

    __attribute__((always_inline)) void add(index_t lane, Sum x, bool counts) {
      if constexpr (Skip) {
        total[lane] = total[lane] + (counts ? x : Sum(0));
        count[lane] += counts ? P(1) : P(0);
      } else {
        total[lane] = total[lane] + x;
      }
    }
    __attribute__((always_inline)) void meet() {
      for (index_t width = lanes / 2; width > 0; width /= 2) {
        for (index_t l = 0; l < width; ++l) total[l] = total[l] + total[l + width];
        for (index_t l = 0; Skip && l < width; ++l) count[l] += count[l + width];
      }
    }
  };

  /// Calls f(lane, element) for all elements, a set of lanes at a time.
  template <class F>
  static __attribute__((always_inline)) void for_lanes(const in_memory<T>* values, index_t count, const F& f) {
    index_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      GNP_INDEPENDENT
      for (index_t l = 0; l < lanes; ++l) f(l, scalar::cast<A>(values[i + l]));
    }
    for (index_t l = 0; i + l < count; ++l) f(l, scalar::cast<A>(values[i + l]));
  }

  /// The state of a few elements. If Skip is true, NaNs are left out.
  static __attribute__((always_inline)) state of_few(const in_memory<T>* values, index_t count) {
    A origin = scalar::cast<A>(values[0]);
    for (index_t i = 1; Skip && origin != origin && i < count; ++i) origin = scalar::cast<A>(values[i]);
    sums<A> distances;
    for_lanes(values, count, [&](index_t l, A x) { distances.add(l, scalar::minus(x, origin), x == x); });
    distances.meet();
    const auto numbers = Skip ? static_cast<index_t>(distances.count[0]) : count;
    if (numbers == 0) return {0, A(0), A(0), P(0)};
    const A mean = scalar::shared_out(distances.total[0], static_cast<double>(numbers));
    sums<P> squares;
    for_lanes(values, count, [&](index_t l, A x) {
      squares.add(l, scalar::squared_size(scalar::minus(scalar::minus(x, origin), mean)), x == x);
    });
    squares.meet();
    return {numbers, origin, mean, squares.total[0]};
  }

  /// The state of a run of elements.
  static __attribute__((always_inline)) state in_row(const in_memory<T>* values, index_t count) {
    constexpr index_t few = 8 * lanes;
    state total{0, A(0), A(0), P(0)};
    for (index_t i = 0; i < count; i += few) {
      total = scalar::moments_of<T, A, P, Skip, Root>::combine(total,
                                                               of_few(values + i, (std::min)(few, count - i)));
    }
    return total;
  }

  /// Folds a few rows of at most `lanes` columns into the columns' states.
  static __attribute__((always_inline)) void in_columns(state* states, const in_memory<T>* values,
                                                        index_t columns, index_t rows, index_t step) {
    A origin[places];
    A mean[places];
    sums<A> distances;
    sums<P> squares;
    const auto element = [&](index_t row, index_t c) { return scalar::cast<A>(values[row * step + c]); };
    for (index_t c = 0; c < columns; ++c) origin[c] = element(0, c);
    for (index_t row = 1; Skip && row < rows; ++row) {
      for (index_t c = 0; c < columns; ++c) origin[c] = origin[c] == origin[c] ? origin[c] : element(row, c);
    }
    for (index_t row = 0; row < rows; ++row) {
      fetch_ahead<lanes>(values + (row + rows) * step, 0);
      GNP_INDEPENDENT
      for (index_t c = 0; c < columns; ++c) {
        const A x = element(row, c);
        distances.add(c, scalar::minus(x, origin[c]), x == x);
      }
    }
    for (index_t c = 0; c < columns; ++c) {
      const P numbers = Skip ? distances.count[c] : static_cast<P>(rows);
      mean[c] = numbers == P(0) ? A(0) : scalar::shared_out(distances.total[c], static_cast<double>(numbers));
    }
    for (index_t row = 0; row < rows; ++row) {
      GNP_INDEPENDENT
      for (index_t c = 0; c < columns; ++c) {
        const A x = element(row, c);
        squares.add(c, scalar::squared_size(scalar::minus(scalar::minus(x, origin[c]), mean[c])), x == x);
      }
    }
    for (index_t c = 0; c < columns; ++c) {
      const auto numbers = Skip ? static_cast<index_t>(distances.count[c]) : rows;
      states[c] = scalar::moments_of<T, A, P, Skip, Root>::combine(
          states[c], {numbers, origin[c], mean[c], squares.total[c]});
    }
  }

  /// Rows of so few elements would fill few of the lanes. They are turned, so that each lane folds a row.
  static constexpr index_t short_row = 16;

  static __attribute__((always_inline)) void in_short_rows(state* states, const in_memory<T>* values,
                                                           index_t rows, index_t length) {
    in_memory<T> turned[places * short_row];
    for (index_t row = 0; row < rows; row += lanes) {
      const index_t some = (std::min)(lanes, rows - row);
      for (index_t r = 0; r < some; ++r) {
        for (index_t k = 0; k < length; ++k) turned[k * lanes + r] = values[(row + r) * length + k];
      }
      in_columns(states + row, turned, some, length, lanes);
    }
  }
};

}}}  // namespace gnp::GNP_ABI::detail
