// SPDX-License-Identifier: MIT
// Products of blocks of matrices, by the processor's own vectors or by direct calls of Eigen's kernels. As
// Eigen expressions, the same products would take g++ ten times as long to compile, because of their types
// rather than the arithmetic.
#pragma once

#include <algorithm>
#include <gnp/core/promotion.hpp>
#include <gnp/dense/eigen.hpp>
#include <gnp/dense/simd_product.hpp>
#include <gnp/dense/types.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// Part of a matrix that is stored column by column, `leading` elements from one column to the next.
template <class T>
struct dense_block {
  T* data;
  index_t rows;
  index_t columns;
  index_t leading;

  T& operator()(index_t i, index_t j) const { return data[i + j * leading]; }
  T* column(index_t j) const { return data + j * leading; }
  dense_block part(index_t row, index_t column, index_t height, index_t width) const {
    return {data + row + column * leading, height, width, leading};
  }
  template <class Read>  // a template, as nvcc warns of one that converts to its own type
    requires(std::is_same_v<Read, const T> && !std::is_const_v<T>)
  operator dense_block<Read>() const {
    return {data, rows, columns, leading};
  }
};
template <class T>
using const_block = std::type_identity_t<dense_block<const T>>;

template <class Matrix>
auto block_of(Matrix& m) {
  return dense_block<std::remove_pointer_t<decltype(m.data())>>{m.data(), m.rows(), m.cols(), m.rows()};
}

template <class T>
T conjugate(const T& x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return std::conj(x);
  } else {
    return x;
  }
}

/// How a product uses a factor.
enum class matrix_op { none, transposed, adjoint };

template <class T, matrix_op How>
inline constexpr bool conjugates_v = How == matrix_op::adjoint && is_complex(dtype_of<T>);
template <matrix_op How>
inline constexpr int storage_order_v = How == matrix_op::none ? int{Eigen::ColMajor} : int{Eigen::RowMajor};

/// If rows, columns and depth add up to less than this, a kernel takes longer to prepare than to compute.
inline constexpr index_t small_product = 20;

/// `Count` entries of a column: c += alpha a b, with rows of a and a column b.
template <matrix_op A, matrix_op B, index_t Count, class T>
void add_small_product(T* c, T alpha, const dense_block<const T>& a, const T* b, index_t b_step,
                       index_t depth) {
  const index_t row = A == matrix_op::none ? 1 : a.leading;
  const index_t column = A == matrix_op::none ? a.leading : 1;
  T sums[static_cast<std::size_t>(Count)] = {};
  for (index_t k = 0; k < depth; ++k) {
    const T factor = conjugates_v<T, B> ? conjugate(b[k * b_step]) : b[k * b_step];
    for (index_t i = 0; i < Count; ++i) {
      const T& x = a.data[i * row + k * column];
      sums[i] += (conjugates_v<T, A> ? conjugate(x) : x) * factor;
    }
  }
  for (index_t i = 0; i < Count; ++i) c[i] += alpha * sums[i];
}
template <matrix_op A, matrix_op B, class T>
void add_small_product(const dense_block<T>& c, T alpha, const dense_block<const T>& a,
                       const dense_block<const T>& b, index_t depth) {
  const index_t row = A == matrix_op::none ? 1 : a.leading;
  const index_t b_step = B == matrix_op::none ? 1 : b.leading;
  for (index_t j = 0; j < c.columns; ++j) {
    const T* b_column = b.data + j * (B == matrix_op::none ? b.leading : 1);
    dense_block<const T> rows = a;
    T* out = c.column(j);
    index_t left = c.rows;
    const auto add = [&]<index_t Count>() {
      add_small_product<A, B, Count>(out, alpha, rows, b_column, b_step, depth);
      out += Count;
      rows.data += Count * row;
      left -= Count;
    };
    while (left >= 4) add.template operator()<4>();
    while (left >= 2) add.template operator()<2>();
    if (left > 0) add.template operator()<1>();
  }
}

#if GNP_WIDE_PRODUCTS
/// A factor in the form that the wide kernels take: the left one by rows, the right one by columns.
template <matrix_op How, bool IsLeft, class T>
wide_factor<T> factor_of(const dense_block<const T>& x) {
  const bool rows_go_on = (How == matrix_op::none) == IsLeft;  // a's rows, b's columns are neighbours in memory
  return {x.data, rows_go_on ? 1 : x.leading, rows_go_on ? x.leading : 1, conjugates_v<T, How>};
}
#endif

/// c += alpha a b, on this thread.
template <matrix_op A, matrix_op B, class T>
void add_product(const dense_block<T>& c, std::type_identity_t<T> alpha, const const_block<T>& a,
                 const const_block<T>& b) {
  using kernel = Eigen::internal::general_matrix_matrix_product<Eigen::Index, T, storage_order_v<A>,
                                                                conjugates_v<T, A>, T, storage_order_v<B>,
                                                                conjugates_v<T, B>, Eigen::ColMajor, 1>;
  const index_t depth = A == matrix_op::none ? a.columns : a.rows;
  if (c.rows == 0 || c.columns == 0 || depth == 0) return;
  if (c.rows + c.columns + depth < small_product) return add_small_product<A, B, T>(c, alpha, a, b, depth);
#if GNP_WIDE_PRODUCTS
  // With less than a vector of rows or half a tile's columns Eigen's kernel is faster by 1.3 to 10 times; else,
  // and compiled for SSE2, slower by 1.5 to 5 times. Double, with AVX-512, one thread of a Xeon of 2023:
  //                           32^3     64^3     1024^3   2048 x 32 x 32
  //   Eigen for SSE2          4.2 us   31 us    141 ms   257 us
  //   Eigen for the machine   1.3 us   8.4 us   31 ms    79 us
  //   these                   1.2 us   7.1 us   28 ms    74 us
  const auto* tiles = tiles_of_processor<real_t<T>>();
  if (tiles != nullptr && c.rows * reals_of<T> >= tiles->lanes && 2 * c.columns >= tiles->columns) {
    return add_wide_product<T>(*tiles, c.data, c.leading, alpha, c.rows, c.columns, depth,
                               factor_of<A, true>(a), factor_of<B, false>(b));
  }
#endif
  Eigen::internal::gemm_blocking_space<Eigen::ColMajor, T, T, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic>
      blocking(c.rows, c.columns, depth, 1, true);
  kernel::run(c.rows, c.columns, depth, a.data, a.leading, b.data, b.leading, c.data, 1, c.leading, alpha,
              blocking);
}

/// c += alpha a aᵀ (or aᵀ a, if a is taken transposed) for a c of zeros, on this thread; false, and nothing
/// done, where it would take no less time than any product of this size.
template <matrix_op A, class T>
bool add_product_with_own_transpose([[maybe_unused]] const dense_block<T>& c,
                                    [[maybe_unused]] std::type_identity_t<T> alpha,
                                    [[maybe_unused]] const const_block<T>& a) {
#if GNP_WIDE_PRODUCTS
  if constexpr (!is_complex(dtype_of<T>)) {
    constexpr matrix_op other = A == matrix_op::none ? matrix_op::transposed : matrix_op::none;
    // To copy an entry takes as long as some 20 to 60 multiplications.
    constexpr index_t least_depth = 64;
    const index_t depth = A == matrix_op::none ? a.columns : a.rows;
    const auto* tiles = tiles_of_processor<T>();
    if (tiles != nullptr && c.rows >= 2 * tiles->lanes && depth >= least_depth) {
      add_symmetric_product<T>(*tiles, c.data, c.leading, alpha, c.rows, depth, factor_of<A, true>(a),
                               factor_of<other, false>(a));
      return true;
    }
  }
#endif
  return false;
}

/// y += alpha a x, on this thread, for vectors without gaps.
template <matrix_op A, class T>
void add_product(T* y, std::type_identity_t<T> alpha, const const_block<T>& a,
                 const std::type_identity_t<T>* x) {
  // The kernel needs the matrix in one storage order, and the vector in the other.
  constexpr int order = storage_order_v<A>;
  constexpr int other = order == Eigen::ColMajor ? int{Eigen::RowMajor} : int{Eigen::ColMajor};
  using matrix = Eigen::internal::const_blas_data_mapper<T, Eigen::Index, order>;
  using vector = Eigen::internal::const_blas_data_mapper<T, Eigen::Index, other>;
  using kernel = Eigen::internal::general_matrix_vector_product<Eigen::Index, T, matrix, order,
                                                                conjugates_v<T, A>, T, vector, false>;
  if (a.rows == 0 || a.columns == 0) return;
  const bool plain = A == matrix_op::none;
  kernel::run(plain ? a.rows : a.columns, plain ? a.columns : a.rows, matrix(a.data, a.leading), vector(x, 1),
              y, 1, alpha);
}

/// y += alpha x for vectors without gaps.
template <class T>
void add_multiple(T* y, std::type_identity_t<T> alpha, const std::type_identity_t<T>* x, index_t count) {
  const T one(1);
  add_product<matrix_op::none>(y, alpha, {x, count, 1, count}, &one);
}

/// x y, without std::complex's check for infinities, which takes longer than the product itself.
template <class T>
T multiplied(const T& x, const T& y) {
  if constexpr (is_complex(dtype_of<T>)) {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  } else {
    return x * y;
  }
}

/// xᴴ y for vectors without gaps, summed in double.
template <class T>
wide_t<T> wide_dot(const T* x, const T* y, index_t count) {
  wide_t<T> sums[4] = {};  // several sums, which need not wait for each other
  const auto add = [&](index_t lane, index_t i) {
    sums[lane] += multiplied(conjugate(wide_t<T>(x[i])), wide_t<T>(y[i]));
  };
  index_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (index_t lane = 0; lane < 4; ++lane) add(lane, i + lane);
  }
  for (; i < count; ++i) add(0, i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// to = from, which is as large.
template <class T>
void copy_block(const dense_block<T>& to, const const_block<T>& from) {
  for (index_t j = 0; j < to.columns; ++j) std::copy_n(from.column(j), to.rows, to.column(j));
}

/// Multiplies c; a factor of 0 sets it to zero, whatever it contains.
template <class T>
void scale_block(const dense_block<T>& c, std::type_identity_t<T> factor) {
  for (index_t j = 0; j < c.columns; ++j) {
    T* column = c.column(j);
    if (factor == T(0)) {
      for (index_t i = 0; i < c.rows; ++i) column[i] = T(0);
    } else if (factor != T(1)) {
      for (index_t i = 0; i < c.rows; ++i) column[i] *= factor;
    }
  }
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
