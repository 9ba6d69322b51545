// SPDX-License-Identifier: MIT
// The whole text of a sorting kernel.
#pragma once

#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/sort_kernels.hpp>
#include <gnp/exec/text/sort_rows_kernels.hpp>
#include <gnp/expr/scalar/order.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The sorting kernels.
enum class sort_step : std::uint8_t { count, starts, pass, lanes, block, select };

/// What a sorting kernel is compiled for.
struct sort_variant {
  sort_step step = sort_step::pass;
  dtype type = dtype::float32;
  bool with_places = false;  // argsort
  bool upper_half = false;   // only the upper half of the keys is carried along
  bool wide = false;         // rows of 2^29 elements and more: numbers of 64 bits
  int threads = 256;
  int items = 1;
  int lanes = 32;
  int resident = 1;  // blocks that share a multiprocessor
};

[[gnu::cold]] GNP_INLINE std::string sort_kernel_source(const sort_variant& v) {
  const source_writer writer;
  const std::string order = order_name(v.type);
  std::string text = prelude_text;
  text += filled_in("namespace gnp {\nnamespace scalar {\n$functions}\nusing namespace scalar;\n",
                    {{"functions", writer.functions_for(order + " key_byte")}});
  text += filled_in(
      "using order = $order;\nusing carried_t = $carried;\nusing count_t = $count;\nusing place_t = $count;\n"
      "constexpr bool with_places = $places;\nconstexpr int threads = $threads;\n"
      "constexpr int items = $items;\nconstexpr int lanes = $lanes;\nconstexpr int resident = $resident;\n",
      {{"order", order},
       {"carried", v.upper_half ? "unsigned" : "order::bits"},
       {"count", v.wide ? "unsigned long long" : "unsigned"},
       {"places", v.with_places ? "true" : "false"},
       {"threads", std::to_string(v.threads)},
       {"items", std::to_string(v.items)},
       {"lanes", std::to_string(v.lanes)},
       {"resident", std::to_string(v.resident)}});
  text += sort_arguments_text;
  text += sort_memory_text;
  text += sort_head_text;
  if (v.step == sort_step::pass || v.step == sort_step::block) text += sort_tile_text;
  if (v.step == sort_step::lanes || v.step == sort_step::select) text += sort_entries_text;
  constexpr const char* steps[] = {sort_count_text, sort_starts_text, sort_pass_text,
                                   sort_lanes_text, sort_block_text,  select_text};
  return text + steps[static_cast<int>(v.step)] + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
