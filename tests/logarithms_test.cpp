// SPDX-License-Identifier: MIT
// test: optimised
// Logarithms and hyperbolic tangents beside those of a wider type: over all that the type holds, close to one
// and to zero, and of numbers that are special, at every place of a vector.
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

struct logarithm {
  static constexpr const char* name = "log";
  static long double exactly(long double x) { return std::log(x); }
  template <class X>
  static auto of(const X& x) {
    return gnp::log(x);
  }
};
struct tangent {
  static constexpr const char* name = "tanh";
  static long double exactly(long double x) { return std::tanh(x); }
  template <class X>
  static auto of(const X& x) {
    return gnp::tanh(x);
  }
};
/// From zero to infinity.
struct wide_exponential {
  static constexpr const char* name = "exp of 300 x - 900, x";
  static long double exactly(long double x) { return std::exp(300 * x - 900); }
};

/// How many last places a result is away from the right one; NaN, infinities and signs must be the same.
template <class T>
long double places_off(T got, long double exactly) {
  using limits = std::numeric_limits<T>;
  const T right = static_cast<T>(exactly);
  if (right != right || got != got) return (right != right) == (got != got) ? 0 : 1e9L;
  if (std::signbit(right) != std::signbit(got)) return 1e9L;
  if (std::isinf(right) || std::isinf(got) || right == T(0)) return right == got ? 0 : 1e9L;
  const auto place = std::ldexp(1.0L, std::max(std::ilogb(right) + 1, limits::min_exponent) - limits::digits);
  return std::abs(static_cast<long double>(got) - exactly) / place;
}

template <class Function, class T>
void check(const std::vector<T>& x, const gnp::host_array<T>& got, long double allowed) {
  long double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double off = places_off(got[static_cast<index_t>(i)], Function::exactly(x[i]));
    if (off > worst) {
      worst = off;
      where = i;
    }
  }
  INFO(Function::name << " of " << x[where] << ": " << got[static_cast<index_t>(where)]);
  CHECK(worst <= allowed);
}

/// As they are, and as every other element of a longer array.
template <class Function, class T>
void check(const std::vector<T>& x, long double allowed) {
  const array<T> elements = gnp::asarray(x);
  check<Function>(x, gnp::asnumpy(Function::of(elements)), allowed);
  const array<T> apart = gnp::full<T>({2 * elements.size()}, T(-7));
  apart(slice(none, none, 2)) = elements;
  check<Function>(x, gnp::asnumpy(Function::of(apart(slice(none, none, 2)))), allowed);
}

template <class Function, class T>
void check_random(long double allowed) {
  using limits = std::numeric_limits<T>;
  std::mt19937 generator(5);
  const auto between = [&](double low, double high) {
    return static_cast<T>(std::uniform_real_distribution<double>(low, high)(generator));
  };
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator); };
  std::vector<T> usual, near_one, any;
  for (int i = 0; i < 40000; ++i) {
    usual.push_back(between(-0.5, 4));
    usual.push_back(between(-0.1, 0.1));
    usual.push_back(between(-25, 25));
    near_one.push_back(T(1) + std::ldexp(between(-0.5, 1), -below(limits::digits - 1)));
    any.push_back(std::ldexp(between(0.5, 1), limits::max_exponent - below(limits::max_exponent + 160)));
    any.push_back(-any.back());
    any.push_back(limits::min() * between(0, 1));
  }
  check<Function>(usual, allowed);
  check<Function>(near_one, allowed);
  check<Function>(any, allowed);
}

template <class Function, class T>
void check_special() {
  using limits = std::numeric_limits<T>;
  const std::vector<T> numbers = {T(0),
                                  -T(0),
                                  T(1),
                                  -T(1),
                                  T(1) + limits::epsilon(),
                                  T(1) - limits::epsilon() / 2,
                                  T(2),
                                  -T(2),
                                  T(0.5),
                                  -T(22),
                                  limits::infinity(),
                                  -limits::infinity(),
                                  limits::quiet_NaN(),
                                  -limits::quiet_NaN(),
                                  limits::min(),
                                  -limits::min(),
                                  limits::max(),
                                  -limits::max(),
                                  limits::denorm_min(),
                                  -limits::denorm_min()};
  check<Function>(numbers, 2);
  for (const T special : numbers) {
    for (std::size_t place = 0; place < 35; ++place) {
      std::vector<T> few;
      for (std::size_t i = 0; i < 35; ++i) few.push_back(i == place ? special : T(1.5) + static_cast<T>(i));
      check<Function>(few, 2);
    }
  }
  for (int length = 1; length < 70; ++length) {
    std::vector<T> few;
    for (int i = 0; i < length; ++i) few.push_back(static_cast<T>(i % 9 - 2) / T(2));
    check<Function>(few, 2);
  }
}

#if GNP_HAS_VECTOR_FORMS && GNP_WIDE_LOOPS
/// Loops whose vectors are shorter than those that this processor may have.
template <class T, class Function>
GNP_LOOP void by_16_bytes(T* results, const T* x, index_t count, Function of) {
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = of(x[i]);
}
template <class T, class Function>
GNP_LOOP __attribute__((target("avx"))) void by_avx(T* results, const T* x, index_t count, Function of) {
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = of(x[i]);
}
template <class T, class Function>
GNP_LOOP __attribute__((target("avx2"))) void by_avx2(T* results, const T* x, index_t count, Function of) {
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = of(x[i]);
}

template <class Function, class T, class Of>
void check_forms(Of of) {
  std::vector<T> x;
  for (int i = 0; i < 4003; ++i) x.push_back(static_cast<T>(i % 97) / T(16));
  const auto count = static_cast<index_t>(x.size());
  gnp::host_array<T> results({count});
  by_16_bytes(results.data(), x.data(), count, of);
  check<Function>(x, results, 4);
  if (__builtin_cpu_supports("avx")) by_avx(results.data(), x.data(), count, of);
  check<Function>(x, results, 4);
  if (__builtin_cpu_supports("avx2")) by_avx2(results.data(), x.data(), count, of);
  check<Function>(x, results, 4);
}
#endif

/// Distances where the vectors are gnp's own, and where they are the C library's.
long double distance([[maybe_unused]] gnp::device device, long double own) {
#if GNP_WIDEST_LOOPS
  if (device == gnp::device::cpu() && __builtin_cpu_supports("avx512dq")) return own;
#endif
  return std::max(own, 4.0L);
}

}  // namespace

TEST_CASE("logarithms: within a place of the right ones") {
  for_each_device([](gnp::device device) {
    check_random<logarithm, float>(4);
    check_random<logarithm, double>(distance(device, 0.75L));
    const array<double> numbers = gnp::asarray<double>({1, 2, 1, 3, 1, 4, 1, 5, 1});
    CHECK(gnp::log(numbers)(slice(none, none, 2)).max().item() == 0);
    CHECK(gnp::log(numbers)(slice(none, none, 2)).min().item() == 0);
  });
}

TEST_CASE("hyperbolic tangents: within two places of the right ones") {
  for_each_device([](gnp::device device) {
    check_random<tangent, float>(distance(device, 1.25L));
    check_random<tangent, double>(distance(device, 1.75L));
  });
}

TEST_CASE("logarithms, hyperbolic tangents: of zeros, infinities, NaN, negative and denormal numbers") {
  for_each_device([](gnp::device) {
    check_special<logarithm, float>();
    check_special<logarithm, double>();
    check_special<tangent, float>();
    check_special<tangent, double>();
  });
}

TEST_CASE("hyperbolic tangents: are one far from zero, and never more") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::linspace<float>(7, 40, 100001);
    const array<float> tangents = gnp::tanh(x);
    CHECK(gnp::max(tangents).item() == 1);
    CHECK(gnp::min(gnp::tanh(gnp::linspace<float>(10, 1000, 1001))).item() == 1);
    const array<double> far = gnp::linspace<double>(15, 40, 100001);
    CHECK(gnp::max(gnp::tanh(far)).item() == 1);
    CHECK(gnp::min(gnp::tanh(gnp::linspace<double>(20, 1000, 1001))).item() == 1);
  });
}

#if GNP_HAS_VECTOR_FORMS && GNP_WIDE_LOOPS
TEST_CASE("logarithms, hyperbolic tangents, exponentials: in vectors of every width") {
  check_forms<logarithm, double>([](double x) { return gnp::scalar::log(x); });
  check_forms<tangent, double>([](double x) { return gnp::scalar::tanh(x); });
  check_forms<tangent, float>([](float x) { return gnp::scalar::tanh(x); });
  check_forms<wide_exponential, double>([](double x) { return gnp::scalar::exp(300 * x - 900); });
  check_forms<wide_exponential, float>([](float x) { return gnp::scalar::exp(300 * x - 900); });
}
#endif

TEMPLATE_TEST_CASE("exponentials that are infinite, zero or no number, at every place of a vector", "", float,
                   double) {
  using T = TestType;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr T least = std::numeric_limits<T>::denorm_min();
  const T most = std::log(std::numeric_limits<T>::max());
  std::vector<T> ends = {infinity, -infinity, std::numeric_limits<T>::quiet_NaN(), T(1e30), T(-1e30)};
  for (const T end : {most, std::log(std::numeric_limits<T>::min()), std::log(least), std::log(least) - 1}) {
    for (int step = -40; step <= 40; ++step) ends.push_back(end + end * static_cast<T>(step) / 4096);
  }
  for_each_device([&](gnp::device) {
    constexpr index_t count = 67;  // whole vectors, and some elements
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto place = static_cast<index_t>(i) % count;
      gnp::host_array<T> x(gnp::shape_t{count});
      for (index_t k = 0; k < count; ++k) x[k] = k == place ? ends[i] : static_cast<T>(k) / 16 - 2;
      const gnp::host_array<T> powers = gnp::asnumpy(gnp::exp(gnp::asarray(x)));
      index_t wrong = 0;
      for (index_t k = 0; k < count; ++k) {
        const auto right = std::exp(static_cast<long double>(x[k]));
        const auto rounded = static_cast<T>(right);
        const auto off = std::abs(static_cast<long double>(powers[k]) - right);
        const bool is_right =
            rounded != rounded ? powers[k] != powers[k]
            : std::isinf(rounded) || x[k] > most
                ? powers[k] >= std::numeric_limits<T>::max()
                : off <= static_cast<long double>(least) + 4 * std::numeric_limits<T>::epsilon() * right;
        wrong += is_right ? 0 : 1;
      }
      INFO("exp of " << ends[i] << " is " << powers[place]);
      CHECK(wrong == 0);
    }
  });
}
