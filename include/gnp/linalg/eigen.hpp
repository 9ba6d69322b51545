// SPDX-License-Identifier: MIT
// Includes Eigen, which does the CPU's linear algebra.
#pragma once

#include <gnp/core/error.hpp>
#include <gnp/cpu/threads.hpp>

// Eigen marks its functions for the device under nvcc, which then warns of what they call. A .cu file that uses
// Eigen in its own kernels includes it before gnp.
#if defined(__CUDACC__) && !defined(EIGEN_CORE_H) && !defined(EIGEN_NO_CUDA)
#define EIGEN_NO_CUDA
#endif
#if GNP_HAS_EIGEN
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#else
#include <eigen3/Eigen/Core>
#endif
#if !EIGEN_VERSION_AT_LEAST(3, 4, 0)
#error "gnp: linalg on the CPU needs Eigen 3.4 or newer"
#endif
#endif

namespace gnp::inline GNP_ABI::detail {

/// f(begin, end) over the columns of a result, on all threads; `work` is the multiplications that one takes.
template <class F>
void parallel_columns(std::int64_t count, std::int64_t work, const F& f) {
  constexpr std::int64_t least = 1 << 20;  // multiplications worth a thread
  parallel_for(count, 16 + least / (work + 1), f);
}

/// For what cannot be done on the CPU with neither Eigen nor a LAPACK.
[[noreturn, gnu::cold]] inline void throw_no_eigen(const char* function) {
  throw error(std::string(function) +
              ": on the CPU this needs Eigen, which was not found when the program was compiled, or a LAPACK, "
              "which is not found now (Debian and Ubuntu: libeigen3-dev, libopenblas0)");
}

}  // namespace gnp::inline GNP_ABI::detail
