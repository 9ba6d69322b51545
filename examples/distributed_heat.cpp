// SPDX-License-Identifier: MIT
// The plate of heat.cpp, shared out among all GPUs, or the CPU's threads. Each has some rows; the statement of
// a step is the same, and the rows of neighbours that it reads are fetched while the others are computed.
#include <gnp/distributed.hpp>
#include <gnp/gnp.hpp>
#include <iostream>
#include <optional>
#include <string>

#include "support/colours.hpp"
#include "support/options.hpp"
#include "support/png.hpp"
#include "support/progress.hpp"

namespace dist = gnp::distributed;

/// A hot ring, a hot bar and a cold disc on a warm plate.
dist::array<float> plate(gnp::index_t n) {
  const gnp::array x = gnp::linspace<float>(-1, 1, n);  // a row, the same everywhere
  const dist::array y = dist::linspace<float>(-1, 1, n)(gnp::all, gnp::newaxis);
  const auto radius = hypot(x + 0.2F, y + 0.15F);
  dist::array<float> u = dist::full({n, n}, 0.25F);
  u.assign(where(radius > 0.35F && radius < 0.5F, 1, u));
  u.assign(where(abs(x - 0.6F) < 0.08F && abs(y) < 0.7F, 0.9F, u));
  u.assign(where(hypot(x + 0.4F, y - 0.65F) < 0.2F, 0, u));
  return u;
}

/// One step, as in heat.cpp. u has a frame of one cell around the plate.
void diffuse(dist::array<float>& u, float rate) {
  using gnp::all, gnp::none, gnp::slice;
  u(0) = u(1);
  u(-1) = u(-2);
  u(all, 0) = u(all, 1);
  u(all, -1) = u(all, -2);
  const dist::array centre = u(slice(1, -1), slice(1, -1));
  const dist::array up = u(slice(none, -2), slice(1, -1)), down = u(slice(2, none), slice(1, -1));
  const dist::array left = u(slice(1, -1), slice(none, -2)), right = u(slice(1, -1), slice(2, none));
  u(slice(1, -1), slice(1, -1)) += rate * (up + down + left + right - 4 * centre);
}

int main(int argc, char** argv) {
  using gnp::slice;
  gnp::index_t size = 256;
  int steps = 1000, processes = 0;
  float rate = 0.2F;
  std::string file = "pictures/distributed_heat.png";
  support::options options("How heat spreads in a plate that all GPUs share.");
  options.add("size", size, "cells along an edge of the plate", gnp::index_t{8});
  options.add("steps", steps, "of time");
  options.add("processes", processes, "threads with a device each; 0: one for each GPU, or one", 0);
  options.add("rate", rate, "heat that goes to each neighbour in a step", 0.0F, 0.25F);
  options.add("file", file, "the picture");
  options.parse(argc, argv);

  const auto program = [&] {
    const bool first = dist::world().rank() == 0;  // which speaks for all
    dist::array<float> u = dist::zeros<float>({size + 2, size + 2});
    const dist::array inner = u(slice(1, -1), slice(1, -1));
    inner.assign(plate(size));
    const double before = sum<double>(inner);
    std::optional<support::progress> progress;
    if (first) progress.emplace("heat", steps);
    for (int step = 0; step < steps; ++step) {
      diffuse(u, rate);
      if (progress) progress->update(step);
    }
    progress.reset();
    const float coldest = gnp::min(inner), warmest = gnp::max(inner);
    const double after = sum<double>(inner);
    const gnp::array<float> picture = inner.gathered();
    if (!first) return;
    std::cout << "after " << steps << " steps: from " << coldest << " to " << warmest << ", total heat "
              << before << " before and " << after << " now\n";
    support::write_png(file, support::to_pixels(support::mix(picture, support::glow())));
    std::cout << file << ": computed by " << dist::world().size() << " on " << gnp::to_string(u.device())
              << '\n';
  };
  if (processes == 0) {
    dist::run(program);
  } else {
    dist::run(processes, program);
  }
}
