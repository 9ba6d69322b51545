// SPDX-License-Identifier: MIT
// New arrays: empty, zeros, ones, full, their _like forms, and eye.
#pragma once

#include <algorithm>
#include <gnp/array/asarray.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/number.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/math.hpp>
#include <string_view>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

/// Uninitialised memory.
template <element T = double>
array<T> empty(const shape_t& shape) {
  return array<T>(shape, default_device(), "empty");
}
/// The sizes as separate arguments: empty<float>(3, 4).
template <element T = double, detail::one_size... Sizes>
  requires(sizeof...(Sizes) > 1 || (detail::array_of_numbers<Sizes> && ...))
array<T> empty(const Sizes&... sizes) {
  return empty<T>(shape_t{sizes...});
}

namespace detail {

template <element T>
array<T> filled(const shape_t& shape, T value, gnp::device where, const char* function) {
  array<T> result(shape, where, function);
  result.fill(value);
  return result;
}

/// A number in the elements' type.
template <class T>
T number_as(const number& value, const char* function) {
  return value.visit([function](auto v) {
    if constexpr (is_complex(dtype_of<decltype(v)>) && !is_complex(dtype_of<T>)) {
      throw dtype_error(std::string(function) + ": a complex value does not fit " + name(dtype_of<T>));
      return T();
    } else {
      return make_constant<T>(v, function).value;
    }
  });
}

}  // namespace detail

/// full<float>({2, 3}, 1.5), or with the type from the value: full({2, 3}, 1.5F).
template <class T = void, scalar_like Value>
array<std::conditional_t<std::is_void_v<T>, Value, T>> full(const shape_t& shape, Value value) {
  using U = std::conditional_t<std::is_void_v<T>, Value, T>;
  return detail::filled<U>(shape, detail::make_constant<U>(value, "full").value, default_device(), "full");
}
/// The same with values from an array, which broadcasts to the shape: full({2, 3}, a.max()).
template <class T = void, array_like X>
auto full(const shape_t& shape, const X& values) {
  using U = std::conditional_t<std::is_void_v<T>, typename X::value_type, T>;
  array<U> result(shape, default_device(), "full");
  detail::assign(result, values, "full");
  return result;
}

/// Refused: several numbers in place of a shape.
template <class T = void, scalar_like A, scalar_like B, scalar_like C, scalar_like... More>
array<double> full(const A&, const B&, const C&, const More&...) {
  static_assert(!scalar_like<A>, "gnp: the shape goes in braces: gnp::full({2, 3}, 1.5)");
  return {};
}

// The values in braces, nested to the depth of a matrix, or in a std::vector: full({2, 2}, {1, 2}).
#define GNP_FULL_OF_BRACES(parameter, list_type)           \
  template <class T = void, parameter>                     \
  auto full(const shape_t& shape, list_type values) {      \
    return full<T>(shape, detail::list_beside(0, values)); \
  }
GNP_FULL_OF_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_FULL_OF_BRACES(class Nothing = void, std::initializer_list<detail::any_real>)
GNP_FULL_OF_BRACES(scalar_like Number, std::initializer_list<std::initializer_list<Number>>)
GNP_FULL_OF_BRACES(class Nothing = void, std::initializer_list<std::initializer_list<double>>)
#undef GNP_FULL_OF_BRACES
template <class T = void, class Values>
  requires(detail::is_host_vector_v<Values>)
auto full(const shape_t& shape, const Values& values) {
  return full<T>(shape, asarray(values));
}

// Refused: a type as an argument.
#define GNP_REFUSE_DTYPE(function, parameters)                                                  \
  template <std::same_as<dtype> Type>                                                           \
  array<double> function parameters {                                                           \
    static_assert(!std::same_as<Type, dtype>,                                                   \
                  "gnp: the type of the elements is a template argument: write gnp::" #function \
                  "<float>(...)");                                                              \
    return {};                                                                                  \
  }
GNP_REFUSE_DTYPE(empty, (const shape_t&, Type))
GNP_REFUSE_DTYPE(zeros, (const shape_t&, Type))
GNP_REFUSE_DTYPE(ones, (const shape_t&, Type))
GNP_REFUSE_DTYPE(full, (const shape_t&, detail::any_real, Type))
#undef GNP_REFUSE_DTYPE

namespace detail {

GNP_REFUSED_OPTION(no_dtype_of_new_arrays,
                   "the type of the elements is a template argument: write gnp::zeros<float>({2, 3})")
GNP_REFUSED_OPTION(no_order_of_new_arrays,
                   "new arrays have C's order: the transpose of one has Fortran's, gnp::zeros({3, 2}).T()")

/// What NumPy's functions for new arrays take by name. Nothing of it is possible.
struct refused_creation_options {
  by_name only = by_name();
  no_dtype_of_new_arrays dtype = {};
  no_order_of_new_arrays order = {};
};

}  // namespace detail

template <element T = double>
array<T> zeros(const shape_t& shape) {
  return detail::filled<T>(shape, T(), default_device(), "zeros");
}
template <element T = double, detail::one_size... Sizes>
  requires(sizeof...(Sizes) > 1 || (detail::array_of_numbers<Sizes> && ...))
array<T> zeros(const Sizes&... sizes) {
  return zeros<T>(shape_t{sizes...});
}
template <element T = double>
array<T> ones(const shape_t& shape) {
  return detail::filled<T>(shape, scalar::cast<T>(1), default_device(), "ones");
}
template <element T = double, detail::one_size... Sizes>
  requires(sizeof...(Sizes) > 1 || (detail::array_of_numbers<Sizes> && ...))
array<T> ones(const Sizes&... sizes) {
  return ones<T>(shape_t{sizes...});
}

#define GNP_REFUSE_CREATION_OPTIONS(function)                                        \
  template <element T = double>                                                      \
  array<T> function(const shape_t& shape, const detail::refused_creation_options&) { \
    return function<T>(shape);                                                       \
  }
GNP_REFUSE_CREATION_OPTIONS(empty)
GNP_REFUSE_CREATION_OPTIONS(zeros)
GNP_REFUSE_CREATION_OPTIONS(ones)
#undef GNP_REFUSE_CREATION_OPTIONS
template <class T = void, scalar_like Value>
auto full(const shape_t& shape, Value value, const detail::refused_creation_options&) {
  return full<T>(shape, value);
}

namespace detail {

template <class U, class X>
using element_or_own = std::conditional_t<std::is_void_v<U>, typename X::value_type, U>;

}  // namespace detail

/// An array with x's shape and device and, unless another is named, x's element type: empty_like(x),
/// empty_like<int>(x).
template <class U = void, array_like X>
array<detail::element_or_own<U, X>> empty_like(const X& x) {
  return array<detail::element_or_own<U, X>>(x.shape(), x.device(), "empty_like");
}
template <class U = void, array_like X, scalar_like Value>
array<detail::element_or_own<U, X>> full_like(const X& x, Value value) {
  using T = detail::element_or_own<U, X>;
  return detail::filled<T>(x.shape(), detail::make_constant<T>(value, "full_like").value, x.device(),
                           "full_like");
}
template <class U = void, array_like X, array_like Values>
array<detail::element_or_own<U, X>> full_like(const X& x, const Values& values) {
  array<detail::element_or_own<U, X>> result(x.shape(), x.device(), "full_like");
  detail::assign(result, values, "full_like");
  return result;
}
#define GNP_FULL_LIKE_OF_BRACES(parameter, list_type)                           \
  template <class U = void, array_like X, parameter>                            \
  array<detail::element_or_own<U, X>> full_like(const X& x, list_type values) { \
    return full_like<U>(x, detail::list_beside(x, values));                     \
  }
GNP_FULL_LIKE_OF_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_FULL_LIKE_OF_BRACES(class Nothing = void, std::initializer_list<detail::any_real>)
GNP_FULL_LIKE_OF_BRACES(scalar_like Number, std::initializer_list<std::initializer_list<Number>>)
GNP_FULL_LIKE_OF_BRACES(class Nothing = void, std::initializer_list<std::initializer_list<double>>)
#undef GNP_FULL_LIKE_OF_BRACES
template <class U = void, array_like X, class Values>
  requires(detail::is_host_vector_v<Values>)
array<detail::element_or_own<U, X>> full_like(const X& x, const Values& values) {
  return full_like<U>(x, detail::list_beside(x, values));
}
template <class U = void, array_like X>
array<detail::element_or_own<U, X>> zeros_like(const X& x) {
  using T = detail::element_or_own<U, X>;
  return detail::filled<T>(x.shape(), T(), x.device(), "zeros_like");
}
template <class U = void, array_like X>
array<detail::element_or_own<U, X>> ones_like(const X& x) {
  using T = detail::element_or_own<U, X>;
  return detail::filled<T>(x.shape(), scalar::cast<T>(1), x.device(), "ones_like");
}

#define GNP_REFUSE_CREATION_OPTIONS(function)                          \
  template <class U = void, array_like X>                              \
  auto function(const X& x, const detail::refused_creation_options&) { \
    return function<U>(x);                                             \
  }
GNP_REFUSE_CREATION_OPTIONS(empty_like)
GNP_REFUSE_CREATION_OPTIONS(zeros_like)
GNP_REFUSE_CREATION_OPTIONS(ones_like)
#undef GNP_REFUSE_CREATION_OPTIONS
template <class U = void, array_like X, scalar_like Value>
auto full_like(const X& x, Value value, const detail::refused_creation_options&) {
  return full_like<U>(x, value);
}

namespace detail {

/// The positions of an array of T. (Because of T, code that uses them is dependent, so that it is compiled only
/// if it is used.)
template <class T>
position positions(const shape_t& shape) {
  return position(shape);
}

/// Writes zeros, and then the diagonal. Computing a quotient and a remainder for each position would take
/// longer.
template <class T>
array<T> eye_on_cpu(const shape_t& shape, index_t k) {
  const array<T> result = zeros<T>(shape);
  if (k >= shape[1] || k <= -shape[0]) return result;
  const index_t row = (std::max)(-k, index_t{0});
  const index_t column = (std::max)(k, index_t{0});
  const index_t length = (std::min)(shape[0] - row, shape[1] - column);
  const array<T> diagonal(result.block(), result.data() + row * shape[1] + column, {length}, {shape[1] + 1});
  diagonal.fill(T(1));
  return result;
}

/// A shape in braces in place of a number of rows.
struct sizes_in_braces {
  sizes_in_braces(any_integer, any_integer) {}
};

}  // namespace detail

/// Which diagonal, by name: eye(3, {.k = 1}).
struct diag_options {
  by_name only = by_name();
  detail::any_integer k = 0;
  detail::no_dtype_of_new_arrays dtype = {};
};

/// Ones on the k-th diagonal: above the main one for k > 0, below for k < 0.
template <element T = double>
array<T> eye(detail::any_integer rows, detail::any_integer columns, detail::any_integer k = 0) {
  const shape_t shape{rows, columns};
  detail::element_count(shape, "eye");
  if (default_device().is_cpu()) return detail::eye_on_cpu<T>(shape, k);
  // Separate positions of rows and columns need no division. (All diagonals beyond the corners are empty.)
  const auto row = detail::positions<T>(shape_t{shape[0], 1});
  const auto column = detail::positions<T>(shape_t{shape[1]});
  const index_t offset = (std::max)((std::min)(index_t{k}, shape[1]), -shape[0]);
  return ufunc<operations::equal_ufunc>()(column, ufunc<operations::add_ufunc>()(row, offset))
      .template astype<T>();
}
template <element T = double>
array<T> eye(detail::any_integer rows) {
  return eye<T>(rows, rows);
}
template <element T = double, class Text>
  requires(std::is_convertible_v<const Text&, std::string_view>)
array<T> eye(const Text&) {
  static_assert(!std::is_same_v<Text, Text>, "gnp: eye takes a number of rows, not a text");
  return {};
}
template <element T = double>
array<T> eye(detail::any_integer rows, detail::any_integer columns, const diag_options& options) {
  return eye<T>(rows, columns, options.k);
}
template <element T = double>
array<T> eye(detail::any_integer rows, const diag_options& options) {
  return eye<T>(rows, rows, options.k);
}
template <element T = double, class... More>
array<T> eye(const detail::sizes_in_braces&, const More&...) {
  static_assert(!element<T>, "gnp: rows and columns are two arguments: gnp::eye(3, 4)");
  return {};
}
template <element T = double>
array<T> identity(detail::any_integer rows) {
  if (rows < 0) throw shape_error("identity: negative dimensions are not allowed, got " + std::to_string(rows));
  return eye<T>(rows, rows);
}

GNP_REFUSES_DTYPES(eye)
GNP_REFUSES_DTYPES(identity)
GNP_REFUSES_DTYPES(empty_like)
GNP_REFUSES_DTYPES(full_like)
GNP_REFUSES_DTYPES(zeros_like)
GNP_REFUSES_DTYPES(ones_like)

}}  // namespace gnp::GNP_ABI
