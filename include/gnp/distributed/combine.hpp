// SPDX-License-Identifier: MIT
// Elements of two processes made one, as NumPy would: NaN wins in min and max, integers wrap around.
#pragma once

#include <gnp/core/half.hpp>
#include <gnp/distributed/engine.hpp>
#include <gnp/expr/scalar/compare.hpp>
#include <gnp/expr/scalar/complex_arithmetic.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

template <reduction How, class T>
T combined(T x, T y) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    return T(combined<How>(static_cast<float>(x), static_cast<float>(y)));
  } else if constexpr (How == reduction::sum) {
    return scalar::plus(x, y);
  } else if constexpr (How == reduction::prod) {
    return scalar::times(x, y);
  } else if constexpr (How == reduction::min) {
    return scalar::minimum(x, y);
  } else {
    return scalar::maximum(x, y);
  }
}

template <class T, reduction How>
void combine(const void* from, void* into, index_t count) {
  const T* x = static_cast<const T*>(from);
  T* y = static_cast<T*>(into);
  for (index_t i = 0; i < count; ++i) y[i] = combined<How>(x[i], y[i]);
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
