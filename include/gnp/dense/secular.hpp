// SPDX-License-Identifier: MIT
// The singular values of a matrix that has entries in its first row and on its diagonal only, after Gu and
// Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD" (1995).
#pragma once

#include <algorithm>
#include <cmath>
#include <gnp/core/dtype.hpp>
#include <gnp/dense/eigen.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// The square of a singular value, as its distance from the square of the nearest diagonal entry: so all
/// differences from entries keep their digits.
template <class Real>
struct secular_root {
  index_t pole;
  Real beyond;
};

/// The matrix with the first row z and the diagonal d: 0 = d_0 < d_1 < …, no two of them too close for rounding
/// to tell apart, and no z_j is zero. The squares x of its singular values are where 1 + Σ z_j² / (d_j² - x)
/// vanishes: one between any two neighbours of d², and one above the last.
template <class Real>
class secular_equation {
 public:
  using numbers = Eigen::Array<Real, Eigen::Dynamic, 1>;
  using some_numbers = Eigen::Ref<numbers>;
  using root_type = secular_root<Real>;

  secular_equation(numbers d, numbers z)
      : d_(std::move(d)), z_(std::move(z)), total_(z_.matrix().squaredNorm()) {}

  index_t size() const { return d_.size(); }
  const numbers& d() const { return d_; }
  Real value(const root_type& root) const { return std::sqrt(d_[root.pole] * d_[root.pole] + root.beyond); }
  /// d_j² minus the square of the singular value, for j from `first` on.
  void distances(const root_type& root, index_t first, some_numbers out) const {
    const auto d = d_.segment(first, out.size());
    out = (d - d_[root.pole]) * (d + d_[root.pole]) - root.beyond;
  }

  /// The root above d_i². `poles` and `quotients` are work space for size() numbers each; eps is what is
  /// negligible compared with 1.
  root_type root(index_t i, numbers& poles, numbers& quotients, Real eps) const {
    if (size() == 1) return {0, total_};
    const bool last = i + 1 == size();
    const index_t left = last ? i - 1 : i;  // this entry and the next are the two that matter most
    index_t pole = i;
    poles = (d_ - d_[pole]) * (d_ + d_[pole]);
    const Real gap = last ? total_ : poles[i + 1];
    // Whether the function vanishes left or right of the middle tells which entry is nearer, and so bounds x.
    Real x = gap / 2;
    sums at = evaluate(poles, quotients, left, x);
    const Real a = z_[left] * z_[left];
    const Real b = z_[left + 1] * z_[left + 1];
    const Real rest = at.f - a / (poles[left] - x) - b / (poles[left + 1] - x);
    Real low = last ? b / 2 : a / (2 + 4 * total_ / gap);
    Real high = last ? 2 * total_ : gap / 2;
    if (last) {
      (at.f < 0 ? low : high) = x;
    } else if (at.f < 0) {
      pole = i + 1;
      poles = (d_ - d_[pole]) * (d_ + d_[pole]);
      low = -gap / 2;
      high = -b / (4 * total_) * gap;
    }
    // The first guess: the two entries' terms exactly, the others by their values in the middle.
    const Real p = poles[left];
    const Real q = poles[left + 1];
    x = within(low, high, quadratic(last, rest, rest * (p + q) + a + b, rest * p * q + a * q + b * p));
    for (int steps = 0; steps < 100; ++steps) {
      at = evaluate(poles, quotients, left, x);
      if (std::fabs(at.f) <= (4 + steps) * eps * at.size) break;
      (at.f < 0 ? low : high) = x;
      // Either side's sum is replaced by a constant and one fraction, with the nearest entry as its pole, of
      // the same value and slope.
      const Real to_left = p - x;
      const Real to_right = q - x;
      const Real c = at.f - to_left * at.left_slope - to_right * at.right_slope;
      const Real linear = (to_left + to_right) * at.f - to_left * to_right * (at.left_slope + at.right_slope);
      Real next = x + quadratic(last, c, linear, to_left * to_right * at.f);
      if (steps % 8 == 7) next = low;  // no progress: halve
      next = within(low, high, next);
      if (std::fabs(next - x) <= eps * std::fabs(x)) break;
      x = next;
    }
    return {pole, x};
  }

  /// The first row that has exactly these roots, for j from `first` on, by Löwner's formula: vectors made with
  /// it are orthogonal, however the roots were rounded.
  void consistent_row(const std::vector<root_type>& roots, index_t first, some_numbers out) const {
    const index_t count = out.size();
    const auto d = d_.segment(first, count);
    numbers distance(count);
    distances(roots.back(), first, distance);
    out = -distance;
    for (index_t i = 0; i + 1 < size(); ++i) {
      distances(roots[static_cast<std::size_t>(i)], first, distance);
      const index_t below = std::clamp(i + 1 - first, index_t{0}, count);
      const index_t above = count - below;
      out.head(below) *= distance.head(below) / ((d.head(below) - d_[i + 1]) * (d.head(below) + d_[i + 1]));
      out.tail(above) *= distance.tail(above) / ((d.tail(above) - d_[i]) * (d.tail(above) + d_[i]));
    }
    for (index_t j = 0; j < count; ++j) out[j] = std::copysign(std::sqrt(std::fabs(out[j])), z_[first + j]);
  }

 private:
  /// The function's value, its slope on either side, and the size of its terms.
  struct sums {
    Real f;
    Real left_slope;
    Real right_slope;
    Real size;
  };

  sums evaluate(const numbers& poles, numbers& quotients, index_t left, Real x) const {
    quotients = z_ / (poles - x);
    const index_t count = left + 1;
    const index_t others = size() - count;
    const auto z = z_.matrix();
    const auto q = quotients.matrix();
    const Real on_left = z.head(count).dot(q.head(count));
    const Real on_right = z.tail(others).dot(q.tail(others));
    return {1 + on_left + on_right, q.head(count).squaredNorm(), q.tail(others).squaredNorm(),
            1 + std::fabs(on_left) + std::fabs(on_right)};
  }

  /// The root of c x² - a x + b that lies between the two entries, or above both.
  static Real quadratic(bool above, Real c, Real a, Real b) {
    const Real root = std::sqrt(std::fabs(a * a - 4 * b * c));
    if (above) return a >= 0 ? (a + root) / (2 * c) : 2 * b / (a - root);
    return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
  }

  /// x if it is between the bounds, otherwise their geometric mean. Both bounds have the same sign.
  static Real within(Real low, Real high, Real x) {
    return x > low && x < high ? x : std::copysign(std::sqrt(low * high), low);
  }

  numbers d_;
  numbers z_;
  Real total_;
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
