// SPDX-License-Identifier: MIT
// Input that is the same in every run.
#pragma once

#include <cstdint>
#include <gnp/array/host_array.hpp>

/// Numbers from -1 to 1 by a generator, so that no matrix is special.
template <class T>
gnp::host_array<T> noise(const gnp::shape_t& shape, std::uint64_t seed = 0) {
  gnp::host_array<T> values(shape);
  std::uint64_t state = 88172645463325252U ^ seed << 40;
  for (T& value : values) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    value = static_cast<T>(static_cast<double>(state >> 11) / 4503599627370496.0 - 1);
  }
  return values;
}
