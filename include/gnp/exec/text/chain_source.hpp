// SPDX-License-Identifier: MIT
// A chain of formulas as one expression: each formula may take what earlier ones of the chain compute for the
// same element, from a variable of the thread.
#pragma once

#include <algorithm>
#include <gnp/exec/text/expression_source.hpp>
#include <iterator>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Where an input of a formula comes from: an array or an earlier formula.
struct chain_input {
  bool computed;
  std::size_t number;  // of the array among those that the chain reads, or of the formula
};

struct chain_formula {
  const node_source* source;
  dtype result;
  std::vector<chain_input> inputs;
  std::vector<std::size_t> numbers;  // of its constants among those of the chain
};

/// The formulas, and what they read from memory and from the kernel's arguments.
struct formula_chain {
  std::vector<chain_formula> formulas;
  std::vector<dtype> reads;
  std::vector<dtype> numbers;
};

/// The value of one formula of a chain, as an expression. Several of them in one kernel follow each other.
struct chain_value : node_source {
  const formula_chain* chain = nullptr;
  std::size_t formula = 0;
};

/// "[&] { const float w0 = ...; const float w2 = ...; return w2; }()": the formulas that values are made of,
/// each once.
[[gnu::cold]] GNP_INLINE std::string chain_text(source_writer& writer, const formula_chain& chain,
                                                const std::vector<std::size_t>& values,
                                                const std::string& returned) {
  writer.name_leaves_once(chain.reads, chain.numbers);
  std::vector<bool> is_needed(chain.formulas.size());
  for (const std::size_t value : values) is_needed[value] = true;
  for (std::size_t k = chain.formulas.size(); k-- > 0;) {
    for (const chain_input& input : chain.formulas[k].inputs)
      if (is_needed[k] && input.computed) is_needed[input.number] = true;
  }
  std::string text = "[&] { ";
  for (std::size_t k = 0; k < chain.formulas.size(); ++k) {
    if (!is_needed[k]) continue;
    const chain_formula& formula = chain.formulas[k];
    writer.uses(formula.result);
    source_writer::chosen_leaves leaves;
    for (const chain_input& input : formula.inputs)
      leaves.inputs.push_back(input.computed ? numbered("w", input.number)
                                             : writer.name_of_input(input.number));
    for (const std::size_t number : formula.numbers) leaves.numbers.push_back(writer.name_of_number(number));
    text += std::string("const ") + device_name(formula.result) + numbered(" w", k) + " = " +
            writer.with_leaves(leaves, *formula.source) + "; ";
  }
  return text + "return " + returned + "; }()";
}

[[gnu::cold]] GNP_INLINE std::string write_chain_value(source_writer& writer, const node_source& node) {
  const auto& value = static_cast<const chain_value&>(node);
  return chain_text(writer, *value.chain, {value.formula}, numbered("w", value.formula));
}

/// Several values of a chain as one: "[&] { ...; return all_results{w2, w5}; }()". If they were separate, their
/// common parts would be computed for each of them if they contain branches.
[[gnu::cold]] GNP_INLINE std::string chain_values_text(source_writer& writer, const node_source* const* sources,
                                                       int count) {
  std::vector<std::size_t> values;
  std::string returned("all_results{");
  for (int k = 0; k < count; ++k) {
    values.push_back(static_cast<const chain_value*>(sources[k])->formula);
    returned += (k == 0 ? "" : ", ") + numbered("w", values.back());
  }
  return chain_text(writer, *static_cast<const chain_value*>(sources[0])->chain, values, returned + "}");
}

/// The nodes of the values that a kernel stores. The first node says what all of them read.
[[gnu::cold]] GNP_INLINE std::vector<chain_value> values_of(const formula_chain& chain,
                                                            const std::vector<std::size_t>& stored) {
  std::vector<chain_value> values;
  for (const std::size_t formula : stored) {
    chain_value value;
    value.write = write_chain_value;
    value.type = chain.formulas[formula].result;
    if (values.empty()) {
      value.inputs = static_cast<int>(chain.reads.size());
      value.numbers = static_cast<int>(chain.numbers.size());
    }
    value.chain = &chain;
    value.formula = formula;
    values.push_back(value);
  }
  return values;
}

/// Is this a formula of arrays, positions and numbers alone, or also of reductions of such formulas?
[[gnu::cold]] GNP_INLINE bool is_plain_formula(const node_source& node, bool with_reductions = false) {
  if (node.write == write_input || node.write == write_number) return true;
  if (node.write != write_operation && !(with_reductions && node.reducer != nullptr)) return false;
  return std::all_of(
      node.operands, node.operands + node.operand_count,
      [with_reductions](const node_source* operand) { return is_plain_formula(*operand, with_reductions); });
}

/// Is this an operation of few instructions?
[[gnu::cold]] GNP_INLINE bool is_short_operation(const operation_source& operation) {
  static constexpr std::string_view names[] = {
      "add",         "subtract", "multiply", "negative",      "absolute",    "maximum",
      "minimum",     "square",   "less",     "less_equal",    "greater",     "equal",
      "not_equal",   "where",    "astype",   "greater_equal", "logical_and", "logical_or",
      "logical_not", "conj",     "real",     "bitwise_and",   "bitwise_or",  "bitwise_xor"};
  return operation.name != nullptr && !operation.users &&
         std::find(std::begin(names), std::end(names), operation.name) != std::end(names);
}

/// The size that a node's operation adds to a kernel, in units of short operations. A power or a sine takes the
/// compiler as long as many sums, and one of complex numbers takes as long as many of those.
[[gnu::cold]] GNP_INLINE int weight_of_operation(const node_source& node) {
  if (node.operand_count == 0 || node.reducer != nullptr) return 0;
  if (is_short_operation(node.operation)) return 1;
  return 16 * (is_complex(node.type) ? 8 : itemsize(node.type) == 2 ? 2 : 1);
}

/// The size that a formula adds to a kernel; also appends the types of its numbers, in order.
[[gnu::cold]] GNP_INLINE int count_operations(const node_source& node, std::vector<dtype>& numbers) {
  if (node.write == write_number) numbers.push_back(node.type);
  int count = weight_of_operation(node);
  for (int k = 0; k < node.operand_count; ++k) count += count_operations(*node.operands[k], numbers);
  return count;
}

}}}  // namespace gnp::GNP_ABI::detail
