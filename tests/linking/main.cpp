// SPDX-License-Identifier: MIT
// Files that include everything, one of them without the CUDA headers, are one program.
#include <cstdio>

float with_everything_one(float);
float with_everything_two(float);
float without_cuda(float);
bool has_cuda_two();

int main() {
  const float one = with_everything_one(5);
  const float two = with_everything_two(5);
  const float without = without_cuda(5);
  std::printf("two files with%s CUDA headers: %g %g, one without: %g\n", has_cuda_two() ? "" : "out", one, two,
              without);
  return one == 6 && two == 15 && without == 11 ? 0 : 1;
}
