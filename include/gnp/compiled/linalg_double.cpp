// SPDX-License-Identifier: MIT
// gnp::compiled: linear algebra of double.
#include <gnp/compiled/linalg.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_LINALG_TEMPLATES(template, double)
}}}  // namespace gnp::GNP_ABI::detail
