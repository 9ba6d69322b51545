// SPDX-License-Identifier: MIT
// The cells of a grid of bins, and what is in them. Cells outside the edges are left out at the end.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/statistics/bincount.hpp>
#include <gnp/statistics/histogram_grid.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE std::shared_ptr<const axis_bins> grid_bins::copied(const axis_bins* first,
                                                                      std::size_t count) {
  const auto made = std::make_shared<const std::vector<axis_bins>>(first, first + count);
  return {made, made->data()};
}

namespace detail {

GNP_DEFINED_ON_USE void check_grid(std::size_t axes, const grid_bins& bins, const grid_options& options,
                                   const char* function) {
  if (axes == 0) throw shape_error(std::string(function) + ": points need one coordinate at least");
  if (!bins.fits(axes)) {
    throw shape_error(std::string(function) +
                      ": the dimension of bins must be equal to the dimension of the sample, " +
                      std::to_string(axes));
  }
  if (!options.range.empty() && options.range.size() != axes)
    throw shape_error(std::string(function) + ": range must have one entry per dimension, got " +
                      std::to_string(options.range.size()) + " for " + std::to_string(axes));
}

GNP_DEFINED_ON_USE bin_range range_along(const grid_options& options, std::size_t axis) {
  return options.range.empty() ? bin_range() : options.range[axis];
}

GNP_DEFINED_ON_USE array<double> given_edges(const array<double>& edges, device where, const char* function) {
  if (edges.size() == 0) throw shape_error(std::string(function) + ": a list of edges is empty");
  return edged_bins_of<double>(edges.to(where), function).edges;
}

GNP_DEFINED_ON_USE array<std::int64_t> cells_of_both(const array<std::int64_t>& cells,
                                                     const array<double>& edges,
                                                     const array<std::int64_t>& along) {
  return cells * (edges.size() + 1) + along;
}

GNP_DEFINED_ON_USE array<double> counted_cells(const array<std::int64_t>& cells,
                                               const std::vector<array<double>>& edges,
                                               const grid_options& options, const char* function) {
  shape_t shape;
  for (const array<double>& along : edges) shape.push_back(along.size() + 1);
  const auto every_cell = bins_of_numbers(element_count(shape, function));
  array<double> hist;
  if (options.weights.given()) {
    const array<double> weights = options.weights.on(cells.device());
    if (!(weights.shape() == cells.shape())) {
      throw shape_error(std::string(function) +
                        ": the weights must have the same length as the sample, got shapes " +
                        to_string(cells.shape()) + " " + to_string(weights.shape()));
    }
    hist = add_in_bins<numbered_finder>(cells, every_cell, weights, function);
  } else {
    hist = count_in_bins<numbered_finder>(cells, every_cell, function).template astype<double>();
  }
  hist = reshape(hist, shape);
  for (int d = 0; d < shape.rank(); ++d) hist = moveaxis(moveaxis(hist, d, 0)(slice(1, -1)), 0, d);
  if (options.density) {
    array<double> density = hist;
    for (int d = 0; d < shape.rank(); ++d) {
      shape_t along(shape.size(), 1);
      along[d] = shape[d] - 2;
      density = density / reshape(diff(edges[static_cast<std::size_t>(d)]), along);
    }
    hist = density / sum(hist);
  }
  return hist.is_contiguous() ? hist : hist.copy();
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
