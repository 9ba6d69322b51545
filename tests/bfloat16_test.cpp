// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Arithmetic of bfloat16 beside results in double, rounded to the nearest with an even last bit: every number
// with some others, and floats in the middle between two.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::bfloat16;
using gnp::host_array;
using gnp::index_t;

/// The nearest, by what its last place is worth.
double rounded(double x) {
  if (x == 0 || std::isnan(x) || std::isinf(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const double place = std::ldexp(1.0, std::max(exponent - 8, -133));
  const double nearest = std::nearbyint(x / place) * place;
  return std::abs(nearest) > 0x1.fep127 ? std::copysign(std::numeric_limits<double>::infinity(), x) : nearest;
}

double value_of(bfloat16 x) { return static_cast<double>(static_cast<float>(x)); }

bool is(bfloat16 found, double wanted) {
  const double value = value_of(found);
  return std::isnan(wanted) ? std::isnan(value)
                            : value == wanted && std::signbit(value) == std::signbit(wanted);
}

bfloat16 of_bits(unsigned bits) {
  bfloat16 x{};
  x.bits = static_cast<std::uint16_t>(bits);
  return x;
}

}  // namespace

TEST_CASE("sums, products and quotients of bfloat16 are rounded once") {
  host_array<bfloat16> every({65536});
  for (unsigned bits = 0; bits < 65536; ++bits) every[bits] = of_bits(bits);
  std::vector<unsigned> others{0x0000, 0x8000, 0x0001, 0x8003, 0x007f, 0x0080, 0x00ff, 0x3f80,
                               0xbf80, 0x3f81, 0x4040, 0x40e0, 0x3eaa, 0x3dcc, 0x437f, 0x7e80,
                               0x7f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0};
  for (unsigned k = 0; k < 40; ++k) others.push_back(k * 1637 & 0xffff);
  for_each_device([&](gnp::device) {
    const array<bfloat16> x = gnp::asarray(every);
    index_t wrong_sums = 0, wrong_differences = 0, wrong_products = 0, wrong_quotients = 0, wrong_inverses = 0;
    for (const unsigned bits : others) {
      const bfloat16 y = of_bits(bits);
      const double other = value_of(y);
      const auto count = [&](const array<bfloat16>& found, index_t& wrong, const auto& wanted) {
        const host_array<bfloat16> host = gnp::asnumpy(found);
        for (index_t i = 0; i < host.size(); ++i)
          wrong += is(host[i], rounded(wanted(value_of(every[i])))) ? 0 : 1;
      };
      count(x + y, wrong_sums, [&](double v) { return v + other; });
      count(x - y, wrong_differences, [&](double v) { return v - other; });
      count(x * y, wrong_products, [&](double v) { return v * other; });
      count(x / y, wrong_quotients, [&](double v) { return v / other; });
      count(y / x, wrong_inverses, [&](double v) { return other / v; });
    }
    CHECK(wrong_sums == 0);
    CHECK(wrong_differences == 0);
    CHECK(wrong_products == 0);
    CHECK(wrong_quotients == 0);
    CHECK(wrong_inverses == 0);
  });
}

TEMPLATE_TEST_CASE("numbers of 16 bits have limits, and change in place", "", gnp::half, gnp::bfloat16) {
  using limits = std::numeric_limits<TestType>;
  using info = gnp::finfo<TestType>;
  CHECK(limits::is_specialized);
  CHECK(float(limits::max()) == float(info::max));
  CHECK(float(limits::lowest()) == -float(info::max));
  CHECK(float(limits::min()) == float(info::tiny));
  CHECK(float(limits::epsilon()) == float(info::eps));
  CHECK(float(limits::denorm_min()) == float(info::smallest_subnormal));
  CHECK(std::isinf(float(limits::infinity())));
  CHECK(std::isnan(float(limits::quiet_NaN())));
  CHECK(std::isnan(float(limits::signaling_NaN())));
  CHECK(limits::digits == info::nmant + 1);
  CHECK(limits::max_exponent == info::maxexp);
  CHECK(limits::min_exponent - 1 == info::minexp);
  TestType x(1.5F);
  x += 2;
  x *= 2.0F;
  CHECK(float(x++) == 7.0F);
  --x;
  x -= 1;
  x /= 4;
  CHECK(float(++x) == 2.5F);
  for_each_device([](gnp::device) {
    const gnp::array<TestType> filled = gnp::zeros<TestType>({3});
    filled.fill(0.25);
    CHECK(gnp::to_vector(filled.template astype<float>()) == std::vector<float>(3, 0.25F));
    filled.fill(2);
    CHECK(gnp::to_vector(filled.template astype<float>()) == std::vector<float>(3, 2.0F));
  });
}

TEST_CASE("floats become the nearest bfloat16") {
  std::vector<float> floats;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    for (const unsigned below : {0U, 1U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
      const unsigned all = bits << 16 | below;
      float x = 0;
      std::memcpy(&x, &all, sizeof x);
      floats.push_back(x);
    }
  }
  for_each_device([&](gnp::device) {
    const host_array<bfloat16> found = gnp::asnumpy(gnp::asarray(floats).astype<bfloat16>());
    index_t wrong = 0;
    for (std::size_t i = 0; i < floats.size(); ++i)
      wrong += is(found[static_cast<index_t>(i)], rounded(static_cast<double>(floats[i]))) ? 0 : 1;
    CHECK(wrong == 0);
  });
}
