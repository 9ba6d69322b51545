// SPDX-License-Identifier: MIT
// From which size on one contender is faster than another.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace bench {

/// The size at which the challenger's curve goes below the champion's, to stay there for all larger sizes
/// measured: where the straight lines between the measured points meet in a picture with logarithmic axes. The
/// smallest size measured, where the challenger wins everywhere; nothing, where it loses at the largest.
/// Sizes that are not measured for both (NaN) are left out.
inline std::optional<double> first_win(const std::vector<double>& sizes, const std::vector<double>& champion,
                                       const std::vector<double>& challenger) {
  std::optional<double> result;
  double later_size = 0;
  double later_gain = 0;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const double gain = std::log(champion[i] / challenger[i]);
    if (!std::isfinite(gain)) continue;
    if (gain <= 0) {
      if (result) *result = later_size * std::pow(sizes[i] / later_size, later_gain / (later_gain - gain));
      break;
    }
    result = later_size = sizes[i];
    later_gain = gain;
  }
  return result;
}

}  // namespace bench
