// SPDX-License-Identifier: MIT
// Fitting: a linear model by least squares and by gradient descent, then a network with one hidden layer.
// Its gradients are written by hand.
#include <cmath>
#include <gnp/gnp.hpp>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "support/chart.hpp"
#include "support/options.hpp"
#include "support/progress.hpp"

using floats = gnp::array<float>;

/// y = x w + noise, with as many unknown weights as x has columns: once by a factorisation, once step by step.
void linear(gnp::random::generator& rng, gnp::index_t n, gnp::index_t features) {
  const floats x = rng.normal<float>(0, 1, {n, features});
  const floats truth = rng.uniform<float>(-1, 1, {features});
  const floats y = gnp::matmul(x, truth) + rng.normal<float>(0, 0.1, {n});

  const floats exact = gnp::linalg::lstsq(x, y).x;

  floats w = gnp::zeros<float>({features});
  int steps = 0;
  for (double change = 1; change > 1e-6 && steps < 1000; ++steps) {
    const floats gradient = gnp::matmul(x.T(), gnp::matmul(x, w) - y) / n;
    w -= 0.5F * gradient;
    change = gnp::linalg::norm(gradient).item();
  }
  std::cout << "linear, " << n << " samples of " << features << " features:\n"
            << "  least squares is within " << gnp::max(gnp::abs(exact - truth)) << " of the truth\n"
            << "  gradient descent within " << gnp::max(gnp::abs(w - exact)) << " of least squares after "
            << steps << " steps\n";
}

/// A parameter with what Adam remembers of its gradients: their mean, and the mean of their squares.
struct parameter {
  explicit parameter(const floats& start)
      : value(start), mean(gnp::zeros_like(start)), square(gnp::zeros_like(start)) {}

  void descend(const floats& gradient, int step, float rate) {
    mean.assign(0.9F * mean + 0.1F * gradient);
    square.assign(0.999F * square + 0.001F * gradient * gradient);
    const double c1 = 1 - std::pow(0.9, step), c2 = 1 - std::pow(0.999, step);
    value -= rate * (mean / c1) / (sqrt(square / c2) + 1e-8);
  }

  floats value, mean, square;
};

/// tanh(x w1 + b1) w2 + b2
struct network {
  parameter w1, b1, w2, b2;

  floats hidden(const floats& x) const { return tanh(gnp::matmul(x, w1.value) + b1.value); }
  floats operator()(const floats& x) const { return gnp::matmul(hidden(x), w2.value) + b2.value; }

  /// One step down the gradient of the mean squared error; returns the error before it.
  floats train(const floats& x, const floats& y, int step, float rate) {
    const floats h = hidden(x);
    const floats error = gnp::matmul(h, w2.value) + b2.value - y;

    // Backwards, by the chain rule: d_a is the loss's derivative by a. tanh' is 1 - tanh².
    const floats d_out = 2 * error / x.shape(0);
    const floats d_hidden = gnp::matmul(d_out, w2.value.T()) * (1 - h * h);
    w2.descend(gnp::matmul(h.T(), d_out), step, rate);
    b2.descend(gnp::sum(d_out, {.axis = 0}), step, rate);
    w1.descend(gnp::matmul(x.T(), d_hidden), step, rate);
    b1.descend(gnp::sum(d_hidden, {.axis = 0}), step, rate);
    return gnp::mean(gnp::square(error));
  }
};

int main(int argc, char** argv) {
  gnp::index_t samples = 2000, features = 20, hidden = 64;
  int steps = 3000;
  float rate = 0.01F;
  std::uint64_t seed = 1;
  std::string plot = "pictures/regression.svg";
  support::options options("Fits a linear model, then a network with one hidden layer.");
  options.add("samples", samples, "measurements to fit", gnp::index_t{100});
  options.add("features", features, "of the linear model", gnp::index_t{1}, gnp::index_t{100});
  options.add("hidden", hidden, "units of the network's hidden layer");
  options.add("steps", steps, "to train the network");
  options.add("rate", rate, "how far a step goes", 0.0F);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.add("plot", plot, "loss, and what was learned");
  options.parse(argc, argv);

  auto rng = gnp::random::default_rng(seed);
  linear(rng, samples, features);

  // Noisy measurements of a wave that fades.
  const floats x = rng.uniform<float>(-1, 1, {samples, 1});
  const floats y = exp(-2 * x) * sin(8 * x) / 4 + rng.normal<float>(0, 0.05, {samples, 1});
  network net{parameter(rng.normal<float>(0, 4, {1, hidden})), parameter(rng.normal<float>(0, 2, {hidden})),
              parameter(rng.normal<float>(0, 0.1, {hidden, 1})), parameter(gnp::zeros<float>({1}))};

  std::cout << "network, " << hidden << " hidden units:\n";
  chart::line loss{"training", {}, {}};
  {
    support::progress progress("regression", steps);
    for (int step = 1; step <= steps; ++step) {
      const floats error = net.train(x, y, step, rate);
      progress.update(step);
      if (step % 10 != 1 && step != steps) continue;  // item() waits for the device: not every time
      loss.x.push_back(step);
      loss.y.push_back(error.item());
    }
  }
  for (const std::size_t i :
       std::set{std::size_t{0}, loss.x.size() / 4, loss.x.size() / 2, loss.x.size() - 1}) {
    std::cout << "  step " << loss.x[i] << ": mean squared error " << loss.y[i] << '\n';
  }
  const floats grid = gnp::linspace<float>(-1, 1, 201).reshape(-1, 1);
  const floats truth = exp(-2 * grid) * sin(8 * grid) / 4;
  const floats learned = net(grid);
  std::cout << "  from the wave without noise it differs by "
            << gnp::sqrt(gnp::mean(gnp::square(learned - truth))) << " on average\n";

  const auto line = [](const char* name, const floats& horizontal, const floats& vertical, bool joined) {
    const gnp::host_array<float> a = gnp::asnumpy(horizontal), b = gnp::asnumpy(vertical);
    return chart::line{name, {a.begin(), a.end()}, {b.begin(), b.end()}, joined};
  };
  const auto some = gnp::slice(200);
  chart::line_chart losses{.title = "Training",
                           .x = {.label = "step"},
                           .y = {.label = "mean squared error", .scale = chart::scale::logarithmic},
                           .lines = {loss}};
  chart::line_chart fit{
      .title = "What was learned",
      .x = {.label = "x"},
      .y = {.label = "y"},
      .lines = {line("network", grid, learned, true), line("measurements", x(some), y(some), false)}};
  chart::write_file(plot, chart::to_svg(chart::stack({chart::draw(losses), chart::draw(fit)})));
  std::cout << plot << ": computed on " << gnp::to_string(x.device()) << '\n';
}
