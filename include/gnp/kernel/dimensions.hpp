// SPDX-License-Identifier: MIT
// Sizes and positions along x, y and z, for a kernel's grid, its blocks and their threads.
#pragma once

#include <cstdint>
#include <gnp/core/config.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// CUDA's dim3 and uint3.
struct dimensions {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  std::int64_t count() const { return std::int64_t{x} * y * z; }
  /// The position of number i, counted along x first.
  dimensions position(std::int64_t i) const {
    const std::int64_t row = i / x;
    return {static_cast<unsigned>(i - row * x), static_cast<unsigned>(row % y), static_cast<unsigned>(row / y)};
  }
  /// "(3, 0, 0)"
  GNP_INLINE std::string text() const {
    return std::string("(") + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  }
  friend bool operator==(const dimensions&, const dimensions&) = default;
};

}}}  // namespace gnp::GNP_ABI::detail
