// SPDX-License-Identifier: MIT
// append, insert and delete_: new arrays with more elements, or fewer.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/integers.hpp>
#include <gnp/core/sort_places.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/joining.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {

/// append, insert and delete_: along an axis, or on the flattened array if no axis is given.
struct edit_options {
  by_name only = by_name();
  axes_t axis = none;
};

namespace detail {

/// Where insert and delete_ edit: at integers, at what a slice selects, or where a mask is true.
class edit_positions {
 public:
  edit_positions(const slice& range) : range_(range) {}
  template <class Integers>
    requires std::convertible_to<const Integers&, integers_t>
  edit_positions(const Integers& positions) {
    if constexpr (is_mask_v<Integers>) {
      mask_ = positions.eval();
    } else {
      integers_ = integers_t(positions);
    }
  }
  edit_positions(std::initializer_list<any_integer> positions) : integers_(positions) {}
  /// (A template, because {1, 0} could be read as a list of bool.)
  template <std::same_as<bool> Bool>
  edit_positions(std::initializer_list<Bool> mask) : mask_(asarray(mask)) {}
  edit_positions(const std::vector<bool>& mask) : mask_(asarray(mask)) {}

  const std::optional<slice>& range() const { return range_; }
  const std::optional<array<bool>>& mask() const { return mask_; }
  /// The positions as integers, on an axis of this length.
  GNP_DECLARED integers_t on(index_t length, const char* function) const;

 private:
  integers_t integers_ = {};
  std::optional<slice> range_;
  std::optional<array<bool>> mask_;
};

/// The array to edit, flattened if no axis is given, and the axis.
template <class T>
struct edited {
  array<T> a;
  int axis;

  template <class X>
  edited(const X& x, const axes_t& asked, const char* function)
      : a(asked.given() ? array<T>(x.eval()) : array<T>(ravel(x))), axis(0) {
    if (asked.given()) axis = normalize_axis(*one_axis(asked, function), a.ndim(), function);
  }
  index_t length() const { return a.shape()[axis]; }
  /// A new array that is longer or shorter along the axis.
  array<T> resized(index_t length, const char* function) const {
    shape_t shape = a.shape();
    shape[axis] = length;
    return array<T>(shape, a.device(), function);
  }
  /// Copies `count` elements along the axis from position `from` to position `to` of the result.
  void copy_to(const array<T>& result, index_t to, index_t from, index_t count) const {
    if (count > 0) stretch_of(result, axis, to, count).assign(stretch_of(a, axis, from, count));
  }
};

GNP_DECLARED index_t position_in(index_t position, index_t length, index_t last, int axis,
                                 const char* function);

/// The given positions on an axis of this length, each once, in ascending order.
GNP_DECLARED std::vector<index_t> positions_in_order(const integers_t& positions, index_t length, int axis,
                                                     const char* function);

/// The array without the elements at these positions, which are in ascending order.
template <class T>
array<T> without_positions(const edited<T>& source, const std::vector<index_t>& positions) {
  const array<T> result = source.resized(source.length() - static_cast<index_t>(positions.size()), "delete_");
  index_t written = 0;
  index_t read = 0;
  for (std::size_t i = 0; i <= positions.size(); ++i) {
    const index_t next = i < positions.size() ? positions[i] : source.length();
    source.copy_to(result, written, read, next - read);
    written += next - read;
    read = next + 1;
  }
  return result;
}

/// The array without `count` elements: every `step`-th one from `start` on. The elements in between are kept.
/// (Each pass copies one element from every gap, so that `step` - 1 passes copy all of them.)
template <class T>
array<T> without_comb(const edited<T>& source, index_t start, index_t count, index_t step) {
  const array<T> result = source.resized(source.length() - count, "delete_");
  source.copy_to(result, 0, 0, start);
  std::vector<index_arg> from(static_cast<std::size_t>(source.axis) + 1, index_arg(all));
  std::vector<index_arg> to = from;
  const index_t last = start + (count - 1) * step;
  for (index_t tooth = 1; tooth < step; ++tooth) {
    from.back() = slice(start + tooth, last, step);
    to.back() = slice(start + tooth - 1, start + (count - 1) * (step - 1), step - 1);
    result.index(to).assign(source.a.index(from));
  }
  source.copy_to(result, last + 1 - count, last + 1, source.length() - last - 1);
  return result;
}

/// What is inserted at one position. If the position is a number and not a list, the first axis of the values
/// runs along the axis.
template <class T, class Values>
array<T> inserted_values(const Values& values, int rank, int axis, bool is_number) {
  if constexpr (scalar_like<Values>) {
    return reshape(array<T>(make_constant<T>(values, "insert").value),
                   shape_t(static_cast<std::size_t>(rank), 1));
  } else {
    array<T> v = values.template astype<T>().eval();
    while (v.ndim() < rank) v = expand_dims(v, 0);
    return is_number ? moveaxis(v, 0, axis) : v;
  }
}

}  // namespace detail

/// The array followed by the values, along an axis; without an axis, both are flattened.
template <array_like X, class Values>
  requires(array_like<Values> || scalar_like<Values>)
auto append(const X& x, const Values& values, const edit_options& options = {}) {
  if constexpr (scalar_like<Values>) {
    using R = type_of<detail::promote_weak(dtype_of<typename X::value_type>, dtype_of<Values>)>;
    const use_device guard(x.device());
    return append(x, array<R>(detail::make_constant<R>(values, "append").value), options);
  } else {
    return detail::concatenated(std::tuple(x, values), options.axis, "append");
  }
}
template <array_like X, class Values>
  requires(array_like<Values> || scalar_like<Values>)
auto append(const X& x, const Values& values, const axes_t& axis) {
  return append(x, values, edit_options{.axis = axis});
}
template <scalar_like Number, array_like Values>
auto append(const Number& first, const Values& values) {
  using R = type_of<detail::promote_weak(dtype_of<typename Values::value_type>, dtype_of<Number>)>;
  const use_device guard(values.device());
  return append(array<R>(detail::make_constant<R>(first, "append").value), values);
}
#define GNP_APPEND_OF_BRACES(parameter, list_type)                              \
  template <array_like X, parameter>                                            \
  auto append(const X& x, list_type values, const edit_options& options = {}) { \
    return append(x, detail::list_beside(x, values), options);                  \
  }                                                                             \
  template <array_like X, parameter>                                            \
  auto append(const X& x, list_type values, const axes_t& axis) {               \
    return append(x, detail::list_beside(x, values), axis);                     \
  }
GNP_APPEND_OF_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_APPEND_OF_BRACES(class Nothing = void, std::initializer_list<detail::any_real>)
GNP_APPEND_OF_BRACES(scalar_like Number, std::initializer_list<std::initializer_list<Number>>)
GNP_APPEND_OF_BRACES(class Nothing = void, std::initializer_list<std::initializer_list<double>>)
#undef GNP_APPEND_OF_BRACES
GNP_TAKES_VECTORS(append, edit_options)
template <array_like X, class Values>
  requires(detail::is_host_vector_v<Values>)
auto append(const X& x, const Values& values, const axes_t& axis) {
  return append(x, detail::list_beside(x, values), axis);
}
GNP_REFUSES_VECTORS(append)

/// The array without the elements at one or several positions along an axis, those of a slice, or those where a
/// mask is true; without an axis, x is flattened.
template <array_like X>
auto delete_(const X& x, const detail::edit_positions& positions, const edit_options& options = {}) {
  const detail::edited<typename X::value_type> source(x, options.axis, "delete_");
  if (positions.mask()) {
    const array<bool>& mask = *positions.mask();
    if (mask.shape() != shape_t{source.length()}) {
      throw shape_error("delete_: a mask of shape " + to_string(mask.shape()) + " for axis " +
                        std::to_string(source.axis) + " with size " + std::to_string(source.length()));
    }
    return compress(logical_not(mask), source.a, {.axis = source.axis});
  }
  if (!positions.range()) {
    return detail::without_positions(
        source, detail::positions_in_order(positions.on(source.length(), "delete_"), source.length(),
                                           source.axis, "delete_"));
  }
  const auto range = detail::resolve(*positions.range(), source.length());
  constexpr index_t most = (std::numeric_limits<index_t>::max)();
  const index_t step = range.step < 0 ? -(std::max)(range.step, -most) : range.step;
  const index_t start = range.step < 0 ? range.start + (range.count - 1) * range.step : range.start;
  if (step > 1 && range.count > step) return detail::without_comb(source, start, range.count, step);
  std::vector<index_t> sorted;
  for (index_t i = 0; i < range.count; ++i) sorted.push_back(start + i * step);
  return detail::without_positions(source, sorted);
}
template <array_like X>
auto delete_(const X& x, const detail::edit_positions& positions, const axes_t& axis) {
  return delete_(x, positions, edit_options{.axis = axis});
}

/// The array with values inserted before one position, or before each of several: integers, those of a slice,
/// or those where a mask is true. Positions are those of x.
template <array_like X, class Values>
  requires(array_like<Values> || scalar_like<Values>)
auto insert(const X& x, const detail::edit_positions& where_, const Values& values,
            const edit_options& options = {}) {
  using T = typename X::value_type;
  const detail::edited<T> source(x, options.axis, "insert");
  const use_device guard(source.a.device());
  const integers_t positions = where_.on(source.length(), "insert");
  const int rank = source.a.ndim();
  const auto place = [&source](index_t p) {
    return detail::position_in(p, source.length(), source.length(), source.axis, "insert");
  };
  const bool is_number = positions.one().has_value();
  if (is_number || positions.values().size() == 1) {
    const index_t at = place(is_number ? *positions.one() : positions.values()[0]);
    const array<T> v = detail::inserted_values<T>(values, rank, source.axis, is_number);
    const index_t added = v.ndim() == rank ? v.shape()[source.axis] : 1;
    const array<T> result = source.resized(source.length() + added, "insert");
    source.copy_to(result, 0, 0, at);
    detail::assign(detail::stretch_of(result, source.axis, at, added), v, "insert");
    source.copy_to(result, at + added, at, source.length() - at);
    return result;
  }
  std::vector<index_t> at(positions.values());
  for (index_t& p : at) p = place(p);
  std::vector<std::size_t> order(at.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  detail::sort_places(order, [&at](std::size_t i) { return at[i]; });
  const auto count = static_cast<index_t>(at.size());
  const array<T> result = source.resized(source.length() + count, "insert");
  shape_t shape = source.a.shape();
  shape[source.axis] = count;
  if constexpr (array_like<Values>) {
    if (!detail::broadcasts_to(values.shape(), shape)) {
      throw shape_error("insert: values of shape " + to_string(values.shape()) + " do not fit " +
                        std::to_string(count) + " positions along axis " + std::to_string(source.axis) +
                        " of an array of shape " + to_string(source.a.shape()));
    }
  }
  const array<T> v = [&] {
    if constexpr (scalar_like<Values>) {
      return array<T>(broadcast_to(array<T>(detail::make_constant<T>(values, "insert").value), shape));
    } else {
      return array<T>(broadcast_to(values.template astype<T>(), shape));
    }
  }();
  index_t read = 0;
  index_t added = 0;
  for (const std::size_t i : order) {
    source.copy_to(result, read + added, read, at[i] - read);
    read = at[i];
    detail::stretch_of(result, source.axis, read + added, 1)
        .assign(detail::stretch_of(v, source.axis, static_cast<index_t>(i), 1));
    ++added;
  }
  source.copy_to(result, read + added, read, source.length() - read);
  return result;
}
template <array_like X, class Values>
  requires(array_like<Values> || scalar_like<Values>)
auto insert(const X& x, const detail::edit_positions& positions, const Values& values, const axes_t& axis) {
  return insert(x, positions, values, edit_options{.axis = axis});
}
// The values in braces, or in a std::vector.
#define GNP_INSERT_LIST(parameter, list_type)                                                              \
  template <array_like X, parameter>                                                                       \
  auto insert(const X& x, const detail::edit_positions& positions, list_type values,                       \
              const edit_options& options = {}) {                                                          \
    return insert(x, positions, detail::list_beside(x, values), options);                                  \
  }                                                                                                        \
  template <array_like X, parameter>                                                                       \
  auto insert(const X& x, const detail::edit_positions& positions, list_type values, const axes_t& axis) { \
    return insert(x, positions, detail::list_beside(x, values), edit_options{.axis = axis});               \
  }
GNP_INSERT_LIST(scalar_like Number, std::initializer_list<Number>)
GNP_INSERT_LIST(class Nothing = void, std::initializer_list<double>)
GNP_INSERT_LIST(scalar_like Number, std::initializer_list<std::initializer_list<Number>>)
GNP_INSERT_LIST(class Nothing = void, std::initializer_list<std::initializer_list<double>>)
GNP_INSERT_LIST(detail::host_vector Values, const Values&)
#undef GNP_INSERT_LIST
// The array in braces: append({1, 2}, 3), insert({1, 2}, 0, {8, 9}), delete_({1, 2}, 0).
#define GNP_EDITS_OF_BRACES(function, parameters, arguments)                                                \
  GNP_TAKES_VALUES_BESIDE(function, (GNP_WITHOUT_PARENTHESES parameters, const edit_options& options = {}), \
                          (GNP_WITHOUT_PARENTHESES arguments, options))                                     \
  GNP_TAKES_VALUES_BESIDE(function, (GNP_WITHOUT_PARENTHESES parameters, const axes_t& axis),               \
                          (GNP_WITHOUT_PARENTHESES arguments, axis))
GNP_EDITS_OF_BRACES(append, (const auto& added), (added))
GNP_EDITS_OF_BRACES(append, (std::initializer_list<Number> added), (added))
GNP_EDITS_OF_BRACES(append, (std::initializer_list<std::initializer_list<Number>> added), (added))
GNP_EDITS_OF_BRACES(insert, (const detail::edit_positions& positions, const auto& added), (positions, added))
GNP_EDITS_OF_BRACES(insert, (const detail::edit_positions& positions, std::initializer_list<Number> added),
                    (positions, added))
GNP_EDITS_OF_BRACES(insert,
                    (const detail::edit_positions& positions,
                     std::initializer_list<std::initializer_list<Number>> added),
                    (positions, added))
GNP_EDITS_OF_BRACES(delete_, (const detail::edit_positions& positions), (positions))
#undef GNP_EDITS_OF_BRACES
GNP_REFUSES_MIXED_NUMBERS(append, class Values, const Values&, const edit_options& = {})
GNP_REFUSES_MIXED_NUMBERS(insert, class Values, const detail::edit_positions&, const Values&,
                          const edit_options& = {})
GNP_REFUSES_MIXED_NUMBERS(delete_, class Nothing = void, const detail::edit_positions&,
                          const edit_options& = {})

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE integers_t edit_positions::on(index_t length, const char* function) const {
  if (mask_) {
    if (mask_->ndim() != 1)
      throw shape_error(std::string(function) + ": a mask has one axis, got shape " +
                        to_string(mask_->shape()));
    return flatnonzero(*mask_);
  }
  if (!range_) return integers_;
  const slice_range range = resolve(*range_, length);
  std::vector<index_t> positions;
  for (index_t i = 0; i < range.count; ++i) positions.push_back(range.start + i * range.step);
  return positions;
}

GNP_INLINE index_t position_in(index_t position, index_t length, index_t last, int axis, const char* function) {
  if (position < -length || position > last) {
    throw index_error(std::string(function) + ": index " + std::to_string(position) +
                      " is out of bounds for axis " + std::to_string(axis) + " with size " +
                      std::to_string(length));
  }
  return position < 0 ? position + length : position;
}

GNP_INLINE std::vector<index_t> positions_in_order(const integers_t& positions, index_t length, int axis,
                                                   const char* function) {
  std::vector<index_t> sorted = positions.one() ? std::vector<index_t>{*positions.one()} : positions.values();
  for (index_t& p : sorted) p = position_in(p, length, length - 1, axis, function);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
