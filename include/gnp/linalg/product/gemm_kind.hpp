// SPDX-License-Identifier: MIT
// The properties by which cuBLAS and cuBLASLt choose a product's kernel.
#pragma once

#include <gnp/libraries/cublas.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What the choice depends on in a product of two matrices, or of two evenly spaced stacks. Column-major, as in
/// cuBLAS: c is m by n.
struct gemm_kind {
  struct operand {
    cublas_operation as;
    index_t leading;    // elements from a column to the next
    index_t step;       // and from a matrix to the next
    index_t alignment;  // of its address, in bytes

    bool operator==(const operand&) const = default;
  };
  cuda_data_type type;
  cuda_data_type scale;  // the type of alpha and beta
  cublas_compute compute;
  index_t m;
  index_t n;
  index_t k;
  index_t count;
  operand a;
  operand b;
  operand c;

  bool operator==(const gemm_kind&) const = default;

  GNP_INLINE std::size_t hash() const {
    std::size_t h = static_cast<std::size_t>(type) * 97 + static_cast<std::size_t>(compute);
    for (const index_t x : {m, n, k, count}) h = h * 1000003 + static_cast<std::size_t>(x);
    for (const operand& o : {a, b, c}) {
      const auto as = static_cast<index_t>(o.as);
      for (const index_t x : {as, o.leading, o.step, o.alignment})
        h = h * 1000003 + static_cast<std::size_t>(x);
    }
    return h ^ h >> 32;
  }
};

/// The largest power of two, 256 at most, that an address is a multiple of.
GNP_INLINE index_t alignment_of(const void* address) {
  const auto bits = reinterpret_cast<std::uintptr_t>(address) | 256;
  return static_cast<index_t>(bits & (~bits + 1));
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
