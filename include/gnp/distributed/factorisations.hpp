// SPDX-License-Identifier: MIT
// Factorisations of distributed matrices: qr and svd of tall matrices, cholesky, and solve.
#pragma once

#include <gnp/distributed/products.hpp>
#include <gnp/linalg/cholesky.hpp>
#include <gnp/linalg/common/straighten.hpp>
#include <gnp/linalg/gpu/tall_qr.hpp>
#include <gnp/linalg/qr.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/routines/triangles.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace distributed {

/// The factors of A = Q R: q is cut as A is, r is in every process.
template <element T>
struct qr_result {
  array<T> q;
  array<T> r;
};
/// The thin factors of A = U diag(s) Vh: u is cut as A is, s and vh are in every process.
template <element T>
struct svd_result {
  array<T> u;
  array<gnp::detail::real_t<T>> s;
  array<T> vh;
};

namespace detail {

/// An array of other elements that is shared out like x.
template <element T>
array<T> like(const array<T>& x, const gnp::array<T>& block) {
  return array<T>(sharing(x.among(), x.shape(), x.natural_layout(), "like"), block);
}
template <element T>
array<T> same_everywhere(const group& among, const gnp::array<T>& x) {
  return array<T>(sharing(among, x.shape(), everywhere(), "everywhere"), x);
}

/// A matrix of factor_t elements in blocks of rows.
template <class X>
auto rows_of(const X& x, const char* function, bool tall) {
  using T = gnp::detail::factor_t<X>;
  if (x.ndim() != 2 || (tall && x.shape()[0] < x.shape()[1])) {
    throw linalg_error(std::string(function) + ": a distributed matrix must be two-dimensional" +
                       (tall ? ", with no more columns than rows" : "") + ", got shape " +
                       to_string(x.shape()));
  }
  return array<T>(laid_out(x.template astype<T>(), x.among(), along(0), function));
}

/// How many rows each process has.
template <element T>
std::vector<index_t> rows_of_all(const array<T>& a) {
  std::vector<index_t> rows;
  for (int r = 0; r < a.among().size(); ++r) rows.push_back(a.of(r).shape()[0]);
  return rows;
}
/// How many rows the R factors of the processes before this one have in all. Each has no more rows than
/// columns.
inline index_t rows_before(const std::vector<index_t>& rows, int rank, index_t columns) {
  index_t before = 0;
  for (int r = 0; r < rank; ++r) before += (std::min)(rows[static_cast<std::size_t>(r)], columns);
  return before;
}

/// A process's rows of Q, and R.
template <element T>
struct own_factors {
  gnp::array<T> q;
  gnp::array<T> r;
};

/// Factors each process's rows first, then the R of all processes. `rows` is how many rows each process has.
template <element T>
own_factors<T> tall_qr(const group& among, const std::vector<index_t>& rows, const gnp::array<T>& own) {
  const auto first = gnp::linalg::qr(own);
  if (among.size() == 1) return {first.q, first.r};
  const index_t before = rows_before(rows, among.rank(), own.shape(1));
  const auto second = gnp::linalg::qr(among.all_gather(first.r));
  const gnp::array<T> turned = second.q(slice(before, before + first.r.shape(0)));
  return {gnp::array<T>(gnp::matmul(first.q, turned)), second.r};
}

/// The sum of `product` over all processes.
template <element T, class Product>
gnp::array<T> added(const group& among, const Product& product) {
  const gnp::array<T> sum(product);
  among.all_reduce_in_place(sum);
  return sum;
}

/// How many columns are factored at a time, where a process has fewer rows than there are columns.
inline constexpr index_t panel_width = 256;

/// Works panel after panel. Each panel is made orthogonal to those before it (twice, because of rounding), and
/// its directions are then removed from those that follow.
template <element T>
own_factors<T> blocked_qr(const group& among, const std::vector<index_t>& rows, const gnp::array<T>& own) {
  const index_t n = own.shape(1);
  const gnp::array<T> q = own.copy(), r = gnp::zeros<T>({n, n});
  for (index_t begin = 0; begin < n; begin += panel_width) {
    const index_t end = (std::min)(begin + panel_width, n);
    const gnp::array<T> panel = q(gnp::all, slice(begin, end));
    const gnp::array<T> before = q(gnp::all, slice(0, begin)), after = q(gnp::all, slice(end, none));
    own_factors<T> factors = tall_qr<T>(among, rows, panel);
    if (begin > 0) {
      const gnp::array<T> left = added<T>(among, gnp::matmul(gnp::conj(before.T()), factors.q));
      factors.q.assign(factors.q - gnp::matmul(before, left));
      r(slice(0, begin), slice(begin, end)) += gnp::array<T>(gnp::matmul(left, factors.r));
      const own_factors<T> again = tall_qr<T>(among, rows, factors.q);
      factors = {again.q, gnp::array<T>(gnp::matmul(again.r, factors.r))};
    }
    panel.assign(factors.q);
    r(slice(begin, end), slice(begin, end)).assign(factors.r);
    if (end == n) break;
    const gnp::array<T> along_panel = added<T>(among, gnp::matmul(gnp::conj(factors.q.T()), after));
    r(slice(begin, end), slice(end, none)).assign(along_panel);
    after.assign(after - gnp::matmul(factors.q, along_panel));
  }
  return {q, r};
}

/// The svd of a matrix. Each process's rows are basis · rest, where `rest` has no more rows than the matrix has
/// columns. Calls finish(u, s, vh) with this process's rows of U.
template <element T, element B, class F>
auto joined_svd(const array<T>& a, const gnp::array<B>& basis, const gnp::array<gnp::detail::wide_t<T>>& rest,
                const F& finish) {
  // Computed in T, in which no magnitude is too large or too small once the largest is scaled to 1. NaN goes to
  // all processes, so that all of them throw.
  const gnp::array<gnp::detail::wide_t<T>> of_all = a.among().all_gather(rest);
  const gnp::array<double> largest = gnp::max(gnp::absolute(of_all));
  const gnp::array<double> unit = gnp::where(largest == 0.0, 1.0, largest);
  const auto small = gnp::linalg::svd((of_all / unit).template astype<T>(), {.full_matrices = false});
  const index_t before = rows_before(rows_of_all(a), a.among().rank(), a.shape()[1]);
  const gnp::array<B> turned(small.u(slice(before, before + rest.shape(0))).template astype<B>());
  const gnp::array<gnp::detail::real_t<T>> s((small.s * unit).template astype<gnp::detail::real_t<T>>());
  return finish(gnp::array<T>(gnp::matmul(basis, turned).template astype<T>()), s, small.vh);
}

/// Each process factors its rows separately: on a GPU into Q R if they are tall, otherwise into U and diag(s)
/// Vh.
template <element T, class F>
auto svd_by_rows(const array<T>& a, const F& finish) {
  using wide = gnp::detail::wide_t<T>;
  const use_device beside(a.device());
  const gnp::array<T> own = a.local();
  const gnp::linalg::svd_options thin{.full_matrices = false};
  if (a.among().size() == 1 || own.shape(1) == 0) {
    const auto alone = gnp::linalg::svd(own, thin);
    return finish(alone.u, alone.s, alone.vh);
  }
#if GNP_HAS_CUDA
  // As svd does it on one GPU; everything else that is computed is as small as R. (The last process has the
  // fewest rows, and decides for all: all must go the same way, since this way exchanges more.)
  if (own.device().is_cuda() && rows_of_all(a).back() >= 2 * own.shape(1)) {
    const gnp::array<wide> basis = gnp::detail::column_major_copy<wide>(own, "svd");
    const gnp::array<wide> r = gnp::detail::tall_qr_of_any(basis);
    return joined_svd(a, basis, r, [&](const gnp::array<T>& u, const auto& s, const auto& vh) {
      if constexpr (std::is_same_v<T, wide>)
        gnp::detail::straighten(u, [&](const auto& sums) { a.among().all_reduce_in_place(sums); });
      return finish(u, s, vh);
    });
  }
#endif
  gnp::array<T> basis;
  gnp::array<wide> rest;
  try {
    const auto factors = gnp::linalg::svd(own, thin);
    basis = factors.u;
    rest = (factors.s.reshape(-1, 1) * factors.vh).template astype<wide>();
  } catch (const linalg_error&) {  // NaN, which no matrix gives here, tells the others
    const index_t least = (std::min)(own.shape(0), own.shape(1));
    basis = gnp::zeros<T>({own.shape(0), least});
    rest = gnp::full<wide>({least, own.shape(1)}, std::numeric_limits<double>::quiet_NaN());
  }
  return joined_svd(a, basis, rest, finish);
}

template <element T>
own_factors<T> own_qr(const array<T>& a) {
  const use_device beside(a.device());
  const std::vector<index_t> rows = rows_of_all(a);
  const bool is_tall = a.shape()[1] <= (std::max)(panel_width, rows.back());
  return is_tall ? tall_qr<T>(a.among(), rows, a.local()) : blocked_qr<T>(a.among(), rows, a.local());
}

}  // namespace detail
}  // namespace distributed

namespace linalg {

/// Q and R of a matrix with no fewer rows than columns.
template <detail::spread X>
auto qr(const X& x) {
  namespace dist = distributed::detail;
  const auto a = dist::rows_of(x, "qr", true);
  using T = typename decltype(a)::value_type;
  const auto factors = dist::own_qr(a);
  return distributed::qr_result<T>{dist::like(a, factors.q), dist::same_everywhere(a.among(), factors.r)};
}

/// The thin singular value decomposition of a matrix with no fewer rows than columns.
template <detail::spread X>
auto svd(const X& x) {
  namespace dist = distributed::detail;
  const auto a = dist::rows_of(x, "svd", true);
  using T = typename decltype(a)::value_type;
  const auto result = [&](const gnp::array<T>& u, const auto& s, const gnp::array<T>& vh) {
    return distributed::svd_result<T>{dist::like(a, u), dist::same_everywhere(a.among(), s),
                                      dist::same_everywhere(a.among(), vh)};
  };
  if (dist::rows_of_all(a).back() < a.shape()[1] && a.shape()[1] > dist::panel_width) {
    const dist::own_factors<T> factors = dist::own_qr(a);
    const auto small = gnp::linalg::svd(factors.r, {.full_matrices = false});
    return result(gnp::array<T>(gnp::matmul(factors.q, small.u)), small.s, small.vh);
  }
  return dist::svd_by_rows(a, result);
}

/// The lower triangle L with A = L Lᴴ of a Hermitian matrix, of which only the lower triangle is read. Works
/// panel after panel of columns: all processes get the rows of a panel, to update their own rows.
template <detail::spread X>
auto cholesky(const X& x) {
  namespace dist = distributed::detail;
  const auto a = dist::rows_of(x, "cholesky", false);
  using T = typename decltype(a)::value_type;
  const index_t n = a.shape()[0];
  if (n != a.shape()[1])
    throw linalg_error("cholesky: the matrix must be square, got shape " + to_string(a.shape()));
  const use_device beside(a.device());
  const distributed::group& among = a.among();
  const gnp::array<T> own = a.local().copy();
  const index_t first = a.begin()[0], last = a.end()[0];
  for (int owner = 0; owner < among.size(); ++owner) {
    const index_t owner_end = a.of(owner).end[0];
    for (index_t begin = a.of(owner).begin[0]; begin < owner_end; begin += dist::panel_width) {
      const index_t end = (std::min)(begin + dist::panel_width, owner_end);
      const gnp::array<T> corner({end - begin, end - begin}, own.device(), "cholesky");
      std::string why;
      if (among.rank() == owner) {
        const gnp::array<T> diagonal = own(slice(begin - first, end - first), slice(begin, end));
        try {
          corner.assign(gnp::linalg::cholesky(diagonal));
          diagonal.assign(corner);
        } catch (const linalg_error& e) {  // a corner of zeros, which no matrix has, tells the others
          why = e.what();
          corner.fill(T(0));
        }
      }
      dist::broadcast_in_place(among, "cholesky", corner, owner);
      if (!why.empty()) throw linalg_error(why);
      if (bool(gnp::all(corner == T(0)))) throw linalg_error("cholesky: the matrix is not positive definite");
      // The rows below the corner: those of this process, then those of all.
      const index_t from = (std::min)((std::max)(end, first), last) - first;
      const gnp::array<T> below = own(slice(from, none), slice(begin, end));
      if (below.size() > 0) below.assign(gnp::conj(gnp::linalg::solve(corner, gnp::conj(below.T()))).T());
      const gnp::array<T> of_all = among.all_gather(below);
      const gnp::array<T> rest = own(slice(from, none), slice(end, last > end ? last : end));
      if (rest.size() > 0) {
        const gnp::array<T> across = gnp::conj(of_all(slice(0, rest.shape(1))).T());
        rest.assign(rest - gnp::matmul(below, across));
      }
    }
  }
  const auto lower = dist::like(a, own);
  // The elements above the diagonal were not read; they become zero.
  const gnp::array<std::int64_t> row = gnp::arange<std::int64_t>(first, last).reshape(-1, 1);
  own.assign(where(gnp::arange<std::int64_t>(n) <= row, own, T(0)));
  return lower;
}

/// Solves a x = b for a square matrix, by a = Q R. x has the layout of b, or is in every process if b is an
/// array of gnp.
template <detail::spread X, class Y>
  requires elementwise_like<Y>
auto solve(const X& a, const Y& b) {
  namespace dist = distributed::detail;
  using T = type_of<promote(detail::factor_dtype<typename X::value_type>(),
                            detail::factor_dtype<typename Y::value_type>())>;
  const auto matrix = dist::rows_of(a.template astype<T>(), "solve", false);
  const index_t n = matrix.shape()[0];
  if (n != matrix.shape()[1] || b.ndim() < 1 || b.ndim() > 2 || b.shape()[0] != n) {
    throw linalg_error("solve: a matrix of shape " + to_string(matrix.shape()) + " and a right side of shape " +
                       to_string(b.shape()));
  }
  const distributed::group& among = matrix.among();
  const auto right = dist::laid_out(b.template astype<T>(), among, distributed::along(0), "solve").local();
  const auto factors = dist::own_qr(matrix);
  const gnp::array<T> sides = b.ndim() == 1 ? gnp::array<T>(right.reshape(-1, 1)) : gnp::array<T>(right);
  const gnp::array<T> x = dist::added<T>(among, gnp::matmul(gnp::conj(factors.q.T()), sides));
  // Back substitution, panel by panel, the same in every process.
  for (index_t end = n; end > 0; end -= dist::panel_width) {
    const index_t begin = (std::max)(end - dist::panel_width, index_t{0});
    const gnp::array<T> solved =
        gnp::linalg::solve(factors.r(slice(begin, end), slice(begin, end)), x(slice(begin, end)));
    x(slice(begin, end)).assign(solved);
    if (begin > 0)
      x(slice(0, begin))
          .assign(x(slice(0, begin)) - gnp::matmul(factors.r(slice(0, begin), slice(begin, end)), solved));
  }
  const gnp::array<T> result = b.ndim() == 1 ? gnp::array<T>(x.reshape(-1)) : x;
  if constexpr (detail::spread<Y>) {
    return distributed::array<T>(distributed::asarray(result, {.layout = b.natural_layout(), .among = among}));
  } else {
    return dist::same_everywhere(among, result);
  }
}

}  // namespace linalg
}}  // namespace gnp::GNP_ABI
