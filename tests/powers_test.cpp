// SPDX-License-Identifier: MIT
// test: optimised
// Powers of two arrays beside those of a wider type: near and far from one, on the edges of what the type
// holds, with signs, and with numbers that are special, at every place of a vector.
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
struct pairs {
  std::vector<T> x, y;
  void add(T base, T exponent) {
    x.push_back(base);
    y.push_back(exponent);
  }
  index_t count() const { return static_cast<index_t>(x.size()); }
};

/// How many last places a power is away from the right one; NaN, infinities and signs must be the same.
template <class T>
long double places_off(T power, T x, T y) {
  using limits = std::numeric_limits<T>;
  const auto exactly = std::pow(static_cast<long double>(x), static_cast<long double>(y));
  const T right = static_cast<T>(exactly);
  if (right != right || power != power) return (right != right) == (power != power) ? 0 : 1e9L;
  if (std::signbit(right) != std::signbit(power)) return 1e9L;
  if (std::isinf(right) || std::isinf(power)) {
    // The largest numbers may round to infinity, or not.
    return right == power || std::abs(exactly) / limits::max() - 1 < 4 * limits::epsilon() ? 0 : 1e9L;
  }
  const int exponent = right == T(0) ? limits::min_exponent : std::ilogb(right) + 1;
  const auto place = std::ldexp(1.0L, std::max(exponent, limits::min_exponent) - limits::digits);
  return std::abs(static_cast<long double>(power) - exactly) / place;
}

template <class T>
void check(const pairs<T>& of, const gnp::host_array<T>& powers, long double allowed) {
  long double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < of.x.size(); ++i) {
    const long double off = places_off(powers[static_cast<index_t>(i)], of.x[i], of.y[i]);
    if (off > worst) {
      worst = off;
      where = i;
    }
  }
  INFO(of.x[where] << " to the power " << of.y[where] << ": " << powers[static_cast<index_t>(where)]);
  CHECK(worst <= allowed);
}

/// As they are, and as every other element of longer arrays.
template <class T>
void check(const pairs<T>& of, long double allowed) {
  const array<T> x = gnp::asarray(of.x);
  const array<T> y = gnp::asarray(of.y);
  check(of, gnp::asnumpy(gnp::power(x, y)), allowed);
  const array<T> xs = gnp::full<T>({2 * of.count()}, T(-7));
  const array<T> ys = gnp::full<T>({2 * of.count()}, T(0.3));
  xs(slice(none, none, 2)) = x;
  ys(slice(none, none, 2)) = y;
  check(of, gnp::asnumpy(gnp::power(xs(slice(none, none, 2)), ys(slice(none, none, 2)))), allowed);
}

template <class T>
void check_random(long double allowed) {
  using limits = std::numeric_limits<T>;
  std::mt19937 generator(5);
  const auto between = [&](double low, double high) {
    return static_cast<T>(std::uniform_real_distribution<double>(low, high)(generator));
  };
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator); };
  const double most = std::log(static_cast<double>(limits::max()));
  pairs<T> usual, near_one, wide, whole, edges;
  for (int i = 0; i < 20000; ++i) {
    usual.add(between(0, 4), between(-4, 4));
    whole.add(between(-4, 4), static_cast<T>(below(41) - 20));
    // Powers over all that the type holds, of bases that are close to one and of any.
    const T close = T(1) + std::ldexp(between(-0.5, 1), -below(limits::digits - 4));
    const T any = std::exp(between(-0.98 * most, 0.98 * most));
    const T close_log = std::log(close);
    if (std::abs(close_log) > T(0)) near_one.add(close, between(-0.98 * most, 0.98 * most) / close_log);
    wide.add(any, between(-0.98 * most, 0.98 * most) / std::log(any));
    // Too large, too small, and between the smallest normal number and nothing; of denormal numbers, too.
    edges.add(any, between(-1.2 * most, 1.2 * most) / std::log(any));
    edges.add(limits::min() * between(0, 1), between(-1, 1));
  }
  check(usual, allowed);
  check(whole, allowed);
  check(near_one, allowed);
  check(wide, allowed);
  check(edges, allowed);
}

template <class T>
void check_special() {
  using limits = std::numeric_limits<T>;
  const std::vector<T> numbers = {T(0),           -T(0),          T(1),
                                  -T(1),          T(2),           -T(2),
                                  T(0.5),         -T(0.5),        limits::infinity(),
                                  T(3),           -T(3),          -limits::infinity(),
                                  T(2.5),         -T(2.5),        limits::quiet_NaN(),
                                  limits::min(),  limits::max(),  -limits::denorm_min(),
                                  -limits::min(), -limits::max(), limits::denorm_min(),
                                  T(1e15),        T(1e15) + T(1), 1 / limits::epsilon() + T(1),
                                  -T(1e-5),       T(1) / T(3),    2 / limits::epsilon() + T(2)};
  pairs<T> all;
  for (const T x : numbers) {
    for (const T y : numbers) all.add(x, y);
  }
  check(all, 2);
  // One of them at each place, among numbers that are not special; and arrays of every short length.
  for (const T special : {-T(0), -T(2), limits::infinity(), limits::quiet_NaN(), limits::max()}) {
    for (index_t place = 0; place < 35; ++place) {
      pairs<T> few;
      for (index_t i = 0; i < 35; ++i)
        few.add(i == place ? special : T(1.5) + static_cast<T>(i), T(3) - static_cast<T>(i % 2));
      check(few, 2);
    }
  }
  for (int length = 1; length < 70; ++length) {
    pairs<T> few;
    for (int i = 0; i < length; ++i) few.add(static_cast<T>(i % 9 - 2), static_cast<T>(i % 5) / T(2));
    check(few, 2);
  }
}

#if GNP_HAS_VECTOR_FORMS && GNP_WIDE_LOOPS
/// Loops whose vectors are shorter than those that this processor may have.
template <class T>
GNP_LOOP void powers_by_16_bytes(T* results, const T* x, const T* y, index_t count) {
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = gnp::scalar::pow(x[i], y[i]);
}
template <class T>
GNP_LOOP __attribute__((target("avx"))) void powers_by_avx(T* results, const T* x, const T* y, index_t count) {
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = gnp::scalar::pow(x[i], y[i]);
}
template <class T>
GNP_LOOP __attribute__((target("avx2"))) void powers_by_avx2(T* results, const T* x, const T* y,
                                                             index_t count) {
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = gnp::scalar::pow(x[i], y[i]);
}

template <class T>
void check_forms() {
  pairs<T> of;
  for (int i = 0; i < 4003; ++i) of.add(static_cast<T>(i % 37) / T(8), static_cast<T>(i % 41 - 20) / T(4));
  const auto check_form = [&](auto* powers_of) {
    gnp::host_array<T> powers({of.count()});
    powers_of(powers.data(), of.x.data(), of.y.data(), of.count());
    check(of, powers, 4);
  };
  check_form(powers_by_16_bytes<T>);
  if (__builtin_cpu_supports("avx")) check_form(powers_by_avx<T>);
  if (__builtin_cpu_supports("avx2")) check_form(powers_by_avx2<T>);
}
#endif

/// By multiplying one by one; negative exponents give the whole part of what is divided.
template <class T>
T multiplied(T x, T y) {
  if (y < T(0)) return x == T(1) ? T(1) : x == static_cast<T>(-1) ? (y % 2 == 0 ? T(1) : x) : T(0);
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(y); ++i) power *= static_cast<std::uint64_t>(x);
  return static_cast<T>(power);
}

template <class T>
void check_integers() {
  const bool is_signed = std::is_signed_v<T>;
  // Exponents that are all small, that need many bits, and of which some are negative.
  for (const auto& [low, high] : {std::pair{0, 5}, std::pair{0, 120}, std::pair{is_signed ? -4 : 0, 17}}) {
    for (const index_t length : {1, 31, 33, 255, 256, 257, 1024, 1100, 3001}) {
      pairs<T> of;
      for (index_t i = 0; i < length; ++i) {
        const int base = static_cast<int>(i * 7 % 19) - (is_signed ? 9 : 0);
        of.add(static_cast<T>(base), static_cast<T>(low + static_cast<int>(i * 5) % (high - low + 1)));
      }
      const array<T> x = gnp::asarray(of.x);
      const array<T> y = gnp::asarray(of.y);
      const gnp::host_array<T> powers = gnp::asnumpy(gnp::power(x, y));
      const gnp::host_array<T> backwards =
          gnp::asnumpy(gnp::power(x(slice(none, none, -1)), y(slice(none, none, -1))));
      const gnp::host_array<T> computed = gnp::asnumpy(gnp::power(x + x, y + gnp::zeros<T>({length})));
      const array<T> in_place = x.copy();
      in_place(gnp::all) = gnp::power(y, in_place * in_place);
      const gnp::host_array<T> squares = gnp::asnumpy(in_place);
      index_t wrong = 0;
      for (index_t i = 0; i < length; ++i) {
        const T base = of.x[static_cast<std::size_t>(i)];
        const T exponent = of.y[static_cast<std::size_t>(i)];
        const T right = multiplied(base, exponent);
        wrong += powers(i) == right ? 0 : 1;
        wrong += backwards(length - 1 - i) == right ? 0 : 1;
        wrong += computed(i) == multiplied(static_cast<T>(base + base), exponent) ? 0 : 1;
        wrong += squares(i) == multiplied(exponent, static_cast<T>(base * base)) ? 0 : 1;
      }
      INFO(length << " elements of " << gnp::dtype_of<T> << " to the powers " << low << " to " << high);
      CHECK(wrong == 0);
    }
  }
}

}  // namespace

TEST_CASE("powers: of two arrays of integers") {
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

TEST_CASE("powers: of two arrays, within a place of the right ones") {
  for_each_device([](gnp::device device) {
    long double allowed = 4;
#if GNP_WIDEST_LOOPS
    if (device == gnp::device::cpu() && __builtin_cpu_supports("avx512dq")) allowed = 1.5L;
#else
    static_cast<void>(device);
#endif
    check_random<float>(allowed);
    check_random<double>(allowed);
  });
}

TEST_CASE("powers: of two arrays with zeros, infinities, NaN and signs") {
  for_each_device([](gnp::device) {
    check_special<float>();
    check_special<double>();
  });
}

TEST_CASE("powers: of elements that are picked by their indices") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange<double>(100);
    const array<index_t> picked = gnp::arange<index_t>(90, 0, -3);
    const gnp::host_array<double> powers =
        gnp::asnumpy(gnp::power(gnp::take(x, picked), gnp::sqrt(x(slice(0, 30)))));
    const gnp::host_array<double> alone = gnp::asnumpy(x(picked));
    for (index_t i = 0; i < 30; ++i) {
      const double base = static_cast<double>(90 - 3 * i);
      CHECK(alone(i) == base);
      CHECK(powers(i) == Approx(std::pow(base, std::sqrt(static_cast<double>(i)))).epsilon(1e-14));
    }
  });
}

#if GNP_HAS_VECTOR_FORMS && GNP_WIDE_LOOPS
TEST_CASE("powers: in vectors of every width") {
  check_forms<float>();
  check_forms<double>();
}
#endif
