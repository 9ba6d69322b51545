// SPDX-License-Identifier: MIT
// Long vectors moved along longer ones by their Fourier transforms: as many operations as n log n, not n times
// taps.
#pragma once

#include <gnp/dense/fast_length.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/fft/transforms.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Worth it? The error is relative to the largest results, not to each: so only where it is ten times as fast
/// and more. 100000 numbers and 129 taps in double, one thread: 9.3 ms as sums, 1.2 as transforms. On a GPU,
/// which does few products in the time of one launch, from 2^22 of them on.
GNP_INLINE bool is_long_correlation(index_t count, index_t taps, device where) {
  const double products = static_cast<double>(count) * static_cast<double>(taps);
  if (!where.is_cpu()) return taps > 128 && products > 4e6;
  return taps > 128 && products > 32 * static_cast<double>(count + taps);
}

/// result[k] = sum of a[k + j] w[j]: the circle is as long as a, so that nothing comes round to where both
/// overlap.
template <class C>
array<C> correlated_by_fft(const array<C>& a, const array<C>& w) {
  const index_t n = 2 * next_fast_length((a.size() + 1) / 2);
  const slice wanted(0, a.size() - w.size() + 1);
  if constexpr (is_complex(dtype_of<C>)) {
    return fft::ifft(fft::fft(a, n) * conj(fft::fft(conj(w), n)))(wanted);
  } else {
    return fft::irfft(fft::rfft(a, n) * conj(fft::rfft(w, n)), n)(wanted);
  }
}

/// Did an infinity or NaN anywhere, which is everywhere now, come of it? Asked on the CPU alone: on a GPU it
/// would mean to wait.
template <class C>
bool is_spoilt(const array<C>& result) {
  if (!result.device().is_cpu()) return false;
  const C first = *result.data();
  return !(std::abs(first) <= (std::numeric_limits<real_t<C>>::max)());
}

}}}  // namespace gnp::GNP_ABI::detail
