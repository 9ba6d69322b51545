// SPDX-License-Identifier: MIT
// Balancing: D⁻¹ A D, for a square A, has rows and columns of about the same length. The eigenvalues of
// matrices whose entries differ by orders of magnitude then have more correct digits. After James, Langou and
// Lowery, "On matrix balancing and eigenvector computation" (2014).
#pragma once

#include <gnp/dense/block.hpp>
#include <gnp/dense/types.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// Overwrites a with D⁻¹ a D, and returns the powers of two on D's diagonal: the eigenvectors of a are D times
/// the new ones.
template <class T>
std::vector<real_t<T>> balance(const dense_block<T>& a) {
  using real = real_t<T>;
  const index_t n = a.columns;
  std::vector<real> scale(static_cast<std::size_t>(n), real(1));
  // Larger exponents would bring the matrix near the limits of the range.
  constexpr int most = std::numeric_limits<real>::max_exponent / 4;
  for (bool changed = true; changed;) {
    changed = false;
    for (index_t i = 0; i < n; ++i) {
      // The diagonal entry is in both sums, because without it the scaling would make nearly triangular
      // matrices worse.
      double row = 0;
      double column = 0;
      for (index_t k = 0; k < n; ++k) {
        column += std::norm(complex128(a(k, i)));
        row += std::norm(complex128(a(i, k)));
      }
      if (!(row > 0 && column > 0)) continue;
      const int e = static_cast<int>(std::lround((std::log2(row) - std::log2(column)) / 4));
      const double scaled = std::sqrt(std::ldexp(column, 2 * e)) + std::sqrt(std::ldexp(row, -2 * e));
      if (e == 0 || scaled >= 0.95 * (std::sqrt(row) + std::sqrt(column))) continue;
      real& factor = scale[static_cast<std::size_t>(i)];
      if (std::abs(std::ilogb(factor) + e) > most) continue;
      factor = std::ldexp(factor, e);
      const real by = std::ldexp(real(1), e);
      for (index_t k = 0; k < n; ++k) {
        a(k, i) *= by;
        a(i, k) /= by;
      }
      changed = true;
    }
  }
  return scale;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
