// SPDX-License-Identifier: MIT
// lexsort: an order by several keys.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/sorting.hpp>
#include <initializer_list>
#include <tuple>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

/// lexsort: the axis of the keys that is sorted.
struct lexsort_options {
  by_name only = by_name();
  int axis = -1;
};

namespace detail {

/// An order by several keys, the least important one first: each key stably sorts the order that results from
/// the keys before it.
class lexical_order {
 public:
  explicit lexical_order(int axis) : axis_(axis) {}

  template <array_like X>
  void by(const X& x) {
    const auto key = x.eval();
    if (!begun_) {
      shape_ = key.shape();
      along_ = key.ndim() == 0 ? 0 : normalize_axis(axis_, key.ndim(), "lexsort");
    } else if (!(key.shape() == shape_)) {
      throw shape_error("lexsort: all keys need to be the same shape, got shapes " + to_string(shape_) + " " +
                        to_string(key.shape()));
    }
    const auto rows = key.ndim() == 0 ? key : ascontiguousarray(moveaxis(key, along_, -1));
    if (!begun_) {
      order_ = argsorted_rows(rows, false, "lexsort");
    } else {
      if (rows.device() != order_.device()) throw device_error("lexsort: keys on several devices");
      const int last = rows.ndim() - 1;
      if (last < 0) return;
      const auto so_far = along_axis<false>(rows, order_, last, "lexsort").eval();
      order_ = along_axis<false>(order_, argsorted_rows(so_far, false, "lexsort"), last, "lexsort");
    }
    begun_ = true;
  }

  array<index_t> result() const {
    if (!begun_) throw error("lexsort: need sequence of keys with len > 0 in lexsort");
    const int last = shape_.rank() - 1;
    return last < 0 || along_ == last ? order_ : moveaxis(order_, -1, along_).copy();
  }

 private:
  int axis_;
  int along_ = 0;
  bool begun_ = false;
  shape_t shape_;
  array<index_t> order_;
};

/// Any key in braces. It refers to its source, so it must not outlive the call that the braces are in.
class any_key {
 public:
  template <array_like X>
  any_key(const X& key)
      : key_(&key),
        sort_by_([](lexical_order& order, const void* source) { order.by(*static_cast<const X*>(source)); }) {}
  template <host_vector V>
  any_key(const V& key)
      : key_(&key), sort_by_([](lexical_order& order, const void* source) {
          order.by(asarray(*static_cast<const V*>(source)));
        }) {}
  void sort(lexical_order& order) const { sort_by_(order, key_); }

 private:
  const void* key_;
  void (*sort_by_)(lexical_order& order, const void* source);
};

}  // namespace detail

/// The order with the rows of an array as keys; the last row is the most important key.
template <array_like X>
array<index_t> lexsort(const X& keys, const lexsort_options& options = {}) {
  const auto list = keys.eval();
  if (list.ndim() == 0) throw shape_error("lexsort: the keys must be a sequence, got an array of rank 0");
  detail::lexical_order order(options.axis);
  for (index_t i = 0; i < list.shape()[0]; ++i) order.by(list(i));
  return order.result();
}
/// The same with keys of one type: lexsort({minor, major}).
template <element T>
array<index_t> lexsort(std::initializer_list<array<T>> keys, const lexsort_options& options = {}) {
  detail::lexical_order order(options.axis);
  for (const array<T>& key : keys) order.by(key);
  return order.result();
}
template <element T>
array<index_t> lexsort(const std::vector<array<T>>& keys, const lexsort_options& options = {}) {
  detail::lexical_order order(options.axis);
  for (const array<T>& key : keys) order.by(key);
  return order.result();
}
/// The same with formulas, vectors and keys of several types: lexsort({-minor, major}).
template <class Nothing = void>
  requires std::is_void_v<Nothing>
array<index_t> lexsort(std::initializer_list<detail::any_key> keys, const lexsort_options& options = {}) {
  detail::lexical_order order(options.axis);
  for (const detail::any_key& key : keys) key.sort(order);
  return order.result();
}
/// The same as a tuple: lexsort(std::tuple(minor, major)).
template <array_like... X>
array<index_t> lexsort(const std::tuple<X...>& keys, const lexsort_options& options = {}) {
  detail::lexical_order order(options.axis);
  std::apply([&](const X&... key) { (order.by(key), ...); }, keys);
  return order.result();
}
GNP_REFUSES_VECTORS(lexsort)

}}  // namespace gnp::GNP_ABI
