// SPDX-License-Identifier: MIT
// The members that arrays and expressions have in common: x.astype<U>(), (a + b).sum() and the like.
#pragma once

#include <gnp/array/device.hpp>
#include <gnp/array/forward.hpp>
#include <gnp/array/host_array.hpp>
#include <gnp/core/reduce_options.hpp>

namespace gnp::inline GNP_ABI::detail {

/// Base of array<T> and expression<...>. The bodies are where what they need is complete.
template <class Derived>
class array_members {
 public:
  /// Runs the expression; an array is itself.
  auto eval() const { return evaluate(derived()); }

  /// Elements converted to another type: an expression, so that it fuses.
  template <element U>
  auto astype() const;

  /// The only element, or the one at these indices, on the host.
  template <std::integral... Index>
  auto item(Index... indices) const;

  /// Everything, on the host.
  auto get() const;

  /// A copy on another device; an array itself where it is there already.
  auto to(gnp::device where) const;

  // Views; of an expression they evaluate it first. Bodies in routines/manipulation.hpp.

  /// The axes in reverse order.
  auto T() const;
  template <class... Axes>
  auto transpose(Axes... axes) const;
  auto transpose(const shape_t& axes) const;
  template <std::integral... Count>
  auto reshape(Count... sizes) const;
  auto reshape(const shape_t& shape) const;
  auto ravel() const;
  /// A copy with one axis.
  auto flatten() const;
  auto swapaxes(int first, int second) const;
  auto squeeze() const;
  auto squeeze(int axis) const;

  // Bodies in routines/reductions.hpp and routines/scans.hpp.

  auto sum(const sum_options& options = {}) const;
  auto prod(const sum_options& options = {}) const;
  auto mean(const reduce_options& options = {}) const;
  auto var(const var_options& options = {}) const;
  auto std(const var_options& options = {}) const;
  auto(min)(const sum_options& options = {}) const;
  auto(max)(const sum_options& options = {}) const;
  auto argmin(const reduce_options& options = {}) const;
  auto argmax(const reduce_options& options = {}) const;
  auto any(const reduce_options& options = {}) const;
  auto all(const reduce_options& options = {}) const;
  auto cumsum(const scan_options& options = {}) const;
  auto cumprod(const scan_options& options = {}) const;

 protected:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  array_members() = default;
  ~array_members() = default;
  array_members(const array_members&) = default;
  array_members& operator=(const array_members&) = default;
};

}  // namespace gnp::inline GNP_ABI::detail
