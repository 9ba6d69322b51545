// SPDX-License-Identifier: MIT
// Singular values of stacks of small matrices on a GPU, in a kernel of gnp's own: one block for each matrix.
#pragma once

#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/gpu/finite_text.hpp>
#include <gnp/linalg/gpu/jacobi_text.hpp>
#include <gnp/linalg/gpu/own_kernel.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// The kernel's parameters for matrices of up to `rows` rows.
struct jacobi_plan {
  int rows = 0;    // 8, 16, 32, 64, 96 or 128
  int lanes = 0;   // threads for a pair of columns
  int stride = 0;  // between columns in shared memory, so that the lanes of several pairs have no bank
                   // conflicts
  int threads = 0;
  std::size_t shared_bytes = 0;
};

GNP_INLINE jacobi_plan plan_jacobi(index_t m, index_t n, dtype type) {
  jacobi_plan plan;
  for (const int rows : {8, 16, 32, 64, 96, 128}) {
    if (plan.rows == 0 && m <= rows) plan.rows = rows;
  }
  plan.lanes = plan.rows <= 32 ? 8 : 16;
  plan.stride = plan.rows + 8;
  const auto pairs = static_cast<int>((n + 1) / 2);
  plan.threads = (pairs * plan.lanes + 31) / 32 * 32;
  plan.shared_bytes = 2 * static_cast<std::size_t>(n) * static_cast<std::size_t>(plan.stride) * itemsize(type);
  return plan;
}

GNP_INLINE std::string jacobi_source(const jacobi_plan& plan, dtype type) {
  const bool single = type == dtype::float32 || type == dtype::complex64;
  const auto constant = [](const char* name, int value) {
    return std::string("constexpr int ") + name + " = " + std::to_string(value) + ";\n";
  };
  const std::string constants =
      constant("rows", plan.rows) + constant("lanes", plan.lanes) +
      constant("per_lane", plan.rows / plan.lanes) + constant("stride", plan.stride) +
      "constexpr real epsilon = " + (single ? "1.1920929e-7f" : "2.220446049250313e-16") +
      ";\nconstexpr real nothing = " + (single ? "1e-30f" : "1e-280") + ";\n" +
      (is_complex(type) ? jacobi_complex_text : jacobi_real_text);
  return linalg_source(device_real(type), constants.c_str(), jacobi_kernel_text);
}

/// The shared memory that is left in addition to what the kernel declares.
GNP_INLINE std::size_t shared_memory_of(const gpu& device) {
  int bytes = 0;
  GNP_CUDA_CALL(cuDeviceGetAttribute, &bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                device.handle);
  return static_cast<std::size_t>(bytes) - 4096;
}

/// Does a matrix of m >= n rows and columns fit the kernel?
GNP_INLINE bool jacobi_fits(const gpu& device, index_t m, index_t n, dtype type) {
  return m <= 128 && n <= m && plan_jacobi(m, n, type).shared_bytes <= shared_memory_of(device);
}

/// A = U diag(s) Vᴴ for each matrix of a stack (m >= n) stored column by column, with U and V stored in the
/// same way.
/// A status of -1 says that a matrix is not finite, 1 that it did not converge.
template <class T>
void jacobi_on_gpu(const array<T>& a, const matrix_stack& s, const array<real_t<T>>& singular,
                   const array<T>& u, const array<T>& v, bool vectors, const factor_status& status) {
  static device_kernel kernels[6];
  const submission work(a.device());
  const jacobi_plan plan = plan_jacobi(s.rows, s.columns, dtype_of<T>);
  const int size = plan.rows <= 32 ? plan.rows / 16 : 1 + plan.rows / 32;
  const CUfunction function =
      kernels[size].on(work.device(), [&plan] { return jacobi_source(plan, dtype_of<T>); });
  // Without this, a launch may have 48 KiB minus what the kernel declares.
  if (plan.shared_bytes > (std::size_t{32} << 10)) {
    GNP_CUDA_CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  static_cast<int>(shared_memory_of(work.device())));
  }
  work.launch(function, blocks_for(s.count, plan.threads, plan.shared_bytes), work.reads(a),
              static_cast<int>(s.rows), static_cast<int>(s.columns), work.writes(singular), work.writes(u),
              work.writes(v), vectors ? 0 : 1, work.writes(status.on_device()));
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
