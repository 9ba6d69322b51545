// SPDX-License-Identifier: MIT
// A reduction without its C++ types: an expression's elements, and the reducer that makes one of many.
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/layout/job_axes.hpp>
#include <gnp/exec/layout/leaves.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Where elements that are reduced stand among all of them: the first, and how far the next is from it.
struct element_positions {
  std::int64_t first = 0;
  std::int64_t step = 0;
};

struct fold_operations;

/// What is known of a reduction at compile time: one object per expression type and reducer.
struct reduction_code {
  const program* values;  // computes the elements
  kernel_table* kernels;  // the GPU kernels made so far
  int state_size;         // bytes
  bool indexed;           // the reducer takes each element's position, too
  dtype result;           // what is stored
  const char* reducer;    // sum_of<T, A>: the reducer's name in kernels
  dtype computed;         // A of that; T is what `values` computes
  // On the CPU. States and values are arrays of what the types above say; only who is indexed looks at
  // positions.
  void (*begin)(void* states, index_t count);
  // rows: `count` runs of `length` elements each, one after the other; a state and the same positions for each.
  // Those of a single run may be 2 or 4 `apart`, if it takes such.
  void (*rows)(void* states, const void* values, element_positions at, index_t count, index_t length,
               index_t apart);
  bool takes_apart;
  // columns: `rows` rows of `count` elements, `step` apart; a state for each column, a position for each row.
  void (*columns)(void* states, const void* values, element_positions at, index_t count, index_t rows,
                  index_t step);
  void (*combine)(void* states, const void* more, index_t count);
  bool (*is_final)(const void* state);  // can no element change it any more? null where one always can
  void (*finish)(void* results, const void* states, index_t count, double parameter);
  const program* fill;  // one value everywhere: the result where there are no elements
  // Several reductions of the same elements in one kernel are these, whose values, inputs and numbers `values`
  // has one after the other. For one alone, none.
  const reduction_code* const* parts = nullptr;
  int part_count = 0;
  const fold_operations* operations = nullptr;  // of a reduction of the user's
  // The same of the elements' distances from their mean, where these are at hand: less work. For no other,
  // null.
  const char* around_mean = nullptr;
};

/// Reductions that one kernel can make.
inline constexpr int most_reductions = 8;

/// Which of a reduction's axes moves through memory in the smallest steps.
enum class reduced_along : std::uint8_t { rows, columns };

/// A reduction ready to run. The job's destination has stride 0 along the reduced axes; its operand after the
/// inputs, where the reducer is indexed, counts positions along them.
struct reduction {
  const reduction_code* code = nullptr;
  job values;
  reduced_along along = reduced_along::rows;
  int kept = 0;         // axes that stay: the first ones along rows, the last ones along columns
  index_t outputs = 1;  // elements of the result
  index_t length = 1;   // elements that make one of them
  double parameter[most_reductions] = {};
  storage* results[most_reductions] = {};  // of a kernel of several: where those after the first go, whole
  std::uint64_t steps = 0;                 // which they are in their statement, a bit for each
  loop_facts loops;                        // of reductions that its elements are made of

  int operand_count() const { return values.operand_count() + (code->indexed ? 1 : 0); }
};

/// Sets the job's shape, the strides of its inputs broadcast to it, those of the destination (0 along reduced
/// axes, which it has with size 1 or not at all) and those of the positions along these.
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

/// The axes of a job whose first `operands` operands matter, in as few as it takes, in the order of the inputs'
/// memory: kept axes among themselves and reduced axes among themselves merge. Sets how many are kept.
GNP_INLINE reduced_along collapse(job& j, int operands, const bool* reduced, int& kept,
                                  bool by_columns = false) {
  job_axes axes(j, operands, reduced);
  order_by_inputs(axes, j);  // positions remember their own
  by_columns = by_columns || (axes.count() > 0 && !axes.marked(axes.count() - 1));
  const reduced_along along = by_columns ? reduced_along::columns : reduced_along::rows;
  const bool reduced_first = along == reduced_along::columns;
  axes.sort([&axes, reduced_first](int later, int earlier) {
    return axes.marked(later) == reduced_first && axes.marked(earlier) != reduced_first;
  });
  kept = axes.merge();
  return along;
}
GNP_INLINE void collapse(reduction& r, const bool* reduced) {
  r.along = collapse(r.values, r.operand_count(), reduced, r.kept);
}

}}}  // namespace gnp::GNP_ABI::detail
