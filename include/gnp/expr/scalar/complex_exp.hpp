// SPDX-License-Identifier: MIT
// Complex scalar functions: sqrt, exp, log and pow. Special values and branch cuts are C's (Annex G).
#pragma once

#include <gnp/expr/scalar/complex_arithmetic.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off
// --- sqrt ---
// Powers of 4 keep hypot from overflowing and from losing digits among the subnormals.
GNP_SCALAR(sqrt, complex,
  template <real_floating T> std::complex<T> sqrt(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (isinf(y)) { return std::complex<T>(infinity<T>(), y); }
    if (isinf(x)) {
      const T rest = isnan(y) ? y : T(0);
      return x > T(0) ? std::complex<T>(x, copysign(rest, y)) : std::complex<T>(rest, copysign(x, y));
    }
    if (x == T(0) && y == T(0)) { return std::complex<T>(T(0), y); }
    constexpr bool narrow = same_type<T, float>;
    constexpr T large = narrow ? T(0x1p125) : T(0x1p1021);
    constexpr T tiny = narrow ? T(0x1p-100) : T(0x1p-960);
    const T size = fabs(x) < fabs(y) ? fabs(y) : fabs(x);
    const T scale = size > large ? T(0.25) : size < tiny ? T(0x1p54) : T(1);
    const T back = size > large ? T(2) : size < tiny ? T(0x1p-27) : T(1);
    const T a = fabs(x) * scale;
    const T b = y * scale;
    const T root = sqrt((a + hypot(a, b)) * T(0.5));
    const T other = b / (root + root) * back;
    return x < T(0) ? std::complex<T>(fabs(other), copysign(root * back, y))
                    : std::complex<T>(root * back, other);
  })

// --- exp ---
// The chunk `exp` declares exp_times, because the two chunks use each other and a kernel may contain either of
// them first. exp_times is f * exp(x) * scale, for |f| <= 1, where exp(x) alone may overflow.
GNP_SCALAR(exp_times, complex,
  template <real_floating T> T exp_times(T x, T f, T scale) {
    constexpr T limit = same_type<T, float> ? T(88) : T(709);
    constexpr T step = same_type<T, float> ? T(1.6516362549940018e38) : T(8.218407461554972e307);
    if (!(x > limit)) { return exp(x) * scale * f; }
    T rest = x - limit;
    T factor = f * (step * scale);
    if (rest > limit) {
      rest = rest - limit;
      factor = factor * step;
    }
    return factor * exp(rest);
  })
GNP_SCALAR(exp, complex,
  template <real_floating T> T exp_times(T x, T f, T scale);
  template <real_floating T> std::complex<T> exp(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (y == T(0)) { return std::complex<T>(exp(x), y); }
    if (isinf(x) && !isfinite(y)) {
      return x > T(0) ? std::complex<T>(x, quiet_nan<T>()) : std::complex<T>(T(0), copysign(T(0), y));
    }
    return std::complex<T>(exp_times(x, cos(y), T(1)), exp_times(x, sin(y), T(1)));
  })

// --- exp2 and expm1 ---
// The leading half of the digits, computed in a way that no compiler fuses with the operations that follow.
// Products of such halves are exact, so that the sums of them below are the same with and without fused
// multiply-add.
GNP_SCALAR(upper_digits, complex,
  inline float upper_digits(float x) { return gnp_bits_float(gnp_float_bits(x) & 0xfffff000u); }
  inline double upper_digits(double x) { return static_cast<double>(static_cast<float>(x)); })
// The angle is y ln 2. Its rounding error is applied as a rotation of the result, as long as it is small.
GNP_SCALAR(exp2, complex,
  template <real_floating T> T exp2_times(T x, T f) {
    constexpr T limit = same_type<T, float> ? T(127) : T(1023);
    constexpr T step = same_type<T, float> ? T(0x1p127) : T(0x1p1023);
    for (int i = 0; i < 2 && x > limit; ++i) {
      x = x - limit;
      f = f * step;
    }
    return exp2(x) * f;
  }
  template <real_floating T> std::complex<T> exp2(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (y == T(0)) { return std::complex<T>(exp2(x), y); }
    if (isinf(x) && !isfinite(y)) {
      return x > T(0) ? std::complex<T>(x, quiet_nan<T>()) : std::complex<T>(T(0), copysign(T(0), y));
    }
    constexpr T ln2 = same_type<T, float> ? T(0x1.62ep-1) : T(0x1.62e42fe000000p-1);
    constexpr T ln2_rest = same_type<T, float> ? T(3.1946184945309415e-05) : T(1.8206359985041462e-09);
    constexpr T limit = same_type<T, float> ? T(0x1p12) : T(0x1p26);
    const bool precise = fabs(y) < limit;
    const T upper = precise ? upper_digits(y) : T(0);
    const T most = upper * ln2;
    const T least = (y - upper) * ln2 + y * ln2_rest;
    const T angle = precise ? most + least : y * T(0.6931471805599453);
    const T rest = precise ? least - (angle - most) : T(0);
    const T c = cos(angle);
    const T s = sin(angle);
    return std::complex<T>(exp2_times(x, c - s * rest), exp2_times(x, s + c * rest));
  })
GNP_SCALAR(expm1, complex,
  template <real_floating T> T exp_times(T x, T f, T scale);
  template <real_floating T> std::complex<T> expm1(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    const T s = sin(y * T(0.5));
    if (isfinite(x) && x > T(80)) {
      return std::complex<T>(exp_times(x, cos(y), T(1)), exp_times(x, sin(y), T(1)));
    }
    return std::complex<T>(expm1(x) * cos(y) - T(2) * s * s, exp(x) * sin(y));
  })

// --- log ---
// c + x * x + y * y without losing digits to cancellation: every rounding error is computed and added back. x
// is the operand whose square may cancel c.
GNP_SCALAR(plus_squares, complex,
  template <real_floating T> T add_keeping_error(T a, T b, T& error) {
    const T sum = a + b;
    const T part = sum - a;
    error = error + ((a - (sum - part)) + (b - part));
    return sum;
  }
  template <real_floating T> T plus_square(T sum, T x, T& error) {
    const T high = upper_digits(x);
    const T low = x - high;
    const T middle = upper_digits(low);
    sum = add_keeping_error(sum, high * high, error);
    sum = add_keeping_error(sum, T(2) * high * low, error);
    sum = add_keeping_error(sum, middle * middle, error);
    error = error + (low - middle) * (low + middle);
    return sum;
  }
  template <real_floating T> T plus_squares(T c, T x, T y) {
    T error = T(0);
    const T sum = plus_square(plus_square(c, x, error), y, error);
    return sum + error;
  })
GNP_SCALAR(log_abs, complex,
  template <real_floating T> T log_abs(T x, T y) {
    if (isinf(x) || isinf(y)) { return infinity<T>(); }
    const T a = fabs(x) < fabs(y) ? fabs(y) : fabs(x);
    const T b = fabs(x) < fabs(y) ? fabs(x) : fabs(y);
    if (a >= T(0.5) && a < T(2)) { return T(0.5) * log1p(plus_squares(T(-1), a, b)); }
    const T ratio = a == b ? T(1) : b / a;
    return log(a) + T(0.5) * log1p(ratio * ratio);
  })
GNP_SCALAR(log, complex,
  template <real_floating T> T log_abs(T x, T y);
  template <real_floating T> std::complex<T> log(const std::complex<T>& z) {
    return std::complex<T>(log_abs(z.real(), z.imag()), atan2(z.imag(), z.real()));
  })
GNP_SCALAR(log2, complex,
  template <real_floating T> T log_abs(T x, T y);
  template <real_floating T> std::complex<T> log2(const std::complex<T>& z) {
    constexpr T log2_e = T(1.4426950408889634);
    return std::complex<T>(log_abs(z.real(), z.imag()) * log2_e, atan2(z.imag(), z.real()) * log2_e);
  })
GNP_SCALAR(log10, complex,
  template <real_floating T> T log_abs(T x, T y);
  template <real_floating T> std::complex<T> log10(const std::complex<T>& z) {
    constexpr T log10_e = T(0.4342944819032518);
    return std::complex<T>(log_abs(z.real(), z.imag()) * log10_e, atan2(z.imag(), z.real()) * log10_e);
  })
GNP_SCALAR(log1p, complex,
  template <real_floating T> T log_abs(T x, T y);
  template <real_floating T> std::complex<T> log1p(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    const T moved = x + T(1);
    const T size = fabs(moved) < fabs(y) ? fabs(y) : fabs(moved);
    const T real_part = size >= T(0.5) && size < T(2) && !isnan(y) ? T(0.5) * log1p(plus_squares(x + x, y, x))
                                                                   : log_abs(moved, y);
    return std::complex<T>(real_part, atan2(y, moved));
  })

// --- pow ---
// NumPy's cases: exponent 0, base 0, whole exponents below 100 by multiplication, otherwise exp(w log z). In
// float, the logarithm's error would grow with the result's exponent, so that case is computed in double. In
// products an infinite factor makes the result infinite, as in C: a NaN in one part does not spoil it.
GNP_SCALAR(pow, complex,
  inline std::complex<double> infinity_as_unit(const std::complex<double>& z, bool infinite) {
    const double x = isnan(z.real()) || (infinite && !isinf(z.real())) ? 0.0 : infinite ? 1.0 : z.real();
    const double y = isnan(z.imag()) || (infinite && !isinf(z.imag())) ? 0.0 : infinite ? 1.0 : z.imag();
    return std::complex<double>(copysign(x, z.real()), copysign(y, z.imag()));
  }
  inline std::complex<double> times_keeping_infinity(const std::complex<double>& a,
                                                     const std::complex<double>& b) {
    const std::complex<double> product = times(a, b);
    if (!isnan(product.real()) || !isnan(product.imag())) { return product; }
    const bool a_infinite = isinf(a.real()) || isinf(a.imag());
    const bool b_infinite = isinf(b.real()) || isinf(b.imag());
    if (!a_infinite && !b_infinite) { return product; }
    const std::complex<double> way = times(infinity_as_unit(a, a_infinite), infinity_as_unit(b, b_infinite));
    return std::complex<double>(infinity<double>() * way.real(), infinity<double>() * way.imag());
  }
  template <real_floating T> std::complex<T> pow_whole(const std::complex<T>& z, int n) {
    if (n == 1) { return z; }
    if (n == 2) { return times(z, z); }
    if (n == 3) { return times(z, times(z, z)); }
    std::complex<T> result(T(1), T(0));
    std::complex<T> base = z;
    int rest = n < 0 ? -n : n;
    while (true) {
      if (rest % 2 != 0) { result = times(result, base); }
      rest = rest / 2;
      if (rest == 0) { break; }
      base = times(base, base);
    }
    return n < 0 ? over(std::complex<T>(T(1), T(0)), result) : result;
  }
  template <real_floating T> std::complex<T> pow(const std::complex<T>& z, const std::complex<T>& w) {
    if (w.real() == T(0) && w.imag() == T(0)) { return std::complex<T>(T(1), T(0)); }
    if (z.real() == T(0) && z.imag() == T(0)) {
      const T part = w.real() > T(0) ? T(0) : quiet_nan<T>();
      return std::complex<T>(part, part);
    }
    if (w.imag() == T(0) && fabs(w.real()) < T(100) && floor(w.real()) == w.real()) {
      return pow_whole(z, static_cast<int>(w.real()));
    }
    const std::complex<double> base(z.real(), z.imag());
    const std::complex<double> exponent(w.real(), w.imag());
    const std::complex<double> result = exp(times_keeping_infinity(exponent, log(base)));
    return std::complex<T>(static_cast<T>(result.real()), static_cast<T>(result.imag()));
  })
// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
