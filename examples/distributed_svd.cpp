// SPDX-License-Identifier: MIT
// The singular values of a tall matrix whose rows all GPUs share, or the CPU's threads. Each factors its own
// rows; what they tell each other is as small as the matrix is narrow.
#include <gnp/distributed.hpp>
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

namespace dist = gnp::distributed;

int main(int argc, char** argv) {
  gnp::index_t rows = 100000, columns = 16;
  int processes = 0;
  std::uint64_t seed = 1;
  support::options options("The singular value decomposition of a tall matrix that all GPUs share.");
  options.add("rows", rows, "of the matrix");
  options.add("columns", columns, "of the matrix");
  options.add("processes", processes, "threads with a device each; 0: one for each GPU, or one", 0);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  const auto program = [&] {
    // The same numbers, however many processes there are; and columns of falling weight.
    auto rng = dist::default_rng(seed);
    const dist::array a = rng.standard_normal({rows, columns}) / (1.0 + gnp::arange<double>(columns));
    const auto [u, s, vh] = gnp::linalg::svd(a);
    const double residual = gnp::linalg::norm(a - matmul(u * s, vh)) / gnp::linalg::norm(a);
    const double angle = gnp::linalg::norm(matmul(u.transpose(), u) - gnp::eye(columns));
    const gnp::array<double> values = s.gathered();
    if (dist::world().rank() != 0) return;
    std::cout << "the first of " << columns << " singular values: " << values(gnp::slice(4)) << '\n'
              << "residual " << residual << ", distance of u from orthogonal columns " << angle << '\n'
              << rows << " x " << columns << " by " << dist::world().size() << " on "
              << gnp::to_string(a.device()) << '\n';
  };
  if (processes == 0) {
    dist::run(program);
  } else {
    dist::run(processes, program);
  }
}
