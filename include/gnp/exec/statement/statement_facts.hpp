// SPDX-License-Identifier: MIT
// The name that a profile gives to a statement that runs as a whole, and how much memory the statement moves.
#pragma once

#include <gnp/exec/statement/statement.hpp>
#include <gnp/exec/text/work_names.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::size_t bytes_of(const leaf_view& leaf) {
  if (leaf.block == nullptr) return 0;
  index_t elements = 1;
  for (std::size_t d = 0; d < leaf.shape->size(); ++d)
    elements *= (*leaf.strides)[d] == 0 && !leaf.table ? 1 : (*leaf.shape)[d];
  return static_cast<std::size_t>(elements) * static_cast<std::size_t>(leaf.itemsize);
}

/// "(a - mean(a)) / std(a) float32"
[[gnu::cold]] GNP_INLINE work_facts facts_of(const statement& s, const expression_code& text,
                                             const leaf_view& destination) {
  std::vector<const void*> memory;
  std::size_t bytes = bytes_of(destination);
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const leaf_view& leaf = s.leaves[i];
    memory.push_back(leaf.block == nullptr ? nullptr : leaf.data);
    bool again = false;
    for (std::size_t k = 0; k < i; ++k) again = again || same_leaf(s.leaves[k], leaf);
    bytes += again ? 0 : bytes_of(leaf);
  }
  std::vector<const char*> functions;
  for (const statement_loop& reduction : s.loops)  // in the order in which they begin in the text
    functions.push_back(s.steps[static_cast<std::size_t>(reduction.step)].options.function);
  return {expression_name(memory, functions).of(*text.source) + " " + name(text.result), bytes};
}

}}}  // namespace gnp::GNP_ABI::detail
