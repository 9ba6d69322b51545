// SPDX-License-Identifier: MIT
// Calls a function with each member of a struct.
#pragma once

#include <gnp/core/config.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Converts to a member of any type, to find out how many members a struct has. Never called.
struct any_member {
  template <class T>
  operator T() const;
};

/// How many members an aggregate has; 9 if there are more than 8.
template <class T, class... Members>
constexpr int member_count() {
  if constexpr (sizeof...(Members) < 9 && requires { T{std::declval<Members>()..., any_member()}; }) {
    return member_count<T, Members..., any_member>();
  } else {
    return static_cast<int>(sizeof...(Members));
  }
}

template <class F, class T>
void for_each_member(const F& call, T& of) {
  constexpr int count = member_count<T>();
  static_assert(count <= 8, "gnp: a struct that a function for jit takes or returns has up to 8 members");
  if constexpr (count == 1) {
    auto& [m1] = of;
    call(m1);
  } else if constexpr (count == 2) {
    auto& [m1, m2] = of;
    call(m1), call(m2);
  } else if constexpr (count == 3) {
    auto& [m1, m2, m3] = of;
    call(m1), call(m2), call(m3);
  } else if constexpr (count == 4) {
    auto& [m1, m2, m3, m4] = of;
    call(m1), call(m2), call(m3), call(m4);
  } else if constexpr (count == 5) {
    auto& [m1, m2, m3, m4, m5] = of;
    call(m1), call(m2), call(m3), call(m4), call(m5);
  } else if constexpr (count == 6) {
    auto& [m1, m2, m3, m4, m5, m6] = of;
    call(m1), call(m2), call(m3), call(m4), call(m5), call(m6);
  } else if constexpr (count == 7) {
    auto& [m1, m2, m3, m4, m5, m6, m7] = of;
    call(m1), call(m2), call(m3), call(m4), call(m5), call(m6), call(m7);
  } else if constexpr (count == 8) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8] = of;
    call(m1), call(m2), call(m3), call(m4), call(m5), call(m6), call(m7), call(m8);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
