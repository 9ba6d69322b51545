// SPDX-License-Identifier: MIT
// Roots of unity, correct to the last digit, which all Fourier transforms need.
#pragma once

#include <cmath>
#include <gnp/core/dtype.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The numbers exp(-2 pi i k / n). About 2 sqrt(n) of them are stored, and each number is the product of two of
/// these. This is done in long double, so that the product's rounding does not show in a double.
class unit_roots {
 public:
  struct root {
    long double re;
    long double im;
  };

  explicit unit_roots(index_t n) : n_(n) {
    while ((index_t{1} << (2 * bits_)) < n) ++bits_;
    const index_t block = index_t{1} << bits_;
    for (index_t k = 0; k < block; ++k) first_.push_back(direct(k));
    for (index_t k = 0; k < n; k += block) jumps_.push_back(direct(k));
  }

  /// exp(-2 pi i k / n), 0 <= k < n.
  root operator[](index_t k) const {
    const root a = jumps_[static_cast<std::size_t>(k >> bits_)];
    const root b = first_[static_cast<std::size_t>(k & ((index_t{1} << bits_) - 1))];
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }

 private:
  /// Uses the circle's symmetries to reduce the angle to an eighth of it at most, where sine and cosine are
  /// exact.
  GNP_INLINE root direct(index_t k) const {
    index_t eighths = 8 * (k % n_);
    const bool below = eighths > 4 * n_;
    if (below) eighths = 8 * n_ - eighths;
    const bool left = eighths > 2 * n_;
    if (left) eighths = 4 * n_ - eighths;
    const bool steep = eighths > n_;
    if (steep) eighths = 2 * n_ - eighths;
    const long double angle = 0.785398163397448309615660845819875721L * static_cast<long double>(eighths) /
                              static_cast<long double>(n_);
    const long double c = steep ? std::sin(angle) : std::cos(angle);
    const long double s = steep ? std::cos(angle) : std::sin(angle);
    return {left ? -c : c, below ? s : -s};
  }

  index_t n_;
  int bits_ = 0;
  std::vector<root> first_;  // exp(-2 pi i k / n) for k below 2^bits
  std::vector<root> jumps_;  // and for the multiples of 2^bits
};

}}}  // namespace gnp::GNP_ABI::detail
