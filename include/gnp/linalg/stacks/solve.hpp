// SPDX-License-Identifier: MIT
// solve and inv, of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/cpu/lapack/lu.hpp>
#include <gnp/linalg/gpu/lu.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void throw_if_singular(const factor_status& status, const matrix_stack& s, const char* function) {
  status.check([&](index_t i, int info) {
    throw_linalg(function, info < 0 ? "the matrix must not contain infs or NaNs" : "the matrix is singular", s,
                 i);
  });
}

/// Overwrites b with the solutions of A X = B; both are stacks without gaps, stored column by column.
template <class T>
void solve_on_cpu(const array<T>& a, const matrix_stack& s, const array<T>& b, index_t columns,
                  const char* function) {
  const factor_status status(s.count, a.device());
  if (const lapack_api* api = lapack_for_lu<T>(s.rows, columns)) {
    solve_by_lapack(*api, a, s, b, columns, status);
    return throw_if_singular(status, s, function);
  }
#if GNP_HAS_EIGEN
  require_eigen(function);
  const index_t n = s.rows;
  for_each_matrix(s.count, n * n * (n + columns), [&](index_t i) {
    matrix_map<T> m(a.data() + i * n * n, n, n);
    const bool finite = m.allFinite();
    const int exponent = scale_for_lu(m);
    const Eigen::PartialPivLU<Eigen::Ref<eigen_matrix<T>>> lu(m);
    bool singular = false;
    for (index_t k = 0; k < n; ++k) singular = singular || m(k, k) == T(0);
    status.data()[i] = finite ? (singular ? 1 : 0) : -1;
    if (status.data()[i] != 0 || columns == 0) return;
    matrix_map<T> right(b.data() + i * n * columns, n, columns);
    right = lu.permutationP() * right;
    m.template triangularView<Eigen::UnitLower>().solveInPlace(right);
    m.template triangularView<Eigen::Upper>().solveInPlace(right);
    if (exponent != 0) right *= T(std::ldexp(real_t<T>(1), -exponent));
  });
  throw_if_singular(status, s, function);
#else
  throw_no_eigen(function);
#endif
}

#if GNP_HAS_CUDA

template <class T>
void solve_on_gpu(const array<T>& a, const matrix_stack& s, const array<T>& b, index_t columns,
                  const char* function) {
  const array<bool> finite = finite_matrices(a, s);
  const gpu_lu<T> lu(a, s);
  mark_non_finite(finite, lu.status().on_device());
  lu.solve(b, columns);
  throw_if_singular(lu.status(), s, function);
}

#endif

template <class T>
array<T> solve_stack(const array<T>& a, const array<T>& b, const char* function) {
  const watched_work watched(a.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(a.nbytes() + 2 * b.nbytes()));
  });
  const matrix_stack square = check_square(a.shape(), function);
  const bool vector = b.ndim() == 1;
  const matrix_stack right = vector ? matrix_stack{{}, b.shape()[0], 1, 1} : check_stack(b.shape(), function);
  matrix_stack s = square;
  const auto fail = [&](const std::string& why) {
    throw shape_error(std::string(function) + ": shapes " + to_string(a.shape()) + " and " +
                      to_string(b.shape()) + " do not fit: " + why);
  };
  if (right.rows != square.rows) {
    fail(std::to_string(square.rows) + " (axis " + std::to_string(a.ndim() - 2) + ") is not " +
         std::to_string(right.rows) + " (axis " + std::to_string(vector ? 0 : b.ndim() - 2) + ")");
  }
  if (!broadcast_shapes(square.batch, right.batch, s.batch)) {
    fail("the stacks " + to_string(square.batch) + " and " + to_string(right.batch) + " cannot be broadcast");
  }
  s.count = 1;
  for (const index_t size : s.batch) s.count *= size;
  const shape_t shape = s.with(s.rows, right.columns);
  const array<T> x = vector ? column_major_copy<T>(expand_dims(b, 1), shape, function)
                            : column_major_copy<T>(b, shape, function);
  if (!s.empty()) {
    const array<T> factors = column_major_copy<T>(a, s.with(s.rows, s.rows), function);
    if (a.device().is_cpu()) {
      solve_on_cpu(factors, s, x, right.columns, function);
    } else {
#if GNP_HAS_CUDA
      solve_on_gpu(factors, s, x, right.columns, function);
#endif
    }
  }
  return row_major(vector ? squeeze(x, -1) : x);
}

template <class T>
array<T> inverse_of(const array<T>& x, const char* function) {
  const watched_work watched(
      x.device(), [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  const auto s = check_square(x.shape(), function);
  const use_device guard(x.device());
  if (s.empty()) return array<T>(x.shape(), x.device(), function);
#if GNP_HAS_CUDA
  if (x.device().is_cuda()) {
    const array<T> a = column_major_copy<T>(x, function);
    const array<bool> finite = finite_matrices(a, s);
    const gpu_lu<T> lu(a, s);
    mark_non_finite(finite, lu.status().on_device());
    const array<T> result = lu.inverse();
    throw_if_singular(lu.status(), s, function);
    return result;
  }
#endif
  const array<T> result = column_major_empty<T>(x.shape(), x.device(), function);
  result.fill(T());
  for (index_t i = 0; i < s.count; ++i) {
    for (index_t k = 0; k < s.rows; ++k) result.data()[(i * s.rows + k) * s.rows + k] = T(1);
  }
  solve_on_cpu(column_major_copy<T>(x, function), s, result, s.rows, function);
  return row_major(result);
}

}}}  // namespace gnp::GNP_ABI::detail
