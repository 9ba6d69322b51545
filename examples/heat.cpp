// SPDX-License-Identifier: MIT
// How heat spreads in a plate: each step is one statement on views that are shifted against each other.
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>

#include "support/colours.hpp"
#include "support/options.hpp"
#include "support/png.hpp"
#include "support/progress.hpp"

/// A hot ring, a hot bar and a cold disc on a warm plate.
gnp::array<float> plate(gnp::index_t n) {
  const gnp::array x = gnp::linspace<float>(-1, 1, n);
  const gnp::array y = x.reshape(-1, 1);
  const auto radius = hypot(x + 0.2F, y + 0.15F);
  gnp::array u = gnp::full<float>({n, n}, 0.25);
  u(gnp::ellipsis) = where(radius > 0.35F && radius < 0.5F, 1, u);
  u(gnp::ellipsis) = where(abs(x - 0.6F) < 0.08F && abs(y) < 0.7F, 0.9F, u);
  u(gnp::ellipsis) = where(hypot(x + 0.4F, y - 0.65F) < 0.2F, 0, u);
  return u;
}

/// One step. u has a frame of one cell around the plate; as warm as its neighbours, it lets no heat through.
void diffuse(gnp::array<float>& u, float rate) {
  using gnp::all, gnp::none, gnp::slice;
  u(0) = u(1);
  u(-1) = u(-2);
  u(all, 0) = u(all, 1);
  u(all, -1) = u(all, -2);
  const gnp::array centre = u(slice(1, -1), slice(1, -1));
  const gnp::array up = u(slice(none, -2), slice(1, -1)), down = u(slice(2, none), slice(1, -1));
  const gnp::array left = u(slice(1, -1), slice(none, -2)), right = u(slice(1, -1), slice(2, none));
  // The right side reads what the left side writes: as in NumPy, it is computed first.
  u(slice(1, -1), slice(1, -1)) += rate * (up + down + left + right - 4 * centre);
}

int main(int argc, char** argv) {
  using gnp::all, gnp::slice;
  gnp::index_t size = 256, steps = 4000;
  float rate = 0.2F;
  std::string file = "pictures/heat.png";
  support::options options("How heat spreads in a plate: four moments side by side in a picture.");
  options.add("size", size, "cells along an edge of the plate", gnp::index_t{8});
  options.add("steps", steps, "of time");
  options.add("rate", rate, "heat that goes to each neighbour in a step; above 0.25 it is unstable", 0.0F,
              0.25F);
  options.add("file", file, "the picture");
  options.parse(argc, argv);

  gnp::array u = gnp::zeros<float>({size + 2, size + 2});
  gnp::array inner = u(slice(1, -1), slice(1, -1));  // a view: it changes with u
  inner.assign(plate(size));

  const gnp::index_t gap = 4;  // white, between the four
  gnp::array picture = gnp::full<float>({size, 4 * size + 3 * gap, 3}, 255);
  support::progress progress("heat", steps);
  gnp::index_t step = 0;
  for (gnp::index_t moment = 0; moment < 4; ++moment) {
    // 0, and then 1/16, 1/4 and all of the steps: heat spreads with the square root of time.
    const gnp::index_t until = moment == 0 ? 0 : steps >> (2 * (3 - moment));
    for (; step < until; ++step) {
      diffuse(u, rate);
      progress.update(step);
    }
    const gnp::index_t left = moment * (size + gap);
    picture(all, slice(left, left + size)) = support::mix(inner, support::glow());
    progress.clear();
    std::cout << "after " << step << " steps: from " << gnp::min(inner) << " to " << gnp::max(inner)
              << ", total heat " << gnp::sum<double>(inner) << '\n';
  }
  support::write_png(file, support::to_pixels(picture));
  std::cout << file << ": computed on " << gnp::to_string(u.device()) << '\n';
}
