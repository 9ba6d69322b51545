// SPDX-License-Identifier: MIT
// Real transforms of an even length, as complex ones of half the length: numbers at even places are the real
// parts, those at odd places the imaginary parts.
#pragma once

#include <gnp/dense/fft_moves.hpp>
#include <gnp/dense/fft_roots.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What has to be done before or after the complex transform.
template <class Real>
class fft_real {
 public:
  explicit fft_real(index_t n) : half_(n / 2) {
    const unit_roots roots(n);
    for (index_t k = 0; k < (std::min)(block, half_ / 2 + 1); ++k) push(first_, roots[k]);
    for (index_t k = 0; k <= half_ / 2; k += block) push(jumps_, roots[k]);
  }

  std::size_t bytes() const { return (first_.size() + jumps_.size()) * sizeof(Real); }

  /// Turns the n / 2 complex results into the n / 2 + 1 results of the real transform, in place.
  void finish(const fft_line<Real>& z) const {
    const index_t step = z.step;
    const Real first = z.re[0];
    z.re[half_ * step] = first - z.im[0];
    z.im[half_ * step] = Real(0);
    z.re[0] = first + z.im[0];
    z.im[0] = Real(0);
    for_each_root([&](index_t begin, index_t end, const Real* roots, Real jump_re, Real jump_im) {
      finish_pairs(z, begin, end, roots, jump_re, jump_im);
    });
  }

  /// After finish(): adds the other results, conjugates of the first ones. `inverse`: conjugates all of them.
  void mirror(const fft_line<Real>& z, bool inverse) const {
    const index_t step = z.step;
    const Real sign(inverse ? -1 : 1);
    for (index_t k = 1; k < half_; ++k) {
      const index_t other = (2 * half_ - k) * step;
      z.re[other] = z.re[k * step];
      z.im[other] = -sign * z.im[k * step];
      z.im[k * step] *= sign;
    }
  }

  /// Turns n / 2 + 1 numbers, whose real inverse transform is wanted, into the n / 2 numbers of a complex one.
  void begin(const fft_source<Real>& x, const fft_line<Real>& z) const {
    const Real first = x.re_count > 0 ? x.re[0] : Real(0);
    const Real last = x.re_count > half_ ? x.re[half_ * x.step] : Real(0);
    z.re[0] = first + last;
    z.im[0] = first - last;
    for_each_root([&](index_t begin, index_t end, const Real* roots, Real jump_re, Real jump_im) {
      if (x.re_count > half_) {
        begin_pairs<true>(x, z, begin, end, roots, jump_re, jump_im);
      } else {
        begin_pairs<false>(x, z, begin, end, roots, jump_re, jump_im);
      }
    });
  }

 private:
  static constexpr index_t block = 4096;

  static void push(std::vector<Real>& to, const unit_roots::root& r) {
    to.push_back(static_cast<Real>(r.re));
    to.push_back(static_cast<Real>(r.im));
  }

  /// f(begin, end, roots, jump): for pairs (k, n / 2 - k), k in [begin, end), roots[k - begin] * jump is the
  /// root.
  template <class F>
  void for_each_root(const F& f) const {
    const index_t pairs = half_ / 2 + 1;
    for (index_t begin = 0; begin < pairs; begin += block) {
      const Real* const jump = jumps_.data() + 2 * (begin / block);
      const index_t first = begin == 0 ? 1 : begin;
      f(first, (std::min)(begin + block, pairs), first_.data() + 2 * (first - begin), jump[0], jump[1]);
    }
  }

  GNP_LOOP void finish_pairs(const fft_line<Real>& z, index_t begin, index_t end, const Real* roots,
                             Real jump_re, Real jump_im) const {
    const index_t step = z.step;
    GNP_INDEPENDENT
    for (index_t k = begin; k < end; ++k) {
      const Real c = roots[2 * (k - begin)] * jump_re - roots[2 * (k - begin) + 1] * jump_im;
      const Real s = roots[2 * (k - begin)] * jump_im + roots[2 * (k - begin) + 1] * jump_re;
      const index_t i = k * step;
      const index_t j = (half_ - k) * step;
      const Real even_re = Real(0.5) * (z.re[i] + z.re[j]);
      const Real even_im = Real(0.5) * (z.im[i] - z.im[j]);
      const Real odd_re = Real(0.5) * (z.im[i] + z.im[j]);
      const Real odd_im = Real(0.5) * (z.re[j] - z.re[i]);
      const Real turned_re = odd_re * c - odd_im * s;
      const Real turned_im = odd_re * s + odd_im * c;
      z.re[i] = even_re + turned_re;
      z.im[i] = even_im + turned_im;
      z.re[j] = even_re - turned_re;
      z.im[j] = turned_im - even_im;
    }
  }

  template <bool all_there>
  GNP_LOOP void begin_pairs(const fft_source<Real>& x, const fft_line<Real>& z, index_t begin, index_t end,
                            const Real* roots, Real jump_re, Real jump_im) const {
    const auto part = [&x](const Real* numbers, index_t k) {
      if constexpr (all_there) return numbers[k * x.step];
      return k < x.re_count ? numbers[k * x.step] : Real(0);
    };
    GNP_INDEPENDENT
    for (index_t k = begin; k < end; ++k) {
      const Real c = roots[2 * (k - begin)] * jump_re - roots[2 * (k - begin) + 1] * jump_im;
      const Real s = roots[2 * (k - begin)] * jump_im + roots[2 * (k - begin) + 1] * jump_re;
      const index_t other = half_ - k;
      const Real sum_re = part(x.re, k) + part(x.re, other);
      const Real sum_im = part(x.im, k) - part(x.im, other);
      const Real difference_re = part(x.re, k) - part(x.re, other);
      const Real difference_im = part(x.im, k) + part(x.im, other);
      // i conj(root) difference
      const Real turned_re = difference_re * s - difference_im * c;
      const Real turned_im = difference_re * c + difference_im * s;
      z.re[k * z.step] = sum_re + turned_re;
      z.im[k * z.step] = sum_im + turned_im;
      z.re[other * z.step] = sum_re - turned_re;
      z.im[other * z.step] = turned_im - sum_im;
    }
  }

  index_t half_;
  std::vector<Real> first_;  // the first roots
  std::vector<Real> jumps_;  // every block-th one
};

}}}  // namespace gnp::GNP_ABI::detail
