// SPDX-License-Identifier: MIT
// lstsq and pinv, of matrices of one type.
#pragma once

#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/common/normal_equations.hpp>
#include <gnp/linalg/stacks/eigh.hpp>
#include <gnp/linalg/stacks/solve.hpp>
#include <gnp/linalg/stacks/svd.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// 1/s where s is more than rcond times the largest, otherwise 0.
template <class R, class Rcond>
array<R> inverted(const array<R>& s, const Rcond& rcond) {
  const auto cutoff = s(ellipsis, slice(none, 1)) * rcond;
  return where(s > cutoff, R(1) / s, R(0));
}

/// Do the normal equations cost less than the decomposition? On a GPU the decomposition is slow; on the CPU
/// (one thread) 10000 x 40 take 2.2 ms against 5.1, but 512 x 512 take 58 against 31.
template <class W>
bool prefers_normal_equations(const array<W>& a) {
  const index_t n = a.shape()[1];
  return a.shape()[0] >= (a.device().is_cpu() ? 4 * n : n);
}

/// Computes x, rank and s. `a` must not be used by anything else, because its singular values are computed
/// later. If the normal equations can be solved, the matrix has full rank; otherwise the singular values
/// determine its rank.
template <class T>
void solve_least_squares(const array<wide_t<T>>& a, const array<wide_t<T>>& b, double rcond,
                         array<wide_t<T>>& x, lstsq_result<T>& result, const char* function) {
  using W = wide_t<T>;
  using real = real_t<T>;
  if (prefers_normal_equations(a)) {
    const normal_solution<W> normal = solve_normal_equations(a, b, 1 / rcond);
    if (normal.found) {
      x = normal.x;
      result.rank = a.shape()[1];
      result.s = {shape_t{result.rank}, a.device(),
                  [a, function] { return asarray<real>(svd_of<W>(a, false, false, function).s); }};
      return;
    }
  }
  const svd_result<W> f = svd_of<W>(a, false, true, function);
  const auto weights = inverted(f.s, static_cast<real_t<W>>(rcond));
  const array<W> turned = matmul(conj(f.u.T()), b);
  x = matmul(conj(f.vh.T()), expand_dims(weights, 1) * turned);
  result.rank = count_nonzero(weights).item();
  result.s = asarray<real>(f.s);
}

template <class T>
array<T> pseudo_inverse(const array<T>& x, double rcond, const array<double>* each_rcond, bool hermitian) {
  const matrix_stack s = check_stack(x.shape(), "pinv");
  const use_device guard(x.device());
  if (s.empty()) return array<T>(s.with(s.columns, s.rows), x.device(), "pinv");
  const svd_result<T> f = hermitian ? hermitian_svd(x, true, "pinv") : svd_of(x, false, true, "pinv");
  using R = real_t<T>;
  const array<R> kept = each_rcond == nullptr
                            ? inverted(f.s, static_cast<R>(rcond))
                            : inverted(f.s, expand_dims(each_rcond->template astype<R>(), -1));
  const auto weights = expand_dims(kept, -1);
  return array<T>(matmul(conj(matrix_transpose(f.vh)), weights * conj(matrix_transpose(f.u))));
}

}}}  // namespace gnp::GNP_ABI::detail
