// SPDX-License-Identifier: MIT
// The whole text of a row program's kernel.
#pragma once

#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/folding_text.hpp>
#include <gnp/exec/text/row_cluster_kernels.hpp>
#include <gnp/exec/text/row_program_kernels.hpp>
#include <gnp/exec/text/row_program_writer.hpp>
#include <gnp/exec/text/short_rows_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A statement as its kernel's text needs it.
struct row_program {
  const program* text;    // the whole statement
  kernel_table* kernels;  // made from it so far
  bool indexed = false;   // does a reduction take each element's position, too? Their slot is the last one
};

/// Bytes that are a multiple of 16.
constexpr int whole_words(int bytes) { return (bytes + 15) / 16 * 16; }

[[gnu::cold]] GNP_INLINE std::string kernel_source(const row_program& rows, const kernel_plan& plan) {
  source_writer writer(plan.slot_of.data(), plan.steps);
  write_value(writer, *rows.text);
  for (const source_writer::step_text& step : writer.steps) need_reducer(writer, *step.reducer);
  std::vector<dtype> types = slot_types(*rows.text, plan);
  if (rows.indexed) types.back() = dtype::int64;

  int state_bytes = 1;
  for (const source_writer::step_text& step : writer.steps)
    state_bytes = (std::max)(state_bytes, step.reducer->state_size);

  std::string text = kernel_head(writer, plan, types, rows.text->result);
  text += filled_in(
      "constexpr int kept = $kept;\nconstexpr int group = $group;\nconstexpr int threads = $threads;\n"
      "constexpr int cluster = $cluster;\n"
      "constexpr bool by_columns = $by_columns;\nconstexpr bool whole = $whole;\n"
      "constexpr int state_bytes = $state_bytes;\n",
      {{"kept", std::to_string(plan.kept)},
       {"group", std::to_string(plan.group)},
       {"threads", std::to_string(plan.threads)},
       {"cluster", std::to_string(plan.cluster)},
       {"by_columns", plan.by_columns ? "true" : "false"},
       {"whole", plan.whole_rows ? "true" : "false"},
       {"state_bytes", std::to_string(whole_words(state_bytes))}});
  text += row_arguments_text;
  text += folding_text;
  text += row_program_text;
  text += plan.by_columns || plan.cluster > 1 ? rows_of_clusters_text : rows_of_blocks_text;
  const auto staged = [&plan](std::size_t slot) { return plan.access[slot] == lane_access::staged; };
  std::size_t widest = 0;
  for (std::size_t slot = 0; slot < types.size(); ++slot)
    widest = staged(slot) ? (std::max)(widest, itemsize(types[slot])) : widest;
  if (widest > 0) text += filled_in(staged_rows_text, {{"itemsize", std::to_string(widest)}});

  row_program_writer steps(writer, plan, types);
  if (rows.indexed) steps.count_use(types.size() - 1);
  std::string body;
  for (std::size_t k = 0; k < writer.steps.size(); ++k) {
    const reduction_code* const reducer = writer.steps[k].reducer;
    const std::string& elements = steps.value(k);
    const std::string number = std::to_string(k);
    text += filled_in(
        "struct step_$k {\n  using T = $T; using A = $A; using P = $P; using reducer = $reducer;\n"
        "  using value = T; using result = $result; using state = reducer::state;\n"
        "  static inline result finish(const state& x, double parameter) { return "
        "cast<result>(reducer::finish(x, parameter)); }\n};\n",
        {{"k", number},
         {"T", device_name(reducer->values->result)},
         {"A", device_name(reducer->computed)},
         {"P", device_name(real_part_of(reducer->computed))},
         {"reducer", reducer->reducer},
         {"result", device_name(reducer->result)}});
    text += steps.constant_functions(k);
    text += steps.function("elements_" + number, device_name(reducer->values->result), elements);
    std::string positions;
    if (reducer->indexed) {
      positions = filled_in(row_positions_text, {{"k", number}, {"vector", steps.vector_of(types.size() - 1)}});
    }
    body += steps.constants(k);
    body += filled_in(row_step_text, {{"k", number},
                                      {"loads", steps.loads(elements)},
                                      {"positions", positions},
                                      {"compute", steps.call("elements_" + number, elements)},
                                      {"at", reducer->indexed ? ", positions_" + number : std::string()}});
  }
  const std::size_t last = writer.steps.size();
  text += steps.constant_functions(last);
  body += steps.constants(last);
  text += steps.function("elements", device_name(rows.text->result), steps.value(last));
  const bool put_in_rows = staged(0) && !plan.per_row;
  const std::string store = std::string("store<value_t, ") + access_name(plan.access[0]) + ">(p, at[i], y);";
  text += filled_in(row_program_kernel_text,
                    {// Two blocks on a multiprocessor: one computes while the other waits for memory.
                     {"resident", plan.threads > 256 && plan.threads <= 512 ? ", 2" : ""},
                     {"held", steps.held()},
                     {"steps", body},
                     {"result", filled_in(plan.per_row ? row_result_text : row_elements_text,
                                          {{"loads", steps.loads(steps.value(last))},
                                           {"shared", steps.shared()},
                                           {"compute", steps.call("elements", steps.value(last))},
                                           {"store", put_in_rows ? "keep(y, i);" : store},
                                           {"last", put_in_rows ? "  store_rows<value_t>(p, r);\n" : ""}})}});
  return text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
