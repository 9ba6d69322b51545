// SPDX-License-Identifier: MIT
// A statement whose inner reductions run over few elements each, such as the sums in the distances between
// points. Each thread computes them itself where their results are needed, and nothing of the size of their
// elements is ever stored.
#pragma once

#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/statement/nested_layout.hpp>
#include <gnp/exec/statement/row_space.hpp>
#include <gnp/exec/statement/statement_facts.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Do short rows have many more elements than the values from which they are computed, and one result for each
/// row, as with the squares of all distances between points, or with windows that slide over an array? Then
/// loops are better than a row program: what they read comes from the cache, and threads that share a row would
/// each read only a little of it. Loops are also better if a statement reads every value several times, as
/// products of small matrices do: rows of a broadcast operand are not contiguous.
GNP_INLINE bool short_rows_read_little(const statement& s) {
  row_space rows;
  const statement_step& last = s.steps.back();
  if (!find_rows(s, rows) || (last.reducer == nullptr && last.shape == *rows.shape)) return false;
  const index_t length = reduced_length(*rows.shape, *rows.axes);
  if (length > longest_window) return false;
  double read = static_cast<double>(enough_results);
  for (const leaf_view& leaf : s.leaves) {
    if (leaf.block == nullptr) continue;
    if (overlaps_itself(leaf)) return true;
    read += static_cast<double>(elements_in_memory(leaf));
  }
  return length <= longest_loop &&
         (reads_all_repeatedly(s) || static_cast<double>(element_count(*rows.shape, "reduce")) > 8 * read);
}

/// How many elements of a leaf's rows a vector in memory can hold; 0 if the rows are not contiguous.
GNP_INLINE index_t vector_along(const leaf_view& leaf, int axis) {
  if ((*leaf.strides)[axis] != 1) return 0;
  const auto fits = [&](index_t v) {
    if (reinterpret_cast<std::uintptr_t>(leaf.data) % static_cast<std::uintptr_t>(v * leaf.itemsize) != 0)
      return false;
    for (int d = 0; d < leaf.shape->rank(); ++d) {
      if ((d == axis ? (*leaf.shape)[d] : (*leaf.strides)[d]) % v != 0) return false;
    }
    return true;
  };
  index_t vector = 16 / leaf.itemsize;
  while (vector > 1 && !fits(vector)) vector /= 2;
  return (std::max)(vector, index_t{1});
}

/// Is a statement one reduction of short rows of a whole number of vectors? A thread of the reduction kernel
/// then takes several such rows, or a part of several (plan_short_rows): on an H200, pairs of floats are
/// reduced in 0.10 ms where a row program takes 0.16, and rows of 3 in 0.085 instead of 0.21.
GNP_INLINE bool is_one_reduction_of_vectors(const statement& s) {
  const statement_step& last = s.steps.back();
  if (s.steps.size() != 1 || !last_is_loop(last) || short_rows_read_little(s)) return false;
  const auto [outer, axis] = axes_of_loop(last);
  if (outer >= 0) return false;
  const index_t length = last.shape[axis];
  index_t vector = 16;
  index_t widest = 1;
  for (const step_input& input : last.inputs) {
    const leaf_view& leaf = input.memory;
    if (leaf.table || leaf.block == nullptr) return false;
    const int own = axis - (last.shape.rank() - leaf.shape->rank());
    if (own < 0 || (*leaf.shape)[own] == 1) continue;
    vector = (std::min)(vector, vector_along(leaf, own));
    widest = (std::max)(widest, index_t{leaf.itemsize});
  }
  vector = (std::min)(vector, 32 / widest);
  if (vector == 0 || length % vector != 0) return false;
  if (length * widest <= 16) return length / vector <= 4;
  const bool combines_at_once = !last.reducer->indexed && last.reducer->around_mean == nullptr;
  return combines_at_once && vector > 1 && vector * widest >= 8 && length / vector <= 8;
}

/// Collapses the axes of a reduction whose elements are computed by loops. If there are enough results,
/// adjacent threads take adjacent results: then what they read for one element is the same for all of them or
/// adjacent, and what is the same for all elements stays in registers.
GNP_INLINE void collapse_for_loops(reduction& r, const bool* reduced) {
  std::optional<reduced_along> along;
  if (r.outputs >= enough_results) along = reduced_along::columns;
  r.along = collapse(r.values, r.operand_count(), reduced, r.kept, along);
}

/// Runs the statement in one kernel, if it is of this kind.
GNP_INLINE bool run_nested_on_gpu(const statement& s, const expression_code& text,
                                  const leaf_view& destination) {
  const statement_step& last = s.steps.back();
  nested_statement n;
  if (!(*destination.shape == last.result) || !lay_out_nested(n, s)) return false;
  expression_code code = text;
  code.constants = static_cast<int>(n.numbers.size());
  std::vector<job_operand> operands(n.inputs.size() + 2);
  const auto mark = [&n, &operands] {
    for (std::size_t i = 0; i < n.inputs.size(); ++i) operands[i + 1].in_loop = n.in_loop[i];
  };
  if (n.of_elements) {
    job j;
    j.code = &code;
    j.operands = operands.data();
    j.constants = bytes_of(n.numbers);
    lay_out(j, destination, n.inputs.data());
    mark();
    if (destination_overlaps_input(j)) return false;
    collapse(j);
    const watched_work watched(j.where, [&] { return facts_of(s, text, destination); });
    const submission work(j.where);
    kernel_plan plan = make_plan(j, n.loops);
    note_equal_numbers(j, n.loops, plan);
    note_divisors(j, plan, n.loops.slot_of_number);
    const gpu_kernel kernel = kernel_of(code, plan, work.device());
    use_slots(work, j, plan);
    launch_job(work, j, plan, kernel.function);
    return true;
  }
  for (const leaf_view& input : n.inputs) {
    if (input.block == destination.block) return false;
  }
  code.result = last.values->result;
  code.source = text.source->operands[0];
  reduction_code of_elements = *last.reducer;
  of_elements.values = &code;
  of_elements.kernels = text.kernels;
  reduction r;
  r.code = &of_elements;
  r.parameter[0] = last.options.parameter;
  r.loops = n.loops;
  r.outputs = element_count(last.result, "reduce");
  r.length = reduced_length(last.shape, last.options.axes);
  if (r.outputs == 0 || r.length == 0) return false;
  r.values.code = &code;
  r.values.operands = operands.data();
  r.values.constants = bytes_of(n.numbers);
  lay_out(r, last.shape, last.options.axes, destination, n.inputs.data());
  mark();
  collapse_for_loops(r, last.options.axes.chosen);
  const watched_work watched(r.values.where, [&] { return facts_of(s, text, destination); });
  reduce_on_gpu(r);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
