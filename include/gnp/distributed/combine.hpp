// SPDX-License-Identifier: MIT
// Combines elements of two processes as NumPy would: NaN wins in min and max, integers wrap around.
#pragma once

#include <array>
#include <gnp/core/half.hpp>
#include <gnp/distributed/engine.hpp>
#include <gnp/expr/scalar/compare.hpp>
#include <gnp/expr/scalar/complex_arithmetic.hpp>
#include <type_traits>
#include <utility>

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

using combining = void (*)(const void* from, void* into, index_t count);

template <reduction How>
combining combining_for(dtype type) {
  static constexpr auto all = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<combining, dtype_count>{combine<gnp::type_of<static_cast<dtype>(I)>, How>...};
  }(std::make_index_sequence<dtype_count>());
  return all[static_cast<std::size_t>(type)];
}
/// combine() for elements whose type is known at run time.
inline combining combining_for(dtype type, reduction how) {
  switch (how) {
    case reduction::sum:
      return combining_for<reduction::sum>(type);
    case reduction::prod:
      return combining_for<reduction::prod>(type);
    case reduction::min:
      return combining_for<reduction::min>(type);
    case reduction::max:
      return combining_for<reduction::max>(type);
  }
  return nullptr;
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
