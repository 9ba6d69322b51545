// SPDX-License-Identifier: MIT
// take, take_along_axis, nonzero and similar functions: reading with arrays of indices and with masks.
#pragma once

#include <gnp/array/array_list.hpp>
#include <gnp/array/asarray.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/exec/gather/index_arrays.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/named_arrays.hpp>
#include <gnp/routines/reductions.hpp>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// What happens to an index outside its axis in take() and similar functions: "raise" throws, "wrap" wraps
/// around, and "clip" takes the nearest valid index (negative indices do not count from the end then). (Not a
/// std::string_view: {"wrap", "clip"} would be one, from one pointer to the other.)
class index_mode {
 public:
  index_mode(const char* name) : name_(name) {}
  index_mode(std::string_view name) : name_(name) {}
  index_mode(const std::string& name) : name_(name) {}
  template <class... Several>
    requires(sizeof...(Several) > 1)
  index_mode(const Several&...) {
    static_assert(sizeof...(Several) < 2, "gnp: .mode is one mode, for all indices");
  }

  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};

struct take_options {
  by_name only = by_name();
  axes_t axis = none;
  index_mode mode = "raise";
};

namespace detail {

GNP_INLINE scalar::outside outside_of(index_mode mode, const char* function) {
  if (mode.name() == "raise") return scalar::outside::raise;
  if (mode.name() == "wrap") return scalar::outside::wrap;
  if (mode.name() == "clip") return scalar::outside::clip;
  throw error(std::string(function) + ": mode is \"raise\", \"wrap\" or \"clip\", got \"" +
              std::string(mode.name()) + "\"");
}

/// The axis given, which must be exactly one.
GNP_INLINE int one_axis(const axes_t& axis, int rank, const char* function) {
  if (axis.values().rank() != 1)
    throw shape_error(std::string(function) + ": takes exactly one axis, got " + to_string(axis.values()));
  return normalize_axis(axis.values()[0], rank, function);
}

/// An expression of bool: is each element other than zero?
template <class X>
auto truth_of(const X& x) {
  if constexpr (runs_first_v<X>) {
    return truth_of(x.eval());
  } else if constexpr (std::is_same_v<typename X::value_type, bool>) {
    return x;
  } else {
    return x.template astype<bool>();
  }
}

/// The position, in row-major order, of each element that is not zero.
template <array_like X>
array<std::int64_t> positions_of_nonzero(const X& x) {
  const auto condition = truth_of(x);
  return compact(position(condition.shape()), condition, condition.device());
}

/// Coordinate `axis` of positions in an array of this shape.
GNP_DECLARED_ON_USE array<std::int64_t> coordinate_of(const array<std::int64_t>& positions,
                                                      const shape_t& shape, int axis);

template <bool Writable, class T, class Index>
auto taken(const array<T>& a, const Index& index, int axis, scalar::outside beyond, const char* function) {
  static_assert(is_integer(dtype_of<typename Index::value_type>), "gnp: indices are integers");
  position at(a.shape(), a.element_strides(), 0);
  const shape_t shape = index.shape();
  at.extent.erase(axis);
  at.strides.erase(axis);
  for (int d = 0; d < shape.rank(); ++d) {
    at.extent.insert(axis + d, shape[d]);
    at.strides.insert(axis + d, 0);
  }
  return gather_node<Writable>(
      a, at, std::array{facts_of_axis(a.shape()[axis], a.element_strides()[axis], axis, beyond)}, function,
      with_axes_after(index, a.ndim() - 1 - axis));
}

/// A number has one axis for take and compress along an axis, as in NumPy.
template <class T>
array<T> with_an_axis(const array<T>& a) {
  return a.ndim() == 0 ? a.ravel() : a;
}

}  // namespace detail

/// The elements at these indices or, along an axis, the sub-arrays there, as an expression. Without an axis, x
/// is flattened.
template <array_like X, class Index>
auto take(const X& x, const Index& indices, const take_options& options = {}) {
  const auto a = x.eval();
  const scalar::outside beyond = detail::outside_of(options.mode, "take");
  const auto index = detail::index_operand(indices, a.device());
  if (!options.axis.given()) return detail::taken<false>(a.ravel(), index, 0, beyond, "take");
  const auto from = detail::with_an_axis(a);
  return detail::taken<false>(from, index, detail::one_axis(options.axis, from.ndim(), "take"), beyond, "take");
}
template <array_like X, class Index>
auto take(const X& x, const Index& indices, const axes_t& axis, take_options options = {}) {
  options.axis = axis;
  return take(x, indices, static_cast<const take_options&>(options));
}
template <array_like X>
auto take(const X& x, detail::listed_indices indices, const take_options& options = {}) {
  return take(x, detail::index_numbers(indices, "take"), options);
}
template <array_like X>
auto take(const X& x, detail::listed_indices indices, const axes_t& axis, take_options options = {}) {
  return take(x, detail::index_numbers(indices, "take"), axis, options);
}
/// Rows of indices: take(x, {{0, 2}, {1, 1}}).
template <array_like X>
auto take(const X& x, std::initializer_list<std::initializer_list<index_t>> indices,
          const take_options& options = {}) {
  return take(x, detail::list_beside(x, indices), options);
}
template <array_like X>
auto take(const X& x, std::initializer_list<std::initializer_list<index_t>> indices, const axes_t& axis,
          take_options options = {}) {
  return take(x, detail::list_beside(x, indices), axis, options);
}
#define GNP_TAKES_FROM_LISTS(parameters)                                                         \
  GNP_TAKES_LIST_FIRST(take, (parameters, const take_options& options = {}), (indices, options)) \
  GNP_TAKES_LIST_FIRST(take, (parameters, const axes_t& axis), (indices, axis))
GNP_TAKES_FROM_LISTS(const auto& indices)
GNP_TAKES_FROM_LISTS(detail::listed_indices indices)
#undef GNP_TAKES_FROM_LISTS

namespace detail {

/// a[..., indices[..., i, ...], ...] along one axis, with the other axes matched element by element.
/// `from_end`: do negative indices count from the end?
template <bool Writable, class T, class Index>
auto along_axis(const array<T>& a, const Index& index, int axis, const char* function, bool from_end = true) {
  static_assert(is_integer(dtype_of<typename Index::value_type>), "gnp: indices are integers");
  if (index.ndim() != a.ndim()) {
    throw shape_error(std::string(function) +
                      ": indices and array must have the same number of dimensions, got " +
                      std::to_string(index.ndim()) + " and " + std::to_string(a.ndim()));
  }
  shape_t others = a.shape();
  others[axis] = 1;
  position at(shape_t(), shape_t(others.size(), 0), 0);
  if (!broadcast_shapes(others, index.shape(), at.extent)) {
    throw index_error(std::string(function) + ": shape mismatch: indices of shape " + to_string(index.shape()) +
                      " do not fit an array of shape " + to_string(a.shape()) + " along axis " +
                      std::to_string(axis));
  }
  at.extent[axis] = index.shape()[axis];
  broadcast_strides(others, a.element_strides(), at.extent, at.strides.begin());
  at.strides[axis] = 0;
  std::array facts{facts_of_axis(a.shape()[axis], a.element_strides()[axis], axis)};
  if (!from_end) facts[0].from_end = 0;
  return gather_node<Writable>(a, at, facts, function, index);
}

}  // namespace detail

/// Elements at indices along an axis, by default the last one. The results of argmax and argsort are such
/// indices. An expression; indices broadcast to the array's other axes.
template <array_like X, class Index>
auto take_along_axis(const X& x, const Index& indices, const axes_t& axis = -1) {
  const auto a = x.eval();
  const auto index = detail::index_operand(indices, a.device());
  if (!axis.given()) return detail::along_axis<false>(a.ravel(), index, 0, "take_along_axis");
  return detail::along_axis<false>(a, index, detail::one_axis(axis, a.ndim(), "take_along_axis"),
                                   "take_along_axis");
}
template <array_like X, class Index>
auto take_along_axis(const X& x, const Index& indices, const axes_options& options) {
  return take_along_axis(x, indices, options.axis);
}

/// The positions of the nonzero elements in the flattened array.
template <array_like X>
array<std::int64_t> flatnonzero(const X& x) {
  const detail::asks_for_elements asking("flatnonzero");
  return detail::positions_of_nonzero(x);
}

/// The indices of the nonzero elements: for each axis, an array of their indices along it.
template <array_like X>
array_list<std::int64_t> nonzero(const X& x) {
  const detail::asks_for_elements asking("nonzero");
  const shape_t shape = x.shape();
  if (shape.rank() == 0)
    throw shape_error("nonzero: an array of rank 0 has no axis: use atleast_1d, or compare the number");
  if (shape.rank() > 1 && x.device().is_cpu())
    return detail::true_coordinates(detail::truth_of(x), false, "nonzero");
  const array<std::int64_t> positions = detail::positions_of_nonzero(x);
  array_list<std::int64_t> result;
  for (int axis = 0; axis < shape.rank(); ++axis)
    result.push_back(detail::coordinate_of(positions, shape, axis));
  return result;
}

namespace detail {

GNP_INLINE void require_axes(int axes, std::size_t wanted, const char* function) {
  if (axes == static_cast<int>(wanted)) return;
  throw shape_error(std::string(function) + ": " + std::to_string(wanted) +
                    " arrays were asked for, but the array has " + std::to_string(axes) + " axes");
}

}  // namespace detail

/// The same with the number of axes as a template argument, so that each array gets a name: auto [i, j] =
/// nonzero<2>(x);
template <std::size_t Count, array_like X>
std::array<array<std::int64_t>, Count> nonzero(const X& x) {
  detail::require_axes(x.ndim(), Count, "nonzero");
  return detail::named_arrays<Count>(nonzero(x));
}

GNP_TAKES_VALUES(nonzero)
GNP_TAKES_VALUES(flatnonzero)

/// where() with only a condition is nonzero(condition).
template <class X>
  requires array_like<std::remove_cvref_t<X>>
auto where(X&& condition) {
  return nonzero(condition);
}
template <std::size_t Count, array_like X>
auto where(const X& condition) {
  detail::require_axes(condition.ndim(), Count, "where");
  return nonzero<Count>(condition);
}

/// One row of indices for each nonzero element.
template <array_like X>
array<std::int64_t> argwhere(const X& x) {
  const detail::asks_for_elements asking("argwhere");
  const shape_t shape = x.shape();
  if (shape.rank() > 1 && x.device().is_cpu())
    return detail::true_coordinates(detail::truth_of(x), true, "argwhere").front();
  const array<std::int64_t> positions = detail::positions_of_nonzero(x);
  const array<std::int64_t> result(shape_t{positions.size(), shape.rank()}, positions.device(), "argwhere");
  for (int axis = 0; axis < shape.rank(); ++axis)
    result(all, axis).assign(detail::coordinate_of(positions, shape, axis));
  return result;
}

GNP_TAKES_VALUES(argwhere)

/// The elements of x where a condition with as many elements as x is true. Both are flattened.
template <array_like Condition, array_like X>
auto extract(const Condition& condition, const X& x) {
  const detail::asks_for_elements asking("extract");
  const auto keep = ravel(detail::truth_of(condition));
  const auto values = x.ravel();
  if (keep.size() > values.size()) {
    if (any(keep(slice(values.size(), none))).item())
      throw index_error("extract: the condition is true beyond the array's " + std::to_string(values.size()) +
                        " elements");
  }
  const index_t count = (std::min)(keep.size(), values.size());
  return detail::compact(values(slice(0, count)), keep(slice(0, count)), values.device());
}
GNP_TAKES_LISTS(extract)
GNP_TAKES_TWO_LISTS(extract)

struct compress_options {
  by_name only = by_name();
  axes_t axis = none;
};

/// The sub-arrays along an axis where a one-dimensional condition is true. The condition may be shorter than
/// the axis. Without an axis, x is flattened.
template <class Condition, array_like X>
auto compress(const Condition& condition, const X& x, const compress_options& options = {}) {
  const detail::asks_for_elements asking("compress");
  const auto a = x.eval();
  const auto keep = detail::truth_of(detail::index_operand(condition, a.device())).eval();
  if (keep.ndim() != 1)
    throw shape_error("compress: the condition has one axis, got shape " + to_string(keep.shape()));
  if (!options.axis.given() && keep.size() <= a.size())
    return detail::compact(a.ravel()(slice(0, keep.size())), keep, a.device());
  const array<std::int64_t> chosen = flatnonzero(keep);
  if (!options.axis.given())
    return array(detail::taken<false>(a.ravel(), chosen, 0, scalar::outside::raise, "compress"));
  const auto from = detail::with_an_axis(a);
  const int axis = detail::one_axis(options.axis, from.ndim(), "compress");
  return array(detail::taken<false>(from, chosen, axis, scalar::outside::raise, "compress"));
}
template <class Condition, array_like X>
auto compress(const Condition& condition, const X& x, const axes_t& axis) {
  return compress(condition, x, compress_options{.axis = axis});
}
/// A condition in braces: compress({true, false}, a).
template <array_like X>
auto compress(std::initializer_list<bool> condition, const X& x, const compress_options& options = {}) {
  return compress(std::vector<bool>(condition), x, options);
}
template <array_like X>
auto compress(std::initializer_list<bool> condition, const X& x, const axes_t& axis) {
  return compress(condition, x, compress_options{.axis = axis});
}

// The same functions as members.
namespace detail {

template <class Derived>
template <class Index>
auto array_members<Derived>::take(const Index& indices, const axes_t& axis) const {
  return gnp::take(derived(), indices, axis);
}
template <class Derived>
auto array_members<Derived>::take(listed_indices indices, const axes_t& axis) const {
  return gnp::take(derived(), indices, axis);
}
template <class Derived>
auto array_members<Derived>::take(std::initializer_list<std::initializer_list<index_t>> indices,
                                  const axes_t& axis) const {
  return gnp::take(derived(), indices, axis);
}
template <class Derived>
template <class Index>
auto array_members<Derived>::take(const Index& indices, const take_options& options) const {
  return gnp::take(derived(), indices, options);
}
template <class Derived>
auto array_members<Derived>::take(listed_indices indices, const take_options& options) const {
  return gnp::take(derived(), indices, options);
}
template <class Derived>
auto array_members<Derived>::take(std::initializer_list<std::initializer_list<index_t>> indices,
                                  const take_options& options) const {
  return gnp::take(derived(), indices, options);
}
template <class Derived>
auto array_members<Derived>::nonzero() const {
  return gnp::nonzero(derived());
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE array<std::int64_t> coordinate_of(const array<std::int64_t>& positions, const shape_t& shape,
                                                     int axis) {
  if (shape.rank() == 1) return positions;
  const index_t step = contiguous_strides(shape)[axis];
  if (axis == 0) return floor_divide(positions, step);
  return remainder(floor_divide(positions, step), shape[axis]);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
