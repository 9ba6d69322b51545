// SPDX-License-Identifier: MIT
// Input that is the same in every run, and for every library.
#pragma once

#include <cstdint>
#include <type_traits>

/// Numbers from -1 to 1, each from its place alone (splitmix64), so that peers_linalg.py has the same ones.
template <class Values>
void fill_with_noise(Values& values, std::uint64_t seed) {
  std::uint64_t state = seed << 40;
  for (auto& value : values) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
    bits ^= bits >> 31;
    const double number = static_cast<double>(bits >> 11) / 4503599627370496.0 - 1;
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
  }
}
