// SPDX-License-Identifier: MIT
// test: optimised
// Expressions of float16 beside those of double, rounded after each operation: every number, and arrays of
// every length about those that are taken at a time.
#include <cmath>
#include <functional>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::half;
using gnp::index_t;
using gnp::none;
using gnp::slice;

/// The nearest half, of two the even one, without the conversions that are tested.
double rounded(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double place = std::ldexp(1.0, std::max(std::ilogb(x), -14) - 10);
  const double nearest = std::nearbyint(x / place) * place;
  return std::abs(nearest) > 65504 ? std::copysign(HUGE_VAL, x) : std::copysign(nearest, x);
}
double value_of(half x) {
  const int exponent = x.bits >> 10 & 31;
  const int digits = x.bits & 1023;
  const double size = exponent == 31  ? (digits == 0 ? HUGE_VAL : std::nan(""))
                      : exponent == 0 ? std::ldexp(digits, -24)
                                      : std::ldexp(1024 + digits, exponent - 25);
  return (x.bits >> 15) != 0 ? -size : size;
}

/// Every half there is, in an order in which neighbours differ much.
std::vector<half> every_half() {
  std::vector<half> all;
  for (unsigned i = 0; i < 65536; ++i) all.push_back(half::from_bits(static_cast<std::uint16_t>(i * 40503U)));
  return all;
}

/// Right, or for functions whose float has an error the neighbour of it where it is close to the middle of two.
bool is_right(half got, double exactly, double allowed) {
  const double value = value_of(got);
  if (std::isnan(exactly) || std::isnan(value)) return std::isnan(exactly) && std::isnan(value);
  const double right = rounded(exactly);
  if (value == right) return right != 0 || std::signbit(value) == std::signbit(right);
  return rounded(exactly * (1 + allowed)) == value || rounded(exactly * (1 - allowed)) == value;
}

using operation = std::function<double(double, double)>;
void check(const char* name, const array<half>& results, const std::vector<half>& x, const std::vector<half>& y,
           const operation& right, double allowed = 0) {
  const gnp::host_array<half> got = gnp::asnumpy(results);
  REQUIRE(got.size() == static_cast<index_t>(x.size()));
  index_t wrong = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_right(got[static_cast<index_t>(i)], right(value_of(x[i]), value_of(y[i])), allowed)) continue;
    ++wrong;
    where = i;
  }
  INFO(name << " of " << value_of(x[where]) << " and " << value_of(y[where]) << ": "
            << value_of(got[static_cast<index_t>(where)]));
  CHECK(wrong == 0);
}

constexpr double of_floats = 1e-6;  // what a function of float may be wrong by

void check_all(const array<half>& a, const array<half>& b, const std::vector<half>& x,
               const std::vector<half>& y) {
  check("add", a + b, x, y, [](double p, double q) { return p + q; });
  check("subtract", a - b, x, y, [](double p, double q) { return p - q; });
  check("multiply", a * b, x, y, [](double p, double q) { return p * q; });
  check("divide", a / b, x, y, [](double p, double q) { return p / q; });
  check("x * y + x", a * b + a, x, y, [](double p, double q) { return rounded(p * q) + p; });
  check("(x - 2) / (y + 0.5)", (a - 2) / (b + 0.5), x, y,
        [](double p, double q) { return rounded(p - 2) / rounded(q + 0.5); });
  check("sqrt", gnp::sqrt(a), x, y, [](double p, double) { return std::sqrt(p); });
  check("floor", gnp::floor(a), x, y, [](double p, double) { return std::floor(p); });
  check("square", gnp::square(a), x, y, [](double p, double) { return p * p; });
  check("square by number", gnp::power(a, 2), x, y, [](double p, double) { return p * p; });
  check(
      "root by number", gnp::power(a, 0.5), x, y, [](double p, double) { return std::pow(p, 0.5); }, of_floats);
  check(
      "power by number", gnp::power(a, -1.5), x, y, [](double p, double) { return std::pow(p, -1.5); },
      of_floats);
  check("exp", gnp::exp(a), x, y, [](double p, double) { return std::exp(p); }, of_floats);
  check("log", gnp::log(a), x, y, [](double p, double) { return std::log(p); }, of_floats);
  check("tanh", gnp::tanh(a), x, y, [](double p, double) { return std::tanh(p); }, of_floats);
  check(
      "sin of what is small", gnp::sin(a / 1024), x, y,
      [](double p, double) { return std::sin(rounded(p / 1024)); }, of_floats);
  check("absolute", gnp::absolute(a), x, y, [](double p, double) { return std::abs(p); });
  check("negative of an absolute", -gnp::fabs(a), x, y, [](double p, double) { return -std::abs(p); });
  check("negative of a sum", -(a + b), x, y, [](double p, double q) { return -rounded(p + q); });
  check("positive", +a, x, y, [](double p, double) { return p; });
  check("conj", gnp::conj(a), x, y, [](double p, double) { return p; });
}

}  // namespace

TEST_CASE("halves: every number in every operation") {
  for_each_device([](gnp::device) {
    const std::vector<half> x = every_half();
    std::vector<half> y(x.rbegin(), x.rend());
    std::rotate(y.begin(), y.begin() + 1234, y.end());
    const array<half> a = gnp::asarray(x);
    const array<half> b = gnp::asarray(y);
    check_all(a, b, x, y);
    // The bits that are no part of the value, too.
    const gnp::host_array<half> turned = gnp::asnumpy(-a);
    const gnp::host_array<half> sizes = gnp::asnumpy(gnp::absolute(a));
    index_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto at = static_cast<index_t>(i);
      if (std::isnan(value_of(x[i]))) continue;
      wrong += turned[at].bits == (x[i].bits ^ 0x8000) && sizes[at].bits == (x[i].bits & 0x7fff) ? 0 : 1;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("halves: arrays of every length, with steps, in place") {
  for_each_device([](gnp::device) {
    const std::vector<half> all = every_half();
    for (const std::ptrdiff_t length : {1, 2, 15, 16, 17, 31, 33, 511, 512, 513, 527, 1000, 1024, 1025}) {
      const std::vector<half> x(all.begin(), all.begin() + length);
      const std::vector<half> y(all.begin() + 5000, all.begin() + 5000 + length);
      const array<half> a = gnp::asarray(x);
      const array<half> b = gnp::asarray(y);
      const array<half> apart = gnp::zeros<half>({2 * length});
      apart(slice(none, none, 2)) = a;
      const operation sum_of_products = [](double p, double q) { return rounded(p * q) + p; };
      check("x * y + x", a * b + a, x, y, sum_of_products);
      check("of every other", apart(slice(none, none, 2)) * b + apart(slice(none, none, 2)), x, y,
            sum_of_products);
      const array<half> in_place = a.copy();
      in_place(gnp::all) = in_place * b + in_place;
      check("in place", in_place, x, y, sum_of_products);
      // What lies beside the results stays.
      const array<half> wider = gnp::full<half>({length + 2}, half(7.0F));
      wider(slice(1, -1)) = gnp::sqrt(a);
      CHECK(value_of(wider(0).item()) == 7);
      CHECK(value_of(wider(-1).item()) == 7);
      check("sqrt", wider(slice(1, -1)), x, y, [](double p, double) { return std::sqrt(p); });
    }
  });
}

TEST_CASE("halves: of doubles, rounded once") {
  for_each_device([](gnp::device) {
    std::vector<double> x = {HUGE_VAL, -HUGE_VAL, 1e300, -1e300, 5e-324,
                             -5e-324,  0.0,       -0.0,  1e-60,  65519.999999999};
    for (const half low : every_half()) {
      const double value = value_of(low);
      const double next = value_of(half::from_bits(static_cast<std::uint16_t>(low.bits + 1)));
      if (!std::isfinite(value) || !std::isfinite(next)) continue;
      const double middle = value / 2 + next / 2;
      // The middle of two, and what is nearer to it than a float could tell.
      for (const double at : {value, middle, middle * (1 + 1e-13), middle * (1 - 1e-13), value * (1 + 1e-13)})
        x.push_back(at);
    }
    const array<double> wide = gnp::asarray(x);
    const gnp::host_array<half> got = gnp::asnumpy(wide.astype<half>());
    const gnp::host_array<half> of_sums = gnp::asnumpy((wide + 0.0).astype<half>());
    index_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto at = static_cast<index_t>(i);
      wrong += is_right(got[at], x[i], 0) && value_of(of_sums[at]) == rounded(x[i]) ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(std::isnan(value_of(gnp::asarray<double>({std::nan("")}).astype<half>()(0).item())));
  });
}

TEST_CASE("halves: bfloat16 changes its sign by its bits, too") {
  for_each_device([](gnp::device) {
    const array<gnp::bfloat16> x = gnp::linspace<float>(-3, 3, 100).astype<gnp::bfloat16>();
    const array<float> wide = x.astype<float>();
    CHECK(gnp::array_equal(gnp::absolute(x).astype<float>(), gnp::absolute(wide)));
    CHECK(gnp::array_equal((-x).astype<float>(), -wide));
    CHECK(gnp::array_equal((x + x * x).astype<float>(),
                           (wide + (wide * wide).astype<gnp::bfloat16>().astype<float>())
                               .astype<gnp::bfloat16>()
                               .astype<float>()));
  });
}
