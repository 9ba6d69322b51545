// SPDX-License-Identifier: MIT
// A = U B Vᴴ with B upper bidiagonal and real, by Householder reflections, on the CPU.
#pragma once

#include <gnp/dense/householder.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// U and V, and the diagonals of B.
template <class T>
struct bidiagonal_form {
  reflections_in_panels<T> u;
  reflections_in_panels<T> v;  // act on entries from the second on
  std::vector<double> diagonal;
  std::vector<double> above;
};

/// The reduction of some columns and rows of a matrix, after Dongarra, Sorensen and Hammarling, "Block
/// reduction of matrices to condensed forms for eigenvalue computations" (1989). Once some of them are done,
/// the matrix is A - V Yᴴ - X Uᴴ, of which only the next column and the next row are computed. V, including its
/// ones, takes the place of A's columns; A's rows stay as they are.
template <class T>
class bidiagonal_panel {
 public:
  bidiagonal_panel(const dense_block<T>& a, index_t width)
      : a_(a),
        x_memory_(eigen_matrix<T>::Zero(a.rows, width)),
        y_memory_(eigen_matrix<T>::Zero(a.columns, width)),
        u_memory_(eigen_matrix<T>::Zero(a.columns, width)) {}

  /// Reduces column k. Returns its reflection's factor and its length.
  auto reduce_column(index_t k) {
    const index_t rows = a_.rows - k;
    T* v = a_.column(k) + k;
    subtract_row(v, a_.part(k, 0, rows, k), y_, k);
    subtract_row(v, x_.part(k, 0, rows, k), u_, k);
    return reflect(v, rows);
  }

  /// Reduces row k, which has entries after the diagonal. Column k must be reduced before; `factor` is its
  /// reflection's.
  auto reduce_row(index_t k, T factor) {
    const index_t rows = a_.rows - k;
    const index_t columns = a_.columns - k - 1;
    const T* v = a_.column(k) + k;
    T* y = y_.column(k) + k + 1;
    add_product<matrix_op::adjoint>(y, factor, a_.part(k, k + 1, rows, columns), v);
    subtract_combined(y, factor, y_.part(k + 1, 0, columns, k), a_.part(k, 0, rows, k), v);
    subtract_combined(y, factor, u_.part(k + 1, 0, columns, k), x_.part(k, 0, rows, k), v);

    T* u = u_.column(k) + k + 1;
    for (index_t j = 0; j < columns; ++j) u[j] = conjugate(a_(k, k + 1 + j));
    subtract_row(u, y_.part(k + 1, 0, columns, k + 1), a_, k);
    subtract_row(u, u_.part(k + 1, 0, columns, k), x_, k);
    const auto reflected = reflect(u, columns);

    T* x = x_.column(k) + k + 1;
    add_product<matrix_op::none>(x, reflected.first, a_.part(k + 1, k + 1, rows - 1, columns), u);
    subtract_combined(x, reflected.first, a_.part(k + 1, 0, rows - 1, k + 1), y_.part(k + 1, 0, columns, k + 1),
                      u);
    subtract_combined(x, reflected.first, x_.part(k + 1, 0, rows - 1, k), u_.part(k + 1, 0, columns, k), u);
    return reflected;
  }

  /// Updates the rest of the matrix after `count` columns and rows are reduced.
  void update(index_t count) const {
    const index_t rows = a_.rows - count;
    const index_t columns = a_.columns - count;
    const auto rest = a_.part(count, count, rows, columns);
    add_product<matrix_op::none, matrix_op::adjoint>(rest, T(-1), a_.part(count, 0, rows, count),
                                                     y_.part(count, 0, columns, count));
    add_product<matrix_op::none, matrix_op::adjoint>(rest, T(-1), x_.part(count, 0, rows, count),
                                                     u_.part(count, 0, columns, count));
  }

  /// V and U.
  const dense_block<T>& columns() const { return a_; }
  const dense_block<T>& rows() const { return u_; }

 private:
  dense_block<T> a_;
  eigen_matrix<T> x_memory_, y_memory_, u_memory_;
  dense_block<T> x_ = block_of(x_memory_);
  dense_block<T> y_ = block_of(y_memory_);
  dense_block<T> u_ = block_of(u_memory_);
};

/// Overwrites a, which has no fewer rows than columns.
template <class T>
bidiagonal_form<T> bidiagonalise(const dense_block<T>& a) {
  bidiagonal_form<T> result;
  constexpr index_t width = reflections_in_panels<T>::width;
  T of_columns[static_cast<std::size_t>(width)];
  T of_rows[static_cast<std::size_t>(width)];
  result.diagonal.reserve(static_cast<std::size_t>(a.columns));
  result.above.reserve(static_cast<std::size_t>(a.columns));
  for (index_t first = 0; first < a.columns; first += width) {
    const index_t count = (std::min)(width, a.columns - first);
    const auto rest = a.part(first, first, a.rows - first, a.columns - first);
    bidiagonal_panel<T> panel(rest, count);
    for (index_t k = 0; k < count; ++k) {
      const auto [of_column, diagonal] = panel.reduce_column(k);
      of_columns[k] = of_column;
      result.diagonal.push_back(diagonal);
      if (k + 1 == rest.columns) break;
      const auto [of_row, above] = panel.reduce_row(k, of_column);
      of_rows[k] = of_row;
      result.above.push_back(above);
    }
    const index_t rows = (std::min)(count, rest.columns - 1);
    result.u.add(first, panel.columns().part(0, 0, rest.rows, count), of_columns);
    result.v.add(first + 1, panel.rows().part(1, 0, rest.columns - 1, rows), of_rows);
    if (count < rest.columns) panel.update(count);
  }
  return result;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
