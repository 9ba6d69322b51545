// SPDX-License-Identifier: MIT
// A = P L U on a GPU, for solve, inv and det: one matrix at a time, or a stack of small ones at once.
#pragma once

#include <gnp/libraries/cusolver.hpp>
#include <gnp/linalg/common/finite.hpp>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/common/triangular_inverse.hpp>
#include <gnp/linalg/gpu/own_kernel.hpp>
#include <gnp/linalg/gpu/pivots_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// Stacks up to this size go to cuBLAS's batched functions, larger matrices to cuSOLVER one by one.
inline constexpr index_t largest_batched_lu = 256;
/// Up to this size, the functions with 32-bit sizes and pivots are used: getrs is 30 to 90 µs faster with them
/// (H200, CUDA 13.0).
inline constexpr index_t largest_int_lu = 30000;
/// Inverses of sizes between these two are computed as U⁻¹ L⁻¹ P, others as solutions for the identity. After
/// the factorisation this takes 0.35 ms against 0.93 for 1024 x 1024 float32, and 0.06 against 0.05 for 64 x 64
/// (H200, CUDA 13.0).
inline constexpr index_t least_joined_inverse = 128;
inline constexpr index_t largest_joined_inverse = 6000;  // row swaps of this size fit 48 KiB of shared memory

template <class T>
class gpu_lu {
 public:
  /// Overwrites `a`, a stack without gaps stored column by column. Complex matrices are scaled to a magnitude
  /// of about 1: the libraries divide complex numbers using their squares, which overflow earlier than the
  /// numbers.
  gpu_lu(const array<T>& a, const matrix_stack& s)
      : a_(a),
        s_(s),
        scale_(is_complex(dtype_of<T>) ? s.with(1, 1) : shape_t{0}, a.device()),
        batched_(s.count > 1 && s.rows <= largest_batched_lu),
        status_(s.count, a.device()),
        matrices_(shape_t{0}, a.device()),
        wide_pivots_(shape_t{s.rows > largest_int_lu ? s.count * s.rows : 0}, a.device()),
        pivots_(shape_t{s.rows > largest_int_lu ? 0 : s.count * s.rows}, a.device()) {
    if constexpr (is_complex(dtype_of<T>)) {
      const array<int> not_finite(shape_t{s.count}, a.device());
      rescale_on_gpu(a, s, scale_, not_finite);
      constexpr real_t<T> nan = std::numeric_limits<real_t<T>>::quiet_NaN();
      scale_.assign(where(not_finite.reshape(scale_.shape()) != 0, nan, scale_));
    }
    if (batched_) {
      factorise_batched();
    } else {
      factorise_each();
    }
  }

  const factor_status& status() const { return status_; }

  /// For each complex matrix, what its factors are to be multiplied by, with shape (..., 1, 1). NaN for a
  /// matrix that is not finite, whose factors are zeros.
  const array<real_t<T>>& scale() const { return scale_; }

  /// The row that each row was swapped with, counted from 1: 32 bits wide, or 64.
  const void* pivots(const submission& work) const {
    return wide() ? static_cast<const void*>(work.reads(wide_pivots_))
                  : static_cast<const void*>(work.reads(pivots_));
  }
  int pivot_bytes() const { return wide() ? 8 : 4; }

  /// Overwrites b, of `columns` right-hand sides for each matrix, with the solutions.
  void solve(const array<T>& b, index_t columns) const {
    if (columns == 0) return;
    if (batched_) {
      solve_batched(b, columns);
    } else {
      solve_each(b, columns);
    }
    scale_back(b);
  }

  /// The inverse of each matrix, row by row.
  array<T> inverse() const {
    const array<T> result = inverse_of_factors();
    scale_back(result);
    return result;
  }

 private:
  /// Converts solutions and inverses of scaled matrices to those of the original matrices.
  void scale_back(const array<T>& x) const {
    if constexpr (is_complex(dtype_of<T>)) x.assign(x / scale_);
  }

  void solve_each(const array<T>& b, index_t columns) const {
    constexpr cuda_data_type type = cuda_type(dtype_of<T>);
    cusolver_call call(a_.device());
    const factor_status unused(1, a_.device());
    const T* factors = call.reads(a_);
    const std::int64_t* wide_pivots = call.reads(wide_pivots_);
    const int* pivots = call.reads(pivots_);
    T* right = call.writes(b);
    int* info = call.writes(unused.on_device());
    const index_t n = s_.rows;
    for (index_t i = 0; i < s_.count; ++i) {
      if (!wide()) {
        check_cusolver(
            cusolver().getrs[dtype_of<T>](call.handle(), cublas_operation::as_is, static_cast<int>(n),
                                          static_cast<int>(columns), factors + i * n * n, static_cast<int>(n),
                                          pivots + i * n, right + i * n * columns, static_cast<int>(n), info),
            "cusolverDngetrs");
        continue;
      }
      GNP_CUSOLVER_CALL(cusolverDnXgetrs, call.handle(), cusolver_params(), cublas_operation::as_is, n, columns,
                        type, factors + i * n * n, n, wide_pivots + i * n, type, right + i * n * columns, n,
                        info);
    }
  }

  array<T> inverse_of_factors() const {
    if (batched_) return inverse_batched().copy();
    if (s_.rows < least_joined_inverse || s_.rows > largest_joined_inverse) {
      const array<T> columns = column_major_copy<T>(eye<T>(s_.rows), a_.shape(), "inv");
      solve_each(columns, s_.rows);
      return columns.copy();
    }
    const array<T> product(a_.shape(), a_.device(), "inv");
    for (index_t i = 0; i < s_.count; ++i) {
      const array<T> factors = matrix_at(a_, i);
      const triangular_inverse<T> upper(factors, cublas_fill::upper, cublas_diagonal::not_unit);
      const triangular_inverse<T> lower(factors, cublas_fill::lower, cublas_diagonal::unit);
      matrix_at(product, i).assign(matmul(upper.result(), lower.result()));
    }
    return with_columns_in_order(product);
  }

  /// x P for each matrix of x, stored row by row, where P is the permutation of A's rows.
  array<T> with_columns_in_order(const array<T>& x) const {
    static device_kernel row_order;
    static device_kernel order_columns;
    const array<T> result(x.shape(), x.device(), "inv");
    const array<int> source(pivots_.shape(), x.device(), "inv");
    const submission work(x.device());
    const auto n = static_cast<int>(s_.rows);
    work.launch(row_order.on(work.device(), [] { return linalg_source("float", "", row_order_kernel_text); }),
                blocks_for(s_.count, 256, 2 * sizeof(int) * static_cast<std::size_t>(n)), work.reads(pivots_),
                n, work.writes(source));
    work.launch(
        order_columns.on(work.device(),
                         [] { return linalg_source(device_real(dtype_of<T>), "", order_columns_kernel_text); }),
        blocks_for(s_.count * s_.rows), work.reads(x), work.reads(source), n, is_complex(dtype_of<T>) ? 2 : 1,
        work.writes(result));
    return result;
  }

  array<T> inverse_batched() const {
    const array<T> result = column_major_empty<T>(a_.shape(), a_.device(), "inv");
    const array<std::int64_t> results = matrix_addresses(result, s_);
    const factor_status unused(s_.count, a_.device());
    const int n = static_cast<int>(s_.rows);
    with_cublas([&](cublas_handle handle, const submission& work) {
      work.reads(a_);
      work.writes(result);
      check_cublas(cublas().getri_batched[dtype_of<T>](
                       handle, n, addresses(work, matrices_), n, work.reads(pivots_), addresses(work, results),
                       n, work.writes(unused.on_device()), static_cast<int>(s_.count)),
                   "cublasgetriBatched");
    });
    return result;
  }

  bool wide() const { return s_.rows > largest_int_lu; }

  static void* const* addresses(const submission& work, const array<std::int64_t>& list) {
    return reinterpret_cast<void* const*>(work.reads(list));
  }

  template <class F>
  void with_cublas(const F& f) const {
    const submission work(a_.device());
    resource_of<cublas_stream>(work.stream()).with_handle(work, [&](cublas_handle handle) { f(handle, work); });
  }

  void factorise_each() {
    constexpr cuda_data_type type = cuda_type(dtype_of<T>);
    cusolver_call call(a_.device());
    T* data = call.writes(a_);
    std::int64_t* wide_pivots = call.writes(wide_pivots_);
    int* pivots = call.writes(pivots_);
    int* info = call.writes(status_.on_device());
    const index_t n = s_.rows;
    if (!wide()) {
      const auto size = static_cast<int>(n);
      int work = 0;
      check_cusolver(cusolver().getrf_size[dtype_of<T>](call.handle(), size, size, data, size, &work),
                     "cusolverDngetrf_bufferSize");
      call.reserve(static_cast<std::size_t>(work) * sizeof(T), 0);
      for (index_t i = 0; i < s_.count; ++i) {
        check_cusolver(cusolver().getrf[dtype_of<T>](call.handle(), size, size, data + i * n * n, size,
                                                     call.work(), pivots + i * n, info + i),
                       "cusolverDngetrf");
      }
      return;
    }
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    GNP_CUSOLVER_CALL(cusolverDnXgetrf_bufferSize, call.handle(), cusolver_params(), n, n, type, data, n, type,
                      &device_bytes, &host_bytes);
    call.reserve(device_bytes, host_bytes);
    for (index_t i = 0; i < s_.count; ++i) {
      GNP_CUSOLVER_CALL(cusolverDnXgetrf, call.handle(), cusolver_params(), n, n, type, data + i * n * n, n,
                        wide_pivots + i * n, type, call.work(), call.work_bytes(), call.host_work(),
                        call.host_work_bytes(), info + i);
    }
  }

  void factorise_batched() {
    matrices_ = matrix_addresses(a_, s_);
    const int n = static_cast<int>(s_.rows);
    with_cublas([&](cublas_handle handle, const submission& work) {
      work.writes(a_);
      check_cublas(
          cublas().getrf_batched[dtype_of<T>](handle, n, addresses(work, matrices_), n, work.writes(pivots_),
                                              work.writes(status_.on_device()), static_cast<int>(s_.count)),
          "cublasgetrfBatched");
    });
  }

  void solve_batched(const array<T>& b, index_t columns) const {
    matrix_stack right = s_;
    right.columns = columns;
    const array<std::int64_t> sides = matrix_addresses(b, right);
    const int n = static_cast<int>(s_.rows);
    with_cublas([&](cublas_handle handle, const submission& work) {
      work.reads(a_);
      work.writes(b);
      int info = 0;  // for errors in the arguments only
      check_cublas(
          cublas().getrs_batched[dtype_of<T>](handle, cublas_operation::as_is, n, static_cast<int>(columns),
                                              addresses(work, matrices_), n, work.reads(pivots_),
                                              addresses(work, sides), n, &info, static_cast<int>(s_.count)),
          "cublasgetrsBatched");
    });
  }

  array<T> a_;
  matrix_stack s_;
  array<real_t<T>> scale_;
  bool batched_;
  factor_status status_;
  array<std::int64_t> matrices_;
  array<std::int64_t> wide_pivots_;
  array<int> pivots_;
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
