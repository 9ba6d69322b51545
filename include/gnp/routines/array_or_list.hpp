// SPDX-License-Identifier: MIT
// Options that are an array, or numbers that the host lists: {.weights = w}, {.weights = {1, 2.5}}.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/routines/reductions.hpp>
#include <variant>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Can elements of type X be given where T is expected? Real numbers where T is real, and integers where it is
/// an integer.
template <class X, class T>
inline constexpr bool can_be_listed_as = (!is_complex(dtype_of<X>) || is_complex(dtype_of<T>)) &&
                                         (!is_integer(dtype_of<T>) || is_integer(dtype_of<X>));

/// An array of any type, a std::vector, or numbers in braces, two at least, as an array of T. There is no
/// default: options that have such a member can only be made with it, so that a function can have another
/// overload for those without.
template <element T>
class array_or_list {
 public:
  template <array_like X>
  array_or_list(const X& x) : held_(array<T>(in_type<T>(x))) {
    static_assert(can_be_listed_as<typename X::value_type, T>,
                  "gnp: weights and coordinates are real numbers, and orders are integers");
  }
  template <class Numbers>
    requires(is_host_vector_v<Numbers>)
  array_or_list(const Numbers& numbers) : held_(std::vector<T>(numbers.begin(), numbers.end())) {}
  template <scalar_like A, scalar_like B, scalar_like... More>
    requires(can_be_listed_as<A, T> && can_be_listed_as<B, T> && (can_be_listed_as<More, T> && ...))
  array_or_list(A first, B second, More... more)
      : held_(std::vector<T>{static_cast<T>(first), static_cast<T>(second), static_cast<T>(more)...}) {}

  bool given() const { return held_.index() != 0; }
  /// Numbers that the host listed are copied to this device, which is that of the array they belong to.
  array<T> on(device where) const {
    if (const auto* values = std::get_if<array<T>>(&held_)) return *values;
    const use_device guard(where);
    return asarray(std::get<std::vector<T>>(held_));
  }

 protected:
  struct nothing {};
  explicit array_or_list(nothing) {}

 private:
  std::variant<std::monostate, array<T>, std::vector<T>> held_;
};

/// The same, or nothing.
template <element T>
class optional_array_or_list : public array_or_list<T> {
 public:
  optional_array_or_list() : array_or_list<T>(typename array_or_list<T>::nothing()) {}
  using array_or_list<T>::array_or_list;
};

}}}  // namespace gnp::GNP_ABI::detail
