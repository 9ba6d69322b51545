// SPDX-License-Identifier: MIT
// Input that is the same in every run.
#pragma once

#include <cstdint>
#include <gnp/array/host_array.hpp>

/// Numbers from -1 to 1, each from its place alone (splitmix64), so that peers_linalg.py has the same ones.
template <class T>
gnp::host_array<T> noise(const gnp::shape_t& shape, std::uint64_t seed = 0) {
  gnp::host_array<T> values(shape);
  std::uint64_t state = seed << 40;
  for (T& value : values) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
    bits ^= bits >> 31;
    value = static_cast<T>(static_cast<double>(bits >> 11) / 4503599627370496.0 - 1);
  }
  return values;
}
