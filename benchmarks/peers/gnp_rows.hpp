// SPDX-License-Identifier: MIT
// What array_rows.cpp and program_rows.cpp share: inputs whose numbers peers_rows.py makes too, the time of a
// row, and a line "row milliseconds checksums" for each.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <gnp/gnp.hpp>
#include <iostream>
#include <regex>
#include <string>
#include <tuple>

namespace rows {

using gnp::array;
using gnp::index_t;

inline std::regex wanted;
inline index_t smaller = 1;  // to try the rows on a CPU: the largest sizes are divided by it

/// Milliseconds of a call: the fastest of five batches of back-to-back calls with one synchronisation each.
template <class Call>
double time_of(const Call& call) {
  using clock = std::chrono::steady_clock;
  const auto batch = [&](index_t calls) {
    gnp::synchronize();
    const auto begin = clock::now();
    for (index_t i = 0; i < calls; ++i) call();
    gnp::synchronize();
    return std::chrono::duration<double, std::milli>(clock::now() - begin).count() / static_cast<double>(calls);
  };
  batch(2);
  const auto calls = std::clamp<index_t>(static_cast<index_t>(15 / batch(2)), 2, 2000);
  double best = batch(calls);
  for (int i = 0; i < 4; ++i) best = std::min(best, batch(calls));
  return best;
}

/// Numbers in [0, 1) that look random: multiples of the golden ratio, in whole numbers of 32 bits.
inline array<std::uint32_t> words(const gnp::shape_t& shape) {
  index_t count = 1;
  for (const index_t size : shape) count *= size;
  const array<std::uint32_t> i = gnp::arange<std::uint32_t>(count);
  const array<std::uint32_t> once = (i ^ (i >> 15)) * 2654435769U;
  const array<std::uint32_t> twice = (once ^ (once >> 13)) * 2246822519U;
  return array<std::uint32_t>(twice ^ (twice >> 16)).reshape(shape);
}
inline array<float> numbers(const gnp::shape_t& shape) {
  return (words(shape) >> 8).astype<float>() * (1.0F / 16777216);
}

/// All elements of a result, or of several.
template <gnp::array_like X>
array<double> elements_of(const X& result) {
  return array<double>(result.eval().template astype<double>()).ravel();
}
inline array<double> elements_of(double number) { return gnp::full<double>({1}, number); }
template <class... X>
array<double> elements_of(const std::tuple<X...>& results) {
  return std::apply([](const auto&... x) { return gnp::concatenate({elements_of(x)...}); }, results);
}

/// The mean; the mean of the elements times numbers, which other places of the elements would change; the root
/// of the mean square.
inline void print_row(const char* name, const array<double>& result, double milliseconds) {
  double mean = 0, weighted = 0, size = 0;
  if (result.size() != 0) {
    mean = gnp::mean(result);
    weighted = gnp::mean(result * numbers({result.size()}));
    size = std::sqrt(double(gnp::mean(result * result)));
  }
  std::printf("%s %.6f %.12g %.12g %.12g\n", name, milliseconds, mean, weighted, size);
}

/// `make` brings the inputs, which go when the row is done, and returns the call; it returns an array, a number
/// or a tuple of arrays.
template <class Make>
void row(const char* name, const Make& make) {
  if (!std::regex_search(name, wanted)) return;
  try {
    auto call = make();
    const array<double> result = elements_of(call());
    print_row(name, result, time_of([&call] { call(); }));
  } catch (const std::exception& failure) {
    std::string why = failure.what();
    std::replace(why.begin(), why.end(), '\n', ' ');
    std::printf("# %s: %s\n", name, why.c_str());
  }
  std::fflush(stdout);
}

/// The rows of a regular expression, or all. After "-", each line of the input names a row to time, until there
/// are no more.
template <class Rows>
void answer(int count, char** arguments, const Rows& all) {
  const std::string which = count > 1 ? arguments[1] : ".";
  if (count > 2) smaller = std::stoll(arguments[2]);
  if (which != "-") {
    wanted = std::regex(which);
    all();
    return;
  }
  for (std::string line; std::getline(std::cin, line);) {
    wanted = std::regex("^" + line + "$");
    all();
  }
}

}  // namespace rows
