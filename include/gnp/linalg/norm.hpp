// SPDX-License-Identifier: MIT
// norm, vector_norm, matrix_norm: one pass over the data, with nothing stored; norm(a - b) does not store a -
// b.
#pragma once

#include <cmath>
#include <gnp/array/asarray.hpp>
#include <gnp/core/unknown_name.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/routines/reductions.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {
namespace linalg {

/// Which norm: a number, "fro" or "nuc"; by default the Euclidean (Frobenius) one.
class norm_order {
 public:
  constexpr norm_order(none_t) {}
  constexpr norm_order(double order) : kind_(kind::number), number_(order) {}
  constexpr norm_order(int order) : norm_order(static_cast<double>(order)) {}
  norm_order(const char* name) : norm_order(std::string_view(name)) {}
  norm_order(const std::string& name) : norm_order(std::string_view(name)) {}

  constexpr bool given() const { return kind_ != kind::absent; }
  constexpr bool is_frobenius() const { return kind_ == kind::frobenius || kind_ == kind::absent; }
  constexpr bool is_nuclear() const { return kind_ == kind::nuclear; }
  constexpr bool is_number() const { return kind_ == kind::number; }
  constexpr bool is(double order) const { return is_number() && number_ == order; }
  constexpr double number() const { return number_; }
  void require_known(const char* function) const {
    unknown_.refuse(function, "there is no norm ", ": a number, \"fro\" or \"nuc\"");
  }

 private:
  enum class kind : std::uint8_t { absent, number, frobenius, nuclear };
  norm_order(std::string_view name) : kind_(name == "nuc" ? kind::nuclear : kind::frobenius) {
    if (name != "nuc" && name != "fro") unknown_ = detail::unknown_name(name);
  }

  kind kind_ = kind::absent;
  double number_ = 2;
  detail::unknown_name unknown_;
};

struct norm_options {
  by_name only = by_name();
  norm_order ord = none;
  axes_t axis = none;
  bool keepdims = false;
};

struct vector_norm_options {
  by_name only = by_name();
  axes_t axis = none;
  bool keepdims = false;
  norm_order ord = none;
};

struct matrix_norm_options {
  by_name only = by_name();
  bool keepdims = false;
  norm_order ord = none;
};

}  // namespace linalg

namespace detail {

/// The real type of norms of elements T: double for integers.
template <class T>
using norm_type = type_of<real_part_of(dtype_of<averaged_type<T>>)>;

/// The elements in the type in which norms are computed: float for 16-bit types.
template <array_like X>
decltype(auto) norm_elements(const X& x) {
  using T = typename X::value_type;
  return in_type<std::conditional_t<is_16_bit_float<T>, float, averaged_type<T>>>(x);
}

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The norm without an order: the root of the sum of squares. It is a separate function so that code that uses
/// only this norm does not compile the others.
template <array_like X>
array<norm_type<typename X::value_type>> euclidean_norm(const X& x, const reduce_options& where) {
  using R = norm_type<typename X::value_type>;
  const auto& elements = norm_elements(x);
  using E = typename std::remove_cvref_t<decltype(elements)>::value_type;
  if constexpr (is_complex(dtype_of<E>)) {
    return reduce_with<root_reducer, R, computed_in<R>>(squared_magnitude(elements), where, 0, "norm");
  } else {
    // The reducer squares the elements, so that elements in memory are read directly, without a separate pass
    // on the CPU.
    using tag = std::conditional_t<is_16_bit_float<R>, plain_root_of_squares_reducer, root_of_squares_reducer>;
    return reduce_with<tag, R, computed_in<E>>(elements, where, 0, "norm");
  }
}

/// The largest of elements that are not negative; zero if there are none.
template <array_like X>
auto largest_size(const X& x, sum_options options) {
  if (x.size() == 0) options.initial = 0;
  return (max)(x, options);
}

/// Throws where no element is left along these axes that would be the smallest.
GNP_DECLARED void require_least(const shape_t& shape, const axis_set& along, const char* function);

/// The smallest of elements that are not negative.
template <array_like X>
auto smallest_size(const X& x, const sum_options& options, const char* function) {
  require_least(x.shape(), axis_set(options.axis, x.ndim(), function), function);
  return (min)(x, options);
}

/// The norm of vectors, whose elements lie along any number of axes.
template <array_like X>
array<norm_type<typename X::value_type>> norm_of_vectors(const X& x, const linalg::norm_order& ord,
                                                         const reduce_options& where, const char* function) {
  using R = norm_type<typename X::value_type>;
  ord.require_known(function);
  const axis_set checked(where.axis, x.ndim(), function);
  const auto& elements = norm_elements(x);
  const sum_options options{.axis = where.axis, .keepdims = where.keepdims};
  const auto result = [](const auto& y) { return array<R>(in_type<R>(y)); };
  if (ord.is_nuclear() || (ord.given() && ord.is_frobenius())) {
    throw error(std::string(function) + ": ord \"" + (ord.is_nuclear() ? "nuc" : "fro") +
                "\" is for matrices, got " + (x.ndim() == 1 ? "shape " : "vectors of an array of shape ") +
                to_string(x.shape()));
  }
  if (!ord.given() || ord.is(2)) return euclidean_norm(x, where);
  if (ord.is(infinite)) return result(largest_size(abs(elements), options));
  if (ord.is(-infinite)) return result(smallest_size(abs(elements), options, function));
  if (ord.is(0)) return result(count_nonzero(x, where));
  if (ord.is(1)) return result(sum(abs(elements), options));
  const double p = ord.number();
  return result(power(sum(power(abs(elements), p), options), 1 / p));
}

/// The norms that are the largest, the smallest or the sum of the singular values. Both axes stay, with size 1.
template <array_like X>
auto norm_by_singular_values(const X& x, const linalg::norm_order& ord, int rows, int columns,
                             const char* function) {
  const asks_for_elements asking(function);
  const auto matrices = moveaxis(norm_elements(x), shape_t{rows, columns}, shape_t{-2, -1});
  const auto values = svd_of(operand_as<factor_t<decltype(matrices)>>(matrices), false, false, function).s;
  const sum_options last{.axis = -1};
  const auto norms = ord.is_nuclear() ? sum(values, last).eval()
                     : ord.is(2)      ? largest_size(values, last).eval()
                                      : smallest_size(values, last, function).eval();
  return expand_dims(norms, shape_t{(std::min)(rows, columns), (std::max)(rows, columns)});
}

/// The norm of matrices, whose rows lie along one axis (row 0, 1, ...) and columns along another.
template <array_like X>
array<norm_type<typename X::value_type>> norm_of_matrices(const X& x, const linalg::norm_order& ord, int rows,
                                                          int columns, bool keepdims, const char* function) {
  using R = norm_type<typename X::value_type>;
  ord.require_known(function);
  const int rank = x.ndim();
  rows = normalize_axis(rows, rank, function);
  columns = normalize_axis(columns, rank, function);
  if (rows == columns) throw shape_error(std::string(function) + ": both axes are " + std::to_string(rows));
  if (ord.is_frobenius()) {
    return norm_of_vectors(x, none, {.axis = {rows, columns}, .keepdims = keepdims}, function);
  }
  const auto finished = [&](const auto& y) {  // both axes still exist, with size 1
    const array<R> result(in_type<R>(y));
    return keepdims ? result : squeeze(result, shape_t{rows, columns});
  };
  if (ord.is_nuclear() || ord.is(2) || ord.is(-2)) {
    return finished(norm_by_singular_values(x, ord, rows, columns, function));
  }
  const double size = std::abs(ord.number());
  if (size != 1 && size != infinite) {
    throw error(std::string(function) + ": there is no norm of matrices of order " + shown(ord.number()) +
                ": 1, -1, 2, -2, inf, -inf, \"fro\" or \"nuc\"");
  }
  const int added = size == 1 ? rows : columns;
  const int compared = size == 1 ? columns : rows;
  const auto sums = sum(abs(norm_elements(x)), {.axis = added, .keepdims = true});
  const sum_options along{.axis = compared, .keepdims = true};
  return ord.number() > 0 ? finished(largest_size(sums, along))
                          : finished(smallest_size(sums, along, function));
}

}  // namespace detail

namespace linalg {

/// An array of the real type of X's norms.
template <array_like X>
using norm_array = array<detail::norm_type<typename X::value_type>>;

/// The Euclidean norm of all elements.
template <array_like X>
norm_array<X> norm(const X& x) {
  return detail::euclidean_norm(x, {});
}
/// The norm of a vector, or of the vectors along one axis; the norm of a matrix, or of the matrices along two
/// axes. Without axis and order, the norm of all elements as one vector.
template <array_like X>
norm_array<X> norm(const X& x, const norm_options& options) {
  options.ord.require_known("norm");
  const int rank = x.ndim();
  const int axes = options.axis.given() ? options.axis.values().rank() : rank;
  if (!options.axis.given() && !options.ord.given()) {
    return detail::euclidean_norm(x, {.axis = none, .keepdims = options.keepdims});
  }
  if (axes == 1) {
    return detail::norm_of_vectors(x, options.ord, {.axis = options.axis, .keepdims = options.keepdims},
                                   "norm");
  }
  if (axes == 2) {
    const shape_t pair = options.axis.given() ? options.axis.values() : shape_t{0, 1};
    return detail::norm_of_matrices(x, options.ord, static_cast<int>(pair[0]), static_cast<int>(pair[1]),
                                    options.keepdims, "norm");
  }
  throw shape_error(std::string("norm: takes one axis for vectors or two for matrices, got ") +
                    std::to_string(axes) + " of an array of shape " + to_string(x.shape()));
}
/// The same with order and axes by position. The order's type is deduced, so that braces are never taken for an
/// order: {0} can only be the axis, which comes after it.
template <array_like X, class Order>
  requires std::is_convertible_v<const Order&, norm_order>
norm_array<X> norm(const X& x, const Order& ord, const axes_t& axis = none, norm_options options = {}) {
  options.ord = ord;
  options.axis = axis;
  return norm(x, options);
}
/// ... and with further options after the order: norm(x, "fro", {.keepdims = true}).
template <array_like X, class Order>
  requires std::is_convertible_v<const Order&, norm_order>
norm_array<X> norm(const X& x, const Order& ord, norm_options options) {
  options.ord = ord;
  return norm(x, options);
}
GNP_REFUSES_VECTORS_OF(norm, "gnp::linalg::norm")
/// For a vector in braces.
template <scalar_like Number>
auto norm(std::initializer_list<Number> x) {
  return norm(asarray(x));
}

/// The norm of the vectors along any axes, or of all elements.
template <array_like X>
norm_array<X> vector_norm(const X& x, const vector_norm_options& options = {}) {
  return detail::norm_of_vectors(x, options.ord, {.axis = options.axis, .keepdims = options.keepdims},
                                 "vector_norm");
}

/// The norm of the matrices in the last two axes.
template <array_like X>
norm_array<X> matrix_norm(const X& x, const matrix_norm_options& options = {}) {
  if (x.ndim() < 2) {
    throw shape_error(std::string("matrix_norm: needs at least 2 dimensions, got shape ") +
                      to_string(x.shape()));
  }
  return detail::norm_of_matrices(x, options.ord, -2, -1, options.keepdims, "matrix_norm");
}

}  // namespace linalg
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void require_least(const shape_t& shape, const axis_set& along, const char* function) {
  bool none_left = false;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] != 0) continue;
    if (!along.chosen[d]) return;  // there is no result that would need one
    none_left = true;
  }
  if (none_left) {
    throw shape_error(std::string(function) + ": no element is the smallest of an array of shape " +
                      to_string(shape) + ", which is empty along these axes");
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
