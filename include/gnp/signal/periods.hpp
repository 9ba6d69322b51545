// SPDX-License-Identifier: MIT
// The points of a periodic function, laid out over slightly more than one period.
#pragma once

#include <cmath>
#include <gnp/expr/math.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/sorting.hpp>
#include <gnp/signal/interpolation.hpp>
#include <tuple>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE array<index_t> lay_out_places(array<double>& x, array<double>& xp, double period) {
  if (period == 0) throw error("interp: period must be a non-zero value");
  const double length = std::abs(period);
  x = remainder(x, length);
  xp = remainder(xp, length);
  const array<index_t> order = argsort(xp);
  xp = take(xp, order);
  xp = concatenate(std::tuple(xp(slice(-1, none)) - length, xp, xp(slice(0, 1)) + length));
  return order;
}

}}}  // namespace gnp::GNP_ABI::detail
