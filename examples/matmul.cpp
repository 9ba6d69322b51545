// SPDX-License-Identifier: MIT
// The product of two random matrices, brought to the host and checked there.
#include <algorithm>
#include <cmath>
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

/// The largest difference to the product computed by hand, in double, of the first rows.
double largest_error(const gnp::host_array<float>& a, const gnp::host_array<float>& b,
                     const gnp::host_array<float>& c) {
  const gnp::index_t n = a.shape()[0];
  double largest = 0;
  for (gnp::index_t i = 0; i < std::min<gnp::index_t>(n, 64); ++i) {
    for (gnp::index_t j = 0; j < n; ++j) {
      double sum = 0;
      for (gnp::index_t k = 0; k < n; ++k) sum += double{a(i, k)} * b(k, j);
      largest = std::max(largest, std::abs(sum - c(i, j)));
    }
  }
  return largest;
}

int main(int argc, char** argv) {
  gnp::index_t size = 64;
  std::uint64_t seed = 1;
  support::options options("The product of two random matrices, brought to the host and checked there.");
  options.add("size", size, "rows and columns");
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  // Like CuPy's, these are on the GPU: made there, multiplied there.
  gnp::random::seed(seed);
  gnp::array a = gnp::random::uniform<float>(-1, 1, {size, size});
  gnp::array b = gnp::random::uniform<float>(-1, 1, {size, size});
  gnp::array c = gnp::matmul(a, b);
  std::cout << "c:       array<" << gnp::name(c.dtype()) << "> " << gnp::to_string(c.shape()) << " on "
            << gnp::to_string(c.device()) << '\n';

  // What the host works with is of another type, so that the compiler tells the two apart.
  gnp::host_array<float> product = gnp::asnumpy(c);
  std::cout << "product: host_array<" << gnp::name(product.dtype()) << "> " << gnp::to_string(product.shape())
            << '\n';
  std::cout << product(0, 0) << " is its first element, " << product(-1, -1) << " its last\n";
  std::cout << "largest error: " << largest_error(gnp::asnumpy(a), gnp::asnumpy(b), product) << '\n';
}
