// SPDX-License-Identifier: MIT
// Functions that NumPy 2 also has in linalg: they are the same as at the top level, or follow the array API's
// rules.
#pragma once

#include <gnp/linalg/products.hpp>
#include <gnp/routines/diagonal.hpp>

namespace gnp { inline namespace GNP_ABI { namespace linalg {

using gnp::cross;
using gnp::cross_options;
using gnp::matmul;
using gnp::matrix_transpose;
using gnp::tensordot;
using gnp::vecdot;

/// Options of linalg::diagonal and linalg::trace: how far above the main diagonal.
struct offset_options {
  by_name only = by_name();
  index_t offset = 0;
};

/// The diagonals of the last two axes, for stacks of matrices: a view.
template <array_like X>
auto diagonal(const X& x, index_t offset = 0) {
  return gnp::diagonal(x, offset, -2, -1);
}
template <array_like X>
auto diagonal(const X& x, const offset_options& options) {
  return linalg::diagonal(x, options.offset);
}
/// The sums of the diagonals of the last two axes.
template <class R = void, array_like X>
auto trace(const X& x, index_t offset = 0) {
  return gnp::trace<R>(x, offset, -2, -1);
}
template <class R = void, array_like X>
auto trace(const X& x, const offset_options& options) {
  return linalg::trace<R>(x, options.offset);
}

/// Every element of one vector times every element of another. (The empty pack makes gnp::outer the better one
/// where a program has said "using namespace" for both, so that a call there is not ambiguous.)
template <array_like A, array_like B, class... Nothing>
auto outer(const A& a, const B& b, const Nothing&...) {
  static_assert(sizeof...(Nothing) == 0, "gnp: outer takes two vectors");
  if (a.ndim() != 1 || b.ndim() != 1) {
    detail::throw_product_shapes("linalg::outer", a.shape(), b.shape(), "they must be vectors");
  }
  return gnp::outer(a, b);
}

}}}  // namespace gnp::GNP_ABI::linalg
