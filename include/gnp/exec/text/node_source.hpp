// SPDX-License-Identifier: MIT
// An expression as data from which its text is written.
#pragma once

#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/layout/job.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class source_writer;

/// An operation as its macro defines it. A user's operation has the functions of namespace body; if its
/// literals are weak, its floats are body_floats.
struct operation_source {
  const char* name;
  const char* parameters;
  const char* body;
  bool users = false;
  bool literals_are_weak = false;
  int part = -1;  // of the body's several results
};

/// Are literals weak in a node's body? They are in a user's, for certain types.
template <class Op, class Node, std::size_t... Index>
constexpr bool literals_are_weak(std::index_sequence<Index...>) {
  if constexpr (Op::native) {
    return Op::template literals_are_weak<body_type<Node, Index>...>;
  } else {
    return false;
  }
}

/// Which of a user's several results a node is; -1 if there is only one.
template <class Op>
constexpr int part_of() {
  if constexpr (requires { Op::part; }) {
    return Op::part;
  } else {
    return -1;
  }
}

/// What a user's reduction is made of, for its text.
struct fold_operations {
  const char* name;  // of the struct that has them in a kernel
  operation_source combine;
  operation_source identity;
  operation_source finish;
  bool counts = false;  // does finish take the number of elements, too?
  dtype count_type;
  dtype result;
};

/// How many functions does a text call whose code branches on a GPU, as that of sin does for large numbers?
constexpr int branching_calls_in(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  int calls = 0;
  for (const std::string_view call : {"sin(", "cos(", "tan(", "pow(", "power(", "to_the_power(", "atan2(",
                                      "arctan2(", "logaddexp(", "logaddexp2("}) {
    for (std::size_t at = text.find(call); at != std::string_view::npos; at = text.find(call, at + 1))
      calls += at == 0 || letters.find(text[at - 1]) == std::string_view::npos ? 1 : 0;
  }
  return calls;
}
template <class Op>
inline constexpr int branching_calls_of = branching_calls_in(Op::body_text);

/// A node as data: how its value is written (v1, k0 or sin_0(v1)), and what it is made of.
struct node_source {
  std::string (*write)(source_writer& writer, const node_source& node);
  dtype type;  // of its value
  operation_source operation = {};
  const dtype* loop = nullptr;  // the types that the operation's body takes
  bool halves_as_they_are = false;
  const node_source* const* operands = nullptr;
  int operand_count = 0;
  const reduction_code* reducer = nullptr;  // of a reduction
  int inputs = 0;                           // that it reads, with its operands
  int numbers = 0;                          // likewise
  int indices = 0;                          // of a gather
  bool divides = false;                     // is gnp's own quotient in it?
  int branching_calls = 0;                  // of it and its operands
};

GNP_DECLARED std::string write_input(source_writer& writer, const node_source& node);
GNP_DECLARED std::string write_number(source_writer& writer, const node_source& node);
GNP_DECLARED std::string write_operation(source_writer& writer, const node_source& node);

template <class X>
inline constexpr node_source source_of{.write = is_constant_v<X> ? write_number : write_input,
                                       .type = dtype_of<typename X::value_type>,
                                       .inputs = input_count<X>,
                                       .numbers = constant_count<X>};
template <class... X>
inline constexpr const node_source* sources_of[] = {&source_of<X>..., nullptr};
template <class Op, class... X>
inline constexpr node_source source_of<expression<Op, X...>>{
    .write = write_operation,
    .type = dtype_of<typename expression<Op, X...>::value_type>,
    .operation = {Op::name, Op::parameter_text, Op::body_text, Op::native,
                  literals_are_weak<Op, expression<Op, X...>>(std::index_sequence_for<X...>()), part_of<Op>()},
    .loop = expression<Op, X...>::signature.loop.data(),
    .halves_as_they_are = expression<Op, X...>::signature.halves_as_they_are,
    .operands = sources_of<X...>,
    .operand_count = sizeof...(X),
    .inputs = input_count<expression<Op, X...>>,
    .numbers = constant_count<expression<Op, X...>>,
    .divides = std::string_view(Op::body_text) == "over(x, y)" || (source_of<X>.divides || ...),
    .branching_calls = (source_of<X>.branching_calls + ... + branching_calls_of<Op>)};

/// Calls f(gather, its first input, its first number) for each gather of an expression. The table is the first
/// of its inputs, and the offsets in it are the second.
template <class F>
void for_each_gather(const node_source& node, int input, int number, const F& f) {
  if (node.indices > 0) f(node, input, number);
  for (int k = 0; k < node.operand_count; ++k) {
    for_each_gather(*node.operands[k], input, number, f);
    input += node.operands[k]->inputs;
    number += node.operands[k]->numbers;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
