// SPDX-License-Identifier: MIT
// gnp::compiled: linear algebra of float.
#include <gnp/compiled/linalg.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_LINALG_TEMPLATES(template, float)
}}}  // namespace gnp::GNP_ABI::detail
