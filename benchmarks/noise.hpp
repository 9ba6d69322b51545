// SPDX-License-Identifier: MIT
#pragma once

#include <gnp/array/host_array.hpp>

#include "noise_values.hpp"

template <class T>
gnp::host_array<T> noise(const gnp::shape_t& shape, std::uint64_t seed = 0) {
  gnp::host_array<T> values(shape);
  fill_with_noise(values, seed);
  return values;
}
