// SPDX-License-Identifier: MIT
// Arrays, a formula, and where and how fast it ran.
#include <chrono>
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

int main(int argc, char** argv) {
  gnp::index_t n = 1 << 24;
  support::options options("Arrays, a formula, and where and how fast it ran.");
  options.add("size", n, "elements of the arrays");
  options.parse(argc, argv);
  std::cout << "device: " << gnp::to_string(gnp::default_device()) << '\n';

  // Small enough to look at: a row and a column make a table.
  const gnp::array row = gnp::arange<float>(1, 6);
  const gnp::array column = gnp::asarray<float>({{0}, {10}, {20}});
  std::cout << "row + column:\n" << row + column << '\n';

  // Large enough to measure.
  gnp::array x = gnp::linspace<float>(0, 10, n);
  gnp::array y = gnp::ones<float>({n});
  gnp::array z = sin(x) * y + x;  // one kernel, one pass over memory
  std::cout << "mean of sin(x)*y+x: " << gnp::mean<double>(z) << '\n';

  // item() waits for the device.
  const int repeats = 20;
  z.item(0);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) {
    z(gnp::ellipsis) = sin(x) * y + x;
  }
  z.item(0);
  const std::chrono::duration<double> time = (std::chrono::steady_clock::now() - start) / repeats;
  std::cout << "time: " << time.count() * 1e3 << " ms for " << n << " elements, "
            << 3e-9 * static_cast<double>(z.nbytes()) / time.count() << " GB/s\n";
}
