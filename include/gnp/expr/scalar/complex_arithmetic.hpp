// SPDX-License-Identifier: MIT
// Complex scalar functions: parts, arithmetic and order, with NumPy's formulas.
//
// Every parameter is declared as in std, so that these constrained templates win over those found by ADL.
#pragma once

#include <gnp/expr/scalar/real.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// --- parts ---
GNP_SCALAR(real, complex, template <real_floating T> T real(const std::complex<T>& z) { return z.real(); })
GNP_SCALAR(imag, complex, template <real_floating T> T imag(const std::complex<T>& z) { return z.imag(); })
GNP_SCALAR(abs, complex,
  template <real_floating T> T (abs)(const std::complex<T>& z) { return hypot(z.real(), z.imag()); })
GNP_SCALAR(arg, complex,
  template <real_floating T> T arg(const std::complex<T>& z) { return atan2(z.imag(), z.real()); })
GNP_SCALAR(conj, complex,
  template <real_floating T> std::complex<T> conj(const std::complex<T>& z) {
    return std::complex<T>(z.real(), -z.imag());
  })
GNP_SCALAR(isnan, complex,
  template <real_floating T> bool isnan(const std::complex<T>& z) {
    return isnan(z.real()) || isnan(z.imag());
  })
GNP_SCALAR(isinf, complex,
  template <real_floating T> bool isinf(const std::complex<T>& z) {
    return isinf(z.real()) || isinf(z.imag());
  })
GNP_SCALAR(isfinite, complex,
  template <real_floating T> bool isfinite(const std::complex<T>& z) {
    return isfinite(z.real()) && isfinite(z.imag());
  })

// --- arithmetic ---
GNP_SCALAR(plus, complex,
  template <real_floating T> std::complex<T> plus(const std::complex<T>& a, const std::complex<T>& b) {
    return std::complex<T>(a.real() + b.real(), a.imag() + b.imag());
  })
GNP_SCALAR(minus, complex,
  template <real_floating T> std::complex<T> minus(const std::complex<T>& a, const std::complex<T>& b) {
    return std::complex<T>(a.real() - b.real(), a.imag() - b.imag());
  })
GNP_SCALAR(negate, complex,
  template <real_floating T> std::complex<T> negate(const std::complex<T>& z) {
    return std::complex<T>(-z.real(), -z.imag());
  })
GNP_SCALAR(times, complex,
  template <real_floating T> std::complex<T> times(const std::complex<T>& a, const std::complex<T>& b) {
    return std::complex<T>(a.real() * b.real() - a.imag() * b.imag(),
                           a.real() * b.imag() + a.imag() * b.real());
  })
GNP_SCALAR(square, complex,
  template <real_floating T> std::complex<T> square(const std::complex<T>& z) {
    return std::complex<T>(z.real() * z.real() - z.imag() * z.imag(),
                           z.real() * z.imag() + z.imag() * z.real());
  })

// Smith's division, as NumPy rounds it: the larger part of the divisor is divided out first.
GNP_SCALAR(over, complex,
  template <real_floating T> std::complex<T> over(const std::complex<T>& a, const std::complex<T>& b) {
    const T x = fabs(b.real());
    const T y = fabs(b.imag());
    if (x == T(0) && y == T(0)) { return std::complex<T>(a.real() / x, a.imag() / x); }
    if (x >= y) {
      const T ratio = b.imag() / b.real();
      const T scale = T(1) / (b.real() + b.imag() * ratio);
      return std::complex<T>((a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale);
    }
    const T ratio = b.real() / b.imag();
    const T scale = T(1) / (b.imag() + b.real() * ratio);
    return std::complex<T>((a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale);
  })
GNP_SCALAR(reciprocal, complex,
  template <real_floating T> std::complex<T> reciprocal(const std::complex<T>& z) {
    if (fabs(z.imag()) <= fabs(z.real())) {
      const T ratio = z.imag() / z.real();
      const T divisor = z.real() + z.imag() * ratio;
      return std::complex<T>(T(1) / divisor, -ratio / divisor);
    }
    const T ratio = z.real() / z.imag();
    const T divisor = z.real() * ratio + z.imag();
    return std::complex<T>(ratio / divisor, T(-1) / divisor);
  })

// Each part by itself, halves to even.
GNP_SCALAR(rint, complex,
  template <real_floating T> std::complex<T> rint(const std::complex<T>& z) {
    return std::complex<T>(rint(z.real()), rint(z.imag()));
  })

// z / |z|, exactly rescaled where |z| overflows or has lost digits.
GNP_SCALAR(sign, complex,
  template <real_floating T> std::complex<T> sign(const std::complex<T>& z) {
    const T length = hypot(z.real(), z.imag());
    if (length == T(0)) { return std::complex<T>(T(0), T(0)); }
    constexpr T normal = same_type<T, float> ? T(0x1p-126) : T(0x1p-1022);
    if (length < normal) { return sign(std::complex<T>(z.real() * T(0x1p54), z.imag() * T(0x1p54))); }
    if (!isinf(length)) { return std::complex<T>(z.real() / length, z.imag() / length); }
    const bool wide = isinf(z.real());
    const bool high = isinf(z.imag());
    if (!wide && !high) { return sign(std::complex<T>(z.real() * T(0.25), z.imag() * T(0.25))); }
    if (wide && high) { return std::complex<T>(quiet_nan<T>(), quiet_nan<T>()); }
    return wide ? std::complex<T>(copysign(T(1), z.real()), T(0))
                : std::complex<T>(T(0), copysign(T(1), z.imag()));
  })

// --- order: by real part, then by imaginary part; false if a NaN decides ---
GNP_SCALAR(equal, complex,
  template <real_floating T> bool equal(const std::complex<T>& a, const std::complex<T>& b) {
    return a.real() == b.real() && a.imag() == b.imag();
  })
GNP_SCALAR(complex_less, complex,
  template <real_floating T> bool complex_less(const std::complex<T>& a, const std::complex<T>& b) {
    return (a.real() < b.real() && !isnan(a.imag()) && !isnan(b.imag())) ||
           (a.real() == b.real() && a.imag() < b.imag());
  })
GNP_SCALAR(complex_less_equal, complex,
  template <real_floating T> bool complex_less_equal(const std::complex<T>& a, const std::complex<T>& b) {
    return (a.real() < b.real() && !isnan(a.imag()) && !isnan(b.imag())) ||
           (a.real() == b.real() && a.imag() <= b.imag());
  })
GNP_SCALAR(maximum, complex,
  template <real_floating T> std::complex<T> maximum(const std::complex<T>& a, const std::complex<T>& b) {
    return isnan(a.real()) || isnan(a.imag()) || complex_less_equal(b, a) ? a : b;
  })
GNP_SCALAR(minimum, complex,
  template <real_floating T> std::complex<T> minimum(const std::complex<T>& a, const std::complex<T>& b) {
    return isnan(a.real()) || isnan(a.imag()) || complex_less_equal(a, b) ? a : b;
  })
GNP_SCALAR(fmax, complex,
  template <real_floating T> std::complex<T> fmax(const std::complex<T>& a, const std::complex<T>& b) {
    return isnan(b.real()) || isnan(b.imag()) || complex_less_equal(b, a) ? a : b;
  })
GNP_SCALAR(fmin, complex,
  template <real_floating T> std::complex<T> fmin(const std::complex<T>& a, const std::complex<T>& b) {
    return isnan(b.real()) || isnan(b.imag()) || complex_less_equal(a, b) ? a : b;
  })
// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
