// SPDX-License-Identifier: MIT
// A user's program of arrays, and nothing that takes long to compile.
#include <cstdio>
#include <gnp/core.hpp>

int main() {
  const gnp::array b = gnp::asarray<float>({1, 2, 3, 4}) * 2 + 1;
  const bool right = b.item(3) == 9;
  std::printf("gnp %s, CUDA headers: %s, result: %s\n", GNP_VERSION, GNP_HAS_CUDA ? "yes" : "no",
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
