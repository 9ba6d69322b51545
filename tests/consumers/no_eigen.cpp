// SPDX-License-Identifier: MIT
// A program on a machine without Eigen: all but factorisations works on the CPU, and those say what they need.
#include <cstdio>
#include <gnp/gnp.hpp>
#include <string>

static_assert(GNP_HAS_EIGEN == 0);

int main() {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const gnp::array a = gnp::asarray<double>({{2, 1}, {1, 3}});
  const gnp::array product = gnp::matmul(a, a);
  std::string said;
  try {
    const gnp::array x = gnp::linalg::solve(a, gnp::ones<double>({2}));
  } catch (const gnp::error& e) {
    said = e.what();
  }
  std::printf("product: %g, solve: %s\n", product.item(1, 1), said.c_str());
  return product.item(0, 0) == 5 && product.item(1, 1) == 10 && gnp::sum(a * a).item() == 15 &&
                 said.find("solve: on the CPU this needs Eigen") == 0
             ? 0
             : 1;
}
