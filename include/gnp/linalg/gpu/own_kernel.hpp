// SPDX-License-Identifier: MIT
// What linalg's own kernels have in common.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/core/dtype.hpp>
#include <gnp/cuda/kernel.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One block for each matrix (or column, or part).
GNP_INLINE launch_shape blocks_for(index_t count, int threads = 256, std::size_t shared_bytes = 0) {
  if (static_cast<std::uint64_t>(count) > most_blocks)
    throw error(std::string("linalg: ") + std::to_string(count) +
                " matrices or columns are more than one launch can cover");
  return {.blocks = static_cast<std::uint64_t>(count),
          .threads = static_cast<unsigned>(threads),
          .shared_bytes = shared_bytes};
}

/// "float" or "double": what a real or complex type is made of.
constexpr const char* device_real(dtype d) {
  return d == dtype::float32 || d == dtype::complex64 ? "float" : "double";
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
