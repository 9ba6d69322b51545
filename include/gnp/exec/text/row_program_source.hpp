// SPDX-License-Identifier: MIT
// The whole text of a row program's kernel.
#pragma once

#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/folding_text.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/row_program_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A statement as its kernel's text needs it.
struct row_program {
  const program* text;    // the whole statement
  kernel_table* kernels;  // made from it so far
  bool indexed = false;   // does a reduction take each element's position, too? Their slot is the last one
};

/// Bytes that are a multiple of 16.
constexpr int whole_words(int bytes) { return (bytes + 15) / 16 * 16; }

/// Writes the steps of a row program, each a function of the elements and results that it names.
class row_program_writer {
 public:
  row_program_writer(const source_writer& writer, const kernel_plan& plan, const std::vector<dtype>& types)
      : writer_(writer), plan_(plan), types_(types), uses_(types.size(), 0) {
    for (const source_writer::step_text& step : writer.steps) values_.push_back(step.elements);
    values_.push_back(writer.value);
    // The elements of a step that are part of a later one stay in registers: w0 is exp(x - max) in its sum and
    // in what is divided by this.
    for (std::size_t k = 0; k < writer.steps.size(); ++k) {
      if (values_[k].find('(') == std::string::npos) continue;
      for (std::size_t later = k + 1; later < values_.size(); ++later) {
        replace_all(values_[later], std::string(values_[k]), numbered("w", k));
      }
    }
    for (const std::string& value : values_) count_uses(value);
    // (One result for a row is computed once as it is.)
    for (std::size_t k = 0; k + (plan.per_row ? 1 : 0) < values_.size(); ++k) take_out_constants(k);
  }

  /// What a step computes of an element; the last is the result.
  const std::string& value(std::size_t step) const { return values_[step]; }

  /// A function that computes one element of a step.
  [[gnu::cold]] GNP_INLINE std::string function(const std::string& name, const std::string& type,
                                                const std::string& value) const {
    std::string text = "inline " + type + " " + name + "(const arguments& p";
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (inputs[slot]) text += std::string(", ") + device_name(types_[slot]) + numbered(" v", slot);
    }
    const std::vector<bool> results = named_in(value, 'r', writer_.steps.size());
    for (std::size_t step = 0; step < results.size(); ++step) {
      if (results[step]) text += numbered(", step_", step) + "::result" + numbered(" r", step);
    }
    const std::vector<bool> kept = named_in(value, 'w', writer_.steps.size());
    for (std::size_t step = 0; step < kept.size(); ++step) {
      if (kept[step]) text += numbered(", step_", step) + "::value" + numbered(" w", step);
    }
    const std::vector<bool> constants = named_in(value, 's', constants_.size());
    for (std::size_t i = 0; i < constants.size(); ++i) {
      if (constants[i]) text += numbered(", auto s", i);
    }
    text += ") {\n";
    return text + constants_text(writer_.constant_types(), value) + "  return " + value + ";\n}\n";
  }

  /// The call of that function for element e of vector i.
  [[gnu::cold]] GNP_INLINE std::string call(const std::string& name, const std::string& value) const {
    std::string text = name + "(p";
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (inputs[slot]) text += std::string(", element(") + vector_of(slot) + ", e)";
    }
    const std::vector<bool> results = named_in(value, 'r', writer_.steps.size());
    for (std::size_t step = 0; step < results.size(); ++step) {
      if (results[step]) text += numbered(", r", step) + "[e % side_by_side]";
    }
    const std::vector<bool> kept = named_in(value, 'w', writer_.steps.size());
    for (std::size_t step = 0; step < kept.size(); ++step) {
      if (kept[step]) text += numbered(", w", step) + "[i * vector + e]";
    }
    const std::vector<bool> constants = named_in(value, 's', constants_.size());
    for (std::size_t i = 0; i < constants.size(); ++i) {
      if (constants[i]) text += numbered(", s", i) + ".v[e % side_by_side]";
    }
    return text + ")";
  }

  /// Functions for what a step has that is the same for a whole row.
  [[gnu::cold]] GNP_INLINE std::string constant_functions(std::size_t step) const {
    std::string text;
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      if (constants_[i].step == step) text += function(numbered("constant_", i), "auto", constants_[i].value);
    }
    return text;
  }
  /// Their calls, before the step.
  [[gnu::cold]] GNP_INLINE std::string constants(std::size_t step) const {
    std::string text;
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      if (constants_[i].step != step) continue;
      text +=
          filled_in("  const auto s$i = of_each_row([&](int e) { return $call; });\n",
                    {{"i", std::to_string(i)}, {"call", call(numbered("constant_", i), constants_[i].value)}});
    }
    return text;
  }

  /// What several steps read, and what is one element for the row: loaded before all of them.
  [[gnu::cold]] GNP_INLINE std::string held() const {
    std::string text;
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (once_a_row(slot)) {
        text += line("  const pack<$type> x$slot = loaded<$type, $slot, $access>(p, at[0]);\n", slot);
      } else if (uses_[slot] > 1) {
        text += load(slot);
      }
    }
    return text;
  }
  /// What this step alone reads.
  [[gnu::cold]] GNP_INLINE std::string loads(const std::string& value) const {
    std::string text;
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (inputs[slot] && !once_a_row(slot) && uses_[slot] == 1 && !loaded_where_used(slot)) text += load(slot);
    }
    return text;
  }
  /// What the result alone reads, and all rows share: each vector where it is needed, from the cache.
  [[gnu::cold]] GNP_INLINE std::string shared() const {
    std::string text;
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (loaded_where_used(slot))
        text += line("    const pack<$type> x$slot = shared_by_rows<$type, $slot, $access>(p, at[i]);\n", slot);
    }
    return text;
  }
  std::string vector_of(std::size_t slot) const {
    return numbered("x", slot) + (once_a_row(slot) || loaded_where_used(slot) ? "" : "[i]");
  }
  /// Another reader of a slot: the positions of what is indexed.
  void count_use(std::size_t slot) { uses_[slot] += 2; }

 private:
  GNP_INLINE static void replace_all(std::string& text, const std::string& part, const std::string& by) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size())) {
      text.replace(at, part.size(), by);
    }
  }
  /// sqrt(variance + 1e-5) is the same for a whole row: the largest such calls of a value get names, s0, s1
  /// ..., and are computed once.
  [[gnu::cold]] GNP_INLINE void take_out_constants(std::size_t step) {
    for (std::size_t at = 0; at < values_[step].size();) {
      const std::string operand = operand_at(values_[step], at);
      if (operand.find('(') == std::string::npos || !is_constant(operand)) {
        at = values_[step].find_first_of("(,", at);
        if (at == std::string::npos) return;
        at += values_[step][at] == ',' ? 2 : 1;
        continue;
      }
      const std::string constant = numbered("s", constants_.size());
      for (std::size_t k = step; k < values_.size(); ++k) replace_all(values_[k], operand, constant);
      constants_.push_back({operand, step});
    }
  }
  /// The operand that begins there: up to the comma or parenthesis after it.
  GNP_INLINE static std::string operand_at(const std::string& value, std::size_t begin) {
    int depth = 0;
    std::size_t end = begin;
    for (; end < value.size(); ++end) {
      if (depth == 0 && (value[end] == ',' || value[end] == ')')) break;
      depth += value[end] == '(' ? 1 : value[end] == ')' ? -1 : 0;
    }
    return value.substr(begin, end - begin);
  }
  /// Is this made of results alone, and of numbers and what a row has one of?
  bool is_constant(const std::string& value) const {
    const auto any = [&value](char letter, std::size_t count) {
      const std::vector<bool> named = named_in(value, letter, count);
      return std::find(named.begin(), named.end(), true) != named.end();
    };
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < inputs.size(); ++slot) {
      if (inputs[slot] && !once_a_row(slot)) return false;
    }
    return any('r', writer_.steps.size()) && !any('w', writer_.steps.size()) && !any('s', constants_.size());
  }
  void count_uses(const std::string& value) {
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) uses_[slot] += inputs[slot] ? 1 : 0;
  }
  bool once_a_row(std::size_t slot) const { return slot < 64 && (plan_.same_elements >> slot & 1) != 0; }
  bool loaded_where_used(std::size_t slot) const {
    const bool by_result = named_in(values_.back(), 'v', types_.size())[slot];
    return slot < 64 && (plan_.same_rows >> slot & 1) != 0 && by_result && uses_[slot] == 1 && !plan_.per_row &&
           !once_a_row(slot);
  }
  std::string line(const char* text, std::size_t slot) const {
    return filled_in(text, {{"slot", std::to_string(slot)},
                            {"type", device_name(types_[slot])},
                            {"access", access_name(plan_.access[slot])}});
  }
  std::string load(std::size_t slot) const {
    if (plan_.access[slot] == lane_access::staged)
      return line("  pack<$type> x$slot[items];\n  load_rows<$type, $slot>(p, r, x$slot);\n", slot);
    return line(
        "  pack<$type> x$slot[items];\n  #pragma unroll\n"
        "  for (int i = 0; i < items; ++i) { if (here[i]) x$slot[i] = loaded<$type, $slot, $access>(p, at[i]); "
        "}\n",
        slot);
  }

  const source_writer& writer_;
  const kernel_plan& plan_;
  const std::vector<dtype>& types_;
  std::vector<std::string> values_;
  std::vector<int> uses_;  // steps that read a slot
  struct row_constant {
    std::string value;
    std::size_t step;  // the first that has it
  };
  std::vector<row_constant> constants_;
};

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
