// SPDX-License-Identifier: MIT
// Puts each row of an array into its own random order.
#pragma once

#include <algorithm>
#include <gnp/core/axes.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/random/order.hpp>
#include <gnp/random/parameters.hpp>
#include <gnp/random/take.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/sorting.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Rows whose keys are sorted at the same time on the CPU: as many as have about 4096 elements together, whose
/// keys stay in the first cache.
inline constexpr index_t rows_of_keys = 1 << 12;

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
  if (rows.device().is_cpu()) {
    const array<T> from = rows.is_contiguous() ? rows : rows.copy();
    array<T> made(rows.shape(), rows.device(), "permuted");
    const index_t length = made.size() == 0 ? 0 : rows.shape()[rows.ndim() - 1];
    const T* in = from.data();
    T* out = made.data();
    const index_t together = length == 0 ? 1 : 1 + rows_of_keys / length;
    parallel_for(length == 0 ? 0 : made.size() / length, together, [&](index_t begin, index_t end) {
      std::vector<index_t> order(static_cast<std::size_t>((std::min)(together, end - begin) * length));
      for (index_t row = begin; row < end; row += together) {
        const index_t now = (std::min)(together, end - row);
        order_rows(keys.data() + row * length, now, length, order.data());
        for (index_t r = 0; r < now; ++r) {
          const T* const in_row = in + (row + r) * length;
          T* const out_row = out + (row + r) * length;
          const index_t* const places = order.data() + r * length;
          for (index_t i = 0; i < length; ++i) out_row[i] = in_row[places[i]];
        }
      }
    });
    return moveaxis(made, -1, along);
  }
  const array<T> result = take_along_axis(rows, argsort(keys), -1);
  return moveaxis(result, -1, along);
}

}}}  // namespace gnp::GNP_ABI::detail
