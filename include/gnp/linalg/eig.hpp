// SPDX-License-Identifier: MIT
// eig and eigvals of general square matrices. Results are complex: a C++ type cannot depend on the values.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/eig.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

/// Eigenvalues and eigenvectors of each square matrix, always complex.
template <array_like X>
auto eig(const X& x) {
  const detail::asks_for_elements asking("eig");
  return detail::eig_of(detail::operand_as<detail::factor_t<X>>(x), true, "eig");
}

/// The eigenvalues of each square matrix, always complex.
template <array_like X>
auto eigvals(const X& x) {
  const detail::asks_for_elements asking("eigvals");
  return detail::eig_of(detail::operand_as<detail::factor_t<X>>(x), false, "eigvals").eigenvalues;
}

}}}  // namespace gnp::GNP_ABI::linalg
