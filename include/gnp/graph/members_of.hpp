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

template <int>
using any_of_them = any_member;

/// Can T be made of `before` values, a list of `together` values in braces, and `after` more?
template <class T, int... Before, int... Together, int... After>
constexpr bool is_made_of(std::integer_sequence<int, Before...>, std::integer_sequence<int, Together...>,
                          std::integer_sequence<int, After...>) {
  return requires { T{any_of_them<Before>()..., {any_of_them<Together>()...}, any_of_them<After>()...}; };
}
template <class T, int... All>
constexpr bool is_made_of(std::integer_sequence<int, All...>) {
  return requires { T{any_of_them<All>()...}; };
}
template <int Count>
using so_many = std::make_integer_sequence<int, Count>;

/// How many values without inner braces an aggregate is made of: one for each member, but one for each element
/// of a member that is a C array. 65 if there are more than 64.
template <class T, int Count = 0>
constexpr int value_count() {
  if constexpr (Count < 65 && is_made_of<T>(so_many<Count + 1>())) {
    return value_count<T, Count + 1>();
  } else {
    return Count;
  }
}

/// How many of `count` values the member that begins with value `first` takes: several for a C array, which can
/// then be given in braces, with no more after them than there are. (Other members that braces could make take
/// one value, and so leave room for one more.)
template <class T, int Count, int First, int Together = 2>
constexpr int values_of_member() {
  if constexpr (First + Together > Count) {
    return 1;
  } else if constexpr (is_made_of<T>(so_many<First>(), so_many<Together>(),
                                     so_many<Count - First - Together>()) &&
                       !is_made_of<T>(so_many<First>(), so_many<Together>(),
                                      so_many<Count - First - Together + 1>())) {
    return Together;
  } else {
    return values_of_member<T, Count, First, Together + 1>();
  }
}

/// How many members an aggregate has; 9 if there are more than 8, or too many values in C arrays.
template <class T, int Count, int First = 0, int Members = 0>
constexpr int members_from() {
  if constexpr (Count > 64 || Members > 8) {
    return 9;
  } else if constexpr (First >= Count) {
    return Members;
  } else {
    return members_from<T, Count, First + values_of_member<T, Count, First>(), Members + 1>();
  }
}
template <class T>
constexpr int member_count() {
  return members_from<T, value_count<T>()>();
}

template <class F, class T>
void for_each_member(const F& call, T& of) {
  constexpr int count = member_count<T>();
  static_assert(
      count <= 8,
      "gnp: a struct that a function for jit takes or returns has up to 8 members, with 64 values in all");
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
