// SPDX-License-Identifier: MIT
// A reduction with its operands' memory and layout, ready to run.
#pragma once

#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/layout/job_axes.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/reduce/reduction_code.hpp>
#include <gnp/exec/reduce/row_column_pairs.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct overhang_arguments;

/// A reduction ready to run. The job's destination has stride 0 along the reduced axes. If the reducer is
/// indexed, the operand after the inputs counts positions along these axes.
struct reduction {
  const reduction_code* code = nullptr;
  job values;
  reduced_along along = reduced_along::rows;
  int kept = 0;         // axes that stay: the first ones along rows, the last ones along columns
  index_t outputs = 1;  // elements of the result
  index_t length = 1;   // elements that are reduced to one result
  double parameter[most_reductions] = {};
  storage* results[most_reductions] = {};  // of several in one kernel: all arrays but the first
  std::uint64_t steps = 0;                 // a bit for each step of their statement that they are
  loop_facts loops;                        // for reductions from which its elements are computed
  // If they have slightly different shapes: how. The job's elements are those that all of them have.
  const overhang_arguments* overhangs = nullptr;
  bool reads_little = false;               // many more elements than values that they depend on?

  int operand_count() const { return values.operand_count() + (code->indexed ? 1 : 0); }
};

/// Sets the job's shape and its strides: those of the inputs, broadcast to that shape; those of the
/// destination, which are 0 along the reduced axes (it has these with size 1, or not at all); and those of the
/// positions along the reduced axes.
GNP_INLINE void lay_out(reduction& r, const shape_t& shape, const axis_set& axes, const leaf_view& destination,
                        const leaf_view* inputs) {
  job& j = r.values;
  j.where = destination.block->device;
  j.rank = shape.rank();
  j.count = r.outputs * r.length;
  std::copy(shape.begin(), shape.end(), j.shape);
  set_memory(j.operands[0], destination);
  for (int i = 0; i < j.code->inputs; ++i) set_operand(j.operands[i + 1], inputs[i], shape);
  job_operand& positions = j.operands[j.operand_count()];
  positions.data = nullptr;
  positions.block = nullptr;
  positions.itemsize = sizeof(std::int64_t);
  const bool keepdims = destination.shape->rank() == shape.rank();
  int kept = destination.shape->rank();
  index_t reduced_step = 1;
  for (int d = j.rank - 1; d >= 0; --d) {
    const bool reduced = axes.chosen[d];
    if (keepdims || !reduced) --kept;
    j.operands[0].strides[d] = reduced ? 0 : (*destination.strides)[static_cast<std::size_t>(kept)];
    positions.strides[d] = reduced ? reduced_step : 0;
    if (reduced) reduced_step *= shape[d];
  }
}

/// Merges a job's axes into as few as possible, in the order of the inputs' memory: kept axes with kept axes,
/// reduced axes with reduced axes. Only the first `operands` operands matter. Sets how many axes are kept. The
/// innermost axis decides whether reductions are along rows or columns, unless `asked` says it.
GNP_INLINE reduced_along collapse(job& j, int operands, const bool* reduced, int& kept,
                                  std::optional<reduced_along> asked = {}) {
  job_axes axes(j, operands, reduced);
  order_by_inputs(axes, j);  // any order is fine, because positions have their own strides
  const bool kept_inside = axes.count() > 0 && !axes.marked(axes.count() - 1);
  const reduced_along along = asked.value_or(kept_inside ? reduced_along::columns : reduced_along::rows);
  const bool reduced_first = along == reduced_along::columns;
  axes.sort([&axes, reduced_first](int later, int earlier) {
    return axes.marked(later) == reduced_first && axes.marked(earlier) != reduced_first;
  });
  kept = axes.merge();
  return along;
}

/// Are there many more elements than values from which they are computed, as with the overlaps of all pairs of
/// boxes, or with windows that slide over an array? Then memory has little to do, and threads should keep their
/// values in registers.
GNP_INLINE bool has_little_to_read(const reduction& r) {
  const job& j = r.values;
  if (r.outputs < enough_results) return false;
  auto read = static_cast<double>(enough_results);
  for (int i = 1; i <= j.code->inputs; ++i) {
    const job_operand& o = j.operands[i];
    if (o.table) return false;
    double elements = o.block == nullptr ? 0 : 1;
    for (int d = 0; d < j.rank; ++d) {
      if (o.strides[d] != 0) elements *= static_cast<double>(j.shape[d]);
    }
    read += (std::min)(elements, static_cast<double>(span_of(j.rank, j.shape, o.strides).size()));
  }
  return static_cast<double>(j.count) > 8 * read;
}

/// Are the elements of an input contiguous along a reduced axis, and along no axis that stays?
GNP_INLINE bool runs_along_reduced(const reduction& r, const bool* reduced) {
  const job& j = r.values;
  for (int i = 1; i <= j.code->inputs; ++i) {
    bool runs[2] = {};
    for (int d = 0; d < j.rank; ++d) {
      const index_t stride = j.operands[i].strides[d];
      if (j.shape[d] > 1 && (stride == 1 || stride == -1)) runs[reduced[d]] = true;
    }
    if (runs[true] && !runs[false]) return true;
  }
  return false;
}

/// Can the kernel of pairs combine a reduction's elements?
GNP_INLINE bool joins_pairs(const reduction& r) {
  const reduction_code& code = *r.code;
  return r.length >= fewest_for_pairs && code.parts == nullptr && !code.indexed &&
         code.around_mean == nullptr && !r.loops.any();
}

/// Is it over pairs of the last two axes that stay, with enough results?
GNP_INLINE bool is_over_pairs(const reduction& r, const bool* reduced) {
  if (!joins_pairs(r) || r.outputs < enough_pairs) return false;
  const job& j = r.values;
  return makes_pairs_of_last_axes(
      j.rank, [&](int d) { return !reduced[d] && j.shape[d] != 1; }, j.code->inputs,
      [&j](int i, int d) { return j.operands[i + 1].strides[d] != 0; });
}

GNP_INLINE void collapse(reduction& r, const bool* reduced) {
  r.reads_little = !r.values.where.is_cpu() && !r.values.rolls && has_little_to_read(r);
  std::optional<reduced_along> along;
  if (r.reads_little && is_over_pairs(r, reduced)) {
    along = reduced_along::rows;  // their kernel has no other form
  } else if (r.reads_little && !runs_along_reduced(r, reduced)) {
    // If adjacent threads computed one result together, they would read values that are far apart, and never
    // whole vectors. If each computes its own results, all read the same values: on an H100, the overlaps of
    // 8192 boxes whose sides are columns take 0.10 ms instead of 0.19.
    along = reduced_along::columns;
  }
  r.along = collapse(r.values, r.operand_count(), reduced, r.kept, along);
}

}}}  // namespace gnp::GNP_ABI::detail
