// SPDX-License-Identifier: MIT
// Stacks of matrices in the form that factorisations need: checked, copied, and each matrix stored column by
// column.
#pragma once

#include <gnp/dense/types.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/routines/manipulation.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The type in which a factorisation of elements of this type computes, as in NumPy.
template <element T>
constexpr dtype factor_dtype() {
  constexpr dtype d = dtype_of<T>;
  static_assert(d != dtype::float16 && d != dtype::bfloat16,
                "gnp: linalg has no half or bfloat16, as NumPy: convert with .astype<float>() first");
  return kind_of(d) < 2 ? dtype::float64 : d;
}
template <class X>
using factor_t = type_of<factor_dtype<typename X::value_type>()>;

/// The square of each element's magnitude.
template <array_like X>
auto squared_magnitude(const X& x) {
  if constexpr (is_complex(dtype_of<typename X::value_type>)) {
    return square(real(x)) + square(imag(x));
  } else {
    return square(x);
  }
}

/// The sizes of a stack of matrices: shape (..., rows, columns).
struct matrix_stack {
  shape_t batch;
  index_t rows = 0;
  index_t columns = 0;
  index_t count = 1;  // of matrices

  index_t least() const { return rows < columns ? rows : columns; }
  bool empty() const { return count == 0 || rows == 0 || columns == 0; }
  GNP_INLINE shape_t with(index_t m, index_t n) const {
    shape_t shape = batch;
    shape.push_back(m);
    shape.push_back(n);
    return shape;
  }
  GNP_INLINE shape_t with(index_t n) const {
    shape_t shape = batch;
    shape.push_back(n);
    return shape;
  }
};

GNP_DECLARED matrix_stack check_stack(const shape_t& shape, const char* function);

GNP_INLINE matrix_stack check_square(const shape_t& shape, const char* function) {
  const matrix_stack s = check_stack(shape, function);
  if (s.rows != s.columns) {
    throw shape_error(std::string(function) + ": the last two dimensions must be square, got shape " +
                      to_string(shape));
  }
  return s;
}

/// Strides of a stack without gaps whose matrices are stored column by column.
GNP_INLINE shape_t column_major_strides(const shape_t& shape) {
  shape_t strides = contiguous_strides(shape);
  const int rank = shape.rank();
  strides[rank - 2] = 1;
  strides[rank - 1] = shape[rank - 2] > 0 ? shape[rank - 2] : 1;
  return strides;
}

/// The computed operand, with elements of type T.
template <class T, class X>
array<T> operand_as(const X& x) {
  if constexpr (std::is_same_v<typename X::value_type, T>) {
    return x.eval();
  } else {
    return evaluate(x.template astype<T>());
  }
}

/// An uninitialised stack, stored column by column. On the CPU there is memory for one more column after it:
/// OpenBLAS 0.3.21 as built by GCC 12 in Debian 12 reads an element of the column after the last when it
/// multiplies a complex matrix by a vector (its issue 4013), and that memory may not be mapped.
template <class T>
array<T> column_major_empty(const shape_t& shape, gnp::device where, const char* function) {
  const shape_t strides = column_major_strides(shape);
  if (!where.is_cpu()) return array<T>(shape, strides, where, function);
  const index_t column = strides.back() + 1;
  const std::size_t bytes =
      byte_count<T>(element_count(shape, function), function) + static_cast<std::size_t>(column) * sizeof(T);
  storage_ref memory = storage_ref::allocate(bytes, where);
  T* const data = static_cast<T*>(memory->data);
  return array<T>(std::move(memory), data, shape, strides);
}

/// A new stack with the elements of x, stored column by column, for a library to overwrite.
template <class T, array_like X>
array<T> column_major_copy(const X& x, const char* function) {
  const array<T> copy = column_major_empty<T>(x.shape(), x.device(), function);
  copy.assign(x);
  return copy;
}
/// The same for x broadcast to a larger stack.
template <class T, array_like X>
array<T> column_major_copy(const X& x, const shape_t& shape, const char* function) {
  const array<T> copy = column_major_empty<T>(shape, x.device(), function);
  copy.assign(x);
  return copy;
}

/// The same elements without gaps, row by row.
template <class T>
array<T> row_major(const array<T>& x) {
  return x.is_contiguous() ? x : x.copy();
}

/// Matrix i of a stack without gaps.
template <class T>
array<T> matrix_at(const array<T>& a, index_t i) {
  const int rank = a.ndim();
  const index_t rows = a.shape()[rank - 2];
  const index_t columns = a.shape()[rank - 1];
  return a.view(
      {i * rows * columns, {rows, columns}, {a.element_strides()[rank - 2], a.element_strides()[rank - 1]}});
}
/// Vector i of a stack without gaps.
template <class T>
array<T> vector_at(const array<T>& a, index_t i) {
  const index_t length = a.shape().back();
  return a.view({i * length, {length}, {1}});
}

/// " (matrix 3 of 10)" in a stack; nothing for a single matrix.
GNP_INLINE std::string which_matrix(const matrix_stack& s, index_t index) {
  if (s.batch.empty()) return {};
  shape_t position = s.batch;
  for (int d = s.batch.rank() - 1; d >= 0; --d) {
    position[d] = index % s.batch[d];
    index /= s.batch[d];
  }
  return std::string(" (matrix ") + to_string(position) + " of a stack of shape " + to_string(s.batch) + ")";
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_linalg(const char* function, const char* what,
                                                     const matrix_stack& s, index_t index) {
  throw linalg_error(std::string(function) + ": " + what + which_matrix(s, index));
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE matrix_stack check_stack(const shape_t& shape, const char* function) {
  if (shape.rank() < 2) {
    throw shape_error(std::string(function) + ": array of shape " + to_string(shape) +
                      " must be at least two-dimensional");
  }
  matrix_stack s;
  s.batch = shape;
  s.columns = shape.back();
  s.batch.pop_back();
  s.rows = s.batch.back();
  s.batch.pop_back();
  for (const index_t size : s.batch) s.count *= size;
  return s;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
