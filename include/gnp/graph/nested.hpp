// SPDX-License-Identifier: MIT
// What a jit function takes and returns: arrays, expressions and numbers, also in a pair, a tuple, a
// std::array, a vector or a struct.
#pragma once

#include <array>
#include <gnp/array/array.hpp>
#include <gnp/graph/members_of.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class X>
inline constexpr bool is_vector_v = false;
template <class X>
inline constexpr bool is_vector_v<std::vector<X>> = true;

template <class X>
inline constexpr bool is_std_array_v = false;
template <class X, std::size_t count>
inline constexpr bool is_std_array_v<std::array<X, count>> = true;

template <class X>
inline constexpr bool is_plain_value = std::is_arithmetic_v<X> || std::is_enum_v<X> || element<X>;

template <class X>
inline constexpr bool has_tuple_size = requires { std::tuple_size<X>::value; };

/// Is the type one of these? The members of a struct are not examined.
template <class X>
inline constexpr bool is_nested_v =
    array_like<X> || is_plain_value<X> || (std::is_aggregate_v<X> && std::is_class_v<X>);
template <class X, std::size_t count>
inline constexpr bool is_nested_v<X[count]> = is_nested_v<X>;  // as a member of a struct
template <class X>
inline constexpr bool is_nested_v<std::vector<X>> = is_nested_v<X>;
template <class X, std::size_t count>
inline constexpr bool is_nested_v<std::array<X, count>> = is_nested_v<X>;
template <class A, class B>
inline constexpr bool is_nested_v<std::pair<A, B>> = is_nested_v<A> && is_nested_v<B>;
template <class... X>
inline constexpr bool is_nested_v<std::tuple<X...>> = (is_nested_v<X> && ...);

template <class F, class X>
auto map_arrays(const F& f, const X& x);
/// The same for a member of a struct, in its place.
template <class F, class Member>
void map_member(const F& f, Member& member) {
  if constexpr (std::is_array_v<Member>) {
    for (auto& each : member) map_member(f, each);
  } else {
    member = map_arrays(f, member);
  }
}

/// The same value with each array and expression replaced by f(part). Numbers stay as they are.
template <class F, class X>
auto map_arrays(const F& f, const X& x) {
  static_assert(is_nested_v<X>,
                "gnp: a function for jit takes and returns arrays, numbers, and pairs, tuples, std::arrays, "
                "vectors and structs of such");
  if constexpr (array_like<X>) {
    return f(x);
  } else if constexpr (is_plain_value<X> || !is_nested_v<X>) {
    return x;
  } else if constexpr (requires { typename X::first_type; }) {
    return std::pair<decltype(map_arrays(f, x.first)), decltype(map_arrays(f, x.second))>(
        map_arrays(f, x.first), map_arrays(f, x.second));
  } else if constexpr (is_std_array_v<X>) {
    using result = decltype(map_arrays(f, x.front()));
    return std::apply(
        [&f](const auto&... each) { return std::array<result, sizeof...(each)>{map_arrays(f, each)...}; }, x);
  } else if constexpr (has_tuple_size<X>) {
    return std::apply(
        [&f](const auto&... each) {
          return std::tuple<decltype(map_arrays(f, each))...>(map_arrays(f, each)...);
        },
        x);
  } else if constexpr (is_vector_v<X>) {
    std::vector<decltype(map_arrays(f, x.front()))> results;
    for (const auto& each : x) results.push_back(map_arrays(f, each));
    return results;
  } else {
    X results = x;
    for_each_member([&f](auto& member) { map_member(f, member); }, results);
    return results;
  }
}

/// Calls f with each array, expression and number, and with the sizes of vectors.
template <class F, class X>
void visit_parts(const F& f, const X& x) {
  const auto each = [&f](const auto& part) { visit_parts(f, part); };
  if constexpr (array_like<X> || is_plain_value<X> || !is_nested_v<X>) {
    f(x);
  } else if constexpr (has_tuple_size<X>) {
    std::apply([&each](const auto&... part) { (each(part), ...); }, x);
  } else if constexpr (std::is_array_v<X>) {
    for (const auto& part : x) each(part);
  } else if constexpr (is_vector_v<X>) {
    f(x.size());
    for (const auto& part : x) each(part);
  } else {
    for_each_member(each, x);
  }
}
template <class F, class X>
void visit_arrays(const F& f, const X& x) {
  visit_parts(
      [&f](const auto& part) {
        if constexpr (array_like<std::remove_cvref_t<decltype(part)>>) f(part);
      },
      x);
}

}}}  // namespace gnp::GNP_ABI::detail
