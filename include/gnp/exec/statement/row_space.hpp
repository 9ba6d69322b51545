// SPDX-License-Identifier: MIT
// Which statements can be computed row by row: all their reductions run over the same elements along the same
// axes, and each row uses only its own results.
#pragma once

#include <gnp/exec/statement/statement.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The elements that all reductions of a row program run over, and along which axes.
struct row_space {
  const shape_t* shape = nullptr;
  const axis_set* axes = nullptr;
  bool leading = true;  // do the reduced axes come before the kept ones?

  int rank() const { return shape->rank(); }
};

/// Finds the elements of the statement's reductions; false if these do not all have the same elements.
GNP_INLINE bool find_rows(const statement& s, row_space& rows) {
  for (const statement_step& step : s.steps) {
    if (step.reducer == nullptr) continue;
    if (rows.shape == nullptr) {
      rows.shape = &step.shape;
      rows.axes = &step.options.axes;
    }
    if (!(step.shape == *rows.shape) || !(step.options.axes == *rows.axes)) return false;
  }
  if (rows.shape == nullptr) return false;
  bool kept = false;
  for (int d = 0; d < rows.rank(); ++d) {
    rows.leading = rows.leading && !(kept && rows.axes->chosen[d]);
    kept = kept || !rows.axes->chosen[d];
  }
  return rows.axes->count > 0 && element_count(*rows.shape, "reduce") > 0;
}

/// If one result per row is broadcast to the elements of all rows, does each result lie along its own row?
GNP_INLINE bool lies_along_rows(const shape_t& per_row, const row_space& rows) {
  for (int d = 0; d < rows.rank(); ++d) {
    const int at = d - (rows.rank() - per_row.rank());
    const index_t there = at < 0 ? 1 : per_row[static_cast<std::size_t>(at)];
    if (there != (rows.axes->chosen[d] ? 1 : (*rows.shape)[static_cast<std::size_t>(d)])) return false;
  }
  return true;
}

/// Does each row use only its own results? A step over the elements of all rows must read each result along its
/// own row. A step with one element for each row must read results of the same shape.
GNP_INLINE bool rows_are_apart(const statement& s, const row_space& rows) {
  const statement_step& last = s.steps.back();
  for (const statement_step& step : s.steps) {
    const bool over_rows = step.reducer != nullptr || step.shape == *rows.shape;
    for (const step_input& input : step.inputs) {
      if (input.step < 0) continue;
      const shape_t& given = *input.memory.shape;
      if (over_rows ? !lies_along_rows(given, rows) : !(given == step.shape)) return false;
    }
  }
  return last.reducer != nullptr || last.shape == *rows.shape ||
         last.shape == reduced_shape(*rows.shape, *rows.axes, true) ||
         last.shape == reduced_shape(*rows.shape, *rows.axes, false);
}

/// Sets the strides of an operand with one element for each row, along the axes of the rows' elements.
GNP_INLINE void set_row_strides(job_operand& o, const leaf_view& leaf, const shape_t& per_row,
                                const row_space& rows) {
  shape_t strides(per_row.size(), 0);
  broadcast_strides(*leaf.shape, *leaf.strides, per_row, strides.begin());
  const bool keepdims = per_row.rank() == rows.rank();
  std::size_t at = 0;
  for (int d = 0; d < rows.rank(); ++d) {
    const bool reduced = rows.axes->chosen[d];
    o.strides[d] = reduced ? 0 : strides[at];
    if (keepdims || !reduced) ++at;
  }
}

/// Sets an operand over the elements of rows. It is broadcast to these; or it has one element for each row, and
/// `per_row` is its shape.
GNP_INLINE void place_in_rows(job_operand& o, const leaf_view& leaf, const row_space& rows,
                              const shape_t* per_row) {
  if (per_row == nullptr) return set_operand(o, leaf, *rows.shape);
  set_memory(o, leaf);
  set_row_strides(o, leaf, *per_row, rows);
}

}}}  // namespace gnp::GNP_ABI::detail
