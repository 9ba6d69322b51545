// SPDX-License-Identifier: MIT
// Correlation of long vectors with longer ones by their Fourier transforms: about n log n operations instead of
// n times the number of taps.
#pragma once

#include <gnp/dense/fast_length.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/fft/transforms.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Are transforms worthwhile? Their error is relative to the largest results, not to each one, so they are used
/// only if they are many times as fast. 100000 numbers and 129 taps in double take 9.3 ms as sums and
/// 1.2 ms as transforms, on one thread. On a GPU, which computes few products within the time of one launch,
/// transforms are used from 4 million products on.
GNP_INLINE bool is_long_correlation(index_t count, index_t taps, device where) {
  const double products = static_cast<double>(count) * static_cast<double>(taps);
  if (!where.is_cpu()) return taps > 128 && products > 4e6;
  return taps > 128 && products > 32 * static_cast<double>(count + taps);
}

/// result[k] = sum of a[k + j] w[j]. The transforms are as long as a, so that nothing wraps around to the
/// places where both overlap completely.
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

/// Is a result not finite? An infinity or NaN of the input spreads to all results, and the sums of the inverse,
/// which are n times as large as the results, may overflow in some. Checked only on the CPU: on a GPU this
/// would have to wait.
template <class C>
bool is_spoilt(const array<C>& result) {
  return result.device().is_cpu() && !all_along(isfinite(result), {}).item();
}

}}}  // namespace gnp::GNP_ABI::detail
