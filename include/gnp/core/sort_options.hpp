// SPDX-License-Identifier: MIT
// The options of sort and related functions, like NumPy's keyword arguments: sort(x, {.axis = 0, .descending =
// true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/error.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

// NumPy's names of algorithms, of which each function has only one. They are checked, and change nothing.

/// Sorting is stable.
GNP_INLINE void require_sort_kind(std::string_view kind) {
  for (const std::string_view known : {"quicksort", "heapsort", "mergesort", "stable"}) {
    if (kind == known) return;
  }
  throw error("sort, argsort: kind must be 'quicksort', 'heapsort', 'mergesort' or 'stable', got '" +
              std::string(kind) + "'");
}

struct sort_kind {
  constexpr sort_kind(none_t) {}
  sort_kind(const char* kind) { require_sort_kind(kind); }
  sort_kind(const std::string& kind) { require_sort_kind(kind); }
};

GNP_INLINE void require_partition_kind(std::string_view kind) {
  if (kind != "introselect")
    throw error("partition, argpartition: kind must be 'introselect', got '" + std::string(kind) + "'");
}

struct partition_kind {
  constexpr partition_kind(none_t) {}
  partition_kind(const char* kind) { require_partition_kind(kind); }
  partition_kind(const std::string& kind) { require_partition_kind(kind); }
};

GNP_INLINE void require_isin_kind(std::string_view kind) {
  if (kind != "sort" && kind != "table")
    throw error("isin: kind must be 'sort' or 'table', got '" + std::string(kind) + "'");
}

struct isin_kind {
  constexpr isin_kind(none_t) {}
  isin_kind(const char* kind) { require_isin_kind(kind); }
  isin_kind(const std::string& kind) { require_isin_kind(kind); }
};

}  // namespace detail

/// sort and argsort: along one axis, or of the flattened array if the axis is none. For every kind, equal
/// elements keep their order.
struct sort_options {
  by_name only = by_name();
  axes_t axis = -1;
  detail::sort_kind kind = none;
  bool stable = true;
  bool descending = false;
};

/// partition and argpartition.
struct partition_options {
  by_name only = by_name();
  axes_t axis = -1;
  detail::partition_kind kind = none;
};

}}  // namespace gnp::GNP_ABI
