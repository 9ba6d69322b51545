// SPDX-License-Identifier: MIT
// Files between Python and C++: samples from a .npy, standardised, and what was found in a .npz.
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>

#include "support/options.hpp"

/// Samples of features that have something to do with each other, for whom has none.
void make_samples(const std::string& path, gnp::index_t samples, gnp::index_t features) {
  auto rng = gnp::random::default_rng(3);
  const gnp::array mixing = rng.normal<float>(0, 1, {features, features});
  gnp::save(path, matmul(rng.normal<float>(5, 2, {samples, features}), mixing));
}

int main(int argc, char** argv) {
  std::string input;
  std::string output = "standardized.npz";
  gnp::index_t samples = 100000;
  gnp::index_t features = 6;
  support::options options(
      "Standardises the samples of a .npy, and writes them and their correlations to a .npz.");
  options.add("input", input, "a .npy of samples by features; without it samples.npy is made");
  options.add("output", output, "the .npz that is written");
  options.add("samples", samples, "of a .npy that is made", gnp::index_t{2});
  options.add("features", features, "of a .npy that is made");
  options.parse(argc, argv);
  if (input.empty()) make_samples(input = "samples.npy", samples, features);

  const gnp::any_array file = gnp::load_any(input);
  const gnp::array x = file.astype<float>();
  std::cout << input << ": " << x.shape() << " of " << file.dtype() << '\n';

  const gnp::array mean = x.mean(0);
  const gnp::array deviation = x.std(0);
  const gnp::array z = (x - mean) / deviation;
  const gnp::array correlation = matmul(z.T(), z) / z.shape(0);
  std::cout << "largest |mean| afterwards: " << abs(z.mean(0)).max() << '\n'
            << "largest |correlation| of two features: "
            << (abs(correlation) - gnp::eye<float>(z.shape(1))).max() << '\n';

  gnp::savez(output, {{"z", z}, {"mean", mean}, {"std", deviation}, {"correlation", correlation}});
  const gnp::npz_file written = gnp::load_npz(output);
  for (const std::string& name : written.names())
    std::cout << name << ' ' << written.get<float>(name).shape() << '\n';
  std::cout << "in Python: np.load(\"" << output << "\")[\"correlation\"]\n";
}
