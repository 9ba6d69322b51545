// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Statements with reductions of half as NumPy's; and the two operations of theirs that a GPU has a shorter way
// to where they are of halves.
#include "statements_golden.hpp"

TEST_CASE("statements of half as NumPy's") {
  for_each_device([](gnp::device d) { statements::check_type<gnp::half>(d); });
}

TEST_CASE("quotients and exponentials of all halves") {
  using gnp::array;
  using gnp::half;
  using gnp::index_t;
  for_each_device([](gnp::device) {
    std::vector<half> every(65536);
    for (std::size_t i = 0; i < every.size(); ++i) every[i].bits = static_cast<std::uint16_t>(i);
    const array<half> x = gnp::asarray(every);
    const auto bits = [](half h) { return std::isnan(static_cast<float>(h)) ? -1 : int{h.bits}; };

    // A quotient is that of floats, rounded.
    const std::vector<half> by = [] {
      std::vector<half> chosen;
      for (int i = 0; i < 65536; i += 701) chosen.emplace_back().bits = static_cast<std::uint16_t>(i);
      for (const int i : {0, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x8000, 0x3555})
        chosen.emplace_back().bits = static_cast<std::uint16_t>(i);
      return chosen;
    }();
    const gnp::host_array<half> quotient =
        gnp::asnumpy(array<half>(x / gnp::asarray(by).reshape(static_cast<index_t>(by.size()), 1)));
    index_t wrong = 0;
    for (index_t i = 0; i < quotient.shape(0); ++i) {
      const float y = static_cast<float>(by[static_cast<std::size_t>(i)]);
      for (index_t j = 0; j < quotient.shape(1); ++j) {
        const half wanted(static_cast<float>(every[static_cast<std::size_t>(j)]) / y);
        wrong += bits(quotient(i, j)) != bits(wanted) ? 1 : 0;
      }
    }
    CHECK(wrong == 0);

    // An exponential is within a hundredth more than half of its last place.
    const gnp::host_array<half> power = gnp::asnumpy(array<half>(exp(x)));
    double most = 0;
    for (index_t j = 0; j < power.size(); ++j) {
      const double value = static_cast<double>(static_cast<float>(every[static_cast<std::size_t>(j)]));
      const double wanted = std::exp(value);
      const double found = static_cast<double>(static_cast<float>(power[j]));
      if (std::isnan(value) || wanted > 65519 || wanted < 1e-9) {
        wrong += bits(power[j]) != bits(half(static_cast<float>(wanted))) ? 1 : 0;
        continue;
      }
      const double last_place = std::ldexp(1.0, std::max(std::ilogb(wanted), -14) - 10);
      most = std::max(most, std::abs(found - wanted) / last_place);
    }
    CHECK(wrong == 0);
    CHECK(most < 0.51);
  });
}
