// SPDX-License-Identifier: MIT
// The options of a ufunc's methods, like NumPy's keyword arguments: ufuncs::add.reduce(x, {.keepdims = true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>

namespace gnp { inline namespace GNP_ABI {

/// A ufunc's reduce: like NumPy's, along the first axis by default; none means all axes.
struct ufunc_reduce_options {
  by_name only = by_name();
  axes_t axis = 0;
  bool keepdims = false;
};

/// A ufunc's accumulate and reduceat, maximum_accumulate and minimum_accumulate.
struct accumulate_options {
  by_name only = by_name();
  int axis = 0;
};

/// A ufunc's at, and functions such as add_at.
struct at_options {
  by_name only = by_name();
  /// By default, elements that go to the same place are combined in the order in which they are given, so that
  /// every run gives the same bits. Any order is faster on a GPU, but then sums of floating-point numbers may
  /// differ in their last bits.
  bool any_order = false;
};

/// The number of decimals, by name: round(x, {.decimals = 2}).
struct round_options {
  by_name only = by_name();
  int decimals = 0;
};

}}  // namespace gnp::GNP_ABI
