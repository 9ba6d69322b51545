// SPDX-License-Identifier: MIT
// Products that are one number for each pair of vectors: a fused reduction.
#pragma once

#include <gnp/expr/operators.hpp>
#include <gnp/routines/reductions.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The sums of products over these axes, not computed yet: in float for 16-bit types, otherwise in the type T
/// (for small integers in a wider one). Bools are "or" of "and"s.
template <class T, array_like X, array_like Y>
auto sums_of_products(const X& x, const Y& y, const axes_t& axes) {
  if constexpr (std::is_same_v<T, bool>) {
    return any(logical_and(x, y), {.axis = axes});
  } else if constexpr (is_floating(dtype_of<T>) && sizeof(T) == 2) {
    return sum(x.template astype<float>() * y.template astype<float>(), {.axis = axes});
  } else {
    return sum(in_type<T>(x) * in_type<T>(y), {.axis = axes});
  }
}

/// The same as an array of T's: integers wrap.
template <class T, array_like X, array_like Y>
array<T> vector_product(const X& x, const Y& y, const axes_t& axes) {
  const auto sums = sums_of_products<T>(x, y, axes);
  using sum_type = typename decltype(sums)::value_type;
  if constexpr (is_integer(dtype_of<T>) && !std::is_same_v<sum_type, T>) {
    // One sum on the CPU is cast here: a job that casts it would take longer than the sum of a hundred
    // products.
    if (x.device().is_cpu()) {
      const array<sum_type> wide(sums);
      if (wide.size() != 1) return array<T>(in_type<T>(wide));
      const array<T> result(wide.shape(), wide.device(), "dot");
      *result.data() = static_cast<T>(*wide.data());
      return result;
    }
  }
  return array<T>(in_type<T>(sums));
}

}}}  // namespace gnp::GNP_ABI::detail
