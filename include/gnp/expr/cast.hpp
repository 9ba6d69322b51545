// SPDX-License-Identifier: MIT
// x.astype<U>(): conversion as an operation of an expression.
#pragma once

#include <gnp/expr/ufunc.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace operations {

template <element To>
struct astype_ufunc {
  GNP_UFUNC_PARTS(astype, (x), x)
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::rules::conversion_rule<dtype_of<To>>{}; }
  static constexpr auto apply(auto x) { return x; }
};

}  // namespace operations

template <class Derived>
template <element U>
auto detail::array_members<Derived>::astype() const {
  return ufunc<operations::astype_ufunc<U>>()(derived());
}

/// x converted to elements of type U.
template <element U, array_like X>
auto astype(const X& x) {
  return x.template astype<U>();
}

}}  // namespace gnp::GNP_ABI
