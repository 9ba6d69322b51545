// SPDX-License-Identifier: MIT
// bincount: how often each of the numbers 0, 1, 2, ... occurs.
#pragma once

#include <algorithm>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/exec/histogram/histogram.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/statistics/observation_weights.hpp>
#include <optional>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

/// bincount: the minimum number of counts in the result.
struct bincount_options {
  by_name only = by_name();
  detail::any_integer minlength = 0;
};

/// bincount with {.weights = w}: sums of real weights.
struct weighted_bincount_options {
  by_name only = by_name();
  named_observation_weights weights;
  detail::any_integer minlength = 0;
};

namespace detail {

/// How many different numbers there can be: one more than the largest, which the host needs to know.
template <array_like X>
index_t numbers_to_count(const X& x, const bincount_options& options) {
  using T = typename X::value_type;
  static_assert(is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_,
                "gnp: bincount counts integers: convert the values first, x.astype<int>()");
  if (x.ndim() != 1)
    throw shape_error("bincount: x must have one dimension, got shape " + to_string(x.shape()));
  const index_t wanted = options.minlength;
  if (wanted < 0) throw shape_error("bincount: minlength must not be negative, got " + std::to_string(wanted));
  if (x.size() == 0) return wanted;
  std::uint64_t largest = 0;
  if constexpr (is_signed_integer(dtype_of<T>)) {
    // As unsigned numbers, negative numbers are the largest, so that one pass finds both.
    using U = std::make_unsigned_t<T>;
    const U most = (max)(x.template astype<U>());
    if (most > static_cast<U>((std::numeric_limits<T>::max)())) {
      const T least = (min)(x);
      throw index_error("bincount: x must have no negative elements, got " + std::to_string(least));
    }
    largest = most;
  } else {
    largest = static_cast<std::uint64_t>(static_cast<T>((max)(x)));
  }
  if (largest > std::uint64_t{1} << 60)
    throw out_of_memory("bincount: no room for the counts of " + std::to_string(largest) + " numbers");
  return (std::max)(static_cast<index_t>(largest) + 1, wanted);
}

GNP_INLINE edges_in_memory<std::int64_t> bins_of_numbers(index_t count) {
  edges_in_memory<std::int64_t> bins;
  bins.bins.count = count;
  return bins;
}

/// How many different numbers there can be among a few small ones on the CPU, which are counted in a loop that
/// is done before their largest would be found. Nothing where this is another case.
template <class T>
std::optional<index_t> few_to_count(const array<T>& x, index_t minlength) {
  constexpr index_t few = 256;
  if (!x.device().is_cpu() || x.ndim() != 1 || x.size() == 0 || x.size() > few || !x.is_contiguous() ||
      minlength < 0 || work_is_watched())
    return std::nullopt;
  const T* const numbers = x.data();
  std::uint64_t largest = 0;  // a negative number becomes a large one
  for (index_t i = 0; i < x.size(); ++i) largest = (std::max)(largest, static_cast<std::uint64_t>(numbers[i]));
  if (largest >= static_cast<std::uint64_t>(few)) return std::nullopt;
  return (std::max)(static_cast<index_t>(largest) + 1, minlength);
}

/// Adds weight_of(i) at the place of each of a few numbers.
template <class R, class T, class Weight>
array<R> few_added(const array<T>& x, index_t count, const Weight& weight_of) {
  const array<R> sums(shape_t{count}, x.device(), "bincount");
  R* const to = sums.data();
  std::fill_n(to, count, R(0));
  for (index_t i = 0; i < x.size(); ++i) to[static_cast<index_t>(x.data()[i])] += weight_of(i);
  return sums;
}

}  // namespace detail

/// How often each number occurs in x, which contains non-negative integers: element n is the count of n. Waits
/// for the largest number.
template <array_like X>
array<std::int64_t> bincount(const X& x, const bincount_options& options = {}) {
  const detail::asks_for_elements asking("bincount");
  if constexpr (detail::is_array_v<X> && is_integer(dtype_of<typename X::value_type>)) {
    if (const auto few = detail::few_to_count(x, options.minlength))
      return detail::few_added<std::int64_t>(x, *few, [](index_t) { return std::int64_t{1}; });
  }
  const index_t count = detail::numbers_to_count(x, options);
  return detail::count_in_bins<detail::numbered_finder>(x, detail::bins_of_numbers(count), "bincount");
}
/// The sum of the weights at the places where each number occurs.
template <array_like X, array_like W>
array<double> bincount(const X& x, const W& weights, const bincount_options& options = {}) {
  const detail::asks_for_elements asking("bincount");
  static_assert(!is_complex(dtype_of<typename W::value_type>),
                "gnp: bincount adds real weights: count with gnp::real(...) and gnp::imag(...) of them");
  if (!(weights.shape() == x.shape())) {
    throw shape_error("bincount: the weights must have the same length as x, got shapes " +
                      to_string(x.shape()) + " " + to_string(weights.shape()));
  }
  if constexpr (detail::is_array_v<X> && is_integer(dtype_of<typename X::value_type>) &&
                std::is_same_v<W, array<double>>) {
    if (weights.device().is_cpu() && weights.is_contiguous()) {
      if (const auto few = detail::few_to_count(x, options.minlength))
        return detail::few_added<double>(x, *few, [of = weights.data()](index_t i) { return of[i]; });
    }
  }
  const index_t count = detail::numbers_to_count(x, options);
  return detail::add_in_bins<detail::numbered_finder>(
      x, detail::bins_of_numbers(count), array<double>(detail::in_type<double>(weights)), "bincount");
}
/// The same with the least number of results in NumPy's place: bincount(x, weights, 10).
template <array_like X, array_like W, std::integral Count>
array<double> bincount(const X& x, const W& weights, Count minlength) {
  return bincount(x, weights, bincount_options{.minlength = minlength});
}

// The weights by name, in braces, or in a std::vector.
template <array_like X>
array<double> bincount(const X& x, const weighted_bincount_options& options) {
  return bincount(x, options.weights.on(x.device()), bincount_options{.minlength = options.minlength});
}
template <array_like X>
array<double> bincount(const X& x, const detail::listed_numbers& weights,
                       const bincount_options& options = {}) {
  return bincount(x, detail::list_beside(x, weights), options);
}
template <array_like X>
array<double> bincount(const X& x, const detail::listed_numbers& weights, detail::any_integer minlength) {
  return bincount(x, detail::list_beside(x, weights), bincount_options{.minlength = minlength});
}
template <array_like X, class Weights>
  requires(detail::is_host_vector_v<Weights>)
array<double> bincount(const X& x, const Weights& weights, const bincount_options& options = {}) {
  return bincount(x, detail::list_beside(x, weights), options);
}
template <array_like X, class Weights, std::integral Count>
  requires(detail::is_host_vector_v<Weights>)
array<double> bincount(const X& x, const Weights& weights, Count minlength) {
  return bincount(x, detail::list_beside(x, weights), bincount_options{.minlength = minlength});
}
GNP_REFUSES_VECTORS(bincount)
GNP_TAKES_VALUES(bincount)
GNP_TAKES_VALUES_BESIDE(bincount, (const bincount_options& options), (options))
GNP_TAKES_VALUES_BESIDE(bincount, (const weighted_bincount_options& options), (options))

}}  // namespace gnp::GNP_ABI
