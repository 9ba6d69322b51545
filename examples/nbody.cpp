// SPDX-License-Identifier: MIT
// Gravity between all pairs of some hundred stars: differences by broadcasting, time by leapfrog.
#include <algorithm>
#include <cmath>
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"
#include "support/progress.hpp"

using doubles = gnp::array<double>;
using gnp::all, gnp::newaxis;

/// Of every star the pull of all others: (1, n, 3) - (n, 1, 3) makes (n, n, 3), which is never stored. Close
/// pairs are softened, so that a step of time need not be short for their sake.
doubles acceleration(const doubles& x, const doubles& mass, double softening) {
  const auto difference = x(newaxis) - x(all, newaxis);
  const doubles squared = sum(square(difference), {.axis = -1}) + softening * softening;
  const doubles pull = mass / (squared * sqrt(squared));
  return sum(difference * pull(all, all, newaxis), {.axis = 1});
}

double energy(const doubles& x, const doubles& v, const doubles& mass, double softening) {
  const doubles squared = sum(square(x(newaxis) - x(all, newaxis)), {.axis = -1}) + softening * softening;
  const doubles kinetic = sum(mass * sum(square(v), {.axis = -1})) / 2;
  // Above the diagonal is each pair once, and no star with itself.
  const doubles potential = -sum(triu(gnp::outer(mass, mass) / sqrt(squared), 1));
  return kinetic + potential;
}

int main(int argc, char** argv) {
  gnp::index_t stars = 200;
  int steps = 100;
  double dt = 0.005, softening = 0.05;
  std::uint64_t seed = 1;
  support::options options("Gravity between all pairs of stars.");
  options.add("stars", stars, "in the cluster", gnp::index_t{2});
  options.add("steps", steps, "of time");
  options.add("dt", dt, "how long a step is", 0.0);
  options.add("softening", softening, "below this distance gravity stops growing", 1e-6);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  // A ball of stars, one unit of mass together, that rotates about z; it is at rest as a whole.
  auto rng = gnp::random::default_rng(seed);
  doubles mass = rng.uniform(0.5, 1.5, stars);
  mass /= mass.sum();
  doubles x = rng.normal(0, 0.5, {stars, 3});
  doubles v = 0.7 * gnp::cross(gnp::asarray<double>({0, 0, 1}), x) + rng.normal(0, 0.2, {stars, 3});
  x -= gnp::average(x, 0, mass);
  v -= gnp::average(v, 0, mass);

  std::cout.precision(7);
  const double before = energy(x, v, mass, softening);
  std::cout << "step 0: energy " << before << '\n';
  support::progress progress("nbody", steps);
  doubles a = acceleration(x, mass, softening);
  double drift = 0;
  for (int step = 1; step <= steps; ++step) {
    // Half a kick, a drift, half a kick: the energy's error does not grow with time.
    v += dt / 2 * a;
    x += dt * v;
    a = acceleration(x, mass, softening);
    v += dt / 2 * a;
    progress.update(step);
    if (step % (steps < 4 ? 1 : steps / 4) != 0) continue;
    const double now = energy(x, v, mass, softening);
    drift = std::max(drift, std::abs(now / before - 1));
    progress.clear();
    std::cout << "step " << step << ": energy " << now << '\n';
  }

  progress.clear();

  const doubles momentum = gnp::sum(mass(all, newaxis) * v, {.axis = 0});
  std::cout << "the energy is within " << 100 * drift << " % of what it was\n"
            << "momentum, which was 0: " << gnp::linalg::norm(momentum) << '\n'
            << stars << " stars on " << gnp::to_string(x.device()) << '\n';
}
