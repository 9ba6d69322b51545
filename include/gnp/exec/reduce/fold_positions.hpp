// SPDX-License-Identifier: MIT
// argmin and argmax on the CPU: the extreme values of blocks first, by vectors, then where the best one is.
#pragma once

#include <gnp/exec/reduce/fold_lanes.hpp>
#include <gnp/exec/reduce/reduction_job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a reducer that finds a position looks for.
template <class Reducer>
struct sought {
  static constexpr bool position = false;
};
template <class T, class A, bool Largest, bool Skip>
struct sought<scalar::position_of<T, A, Largest, Skip>> {
  static constexpr bool position = true;
  static constexpr bool largest = Largest;
  static constexpr bool skips_nan = Skip;
  using value_type = A;
  using extreme = scalar::extreme_of<T, A, Largest, Skip>;

  /// Can nothing that follows come before this value?
  static constexpr bool is_last_word(A value) {
    if constexpr (!Skip && !scalar::is_integer_v<A>) {
      return value != value;
    } else {
      return value == (Largest ? scalar::highest<A>() : scalar::lowest<A>());
    }
  }
  /// Does x take best's place, which was there before? NaN takes every number's, unless it is skipped.
  static constexpr bool takes_over(A x, A best) {
    if constexpr (scalar::is_complex_v<A>) {
      using found = scalar::position_state<A>;
      return scalar::position_of<T, A, Largest, Skip>::comes_first(found{x, Skip && x != x ? -1 : 1},
                                                                   found{best, Skip && best != best ? -1 : 0});
    } else {
      const bool better = Largest ? best < x : x < best;
      if constexpr (scalar::is_integer_v<A>) {
        return better;
      } else {
        return better | (Skip ? (best != best) & (x == x) : (x != x) & (best == best));
      }
    }
  }
};

template <class Reducer>
inline constexpr bool finds_position = sought<Reducer>::position;

/// Where in [begin, end) a value is that is there: the first place, or the last.
template <class T, class A>
inline __attribute__((always_inline)) index_t place_of(A value, const T* values, index_t begin, index_t end,
                                                       bool first) {
  constexpr index_t few = 64;
  const bool is_nan = value != value;
  const auto is_here = [&](index_t i) {
    const A other = scalar::cast<A>(values[i]);
    return (other == value) | (is_nan & (other != other));
  };
  if (!first) {
    index_t i = end - 1;
    while (!is_here(i)) --i;
    return i;
  }
  index_t i = begin;
  for (; i + few <= end; i += few) {  // by vectors, up to those it is among
    int among = 0;
    GNP_INDEPENDENT
    for (index_t k = 0; k < few; ++k) among |= is_here(i + k) ? 1 : 0;
    if (among != 0) break;
  }
  while (!is_here(i)) ++i;
  return i;
}

/// The best of a run of elements and its position: of equal ones the lowest, which is the first if positions
/// grow.
template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state position_in(const T* values, element_positions at,
                                                                          index_t count) {
  using what = sought<Reducer>;
  using A = typename what::value_type;
  if (count == 0) return Reducer::identity();
  constexpr index_t block = longest_run_of<typename what::extreme> * lanes_of<A>;
  const bool first_counts = at.step >= 0;
  A best = scalar::cast<A>(values[0]);
  index_t where = 0;
  if (first_counts && what::is_last_word(best)) return {best, at.first};  // truth values mostly end here
  if constexpr (scalar::is_complex_v<A>) {                                // one by one: two comparisons each
    for (index_t i = 1; i < count; ++i) {
      const A value = scalar::cast<A>(values[i]);
      if (first_counts ? !what::takes_over(value, best) : what::takes_over(best, value)) continue;
      best = value;
      where = i;
    }
    return {best, best != best && what::skips_nan ? -1 : at.first + where * at.step};
  } else {
    for (index_t i = 0; i < count; i += block) {
      const A value = folded<typename what::extreme>(values + i, (std::min)(block, count - i));
      if (i == 0 || (first_counts ? what::takes_over(value, best) : !what::takes_over(best, value))) {
        best = value;
        where = i;
        if (first_counts && what::is_last_word(best)) break;
      }
    }
    if (best != best && what::skips_nan) return {best, -1};
    where = place_of(best, values, where, (std::min)(count, where + block), first_counts);
    return {best, at.first + where * at.step};
  }
}

/// The same for columns side by side, whose rows have the positions.
template <class Reducer, class T>
inline __attribute__((always_inline)) void positions_in_columns(typename Reducer::state* states,
                                                                const T* values, element_positions at,
                                                                index_t count, index_t rows, index_t step) {
  using what = sought<Reducer>;
  using A = typename what::value_type;
  constexpr index_t most = 256;
  A best[most];
  std::int32_t found[most];
  for (index_t first = 0; first < count; first += most) {
    const index_t columns = (std::min)(most, count - first);
    for (index_t n = 0; n < rows; ++n) {  // from the lowest position on
      const auto row = static_cast<std::int32_t>(at.step >= 0 ? n : rows - 1 - n);
      const T* from = values + row * step + first;
      if (n == 0) {
        for (index_t c = 0; c < columns; ++c) best[c] = scalar::cast<A>(from[c]);
        for (index_t c = 0; c < columns; ++c) found[c] = row;
        continue;
      }
      GNP_INDEPENDENT
      for (index_t c = 0; c < columns; ++c) {
        const A value = scalar::cast<A>(from[c]);
        const bool better = what::takes_over(value, best[c]);
        best[c] = better ? value : best[c];
        found[c] = better ? row : found[c];
      }
    }
    for (index_t c = 0; c < columns; ++c) {
      const bool none = what::skips_nan && best[c] != best[c];
      states[first + c] =
          Reducer::combine(states[first + c], {best[c], none ? -1 : at.first + found[c] * at.step});
    }
  }
}

}}}  // namespace gnp::GNP_ABI::detail
