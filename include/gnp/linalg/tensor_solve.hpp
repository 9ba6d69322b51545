// SPDX-License-Identifier: MIT
// tensorsolve and tensorinv: solve and inv for arrays whose axes, in two groups, are a matrix's rows and
// columns.
#pragma once

#include <gnp/linalg/products.hpp>
#include <gnp/linalg/solve.hpp>

namespace gnp { inline namespace GNP_ABI { namespace linalg {

struct tensorsolve_options {
  by_name only = by_name();
  axes_t axes = none;  // axes of a that are moved to its end first
};

struct tensorinv_options {
  by_name only = by_name();
  int ind = 2;
};

/// x with tensordot(a, x, x.ndim()) = b.
template <array_like A, array_like B>
auto tensorsolve(const A& a, const B& b, const tensorsolve_options& options = {}) {
  detail::require_same_device("tensorsolve", a.device(), b.device());
  auto left = a.eval();
  if (options.axes.given()) {
    const detail::axis_set moved(options.axes, left.ndim(), "tensorsolve");
    shape_t order;
    for (int d = 0; d < left.ndim(); ++d) {
      if (!moved.chosen[d]) order.push_back(d);
    }
    for (const index_t axis : options.axes.values()) {
      order.push_back(detail::normalize_axis(axis, left.ndim(), "tensorsolve"));
    }
    left = transpose(left, order);
  }
  shape_t shape;  // of x: a's axes after the first b.ndim()
  for (int d = b.ndim(); d < left.ndim(); ++d) shape.push_back(left.shape()[d]);
  const index_t unknowns = detail::element_count(shape, "tensorsolve");
  if (left.size() != unknowns * unknowns || b.size() != unknowns) {
    detail::throw_product_shapes("tensorsolve", left.shape(), b.shape(),
                                 "the first " + std::to_string(b.ndim()) +
                                     " axes of a must have as many elements as the others, and as b");
  }
  using T = type_of<promote(detail::factor_dtype<typename A::value_type>(),
                            detail::factor_dtype<typename B::value_type>())>;
  const use_device guard(left.device());
  const array<T> matrix = detail::operand_as<T>(left.reshape(unknowns, unknowns));
  return detail::solve_stack(matrix, detail::operand_as<T>(ravel(b)), "tensorsolve").reshape(shape);
}
template <array_like A, array_like B>
auto tensorsolve(const A& a, const B& b, const axes_t& axes) {
  return tensorsolve(a, b, {.axes = axes});
}

/// The inverse for tensordot over `ind` axes: the first `ind` axes of a are the rows, the others the columns.
template <array_like X>
auto tensorinv(const X& x, int ind = 2) {
  const auto a = x.eval();
  if (ind < 1) throw error(std::string("tensorinv: ind must be positive, got ") + std::to_string(ind));
  shape_t rows, columns;
  for (int d = 0; d < a.ndim(); ++d) (d < ind ? rows : columns).push_back(a.shape()[d]);
  const index_t size = detail::element_count(rows, "tensorinv");
  if (size != detail::element_count(columns, "tensorinv")) {
    throw shape_error(std::string("tensorinv: shape ") + to_string(a.shape()) +
                      " is not square where its first " + std::to_string(ind) + " axes are the rows");
  }
  shape_t shape = columns;
  for (const index_t n : rows) shape.push_back(n);
  const auto matrix = detail::operand_as<detail::factor_t<X>>(a.reshape(size, size));
  return detail::inverse_of(matrix, "tensorinv").reshape(shape);
}
template <array_like X>
auto tensorinv(const X& x, const tensorinv_options& options) {
  return linalg::tensorinv(x, options.ind);
}

}}}  // namespace gnp::GNP_ABI::linalg
