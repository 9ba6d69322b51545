// SPDX-License-Identifier: MIT
// Arrays as sets: isin, intersect1d, union1d, setdiff1d, setxor1d.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/searching.hpp>
#include <gnp/routines/unique.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

/// isin: `invert` negates the answer. (The option that says that the arrays have no equal elements has no
/// effect.)
struct isin_options {
  by_name only = by_name();
  bool assume_unique = false;
  bool invert = false;
  detail::isin_kind kind = none;
};

/// Options for two sets: are both known to have no equal elements?
struct set_options {
  by_name only = by_name();
  bool assume_unique = false;
};

/// intersect1d that also returns where the elements are in both sets: {.return_indices = true}.
struct intersect1d_indices_options {
  by_name only = by_name();
  bool assume_unique = false;
  named_part return_indices;
};

template <class T>
struct intersect1d_result {
  array<T> values;
  array<index_t> indices1;
  array<index_t> indices2;
};

namespace detail {

template <array_like A, array_like B>
using common_element = type_of<promote(dtype_of<typename A::value_type>, dtype_of<typename B::value_type>)>;

/// The distinct elements of an array in order; with `assume_unique`, just the flattened array.
template <class T, array_like X>
array<T> set_of(const X& x, bool assume_unique) {
  const array<T> a = ascontiguousarray(array<T>(in_type<T>(x)).ravel());
  return assume_unique ? a : gnp::unique(a);
}

/// Tells which elements of x are in a sorted list.
template <class T, array_like X>
array<bool> are_in(const X& x, const array<T>& sorted, bool invert) {
  const array<T> values(in_type<T>(x));
  if (sorted.size() == 0) return filled<bool>(values.shape(), invert, values.device(), "isin");
  const array<index_t> at = minimum(searchsorted(sorted, values), sorted.size() - 1);
  if (invert) return array<bool>(sorted(at) != values);
  return array<bool>(sorted(at) == values);
}

GNP_DECLARED_ON_USE void mark_places(const array<bool>& table, const array<index_t>& places);

/// The same with a table of all integers between the smallest and the largest in a list. No result if these are
/// too far apart for a table.
template <class T, array_like X>
std::optional<array<bool>> are_in_table(const X& x, const array<T>& list, bool invert) {
  if (list.size() == 0) return {};
  const auto least = static_cast<std::uint64_t>(static_cast<T>((min)(list)));
  const std::uint64_t distance = static_cast<std::uint64_t>(static_cast<T>((max)(list))) - least;
  if (distance >= 6 * static_cast<std::uint64_t>(list.size() + x.size())) return {};
  const array<bool> table =
      filled<bool>(shape_t{static_cast<index_t>(distance) + 1}, false, list.device(), "isin");
  mark_places(table,
              array<index_t>((list.template astype<std::uint64_t>() - least).template astype<index_t>()));
  // Values less than the least wrap around to places beyond the table.
  const array<T> values(in_type<T>(x));
  const auto place = values.template astype<std::uint64_t>() - least;
  const auto found = table(minimum(place, distance).template astype<index_t>()) && place <= distance;
  return invert ? array<bool>(!found) : array<bool>(found);
}

/// Lists of this many values at most are compared value by value: for each four that is a pass over x, which
/// takes 0.4 ns for each of its elements, and searching for it 7 ns.
inline constexpr index_t few_to_compare = 32;

/// The same with a list of few values on the CPU.
template <class T>
array<bool> are_among_few(const array<T>& x, const array<T>& list, bool invert) {
  const auto value = [&list](index_t i) { return list.data()[(std::min)(i, list.size() - 1)]; };
  const auto is_one_of = [&](index_t i) {
    return x == value(i) || x == value(i + 1) || x == value(i + 2) || x == value(i + 3);
  };
  array<bool> found = is_one_of(0);
  for (index_t i = 4; i < list.size(); i += 4) found |= is_one_of(i);
  return invert ? array<bool>(!found) : found;
}

/// The same for truth values: what matters of a list is whether it has each of the two.
template <array_like X>
array<bool> is_among_truth_values(const X& x, const array<bool>& list, bool invert) {
  const bool has_true = any(list).item();
  const bool has_false = !all(list).item();
  return array<bool>(where(in_type<bool>(x), has_true != invert, has_false != invert));
}

/// Signed integers and the largest unsigned type: their common type is double, in which neighbouring integers
/// may be equal.
template <class X, class Y>
inline constexpr bool no_integer_holds_both =
    is_integer(dtype_of<typename X::value_type>) && is_integer(dtype_of<typename Y::value_type>) &&
    !is_integer(dtype_of<common_element<X, Y>>);

/// isin for these types, computed in the largest unsigned type, because a negative number is in no list of
/// unsigned numbers.
template <array_like X, array_like Y>
array<bool> is_in_of_either_sign(const X& x, const Y& test, const isin_options& options) {
  if constexpr (std::is_signed_v<typename X::value_type>) {
    const array<bool> found = isin(x.template astype<std::uint64_t>(), test, options);
    return options.invert ? array<bool>(found || x < 0) : array<bool>(found && x >= 0);
  } else {
    const array<typename Y::value_type> list(test);
    return isin(x, array<std::uint64_t>(list(list >= 0).template astype<std::uint64_t>()), options);
  }
}

/// Both sets in one sorted row, and which elements are equal to the next one.
template <class T>
struct merged_sets {
  array<T> sorted;
  array<bool> twice;
  merged_sets(const array<T>& both, const array<index_t>* order)
      : sorted(order == nullptr ? sorted_rows(both, false, "sets") : array<T>(both(*order))),
        twice(sorted(slice(none, -1)) == sorted(slice(1, none))) {}
};

}  // namespace detail

/// For each element of x, whether it is one of `test`.
template <array_like X, array_like Y>
array<bool> isin(const X& x, const Y& test, const isin_options& options = {}) {
  using T = detail::common_element<X, Y>;
  if constexpr (detail::no_integer_holds_both<X, Y>) {
    return detail::is_in_of_either_sign(x, test, options);
  } else {
    const array<T> given = detail::set_of<T>(test, true);
    if constexpr (std::is_same_v<T, bool>) {
      return detail::is_among_truth_values(x, given, options.invert);
    } else if constexpr (is_integer(dtype_of<T>)) {
      if (const auto found = detail::are_in_table<T>(x, given, options.invert)) return *found;
    }
    if (given.size() > 0 && given.size() <= detail::few_to_compare && given.device().is_cpu())
      return detail::are_among_few(array<T>(detail::in_type<T>(x)), given, options.invert);
    const array<T> list = detail::sorted_rows(given, false, "isin");
    return detail::are_in<T>(x, list, options.invert);
  }
}
template <array_like X, scalar_like Number>
array<bool> isin(const X& x, std::initializer_list<Number> test, const isin_options& options = {}) {
  return isin(x, detail::list_beside(x, test), options);
}
template <array_like X>
array<bool> isin(const X& x, std::initializer_list<double> test, const isin_options& options = {}) {
  return isin(x, detail::list_beside(x, test), options);
}

/// One value that is looked for.
template <array_like X, scalar_like Number>
array<bool> isin(const X& x, Number test, const isin_options& options = {}) {
  return isin(x, {test}, options);
}

/// The same for a number.
template <scalar_like X, array_like Y>
array<bool> isin(const X& x, const Y& test, const isin_options& options = {}) {
  const use_device guard(test.device());
  return isin(array<X>(x), test, options);
}
GNP_TAKES_VECTORS(isin, isin_options)
/// The same for a std::set or another range of numbers.
template <array_like X, detail::number_range Values>
  requires(!detail::is_host_vector_v<Values>)
array<bool> isin(const X& x, const Values& test, const isin_options& options = {}) {
  return isin(x, detail::list_beside(x, test), options);
}
/// The values that are looked for in braces: isin({1, 2}, x), isin({1, 2}, {2, 3}).
template <scalar_like Number, array_like Y>
array<bool> isin(std::initializer_list<Number> x, const Y& test, const isin_options& options = {}) {
  return isin(detail::list_beside(test, x), test, options);
}
template <array_like Y>
array<bool> isin(std::initializer_list<double> x, const Y& test, const isin_options& options = {}) {
  return isin(detail::list_beside(test, x), test, options);
}
template <scalar_like X, scalar_like Y>
array<bool> isin(std::initializer_list<X> x, std::initializer_list<Y> test, const isin_options& options = {}) {
  return isin(asarray(x), asarray(test), options);
}
template <scalar_like X, scalar_like Y>
array<bool> isin(X x, std::initializer_list<Y> test, const isin_options& options = {}) {
  return isin(x, asarray(test), options);
}
GNP_REFUSES_VECTORS_BESIDE_A_LIST(isin, isin_options)

/// The values that are in both, in order.
template <array_like A, array_like B>
auto intersect1d(const A& a, const B& b, const set_options& options = {}) {
  const detail::asks_for_elements asking("intersect1d");
  using T = detail::common_element<A, B>;
  const array<T> x = detail::set_of<T>(a, options.assume_unique);
  const array<T> y = detail::set_of<T>(b, options.assume_unique);
  if (x.size() + y.size() == 0) return x;
  const detail::merged_sets<T> merged(concatenate({x, y}), nullptr);
  return array<T>(merged.sorted(slice(none, -1))(merged.twice));
}
template <array_like A, array_like B>
auto intersect1d(const A& a, const B& b, const intersect1d_indices_options& options) {
  const detail::asks_for_elements asking("intersect1d");
  using T = detail::common_element<A, B>;
  array<T> x = detail::set_of<T>(a, true);
  array<T> y = detail::set_of<T>(b, true);
  array<index_t> first;
  array<index_t> second;
  if (!options.assume_unique) {
    const auto [x_values, x_places] = gnp::unique(x, {.return_index = true});
    const auto [y_values, y_places] = gnp::unique(y, {.return_index = true});
    x = x_values;
    y = y_values;
    first = x_places;
    second = y_places;
  }
  const array<T> both = concatenate({x, y});
  if (both.size() == 0) return intersect1d_result<T>{x, first, second};
  const array<index_t> order = detail::argsorted_rows(both, false, "intersect1d");
  const detail::merged_sets<T> merged(both, &order);
  array<index_t> at = order(slice(none, -1))(merged.twice);
  array<index_t> other = order(slice(1, none))(merged.twice) - x.size();
  if (!options.assume_unique) {
    at = array<index_t>(first(at));
    other = array<index_t>(second(other));
  }
  return intersect1d_result<T>{array<T>(merged.sorted(slice(none, -1))(merged.twice)), at, other};
}

/// The values that are in at least one of the sets, in order.
template <array_like A, array_like B>
auto union1d(const A& a, const B& b) {
  const detail::asks_for_elements asking("union1d");
  using T = detail::common_element<A, B>;
  return gnp::unique(concatenate({detail::set_of<T>(a, true), detail::set_of<T>(b, true)}));
}

namespace detail {

/// The elements of x that are not among those of `out`, which are contiguous and in the order of sort, both.
/// NaN equals nothing.
template <class T>
array<T> left_over(const array<T>& x, const array<T>& out) {
  const array<T> kept(x.shape(), x.device(), "setdiff1d");
  const T* from = x.data();
  const T* taken = out.data();
  const T* const end = taken + out.size();
  T* to = kept.data();
  for (index_t i = 0; i < x.size(); ++i) {
    while (taken != end && *taken < from[i]) ++taken;
    *to = from[i];
    to += taken != end && *taken == from[i] ? 0 : 1;
  }
  return kept(slice(none, static_cast<index_t>(to - kept.data()))).copy();
}

}  // namespace detail

/// The values of the first array that are not in the second, in ascending order, or in the first array's own
/// order if it is known to be a set.
template <array_like A, array_like B>
auto setdiff1d(const A& a, const B& b, const set_options& options = {}) {
  const detail::asks_for_elements asking("setdiff1d");
  using T = typename A::value_type;
  const array<T> x = detail::set_of<T>(a, options.assume_unique);
  if constexpr (std::is_same_v<T, typename B::value_type> && !is_complex(dtype_of<T>)) {
    // Both in order are gone through once, where isin would search each element of x.
    if (x.device().is_cpu() && b.device().is_cpu() && !options.assume_unique && x.is_contiguous())
      return detail::left_over(x, array<T>(sort(ravel(b))));
  }
  return array<T>(x(isin(x, b, {.invert = true})));
}

/// The values that are in exactly one of the sets, in order.
template <array_like A, array_like B>
auto setxor1d(const A& a, const B& b, const set_options& options = {}) {
  const detail::asks_for_elements asking("setxor1d");
  using T = detail::common_element<A, B>;
  const array<T> both =
      concatenate({detail::set_of<T>(a, options.assume_unique), detail::set_of<T>(b, options.assume_unique)});
  if (both.size() == 0) return both;
  const detail::merged_sets<T> merged(both, nullptr);
  // An element is in only one set if it differs from the one before it and from the one after it.
  const array<bool> alone = ones<bool>(both.shape()).to(both.device());
  alone(slice(none, -1)).assign(!merged.twice);
  alone(slice(1, none)).assign(alone(slice(1, none)) && !merged.twice);
  return array<T>(merged.sorted(alone));
}

// Either set, or both, may be in braces: union1d(x, {1, 2}), union1d({1, 2}, x), union1d({1, 2}, {2, 3}).
// Numbers of several types, as in union1d(x, {1, 2.5}), are doubles.
#define GNP_SETS_IN_BRACES(function, parameters, arguments)                                                  \
  template <array_like A, scalar_like Number>                                                                \
  auto function(const A& a, std::initializer_list<Number> b GNP_WITHOUT_PARENTHESES parameters) {            \
    return function(a, detail::list_beside(a, b) GNP_WITHOUT_PARENTHESES arguments);                         \
  }                                                                                                          \
  template <scalar_like Number, array_like B>                                                                \
  auto function(std::initializer_list<Number> a, const B& b GNP_WITHOUT_PARENTHESES parameters) {            \
    return function(detail::list_beside(b, a), b GNP_WITHOUT_PARENTHESES arguments);                         \
  }                                                                                                          \
  template <array_like A>                                                                                    \
  auto function(const A& a, std::initializer_list<double> b GNP_WITHOUT_PARENTHESES parameters) {            \
    return function(a, detail::list_beside(a, b) GNP_WITHOUT_PARENTHESES arguments);                         \
  }                                                                                                          \
  template <array_like B>                                                                                    \
  auto function(std::initializer_list<double> a, const B& b GNP_WITHOUT_PARENTHESES parameters) {            \
    return function(detail::list_beside(b, a), b GNP_WITHOUT_PARENTHESES arguments);                         \
  }                                                                                                          \
  template <scalar_like A, scalar_like B>                                                                    \
  auto function(std::initializer_list<A> a, std::initializer_list<B> b GNP_WITHOUT_PARENTHESES parameters) { \
    return function(asarray(a), asarray(b) GNP_WITHOUT_PARENTHESES arguments);                               \
  }
GNP_SETS_IN_BRACES(intersect1d, (, const set_options& options = {}), (, options))
GNP_SETS_IN_BRACES(union1d, (), ())
GNP_SETS_IN_BRACES(setdiff1d, (, const set_options& options = {}), (, options))
GNP_SETS_IN_BRACES(setxor1d, (, const set_options& options = {}), (, options))
#undef GNP_SETS_IN_BRACES
template <array_like A, class B>
  requires(detail::is_host_vector_v<B>)
auto union1d(const A& a, const B& b) {
  const detail::asks_for_elements asking("union1d");
  return union1d(a, detail::list_beside(a, b));
}
GNP_TAKES_VECTORS(intersect1d, set_options)
GNP_TAKES_VECTORS(setdiff1d, set_options)
GNP_TAKES_VECTORS(setxor1d, set_options)
GNP_REFUSES_VECTORS(intersect1d)
GNP_REFUSES_VECTORS(union1d)
GNP_REFUSES_VECTORS(setdiff1d)
GNP_REFUSES_VECTORS(setxor1d)

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE void mark_places(const array<bool>& table, const array<index_t>& places) {
  table(places) = true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
