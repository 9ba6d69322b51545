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

/// The iteration that diagonalises the matrix B with the diagonal d and e above it, and rotates the columns of
/// u and v along.
class bidiagonal_iteration {
 public:
  bidiagonal_iteration(std::vector<double>& d, std::vector<double>& e, turned_columns u, turned_columns v,
                       double eps)
      : d_(d.data()), e_(e.data()), rows_(static_cast<std::int64_t>(d.size())), u_(u), v_(v), eps_(eps) {
    for (std::int64_t i = 0; i < rows_; ++i) size_ = std::fmax(size_, std::fabs(d_[i]));
    for (std::int64_t i = 0; i + 1 < rows_; ++i) size_ = std::fmax(size_, std::fabs(e_[i]));
    nothing_ = size_ * eps * 0.01;
  }

  /// False if the iteration does not converge.
  GNP_INLINE bool run() {
    std::int64_t steps = 60 * rows_ + 100;
    std::int64_t hi = rows_ - 1;
    while (hi > 0) {
      if (--steps < 0) return false;
      const std::int64_t lo = beginning_of_block(hi);
      const std::int64_t zero = lo == hi ? -1 : zero_on_diagonal(lo, hi);
      if (lo == hi) {
        --hi;
      } else if (zero == hi) {
        clear_above_last(lo, hi);
      } else if (zero >= 0) {
        clear_right_of(zero, hi);
      } else {
        sweep(lo, hi);
      }
    }
    return true;
  }

 private:
  /// The last block that ends at `hi` and has no zero above the diagonal begins here. What is small enough is
  /// set to zero.
  GNP_INLINE std::int64_t beginning_of_block(std::int64_t hi) {
    for (std::int64_t lo = hi; lo > 0; --lo) {
      double& above = e_[lo - 1];
      if (std::fabs(above) <= eps_ * (std::fabs(d_[lo - 1]) + std::fabs(d_[lo])) ||
          std::fabs(above) <= nothing_) {
        above = 0;
        return lo;
      }
    }
    return 0;
  }
  /// The first zero on the diagonal of a block; -1 if there is none.
  GNP_INLINE std::int64_t zero_on_diagonal(std::int64_t lo, std::int64_t hi) const {
    for (std::int64_t k = lo; k <= hi; ++k) {
      if (std::fabs(d_[k]) <= nothing_) return k;
    }
    return -1;
  }
  /// Rotations with the rows below clear the entry to the right of a zero on the diagonal.
  GNP_INLINE void clear_right_of(std::int64_t zero, std::int64_t hi) {
    double c = 0;
    double s = 0;
    d_[zero] = 0;
    double f = e_[zero];
    e_[zero] = 0;
    for (std::int64_t k = zero + 1; k <= hi && f != 0; ++k) {
      d_[k] = make_rotation(d_[k], f, c, s);
      u_.rotate(k, zero, c, s);
      if (k == hi) break;
      f = -s * e_[k];
      e_[k] *= c;
    }
  }
  /// Where the block's last diagonal entry is zero, rotations with the columns before clear the entry above it.
  GNP_INLINE void clear_above_last(std::int64_t lo, std::int64_t hi) {
    double c = 0;
    double s = 0;
    d_[hi] = 0;
    double f = e_[hi - 1];
    e_[hi - 1] = 0;
    for (std::int64_t k = hi - 1; k >= lo && f != 0; --k) {
      d_[k] = make_rotation(d_[k], f, c, s);
      v_.rotate(k, hi, c, s);
      if (k == lo) break;
      f = -s * e_[k - 1];
      e_[k - 1] *= c;
    }
  }
  /// Of the two eigenvalues of the last 2 x 2 block of BᵀB, the one that is nearer to its last entry. Of B
  /// divided by its size.
  GNP_INLINE double shift(std::int64_t lo, std::int64_t hi) const {
    const double before = hi - 1 > lo ? e_[hi - 2] / size_ : 0;
    const double d1 = d_[hi - 1] / size_;
    const double d2 = d_[hi] / size_;
    const double e1 = e_[hi - 1] / size_;
    const double a = d1 * d1 + before * before;
    const double b = d2 * d2 + e1 * e1;
    const double ab = d1 * e1;
    const double half = (a - b) / 2;
    const double root = std::hypot(half, ab);
    return b - (root == 0 ? 0 : ab * (ab / (half + std::copysign(root, half))));
  }
  /// A step of the iteration on a block, which brings its last entry above the diagonal closer to zero.
  GNP_INLINE void sweep(std::int64_t lo, std::int64_t hi) {
    double c = 0;
    double s = 0;
    const double first = d_[lo] / size_;
    // f and g are the first column of BᵀB minus the shift, both divided by B's first entry.
    double f = first - shift(lo, hi) / first;
    double g = e_[lo] / size_;
    for (std::int64_t k = lo; k < hi; ++k) {
      const double r = make_rotation(f, g, c, s);
      if (k > lo) e_[k - 1] = r;
      v_.rotate(k, k + 1, c, s);
      f = c * d_[k] + s * e_[k];
      e_[k] = c * e_[k] - s * d_[k];
      g = s * d_[k + 1];
      d_[k + 1] *= c;
      d_[k] = make_rotation(f, g, c, s);
      u_.rotate(k, k + 1, c, s);
      f = c * e_[k] + s * d_[k + 1];
      d_[k + 1] = c * d_[k + 1] - s * e_[k];
      if (k + 1 < hi) {
        g = s * e_[k + 1];
        e_[k + 1] *= c;
      }
    }
    e_[hi - 1] = f;
  }

  double* d_;
  double* e_;
  std::int64_t rows_;
  turned_columns u_;
  turned_columns v_;
  double eps_;
  double size_ = 0;
  double nothing_ = 0;  // what may be set to zero without a trace in the residual
};

/// Diagonalises the matrix with the diagonal d and e above it, and rotates the columns of u and v along. The
/// values left in d may have either sign and any order. `eps` is what counts as small compared with 1. False if
/// the iteration does not converge.
GNP_INLINE bool diagonalise(std::vector<double>& d, std::vector<double>& e, turned_columns u, turned_columns v,
                            double eps) {
  return bidiagonal_iteration(d, e, u, v, eps).run();
}

}}}  // namespace gnp::GNP_ABI::detail
