// SPDX-License-Identifier: MIT
// histogram: how many values are in each of a number of bins, or the sum of their weights.
#pragma once

#include <concepts>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/routines/differences.hpp>
#include <gnp/statistics/bin_edges.hpp>
#include <gnp/statistics/bin_rules.hpp>
#include <gnp/statistics/observation_weights.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// histogram: the range that is divided into bins.
struct histogram_options {
  by_name only = by_name();
  bin_range range = {};
};

/// histogram with {.density = true}: numbers whose integral over the bins is 1. If density is named, the result
/// is real.
struct density_options {
  by_name only = by_name();
  bin_range range = {};
  named_flag density;
};

/// histogram with {.weights = w}: sums of real weights, as doubles; by position, weights keep their type. If
/// weights are named, a density is an option like others, because both results are real.
struct weighted_histogram_options {
  by_name only = by_name();
  bin_range range = {};
  bool density = false;
  named_observation_weights weights;
};

namespace detail {

/// Bins by name: a number of them, a rule, or edges, which become doubles. It has no default, so that options
/// without it are those above.
class named_bins {
 public:
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  named_bins(Number count) : bins_(static_cast<index_t>(count)) {}
  named_bins(const char* rule) : bins_(std::string(rule)) {}
  named_bins(std::string_view rule) : bins_(std::string(rule)) {}
  named_bins(const std::string& rule) : bins_(rule) {}
  template <array_like Edges>
  named_bins(const Edges& edges) : bins_(array<double>(in_type<double>(edges))) {}
  template <host_vector Edges>
  named_bins(const Edges& edges) : bins_(std::vector<double>(edges.begin(), edges.end())) {}
  /// Edges in braces, two at least.
  template <scalar_like A, scalar_like B, scalar_like... More>
  named_bins(A first, B second, More... more)
      : bins_(std::vector<double>{static_cast<double>(first), static_cast<double>(second),
                                  static_cast<double>(more)...}) {}

  template <class F>
  auto visit(const F& f) const {
    return std::visit(f, bins_);
  }

 private:
  std::variant<index_t, std::string, array<double>, std::vector<double>> bins_;
};

}  // namespace detail

/// The same three with the bins by name: histogram(x, {.bins = 20, .range = {0, 1}}).
struct binned_histogram_options {
  by_name only = by_name();
  detail::named_bins bins;
  bin_range range = {};
};
struct binned_density_options {
  by_name only = by_name();
  detail::named_bins bins;
  bin_range range = {};
  named_flag density;
};
struct binned_weighted_histogram_options {
  by_name only = by_name();
  detail::named_bins bins;
  bin_range range = {};
  bool density = false;
  named_observation_weights weights;
};

/// auto [hist, bin_edges] = histogram(x);
template <class R, class E>
struct histogram_result {
  array<R> hist;
  array<E> bin_edges;
};

namespace detail {

template <class B>
inline constexpr bool is_bin_rule = std::is_convertible_v<const B&, std::string_view>;
/// Evenly spaced bins: a given number of them, or as many as a rule chooses.
template <class B>
inline constexpr bool are_even_bins = (std::is_integral_v<B> && !std::is_same_v<B, bool>) || is_bin_rule<B>;

template <array_like X, class B>
index_t number_of_bins(const X& x, const B& bins, const outer_edges& outer, const char* function) {
  if constexpr (is_bin_rule<B>) {
    return bins_by_rule(x, bins, outer, function);
  } else {
    return static_cast<index_t>(bins);
  }
}

/// Edges from what a user gives: an array, or a range of numbers, which is copied to the device of the values.
template <class B>
auto edges_from(const B& bins, gnp::device where) {
  const use_device guard(where);
  return asarray(bins);
}

/// Converts integers in braces to int64, the type of NumPy's integers.
template <class Edge>
concept whole_edge = std::integral<Edge> && !std::is_same_v<Edge, bool>;
template <whole_edge Edge>
std::vector<std::int64_t> whole_edges(std::initializer_list<Edge> bins) {
  return {bins.begin(), bins.end()};
}

/// The edges of a histogram of x, as the user gets them.
template <array_like X, class B>
auto edges_for(const X& x, const B& bins, const bin_range& range, const char* function) {
  using T = typename X::value_type;
  static_assert(!is_complex(dtype_of<T>),
                "gnp: a histogram is of real values: take gnp::abs(...) of complex ones");
  if constexpr (are_even_bins<B>) {
    const outer_edges outer = find_outer_edges(x, range, function);
    const use_device guard(x.device());
    return asarray(even_edges<edge_type<T>>(outer, number_of_bins(x, bins, outer, function), function));
  } else {
    const auto edges = edges_from(bins, x.device());
    check_edges(edges, function);
    return edges;
  }
}

/// Calls f(finder, bins) with the bins of x, and returns f's result together with the edges.
template <array_like X, class B, class F>
auto with_bins(const X& x, const B& bins, const bin_range& range, const F& f) {
  using T = typename X::value_type;
  static_assert(!is_complex(dtype_of<T>),
                "gnp: a histogram is of real values: take gnp::abs(...) of complex ones");
  constexpr const char* function = "histogram";
  if constexpr (are_even_bins<B>) {
    using E = edge_type<T>;
    const outer_edges outer = find_outer_edges(x, range, function);
    const std::vector<E> edges = even_edges<E>(outer, number_of_bins(x, bins, outer, function), function);
    const auto there = even_bins_on<T>(x.device(), edges);
    const auto counted = f(even_finder(), there);
    using R = typename std::remove_const_t<decltype(counted)>::value_type;
    if constexpr (std::is_same_v<E, even_comparison<T>>) {
      return histogram_result<R, E>{counted, there.edges};
    } else {
      return histogram_result<R, E>{counted, edges_from(edges, x.device())};
    }
  } else {
    const auto edges = edges_from(bins, x.device());
    using E = typename std::remove_const_t<decltype(edges)>::value_type;
    const auto counted = f(edged_finder(), edged_bins_of<T>(edges, function));
    return histogram_result<typename std::remove_const_t<decltype(counted)>::value_type, E>{counted, edges};
  }
}

/// The real or the imaginary parts of complex numbers, as a view.
template <class R>
array<R> component_of(const array<std::complex<R>>& z, index_t which) {
  shape_t strides = z.element_strides();
  for (index_t& stride : strides) stride *= 2;
  return array<R>(z.block(), reinterpret_cast<R*>(z.data()) + which, z.shape(), strides);
}

/// Sums of weights, in their own type.
template <class Finder, class C, array_like X, class W>
array<W> weighted_histogram(const X& x, const edges_in_memory<C>& bins, const array<W>& weights) {
  if constexpr (is_complex(dtype_of<W>)) {
    const array<W> sums(shape_t{static_cast<index_t>(bins.bins.count)}, x.device(), "histogram");
    for (const index_t part : {0, 1}) {
      const auto component = component_of(weights, part);
      assign(component_of(sums, part), weighted_histogram<Finder>(x, bins, component), "histogram");
    }
    return sums;
  } else if constexpr (std::is_same_v<Finder, edged_finder> && is_integer(dtype_of<W>) && sizeof(W) == 8) {
    // A double cannot hold a large sum exactly. The sums of the halves are exact up to 2^21 values in a bin.
    // (If bins are given by number, NumPy adds doubles, too.)
    const auto sum_of = [&](const array<double>& halves) {
      return add_in_bins<Finder>(x, bins, halves, "histogram");
    };
    const array<double> low = sum_of(bitwise_and(weights, W{0xffffffff}).template astype<double>());
    const array<double> high = sum_of(right_shift(weights, W{32}).template astype<double>());
    return left_shift(high.template astype<W>(), W{32}) + low.template astype<W>();
  } else {
    return array<W>(
        in_type<W>(add_in_bins<Finder>(x, bins, array<double>(in_type<double>(weights)), "histogram")));
  }
}

template <class E, class R, class Own>
histogram_result<R, E> histogram_with_edges(const histogram_result<R, Own>& counted) {
  return {counted.hist, array<E>(in_type<E>(counted.bin_edges))};
}

/// Turns counts into a density over the bins' widths.
template <class R, class E>
auto as_density(const histogram_result<R, E>& counted, bool wanted) {
  using D = std::conditional_t<is_complex(dtype_of<R>), complex128, double>;
  if (!wanted) return histogram_result<D, E>{array<D>(in_type<D>(counted.hist)), counted.bin_edges};
  const array<D> density(counted.hist / diff(counted.bin_edges).template astype<double>() / sum(counted.hist));
  return histogram_result<D, E>{density, counted.bin_edges};
}

template <array_like X, class B>
auto counted_histogram(const X& x, const B& bins, const bin_range& range) {
  const asks_for_elements asking("histogram");
  return with_bins(x, bins, range, [&x](auto finder, const auto& there) {
    return count_in_bins<decltype(finder)>(x, there, "histogram");
  });
}

template <array_like X, class B, array_like W>
auto weighted_histogram_of(const X& x, const B& bins, const W& weights, const bin_range& range) {
  const asks_for_elements asking("histogram");
  static_assert(!is_bin_rule<B>, "gnp: no rule finds a number of bins for weighted values: name the number");
  if (!(weights.shape() == x.shape())) {
    throw shape_error("histogram: weights should have the same shape as the values, got shapes " +
                      to_string(x.shape()) + " " + to_string(weights.shape()));
  }
  return with_bins(x, bins, range, [&x, &weights](auto finder, const auto& there) {
    return weighted_histogram<decltype(finder)>(x, there, weights.eval());
  });
}

}  // namespace detail

/// How many values of x lie in each bin. Bins are given by their number, by a rule that finds it ("auto", "fd",
/// ...), or by their edges: an array or {0, 1, 2.5}. Each bin excludes its upper edge, except the last bin.
/// Without a range the host waits for the extremes of x.
template <array_like X, class B = std::vector<double>>
auto histogram(const X& x, const B& bins, const histogram_options& options = {}) {
  return detail::counted_histogram(x, bins, options.range);
}
template <array_like X>
auto histogram(const X& x, const histogram_options& options = {}) {
  return detail::counted_histogram(x, 10, options.range);
}
/// The same as a density: histogram(x, 10, {.density = true}).
template <array_like X, class B = std::vector<double>>
auto histogram(const X& x, const B& bins, const density_options& options) {
  return detail::as_density(detail::counted_histogram(x, bins, options.range), options.density.value);
}
template <array_like X>
auto histogram(const X& x, const density_options& options) {
  return histogram(x, 10, options);
}
/// The sum of the weights of each bin's values, in the weights' type.
template <array_like X, class B = std::vector<double>, array_like W>
auto histogram(const X& x, const B& bins, const W& weights, const histogram_options& options = {}) {
  return detail::weighted_histogram_of(x, bins, weights, options.range);
}
template <array_like X, class B = std::vector<double>, array_like W>
auto histogram(const X& x, const B& bins, const W& weights, const density_options& options) {
  return detail::as_density(detail::weighted_histogram_of(x, bins, weights, options.range),
                            options.density.value);
}
template <array_like X, class B = std::vector<double>>
auto histogram(const X& x, const B& bins, const weighted_histogram_options& options) {
  return detail::as_density(
      detail::weighted_histogram_of(x, bins, options.weights.on(x.device()), options.range), options.density);
}
template <array_like X>
auto histogram(const X& x, const weighted_histogram_options& options) {
  return histogram(x, 10, options);
}

// The range in NumPy's place: histogram(x, 64, {0, 1}).
#define GNP_RANGE_BY_POSITION(options_type, default_options)                          \
  template <array_like X, class B>                                                    \
  auto histogram(const X& x, const B& bins, const detail::positional_range& interval, \
                 options_type options default_options) {                              \
    options.range = interval.range;                                                   \
    return histogram(x, bins, static_cast<const options_type&>(options));             \
  }
GNP_RANGE_BY_POSITION(histogram_options, = {})
GNP_RANGE_BY_POSITION(density_options, )
GNP_RANGE_BY_POSITION(weighted_histogram_options, )
#undef GNP_RANGE_BY_POSITION

namespace detail {

/// The histogram of any of the bins. Its edges have the type of those that histogram finds, since the type
/// cannot depend on what the bins are.
template <array_like X, class Options>
auto histogram_with(const X& x, const named_bins& bins, const Options& options) {
  using E = edge_type<typename X::value_type>;
  return bins.visit([&](const auto& given) {
    constexpr bool weighted_rule = is_bin_rule<std::remove_cvref_t<decltype(given)>> &&
                                   std::is_same_v<Options, weighted_histogram_options>;
    if constexpr (weighted_rule) {
      throw error("histogram: no rule finds a number of bins for weighted values: name the number");
      return histogram_with_edges<E>(gnp::histogram(x, index_t{1}, options));
    } else {
      return histogram_with_edges<E>(gnp::histogram(x, given, options));
    }
  });
}

}  // namespace detail

template <array_like X>
auto histogram(const X& x, const binned_histogram_options& options) {
  return detail::histogram_with(x, options.bins, histogram_options{.range = options.range});
}
template <array_like X>
auto histogram(const X& x, const binned_density_options& options) {
  return detail::histogram_with(x, options.bins,
                                density_options{.range = options.range, .density = options.density});
}
template <array_like X>
auto histogram(const X& x, const binned_weighted_histogram_options& options) {
  return detail::histogram_with(
      x, options.bins,
      weighted_histogram_options{
          .range = options.range, .density = options.density, .weights = options.weights});
}

// Edges in braces that are integers stay integers: {0, 1, 5}.
template <array_like X, detail::whole_edge Edge>
auto histogram(const X& x, std::initializer_list<Edge> bins, const histogram_options& options = {}) {
  return histogram(x, detail::whole_edges(bins), options);
}
template <array_like X, detail::whole_edge Edge>
auto histogram(const X& x, std::initializer_list<Edge> bins, const density_options& options) {
  return histogram(x, detail::whole_edges(bins), options);
}
template <array_like X, detail::whole_edge Edge>
auto histogram(const X& x, std::initializer_list<Edge> bins, const weighted_histogram_options& options) {
  return histogram(x, detail::whole_edges(bins), options);
}
template <array_like X, detail::whole_edge Edge, array_like W>
auto histogram(const X& x, std::initializer_list<Edge> bins, const W& weights,
               const histogram_options& options = {}) {
  return histogram(x, detail::whole_edges(bins), weights, options);
}
template <array_like X, detail::whole_edge Edge, array_like W>
auto histogram(const X& x, std::initializer_list<Edge> bins, const W& weights, const density_options& options) {
  return histogram(x, detail::whole_edges(bins), weights, options);
}

/// The edges that histogram(x, bins) uses.
template <array_like X, class B = std::vector<double>>
auto histogram_bin_edges(const X& x, const B& bins, const histogram_options& options = {}) {
  const detail::asks_for_elements asking("histogram_bin_edges");
  return detail::edges_for(x, bins, options.range, "histogram_bin_edges");
}
template <array_like X>
auto histogram_bin_edges(const X& x, const histogram_options& options = {}) {
  const detail::asks_for_elements asking("histogram_bin_edges");
  return detail::edges_for(x, 10, options.range, "histogram_bin_edges");
}
template <array_like X>
auto histogram_bin_edges(const X& x, const binned_histogram_options& options) {
  using E = detail::edge_type<typename X::value_type>;
  return options.bins.visit([&](const auto& bins) {
    return array<E>(
        detail::in_type<E>(histogram_bin_edges(x, bins, histogram_options{.range = options.range})));
  });
}

template <array_like X, detail::whole_edge Edge>
auto histogram_bin_edges(const X& x, std::initializer_list<Edge> bins, const histogram_options& options = {}) {
  return histogram_bin_edges(x, detail::whole_edges(bins), options);
}

template <array_like X, class B>
auto histogram_bin_edges(const X& x, const B& bins, const detail::positional_range& interval) {
  return histogram_bin_edges(x, bins, histogram_options{.range = interval.range});
}

GNP_REFUSES_VECTORS(histogram)
GNP_TAKES_VALUES(histogram)
/// Refused beside a range, too, whose type a template does not deduce: histogram(v, 3, {0, 1}).
template <detail::host_vector X, class B>
auto histogram(const X&, const B&, const detail::positional_range&) {
  static_assert(!detail::host_vector<X>,
                "gnp: a std::vector is brought to the device first: gnp::histogram(gnp::asarray(v))");
  return histogram_result<std::int64_t, double>();
}

}}  // namespace gnp::GNP_ABI
