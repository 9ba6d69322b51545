// SPDX-License-Identifier: MIT
// The members that arrays and expressions have in common: x.astype<U>(), (a + b).sum() and the like.
#pragma once

#include <gnp/array/device.hpp>
#include <gnp/array/forward.hpp>
#include <gnp/array/host_array.hpp>
#include <gnp/core/axes_first.hpp>
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
  template <plain_number... Axes>
  auto transpose(Axes... axes) const;
  auto transpose(const shape_t& axes) const;
  template <plain_number... Count>
  auto reshape(Count... sizes) const;
  auto reshape(const shape_t& shape) const;
  auto ravel() const;
  /// A copy with one axis.
  auto flatten() const;
  auto swapaxes(int first, int second) const;
  auto squeeze(const axes_t& axes = none) const;

  // Bodies in routines/reductions.hpp and routines/scans.hpp.

  GNP_MEMBER_ALONG_AXES(sum, sum_options)
  GNP_MEMBER_ALONG_AXES(prod, sum_options)
  GNP_MEMBER_ALONG_AXES(mean, reduce_options)
  GNP_MEMBER_ALONG_AXES(var, var_options)
  GNP_MEMBER_ALONG_AXES(std, var_options)
  GNP_MEMBER_ALONG_AXES(min, sum_options)
  GNP_MEMBER_ALONG_AXES(max, sum_options)
  GNP_MEMBER_ALONG_AXES(argmin, reduce_options)
  GNP_MEMBER_ALONG_AXES(argmax, reduce_options)
  GNP_MEMBER_ALONG_AXES(any, reduce_options)
  GNP_MEMBER_ALONG_AXES(all, reduce_options)
  GNP_MEMBER_ALONG_AXES(cumsum, scan_options)
  GNP_MEMBER_ALONG_AXES(cumprod, scan_options)

 protected:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  array_members() = default;
  ~array_members() = default;
  array_members(const array_members&) = default;
  array_members& operator=(const array_members&) = default;
};

}  // namespace gnp::inline GNP_ABI::detail
