// SPDX-License-Identifier: MIT
// Fourier transforms of many columns at a time, of a length that has only small factors.
#pragma once

#include <gnp/dense/fft_passes.hpp>
#include <gnp/dense/fft_roots.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The least prime factor of an odd number above 1.
GNP_INLINE index_t least_odd_factor(index_t n) {
  for (index_t factor = 3; factor * factor <= n; factor += 2) {
    if (n % factor == 0) return factor;
  }
  return n;
}

/// Are there passes for all factors of n?
GNP_INLINE bool has_passes(index_t n) {
  for (const int radix : fft_radices) {
    while (n % radix == 0) n /= radix;
  }
  for (index_t factor = 17; factor <= fft_most_radix; factor += 2) {
    while (n % factor == 0) n /= factor;
  }
  return n == 1;
}

/// Rounded up to whole vectors.
template <class Real>
constexpr index_t whole_lanes(index_t width) {
  return (width + fft_lanes<Real> - 1) / fft_lanes<Real> * fft_lanes<Real>;
}

/// The transform of each column of an n x width matrix of complex numbers, which are laid out as fft_pass_shape
/// says.
template <class Real>
class fft_columns {
 public:
  /// n must have passes.
  explicit fft_columns(index_t n) : n_(n) {
    const unit_roots roots(n);
    index_t left = n;
    while (left > 1) {
      const int radix = next_radix(left);
      const index_t parts = left / radix;
      stages_.push_back({fft_pass_for<Real>(radix), radix, parts, roots_.size()});
      if (!has_own_pass(radix)) {
        for (index_t k = 0; k < radix; ++k) {
          const unit_roots::root r = roots[k * (n / radix)];
          roots_.push_back(static_cast<Real>(r.re));
          roots_.push_back(static_cast<Real>(-r.im));
        }
      }
      if (parts > 1) {
        for (index_t p = 0; p < parts; ++p) {
          for (index_t k = 1; k < radix; ++k) {
            const unit_roots::root r = roots[p * k * (n / left)];
            roots_.push_back(static_cast<Real>(r.re));
            roots_.push_back(static_cast<Real>(r.im));
          }
        }
      }
      left = parts;
    }
  }

  index_t length() const { return n_; }
  std::size_t bytes() const { return roots_.size() * sizeof(Real); }

  /// Transforms the columns of `a`; `b` is memory of the same size. Returns whichever of the two has the
  /// results.
  Real* run(Real* a, Real* b, index_t width) const {
    fft_pass_shape shape{width, 0, 0};
    for (const stage& s : stages_) {
      shape.parts = s.parts;
      shape.radix = s.radix;
      s.run(shape, a, b, roots_.data() + s.first_root);
      shape.width *= s.radix;
      std::swap(a, b);
    }
    return a;
  }

 private:
  struct stage {
    fft_pass_function<Real> run;
    int radix;
    index_t parts;
    std::size_t first_root;
  };

  /// Eights, then fours; a two only where nothing else is left of the power of two.
  static int next_radix(index_t n) {
    if (n % 32 == 0 || n % 16 == 8) return 8;
    for (const int radix : fft_radices) {
      if (radix != 8 && n % radix == 0) return radix;
    }
    return static_cast<int>(least_odd_factor(n));
  }

  index_t n_;
  std::vector<stage> stages_;
  std::vector<Real> roots_;
};

}}}  // namespace gnp::GNP_ABI::detail
