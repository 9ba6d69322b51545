// SPDX-License-Identifier: MIT
// A reduction along columns on the CPU: rows are read one after the other, and each column has its own state.
#pragma once

#include <gnp/exec/reduce/fold_moments.hpp>
#include <gnp/exec/reduce/fold_positions.hpp>
#include <gnp/exec/reduce/reduction_code.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many columns are folded side by side.
template <class Reducer>
inline constexpr index_t lanes_for = lanes_of<typename Reducer::part>;
template <class T, class A, class P, bool Skip, bool Root>
inline constexpr index_t lanes_for<scalar::moments_of<T, A, P, Skip, Root>> = lanes_of<A>;

/// Do the states keep the rounding errors of additions? Then runs must be short, because long runs would lose
/// them first.
template <class Reducer>
inline constexpr bool is_compensated =
    requires(typename Reducer::state s) { s.lost; } || requires(typename Reducer::state s) { s.total.lost; };

/// The most columns whose parts are kept in memory.
inline constexpr index_t most_parts = 1024;
/// The same for sums, which need three arrays of parts. All three must stay in the first-level cache.
template <class Part>
inline constexpr index_t most_sums = sizeof(Part) > 8 ? most_parts / 2 : most_parts;

template <class Reducer, class T>
inline constexpr bool multiplies_complex = false;
template <class R>
inline constexpr bool
    multiplies_complex<scalar::product_of<std::complex<R>, std::complex<R>>, std::complex<R>> = true;

/// Joins parts[c] with the elements of a few rows in column c. The parts of complex numbers are added and
/// multiplied separately, because g++ does not vectorise whole complex numbers.
template <class Reducer, int Rows, class T>
inline __attribute__((always_inline)) void join_rows(gathered_part<Reducer, T>* parts, const T* from,
                                                     index_t columns, index_t step) {
  using part = gathered_part<Reducer, T>;
  if constexpr (multiplies_complex<Reducer, T>) {
    using real = typename T::value_type;
    auto* const to = reinterpret_cast<real*>(parts);
    const auto* const by = reinterpret_cast<const real*>(from);
    GNP_INDEPENDENT
    for (index_t c = 0; c < columns; ++c) {
      real re = to[2 * c];
      real im = to[2 * c + 1];
      for (int row = 0; row < Rows; ++row) {
        const real x = by[2 * (c + row * step)];
        const real y = by[2 * (c + row * step) + 1];
        const real product = re * x - im * y;
        im = re * y + im * x;
        re = product;
      }
      to[2 * c] = re;
      to[2 * c + 1] = im;
    }
  } else if constexpr (adds_complex<Reducer, T>) {
    using real = typename T::value_type;
    auto* const to = reinterpret_cast<real*>(parts);
    const auto* const by = reinterpret_cast<const real*>(from);
    GNP_INDEPENDENT
    for (index_t c = 0; c < 2 * columns; ++c) {
      real sum = to[c];
      for (int row = 0; row < Rows; ++row) sum += by[c + 2 * row * step];
      to[c] = sum;
    }
  } else {
    const auto join = [](part a, T x) {
      if constexpr (counts_nonzero<Reducer>) {
        return static_cast<part>(a + static_cast<part>(is_nonzero(x)));
      } else {
        return static_cast<part>(Reducer::join(a, Reducer::lift(x)));
      }
    };
    GNP_INDEPENDENT
    for (index_t c = 0; c < columns; ++c) {
      part all = parts[c];
      for (int row = 0; row < Rows; ++row) all = join(all, from[c + row * step]);
      parts[c] = all;
    }
  }
}

/// Rows of at least this many bytes are joined several at a time, because storing the parts takes as long as
/// joining them, and twice as long if another program runs on the core's other hardware thread. Shorter rows
/// are read faster one after the other.
inline constexpr index_t bytes_of_long_row = 4096;
inline constexpr int long_rows_at_once = 4;
template <class T>
constexpr bool is_long_row(index_t columns) {
  return columns * static_cast<index_t>(sizeof(T)) >= bytes_of_long_row;
}

/// Gathers rows [row, last) into parts.
template <class Reducer, class T>
inline __attribute__((always_inline)) void gather_rows(gathered_part<Reducer, T>* parts, const T* values,
                                                       index_t columns, index_t row, index_t last,
                                                       index_t step) {
  using part = gathered_part<Reducer, T>;
  const T* const first = values + row * step;
  if constexpr (adds_complex<Reducer, T>) {
    std::memcpy(parts, first, static_cast<std::size_t>(columns) * sizeof(part));
  } else if constexpr (counts_nonzero<Reducer>) {
    for (index_t c = 0; c < columns; ++c) parts[c] = static_cast<part>(is_nonzero(first[c]));
  } else {
    for (index_t c = 0; c < columns; ++c) parts[c] = static_cast<part>(Reducer::lift(first[c]));
  }
  ++row;
  constexpr bool takes_several = !std::is_same_v<part, bool>;  // g++ does not vectorise truth values
  const index_t alone =
      takes_several && is_long_row<T>(columns) ? row + (last - row) % long_rows_at_once : last;
  for (; row < alone; ++row) join_rows<Reducer, 1>(parts, values + row * step, columns, step);
  if constexpr (takes_several) {
    for (; row < last; row += long_rows_at_once)
      join_rows<Reducer, long_rows_at_once>(parts, values + row * step, columns, step);
  }
}

/// Folds rows [row, last) of at most most_parts columns. Rows are read from end to end, the fastest way to read
/// memory, into parts that stay in the first-level cache.
template <class Reducer, class T>
inline __attribute__((always_inline)) void join_columns(typename Reducer::state* states, const T* values,
                                                        index_t columns, index_t row, index_t last,
                                                        index_t step) {
  using part = gathered_part<Reducer, T>;
  part parts[most_parts];
  gather_rows<Reducer>(parts, values, columns, row, last, step);
  GNP_INDEPENDENT
  for (index_t c = 0; c < columns; ++c) {
    states[c] = Reducer::combine(states[c], Reducer::whole(static_cast<typename Reducer::part>(parts[c])));
  }
}

/// Extremes of elements that are a few elements apart. What lies between them is joined, too, in columns that
/// are left out at the end.
template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state folded_few_apart(const T* values, index_t count,
                                                                               index_t apart) {
  using part = gathered_part<Reducer, T>;
  constexpr index_t together = lanes_of_register<part>;
  const index_t last = (count - 1) * apart + 1;
  const index_t columns = apart * together;
  typename Reducer::state total = Reducer::identity();
  index_t i = 0;
  if (last >= 2 * columns) {
    part parts[most_parts];
    for (index_t c = 0; c < columns; ++c) parts[c] = static_cast<part>(Reducer::lift(values[c]));
    for (i = columns; last - i >= long_rows_at_once * columns; i += long_rows_at_once * columns)
      join_rows<Reducer, long_rows_at_once>(parts, values + i, columns, columns);
    for (; last - i >= columns; i += columns) join_rows<Reducer, 1>(parts, values + i, columns, columns);
    for (index_t c = 0; c < columns; c += apart) total = Reducer::combine(total, Reducer::whole(parts[c]));
  }
  for (; i < last; i += apart) total = Reducer::combine(total, Reducer::whole(Reducer::lift(values[i])));
  return total;
}

/// Like join_columns(), for reducers of both the least and the largest element, which are found separately.
template <class Reducer, class T>
inline __attribute__((always_inline)) void ranges_of_columns(typename Reducer::state* states, const T* values,
                                                             index_t columns, index_t row, index_t last,
                                                             index_t step) {
  using part = decltype(states->low);
  part low[most_parts], high[most_parts];
  const T* from = values + row * step;
  for (index_t c = 0; c < columns; ++c) low[c] = high[c] = scalar::cast<part>(from[c]);
  const index_t rows = is_long_row<T>(columns) ? 2 : 1;
  for (++row; row < last; row += rows) {
    from = values + row * step;
    const T* const next =
        rows == 2 && row + 1 < last ? from + step : from;  // an odd last row may be taken twice
    GNP_INDEPENDENT
    for (index_t c = 0; c < columns; ++c) {
      const part a = scalar::cast<part>(from[c]);
      const part b = scalar::cast<part>(next[c]);
      low[c] = scalar::extreme<false, false>(scalar::extreme<false, false>(low[c], a), b);
      high[c] = scalar::extreme<true, false>(scalar::extreme<true, false>(high[c], a), b);
    }
  }
  GNP_INDEPENDENT
  for (index_t c = 0; c < columns; ++c) states[c] = Reducer::combine(states[c], {low[c], high[c]});
}

/// Does a state consist only of a sum and its rounding error?
template <class State>
inline constexpr bool is_sum_and_lost = false;
template <class A>
inline constexpr bool is_sum_and_lost<scalar::compensated_sum<A>> = true;

/// Adds the sums of a run of rows to those of the rows before, and keeps the rounding errors.
template <class A>
inline __attribute__((always_inline)) void settle_sums(A* sums, A* losses, const A* parts, index_t count,
                                                       bool is_first) {
  GNP_INDEPENDENT
  for (index_t c = 0; c < count; ++c) {
    const scalar::compensated_sum<A> sum = is_first
                                               ? scalar::compensated_sum<A>{sums[c], A(0)}
                                               : scalar::two_sum<A>({sums[c], losses[c]}, {parts[c], A(0)});
    sums[c] = sum.value;
    losses[c] = sum.lost;
  }
}

/// The same for sums that keep rounding errors, for which a part may span only a few rows. Sums and errors are
/// gathered in separate arrays, which vectorise, before they are added to the states. `gather(parts, row,
/// last)` writes the sums of rows [row, last).
template <class Reducer, class T, class Gather>
inline __attribute__((always_inline)) void sum_columns(typename Reducer::state* states, index_t columns,
                                                       index_t rows, const Gather& gather) {
  using part = gathered_part<Reducer, T>;
  part parts[most_sums<part>], sums[most_sums<part>], losses[most_sums<part>];
  for (index_t row = 0; row < rows; row += longest_run) {
    const index_t last = (std::min)(rows, row + longest_run);
    part* const to = row == 0 ? sums : parts;
    gather(to, row, last);
    if constexpr (adds_complex<Reducer, T>) {
      using real = typename T::value_type;
      settle_sums(reinterpret_cast<real*>(sums), reinterpret_cast<real*>(losses),
                  reinterpret_cast<const real*>(parts), 2 * columns, row == 0);
    } else {
      settle_sums(sums, losses, parts, columns, row == 0);
    }
  }
  if constexpr (adds_complex<Reducer, T>) {
    using real = typename T::value_type;
    using real_state = scalar::compensated_sum<real>;
    GNP_INDEPENDENT
    for (index_t c = 0; c < columns; ++c) {
      const auto& [value, lost] = states[c];
      const real_state re =
          scalar::two_sum<real>({value.real(), lost.real()}, {sums[c].real(), losses[c].real()});
      const real_state im =
          scalar::two_sum<real>({value.imag(), lost.imag()}, {sums[c].imag(), losses[c].imag()});
      states[c] = {part(re.value, im.value), part(re.lost, im.lost)};
    }
  } else {
    GNP_INDEPENDENT
    for (index_t c = 0; c < columns; ++c) states[c] = Reducer::combine(states[c], {sums[c], losses[c]});
  }
}

template <class Reducer, class T>
inline __attribute__((always_inline)) void fold_each_column(typename Reducer::state* states, const T* values,
                                                            element_positions at, index_t count, index_t rows,
                                                            index_t step) {
  if constexpr (finds_position<Reducer>) {
    positions_in_columns<Reducer>(states, values, at, count, rows, step);
  } else if constexpr (compares_complex<Reducer, T>::value) {
    compares_complex<Reducer, T>::in_columns(states, values, count, rows, step);
  } else if constexpr (is_sum_and_lost<typename Reducer::state>) {
    constexpr index_t some = most_sums<gathered_part<Reducer, T>>;
    for (index_t first = 0; first < count; first += some) {
      const index_t columns = (std::min)(some, count - first);
      const auto gather = [=](gathered_part<Reducer, T>* parts, index_t row, index_t last)
                              __attribute__((always_inline)) {
                                gather_rows<Reducer>(parts, values + first, columns, row, last, step);
                              };
      sum_columns<Reducer, T>(states + first, columns, rows, gather);
    }
  } else {
    // A few rows of adjacent columns are joined before they are added to the states, because that takes longer.
    constexpr index_t lanes = moments<Reducer>::merged ? lanes_for<Reducer> : most_parts;
    const auto join = [&](index_t first, index_t columns, index_t row, index_t last) {
      if constexpr (moments<Reducer>::merged) {
        moments<Reducer>::in_columns(states + first, values + row * step + first, columns, last - row, step);
      } else if constexpr (is_range<Reducer>) {
        ranges_of_columns<Reducer>(states + first, values + first, columns, row, last, step);
      } else {
        join_columns<Reducer>(states + first, values + first, columns, row, last, step);
      }
    };
    constexpr index_t at_once = is_compensated<Reducer> ? longest_run_of<Reducer> : 64;
    for (index_t row = 0; row < rows; row += at_once) {
      const index_t last = (std::min)(rows, row + at_once);
      index_t first = 0;
      for (; first + lanes <= count; first += lanes) join(first, lanes, row, last);
      if (first < count) join(first, count - first, row, last);
    }
  }
}

}}}  // namespace gnp::GNP_ABI::detail
