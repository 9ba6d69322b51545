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

[[gnu::cold]] GNP_INLINE std::string at_source(const operation_source& op, dtype type, dtype value,
                                               dtype computed, bool in_order) {
  return joining_source(op, type, value, computed) +
         filled_in(
             "using word_t = $word;\n"
             "constexpr long long nowhere = -0x0200000000000000;  // and below\n",
             {{"word", itemsize(type) == 4 ? "unsigned" : "unsigned long long"}}) +
         at_arguments_text + (in_order ? at_in_order_text : at_in_any_order_text) + "}\n";
}

[[gnu::cold]] GNP_INLINE std::string fold_in_order_source(const operation_source& op, dtype type,
                                                          dtype computed) {
  return joining_source(op, type, type, computed) + fold_in_order_arguments_text + fold_in_order_text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
