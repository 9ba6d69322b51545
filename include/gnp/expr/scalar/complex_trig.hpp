// SPDX-License-Identifier: MIT
// The circular and hyperbolic functions of complex numbers, and their inverses.
//
// Special values and branch cuts are C's (Annex G). The circular functions are the hyperbolic ones with the
// parts exchanged: sin(x + iy) has the parts of sinh(y + ix), in the other order.
#pragma once

#include <gnp/expr/scalar/complex_exp.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off
// Beyond the limit, sinh and cosh are half an exp that may overflow; an imaginary part of 0 is kept for any x.
GNP_SCALAR(sinh, complex,
  template <real_floating T> T exp_times(T x, T f, T scale);
  template <real_floating T> std::complex<T> sinh(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (!isfinite(y)) {
      return std::complex<T>(x == T(0) ? x : isinf(x) ? fabs(x) : quiet_nan<T>(), quiet_nan<T>());
    }
    if (y == T(0)) { return std::complex<T>(sinh(x), y); }
    constexpr T limit = same_type<T, float> ? T(88) : T(709);
    if (fabs(x) > limit) {
      return std::complex<T>(copysign(T(1), x) * exp_times(fabs(x), cos(y), T(0.5)),
                             exp_times(fabs(x), sin(y), T(0.5)));
    }
    return std::complex<T>(sinh(x) * cos(y), cosh(x) * sin(y));
  })
GNP_SCALAR(cosh, complex,
  template <real_floating T> T exp_times(T x, T f, T scale);
  template <real_floating T> std::complex<T> cosh(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (!isfinite(y)) {
      return std::complex<T>(isinf(x) ? fabs(x) : quiet_nan<T>(), x == T(0) ? T(0) : quiet_nan<T>());
    }
    if (y == T(0)) { return std::complex<T>(cosh(x), isnan(x) ? y : copysign(T(1), x) * y); }
    constexpr T limit = same_type<T, float> ? T(88) : T(709);
    if (fabs(x) > limit) {
      return std::complex<T>(exp_times(fabs(x), cos(y), T(0.5)),
                             copysign(T(1), x) * exp_times(fabs(x), sin(y), T(0.5)));
    }
    return std::complex<T>(cosh(x) * cos(y), sinh(x) * sin(y));
  })
GNP_SCALAR(sin, complex,
  template <real_floating T> std::complex<T> sinh(const std::complex<T>& z);
  template <real_floating T> std::complex<T> sin(const std::complex<T>& z) {
    const std::complex<T> w = sinh(std::complex<T>(z.imag(), z.real()));
    return std::complex<T>(w.imag(), w.real());
  })
GNP_SCALAR(cos, complex,
  template <real_floating T> std::complex<T> cosh(const std::complex<T>& z);
  template <real_floating T> std::complex<T> cos(const std::complex<T>& z) {
    return cosh(std::complex<T>(-z.imag(), z.real()));
  })
GNP_SCALAR(tanh, complex,
  template <real_floating T> std::complex<T> tanh(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (!isfinite(y)) {
      if (isinf(x)) { return std::complex<T>(copysign(T(1), x), copysign(T(0), y)); }
      return std::complex<T>(x == T(0) ? x : quiet_nan<T>(), quiet_nan<T>());
    }
    if (y == T(0)) { return std::complex<T>(tanh(x), y); }
    const T s = sin(y);
    const T c = cos(y);
    constexpr T limit = same_type<T, float> ? T(10) : T(20);
    if (fabs(x) > limit) {
      const T decay = exp(-fabs(x));
      return std::complex<T>(copysign(T(1), x), (T(4) * decay * s) * (decay * c));
    }
    const T sh = sinh(x);
    const T divisor = sh * sh + c * c;
    return std::complex<T>(sh * cosh(x) / divisor, s * c / divisor);
  })
GNP_SCALAR(tan, complex,
  template <real_floating T> std::complex<T> tanh(const std::complex<T>& z);
  template <real_floating T> std::complex<T> tan(const std::complex<T>& z) {
    const std::complex<T> w = tanh(std::complex<T>(z.imag(), z.real()));
    return std::complex<T>(w.imag(), w.real());
  })

// (arcsine or arccosine of x + iy as an angle, arcsine's imaginary part), for finite x and y >= 0.
// Hull, Fairgrieve and Tang's method (ACM TOMS 23, 1997): r and s are the distances from -1 and 1, and terms
// that would cancel are rewritten. Very large, nearly real and nearly 1 arguments come first, as limits.
GNP_SCALAR(arc, complex,
  template <real_floating T> T log_abs(T x, T y);
  template <real_floating T> std::complex<T> arc(T x, T y, bool cosine) {
    constexpr T half_pi = pi<T> / T(2);
    constexpr T ln2 = T(0.6931471805599453);
    constexpr T epsilon = same_type<T, float> ? T(0x1p-24) : T(0x1p-53);
    constexpr T large = same_type<T, float> ? T(0x1p14) : T(0x1p30);
    if (x > large || y > large) {
      return std::complex<T>(cosine ? atan2(y, x) : atan2(x, y), log_abs(x, y) + ln2);
    }
    const T right = x - T(1);
    const T left = x + T(1);
    if (y <= epsilon * fabs(right)) {
      const T root = sqrt(fabs(right) * left);
      const T slope = y == T(0) ? y : y / root;
      if (x < T(1)) { return std::complex<T>(cosine ? acos(x) : asin(x), slope); }
      return std::complex<T>(cosine ? slope : half_pi, log1p(right + root));
    }
    if (y < epsilon * epsilon) {
      const T root = sqrt(y);
      return std::complex<T>(cosine ? root : half_pi - root, root);
    }
    const T r = hypot(left, y);
    const T s = hypot(right, y);
    const T a = (r + s) * T(0.5);
    const T b = x / a;
    const T from_left = y * y / (r + left);
    const T from_right = x < T(1) ? y * y / (s - right) : s + right;
    const T excess = (from_left + from_right) * T(0.5);
    const T height = a < T(1.5) ? log1p(excess + sqrt(excess * (a + T(1))))
                                : log(a + sqrt((a - T(1)) * (a + T(1))));
    if (b < T(0.64)) { return std::complex<T>(cosine ? acos(b) : asin(b), height); }
    const T sum = (a + x) * T(0.5);
    const T other = x <= T(1) ? sqrt(sum * (from_left + (s - right)))
                              : y * sqrt(sum / (r + left) + sum / (s + right));
    return std::complex<T>(cosine ? atan2(other, x) : atan2(x, other), height);
  })
GNP_SCALAR(asinh, complex,
  template <real_floating T> std::complex<T> arc(T x, T y, bool cosine);
  template <real_floating T> std::complex<T> asinh(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (isinf(x) || isinf(y)) { return std::complex<T>(copysign(infinity<T>(), x), atan2(y, fabs(x))); }
    if (isnan(x) || isnan(y)) { return std::complex<T>(quiet_nan<T>(), y == T(0) ? y : quiet_nan<T>()); }
    const std::complex<T> w = arc(fabs(y), fabs(x), false);
    return std::complex<T>(copysign(w.imag(), x), copysign(w.real(), y));
  })
GNP_SCALAR(asin, complex,
  template <real_floating T> std::complex<T> asinh(const std::complex<T>& z);
  template <real_floating T> std::complex<T> asin(const std::complex<T>& z) {
    const std::complex<T> w = asinh(std::complex<T>(z.imag(), z.real()));
    return std::complex<T>(w.imag(), w.real());
  })
GNP_SCALAR(acos, complex,
  template <real_floating T> std::complex<T> arc(T x, T y, bool cosine);
  template <real_floating T> std::complex<T> acos(const std::complex<T>& z) {
    const T x = z.real();
    const T y = z.imag();
    if (isinf(x) || isinf(y)) { return std::complex<T>(atan2(fabs(y), x), copysign(infinity<T>(), -y)); }
    if (isnan(x) || isnan(y)) {
      return std::complex<T>(x == T(0) ? pi<T> / T(2) : quiet_nan<T>(), quiet_nan<T>());
    }
    const std::complex<T> w = arc(fabs(x), fabs(y), true);
    return std::complex<T>(x < T(0) ? pi<T> - w.real() : w.real(), copysign(w.imag(), -y));
  })
GNP_SCALAR(acosh, complex,
  template <real_floating T> std::complex<T> acos(const std::complex<T>& z);
  template <real_floating T> std::complex<T> acosh(const std::complex<T>& z) {
    const std::complex<T> w = acos(z);
    return std::complex<T>(fabs(w.imag()), copysign(w.real(), z.imag()));
  })
GNP_SCALAR(atanh, complex,
  template <real_floating T> std::complex<T> atanh(const std::complex<T>& z) {
    const T x = fabs(z.real());
    const T y = z.imag();
    constexpr T large = same_type<T, float> ? T(0x1p25) : T(0x1p54);
    const T size = x < fabs(y) ? fabs(y) : x;
    if (isinf(x) || isinf(y)) {
      return std::complex<T>(copysign(T(0), z.real()), isnan(y) ? y : copysign(pi<T> / T(2), y));
    }
    if (isnan(x) || isnan(y)) { return std::complex<T>(x == T(0) ? z.real() : quiet_nan<T>(), quiet_nan<T>()); }
    if (size > large) {
      const T ratio = (x < fabs(y) ? x : y) / size;
      return std::complex<T>(copysign(x / size / size / (T(1) + ratio * ratio), z.real()),
                             copysign(pi<T> / T(2), y));
    }
    const T distance = T(1) - x;
    const T real_part = x == T(1) && fabs(y) < T(0x1p-40)
                            ? T(0.5) * (T(0.6931471805599453) - log(fabs(y)))
                            : T(0.25) * log1p(T(4) * x / (distance * distance + y * y));
    return std::complex<T>(copysign(real_part, z.real()),
                           T(0.5) * atan2(y + y, distance * (T(1) + x) - y * y));
  })
GNP_SCALAR(atan, complex,
  template <real_floating T> std::complex<T> atanh(const std::complex<T>& z);
  template <real_floating T> std::complex<T> atan(const std::complex<T>& z) {
    const std::complex<T> w = atanh(std::complex<T>(z.imag(), z.real()));
    return std::complex<T>(w.imag(), w.real());
  })
// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
