// SPDX-License-Identifier: MIT
// Which reductions are over pairs: each result belongs to a row of some operands and a column of others, like
// the distances between all points of two sets, and no operand has an element for each pair.
#pragma once

#include <gnp/core/layout.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// With fewer elements for each result, threads that compute whole results are faster: on an H200, sums of 16
/// absolute differences for 4096 x 4096 pairs of points take 0.055 ms instead of 0.079, sums of 12 take 0.055
/// instead of 0.052, and sums of 64 take 0.148 instead of 0.81.
inline constexpr index_t fewest_for_pairs = 16;

/// The results that are enough tiles for all multiprocessors of any GPU.
inline constexpr index_t enough_pairs = index_t{1} << 19;

/// Do the inputs have rows along one axis, columns along the other, and none of them both? moves(i, axis) says
/// whether input i has different elements along an axis.
template <class Moves>
bool makes_pairs(int row_axis, int column_axis, int inputs, const Moves& moves) {
  bool has_rows = false;
  bool has_columns = false;
  for (int i = 0; i < inputs; ++i) {
    const bool down = moves(i, row_axis);
    const bool across = moves(i, column_axis);
    if (down && across) return false;
    has_rows = has_rows || down;
    has_columns = has_columns || across;
  }
  return has_rows && has_columns;
}

/// The same for results whose rows and columns are the last two axes that stay and are longer than 1.
/// stays(axis) says whether an axis does and is.
template <class Stays, class Moves>
bool makes_pairs_of_last_axes(int rank, const Stays& stays, int inputs, const Moves& moves) {
  int row_axis = -1;
  int column_axis = -1;
  for (int d = 0; d < rank; ++d) {
    if (!stays(d)) continue;
    row_axis = column_axis;
    column_axis = d;
  }
  return row_axis >= 0 && makes_pairs(row_axis, column_axis, inputs, moves);
}

}}}  // namespace gnp::GNP_ABI::detail
