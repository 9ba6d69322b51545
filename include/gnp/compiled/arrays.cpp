// SPDX-License-Identifier: MIT
// gnp::compiled: transfers, printing, reductions and random numbers of the usual types.
#include <gnp/gnp.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {
GNP_FOR_REAL_TYPES(GNP_REAL_TEMPLATES, template)
GNP_FOR_INTEGER_TYPES(GNP_INTEGER_TEMPLATES, template)
GNP_FOR_USUAL_TYPES(GNP_TRANSFER_TEMPLATES, template)
}  // namespace detail
GNP_FOR_USUAL_TYPES(GNP_PRINT_TEMPLATES, template)
}}  // namespace gnp::GNP_ABI
