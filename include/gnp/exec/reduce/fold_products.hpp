// SPDX-License-Identifier: MIT
// Sums of the products of two arrays' elements on the CPU. Both are read where they are, and no product is
// stored.
#pragma once

#include <gnp/exec/reduce/fold_lanes.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Products in the place of a row of elements.
template <class T>
struct row_of_products {
  const T* x;
  const T* y;

  __attribute__((always_inline)) T operator[](index_t i) const { return scalar::times(x[i], y[i]); }
  friend __attribute__((always_inline)) row_of_products operator+(const row_of_products& row,
                                                                  index_t elements) {
    return {row.x + elements, row.y + elements};
  }
};

template <int count, class T>
inline __attribute__((always_inline)) void fetch_ahead(const row_of_products<T>& row, index_t ahead) {
  fetch_ahead<count>(row.x, ahead);
  fetch_ahead<count>(row.y, ahead);
}

// Like GNP_LANES. Products and sums are not fused: the sum is the same as that of stored products, whatever the
// processor can do.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(GNP_PLAIN_LOOPS)
#define GNP_PRODUCT_LANES                                                                                     \
  __attribute__((optimize("O3", "no-tree-sink", "no-tree-loop-distribute-patterns", "no-loop-unroll-and-jam", \
                          "align-loops=32", "fp-contract=off"),                                               \
                 flatten))
#else
#define GNP_PRODUCT_LANES
#endif

#if GNP_WIDE_LOOPS
template <class Reducer, class T>
GNP_PRODUCT_LANES __attribute__((target("avx2"))) typename Reducer::state folded_products_wide(const T* x,
                                                                                               const T* y,
                                                                                               index_t count) {
  return folded_in_lanes<Reducer, T>(row_of_products<T>{x, y}, count, 1);
}
#endif

/// For a reduction_code: folds `count` products into one state.
template <class Reducer, class T>
GNP_PRODUCT_LANES void fold_products(void* state, const void* x, const void* y, index_t count) {
  auto& to = *static_cast<typename Reducer::state*>(state);
  const auto* left = static_cast<const T*>(x);
  const auto* right = static_cast<const T*>(y);
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) {
    to = Reducer::combine(to, folded_products_wide<Reducer, T>(left, right, count));
    return;
  }
#endif
  to = Reducer::combine(to, folded_in_lanes<Reducer, T>(row_of_products<T>{left, right}, count, 1));
}
#undef GNP_PRODUCT_LANES

}}}  // namespace gnp::GNP_ABI::detail
