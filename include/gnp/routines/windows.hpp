// SPDX-License-Identifier: MIT
// bartlett, blackman, hamming, hanning and kaiser: windows with a given number of points.
#pragma once

#include <gnp/core/constants.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/number_parts.hpp>
#include <gnp/routines/ranges.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// A window of T: f(n, m), where n is an expression of 1 - points, 3 - points, ..., points - 1, and m is points
/// - 1. A window of one point is 1.
template <class T, class F>
array<T> window(index_t points, const F& f) {
  if (points < 1) return array<T>(shape_t{0}, default_device(), "window");
  if (points == 1) return filled<T>(shape_t{1}, scalar::cast<T>(1), default_device(), "window");
  const auto m = static_cast<double>(points - 1);
  return f(ufunc<operations::ramp_ufunc>()(positions<T>(shape_t{points}), -m, 2.0), m).template astype<T>();
}

}  // namespace detail

/// A triangle, zero at both ends.
template <element T = double>
array<T> bartlett(detail::any_integer points) {
  return detail::window<T>(points, [](const auto& n, double m) { return 1.0 - abs(n) / m; });
}
template <element T = double>
array<T> blackman(detail::any_integer points) {
  return detail::window<T>(points, [](const auto& n, double m) {
    return 0.42 + 0.5 * cos(pi * n / m) + 0.08 * cos(2.0 * pi * n / m);
  });
}
template <element T = double>
array<T> hamming(detail::any_integer points) {
  return detail::window<T>(points, [](const auto& n, double m) { return 0.54 + 0.46 * cos(pi * n / m); });
}
template <element T = double>
array<T> hanning(detail::any_integer points) {
  return detail::window<T>(points, [](const auto& n, double m) { return 0.5 + 0.5 * cos(pi * n / m); });
}
/// The smaller beta is, the wider the window; 0 gives a rectangle.
template <element T = double>
array<T> kaiser(detail::any_integer points, double beta) {
  const double scale = scalar::bessel_i0(beta);
  return detail::window<T>(
      points, [beta, scale](const auto& n, double m) { return i0(beta * sqrt(1.0 - square(n / m))) / scale; });
}

}}  // namespace gnp::GNP_ABI
