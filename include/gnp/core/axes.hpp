// SPDX-License-Identifier: MIT
// NumPy's axis argument: 1, {0, 2}, or none for all of them.
#pragma once

#include <algorithm>
#include <gnp/core/by_name.hpp>
#include <gnp/core/none.hpp>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI {

/// One axis, several, or all (none). Negative axes count from the end. Empty braces do not make an axes_t, so
/// sum(x, {}) can only mean sum(x).
class axes_t {
 public:
  constexpr axes_t(none_t) {}
  constexpr axes_t(const shape_t& axes) : axes_(axes), given_(true) {}
  template <detail::list_of_integers List>
  constexpr axes_t(const List& axes) : axes_(axes), given_(true) {}
  template <detail::plain_number First, detail::plain_number... Rest>
  constexpr axes_t(First first, Rest... rest) : axes_{first, rest...}, given_(true) {}

  constexpr bool given() const { return given_; }
  constexpr const shape_t& values() const { return axes_; }

 private:
  shape_t axes_;
  bool given_ = false;
};

/// Axes by name, for functions without other options: flip(x, {.axis = 0}).
struct axes_options {
  by_name only = by_name();
  axes_t axis = none;
};

namespace detail {

/// Which of `rank` axes are meant. Throws index_error for an axis that does not exist, and shape_error for one
/// that is named twice.
struct axis_set {
  bool chosen[max_rank] = {};
  int count = 0;

  axis_set(const axes_t& axes, int rank, const char* function) {
    if (!axes.given()) {
      for (int d = 0; d < rank; ++d) chosen[d] = true;
      count = rank;
      return;
    }
    for (const index_t axis : axes.values()) {
      const int d = normalize_axis(axis, rank, function);
      if (chosen[d])
        throw shape_error(std::string(function) + ": duplicate value in axis " + to_string(axes.values()));
      chosen[d] = true;
      ++count;
    }
  }

  /// Are the same of as many axes meant?
  friend bool operator==(const axis_set& a, const axis_set& b) {
    return std::equal(a.chosen, a.chosen + max_rank, b.chosen);
  }
};

/// Throws if several axes are named, for a function that works along one axis or the flattened array.
GNP_DECLARED void require_one_axis_or_none(const axes_t& axis, const char* function);

/// As in NumPy, the mean and the variance of a single number (rank 0) take no axis.
GNP_INLINE void require_axes(const axes_t& axes, int rank, const char* function) {
  static_cast<void>(axis_set(axes, rank, function));
}

/// For a single number (rank 0), NumPy accepts axis 0 or -1 in the other reductions, running sums and argsort.
GNP_INLINE axes_t axes_within(const axes_t& axes, int rank) {
  const shape_t& named = axes.values();
  const bool of_one_number = rank == 0 && named.rank() == 1 && (named[0] == 0 || named[0] == -1);
  return of_one_number ? axes_t(none) : axes;
}
GNP_INLINE axis_set reduced_axes(const axes_t& axes, int rank, const char* function) {
  return axis_set(axes_within(axes, rank), rank, function);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void require_one_axis_or_none(const axes_t& axis, const char* function) {
  if (axis.given() && axis.values().rank() != 1) {
    throw shape_error(std::string(function) + ": takes one axis or none, got " + to_string(axis.values()));
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
