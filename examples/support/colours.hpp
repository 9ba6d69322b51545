// SPDX-License-Identifier: MIT
// From numbers to colours.
#pragma once

#include <gnp/gnp.hpp>

namespace support {

/// Numbers from 0 to 1 become mixtures of a palette's colours, 0 the first and 1 the last of them: shape (…)
/// and a palette of shape (n, 3) make (…, 3).
inline gnp::array<float> mix(const gnp::array<float>& t, const gnp::array<float>& palette) {
  const gnp::index_t n = palette.shape(0);
  const auto position = clip(t(gnp::ellipsis, gnp::newaxis, gnp::newaxis), 0, 1) * (n - 1);
  const gnp::array place = gnp::arange<float>(static_cast<double>(n)).reshape(n, 1);
  // Each colour weighs 1 at its own place and nothing from its neighbours' on. One pass: the weights are not
  // stored.
  return sum(maximum(1 - abs(position - place), 0) * palette, {.axis = -2});
}

/// From 0 … 255 in float to bytes.
inline gnp::host_array<std::uint8_t> to_pixels(const gnp::array<float>& colours) {
  return gnp::asnumpy(clip(rint(colours), 0, 255).astype<std::uint8_t>());
}

/// From black over purple and orange to pale yellow: equal steps look equal, and survive a grey printer.
inline gnp::array<float> glow() {
  return gnp::asarray<float>({{0, 0, 4},
                              {28, 16, 68},
                              {79, 18, 123},
                              {129, 37, 129},
                              {181, 54, 122},
                              {229, 80, 100},
                              {251, 135, 97},
                              {254, 194, 135},
                              {252, 253, 191}});
}

}  // namespace support
