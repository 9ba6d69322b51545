// SPDX-License-Identifier: MIT
// test: asan, header-only
// Fibres keep what was in their registers, and what one of them throws and catches is its own.
#include <gnp/kernel/fibre.hpp>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using gnp::detail::fibre;

struct exchange {
  fibre outside;
  std::vector<std::unique_ptr<fibre>> all;
  std::size_t current = 0;
  std::vector<double> results;
  std::vector<std::string> caught;
};
exchange* shared = nullptr;
constexpr int rounds = 20;

void to_outside() { shared->all[shared->current]->switch_to(shared->outside); }

// Numbers in as many registers as there are, with a pause in each round.
template <class Pause>
[[gnu::noinline]] double many_numbers(double seed, int count, const Pause& pause) {
  double a = seed;
  double b = seed + 1;
  double c = seed * 2;
  double d = seed - 3;
  long i = static_cast<long>(seed);
  long j = i + 7;
  for (int round = 0; round < count; ++round) {
    a += b * 0.5;
    b -= c;
    c += static_cast<double>(i);
    d = d * 0.25 + a;
    i += j;
    j -= 3;
    pause();
  }
  return a + b + c + d + static_cast<double>(i + j);
}

void body() {
  fibre::has_begun();
  const std::size_t own = shared->current;
  try {
    to_outside();
    throw std::runtime_error("of " + std::to_string(own));
  } catch (const std::exception& e) {
    shared->caught.emplace_back(e.what());
  }
  shared->results[own] = many_numbers(static_cast<double>(own), rounds, to_outside);
  for (;;) to_outside();
}

void resume(std::size_t i) {
  shared->current = i;
  shared->outside.switch_to(*shared->all[i]);
}

}  // namespace

TEST_CASE("fibres take turns") {
  exchange all;
  shared = &all;
  constexpr std::size_t count = 40;
  all.results.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    all.all.push_back(std::make_unique<fibre>(&body, static_cast<int>(i)));
  for (int round = 0; round < rounds + 2; ++round) {
    for (std::size_t i = 0; i < count; ++i) resume((i * 7 + static_cast<std::size_t>(round)) % count);
  }
  REQUIRE(all.caught.size() == count);
  CHECK(std::set<std::string>(all.caught.begin(), all.caught.end()).size() == count);

  for (std::size_t i = 0; i < count; ++i)
    CHECK(all.results[i] == many_numbers(static_cast<double>(i), rounds, [] {}));
}

TEST_CASE("a fibre that is never switched to, and one that is left for good") {
  exchange all;
  shared = &all;
  all.results.resize(2);
  all.all.push_back(std::make_unique<fibre>(&body, 0));
  all.all.push_back(std::make_unique<fibre>(&body, 1));
  resume(1);
  CHECK(all.caught.empty());
}
