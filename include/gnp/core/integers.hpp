// SPDX-License-Identifier: MIT
// An argument that is one integer or a list of integers. One integer and a list with one integer may mean
// different things: split(a, 3), split(a, {3}).
#pragma once

#include <gnp/core/shape.hpp>
#include <optional>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// 3, {2, 5}, a std::vector of any length, or an array, whose elements are copied to the host.
class integers_t {
 public:
  template <detail::plain_number Number>
  integers_t(Number value) : one_(detail::any_integer(value)) {}
  template <detail::array_of_numbers X>
  integers_t(const X& x) {
    static_assert(detail::integer_number<typename X::value_type>,
                  "gnp: positions are integers; what a mask leaves out is x(!mask)");
    if constexpr (detail::integer_number<typename X::value_type>) {
      for (const auto value : x.tolist()) values_.push_back(detail::any_integer(value));
      if (x.ndim() == 0) one_ = values_[0];
    }
  }
  integers_t(std::initializer_list<detail::any_integer> values) : values_(values.begin(), values.end()) {}
  template <detail::list_of_integers List>
  integers_t(const List& values) {
    for (const auto value : values) values_.push_back(detail::any_integer(value));
  }

  /// The integer; nothing if a list was given.
  const std::optional<index_t>& one() const { return one_; }
  const std::vector<index_t>& values() const { return values_; }
  /// The integers, where it does not matter whether one is in a list.
  std::vector<index_t> all() const { return one_ ? std::vector<index_t>{*one_} : values_; }

 private:
  std::optional<index_t> one_;
  std::vector<index_t> values_;
};

}}  // namespace gnp::GNP_ABI
