// SPDX-License-Identifier: MIT
// Writing with indices and masks: put, put_along_axis, putmask, place, fill_diagonal, add_at and similar
// functions.
#pragma once

#include <algorithm>
#include <gnp/array/asarray.hpp>
#include <gnp/exec/gather/assign_where.hpp>
#include <gnp/exec/gather/update_at.hpp>
#include <gnp/exec/scan/scan.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/mask.hpp>
#include <optional>
#include <tuple>

namespace gnp { inline namespace GNP_ABI {

struct put_options {
  by_name only = by_name();
  index_mode mode = "raise";
};

namespace detail {

/// Numbers of any kind as a one-dimensional array of T: a number, an array, an expression or a range on the
/// host.
template <class T, class V>
array<T> row_of(const V& values, device where, const char* function) {
  if constexpr (scalar_like<V>) {
    const array<T> one(shape_t{1}, where, function);
    assign(one, values, function);
    return one;
  } else {
    const auto all = index_operand(values, where);
    const array<T> row(all.shape(), where, function);
    assign(row, all, function);
    return row.view({0, shape_t{row.size()}, shape_t{1}});
  }
}

/// An expression: for each number in `index`, the value at that place, where `values` are repeated as often as
/// needed.
template <class T, class Index>
auto over_and_over(const array<T>& values, const shape_t& shape, const Index& index) {
  return gather_node<false>(values, position(shape, shape_t(shape.size(), 0), 0),
                            std::array{facts_of_axis(values.size(), 1, 0, scalar::outside::wrap)}, "put",
                            index);
}

/// Calls f with a's elements as one row. If the row is a copy, it is written back.
template <class T, class F>
void in_one_row(const array<T>& a, const F& f) {
  if (a.is_contiguous()) return f(a.view({0, shape_t{a.size()}, shape_t{1}}));
  check_writable(view_of(a), "put");
  const array<T> copy = a.copy();
  f(copy.view({0, shape_t{a.size()}, shape_t{1}}));
  a.assign(copy);
}

}  // namespace detail

/// Writes to the elements of the flattened array at these indices; values are repeated if there are fewer of
/// them.
template <element T, class Index, class V>
void put(const array<T>& a, const Index& indices, const V& values, const put_options& options = {}) {
  const scalar::outside beyond = detail::outside_of(options.mode, "put");
  const auto given = detail::index_operand(indices, a.device());
  const auto index = given.ravel();
  const array<T> row = detail::row_of<T>(values, a.device(), "put");
  if (row.size() == 0) return;
  detail::in_one_row(a, [&](const array<T>& flat) {
    const auto to = detail::taken<true>(flat, index, 0, beyond, "put");
    if (row.size() == index.size()) return detail::write_selected(to, row, "put");
    if (row.size() == 1) return detail::write_selected(to, row.view({0, shape_t{}, shape_t{}}), "put");
    detail::write_selected(
        to, array(detail::over_and_over(row, index.shape(), detail::position(index.shape()))), "put");
  });
}
template <element T, class V>
void put(const array<T>& a, detail::listed_indices indices, const V& values, const put_options& options = {}) {
  put(a, detail::index_numbers(indices, "put"), values, options);
}
template <element T, class Index>
void put(const array<T>& a, const Index& indices, std::initializer_list<detail::listed_value<T>> values,
         const put_options& options = {}) {
  put(a, indices, detail::list_beside(a, values), options);
}
template <element T>
void put(const array<T>& a, detail::listed_indices indices,
         std::initializer_list<detail::listed_value<T>> values, const put_options& options = {}) {
  put(a, detail::index_numbers(indices, "put"), detail::list_beside(a, values), options);
}

/// Writes at indices along an axis, at the places where take_along_axis would read.
template <element T, class Index, class V>
  requires(array_like<V> || scalar_like<V>)
void put_along_axis(const array<T>& a, const Index& indices, const V& values, const axes_t& axis = -1) {
  const auto index = detail::index_operand(indices, a.device());
  if (!axis.given()) {
    return detail::in_one_row(a, [&](const array<T>& row) {
      detail::write_selected(detail::along_axis<true>(row, index, 0, "put_along_axis"), values,
                             "put_along_axis");
    });
  }
  const int along = detail::one_axis(axis, a.ndim(), "put_along_axis");
  detail::write_selected(detail::along_axis<true>(a, index, along, "put_along_axis"), values, "put_along_axis");
}
template <element T, class Index, class V>
void put_along_axis(const array<T>& a, const Index& indices, const V& values, const axes_options& options) {
  put_along_axis(a, indices, values, options.axis);
}

/// Where the mask is true, writes the value with the same number as the element (in row-major order); values
/// are repeated if there are fewer values than elements.
template <element T, array_like Mask, class V>
void putmask(const array<T>& a, const Mask& mask, const V& values) {
  const auto keep = detail::truth_of(mask);
  if (keep.size() != a.size()) {
    throw shape_error("putmask: mask and data must be the same size, got shapes " + to_string(keep.shape()) +
                      " and " + to_string(a.shape()));
  }
  const array<T> row = detail::row_of<T>(values, a.device(), "putmask");
  if (row.size() == 0 || a.size() == 0) return;
  const auto same = reshape(keep, a.shape());
  // One value, or one for each element, needs no gather.
  if (row.size() == 1) return detail::assign_where(a, same, row.view({0, shape_t{}, shape_t{}}), "putmask");
  if (row.size() == a.size()) {
    return detail::assign_where(a, same, row.view({0, a.shape(), detail::contiguous_strides(a.shape())}),
                                "putmask");
  }
  detail::assign_where(a, same, detail::over_and_over(row, a.shape(), detail::position(a.shape())), "putmask");
}
template <element T, array_like Mask>
void putmask(const array<T>& a, const Mask& mask, std::initializer_list<detail::listed_value<T>> values) {
  putmask(a, mask, detail::list_beside(a, values));
}

/// copyto where a mask is true.
struct copyto_options {
  by_name only = by_name();
  detail::mask where;
};
template <element T, class X>
  requires(array_like<X> || scalar_like<X>)
void copyto(const array<T>& destination, const X& source, const copyto_options& options) {
  const array<bool> chosen = options.where.beside(destination.shape(), "copyto");
  if constexpr (array_like<X>) {
    shape_t both;
    if (!detail::broadcast_shapes(source.shape(), destination.shape(), both) ||
        !(both == destination.shape())) {
      detail::throw_no_broadcast(source.shape(), destination.shape(), "copyto");
    }
    detail::assign_where(destination, chosen, detail::in_type<T>(source), "copyto");
  } else {
    const array<T> one(shape_t{}, destination.device(), "copyto");
    detail::assign(one, source, "copyto");
    detail::assign_where(destination, chosen, one, "copyto");
  }
}

/// Where the mask is true, writes one value after the other; values are repeated if there are fewer of them.
template <element T, array_like Mask, class V>
void place(const array<T>& a, const Mask& mask, const V& values) {
  const auto keep = detail::truth_of(mask);
  if (keep.size() != a.size()) {
    throw shape_error("place: mask and data must be the same size, got shapes " + to_string(keep.shape()) +
                      " and " + to_string(a.shape()));
  }
  const array<T> row = detail::row_of<T>(values, a.device(), "place");
  if (a.size() == 0) return;
  if (row.size() == 0) {
    if (any(keep).item()) throw shape_error("place: cannot insert from an empty array");
    return;
  }
  const auto same = reshape(keep, a.shape());
  const array<std::int64_t> number = detail::accumulate<detail::running_sum_tag, std::int64_t, std::int64_t>(
      same, detail::axis_set(none, a.ndim(), "place"), "place");
  detail::assign_where(a, same, detail::over_and_over(row, a.shape(), number - std::int64_t{1}), "place");
}
template <element T, array_like Mask>
void place(const array<T>& a, const Mask& mask, std::initializer_list<detail::listed_value<T>> values) {
  place(a, mask, detail::list_beside(a, values));
}

struct fill_diagonal_options {
  by_name only = by_name();
  bool wrap = false;  // in a tall matrix, start again after one empty row
};

/// Writes the main diagonal, where all indices are equal: one number, or several that are repeated.
template <element T, class V>
void fill_diagonal(const array<T>& a, const V& value, const fill_diagonal_options& options = {}) {
  if (a.ndim() < 2)
    throw shape_error("fill_diagonal: array must be at least 2-d, got shape " + to_string(a.shape()));
  index_t step = 0;
  for (int d = 0; d < a.ndim(); ++d) {
    step += a.element_strides()[d];
    if (a.ndim() > 2 && a.shape()[d] != a.shape()[0])
      throw shape_error("fill_diagonal: all dimensions of input must be of equal length, got shape " +
                        to_string(a.shape()));
  }
  const array<T> row = detail::row_of<T>(value, a.device(), "fill_diagonal");
  if (a.size() == 0 || row.size() == 0) return;
  const index_t rows = a.shape()[0];
  const index_t columns = a.shape()[1];
  index_t done = 0;
  for (index_t first = 0; first < rows; first += columns + 1) {
    const index_t length = (std::min)(columns, rows - first);
    const array<T> diagonal = a.view({first * a.element_strides()[0], shape_t{length}, shape_t{step}});
    detail::assign(
        diagonal,
        detail::over_and_over(row, shape_t{length}, detail::position(shape_t{length}, shape_t{1}, done)),
        "fill_diagonal");
    done += length;
    if (!options.wrap || a.ndim() > 2) break;
  }
}
template <element T>
void fill_diagonal(const array<T>& a, std::initializer_list<detail::listed_value<T>> values,
                   const fill_diagonal_options& options = {}) {
  fill_diagonal(a, detail::list_beside(a, values), options);
}

namespace detail {

/// With a mask, each place occurs only once.
template <class Op, class T, class Mask, class V>
void update_masked(const masked<array<T>, Mask>& selected, const V& values, const char* function) {
  const auto updated = ufunc<Op>()(selected.compute(), values);
  check_same_kind<typename std::remove_cvref_t<decltype(updated)>::value_type, T>();
  selected.write(updated, function);
}

/// One of several indices in braces, add_at(a, {i, j}, values): an integer or an array of them.
class index_of_update {
 public:
  template <plain_index Index>
  index_of_update(Index i) : number_(one_index(i)) {}
  template <array_like X>
    requires plain_index<typename X::value_type>
  index_of_update(const X& index) {
    using value = typename X::value_type;
    if constexpr (std::is_unsigned_v<value> && sizeof(value) == 8) {
      // The largest values must not wrap around to negative indices.
      array_.emplace(minimum(index, value{1} << 62).template astype<std::int64_t>());
    } else {
      array_.emplace(index.template astype<std::int64_t>());
    }
  }

  bool has_axes() const { return array_ && array_->ndim() > 0; }
  index_t number() const { return array_ ? static_cast<index_t>(array_->item()) : number_; }
  array<std::int64_t> on_axis() const { return array_ ? *array_ : array<std::int64_t>(number_); }

 private:
  index_t number_ = 0;
  std::optional<array<std::int64_t>> array_;
};
using indices_of_update = std::initializer_list<index_of_update>;

/// Calls f with a list of arrays, one for each axis, or, if all are numbers, with these, which are all for the
/// first axis.
template <class F>
void with_indices(indices_of_update list, device where, const F& f) {
  if (std::ranges::any_of(list, &index_of_update::has_axes)) {
    const use_device guard(where);
    std::vector<array<std::int64_t>> arrays;
    for (const index_of_update& one : list) arrays.push_back(one.on_axis());
    f(arrays);
  } else {
    std::vector<index_t> numbers;
    for (const index_of_update& one : list) numbers.push_back(one.number());
    f(numbers);
  }
}

}  // namespace detail

// add_at(a, index, values) is NumPy's add.at: a(index) += values, where each repeated index counts. The first
// form takes several indices, add_at(a(i, j), values), or a mask, add_at(a(a > 0), values); several indices
// also go in a list, as nonzero returns it, in a tuple or, as arrays, in braces.
#define GNP_UFUNC_AT(function, operation)                                                                   \
  template <class Op, class... Operands, class V>                                                           \
    requires(detail::writes_through<Op> && (array_like<V> || scalar_like<V>))                               \
  void function(const expression<Op, Operands...>& selected, const V& values,                               \
                const at_options& options = {}) {                                                           \
    detail::update_at<operations::operation##_ufunc>(selected, values, options.any_order, #function);       \
  }                                                                                                         \
  template <element T, class Mask, class V>                                                                 \
    requires(array_like<V> || scalar_like<V>)                                                               \
  void function(const masked<array<T>, Mask>& selected, const V& values, const at_options& = {}) {          \
    detail::update_masked<operations::operation##_ufunc, T>(selected, values, #function);                   \
  }                                                                                                         \
  template <element T, class Index, class V>                                                                \
    requires(array_like<V> || scalar_like<V>)                                                               \
  void function(const array<T>& a, const Index& index, const V& values, const at_options& options = {}) {   \
    function(detail::select<true>(a, detail::index_on(index, a.device())), values, options);                \
  }                                                                                                         \
  template <element T, class V>                                                                             \
    requires(array_like<V> || scalar_like<V>)                                                               \
  void function(const array<T>& a, detail::indices_of_update indices, const V& values,                      \
                const at_options& options = {}) {                                                           \
    detail::with_indices(indices, a.device(), [&](const auto& at) { function(a, at, values, options); });   \
  }                                                                                                         \
  template <element T, class Index, class V>                                                                \
    requires(detail::is_index_list_v<Index> && (array_like<V> || scalar_like<V>))                           \
  void function(const array<T>& a, const Index& indices, const V& values, const at_options& options = {}) { \
    function(a(indices), values, options);                                                                  \
  }                                                                                                         \
  template <element T, class... Index, class V>                                                             \
    requires(array_like<V> || scalar_like<V>)                                                               \
  void function(const array<T>& a, const std::tuple<Index...>& indices, const V& values,                    \
                const at_options& options = {}) {                                                           \
    std::apply([&](const auto&... index) { function(a(index...), values, options); }, indices);             \
  }                                                                                                         \
  GNP_REFUSES_ALL_VECTORS(function)
GNP_UFUNC_AT(add_at, add)
GNP_UFUNC_AT(subtract_at, subtract)
GNP_UFUNC_AT(multiply_at, multiply)
GNP_UFUNC_AT(divide_at, divide)
GNP_UFUNC_AT(floor_divide_at, floor_divide)
GNP_UFUNC_AT(power_at, power)
GNP_UFUNC_AT(minimum_at, minimum)
GNP_UFUNC_AT(maximum_at, maximum)
GNP_UFUNC_AT(fmin_at, fmin)
GNP_UFUNC_AT(fmax_at, fmax)
GNP_UFUNC_AT(bitwise_and_at, bitwise_and)
GNP_UFUNC_AT(bitwise_or_at, bitwise_or)
GNP_UFUNC_AT(bitwise_xor_at, bitwise_xor)
#undef GNP_UFUNC_AT

}}  // namespace gnp::GNP_ABI
