// SPDX-License-Identifier: MIT
// Views with another shape: transpose, reshape, squeeze, broadcast_to, flip and similar functions. Each takes
// an array, or an expression, which it computes first.
#pragma once

#include <gnp/array/from_pointer.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/exec/assign.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

template <class T>
view_layout layout_of(const array<T>& a) {
  return {0, a.shape(), a.element_strides()};
}

template <class T>
array<T> permuted(const array<T>& a, const shape_t& axes, const char* function) {
  if (axes.rank() != a.ndim()) {
    throw shape_error(std::string(function) + ": axes " + to_string(axes) + " don't match an array of shape " +
                      to_string(a.shape()));
  }
  view_layout layout = layout_of(a);
  bool used[max_rank] = {};
  for (int d = 0; d < a.ndim(); ++d) {
    const int axis = normalize_axis(axes[d], a.ndim(), function);
    if (used[axis]) {
      throw shape_error(std::string(function) + ": repeated axis " + std::to_string(axes[d]) + " in " +
                        to_string(axes));
    }
    used[axis] = true;
    layout.shape[d] = a.shape()[axis];
    layout.strides[d] = a.element_strides()[axis];
  }
  return a.view(layout);
}

/// Fills in a -1, and checks that the new shape has as many elements as the old one.
GNP_DECLARED shape_t resolved_shape(const shape_t& asked, const shape_t& shape, index_t size);

template <class T>
array<T> reshaped(const array<T>& a, const shape_t& asked) {
  const shape_t shape = resolved_shape(asked, a.shape(), a.size());
  shape_t strides;
  if (a.size() == 0) return a.view({0, shape, contiguous_strides(shape)});
  if (reshape_strides(a.shape(), a.element_strides(), shape, strides)) return a.view({0, shape, strides});
  return a.copy().view({0, shape, contiguous_strides(shape)});
}

/// The layout of the same memory in elements of another type.
GNP_DECLARED view_layout layout_of_type(const view_layout& layout, dtype from, dtype to);

template <class U, class T>
array<U> viewed_as(const array<T>& a) {
  const view_layout layout = layout_of_type(layout_of(a), dtype_of<T>, dtype_of<U>);
  if (a.size() > 0) require_alignment(a.data(), dtype_of<U>, a.device(), "view");
  const array<U> result(a.block(), reinterpret_cast<U*>(a.data()), layout.shape, layout.strides);
  return a.is_read_only() ? read_only_view(result) : result;
}

}  // namespace detail

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

/// Each matrix of a stack transposed: its last two axes are exchanged.
template <array_like X>
array<typename X::value_type> matrix_transpose(const X& x) {
  const auto a = x.eval();
  if (a.ndim() < 2) {
    throw shape_error(std::string("matrix_transpose: needs at least 2 dimensions, got shape ") +
                      to_string(a.shape()));
  }
  shape_t axes;
  for (int d = 0; d < a.ndim(); ++d) axes.push_back(d);
  std::swap(axes[a.ndim() - 2], axes[a.ndim() - 1]);
  return detail::permuted(a, axes, "matrix_transpose");
}

template <array_like X>
array<typename X::value_type> swapaxes(const X& x, int first, int second) {
  const auto a = x.eval();
  shape_t axes;
  for (int d = 0; d < a.ndim(); ++d) axes.push_back(d);
  std::swap(axes[detail::normalize_axis(first, a.ndim(), "swapaxes")],
            axes[detail::normalize_axis(second, a.ndim(), "swapaxes")]);
  return detail::permuted(a, axes, "swapaxes");
}

/// Moves axes to new positions; the others keep their order.
template <array_like X>
array<typename X::value_type> moveaxis(const X& x, const shape_t& source, const shape_t& destination) {
  const auto a = x.eval();
  if (source.rank() != destination.rank()) {
    throw shape_error(std::string("moveaxis: source ") + to_string(source) + " and destination " +
                      to_string(destination) + " must have the same number of axes");
  }
  int axis_at[max_rank];
  bool moved[max_rank] = {};
  std::fill(axis_at, axis_at + max_rank, -1);
  for (std::size_t i = 0; i < source.size(); ++i) {
    const int from = detail::normalize_axis(source[i], a.ndim(), "moveaxis");
    const int to = detail::normalize_axis(destination[i], a.ndim(), "moveaxis");
    if (moved[from] || axis_at[to] >= 0) {
      throw shape_error(std::string("moveaxis: repeated axis in ") + to_string(source) + " or " +
                        to_string(destination));
    }
    moved[from] = true;
    axis_at[to] = from;
  }
  shape_t axes;
  int next = 0;
  for (int d = 0; d < a.ndim(); ++d) {
    while (axis_at[d] < 0 && moved[next]) ++next;
    axes.push_back(axis_at[d] >= 0 ? axis_at[d] : next++);
  }
  return detail::permuted(a, axes, "moveaxis");
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

/// Removes axes of size 1: all of them, or those given (which must have size 1).
template <array_like X>
array<typename X::value_type> squeeze(const X& x, const axes_t& axes = none) {
  const auto a = x.eval();
  const axes_t named = detail::axes_within(axes, a.ndim());
  const detail::axis_set chosen(named, a.ndim(), "squeeze");
  detail::view_layout layout;
  for (int d = 0; d < a.ndim(); ++d) {
    if (a.shape()[d] == 1 && chosen.chosen[d]) continue;
    if (named.given() && chosen.chosen[d]) {
      throw shape_error(std::string("squeeze: axis ") + std::to_string(d) + " of shape " +
                        to_string(a.shape()) + " has a size other than one");
    }
    layout.shape.push_back(a.shape()[d]);
    layout.strides.push_back(a.element_strides()[d]);
  }
  return a.view(layout);
}
template <array_like X>
auto squeeze(const X& x, const axes_options& options) {
  return squeeze(x, options.axis);
}

/// Inserts axes of size 1 at these positions of the result.
template <array_like X>
array<typename X::value_type> expand_dims(const X& x, const axes_t& axis) {
  if (!axis.given()) throw shape_error("expand_dims: an axis must be given");
  const auto a = x.eval();
  const shape_t& axes = axis.values();
  const int rank = a.ndim() + axes.rank();
  bool added[max_rank + 1] = {};
  if (rank > max_rank) shape_t(static_cast<std::size_t>(rank), 1);  // throws
  for (const index_t added_axis : axes) {
    const int d = detail::normalize_axis(added_axis, rank, "expand_dims");
    if (added[d]) throw shape_error(std::string("expand_dims: repeated axis in ") + to_string(axes));
    added[d] = true;
  }
  detail::view_layout layout;
  int next = 0;
  for (int d = 0; d < rank; ++d) {
    layout.shape.push_back(added[d] ? 1 : a.shape()[next]);
    layout.strides.push_back(added[d] ? 0 : a.element_strides()[next]);
    next += added[d] ? 0 : 1;
  }
  return a.view(layout);
}
template <array_like X>
auto expand_dims(const X& x, const axes_options& options) {
  return expand_dims(x, options.axis);
}

/// A view that repeats the array along new or size-1 axes, without a copy. It cannot be written to.
template <array_like X>
array<typename X::value_type> broadcast_to(const X& x, const shape_t& shape) {
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

namespace detail {

template <class D>
auto array_members<D>::T() const {
  return gnp::transpose(derived());
}
template <class D>
auto array_members<D>::mT() const {
  return gnp::matrix_transpose(derived());
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

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE shape_t resolved_shape(const shape_t& asked, const shape_t& shape, index_t size) {
  shape_t result = asked;
  index_t known = 1;
  int unknown = -1;
  for (int d = 0; d < asked.rank(); ++d) {
    if (asked[d] == -1 && unknown < 0) {
      unknown = d;
    } else if (asked[d] < 0) {
      throw shape_error(std::string("reshape: can only specify one unknown dimension, got ") +
                        to_string(asked));
    } else {
      known = asked[d] != 0 && known > (index_t{1} << 62) / asked[d] ? index_t{1} << 62 : known * asked[d];
    }
  }
  if (unknown >= 0 && known != 0 && size % known == 0) result[unknown] = size / known;
  const bool fits = unknown >= 0 ? known != 0 && size % known == 0 : known == size;
  if (!fits) {
    throw shape_error(std::string("reshape: cannot reshape array of shape ") + to_string(shape) + " (size " +
                      std::to_string(size) + ") into shape " + to_string(asked));
  }
  return result;
}

GNP_INLINE view_layout layout_of_type(const view_layout& layout, dtype from, dtype to) {
  const auto size = static_cast<index_t>(itemsize(from));
  const auto other = static_cast<index_t>(itemsize(to));
  if (size == other) return layout;
  const int last = layout.shape.rank() - 1;
  const bool is_empty = element_count(layout.shape, "view") == 0;
  const auto fail = [&](const std::string& why) {
    throw shape_error(std::string("view: ") + name(from) + " of shape " + to_string(layout.shape) +
                      " cannot be read as " + name(to) + ": " + why);
  };
  if (last < 0) fail("one number stays as large as it is");
  const index_t length = layout.shape[last];
  if (length > 1 && !is_empty && layout.strides[last] != 1)
    fail("the elements along the last axis do not lie one after the other");
  if (size < other && length % (other / size) != 0) {
    fail("the last axis has " + std::to_string(length * size) + " bytes, which are no multiple of " +
         std::to_string(other));
  }
  view_layout result = layout;
  result.shape[last] = size < other ? length / (other / size) : product_of_sizes(length, size / other, "view");
  result.strides = contiguous_strides(result.shape);
  for (int d = 0; d < last && !is_empty; ++d) {
    if (layout.shape[d] == 1) continue;  // its stride is never used
    if (layout.strides[d] * size % other != 0) {
      fail("the stride " + std::to_string(layout.strides[d] * size) + " of axis " + std::to_string(d) +
           " is not a multiple of " + std::to_string(other) + " bytes");
    }
    result.strides[d] = layout.strides[d] * size / other;
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
