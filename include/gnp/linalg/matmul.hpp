// SPDX-License-Identifier: MIT
// matmul and similar functions for vectors: NumPy's rules for shapes and types.
#pragma once

#include <gnp/core/axes_first.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/product/matrix_product.hpp>
#include <gnp/routines/manipulation.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The element type of a product of arrays.
template <class A, class B>
using product_type = type_of<promote(dtype_of<typename A::value_type>, dtype_of<typename B::value_type>)>;

[[noreturn, gnu::cold]] GNP_INLINE void throw_product_shapes(const char* function, const shape_t& a,
                                                             const shape_t& b, const std::string& why) {
  throw shape_error(std::string(function) + ": shapes " + to_string(a) + " and " + to_string(b) +
                    " do not fit: " + why);
}

template <class T>
array<T> with_axis(const array<T>& a, int position) {
  view_layout layout{0, a.shape(), a.element_strides()};
  layout.shape.insert(position, 1);
  layout.strides.insert(position, 0);
  return a.view(layout);
}

/// The shape of a stack of matrices, without the matrices.
GNP_INLINE shape_t stack_shape(shape_t shape) {
  shape.pop_back();
  shape.pop_back();
  return shape;
}

/// Checks the factors of a matrix product and brings them to matching shapes. A vector on the left is a row,
/// one on the right a column. With from_rows or from_columns, that factor is a stack of vectors.
template <class T>
matrix_product<T> make_product(array<T> a, array<T> b, const char* function, bool from_rows = false,
                               bool from_columns = false) {
  const shape_t a_shape = a.shape();
  const shape_t b_shape = b.shape();
  const auto fail = [&](const std::string& why) { throw_product_shapes(function, a_shape, b_shape, why); };
  if (a.ndim() == 0 || b.ndim() == 0) fail("a scalar has no rows and columns; use multiply");
  require_same_device(function, a.device(), b.device());
  const bool from_row = from_rows || a.ndim() == 1;
  const bool from_column = from_columns || b.ndim() == 1;
  const int inner_axis = b.ndim() - (from_column ? 1 : 2);
  if (a_shape.back() != b_shape[inner_axis]) {
    fail(std::to_string(a_shape.back()) + " (axis " + std::to_string(a_shape.rank() - 1) + ") is not " +
         std::to_string(b_shape[inner_axis]) + " (axis " + std::to_string(inner_axis) + ")");
  }
  if (from_row) a = with_axis(a, a.ndim() - 1);
  if (from_column) b = with_axis(b, b.ndim());
  shape_t stack;
  if (a.ndim() > 2 || b.ndim() > 2) {
    const shape_t a_stack = stack_shape(a.shape());
    const shape_t b_stack = stack_shape(b.shape());
    if (!broadcast_shapes(a_stack, b_stack, stack)) {
      fail("the stacks " + to_string(a_stack) + " and " + to_string(b_stack) + " cannot be broadcast");
    }
  }
  stack.push_back(a.shape()[a.shape().size() - 2]);
  stack.push_back(b.shape().back());
  element_count(stack, function);
  return matrix_product<T>({std::move(a), std::move(b), stack, from_row, from_column, function});
}

}  // namespace detail

/// The matrix product. Arrays with more than two axes are stacks of matrices. A vector on the left is a row,
/// one on the right a column. The product is computed when it is assigned: c(ellipsis) = 2 * matmul(a, b) + c
/// is one call.
template <array_like A, array_like B>
auto matmul(const A& a, const B& b) {
  using T = detail::product_type<A, B>;
  return detail::make_product<T>(detail::operand_as<T>(a), detail::operand_as<T>(b), "matmul");
}

/// A matrix times a vector, or stacks of both. The vectors lie along the last axis of x.
template <array_like A, array_like X>
auto matvec(const A& a, const X& x) {
  using T = detail::product_type<A, X>;
  const array<T> matrix = detail::operand_as<T>(a);
  if (matrix.ndim() < 2) {
    detail::throw_product_shapes("matvec", matrix.shape(), x.shape(), "the first has no rows and columns");
  }
  return detail::make_product<T>(matrix, detail::operand_as<T>(x), "matvec", false, true);
}

/// A vector (its conjugate, if it is complex) times a matrix, or stacks of both. The vectors lie along the last
/// axis of x.
template <array_like X, array_like A>
auto vecmat(const X& x, const A& a) {
  using T = detail::product_type<X, A>;
  const array<T> matrix = detail::operand_as<T>(a);
  if (matrix.ndim() < 2) {
    detail::throw_product_shapes("vecmat", x.shape(), matrix.shape(), "the second has no rows and columns");
  }
  if constexpr (is_complex(dtype_of<typename X::value_type>)) {
    return detail::make_product<T>(detail::operand_as<T>(conj(x)), matrix, "vecmat", true);
  } else {
    return detail::make_product<T>(detail::operand_as<T>(x), matrix, "vecmat", true);
  }
}

GNP_TAKES_TWO_ARRAYS(matmul)
GNP_REFUSES_VECTORS(matmul)

}}  // namespace gnp::GNP_ABI
