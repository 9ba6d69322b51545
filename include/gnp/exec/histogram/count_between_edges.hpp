// SPDX-License-Identifier: MIT
// Values are counted in bins between a few edges on the CPU by comparing all of them with every edge, in
// vectors.
#pragma once

#include <gnp/cpu/loop.hpp>
#include <gnp/exec/histogram/bins.hpp>
#include <gnp/exec/histogram/histogram_job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Up to this many bins, comparisons take less time than a search, of which the processor foresees no step: for
/// a million doubles 1.1 ms for 9 bins and 5.8 ms for 64, where searches take 10 and 14 ms.
inline constexpr index_t most_bins_compared = 64;
/// Fewer values are found sooner than the edges are looked through.
inline constexpr index_t fewest_compared = 32;
/// How many values are compared with each edge in turn: they stay in the first-level cache.
inline constexpr index_t compared_at_once = 1024;

/// The type in which the comparisons are made: one whose size of integer counts as many values as are compared
/// at once.
template <class C>
using compared_word = std::conditional_t<(sizeof(C) < 4), std::int32_t, C>;

/// Adds to beyond[k] how many values are not before edge k; for the last edge, how many are after it.
template <class C>
inline __attribute__((always_inline)) void add_beyond(const C* values, index_t count, const C* edges,
                                                      index_t bins, std::int64_t* beyond) {
  using number = std::conditional_t<sizeof(C) == 4, std::int32_t, std::int64_t>;
  for (index_t k = 0; k < bins; ++k) {
    const C edge = edges[k];
    number at_or_after = 0;
    for (index_t i = 0; i < count; ++i) at_or_after += values[i] >= edge ? 1 : 0;
    beyond[k] += at_or_after;
  }
  const C last = edges[bins];
  number after = 0;
  for (index_t i = 0; i < count; ++i) after += values[i] > last ? 1 : 0;
  beyond[bins] += after;
}

#if GNP_WIDE_LOOPS
template <class C>
GNP_LOOP __attribute__((target("avx2"))) void count_beyond_wide(const C* values, index_t count, const C* edges,
                                                                index_t bins, std::int64_t* beyond) {
  add_beyond(values, count, edges, bins, beyond);
}
#endif
template <class C>
GNP_LOOP void count_beyond(const C* values, index_t count, const C* edges, index_t bins, std::int64_t* beyond) {
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return count_beyond_wide(values, count, edges, bins, beyond);
#endif
  add_beyond(values, count, edges, bins, beyond);
}

/// Counts values in bins between edges of type C. False, and nothing done, if there are many bins or few
/// values, or if an edge is NaN, which is in no order.
template <class C, class T>
bool count_by_few_edges(const T* from, index_t length, const scalar::bin_layout& layout, std::int64_t* counts) {
  using word = compared_word<C>;
  const index_t bins = layout.count;
  if (bins < 1 || bins > most_bins_compared || length < fewest_compared) return false;
  word edges[most_bins_compared + 1];
  for (index_t k = 0; k <= bins; ++k) {
    edges[k] = static_cast<word>(static_cast<const C*>(layout.edges)[k]);
    if (!(edges[k > 0 ? k - 1 : 0] <= edges[k])) return false;
  }
  std::int64_t beyond[most_bins_compared + 1] = {};
  word values[compared_at_once];
  for (index_t begin = 0; begin < length; begin += compared_at_once) {
    const index_t now = length - begin < compared_at_once ? length - begin : compared_at_once;
    for (index_t i = 0; i < now; ++i) values[i] = static_cast<word>(scalar::cast<C>(from[begin + i]));
    count_beyond(values, now, edges, bins, beyond);
  }
  for (index_t bin = 0; bin < bins; ++bin) counts[bin] += beyond[bin] - beyond[bin + 1];
  return true;
}

/// How many searches run by turns, each waiting for its own edge.
inline constexpr index_t edge_searches = 16;

/// Counts values in bins between edges of type C; returns how many, from the first on. (None of a rest that is
/// less than a turn.) No branch depends on a value: a million doubles take 9 ms in 65 bins, and 14 ms one by
/// one.
template <class C, class T>
index_t count_by_searches(const T* from, index_t length, const scalar::bin_layout& layout,
                          std::int64_t* counts) {
  const auto* edges = static_cast<const C*>(layout.edges);
  const index_t bins = layout.count;
  if (bins < 1) return 0;
  const C first = edges[0];
  const C last = edges[bins];
  index_t done = 0;
  for (; done + edge_searches <= length; done += edge_searches) {
    C values[edge_searches];
    index_t low[edge_searches] = {};
    for (index_t q = 0; q < edge_searches; ++q) values[q] = scalar::cast<C>(from[done + q]);
    for (index_t rest = bins; rest > 1; rest -= rest / 2) {
      const index_t half = rest / 2;
      for (index_t q = 0; q < edge_searches; ++q) low[q] += edges[low[q] + half] <= values[q] ? half : 0;
    }
    for (index_t q = 0; q < edge_searches; ++q)
      counts[low[q]] += ((values[q] >= first) & (values[q] <= last)) ? 1 : 0;
  }
  return done;
}

/// The type of the edges in which bins are searched, or void if bins are found in another way.
template <class Finder>
struct searched_edges {
  using type = void;
};
template <class C>
struct searched_edges<scalar::edged_bins<C>> {
  using type = C;
};

}}}  // namespace gnp::GNP_ABI::detail
