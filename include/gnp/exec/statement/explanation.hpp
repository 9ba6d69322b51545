// SPDX-License-Identifier: MIT
// What a statement becomes when it runs, as text.
#pragma once

#include <gnp/exec/elementwise/run_rolled.hpp>
#include <gnp/exec/statement/run_steps.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Describes what is done, one kernel (on the CPU: one loop) after the other.
class explanation {
 public:
  explicit explanation(device where) : word_(where.is_cpu() ? "loop" : "kernel") {}

  GNP_INLINE void add(const std::string& what, index_t kernels = 1) {
    text_ += "  " + word_ + (kernels == 1 ? " " : "s " + std::to_string(kernels_ + 1) + " to ") +
             std::to_string(kernels_ + kernels) + ": " + what + "\n";
    kernels_ += kernels;
  }
  GNP_INLINE void detail(const std::string& what) { text_ += "    " + what + "\n"; }
  GNP_INLINE void reads(const std::vector<leaf_view>& leaves, const dtype* types) {
    std::vector<leaf_view> known;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].block == nullptr) continue;
      bool again = false;
      for (const leaf_view& other : known) again = again || same_leaf(other, leaves[i]);
      if (again) continue;
      known.push_back(leaves[i]);
      const std::string shape = leaves[i].table ? "a table" : to_string(*leaves[i].shape);
      detail(std::string("reads ") + std::string(name(types[i])) + " " + shape);
    }
  }
  GNP_INLINE void writes(const char* verb, dtype type, const shape_t& shape) {
    detail(std::string(verb) + " " + name(type) + " " + to_string(shape));
  }

#if GNP_HAS_CUDA
  GNP_INLINE void add_parts(const first_parts& parts) {
    parts.run_each([this](const job& part) {
      shape_t shape;
      for (int d = 0; d < part.rank; ++d) shape.push_back(part.shape[d]);
      const bool is_array = part.code->source->operand_count == 0;
      add(is_array ? "copies an array of shape " + to_string(shape) + " that lies across the others"
                   : "each element of a part of shape " + to_string(shape) + ", which many elements share");
      writes("stores", part.code->result, shape);
    });
  }
#endif

  std::string text() const {
    return std::to_string(kernels_) + " " + word_ + (kernels_ == 1 ? "" : "s") + "\n" + text_;
  }

 private:
  std::string word_;
  std::string text_;
  index_t kernels_ = 0;
};

/// The names of reductions, "mean and std".
GNP_INLINE std::string names_of(const std::vector<const statement_step*>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == steps.size() ? " and " : ", ");
    text += steps[i]->options.function;
  }
  return text;
}

/// The types of the statement's leaves, taken from the steps. (The whole text has other types where a part of
/// it has already run.)
GNP_INLINE std::vector<dtype> types_of_leaves(const statement& s) {
  std::vector<dtype> types(s.leaves.size());
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    for (const statement_step& step : s.steps) {
      for (std::size_t k = 0; k < step.inputs.size(); ++k) {
        const step_input& input = step.inputs[k];
        if (input.step < 0 && same_leaf(input.memory, s.leaves[i])) types[i] = step.values->input_types[k];
      }
    }
  }
  return types;
}

/// Explains the parts of an expression, or of a reduction's elements, that are computed first.
GNP_INLINE void explain_first_parts(explanation& out, const expression_code& code,
                                    const std::vector<leaf_view>& inputs, const unsigned char* numbers,
                                    const shape_t& shape, const axis_set* reduced, device where) {
#if GNP_HAS_CUDA
  if (where.is_cpu()) return;
  const shape_t strides = reduced != nullptr ? shape_t(shape.size(), 0) : contiguous_strides(shape);
  const leaf_view to{nullptr, &nothing_on.at[0], static_cast<int>(itemsize(code.result)), &shape, &strides};
  std::vector<job_operand> operands(inputs.size() + 1);
  job j;
  j.code = &code;
  j.operands = operands.data();
  j.constants = numbers;
  lay_out(j, to, inputs.data());
  j.where = where;
  int kept = 0;
  if (reduced != nullptr) {
    collapse(j, j.operand_count(), reduced->chosen, kept);
  } else {
    collapse(j);
  }
  first_parts parts;
  const bool has_tiles = reduced == nullptr || (kept == 0 && is_read_by_tiles(j));
  if (parts.take_from(j, {&code.source, 1}, *code.kernels, {0, j.rank}, has_tiles)) out.add_parts(parts);
#else
  (void)out, (void)code, (void)inputs, (void)numbers, (void)shape, (void)reduced, (void)where;
#endif
}

/// "sum of 8 elements": the reductions of a statement that are loops, with the last step or without it.
GNP_INLINE std::string loops_of(const statement& s, bool with_last) {
  std::string loops;
  for (const statement_step& step : s.steps) {
    if (step.reducer == nullptr || (&step == &s.steps.back() && !with_last)) continue;
    loops += (loops.empty() ? "" : ", ") + std::string(step.options.function) + " of " +
             std::to_string(reduced_length(step.shape, step.options.axes)) + " elements";
  }
  return loops;
}

/// Explains a statement whose short reductions are loops in a thread; false if it is not of this kind.
GNP_INLINE bool explain_nested(explanation& out, const statement& s, const expression_code& text, device where,
                               const char* what_it_does = "writes") {
#if GNP_HAS_CUDA
  nested_statement n;
  if (where.is_cpu() || !lay_out_nested(n, s)) return false;
  const statement_step& last = s.steps.back();
  out.add((n.of_elements ? std::string("each element of ") + to_string(last.result)
                         : std::string(last.options.function) + " of " + to_string(last.shape)) +
          ", with loops of a thread: " + loops_of(s, n.of_elements));
  out.reads(s.leaves, types_of_leaves(s).data());
  out.writes(what_it_does, text.result, last.result);
  return true;
#else
  (void)out, (void)s, (void)text, (void)where, (void)what_it_does;
  return false;
#endif
}

GNP_INLINE std::vector<const statement_step*> reductions_of(const statement& s) {
  std::vector<const statement_step*> found;
  for (const statement_step& step : s.steps) {
    if (step.reducer != nullptr) found.push_back(&step);
  }
  return found;
}

/// Explains a statement that runs row by row, and what all its reductions share; false if it does not run like
/// that.
GNP_INLINE bool explain_rows(explanation& out, const statement& s, const expression_code& text,
                             const leaf_view& destination, const char* what_it_does = "writes") {
  row_space rows;
  const device where = destination.block->device;
  if ((where.is_cpu() && s.steps.size() < 2) || !find_rows(s, rows) || !rows_are_apart(s, rows)) return false;
  const std::string each = std::string("rows of ") + std::to_string(reduced_length(*rows.shape, *rows.axes)) +
                           " elements, " + names_of(reductions_of(s)) + " of each, and what is made of them";
  if (where.is_cpu()) {
    if (cut_into_rows(s, rows, destination).axis < 0) return false;
    out.add(each + ": some rows at a time, which stay in the cache");
  } else {
#if GNP_HAS_CUDA
    const std::optional<row_job> job =
        plan_rows(s, text, destination, row_hardware_of(activate(where.ordinal())));
    if (!job) return false;
    out.add_parts(job->parts);
    out.add(each + ": a row in the registers of " + std::to_string(job->plan.group) + " thread" +
            (job->plan.group == 1 ? "" : "s"));
#endif
  }
  out.reads(s.leaves, types_of_leaves(s).data());
  out.writes(what_it_does, text.result, s.steps.back().result);
  return true;
}

/// Explains a reduction of what a row program computes for each row; false if the statement is not of this
/// kind.
GNP_INLINE bool explain_reduced_rows(explanation& out, const statement& s, const expression_code& text,
                                     device where) {
#if GNP_HAS_CUDA
  if (where.is_cpu()) return false;
  const std::optional<reduced_rows> made = reduced_rows_of(s, text, where);
  if (!made || !explain_rows(out, made->elements, made->text, made->view(), "stores")) return false;
  const statement_step& last = s.steps.back();
  out.add(std::string(last.options.function) + " of " + to_string(last.shape));
  out.writes("reads the stored", made->text.result, last.shape);
  out.writes("writes", text.result, last.result);
  return true;
#else
  (void)out, (void)s, (void)text, (void)where;
  return false;
#endif
}

/// The earlier steps whose results these steps read.
GNP_INLINE std::vector<int> results_read(const std::vector<const statement_step*>& steps) {
  std::vector<int> found;
  for (const statement_step* step : steps) {
    for (const step_input& input : step->inputs) {
      if (input.step >= 0 && std::find(found.begin(), found.end(), input.step) == found.end())
        found.push_back(input.step);
    }
  }
  return found;
}

/// The shapes of what steps reduce: one, unless these differ slightly.
GNP_INLINE std::string shapes_of(const std::vector<const statement_step*>& steps) {
  std::string shapes;
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    const auto same = [&](const statement_step* other) { return other->shape == (*step)->shape; };
    if (std::any_of(steps.begin(), step, same)) continue;
    shapes += (shapes.empty() ? "" : " and ") + to_string((*step)->shape);
  }
  return shapes;
}

/// Explains a kernel that computes these steps in one pass.
GNP_INLINE void explain_pass(explanation& out, const statement& s,
                             const std::vector<const statement_step*>& steps, const char* what_it_does,
                             device where) {
  const statement_step& first = *steps[0];
  if (steps.size() == 1) {
    std::vector<leaf_view> inputs;
    for (const step_input& input : first.inputs) inputs.push_back(input.memory);
    explain_first_parts(out, *first.values, inputs, bytes_of(first.numbers), first.shape,
                        first.reducer != nullptr ? &first.options.axes : nullptr, where);
  }
  if (first.reducer != nullptr) {
    out.add(names_of(steps) + " of " + shapes_of(steps) + (steps.size() > 1 ? " in one pass" : ""));
  } else {
    out.add(std::string("each element of ") + to_string(first.shape));
  }
  std::vector<leaf_view> leaves;
  std::vector<dtype> types;
  for (const statement_step* step : steps) {
    for (std::size_t k = 0; k < step->inputs.size(); ++k) {
      const step_input& input = step->inputs[k];
      if (input.step >= 0) continue;
      leaves.push_back(input.memory);
      types.push_back(step->values->input_types[k]);
    }
  }
  out.reads(leaves, types.data());
  for (const int number : results_read(steps)) {
    const statement_step& read = s.steps[static_cast<std::size_t>(number)];
    out.writes("reads the stored", read.reducer->result, read.result);
  }
  for (const statement_step* step : steps) {
    const dtype type = step->reducer != nullptr ? step->reducer->result : step->values->result;
    out.writes(what_it_does, type, step->result);
  }
}

#if GNP_HAS_CUDA
// The ways in which a step and later ones share a kernel (step_way). Each of these functions marks the results
// that are then there, or returns false.

GNP_INLINE bool explain_row_part(explanation& out, const statement& s, std::size_t first, step_results& results,
                                 device where) {
  const std::optional<row_part> part = row_part_from(s, first, results);
  if (!part) return false;
  const std::size_t number = part->numbers.back();
  const leaf_view destination = results.make(number, s.steps[number], where);
  const bool fits = plan_part(*part, destination, row_hardware_of(activate(where.ordinal()))).has_value();
  results.drop(number);
  if (!fits) return false;
  const statement& steps = part->steps;
  out.add(names_of(reductions_of(steps)) + " of each row of " + to_string(steps.steps.back().shape) +
          ", which is in the registers of its threads");
  out.reads(steps.leaves, types_of_leaves(steps).data());
  for (std::size_t k = 0; k < part->numbers.size(); ++k) {
    const statement_step& step = s.steps[part->numbers[k]];
    results.assume(part->numbers[k], step);
    if (part->numbers[k] == number || (part->stored >> k & 1) != 0)
      out.writes("stores", step.reducer->result, step.result);
  }
  return true;
}

GNP_INLINE bool explain_loops_apart(explanation& out, const statement& s, std::size_t first,
                                    step_results& results, device where) {
  const std::optional<loops_apart> apart = loops_apart_from(s, first, results);
  if (!apart) return false;
  for (std::size_t k = 0; k < apart->parts.size(); ++k) {
    if (results.has(apart->readers[k])) continue;
    joint_loops joint;
    const std::vector<std::size_t> together = add_readers(joint, *apart, k, results);
    const statement& part = apart->parts[k].steps;
    const char* const what_it_does = apart->readers[k] + 1 == s.steps.size() ? "writes" : "stores";
    std::vector<leaf_view> leaves;
    std::vector<dtype> types;
    std::vector<const statement_step*> lasts;
    for (const std::size_t i : together) {
      const statement& reader = apart->parts[i].steps;
      const std::vector<dtype> read = types_of_leaves(reader);
      leaves.insert(leaves.end(), reader.leaves.begin(), reader.leaves.end());
      types.insert(types.end(), read.begin(), read.end());
      lasts.push_back(&reader.steps.back());
      results.assume(apart->readers[i], s.steps[apart->readers[i]]);
    }
    if (together.size() == 1) {
      explain_nested(out, part, *part.steps.back().text, where, what_it_does);
      continue;
    }
    out.add(names_of(lasts) + " of " + to_string(lasts[0]->shape) +
            " in one pass, with loops of a thread: " + loops_of(part, false));
    out.reads(leaves, types.data());
    for (const statement_step* last : lasts) out.writes(what_it_does, last->reducer->result, last->result);
  }
  results.assume(first, s.steps[first]);
  return true;
}

GNP_INLINE bool explain_joint(explanation& out, const statement& s, std::size_t first, step_results& results,
                              device where) {
  std::vector<const statement_step*> steps;
  for (const std::size_t number : joint_steps(s, first, results).steps) {
    steps.push_back(&s.steps[number]);
    results.assume(number, s.steps[number]);
  }
  explain_pass(out, s, steps, "stores", where);
  return true;
}
#endif

/// Explains a step, and those that share its kernel.
GNP_INLINE void explain_step(explanation& out, const statement& s, std::size_t i, step_results& results,
                             device where) {
  const statement_step& step = s.steps[i];
  const bool last = i + 1 == s.steps.size();
#if GNP_HAS_CUDA
  const auto explains = [&](step_way way) {
    if (way == step_way::row_part) return explain_row_part(out, s, i, results, where);
    if (way == step_way::loops_apart) return explain_loops_apart(out, s, i, results, where);
    return explain_joint(out, s, i, results, where);
  };
  if (!last && step.reducer != nullptr && suits_a_step_way(where, explains)) return;
#endif
  explain_pass(out, s, {&step}, last ? "writes" : "stores", where);
  results.assume(i, step);
}

#if GNP_HAS_CUDA
/// Explains rows that come after other reductions; false if only these have been explained.
GNP_INLINE bool explain_rows_after_others(explanation& out, const statement& s, const expression_code& text,
                                          step_results& results, const leaf_view& result) {
  const device where = result.block->device;
  const std::vector<bool> before = where.is_cpu() ? std::vector<bool>() : reductions_before_rows(s);
  if (before.empty()) return false;
  step_results made(s);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i]) continue;
    if (!results.has(i)) explain_step(out, s, i, results, where);
    made.make(i, s.steps[i], where);
  }
  if (!rows_are_left(before, results)) return false;
  const statement_after rows = after_writer::what_follows(s, text, before, made);
  return explain_rows(out, rows.steps, *rows.text, result);
}
#endif

GNP_INLINE void explain_steps(explanation& out, const statement& s, const expression_code& text,
                              const leaf_view& result) {
  step_results results(s);  // none has memory: only which ones there are matters
#if GNP_HAS_CUDA
  if (explain_rows_after_others(out, s, text, results, result)) return;
#else
  (void)text;
#endif
  for (std::size_t i = 0; i < s.steps.size(); ++i) {
    if (!results.has(i)) explain_step(out, s, i, results, result.block->device);
  }
}

GNP_INLINE std::string explain_statement(const statement& s, const expression_code& text,
                                         const leaf_view& result) {
  const device where = result.block->device;
  explanation out(where);
  const auto explains = [&](statement_way way) {
    if (way == statement_way::rows) return explain_rows(out, s, text, result);
    if (way == statement_way::loops) return explain_nested(out, s, text, where);
    return explain_reduced_rows(out, s, text, where);
  };
  const statement_step& last = s.steps.back();
  const bool one_reduction = s.steps.size() == 1 && last.reducer != nullptr;
  const auto slides = [&s] { return std::any_of(s.leaves.begin(), s.leaves.end(), overlaps_itself); };
  const bool alone =
      one_reduction && !runs_as_statement(reduced_length(last.shape, last.options.axes), last.options.axes,
                                          element_count(last.result, "reduce"), where, slides);
  if (alone || !suits_a_way(s, where, explains)) explain_steps(out, s, text, result);
  return out.text();
}

GNP_INLINE std::string explain_loop(const expression_code& code, const std::vector<leaf_view>& leaves,
                                    const unsigned char* numbers, const shape_t& shape, device where) {
  explanation out(where);
  explain_first_parts(out, code, leaves, numbers, shape, nullptr, where);
  out.add(std::string("each element of ") + to_string(shape));
  out.reads(leaves, code.input_types);
  out.writes("writes", code.result, shape);
  return out.text();
}

GNP_INLINE std::string explain_rolled(const rolled_job& r, const shape_t& shape, device where) {
  explanation out(where);
  const expression_code& code = *r.code;
  const index_t boxes = boxes_of_rolled(r, shape, where);
  for (int i = 0; i < code.inputs && boxes == 0; ++i) {
    if (!is_rolled(r.shifts[i])) continue;
    const shape_t& rolled = *r.inputs[i].shape;
    const rolled_job one{r.copies[i], nullptr, &r.inputs[i], &r.shifts[i], nullptr, nullptr};
    out.add("rolls " + std::string(name(code.input_types[i])) + " " + to_string(rolled),
            count_boxes(box_beginnings(rolled, one.shifts, 1)));
    out.writes("stores", code.input_types[i], rolled);
  }
  const char* const how = boxes > 1 ? ", in boxes between the places where what is rolled wraps around" : "";
  out.add("each element of " + to_string(shape) + how, (std::max)(boxes, index_t{1}));
  out.reads({r.inputs, r.inputs + code.inputs}, code.input_types);
  out.writes("writes", code.result, shape);
  return out.text();
}

GNP_INLINE std::string explain_library(dtype result, const shape_t& shape, device where) {
  explanation out(where);
  out.add("what this library or algorithm takes");
  out.writes("writes", result, shape);
  return out.text();
}

GNP_INLINE std::string explain_nothing(device where) { return explanation(where).text(); }

}}}  // namespace gnp::GNP_ABI::detail
