// SPDX-License-Identifier: MIT
// cholesky: A = L Lᴴ.
#pragma once

#include <gnp/linalg/common/factorisations.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/cholesky.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

struct cholesky_options {
  by_name only = by_name();
  bool upper = false;  // the factor U of A = Uᴴ U, from the upper triangle of A
};

/// The lower triangular L with A = L Lᴴ of each Hermitian matrix A. Only A's lower triangle is read.
template <array_like X>
auto cholesky(const X& x, cholesky_options options = {}) {
  return detail::cholesky_of(detail::operand_as<detail::factor_t<X>>(x), options.upper);
}

}}}  // namespace gnp::GNP_ABI::linalg
