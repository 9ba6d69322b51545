// SPDX-License-Identifier: MIT
// svd, of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/sort_places.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/cpu/lapack/svd.hpp>
#include <gnp/linalg/cpu/svd.hpp>
#include <gnp/linalg/gpu/svd.hpp>
#include <gnp/linalg/stacks/qr.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Calls finish(u, s, v) with the thin factors of x, which has no more columns than rows.
template <class T, class X, class F>
void thin_svd(const X& x, bool vectors, const char* function, const F& finish) {
  const matrix_stack s = check_stack(x.shape(), function);
  const device where = x.device();
#if GNP_HAS_CUDA
  if (where.is_cuda()) return svd_on_gpu<T>(x, s, vectors, function, finish);
#endif
  const array<T> a = column_major_copy<T>(x, function);
  const array<T> u = column_major_empty<T>(vectors ? s.with(s.rows, s.columns) : s.with(0, 0), where, function);
  const array<T> v =
      column_major_empty<T>(vectors ? s.with(s.columns, s.columns) : s.with(0, 0), where, function);
  const array<real_t<T>> singular(s.with(s.columns), where, function);
  const factor_status status(s.count, where);
  svd_on_cpu(a, s, u, singular, v, vectors, status, function);
  status.check([&](index_t i, int info) { throw_svd_failure(function, s, i, info); });
  finish(u, singular, v);
}

/// Writes the orthonormal columns of `thin` into the square `whole`, and completes it.
template <class T>
void complete_basis(const array<T>& whole, const array<T>& thin) {
  const index_t k = thin.shape().back();
  const array<T> complete = qr_of<T>(thin, qr_mode::complete).q;
  whole(ellipsis, slice(none, k)).assign(thin);
  whole(ellipsis, slice(k, none)).assign(complete(ellipsis, slice(k, none)));
}

template <class T>
svd_result<T> svd_of(const array<T>& x, bool full_matrices, bool vectors, const char* function) {
  const watched_work watched(
      x.device(), [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  const matrix_stack s = check_stack(x.shape(), function);
  const device where = x.device();
  const use_device guard(where);
  const index_t k = s.least();
  const bool full = full_matrices && vectors;
  const array<real_t<T>> singular(s.with(k), where, function);
  const array<T> u(vectors ? s.with(s.rows, full ? s.rows : k) : shape_t{0}, where, function);
  const array<T> vh(vectors ? s.with(full ? s.columns : k, s.columns) : shape_t{0}, where, function);
  if (s.empty()) {
    if (full) {
      u.assign(eye<T>(s.rows));
      vh.assign(eye<T>(s.columns));
    }
    return {u, singular, vh};
  }
  if (const lapack_api* api = where.is_cpu() ? lapack_for_svd(s) : nullptr) {
    const char* const wanted = !vectors ? no_vectors : full ? all_vectors : thin_vectors;
    const array<T> left = column_major_empty<T>(vectors ? u.shape() : s.with(0, 0), where, function);
    const array<T> right = column_major_empty<T>(vectors ? vh.shape() : s.with(0, 0), where, function);
    const factor_status status(s.count, where);
    svd_by_lapack(*api, column_major_copy<T>(x, function), s, left, singular, right, wanted, status);
    status.check([&](index_t i, int info) { throw_svd_failure(function, s, i, info); });
    if (!vectors) return {u, singular, vh};
    return {row_major(left), singular, row_major(right)};
  }
  // A wide A is decomposed through its transpose: Aᵀ = U' S V'ᴴ, so A = conj(V') S U'ᵀ.
  const bool wide = s.rows < s.columns;
  const auto finish = [&](const auto& left, const auto& values, const auto& right) {
    singular.assign(values.template astype<real_t<T>>());
    if (!vectors) return;
    if (wide) {
      u.assign(conj(right).template astype<T>());
      if (full) {
        complete_basis<T>(matrix_transpose(vh), asarray<T>(left));
      } else {
        vh.assign(matrix_transpose(left).template astype<T>());
      }
    } else {
      vh.assign(conj(matrix_transpose(right)).template astype<T>());
      if (full && s.rows > s.columns) {
        complete_basis<T>(u, asarray<T>(left));
      } else {
        u.assign(left.template astype<T>());
      }
    }
  };
  if (wide) {
    thin_svd<T>(matrix_transpose(x), vectors, function, finish);
  } else {
    thin_svd<T>(x, vectors, function, finish);
  }
  return {u, singular, vh};
}

/// For Hermitian matrices: the eigenvalues ordered by magnitude, with their signs moved into V.
template <class T>
svd_result<T> hermitian_svd(const array<T>& x, bool vectors, const char* function) {
  const matrix_stack s = check_square(x.shape(), function);
  const use_device guard(x.device());
  const eigh_result<T> e = eigh_of<T>(x, 'L', vectors, function);
  if (s.empty()) return {e.eigenvectors, e.eigenvalues, e.eigenvectors};
  // The order by magnitude is a permutation of the columns: two matrices, of which the right one has the signs.
  using real = real_t<T>;
  const index_t n = s.rows;
  const host_array<real> w = asnumpy(e.eigenvalues);
  host_array<real> values(w.shape());
  host_array<T> left(s.with(n, n));
  host_array<T> right(s.with(n, n));
  std::fill(left.begin(), left.end(), T());
  std::fill(right.begin(), right.end(), T());
  std::vector<index_t> order(static_cast<std::size_t>(n));
  for (index_t i = 0; i < s.count; ++i) {
    const real* eigenvalues = w.data() + i * n;
    for (index_t k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = k;
    sort_places(order, [eigenvalues](index_t k) { return -std::abs(eigenvalues[k]); });
    for (index_t k = 0; k < n; ++k) {
      const index_t from = order[static_cast<std::size_t>(k)];
      values.data()[i * n + k] = std::abs(eigenvalues[from]);
      left.data()[(i * n + from) * n + k] = T(1);
      right.data()[(i * n + k) * n + from] = T(std::signbit(eigenvalues[from]) ? real(-1) : real(1));
    }
  }
  const array<real> singular = asarray(values);
  if (!vectors) return {array<T>(shape_t{0}, x.device()), singular, array<T>(shape_t{0}, x.device())};
  return {matmul(e.eigenvectors, asarray(left)).eval(), singular,
          matmul(asarray(right), conj(matrix_transpose(e.eigenvectors))).eval()};
}

}}}  // namespace gnp::GNP_ABI::detail
