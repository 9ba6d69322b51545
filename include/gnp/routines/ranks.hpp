// SPDX-License-Identifier: MIT
// atleast_1d, atleast_2d and atleast_3d, broadcast_shapes, broadcast_arrays and meshgrid: views with more axes.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/routines/joining.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

template <class T>
array<T> with_added_axes(const array<T>& a, const shape_t& added) {
  view_layout layout = layout_of(a);
  for (const index_t axis : added) {
    layout.shape.insert(static_cast<int>(axis), 1);
    layout.strides.insert(static_cast<int>(axis), 0);
  }
  return a.view(layout);
}

template <class X>
concept array_or_number = array_like<X> || element<X>;

template <array_or_number X>
auto as_array(const X& x) {
  if constexpr (array_like<X>) {
    return x.eval();
  } else {
    return array<X>(x);
  }
}

}  // namespace detail

/// A view with at least one axis; a number becomes an array.
template <detail::array_or_number X>
auto atleast_1d(const X& x) {
  const auto a = detail::as_array(x);
  return detail::with_added_axes(a, detail::axes_to_line(a.ndim()));
}
/// The same for several arrays, in their order: auto [a, b] = atleast_1d(x, y).
template <detail::array_or_number... X>
  requires(sizeof...(X) > 1)
auto atleast_1d(const X&... x) {
  return std::tuple(atleast_1d(x)...);
}
/// A view with at least two axes: one-dimensional arrays become a row.
template <detail::array_or_number X>
auto atleast_2d(const X& x) {
  const auto a = detail::as_array(x);
  return detail::with_added_axes(a, detail::axes_to_rows(a.ndim()));
}
template <detail::array_or_number... X>
  requires(sizeof...(X) > 1)
auto atleast_2d(const X&... x) {
  return std::tuple(atleast_2d(x)...);
}
/// A view with at least three axes: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1).
template <detail::array_or_number X>
auto atleast_3d(const X& x) {
  const auto a = detail::as_array(x);
  return detail::with_added_axes(a, detail::axes_to_depth(a.ndim()));
}
template <detail::array_or_number... X>
  requires(sizeof...(X) > 1)
auto atleast_3d(const X&... x) {
  return std::tuple(atleast_3d(x)...);
}

namespace detail {
GNP_DECLARED shape_t common_shape(const std::vector<shape_t>& shapes, const char* function);
}  // namespace detail

/// The shape that arrays of these shapes broadcast to.
GNP_INLINE shape_t broadcast_shapes(const std::vector<shape_t>& shapes) {
  return detail::common_shape(shapes, "broadcast_shapes");
}
/// The same for up to four shapes as separate arguments. An empty shape broadcasts to all.
GNP_INLINE shape_t broadcast_shapes(const shape_t& a, const shape_t& b, const shape_t& c = {},
                                    const shape_t& d = {}) {
  return broadcast_shapes(std::vector<shape_t>{a, b, c, d});
}

/// Each array broadcast to the common shape: auto [x, y] = broadcast_arrays(a, b). The results are views, which
/// cannot be written to if they were stretched.
template <array_like... X>
auto broadcast_arrays(const X&... x) {
  const shape_t shape = detail::common_shape({x.shape()...}, "broadcast_arrays");
  return std::tuple(broadcast_to(x, shape)...);
}
/// The same for a list of arrays, as a std::vector.
template <detail::range_of_arrays List>
auto broadcast_arrays(const List& list) {
  std::vector<shape_t> shapes;
  for (const auto& x : list) shapes.push_back(x.shape());
  const shape_t shape = detail::common_shape(shapes, "broadcast_arrays");
  std::vector<array<detail::joined_type<List>>> result;
  for (const auto& x : list) result.push_back(broadcast_to(x, shape));
  return result;
}

struct meshgrid_options {
  by_name only = by_name();
  bool copy = false;
  bool sparse = false;
  std::string_view indexing = "xy";
};

namespace detail {

/// The axis that coordinate `i` of `count` runs along: "xy" exchanges the first two axes.
GNP_INLINE int meshgrid_axis(int i, int count, std::string_view indexing) {
  if (indexing != "xy" && indexing != "ij") {
    throw error("meshgrid: valid values for `indexing` are 'xy' and 'ij', got '" + std::string(indexing) + "'");
  }
  return indexing == "xy" && count > 1 && i < 2 ? 1 - i : i;
}

template <class T>
array<T> meshgrid_part(const array<T>& x, int axis, const shape_t& shape, const meshgrid_options& options) {
  const array<T> flat = ravel(x);
  view_layout layout{0, shape_t(shape.size(), 1), shape_t(shape.size(), 0)};
  layout.shape[axis] = flat.size();
  layout.strides[axis] = flat.element_strides()[0];
  const array<T> line = flat.view(layout);
  const array<T> part = options.sparse ? line : array<T>(broadcast_to(line, shape));
  return options.copy ? array<T>(part.copy()) : part;
}

}  // namespace detail

/// The coordinate arrays of the grid that is spanned by lines of coordinates. They are views, which cannot be
/// written to: x and y are read in place, however large the grid is. `.copy` makes separate arrays instead.
template <detail::list_of_arrays Lines>
auto meshgrid(const Lines& lines, const meshgrid_options& options = {}) {
  std::vector<index_t> lengths;
  detail::for_each_part(lines, [&](const auto& x) { lengths.push_back(x.size()); });
  const auto count = static_cast<int>(lengths.size());
  shape_t shape(lengths.size(), 1);
  for (int i = 0; i < count; ++i) {
    shape[detail::meshgrid_axis(i, count, options.indexing)] = lengths[static_cast<std::size_t>(i)];
  }
  int next = 0;
  const auto part = [&](const auto& x) {
    return detail::meshgrid_part(x.eval(), detail::meshgrid_axis(next++, count, options.indexing), shape,
                                 options);
  };
  if constexpr (detail::range_of_arrays<Lines>) {
    std::vector<array<detail::joined_type<Lines>>> result;
    for (const auto& x : lines) result.push_back(part(x));
    return result;
  } else {
    return std::apply([&](const auto&... x) { return std::tuple{part(x)...}; }, lines);
  }
}
/// auto [x, y] = meshgrid(a, b, {.indexing = "ij"});
template <array_like X, array_like Y>
auto meshgrid(const X& x, const Y& y, const meshgrid_options& options = {}) {
  return meshgrid(std::tuple(x, y), options);
}
template <array_like X, array_like Y, array_like Z>
auto meshgrid(const X& x, const Y& y, const Z& z, const meshgrid_options& options = {}) {
  return meshgrid(std::tuple(x, y, z), options);
}
/// Lines in vectors are copied to the device of the other line, or to the default device.
template <class X, class Y>
  requires((detail::is_host_vector_v<X> && (detail::is_host_vector_v<Y> || array_like<Y>)) ||
           (array_like<X> && detail::is_host_vector_v<Y>))
auto meshgrid(const X& x, const Y& y, const meshgrid_options& options = {}) {
  return meshgrid(detail::list_or_array_beside(y, x), detail::list_or_array_beside(x, y), options);
}
/// Lines in braces: meshgrid({1, 2}, x), meshgrid({1, 2}, {3.5, 4.5}).
#define GNP_MESHGRID_OF_BRACES(parameter, list_type)                             \
  template <parameter, class Y>                                                  \
    requires(array_like<Y> || detail::is_host_vector_v<Y>)                       \
  auto meshgrid(list_type x, const Y& y, const meshgrid_options& options = {}) { \
    return meshgrid(detail::list_beside(y, x), y, options);                      \
  }                                                                              \
  template <class X, parameter>                                                  \
    requires(array_like<X> || detail::is_host_vector_v<X>)                       \
  auto meshgrid(const X& x, list_type y, const meshgrid_options& options = {}) { \
    return meshgrid(x, detail::list_beside(x, y), options);                      \
  }
GNP_MESHGRID_OF_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_MESHGRID_OF_BRACES(class Nothing = void, std::initializer_list<detail::any_real>)
#undef GNP_MESHGRID_OF_BRACES
template <scalar_like A, scalar_like B>
auto meshgrid(std::initializer_list<A> x, std::initializer_list<B> y, const meshgrid_options& options = {}) {
  return meshgrid(asarray(x), asarray(y), options);
}
template <scalar_like A, scalar_like B, scalar_like C>
auto meshgrid(std::initializer_list<A> x, std::initializer_list<B> y, std::initializer_list<C> z,
              const meshgrid_options& options = {}) {
  return meshgrid(asarray(x), asarray(y), asarray(z), options);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI {

GNP_INLINE shape_t detail::common_shape(const std::vector<shape_t>& shapes, const char* function) {
  shape_t common;
  for (const shape_t& shape : shapes) {
    shape_t next;
    if (!detail::broadcast_shapes(common, shape, next)) {
      std::string all_shapes;
      for (const shape_t& s : shapes) all_shapes += s.empty() ? "" : " " + to_string(s);
      throw shape_error(std::string(function) +
                        ": shape mismatch: objects cannot be broadcast to a single shape:" + all_shapes);
    }
    common = next;
  }
  return common;
}

}}  // namespace gnp::GNP_ABI

#endif
