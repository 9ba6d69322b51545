// SPDX-License-Identifier: MIT
// Arithmetic of sizes and counts.
#pragma once

#include <cstdint>
#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// n / by, rounded up.
constexpr std::uint64_t divided_up(std::uint64_t n, std::uint64_t by) { return (n + by - 1) / by; }

/// The smallest power of two that is not less than n.
constexpr std::uint64_t power_of_two(std::uint64_t n) {
  std::uint64_t power = 1;
  while (power < n) power *= 2;
  return power;
}

}}}  // namespace gnp::GNP_ABI::detail
