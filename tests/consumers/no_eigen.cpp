// SPDX-License-Identifier: MIT
// A program on a machine without Eigen: all but factorisations works on the CPU, and those with a LAPACK, or
// they say what they need.
#include <cstdio>
#include <cstdlib>
#include <gnp/gnp.hpp>
#include <string>

static_assert(GNP_HAS_EIGEN == 0);

int main() {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const gnp::array a = gnp::asarray<double>({{2, 1}, {1, 3}});
  const gnp::array product = gnp::matmul(a, a);
  const char* const named = std::getenv("GNP_LAPACK");
  const bool without_lapack = named != nullptr && std::string(named) == "none";
  std::string said;
  bool solved = false;
  try {
    const gnp::array x = gnp::linalg::solve(a, gnp::ones<double>({2}));
    solved = gnp::allclose(x, gnp::asarray<double>({0.4, 0.2}));
  } catch (const gnp::error& e) {
    said = e.what();
  }
  std::printf("product: %g, solve: %s\n", product.item(1, 1), solved ? "right" : said.c_str());
  return product.item(0, 0) == 5 && product.item(1, 1) == 10 && gnp::sum(a * a).item() == 15 &&
                 (solved ? !without_lapack : said.find("solve: on the CPU this needs Eigen") == 0)
             ? 0
             : 1;
}
