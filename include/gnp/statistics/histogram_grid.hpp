// SPDX-License-Identifier: MIT
// histogram2d and histogramdd: how many points lie in each cell of a grid.
#pragma once

#include <concepts>
#include <cstddef>
#include <gnp/routines/searching.hpp>
#include <gnp/statistics/histogram.hpp>
#include <gnp/statistics/observation_weights.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// The bins along one axis of a grid: their number, or their edges, an array or {0, 1, 2.5}.
class axis_bins {
 public:
  template <std::integral Number>
  axis_bins(Number count) : count_(static_cast<index_t>(count)) {}
  template <array_like E>
  axis_bins(const E& edges) : edges_(array<double>(detail::in_type<double>(edges))) {}
  axis_bins(const std::vector<double>& edges)
      : edges_(asarray(edges.data(), shape_t{static_cast<index_t>(edges.size())})) {}
  axis_bins(std::initializer_list<double> edges) : axis_bins(std::vector<double>(edges)) {}
  index_t count() const { return count_; }
  const std::optional<array<double>>& edges() const { return edges_; }

 private:
  index_t count_ = 0;
  std::optional<array<double>> edges_;
};

/// The bins along all axes: the same for each, 10 or an array of edges, or one entry for each axis: {10, {0, 1,
/// 2}}.
class grid_bins {
 public:
  template <class B>
    requires(std::integral<B> || array_like<B>)
  grid_bins(const B& same) {
    const axis_bins each(same);
    bins_ = copied(&each, 1);
  }
  GNP_ON_USE grid_bins(std::initializer_list<axis_bins> each)
      : bins_(copied(each.begin(), each.size())), count_(each.size()), each_(true) {}
  GNP_ON_USE grid_bins(const std::vector<axis_bins>& each)
      : bins_(copied(each.data(), each.size())), count_(each.size()), each_(true) {}
  const axis_bins& operator[](std::size_t axis) const { return bins_.get()[each_ ? axis : 0]; }
  bool fits(std::size_t axes) const { return !each_ || count_ == axes; }

 private:
  /// (Everyone who includes this header would compile a std::vector of axis_bins.)
  GNP_DECLARED_ON_USE static std::shared_ptr<const axis_bins> copied(const axis_bins* first, std::size_t count);

  std::shared_ptr<const axis_bins> bins_;
  std::size_t count_ = 1;
  bool each_ = false;
};

/// The same as an option, of which empty braces are none; in braces up to four axes.
class named_grid_bins : public grid_bins {
 public:
  template <class B>
    requires(std::integral<B> || array_like<B>)
  named_grid_bins(const B& same) : grid_bins(same) {}
  named_grid_bins(const std::vector<axis_bins>& each) : grid_bins(each) {}
  named_grid_bins(const axis_bins& a, const axis_bins& b) : grid_bins({a, b}) {}
  named_grid_bins(const axis_bins& a, const axis_bins& b, const axis_bins& c) : grid_bins({a, b, c}) {}
  named_grid_bins(const axis_bins& a, const axis_bins& b, const axis_bins& c, const axis_bins& d)
      : grid_bins({a, b, c, d}) {}
};

/// histogram2d and histogramdd: a range for each axis, {{0, 1}, {-5, 5}}; counts or their density; real
/// weights.
struct grid_options {
  by_name only = by_name();
  std::vector<bin_range> range = {};
  bool density = false;
  observation_weights weights = {};
};

/// The same with the bins by name: histogram2d(x, y, {.bins = {10, 20}}). Their edges have the type of those
/// that are found.
struct named_grid_options {
  by_name only = by_name();
  named_grid_bins bins;
  std::vector<bin_range> range = {};
  bool density = false;
  observation_weights weights = {};
};

/// auto [hist, xedges, yedges] = histogram2d(x, y);
template <element E = double>
struct histogram2d_result {
  array<double> hist;
  array<E> xedges;
  array<E> yedges;
};
/// auto [hist, edges] = histogramdd(points);
template <element E = double>
struct histogramdd_result {
  array<double> hist;
  std::vector<array<E>> edges;
};

namespace detail {

/// Throws if there are not as many bins or ranges as axes.
GNP_DECLARED_ON_USE void check_grid(std::size_t axes, const grid_bins& bins, const grid_options& options,
                                    const char* function);
GNP_DECLARED_ON_USE bin_range range_along(const grid_options& options, std::size_t axis);

/// A user's edges, on a device.
GNP_DECLARED_ON_USE array<double> given_edges(const array<double>& edges, device where, const char* function);

/// The cell numbers after one more axis is added to the grid.
GNP_DECLARED_ON_USE array<std::int64_t> cells_of_both(const array<std::int64_t>& cells,
                                                      const array<double>& edges,
                                                      const array<std::int64_t>& along);

/// How many points lie in each cell, or what their weights add up to; `cells` holds the cell of each point.
GNP_DECLARED_ON_USE array<double> counted_cells(const array<std::int64_t>& cells,
                                                const std::vector<array<double>>& edges,
                                                const grid_options& options, const char* function);

template <class T>
array<double> grid_edges(const array<T>& x, const axis_bins& bins, const bin_range& range,
                         const char* function) {
  const use_device guard(x.device());
  if (bins.edges()) return given_edges(*bins.edges(), x.device(), function);
  const outer_edges outer = find_outer_edges(x, range, function);
  std::vector<double> edges;  // cells may have no width, as in NumPy
  if (!outer.of_values) {
    edges = spaced_edges<double>(outer, bins.count(), function);
  } else {
    const auto own = spaced_edges<edge_type<T>>(outer, bins.count(), function);
    edges.assign(own.begin(), own.end());
  }
  return asarray(edges.data(), shape_t{static_cast<index_t>(edges.size())});
}

/// Along an axis, the first and the last cell are for the points outside the edges.
template <class T>
array<std::int64_t> cells_along(const array<T>& x, const array<double>& edges) {
  return searchsorted(edges, x, {.side = "right"}) - (x == edges(-1)).template astype<std::int64_t>();
}

/// The type of the edges that the user gets for points of type T: NumPy's for numbers of bins, and for an array
/// of edges. A list in braces may hold both, so that its edges are double.
template <class T, class Bins>
struct grid_edge : std::type_identity<double> {};
template <class T, std::integral Bins>
struct grid_edge<T, Bins> : std::type_identity<edge_type<T>> {};
template <class T, array_like Bins>
struct grid_edge<T, Bins> : std::type_identity<edge_type<typename Bins::value_type>> {};

template <class Number>
concept number_of_bins_in_braces = std::integral<Number> && !std::same_as<Number, bool>;

template <class Number>
grid_bins bins_of_counts(std::initializer_list<Number> counts) {
  return std::vector<axis_bins>(counts.begin(), counts.end());
}

inline grid_options without_bins(const named_grid_options& options) {
  return {.range = options.range, .density = options.density, .weights = options.weights};
}

/// Counts points in a grid, with edges of type E; the arrays of the list are the points' coordinates along each
/// axis.
template <class E, class T>
histogramdd_result<E> grid_histogram(const std::vector<array<T>>& points, const grid_bins& bins,
                                     const grid_options& options, const char* function) {
  static_assert(!is_complex(dtype_of<T>),
                "gnp: a histogram is of real values: take gnp::abs(...) of complex ones");
  const std::size_t axes = points.size();
  check_grid(axes, bins, options, function);
  std::vector<array<double>> edges;
  array<std::int64_t> cells;
  for (std::size_t d = 0; d < axes; ++d) {
    edges.push_back(grid_edges(points[d], bins[d], range_along(options, d), function));
    const array<std::int64_t> along = cells_along(points[d], edges[d]);
    cells = d == 0 ? along : cells_of_both(cells, edges[d], along);
  }
  histogramdd_result<E> result{counted_cells(cells, edges, options, function), {}};
  for (const array<double>& along : edges) result.edges.push_back(array<E>(in_type<E>(along)));
  return result;
}

/// An array of coordinates in its elements' type; truth values as NumPy's histograms count them.
template <class T, array_like X>
array<T> coordinates(const X& x, const char* function) {
  if (x.ndim() != 1)
    throw shape_error(std::string(function) + ": coordinates have one axis, got shape " + to_string(x.shape()));
  return array<T>(in_type<T>(x));
}

}  // namespace detail

// (g++ 12 also takes {.density = true} for bins. Where the bins are a template parameter, it chooses the other
// overload.)

/// How many of the points (x, y) lie in each cell, or what their weights add up to.
template <array_like X, array_like Y, std::convertible_to<grid_bins> Bins = grid_bins>
auto histogram2d(const X& x, const Y& y, const Bins& bins, const grid_options& options = {}) {
  using T = type_of<promote(dtype_of<typename X::value_type>, dtype_of<typename Y::value_type>)>;
  if (!(x.shape() == y.shape())) {
    throw shape_error("histogram2d: x and y must have the same length, got shapes " + to_string(x.shape()) +
                      " " + to_string(y.shape()));
  }
  const std::vector<array<T>> points{detail::coordinates<T>(x, "histogram2d"),
                                     detail::coordinates<T>(y, "histogram2d")};
  using E = typename detail::grid_edge<T, Bins>::type;
  const auto grid = detail::grid_histogram<E>(points, grid_bins(bins), options, "histogram2d");
  return histogram2d_result<E>{grid.hist, grid.edges[0], grid.edges[1]};
}
template <array_like X, array_like Y>
auto histogram2d(const X& x, const Y& y, const grid_options& options = {}) {
  return histogram2d(x, y, 10, options);
}
/// One number of bins for each axis.
template <array_like X, array_like Y, detail::number_of_bins_in_braces Count>
auto histogram2d(const X& x, const Y& y, std::initializer_list<Count> bins, const grid_options& options = {}) {
  using T = type_of<promote(dtype_of<typename X::value_type>, dtype_of<typename Y::value_type>)>;
  using E = detail::edge_type<T>;
  const auto grid = histogram2d(x, y, detail::bins_of_counts(bins), options);
  return histogram2d_result<E>{grid.hist, array<E>(detail::in_type<E>(grid.xedges)),
                               array<E>(detail::in_type<E>(grid.yedges))};
}

template <array_like X, array_like Y>
auto histogram2d(const X& x, const Y& y, const named_grid_options& options) {
  using T = type_of<promote(dtype_of<typename X::value_type>, dtype_of<typename Y::value_type>)>;
  using E = detail::edge_type<T>;
  const auto grid =
      histogram2d(x, y, static_cast<const grid_bins&>(options.bins), detail::without_bins(options));
  return histogram2d_result<E>{grid.hist, array<E>(detail::in_type<E>(grid.xedges)),
                               array<E>(detail::in_type<E>(grid.yedges))};
}

namespace detail {

/// The coordinates of points that are the rows of a matrix.
template <array_like X>
std::vector<array<typename X::value_type>> coordinates_of_rows(const X& points) {
  const array<typename X::value_type> rows = points.eval();
  if (rows.ndim() != 1 && rows.ndim() != 2)
    throw shape_error("histogramdd: points are the rows of a matrix, got shape " + to_string(rows.shape()));
  if (rows.ndim() == 1) return {rows};
  std::vector<array<typename X::value_type>> list;
  for (index_t d = 0; d < rows.shape()[1]; ++d) list.push_back(rows(all, d));
  return list;
}

/// The arrays themselves, if they have one axis and one length.
template <class T>
const std::vector<array<T>>& checked_coordinates(const std::vector<array<T>>& coordinates) {
  for (const array<T>& x : coordinates) {
    if (x.ndim() == 1 && x.shape() == coordinates[0].shape()) continue;
    throw shape_error("histogramdd: coordinates have one axis and one length, got shapes " +
                      to_string(coordinates[0].shape()) + " " + to_string(x.shape()));
  }
  return coordinates;
}

}  // namespace detail

/// The same in any number of dimensions; the points are the rows of an array.
template <array_like X, std::convertible_to<grid_bins> Bins = grid_bins>
auto histogramdd(const X& points, const Bins& bins, const grid_options& options = {}) {
  using E = typename detail::grid_edge<typename X::value_type, Bins>::type;
  return detail::grid_histogram<E>(detail::coordinates_of_rows(points), grid_bins(bins), options,
                                   "histogramdd");
}
template <array_like X, detail::number_of_bins_in_braces Count>
auto histogramdd(const X& points, std::initializer_list<Count> bins, const grid_options& options = {}) {
  using E = detail::edge_type<typename X::value_type>;
  return detail::grid_histogram<E>(detail::coordinates_of_rows(points), detail::bins_of_counts(bins), options,
                                   "histogramdd");
}
template <array_like X>
auto histogramdd(const X& points, const grid_options& options = {}) {
  return histogramdd(points, 10, options);
}
template <array_like X>
auto histogramdd(const X& points, const named_grid_options& options) {
  using E = detail::edge_type<typename X::value_type>;
  return detail::grid_histogram<E>(detail::coordinates_of_rows(points), options.bins,
                                   detail::without_bins(options), "histogramdd");
}
/// The same for a list of the points' coordinates: histogramdd({x, y, z}).
template <element T, std::convertible_to<grid_bins> Bins = grid_bins>
auto histogramdd(const std::vector<array<T>>& coordinates, const Bins& bins, const grid_options& options = {}) {
  using E = typename detail::grid_edge<T, Bins>::type;
  return detail::grid_histogram<E>(detail::checked_coordinates(coordinates), grid_bins(bins), options,
                                   "histogramdd");
}
template <element T, detail::number_of_bins_in_braces Count>
auto histogramdd(const std::vector<array<T>>& coordinates, std::initializer_list<Count> bins,
                 const grid_options& options = {}) {
  return detail::grid_histogram<detail::edge_type<T>>(detail::checked_coordinates(coordinates),
                                                      detail::bins_of_counts(bins), options, "histogramdd");
}
template <element T>
auto histogramdd(const std::vector<array<T>>& coordinates, const grid_options& options = {}) {
  return histogramdd(coordinates, 10, options);
}
template <element T, std::convertible_to<grid_bins> Bins = grid_bins>
auto histogramdd(std::initializer_list<array<T>> coordinates, const Bins& bins,
                 const grid_options& options = {}) {
  return histogramdd(std::vector<array<T>>(coordinates), bins, options);
}
template <element T, detail::number_of_bins_in_braces Count>
auto histogramdd(std::initializer_list<array<T>> coordinates, std::initializer_list<Count> bins,
                 const grid_options& options = {}) {
  return histogramdd(std::vector<array<T>>(coordinates), bins, options);
}
template <element T>
auto histogramdd(std::initializer_list<array<T>> coordinates, const grid_options& options = {}) {
  return histogramdd(std::vector<array<T>>(coordinates), 10, options);
}
template <element T>
auto histogramdd(const std::vector<array<T>>& coordinates, const named_grid_options& options) {
  return detail::grid_histogram<detail::edge_type<T>>(detail::checked_coordinates(coordinates), options.bins,
                                                      detail::without_bins(options), "histogramdd");
}
template <element T>
auto histogramdd(std::initializer_list<array<T>> coordinates, const named_grid_options& options) {
  return histogramdd(std::vector<array<T>>(coordinates), options);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/statistics/grid_cells.hpp>
#endif
