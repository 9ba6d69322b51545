// SPDX-License-Identifier: MIT
// Includes Eigen, which does the CPU's linear algebra.
#pragma once

#include <atomic>
#include <cstring>
#include <gnp/core/error.hpp>
#include <gnp/cpu/threads.hpp>

// With nvcc, Eigen marks its functions as device functions, and nvcc warns about the functions that they call.
// A .cu file that uses Eigen in its own kernels must include it before gnp.
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

#if GNP_HAS_EIGEN
// Eigen's functions have the same names whatever instructions they are compiled for, and those for AVX expect
// memory that is laid out and aligned differently: a program whose files use Eigen with different -m options
// would crash. So each file that uses Eigen records here, in variables that all files share, which instructions
// it was compiled for.
namespace gnp::all_files {

inline std::atomic<const char*> eigen_instructions{nullptr};
inline std::atomic<bool> eigen_is_mixed{false};

}  // namespace gnp::all_files
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN
GNP_INLINE bool note_use_of_eigen() {
  const char* first = nullptr;
  const char* own = GNP_STRINGIZE(GNP_INSTRUCTIONS);
  if (!all_files::eigen_instructions.compare_exchange_strong(first, own) && std::strcmp(first, own) != 0)
    all_files::eigen_is_mixed = true;
  return true;
}

/// Initialised before main() if the file compiles a function that uses Eigen.
template <class T>
inline const bool uses_eigen = note_use_of_eigen();

/// May Eigen be called for elements of type T?
template <class T>
bool eigen_is_usable() {
  return uses_eigen<T> && !all_files::eigen_is_mixed;
}

/// Throws if Eigen must not be called.
GNP_INLINE void require_eigen(const char* function) {
  if (eigen_is_usable<void>()) return;
  throw error(
      std::string(function) +
      ": files of this program that use Eigen were compiled for different instructions, which Eigen does not "
      "tell apart: give them the same -m options, or compile all but one kind with -DGNP_NO_EIGEN");
}

#endif

/// Calls f(begin, end) for ranges of a result's columns, on all threads; one column takes `work`
/// multiplications.
template <class F>
void parallel_columns(std::int64_t count, std::int64_t work, const F& f) {
  constexpr std::int64_t least = 1 << 20;  // the number of multiplications for which a thread is worthwhile
  parallel_for(count, 16 + least / (work + 1), f);
}

/// For what cannot be done on the CPU without Eigen or a LAPACK.
[[noreturn, gnu::cold]] GNP_INLINE void throw_no_eigen(const char* function) {
  throw error(std::string(function) +
              ": on the CPU this needs Eigen, which was not found when the program was compiled, or a LAPACK, "
              "which is not found now (Debian and Ubuntu: libeigen3-dev, libopenblas0)");
}

}}}  // namespace gnp::GNP_ABI::detail
