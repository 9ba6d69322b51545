// SPDX-License-Identifier: MIT
// A few pieces of work, some of which throw, for the listener beside it; then what a profile counts.
#include <gnp/gnp.hpp>
#include <iostream>

int main() {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<float> a = gnp::ones<float>({4, 4});
  const gnp::array<float> b = gnp::exp(a) + a;
  try {
    static_cast<void>(gnp::linalg::cholesky(a - 5.0f));
  } catch (const gnp::error&) {
    std::cout << "refused" << std::endl;
  }
  const gnp::profile seen;
  const gnp::array<float> c = gnp::matmul(a, b);
  std::cout << "rows: " << seen.rows().size() << std::endl;
}
