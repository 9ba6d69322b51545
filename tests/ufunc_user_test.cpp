// SPDX-License-Identifier: MIT
// test: simulated-gpu
// GNP_UFUNC as users write it: one expression, statements, control flow, every kind of element; and streams.
// Where there is no GPU, NVRTC still has to take the kernels.
#include <cmath>
#include <cstdio>
#include <gnp/cuda/nvrtc.hpp>
#include <memory>
#include <vector>

#include "devices.hpp"
#include "kernel_text.hpp"

namespace {

using gnp::complex64;
using gnp::half;
using gnp::index_t;
using gnp::shape_t;
using gnp::slice;

GNP_UFUNC(smooth, (x, y), (x - y) * (x - y) / (1 + x));
GNP_UFUNC(standard_names, (x), std::sqrt(std::abs(x)) + std::floor(x));
GNP_UFUNC(polynomial, (x, a, b), const auto square = x * x, auto sum = a * square, sum += b * x, sum + 1);
GNP_UFUNC(
    collatz, (n), auto steps = 0,
    for (auto m = n; m > 1; ++steps) {
      if (m % 2 == 0) {
        m = m / 2;
      } else {
        m = 3 * m + 1;
      }
    },
    steps);
GNP_UFUNC(piecewise, (x), if (x < 0) return -x, if (x > 10) return x * 2, x + 1);
GNP_UFUNC(
    mandelbrot, (c), auto z = c, int count = 0,
    while (count < 50 && real(z) * real(z) + imag(z) * imag(z) < 4) {
      z = z * z + c;
      ++count;
    },
    count);
GNP_UFUNC(wave, (x, y), sin(x) * exp(-x) + where(x > y, max(x, y), abs(y)) + pow(x, 2));
GNP_UFUNC(rest, (x, y),
          hypot(x, y) + atan2(y, x) + sqrt(abs(x)) + floor(y) + tanh(x) + clip(x, y, y) + min(x, y));
GNP_UFUNC(beside_truths, (x), max(x, x > 3) + min(x > 1, x));
GNP_UFUNC(where_of, (c, x, y), where(c, x, y));
GNP_UFUNC(scaled_by_power, (x, n), ldexp(x, n));
GNP_UFUNC(half_of, (x), 0.5 * x);
GNP_UFUNC(halved, (x), x / 2);
GNP_UFUNC(sum_of_two, (x, y), x + y);
GNP_UFUNC(is_between, (x, low, high), low <= x && x < high);
GNP_UFUNC(squared_magnitude, (z), real(z) * real(z) + imag(z) * imag(z));
GNP_UFUNC(turned, (z, w), conj(w) * z);
GNP_UFUNC(parts_of_real, (x), real(x) + 2 * imag(x) + conj(x) + conjugate(x));
GNP_UFUNC(powers_of_both, (z, x), pow(z, x) + power(z, 2) + std::pow(x, z) + where(x > 1, z, 0.5));
GNP_UFUNC(is_equal, (z, x), x != z ? false : z == x);
GNP_UFUNC(first_of, (x, unused), x);
GNP_UFUNC(constant_of, (x), 7);
GNP_UFUNC(clashing, (p, v1, k0, i, count), p + 10 * v1 + 100 * k0 + 1000 * i + 10000 * count);
GNP_UFUNC(twelve, (a, b, c, d, e, f, g, h, i, j, k, l),
          a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l);
GNP_UFUNC(twelve_statements, (x), auto a = x + 1, auto b = a * 2, auto c = b - x, auto d = c * c,
          auto e = d + a, auto f = e - b, auto g = f * 3, auto h = g + c, auto i = h - d, auto j = i + e,
          auto k = j - f, k + g);
GNP_UFUNC(narrowed, (x), static_cast<signed char>(x));
// Literals beside a float; no semicolon; names of the C library.
GNP_UFUNC(scaled, (x), 0.1 * x)
GNP_UFUNC(gelu, (x), 0.5 * x * (1 + std::erf(x * 0.70710678118)))
GNP_UFUNC(rectified, (x), max(x, 0) + 0 * x)
GNP_UFUNC(selected, (x), x > 0.1 ? x : 0.5)
GNP_UFUNC(selected_float, (x), x > 0.1F ? 0.5F : x)
GNP_UFUNC(saturated, (x), clip(x, -1, 0.5) + where(x > 0.25, 0.1, x) + pow(x, 2) + fmax(0.1, x))
GNP_UFUNC(
    by_all_operators, (x), auto y = x, y += 0.1; y -= 1; y *= 0.3; y /= 0.7; ++y; y--; --y;
    y++, auto total = 0.1; total += y;
    total -= 0 * y,
    if (!(y == 0.3) && y != 1 && y <= 5.0 && y >= -5 && 0.1 < y + 5 && 5 > y && y) y = -y + +y * 0.1,
    for (int i = 0; i < 3; ++i) { y = 0.9 * y + 0.1; }, y + total)
GNP_UFUNC(in_its_type, (x), decltype(x)(0.1) * x + static_cast<float>(0.5))
GNP_UFUNC(in_double, (x), const double wide = x, 0.1 * wide)
GNP_UFUNC(of_two, (x, y), 0.1 * x + 0.1 * y)
GNP_UFUNC(whole, (x), 2 * x + 1)
GNP_UFUNC(gamma_of, (x), int(x) % 3 == 1 ? 1.5 * x : tgamma(x) * 0.1)
// NumPy's functions in bodies; the tests have the same formulas of arrays.
GNP_UFUNC(rounded, (x, angle), round(x) + 10 * around(x, 1) + 100 * round(x, -1) + 1000 * fix(x) + 0 * angle)
GNP_UFUNC(floating_of_one, (x),
          degrees(x) + 2 * radians(x) + 3 * rad2deg(x) + 5 * deg2rad(x) + 7 * sinc(x) + 11 * angle(x) +
              13 * i0(x / 100) + 17 * cbrt(x) + 19 * exp2(x / 8) + 23 * expm1(x / 8) + 29 * square(x) +
              31 * sign(x) + 37 * ldexp(x, 3))
GNP_UFUNC(floating_of_two, (x, y),
          divide(x, y) + 2 * true_divide(y, x) + 3 * heaviside(x, y) + 5 * logaddexp(x, y) +
              7 * logaddexp2(x, y) + 11 * nextafter(x, y) + 13 * hypot(x, y) + 17 * copysign(x, y))
GNP_UFUNC(arithmetic_of, (x, y),
          add(x, y) + 2 * subtract(x, y) + 3 * multiply(x, y) + 5 * floor_divide(x, y) + 7 * remainder(x, y) +
              11 * mod(y, x) + 13 * negative(x) + 17 * positive(y) + 19 * maximum(x, y) + 23 * minimum(x, y) +
              29 * reciprocal(x))
GNP_UFUNC(bits_of, (x, y),
          bitwise_and(x, y) + 2 * bitwise_or(x, y) + 3 * bitwise_xor(x, y) + 5 * invert(x) +
              7 * bitwise_not(y) + 11 * left_shift(x, 2) + 13 * right_shift(y, 1) + 17 * gcd(x, y) +
              19 * lcm(x, y) + 23 * bitwise_count(x))
GNP_UFUNC(truths_of, (x, y),
          int(equal(x, y)) + 2 * int(not_equal(x, y)) + 4 * int(less(x, y)) + 8 * int(less_equal(x, y)) +
              16 * int(greater(x, y)) + 32 * int(greater_equal(x, y)) + 64 * int(logical_and(x, y)) +
              128 * int(logical_or(x, y)) + 256 * int(logical_xor(x, y)) + 512 * int(logical_not(x)) +
              1024 * int(isposinf(x)) + 2048 * int(isneginf(y)) + 4096 * int(isnan(x)))
GNP_UFUNC(power_in_double, (x), float_power(x, 2))
GNP_UFUNC(in_the_standard_library, (x), std::round(x) + 10 * std::remainder(x, 4.0) + 100 * std::ldexp(x, 2))

/// Host values 0, 1, 2, ... scaled.
template <class T>
std::vector<T> ramp(index_t n, double scale = 1, double start = 0) {
  std::vector<T> values;
  for (index_t i = 0; i < n; ++i)
    values.push_back(static_cast<T>(static_cast<float>(start + scale * static_cast<double>(i))));
  return values;
}

/// How large a number of any kind is.
template <class T>
double size_of(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else {
    return static_cast<double>(std::abs(value));
  }
}

/// Empty where element i of a one-dimensional result is expected(i), to within a relative tolerance.
template <class X, class F>
std::string difference(const X& x, const F& expected, double tolerance = 0) {
  const auto values = gnp::asnumpy(x);
  for (index_t i = 0; i < values.size(); ++i) {
    const auto e = expected(static_cast<std::size_t>(i));
    const double off = std::abs(values[i] - static_cast<typename X::value_type>(e));
    if (!(off <= tolerance * (1 + size_of(e))))
      return "element " + std::to_string(i) + " is off by " + std::to_string(off);
  }
  return values.size() > 0 ? "" : "no elements";
}

template <class T, class X>
constexpr bool has_type(const X&) {
  return std::is_same_v<typename X::value_type, T>;
}

/// Does NVRTC take the kernel of an expression? Nothing but a skip where it is not installed.
template <class X>
void check_compiles_for_gpu(const X& x) {
#if GNP_HAS_CUDA
  static const bool present = [] {
    try {
      gnp::detail::nvrtc();
      return true;
    } catch (const gnp::device_error& e) {
      std::printf("skipped: %s\n", e.what());
      return false;
    }
  }();
  if (!present) return;
  std::string said;
  for (const int architecture : {75, 90, 100}) {
    if (sanitized && architecture > 75) continue;  // NVRTC is not what is sanitized
    try {
      if (gnp::detail::compile_kernel(kernel_text(x), architecture).empty()) said += "no code";
    } catch (const gnp::compile_error& e) {
      said += std::string(e.what()).substr(0, 1500);
    }
  }
  CHECK(said == "");
#else
  static_cast<void>(x);
#endif
}

}  // namespace

namespace physics {

GNP_UFUNC(energy, (mass, velocity), mass* velocity* velocity / 2);

namespace inner {
GNP_UFUNC(momentum, (mass, velocity), (mass * velocity));
}

TEST_CASE("functions are found by their operands, and the standard library's names in bodies") {
  for_each_device([](gnp::device) {
    const gnp::array<float> x = gnp::asarray<float>({1, 2.5, 4, -9});
    const auto numbers = gnp::asnumpy(sqrt(x * x + 1) + abs(x + 1) - exp(-abs(x)) * 0);
    const auto standard = gnp::asnumpy(standard_names(x));
    for (gnp::index_t i = 0; i < x.size(); ++i) {
      const float v = x.item(i);
      CHECK(numbers[i] == Approx(std::sqrt(v * v + 1) + std::abs(v + 1)));
      CHECK(standard[i] == Approx(std::sqrt(std::abs(v)) + std::floor(v)));
    }
  });
}

}  // namespace physics

TEST_CASE("user's ufuncs: one expression, as the operators compute it") {
  for_each_device([](gnp::device) {
    const auto a = ramp<float>(3000, 0.25);
    const auto b = ramp<float>(3000, -0.5, 100);
    const gnp::array<float> x = gnp::asarray(a);
    const gnp::array<float> y = gnp::asarray(b);
    const gnp::array z = smooth(x, y) + 1;
    static_assert(std::is_same_v<decltype(z), const gnp::array<float>>);
    const auto plain = [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]) / (1 + a[i]) + 1; };
    CHECK(difference(z, plain) == "");
    const gnp::array by_operators = (x - y) * (x - y) / (1 + x) + 1;
    CHECK(difference(by_operators, plain) == "");
    // Views, broadcasting, and a part of a larger expression.
    CHECK(difference(smooth(x(slice(gnp::none, gnp::none, -1)), y), [&](std::size_t i) {
            const float v = a[2999 - i];
            return (v - b[i]) * (v - b[i]) / (1 + v);
          }) == "");
    const gnp::array<float> outer = smooth(x(slice(0, 40)).reshape(40, 1), y(slice(0, 50)));
    CHECK(outer.shape() == shape_t{40, 50});
    CHECK(difference(outer, [&](std::size_t i) {
            const float v = a[i / 50];
            const float w = b[i % 50];
            return (v - w) * (v - w) / (1 + v);
          }) == "");
    const gnp::array fused = gnp::where(smooth(x, y) > 5, smooth(x, 2 * y + x) * half_of(x), gnp::sqrt(x)) - 3;
    static_assert(std::is_same_v<decltype(fused), const gnp::array<float>>);
    CHECK(difference(
              fused,
              [&](std::size_t i) {
                const auto s = [](float p, float q) { return (p - q) * (p - q) / (1 + p); };
                const float v = s(a[i], b[i]) > 5 ? s(a[i], 2 * b[i] + a[i]) * (0.5F * a[i]) : std::sqrt(a[i]);
                return v - 3;
              },
              1e-6) == "");
    gnp::array<float> in_place = x.copy();
    in_place += smooth(in_place, y);
    in_place(slice(0, 2)) = smooth(y(slice(0, 2)), 1);
    CHECK(in_place.item(0) == 99.0F * 99.0F / 101.0F);
    CHECK(in_place.item(2999) == a[2999] + plain(2999) - 1);
  });
}

TEST_CASE("user's ufuncs: statements and control flow") {
  for_each_device([](gnp::device) {
    const auto a = ramp<double>(500, 0.5, -100);
    const gnp::array<double> x = gnp::asarray(a);
    CHECK(difference(polynomial(x, 3, x), [&](std::size_t i) { return 3 * (a[i] * a[i]) + a[i] * a[i] + 1; }) ==
          "");
    CHECK(difference(piecewise(x), [&](std::size_t i) {
            return a[i] < 0 ? -a[i] : a[i] > 10 ? a[i] * 2 : a[i] + 1;
          }) == "");
    const gnp::array<std::int64_t> n = gnp::arange(1000);
    const auto steps = collatz(n);
    static_assert(std::is_same_v<decltype(steps)::value_type, std::int32_t>);
    CHECK(difference(steps, [](std::size_t i) {
            int count = 0;
            for (auto m = static_cast<std::int64_t>(i); m > 1; ++count) m = m % 2 == 0 ? m / 2 : 3 * m + 1;
            return count;
          }) == "");
    CHECK(steps.item(27) == 111);
    CHECK(difference(twelve_statements(x), [&](std::size_t i) {
            const double v = a[i];
            const double p = v + 1, q = p * 2, r = q - v, s = r * r, t = s + p, u = t - q, w = u * 3;
            return w + r - s + t - u + w;
          }) == "");
    const std::vector<complex64> points = {{0, 0},       {0.25F, 0}, {1, 1},        {-1, 0},
                                           {0.5F, 0.5F}, {2, 2},     {-0.75F, 0.2F}};
    const gnp::array<int> counts = mandelbrot(gnp::asarray(points));
    CHECK(difference(counts, [&](std::size_t i) {
            float re = points[i].real(), im = points[i].imag();
            int count = 0;
            for (; count < 50 && re * re + im * im < 4; ++count) {
              const float next = re * re - im * im + points[i].real();
              im = 2 * (re * im) + points[i].imag();
              re = next;
            }
            return count;
          }) == "");
    CHECK(counts.item(1) == 50);
    CHECK(counts.item(5) == 0);
  });
}

TEST_CASE("user's ufuncs: gnp's functions in a body") {
  for_each_device([](gnp::device) {
    const auto a = ramp<float>(400, 0.05, -10);
    const auto b = ramp<float>(400, -0.07, 9);
    const gnp::array<float> x = gnp::asarray(a);
    const gnp::array<float> y = gnp::asarray(b);
    const auto w = wave(x, y);
    static_assert(std::is_same_v<decltype(w)::value_type, float>);
    CHECK(difference(
              w,
              [&](std::size_t i) {
                const double p = a[i], q = b[i];
                return std::sin(p) * std::exp(-p) + (p > q ? std::max(p, q) : std::abs(q)) + p * p;
              },
              1e-5) == "");
    const auto expected = [&](std::size_t i) {
      const double p = a[i], q = b[i];
      return std::hypot(p, q) + std::atan2(q, p) + std::sqrt(std::abs(p)) + std::floor(q) + std::tanh(p) + q +
             std::min(p, q);
    };
    CHECK(difference(rest(x, y), expected, 1e-5) == "");
    CHECK(difference(rest(x.astype<double>(), y.astype<double>()), expected, 1e-14) == "");
  });
}

TEST_CASE("user's ufuncs: a truth value is a number in a body, and a condition has no say in the type") {
  for_each_device([](gnp::device) {
    const gnp::array<float> x = gnp::asarray<float>({0, 2, 5});
    CHECK(has_type<float>(beside_truths(x)));
    CHECK(gnp::array_equal(beside_truths(x), {0, 3, 6}));
    CHECK(gnp::array_equal(beside_truths(x.astype<double>()), {0, 3, 6}));
    CHECK(has_type<int>(beside_truths(x.astype<int>())));
    CHECK(gnp::array_equal(beside_truths(x.astype<int>()), {0, 3, 6}));
    CHECK(gnp::array_equal(beside_truths(x.astype<half>()), {0, 3, 6}));

    const gnp::array<std::uint64_t> condition = gnp::asarray<std::uint64_t>({0, 1, 5});
    const gnp::array<int> n = gnp::asarray<int>({-1, -2, -3});
    CHECK(has_type<int>(where_of(condition, n, n.astype<std::int8_t>())));
    CHECK(gnp::array_equal(where_of(condition, 2 * n, n.astype<std::int8_t>()), {-1, -4, -6}));
    CHECK(has_type<float>(where_of(n, x, x > 1)));
    CHECK(gnp::array_equal(where_of(x, x > 2, x), {0, 0, 1}));
    CHECK(gnp::array_equal(where_of(x > 1, x.astype<complex64>(), 1), {1, 2, 5}));
  });
}

TEMPLATE_TEST_CASE("user's ufuncs: ldexp takes exponents of every type of integer", "", std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, int, unsigned, std::int64_t, std::uint64_t) {
  for_each_device([](gnp::device) {
    const gnp::array<float> x = gnp::asarray<float>({1, 0, -3});
    const gnp::array<TestType> n = gnp::asarray<TestType>({1, 2, 100});
    CHECK(gnp::array_equal(scaled_by_power(x, n), {2, 0, -3 * 0x1p100}));
    if constexpr (std::is_signed_v<TestType>)
      CHECK(gnp::array_equal(scaled_by_power(x.astype<double>(), -n), {0.5, 0, -3 * 0x1p-100}));
    if constexpr (sizeof(TestType) > 2)
      CHECK(gnp::array_equal(scaled_by_power(x, n * 2000), {gnp::inf, 0, -gnp::inf}));
  });
}

TEST_CASE("user's ufuncs: NumPy's functions in a body are those of arrays") {
  for_each_device([](gnp::device) {
    const auto same = [](const auto& found, const auto& formula) {
      const auto wanted = gnp::asnumpy(formula);
      return difference(found, [&](std::size_t i) { return wanted[static_cast<index_t>(i)]; }, 1e-5);
    };
    const gnp::array<float> f = gnp::asarray<float>({-25.5F, -2.5F, -0.75F, 0.25F, 1.5F, 2.5F, 7.25F, 35});
    const gnp::array<float> g = gnp::asarray<float>({3, -2, 0.5F, -0.25F, 1.5F, -4, 2, -8});
    CHECK(has_type<float>(rounded(f, g)));
    CHECK(same(rounded(f, g), round(f) + 10 * round(f, 1) + 100 * round(f, -1) + 1000 * fix(f)) == "");
    CHECK(has_type<float>(floating_of_one(f)));
    CHECK(same(floating_of_one(f), degrees(f) + 2 * radians(f) + 3 * degrees(f) + 5 * radians(f) + 7 * sinc(f) +
                                       11 * angle(f) + 13 * i0(f / 100) + 17 * cbrt(f) + 19 * exp2(f / 8) +
                                       23 * expm1(f / 8) + 29 * square(f) + 31 * sign(f) + 37 * ldexp(f, 3)) ==
          "");
    CHECK(has_type<float>(floating_of_two(f, g)));
    const auto two = [](const auto& x, const auto& y) {
      return divide(x, y) + 2 * divide(y, x) + 3 * heaviside(x, y) + 5 * logaddexp(x, y) +
             7 * logaddexp2(x, y) + 11 * nextafter(x, y) + 13 * hypot(x, y) + 17 * copysign(x, y);
    };
    CHECK(same(floating_of_two(f, g), two(f, g)) == "");
    CHECK(has_type<float>(arithmetic_of(f, g)));
    const auto arithmetic = [](const auto& x, const auto& y) {
      return x + y + 2 * (x - y) + 3 * (x * y) + 5 * floor_divide(x, y) + 7 * remainder(x, y) +
             11 * remainder(y, x) - 13 * x + 17 * y + 19 * maximum(x, y) + 23 * minimum(x, y) +
             29 * reciprocal(x);
    };
    CHECK(same(arithmetic_of(f, g), arithmetic(f, g)) == "");
    // Integers, also divided by zero.
    const gnp::array<int> m = gnp::asarray<int>({-25, -3, -1, 0, 1, 4, 15, 36});
    const gnp::array<int> n = gnp::asarray<int>({4, -2, 0, 7, 3, -3, 25, -8});
    CHECK(has_type<int>(arithmetic_of(m, n)));
    CHECK(same(arithmetic_of(m, n), arithmetic(m, n)) == "");
    CHECK(has_type<int>(bits_of(m, n)));
    CHECK(same(bits_of(m, n), (m & n) + 2 * (m | n) + 3 * (m ^ n) + 5 * ~m + 7 * ~n + 11 * left_shift(m, 2) +
                                  13 * right_shift(n, 1) + 17 * gcd(m, n) + 19 * lcm(m, n) +
                                  23 * bitwise_count(m)) == "");
    CHECK(has_type<int>(rounded(m, n)));
    CHECK(same(rounded(m, n), 1011 * m + 100 * round(m, -1)) == "");
    CHECK(has_type<double>(floating_of_two(m, n)));
    const gnp::array<int> p = gnp::maximum(m, 1);
    CHECK(same(floating_of_two(p, p + 1), two(p, p + 1)) == "");
    // Truths: NaN, infinities, and integers of two types, as the numbers they are.
    const auto truths = [](const auto& x, const auto& y) {
      const auto number = [](const auto& b) { return b.template astype<int>(); };
      return number(x == y) + 2 * number(x != y) + 4 * number(x < y) + 8 * number(x <= y) + 16 * number(x > y) +
             32 * number(x >= y) + 64 * number(logical_and(x, y)) + 128 * number(logical_or(x, y)) +
             256 * number(logical_xor(x, y)) + 512 * number(logical_not(x)) + 1024 * number(isposinf(x)) +
             2048 * number(isneginf(y)) + 4096 * number(isnan(x));
    };
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const gnp::array<float> u = gnp::asarray<float>({NAN, infinity, -infinity, -0.0F, 0, 1, 1});
    const gnp::array<float> v = gnp::asarray<float>({1, infinity, -infinity, 0, NAN, 2, 0});
    CHECK(same(truths_of(u, v), truths(u, v)) == "");
    const gnp::array<unsigned> w = gnp::asarray<unsigned>({4, 4294967295U, 0, 7, 3, 1, 15, 8});
    CHECK(same(truths_of(m, w), truths(m, w)) == "");
    const gnp::array<double> d = f.astype<double>();
    CHECK(has_type<double>(power_in_double(f)));
    CHECK(same(power_in_double(f), d * d) == "");
    // std's round takes halves away from zero, and its remainder is of the nearest quotient.
    for (const index_t i : {0, 1, 4, 7}) {
      const double x = d.item(i);
      CHECK(in_the_standard_library(d).item(i) ==
            std::round(x) + 10 * std::remainder(x, 4.0) + 100 * std::ldexp(x, 2));
    }
  });
}

TEST_CASE("user's ufuncs: the result's type is what the body returns") {
  for_each_device([](gnp::device) {
    const gnp::array<float> f = gnp::asarray(ramp<float>(100, 0.125));
    const gnp::array<double> d = gnp::asarray(ramp<double>(100, 0.125));
    const gnp::array<std::int8_t> b = gnp::asarray(ramp<std::int8_t>(100));
    const gnp::array<std::int64_t> n = gnp::asarray(ramp<std::int64_t>(100));
    const gnp::array<bool> t = n > 50;
    CHECK(has_type<float>(half_of(f)));
    CHECK(has_type<double>(half_of(d)));
    CHECK(has_type<double>(half_of(n)));
    CHECK(has_type<float>(halved(f)));
    CHECK(has_type<std::int32_t>(halved(b)));  // C++'s promotions, and its division
    CHECK(has_type<std::int64_t>(halved(n)));
    CHECK(has_type<std::int32_t>(sum_of_two(b, b)));
    CHECK(has_type<std::int32_t>(sum_of_two(t, t)));
    CHECK(has_type<double>(sum_of_two(f, d)));
    CHECK(has_type<float>(sum_of_two(f, n)));  // in C++, int64 + float is float
    CHECK(has_type<bool>(is_between(f, 1, 2)));
    CHECK(has_type<int>(constant_of(d)));
    CHECK(has_type<std::int8_t>(narrowed(d)));
    CHECK(difference(half_of(f), [](std::size_t i) { return 0.5F * (0.125F * static_cast<float>(i)); }) == "");
    CHECK(difference(halved(b), [](std::size_t i) { return static_cast<int>(i) / 2; }) == "");
    CHECK(difference(sum_of_two(b * 0 + 100, b * 0 + 100), [](std::size_t) { return 200; }) == "");
    CHECK(difference(sum_of_two(t, t), [](std::size_t i) { return i > 50 ? 2 : 0; }) == "");
    CHECK(difference(sum_of_two(b, d), [](std::size_t i) { return 1.125 * static_cast<double>(i); }) == "");
    CHECK(difference(sum_of_two(n, f), [](std::size_t i) { return 1.125F * static_cast<float>(i); }) == "");
    CHECK(difference(is_between(f, 1, 2), [](std::size_t i) { return i >= 8 && i < 16; }) == "");
    CHECK(difference(constant_of(d), [](std::size_t) { return 7; }) == "");
    CHECK(difference(first_of(b, d), [](std::size_t i) { return static_cast<int>(i); }) == "");
    CHECK(has_type<std::int8_t>(first_of(b, d)));
    CHECK(difference(narrowed(d), [](std::size_t i) { return static_cast<int>(i / 8); }) == "");
  });
}

TEST_CASE("user's ufuncs: scalars are weak") {
  for_each_device([](gnp::device) {
    const gnp::array<float> f = gnp::asarray(ramp<float>(100, 0.25));
    const gnp::array<std::int8_t> b = gnp::asarray(ramp<std::int8_t>(100));
    CHECK(has_type<float>(sum_of_two(f, 2.5)));
    CHECK(has_type<float>(sum_of_two(1, f)));
    CHECK(has_type<double>(sum_of_two(b, 0.5)));
    CHECK(difference(sum_of_two(f, 2.5), [](std::size_t i) { return 0.25F * static_cast<float>(i) + 2.5F; }) ==
          "");
    CHECK(difference(sum_of_two(b, 0.5), [](std::size_t i) { return static_cast<double>(i) + 0.5; }) == "");
    CHECK(difference(polynomial(f, 2, 0.5), [](std::size_t i) {
            const float v = 0.25F * static_cast<float>(i);
            return 2 * (v * v) + 0.5F * v + 1;
          }) == "");
    CHECK_THROWS_AS(sum_of_two(b, 300), gnp::dtype_error);
    CHECK_THROWS_WITH(sum_of_two(b, 300), contains("sum_of_two: the integer 300 is out of bounds for int8"));
    // Read when the expression is made.
    double weight = 3;
    const auto e = sum_of_two(f, weight);
    weight = 100;
    CHECK(e.item(4) == 4);
  });
}

TEST_CASE("user's ufuncs: literals are weak beside floats, as in formulas") {
  for_each_device([](gnp::device) {
    const auto a = ramp<float>(200, 0.0371, -3);
    const gnp::array<float> x = gnp::asarray(a);
    const gnp::array<double> d = x.astype<double>();
    // To the last bit what the formula gives, and what C++ gives with literals of its float.
    CHECK(has_type<float>(scaled(x)));
    CHECK(gnp::array_equal(scaled(x), 0.1 * x));
    CHECK(difference(scaled(x), [&](std::size_t i) { return 0.1F * a[i]; }) == "");
    CHECK(gnp::array_equal(scaled(d), 0.1 * d));
    CHECK(has_type<half>(scaled(x.astype<half>())));
    CHECK(has_type<float>(of_two(x, x.astype<half>())));
    CHECK(has_type<float>(of_two(x, gnp::arange(200))));
    CHECK(has_type<double>(of_two(x, d)));
    CHECK(has_type<float>(gelu(x)));
    CHECK(difference(
              gelu(x), [&](std::size_t i) { return 0.5F * a[i] * (1 + std::erf(a[i] * 0.70710678118F)); },
              1e-6) == "");
    // The two sides of a condition agree, and arguments of functions do.
    CHECK(has_type<float>(selected(x)));
    CHECK(has_type<float>(selected_float(x)));
    CHECK(difference(selected(x), [&](std::size_t i) { return a[i] > 0.1F ? a[i] : 0.5F; }) == "");
    CHECK(difference(selected_float(x), [&](std::size_t i) { return a[i] > 0.1F ? 0.5F : a[i]; }) == "");
    CHECK(difference(rectified(x), [&](std::size_t i) { return a[i] > 0 ? a[i] : 0.0F; }) == "");
    CHECK(has_type<double>(rectified(d)));
    CHECK(has_type<std::int32_t>(rectified(gnp::arange<std::int32_t>(5))));
    CHECK(has_type<float>(saturated(x)));
    CHECK(difference(
              saturated(x),
              [&](std::size_t i) {
                const float v = a[i];
                return std::min(std::max(v, -1.0F), 0.5F) + (v > 0.25F ? 0.1F : v) + v * v + std::fmax(0.1F, v);
              },
              1e-6) == "");
    CHECK(has_type<double>(saturated(d)));
    // Every operator, as float has it.
    CHECK(has_type<float>(by_all_operators(x)));
    CHECK(difference(
              by_all_operators(x),
              [&](std::size_t i) {
                float y = a[i];
                y += 0.1F, y -= 1, y *= 0.3F, y /= 0.7F;
                const float total = 0.1F + y;
                if (!(y == 0.3F) && y != 1 && y <= 5 && y >= -5 && 0.1F < y + 5 && y != 0) y = -y + +y * 0.1F;
                for (int k = 0; k < 3; ++k) y = 0.9F * y + 0.1F;
                return y + total;
              },
              1e-6) == "");
    CHECK(difference(in_its_type(x), [&](std::size_t i) { return 0.1F * a[i] + 0.5F; }) == "");
    CHECK(difference(
              gamma_of(x + 4),
              [&](std::size_t i) {
                const float v = a[i] + 4;
                return static_cast<int>(v) % 3 == 1 ? 1.5F * v : std::tgamma(v) * 0.1F;
              },
              1e-5) == "");
    // A body that names double or float means it.
    CHECK(has_type<double>(in_double(x)));
    CHECK(difference(in_double(x), [&](std::size_t i) { return 0.1 * static_cast<double>(a[i]); }) == "");
    // Integers are C++'s, as without a literal.
    CHECK(has_type<std::int32_t>(whole(gnp::arange<std::int8_t>(5))));
    CHECK(has_type<std::int64_t>(whole(gnp::arange(5))));
    CHECK(has_type<float>(whole(x)));
    // Complex numbers beside literals of any type.
    const gnp::array<complex64> z = gnp::full<complex64>({3}, complex64(1, 2));
    CHECK(has_type<complex64>(half_of(z) + whole(z)));
    CHECK(half_of(z).item(1) == complex64(0.5F, 1));
    CHECK(whole(z).item(1) == complex64(3, 4));
    CHECK(half_of(gnp::array<float>()).size() == 0);
  });
}

TEST_CASE("user's ufuncs: in a function") {
  GNP_UFUNC(local, (x, y), 0.5 * x + y * y);
  GNP_UFUNC(another, (x), const auto half_of_it = x / 2, half_of_it + 1)
  for_each_device([](gnp::device) {
    const gnp::array<float> x = gnp::asarray<float>({1, 2, 3});
    CHECK(gnp::array_equal(local(x, another(x)), 0.5 * x + (x / 2 + 1) * (x / 2 + 1)));
    CHECK(has_type<float>(local(x, 2)));
  });
}

GNP_UFUNC(polar, (x, y), results(sqrt(x* x + y * y), atan2(y, x)))
GNP_UFUNC(taken_apart, (x), const auto whole_part = trunc(x),
          results(whole_part, 0.5 * (x - whole_part), static_cast<int>(whole_part), x > 0))
GNP_UFUNC(sorted_two, (x, y), if (y < x) return results(y, x), results(x, y))
GNP_UFUNC(
    quotient_and_rest, (x, y), auto q = x / y, auto r = x % y,
    if (r != 0 && (r < 0) != (y < 0)) {
      --q;
      r += y;
    },
    results(q, r))

TEST_CASE("user's ufuncs: several results") {
  for_each_device([](gnp::device) {
    const gnp::array<float> x = gnp::asarray<float>({3, -1.5F, 0.25F, 0, 8});
    const gnp::array<float> y = gnp::asarray<float>({4, 1, -2, 0, 6});
    const auto [radius, angle] = polar(x, y);
    CHECK(gnp::allclose(radius, gnp::hypot(x, y)));
    CHECK(gnp::allclose(angle, gnp::arctan2(y, x)));
    CHECK(has_type<float>(radius));
    const auto [r, a] = gnp::eval(radius * 2, angle);  // both in one pass
    CHECK(gnp::array_equal(r, radius * 2));
    CHECK(gnp::array_equal(a, angle));

    const auto [whole_part, remaining, number, positive] = taken_apart(x);
    CHECK(has_type<float>(remaining));
    CHECK(has_type<int>(number));
    CHECK(has_type<bool>(positive));
    CHECK(gnp::array_equal(whole_part, gnp::trunc(x)));
    CHECK(gnp::array_equal(remaining, gnp::asarray<float>({0, -0.25F, 0.125F, 0, 0})));
    CHECK(gnp::array_equal(number, gnp::asarray({3, -1, 0, 0, 8})));
    CHECK(gnp::array_equal(positive, x > 0));

    const auto [low, high] = sorted_two(x, y);  // which returns in two places
    CHECK(gnp::array_equal(low, gnp::minimum(x, y)));
    CHECK(gnp::array_equal(high, gnp::maximum(x, y)));
    const auto [lows, highs] = sorted_two(x.reshape(5, 1), 1);  // broadcast, with a number
    CHECK(lows.shape() == gnp::shape_t{5, 1});
    CHECK(gnp::sum(lows + highs).item() == Approx(9.75 + 5));

    const gnp::array<int> i = gnp::asarray({7, -7, 7, -7, 6}), j = gnp::asarray({3, 3, -3, -3, 3});
    const auto [quotient, modulus] = quotient_and_rest(i, j);
    CHECK(gnp::array_equal(quotient, gnp::floor_divide(i, j)));
    CHECK(gnp::array_equal(modulus, gnp::remainder(i, j)));

    const gnp::array<gnp::half> h = x.astype<gnp::half>();
    CHECK(has_type<gnp::half>(std::get<0>(polar(h, h))));
    CHECK(std::get<1>(polar(gnp::array<double>(), 1)).size() == 0);
    GNP_UFUNC(local, (x), results(x + 1, x - 1))
    const auto [above, below] = local(gnp::asarray<double>({1, 2}));
    CHECK(gnp::array_equal(above - below, gnp::asarray<double>({2, 2})));
  });
  static_assert(gnp::detail::count_results("sin(x)") == 0);
  static_assert(gnp::detail::count_results("auto results = x, results") == 0);
  static_assert(gnp::detail::count_results("results(f(x, y), g[x, 1], x)") == 3);
  static_assert(gnp::detail::count_results("if (x > 0) return results(x), results(-x)") == 1);
}

TEST_CASE("user's ufuncs: a body names what a GPU has, and no more") {
  constexpr auto ok = gnp::detail::names_only_what_gpus_have;
  static_assert(ok("(x)", "0.5e-3 * x + 1e5 - 0x1p-3 + 1.5F + 10ULL"));
  static_assert(ok("(x, longer)", "sin(x) + std::sqrt(longer) + gnp::scalar::square(x)"));
  static_assert(
      ok("(x)", "auto y = x, for (int i = 0, j = 1; i < 3; ++i) { const auto& z = y; y += z * i * j; }, y"));
  static_assert(
      ok("(z)", "using T = decltype(z), T w = z, decltype(z) v(0), unsigned long n = 0, w + v + T(n)"));
  static_assert(ok("(z)", "std::complex<float> w(1, 2), auto f = [](auto u) { return u.real(); }, f(w) + z"));
  static_assert(ok("(x)", "static_cast<std::int32_t>(x) + static_cast<size_t>(x) + (__builtin_inff ())"));
  static_assert(
      ok("(x)", "if (x < 0) return -x, while (x > 1) { x /= 2; if (x == 3) break; }, not x and true"));
  static_assert(!ok("(x)", "x * weight"));
  static_assert(!ok("(x)", "helper(x)"));
  static_assert(!ok("(x)", "x + my::constant"));
  static_assert(!ok("(x)", "x + ::weight"));
  static_assert(!ok("(xs)", "x + 1"));
  static_assert(!ok("(x)", "x > limit ? x : 0"));
  static_assert(!ok("(x)", "return weight"));
  static_assert(!ok("(x)", "auto y = x, y & mask"));
  CHECK(ok("(x)", "x"));
}

TEMPLATE_TEST_CASE("user's ufuncs: 16-bit floats are computed in float and rounded once", "", half,
                   gnp::bfloat16) {
  using T = TestType;
  for_each_device([](gnp::device) {
    const auto a = ramp<T>(1000, 0.37);
    const auto b = ramp<T>(1000, -0.11, 60);
    const gnp::array<T> x = gnp::asarray(a);
    const gnp::array<T> y = gnp::asarray(b);
    const auto z = smooth(x, y);
    CHECK(has_type<T>(z));
    CHECK(has_type<T>(smooth(x, 2)));
    CHECK(has_type<float>(smooth(x, gnp::ones<float>({1000}))));
    CHECK(has_type<bool>(is_between(x, y, 3)));
    const gnp::host_array<T> result = gnp::asnumpy(z);
    bool right = true;
    bool differs_from_steps = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const float p = a[i];
      const float q = b[i];
      right = right && result[static_cast<index_t>(i)].bits == T((p - q) * (p - q) / (1 + p)).bits;
      const T distance = T(p - q);
      const T stepwise = T(static_cast<float>(T(static_cast<float>(distance) * static_cast<float>(distance))) /
                           static_cast<float>(T(1 + p)));
      differs_from_steps = differs_from_steps || stepwise.bits != result[static_cast<index_t>(i)].bits;
    }
    CHECK(right);
    CHECK(differs_from_steps);  // rounding after each operation would have been something else
  });
}

TEST_CASE("user's ufuncs: complex numbers") {
  for_each_device([](gnp::device) {
    std::vector<complex64> a;
    std::vector<complex64> b;
    for (int i = 0; i < 300; ++i) {
      a.emplace_back(static_cast<float>(i), static_cast<float>(7 - i));
      b.emplace_back(static_cast<float>(i % 5), static_cast<float>(i % 3));
    }
    const gnp::array<complex64> z = gnp::asarray(a);
    const gnp::array<complex64> w = gnp::asarray(b);
    CHECK(has_type<float>(squared_magnitude(z)));
    CHECK(has_type<complex64>(turned(z, w)));
    CHECK(has_type<complex64>(sum_of_two(z, gnp::ones<float>({300}))));
    CHECK(difference(squared_magnitude(z), [&](std::size_t i) {
            return a[i].real() * a[i].real() + a[i].imag() * a[i].imag();
          }) == "");
    CHECK(difference(turned(z, w), [&](std::size_t i) { return a[i] * std::conj(b[i]); }) == "");
    CHECK(difference(sum_of_two(z, 2), [&](std::size_t i) { return a[i] + 2.0F; }) == "");
    CHECK(difference(sum_of_two(z.astype<gnp::complex128>(), w.astype<gnp::complex128>()),
                     [&](std::size_t i) { return gnp::complex128(a[i] + b[i]); }) == "");
  });
}

TEST_CASE("user's ufuncs: the parts of real numbers, and powers of complex and real ones") {
  for_each_device([](gnp::device) {
    const auto a = ramp<double>(50, 0.125);
    const gnp::array<double> x = gnp::asarray(a);
    CHECK(has_type<float>(parts_of_real(x.astype<float>())));
    CHECK(has_type<double>(parts_of_real(x)));
    CHECK(has_type<std::int64_t>(parts_of_real(x.astype<std::int64_t>())));
    CHECK(difference(parts_of_real(x), [&](std::size_t i) { return 3 * a[i]; }) == "");
    CHECK(difference(parts_of_real(x.astype<float>()), [&](std::size_t i) { return 3 * float(a[i]); }) == "");

    const gnp::array<gnp::complex128> z = x + gnp::complex128(0, 1);
    const auto expected = [](const auto& base, const auto& exponent) {
      return gnp::array<gnp::complex128>(gnp::power(base, exponent) + gnp::power(base, 2) +
                                         gnp::power(exponent, base) + gnp::where(exponent > 1, base, 0.5));
    };
    CHECK(has_type<gnp::complex128>(powers_of_both(z, x)));
    CHECK(has_type<complex64>(powers_of_both(z.astype<complex64>(), x.astype<float>())));
    CHECK(gnp::allclose(powers_of_both(z, x), expected(z, x), {.equal_nan = true}));
    CHECK(gnp::array_equal(is_equal(z - gnp::complex128(0, 1), x.astype<int>()), gnp::trunc(x) == x));
    CHECK(gnp::count_nonzero(is_equal(x, z.astype<complex64>())).item() == 0);
    const gnp::array<complex64> w = z.astype<complex64>();
    CHECK(gnp::allclose(powers_of_both(w(gnp::slice(5)), x.astype<float>()(gnp::slice(5))),
                        expected(z(gnp::slice(5)), x(gnp::slice(5))), {.rtol = 1e-4, .equal_nan = true}));
  });
}

TEST_CASE("user's ufuncs: namespaces, names and numbers of parameters") {
  for_each_device([](gnp::device) {
    const auto a = ramp<double>(100);
    const gnp::array<double> x = gnp::asarray(a);
    CHECK(difference(physics::energy(x, 3), [&](std::size_t i) { return a[i] * 9 / 2; }) == "");
    CHECK(difference(physics::inner::momentum(x, x), [&](std::size_t i) { return a[i] * a[i]; }) == "");
    using physics::energy;
    CHECK(difference(energy(x, x) - physics::inner::momentum(2, x),
                     [&](std::size_t i) { return a[i] * a[i] * a[i] / 2 - 2 * a[i]; }) == "");
    // Parameters named like things in the generated kernel.
    CHECK(difference(clashing(x, x + 1, x + 2, x + 3, 4), [&](std::size_t i) {
            const double v = a[i];
            return v + 10 * (v + 1) + 100 * (v + 2) + 1000 * (v + 3) + 10000 * 4;
          }) == "");
    CHECK(difference(twelve(x, 1, 2, x, 3, 4, 5, x, 6, 7, 8, x + 1), [&](std::size_t i) {
            const double v = a[i];
            return v + 2 + 6 + 4 * v + 15 + 24 + 35 + 8 * v + 54 + 70 + 88 + 12 * (v + 1);
          }) == "");
    static_assert(twelve_ufunc::arity == 12);
    static_assert(smooth_ufunc::arity == 2);
    // The object that a function is made of.
    constexpr gnp::ufunc<smooth_ufunc> object{};
    static_assert(std::is_same_v<decltype(object)::result_type<float, double>, double>);
    CHECK(object(x, x).item(5) == 0);
  });
}

TEST_CASE("user's ufuncs: the device's compiler takes every kind of body") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const gnp::array<float> f = gnp::ones<float>({64});
  const gnp::array<double> d = gnp::ones<double>({64});
  const gnp::array<half> h = gnp::ones<half>({64});
  const gnp::array<std::int64_t> n = gnp::ones<std::int64_t>({64});
  const gnp::array<complex64> z = gnp::ones<complex64>({64});
  check_compiles_for_gpu(smooth(f, d) + smooth(h, 1));
  check_compiles_for_gpu(polynomial(f, 3, h) + piecewise(d) + collatz(n));
  check_compiles_for_gpu(mandelbrot(z) + squared_magnitude(z));
  check_compiles_for_gpu(turned(z, z) + sum_of_two(z, 1));
  check_compiles_for_gpu(wave(f, f) * rest(d, d) + wave(h, h));
  check_compiles_for_gpu(clashing(f, f, d, 1, n) + twelve(f, 1, 2, f, 3, 4, 5, f, 6, 7, 8, d) +
                         twelve_statements(h));
  check_compiles_for_gpu(scaled(f) + gelu(f) * rectified(f) + selected(f) + selected_float(h));
  check_compiles_for_gpu(saturated(f) + by_all_operators(f) + in_its_type(h) + gamma_of(f) + in_double(f));
  check_compiles_for_gpu(scaled(h) + scaled(f) + of_two(f, n) + gelu(h) + saturated(h));
  check_compiles_for_gpu(saturated(d) + gelu(d) + rectified(n) + of_two(f, d));
  check_compiles_for_gpu(half_of(z) + whole(z) * scaled(f));
  check_compiles_for_gpu(beside_truths(f) + beside_truths(n) + where_of(n, f, h) + where_of(f, f > 1, n));
  check_compiles_for_gpu(gnp::where(is_equal(z, n) || is_equal(f, z), scaled_by_power(f, n), 1));
  check_compiles_for_gpu(parts_of_real(f) + parts_of_real(d) + parts_of_real(n) + parts_of_real(h));
  check_compiles_for_gpu(powers_of_both(z, f) + powers_of_both(z, d) + parts_of_real(f));
  check_compiles_for_gpu(
      gnp::where(is_between(f, 1, 2), physics::energy(f, f), physics::inner::momentum(f, 2)));
}

TEST_CASE("where: two numbers beside a mask have the types that NumPy gives them") {
  for_each_device([](gnp::device) {
    const gnp::array<bool> c = gnp::asarray<bool>({true, false});
    CHECK(has_type<std::int64_t>(gnp::where(c, 1, 0)));
    CHECK(has_type<double>(gnp::where(c, 1.0, 0.0)));
    CHECK(has_type<double>(gnp::where(c, 1, 0.5)));
    CHECK(has_type<bool>(gnp::where(c, true, false)));
    CHECK(has_type<gnp::complex128>(gnp::where(c, gnp::complex128(0, 1), 0)));
    CHECK(has_type<std::int64_t>(gnp::where(c, 1, true)));
    // What C++ says more about a number stays; an array decides for both.
    CHECK(has_type<float>(gnp::where(c, 1.0F, 0.0F)));
    CHECK(has_type<std::uint8_t>(gnp::where(c, std::uint8_t{1}, std::uint8_t{0})));
    CHECK(has_type<std::int32_t>(gnp::where(c, gnp::asarray<std::int32_t>({1, 2}), 0)));
    CHECK(has_type<float>(gnp::where(c, 1, gnp::asarray<float>({1, 2}))));
    CHECK(difference(gnp::where(c, 7, -7), [](std::size_t i) { return i == 0 ? 7 : -7; }) == "");
    CHECK(gnp::where(gnp::array<bool>(), 1, 0).size() == 0);
  });
}

TEST_CASE("streams: arrays made on one are right on another") {
  for_each_device([](gnp::device d) {
    const gnp::stream one(d);
    const gnp::stream two;
    CHECK(one.device() == d);
    CHECK(two.device() == d);
    const index_t n = 1 << 18;
    for (int round = 0; round < 100; ++round) {
      gnp::array<float> x = gnp::empty<float>({n});
      {
        const gnp::use_stream guard(one);
        x.fill(static_cast<float>(round));
        x += 1;
      }
      gnp::array<float> y;
      {
        const gnp::use_stream guard(two);
        y = x * 2;  // waits for one
        x(slice(0, n / 2)) = -y(slice(0, n / 2));
      }
      {
        const gnp::use_stream guard(one);
        x += y;  // waits for two
        y.fill(-1);
      }
      const gnp::array<float> z = x + y;  // on the default stream
      const float v = static_cast<float>(round) + 1;
      const gnp::host_array<float> values = gnp::asnumpy(z);
      bool right = true;
      for (index_t i = 0; i < n; ++i) right = right && values[i] == (i < n / 2 ? -1 : v + 2 * v - 1);
      INFO("round " << round);
      REQUIRE(right);
    }
    one.synchronize();
    gnp::synchronize();
  });
}

TEST_CASE("streams: guards nest, and memory freed on one stream is not taken too early on another") {
  for_each_device([](gnp::device d) {
    const gnp::stream outer(d);
    const gnp::stream inner(d);
    const index_t n = 1 << 16;
    const gnp::use_stream outer_guard(outer);
    for (int round = 0; round < 200; ++round) {
      gnp::array<float> kept;
      {
        const gnp::array<float> x = gnp::full<float>({n}, static_cast<float>(round));
        const gnp::use_stream inner_guard(inner);
        kept = x * 3 + x;
      }  // x is gone while `inner` may still read it
      const gnp::array<float> dirt = gnp::full<float>({n}, -1.0F);
      const gnp::array<float> more = dirt * 2;
      REQUIRE(kept.item(n - 1) == static_cast<float>(4 * round));
      REQUIRE(more.item(0) == -2);
    }
  });
}

TEST_CASE("streams: an array outlives the stream it was made on") {
  for_each_device([](gnp::device d) {
    for (int round = 0; round < 30; ++round) {
      gnp::array<float> x;
      gnp::array<float> view;
      {
        auto stream = std::make_unique<gnp::stream>(d);
        const gnp::use_stream guard(*stream);
        x = gnp::full<float>({100000}, 2.0F) * 3;
        view = x(slice(10, 20));
        x += 1;
      }
      CHECK(x.item(99999) == 7);
      view += 1;
      {
        const gnp::stream another(d);
        const gnp::use_stream guard(another);
        x *= 2;
      }
      CHECK(x.item(15) == 16);
      CHECK(x.item(25) == 14);
      const gnp::array<float> sum = x + view(0);
      CHECK(sum.item(0) == 30);
    }
  });
}

TEST_CASE("streams: a guard of another device's stream does not disturb this one") {
  const gnp::stream on_cpu(gnp::device::cpu());
  const gnp::use_stream guard(on_cpu);
  for_each_device([](gnp::device) {
    const gnp::array<int> x = gnp::full<int>({1000}, 4) * 2;
    CHECK(x.item(999) == 8);
  });
  CHECK_THROWS_AS(gnp::stream(gnp::device::cuda(63)), gnp::device_error);
}
