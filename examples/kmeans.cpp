// SPDX-License-Identifier: MIT
// Points in groups: k-means clustering by broadcasting, without a loop over points or groups.
#include <algorithm>
#include <gnp/gnp.hpp>
#include <iostream>
#include <limits>
#include <string>

#include "support/chart.hpp"
#include "support/options.hpp"

/// Of every point the squared distance to every centre: (n, 1, 2) and (k, 2) broadcast to (n, k, 2), which is
/// summed while it is computed and never stored.
gnp::array<float> distances(const gnp::array<float>& points, const gnp::array<float>& centres) {
  return gnp::sum(gnp::square(points(gnp::all, gnp::newaxis) - centres), {.axis = -1});
}

/// Begins with a point, and goes on with the point that is farthest from all so far.
gnp::array<float> first_centres(const gnp::array<float>& points, gnp::index_t k) {
  gnp::array centres = gnp::empty<float>({k, 2});
  centres(0) = points(0);
  for (gnp::index_t i = 1; i < k; ++i) {
    const gnp::array nearest = gnp::min(distances(points, centres(gnp::slice(i))), {.axis = 1});
    centres(i) = points(gnp::argmax(nearest).item());
  }
  return centres;
}

int main(int argc, char** argv) {
  using gnp::all, gnp::newaxis;
  gnp::index_t k = 5, points_per_group = 20'000;
  std::uint64_t seed = 1;
  std::string plot = "pictures/kmeans.svg";
  support::options options("Finds groups of points: k-means clustering.");
  options.add("groups", k, "groups to make, and to find");
  options.add("points", points_per_group, "of each group");
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.add("plot", plot, "some of the points, by group");
  options.parse(argc, argv);

  // Normally distributed around centres on a circle: (k, 1, 2) + (k, n, 2), and then it is forgotten who is
  // whose.
  auto rng = gnp::random::default_rng(seed);
  const gnp::array angle = gnp::arange<float>(static_cast<double>(k)) * (6.2831853 / static_cast<double>(k));
  gnp::array truth = gnp::empty<float>({k, 2});
  truth(all, 0) = 4 * cos(angle);
  truth(all, 1) = 4 * sin(angle);
  gnp::array points =
      (truth(all, newaxis) + rng.normal<float>(0, 0.7, {k, points_per_group, 2})).reshape(-1, 2);
  rng.shuffle(points);

  gnp::array centres = first_centres(points, k);
  gnp::array<std::int64_t> group;
  double before = std::numeric_limits<double>::infinity();
  for (int step = 1; step <= 100; ++step) {
    const gnp::array distance = distances(points, centres);
    const double error = gnp::mean(gnp::min(distance, {.axis = 1})).item();
    std::cout << "step " << step << ": mean squared distance " << error << '\n';
    if (!(error < before * (1 - 1e-6))) break;
    before = error;

    // A row of zeros with a one says which group a point is in; a product then sums the points of each group.
    group = gnp::argmin(distance, {.axis = 1});
    const gnp::array member = (group(all, newaxis) == gnp::arange(k)).astype<float>().eval();
    const gnp::array count = gnp::sum(member, {.axis = 0});
    centres = gnp::matmul(member.T(), points) / count(all, newaxis);
  }

  const gnp::array nearest = gnp::min(distances(truth, centres), {.axis = 1});
  std::cout << "centres:\n"
            << centres << "\nfarthest from a true one: " << gnp::max(gnp::sqrt(nearest)) << '\n';

  // The plot is the host's work.
  const gnp::host_array<float> position = gnp::asnumpy(points);
  const gnp::host_array<std::int64_t> number = gnp::asnumpy(group);
  chart::line_chart picture{.title = "k-means", .x = {.label = "x"}, .y = {.label = "y"}};
  for (gnp::index_t i = 0; i < k; ++i) picture.lines.push_back({"group " + std::to_string(i), {}, {}, false});
  for (gnp::index_t i = 0; i < std::min<gnp::index_t>(position.shape()[0], 1000); ++i) {
    chart::line& line = picture.lines[static_cast<std::size_t>(number(i))];
    line.x.push_back(position(i, 0));
    line.y.push_back(position(i, 1));
  }
  chart::write_file(plot, chart::to_svg(chart::draw(picture)));
  std::cout << plot << ": " << points.shape(0) << " points on " << gnp::to_string(points.device()) << '\n';
}
