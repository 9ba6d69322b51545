// SPDX-License-Identifier: MIT
// argmin and argmax on the CPU: first the extreme values of blocks, in vectors, and then the position of the
// best one.
#pragma once

#include <cstring>
#include <gnp/exec/reduce/fold_lanes.hpp>
#include <gnp/exec/reduce/reduction_code.hpp>

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
  using of_bytes = sought<scalar::position_of<in_memory<T>, in_memory<A>, Largest, Skip>>;
  using extreme = scalar::extreme_of<T, A, Largest, Skip>;

  /// Is this value final, because no other can be more extreme?
  static constexpr bool is_last_word(A value) {
    if constexpr (!Skip && !scalar::is_integer_v<A>) {
      return value != value;
    } else {
      return value == (Largest ? scalar::highest<A>() : scalar::lowest<A>());
    }
  }
  /// Does x replace best, which is earlier? NaN replaces every number, unless NaN is skipped.
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

/// The first place in [begin, end) where `is_here` holds, or the last one if `first` is false. There must be
/// one.
template <class A, class IsHere>
inline __attribute__((always_inline)) index_t place_where(const IsHere& is_here, index_t begin, index_t end,
                                                          bool first) {
  if (!first) {
    index_t i = end - 1;
    while (!is_here(i)) --i;
    return i;
  }
  constexpr index_t few = 64;
  using mask = as_wide_as<A>;  // as wide as the elements, so that vectors of both have the same number of lanes
  index_t i = begin;
  for (const index_t soon = (std::min)(end, begin + 16); i < soon; ++i) {  // fast if many elements are equal
    if (is_here(i)) return i;
  }
  if (end - begin < few) {
    while (!is_here(i)) ++i;
    return i;
  }
  // In vectors, up to the few elements that contain it. The last few overlap those before them.
  for (; i + few < end; i += few) {
    mask among = 0;
    GNP_INDEPENDENT
    for (index_t k = 0; k < few; ++k) among = static_cast<mask>(among | static_cast<mask>(is_here(i + k)));
    if (among != 0) break;
  }
  i = (std::min)(i, end - few);
  using place = std::make_signed_t<mask>;  // also in vectors: one by one would take as long again
  place least = few;
  GNP_INDEPENDENT
  for (place k = 0; k < few; ++k) least = (std::min)(least, is_here(i + k) ? k : place{few});
  return i + least;
}

/// The first or last place of `value` in [begin, end), where it is known to be.
template <class T, class A>
inline __attribute__((always_inline)) index_t place_of(A value, const T* values, index_t begin, index_t end,
                                                       bool first) {
  if (value != value) {
    const auto is_nan = [values](index_t i) {
      const A other = scalar::cast<A>(values[i]);
      return other != other;
    };
    return place_where<A>(is_nan, begin, end, first);
  }
  return place_where<A>([=](index_t i) { return scalar::cast<A>(values[i]) == value; }, begin, end, first);
}

/// The best value of whole sets of lanes, and the lane that has it, or -1 if not exactly one lane does. If one
/// does, only one place of each set has to be searched.
template <class Extreme, class A, class T>
inline __attribute__((always_inline)) A best_of_sets(const T* values, index_t count, index_t& lane) {
  constexpr int lanes = lanes_of<A>;
  A parts[static_cast<std::size_t>(lanes)];
  for (int l = 0; l < lanes; ++l) parts[l] = scalar::cast<A>(values[l]);
  const index_t ahead = fetch_distance();
  for (index_t i = lanes; i < count; i += lanes) {
    fetch_ahead<lanes>(values + i, ahead);
    GNP_INDEPENDENT
    for (int l = 0; l < lanes; ++l) parts[l] = Extreme::join(parts[l], scalar::cast<A>(values[i + l]));
  }
  A met[static_cast<std::size_t>(lanes)];
  for (int l = 0; l < lanes; ++l) met[l] = parts[l];
  join_halves<Extreme, lanes, 4>(met);
  const A best = Extreme::join(Extreme::join(met[0], met[2]), Extreme::join(met[1], met[3]));
  using number = std::make_signed_t<as_wide_as<A>>;
  number sum = 0;  // below 2 * lanes if one lane has it
  for (number l = 0; l < lanes; ++l) sum += parts[l] == best ? lanes + l : number{0};
  lane = sum >= lanes && sum < 2 * lanes ? static_cast<index_t>(sum) - lanes : -1;
  return best;
}

/// Is a number certainly not the best one, by its real part alone? Most numbers are not.
template <class What, class A>
inline __attribute__((always_inline)) bool is_clearly_worse(A value, A best) {
  if constexpr (scalar::is_complex_v<A>) {
    const bool less = What::largest ? value.real() < best.real() : best.real() < value.real();
    return less && value.imag() == value.imag() && !What::skips_nan;
  } else {
    return false;
  }
}

/// The best value of a run of elements, which is not empty, and its position, without vectors.
template <class Reducer, class T>
inline __attribute__((always_inline)) typename Reducer::state position_one_by_one(const T* values,
                                                                                  element_positions at,
                                                                                  index_t count) {
  using what = sought<Reducer>;
  using A = typename what::value_type;
  const bool first_counts = at.step >= 0;
  A best = scalar::cast<A>(values[0]);
  index_t where = 0;
  for (index_t i = 1; i < count; ++i) {
    const A value = scalar::cast<A>(values[i]);
    if (is_clearly_worse<what>(value, best)) continue;
    const bool better = first_counts ? what::takes_over(value, best) : !what::takes_over(best, value);
    best = better ? value : best;
    if constexpr (scalar::is_integer_v<A>) {
      where += static_cast<index_t>(better) * (i - where);  // g++ would make a branch that cannot be predicted
    } else {
      where = better ? i : where;
    }
  }
  return {best, best != best && what::skips_nan ? -1 : at.first + where * at.step};
}

/// The best value of a run of elements, and its position. Among equal values the lowest position counts, which
/// is that of the first one if positions increase.
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
  constexpr index_t few = 10;  // vectors would not pay off
  if constexpr (std::is_same_v<T, bool> && std::is_same_v<A, bool>) {
    if (first_counts && count < few) {  // no branch depends on values, which may be random
      unsigned found = 0;
      for (index_t i = 0; i < count; ++i) found |= static_cast<unsigned>(values[i] == what::largest) << i;
      const bool is_there = found != 0;
      const int place = __builtin_ctz(is_there ? found : 1U);
      return {is_there == what::largest, at.first + place * at.step};
    }
  }
  if (first_counts && what::is_last_word(best)) return {best, at.first};  // truth values usually end here
  if constexpr (scalar::is_complex_v<A>) {
    return position_one_by_one<Reducer>(values, at, count);
  } else {
    if (count < few) return position_one_by_one<Reducer>(values, at, count);
    if constexpr (std::is_same_v<T, bool>) {
      if (first_counts) {  // find the first byte that differs
        const void* found = std::memchr(values, what::largest ? 1 : 0, static_cast<std::size_t>(count));
        if (found == nullptr) return {best, at.first};
        return {what::largest, at.first + (static_cast<const bool*>(found) - values) * at.step};
      }
    }
    index_t lane = -1;
    for (index_t i = 0; i < count; i += block) {
      const index_t here = (std::min)(block, count - i);
      // What is left over from whole sets is folded by itself, which pays off for floats only from two sets on.
      constexpr index_t enough = (scalar::is_integer_v<A> ? 1 : 2) * lanes_of<A>;
      const index_t rest_of_set = here % lanes_of<A>;
      index_t its_lane = -1;
      A value;
      if (sizeof(A) < 4 || (rest_of_set != 0 && here < enough)) {
        value = folded<typename what::extreme>(values + i, here);
      } else if constexpr (sizeof(A) >= 4) {
        const index_t in_sets = here - rest_of_set;
        value = best_of_sets<typename what::extreme, A>(values + i, in_sets, its_lane);
        if (rest_of_set > 0) {
          const A rest = folded<typename what::extreme>(values + i + in_sets, rest_of_set);
          if (first_counts ? what::takes_over(rest, value) : !what::takes_over(value, rest)) {
            value = rest;
            its_lane = -1;
          }
        }
      }
      if (i == 0 || (first_counts ? what::takes_over(value, best) : !what::takes_over(best, value))) {
        best = value;
        where = i;
        lane = its_lane;
        if (first_counts && what::is_last_word(best)) break;
      }
    }
    if (best != best && what::skips_nan) return {best, -1};
    if (first_counts && lane >= 0) {
      where += lane;
      while (!(scalar::cast<A>(values[where]) == best)) where += lanes_of<A>;
      return {best, at.first + where * at.step};
    }
    where = place_of(best, values, where, (std::min)(count, where + block), first_counts);
    return {best, at.first + where * at.step};
  }
}

/// The same for columns side by side, whose rows have the positions. Truth values are compared as bytes, which
/// g++ vectorises.
template <class Reducer, class T>
inline __attribute__((always_inline)) void positions_in_columns(typename Reducer::state* states,
                                                                const T* values, element_positions at,
                                                                index_t count, index_t rows, index_t step) {
  using what = std::conditional_t<std::is_same_v<T, bool>, typename sought<Reducer>::of_bytes, sought<Reducer>>;
  using A = typename what::value_type;
  constexpr index_t most = 256;
  A best[most];
  std::int32_t found[most];
  for (index_t first = 0; first < count; first += most) {
    const index_t columns = (std::min)(most, count - first);
    for (index_t n = 0; n < rows; ++n) {  // from the lowest position on
      const auto row = static_cast<std::int32_t>(at.step >= 0 ? n : rows - 1 - n);
      const auto* from = reinterpret_cast<const in_memory<T>*>(values + row * step + first);
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
      using value = typename sought<Reducer>::value_type;
      states[first + c] = Reducer::combine(
          states[first + c], {static_cast<value>(best[c]), none ? -1 : at.first + found[c] * at.step});
    }
  }
}

}}}  // namespace gnp::GNP_ABI::detail
