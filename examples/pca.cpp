// SPDX-License-Identifier: MIT
// Principal components: measurements of many features that a few hidden causes explain.
// The singular values say how few, and what is lost without the others.
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

using doubles = gnp::array<double>;

int main(int argc, char** argv) {
  using gnp::all, gnp::slice;
  gnp::index_t samples = 1000, features = 8, causes = 3;
  double noise = 0.1;
  std::uint64_t seed = 1;
  support::options options("Principal components of correlated random data.");
  options.add("samples", samples, "rows of the data", gnp::index_t{100});
  options.add("features", features, "columns of the data", gnp::index_t{4}, gnp::index_t{90});
  options.add("causes", causes, "that the features are mixed of", gnp::index_t{1}, gnp::index_t{4});
  options.add("noise", noise, "of each feature, its standard deviation", 0.0);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  auto rng = gnp::random::default_rng(seed);
  const doubles mixture = rng.normal(0, 1, {causes, features});
  const doubles x = gnp::matmul(rng.normal(0, 1, {samples, causes}), mixture) +
                    rng.normal(0, noise, {samples, features}) + gnp::arange(features);

  std::cout.precision(4);
  // Components are directions from the mean; the rows of vh, the widest first.
  const doubles mean = x.mean(0);
  const doubles centred = x - mean;
  const auto [u, s, vh] = gnp::linalg::svd(centred, {.full_matrices = false});
  const doubles variance = square(s) / (samples - 1);
  const doubles share = variance / variance.sum();
  std::cout << "share of the variance: " << gnp::array2string(share, {.precision = 5}) << '\n'
            << "and all up to here:    " << gnp::array2string(cumsum(share), {.precision = 5}) << '\n';

  // The other way to them: eigenvectors of the covariance matrix, of which eigh gives the smallest first.
  const auto [values, vectors] = gnp::linalg::eigh(gnp::cov(x, {.rowvar = false}));
  const doubles cosines = abs(gnp::vecdot(flip(vectors, 1).T(), vh));  // a direction has no sign
  std::cout << "eigenvalues of the covariance differ by "
            << gnp::max(abs(flip(values) - variance)) / variance(0) << ", directions by "
            << gnp::max(abs(1 - cosines(slice(causes)))) << '\n';

  // With k numbers in place of all: to the components and back.
  for (gnp::index_t k = 1; k <= causes + 1; ++k) {
    const doubles components = vh(slice(k));
    const doubles scores = gnp::matmul(centred, components.T());
    const doubles again = gnp::matmul(scores, components) + mean;
    // What is lost is the variance of the components that were left out.
    const double lost = gnp::sum(square(x - again)) / gnp::sum(square(centred));
    const double predicted = gnp::sum(share(slice(k, gnp::none)));
    std::cout << k << " of " << features << ": " << 100 * lost << " % of the variance lost, predicted "
              << 100 * predicted << " %\n";
  }

  // Of samples in the components' directions no two columns have anything to do with each other.
  const doubles scores = gnp::corrcoef(gnp::matmul(centred, vh.T()), {.rowvar = false});
  std::cout << "largest correlation of two features: "
            << gnp::max(abs(triu(gnp::corrcoef(x, {.rowvar = false}), 1)))
            << ", of two components: " << gnp::max(abs(triu(scores, 1))) << '\n'
            << samples << " samples on " << gnp::to_string(x.device()) << '\n';
}
