// SPDX-License-Identifier: MIT
// A reduction without its C++ types: an expression's elements, and the reducer that makes one of many.
#pragma once

#include <gnp/exec/layout/job_axes.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Where elements that are reduced stand among all of them: the first, and how far the next is from it.
struct element_positions {
  std::int64_t first = 0;
  std::int64_t step = 0;
};

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
  void (*rows)(void* states, const void* values, element_positions at, index_t count, index_t length);
  // columns: `rows` rows of `count` elements, `step` apart; a state for each column, a position for each row.
  void (*columns)(void* states, const void* values, element_positions at, index_t count, index_t rows,
                  index_t step);
  void (*combine)(void* states, const void* more, index_t count);
  bool (*is_final)(const void* state);  // can no element change it any more? null where one always can
  void (*finish)(void* results, const void* states, index_t count, double parameter);
};

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
  double parameter = 0;

  int operand_count() const { return values.operand_count() + (code->indexed ? 1 : 0); }
};

/// A reduction in as few axes as it takes, in the order of the inputs' memory: kept axes among themselves and
/// reduced axes among themselves merge.
GNP_INLINE void collapse(reduction& r, const bool* reduced) {
  job& j = r.values;
  job_axes axes(j, r.operand_count(), reduced);
  order_by_inputs(axes, j);  // positions remember their own
  r.along = axes.count() > 0 && !axes.marked(axes.count() - 1) ? reduced_along::columns : reduced_along::rows;
  const bool reduced_first = r.along == reduced_along::columns;
  axes.sort([&axes, reduced_first](int later, int earlier) {
    return axes.marked(later) == reduced_first && axes.marked(earlier) != reduced_first;
  });
  r.kept = axes.merge();
}

}}}  // namespace gnp::GNP_ABI::detail
