// SPDX-License-Identifier: MIT
// gnp::compiled: products of matrices on a GPU.
#include <gnp/gnp.hpp>
#if GNP_HAS_CUDA
#include <gnp/linalg/product/gemm_gpu.hpp>
#include <gnp/linalg/product/gemm_kernel.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_PRODUCTS_OF_GPU(template)
}}}  // namespace gnp::GNP_ABI::detail
