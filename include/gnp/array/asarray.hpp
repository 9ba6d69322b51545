// SPDX-License-Identifier: MIT
// asarray: makes an array on the default device from numbers on the host.
#pragma once

#include <gnp/array/from_pointer.hpp>
#include <gnp/array/host_matrices.hpp>
#include <gnp/array/host_values.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/dtype.hpp>
#include <initializer_list>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

/// Copies contiguous host memory to the default device.
template <element T>
array<T> asarray(const T* data, const shape_t& shape) {
  array<T> result(shape, default_device(), "asarray");
  if (data == nullptr && result.size() > 0)
    throw error(std::string("asarray: null pointer for shape ") + to_string(shape));
  detail::copy_from_host(*result.block().get(), result.data(), data, static_cast<std::size_t>(result.nbytes()));
  return result;
}

/// Options of asarray for a pointer and a shape.
struct stride_options {
  by_name only = by_name();
  axes_t strides = none;  // in bytes, of any sign; none: row-major, without gaps
};

/// Copies host memory of any strides: rows with padding, planes of an image, every other element.
template <element T>
array<T> asarray(const T* data, const shape_t& shape, const stride_options& options) {
  if (!options.strides.given()) return asarray(data, shape);
  const shape_t strides = detail::strides_in_elements(shape, options.strides.values(), sizeof(T), "asarray");
  const auto layout = detail::layout_around(data, shape, strides, dtype_of<T>, device::cpu(), "asarray");
  T* const first = const_cast<T*>(data);  // it is only read
  const array<T> there(detail::block_around(first, layout, device::cpu()), first, shape, layout.strides);
  return default_device().is_cpu() ? there.copy() : there.to(default_device());
}

/// asarray<float>({{1, 2}, {3, 4}}): nested braces are values.
template <element T>
array<T> asarray(const detail::nested_list<T>& values) {
  return asarray(values.all().data(), values.all().shape);
}

namespace detail {

/// The array for memory in column-major order.
template <element T>
array<T> array_by_columns(const T* data, const shape_t& shape) {
  shape_t turned = shape;
  std::reverse(turned.begin(), turned.end());
  return asarray(data, turned).T().copy();
}

template <dense_matrix X>
auto array_of_matrix(const X& source) {
  const auto& plain = source.eval();
  const shape_t shape = {plain.rows(), plain.cols()};
  if constexpr (bool(X::IsVectorAtCompileTime)) {
    return asarray(plain.data(), shape_t{plain.size()});
  } else if constexpr (bool(std::remove_cvref_t<decltype(plain)>::IsRowMajor)) {
    return asarray(plain.data(), shape);
  } else {
    return array_by_columns(plain.data(), shape);
  }
}

template <dense_tensor X>
auto array_of_tensor(const X& source) {
  const auto& dimensions = source.dimensions();
  shape_t shape;
  // (Some have signed indices, others unsigned ones.)
  for (unsigned d = 0; d < unsigned(X::NumDimensions); ++d)
    shape.push_back(static_cast<index_t>(dimensions[d]));
  constexpr int by_rows = 1;  // Eigen::RowMajor
  return int(X::Layout) == by_rows ? asarray(source.data(), shape) : array_by_columns(source.data(), shape);
}

/// Makes an array of anything that asarray takes, with the source's own element type.
template <class Source>
auto as_own_array(Source& source) {
  using X = std::remove_cv_t<Source>;
  if constexpr (array_like<X>) {
    return source.eval();
  } else if constexpr (is_host_array_v<X>) {
    return asarray(source.data(), source.shape());
  } else if constexpr (element<X>) {
    return asarray(&source, shape_t{});
  } else if constexpr (dense_matrix<X>) {
    return array_of_matrix(source);
  } else if constexpr (dense_tensor<X>) {
    return array_of_tensor(source);
  } else if constexpr (multidimensional_span<X>) {
    const auto all = values_of_span(source);
    return asarray(all.data(), all.shape);
  } else if constexpr (contiguous_numbers<Source>) {
    const auto first = begin(source);
    const auto count = static_cast<index_t>(std::size(source));
    return asarray(count > 0 ? std::to_address(first) : nullptr, shape_t{count});
  } else {
    const auto all = values_of(source);
    return asarray(all.data(), all.shape);
  }
}

template <class X>
inline constexpr bool is_array_source_v =
    array_like<std::remove_cv_t<X>> || is_host_array_v<std::remove_cv_t<X>> || element<std::remove_cv_t<X>> ||
    number_range<X> || dense_matrix<std::remove_cv_t<X>> || dense_tensor<std::remove_cv_t<X>> ||
    multidimensional_span<std::remove_cv_t<X>>;

/// Arrays of one shape as one array, along a new first axis. (As stack does it, which is on a higher floor.)
template <class List>
auto array_of_arrays(const List& list) {
  using T = typename std::iter_value_t<iterator_of<const List>>::value_type;
  const auto count = static_cast<index_t>(std::size(list));
  if (count == 0) return array<T>(shape_t{0}, default_device(), "asarray");
  shape_t shape = begin(list)->shape();
  const shape_t one = shape;
  shape.insert(0, count);
  const array<T> result(shape, begin(list)->device(), "asarray");
  index_t row = 0;
  for (const auto& item : list) {
    if (item.shape() != one) {
      throw shape_error("asarray: the arrays have different shapes " + to_string(one) + " and " +
                        to_string(item.shape()));
    }
    assign(result(row++), item, "asarray");
  }
  return result;
}

}  // namespace detail

/// Copies a number, a host array, a range of numbers (a vector, span, std::array, C array, list or view), or a
/// range of such ranges (a vector of vectors). Matrices, vectors and expressions of Eigen, its tensors and
/// std::mdspan keep their shape, whatever their layout. An array is returned as it is; an expression is
/// computed. If the type is named, the values are converted: asarray<float>(doubles).
template <class T = void, class Source>
  requires(std::is_void_v<T> || element<T>)
auto asarray(Source&& source) {
  using X = std::remove_reference_t<Source>;
  constexpr bool holds_arrays = detail::range_of_arrays<X>;
  static_assert(holds_arrays || detail::is_array_source_v<X>,
                "gnp: asarray copies numbers, ranges of numbers, and Eigen's dense matrices and tensors, which "
                "tell how they "
                "lie in memory: of what does not, pass data, a shape and strides, gnp::asarray(pointer, {2, "
                "3}, {.strides = {32, "
                "8}})");
  if constexpr (holds_arrays) {
    return asarray<T>(detail::array_of_arrays(source));
  } else if constexpr (detail::is_array_source_v<X>) {
    if constexpr (element<T> && element<std::remove_cv_t<X>>) detail::require_fit<T>(source, "asarray");
    const auto values = detail::as_own_array(source);
    if constexpr (std::is_void_v<T> || std::same_as<typename decltype(values.eval())::value_type, T>) {
      return values;
    } else {
      return array<T>(values.template astype<T>());
    }
  } else {
    return array<double>();  // so that the message above is the only error
  }
}

GNP_REFUSES_DTYPES(asarray)
template <class Number>
array<double> asarray(std::initializer_list<Number>, dtype) {
  static_assert(!std::is_same_v<Number, Number>,
                "gnp: the type of the elements is a template argument: write gnp::asarray<float>({1, 2, 3})");
  return {};
}

namespace detail {

GNP_REFUSED_OPTION(no_dtype_of_asarray,
                   "the type of the elements is a template argument: write gnp::asarray<float>({1, 2, 3})")
struct refused_asarray_options {
  by_name only = by_name();
  no_dtype_of_asarray dtype = {};
};

}  // namespace detail

template <element T>
array<T> asarray(std::initializer_list<T> values, const detail::refused_asarray_options&) {
  return detail::as_own_array(values);
}

// asarray({1.0, 2.0}), asarray({{1.0, 2.0}, {3.0, 4.0}}): the values have one type, which is the array's. If
// the type is named, braces nest to any depth and the types may mix.
template <class Named = void, element T>
  requires std::is_void_v<Named>
array<T> asarray(std::initializer_list<T> values) {
  return detail::as_own_array(values);
}
template <class Named = void, element T>
  requires std::is_void_v<Named>
array<T> asarray(std::initializer_list<std::initializer_list<T>> values) {
  return detail::as_own_array(values);
}
template <class Named = void, element T>
  requires std::is_void_v<Named>
array<T> asarray(std::initializer_list<std::initializer_list<std::initializer_list<T>>> values) {
  return detail::as_own_array(values);
}
template <class Named = void, element T>
  requires std::is_void_v<Named>
array<T> asarray(
    std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> values) {
  return detail::as_own_array(values);
}
/// Arrays, vectors or other ranges of numbers, of one type and one shape, as the rows of one array.
template <class Named = void, class Row>
  requires((std::is_void_v<Named> || element<Named>) && (array_like<Row> || detail::number_range<Row>))
auto asarray(std::initializer_list<Row> rows) {
  if constexpr (array_like<Row>) {
    return asarray<Named>(detail::array_of_arrays(rows));
  } else {
    return asarray<Named>(detail::as_own_array(rows));
  }
}
/// Any other braces. This overload exists only for its error message.
template <class Named = void>
  requires std::is_void_v<Named>
array<double> asarray(std::initializer_list<detail::any_values>) {
  static_assert(
      !std::is_void_v<Named>,
      "gnp: the type of these values is not clear: name it, gnp::asarray<double>({{1, 2.5}, {3, 4}}); arrays "
      "of several types are joined by gnp::stack(std::tuple(a, b))");
  return array<double>();
}

namespace detail {

template <element T>
array<T> list_on(device where, std::initializer_list<T> values) {
  const use_device guard(where);
  return asarray(values);
}
template <element T>
array<T> list_on(device where, std::initializer_list<std::initializer_list<T>> values) {
  const use_device guard(where);
  return asarray(values);
}

/// An array on x's device with the numbers in braces, for functions that take a list in addition to x. No type
/// is deduced from numbers of different types, so such functions have a second overload, for a list of double.
template <class X, class Values>
auto list_beside(const X& x, const Values& numbers) {
  if constexpr (array_like<X>) {
    const use_device guard(x.device());
    return asarray(numbers);
  } else {
    return asarray(numbers);
  }
}
/// The same where the values may already be an array.
template <class X, class Values>
auto list_or_array_beside(const X& x, const Values& values) {
  if constexpr (array_like<Values>) {
    return values;
  } else {
    return list_beside(x, values);
  }
}
/// Values in braces that are written to elements of type T. Literals are no halves, but become them.
template <class T>
using listed_value = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, double, T>;

/// Real numbers in braces, two at least, where empty braces and braces with names stand for options.
class listed_numbers {
 public:
  template <scalar_like A, scalar_like B, scalar_like... More>
    requires(!is_complex(dtype_of<A>) && !is_complex(dtype_of<B>) && (!is_complex(dtype_of<More>) && ...))
  listed_numbers(A first, B second, More... more)
      : numbers_{static_cast<double>(first), static_cast<double>(second), static_cast<double>(more)...} {}
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_;
};
template <class X>
array<double> list_beside(const X& x, const listed_numbers& list) {
  return list_beside(x, list.numbers());
}

/// The same for functions that compute in double.
template <class X>
array<double> list_beside(const X& x, std::initializer_list<any_real> numbers) {
  return list_beside(x, std::vector<double>(numbers.begin(), numbers.end()));
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
