// SPDX-License-Identifier: MIT
// The whole text of a row program's kernel.
#pragma once

#include <algorithm>
#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/folding_text.hpp>
#include <gnp/exec/text/row_cluster_kernels.hpp>
#include <gnp/exec/text/row_ends_text.hpp>
#include <gnp/exec/text/row_program_kernels.hpp>
#include <gnp/exec/text/row_program_writer.hpp>
#include <gnp/exec/text/short_rows_kernels.hpp>
#include <gnp/exec/text/window_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What the text of a row program's kernel needs to know about the statement.
struct row_program {
  const expression_code* text;  // the whole statement
  kernel_table* kernels;  // the GPU kernels made from it so far
  bool indexed = false;   // does a reduction also take each element's position? Positions are in the last slot
};

/// Bytes, rounded up to a multiple of 16.
constexpr int whole_words(int bytes) { return (bytes + 15) / 16 * 16; }

/// Writes the reductions of a row program, one after the other.
class row_reductions_writer {
 public:
  row_reductions_writer(const source_writer& writer, const row_program_writer& steps, bool ends_apart)
      : ends_apart_(ends_apart) {
    for (std::size_t k = 0; k < writer.steps.size(); ++k) {
      const reduction_code& code = *writer.steps[k].reducer;
      steps_.push_back({&code, k, k, false});
      // If an earlier reduction has the same elements, they have already been computed.
      for (std::size_t j = 0; j < k; ++j) {
        const bool same = steps.value(k) == steps.value(j) || steps.value(k) == numbered("w", j);
        if (same && code.values->result == steps_[j].code->values->result) {
          steps_[k].values = steps_[j].values;
          break;
        }
      }
      if (code.around_mean == nullptr) continue;
      const auto mean_of_the_same = [&](const step& other) {
        return other.values == steps_[k].values && other.code->computed == code.computed &&
               (other.code->reducer == std::string_view("mean_of<T, A>") ||
                other.code->reducer == std::string_view("plain_mean_of<T, A>"));
      };
      const auto known = std::find_if(steps_.begin(), steps_.end() - 1, mean_of_the_same);
      if (known == steps_.end() - 1) continue;
      steps_[k].mean = static_cast<std::size_t>(known - steps_.begin());
      known->mean_is_wanted = true;
    }
  }

  /// Does a reduction have its own elements, rather than those of an earlier one?
  bool has_own_elements(std::size_t k) const { return steps_[k].values == k; }

  /// The types of a step, which come before the kernel.
  [[gnu::cold]] GNP_INLINE std::string types(std::size_t k) const {
    const reduction_code& code = *steps_[k].code;
    std::string text;
    if (steps_[k].mean_is_wanted) text += reducer(numbered("mean_", k), code, code.reducer, code.computed);
    if (code.around_mean == nullptr)
      return text + reducer(numbered("step_", k), code, code.reducer, code.result);
    if (steps_[k].mean == k) text += reducer(numbered("mean_", k), code, "mean_of<T, A>", code.computed);
    return text + reducer(numbered("step_", k), code, code.around_mean, code.result);
  }

  /// The text of a step: `loads` loads what it reads, and `compute` is an element of it.
  [[gnu::cold]] GNP_INLINE std::string step_text(std::size_t k, const std::string& loads,
                                                 const std::string& compute, const std::string& positions) {
    const step& s = steps_[k];
    const std::string name = numbered("step_", k);
    const std::string elements = numbered("w", s.values);
    const std::string number = std::to_string(k);
    const std::string parameter = "r.parameter[" + number + "]";
    std::string text;
    if (has_own_elements(k)) text += values(name, elements, loads, compute);
    if (s.code->around_mean != nullptr) {
      if (s.mean == k) text += reduction(numbered("mean_", k), elements, numbered("m", k), "count");
      const std::string apart = numbered("d", k);
      text += values(name, apart, "",
                     "minus(cast<step_" + number + "::A>(" + elements + "[i * vector + e]), m" +
                         std::to_string(s.mean) + "[e % side_by_side])");
      return text + reduction(name, apart, numbered("r", k), parameter);
    }
    if (s.mean_is_wanted) {
      return text + reduction(numbered("mean_", k), elements, numbered("m", k), parameter) +
             filled_in(row_stored_mean_text, {{"k", number}});
    }
    return text + positions +
           reduction(name, elements + (s.code->indexed ? numbered(", positions_", k) : ""), numbered("r", k),
                     parameter);
  }

 private:
  struct step {
    const reduction_code* code;
    std::size_t values;   // the step whose elements it uses
    std::size_t mean;     // if it is around a mean: the step that computes the mean
    bool mean_is_wanted;  // of this one
  };

  static std::string reducer(const std::string& name, const reduction_code& code, const char* reducer,
                             dtype result) {
    const bool around = reducer == code.around_mean;
    return filled_in(row_reducer_text, {{"name", name},
                                        {"T", device_name(around ? code.computed : code.values->result)},
                                        {"A", device_name(code.computed)},
                                        {"P", device_name(real_part_of(code.computed))},
                                        {"reducer", reducer},
                                        {"result", device_name(result)},
                                        {"count", around ? ", count" : ""}});
  }
  std::string values(const std::string& name, const std::string& values, const std::string& loads,
                     const std::string& compute) const {
    return filled_in(row_values_text,
                     {{"name", name},
                      {"values", values},
                      {"loads", loads},
                      {"compute", compute},
                      {"end", of_end(value_of_end_text, {{"values", values}, {"compute", compute}})}});
  }
  /// A piece of text for the elements at a row's ends, if its vectors do not hold all of them.
  std::string of_end(const char* text, std::initializer_list<replacement> replacements) const {
    return ends_apart_ ? filled_in(text, replacements) : std::string();
  }
  std::string reduction(const std::string& name, const std::string& values, const std::string& result,
                        const std::string& parameter) {
    const std::string number = std::to_string(reductions_++);
    return filled_in(
        row_reduction_text,
        {{"name", name},
         {"number", number},
         {"values", values},
         {"result", result},
         {"parameter", parameter},
         {"end", of_end(reduce_end_text, {{"number", number}, {"name", name}, {"values", values}})}});
  }

  std::vector<step> steps_;
  bool ends_apart_;
  int reductions_ = 0;
};

/// Names everything that a row program's reductions need. Is one of them around its mean?
GNP_INLINE bool need_reducers(source_writer& writer) {
  bool around_means = false;
  for (const source_writer::step_text& step : writer.steps) {
    need_reducer(writer, *step.reducer);
    around_means = around_means || step.reducer->around_mean != nullptr;
  }
  if (around_means) {
    for (const char* name : {"mean_of", "minus", "sqrt"}) writer.needs(name);
  }
  return around_means;
}

/// The constants of a row program's kernel.
[[gnu::cold]] GNP_INLINE std::string row_constants_text(const source_writer& writer, const kernel_plan& plan) {
  int state_bytes = 1;
  for (const source_writer::step_text& step : writer.steps)
    state_bytes = (std::max)(state_bytes, step.reducer->state_size);
  return filled_in(
      "constexpr int kept = $kept;\nconstexpr int group = $group;\nconstexpr int threads = $threads;\n"
      "constexpr int cluster = $cluster;\nconstexpr int rows_each = $rows_each;\n"
      "constexpr bool by_columns = $by_columns;\nconstexpr bool whole = $whole;\nconstexpr int ends = $ends;\n"
      "constexpr int state_bytes = $state_bytes;\n",
      {{"kept", std::to_string(plan.kept)},
       {"group", std::to_string(plan.group)},
       {"threads", std::to_string(plan.threads)},
       {"cluster", std::to_string(plan.rows.cluster)},
       {"rows_each", std::to_string(plan.rows_each)},
       {"by_columns", plan.rows.by_columns ? "true" : "false"},
       {"whole", plan.rows.whole_rows ? "true" : "false"},
       {"ends", plan.rows.ends_apart ? "1" : "0"},
       {"state_bytes", std::to_string(whole_words(state_bytes))}});
}

GNP_INLINE bool is_staged(const kernel_plan& plan, std::size_t slot) {
  return plan.access[slot] == lane_access::staged;
}

/// What all row programs of this kind have before their steps: how threads combine the states of their rows,
/// and how short rows are read and written.
[[gnu::cold]] GNP_INLINE std::string row_helpers_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                                      bool around_means) {
  std::string text = row_arguments_text;
  if (plan.rows.stored_steps != 0) text += row_results_text;
  text += folding_text;
  text += row_program_text;
  if (plan.rows.ends_apart) text += std::string(window_text) + row_ends_text;
  if (around_means) text += spread_text;
  text += plan.rows.by_columns && plan.group == 1         ? columns_of_threads_text
          : plan.rows.by_columns || plan.rows.cluster > 1 ? rows_of_clusters_text
                                                          : rows_of_blocks_text;
  std::size_t widest = 0;
  for (std::size_t slot = 0; slot < types.size(); ++slot) {
    if (is_staged(plan, slot)) widest = (std::max)(widest, itemsize(types[slot]));
  }
  if (widest > 0) text += filled_in(staged_rows_text, {{"itemsize", std::to_string(widest)}});
  return text;
}

/// Adds the reductions: their types and functions to the text before the kernel, the rest to the kernel's body.
/// `positions` is the slot of the elements' positions, if a reduction is indexed.
[[gnu::cold]] GNP_INLINE void add_row_reductions(std::string& text, std::string& body,
                                                 const source_writer& writer, const row_program_writer& steps,
                                                 std::size_t positions, bool ends_apart) {
  row_reductions_writer reductions(writer, steps, ends_apart);
  for (std::size_t k = 0; k < writer.steps.size(); ++k) {
    const reduction_code* const reducer = writer.steps[k].reducer;
    const std::string& elements = steps.value(k);
    const std::string number = std::to_string(k);
    const std::string function = "elements_" + number;
    text += reductions.types(k);
    text += steps.constant_functions(k);
    if (reductions.has_own_elements(k))
      text += steps.function(function, device_name(reducer->values->result), elements);
    std::string counted;
    if (reducer->indexed) {
      counted =
          filled_in(row_positions_text,
                    {{"k", number},
                     {"vector", steps.vector_of(positions)},
                     {"end", ends_apart ? filled_in(position_of_end_text,
                                                    {{"k", number}, {"positions", numbered("x", positions)}})
                                        : std::string()}});
    }
    body += steps.constants(k);
    body += reductions.step_text(k, steps.loads(elements), steps.call(function, elements), counted);
  }
}

/// The end of the kernel: computes and stores its result, and what else the plan stores. `places` is the slot
/// that counts the rows.
[[gnu::cold]] GNP_INLINE std::string row_result_of(const kernel_plan& plan, const row_program_writer& steps,
                                                   std::size_t last, std::size_t places) {
  const bool of_halves = steps.result_is_of_halves();
  const bool put_in_rows = is_staged(plan, 0) && !plan.rows.per_row;
  const std::string compute = steps.call("elements", steps.value(last), of_halves);
  const std::string store = std::string("store<value_t, ") + access_name(plan.access[0]) + ">(p, at[i], y);";
  std::string others;
  for (std::size_t k = 0; k < last; ++k) {
    if ((plan.rows.stored_steps >> k & 1) != 0)
      others += filled_in(row_other_result_text, {{"k", std::to_string(k)}});
  }
  std::string reductions;
  if (also_stores_reductions(plan))
    reductions =
        filled_in(row_reductions_stored_text, {{"places", std::to_string(places)}, {"others", others}});
  const std::string value = of_halves ? "set_halves(y, e, $compute);" : "y.v[e] = $compute;";
  const std::string end =
      filled_in(store_end_text, {{"shared", steps.shared_by_end()},
                                 {"value", filled_in(value.c_str(), {{"compute", compute}})},
                                 {"access", access_name(plan.access[0])}});
  return filled_in(plan.rows.per_row ? row_result_text : row_elements_text,
                   {{"reductions", reductions},
                    {"loads", steps.loads(steps.value(last))},
                    {"shared", steps.shared()},
                    {"compute", compute},
                    {"values", filled_in(of_halves ? row_halves_text : row_each_text, {{"compute", compute}})},
                    {"others", others},
                    {"store", put_in_rows ? "keep(y, i, part);" : store},
                    {"end", plan.rows.ends_apart ? end : std::string()},
                    {"last", put_in_rows ? "  if (part + 1 == rows_each) store_rows<value_t>(p, r);\n" : ""}});
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const row_program& rows, const kernel_plan& plan) {
  source_writer writer(plan);
  write_value(writer, *rows.text);
  const bool around_means = need_reducers(writer);
  std::vector<dtype> types = slot_types(*rows.text, plan);
  const std::size_t positions = types.size() - 1;  // if a reduction is indexed
  if (rows.indexed) types[positions] = dtype::int64;
  const std::size_t places = rows.indexed ? positions - 1 : types.size() - 1;  // slot that counts the rows
  if (also_stores_reductions(plan)) types[places] = dtype::int64;

  row_program_writer steps(writer, plan, types);
  if (rows.indexed) steps.count_use(positions);
  std::string text = kernel_head(writer, plan, types, rows.text->result) + row_constants_text(writer, plan) +
                     row_helpers_text(plan, types, around_means);
  std::string body;
  add_row_reductions(text, body, writer, steps, positions, plan.rows.ends_apart);
  const std::size_t last = writer.steps.size();
  const bool apart = plan.rows.ends_apart;
  text += steps.constant_functions(last);
  body += steps.constants(last);
  text += steps.result_is_of_halves()
              ? halves_text + steps.halves_function()
              : steps.function("elements", device_name(rows.text->result), steps.value(last));
  text +=
      filled_in(row_program_kernel_text,
                {// Two blocks on a multiprocessor: one computes while the other waits for memory.
                 {"resident", plan.threads > 256 && plan.threads <= 512 ? ", 2" : ""},
                 {"more", plan.rows.stored_steps != 0 ? ", const __grid_constant__ row_results results" : ""},
                 {"find_ends", apart ? filled_in(find_ends_text, {{"T", device_name(types[plan.rows.alike])},
                                                                  {"slot", std::to_string(plan.rows.alike)}})
                                     : std::string()},
                 {"vectors", apart ? "ends_here.vectors" : "static_cast<index_t>(r.length)"},
                 {"after_end", apart ? place_after_end_text : ""},
                 {"place_end", apart ? place_end_text : ""},
                 {"held", steps.held()},
                 {"steps", body},
                 {"result", row_result_of(plan, steps, last, places)}});
  return text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
