// SPDX-License-Identifier: MIT
// Linear interpolation between two points, as a scalar function for both devices.
#pragma once

#include <gnp/expr/scalar/complex.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// A point on the line through (x0, y0) and (x1, y1). At the ends it is exactly y0 or y1. If infinite values
// give NaN when computed from one end, the point is computed from the other end. A horizontal line stays
// horizontal.
GNP_SCALAR(interpolated, real,
  template <class Y> Y interpolated(double x, double x0, double x1, Y y0, Y y1) {
    if constexpr (is_complex_v<Y>) {
      if (x != x) { return Y(x, 0.0); }
      return Y(interpolated(x, x0, x1, y0.real(), y1.real()), interpolated(x, x0, x1, y0.imag(), y1.imag()));
    } else {
      if (x != x) { return x; }
      if (x == x0) { return y0; }
      if (x == x1) { return y1; }
      const double slope = (y1 - y0) / (x1 - x0);
      double y = slope * (x - x0) + y0;
      if (y != y) { y = slope * (x - x1) + y1; }
      return y != y && y0 == y1 ? y0 : y;
    }
  })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
