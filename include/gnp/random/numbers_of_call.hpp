// SPDX-License-Identifier: MIT
// How the numbers of a call are found: the keys of the rounds, and the calls within a call.
#pragma once

#include <gnp/random/philox.hpp>
#include <memory>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE scalar::random_source numbers_of_call::from(std::uint64_t group) const {
  scalar::random_source source{};
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    source.keys[2 * round] = key0;
    source.keys[2 * round + 1] = key1;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  source.call = static_cast<std::uint32_t>(call);
  source.call_high = static_cast<std::uint32_t>(call >> 32) << 16;
  source.first_column = (first + group) / groups_of_a_column;
  return source;
}

GNP_INLINE numbers_of_call numbers_of_call::inner(std::uint64_t k) const {
  const scalar::words4 w = numbers_of_call{seed, call}.from(0).at(0, 0);
  numbers_of_call made{w.x | std::uint64_t{w.y} << 32, k, first};
  if (recorded != nullptr) {
    recorded_draw draw = *recorded;
    draw.inner.push_back(k);
    made.recorded = std::make_shared<const recorded_draw>(std::move(draw));
  }
  return made;
}

}}}  // namespace gnp::GNP_ABI::detail
