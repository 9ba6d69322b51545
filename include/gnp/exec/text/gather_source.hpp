// SPDX-License-Identifier: MIT
// The text of a gather: the place of an element, and what is there.
#pragma once

#include <gnp/exec/text/expression_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a slot of constants holds, of a struct of that name.
[[gnu::cold]] GNP_INLINE std::string constant_text(const char* type, int slot) {
  return std::string("*reinterpret_cast<const ") + type + "*>(p.constant[" + std::to_string(slot) + "])";
}

/// The place of an element, v2 + index_place(report, facts, v3) + ... What a gather reads there is within its
/// table. The operands are the position, the rules, and an index for each axis.
[[gnu::cold]] GNP_INLINE std::string place_text(source_writer& writer, const node_source* const* operands,
                                                int count, bool read) {
  writer.needs("index_place");
  writer.needs("index_reach");
  std::string text = writer.input(dtype::int64);
  const int first = writer.raw_constants(2 + 2 * (count - 2));
  int slot = first + 2;
  std::vector<std::string> indices;
  for (int k = 2; k < count; ++k) indices.push_back(node_text(writer, *operands[k]));
  for (const std::string& index : indices) {
    text += " + index_place(" + constant_text("index_report", first) + ", " +
            constant_text("index_facts", slot) + ", " + index + ")";
    slot += 2;
  }
  return read ? "within(" + constant_text("index_reach", first + 1) + ", " + text + ")" : "(" + text + ")";
}

[[gnu::cold]] GNP_INLINE std::string write_places(source_writer& writer, const node_source& node) {
  return place_text(writer, node.operands, node.operand_count, false);
}

[[gnu::cold]] GNP_INLINE std::string write_gathered(source_writer& writer, const node_source& node) {
  writer.uses(node.type);
  const std::string memory = writer.table(node.type);
  return "(" + memory + "[" + place_text(writer, node.operands + 1, node.operand_count - 1, true) + "])";
}

}}}  // namespace gnp::GNP_ABI::detail
