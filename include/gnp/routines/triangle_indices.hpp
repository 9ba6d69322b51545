// SPDX-License-Identifier: MIT
// The indices of diagonals and triangles: diag_indices, tril_indices, triu_indices, mask_indices.
#pragma once

#include <algorithm>
#include <concepts>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/triangles.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {

/// The indices of the main diagonal of an array of size n along each of its axes.
GNP_DECLARED_ON_USE std::vector<array<std::int64_t>> diag_indices(index_t n, int ndim = 2);
struct diag_indices_options {
  by_name only = by_name();
  int ndim = 2;
};
template <std::same_as<diag_indices_options> Options = diag_indices_options>
std::vector<array<std::int64_t>> diag_indices(index_t n, const Options& options) {
  return diag_indices(n, options.ndim);
}
template <array_like X>
std::vector<array<std::int64_t>> diag_indices_from(const X& x) {
  const shape_t shape = x.shape();
  if (shape.rank() < 2)
    throw shape_error("diag_indices_from: input array must be at least 2-d, got shape " + to_string(shape));
  for (const index_t size : shape) {
    if (size != shape[0])
      throw shape_error("diag_indices_from: all dimensions of input must be of equal length, got shape " +
                        to_string(shape));
  }
  const use_device guard(x.device());
  return diag_indices(shape[0], shape.rank());
}

namespace detail {

/// As many columns as rows. (Other negative numbers are no columns, as in NumPy.)
inline constexpr index_t as_rows = (std::numeric_limits<index_t>::min)();

GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> rows_and_columns(const array<bool>& mask);

/// The rows and the columns of a rows by columns matrix on its k-th diagonal and below it, or above it.
GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> triangle_on_cpu(index_t rows, index_t columns, index_t k,
                                                                       bool below, const char* function);

}  // namespace detail

/// The indices of the elements of an n by m matrix (m is n by default) on the k-th diagonal and below it, or on
/// it and above it: auto [rows, columns] = tril_indices(3). a(tril_indices(3)) are the elements there.
GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> tril_indices(index_t n, index_t k = 0,
                                                                    index_t m = detail::as_rows);
GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> triu_indices(index_t n, index_t k = 0,
                                                                    index_t m = detail::as_rows);

/// The same with options by name: tril_indices(3, {.k = -1}).
struct triangle_indices_options {
  by_name only = by_name();
  index_t k = 0;
  index_t m = detail::as_rows;
};
inline std::array<array<std::int64_t>, 2> tril_indices(index_t n, const triangle_indices_options& options) {
  return tril_indices(n, options.k, options.m);
}
inline std::array<array<std::int64_t>, 2> triu_indices(index_t n, const triangle_indices_options& options) {
  return triu_indices(n, options.k, options.m);
}

template <array_like X>
std::array<array<std::int64_t>, 2> tril_indices_from(const X& x, index_t k = 0) {
  const use_device guard(x.device());
  if (x.ndim() != 2)
    throw shape_error("tril_indices_from: input array must be 2-d, got shape " + to_string(x.shape()));
  const auto [rows, columns] = x.template shape<2>();
  return tril_indices(rows, k, columns);
}
template <array_like X>
std::array<array<std::int64_t>, 2> triu_indices_from(const X& x, index_t k = 0) {
  const use_device guard(x.device());
  if (x.ndim() != 2)
    throw shape_error("triu_indices_from: input array must be 2-d, got shape " + to_string(x.shape()));
  const auto [rows, columns] = x.template shape<2>();
  return triu_indices(rows, k, columns);
}
template <array_like X>
auto tril_indices_from(const X& x, const diag_options& options) {
  return tril_indices_from(x, index_t{options.k});
}
template <array_like X>
auto triu_indices_from(const X& x, const diag_options& options) {
  return triu_indices_from(x, index_t{options.k});
}

/// The indices of the elements that a function of matrices keeps: mask_indices(3, triu). The function takes a
/// matrix and a number k.
template <class F>
std::array<array<std::int64_t>, 2> mask_indices(index_t n, const F& mask_function, index_t k = 0) {
  detail::element_count({n, n}, "mask_indices");
  const array left = mask_function(ones<double>({n, n}), k);
  return detail::rows_and_columns(left != 0);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE std::vector<array<std::int64_t>> diag_indices(index_t n, int ndim) {
  return std::vector<array<std::int64_t>>(static_cast<std::size_t>((std::max)(ndim, 0)), arange(n));
}

}}  // namespace gnp::GNP_ABI

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> rows_and_columns(const array<bool>& mask) {
  const std::vector<array<std::int64_t>> both = nonzero(mask);
  return {both[0], both[1]};
}

GNP_LOOP inline void write_row_and_columns(std::int64_t* rows, std::int64_t* columns, std::int64_t row,
                                           std::int64_t first, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) rows[i] = row;
  for (std::int64_t i = 0; i < count; ++i) columns[i] = first + i;
}

// A mask of the matrix would be written and read twice, where a row's indices follow from its number.
GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> triangle_on_cpu(index_t rows, index_t columns, index_t k,
                                                                      bool below, const char* function) {
  const index_t all_elements = element_count({rows, columns}, function);
  k = (std::max)((std::min)(k, columns), -rows - 1);  // as diagonals beyond the corners
  // How many elements the rows before this one have on the k-th diagonal and below it: the sum of what
  // 0, 1, ... are at most, and at least 0, from row k on.
  const auto before = [=](index_t row) {
    const auto sum = [=](index_t x) {
      if (x <= 0) return index_t{0};
      const index_t rising = (std::min)(x, columns + 1);
      return rising * (rising - 1) / 2 + (x - rising) * columns;
    };
    return sum(row + k + 1) - sum(k + 1);
  };
  const index_t below_all = all_elements == 0 ? 0 : before(rows);
  const index_t count = below ? below_all : all_elements - below_all;
  const std::array<array<std::int64_t>, 2> result{array<std::int64_t>(shape_t{count}, device::cpu(), function),
                                                  array<std::int64_t>(shape_t{count}, device::cpu(), function)};
  if (count == 0) return result;
  std::int64_t* to_rows = result[0].data();
  std::int64_t* to_columns = result[1].data();
  parallel_for(rows, 1 + cpu_grain / columns, [=](index_t begin, index_t end) {
    for (index_t row = begin; row < end; ++row) {
      const index_t left = (std::max)((std::min)(row + k + 1, columns), index_t{0});
      const index_t at = below ? before(row) : row * columns - before(row);
      write_row_and_columns(to_rows + at, to_columns + at, row, below ? 0 : left,
                            below ? left : columns - left);
    }
  });
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> tril_indices(index_t n, index_t k, index_t m) {
  const index_t columns = (std::max)(m == detail::as_rows ? n : m, index_t{0});
  n = (std::max)(n, index_t{0});
  if (default_device().is_cpu()) return detail::triangle_on_cpu(n, columns, k, true, "tril_indices");
  detail::element_count({n, columns}, "tril_indices");
  return detail::rows_and_columns(tri<bool>(n, columns, k));
}

GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> triu_indices(index_t n, index_t k, index_t m) {
  const index_t columns = (std::max)(m == detail::as_rows ? n : m, index_t{0});
  n = (std::max)(n, index_t{0});
  if (default_device().is_cpu())
    return detail::triangle_on_cpu(n, columns, detail::diagonal_below(k), false, "triu_indices");
  detail::element_count({n, columns}, "triu_indices");
  return detail::rows_and_columns(!tri<bool>(n, columns, detail::diagonal_below(k)));
}

}}  // namespace gnp::GNP_ABI

#endif
