// SPDX-License-Identifier: MIT
// Which tones there are when: the Fourier transforms of overlapping pieces of a sound, as a picture.
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>

#include "support/colours.hpp"
#include "support/options.hpp"
#include "support/png.hpp"

/// A tone that rises, one that trembles, a bell that is struck three times, and some noise.
gnp::array<float> sound(gnp::index_t rate, double seconds) {
  const auto samples = static_cast<gnp::index_t>(static_cast<double>(rate) * seconds);
  const gnp::array t = gnp::linspace(0, seconds, samples, {.endpoint = false});
  const double whole_turn = 2 * gnp::pi;
  // The phase is the integral of the frequency: from 200 Hz on by 700 Hz in a second; 2500 Hz, 150 up and down.
  const auto rising = sin(whole_turn * (200 * t + 350 * t * t));
  const auto trembling = 0.5 * sin(whole_turn * 2500 * t + 30 * sin(whole_turn * 5 * t));
  const auto since_stroke = t % (seconds / 3);
  const auto bell = exp(-6 * since_stroke) * (sin(whole_turn * 1100 * t) + 0.6 * sin(whole_turn * 2970 * t));
  const gnp::array noise = gnp::random::default_rng(1).normal(0, 0.02, samples);
  return (rising + trembling + bell + noise).astype<float>();
}

/// Row k is `overlap` steps long and begins k steps further on.
gnp::array<float> overlapping(const gnp::array<float>& x, gnp::index_t step, gnp::index_t overlap) {
  using gnp::all, gnp::slice;
  const gnp::array steps = x(slice(0, x.size() / step * step)).reshape(-1, step);
  const gnp::index_t count = steps.shape(0) - overlap + 1;
  gnp::array pieces = gnp::empty<float>({count, overlap * step});
  for (gnp::index_t i = 0; i < overlap; ++i)
    pieces(all, slice(i * step, (i + 1) * step)) = steps(slice(i, i + count));
  return pieces;
}

int main(int argc, char** argv) {
  gnp::index_t rate = 8000, step = 64, overlap = 8;
  double seconds = 4;
  std::string file = "pictures/spectrogram.png";
  support::options options("Which tones there are when: the spectrum of a sound, piece by piece.");
  options.add("rate", rate, "samples in a second", gnp::index_t{1000});
  options.add("seconds", seconds, "of sound", 0.5);
  options.add("step", step, "samples from one piece to the next", gnp::index_t{1});
  options.add("overlap", overlap, "how many steps a piece is long", gnp::index_t{1}, gnp::index_t{32});
  options.add("file", file, "the picture");
  options.parse(argc, argv);

  const gnp::array x = sound(rate, seconds);
  const gnp::array pieces = overlapping(x, step, overlap);
  const gnp::index_t window = overlap * step;
  const gnp::array turn =
      gnp::arange<float>(0, static_cast<double>(window)) * (2 * gnp::pi / static_cast<double>(window));
  const gnp::array bell_shape = 0.5F - 0.5F * cos(turn);  // Hann's window: a piece begins and ends softly
  const gnp::array spectrum = gnp::fft::rfft(pieces * bell_shape);

  const gnp::array power = square(abs(spectrum));
  const gnp::array decibels = 10 * log10(power / gnp::max(power) + 1e-8F);  // from -80 to 0
  // Time to the right, low tones at the bottom.
  support::write_png(file,
                     support::to_pixels(support::mix(gnp::flipud(decibels.T()) / 80 + 1, support::glow())));

  const gnp::array frequency = gnp::fft::rfftfreq(window, 1.0 / static_cast<double>(rate));
  const gnp::array loudest = argmax(power, {.axis = 1});
  for (const double part : {0.1, 0.5, 0.9}) {
    const auto piece = static_cast<gnp::index_t>(part * static_cast<double>(pieces.shape(0)));
    const double middle =
        (static_cast<double>(piece * step) + static_cast<double>(window) / 2) / static_cast<double>(rate);
    std::cout << "after " << middle << " s the loudest tone is at " << frequency(loudest(piece).item())
              << " Hz\n";
  }
  std::cout << file << ": " << pieces.shape(0) << " pieces of " << window << " samples, computed on "
            << gnp::to_string(x.device()) << '\n';
}
