// SPDX-License-Identifier: MIT
// Least squares by AᴴA x = Aᴴb, for matrices that are far enough from singular.
#pragma once

#include <cmath>
#include <gnp/linalg/common/triangular_inverse.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/norm.hpp>
#include <gnp/linalg/stacks/cholesky.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class W>
struct normal_solution {
  bool found = false;  // if false, the matrix may be closer to singular than allowed
  array<W> x;
};

/// An upper bound of the largest eigenvalue of a positive definite matrix with n columns: the eighth root of
/// the norm of the eighth power. It is too large by a factor of at most n^(1/16).
template <class W>
array<double> bound_of_largest_eigenvalue(const array<W>& x) {
  const array<W> second = matmul(x, x);
  const array<W> fourth = matmul(second, second);
  const array<W> eighth = matmul(fourth, fourth);
  return sqrt(sqrt(sqrt(linalg::norm(eighth))));
}

/// Computes x for the matrix a with m >= n, if the quotient of its largest and smallest singular values is
/// certainly below `most`.
///
/// The error of x grows with the square of that quotient, q² ε. Each step of refinement,
/// x += (AᴴA)⁻¹ Aᴴ(b - A x), multiplies it by q² ε, until only the error from the residual's rounding is
/// left, as after a QR factorisation. (Björck, "Stability analysis of the method of seminormal equations",
/// 1987.) So q is held below 10⁶, and two steps are made.
///
/// This takes only matrix products, one Cholesky factorisation and one triangular inverse, which are fast on a
/// GPU.
template <class W>
normal_solution<W> solve_normal_equations(const array<W>& a, const array<W>& b, double most) {
  const array<W> adjoint = conj(matrix_transpose(a)).eval();
  const array<W> gram = matmul(adjoint, a);
  normal_solution<W> result;

  const array<W> factor = column_major_copy<W>(gram, "lstsq");
  const matrix_stack s = check_square(factor.shape(), "lstsq");
  const factor_status status(1, a.device());
  if (a.device().is_cpu()) {
    cholesky_on_cpu(factor, s, status);
  } else {
#if GNP_HAS_CUDA
    cholesky_on_gpu(factor, s, status);
#endif
  }
  bool positive = true;
  status.check([&positive](index_t, int) { positive = false; });
  if (!positive) return result;

  const array<W> of_factor = inverse_of_lower_triangle(factor);
  const array<W> inverse = matmul(conj(matrix_transpose(of_factor)), of_factor);
  const array<double> squared_quotient =
      bound_of_largest_eigenvalue(gram) * bound_of_largest_eigenvalue(inverse);
  result.x = matmul(inverse, matmul(adjoint, b).eval());
  for (int step = 0; step < 2; ++step) {
    const array<W> missing = b - matmul(a, result.x);
    result.x = result.x + matmul(inverse, matmul(adjoint, missing).eval());
  }
  result.found = std::sqrt(squared_quotient.item()) < (std::min)(most, 1e6);
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
