// SPDX-License-Identifier: MIT
// Conway's game of life on a torus: neighbours are counted by rolling the board, all cells at once.
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

using board = gnp::array<std::uint8_t>;  // 1 is alive

/// A cell is born with three neighbours, and stays alive with two or three.
board next(const board& cells) {
  // Three in a row and then three rows: with the cell itself nine are counted, by four rolls in place of eight.
  const board row = cells + roll(cells, 1, 1) + roll(cells, -1, 1);
  const board nine = row + roll(row, 1, 0) + roll(row, -1, 0);
  return (nine == 3 || (nine == 4 && cells != 0)).astype<std::uint8_t>();
}

void show(const board& cells) {
  const gnp::host_array<std::uint8_t> h = gnp::asnumpy(cells);
  for (gnp::index_t y = 0; y < cells.shape(0); ++y) {
    for (gnp::index_t x = 0; x < cells.shape(1); ++x) std::cout << (h(y, x) ? '#' : '.');
    std::cout << '\n';
  }
}

int main(int argc, char** argv) {
  using gnp::slice;
  gnp::index_t size = 128, generations = 100;
  std::uint64_t seed = 1;
  support::options options("Conway's game of life: a glider, and a board at random.");
  options.add("size", size, "cells along an edge of the board", gnp::index_t{16});
  options.add("generations", generations, "of the board at random");
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  // A glider in the corner of a small board, which it will leave on one side and enter on the other.
  const board glider = gnp::asarray<std::uint8_t>({{0, 1, 0}, {0, 0, 1}, {1, 1, 1}});
  board small = gnp::zeros<std::uint8_t>({8, 8});
  small(slice(5, 8), slice(5, 8)) = glider;
  const board before = small;
  std::cout << "a glider:\n";
  show(small);
  for (int i = 0; i < 4; ++i) small = next(small);
  std::cout << "and after 4 generations:\n";
  show(small);
  const bool shifted = gnp::array_equal(small, gnp::roll(before, {1, 1}, {0, 1}));
  std::cout << (shifted ? "it moved down and right by one\n" : "it did not move as it should\n");

  // Life that is blind to place: a board that is rolled has the future of the board, rolled.
  auto rng = gnp::random::default_rng(seed);
  board soup = (rng.random<float>({size, size}) < 0.35F).astype<std::uint8_t>();
  board rolled = gnp::roll(soup, {3, -5}, {0, 1});
  std::cout << "generation 0: " << gnp::sum(soup) << " of " << soup.size() << " cells are alive\n";
  for (gnp::index_t i = 0; i < generations; ++i) {
    soup = next(soup);
    rolled = next(rolled);
  }
  std::cout << "generation " << generations << ": " << gnp::sum(soup) << " are\n"
            << "rolled, " << gnp::count_nonzero(gnp::roll(soup, {3, -5}, {0, 1}) != rolled)
            << " cells differ, on " << gnp::to_string(soup.device()) << '\n';
}
