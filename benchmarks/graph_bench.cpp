// SPDX-License-Identifier: MIT
// Programs of many small kernels, queued one by one and replayed as a graph. The state goes on from call to
// call; what both ways make of it is compared first.
#include "gpu_timing.hpp"

namespace {

using namespace gpu_timing;

/// A network with one hidden layer, 784-256-10, and its gradients by hand.
struct network {
  gnp::array<float> x = waves<float>({128, 784}, 0.37);
  gnp::array<float> wanted =
      (gnp::arange<int>(128).reshape(-1, 1) % 10 == gnp::arange<int>(10)).astype<float>();
  gnp::array<float> w1 = waves<float>({784, 256}, 0.61) * 0.02F, b1 = gnp::zeros<float>(256);
  gnp::array<float> w2 = waves<float>({256, 10}, 0.83) * 0.02F, b2 = gnp::zeros<float>(10);
  gnp::array<float> loss;

  void train() {
    const gnp::array<float> h = gnp::maximum(gnp::matmul(x, w1) + b1, 0);
    const gnp::array<float> score = gnp::matmul(h, w2) + b2;
    const auto e = gnp::exp(score - gnp::max(score, 1, {.keepdims = true}));
    const gnp::array<float> p = e / gnp::sum(e, 1, {.keepdims = true});
    loss = -gnp::mean(gnp::sum(wanted * gnp::log(p), 1));
    const gnp::array<float> d_score = (p - wanted) / x.shape(0);
    const gnp::array<float> d_hidden = gnp::matmul(d_score, w2.T()) * (h > 0);
    w2 -= 0.01F * gnp::matmul(h.T(), d_score);
    b2 -= 0.01F * gnp::sum(d_score, 0);
    w1 -= 0.01F * gnp::matmul(x.T(), d_hidden);
    b1 -= 0.01F * gnp::sum(d_hidden, 0);
  }
};

void train_step(benchmark::State& state, bool as_graph) {
  network with, without;
  gnp::graph g([&with] { with.train(); });
  for (int i = 0; i < 3; ++i) {
    g();
    without.train();
  }
  for (const index_t i : places(784 * 256))
    expect(with.w1.item(i / 256, i % 256), without.w1.item(i / 256, i % 256), 0, i);
  expect(with.loss.item(), without.loss.item(), 0, 0);
  report(state, as_graph ? time_calls([&] { g(); }) : time_calls([&] { without.train(); }));
}

void chain(benchmark::State& state, bool as_graph) {
  gnp::array<float> with = waves<float>({1000}, 0.37), without = with.copy();
  const auto hundred = [](gnp::array<float>& s) {
    for (int i = 0; i < 100; ++i) s(gnp::all) = s * 0.99F + 0.01F;
  };
  gnp::graph g([&] { hundred(with); });
  for (int i = 0; i < 3; ++i) {
    g();
    hundred(without);
  }
  for (const index_t i : places(1000)) expect(with.item(i), without.item(i), 0, i);
  report(state, as_graph ? time_calls([&] { g(); }) : time_calls([&] { hundred(without); }));
}

}  // namespace

void register_graph_benchmarks(bool quick) {
  gpu_timing::quick_run = quick;
  using benchmark::State;
  add_case("graph/train_step/calls", [](State& s) { train_step(s, false); });
  add_case("graph/train_step/graph", [](State& s) { train_step(s, true); });
  add_case("graph/chain_of_100/calls", [](State& s) { chain(s, false); });
  add_case("graph/chain_of_100/graph", [](State& s) { chain(s, true); });
}
