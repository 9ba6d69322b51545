// SPDX-License-Identifier: MIT
// A histogram's typed loops on the CPU.
#pragma once

#include <gnp/exec/histogram/count_between_edges.hpp>
#include <gnp/exec/histogram/histogram_job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Neighbouring values often belong to the same bin, and then an addition would wait for the previous one. So
/// they take turns with this many tables of counters, if these fit in the first-level cache.
inline constexpr index_t counter_tables = 4;
inline constexpr index_t most_bins_in_tables = 1024;

template <class Finder, class T>
struct binning_loops {
  static void count(const void* values, index_t length, const scalar::bin_layout& layout, std::int64_t* counts,
                    index_t tables) {
    const auto* from = static_cast<const T*>(values);
    using edge = typename searched_edges<Finder>::type;
    if constexpr (!std::is_void_v<edge>) {
      if (count_by_few_edges<edge>(from, length, layout, counts)) return;
      const index_t counted = count_by_searches<edge>(from, length, layout, counts);
      from += counted;
      length -= counted;
    }
    const scalar::bin_layout bins = layout;  // a local copy, of which no counter can be a part
    const index_t step = tables == 1 ? 0 : bins.count;
    const auto add = [&](index_t i, index_t table) {
      const auto bin = static_cast<index_t>(Finder::find(from[i], bins));
      if (bin >= 0) ++counts[table * step + bin];
    };
    index_t i = 0;
    for (; i + counter_tables <= length; i += counter_tables) {
      add(i, 0);
      add(i + 1, 1);
      add(i + 2, 2);
      add(i + 3, 3);
    }
    for (; i < length; ++i) add(i, 0);
  }

  static void add(const void* values, const double* weights, index_t length, const scalar::bin_layout& layout,
                  double* sums) {
    const auto* from = static_cast<const T*>(values);
    const scalar::bin_layout bins = layout;
    for (index_t i = 0; i < length; ++i) {
      const auto bin = static_cast<index_t>(Finder::find(from[i], bins));
      if (bin >= 0) sums[bin] += weights[i];
    }
  }
};

}}}  // namespace gnp::GNP_ABI::detail
