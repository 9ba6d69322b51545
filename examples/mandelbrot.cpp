// SPDX-License-Identifier: MIT
// The Mandelbrot set: a ufunc with a loop in it, and a picture of what it finds.
#include <algorithm>
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>

#include "support/colours.hpp"
#include "support/options.hpp"
#include "support/png.hpp"
#include "support/progress.hpp"

// How many steps of z = z * z + c it takes to leave the circle of radius 16, with a fraction that makes colours
// smooth; -1 if z is still inside after `limit` steps. Arrays of row and column numbers broadcast to a plane of
// them.
GNP_UFUNC(
    escape_time, (re, im, limit), auto x = 0 * re, auto y = 0 * im, int n = 0,
    while (n < limit && x * x + y * y < 256) {
      const auto next = x * x - y * y + re;
      y = 2 * x * y + im;
      x = next;
      ++n;
    },
    n < limit ? n + 1 - log2(log2(x * x + y * y) / 2) : -1 + 0 * re);

int main(int argc, char** argv) {
  gnp::index_t width = 960, height = 640, limit = 1000;
  double re = -0.7436, im = 0.1318, size = 0.012;
  std::string file = "pictures/mandelbrot.png";
  support::options options("The Mandelbrot set as a picture.");
  options.add("width", width, "of the picture");
  options.add("height", height, "of the picture");
  options.add("re", re, "real part of the centre");
  options.add("im", im, "imaginary part of the centre");
  options.add("size", size, "width of what the picture shows", 1e-14, 10.0);
  options.add("limit", limit, "steps after which a point counts as inside");
  options.add("file", file, "the picture");
  options.parse(argc, argv);

  // Two by two samples for each pixel.
  const double half = size / 2, upper = half * static_cast<double>(height) / static_cast<double>(width);
  const gnp::array x = gnp::linspace(re - half, re + half, 2 * width);
  const gnp::array y = gnp::linspace(im + upper, im - upper, 2 * height).reshape(-1, 1);
  const gnp::array palette = gnp::asarray<float>(
      {{0, 7, 60}, {32, 107, 203}, {237, 255, 255}, {255, 170, 0}, {90, 20, 0}, {0, 2, 20}, {0, 7, 60}});

  gnp::array picture = gnp::empty<float>({height, width, 3});
  gnp::index_t inside = 0;
  support::progress progress("mandelbrot", height);
  // In bands of rows: a picture may be larger than memory could hold all that leads to it.
  const gnp::index_t band = 64;
  for (gnp::index_t top = 0; top < height; top += band) {
    const gnp::index_t rows = std::min(band, height - top);
    const gnp::array time = escape_time(x, y(gnp::slice(2 * top, 2 * (top + rows))), limit);
    const gnp::array<float> turns =
        log(maximum(time, 1)) / 4 + 0.08;  // the palette begins anew at every whole number
    const gnp::array colours = support::mix(turns % 1, palette) * (time(gnp::ellipsis, gnp::newaxis) >= 0);
    picture(gnp::slice(top, top + rows)) = mean(colours.reshape(rows, 2, width, 2, 3), {.axis = {1, 3}});
    inside += gnp::count_nonzero(time < 0).item();
    progress.update(top + rows);
  }
  progress.clear();
  support::write_png(file, support::to_pixels(picture));
  std::cout << file << ": " << width << " x " << height << " pixels, "
            << 100 * static_cast<double>(inside) / static_cast<double>(4 * width * height)
            << " % inside the set, computed on " << gnp::to_string(picture.device()) << '\n';
}
