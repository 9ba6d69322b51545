// SPDX-License-Identifier: MIT
// NumPy's methods of a ufunc with two operands: gnp::ufuncs::add.reduce(x), accumulate, reduceat, outer and at;
// also for a ufunc made with GNP_UFUNC. If the order of operations does not matter, the reductions and scans
// compute the result; otherwise it is computed in order.
#pragma once

#include <algorithm>
#include <gnp/array/transfer.hpp>
#include <gnp/exec/gather/fold_in_order.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/masked_reductions.hpp>
#include <gnp/routines/ufuncs_in_any_order.hpp>
#include <gnp/routines/updating.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

template <class Op, class T>
struct folded_by {
  static_assert(Op::arity == 2, "gnp: only a ufunc of two operands has this method");
  using type = T;
};
template <class Op, class T>
  requires(takes_operands<Op, array<T>, array<T>>)
struct folded_by<Op, T> {
  using type = typename expression<Op, array<T>, array<T>>::value_type;
};

/// The type in which elements of type T are folded: 64 bits for sums and products of integers, otherwise the
/// type of the ufunc's result, if the ufunc also takes that type.
template <class Op, class T>
using folded_type = std::conditional_t<std::is_same_v<Op, operations::add_ufunc> ||
                                           std::is_same_v<Op, operations::multiply_ufunc>,
                                       summed_type<T>, typename folded_by<Op, T>::type>;

/// x in the type in which it is folded, contiguous.
template <class Op, array_like X>
auto elements_to_fold(const X& x) {
  using T = typename X::value_type;
  using R = folded_type<Op, T>;
  static_assert(takes_operands<Op, array<T>, array<T>> || Op::arity != 2,
                "gnp: this ufunc is not defined for these element types");
  constexpr bool takes_its_results = std::is_same_v<typename folded_by<Op, R>::type, R>;
  constexpr bool keeps_numbers = in_any_order<Op>::known || !std::is_same_v<R, bool> || std::is_same_v<T, bool>;
  static_assert(takes_its_results && keeps_numbers,
                "gnp: this ufunc's result is not what it takes: it cannot be given to the ufunc again");
  return ascontiguousarray(in_type<R>(x));
}

/// Does a reduction of these elements keep more digits than they have? NumPy rounds its sums, differences,
/// products and quotients of halves once, at the end.
template <class Op, class T>
inline constexpr bool rounds_once =
    is_16_bit_float<T> &&
    (std::is_same_v<Op, operations::add_ufunc> || std::is_same_v<Op, operations::subtract_ufunc> ||
     std::is_same_v<Op, operations::multiply_ufunc> || std::is_same_v<Op, operations::divide_ufunc>);

/// "subtract.reduce"
template <class Op>
std::string method_of(const char* method) {
  return std::string(Op::name) + "." + method;
}

/// Throws what the function that computes a reduction would throw in its own name.
template <class Op>
void check_reduction(const shape_t& shape, const axes_t& axis) {
  static const std::string function = method_of<Op>("reduce");
  const axis_set axes(axis, shape.rank(), function.c_str());
  constexpr bool needs_elements =
      std::is_same_v<Op, operations::maximum_ufunc> || std::is_same_v<Op, operations::minimum_ufunc> ||
      std::is_same_v<Op, operations::fmax_ufunc> || std::is_same_v<Op, operations::fmin_ufunc>;
  if (needs_elements && reduced_length(shape, axes) == 0) {
    throw shape_error(function + ": zero-size array of shape " + to_string(shape) + " to reduction operation " +
                      Op::name + " which has no identity");
  }
}

/// The numbers of elements before, along and after an axis.
inline fold_in_order fold_along(const shape_t& shape, int axis) {
  fold_in_order fold;
  for (int d = 0; d < shape.rank(); ++d)
    (d < axis ? fold.outer : d > axis ? fold.inner : fold.length) *= shape[d];
  return fold;
}

/// Reduces one axis, in order.
template <class Op, array_like X>
auto reduce_in_order(const X& x, const axes_t& axis, bool keep) {
  const std::string function = method_of<Op>("reduce");
  const auto elements = elements_to_fold<Op>(x);
  using R = typename decltype(elements)::value_type;
  if constexpr (rounds_once<Op, R>) {
    return array<R>(in_type<R>(reduce_in_order<Op>(in_type<float>(elements), axis, keep)));
  } else {
    const axis_set axes(axis, x.ndim(), function.c_str());
    if (axes.count == 0) return elements;
    if (axes.count > 1) {
      throw shape_error(function +
                        ": the order of the operations matters, so at most one axis may be given, got " +
                        (axis.given() ? to_string(axis.values()) : std::string("all")));
    }
    const int along = static_cast<int>(std::find(axes.chosen, axes.chosen + x.ndim(), true) - axes.chosen);
    const array<R> result(reduced_shape(elements.shape(), axes, keep), elements.device(), function.c_str());
    const fold_in_order fold = fold_along(elements.shape(), along);
    if (fold.length == 0) {
      throw shape_error(function + ": zero-size array of shape " + to_string(x.shape()) +
                        " to reduction operation " + Op::name + " which has no identity");
    }
    compute_in_order<Op>(fold, elements, nullptr, result);
    return result;
  }
}

template <class Op, array_like X>
auto accumulate_in_order(const X& x, int axis) {
  const auto elements = elements_to_fold<Op>(x);
  fold_in_order fold = fold_along(elements.shape(), axis);
  fold.running = true;
  const decltype(elements) result(elements.shape(), elements.device(), Op::name);
  compute_in_order<Op>(fold, elements, nullptr, result);
  return result;
}

/// Indices of any kind, contiguous on the CPU.
template <class Index>
array<std::int64_t> indices_on_cpu(const Index& indices) {
  if constexpr (array_like<Index>) {
    static_assert(is_integer(dtype_of<typename Index::value_type>), "gnp: indices are integers");
    if (indices.ndim() != 1)
      throw shape_error("reduceat: indices must have one dimension, got shape " + to_string(indices.shape()));
    return ascontiguousarray(in_type<std::int64_t>(indices)).to(device::cpu());
  } else {
    std::vector<std::int64_t> all;
    for (const auto& index : indices) {
      static_assert(std::is_integral_v<std::remove_cvref_t<decltype(index)>>, "gnp: indices are integers");
      all.push_back(static_cast<std::int64_t>(index));
    }
    const array<std::int64_t> result(shape_t{static_cast<index_t>(all.size())}, device::cpu(), "reduceat");
    std::copy(all.begin(), all.end(), result.data());
    return result;
  }
}

[[noreturn]] GNP_INLINE void throw_segment_index(const std::string& function, std::int64_t index,
                                                 index_t length) {
  throw index_error(function + ": index " + std::to_string(index) + " is out of bounds for an axis of size " +
                    std::to_string(length));
}

/// The begin and end of each of reduceat's segments, on the CPU: from one index up to the next, or a single
/// element if the next index is not greater.
template <class Index>
array<std::int64_t> segment_bounds(const Index& given, index_t length, const std::string& function) {
  const array<std::int64_t> indices = indices_on_cpu(given);
  const index_t count = indices.size();
  const array<std::int64_t> bounds(shape_t{count, 2}, device::cpu(), function.c_str());
  const std::int64_t* const begin = indices.data();
  std::int64_t* const to = bounds.data();
  for (index_t i = 0; i < count; ++i) {
    if (begin[i] < 0 || begin[i] >= length) throw_segment_index(function, begin[i], length);
    const std::int64_t next = i + 1 < count ? begin[i + 1] : length;
    to[2 * i] = begin[i];
    to[2 * i + 1] = (std::max)(next, begin[i] + 1);
  }
  return bounds;
}

/// The average length of segments from which on a separate reduction for each is worthwhile.
inline constexpr index_t long_segment = 1 << 14;

template <class Op, array_like X>
auto reduce_segments(const X& x, const array<std::int64_t>& bounds, int axis) {
  const std::string function = method_of<Op>("reduceat");
  const auto elements = elements_to_fold<Op>(x);
  using R = typename decltype(elements)::value_type;
  if constexpr (rounds_once<Op, R>) {
    return array<R>(in_type<R>(reduce_segments<Op>(in_type<float>(elements), bounds, axis)));
  } else {
    const index_t segments = bounds.shape()[0];
    const std::int64_t* const ends = bounds.data();
    shape_t shape = elements.shape();
    shape[axis] = segments;
    const array<R> result(shape, elements.device(), function.c_str());
    if (result.size() == 0) return result;
    if constexpr (in_any_order<Op>::known) {
      index_t covered = 0;
      for (index_t i = 0; i < segments; ++i) covered += ends[2 * i + 1] - ends[2 * i];
      if (covered / segments >= long_segment) {
        for (index_t i = 0; i < segments; ++i) {
          const std::int64_t begin = ends[2 * i];
          const std::int64_t end = ends[2 * i + 1];
          const auto segment = stretch_of(elements, axis, begin, end - begin);
          const auto to = stretch_of(result, axis, i, 1);
          // A single element is passed on unchanged.
          if (end - begin == 1) {
            to.assign(segment);
          } else {
            to.assign(in_any_order<Op>::reduce(segment, axis, true));
          }
        }
        return result;
      }
    }
    fold_in_order fold = fold_along(elements.shape(), axis);
    fold.segments = segments;
    const array<std::int64_t> on_device = bounds.to(elements.device());
    compute_in_order<Op>(fold, elements, &on_device, result);
    return result;
  }
}

}  // namespace detail

/// Reduces all elements along an axis to one: sum for add, max for maximum; x0 - x1 - x2 for subtract, in
/// order.
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::reduce(const X& x, const ufunc_reduce_options& options) const {
  const auto& elements = detail::in_type<R>(x);
  // NumPy returns a single number unchanged, though it has no first or last axis.
  const bool number = x.ndim() == 0 && options.axis.given() &&
                      (options.axis.values() == shape_t{0} || options.axis.values() == shape_t{-1});
  const axes_t axis = number ? axes_t(none) : options.axis;
  // Sums of small integers have 64 bits; an explicit type keeps the low bits of them.
  if constexpr (detail::in_any_order<Op>::known) {
    using T = typename std::remove_cvref_t<decltype(elements)>::value_type;
    constexpr bool is_defined = detail::takes_operands<Op, array<T>, array<T>>;
    static_assert(is_defined, "gnp: this ufunc is not defined for these element types");
    detail::check_reduction<Op>(x.shape(), axis);
    if constexpr (!is_defined) {
      return array<T>();
    } else {
      return detail::in_type<R>(detail::in_any_order<Op>::reduce(elements, axis, options.keepdims));
    }
  } else {
    return detail::in_type<R>(detail::reduce_in_order<Op>(elements, axis, options.keepdims));
  }
}
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::reduce(const X& x, const axes_t& axis, ufunc_reduce_options options) const {
  options.axis = axis;
  return reduce<R>(x, static_cast<const ufunc_reduce_options&>(options));
}
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::reduce(const X& x, const ufunc_initial_options& options) const {
  static const std::string function = detail::method_of<Op>("reduce");
  using V = typename decltype(reduce<R>(x, ufunc_reduce_options()))::value_type;
  const V initial = detail::initial_element<V>(options.initial.value, function.c_str());
  if (x.ndim() == 0) return array<V>(detail::in_type<V>((*this)(initial, x)));
  const detail::axis_set axes(options.axis, x.ndim(), function.c_str());
  const shape_t shape = detail::reduced_shape(x.shape(), axes, options.keepdims);
  if (detail::reduced_length(x.shape(), axes) == 0) {
    array<V> first(shape, x.device(), function.c_str());
    first.fill(initial);
    return first;
  }
  const ufunc_reduce_options plain{.axis = options.axis, .keepdims = options.keepdims};
  if constexpr (detail::in_any_order<Op>::known) {
    const auto rest = reduce<R>(x, plain);
    return array<V>(detail::in_type<V>((*this)(initial, rest)));
  } else {
    // Along more axes than one, the reduction of x says why not.
    if (axes.count != 1) return array<V>(reduce<R>(x, plain));
    array<V> first(detail::reduced_shape(x.shape(), axes, true), x.device(), function.c_str());
    first.fill(initial);
    const array<V> all_of_them =
        detail::concatenated(std::tuple(first, detail::in_type<V>(x)), options.axis, function.c_str());
    return array<V>(reduce<R>(all_of_them, plain));
  }
}
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::reduce(const X& x, const axes_t& axis, ufunc_initial_options options) const {
  options.axis = axis;
  return reduce<R>(x, static_cast<const ufunc_initial_options&>(options));
}

/// The result of each element and all before it along an axis: cumsum for add.
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::accumulate(const X& x, const accumulate_options& options) const {
  const std::string function = detail::method_of<Op>("accumulate");
  if (x.ndim() == 0) throw shape_error(function + ": cannot accumulate on a scalar");
  const int axis = detail::normalize_axis(options.axis, x.ndim(), function.c_str());
  const auto& elements = detail::in_type<R>(x);
  using T = typename std::remove_cvref_t<decltype(elements)>::value_type;
  constexpr bool is_defined = detail::takes_operands<Op, array<T>, array<T>>;
  static_assert(is_defined, "gnp: this ufunc is not defined for these element types");
  if constexpr (!is_defined) {
    return array<T>();
  } else if constexpr (requires {
                         &detail::in_any_order<Op>::template accumulate<
                             std::remove_cvref_t<decltype(elements)>>;
                       }) {
    return detail::in_type<R>(detail::in_any_order<Op>::accumulate(elements, axis));
  } else {
    return detail::in_type<R>(detail::accumulate_in_order<Op>(elements, axis));
  }
}
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::accumulate(const X& x, int axis) const {
  return accumulate<R>(x, accumulate_options{.axis = axis});
}

/// The reduction of each segment of an axis: from each index up to the next one, the last up to the end.
template <class Op>
template <class R, array_like X, class Index>
auto ufunc<Op>::reduceat(const X& x, const Index& indices, const accumulate_options& options) const {
  const std::string function = detail::method_of<Op>("reduceat");
  if (x.ndim() == 0) throw shape_error(function + ": cannot reduceat on a scalar");
  const int axis = detail::normalize_axis(options.axis, x.ndim(), function.c_str());
  return detail::in_type<R>(detail::reduce_segments<Op>(
      detail::in_type<R>(x), detail::segment_bounds(indices, x.shape()[axis], function), axis));
}
template <class Op>
template <class R, array_like X, class Index>
auto ufunc<Op>::reduceat(const X& x, const Index& indices, int axis) const {
  return reduceat<R>(x, indices, accumulate_options{.axis = axis});
}
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::reduceat(const X& x, std::initializer_list<index_t> indices,
                         const accumulate_options& options) const {
  return reduceat<R>(x, std::vector<index_t>(indices), options);
}
template <class Op>
template <class R, array_like X>
auto ufunc<Op>::reduceat(const X& x, std::initializer_list<index_t> indices, int axis) const {
  return reduceat<R>(x, std::vector<index_t>(indices), accumulate_options{.axis = axis});
}

/// The operation on each element of x with each of y, as an expression of shape x.shape + y.shape.
template <class Op>
template <class X, class Y>
auto ufunc<Op>::outer(const X& x, const Y& y) const {
  static_assert(Op::arity == 2, "gnp: only a ufunc of two operands has this method");
  if constexpr (array_like<X> && array_like<Y>) {
    shape_t axes;
    for (int d = 0; d < y.ndim(); ++d) axes.push_back(x.ndim() + d);
    return detail::apply<Op>(expand_dims(x, axes), y);
  } else {
    return detail::apply<Op>(x, y);
  }
}

/// x(index) = op(x(index), values), where each repeated index counts: see add_at.
template <class Op>
template <class... At, class V>
void ufunc<Op>::at(const expression<At...>& selected, const V& values, const at_options& options) const {
  detail::update_at<Op>(selected, values, options.any_order, detail::method_of<Op>("at").c_str());
}
template <class Op>
template <element T, class Index, class V>
void ufunc<Op>::at(const array<T>& x, const Index& index, const V& values, const at_options& options) const {
  if constexpr (detail::is_index_list_v<Index>) {
    at(x(index), values, options);
  } else {
    at(detail::select<true>(x, detail::index_on(index, x.device())), values, options);
  }
}
template <class Op>
template <element T, class V>
void ufunc<Op>::at(const array<T>& x, detail::indices_of_update indices, const V& values,
                   const at_options& options) const {
  detail::with_indices(indices, x.device(), [&](const auto& index) { at(x, index, values, options); });
}

}}  // namespace gnp::GNP_ABI
