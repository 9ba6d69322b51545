// SPDX-License-Identifier: MIT
// The options of sort and related functions, like NumPy's keyword arguments: sort(x, {.axis = 0, .descending =
// true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/unknown_name.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

// NumPy's names of algorithms, of which each function has only one. They are checked, and change nothing.

/// Sorting is stable.
class sort_kind {
 public:
  constexpr sort_kind(none_t) {}
  constexpr sort_kind(const char* kind) : sort_kind(std::string_view(kind)) {}
  sort_kind(const std::string& kind) : sort_kind(std::string_view(kind)) {}
  void require_known(const char* function) const {
    unknown_.refuse(function, "kind must be 'quicksort', 'heapsort', 'mergesort' or 'stable', got ");
  }

 private:
  constexpr sort_kind(std::string_view kind) {
    for (const std::string_view known : {"quicksort", "heapsort", "mergesort", "stable"}) {
      if (kind == known) return;
    }
    unknown_ = unknown_name(kind);
  }

  unknown_name unknown_;
};

class partition_kind {
 public:
  constexpr partition_kind(none_t) {}
  constexpr partition_kind(const char* kind) : partition_kind(std::string_view(kind)) {}
  partition_kind(const std::string& kind) : partition_kind(std::string_view(kind)) {}
  void require_known(const char* function) const {
    unknown_.refuse(function, "kind must be 'introselect', got ");
  }

 private:
  constexpr partition_kind(std::string_view kind) {
    if (kind != "introselect") unknown_ = unknown_name(kind);
  }

  unknown_name unknown_;
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
