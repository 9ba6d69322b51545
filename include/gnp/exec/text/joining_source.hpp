// SPDX-License-Identifier: MIT
// The whole texts of kernels that join elements by a ufunc's operation.
#pragma once

#include <gnp/exec/text/at_kernels.hpp>
#include <gnp/exec/text/fold_in_order_kernels.hpp>
#include <gnp/exec/text/functions_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The text before a kernel that joins elements with values of a type by an operation, joined(x, y).
[[gnu::cold]] GNP_INLINE std::string joining_source(const operation_source& op, dtype type, dtype value,
                                                    dtype computed) {
  source_writer writer;
  writer.uses(type);
  writer.uses(value);
  const std::string call = writer.call(op, type, {{computed, type, "x"}, {computed, value, "y"}});
  return functions_text(writer) +
         filled_in(
             "using element_t = $type;\n"
             "using value_t = $value;\n"
             "inline element_t joined(element_t x, value_t y) { return $call; }\n",
             {{"type", device_name(type)}, {"value", device_name(value)}, {"call", call}});
}

/// May two values be joined with each other before they are joined with an element of the same type?
[[gnu::cold]] GNP_INLINE bool values_can_be_joined(const operation_source& op) {
  constexpr std::string_view names[] = {"add",  "multiply",    "minimum",    "maximum",    "fmin",
                                        "fmax", "bitwise_and", "bitwise_or", "bitwise_xor"};
  return !op.users && std::find(std::begin(names), std::end(names), op.name) != std::end(names);
}

/// The instruction that joins a value with an element in memory, and the type that it takes for these; an empty
/// name if there is none.
struct joining_instruction {
  std::string_view name, type;
};
[[gnu::cold]] GNP_INLINE joining_instruction instruction_of(const operation_source& op, dtype type) {
  const std::string_view name = op.users ? "" : op.name;
  const bool adds = name == "add";
  if (adds && (type == dtype::float32 || type == dtype::float64)) return {"atomicAdd", device_name(type)};
  if (!is_integer(type) || itemsize(type) < 4) return {};
  const std::string_view word = itemsize(type) == 4 ? "unsigned" : "unsigned long long";
  if (adds) return {"atomicAdd", word};
  if (name == "bitwise_and") return {"atomicAnd", word};
  if (name == "bitwise_or") return {"atomicOr", word};
  if (name == "bitwise_xor") return {"atomicXor", word};
  if (name == "minimum") return {"atomicMin", device_name(type)};
  if (name == "maximum") return {"atomicMax", device_name(type)};
  return {};
}

/// The functions that the kernel for any order calls.
[[gnu::cold]] GNP_INLINE std::string any_order_source(const operation_source& op, dtype type, dtype value) {
  const bool same = type == value;
  const joining_instruction by = same ? instruction_of(op, type) : joining_instruction{};
  return std::string("union carrier {\n  word_t bits;\n  element_t x;\n  carrier() {}\n};\n") +
         (same && values_can_be_joined(op) ? joined_in_runs_text : each_for_itself_text) +
         (by.name.empty() ? std::string(at_by_exchange_text)
                          : filled_in(at_by_instruction_text, {{"atomic", by.name}, {"type", by.type}})) +
         at_in_any_order_text;
}

[[gnu::cold]] GNP_INLINE std::string at_source(const operation_source& op, dtype type, dtype value,
                                               dtype computed, bool in_order) {
  return joining_source(op, type, value, computed) +
         filled_in(
             "using word_t = $word;\n"
             "constexpr long long nowhere = -0x0200000000000000;  // and below\n",
             {{"word", itemsize(type) == 4 ? "unsigned" : "unsigned long long"}}) +
         at_arguments_text + (in_order ? at_in_order_text : any_order_source(op, type, value)) + "}\n";
}

[[gnu::cold]] GNP_INLINE std::string fold_in_order_source(const operation_source& op, dtype type,
                                                          dtype computed) {
  return joining_source(op, type, type, computed) + fold_in_order_arguments_text + fold_in_order_text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
