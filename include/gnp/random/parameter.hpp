// SPDX-License-Identifier: MIT
// What can be passed as a distribution's parameter: a number or an array, never a list in braces.
#pragma once

#include <gnp/array/forward.hpp>
#include <initializer_list>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The value of a parameter that is left out.
struct usual {
  double value;
};

/// The type of a parameter that is left out. It is also the type that the compiler gives to braces, as in
/// normal({5}), so that they cause a readable error instead of becoming a number. (g++ ignores a name in them:
/// it calls the constructor that takes 5 for normal({.size = 5}), too.)
class left_out {
 public:
  constexpr left_out(usual number) : value_(number.value) {}
  template <class T>
  constexpr left_out(std::initializer_list<T>) {
    static_assert(sizeof(T) == 0,
                  "gnp: braces are a shape and come after the parameters of a distribution: normal(0, 1, {5})");
  }
  template <class T>
  constexpr left_out(const T&) {
    static_assert(sizeof(T) == 0,
                  "gnp: the parameters of a distribution have no names, and the shape comes after them: "
                  "normal(0, 1, {5})");
  }
  constexpr operator double() const { return value_; }

 private:
  double value_ = 0;
};

template <class P>
concept real_or_array = array_like<P> || std::is_arithmetic_v<P> || std::is_same_v<P, left_out>;
template <class P>
concept integer_or_array = array_like<P> || std::is_integral_v<P> || std::is_same_v<P, left_out>;

/// A parameter in the form that distributions take: an array unchanged, a number as a double.
template <class P>
decltype(auto) given_parameter(const P& p) {
  if constexpr (array_like<P>) {
    return (p);
  } else {
    return static_cast<double>(p);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
