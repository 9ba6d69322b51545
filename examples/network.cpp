// SPDX-License-Identifier: MIT
// A network with one hidden layer learns by gradient descent which of two interleaved spirals a point is on.
// Its gradients are written by hand.
#include <gnp/gnp.hpp>
#include <iostream>
#include <tuple>

#include "support/options.hpp"
#include "support/progress.hpp"

using floats = gnp::array<float>;
using integers = gnp::array<std::int64_t>;

struct network {
  floats w1, b1, w2, b2;

  floats hidden(const floats& x) const { return maximum(gnp::matmul(x, w1) + b1, 0); }

  /// Of every point the probability of every class: softmax, where the largest exponent is made 0.
  floats operator()(const floats& x) const { return softmax(hidden(x)); }

  floats softmax(const floats& h) const {
    const floats score = gnp::matmul(h, w2) + b2;
    const floats weight = exp(score - score.max(1, {.keepdims = true}));
    return weight / weight.sum(1, {.keepdims = true});
  }

  /// One step down the gradient of the cross-entropy; returns the loss before it.
  floats train(const floats& x, const integers& label, float rate) {
    const gnp::index_t n = x.shape(0);
    const integers row = gnp::arange(n);
    const floats h = hidden(x);
    const floats p = softmax(h);
    const floats loss = -gnp::mean(log(p(row, label)));

    // Backwards, by the chain rule: d_a is the loss's derivative by a. Of softmax and cross-entropy together it
    // is the probabilities, less 1 for the class that is right.
    floats d_score = p / n;
    d_score(row, label) -= 1.0F / static_cast<float>(n);
    const floats d_hidden = gnp::matmul(d_score, w2.T()) * (h > 0);
    w2 -= rate * gnp::matmul(h.T(), d_score);
    b2 -= rate * d_score.sum(0);
    w1 -= rate * gnp::matmul(x.T(), d_hidden);
    b1 -= rate * d_hidden.sum(0);
    return loss;
  }
};

int main(int argc, char** argv) {
  gnp::index_t points = 200, classes = 2, units = 64;
  int steps = 1000;
  float rate = 1;
  std::uint64_t seed = 1;
  support::options options("A network learns to tell spirals apart.");
  options.add("points", points, "on each spiral", gnp::index_t{10});
  options.add("spirals", classes, "to tell apart", gnp::index_t{2}, gnp::index_t{8});
  options.add("units", units, "of the network's hidden layer");
  options.add("steps", steps, "to train the network");
  options.add("rate", rate, "how far a step goes", 0.0F);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  // (classes, points) angles and radii; then it is one list of points.
  auto rng = gnp::random::default_rng(seed);
  const auto make = [&] {
    const floats radius = gnp::linspace<float>(0.05, 1, points);
    const floats start = 2 * gnp::pi * gnp::arange<float>(classes).reshape(-1, 1) / classes;
    const floats angle = start + 6 * radius + rng.normal<float>(0, 0.2, {classes, points});
    return gnp::stack(std::tuple(radius * sin(angle), radius * cos(angle)), {.axis = -1}).reshape(-1, 2);
  };
  const floats x = make(), unseen = make();
  const integers label = gnp::repeat(gnp::arange(classes), points);

  network net{rng.normal<float>(0, 1, {2, units}), gnp::zeros<float>(units),
              rng.normal<float>(0, 0.1, {units, classes}), gnp::zeros<float>(classes)};
  const auto accuracy = [&](const floats& some) {
    return 100 * gnp::mean(gnp::argmax(net(some), 1) == label).item();
  };
  std::cout << "before: " << accuracy(x) << " % are right\n";
  support::progress progress("network", steps);
  for (int step = 1; step <= steps; ++step) {
    const floats loss = net.train(x, label, rate);
    progress.update(step);
    if (step != 1 && step % (steps < 5 ? 1 : steps / 5) != 0) continue;  // printing waits for the device
    progress.clear();
    std::cout << "step " << step << ": cross-entropy " << loss << '\n';
  }
  progress.clear();
  std::cout << "after: " << accuracy(x) << " % are right, of points not seen before " << accuracy(unseen)
            << " %\n"
            << label.size() << " points, " << units << " hidden units, on " << gnp::to_string(x.device())
            << '\n';
}
