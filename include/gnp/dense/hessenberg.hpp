// SPDX-License-Identifier: MIT
// A = Q H Qᴴ with H upper Hessenberg (zero below the first subdiagonal), by Householder reflections, on the
// CPU.
#pragma once

#include <gnp/dense/householder.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// The reduction of some columns, after Dongarra, Sorensen and Hammarling, "Block reduction of matrices to
/// condensed forms for eigenvalue computations" (1989). Once some of them are done, the matrix is
/// Qᴴ (A - Y Vᴴ), of which only the next column is computed.
template <class T>
class hessenberg_panel {
 public:
  /// For columns [first, first + width) of a, whose reflections act on the rows after row `first`.
  hessenberg_panel(const dense_block<T>& a, index_t first, index_t width)
      : a_(a),
        first_(first),
        rows_(a.rows - first - 1),
        v_memory_(eigen_matrix<T>::Zero(rows_, width)),
        y_memory_(eigen_matrix<T>::Zero(a.rows, width)),
        combined_memory_(eigen_matrix<T>::Zero(width, width)) {}

  /// Reduces column k of the panel.
  void reduce_column(index_t k) {
    T* column = a_.column(first_ + k) + first_ + 1;
    if (k > 0) subtract_row(column, y_.part(first_ + 1, 0, rows_, k), v_, k - 1);
    for (index_t j = 0; j < k; ++j) {
      const T* earlier = v_.column(j) + j;
      const T product = static_cast<T>(wide_dot(earlier, column + j, rows_ - j));
      add_multiple(column + j, -conjugate(factors_[j]) * product, earlier, rows_ - j);
    }
    T* v = v_.column(k) + k;
    std::copy(column + k, column + rows_, v);
    const auto [factor, length] = reflect(v, rows_ - k);
    factors_[k] = factor;
    column[k] = static_cast<T>(static_cast<real_t<T>>(length));
    std::fill(column + k + 1, column + rows_, T(0));

    T* y = y_.column(k) + first_ + 1;
    T* combined = combined_.column(k);
    add_product<matrix_op::none>(y, factor, a_.part(first_ + 1, first_ + 1 + k, rows_, rows_ - k), v);
    add_product<matrix_op::adjoint>(combined, factor, v_.part(k, 0, rows_ - k, k), v);
    add_product<matrix_op::none>(y, T(-1), y_.part(first_ + 1, 0, rows_, k), combined);
  }

  /// Updates the rest of the matrix after all of the panel's columns are reduced; q gets their reflections.
  void update(reflections_in_panels<T>& q) {
    const index_t width = v_.columns;
    // The rows above take no part in reducing the columns, so all their products are made at once.
    const index_t above = first_ + 1;
    const auto y = y_.part(0, 0, above, width);
    const auto top = a_.part(0, first_ + 1, above, rows_);
    add_product<matrix_op::none, matrix_op::none>(y, T(1), top, v_);
    for (index_t k = 0; k < width; ++k) {
      vector_map<T>(y.column(k), above) *= factors_[k];
      add_product<matrix_op::none>(y.column(k), T(-1), y.part(0, 0, above, k), combined_.column(k));
    }
    add_product<matrix_op::none, matrix_op::adjoint>(top, T(-1), y, v_);
    const index_t columns = rows_ + 1 - width;
    const auto rest = a_.part(first_ + 1, first_ + width, rows_, columns);
    add_product<matrix_op::none, matrix_op::adjoint>(rest, T(-1), y_.part(first_ + 1, 0, rows_, width),
                                                     v_.part(width - 1, 0, columns, width));
    q.add(first_ + 1, v_, factors_);
    q.turn_back_by_last(a_.part(0, first_ + width, a_.rows, columns));
  }

 private:
  dense_block<T> a_;
  index_t first_;
  index_t rows_;
  eigen_matrix<T> v_memory_, y_memory_, combined_memory_;
  dense_block<T> v_ = block_of(v_memory_);
  dense_block<T> y_ = block_of(y_memory_);
  dense_block<T> combined_ = block_of(combined_memory_);
  T factors_[reflections_in_panels<T>::width];
};

/// Overwrites the square matrix a with H, and returns Q.
template <class T>
reflections_in_panels<T> reduce_to_hessenberg(const dense_block<T>& a) {
  reflections_in_panels<T> q;
  const index_t count = a.columns - 2;
  for (index_t first = 0; first < count; first += reflections_in_panels<T>::width) {
    const index_t width = (std::min)(reflections_in_panels<T>::width, count - first);
    hessenberg_panel<T> panel(a, first, width);
    for (index_t k = 0; k < width; ++k) panel.reduce_column(k);
    panel.update(q);
  }
  return q;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
