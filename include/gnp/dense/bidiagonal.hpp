// SPDX-License-Identifier: MIT
// The singular value decomposition of a bidiagonal matrix, by implicitly shifted QR iterations, on the CPU.
#pragma once

#include <cmath>
#include <cstdint>
#include <gnp/core/config.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The rotation that turns (f, g) into (r, 0). Returns r.
GNP_INLINE double make_rotation(double f, double g, double& c, double& s) {
  if (g == 0) {
    c = 1;
    s = 0;
    return f;
  }
  const double squares = f * f + g * g;
  // hypot is ten times slower, and so is used only where the squares leave the range.
  const bool safe = squares > 1e-280 && squares < 1e280;
  const double r = std::copysign(safe ? std::sqrt(squares) : std::hypot(f, g), f);
  c = f / r;
  s = g / r;
  return r;
}

/// Columns that are rotated along with the matrix, or none at all.
class turned_columns {
 public:
  turned_columns() = default;
  turned_columns(double* data, std::int64_t rows) : data_(data), rows_(rows) {}

  /// Rotates two columns by adding a change to each, which is small if the angle is small. Multiplying by the
  /// cosine itself, which is rounded, would make the columns drift.
  GNP_INLINE void rotate(std::int64_t column, std::int64_t other, double c, double s) {
    if (data_ == nullptr || s == 0) return;
    const double tau = s / (1 + c);
    double* x = data_ + column * rows_;
    double* y = data_ + other * rows_;
    for (std::int64_t r = 0; r < rows_; ++r) {
      const double a = x[r];
      const double b = y[r];
      x[r] = a + (b - a * tau) * s;
      y[r] = b - (a + b * tau) * s;
    }
  }

 private:
  double* data_ = nullptr;
  std::int64_t rows_ = 0;
};

/// Diagonalises the matrix with the diagonal d and e above it, and rotates the columns of u and v along. The
/// values left in d may have either sign and any order. `eps` is what counts as small compared with 1. False if
/// the iteration does not converge.
GNP_INLINE bool diagonalise(std::vector<double>& d, std::vector<double>& e, turned_columns u, turned_columns v,
                            double eps) {
  const auto n = static_cast<std::int64_t>(d.size());
  const auto at = [](std::vector<double>& x, std::int64_t i) -> double& {
    return x[static_cast<std::size_t>(i)];
  };
  double size = 0;
  for (std::int64_t i = 0; i < n; ++i) size = std::fmax(size, std::fabs(at(d, i)));
  for (std::int64_t i = 0; i + 1 < n; ++i) size = std::fmax(size, std::fabs(at(e, i)));
  const double nothing = size * eps;  // what may be set to zero without a trace in the residual

  std::int64_t steps = 60 * n + 100;
  std::int64_t hi = n - 1;
  while (hi > 0) {
    if (--steps < 0) return false;
    // The last block without a zero above the diagonal.
    std::int64_t lo = hi;
    while (lo > 0) {
      double& above = at(e, lo - 1);
      if (std::fabs(above) <= eps * (std::fabs(at(d, lo - 1)) + std::fabs(at(d, lo))) ||
          std::fabs(above) <= nothing * 0.01) {
        above = 0;
        break;
      }
      --lo;
    }
    if (lo == hi) {
      --hi;
      continue;
    }
    // A zero on the diagonal: rotations with the rows below clear the entry next to it. For the last zero,
    // rotations with the columns before clear the entry above it.
    std::int64_t zero = -1;
    for (std::int64_t k = lo; k <= hi && zero < 0; ++k) {
      if (std::fabs(at(d, k)) <= nothing * 0.01) zero = k;
    }
    double c = 0;
    double s = 0;
    if (zero >= 0 && zero < hi) {
      at(d, zero) = 0;
      double f = at(e, zero);
      at(e, zero) = 0;
      for (std::int64_t k = zero + 1; k <= hi && f != 0; ++k) {
        at(d, k) = make_rotation(at(d, k), f, c, s);
        u.rotate(k, zero, c, s);
        if (k == hi) break;
        f = -s * at(e, k);
        at(e, k) *= c;
      }
      continue;
    }
    if (zero == hi) {
      at(d, hi) = 0;
      double f = at(e, hi - 1);
      at(e, hi - 1) = 0;
      for (std::int64_t k = hi - 1; k >= lo && f != 0; --k) {
        at(d, k) = make_rotation(at(d, k), f, c, s);
        v.rotate(k, hi, c, s);
        if (k == lo) break;
        f = -s * at(e, k - 1);
        at(e, k - 1) *= c;
      }
      continue;
    }
    // The shift: of the two eigenvalues of the last 2 x 2 block of BᵀB, the one that is nearer to its last
    // entry.
    const double before = hi - 1 > lo ? at(e, hi - 2) / size : 0;
    const double d1 = at(d, hi - 1) / size;
    const double d2 = at(d, hi) / size;
    const double e1 = at(e, hi - 1) / size;
    const double a = d1 * d1 + before * before;
    const double b = d2 * d2 + e1 * e1;
    const double ab = d1 * e1;
    const double half = (a - b) / 2;
    const double root = std::hypot(half, ab);
    const double shift = b - (root == 0 ? 0 : ab * (ab / (half + std::copysign(root, half))));
    const double first = at(d, lo) / size;
    // f and g are the first column of BᵀB minus the shift, both divided by B's first entry.
    double f = first - shift / first;
    double g = at(e, lo) / size;
    for (std::int64_t k = lo; k < hi; ++k) {
      const double r = make_rotation(f, g, c, s);
      if (k > lo) at(e, k - 1) = r;
      v.rotate(k, k + 1, c, s);
      f = c * at(d, k) + s * at(e, k);
      at(e, k) = c * at(e, k) - s * at(d, k);
      g = s * at(d, k + 1);
      at(d, k + 1) *= c;
      at(d, k) = make_rotation(f, g, c, s);
      u.rotate(k, k + 1, c, s);
      f = c * at(e, k) + s * at(d, k + 1);
      at(d, k + 1) = c * at(d, k + 1) - s * at(e, k);
      if (k + 1 < hi) {
        g = s * at(e, k + 1);
        at(e, k + 1) *= c;
      }
    }
    at(e, hi - 1) = f;
  }
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail
