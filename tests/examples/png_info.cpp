// SPDX-License-Identifier: MIT
// Says what a PNG file shows, if nothing is wrong with it:  png_info FILE
// RGB 640x480 colours 1234 from 0 to 255 mean 12.3 45.6 78.9
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "../png_decoder.hpp"

int main(int argc, char** argv) {
  try {
    std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
    const png::picture p =
        png::decode({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});

    std::set<std::uint32_t> colours;
    std::vector<double> sums(p.channels);
    for (auto pixel = p.pixels.begin(); pixel != p.pixels.end();
         pixel += static_cast<std::ptrdiff_t>(p.channels)) {
      std::uint32_t colour = 0;
      for (std::size_t c = 0; c < p.channels; ++c) {
        const unsigned part = pixel[static_cast<std::ptrdiff_t>(c)];
        colour = colour * 256 + part;
        sums[c] += part;
      }
      colours.insert(colour);
    }
    const auto [least, most] = std::minmax_element(p.pixels.begin(), p.pixels.end());
    std::cout << (p.channels == 1 ? "grey " : "RGB ") << p.width << 'x' << p.height << " colours "
              << colours.size() << " from " << int{*least} << " to " << int{*most} << " mean";
    for (const double sum : sums) std::cout << ' ' << sum / static_cast<double>(p.width * p.height);
    std::cout << '\n';
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
