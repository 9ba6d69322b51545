// SPDX-License-Identifier: MIT
// signature_for<Op, types...>: the types in which an operation, NumPy's or the user's, computes and returns.
#pragma once

#include <gnp/expr/rules.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Halves are computed in float and rounded once per operation, as NumPy does.
template <class T>
using computed_in = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, T>;

constexpr dtype computed_in_type(dtype type) {
  return type == dtype::float16 || type == dtype::bfloat16 ? dtype::float32 : type;
}

template <dtype Type, bool HalvesAsTheyAre>
using body_type_of = std::conditional_t<HalvesAsTheyAre, type_of<Type>, computed_in<type_of<Type>>>;

/// The C++ type in which a node's body gets its Index-th operand. (The parameter is the node, because nvcc 13
/// does not understand a reference to its signature as a template argument.)
template <class Node, std::size_t Index>
using body_type = body_type_of<Node::signature.loop[Index], Node::signature.halves_as_they_are>;

/// The types a user's ufunc computes in: its operands as they are, scalars in the arrays' type.
template <std::size_t Count>
constexpr std::array<dtype, Count> native_loop(const operand_types<Count>& operands) {
  const dtype common = common_type(operands);
  std::array<dtype, Count> loop{};
  for (std::size_t i = 0; i < Count; ++i) loop[i] = operands[i].weak ? common : operands[i].type;
  return loop;
}

/// Does the body return a number for these operands? (This is a concept, so that the compiler prints no further
/// messages if the body does not compile.)
template <class Op, class... Operands>
concept returns_number = requires(Operands... operands) {
  { Op::apply(operands...) } -> element;
};

/// The signature of a user's ufunc: its result is what its body returns, rounded to half if all operands are
/// half.
template <class Op, operand_type... Types, std::size_t... Index>
constexpr signature<sizeof...(Types)> native_signature(std::index_sequence<Index...>) {
  constexpr std::array<dtype, sizeof...(Types)> loop = native_loop<sizeof...(Types)>({Types...});
  if constexpr (returns_number<Op, computed_in<type_of<loop[Index]>>...>) {
    using returned = decltype(Op::apply(std::declval<computed_in<type_of<loop[Index]>>>()...));
    constexpr dtype common = common_type(operand_types<sizeof...(Types)>{Types...});
    constexpr bool halves = common == dtype::float16 || common == dtype::bfloat16;
    return {true, loop, halves && std::is_same_v<returned, float> ? common : dtype_of<returned>, false};
  } else {
    return {};
  }
}

template <class Op, operand_type... Types>
inline constexpr signature<sizeof...(Types)> signature_for = [] {
  if constexpr (Op::native) {
    return native_signature<Op, Types...>(std::make_index_sequence<sizeof...(Types)>());
  } else {
    return Op::rule().resolve(operand_types<sizeof...(Types)>{Types...});
  }
}();

}}}  // namespace gnp::GNP_ABI::detail
