// SPDX-License-Identifier: MIT
// The whole text of the kernel that looks for elements in a sorted table.
#pragma once

#include <gnp/exec/text/search_kernels.hpp>
#include <gnp/exec/text/sort_source.hpp>
#include <gnp/expr/scalar/order.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE std::string search_source(dtype type, bool with_equal) {
  const source_writer writer;
  const std::string order = order_name(type);
  return std::string(prelude_text) +
         filled_in(
             "namespace gnp {\nnamespace scalar {\n$functions}\nusing namespace scalar;\n"
             "using order = $order;\nconstexpr bool with_equal = $equal;\n",
             {{"functions", writer.functions_for(order)},
              {"order", order},
              {"equal", with_equal ? "true" : "false"}}) +
         search_arguments_text +
         filled_in(search_text, {{"pivots", std::to_string(most_pivots(type))},
                                 {"threads", std::to_string(search_threads)}}) +
         "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
