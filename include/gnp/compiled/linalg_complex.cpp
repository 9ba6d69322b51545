// SPDX-License-Identifier: MIT
// gnp::compiled: linear algebra of complex numbers.
#include <gnp/compiled/linalg.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_LINALG_TEMPLATES(template, complex64)
GNP_LINALG_TEMPLATES(template, complex128)
}}}  // namespace gnp::GNP_ABI::detail
