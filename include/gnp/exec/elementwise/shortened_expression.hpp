// SPDX-License-Identifier: MIT
// An expression without some of its parts, whose results are inputs in their place.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <deque>
#include <gnp/exec/elementwise/equal_numbers.hpp>
#include <gnp/exec/elementwise/kernel_table.hpp>
#include <memory>
#include <span>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The expressions that one kernel computes; most kernels have one.
using expression_sources = std::span<const node_source* const>;

/// Expressions some of whose parts are inputs: the results of these parts.
struct shortened_expression {
  struct part {
    std::vector<dtype> types;
    kernel_table kernels;
    expression_code code;
  };

  const node_source* whole = nullptr;  // the first expression before
  std::vector<expression_part> parts;  // of the whole, in the order of its text
  std::deque<part> of_parts;
  std::deque<node_source> nodes;
  std::deque<std::vector<const node_source*>> operands;
  std::vector<const node_source*> sources;
  // Where each of the inputs that are left comes from: an input of the whole, or, counted from -1 downwards, a
  // part. And each of the numbers.
  std::vector<int> input_from;
  std::vector<int> number_from;
  std::vector<dtype> types;
  kernel_table kernels;
  expression_code code;
  const shortened_expression* next = nullptr;
};

/// Writes down an expression without some of its parts.
class shortened_writer {
 public:
  GNP_INLINE static std::unique_ptr<shortened_expression> shortened(const expression_code& whole,
                                                                    expression_sources sources,
                                                                    std::vector<expression_part> parts) {
    auto made = std::make_unique<shortened_expression>();
    made->whole = sources[0];
    made->parts = std::move(parts);
    for (const expression_part& p : made->parts) {
      shortened_expression::part& own = made->of_parts.emplace_back();
      own.types.assign(whole.input_types + p.input, whole.input_types + p.input + p.node->inputs);
      own.code = {.inputs = p.node->inputs,
                  .constants = p.node->numbers,
                  .result = p.node->type,
                  .input_types = own.types.data(),
                  .source = p.node,
                  .kernels = &own.kernels};
    }
    shortened_writer writer(whole, *made);
    int input = 0, number = 0;
    for (const node_source* source : sources) {
      made->sources.push_back(writer.without_parts(*source, input, number));
      input += source->inputs;
      number += source->numbers;
    }
    for (; input < whole.inputs; ++input) writer.take_input(input, whole.input_types[input]);
    made->code = {.inputs = static_cast<int>(made->input_from.size()),
                  .constants = static_cast<int>(made->number_from.size()),
                  .result = whole.result,
                  .input_types = made->types.data(),
                  .source = made->sources[0],
                  .kernels = &made->kernels};
    return made;
  }

 private:
  shortened_writer(const expression_code& whole, shortened_expression& to) : whole_(whole), to_(to) {}

  /// A node whose inputs and numbers begin here.
  GNP_INLINE const node_source* without_parts(const node_source& node, int input, int number) {
    const int next = next_ < to_.parts.size() ? to_.parts[next_].input : whole_.inputs;
    if (next >= input + node.inputs) {
      for (int i = 0; i < node.inputs; ++i) take_input(input + i, whole_.input_types[input + i]);
      for (int i = 0; i < node.numbers; ++i) to_.number_from.push_back(number + i);
      return &node;
    }
    if (next == input && to_.parts[next_].node == &node) {
      take_input(-1 - static_cast<int>(next_++), node.type);
      return &to_.nodes.emplace_back(node_source{.write = write_input, .type = node.type, .inputs = 1});
    }
    const std::size_t first = to_.input_from.size();
    const std::size_t first_number = to_.number_from.size();
    node_source& copy = to_.nodes.emplace_back(node);
    std::vector<const node_source*>& operands = to_.operands.emplace_back();
    for (int i = 0; i < node.operand_count; ++i) {
      const node_source& operand = *node.operands[i];
      operands.push_back(without_parts(operand, input, number));
      copy.branching_calls += operands.back()->branching_calls - operand.branching_calls;
      input += operand.inputs;
      number += operand.numbers;
    }
    copy.operands = operands.data();
    copy.inputs = static_cast<int>(to_.input_from.size() - first);
    copy.numbers = static_cast<int>(to_.number_from.size() - first_number);
    return &copy;
  }
  void take_input(int from, dtype type) {
    to_.input_from.push_back(from);
    to_.types.push_back(type);
  }

  const expression_code& whole_;
  shortened_expression& to_;
  std::size_t next_ = 0;  // of the parts
};

GNP_INLINE const shortened_expression& kernel_table::shortened(const expression_code& whole,
                                                               std::span<const node_source* const> sources,
                                                               const std::vector<expression_part>& parts) {
  const auto same = [](const expression_part& a, const expression_part& b) {
    return a.node == b.node && a.input == b.input;
  };
  const shortened_expression* const first = shortened_.load(std::memory_order_acquire);
  for (const shortened_expression* known = first; known != nullptr; known = known->next) {
    if (known->whole == sources[0] &&
        std::equal(known->parts.begin(), known->parts.end(), parts.begin(), parts.end(), same))
      return *known;
  }
  shortened_expression* const made = shortened_writer::shortened(whole, sources, parts).release();
  made->next = first;
  while (!shortened_.compare_exchange_weak(made->next, made, std::memory_order_release)) {
  }
  return *made;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
