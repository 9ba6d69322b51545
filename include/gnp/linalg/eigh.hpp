// SPDX-License-Identifier: MIT
// eigh and eigvalsh: A = V diag(w) Vᴴ of Hermitian matrices, eigenvalues ascending.
#pragma once

#include <gnp/linalg/common/factorisations.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/eigh.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

struct eigh_options {
  by_name only = by_name();
  char UPLO = 'L';  // the triangle that is read
};

/// Eigenvalues, ascending, and orthonormal eigenvectors of Hermitian matrices.
template <array_like X>
auto eigh(const X& x, eigh_options options = {}) {
  return detail::eigh_of(detail::operand_as<detail::factor_t<X>>(x), options.UPLO, true, "eigh");
}

/// The eigenvalues of Hermitian matrices, ascending.
template <array_like X>
auto eigvalsh(const X& x, eigh_options options = {}) {
  return detail::eigh_of(detail::operand_as<detail::factor_t<X>>(x), options.UPLO, false, "eigvalsh")
      .eigenvalues;
}

}}}  // namespace gnp::GNP_ABI::linalg
