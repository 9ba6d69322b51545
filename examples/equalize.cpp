// SPDX-License-Identifier: MIT
// A picture that is too dark, equalised: its histogram becomes a table that gives every level as many pixels.
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>

#include "support/chart.hpp"
#include "support/colours.hpp"
#include "support/options.hpp"
#include "support/png.hpp"

/// Hills under a moon, four ridges of them, all of it in the darkest third of the levels.
gnp::array<std::uint8_t> night(gnp::index_t height, gnp::index_t width) {
  using gnp::array;
  const array x = gnp::linspace<float>(0, 1.5, width);
  const array y = gnp::linspace<float>(0, 1, height).reshape(-1, 1);
  const auto moon = hypot(x - 1.1F, y - 0.25F);
  array<float> light = 0.25F + 0.35F * exp(-5 * moon) + 0.05F * sin(40 * y + 6 * sin(3 * x)) * (1 - y);
  light(gnp::ellipsis) = where(moon < 0.07F, 1, light);
  for (int ridge = 0; ridge < 4; ++ridge) {  // the nearest last, and darkest
    const float near = static_cast<float>(ridge);
    const auto top =
        0.5F + 0.11F * near - 0.08F * sin((4 + near) * x + 2 * near) - 0.02F * abs(sin((19 + 7 * near) * x));
    light(gnp::ellipsis) = where(y > top, 0.22F - 0.05F * near + 0.06F * (y - top), light);
  }
  return rint(clip(light, 0, 1) * 90 + 4).astype<std::uint8_t>();
}

/// The share of the pixels that are no lighter than each level.
gnp::array<double> shares(const gnp::array<std::uint8_t>& picture) {
  const gnp::array counts = gnp::bincount(picture.ravel(), {.minlength = 256});
  return cumsum(counts) / static_cast<double>(picture.size());
}

chart::line line_of(const std::string& name, const gnp::array<double>& shares) {
  chart::line line{name, {}, {}};
  line.y = shares.tolist();
  for (int level = 0; level < 256; ++level) line.x.push_back(level);
  return line;
}

int main(int argc, char** argv) {
  using gnp::array;
  gnp::index_t width = 480, height = 320;
  std::string file = "pictures/equalize.png", plot = "pictures/equalize.svg";
  support::options options("A dark picture and the same with its histogram equalised.");
  options.add("width", width, "of the picture", gnp::index_t{8});
  options.add("height", height, "of the picture", gnp::index_t{8});
  options.add("file", file, "the picture, before and after");
  options.add("plot", plot, "how many pixels are no lighter than each level");
  options.parse(argc, argv);

  const array dark = night(height, width);
  const array before = shares(dark);
  const double darkest = before(dark.min().item()).item();  // becomes level 0
  const array<std::uint8_t> table =
      rint(clip((before - darkest) / (1 - darkest), 0, 1) * 255).astype<std::uint8_t>();
  const array<std::uint8_t> bright = table(dark);

  for (const auto& [name, picture] : {std::pair{"before", dark}, std::pair{"after", bright}}) {
    const array levels = gnp::unique(picture);
    const array quartiles = gnp::percentile(picture, {25, 50, 75});
    std::cout << name << ": " << levels.size() << " levels from " << +levels(0).item() << " to "
              << +levels(-1).item() << ", quartiles " << quartiles << ", contrast "
              << gnp::std(picture.astype<float>()).item() << '\n';
  }

  const gnp::index_t gap = 8;  // white, between the two
  array both = gnp::full<float>({height, 2 * width + gap, 3}, 255);
  both(gnp::all, gnp::slice(width)) = expand_dims(dark, {2});
  both(gnp::all, gnp::slice(width + gap, gnp::none)) = expand_dims(bright, {2});
  support::write_png(file, support::to_pixels(both));
  chart::line_chart distribution{.title = "A dark picture, equalised",
                                 .x = {.label = "level"},
                                 .y = {.label = "pixels no lighter"},
                                 .lines = {line_of("before", before), line_of("after", shares(bright))}};
  chart::write_file(plot, chart::to_svg(chart::draw(distribution)));
  std::cout << file << ", " << plot << ": computed on " << gnp::to_string(dark.device()) << '\n';
}
