// SPDX-License-Identifier: MIT
// A = Q T Qᴴ of a Hermitian A with T tridiagonal and real, by Householder reflections, on the CPU.
#pragma once

#include <gnp/dense/householder.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// Q, and T's diagonal and what is below it.
template <class T>
struct tridiagonal_form {
  reflections_in_panels<T> q;  // act on entries from the second on
  eigen_vector<real_t<T>> diagonal;
  eigen_vector<real_t<T>> below;
};

/// The reduction of some columns of a Hermitian matrix, as in bidiagonal_panel: once some of them are done, the
/// matrix is A - V Wᴴ - W Vᴴ. V, including its ones, takes the place of A's columns.
template <class T>
class tridiagonal_panel {
 public:
  /// Both triangles of a must be filled.
  tridiagonal_panel(const dense_block<T>& a, index_t width)
      : a_(a), memory_(eigen_matrix<T>::Zero(a.rows, width)) {}

  /// The entry on the diagonal of column k, when the columns before are done.
  double diagonal(index_t k) {
    const index_t rows = a_.rows - k;
    T* column = a_.column(k) + k;
    subtract_row(column, a_.part(k, 0, rows, k), w_, k);
    subtract_row(column, w_.part(k, 0, rows, k), a_, k);
    return static_cast<double>(std::real(*column));
  }

  /// Reduces the entries below the diagonal of column k, of which there is at least one. Returns the
  /// reflection's factor and the entry that is left.
  auto reduce(index_t k) {
    const index_t rows = a_.rows - k - 1;
    T* v = a_.column(k) + k + 1;
    const auto reflected = reflect(v, rows);
    const T t = reflected.first;
    // w = p - (t̄ vᴴp / 2) v of p = t A v
    const auto before_v = a_.part(k + 1, 0, rows, k);
    const auto before_w = w_.part(k + 1, 0, rows, k);
    T* w = w_.column(k) + k + 1;
    add_product<matrix_op::none>(w, t, a_.part(k + 1, k + 1, rows, rows), v);
    subtract_combined(w, t, before_v, before_w, v);
    subtract_combined(w, t, before_w, before_v, v);
    const T share = conjugate(t) * static_cast<T>(wide_dot(v, w, rows)) / real_t<T>(2);
    add_multiple(w, -share, v, rows);
    return reflected;
  }

  /// Updates the rest of the matrix after `count` columns are reduced.
  void update(index_t count) const {
    const index_t rows = a_.rows - count;
    const auto rest = a_.part(count, count, rows, rows);
    const auto v = a_.part(count, 0, rows, count);
    const auto w = w_.part(count, 0, rows, count);
    add_product<matrix_op::none, matrix_op::adjoint>(rest, T(-1), v, w);
    add_product<matrix_op::none, matrix_op::adjoint>(rest, T(-1), w, v);
  }

 private:
  dense_block<T> a_;
  eigen_matrix<T> memory_;
  dense_block<T> w_ = block_of(memory_);
};

/// Overwrites a, of which the lower triangle is read.
template <class T>
tridiagonal_form<T> tridiagonalise(const dense_block<T>& a) {
  const index_t n = a.rows;
  for (index_t j = 0; j < n; ++j) {
    for (index_t i = j + 1; i < n; ++i) a(j, i) = conjugate(a(i, j));
    a(j, j) = T(std::real(a(j, j)));
  }
  tridiagonal_form<T> result{{}, eigen_vector<real_t<T>>(n), eigen_vector<real_t<T>>(n - 1)};
  constexpr index_t width = reflections_in_panels<T>::width;
  T factors[static_cast<std::size_t>(width)];
  for (index_t first = 0; first < n; first += width) {
    const index_t count = (std::min)(width, n - first);
    const auto rest = a.part(first, first, n - first, n - first);
    tridiagonal_panel<T> panel(rest, count);
    index_t reflections = 0;
    for (index_t k = 0; k < count; ++k) {
      result.diagonal[first + k] = static_cast<real_t<T>>(panel.diagonal(k));
      if (k + 1 == rest.rows) break;
      const auto [factor, below] = panel.reduce(k);
      factors[reflections++] = factor;
      result.below[first + k] = static_cast<real_t<T>>(below);
    }
    if (reflections > 0) result.q.add(first + 1, rest.part(1, 0, rest.rows - 1, reflections), factors);
    if (count < rest.rows) panel.update(count);
  }
  return result;
}

/// Turns the diagonal into the eigenvalues, ascending, by Eigen's QR iterations, and turns the columns of v
/// along if `vectors`.
template <class T>
Eigen::ComputationInfo diagonalise(tridiagonal_form<T>& form, bool vectors, matrix_map<T> v) {
  constexpr Eigen::Index steps = 30;  // for each eigenvalue, at most
  using namespace Eigen::internal;
  if constexpr (requires { computeFromTridiagonal_impl(form.diagonal, form.below, steps, vectors, v); }) {
    return computeFromTridiagonal_impl(form.diagonal, form.below, steps, vectors, v);
  } else {  // after Eigen 5.0
    return computeFromTridiagonal_impl<true>(form.diagonal, form.below, steps, vectors, v);
  }
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
