// SPDX-License-Identifier: MIT
// Two values for an axis, before and after.
#pragma once

#include <gnp/array/forward.hpp>
#include <gnp/core/shape.hpp>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// Two values, before and after, for all axes or for each: 2, {1, 2}, {{1, 2}, {3, 4}}.
template <class V>
class before_and_after {
 public:
  before_and_after() = default;
  template <class Number>
    requires(scalar_like<Number> || detail::array_of_numbers<Number>)
  before_and_after(const Number& both) : pairs_{{V(both), V(both)}} {}
  before_and_after(V before, V after) : pairs_{{before, after}} {}
  before_and_after(std::initializer_list<std::pair<V, V>> pairs) : pairs_(pairs) {}
  before_and_after(const std::vector<std::pair<V, V>>& pairs) : pairs_(pairs) {}

  bool given() const { return !pairs_.empty(); }
  const std::pair<V, V>& along(int axis) const {
    return pairs_[pairs_.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
  }
  std::size_t count() const { return pairs_.size(); }

 private:
  std::vector<std::pair<V, V>> pairs_;
};

}}  // namespace gnp::GNP_ABI
