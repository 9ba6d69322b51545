// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Quotients by one number: kernels multiply by the reciprocal of a power of two. The bits have to be those of
// the processor's division, for every kind of dividend. And quotients of integers, which kernels multiply, too.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::host_array;
using gnp::index_t;

/// Numbers of every size, and those at the ends of the type.
template <class T, class Bits>
host_array<T> dividends() {
  constexpr index_t count = 4096;
  host_array<T> x({count});
  Bits bits = 1;
  for (index_t i = 0; i < count; ++i) {
    bits = static_cast<Bits>(bits * static_cast<Bits>(6364136223846793005u) + 1442695040888963407u);
    std::memcpy(&x[i], &bits, sizeof(T));
  }
  using limits = std::numeric_limits<T>;
  const T ends[] = {T(0),
                    -T(0),
                    limits::infinity(),
                    -limits::infinity(),
                    limits::max(),
                    limits::min(),
                    limits::denorm_min(),
                    3 * limits::denorm_min(),
                    T(1),
                    limits::lowest(),
                    7 * limits::denorm_min(),
                    limits::quiet_NaN()};
  for (index_t i = 0; i < 12; ++i) x[i] = ends[i];
  return x;
}

template <class T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T, class Bits>
void check_quotients() {
  const host_array<T> host = dividends<T, Bits>();
  const array<T> x = gnp::asarray(host);
  const array<T> rows = x.reshape({64, 64});
  const int most = std::numeric_limits<T>::max_exponent;
  for (const int power :
       {1, -1, 2, 10, -30, most - 3, most - 2, most - 1, 2 - most, 3 - most, 1 - most, -most - 5}) {
    for (const T divisor : {std::ldexp(T(1), power), -std::ldexp(T(1), power), std::ldexp(T(1.5), power)}) {
      INFO("divided by " << divisor);
      const auto quotient = gnp::asnumpy((x / divisor).eval());
      const auto largest = gnp::asnumpy(gnp::nanmax(rows / divisor, 1).eval());
      int wrong = 0;
      for (index_t i = 0; i < host.size(); ++i) wrong += same(quotient[i], host[i] / divisor) ? 0 : 1;
      CHECK(wrong == 0);
      wrong = 0;
      for (index_t row = 0; row < 64; ++row) {
        T most_of_row = -std::numeric_limits<T>::infinity();
        for (index_t k = 0; k < 64; ++k) most_of_row = std::fmax(most_of_row, host[row * 64 + k] / divisor);
        wrong += largest[row] == most_of_row ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
  }
}

/// Integers of every number of bits, and those next to powers of two and to the ends of the type.
template <class T>
std::vector<T> integers() {
  using bits_of = std::make_unsigned_t<T>;
  std::vector<T> x;
  std::uint64_t bits = 88172645463325252u;
  for (int size = 0; size < std::numeric_limits<bits_of>::digits; ++size) {
    const bits_of power = static_cast<bits_of>(bits_of(1) << size);
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const bits_of within = static_cast<bits_of>(power | (static_cast<bits_of>(bits >> 11) & (power - 1)));
    for (const bits_of one :
         {static_cast<bits_of>(power - 1), power, static_cast<bits_of>(power + 1), within}) {
      x.push_back(static_cast<T>(one));
      x.push_back(static_cast<T>(bits_of(0) - one));
    }
  }
  return x;
}

/// As NumPy has them: rounded down, 0 for a divisor of 0, and wrapped where the lowest number is divided by -1.
template <class T>
std::pair<T, T> divided(T x, T y) {
  using bits_of = std::make_unsigned_t<T>;
  if (y == T(0)) return {T(0), T(0)};
  if constexpr (std::is_signed_v<T>) {
    if (y == T(-1)) return {static_cast<T>(bits_of(0) - static_cast<bits_of>(x)), T(0)};
  }
  T quotient = static_cast<T>(x / y);
  T rest = static_cast<T>(x % y);
  if (rest != 0 && (rest < 0) != (y < 0)) {
    --quotient;
    rest = static_cast<T>(rest + y);
  }
  return {quotient, rest};
}

template <class T>
void check_integers() {
  const std::vector<T> numbers = integers<T>();
  const index_t n = static_cast<index_t>(numbers.size());
  const array<T> x = gnp::asarray(numbers);
  const array<T> column = x.reshape(n, 1);
  const auto quotients = gnp::asnumpy(gnp::floor_divide(column, x).eval());
  const auto rests = gnp::asnumpy((column % x).eval());
  int wrong = 0;
  for (index_t i = 0; i < n; ++i) {
    for (index_t k = 0; k < n; ++k)
      wrong += std::pair(quotients[i * n + k], rests[i * n + k]) ==
                       divided(numbers[static_cast<std::size_t>(i)], numbers[static_cast<std::size_t>(k)])
                   ? 0
                   : 1;
  }
  CHECK(wrong == 0);
  for (const T divisor : numbers) {  // which the kernels get as a number
    const auto one = gnp::asnumpy(gnp::floor_divide(x, divisor).eval());
    const index_t multiples = gnp::sum(x % divisor == T(0));
    index_t expected = 0;
    wrong = 0;
    for (index_t i = 0; i < n; ++i) {
      const auto [quotient, rest] = divided(numbers[static_cast<std::size_t>(i)], divisor);
      wrong += one[i] == quotient ? 0 : 1;
      expected += rest == 0 ? 1 : 0;
    }
    INFO("divided by " << +divisor);
    CHECK(wrong == 0);
    CHECK(multiples == expected);
  }
}

}  // namespace

TEST_CASE("integers divided by integers of every size") {
  for_each_device([](gnp::device) {
    check_integers<std::int8_t>();
    check_integers<std::uint8_t>();
    check_integers<std::int16_t>();
    check_integers<std::uint16_t>();
    check_integers<std::int32_t>();
    check_integers<std::uint32_t>();
    check_integers<std::int64_t>();
    check_integers<std::uint64_t>();
  });
}

TEST_CASE("quotients by powers of two, and by numbers beside them") {
  for_each_device([](gnp::device) {
    check_quotients<float, std::uint32_t>();
    check_quotients<double, std::uint64_t>();
  });
}

TEST_CASE("a quotient within a row") {
  for_each_device([](gnp::device) {
    // Rows of 1 to 100: the sum of a row of eighths is 631.25, and its elements minus it are known.
    const array<float> x = gnp::arange<float>(1, 101) + gnp::zeros<float>({50, 1});
    const auto found = gnp::asnumpy((x / 4.0F - gnp::sum(x / 8.0F, 1, {.keepdims = true})).eval());
    int wrong = 0;
    for (index_t i = 0; i < found.size(); ++i)
      wrong += found[i] == static_cast<float>(i % 100 + 1) / 4 - 631.25F ? 0 : 1;
    CHECK(wrong == 0);
  });
}

TEST_CASE("many floats divided by one number") {
  for_each_device([](gnp::device) {
    using limits = std::numeric_limits<float>;
    const float divisors[] = {
        3.0F,  -7.1F,  1e-30F, 0x1.fffffep20F,       limits::max(),      limits::min(), 0.75F,
        49.0F, 0.0F,   6e-45F, limits::denorm_min(), limits::infinity(), -0.0F,         6.0F,
        10.0F, -98.0F, 86.0F,  limits::quiet_NaN()};
    host_array<float> host = dividends<float, std::uint32_t>();
    // Many quotients of the smallest numbers by an even one lie in the middle between two floats.
    for (index_t i = 100; i < 1000; ++i) host[i] = static_cast<float>(i) * limits::denorm_min();
    const array<float> x = gnp::asarray(host);
    const array<float> three_times = gnp::tile(x, 3);
    const auto count_wrong = [&](const host_array<float>& found, float divisor) {
      int wrong = 0;
      for (index_t i = 0; i < found.size(); ++i)
        wrong += same(found[i], host[i % host.size()] / divisor) ? 0 : 1;
      return wrong;
    };
    for (const float divisor : divisors) {
      CAPTURE(divisor);
      // By what a row adds up to: it has one element that is not zero.
      array<float> rows = gnp::zeros<float>({20, host.size()});
      rows(gnp::slice(), 1234) = divisor;
      const float total = divisor == 0.0F ? 0.0F : divisor;  // 0 + -0 is 0
      CHECK(count_wrong(gnp::asnumpy((x / gnp::sum(rows, 1, {.keepdims = true})).eval()), total) == 0);
      // By a number, in a reduction that computes much of what it reads: the largest of equal quotients is one
      // of them.
      const array<float> none = gnp::zeros<float>({40});
      CHECK(count_wrong(
                gnp::asnumpy(gnp::max((three_times(gnp::slice(), gnp::newaxis) - none) / divisor, 1).eval()),
                divisor) == 0);
    }
  });
}
