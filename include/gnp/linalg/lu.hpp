// SPDX-License-Identifier: MIT
// A = P L U on a GPU, for solve, inv and det: one matrix at a time, or a stack of small ones at once.
#pragma once

#include <gnp/linalg/cusolver.hpp>
#include <gnp/linalg/finite.hpp>
#include <gnp/linalg/status.hpp>

namespace gnp::inline GNP_ABI::detail {

#if GNP_HAS_CUDA

/// Stacks up to this size go to cuBLAS's batched functions, larger matrices to cuSOLVER one by one.
inline constexpr index_t largest_batched_lu = 256;
/// Up to here the functions with 32-bit sizes and pivots: getrs is 30 to 90 µs faster with them (H200,
/// CUDA 13.0).
inline constexpr index_t largest_int_lu = 30000;

template <class T>
class gpu_lu {
 public:
  /// Overwrites `a`, a stack without gaps stored column by column.
  gpu_lu(const array<T>& a, const matrix_stack& s)
      : a_(a),
        s_(s),
        batched_(s.count > 1 && s.rows <= largest_batched_lu),
        status_(s.count, a.device()),
        matrices_(shape_t{0}, a.device()),
        wide_pivots_(shape_t{s.rows > largest_int_lu ? s.count * s.rows : 0}, a.device()),
        pivots_(shape_t{s.rows > largest_int_lu ? 0 : s.count * s.rows}, a.device()) {
    if (batched_) {
      factorise_batched();
    } else {
      factorise_each();
    }
  }

  const factor_status& status() const { return status_; }
  const array<T>& factors() const { return a_; }

  /// The row that each row was swapped with, counted from 1: 32 bits wide, or 64.
  const void* pivots() const {
    return wide() ? static_cast<const void*>(wide_pivots_.data()) : static_cast<const void*>(pivots_.data());
  }
  int pivot_bytes() const { return wide() ? 8 : 4; }

  /// Overwrites b, of `columns` right sides for each matrix, with the solutions.
  void solve(const array<T>& b, index_t columns) const {
    if (columns == 0) return;
    if (batched_) return solve_batched(b, columns);
    constexpr cuda_data_type type = cuda_type(dtype_of<T>);
    cusolver_call call(a_.device());
    const factor_status unused(1, a_.device());
    const T* factors = call.use(a_);
    const std::int64_t* wide_pivots = call.use(wide_pivots_);
    const int* pivots = call.use(pivots_);
    T* right = call.use(b);
    int* info = call.use(unused.on_device());
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

  /// The inverses of a batched stack.
  array<T> inverse_batched() const {
    const array<T> result = column_major_empty<T>(a_.shape(), a_.device(), "inv");
    const array<std::int64_t> results = matrix_addresses(result, s_);
    const factor_status unused(s_.count, a_.device());
    const int n = static_cast<int>(s_.rows);
    with_cublas([&](cublas_handle handle, stream_state* stream) {
      for (storage* block : {a_.block().get(), matrices_.block().get(), pivots_.block().get(),
                             result.block().get(), results.block().get(), unused.on_device().block().get()}) {
        use_on_stream(*block, stream);
      }
      check_cublas(
          cublas().getri_batched[dtype_of<T>](handle, n, addresses(matrices_), n, pivots_.data(),
                                              addresses(results), n, unused.data(), static_cast<int>(s_.count)),
          "cublasgetriBatched");
    });
    return result;
  }
  bool batched() const { return batched_; }

 private:
  bool wide() const { return s_.rows > largest_int_lu; }

  static void* const* addresses(const array<std::int64_t>& list) {
    return reinterpret_cast<void* const*>(list.data());
  }

  template <class F>
  void with_cublas(const F& f) const {
    stream_state* stream = current_stream(activate(a_.device().ordinal()));
    resource_of<cublas_stream>(stream).with_handle([&](cublas_handle handle) { f(handle, stream); });
  }

  void factorise_each() {
    constexpr cuda_data_type type = cuda_type(dtype_of<T>);
    cusolver_call call(a_.device());
    T* data = call.use(a_);
    std::int64_t* wide_pivots = call.use(wide_pivots_);
    int* pivots = call.use(pivots_);
    int* info = call.use(status_.on_device());
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
    with_cublas([&](cublas_handle handle, stream_state* stream) {
      for (storage* block : {a_.block().get(), matrices_.block().get(), pivots_.block().get(),
                             status_.on_device().block().get()}) {
        use_on_stream(*block, stream);
      }
      check_cublas(cublas().getrf_batched[dtype_of<T>](handle, n, addresses(matrices_), n, pivots_.data(),
                                                       status_.data(), static_cast<int>(s_.count)),
                   "cublasgetrfBatched");
    });
  }

  void solve_batched(const array<T>& b, index_t columns) const {
    matrix_stack right = s_;
    right.columns = columns;
    const array<std::int64_t> sides = matrix_addresses(b, right);
    const int n = static_cast<int>(s_.rows);
    with_cublas([&](cublas_handle handle, stream_state* stream) {
      for (storage* block : {a_.block().get(), matrices_.block().get(), pivots_.block().get(), b.block().get(),
                             sides.block().get()}) {
        use_on_stream(*block, stream);
      }
      int info = 0;  // of the arguments only
      check_cublas(cublas().getrs_batched[dtype_of<T>](
                       handle, cublas_operation::as_is, n, static_cast<int>(columns), addresses(matrices_), n,
                       pivots_.data(), addresses(sides), n, &info, static_cast<int>(s_.count)),
                   "cublasgetrsBatched");
    });
  }

  array<T> a_;
  matrix_stack s_;
  bool batched_;
  factor_status status_;
  array<std::int64_t> matrices_;
  array<std::int64_t> wide_pivots_;
  array<int> pivots_;
};

#endif

}  // namespace gnp::inline GNP_ABI::detail
