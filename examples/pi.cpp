// SPDX-License-Identifier: MIT
// Pi by throwing darts: of random points in a square, pi / 4 are within a quarter of a circle.
#include <algorithm>
#include <cmath>
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"
#include "support/progress.hpp"

int main(int argc, char** argv) {
  gnp::index_t samples = 100'000'000;
  std::uint64_t seed = 1;
  support::options options("Pi by the Monte Carlo method.");
  options.add("samples", samples, "random points");
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  auto rng = gnp::random::default_rng(seed);
  support::progress progress("pi", samples);
  gnp::index_t inside = 0;
  for (gnp::index_t done = 0; done < samples;) {
    // In batches, so that memory does not limit the number of points.
    const gnp::index_t batch = std::min<gnp::index_t>(samples - done, 1 << 22);
    const gnp::array x = rng.random<float>({batch});
    const gnp::array y = rng.random<float>({batch});
    inside += gnp::count_nonzero(x * x + y * y < 1).item();  // one pass, nothing stored
    done += batch;
    progress.update(done);
  }
  progress.clear();

  const double n = static_cast<double>(samples), share = static_cast<double>(inside) / n;
  const double uncertainty = 4 * std::sqrt(share * (1 - share) / n);  // one standard deviation
  std::cout.precision(8);
  std::cout << "pi is about " << 4 * share << ", give or take " << uncertainty << '\n'
            << samples << " points on " << gnp::to_string(gnp::default_device()) << '\n';
}
