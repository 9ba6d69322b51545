// SPDX-License-Identifier: MIT
// Moves complex numbers between an array and the rows that Fourier transforms work on.
#pragma once

#include <algorithm>
#include <gnp/dense/fft_passes.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The numbers of one transform in memory, real parts `step` apart, and likewise imaginary parts. Parts beyond
/// re_count or im_count are zero in a source, and not wanted in a target.
template <class Real>
struct fft_line {
  Real* re;
  Real* im;
  index_t step;
  index_t re_count;
  index_t im_count;

  /// The line that begins `offset` further on.
  fft_line moved(index_t offset) const {
    return {re == nullptr ? nullptr : re + offset, im == nullptr ? nullptr : im + offset, step, re_count,
            im_count};
  }
  operator fft_line<const Real>() const
    requires(!std::is_const_v<Real>)
  {
    return {re, im, step, re_count, im_count};
  }
  /// The line with real and imaginary parts exchanged. Doing so on both sides of a transform makes it the
  /// inverse.
  fft_line exchanged() const { return {im, re, step, im_count, re_count}; }
};
template <class Real>
using fft_source = fft_line<const Real>;

/// A matrix of a transform's rows in memory: rows `row_step` apart, columns `column_step`.
template <class Real>
struct fft_grid {
  Real* re;
  Real* im;
  index_t row_step;
  index_t column_step;
};

/// Where a row has the real part of column c; the imaginary part is fft_lanes further on.
template <class Real>
constexpr index_t fft_place(index_t c) {
  return c / fft_lanes<Real> * 2 * fft_lanes<Real> + c % fft_lanes<Real>;
}

/// Loads columns [first, first + count) of one part of a row, real or imaginary, from numbers `step` apart.
/// `row` is where this part begins.
template <class Real>
GNP_LOOP void load_part(const Real* from, index_t step, index_t first, index_t count, Real* row) {
  constexpr index_t lanes = fft_lanes<Real>;
  index_t c = 0;
  for (; c < count && (first + c) % lanes != 0; ++c) row[fft_place<Real>(first + c)] = from[c * step];
  for (; c + lanes <= count; c += lanes) {
    Real* const to = row + fft_place<Real>(first + c);
    for (index_t lane = 0; lane < lanes; ++lane) to[lane] = from[(c + lane) * step];
  }
  for (; c < count; ++c) row[fft_place<Real>(first + c)] = from[c * step];
}

/// Whether real and imaginary parts are neighbours in memory, and in which order.
enum class fft_pairs { none, as_is, exchanged };

template <class Real>
fft_pairs pairs_of(const Real* re, const Real* im, index_t step) {
  if (re == nullptr || im == nullptr || step != 2) return fft_pairs::none;
  return im == re + 1 ? fft_pairs::as_is : re == im + 1 ? fft_pairs::exchanged : fft_pairs::none;
}

/// Loads both parts of numbers whose parts are neighbours in memory.
template <fft_pairs order, class Real>
GNP_LOOP void load_pairs(const Real* from, index_t count, Real* row) {
  constexpr index_t lanes = fft_lanes<Real>;
  constexpr index_t re = order == fft_pairs::as_is ? 0 : lanes;
  constexpr index_t im = lanes - re;
  index_t c = 0;
  for (; c + lanes <= count; c += lanes, row += 2 * lanes) {
    GNP_INDEPENDENT
    for (index_t lane = 0; lane < lanes; ++lane) {
      row[lane + re] = from[2 * (c + lane)];
      row[lane + im] = from[2 * (c + lane) + 1];
    }
  }
  for (index_t lane = 0; lane < count % lanes; ++lane) {
    row[lane + re] = from[2 * (c + lane)];
    row[lane + im] = from[2 * (c + lane) + 1];
  }
}

/// Zeros in one part of a row.
template <class Real>
void clear_part(index_t first, index_t end, Real* row) {
  for (index_t c = first; c < end; ++c) row[fft_place<Real>(c)] = Real(0);
}

/// Loads a row's columns [first, end): re_count real and im_count imaginary parts; the others become zero.
template <class Real>
void load_row(const fft_grid<const Real>& from, index_t r, index_t re_count, index_t im_count, index_t first,
              index_t end, Real* row) {
  const bool whole = first % fft_lanes<Real> == 0 && re_count == im_count && re_count > 0;
  const fft_pairs pairs = whole ? pairs_of(from.re, from.im, from.column_step) : fft_pairs::none;
  if (pairs == fft_pairs::as_is) {
    load_pairs<fft_pairs::as_is>(from.re + r * from.row_step, re_count, row + fft_place<Real>(first));
  } else if (pairs == fft_pairs::exchanged) {
    load_pairs<fft_pairs::exchanged>(from.im + r * from.row_step, re_count, row + fft_place<Real>(first));
  } else {
    if (re_count > 0) load_part(from.re + r * from.row_step, from.column_step, first, re_count, row);
    if (im_count > 0)
      load_part(from.im + r * from.row_step, from.column_step, first, im_count, row + fft_lanes<Real>);
  }
  if (first + re_count < end) clear_part(first + re_count, end, row);
  if (first + im_count < end) clear_part(first + im_count, end, row + fft_lanes<Real>);
}

template <class Real>
GNP_LOOP void store_part(Real* to, index_t step, index_t first, index_t count, const Real* row, Real scale) {
  constexpr index_t lanes = fft_lanes<Real>;
  index_t c = 0;
  for (; c < count && (first + c) % lanes != 0; ++c) to[c * step] = row[fft_place<Real>(first + c)] * scale;
  for (; c + lanes <= count; c += lanes) {
    const Real* const from = row + fft_place<Real>(first + c);
    GNP_INDEPENDENT
    for (index_t lane = 0; lane < lanes; ++lane) to[(c + lane) * step] = from[lane] * scale;
  }
  for (; c < count; ++c) to[c * step] = row[fft_place<Real>(first + c)] * scale;
}

template <fft_pairs order, class Real>
GNP_LOOP void store_pairs(Real* to, index_t count, const Real* row, Real scale) {
  constexpr index_t lanes = fft_lanes<Real>;
  constexpr index_t re = order == fft_pairs::as_is ? 0 : lanes;
  constexpr index_t im = lanes - re;
  index_t c = 0;
  for (; c + lanes <= count; c += lanes, row += 2 * lanes) {
    GNP_INDEPENDENT
    for (index_t lane = 0; lane < lanes; ++lane) {
      to[2 * (c + lane)] = row[lane + re] * scale;
      to[2 * (c + lane) + 1] = row[lane + im] * scale;
    }
  }
  for (index_t lane = 0; lane < count % lanes; ++lane) {
    to[2 * (c + lane)] = row[lane + re] * scale;
    to[2 * (c + lane) + 1] = row[lane + im] * scale;
  }
}

/// The other way: stores re_count real and im_count imaginary parts of a row from column `first` on, times
/// `scale`.
template <class Real>
void store_row(const fft_grid<Real>& to, index_t r, index_t re_count, index_t im_count, index_t first,
               const Real* row, Real scale) {
  const bool whole = first % fft_lanes<Real> == 0 && re_count == im_count && re_count > 0;
  const fft_pairs pairs = whole ? pairs_of(to.re, to.im, to.column_step) : fft_pairs::none;
  if (pairs == fft_pairs::as_is) {
    store_pairs<fft_pairs::as_is>(to.re + r * to.row_step, re_count, row + fft_place<Real>(first), scale);
  } else if (pairs == fft_pairs::exchanged) {
    store_pairs<fft_pairs::exchanged>(to.im + r * to.row_step, re_count, row + fft_place<Real>(first), scale);
  } else {
    if (re_count > 0) store_part(to.re + r * to.row_step, to.column_step, first, re_count, row, scale);
    if (im_count > 0)
      store_part(to.im + r * to.row_step, to.column_step, first, im_count, row + fft_lanes<Real>, scale);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
