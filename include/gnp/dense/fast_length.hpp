// SPDX-License-Identifier: MIT
// Lengths whose Fourier transforms are fast.
#pragma once

#include <algorithm>
#include <gnp/core/shape.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The smallest number from `least` on that has no prime factors but 2, 3 and 5, whose passes are the fastest.
GNP_INLINE index_t next_fast_length(index_t least) {
  index_t best = (std::numeric_limits<index_t>::max)();
  for (index_t fives = 1; fives < 2 * least; fives *= 5) {
    for (index_t n = fives; n < 2 * least; n *= 3) {
      index_t power = n;
      while (power < least) power *= 2;
      best = (std::min)(best, power);
    }
  }
  return best;
}

}}}  // namespace gnp::GNP_ABI::detail
