// SPDX-License-Identifier: MIT
// Folds segments of neighbouring numbers on the CPU, in lanes, by operations whose order does not matter.
#pragma once

#include <gnp/cpu/loop.hpp>
#include <gnp/exec/elementwise/cpu_operations.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How an operation fills the lanes for which there are no elements left: with elements that have been taken
/// before, if taking one twice changes nothing, or with a number that changes nothing (neutral_of).
enum class lanes_join : std::uint8_t { never, with_repeats, with_neutral };
template <class Op>
inline constexpr lanes_join lanes_join_by = lanes_join::never;
template <>
inline constexpr lanes_join lanes_join_by<operations::maximum_ufunc> = lanes_join::with_repeats;
template <>
inline constexpr lanes_join lanes_join_by<operations::minimum_ufunc> = lanes_join::with_repeats;
template <>
inline constexpr lanes_join lanes_join_by<operations::fmax_ufunc> = lanes_join::with_repeats;
template <>
inline constexpr lanes_join lanes_join_by<operations::fmin_ufunc> = lanes_join::with_repeats;
template <>
inline constexpr lanes_join lanes_join_by<operations::bitwise_and_ufunc> = lanes_join::with_repeats;
template <>
inline constexpr lanes_join lanes_join_by<operations::bitwise_or_ufunc> = lanes_join::with_repeats;
template <>
inline constexpr lanes_join lanes_join_by<operations::add_ufunc> = lanes_join::with_neutral;
template <>
inline constexpr lanes_join lanes_join_by<operations::multiply_ufunc> = lanes_join::with_neutral;
template <>
inline constexpr lanes_join lanes_join_by<operations::bitwise_xor_ufunc> = lanes_join::with_neutral;

template <class Op, class T>
inline constexpr bool folds_in_lanes =
    lanes_join_by<Op> != lanes_join::never && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// The number that changes no other: 1 for products, -0.0 for sums of floating-point numbers, otherwise 0.
template <class Op, class T>
constexpr T neutral_of() {
  if constexpr (std::is_same_v<Op, operations::multiply_ufunc>) {
    return T(1);
  } else {
    return static_cast<T>(-T(0));
  }
}

template <class Op, class T>
inline __attribute__((always_inline)) T joined_by(T x, T y) {
  return static_cast<T>(on_cpu<Op>::apply(x, y));
}

/// Folds at least `lanes` numbers. The last ones fill the lanes with some that have been taken before.
template <class Op, int lanes, class T>
inline __attribute__((always_inline)) T fold_lanes(const T* values, index_t count) {
  T parts[static_cast<std::size_t>(lanes)];
  for (int l = 0; l < lanes; ++l) parts[l] = values[l];
  index_t i = lanes;
  for (; i + lanes <= count; i += lanes) {
    GNP_INDEPENDENT
    for (int l = 0; l < lanes; ++l) parts[l] = joined_by<Op>(parts[l], values[i + l]);
  }
  if (i < count) {
    const T* const last = values + (count - lanes);
    if constexpr (lanes_join_by<Op> == lanes_join::with_repeats) {
      GNP_INDEPENDENT
      for (int l = 0; l < lanes; ++l) parts[l] = joined_by<Op>(parts[l], last[l]);
    } else {
      const auto taken = static_cast<int>(i + lanes - count);
      GNP_INDEPENDENT
      for (int l = 0; l < lanes; ++l)
        parts[l] = joined_by<Op>(parts[l], l < taken ? neutral_of<Op, T>() : last[l]);
    }
  }
  for (int width = lanes / 2; width >= 1; width /= 2) {
    for (int l = 0; l < width; ++l) parts[l] = joined_by<Op>(parts[l], parts[l + width]);
  }
  return parts[0];
}

/// Folds one segment, which is not empty.
template <class Op, class T>
inline __attribute__((always_inline)) T fold_segment(const T* values, index_t count) {
  // Many lanes fill four registers of AVX2, or eight: g++ unrolls a loop over four registers of 8-byte numbers
  // before it makes vectors of it, and then makes none of maximum(). Few fill one register.
  constexpr int many = (sizeof(T) == 8 ? 256 : 128) / static_cast<int>(sizeof(T));
  constexpr int few = 32 / static_cast<int>(sizeof(T));
  // Lanes that are not full twice take longer to become one number than these few one after the other.
  constexpr int one_by_one = sizeof(T) == 8 ? 2 * few : few;
  if (count < one_by_one) {
    T all = values[0];
    for (index_t i = 1; i < count; ++i) all = joined_by<Op>(all, values[i]);
    return all;
  }
  if (count < many) return fold_lanes<Op, few>(values, count);
  if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, operations::add_ufunc>) {
    // A lane adds 16 numbers, as many as in NumPy and in sum(). The sums of such runs are added in pairs, those
    // in pairs again, and so on: sums[0], sums[1], ... are of ever fewer runs.
    constexpr index_t run = 16 * many;
    constexpr int most_sums = 64;  // a sum for each bit of the number of runs
    T sums[most_sums];
    int waiting = 0;
    index_t done = 0;
    for (index_t runs = 1; count - done >= run + many; ++runs, done += run) {
      T sum = fold_lanes<Op, many>(values + done, run);
      for (index_t pairs = runs; pairs % 2 == 0; pairs /= 2) sum += sums[--waiting];
      sums[waiting++] = sum;
    }
    T sum = fold_lanes<Op, many>(values + done, count - done);
    while (waiting > 0) sum += sums[--waiting];
    return sum;
  }
  return fold_lanes<Op, many>(values, count);
}

template <class Op, class T>
inline __attribute__((always_inline)) void fold_each_segment(const T* values, const std::int64_t* bounds,
                                                             index_t segments, T* results) {
  for (index_t i = 0; i < segments; ++i)
    results[i] = fold_segment<Op>(values + bounds[2 * i], bounds[2 * i + 1] - bounds[2 * i]);
}

#if GNP_WIDE_LOOPS
template <class Op, class T>
GNP_LANES __attribute__((target("avx2"))) void fold_segments_wide(const T* values, const std::int64_t* bounds,
                                                                  index_t segments, T* results) {
  fold_each_segment<Op>(values, bounds, segments, results);
}
#endif

#if GNP_WIDE_LOOPS && !defined(__clang__)
// Extremes and products of integers of 8 bytes, for which AVX2 has no instructions.
template <class Op, class T>
inline constexpr bool folds_segments_in_widest =
    scalar::is_integer_v<T> && sizeof(T) == 8 && !std::is_same_v<Op, operations::add_ufunc>;
// As GNP_LANES, in one attribute: a second one would undo the first.
template <class Op, class T>
__attribute__((optimize("O3", "no-tree-sink", "no-tree-loop-distribute-patterns", "no-loop-unroll-and-jam",
                        "align-loops=32"),
               target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512"), flatten)) void
fold_segments_widest(const T* values, const std::int64_t* bounds, index_t segments, T* results) {
  fold_each_segment<Op>(values, bounds, segments, results);
}
#endif

/// results[i]: the fold of elements bounds[2 * i] up to bounds[2 * i + 1], at least one.
template <class Op, class T>
GNP_LANES void fold_segments(const T* values, const std::int64_t* bounds, index_t segments, T* results) {
#if GNP_WIDE_LOOPS && !defined(__clang__)
  if constexpr (folds_segments_in_widest<Op, T>) {
    if (__builtin_cpu_supports("avx512dq")) return fold_segments_widest<Op>(values, bounds, segments, results);
  }
#endif
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return fold_segments_wide<Op>(values, bounds, segments, results);
#endif
  fold_each_segment<Op>(values, bounds, segments, results);
}

}}}  // namespace gnp::GNP_ABI::detail
