// SPDX-License-Identifier: MIT
// A user's first program.
#include <cstdio>
#include <gnp/gnp.hpp>

using gnp::all;  // no name of gnp's own may hide it

int main() {
  gnp::array a = gnp::asarray<float>({{1, 2}, {3, 4}});
  gnp::array b = a * 2 + 1;
  const bool right = gnp::asnumpy(b(all, 1))(1) == 9;
  std::printf("gnp %s, CUDA headers: %s, result: %s\n", GNP_VERSION, GNP_HAS_CUDA ? "yes" : "no",
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
