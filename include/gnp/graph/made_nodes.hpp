// SPDX-License-Identifier: MIT
// Nodes of expressions that are put together while the program runs.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <deque>
#include <gnp/exec/text/node_source.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class made_nodes {
 public:
  /// A copy of a node that has these operands.
  GNP_INLINE const node_source* add(const node_source& like, std::vector<const node_source*> operands) {
    node_source& made = nodes_.emplace_back(like);
    if (operands.empty()) return &made;
    made.inputs = made.numbers = 0;
    for (const node_source* const operand : operands) {
      made.inputs += operand->inputs;
      made.numbers += operand->numbers;
    }
    made.operand_count = static_cast<int>(operands.size());
    made.operands = operands_.emplace_back(std::move(operands)).data();
    return &made;
  }

 private:
  std::deque<node_source> nodes_;  // (In a deque, what is there stays where it is.)
  std::deque<std::vector<const node_source*>> operands_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
