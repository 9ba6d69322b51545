// SPDX-License-Identifier: MIT
// Products that are one number for each pair of vectors: a fused reduction.
#pragma once

#include <gnp/expr/operators.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The sum of products over these axes, in one pass and with type T: integers wrap, bools are "or" of "and"s.
template <class T, array_like X, array_like Y>
array<T> vector_product(const X& x, const Y& y, const axes_t& axes) {
  if constexpr (std::is_same_v<T, bool>) {
    return any(logical_and(x, y), {.axis = axes});
  } else if constexpr (is_floating(dtype_of<T>) && sizeof(T) == 2) {
    return sum(x.template astype<float>() * y.template astype<float>(), {.axis = axes}).template astype<T>();
  } else {
    const auto total = sum(in_type<T>(x) * in_type<T>(y), {.axis = axes});
    return array<T>(in_type<T>(total));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
