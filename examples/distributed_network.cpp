// SPDX-License-Identifier: MIT
// A network learns on all GPUs, or on the CPU's threads: each has some of the points and the whole network, and
// the gradients of all are added up before each step.
#include <gnp/distributed.hpp>
#include <gnp/gnp.hpp>
#include <iostream>
#include <optional>
#include <vector>

#include "support/options.hpp"
#include "support/progress.hpp"

namespace dist = gnp::distributed;
using floats = gnp::array<float>;

/// One hidden layer that tells on which side of a circle points lie.
struct network {
  floats w1, b1, w2, b2;

  floats hidden(const floats& x) const { return maximum(gnp::matmul(x, w1) + b1, 0); }
  floats operator()(const floats& x) const { return 1 / (1 + exp(-(gnp::matmul(hidden(x), w2) + b2))); }

  /// A step down the gradient of the cross-entropy of all processes' points; returns the loss before it.
  float train(const floats& x, const floats& label, gnp::index_t points, float rate) {
    const dist::group& world = dist::world();
    const floats h = hidden(x), p = (*this)(x);
    const float loss =
        world.all_reduce(-sum(label * log(p) + (1 - label) * log(1 - p))) / static_cast<float>(points);
    const floats d_score = (p - label) / static_cast<float>(points);
    const floats d_hidden = gnp::matmul(d_score, w2.T()) * (h > 0);
    w2 -= rate * world.all_reduce(gnp::matmul(h.T(), d_score));
    b2 -= rate * world.all_reduce(sum(d_score, 0));
    w1 -= rate * world.all_reduce(gnp::matmul(x.T(), d_hidden));
    b1 -= rate * world.all_reduce(sum(d_hidden, 0));
    return loss;
  }
};

int main(int argc, char** argv) {
  gnp::index_t points = 2000, units = 32;
  int steps = 500, processes = 0;
  float rate = 1;
  std::uint64_t seed = 1;
  support::options options("A network that all GPUs train, each with some of the points.");
  options.add("points", points, "in the plane", gnp::index_t{10});
  options.add("units", units, "of the network's hidden layer");
  options.add("steps", steps, "to train the network");
  options.add("processes", processes, "threads with a device each; 0: one for each GPU, or one", 0);
  options.add("rate", rate, "how far a step goes", 0.0F);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  const auto program = [&] {
    const bool first = dist::world().rank() == 0;
    // All points are the same however many processes there are; each takes its rows of them.
    auto rng = dist::default_rng(seed);
    const dist::array places = rng.uniform<float>(-1, 1, {points, 2});
    const floats x = places.local();
    const floats label = (sum(square(x), 1, {.keepdims = true}) < 0.5F).astype<float>();

    auto weights = gnp::random::default_rng(seed + 1);  // the same everywhere
    network net{weights.normal<float>(0, 1, {2, units}), gnp::zeros<float>(units),
                weights.normal<float>(0, 0.1, {units, 1}), gnp::zeros<float>(1)};
    std::optional<support::progress> progress;
    if (first) progress.emplace("distributed_network", steps);
    for (int step = 1; step <= steps; ++step) {
      const float loss = net.train(x, label, points, rate);
      if (!first) continue;
      progress->update(step);
      if (step != 1 && step % (steps < 5 ? 1 : steps / 5) != 0) continue;
      progress->clear();
      std::cout << "step " << step << ": cross-entropy " << loss << '\n';
    }
    progress.reset();
    const floats right = dist::world().all_reduce(sum(((net(x) > 0.5F) == (label > 0.5F)).astype<float>()));
    const double share = 100 * right.item() / static_cast<double>(points);
    if (first) {
      std::cout << "after: " << share << " % are right\n"
                << points << " points by " << dist::world().size() << " on " << gnp::to_string(x.device())
                << '\n';
    }
  };
  if (processes == 0) {
    dist::run(program);
  } else {
    dist::run(processes, program);
  }
}
