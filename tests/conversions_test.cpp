// SPDX-License-Identifier: MIT
// test: optimised
// Conversions of integers of 8 bytes to and from floating-point numbers in loops, beside those of single
// numbers; and of operands of an operation that computes in another type.
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;

template <class T>
std::vector<T> integers() {
  std::mt19937_64 generator(3);
  std::vector<T> x = {0, 1, (std::numeric_limits<T>::max)(), (std::numeric_limits<T>::min)()};
  for (int i = 0; i < 3000; ++i) x.push_back(static_cast<T>(static_cast<T>(generator()) >> (i % 64)));
  // Between two floats, and two doubles: the middle, and its neighbours.
  for (int digits = 24; digits < 63; ++digits) {
    for (const int beside : {-1, 0, 1}) {
      x.push_back(static_cast<T>((T(1) << digits) + (T(1) << (digits - 24)) + static_cast<T>(beside)));
      if (digits >= 53)
        x.push_back(static_cast<T>((T(1) << digits) + (T(3) << (digits - 53)) + static_cast<T>(beside)));
    }
  }
  return x;
}

template <class To, class From>
void check(const std::vector<From>& x) {
  const array<From> all = gnp::asarray(x);
  const array<From> apart = gnp::zeros<From>({2 * all.size()});
  apart(slice(none, none, 2)) = all;
  const gnp::host_array<To> got = gnp::asnumpy(all.template astype<To>());
  const gnp::host_array<To> of_apart = gnp::asnumpy(apart(slice(none, none, 2)).template astype<To>());
  index_t wrong = 0;
  for (index_t i = 0; i < got.size(); ++i) {
    volatile From single = x[static_cast<std::size_t>(i)];  // which no loop of vectors reads
    const To right = static_cast<To>(single);
    wrong += got[i] == right && of_apart[i] == right ? 0 : 1;
  }
  INFO(gnp::dtype_of<From> << " to " << gnp::dtype_of<To>);
  CHECK(wrong == 0);
}

template <class From>
void check_floats() {
  std::mt19937_64 generator(4);
  std::vector<From> x = {0, -From(0), From(0.99), From(-0.99), From(-1.5), From(-0x1p63)};
  for (int i = 0; i < 3001; ++i) {
    const double size = std::ldexp(static_cast<double>(generator()) / 0x1p64, i % 63 + 1);
    x.push_back(static_cast<From>(i % 2 == 0 ? size : -size));
    if (std::abs(x.back()) >= From(0x1p63)) x.back() = 0;
  }
  check<std::int64_t>(x);
}

template <class T>
void check_integers() {
  const std::vector<T> x = integers<T>();
  check<float>(x);
  check<double>(x);
  check<bool>(x);
  check<std::uint8_t>(x);
  // Quotients and roots are of doubles.
  const array<T> all = gnp::asarray(x);
  const gnp::host_array<double> quotients = gnp::asnumpy(all / T(7));
  const gnp::host_array<double> sizes = gnp::asnumpy(gnp::sqrt(all * all.template astype<double>()));
  index_t wrong = 0;
  for (index_t i = 0; i < all.size(); ++i) {
    volatile T single = x[static_cast<std::size_t>(i)];
    const auto wide = static_cast<double>(single);
    wrong += quotients[i] == wide / 7 && sizes[i] == std::sqrt(wide * wide) ? 0 : 1;
  }
  CHECK(wrong == 0);
  // Powers and quotients that have loops of their own, of operands that are converted.
  const array<double> small = gnp::linspace<double>(0, 20, 21);
  const gnp::host_array<T> cubes =
      gnp::asnumpy(gnp::power(small.template astype<T>(), small.template astype<T>() % T(4)));
  const gnp::host_array<T> sevenths = gnp::asnumpy(gnp::floor_divide((small * 9.0).template astype<T>(), T(7)));
  for (index_t i = 0; i < 21; ++i) {
    CHECK(cubes[i] ==
          static_cast<T>(std::lround(std::pow(static_cast<double>(i), static_cast<double>(i % 4)))));
    CHECK(sevenths[i] == static_cast<T>(i * 9 / 7));
  }
}

/// All integers of From divided by each number, beside C++'s quotients.
template <class To, class From>
void check_quotients(const std::vector<From>& integers, const std::vector<To>& divisors) {
  const array<From> x = gnp::asarray(integers);
  std::vector<std::pair<From, To>> wrong;
  for (const To divisor : divisors) {
    const gnp::host_array<To> got = gnp::asnumpy(x.template astype<To>() / divisor);
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const To wanted = static_cast<To>(integers[i]) / divisor;
      const To found = got(static_cast<index_t>(i));
      // (NaN of 0 / 0; otherwise bit for bit, signs of zeros, too.)
      if (std::isnan(wanted) ? !std::isnan(found)
                             : found != wanted || std::signbit(found) != std::signbit(wanted))
        wrong.emplace_back(integers[i], divisor);
    }
  }
  CHECK(wrong.empty());
}

// On a GPU, small integers are divided through a reciprocal.
TEST_CASE("quotients of small integers have the bits of a division") {
  for_each_device([](gnp::device) {
    std::vector<float> divisors = {255,   -255,   3,     1.0F / 3, -0.1F, 2,     1e-5F,    16777215,
                                   1e30F, 1e-38F, 3e38F, 1e-44F,   0,     -0.0F, INFINITY, NAN};
    std::mt19937 generator(5);
    for (int i = 0; i < 8; ++i) divisors.push_back(std::ldexp(static_cast<float>(generator() >> 8), i - 30));
    std::vector<std::int16_t> shorts;
    for (int i = -32768; i < 32768; ++i) shorts.push_back(static_cast<std::int16_t>(i));
    check_quotients<float>(shorts, divisors);
    std::vector<double> wide_divisors = {255,   -3,     1.0 / 3, 1e-200, 4294967295.0, 9007199254740991.0,
                                         1e308, 5e-324, 0};
    for (int i = 0; i < 8; ++i)
      wide_divisors.push_back(std::ldexp(static_cast<double>(generator()) * 2097151 + i, i));
    std::vector<std::uint32_t> words = {0, 1, 4294967295U};
    for (int i = 0; i < 5000; ++i) words.push_back(static_cast<std::uint32_t>(generator()) >> (i % 32));
    check_quotients<double>(words, wide_divisors);
    // The divisor's type converts the elements.
    CHECK(
        gnp::array_equal(gnp::asarray<std::uint8_t>({0, 51, 255}) / 255.0, gnp::asarray<double>({0, 0.2, 1})));
  });
}

}  // namespace

TEST_CASE("conversions: of integers of 8 bytes") {
  for_each_device([](gnp::device) {
    check_integers<std::int64_t>();
    check_integers<std::uint64_t>();
  });
}

TEST_CASE("conversions: of floating-point numbers to integers of 8 bytes") {
  for_each_device([](gnp::device where) {
    check_floats<float>();
    check_floats<double>();
    // On the CPU what is negative wraps on its way to an unsigned number, as in NumPy. (C++ leaves it open.)
    if (sanitized || !where.is_cpu()) return;
    const array<double> x = gnp::linspace<double>(-100, 100, 201);
    const array<double> sines = gnp::sin(x) * 1000.0;
    CHECK(gnp::array_equal((gnp::sin(x) * 1000.0).astype<std::uint64_t>().astype<std::int64_t>(),
                           gnp::trunc(sines)));
    CHECK(gnp::array_equal(x.astype<std::uint64_t>().astype<std::int64_t>(), x.astype<std::int64_t>()));
  });
}
