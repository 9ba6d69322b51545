// SPDX-License-Identifier: MIT
// The singular value decomposition of a random matrix, and the matrix made of it again.
#include <algorithm>
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

template <class T>
void describe(const char* name, const gnp::array<T>& x) {
  std::cout << name << ": array<" << gnp::name(x.dtype()) << "> " << gnp::to_string(x.shape()) << " on "
            << gnp::to_string(x.device()) << '\n';
}

int main(int argc, char** argv) {
  gnp::index_t rows = 64, columns = 64;
  std::uint64_t seed = 1;
  support::options options(
      "The singular value decomposition of a random matrix, and the matrix made of it again.");
  options.add("rows", rows, "of the matrix");
  options.add("columns", columns, "of the matrix");
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  gnp::random::seed(seed);
  gnp::array a = gnp::random::uniform<float>(-1, 1, {rows, columns});
  auto [u, s, vh] = gnp::linalg::svd(a, {.full_matrices = false});
  describe("a ", a);
  describe("u ", u);
  describe("s ", s);
  describe("vh", vh);

  // On the host, singular values are numbers in memory like any others.
  gnp::host_array<float> values = gnp::asnumpy(s);
  std::cout << "host_array<" << gnp::name(values.dtype()) << "> " << gnp::to_string(values.shape()) << ':';
  for (gnp::index_t i = 0; i < std::min<gnp::index_t>(8, values.size()); ++i) std::cout << ' ' << values(i);
  if (values.size() > 8) std::cout << " ... " << values(-1);
  std::cout << '\n';

  // u * s scales u's columns: what the diagonal matrix of s would do, without making one.
  gnp::array again = gnp::matmul(u * s, vh);
  std::cout << "reconstruction error: " << gnp::linalg::norm(again - a) / gnp::linalg::norm(a) << '\n';
  std::cout << "u is orthogonal up to " << gnp::linalg::norm(gnp::matmul(u.T(), u) - gnp::eye<float>(s.size()))
            << ", v up to " << gnp::linalg::norm(gnp::matmul(vh, vh.T()) - gnp::eye<float>(s.size())) << '\n';
}
