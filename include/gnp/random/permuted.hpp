// SPDX-License-Identifier: MIT
// Puts each row of an array into its own random order.
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/random/order.hpp>
#include <gnp/random/parameters.hpp>
#include <gnp/random/take.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/sorting.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Along one axis: sorts by 64 random bits for each element. In a row of a million elements, two elements have
/// the same bits with a probability of 3e-8, and then keep their order. Without an axis: orders all elements as
/// permutation does.
template <class T>
array<T> permuted_along(const random_call& call, const array<T>& source, const axes_t& axis) {
  if (!axis.given()) {
    const array<index_t> order = order_of(call, source.size(), "permuted");
    return take_rows(source.ravel(), order, order.shape(), "permuted").reshape(source.shape());
  }
  const int along = one_axis(axis, source.ndim(), "permuted");
  const array<T> rows = moveaxis(source, along, -1);
  const array<std::uint64_t> keys =
      integers_from<std::uint64_t>(call, "permuted", 0, ~std::uint64_t{0}, rows.shape());
  const array<T> result = take_along_axis(rows, argsort(keys), -1);
  return moveaxis(result, -1, along);
}

}}}  // namespace gnp::GNP_ABI::detail
