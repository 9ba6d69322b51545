// SPDX-License-Identifier: MIT
// The options of sort and its relatives, NumPy's keyword arguments: sort(x, {.axis = 0, .descending = true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>

namespace gnp { inline namespace GNP_ABI {

/// sort and argsort: along one axis, or with none along the flattened array.
struct sort_options {
  by_name only = by_name();
  axes_t axis = -1;
  bool descending = false;
};

/// partition and argpartition.
struct partition_options {
  by_name only = by_name();
  axes_t axis = -1;
};

}}  // namespace gnp::GNP_ABI
