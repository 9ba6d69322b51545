// SPDX-License-Identifier: MIT
// The edges of a histogram's bins: evenly spaced between the smallest and the largest value, or given.
#pragma once

#include <cmath>
#include <gnp/array/asarray.hpp>
#include <gnp/exec/histogram/histogram.hpp>
#include <gnp/routines/reductions.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// The range that bins cover, {.range = {0, 1}}; from the smallest to the largest value if it is left out.
class bin_range {
 public:
  constexpr bin_range() = default;
  constexpr bin_range(detail::any_real first, detail::any_real last)
      : first_(first), last_(last), given_(true) {}
  constexpr bool given() const { return given_; }
  constexpr double first() const { return first_; }
  constexpr double last() const { return last_; }

 private:
  double first_ = 0;
  double last_ = 1;
  bool given_ = false;
};

namespace detail {

/// A range in NumPy's place: histogram(x, 64, {0, 1}). It has no default: empty braces are options.
struct positional_range {
  constexpr positional_range(any_real first, any_real last) : range(first, last) {}
  bin_range range;
};

/// The type of evenly spaced edges: the values' own type if that has fractions.
template <class T>
using edge_type = std::conditional_t<is_floating(dtype_of<T>), T, double>;
/// The type in which values are compared with these edges.
template <class T>
using even_comparison = std::conditional_t<sizeof(edge_type<T>) <= sizeof(float), float, double>;

struct outer_edges {
  double first = 0;
  double last = 1;
  bool of_values = false;  // in the values' own type
};

GNP_INLINE void require_range(const char* function, const char* kind, double first, double last) {
  if (std::isfinite(first) && std::isfinite(last) && std::isfinite(last - first)) return;
  throw error(std::string(function) + ": " + kind + " range of [" + shown(first) + ", " + shown(last) +
              "] is not finite");
}

/// Where the first bin begins and the last one ends. If no range is given, the host waits for the extremes.
template <array_like X>
outer_edges find_outer_edges(const X& x, const bin_range& range, const char* function) {
  using T = typename X::value_type;
  using E = edge_type<T>;
  outer_edges outer;
  if (range.given()) {
    if (range.first() > range.last()) {
      throw error(std::string(function) + ": max must be larger than min in range parameter, got [" +
                  shown(range.first()) + ", " + shown(range.last()) + "]");
    }
    require_range(function, "supplied", range.first(), range.last());
    outer = {range.first(), range.last(), false};
  } else if (x.size() > 0) {
    const auto least = (min)(x);
    const auto greatest = (max)(x);
    outer = {static_cast<double>(static_cast<T>(least)), static_cast<double>(static_cast<T>(greatest)), true};
    require_range(function, "autodetected", outer.first, outer.last);
  }
  if (outer.first == outer.last) {
    const auto moved = [&outer](double edge) { return outer.of_values ? static_cast<double>(E(edge)) : edge; };
    outer.first = moved(outer.first - 0.5);
    outer.last = moved(outer.last + 0.5);
  }
  return outer;
}

/// numpy.linspace in the type that NumPy chooses: that of the extremes, or double if the user gives the range.
template <class E, class A>
std::vector<E> edges_between(double first, double last, index_t count) {
  const auto n = static_cast<double>(count);
  const A delta = A(static_cast<double>(A(last)) - static_cast<double>(A(first)));
  const A step = A(static_cast<double>(delta) / static_cast<double>(A(n)));
  std::vector<E> edges(static_cast<std::size_t>(count) + 1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const A at = A(static_cast<double>(i));
    const A along = static_cast<double>(step) != 0
                        ? A(static_cast<double>(at) * static_cast<double>(step))
                        : A(static_cast<double>(A(static_cast<double>(at) / n)) * static_cast<double>(delta));
    edges[i] = E(static_cast<double>(A(static_cast<double>(along) + static_cast<double>(A(first)))));
  }
  edges.back() = E(last);
  return edges;
}

/// A unit in the last place of 1.
template <class E>
double precision_of() {
  return std::is_same_v<E, double>     ? 0x1p-52
         : std::is_same_v<E, float>    ? 0x1p-23
         : std::is_same_v<E, bfloat16> ? 0x1p-7
                                       : 0x1p-10;
}

/// Evenly spaced edges. Neighbours may be equal if the type has no number between them.
template <class E>
std::vector<E> spaced_edges(const outer_edges& outer, index_t count, const char* function) {
  if (count < 1)
    throw shape_error(std::string(function) + ": bins must be positive, got " + std::to_string(count));
  byte_count<E>(count, function);
  return outer.of_values ? edges_between<E, E>(outer.first, outer.last, count)
                         : edges_between<E, double>(outer.first, outer.last, count);
}

/// The edges of a histogram's bins, each of which has a width.
template <class E>
std::vector<E> even_edges(const outer_edges& outer, index_t count, const char* function) {
  std::vector<E> edges = spaced_edges<E>(outer, count, function);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (edges[i] < edges[i + 1]) continue;
    throw error(std::string(function) + ": too many bins for the data's range: cannot create " +
                std::to_string(count) + " finite-sized bins");
  }
  return edges;
}

/// Evenly spaced bins, on a device.
template <class T>
edges_in_memory<even_comparison<T>> even_bins_on(gnp::device where, const std::vector<edge_type<T>>& edges) {
  using E = edge_type<T>;
  using C = even_comparison<T>;
  const use_device guard(where);
  edges_in_memory<C> bins;
  scalar::bin_layout& layout = bins.bins;
  layout.count = static_cast<long long>(edges.size()) - 1;
  layout.first = static_cast<double>(edges.front());
  layout.last = static_cast<double>(edges.back());
  const auto count = static_cast<double>(layout.count);
  const double distance = layout.last - layout.first;
  layout.scale = count / distance;
  const double widest = (std::max)(std::abs(layout.first), std::abs(layout.last));
  layout.margin = (std::min)(1.0, 8 * count * precision_of<E>() * (1 + widest / distance));
  if constexpr (std::is_same_v<E, C>) {
    bins.edges = asarray(edges);
  } else {
    bins.edges = asarray(std::vector<C>(edges.begin(), edges.end()));
  }
  return bins;
}

/// The type in which values of type T and edges of type E are compared.
template <class T, class E, class P = type_of<promote(dtype_of<T>, dtype_of<E>)>>
using edged_comparison =
    std::conditional_t<std::is_same_v<P, bool>, std::uint8_t, std::conditional_t<is_16_bit_float<P>, float, P>>;

/// Checks given edges, which must have one axis and must not descend.
template <class E>
void check_edges(const array<E>& edges, const char* function) {
  if (edges.ndim() != 1) {
    throw shape_error(std::string(function) + ": bins must be 1d, when an array, got shape " +
                      to_string(edges.shape()));
  }
  if (edges.size() > 1 && any(edges(slice(none, -1)) > edges(slice(1, none))).item())
    throw error(std::string(function) + ": bins must increase monotonically, when an array");
}

/// Bins between given edges.
template <class T, class E>
edges_in_memory<edged_comparison<T, E>> edged_bins_of(const array<E>& edges, const char* function) {
  check_edges(edges, function);
  using C = edged_comparison<T, E>;
  edges_in_memory<C> bins;
  const array<C> converted = array<C>(edges.template astype<C>());
  bins.edges = converted.is_contiguous() ? converted : converted.copy();
  bins.bins.count = (std::max)(edges.size() - 1, index_t{0});
  return bins;
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
