// SPDX-License-Identifier: MIT
// What the steps of a row program compute, as functions and calls.
#pragma once

#include <cstdlib>
#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/row_ends_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Writes the steps of a row program, each a function of the elements and results that it names.
class row_program_writer {
 public:
  row_program_writer(const source_writer& writer, const kernel_plan& plan, const std::vector<dtype>& types)
      : writer_(writer), plan_(plan), types_(types), uses_(types.size(), 0) {
    for (const source_writer::step_text& step : writer.steps) values_.push_back(step.elements);
    values_.push_back(writer.value);
    // Elements of a step that a later one also uses stay in registers. In a softmax, w0 is exp(x - max), which
    // is used both in the sum and in what is divided by the sum.
    for (std::size_t k = 0; k < writer.steps.size(); ++k) {
      if (values_[k].find('(') == std::string::npos) continue;
      for (std::size_t later = k + 1; later < values_.size(); ++later) {
        replace_all(values_[later], std::string(values_[k]), numbered("w", k));
      }
    }
    for (const std::string& value : values_) count_uses(value);
    for (const source_writer::run_text& run : writer.gathered_runs()) {
      const std::vector<bool> read = named_in(run.place, 'v', types.size());
      for (std::size_t slot = 1; slot < types.size(); ++slot) {
        if (read[slot]) count_use(slot);
      }
    }
    // (If a row has a single result, that is computed only once anyway.)
    for (std::size_t k = 0; k + (plan.rows.per_row ? 1 : 0) < values_.size(); ++k) take_out_constants(k);
  }

  /// What a step computes of an element; the last is the result.
  const std::string& value(std::size_t step) const { return values_[step]; }

  /// Are the elements of the result adjacent halves, computed only by sums, products and quotients of halves?
  [[gnu::cold]] GNP_INLINE bool result_is_of_halves() const {
    const std::string& value = values_.back();
    if (plan_.rows.per_row || plan_.rows.by_columns || plan_.vector % 2 != 0 ||
        value.rfind("cast<half>(", 0) != 0)
      return false;
    bool all = true;
    for_each_token(
        value,
        [&](std::string_view id) {
          const auto number = static_cast<std::size_t>(std::atoi(std::string(id.substr(1)).c_str()));
          const auto is = [id](char letter) {
            return id[0] == letter && id.find_first_not_of("0123456789", 1) == std::string_view::npos;
          };
          all = all && (id == "cast" || id == "half" || writer_.is_arithmetic(id) ||
                        (is('v') && types_[number] == dtype::float16) ||
                        (is('r') && writer_.steps[number].reducer->result == dtype::float16) ||
                        (is('s') && constants_[number].value.rfind("cast<half>(", 0) == 0) ||
                        (is('k') && writer_.constant_types()[number] == dtype::float16));
        },
        [](std::string_view) {});
    return all;
  }
  /// A function for two elements of such a result.
  [[gnu::cold]] GNP_INLINE std::string halves_function() const {
    return function("elements", "halves", values_.back(), true);
  }

  /// A function that computes one element of a step, or two of halves.
  [[gnu::cold]] GNP_INLINE std::string function(const std::string& name, const std::string& type,
                                                const std::string& value, bool of_halves = false) const {
    std::string text = "inline " + type + " " + name + "(const arguments& p";
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (inputs[slot])
        text += std::string(", ") + (of_halves ? "halves" : device_name(types_[slot])) + numbered(" v", slot);
    }
    const std::vector<bool> runs = named_in(value, 'g', writer_.gathered_runs().size());
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (runs[k]) text += std::string(", ") + device_name(writer_.gathered_runs()[k].type) + numbered(" g", k);
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
    std::string computed = value;
    if (of_halves) replace_all(computed, "cast<half>", "cast<halves>");
    return text + constants_text(writer_.constant_types(), value) + "  return " + computed + ";\n}\n";
  }

  /// The call of that function for element e of vector i.
  [[gnu::cold]] GNP_INLINE std::string call(const std::string& name, const std::string& value,
                                            bool of_halves = false) const {
    std::string text = name + "(p";
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (inputs[slot])
        text += std::string(of_halves ? ", halves_of(" : ", element(") + vector_of(slot) + ", e)";
    }
    const std::vector<bool> runs = named_in(value, 'g', writer_.gathered_runs().size());
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (runs[k]) text += ", element(" + numbered("g", k) + "[i], e)";
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

  /// Functions for the parts of a step that are the same for a whole row.
  [[gnu::cold]] GNP_INLINE std::string constant_functions(std::size_t step) const {
    std::string text;
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      if (constants_[i].step == step) text += function(numbered("constant_", i), "auto", constants_[i].value);
    }
    return text;
  }
  /// The calls of these functions, before the step.
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

  /// Loads of what several steps read, and of what has one element for the row. They come before all steps.
  [[gnu::cold]] GNP_INLINE std::string held() const {
    std::string text;
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (once_a_row(slot)) {
        text += line("  const pack<$type> x$slot = loaded<$type, $slot, $access>(p, at[0]);\n", slot);
      } else if (uses_[slot] > 1) {
        text += load(slot);
      }
    }
    return text + loads_of_runs();
  }
  /// Loads of what only this step reads.
  [[gnu::cold]] GNP_INLINE std::string loads(const std::string& value) const {
    std::string text;
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (inputs[slot] && !once_a_row(slot) && uses_[slot] == 1 && !loaded_where_used(slot)) text += load(slot);
    }
    return text;
  }
  /// Loads of what only the result reads and all rows share. Each vector is loaded where it is needed, from the
  /// cache.
  [[gnu::cold]] GNP_INLINE std::string shared() const {
    std::string text;
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (loaded_where_used(slot))
        text += line(lies_between(slot)
                         ? "    const pack<$type> x$slot = loaded_between<$type, $slot>(p, r, at[i]);\n"
                         : "    const pack<$type> x$slot = shared_by_rows<$type, $slot, $access>(p, at[i]);\n",
                     slot);
    }
    return text;
  }
  /// The same for an element at a row's ends.
  [[gnu::cold]] GNP_INLINE std::string shared_by_end() const {
    std::string text;
    for (std::size_t slot = 1; slot < types_.size(); ++slot) {
      if (loaded_where_used(slot))
        text += line(
            "    pack<$type> x$slot;\n    x$slot.v[0] = loaded_one<$type, $slot, $access>(p, at[i]);\n", slot);
    }
    return text;
  }
  [[gnu::cold]] std::string vector_of(std::size_t slot) const {
    return numbered("x", slot) + (once_a_row(slot) || loaded_where_used(slot) ? "" : "[i]");
  }
  /// Counts another reader of a slot: one that needs positions, or places of a gather.
  void count_use(std::size_t slot) { uses_[slot] += 2; }

 private:
  [[gnu::cold]] GNP_INLINE static void replace_all(std::string& text, const std::string& part,
                                                   const std::string& by) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size())) {
      text.replace(at, part.size(), by);
    }
  }
  /// sqrt(variance + 1e-5) is the same for a whole row: the largest such calls in a value get names, s0, s1,
  /// ..., and are computed once.
  [[gnu::cold]] GNP_INLINE void take_out_constants(std::size_t step) {
    for (std::size_t at = 0; at < values_[step].size();) {
      const std::string operand = operand_at(values_[step], at);
      if (operand.find('(') == std::string::npos || !is_constant(operand)) {
        at = values_[step].find_first_of("(,", at);
        if (at == std::string::npos) return;
        at += values_[step][at] == ',' ? 2U : 1U;
        continue;
      }
      const std::string constant = numbered("s", constants_.size());
      for (std::size_t k = step; k < values_.size(); ++k) replace_all(values_[k], operand, constant);
      constants_.push_back({operand, step});
    }
  }
  /// The operand that begins at `begin`: up to the comma or parenthesis after it.
  [[gnu::cold]] GNP_INLINE static std::string operand_at(const std::string& value, std::size_t begin) {
    int depth = 0;
    std::size_t end = begin;
    for (; end < value.size(); ++end) {
      if (depth == 0 && (value[end] == ',' || value[end] == ')')) break;
      depth += value[end] == '(' ? 1 : value[end] == ')' ? -1 : 0;
    }
    return value.substr(begin, end - begin);
  }
  /// Does this consist only of results, numbers and values with one element for the row?
  bool is_constant(const std::string& value) const {
    const auto any = [&value](char letter, std::size_t count) {
      const std::vector<bool> named = named_in(value, letter, count);
      return std::find(named.begin(), named.end(), true) != named.end();
    };
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < inputs.size(); ++slot) {
      if (inputs[slot] && !once_a_row(slot)) return false;
    }
    return any('r', writer_.steps.size()) && !any('w', writer_.steps.size()) && !any('s', constants_.size()) &&
           !any('g', writer_.gathered_runs().size());
  }
  void count_uses(const std::string& value) {
    const std::vector<bool> inputs = named_in(value, 'v', types_.size());
    for (std::size_t slot = 1; slot < types_.size(); ++slot) uses_[slot] += inputs[slot] ? 1 : 0;
  }
  /// Loads of what gathers read together, at places that have been loaded.
  [[gnu::cold]] std::string loads_of_runs() const {
    std::string places;
    for (const source_writer::run_text& run : writer_.gathered_runs()) places += run.place + " ";
    const std::vector<bool> read = named_in(places, 'v', types_.size());
    std::string given("p");
    for (std::size_t slot = 1; slot < types_.size(); ++slot)
      given += read[slot] ? ", element(" + vector_of(slot) + ", 0)" : std::string(", {}");
    return run_loads_text(writer_, given, "here[i]");
  }
  bool once_a_row(std::size_t slot) const { return plan_.rows.is_same_for_elements(slot); }
  bool loaded_where_used(std::size_t slot) const {
    const bool by_result = named_in(values_.back(), 'v', types_.size())[slot];
    return plan_.rows.is_same_for_rows(slot) && by_result && uses_[slot] == 1 && !plan_.rows.per_row &&
           !once_a_row(slot);
  }
  /// Do the vectors of a slot lie across those of memory, other ones for each row?
  bool lies_between(std::size_t slot) const {
    return plan_.rows.ends_apart && plan_.access[slot] == lane_access::run && plan_.rows.is_same_for_rows(slot);
  }
  [[gnu::cold]] std::string line(const char* text, std::size_t slot) const {
    return filled_in(text, {{"slot", std::to_string(slot)},
                            {"type", device_name(types_[slot])},
                            {"access", access_name(plan_.access[slot])}});
  }
  [[gnu::cold]] std::string load(std::size_t slot) const {
    if (plan_.access[slot] == lane_access::staged)
      return line("  pack<$type> x$slot[items];\n  load_rows<$type, $slot>(p, r, x$slot, part);\n", slot);
    const std::string text = line(
                                 "  pack<$type> x$slot[items + ends];\n  #pragma unroll\n"
                                 "  for (int i = 0; i < items; ++i) { if (here[i]) x$slot[i] = ",
                                 slot) +
                             line(lies_between(slot) ? "loaded_between<$type, $slot>(p, r, at[i]); }\n"
                                                     : "loaded<$type, $slot, $access>(p, at[i]); }\n",
                                  slot);
    return plan_.rows.ends_apart ? text + line(load_end_text, slot) : text;
  }

  const source_writer& writer_;
  const kernel_plan& plan_;
  const std::vector<dtype>& types_;
  std::vector<std::string> values_;
  std::vector<int> uses_;  // steps that read a slot
  struct row_constant {
    std::string value;
    std::size_t step;  // the first step that has it
  };
  std::vector<row_constant> constants_;
};

}}}  // namespace gnp::GNP_ABI::detail
