// SPDX-License-Identifier: MIT
// x(...) with arrays among the indices: a single mask gives masked<...>, everything else an expression that
// gathers.
#pragma once

#include <gnp/exec/gather/masked.hpp>
#include <gnp/expr/compound_operators.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// An index in the form that a device uses: an array or an expression, possibly made from numbers on the host,
/// or an index_arg if the index is not an array.
template <class OneIndex>
auto index_on(const OneIndex& index, device where) {
  if constexpr (std::convertible_to<OneIndex, index_arg>) {
    return index_arg(index);
  } else {
    return index_operand(index, where);
  }
}

template <class OneIndex>
inline constexpr bool is_mask_v = [] {
  if constexpr (array_like<OneIndex>) {
    return std::is_same_v<typename OneIndex::value_type, bool>;
  } else {
    return false;
  }
}();

template <array_like X, class... Index>
auto indexed_by_arrays(const X& x, const Index&... indices) {
  if constexpr (runs_first_v<X>) {
    return indexed_by_arrays(x.eval(), indices...);
  } else if constexpr ((is_index_list_v<Index> && ...)) {
    static_assert(sizeof...(Index) == 1, "gnp: a list of arrays, one for each axis, is an index by itself");
    return select_by_list<is_array_v<X>>(evaluate(x), indices...);
  } else {
    const device where = x.device();
    if constexpr (sizeof...(Index) == 1 && (is_mask_v<decltype(index_on(indices, where))> && ...)) {
      return masked<X, decltype(index_on(indices, where))...>(x, index_on(indices, where)...);
    } else if constexpr (is_expression_v<X>) {
      return select<false>(evaluate(x), index_on(indices, where)...);
    } else {
      return select<true>(x, index_on(indices, where)...);
    }
  }
}

}  // namespace detail

// a(mask) op= x and a(index) op= x write to a. If indices repeat, the last one counts, as in NumPy; add_at and
// similar functions count all of them.
// clang-format off
#define GNP_SELECTION_OPERATOR(symbol, function)                                                      \
  template <class Op, class... Operands, class X>                                                    \
    requires(detail::writes_through<Op> && detail::operator_operand<X>)                              \
  void operator symbol(expression<Op, Operands...>&& a, const X& x) {                                \
    const auto result = function(a, x);                                                              \
    detail::check_same_kind<typename decltype(result.eval())::value_type,                            \
                            typename expression<Op, Operands...>::value_type>();                     \
    detail::write_selected(a, result, #function);                                                    \
  }                                                                                                  \
  template <element T, class Mask, class X>                                                          \
    requires detail::operator_operand<X>                                                             \
  void operator symbol(masked<array<T>, Mask>&& a, const X& x) {                                     \
    detail::check_same_kind<typename decltype(function(a.values(), x))::value_type, T>();            \
    if constexpr (scalar_like<X>) {                                                                  \
      a.write_everywhere(function(a.values(), x).template astype<T>(), #function);                   \
    } else {                                                                                         \
      a.write(function(a.compute(), x), #function);                                                  \
    }                                                                                                \
  }                                                                                                  \
  template <class A, class Mask, class X>                                                            \
    requires(!detail::is_array_v<A> && detail::operator_operand<X>)                                  \
  void operator symbol(masked<A, Mask>&&, const X&) {                                                \
    masked<A, Mask>::template refuse_assignment<X>();                                                \
  }
// clang-format on
GNP_FOR_EACH_COMPOUND_OPERATOR(GNP_SELECTION_OPERATOR)
#undef GNP_SELECTION_OPERATOR

}}  // namespace gnp::GNP_ABI
