// SPDX-License-Identifier: MIT
// c = alpha a b + beta c for arrays: operands that the library cannot read in place are copied first.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/exec/statement/gpu_reduction.hpp>
#include <gnp/linalg/product/allow_tf32.hpp>
#include <gnp/linalg/product/gemm_cpu.hpp>
#include <gnp/linalg/product/vector_product.hpp>
#include <gnp/memory/watched_work.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/cpu/lapack/product.hpp>
#include <gnp/linalg/product/gemm_blocks.hpp>
#include <gnp/linalg/product/gemm_gpu.hpp>
#include <gnp/linalg/product/gemm_kernel.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// May these arrays share memory, judging by their extents?
template <class T>
bool may_overlap(const array<T>& a, const array<T>& b) {
  if (a.size() == 0 || b.size() == 0) return false;
  const element_span x = span_of(a.ndim(), a.shape().begin(), a.element_strides().begin());
  const element_span y = span_of(b.ndim(), b.shape().begin(), b.element_strides().begin());
  return a.data() + x.first <= b.data() + y.last && b.data() + y.first <= a.data() + x.last;
}

template <class T>
void multiply_into(const array<T>& c, const array<T>& a, const array<T>& b, gemm_scalar<T> alpha,
                   gemm_scalar<T> beta, const char* function);

/// For 16-bit types, if the device has no product for them: computes in float32.
template <class T>
void multiply_as_float(const array<T>& c, const array<T>& a, const array<T>& b, float alpha, float beta,
                       const char* function) {
  const array<float> result =
      beta == 0 ? array<float>(c.shape(), c.device(), function) : evaluate(c.template astype<float>());
  multiply_into<float>(result, evaluate(a.template astype<float>()), evaluate(b.template astype<float>()),
                       alpha, beta, function);
  assign(c, result, function);
}

/// Computes into a copy of c, whose matrices a library can write.
template <class T>
void multiply_into_copy(const array<T>& c, const array<T>& a, const array<T>& b, gemm_scalar<T> alpha,
                        gemm_scalar<T> beta, const char* function) {
  const array<T> result = c.copy();
  multiply_into(result, a, b, alpha, beta, function);
  assign(c, result, function);
}

/// The job of multiplying arrays in their present layout.
template <class T>
gemm_job make_gemm_job(const array<T>& c, const array<T>& a, const array<T>& b) {
  gemm_job j;
  const int rank = c.ndim();
  j.itemsize = sizeof(T);
  j.m = c.shape()[rank - 2];
  j.n = c.shape()[rank - 1];
  j.k = a.shape().back();
  j.batch_rank = rank - 2;
  std::copy(c.shape().begin(), c.shape().end() - 2, j.batch);
  j.a = gemm_operand_of(a, c.shape());
  j.b = gemm_operand_of(b, c.shape());
  j.c = gemm_operand_of(c, c.shape());
  return j;
}

/// c = alpha a b + beta c as sums along rows of a and columns of b: for inner products, and for what
/// suits_sums() on a GPU.
template <class T>
void multiply_by_summing(const array<T>& c, const array<T>& a, const array<T>& b, gemm_scalar<T> alpha,
                         gemm_scalar<T> beta, const char* function) {
  const int rows = a.ndim() - 1;
  view_layout left{0, a.shape(), a.element_strides()};
  left.shape.insert(rows, 1);
  left.strides.insert(rows, 0);
  const int columns = b.ndim() - 2;
  view_layout right{0, b.shape(), b.element_strides()};
  std::swap(right.shape[columns], right.shape[columns + 1]);
  std::swap(right.strides[columns], right.strides[columns + 1]);
  right.shape.insert(columns, 1);
  right.strides.insert(columns, 0);
  const array<T> x = a.view(left);
  const array<T> y = b.view(right);
  const auto reduce = [&]<class Reducer, class A, class R, class X>(const reduced<Reducer, A, R, X>& sums,
                                                                    const array<T>& results) {
    if (results.device().is_cpu()) return assign(results, sums.compute(), function);
#if GNP_HAS_CUDA
    reduction_options options = sums.options();
    options.function = function;
    reduce_on_gpu<Reducer, A, T>(sums.operand(), options, results);
#endif
  };
  if (alpha == gemm_scalar<T>(1) && beta == gemm_scalar<T>(0)) return reduce(sums_of_products<T>(x, y, -1), c);
  if constexpr (is_gemm_type_v<T>) {
    const array<T> product(c.shape(), c.device(), function);
    reduce(sums_of_products<T>(x, y, -1), product);
    if (alpha != gemm_scalar<T>(1)) assign(product, product * scalar::cast<T>(alpha), function);
    if (beta == gemm_scalar<T>(0)) return assign(c, product, function);
    if (beta != gemm_scalar<T>(1)) assign(c, c * scalar::cast<T>(beta), function);
    assign(c, c + product, function);
  }
}

/// multiply_into() on the CPU.
template <class T>
void multiply_into_on_cpu(const array<T>& c, const array<T>& a, const array<T>& b, gemm_scalar<T> alpha,
                          gemm_scalar<T> beta, const char* function) {
  if constexpr (!std::is_same_v<T, gemm_scalar<T>>) {
    multiply_as_float(c, a, b, alpha, beta, function);
  } else {
    gemm_job j = make_gemm_job(c, a, b);
    if (is_inner_product(j) && c.ndim() < max_rank) {
      return multiply_by_summing(c, a, b, alpha, beta, function);
    }
    if constexpr (is_gemm_type_v<T>) {
      if (!has_usable_matrices(c)) return multiply_into_copy(c, a, b, alpha, beta, function);
      if (!has_usable_matrices(a)) return multiply_into(c, a.copy(), b, alpha, beta, function);
      gemm_job simple = j;
      simplify(simple);
      const lapack_api* const api = lapack_for_product(simple);
      const bool wants_usable = GNP_HAS_EIGEN || api != nullptr;
      if (wants_usable && !has_usable_matrices(b)) return multiply_into(c, a, b.copy(), alpha, beta, function);
      if (api != nullptr) return multiply_by_lapack<T>(*api, simple, alpha, beta);
      if (multiply_by_kernels<T>(simple, alpha, beta)) return;
    }
    if (b.element_strides().back() != 1) return multiply_into(c, a, b.copy(), alpha, beta, function);
    multiply_by_loop<T>(j, alpha, beta);
  }
}

#if GNP_HAS_CUDA
/// Is a product fastest as one sum for each element of c?
template <class T>
bool suits_sums(gemm_job j);
/// Computes with gnp's own kernel, if the product is small or of a type that only this kernel has. True if it
/// did.
template <class T>
bool multiply_by_kernel(gemm_job& j, gemm_scalar<T> alpha, gemm_scalar<T> beta);
/// Computes with cuBLAS.
template <class T>
void multiply_on_gpu(gemm_job& j, gemm_scalar<T> alpha, gemm_scalar<T> beta);

/// multiply_into() on a GPU.
template <class T>
void multiply_into_on_gpu(const array<T>& c, const array<T>& a, const array<T>& b, gemm_scalar<T> alpha,
                          gemm_scalar<T> beta, const char* function) {
  gemm_job j = make_gemm_job(c, a, b);
  if (c.ndim() < max_rank && suits_sums<T>(j)) return multiply_by_summing(c, a, b, alpha, beta, function);
  if (multiply_by_kernel<T>(j, alpha, beta)) return;
  if constexpr (is_gemm_type_v<T>) {
    if constexpr (std::is_same_v<T, bfloat16>) {
      if (gpu_at(c.device().ordinal()).arch < 80) return multiply_as_float(c, a, b, alpha, beta, function);
    }
    if (!has_usable_matrices(c)) return multiply_into_copy(c, a, b, alpha, beta, function);
    if (!has_usable_matrices(a)) return multiply_into(c, a.copy(), b, alpha, beta, function);
    if (!has_usable_matrices(b)) return multiply_into(c, a, b.copy(), alpha, beta, function);
    multiply_on_gpu<T>(j, alpha, beta);
  }
}
#endif

/// c = alpha a b + beta c for stacks of matrices (two axes or more) whose shapes fit. If beta is 0, c is not
/// read. c overlaps neither a nor b.
template <class T>
void multiply_into(const array<T>& c, const array<T>& a, const array<T>& b, gemm_scalar<T> alpha,
                   gemm_scalar<T> beta, const char* function) {
  if (c.size() == 0) return;
  if (a.shape().back() == 0) {
    if (beta == gemm_scalar<T>(0)) return c.fill(T());
    if constexpr (is_gemm_type_v<T>) assign(c, c * scalar::cast<T>(beta), function);
    return;
  }
  const watched_work watched(c.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(a.nbytes() + b.nbytes() + c.nbytes()));
  });
  if (c.device().is_cpu()) return multiply_into_on_cpu(c, a, b, alpha, beta, function);
#if GNP_HAS_CUDA
  multiply_into_on_gpu(c, a, b, alpha, beta, function);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
