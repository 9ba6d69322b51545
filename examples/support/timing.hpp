// SPDX-License-Identifier: MIT
// How long something takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <gnp/gnp.hpp>

namespace support {

/// Milliseconds of the fastest of several runs, after one that warms up: on a GPU the first compiles the
/// kernel. Waits for the device, which otherwise would only have been told what to do.
template <class Work>
double milliseconds(const Work& work, int repeats = 5) {
  work();
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    gnp::synchronize();
    const auto start = std::chrono::steady_clock::now();
    work();
    gnp::synchronize();
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace support
