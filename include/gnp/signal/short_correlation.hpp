// SPDX-License-Identifier: MIT
// Correlation of vectors of real numbers on the CPU, as sums of products.
#pragma once

#include <algorithm>
#include <cstddef>
#include <gnp/array/array.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Integers wrap around, as elsewhere; the products of narrow ones must not be computed in int.
template <class C>
constexpr C product_of_samples(C a, C w) {
  if constexpr (std::is_integral_v<C>) {
    using wrapping = std::conditional_t<(sizeof(C) < sizeof(unsigned)), unsigned, std::make_unsigned_t<C>>;
    return static_cast<C>(static_cast<wrapping>(a) * static_cast<wrapping>(w));
  } else {
    return a * w;
  }
}
template <class C>
constexpr C sum_of_samples(C a, C b) {
  if constexpr (std::is_integral_v<C>) {
    using wrapping = std::make_unsigned_t<C>;
    return static_cast<C>(static_cast<wrapping>(a) + static_cast<wrapping>(b));
  } else {
    return a + b;
  }
}

/// out[k] = the sum over `taps` products of a[k + j] and w[j], added to what is there unless that is the first
/// sum.
template <int taps, bool first, class C>
[[gnu::always_inline]] inline void add_taps(const C* __restrict a, const C* __restrict w, C* __restrict out,
                                            index_t count) {
  C weight[static_cast<std::size_t>(taps)];
  std::copy_n(w, taps, weight);
  for (index_t k = 0; k < count; ++k) {
    C sum = product_of_samples(a[k], weight[0]);
    for (int j = 1; j < taps; ++j) sum = sum_of_samples(sum, product_of_samples(a[k + j], weight[j]));
    out[k] = first ? sum : sum_of_samples(out[k], sum);
  }
}

/// Samples and taps: out[k] = the sum of a[k - left + j] w[j], over the taps that lie on samples.
template <class C>
struct short_correlation {
  const C* a;
  index_t samples;  // not fewer than taps
  const C* w;
  index_t taps;
  index_t left;

  /// Results [begin, end), all of whose taps lie on samples: from one to four taps first, then four at a time,
  /// in the order in which a GPU adds them.
  [[gnu::always_inline]] inline void add_all_taps(C* out, index_t begin, index_t end) const {
    const C* const from = a + (begin - left);
    C* const to = out + begin;
    const index_t count = end - begin;
    index_t j = (taps - 1) % 4 + 1;
    if (j == 1) {
      add_taps<1, true>(from, w, to, count);
    } else if (j == 2) {
      add_taps<2, true>(from, w, to, count);
    } else if (j == 3) {
      add_taps<3, true>(from, w, to, count);
    } else {
      add_taps<4, true>(from, w, to, count);
    }
    for (; j < taps; j += 4) add_taps<4, false>(from + j, w + j, to, count);
  }

  /// Results [begin, end) at an end: each tap where it lies on samples.
  [[gnu::always_inline]] inline void add_some_taps(C* out, index_t begin, index_t end) const {
    std::fill(out + begin, out + end, C());
    for (index_t j = 0; j < taps; ++j) {
      const index_t first = std::clamp(left - j, begin, end);
      const index_t last = std::clamp(samples + left - j, begin, end);
      add_taps<1, false>(a + (first - left + j), w + j, out + first, last - first);
    }
  }

  [[gnu::always_inline]] inline void run_inline(C* out, index_t begin, index_t end) const {
    constexpr index_t block = 1024;  // results, which stay in the first-level cache with as many samples
    const index_t whole = samples + left - taps + 1;  // where the right end begins
    while (begin < end) {
      const bool at_an_end = begin < left || begin >= whole;
      const index_t stop = (std::min)({end, begin + block, begin < left ? left : begin < whole ? whole : end});
      at_an_end ? add_some_taps(out, begin, stop) : add_all_taps(out, begin, stop);
      begin = stop;
    }
  }
};

template <class C>
GNP_LOOP void run_correlation(const short_correlation<C>& s, C* out, index_t begin, index_t end) {
  s.run_inline(out, begin, end);
}
#if GNP_WIDE_LOOPS
template <class C>
GNP_LOOP __attribute__((target("avx2"))) void run_correlation_wide(const short_correlation<C>& s, C* out,
                                                                   index_t begin, index_t end) {
  s.run_inline(out, begin, end);
}
#endif

template <class C>
void correlate_on_cpu(const short_correlation<C>& s, C* out, index_t count) {
  parallel_for(count, (std::max)(cpu_grain / s.taps, index_t{1}), [&](index_t begin, index_t end) {
#if GNP_WIDE_LOOPS
    if (__builtin_cpu_supports("avx2")) return run_correlation_wide(s, out, begin, end);
#endif
    run_correlation(s, out, begin, end);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
