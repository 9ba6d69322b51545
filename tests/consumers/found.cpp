// SPDX-License-Identifier: MIT
// A user's program that shows whether gnp was found and how it opens libraries, in a third of the time that one
// with arrays takes to compile.
#include <cstdio>
#include <gnp/core/config.hpp>
#include <gnp/memory/facts.hpp>

int main() {
  const bool right = gnp::device_properties(gnp::default_device()).multiprocessors > 0;
  std::printf("gnp %s, CUDA headers: %s, result: %s\n", GNP_VERSION, GNP_HAS_CUDA ? "yes" : "no",
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
