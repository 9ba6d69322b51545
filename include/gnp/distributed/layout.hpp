// SPDX-License-Identifier: MIT
// layout: how the elements of an array are divided among the processes of a group.
#pragma once

#include <climits>
#include <gnp/distributed/box.hpp>
#include <gnp/distributed/group.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

/// Means that the rows (or columns) of the grid cut no axis: all processes along them have the same elements.
inline constexpr int uncut = INT_MIN;

/// Processes form a grid, with process r in row r / columns and column r % columns. The rows of the grid cut
/// one axis of the array, its columns another one, each into parts as array_split makes them.
struct layout {
  int rows = 0;  // 0: as many as the columns leave
  int columns = 1;
  int cut_by_rows = uncut;
  int cut_by_columns = uncut;

  bool operator==(const layout&) const = default;
};

/// Blocks along one axis, a block for each process.
inline layout along(int axis) { return {.cut_by_rows = axis}; }
/// Blocks along two axes (the first two, unless told otherwise), over a grid of the given size or as square as
/// possible.
inline layout grid(int rows = 0, int columns = 0, int first_axis = 0, int second_axis = 1) {
  return {.rows = rows, .columns = columns, .cut_by_rows = first_axis, .cut_by_columns = second_axis};
}
/// All elements in every process.
inline layout everywhere() { return {}; }

namespace detail {

/// The groups of the columns and rows of a grid, made when they are first requested. All processes make them
/// together, and only once. So the group of the grid keeps them during its lifetime, because processes may
/// destroy their arrays at different times.
struct lines_of_grid {
  explicit lines_of_grid(int columns_of_grid) : columns(columns_of_grid) {}

  int columns;
  std::optional<group> down = std::nullopt, across = std::nullopt;
};
inline std::shared_ptr<lines_of_grid> lines_of(const group& all, int columns) {
  for (const auto& known : all.grids()) {
    if (known->columns == columns) return known;
  }
  return all.grids().emplace_back(std::make_shared<lines_of_grid>(columns));
}

/// The grid of a group's processes.
class mesh {
 public:
  mesh(group all, int columns) : all_(std::move(all)), columns_(columns), lines_(lines_of(all_, columns)) {}

  const group& all() const { return all_; }
  int rows() const { return all_.size() / columns_; }
  int columns() const { return columns_; }
  int row_of(int rank) const { return rank / columns_; }
  int column_of(int rank) const { return rank % columns_; }

  /// The processes in this process's column, among which the axis that the grid's rows cut is divided.
  const group& down() { return line(lines_->down, columns_ == 1, column_of(all_.rank()), row_of(all_.rank())); }
  /// The processes in this process's row.
  const group& across() {
    return line(lines_->across, rows() == 1, row_of(all_.rank()), column_of(all_.rank()));
  }

 private:
  const group& line(std::optional<group>& made, bool is_all, int color, int key) {
    if (is_all) return all_;  // not kept: the group would keep itself
    if (!made) made = all_.split(color, key);
    return *made;
  }

  group all_;
  int columns_;
  std::shared_ptr<lines_of_grid> lines_;
};

/// The rows of a grid that is as square as possible: the largest divisor that is not above the square root.
inline int rows_of_square(int processes) {
  int rows = 1;
  for (int r = 1; r * r <= processes; ++r) {
    if (processes % r == 0) rows = r;
  }
  return rows;
}

/// A layout with its numbers of rows and columns, for an array of this rank.
inline layout complete(layout how, int processes, int rank, const char* function) {
  if (how.columns == 0)
    how.columns = how.rows > 0 ? processes / how.rows : processes / rows_of_square(processes);
  if (how.rows == 0 && how.columns > 0) how.rows = processes / how.columns;
  if (how.rows < 1 || how.columns < 1 || how.rows * how.columns != processes) {
    throw distributed_error(std::string(function) + ": a grid of " + std::to_string(how.rows) + " by " +
                            std::to_string(how.columns) + " is not one of " + std::to_string(processes) +
                            " processes");
  }
  for (int* axis : {&how.cut_by_rows, &how.cut_by_columns}) {
    if (*axis != uncut) *axis = gnp::detail::normalize_axis(*axis, rank, function);
  }
  if (how.cut_by_rows != uncut && how.cut_by_rows == how.cut_by_columns)
    throw distributed_error(std::string(function) + ": rows and columns of the grid cut the same axis");
  return how;
}

/// How a shape is divided: which process has which places.
class sharing {
 public:
  sharing(std::shared_ptr<mesh> over, const shape_t& shape, const layout& how)
      : mesh_(std::move(over)), shape_(shape), how_(how) {}
  sharing(const group& all, const shape_t& shape, const layout& how, const char* function)
      : shape_(shape), how_(complete(how, all.size(), shape.rank(), function)) {
    mesh_ = std::make_shared<mesh>(all, how_.columns);
  }

  const std::shared_ptr<mesh>& over() const { return mesh_; }
  const group& all() const { return mesh_->all(); }
  const shape_t& shape() const { return shape_; }
  const layout& how() const { return how_; }

  /// The places of a process.
  box of(int rank) const {
    box own = box::of(shape_);
    cut(own, how_.cut_by_rows, mesh_->row_of(rank), mesh_->rows());
    cut(own, how_.cut_by_columns, mesh_->column_of(rank), mesh_->columns());
    return own;
  }
  box here() const { return of(all().rank()); }

  /// The processes that together have all places. If there are several such sets, the one that contains
  /// `reader`.
  std::vector<int> sources_of(int reader) const {
    std::vector<int> all_sources;
    for (int row = 0; row < mesh_->rows(); ++row) {
      if (how_.cut_by_rows == uncut && row != mesh_->row_of(reader)) continue;
      for (int column = 0; column < mesh_->columns(); ++column) {
        if (how_.cut_by_columns == uncut && column != mesh_->column_of(reader)) continue;
        all_sources.push_back(row * mesh_->columns() + column);
      }
    }
    return all_sources;
  }

 private:
  static void cut(box& own, int axis, int part, int parts) {
    if (axis == uncut) return;
    const index_t length = own.end[axis];
    own.begin[axis] = begin_of_part(length, part, parts);
    own.end[axis] = own.begin[axis] + length_of_part(length, part, parts);
  }

  std::shared_ptr<mesh> mesh_;
  shape_t shape_;
  layout how_;
};

}  // namespace detail
}}}  // namespace gnp::GNP_ABI::distributed
