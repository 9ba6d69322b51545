// SPDX-License-Identifier: MIT
// Which of several bins a value belongs to: by its own number, by edges at equal distances, or by any edges.
// The CPU and kernels run the same code.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/expr/scalar/special.hpp>

namespace gnp {
inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Bin i goes from edges[i] up to edges[i + 1], which only the last bin includes. If edges are at equal
// distances, a value's bin is `scale` times its distance from the first edge. If it is within `margin` (in
// bins) of an edge, rounding could make that wrong, so it is compared with the edges themselves.
GNP_SCALAR(bin_layout, base,
  struct bin_layout {
    long long count = 0;
    const void* edges = nullptr;
    double first = 0;
    double last = 0;
    double scale = 0;
    double margin = 0;
  };)

GNP_SCALAR(numbered_bins, base,
  struct numbered_bins {
    template <class T> static inline long long find(const T& value, const bin_layout& bins) {
      const unsigned long long bin = static_cast<unsigned long long>(value);
      return bin < static_cast<unsigned long long>(bins.count) ? static_cast<long long>(bin) : -1;
    }
  };)

// C is the type in which values and edges are compared.
GNP_SCALAR(edged_bins, base,
  template <class C> struct edged_bins {
    template <class T> static inline long long find(const T& value, const bin_layout& bins) {
      const C* edges = static_cast<const C*>(bins.edges);
      const C x = cast<C>(value);
      if (!(x >= edges[0] && x <= edges[bins.count])) { return -1; }
      long long bin = 0;
      for (long long beyond = bins.count; beyond - bin > 1;) {
        const long long middle = bin + (beyond - bin) / 2;
        if (edges[middle] <= x) { bin = middle; } else { beyond = middle; }
      }
      return bin;
    }
  };)

GNP_SCALAR(even_bins, base,
  template <class C> struct even_bins {
    template <class T> static inline long long find(const T& value, const bin_layout& bins) {
      const C* edges = static_cast<const C*>(bins.edges);
      const C x = cast<C>(value);
      if (!(x >= static_cast<C>(bins.first) && x <= static_cast<C>(bins.last))) { return -1; }
      const C place = (x - static_cast<C>(bins.first)) * static_cast<C>(bins.scale);
      if (!(place <= static_cast<C>(bins.count))) { return edged_bins<C>::find(value, bins); }  // out of range
      long long bin = static_cast<long long>(place);
      const C within = place - static_cast<C>(bin);
      if (bin >= bins.count) { bin = bins.count - 1; }
      if (within < static_cast<C>(bins.margin) || within > static_cast<C>(1) - static_cast<C>(bins.margin)) {
        while (bin > 0 && x < edges[bin]) { --bin; }
        while (bin + 1 < bins.count && x >= edges[bin + 1]) { ++bin; }
      }
      return bin;
    }
  };)

// clang-format on
}
}
}  // namespace gnp::GNP_ABI::scalar
