// SPDX-License-Identifier: MIT
// tri, tril and triu, expressions of each element's row and column; diag, diagflat and vander.
#pragma once

#include <algorithm>
#include <gnp/array/asarray.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/diagonal.hpp>
#include <gnp/routines/scans.hpp>
#include <initializer_list>
#include <limits>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Whether an element of matrices of this shape lies on the k-th diagonal or below it. Its row and column are
/// separate positions, so that no division is needed. (Because of T, this is dependent, so that it is compiled
/// only if it is used.)
template <class T>
auto on_or_below(const shape_t& shape, index_t k) {
  const int rank = shape.rank();
  const index_t columns = shape.back();
  const index_t rows = rank == 1 ? columns : shape[rank - 2];
  const auto row = positions<T>(shape_t{rows, 1});
  const auto column = positions<T>(shape_t{columns});
  // All diagonals beyond the corners give the same result.
  k = (std::max)((std::min)(k, columns), -rows - 1);
  return ufunc<operations::less_equal_ufunc>()(column, ufunc<operations::add_ufunc>()(row, k));
}

/// The number of the diagonal below the k-th.
constexpr index_t diagonal_below(index_t k) { return k == (std::numeric_limits<index_t>::min)() ? k : k - 1; }

GNP_INLINE void require_one_dimension(int rank, const char* function) {
  if (rank == 0) throw shape_error(std::string(function) + ": needs one dimension at least, got shape ()");
}

}  // namespace detail

/// Ones on the k-th diagonal and below it, zeros elsewhere. Negative sizes count as 0, as in NumPy.
template <element T = double>
array<T> tri(detail::any_integer rows, detail::any_integer columns, detail::any_integer k = 0) {
  const shape_t shape{(std::max)(index_t{rows}, index_t{0}), (std::max)(index_t{columns}, index_t{0})};
  detail::element_count(shape, "tri");
  return detail::on_or_below<T>(shape, k).template astype<T>();
}
template <element T = double>
array<T> tri(detail::any_integer rows) {
  return tri<T>(rows, rows);
}
template <element T = double>
array<T> tri(detail::any_integer rows, const diag_options& options) {
  return tri<T>(rows, rows, options.k);
}
template <element T = double>
array<T> tri(detail::any_integer rows, detail::any_integer columns, const diag_options& options) {
  return tri<T>(rows, columns, options.k);
}

/// The elements on the k-th diagonal and below it, zeros elsewhere, for each matrix of a stack: an expression.
template <array_like X>
auto tril(const X& x, detail::any_integer k = 0) {
  using T = typename X::value_type;
  detail::require_one_dimension(x.ndim(), "tril");
  return where(detail::on_or_below<T>(x.shape(), k), x, scalar::cast<T>(0));
}
template <array_like X>
auto tril(const X& x, const diag_options& options) {
  return tril(x, options.k);
}
/// The elements on the k-th diagonal and above it, zeros elsewhere.
template <array_like X>
auto triu(const X& x, detail::any_integer k = 0) {
  using T = typename X::value_type;
  detail::require_one_dimension(x.ndim(), "triu");
  return where(detail::on_or_below<T>(x.shape(), detail::diagonal_below(k)), scalar::cast<T>(0), x);
}
template <array_like X>
auto triu(const X& x, const diag_options& options) {
  return triu(x, options.k);
}

GNP_TAKES_VALUES(tril)
GNP_TAKES_VALUES(triu)

/// For a vector, the matrix that has it on its k-th diagonal; for a matrix, a view of that diagonal.
template <array_like X>
auto diag(const X& x, detail::any_integer k = 0) {
  using T = typename X::value_type;
  const index_t offset = k;
  if (x.ndim() == 2) return array<T>(diagonal(x, offset));
  if (x.ndim() != 1) throw shape_error("diag: input must be 1- or 2-d, got shape " + to_string(x.shape()));
  const index_t edge = x.size() + (offset < 0 ? -offset : offset);
  const array<T> result(shape_t{edge, edge}, x.device(), "diag");
  result.fill(T());
  diagonal(result, offset).assign(x);
  return result;
}
template <array_like X>
auto diag(const X& x, const diag_options& options) {
  return diag(x, options.k);
}
template <scalar_like Number>
auto diag(std::initializer_list<Number> values, detail::any_integer k = 0) {
  return diag(asarray(values), k);
}
GNP_REFUSES_MIXED_NUMBERS(diag, class Nothing = void, detail::any_integer = 0)
/// The matrix that has all elements, flattened, on its k-th diagonal.
template <array_like X>
auto diagflat(const X& x, detail::any_integer k = 0) {
  return diag(ravel(x), k);
}
template <array_like X>
auto diagflat(const X& x, const diag_options& options) {
  return diagflat(x, options.k);
}

struct vander_options {
  by_name only = by_name();
  bool increasing = false;
};

/// The powers of each element, in a row: from the highest down to 0, or from 0 up.
template <array_like X>
auto vander(const X& x, detail::any_integer columns, const vander_options& options = {}) {
  using R = type_of<promote(dtype_of<typename X::value_type>, dtype::int64)>;
  if (x.ndim() != 1)
    throw shape_error("vander: x must be a one-dimensional array, got shape " + to_string(x.shape()));
  const index_t count = columns;
  const array<R> result(shape_t{x.size(), count}, x.device(), "vander");
  if (result.size() == 0) return result;
  const array<R> upwards = options.increasing ? result : array<R>(fliplr(result));
  upwards(all, 0).fill(scalar::cast<R>(1));
  if (count > 1) {
    const array<R> base = x.template astype<R>().eval();
    upwards(all, slice(1, none)).assign(cumprod(broadcast_to(base.reshape(-1, 1), {x.size(), count - 1}), 1));
  }
  return result;
}
template <array_like X>
auto vander(const X& x, const vander_options& options = {}) {
  return vander(x, x.size(), options);
}
GNP_TAKES_LIST_FIRST(vander, (const vander_options& options = {}), (options))
GNP_TAKES_LIST_FIRST(vander, (detail::any_integer columns, const vander_options& options = {}),
                     (columns, options))

}}  // namespace gnp::GNP_ABI
