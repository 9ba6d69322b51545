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

/// histogram2d and histogramdd: a range for each axis, {{0, 1}, {-5, 5}}; counts or their density; real
/// weights.
struct grid_options {
  by_name only = by_name();
  std::vector<bin_range> range = {};
  bool density = false;
  observation_weights weights = {};
};

/// auto [hist, xedges, yedges] = histogram2d(x, y);
struct histogram2d_result {
  array<double> hist;
  array<double> xedges;
  array<double> yedges;
};
/// auto [hist, edges] = histogramdd(points);
struct histogramdd_result {
  array<double> hist;
  std::vector<array<double>> edges;
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

/// Counts points in a grid; the arrays of the list are the points' coordinates along each axis.
template <class T>
histogramdd_result grid_histogram(const std::vector<array<T>>& points, const grid_bins& bins,
                                  const grid_options& options, const char* function) {
  static_assert(!is_complex(dtype_of<T>),
                "gnp: a histogram is of real values: take gnp::abs(...) of complex ones");
  const std::size_t axes = points.size();
  check_grid(axes, bins, options, function);
  histogramdd_result result;
  array<std::int64_t> cells;
  for (std::size_t d = 0; d < axes; ++d) {
    result.edges.push_back(grid_edges(points[d], bins[d], range_along(options, d), function));
    const array<std::int64_t> along = cells_along(points[d], result.edges[d]);
    cells = d == 0 ? along : cells_of_both(cells, result.edges[d], along);
  }
  result.hist = counted_cells(cells, result.edges, options, function);
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
histogram2d_result histogram2d(const X& x, const Y& y, const Bins& bins, const grid_options& options = {}) {
  using T = type_of<promote(dtype_of<typename X::value_type>, dtype_of<typename Y::value_type>)>;
  if (!(x.shape() == y.shape())) {
    throw shape_error("histogram2d: x and y must have the same length, got shapes " + to_string(x.shape()) +
                      " " + to_string(y.shape()));
  }
  const std::vector<array<T>> points{detail::coordinates<T>(x, "histogram2d"),
                                     detail::coordinates<T>(y, "histogram2d")};
  const histogramdd_result grid = detail::grid_histogram(points, grid_bins(bins), options, "histogram2d");
  return {grid.hist, grid.edges[0], grid.edges[1]};
}
template <array_like X, array_like Y>
histogram2d_result histogram2d(const X& x, const Y& y, const grid_options& options = {}) {
  return histogram2d(x, y, grid_bins(10), options);
}

/// The same in any number of dimensions; the points are the rows of an array.
template <array_like X, std::convertible_to<grid_bins> Bins = grid_bins>
histogramdd_result histogramdd(const X& points, const Bins& bins, const grid_options& options = {}) {
  using T = typename X::value_type;
  const array<T> rows = points.eval();
  if (rows.ndim() != 1 && rows.ndim() != 2)
    throw shape_error("histogramdd: points are the rows of a matrix, got shape " + to_string(rows.shape()));
  std::vector<array<T>> list;
  if (rows.ndim() == 1) {
    list.push_back(rows);
  } else {
    for (index_t d = 0; d < rows.shape()[1]; ++d) list.push_back(rows(all, d));
  }
  return detail::grid_histogram(list, grid_bins(bins), options, "histogramdd");
}
template <array_like X>
histogramdd_result histogramdd(const X& points, const grid_options& options = {}) {
  return histogramdd(points, grid_bins(10), options);
}
/// The same for a list of the points' coordinates: histogramdd({x, y, z}).
template <element T, std::convertible_to<grid_bins> Bins = grid_bins>
histogramdd_result histogramdd(const std::vector<array<T>>& coordinates, const Bins& bins,
                               const grid_options& options = {}) {
  for (const array<T>& x : coordinates) {
    if (x.ndim() == 1 && x.shape() == coordinates[0].shape()) continue;
    throw shape_error("histogramdd: coordinates have one axis and one length, got shapes " +
                      to_string(coordinates[0].shape()) + " " + to_string(x.shape()));
  }
  return detail::grid_histogram(coordinates, grid_bins(bins), options, "histogramdd");
}
template <element T>
histogramdd_result histogramdd(const std::vector<array<T>>& coordinates, const grid_options& options = {}) {
  return histogramdd(coordinates, grid_bins(10), options);
}
template <element T, std::convertible_to<grid_bins> Bins = grid_bins>
histogramdd_result histogramdd(std::initializer_list<array<T>> coordinates, const Bins& bins,
                               const grid_options& options = {}) {
  return histogramdd(std::vector<array<T>>(coordinates), bins, options);
}
template <element T>
histogramdd_result histogramdd(std::initializer_list<array<T>> coordinates, const grid_options& options = {}) {
  return histogramdd(std::vector<array<T>>(coordinates), grid_bins(10), options);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/statistics/grid_cells.hpp>
#endif
