// SPDX-License-Identifier: MIT
// The results of factorisations, and the functions that compute them.
#pragma once

#include <cstdint>
#include <gnp/linalg/common/late_array.hpp>
#include <gnp/linalg/common/matrices.hpp>

namespace gnp { inline namespace GNP_ABI {

/// The determinant as sign * exp(logabsdet).
template <element T>
struct slogdet_result {
  array<T> sign;
  array<detail::real_t<T>> logabsdet;
};

/// The factors of A = Q R.
template <element T>
struct qr_result {
  array<T> q;
  array<T> r;
};

/// Eigenvalues in ascending order, and the eigenvectors that belong to them, as columns.
template <element T>
struct eigh_result {
  array<detail::real_t<T>> eigenvalues;
  array<T> eigenvectors;
};

/// Eigenvalues in no particular order, and the eigenvectors that belong to them, as columns of length 1.
template <element T>
struct eig_result {
  array<T> eigenvalues;
  array<T> eigenvectors;
};

/// The factors of A = U diag(s) Vh.
template <element T>
struct svd_result {
  array<T> u;
  array<detail::real_t<T>> s;
  array<T> vh;
};

/// x minimises |b - a x|; if several do, it is the shortest of them.
template <element T>
struct lstsq_result {
  array<T> x;
  array<detail::real_t<T>> residuals;  // squared lengths of b - a x; empty if rank < n or m <= n
  index_t rank = 0;
  late_array<detail::real_t<T>> s;  // a's singular values, descending; computed on first use
};

namespace detail {

/// The implementations of linalg's functions, for arrays of the type in which they compute. Their bodies, in
/// linalg/stacks/, are in the library gnp::compiled for all types. Files that link it include neither these
/// bodies, nor the host's mathematics and the library declarations that they need.
template <class T>
array<T> cholesky_of(const array<T>& x, bool upper);
template <class T>
array<T> determinant_of(const array<T>& x);
template <class T>
slogdet_result<T> logarithm_of_determinant(const array<T>& x);
template <class T>
array<T> solve_stack(const array<T>& a, const array<T>& b, const char* function);
template <class T>
array<T> inverse_of(const array<T>& x, const char* function);

enum class qr_mode : std::uint8_t { reduced, complete, r };
template <class T>
qr_result<T> qr_of(const array<T>& x, qr_mode mode);

template <class T>
eigh_result<T> eigh_of(const array<T>& x, char uplo, bool vectors, const char* function);
template <class T>
eig_result<complex_t<T>> eig_of(const array<T>& x, bool wanted, const char* function);
template <class T>
svd_result<T> svd_of(const array<T>& x, bool full_matrices, bool vectors, const char* function);
template <class T>
svd_result<T> hermitian_svd(const array<T>& x, bool vectors, const char* function);
template <class T>
array<T> pseudo_inverse(const array<T>& x, double rcond, const array<double>* each_rcond, bool hermitian);
template <class T>
void solve_least_squares(const array<wide_t<T>>& a, const array<wide_t<T>>& b, double rcond,
                         array<wide_t<T>>& x, lstsq_result<T>& result, const char* function);

}  // namespace detail
}}  // namespace gnp::GNP_ABI
