// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Kernels of linalg that need more shared memory than a block has without asking for it. Each must ask by
// itself: they are the first of their kind in this process, and a larger one may have asked for all.
#include <cmath>

#include "devices.hpp"

namespace {

template <class T>
void check(gnp::index_t m, gnp::index_t n) {
  INFO(m << " x " << n);
  const double largest = std::sqrt(static_cast<double>(m * n));
  CHECK(std::abs(gnp::linalg::svdvals(gnp::ones<T>({m, n})).item(0)) == Approx(largest).epsilon(1e-5));
}

}  // namespace

TEST_CASE("singular values of matrices that fill a block's shared memory") {
  for_each_device([](gnp::device) {
    check<double>(42, 42);
    check<double>(96, 29);
    check<double>(128, 22);
    check<gnp::complex128>(64, 21);
    check<float>(70, 58);
  });
}
