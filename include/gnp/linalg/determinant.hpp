// SPDX-License-Identifier: MIT
// det and slogdet, from the diagonal of LU.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/determinant.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

/// The determinant of each matrix.
template <array_like X>
auto det(const X& x) {
  return detail::determinant_of(detail::operand_as<detail::factor_t<X>>(x));
}
/// For a matrix in braces.
template <scalar_like Number>
auto det(std::initializer_list<std::initializer_list<Number>> x) {
  return det(asarray(x));
}

/// The sign (for complex, the phase) of each determinant and the logarithm of its magnitude.
template <array_like X>
auto slogdet(const X& x) {
  return detail::logarithm_of_determinant(detail::operand_as<detail::factor_t<X>>(x));
}

}}}  // namespace gnp::GNP_ABI::linalg
