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

template <class Reducer, class T>
inline __attribute__((always_inline)) void fold_products_of_rows(typename Reducer::state* states, const T* x,
                                                                 const T* y, index_t rows, index_t count,
                                                                 index_t step) {
  for (index_t row = 0; row < rows; ++row) {
    const row_of_products<T> products{x + row * step, y + row * step};
    states[row] = Reducer::combine(states[row], folded_in_lanes<Reducer, T>(products, count, 1));
  }
}

#if GNP_WIDE_LOOPS
template <class Reducer, class T>
GNP_PRODUCT_LANES __attribute__((target("avx2"))) void fold_products_wide(typename Reducer::state* states,
                                                                          const T* x, const T* y, index_t rows,
                                                                          index_t count, index_t step) {
  fold_products_of_rows<Reducer>(states, x, y, rows, count, step);
}
#endif

/// For a reduction_code: folds `count` products of each row into the row's state. The factors of a row come
/// `step` after those of the row before.
template <class Reducer, class T>
GNP_PRODUCT_LANES void fold_products(void* states, const void* x, const void* y, index_t rows, index_t count,
                                     index_t step) {
  auto* to = static_cast<typename Reducer::state*>(states);
  const auto* left = static_cast<const T*>(x);
  const auto* right = static_cast<const T*>(y);
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return fold_products_wide<Reducer>(to, left, right, rows, count, step);
#endif
  fold_products_of_rows<Reducer>(to, left, right, rows, count, step);
}
#undef GNP_PRODUCT_LANES

}}}  // namespace gnp::GNP_ABI::detail
