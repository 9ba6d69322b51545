// SPDX-License-Identifier: MIT
// A statement on the CPU, run for a few rows at a time. All steps run over as many rows as fit in a core's
// cache, so that memory is read once. Threads take groups of rows.
#pragma once

#include <algorithm>
#include <functional>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/statement/row_space.hpp>
#include <gnp/exec/statement/statement_facts.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The bytes of rows that are processed together: these rows and what is computed from them stay in the
/// second-level cache.
inline constexpr index_t cached_row_bytes = 512 * 1024;

/// Where the rows of a statement can be cut, and into how many at a time.
struct row_cut {
  int axis = -1;  // of the rows' elements; none if there is nothing to gain
  index_t at_once = 0;
};

GNP_INLINE row_cut cut_into_rows(const statement& s, const row_space& rows, const leaf_view& destination) {
  row_cut cut;
  const shape_t& shape = *rows.shape;
  int axis = 0;
  while (axis < rows.rank() && (rows.axes->chosen[axis] || shape[axis] == 1)) ++axis;
  if (axis == rows.rank()) return cut;
  // If the result has fewer axes than the reduced elements, an input with the shape of the result is read along
  // other axes than the result is written, unless all reduced axes come before the axis of the cut.
  bool along_the_same = destination.shape->rank() == rows.rank();
  if (!along_the_same)
    along_the_same = std::none_of(rows.axes->chosen + axis, rows.axes->chosen + rows.rank(), std::identity());
  index_t bytes = destination.itemsize;  // of an element
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    bool known = false;
    for (std::size_t k = 0; k < i; ++k) known = known || same_leaf(s.leaves[i], s.leaves[k]);
    if (!known) bytes += s.leaves[i].itemsize;
    // One part must not read what another part writes.
    const bool in_place = s.leaves[i].data == destination.data && *s.leaves[i].shape == *destination.shape &&
                          *s.leaves[i].strides == *destination.strides && (along_the_same || s.read_by_last[i]);
    if (s.leaves[i].block == destination.block && !in_place) return cut;
  }
  const index_t count = element_count(shape, "reduce");
  const index_t row_bytes = count / shape[axis] * bytes;
  const index_t at_once = (std::max)(index_t{1}, cached_row_bytes / row_bytes);
  // Rows too long for any cache are better shared by all threads.
  if (count * bytes <= 2 * cached_row_bytes || row_bytes > 8 * cached_row_bytes) return cut;
  // Pieces of rows that are shorter take longer than memory that is read again: a softmax of columns of 1000
  // elements took 2.5 ms in pieces of 65 and takes 1.0 ms as a whole.
  constexpr index_t shortest_piece = 512;
  if (rows.leading && at_once < shortest_piece) return cut;
  return {axis, (std::min)(at_once, shape[axis])};
}

/// Part of a statement's rows, as a statement of its own. The whole statement must outlive it.
class statement_part {
 public:
  statement_part(const statement& whole, const row_space& rows, int axis) : part_(whole) {
    axis_ = axis;
    rank_ = rows.rank();
    for (int d = 0; d < axis; ++d) reduced_before_ += rows.axes->chosen[d] ? 1 : 0;
  }

  /// The part with `count` rows from `begin` on.
  GNP_INLINE const statement& rows(const statement& whole, index_t begin, index_t count) {
    shapes_.clear();
    for (std::size_t i = 0; i < whole.steps.size(); ++i) {
      const statement_step& from = whole.steps[i];
      statement_step& to = part_.steps[i];
      const bool of_elements = from.reducer != nullptr || from.shape.rank() == rank_;
      set(to.shape, of_elements ? axis_ : axis_ - reduced_before_, count);
      set(to.result, from.result.rank() == rank_ ? axis_ : axis_ - reduced_before_, count);
      for (std::size_t k = 0; k < from.inputs.size(); ++k) {
        to.inputs[k].memory = rows_of(from.inputs[k].memory, from.shape, begin, count);
      }
    }
    return part_;
  }
  /// The same part of what the statement writes.
  leaf_view rows_of(const leaf_view& destination, const statement& whole, index_t begin, index_t count) {
    return rows_of(destination, whole.steps.back().result, begin, count);
  }

 private:
  static void set(shape_t& shape, int axis, index_t size) { shape[static_cast<std::size_t>(axis)] = size; }

  /// The same rows of memory that is broadcast to `shape`.
  GNP_INLINE leaf_view rows_of(const leaf_view& whole, const shape_t& shape, index_t begin, index_t count) {
    const int axis =
        (shape.rank() == rank_ ? axis_ : axis_ - reduced_before_) - (shape.rank() - whole.shape->rank());
    if (axis < 0 || (*whole.shape)[static_cast<std::size_t>(axis)] == 1) return whole;
    leaf_view part = whole;
    part.shape = &shapes_.emplace_back(*whole.shape);
    set(shapes_.back(), axis, count);
    const index_t step = begin * (*whole.strides)[static_cast<std::size_t>(axis)];
    const index_t moved = whole.block == nullptr ? step : step * whole.itemsize;
    part.data = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(whole.data) +
                                        static_cast<std::uintptr_t>(moved));
    return part;
  }

  statement part_;
  int axis_ = 0;
  int rank_ = 0;
  int reduced_before_ = 0;
  std::deque<shape_t> shapes_;
};

/// Calls run(part, part of the destination) for parts that together make up the statement. Returns false if it
/// is better to run the statement as a whole.
template <class Run>
bool run_rows_on_cpu(const statement& s, const expression_code& text, const leaf_view& destination,
                     const Run& run) {
  row_space rows;
  if (s.steps.size() < 2 || !(*destination.shape == s.steps.back().result) || !find_rows(s, rows) ||
      !rows_are_apart(s, rows))
    return false;
  const row_cut cut = cut_into_rows(s, rows, destination);
  if (cut.axis < 0) return false;
  const watched_work watched(destination.block->device, [&] { return facts_of(s, text, destination); });
  const index_t count = (*rows.shape)[static_cast<std::size_t>(cut.axis)];
  parallel_for((count + cut.at_once - 1) / cut.at_once, 1, [&](index_t first, index_t last) {
    statement_part part(s, rows, cut.axis);
    for (index_t i = first; i < last; ++i) {
      const index_t begin = i * cut.at_once;
      const index_t size = (std::min)(cut.at_once, count - begin);
      const statement& some = part.rows(s, begin, size);
      run(some, part.rows_of(destination, s, begin, size));
    }
  });
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail
