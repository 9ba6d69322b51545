// SPDX-License-Identifier: MIT
// One element converts to a number where needed: double s = a.sum(); if (abs(x - y).max() < 1e-9) ...
#pragma once

#include <gnp/array/forward.hpp>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Throws unless the array has exactly one element.
[[gnu::cold]] GNP_INLINE void require_one_element(const shape_t& shape, index_t size, bool truth) {
  if (size == 1) return;
  if (!truth) throw shape_error("only an array of one element is a number, got shape " + to_string(shape));
  throw shape_error(
      "the truth value of an array of shape " + to_string(shape) +
      (size == 0 ? " is ambiguous: it has no element" : " is ambiguous: use gnp::any(...) or gnp::all(...)"));
}

template <array_like X>
typename X::value_type only_value(const X& x);

namespace parts {

/// Base of array<T>, and of everything that can become one. The only conversion is to the element's own type,
/// or to a truth value in a condition; after that, the rules of C++ apply. With conversion templates,
/// std::sqrt(a.sum()) and std::to_string(a.sum()) would be ambiguous. A complex element does not convert to a
/// real number.
template <class Derived, element T>
class one_element {
  static constexpr bool is_16_bit = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

 public:
  operator T() const { return value(std::is_same_v<T, bool>); }
  operator float() const
    requires is_16_bit
  {
    return value(false);
  }
  explicit operator bool() const
    requires(!std::is_same_v<T, bool>)
  {
    return value(true) != T();
  }

 protected:
  one_element() = default;
  ~one_element() = default;
  one_element(const one_element&) = default;
  one_element& operator=(const one_element&) = default;

 private:
  T value(bool truth) const {
    const auto& x = static_cast<const Derived&>(*this);
    require_one_element(x.shape(), x.size(), truth);
    return only_value(x);
  }
};

}  // namespace parts
using parts::one_element;

}}}  // namespace gnp::GNP_ABI::detail
