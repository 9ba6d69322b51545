// SPDX-License-Identifier: MIT
// A reduction of what a row program computes for each row: a cross entropy, for example, is the mean of one
// value per row. The row program stores only these values, not the results of its own reductions. It still has
// the rows in registers if the statement reads them again, such as the element that a label chooses. A second
// kernel reduces the stored values.
#pragma once

#include <algorithm>
#include <gnp/exec/reduce/run_reduction.hpp>
#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <iterator>
#include <optional>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The elements of a statement's last reduction as a statement of its own, and memory for them.
struct reduced_rows {
  statement elements;
  expression_code text;
  storage_ref stored;
  shape_t strides;

  leaf_view view() const {
    const statement_step& last = elements.steps.back();
    return {static_cast<char*>(stored->data), stored.get(), static_cast<int>(itemsize(text.result)),
            &last.result, &strides};
  }
};

GNP_INLINE std::optional<reduced_rows> reduced_rows_of(const statement& s, const expression_code& text,
                                                       device where) {
  const statement_step& last = s.steps.back();
  const auto is_result = [](const step_input& input) { return input.step >= 0; };
  if (!s.one_text || last.reducer == nullptr || std::none_of(last.inputs.begin(), last.inputs.end(), is_result))
    return std::nullopt;
  std::optional<reduced_rows> made(std::in_place);
  statement& e = made->elements;
  e.steps = s.steps;
  e.steps.back().reducer = nullptr;
  e.steps.back().result = last.shape;
  row_space rows;
  if (!find_rows(e, rows) || last.shape == *rows.shape || !rows_are_apart(e, rows)) return std::nullopt;
  e.leaves = s.leaves;
  e.numbers = s.numbers;
  // The last reduction begins first in the text and ends last. What was directly inside it is now inside no
  // reduction.
  const auto moved_out = [](statement_loop loop) {
    loop.parent = (std::max)(loop.parent - 1, -1);
    return loop;
  };
  e.reductions.assign(s.reductions.begin(), s.reductions.end() - 1);
  std::transform(s.loops.begin() + 1, s.loops.end(), std::back_inserter(e.loops), moved_out);
  std::transform(s.loop_of_leaf.begin(), s.loop_of_leaf.end(), std::back_inserter(e.loop_of_leaf), moved_out);
  for (const statement_loop& around : e.loop_of_leaf) e.read_by_last.push_back(around.parent < 0);
  made->text = text;
  made->text.result = last.values->result;
  made->text.source = text.source->operands[0];
  made->stored =
      storage_ref::allocate(static_cast<std::size_t>(element_count(last.shape, last.options.function)) *
                                static_cast<std::size_t>(itemsize(last.values->result)),
                            where);
  made->strides = contiguous_strides(last.shape);
  return made;
}

/// Runs the statement in two kernels, if it is of this kind.
GNP_INLINE bool run_reduced_rows_on_gpu(const statement& s, const expression_code& text,
                                        const leaf_view& destination) {
  const device where = destination.block->device;
  const statement_step& last = s.steps.back();
  if (!(*destination.shape == last.result)) return false;
  const std::optional<reduced_rows> made = reduced_rows_of(s, text, where);
  if (!made) return false;
  const leaf_view stored = made->view();
  const std::optional<row_job> planned =
      plan_rows(made->elements, made->text, stored, row_hardware_of(activate(where.ordinal())));
  if (!planned) return false;
  {
    const watched_work watched(where, [&] { return facts_of(made->elements, made->text, stored); });
    launch_rows(*planned);
  }
  const dtype type = made->text.result;
  const node_source element{.write = write_input, .type = type, .inputs = 1};
  const expression_code as_stored{.inputs = 1,
                                  .result = type,
                                  .input_types = &type,
                                  .source = &element,
                                  .kernels = text.kernels,
                                  .plain = true};
  reduction_code of_stored = *last.reducer;
  of_stored.values = &as_stored;
  of_stored.kernels = text.kernels;
  of_stored.of_integers = nullptr;
  job_operand operands[3];
  run_reduction(of_stored, last.shape, last.options.axes, last.options.parameter, destination, &stored, nullptr,
                operands, last.options.function);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
