// SPDX-License-Identifier: MIT
// The whole text of a compaction's kernel.
#pragma once

#include <gnp/exec/gather/compact_code.hpp>
#include <gnp/exec/text/compact_kernels.hpp>
#include <gnp/exec/text/kernel_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Do a tile's elements pass through shared memory as their places in the tile? This works for positions along
/// one axis, which are a stride times as far apart as their places.
GNP_INLINE bool stages_places(const compact_code& code, const kernel_plan& plan) {
  return code.positions && plan.rank == 1;
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const compact_code& code, const kernel_plan& plan) {
  source_writer writer(plan);
  write_value(writer, *code.elements);
  const std::string condition = node_text(writer, *code.condition);
  const std::vector<dtype> types = slot_types(*code.elements, plan);
  const item_loads items = loads_of_items(plan, types);
  std::string text = kernel_head(writer, plan, types, code.elements->result);
  text += compute_text(writer, types, "bool keeps", condition);
  text += compact_arguments_text;
  const bool positions = stages_places(code, plan);
  text += std::string("using staged_t = ") + (positions ? "unsigned short;\n" : "value_t;\n");
  const std::string position = filled_in(
      "static_cast<long long>(p.data[$slot]) + "
      "(blockIdx.x * static_cast<long long>(tile) + staged[t]) * p.stride[$slot][0]",
      {{"slot", std::to_string(plan.slot_of[0])}});
  text += filled_in(
      compact_text,
      {{"loads", items.loads},
       {"keeps", "keeps" + items.given},
       {"staged", positions ? "static_cast<staged_t>((warp * (32 * items) + i * 32 + lane) * vector + e)"
                            : "compute" + items.given},
       {"written", positions ? position : "staged[t]"}});
  return text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
