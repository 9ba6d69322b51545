// SPDX-License-Identifier: MIT
// Q and R of stacks of small matrices on a GPU, in a kernel of gnp's own: one block for each matrix.
#pragma once

#include <gnp/linalg/gpu/jacobi.hpp>
#include <gnp/linalg/gpu/qr_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

GNP_INLINE std::size_t small_qr_bytes(index_t m, index_t columns, dtype type) {
  const index_t stride = m % 2 == 0 ? m + 1 : m;
  return static_cast<std::size_t>(stride * columns) * itemsize(type);
}

/// Does a matrix, with as many columns as the wider of A and Q, fit the kernel?
GNP_INLINE bool small_qr_fits(const gpu& device, index_t m, index_t columns, dtype type) {
  return m <= 512 && columns <= 512 && small_qr_bytes(m, columns, type) + 8192 <= shared_memory_of(device);
}

GNP_INLINE std::string small_qr_source(dtype type) {
  return linalg_source(device_real(type), is_complex(type) ? jacobi_complex_text : jacobi_real_text,
                       qr_kernel_text);
}

/// `a` is stored column by column, without gaps; q (which is not computed if it has no columns) and r row by
/// row.
template <class T>
void small_qr_on_gpu(const array<T>& a, const matrix_stack& s, index_t q_columns, const array<T>& q,
                     index_t kept, const array<T>& r) {
  static device_kernel factorisation;
  const submission work(a.device());
  const CUfunction function = factorisation.on(work.device(), [] { return small_qr_source(dtype_of<T>); });
  const index_t columns = (std::max)(s.columns, q_columns);
  const std::size_t bytes = small_qr_bytes(s.rows, columns, dtype_of<T>);
  if (bytes > (std::size_t{32} << 10)) {
    GNP_CUDA_CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  static_cast<int>(shared_memory_of(work.device()) - 8192));
  }
  const int threads = columns <= 8 ? 64 : columns <= 16 ? 128 : columns <= 48 ? 256 : 512;
  work.launch(function, blocks_for(s.count, threads, bytes), work.reads(a), static_cast<int>(s.rows),
              static_cast<int>(s.columns), static_cast<int>(q_columns), static_cast<int>(kept), work.writes(q),
              work.writes(r));
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
