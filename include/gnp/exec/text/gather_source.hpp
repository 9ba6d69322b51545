// SPDX-License-Identifier: MIT
// The text of a gather: the place of an element, and what is there.
#pragma once

#include <gnp/exec/text/expression_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a slot of constants holds, as a struct of type `type`.
[[gnu::cold]] GNP_INLINE std::string constant_text(const char* type, int slot) {
  return std::string("*reinterpret_cast<const ") + type + "*>(p.constant[" + std::to_string(slot) + "])";
}

/// The place of an element is the sum of its offset, v2, and of what the indices add to it,
/// index_place<long long>(report, facts, v3) + ...
struct place_text {
  std::string offset;
  std::string indices;
  std::string reach;  // of the table
};
/// The operands are the offsets, the rules, and an index for each axis. `function` is the beginning of the call
/// for an index.
[[gnu::cold]] GNP_INLINE place_text place_of(source_writer& writer, const node_source* const* operands,
                                             int count, const char* function) {
  writer.needs("index_place");
  place_text text;
  text.offset = writer.input(dtype::int64);
  const int first = writer.raw_constants(2 + 2 * (count - 2));
  int slot = first + 2;
  for (int k = 2; k < count; ++k) {
    text.indices += (k > 2 ? " + " : "") + std::string(function) + constant_text("index_report", first) + ", " +
                    constant_text("index_facts", slot) + ", " + node_text(writer, *operands[k]) + ")";
    slot += 2;
  }
  text.reach = constant_text("index_reach", first + 1);
  return text;
}

[[gnu::cold]] GNP_INLINE std::string write_places(source_writer& writer, const node_source& node) {
  const place_text at = place_of(writer, node.operands, node.operand_count, "index_place<long long>(");
  return "(" + at.offset + " + " + at.indices + ")";
}

/// Elements are read one by one, within the table; or, if the plan says so, a thread's elements are read
/// together, but only for lanes that are used.
[[gnu::cold]] GNP_INLINE std::string write_gathered(source_writer& writer, const node_source& node) {
  writer.uses(node.type);
  const bool as_run = writer.gathers_run();
  const std::string memory = writer.table(node.type);
  const place_text at = place_of(writer, node.operands + 1, node.operand_count - 1,
                                 as_run ? "run_place<Quick>(inside, " : "index_place<offset_t>(");
  if (as_run)
    return writer.gathered_run(node.type, memory, "static_cast<index_t>(" + at.offset + ") + " + at.indices);
  writer.needs("index_reach");
  return "(" + memory + "[within<offset_t>(" + at.reach + ", static_cast<offset_t>(" + at.offset + ") + " +
         at.indices + ")])";
}

}}}  // namespace gnp::GNP_ABI::detail
