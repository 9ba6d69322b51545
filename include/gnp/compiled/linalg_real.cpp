// SPDX-License-Identifier: MIT
// gnp::compiled: linear algebra of real numbers. Both types are in one file, which reads the headers once, and
// share the code that depends on neither.
#include <gnp/compiled/linalg.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_LINALG_TEMPLATES(template, float)
GNP_LINALG_TEMPLATES(template, double)
}}}  // namespace gnp::GNP_ABI::detail
