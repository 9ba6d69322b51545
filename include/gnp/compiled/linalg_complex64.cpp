// SPDX-License-Identifier: MIT
// gnp::compiled: linear algebra of complex64.
#include <gnp/gnp.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_LINALG_TEMPLATES(template, complex64)
}}}  // namespace gnp::GNP_ABI::detail
