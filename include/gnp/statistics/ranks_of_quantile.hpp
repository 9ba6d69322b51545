// SPDX-License-Identifier: MIT
// Where a quantile lies in each of several rows.
#pragma once

#include <gnp/statistics/nan_quantile.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE ranks_of_quantile find_ranks(const array<double>& count, double q, double method) {
  return {ufunc<operations::quantile_rank_below_ufunc>()(count, q, method),
          ufunc<operations::quantile_rank_above_ufunc>()(count, q, method),
          ufunc<operations::quantile_share_ufunc>()(count, q, method)};
}

}}}  // namespace gnp::GNP_ABI::detail
