// SPDX-License-Identifier: MIT
// A short reduction that each thread makes by itself, as a function of a kernel: its elements are computed in
// registers, and nothing of their number is ever stored.
#pragma once

#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/exec/text/filled_in.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Which variables of a kind, v1 or r0, a text names.
[[gnu::cold]] GNP_INLINE std::vector<bool> named_in(std::string_view text, char kind, std::size_t count) {
  std::vector<bool> named(count);
  for_each_token(
      text,
      [&](std::string_view id) {
        if (id.size() < 2 || id[0] != kind) return;
        std::size_t number = 0;
        for (const char c : id.substr(1)) {
          if (c < '0' || c > '9') return;
          number = 10 * number + static_cast<std::size_t>(c - '0');
        }
        if (number < count) named[number] = true;
      },
      [](std::string_view) {});
  return named;
}

inline constexpr const char* loop_text = R"(
inline $result loop_$k(const arguments& p$parameters) {
  struct of { using T = $T; using A = $A; using P = $P; using type = $reducer; };
$constants  $T values[$length];
  offset_t positions[$length];
  #pragma unroll
  for (int n$k = 0; n$k < $length; ++n$k) {
    values[n$k] = $element;
    positions[n$k] = n$k;
  }
  return cast<$result>(of::type::finish(batch_of<of::type>(values, positions), constant<double>(p, $number)));
}
)";

[[gnu::cold]] GNP_INLINE std::string source_writer::end_loop(int loop, const reduction_code& code,
                                                             const std::string& element) {
  open_loops_.pop_back();
  const std::string_view reducer(code.reducer);
  needs(reducer.substr(0, reducer.find('<')));
  needs("cast");
  uses(code.result);
  uses(code.computed);
  uses(code.values->result);
  std::string parameters;
  std::string given = "(p";
  const auto pass = [&](const std::string& type, const std::string& variable) {
    parameters += ", " + type + " " + variable;
    given += ", " + variable;
  };
  std::vector<bool> inputs = named_in(element, 'v', types_in_loops_.size());
  std::string vectors;
  std::sort(vectors_in_loop_.begin(), vectors_in_loop_.end());
  vectors_in_loop_.erase(std::unique(vectors_in_loop_.begin(), vectors_in_loop_.end()), vectors_in_loop_.end());
  for (const std::size_t slot : vectors_in_loop_) {
    inputs[slot] = true;
    vectors += filled_in("  $type y$slot[$length];\n  load_elements(y$slot, v$slot);\n",
                         {{"type", device_name(static_cast<dtype>(types_in_loops_[slot]))},
                          {"slot", std::to_string(slot)},
                          {"length", std::to_string(lengths_ >> (8 * loop) & 255)}});
  }
  vectors_in_loop_.clear();
  for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
    if (inputs[slot]) pass(slot_type(slot, static_cast<dtype>(types_in_loops_[slot])), numbered("v", slot));
  }
  for (const int outer : open_loops_) pass("int", numbered("n", static_cast<std::size_t>(outer)));
  std::string constants;
  const std::vector<bool> numbers = named_in(element, 'k', constant_types_.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i]) continue;
    constants += filled_in("  const $type k$i = constant<$type>(p, $i);\n",
                           {{"type", device_name(constant_types_[i])}, {"i", std::to_string(i)}});
  }
  loop_functions_ +=
      filled_in(loop_text, {{"k", std::to_string(loop)},
                            {"parameters", parameters},
                            {"T", device_name(code.values->result)},
                            {"A", device_name(code.computed)},
                            {"P", device_name(real_part_of(code.computed))},
                            {"reducer", code.reducer},
                            {"result", device_name(code.result)},
                            {"constants", constants + vectors},
                            {"length", std::to_string(lengths_ >> (8 * loop) & 255)},
                            {"element", element},
                            {"number", std::to_string(parameter_of_loop_[static_cast<std::size_t>(loop)])}});
  return numbered("loop_", static_cast<std::size_t>(loop)) + given + ")";
}

}}}  // namespace gnp::GNP_ABI::detail
