// SPDX-License-Identifier: MIT
// diff: what each element adds to the one before it.
#pragma once

#include <gnp/expr/operators.hpp>
#include <gnp/routines/manipulation.hpp>

namespace gnp::inline GNP_ABI {

/// diff: how often, along which axis.
struct diff_options {
  int n = 1;
  int axis = -1;
};

/// The differences of neighbours along an axis, n times over; of booleans, whether they differ.
template <array_like X>
array<typename X::value_type> diff(const X& x, const diff_options& options = {}) {
  using T = typename X::value_type;
  if (options.n < 0) throw error("diff: order must be non-negative but got " + std::to_string(options.n));
  array<T> result = x.eval();
  if (options.n == 0) return result;
  if (result.ndim() == 0) throw shape_error("diff: the input must have one dimension at least, got shape ()");
  const int axis = detail::normalize_axis(options.axis, result.ndim(), "diff");
  std::vector<index_arg> later(static_cast<std::size_t>(axis) + 1, index_arg(all));
  std::vector<index_arg> earlier = later;
  later.back() = slice(1, none);
  earlier.back() = slice(none, -1);
  for (int i = 0; i < options.n && result.shape()[axis] > 0; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      result = result.index(later) != result.index(earlier);
    } else {
      result = result.index(later) - result.index(earlier);
    }
  }
  return result;
}

}  // namespace gnp::inline GNP_ABI
