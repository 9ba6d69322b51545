// SPDX-License-Identifier: MIT
// Lengths with large factors, as convolutions with a chirp (Bluestein 1968): two transforms of about twice the
// length or more.
#pragma once

#include <gnp/dense/fast_length.hpp>
#include <gnp/dense/fft_columns.hpp>
#include <gnp/dense/fft_moves.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The chirp exp(-pi i j^2 / n), and what its convolution multiplies by: the transform of its conjugate, which
/// has values at both ends of `long_length`.
template <class Real>
struct fft_chirp {
  index_t n;
  index_t long_length;
  std::vector<Real> chirp;   // pairs
  std::vector<Real> filter;  // pairs, not transformed yet; over long_length

  explicit fft_chirp(index_t length) : n(length), long_length(next_fast_length(2 * length - 1)) {
    const unit_roots roots(2 * n);
    filter.resize(2 * static_cast<std::size_t>(long_length));
    const auto scale = 1 / static_cast<long double>(long_length);
    index_t square = 0;  // of j, modulo 2 n
    for (index_t j = 0; j < n; ++j) {
      const unit_roots::root r = roots[square];
      chirp.push_back(static_cast<Real>(r.re));
      chirp.push_back(static_cast<Real>(r.im));
      for (const index_t at : {j, j == 0 ? 0 : long_length - j}) {
        filter[2 * static_cast<std::size_t>(at)] = static_cast<Real>(r.re * scale);
        filter[2 * static_cast<std::size_t>(at) + 1] = static_cast<Real>(-r.im * scale);
      }
      square = (square + 2 * j + 1) % (2 * n);
    }
  }
};

/// Multiplies a row by one complex number. `exchanges`: exchanges real and imaginary parts afterwards.
template <bool exchanges, class Real>
GNP_LOOP void rotate_row(Real* row, index_t width, Real c, Real s) {
  constexpr index_t lanes = fft_lanes<Real>;
  for (index_t q = 0; q < 2 * width; q += 2 * lanes) {
    GNP_INDEPENDENT
    for (index_t lane = q; lane < q + lanes; ++lane) {
      const Real re = row[lane] * c - row[lane + lanes] * s;
      const Real im = row[lane] * s + row[lane + lanes] * c;
      row[lane] = exchanges ? im : re;
      row[lane + lanes] = exchanges ? re : im;
    }
  }
}

/// The transform of each column of an n x width matrix of complex numbers, for any n.
template <class Real>
class fft_any_columns {
 public:
  explicit fft_any_columns(index_t n) : n_(n), columns_(has_passes(n) ? n : next_fast_length(2 * n - 1)) {
    if (columns_.length() == n) return;
    fft_chirp<Real> made(n);
    chirp_ = std::move(made.chirp);
    // The filter is transformed as the first of several columns; the others are zero.
    const index_t width = fft_lanes<Real>;
    std::vector<Real> a(rows_size(width)), b(a.size());
    const Real* const filter = made.filter.data();
    for (index_t r = 0; r < columns_.length(); ++r) {
      a[static_cast<std::size_t>(2 * width * r)] = filter[2 * r];
      a[static_cast<std::size_t>(2 * width * r + fft_lanes<Real>)] = filter[2 * r + 1];
    }
    const Real* const result = columns_.run(a.data(), b.data(), width);
    for (index_t r = 0; r < columns_.length(); ++r) {
      filter_.push_back(result[2 * width * r]);
      filter_.push_back(result[2 * width * r + fft_lanes<Real>]);
    }
  }

  std::size_t bytes() const { return columns_.bytes() + (chirp_.size() + filter_.size()) * sizeof(Real); }
  /// How many numbers each of the two matrices for run() has.
  std::size_t rows_size(index_t width) const { return static_cast<std::size_t>(2 * width * columns_.length()); }

  /// Transforms the columns of `a`. Returns whichever of `a` and `b` has the results.
  Real* run(Real* a, Real* b, index_t width) const {
    if (chirp_.empty()) return columns_.run(a, b, width);
    const index_t row = 2 * width;
    for (index_t r = 0; r < n_; ++r) rotate_row<false>(a + r * row, width, chirp_at(r), chirp_at(r, 1));
    std::fill_n(a + n_ * row, (columns_.length() - n_) * row, Real(0));
    Real* result = columns_.run(a, b, width);
    for (index_t r = 0; r < columns_.length(); ++r) {
      const Real* const f = filter_.data() + 2 * r;
      rotate_row<true>(result + r * row, width, f[0], f[1]);
    }
    result = columns_.run(result, result == a ? b : a, width);
    // The parts are still exchanged: this is (im, re) times (c, s), as (re, im).
    for (index_t r = 0; r < n_; ++r) rotate_row<true>(result + r * row, width, chirp_at(r), -chirp_at(r, 1));
    return result;
  }

 private:
  Real chirp_at(index_t r, index_t part = 0) const { return chirp_[static_cast<std::size_t>(2 * r + part)]; }

  index_t n_;
  fft_columns<Real> columns_;
  std::vector<Real> chirp_;
  std::vector<Real> filter_;
};

}}}  // namespace gnp::GNP_ABI::detail
