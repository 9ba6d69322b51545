// SPDX-License-Identifier: MIT
// Matrix products on the CPU by gnp's own kernels and Eigen's.
#pragma once

#include <algorithm>
#include <gnp/dense/block.hpp>
#include <gnp/linalg/product/gemm_cpu.hpp>
#include <gnp/linalg/product/small_products.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN
/// The first column of c += alpha a b. The kernels take vectors without gaps.
template <class T>
void multiply_vector(const gemm_job& j, const gemm_form& a, T alpha) {
  const auto* b = reinterpret_cast<const T*>(j.b.data);
  auto* c = reinterpret_cast<T*>(j.c.data);
  std::vector<T> contiguous;
  if (j.b.row != 1) {
    for (index_t k = 0; k < j.k; ++k) contiguous.push_back(b[k * j.b.row]);
    b = contiguous.data();
  }
  const auto* matrix = reinterpret_cast<const T*>(j.a.data);
  if (a.transposed || (j.m == 1 && j.a.column == 1)) {
    add_product<matrix_op::transposed>(c, alpha, {matrix, j.k, j.m, a.leading}, b);
  } else {
    add_product<matrix_op::none>(c, alpha, {matrix, j.m, j.k, a.leading}, b);
  }
}

/// One product; c's columns are contiguous.
template <class T>
void multiply_in_blocks(const gemm_job& j, T alpha, T beta) {
  const gemm_form a = form_of(j.m, j.k, j.a.row, j.a.column);
  const gemm_form b = form_of(j.k, j.n, j.b.row, j.b.column);
  const dense_block<T> c{reinterpret_cast<T*>(j.c.data), j.m, j.n, j.n == 1 ? j.m : j.c.column};
  scale_block(c, beta);
  if (j.n == 1 && j.m + j.k >= small_product) return multiply_vector(j, a, alpha);
  const auto stored = [](const char* data, bool transposed, index_t rows, index_t columns, index_t leading) {
    if (transposed) std::swap(rows, columns);
    return dense_block<const T>{reinterpret_cast<const T*>(data), rows, columns, leading};
  };
  const auto x = stored(j.a.data, a.transposed, j.m, j.k, a.leading);
  const auto y = stored(j.b.data, b.transposed, j.k, j.n, b.leading);
  constexpr matrix_op plain = matrix_op::none;
  constexpr matrix_op transposed = matrix_op::transposed;
  if (beta == T(0) && j.a.data == j.b.data && j.m == j.n && j.a.row == j.b.column && j.a.column == j.b.row &&
      (a.transposed ? add_product_with_own_transpose<transposed>(c, alpha, x)
                    : add_product_with_own_transpose<plain>(c, alpha, x))) {
    return;
  }
  if (a.transposed) {
    b.transposed ? add_product<transposed, transposed>(c, alpha, x, y)
                 : add_product<transposed, plain>(c, alpha, x, y);
  } else {
    b.transposed ? add_product<plain, transposed>(c, alpha, x, y) : add_product<plain, plain>(c, alpha, x, y);
  }
}
#endif

template <class T>
bool multiply_by_kernels([[maybe_unused]] const gemm_job& j, [[maybe_unused]] T alpha,
                         [[maybe_unused]] T beta) {
#if GNP_WIDE_PRODUCTS
  if (multiply_small(j, alpha, beta)) return true;
#endif
#if GNP_HAS_EIGEN
  if (eigen_is_usable<T>()) {
    gemm_job by_columns = j;
    if (j.m == 1 && j.n > 1 && j.c.column == 1) transpose(by_columns);
    for_each_part(by_columns, [=](const gemm_job& part) { multiply_in_blocks(part, alpha, beta); });
    return true;
  }
#endif
  return false;
}

}}}  // namespace gnp::GNP_ABI::detail
