// SPDX-License-Identifier: MIT
// Sums of the products of two arrays' elements on the CPU. Both are read where they are, and no product is
// stored.
#pragma once

#include <algorithm>
#include <complex>
#include <gnp/exec/reduce/fold_columns.hpp>
#include <gnp/exec/reduce/reduction_code.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Products in the place of a row of elements. If `Conjugated` is true, the first factors are conjugated.
template <class T, bool Conjugated = false>
struct row_of_products {
  const T* x;
  const T* y;

  __attribute__((always_inline)) T operator[](index_t i) const {
    return scalar::times(Conjugated ? scalar::conj(x[i]) : x[i], y[i]);
  }
  friend __attribute__((always_inline)) row_of_products operator+(const row_of_products& row,
                                                                  index_t elements) {
    return {row.x + elements, row.y + elements};
  }
};

/// The same where the factors are not side by side.
template <class T, bool Conjugated>
struct products_apart {
  const T* x;
  const T* y;
  index_t x_step;
  index_t y_step;

  __attribute__((always_inline)) T operator[](index_t i) const {
    return scalar::times(Conjugated ? scalar::conj(x[i * x_step]) : x[i * x_step], y[i * y_step]);
  }
  friend __attribute__((always_inline)) products_apart operator+(const products_apart& row, index_t elements) {
    return {row.x + elements * row.x_step, row.y + elements * row.y_step, row.x_step, row.y_step};
  }
};

template <int count, class T, bool Conjugated>
inline __attribute__((always_inline)) void fetch_ahead(const row_of_products<T, Conjugated>& row,
                                                       index_t ahead) {
  fetch_ahead<count>(row.x, ahead);
  fetch_ahead<count>(row.y, ahead);
}

/// The same as add_complex() for elements in memory. The four real products that make a complex one are added
/// apart, because then the processor has to move parts only within the second factor.
template <class R, bool Conjugated>
inline __attribute__((always_inline)) index_t
add_complex(scalar::compensated_sum<std::complex<R>>& total,
            const row_of_products<std::complex<R>, Conjugated>& products, index_t count, index_t) {
  constexpr int numbers = lanes_of<R> / 4;
  const index_t ahead = fetch_distance();
  index_t i = 0;
  while (count - i >= numbers) {
    const index_t steps = (std::min)(longest_run, (count - i) / numbers);
    R straight[static_cast<std::size_t>(2 * numbers)] = {};  // real by real, imaginary by imaginary parts
    R crossed[static_cast<std::size_t>(2 * numbers)] = {};   // real by imaginary, imaginary by real parts
    for (index_t step = 0; step < steps; ++step) {
      const auto next = products + (i + step * numbers);
      fetch_ahead<numbers>(next, ahead);
      const R* const x = reinterpret_cast<const R*>(next.x);
      const R* const y = reinterpret_cast<const R*>(next.y);
      GNP_INDEPENDENT
      for (int l = 0; l < 2 * numbers; l += 2) {
        straight[l] += x[l] * y[l];
        straight[l + 1] += x[l + 1] * y[l + 1];
        crossed[l] += x[l] * y[l + 1];
        crossed[l + 1] += x[l + 1] * y[l];
      }
    }
    join_halves<scalar::sum_of<R, R>, 2 * numbers, 2>(straight);
    join_halves<scalar::sum_of<R, R>, 2 * numbers, 2>(crossed);
    const R real = Conjugated ? straight[0] + straight[1] : straight[0] - straight[1];
    const R imag = Conjugated ? crossed[0] - crossed[1] : crossed[0] + crossed[1];
    total = scalar::two_sum(total, {std::complex<R>(real, imag), std::complex<R>(0)});
    i += steps * numbers;
  }
  return i;
}

// Like GNP_LANES. Products and sums are not fused: a sum of real numbers is the same as that of stored
// products, whatever the processor can do.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(GNP_PLAIN_LOOPS)
#define GNP_PRODUCT_LANES                                                                                     \
  __attribute__((optimize("O3", "no-tree-sink", "no-tree-loop-distribute-patterns", "no-loop-unroll-and-jam", \
                          "align-loops=32", "fp-contract=off"),                                               \
                 flatten))
#else
#define GNP_PRODUCT_LANES
#endif

template <class Reducer, class T, bool Conjugated>
inline __attribute__((always_inline)) void fold_products_of_rows(typename Reducer::state* states, const T* x,
                                                                 const T* y, index_t rows, index_t count,
                                                                 index_t step, index_t apart) {
  for (index_t row = 0; row < rows; ++row) {
    const row_of_products<T, Conjugated> products{x + row * step, y + row * step};
    states[row] = Reducer::combine(states[row], folded_in_lanes<Reducer, T>(products, count, apart));
  }
}

#if GNP_WIDE_LOOPS
template <class Reducer, class T, bool Conjugated>
GNP_PRODUCT_LANES __attribute__((target("avx2"))) void fold_products_wide(typename Reducer::state* states,
                                                                          const T* x, const T* y, index_t rows,
                                                                          index_t count, index_t step,
                                                                          index_t apart) {
  fold_products_of_rows<Reducer, T, Conjugated>(states, x, y, rows, count, step, apart);
}
#endif

/// For a reduction_code: folds `count` products of each row into the row's state. The factors of a row come
/// `step` after those of the row before.
template <class Reducer, class T, bool Conjugated>
GNP_PRODUCT_LANES void fold_products(void* states, const product_factors& of, index_t rows, index_t count,
                                     index_t step) {
  auto* to = static_cast<typename Reducer::state*>(states);
  const auto* left = static_cast<const T*>(of.x);
  const auto* right = static_cast<const T*>(of.y);
  // Of every other real factor, the products of those between them are made, too, and left out.
  const bool every_other = !scalar::is_complex_v<T> && of.x_step == 2 && of.y_step == 2;
  if (!every_other && (of.x_step != 1 || of.y_step != 1)) {
    const products_apart<T, Conjugated> products{left, right, of.x_step, of.y_step};
    *to = Reducer::combine(*to, folded_one_by_one<Reducer>(products, count, 1));
    return;
  }
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2"))
    return fold_products_wide<Reducer, T, Conjugated>(to, left, right, rows, count, step, of.x_step);
#endif
  fold_products_of_rows<Reducer, T, Conjugated>(to, left, right, rows, count, step, of.x_step);
}

/// Adds the products of a few rows to the sums of their columns.
template <int Rows, class T>
inline __attribute__((always_inline)) void add_rows_of_products(T* sums, const T* x, const T* y,
                                                                const product_factors& of, index_t columns) {
  const index_t x_step = of.x_step, y_step = of.y_step;
  GNP_INDEPENDENT
  for (index_t c = 0; c < columns; ++c) {
    T sum = sums[c];
    for (int row = 0; row < Rows; ++row) sum += x[c + row * x_step] * y[c + row * y_step];
    sums[c] = sum;
  }
}

/// Rows are read as in gather_rows().
template <class Reducer, class T>
inline __attribute__((always_inline)) void fold_columns_of_products(typename Reducer::state* states,
                                                                    const product_factors& of, index_t count,
                                                                    index_t rows) {
  constexpr index_t some = most_sums<T>;
  for (index_t first = 0; first < count; first += some) {
    const index_t columns = (std::min)(some, count - first);
    const T* const x = static_cast<const T*>(of.x) + first;
    const T* const y = static_cast<const T*>(of.y) + first;
    const auto gather = [&](T* sums, index_t row, index_t last) __attribute__((always_inline)) {
      for (index_t c = 0; c < columns; ++c) sums[c] = x[c + row * of.x_step] * y[c + row * of.y_step];
      ++row;
      const index_t alone = is_long_row<T>(columns) ? row + (last - row) % long_rows_at_once : last;
      for (; row < alone; ++row)
        add_rows_of_products<1>(sums, x + row * of.x_step, y + row * of.y_step, of, columns);
      for (; row < last; row += long_rows_at_once)
        add_rows_of_products<long_rows_at_once>(sums, x + row * of.x_step, y + row * of.y_step, of, columns);
    };
    sum_columns<Reducer, T>(states + first, columns, rows, gather);
  }
}

#if GNP_WIDE_LOOPS
template <class Reducer, class T>
GNP_PRODUCT_LANES __attribute__((target("avx2"))) void fold_product_columns_wide(
    typename Reducer::state* states, const product_factors& of, index_t count, index_t rows) {
  fold_columns_of_products<Reducer, T>(states, of, count, rows);
}
#endif

/// For a reduction_code: folds `rows` rows of `count` products into the states of their columns.
template <class Reducer, class T>
GNP_PRODUCT_LANES void fold_product_columns(void* states, const product_factors& of, index_t count,
                                            index_t rows) {
  auto* to = static_cast<typename Reducer::state*>(states);
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return fold_product_columns_wide<Reducer, T>(to, of, count, rows);
#endif
  fold_columns_of_products<Reducer, T>(to, of, count, rows);
}
#undef GNP_PRODUCT_LANES

}}}  // namespace gnp::GNP_ABI::detail
