// SPDX-License-Identifier: MIT
// The functions of a reduction_code, with their versions for wider instructions.
#pragma once

#include <gnp/exec/reduce/fold_columns.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does the reducer use the user's formulas? They must not be called with what lies between the elements.
template <class Reducer>
inline constexpr bool has_users_formulas = false;
template <class T, class A, class Operations>
inline constexpr bool has_users_formulas<scalar::fold_of<T, A, Operations>> = true;

/// Extremes of floating-point numbers, which pass NaN on: gathered first, they take half as long in vectors.
template <class Reducer>
inline constexpr bool compares_floats = false;
template <class T, class A, bool Largest, bool Skip>
inline constexpr bool compares_floats<scalar::extreme_of<T, A, Largest, Skip>> = !scalar::is_integer_v<A>;
template <class Reducer>
inline constexpr bool compares_integers = false;
template <class T, class A, bool Largest, bool Skip>
inline constexpr bool compares_integers<scalar::extreme_of<T, A, Largest, Skip>> = scalar::is_integer_v<A>;

/// May the elements of a row be strided? Smaller elements are gathered first, which is just as fast, but not
/// for their extremes.
template <class Reducer, class T>
inline constexpr bool takes_apart =
    (sizeof(T) >= 4 || compares_integers<Reducer>) && !finds_position<Reducer> && !moments<Reducer>::merged &&
    !is_range<Reducer> && !ends_early<Reducer> && !has_users_formulas<Reducer>;

/// May they be any number of elements apart, instead of 2 or 4?
template <class Reducer, class T>
inline constexpr bool takes_any_step =
    takes_apart<Reducer, T> && !counts_nonzero<Reducer> && !compares_floats<Reducer>;

/// Are elements so few elements apart that all that lies between them is best joined, too?
template <class Reducer, class T>
constexpr bool is_few_apart(index_t apart) {
  constexpr index_t bytes = 32;
  return compares_integers<Reducer> && apart > 0 && apart * static_cast<index_t>(sizeof(T)) <= bytes;
}

/// Sums of numbers, whose rows of two to four have loops of their own: without one for each row, several rows
/// are added at a time. (350000 rows of three products of 4 bytes: 1.1 ms instead of 2.3.)
template <class Reducer>
inline constexpr bool adds_numbers = false;
template <class T, class A>
inline constexpr bool adds_numbers<scalar::sum_of<T, A>> = std::is_arithmetic_v<A>;
template <class T, class A>
inline constexpr bool adds_numbers<scalar::plain_sum_of<T, A>> = std::is_arithmetic_v<A>;

/// The same sums as folded() makes, in the same order.
template <class Reducer, int Length, class T>
inline __attribute__((always_inline)) void add_rows_of(typename Reducer::state* states, const T* values,
                                                       index_t count) {
  GNP_INDEPENDENT
  for (index_t row = 0; row < count; ++row) {
    auto sum = Reducer::lift(values[row * Length]);
    for (int i = 1; i < Length; ++i) sum = Reducer::join(sum, Reducer::lift(values[row * Length + i]));
    states[row] = Reducer::combine(states[row], Reducer::combine(Reducer::identity(), Reducer::whole(sum)));
  }
}

template <class Reducer, class T>
inline __attribute__((always_inline)) void fold_each_row(typename Reducer::state* states, const T* values,
                                                         element_positions at, index_t count, index_t length,
                                                         index_t apart) {
  if constexpr (moments<Reducer>::merged) {
    if (length <= moments<Reducer>::short_row && count > 1)
      return moments<Reducer>::in_short_rows(states, values, count, length);
  }
  if constexpr (adds_numbers<Reducer>) {
    if (count > 1 && apart == 1) {
      if (length == 2) return add_rows_of<Reducer, 2>(states, values, count);
      if (length == 3) return add_rows_of<Reducer, 3>(states, values, count);
      if (length == 4) return add_rows_of<Reducer, 4>(states, values, count);
    }
  }
  for (index_t row = 0; row < count; ++row) {
    const T* from = values + row * length;
    if constexpr (finds_position<Reducer>) {
      states[row] = Reducer::combine(states[row], position_in<Reducer>(from, at, length));
    } else if constexpr (moments<Reducer>::merged) {
      states[row] = Reducer::combine(states[row], moments<Reducer>::in_row(from, length));
    } else if constexpr (compares_integers<Reducer> && takes_any_step<Reducer, T>) {
      states[row] = Reducer::combine(states[row], apart == 1 || apart == 2 || apart == 4
                                                      ? folded<Reducer>(from, length, apart)
                                                      : folded_few_apart<Reducer>(from, length, apart));
    } else {
      states[row] = Reducer::combine(states[row], folded<Reducer>(from, length, apart));
    }
  }
}

#if GNP_WIDE_LOOPS
#define GNP_WIDE GNP_LANES __attribute__((target("avx2")))
template <class Reducer, class T>
GNP_WIDE void fold_rows_wide(typename Reducer::state* states, const T* values, element_positions at,
                             index_t count, index_t length, index_t apart) {
  fold_each_row<Reducer>(states, values, at, count, length, apart);
}
template <class Reducer, class T>
GNP_WIDE void fold_columns_wide(typename Reducer::state* states, const T* values, element_positions at,
                                index_t count, index_t rows, index_t step) {
  fold_each_column<Reducer>(states, values, at, count, rows, step);
}
#undef GNP_WIDE
#endif

// A third version, for operations that AVX2 has no instructions for: extremes and products of 8-byte integers,
// and their conversions to floating-point numbers. As in the others, products and sums are not fused.
#if GNP_WIDE_LOOPS && !defined(__clang__)
#define GNP_WIDEST_FOLDS 1
template <class Reducer>
inline constexpr bool adds_integers = false;
template <class T, class A>
inline constexpr bool adds_integers<scalar::plain_sum_of<T, A>> = true;
template <class Reducer, class T>
inline constexpr bool folds_in_widest =
    scalar::is_integer_v<T> && sizeof(T) == 8 && !adds_integers<Reducer> && !ends_early<Reducer>;

// Like GNP_LANES, but as a single attribute, because a second one would override the first.
#define GNP_WIDEST_FOLD                                                                                       \
  __attribute__((optimize("O3", "no-tree-sink", "no-tree-loop-distribute-patterns", "no-loop-unroll-and-jam", \
                          "align-loops=32", "fp-contract=off"),                                               \
                 target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512"), flatten))
template <class Reducer, class T>
GNP_WIDEST_FOLD void fold_rows_widest(typename Reducer::state* states, const T* values, element_positions at,
                                      index_t count, index_t length, index_t apart) {
  fold_each_row<Reducer>(states, values, at, count, length, apart);
}
template <class Reducer, class T>
GNP_WIDEST_FOLD void fold_columns_widest(typename Reducer::state* states, const T* values, element_positions at,
                                         index_t count, index_t rows, index_t step) {
  fold_each_column<Reducer>(states, values, at, count, rows, step);
}
#undef GNP_WIDEST_FOLD
#else
#define GNP_WIDEST_FOLDS 0
#endif

/// Reducers that differ only in what they make of the last state share their loops: the mean has those of the
/// sum, the standard deviation those of the variance. So a program that computes both contains them once.
template <class Reducer>
struct reducer_of_loops {
  using type = Reducer;
};
template <class T, class A>
struct reducer_of_loops<scalar::mean_of<T, A>> {
  using type = scalar::sum_of<T, A>;
};
template <class T, class A>
struct reducer_of_loops<scalar::plain_mean_of<T, A>> {
  using type = scalar::plain_sum_of<T, A>;
};
template <class T, class A, class P, bool Skip>
struct reducer_of_loops<scalar::moments_of<T, A, P, Skip, true>> {
  using type = scalar::moments_of<T, A, P, Skip, false>;
};

// The functions of reduction_code, for a reducer of elements T with results R. They are separate functions, so
// that gnp::compiled can contain those for common types.

// Truth values are read as bytes if they become numbers; for minimum and maximum they stay truth values.
template <class Reducer>
inline constexpr bool stays_bool = finds_position<Reducer> || std::is_same_v<typename Reducer::part, bool>;
template <class Reducer, class T>
using folded_as = std::conditional_t<stays_bool<Reducer>, T, in_memory<T>>;

template <class Reducer>
GNP_LANES void begin_states(void* states, index_t count) {
  using state = typename Reducer::state;
  if constexpr (is_sum_and_lost<state>) {
    std::memset(states, 0, static_cast<std::size_t>(count) * sizeof(state));
  } else {
    for (index_t i = 0; i < count; ++i) static_cast<state*>(states)[i] = Reducer::identity();
  }
}

template <class Reducer, class T>
GNP_LANES void fold_rows(void* states, const void* values, element_positions at, index_t count, index_t length,
                         index_t apart) {
  auto* to = static_cast<typename Reducer::state*>(states);
  const auto* from = static_cast<const folded_as<Reducer, T>*>(values);
  if constexpr (takes_any_step<Reducer, T>) {
    if (apart != 1 && apart != 2 && apart != 4 && !is_few_apart<Reducer, T>(apart)) {
      *to = Reducer::combine(*to, folded_by_steps<Reducer>(from, length, apart));
      return;
    }
  }
#if GNP_WIDEST_FOLDS
  if constexpr (folds_in_widest<Reducer, T>) {
    if (__builtin_cpu_supports("avx512dq"))
      return fold_rows_widest<Reducer>(to, from, at, count, length, apart);
  }
#endif
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return fold_rows_wide<Reducer>(to, from, at, count, length, apart);
#endif
  fold_each_row<Reducer>(to, from, at, count, length, apart);
}

template <class Reducer, class T>
GNP_LANES void fold_columns(void* states, const void* values, element_positions at, index_t count, index_t rows,
                            index_t step) {
  auto* to = static_cast<typename Reducer::state*>(states);
  const auto* from = static_cast<const folded_as<Reducer, T>*>(values);
#if GNP_WIDEST_FOLDS
  if constexpr (folds_in_widest<Reducer, T>) {
    if (__builtin_cpu_supports("avx512dq"))
      return fold_columns_widest<Reducer>(to, from, at, count, rows, step);
  }
#endif
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return fold_columns_wide<Reducer>(to, from, at, count, rows, step);
#endif
  fold_each_column<Reducer>(to, from, at, count, rows, step);
}

template <class Reducer>
GNP_LANES void combine_states(void* states, const void* more, index_t count) {
  using state = typename Reducer::state;
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) {
    static_cast<state*>(states)[i] =
        Reducer::combine(static_cast<state*>(states)[i], static_cast<const state*>(more)[i]);
  }
}

/// Can a state become final, so that no further element changes it?
template <class Reducer, class T>
inline constexpr bool may_be_final =
    ends_early<Reducer> || (finds_position<Reducer> && std::is_same_v<T, bool>);

template <class Reducer, class T>
bool is_final(const void* s) {
  const auto& found = *static_cast<const typename Reducer::state*>(s);
  if constexpr (ends_early<Reducer>) {
    return found != Reducer::identity();
  } else {
    return found.index >= 0 && sought<Reducer>::is_last_word(found.value);
  }
}

/// Null if only the last element decides.
template <class Reducer, class T>
constexpr auto is_final_for() -> bool (*)(const void*) {
  if constexpr (may_be_final<Reducer, T>) {
    return is_final<Reducer, T>;
  } else {
    return nullptr;
  }
}

template <class Reducer, class R>
GNP_LANES void finish_states(void* results, const void* states, index_t count, double parameter) {
  using state = typename Reducer::state;
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) {
    static_cast<R*>(results)[i] =
        scalar::cast<R>(Reducer::finish(static_cast<const state*>(states)[i], parameter));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
