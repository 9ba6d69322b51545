// SPDX-License-Identifier: MIT
// Views with another shape: transpose, reshape, squeeze, broadcast_to, flip and similar functions. Each takes
// an array, or an expression, which it computes first.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/array/from_pointer.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/routines/view_layouts.hpp>

namespace gnp { inline namespace GNP_ABI {

// NumPy's functions of the same names as members; a number is an array of rank 0.
template <array_like X>
shape_t shape(const X& x) {
  return x.shape();
}
template <scalar_like Number>
shape_t shape(const Number&) {
  return {};
}
template <array_like X>
int ndim(const X& x) {
  return x.ndim();
}
template <scalar_like Number>
int ndim(const Number&) {
  return 0;
}
template <array_like X>
index_t size(const X& x) {
  return x.size();
}
template <scalar_like Number>
index_t size(const Number&) {
  return 1;
}
/// The number of elements along one axis or several: size(x, 0), size(x, {0, 1}).
template <array_like X>
index_t size(const X& x, const axes_t& axis) {
  const shape_t sizes = x.shape();
  const detail::axis_set counted(axis, sizes.rank(), "size");
  index_t count = 1;
  for (int d = 0; d < sizes.rank(); ++d) count *= counted.chosen[d] ? sizes[d] : 1;
  return count;
}

/// The axes in another order; reversed if `axes` is left out.
template <array_like X>
array<typename X::value_type> transpose(const X& x) {
  const auto a = x.eval();
  shape_t axes;
  for (int d = a.ndim() - 1; d >= 0; --d) axes.push_back(d);
  return detail::permuted(a, axes, "transpose");
}
template <array_like X>
array<typename X::value_type> transpose(const X& x, const shape_t& axes) {
  return detail::permuted(x.eval(), axes, "transpose");
}
template <array_like X>
array<typename X::value_type> permute_dims(const X& x, const shape_t& axes) {
  return detail::permuted(x.eval(), axes, "permute_dims");
}

namespace detail {

template <class T>
array<T> transposed_matrices(const array<T>& a, const char* function) {
  if (a.ndim() < 2) {
    throw shape_error(std::string(function) + ": needs at least 2 dimensions, got shape " +
                      to_string(a.shape()));
  }
  return permuted(a, swapped_axes(a.ndim(), -2, -1), function);
}

}  // namespace detail

/// Each matrix of a stack transposed: its last two axes are exchanged.
template <array_like X>
array<typename X::value_type> matrix_transpose(const X& x) {
  return detail::transposed_matrices(x.eval(), "matrix_transpose");
}

template <array_like X>
array<typename X::value_type> swapaxes(const X& x, int first, int second) {
  const auto a = x.eval();
  return detail::permuted(a, detail::swapped_axes(a.ndim(), first, second), "swapaxes");
}

/// Moves axes to new positions; the others keep their order.
template <array_like X>
array<typename X::value_type> moveaxis(const X& x, const shape_t& source, const shape_t& destination) {
  const auto a = x.eval();
  return detail::permuted(a, detail::moved_axes(a.ndim(), source, destination), "moveaxis");
}

/// The same elements in another shape: a view if the layout allows it, otherwise a copy. One size may be -1.
template <array_like X>
array<typename X::value_type> reshape(const X& x, const shape_t& shape) {
  return detail::reshaped(x.eval(), shape);
}

/// All elements in one dimension, in row-major order: a view of a contiguous array, otherwise a copy.
template <array_like X>
array<typename X::value_type> ravel(const X& x) {
  const auto a = x.eval();
  return detail::reshaped(a.is_contiguous() ? a : a.copy(), shape_t{a.size()});
}

GNP_REFUSES_ORDER(reshape, (const array_like auto&, const shape_t&, ))
GNP_REFUSES_ORDER(ravel, (const array_like auto&, ))

/// Removes axes of size 1: all of them, or those given (which must have size 1).
template <array_like X>
array<typename X::value_type> squeeze(const X& x, const axes_t& axes = none) {
  const auto a = x.eval();
  return a.view(detail::squeezed_layout(detail::layout_of(a), axes));
}
template <array_like X>
auto squeeze(const X& x, const axes_options& options) {
  return squeeze(x, options.axis);
}

/// Inserts axes of size 1 at these positions of the result.
template <array_like X>
array<typename X::value_type> expand_dims(const X& x, const axes_t& axis) {
  const auto a = x.eval();
  return a.view(detail::layout_with_axes(detail::layout_of(a), axis));
}
template <array_like X>
auto expand_dims(const X& x, const axes_options& options) {
  return expand_dims(x, options.axis);
}

/// A view that repeats the array along new or size-1 axes, without a copy. It cannot be written to.
template <array_like X>
array<typename X::value_type> broadcast_to(const X& x, const shape_t& shape) {
  detail::element_count(shape, "broadcast_to");
  const auto a = x.eval();
  if (!detail::broadcasts_to(a.shape(), shape)) {
    throw shape_error(std::string("broadcast_to: cannot broadcast shape ") + to_string(a.shape()) +
                      " to shape " + to_string(shape));
  }
  detail::view_layout layout{0, shape, shape_t(shape.size(), 0), true};
  detail::broadcast_strides(a.shape(), a.element_strides(), shape, layout.strides.begin());
  return a.view(layout);
}

/// Reverses the elements along these axes; along all axes if `axes` is left out.
template <array_like X>
array<typename X::value_type> flip(const X& x, const axes_t& axes = none) {
  const auto a = x.eval();
  const detail::axis_set flipped(axes, a.ndim(), "flip");
  detail::view_layout layout = detail::layout_of(a);
  for (int d = 0; d < a.ndim(); ++d) {
    if (!flipped.chosen[d]) continue;
    if (a.size() > 0) layout.offset += (layout.shape[d] - 1) * layout.strides[d];
    layout.strides[d] = -layout.strides[d];
  }
  return a.view(layout);
}
template <array_like X>
auto flip(const X& x, const axes_options& options) {
  return flip(x, options.axis);
}
template <array_like X>
array<typename X::value_type> flipud(const X& x) {
  if (x.ndim() < 1) throw shape_error("flipud: array must be at least 1-d, got shape ()");
  return flip(x, 0);
}
template <array_like X>
array<typename X::value_type> fliplr(const X& x) {
  if (x.ndim() < 2) throw shape_error("fliplr: array must be at least 2-d, got shape " + to_string(x.shape()));
  return flip(x, 1);
}

GNP_TAKES_VALUES(flip)
GNP_TAKES_VALUES(flipud)
GNP_TAKES_VALUES(fliplr)
GNP_TAKES_VALUES(transpose)

/// A new row-major array with the same elements (NumPy's ndarray.copy).
template <array_like X>
array<typename X::value_type> copy(const X& x) {
  return x.copy();
}
/// The array itself if it is already row-major, otherwise a copy.
template <array_like X>
array<typename X::value_type> ascontiguousarray(const X& x) {
  const auto a = x.eval();
  return a.is_contiguous() ? a : a.copy();
}
/// The array in column-major order: the array itself if it already has that order, otherwise a copy.
template <array_like X>
array<typename X::value_type> asfortranarray(const X& x) {
  return ascontiguousarray(x.eval().T()).T();
}
/// Do the memory ranges of both arrays, each from its first to its last element, overlap?
template <element A, element B>
bool may_share_memory(const array<A>& a, const array<B>& b) {
  if (a.size() == 0 || b.size() == 0) return false;
  const auto stretch = [](const auto& x) {
    const detail::view_layout layout = detail::layout_of(x);
    const detail::element_span span = detail::span_of(x.ndim(), layout.shape.begin(), layout.strides.begin());
    const auto first = reinterpret_cast<std::uintptr_t>(x.data());
    const auto size = static_cast<index_t>(sizeof(*x.data()));
    return std::pair(first + static_cast<std::uintptr_t>(span.first * size),
                     first + static_cast<std::uintptr_t>((span.last + 1) * size));
  };
  const auto [first_a, end_a] = stretch(a);
  const auto [first_b, end_b] = stretch(b);
  return first_a < end_b && first_b < end_a;
}
/// Copies elements into an array, broadcasting and converting.
template <element T, class X>
  requires(array_like<X> || scalar_like<X>)
void copyto(const array<T>& destination, const X& source) {
  detail::assign(destination, source, "copyto");
}
/// The elements in braces, or in a std::vector.
template <element T, scalar_like Number>
void copyto(const array<T>& destination, std::initializer_list<Number> source) {
  copyto(destination, detail::list_beside(destination, source));
}
template <element T>
void copyto(const array<T>& destination, std::initializer_list<double> source) {
  copyto(destination, detail::list_beside(destination, source));
}
template <element T, class Source>
  requires(detail::is_host_vector_v<Source>)
void copyto(const array<T>& destination, const Source& source) {
  copyto(destination, detail::list_beside(destination, source));
}

namespace detail {

template <class D>
auto array_members<D>::T() const {
  return gnp::transpose(derived());
}
template <class D>
auto array_members<D>::mT() const {
  return transposed_matrices(derived().eval(), "mT");
}
template <class D>
template <plain_number... Axes>
auto array_members<D>::transpose(Axes... axes) const {
  if constexpr (sizeof...(Axes) == 0) {
    return gnp::transpose(derived());
  } else {
    return gnp::transpose(derived(), shape_t{axes...});
  }
}
template <class D>
auto array_members<D>::transpose(const shape_t& axes) const {
  return gnp::transpose(derived(), axes);
}
template <class D>
template <one_size... Count>
auto array_members<D>::reshape(const Count&... sizes) const {
  return gnp::reshape(derived(), shape_t{sizes...});
}
template <class D>
auto array_members<D>::reshape(const shape_t& shape) const {
  return gnp::reshape(derived(), shape);
}
template <class D>
auto array_members<D>::ravel() const {
  return gnp::ravel(derived());
}
template <class D>
auto array_members<D>::flatten() const {
  return gnp::reshape(gnp::copy(derived()), shape_t{-1});
}
template <class D>
template <element U>
auto array_members<D>::view() const {
  return viewed_as<U>(eval());
}
template <class D>
auto array_members<D>::swapaxes(int first, int second) const {
  return gnp::swapaxes(derived(), first, second);
}
template <class D>
auto array_members<D>::squeeze(const axes_t& axes) const {
  return gnp::squeeze(derived(), axes);
}
template <class D>
auto array_members<D>::squeeze(const axes_options& options) const {
  return gnp::squeeze(derived(), options);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
