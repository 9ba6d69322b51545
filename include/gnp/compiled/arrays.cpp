// SPDX-License-Identifier: MIT
// gnp::compiled: transfers, sorts, printing, comparisons, reductions and random numbers of the usual types, and
// a GPU's products.
#include <gnp/gnp.hpp>
#if GNP_HAS_CUDA
#include <gnp/linalg/product/gemm_gpu.hpp>
#include <gnp/linalg/product/gemm_kernel.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace detail {
GNP_FOR_REAL_TYPES(GNP_REAL_TEMPLATES, template)
GNP_FOR_INTEGER_TYPES(GNP_INTEGER_TEMPLATES, template)
GNP_BOOL_TEMPLATES(template)
GNP_FOR_USUAL_TYPES(GNP_TRANSFER_TEMPLATES, template)
GNP_FOR_USUAL_TYPES(GNP_SORT_TEMPLATES, template)
GNP_FOR_RANGE_TYPES(GNP_RANGE_TEMPLATES, template)
GNP_PRODUCTS_OF_GPU(template)
}  // namespace detail
GNP_FOR_USUAL_TYPES(GNP_COMPARISON_TEMPLATES, template)
GNP_FOR_USUAL_TYPES(GNP_PRINT_TEMPLATES, template)
}}  // namespace gnp::GNP_ABI
