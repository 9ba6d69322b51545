// SPDX-License-Identifier: MIT
// Matrix products on the GPU through cuBLAS: one call for a product, a stack of products, or a vector.
#pragma once

#include <gnp/libraries/cublas.hpp>
#include <gnp/linalg/product/allow_tf32.hpp>
#include <gnp/linalg/product/gemm_job.hpp>
#include <gnp/linalg/product/gemm_plan.hpp>

#if GNP_HAS_CUDA
namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class T>
cublas_compute compute_type() {
  if (dtype_of<T> == dtype::float64 || dtype_of<T> == dtype::complex128) return cublas_compute::float64;
  return sizeof(T) > 2 && linalg::allow_tf32::allowed() ? cublas_compute::tf32 : cublas_compute::float32;
}

GNP_INLINE cublas_operation operation_of(const gemm_form& f) {
  return f.transposed ? cublas_operation::transposed : cublas_operation::as_is;
}

/// The addresses of a stack's matrices, on the device. When the call that copies them returns, it no longer
/// needs the host's memory.
GNP_INLINE storage_ref gemm_pointers(const submission& work, const gemm_job& j, device where) {
  const index_t count = j.batch_count();
  std::vector<char*> pointers(static_cast<std::size_t>(3 * count));
  char** next = pointers.data();
  for_each_batch(j, 0, count, [&next, count](char* a, char* b, char* c) {
    next[0] = a;
    next[count] = b;
    next[2 * count] = c;
    ++next;
  });
  const std::size_t bytes = pointers.size() * sizeof(char*);
  storage_ref memory = storage_ref::allocate(bytes, where);
  GNP_CUDA_CALL(cuMemcpyHtoDAsync, reinterpret_cast<CUdeviceptr>(memory->data),
                source_of_copy(work.stream(), pointers.data(), bytes), bytes, work.handle());
  return memory;
}

/// Is it a matrix times a vector, of a type and layout that cuBLAS supports?
template <class T>
bool is_by_vector(const gemm_job& j) {
  return sizeof(T) > 2 && j.n == 1 && j.m > 1 && j.batch_rank == 0 && j.b.row > 0 && j.c.row > 0;
}

template <class T>
void multiply_vector(cublas_handle handle, const gemm_job& j, const gemm_scalar<T>& alpha,
                     const gemm_scalar<T>& beta) {
  if constexpr (sizeof(T) > 2) {
    const gemm_form a = form_of(j.m, j.k, j.a.row, j.a.column);
    check_cublas(
        cublas().gemv[dtype_of<T>](handle, operation_of(a), a.transposed ? j.k : j.m, a.transposed ? j.m : j.k,
                                   &alpha, j.a.data, a.leading, j.b.data, j.b.row, &beta, j.c.data, j.c.row),
        "cublasgemv");
  }
}

/// A row times a column: the sum of a[i] b[i], left on the device.
template <class T>
void multiply_row_by_column(cublas_handle handle, const gemm_job& j) {
  constexpr cuda_data_type type = cuda_type(dtype_of<T>);
  GNP_CUBLAS_CALL(cublasSetPointerMode_v2, handle, cublas_pointer_mode::device);
  const cublas_status status =
      cublas().cublasDotEx_64(handle, j.k, j.a.data, type, j.a.column, j.b.data, type, j.b.row, j.c.data, type,
                              sizeof(T) == 2 ? cuda_data_type::float32 : type);
  GNP_CUBLAS_CALL(cublasSetPointerMode_v2, handle, cublas_pointer_mode::host);
  check_cublas(status, "cublasDotEx");
}

/// Is the product so short (about 10 us) that cuBLAS's choice of a kernel takes a noticeable part of the time?
/// False for many tiny matrices: cuBLAS has kernels for them that cuBLASLt does not propose, which take half as
/// long for 100000 matrices of 3 x 3 halves.
template <class T>
bool is_brief_product(const gemm_job& j) {
  constexpr double weight = is_complex(dtype_of<T>) ? 4 : sizeof(T) == 2 ? 0.25 : 1;
  const double work = static_cast<double>(j.m) * static_cast<double>(j.n) * static_cast<double>(j.k);
  const auto count = static_cast<double>(j.batch_count());
  return weight * work * count <= 1 << 28 && (count == 1 || work >= 4096);
}

/// Multiplies with a cached plan, if that is worthwhile, and returns whether it did. c must be column-major,
/// and the stack evenly spaced.
template <class T>
bool multiply_as_planned(cublas_handle handle, const cublas_stream& library, const submission& work,
                         const gemm_job& j, const gemm_form& a, const gemm_form& b, index_t c_leading,
                         const gemm_scalar<T>& alpha, const gemm_scalar<T>& beta) {
  const bool stacked = j.batch_rank == 1;
  const auto operand = [stacked](const gemm_operand& o, cublas_operation as, index_t leading) {
    return gemm_kind::operand{as, leading, stacked ? o.batch[0] : 0, alignment_of(o.data)};
  };
  const gemm_kind kind = {cuda_type(dtype_of<T>),
                          cuda_type(dtype_of<gemm_scalar<T>>),
                          compute_type<T>(),
                          j.m,
                          j.n,
                          j.k,
                          j.batch_count(),
                          operand(j.a, operation_of(a), a.leading),
                          operand(j.b, operation_of(b), b.leading),
                          operand(j.c, cublas_operation::as_is, c_leading)};
  constexpr index_t farthest = 0x7fffffff;  // columns farther apart are left to cuBLAS
  if ((std::max)({kind.a.leading, kind.b.leading, kind.c.leading}) > farthest) return false;
  gemm_plans& plans = resource_of<gemm_plans>(work.stream());
  if (!is_brief_product<T>(j) && plans.recipe_for(kind) == nullptr) return false;
  const gemm_plan& plan = plans.find(handle, kind, library.workspace_bytes());
  if (!plan.usable()) return false;
  // Recorded products need not wait for each other, so each gets its own work space.
  const bool recorded = work.stream()->recorded != nullptr;
  const storage_ref own = recorded && plan.workspace_bytes() > 0
                              ? storage_ref::allocate(plan.workspace_bytes(), j.c.block->device)
                              : storage_ref(j.c.block->device);
  plan.run(handle, &alpha, j.a.data, j.b.data, &beta, j.c.data, recorded ? own->data : library.workspace(),
           work.handle());
  return true;
}

template <class T>
void multiply_on_gpu(gemm_job& j, gemm_scalar<T> alpha, gemm_scalar<T> beta) {
  const device where = j.c.block->device;
  const submission work(where);
  work.reads(*j.a.block);
  work.reads(*j.b.block);
  work.writes(*j.c.block);
  simplify(j);
  if (j.m == 1 && j.n > 1) transpose(j);

  constexpr cuda_data_type type = cuda_type(dtype_of<T>);
  const cublas_compute compute = compute_type<T>();
  const index_t batches = j.batch_count();
  bool strided = j.batch_rank <= 1;
  if (j.batch_rank == 1) {
    for (const gemm_operand* o : {&j.a, &j.b, &j.c}) strided = strided && o->batch[0] >= 0;
  }
  const storage_ref pointers = strided ? storage_ref() : gemm_pointers(work, j, where);

  cublas_stream& library = resource_of<cublas_stream>(work.stream());
  library.without_workspace([&](cublas_handle handle) {
    const auto with_workspace = [&] { work.occupies(library.workspace(), library.workspace_bytes()); };
    const bool plain = alpha == gemm_scalar<T>(1) && beta == gemm_scalar<T>(0);
    if (plain && j.m == 1 && j.n == 1 && j.batch_rank == 0 && j.a.column > 0 && j.b.row > 0) {
      with_workspace();
      return multiply_row_by_column<T>(handle, j);
    }
    if (is_by_vector<T>(j)) {
      with_workspace();
      return multiply_vector<T>(handle, j, alpha, beta);
    }
    // A vector may have any stride: read as a row, its stride is a leading dimension.
    if (!column_major(j.m, j.n, j.c.row, j.c.column)) transpose(j);
    const gemm_form a = form_of(j.m, j.k, j.a.row, j.a.column);
    const gemm_form b = form_of(j.k, j.n, j.b.row, j.b.column);
    const index_t c_leading = j.n == 1 ? j.m : j.c.column;
    const cublas_operation a_as = operation_of(a);
    const cublas_operation b_as = operation_of(b);
    if (strided && multiply_as_planned<T>(handle, library, work, j, a, b, c_leading, alpha, beta)) return;
    with_workspace();
    if (!strided) {
      auto** const addresses = static_cast<void**>(pointers->data);
      GNP_CUBLAS_CALL(cublasGemmBatchedEx_64, handle, a_as, b_as, j.m, j.n, j.k, &alpha, addresses, type,
                      a.leading, addresses + batches, type, b.leading, &beta, addresses + 2 * batches, type,
                      c_leading, batches, compute, cublas_algorithm::standard);
    } else if (j.batch_rank == 1) {
      GNP_CUBLAS_CALL(cublasGemmStridedBatchedEx_64, handle, a_as, b_as, j.m, j.n, j.k, &alpha, j.a.data, type,
                      a.leading, j.a.batch[0], j.b.data, type, b.leading, j.b.batch[0], &beta, j.c.data, type,
                      c_leading, j.c.batch[0], batches, compute, cublas_algorithm::standard);
    } else {
      GNP_CUBLAS_CALL(cublasGemmEx_64, handle, a_as, b_as, j.m, j.n, j.k, &alpha, j.a.data, type, a.leading,
                      j.b.data, type, b.leading, &beta, j.c.data, type, c_leading, compute,
                      cublas_algorithm::standard);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
#endif
