// SPDX-License-Identifier: MIT
// A reduction without its C++ types: an expression's elements, and the reducer that makes one of many.
#pragma once

#include <gnp/exec/job.hpp>

namespace gnp::inline GNP_ABI::detail {

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

/// Sizes and strides in as few axes as it takes, in the order of the inputs' memory: kept axes among themselves
/// and reduced axes among themselves merge where they are contiguous in every operand.
inline void collapse(reduction& r, const bool* reduced) {
  job& j = r.values;
  const int operands = r.operand_count();
  struct axis {
    index_t size;
    index_t step;  // what orders the axes: how far the inputs move along it, the widest of them first
    bool reduced;
    index_t strides[most_operands + 1];
  };
  axis axes[max_rank];
  int count = 0;
  for (int d = 0; d < j.rank; ++d) {
    if (j.shape[d] == 1) continue;
    axis& a = axes[count++];
    a.size = j.shape[d];
    a.reduced = reduced[d];
    a.step = 0;
    for (int i = 0; i < operands; ++i) {
      job_operand& o = j.operands[i];
      a.strides[i] = o.strides[d];
      const bool is_input = i > 0 && o.block != nullptr;
      const index_t stride = o.strides[d] < 0 ? -o.strides[d] : o.strides[d];
      if (is_input && (a.step == 0 || (stride != 0 && stride < a.step))) a.step = stride;
    }
    // Walk forwards through the first input: the order of a reduction is free, positions remember their own.
    if (operands > 1 && a.strides[1] < 0) {
      for (int i = 0; i < operands; ++i) {
        job_operand& o = j.operands[i];
        o.data = advanced(o, (a.size - 1) * a.strides[i]);
        a.strides[i] = -a.strides[i];
      }
    }
  }
  // Steady sorts by hand: there are few axes, and those that no input moves along stay where they are.
  const auto sort_axes = [&axes, count](const auto& belongs_before) {
    for (int d = 1; d < count; ++d) {
      for (int e = d; e > 0 && belongs_before(axes[e], axes[e - 1]); --e) std::swap(axes[e], axes[e - 1]);
    }
  };
  sort_axes([](const axis& a, const axis& b) { return a.step != 0 && b.step != 0 && a.step > b.step; });
  r.along = count > 0 && !axes[count - 1].reduced ? reduced_along::columns : reduced_along::rows;
  const bool reduced_first = r.along == reduced_along::columns;
  sort_axes([reduced_first](const axis& a, const axis& b) {
    return a.reduced == reduced_first && b.reduced != reduced_first;
  });

  int last = -1;
  for (int d = 0; d < count; ++d) {
    bool mergeable = last >= 0 && axes[last].reduced == axes[d].reduced;
    for (int i = 0; i < operands && mergeable; ++i) {
      mergeable = axes[last].strides[i] == axes[d].strides[i] * axes[d].size;
    }
    if (mergeable) {
      axes[d].size *= axes[last].size;
      axes[last] = axes[d];
    } else if (++last != d) {
      axes[last] = axes[d];
    }
  }
  j.rank = last + 1;
  r.kept = 0;
  for (int d = 0; d < j.rank; ++d) {
    j.shape[d] = axes[d].size;
    r.kept += axes[d].reduced ? 0 : 1;
    for (int i = 0; i < operands; ++i) j.operands[i].strides[d] = axes[d].strides[i];
  }
}

}  // namespace gnp::inline GNP_ABI::detail
