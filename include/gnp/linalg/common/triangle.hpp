// SPDX-License-Identifier: MIT
// One triangle of each matrix, with zeros in the other.
#pragma once

#include <gnp/expr/logic.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/linalg/common/matrices.hpp>
#include <gnp/routines/creation.hpp>

namespace gnp { inline namespace GNP_ABI {

// These test an element by its position i in a stack of matrices.
GNP_NUMPY_OPERATION(below_diagonal, (i, rows, columns), comparison, less_equal(i % columns, i / columns % rows))
GNP_NUMPY_OPERATION(above_diagonal, (i, rows, columns), comparison, less_equal(i / columns % rows, i % columns))

namespace detail {

/// An expression of x's lower (or upper) triangles, diagonals included.
template <array_like X>
auto lower_triangle(const X& x) {
  const int rank = x.ndim();
  const index_t rows = x.shape()[rank - 2] > 0 ? x.shape()[rank - 2] : 1;
  const index_t columns = x.shape()[rank - 1] > 0 ? x.shape()[rank - 1] : 1;
  const auto inside =
      ufunc<operations::below_diagonal_ufunc>()(positions<typename X::value_type>(x.shape()), rows, columns);
  return where(inside, x, scalar::cast<typename X::value_type>(0));
}
template <array_like X>
auto upper_triangle(const X& x) {
  const int rank = x.ndim();
  const index_t rows = x.shape()[rank - 2] > 0 ? x.shape()[rank - 2] : 1;
  const index_t columns = x.shape()[rank - 1] > 0 ? x.shape()[rank - 1] : 1;
  const auto inside =
      ufunc<operations::above_diagonal_ufunc>()(positions<typename X::value_type>(x.shape()), rows, columns);
  return where(inside, x, scalar::cast<typename X::value_type>(0));
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
