// SPDX-License-Identifier: MIT
// searchsorted and digitize: where values belong in a sorted list, in the order of sort.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/exec/sort/search.hpp>
#include <gnp/routines/array_or_list.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/manipulation.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

/// An order in which a table is sorted: an array, a std::vector, or numbers in braces, two at least.
using search_order = detail::optional_array_or_list<index_t>;

/// The options of searchsorted: `side` is the "left" or the "right" of equal elements; `sorter` is an order in
/// which the table is sorted.
struct searchsorted_options {
  by_name only = by_name();
  std::string_view side = "left";
  search_order sorter = {};
};

struct digitize_options {
  by_name only = by_name();
  bool right = false;
};

namespace detail {

/// A table's elements in the order that the user gives as `sorter`.
template <class T>
array<T> in_order(const array<T>& table, const array<index_t>& sorter) {
  if (sorter.ndim() != 1 || sorter.size() != table.size()) {
    throw shape_error("searchsorted: sorter.size must equal a.size, got shapes " + to_string(sorter.shape()) +
                      " " + to_string(table.shape()));
  }
  return along_axis<false>(table, sorter, 0, "searchsorted", false);
}

/// The contiguous elements of an array, or a number as an array of rank 0, in type T.
template <class T, class X>
array<T> elements_as(const X& x, gnp::device where) {
  if constexpr (scalar_like<X>) {
    const use_device guard(where);
    return array<T>(static_cast<T>(x));
  } else if constexpr (std::is_same_v<typename X::value_type, T>) {
    return ascontiguousarray(x);
  } else {
    return ascontiguousarray(x.template astype<T>());
  }
}

template <class X>
constexpr dtype dtype_of_operand() {
  if constexpr (scalar_like<X>) {
    return dtype_of<X>;
  } else {
    return dtype_of<typename X::value_type>;
  }
}

}  // namespace detail

/// Where each element of v would have to be inserted into a sorted list so that the list stays sorted: before
/// the first element that is not less or, with {.side = "right"}, after the last one that is not greater.
template <array_like A, class V>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(const A& a, const V& v, const searchsorted_options& options = {}) {
  using T = type_of<promote(dtype_of<typename A::value_type>, detail::dtype_of_operand<V>())>;
  if (a.ndim() != 1)
    throw shape_error("searchsorted: the table must have one dimension, got shape " + to_string(a.shape()));
  const bool right = options.side == "right";
  if (!right && options.side != "left") {
    throw error("searchsorted: search side must be 'left' or 'right' (got '" + std::string(options.side) +
                "')");
  }
  array<T> table = detail::elements_as<T>(a, a.device());
  const array<T> queries = detail::elements_as<T>(v, table.device());
  if (queries.device() != table.device()) throw device_error("searchsorted: arrays on several devices");
  if (options.sorter.given()) table = detail::in_order(table, options.sorter.on(table.device()));
  return detail::search(table, queries, right, "searchsorted");
}
/// The side in NumPy's place: searchsorted(a, v, "right").
template <array_like A, class V, std::convertible_to<std::string_view> Side>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(const A& a, const V& v, const Side& side) {
  return searchsorted(a, v, searchsorted_options{.side = side});
}
template <array_like A, class V, std::convertible_to<std::string_view> Side>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(const A& a, const V& v, const Side& side, const search_order& sorter) {
  return searchsorted(a, v, searchsorted_options{.side = side, .sorter = sorter});
}
template <array_like A, scalar_like Number>
array<index_t> searchsorted(const A& a, std::initializer_list<Number> v,
                            const searchsorted_options& options = {}) {
  return searchsorted(a, detail::list_beside(a, v), options);
}
template <array_like A>
array<index_t> searchsorted(const A& a, std::initializer_list<double> v,
                            const searchsorted_options& options = {}) {
  return searchsorted(a, detail::list_beside(a, v), options);
}
template <array_like A, scalar_like Number, std::convertible_to<std::string_view> Side>
array<index_t> searchsorted(const A& a, std::initializer_list<Number> v, const Side& side) {
  return searchsorted(a, detail::list_beside(a, v), side);
}
template <array_like A, std::convertible_to<std::string_view> Side>
array<index_t> searchsorted(const A& a, std::initializer_list<double> v, const Side& side) {
  return searchsorted(a, detail::list_beside(a, v), side);
}
template <array_like A, scalar_like Number, std::convertible_to<std::string_view> Side>
array<index_t> searchsorted(const A& a, std::initializer_list<Number> v, const Side& side,
                            const search_order& sorter) {
  return searchsorted(a, detail::list_beside(a, v), side, sorter);
}

GNP_TAKES_VECTORS(searchsorted, searchsorted_options)

// The table in braces: searchsorted({1, 2, 5}, x).
template <scalar_like Number, class V>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(std::initializer_list<Number> a, const V& v,
                            const searchsorted_options& options = {}) {
  return searchsorted(detail::list_beside(v, a), v, options);
}
template <class V>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(std::initializer_list<double> a, const V& v,
                            const searchsorted_options& options = {}) {
  return searchsorted(detail::list_beside(v, a), v, options);
}
template <class A, class V>
  requires(detail::is_host_vector_v<A> && (array_like<V> || scalar_like<V>))
array<index_t> searchsorted(const A& a, const V& v, const searchsorted_options& options = {}) {
  return searchsorted(detail::list_beside(v, a), v, options);
}
/// The table and what to look for in braces: searchsorted({1, 2, 5}, {0, 2.5}).
template <scalar_like A, scalar_like V>
array<index_t> searchsorted(std::initializer_list<A> a, std::initializer_list<V> v,
                            const searchsorted_options& options = {}) {
  return searchsorted(asarray(a), asarray(v), options);
}
template <class Nothing = void>
array<index_t> searchsorted(std::initializer_list<double> a, std::initializer_list<double> v,
                            const searchsorted_options& options = {}) {
  return searchsorted(asarray(detail::on_use<Nothing>(a)), asarray(detail::on_use<Nothing>(v)), options);
}
template <scalar_like A, scalar_like V, std::convertible_to<std::string_view> Side>
array<index_t> searchsorted(std::initializer_list<A> a, std::initializer_list<V> v, const Side& side) {
  return searchsorted(asarray(a), asarray(v), side);
}
/// The table in braces, and the side in NumPy's place.
template <scalar_like Number, class V, std::convertible_to<std::string_view> Side>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(std::initializer_list<Number> a, const V& v, const Side& side) {
  return searchsorted(detail::list_beside(v, a), v, side);
}
template <class V, std::convertible_to<std::string_view> Side>
  requires(array_like<V> || scalar_like<V>)
array<index_t> searchsorted(std::initializer_list<double> a, const V& v, const Side& side) {
  return searchsorted(detail::list_beside(v, a), v, side);
}
GNP_REFUSES_VECTORS_BESIDE_A_LIST(searchsorted, searchsorted_options)

/// The number of the bin that contains each element of x: bins[i - 1] <= x < bins[i], or with {.right = true}
/// bins[i - 1] < x <= bins[i]. For descending bins: bins[i - 1] > x >= bins[i], or bins[i - 1] >= x > bins[i].
/// NaN counts as greater than every number, among the bins as in x. Waits, to find out whether the bins ascend
/// or descend.
template <class X, array_like B>
  requires(array_like<X> || scalar_like<X>)
array<index_t> digitize(const X& x, const B& bins, const digitize_options& options = {}) {
  const detail::asks_for_elements asking("digitize");
  static_assert(!is_complex(detail::dtype_of_operand<X>()) && !is_complex(dtype_of<typename B::value_type>),
                "gnp: digitize: x and bins may not be complex");
  using T = typename B::value_type;
  if (bins.ndim() != 1)
    throw shape_error("digitize: bins must have one dimension, got shape " + to_string(bins.shape()));
  const array<T> edges = bins.eval();
  const host_array<T> on_host = asnumpy(edges);
  // By keys, as the search compares: there is a place for NaN, after the numbers, only in the order of sort.
  bool ascending = true;
  bool descending = true;
  for (index_t i = 1; i < on_host.size(); ++i) {
    const auto before = detail::sort_key(on_host[i - 1]);
    const auto key = detail::sort_key(on_host[i]);
    ascending = ascending && !(key < before);
    descending = descending && !(before < key);
  }
  if (!ascending && !descending) throw error("digitize: bins must be monotonically increasing or decreasing");
  const searchsorted_options side{.side = options.right ? "left" : "right"};
  if (ascending) return searchsorted(edges, x, side);
  return edges.size() - searchsorted(flip(edges), x, side);
}
template <class X, scalar_like Number>
  requires(array_like<X> || scalar_like<X>)
array<index_t> digitize(const X& x, std::initializer_list<Number> bins, const digitize_options& options = {}) {
  return digitize(x, detail::list_beside(x, bins), options);
}
template <class X>
  requires(array_like<X> || scalar_like<X>)
array<index_t> digitize(const X& x, std::initializer_list<double> bins, const digitize_options& options = {}) {
  return digitize(x, detail::list_beside(x, bins), options);
}

GNP_TAKES_VECTORS(digitize, digitize_options)
/// The option in NumPy's place: digitize(x, bins, true).
template <class X, class B, std::same_as<bool> Right>
auto digitize(const X& x, const B& bins, Right right) {
  return digitize(x, bins, digitize_options{.right = right});
}
template <class X, scalar_like Number, std::same_as<bool> Right>
auto digitize(const X& x, std::initializer_list<Number> bins, Right right) {
  return digitize(x, bins, digitize_options{.right = right});
}
template <class X, std::same_as<bool> Right>
auto digitize(const X& x, std::initializer_list<double> bins, Right right) {
  return digitize(x, bins, digitize_options{.right = right});
}
/// What to look for in braces: digitize({0.5, 2}, bins), digitize({0.5, 2}, {0, 1, 3}).
template <scalar_like Number, array_like B>
array<index_t> digitize(std::initializer_list<Number> x, const B& bins, const digitize_options& options = {}) {
  return digitize(detail::list_beside(bins, x), bins, options);
}
template <array_like B>
array<index_t> digitize(std::initializer_list<double> x, const B& bins, const digitize_options& options = {}) {
  return digitize(detail::list_beside(bins, x), bins, options);
}
template <scalar_like X, scalar_like B>
array<index_t> digitize(std::initializer_list<X> x, std::initializer_list<B> bins,
                        const digitize_options& options = {}) {
  return digitize(asarray(x), asarray(bins), options);
}
template <class Nothing = void>
array<index_t> digitize(std::initializer_list<double> x, std::initializer_list<double> bins,
                        const digitize_options& options = {}) {
  return digitize(asarray(detail::on_use<Nothing>(x)), asarray(detail::on_use<Nothing>(bins)), options);
}
GNP_REFUSES_VECTORS_BESIDE_A_LIST(digitize, digitize_options)

}}  // namespace gnp::GNP_ABI
