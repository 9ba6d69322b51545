// SPDX-License-Identifier: MIT
// A picture made small: of its singular value decomposition the largest values are kept.
#include <algorithm>
#include <gnp/gnp.hpp>
#include <iostream>
#include <set>
#include <string>

#include "support/chart.hpp"
#include "support/colours.hpp"
#include "support/options.hpp"
#include "support/png.hpp"

/// A lake at sunset, shape (height, width, 3): rows and columns of coordinates broadcast to a plane.
gnp::array<float> landscape(gnp::index_t height, gnp::index_t width) {
  using gnp::array;
  const array x = gnp::linspace<float>(-1.5, 1.5, width);
  const array y = gnp::linspace<float>(0, 1, height).reshape(-1, 1);
  const float horizon = 0.62F;
  const auto water = y > horizon;  // shows what is above the horizon upside down, and in waves
  const array depth = maximum(y - horizon, 0).eval();
  const array wave = (depth * 0.35F * sin(9 / (depth + 0.03F) + 5 * sin(3 * x))).eval();
  const array v = where(water, horizon - 1.5F * depth + 0.25F * wave, y).eval();
  const array u = where(water, x + wave, x).eval();

  const auto from_sun = hypot(u - 0.35F, 1.6F * (v - 0.42F));
  const auto clouds = 0.07F * sin(34 * v + 2 * sin(4 * u)) * exp(-square(v - 0.2F) * 40);
  array<float> light = 0.16F + 0.5F * v + 0.45F * exp(-3 * from_sun) + clouds;
  light(gnp::ellipsis) = where(from_sun < 0.13F, 1, light);
  for (int ridge = 0; ridge < 3; ++ridge) {  // mountains, the nearest last
    const float near = static_cast<float>(ridge);
    const auto top = 0.47F + 0.05F * near - 0.09F * sin((1.7F + near) * u + 2 * near) -
                     0.03F * abs(sin((7 + 4 * near) * u)) - 0.012F * abs(sin((23 + 9 * near) * u + near));
    light(gnp::ellipsis) = where(v > top, 0.30F - 0.11F * near, light);
  }
  light(gnp::ellipsis) = where(water, 0.8F * light + wave, light);
  return support::mix(
      light, gnp::asarray<float>(
                 {{8, 10, 36}, {52, 38, 96}, {140, 62, 116}, {226, 104, 96}, {255, 170, 92}, {255, 236, 176}}));
}

int main(int argc, char** argv) {
  using gnp::all, gnp::array, gnp::none, gnp::slice;
  gnp::index_t width = 480, height = 320, rank = 24;
  std::string file = "pictures/compress.png", plot = "pictures/compress.svg";
  support::options options("A picture through a truncated singular value decomposition, before and after.");
  options.add("width", width, "of the picture", gnp::index_t{8});
  options.add("height", height, "of the picture", gnp::index_t{8});
  options.add("rank", rank, "singular values kept of each colour");
  options.add("file", file, "the picture, before and after");
  options.add("plot", plot, "error against rank");
  options.parse(argc, argv);
  const gnp::index_t most = std::min(width, height);
  rank = std::min(rank, most);

  const array picture = landscape(height, width);
  const array colours = picture.transpose(2, 0, 1);  // three matrices, decomposed in one call
  auto [u, s, vh] = gnp::linalg::svd(colours, {.full_matrices = false});

  const double whole = gnp::linalg::norm(picture.ravel()).item();
  chart::line measured{"measured", {}, {}},
      left_out{"predicted by the singular values left out", {}, {}, false};
  array<float> kept;
  std::set<gnp::index_t> ranks = {rank};
  for (gnp::index_t k = 1; k < most; k *= 2) ranks.insert(k);
  for (const gnp::index_t k : ranks) {
    // The first k columns of u, scaled, times the first k rows of vh.
    const array factor = u(gnp::ellipsis, slice(k)) * s(all, gnp::newaxis, slice(k));
    const array approximation = gnp::matmul(factor, vh(all, slice(k)));
    const double error = gnp::linalg::norm((approximation - colours).ravel()).item() / whole;
    const double rest = gnp::linalg::norm(s(all, slice(k, none)).ravel()).item() / whole;
    if (k == rank) kept = approximation.transpose(1, 2, 0);
    measured.x.push_back(static_cast<double>(k));
    measured.y.push_back(error);
    left_out.x.push_back(static_cast<double>(k));
    left_out.y.push_back(rest);
    std::cout << "rank " << k << ": error " << 100 * error << " %, predicted " << 100 * rest << " %, "
              << 100.0 * static_cast<double>(k * (width + height + 1)) / static_cast<double>(width * height)
              << " % of the numbers\n";
  }

  const gnp::index_t gap = 8;  // white, between the two
  array both = gnp::full<float>({height, 2 * width + gap, 3}, 255);
  both(all, slice(width)) = picture;
  both(all, slice(width + gap, none)) = kept;
  support::write_png(file, support::to_pixels(both));

  chart::line_chart error_chart{.title = "A picture's truncated singular value decomposition",
                                .x = {.label = "rank", .scale = chart::scale::logarithmic},
                                .y = {.label = "relative error", .scale = chart::scale::logarithmic},
                                .lines = {measured, left_out}};
  chart::write_file(plot, chart::to_svg(chart::draw(error_chart)));
  std::cout << file << ", " << plot << ": computed on " << gnp::to_string(u.device()) << '\n';
}
