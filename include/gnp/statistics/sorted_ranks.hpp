// SPDX-License-Identifier: MIT
// The ranks that several quantiles want, in order.
#pragma once

#include <algorithm>
#include <gnp/statistics/order_statistics.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE std::vector<index_t> sorted_ranks(std::vector<index_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

GNP_DEFINED_ON_USE index_t place_of_rank(const std::vector<index_t>& ranks, index_t rank) {
  return static_cast<index_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

}}}  // namespace gnp::GNP_ABI::detail
