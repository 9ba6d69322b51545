// SPDX-License-Identifier: MIT
// asarray: numbers of the host become an array on the default device.
#pragma once

#include <gnp/array/host_values.hpp>
#include <gnp/array/transfer.hpp>

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

/// asarray<float>({{1, 2}, {3, 4}}): nested braces are values.
template <element T>
array<T> asarray(const detail::nested_list<T>& values) {
  return asarray(values.all().data(), values.all().shape);
}

namespace detail {

/// The array of anything that asarray takes, in the source's own type.
template <class Source>
auto as_own_array(Source& source) {
  using X = std::remove_cv_t<Source>;
  if constexpr (array_like<X>) {
    return source.eval();
  } else if constexpr (is_host_array_v<X>) {
    return asarray(source.data(), source.shape());
  } else if constexpr (element<X>) {
    return asarray(&source, shape_t{});
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
    number_range<X>;

}  // namespace detail

/// Copies a number, a host array, or a range of numbers or of such ranges: a vector, span, std::array, C array,
/// list, a vector of vectors, a view. An array is itself; an expression is computed. With the type named,
/// values are converted: asarray<float>(doubles).
template <class T = void, class Source>
  requires(std::is_void_v<T> || element<T>)
auto asarray(Source&& source) {
  using X = std::remove_reference_t<Source>;
  static_assert(
      detail::is_array_source_v<X>,
      "gnp: asarray copies numbers and ranges of numbers, which do not tell how a matrix lies in memory: "
      "pass data and a shape, gnp::asarray(pointer, {rows, columns}), of what is row-major without gaps");
  if constexpr (detail::is_array_source_v<X>) {
    const auto values = detail::as_own_array(source);
    if constexpr (std::is_void_v<T> || std::same_as<typename decltype(values.eval())::value_type, T>) {
      return values;
    } else {
      return array<T>(values.template astype<T>());
    }
  }
}

// asarray({1.0, 2.0}), asarray({{1.0, 2.0}, {3.0, 4.0}}): the type of the values, which is one. With the type
// named, braces nest to any depth and may mix.
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
/// Any other braces: for the sentence.
template <class Named = void>
  requires std::is_void_v<Named>
void asarray(std::initializer_list<detail::any_values>) {
  static_assert(
      !std::is_void_v<Named>,
      "gnp: the type of these values is not clear: name it, gnp::asarray<double>({{1, 2.5}, {3, 4}})");
}

}}  // namespace gnp::GNP_ABI
