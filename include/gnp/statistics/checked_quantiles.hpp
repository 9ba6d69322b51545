// SPDX-License-Identifier: MIT
// The requested quantiles, as numbers from 0 to 1.
#pragma once

#include <gnp/core/error.hpp>
#include <gnp/statistics/quantile.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE asked_quantiles checked_quantiles(asked_quantiles asked, double whole,
                                                     const char* function) {
  for (double& value : asked.values) {
    if (!(value >= 0 && value <= whole)) {
      throw error(std::string(function) +
                  (whole == 1 ? ": quantiles must be in the range [0, 1], got "
                              : ": percentiles must be in the range [0, 100], got ") +
                  shown(value));
    }
    value /= whole;
  }
  return asked;
}

}}}  // namespace gnp::GNP_ABI::detail
