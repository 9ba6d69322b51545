// SPDX-License-Identifier: MIT
// unique: the distinct values in ascending order, where they are, and how often each occurs.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/exec/histogram/histogram.hpp>
#include <gnp/routines/comparisons.hpp>
#include <gnp/routines/differences.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/scans.hpp>
#include <gnp/routines/sorting.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Does an element differ from the one before it? The first operation treats all NaNs as one value, the second
/// as different values.
GNP_NUMPY_OPERATION(starts_group, (x, before), comparison, x != before && (x == x || before == before))
GNP_NUMPY_OPERATION(starts_alone, (x, before), comparison, x != before)

namespace detail {

/// Which results are wanted in addition to the values.
struct unique_request {
  bool indices = false;
  bool inverse = false;
  bool counts = false;
  bool equal_nan = true;
};

template <class T>
struct unique_parts {
  array<T> values;
  array<std::int64_t> indices;
  array<std::int64_t> inverse;
  array<std::int64_t> counts;
};

/// Computes what is requested from the first elements of each group of sorted elements; `order` has their
/// original places.
GNP_DECLARED_ON_USE void describe_groups(const array<bool>& first, const array<index_t>& order,
                                         const unique_request& wanted, array<std::int64_t>& indices,
                                         array<std::int64_t>& inverse, array<std::int64_t>& counts);

/// The same from `counts`, which says how often each number occurs, counted from the smallest one, and `there`,
/// which says whether it occurs at all. `places` are the elements minus the smallest one.
GNP_DECLARED_ON_USE void describe_counts(const array<std::int64_t>& counts, const array<bool>& there,
                                         const array<std::int64_t>& places, const unique_request& wanted,
                                         array<std::int64_t>& inverse, array<std::int64_t>& counts_there);

/// A mask of the elements, or rows, that differ from the one before. `later` is this mask for all but the first
/// element.
template <array_like X>
array<bool> first_of_groups(index_t count, gnp::device where, const X& later) {
  const array<bool> first(shape_t{count}, where, "unique");
  first(slice(0, 1)).fill(true);
  first(slice(1, none)).assign(later);
  return first;
}

/// The first element of each group of sorted elements; `starts` says which elements after the first one start a
/// group.
template <class T, array_like X>
array<T> values_of_groups(const array<T>& sorted, const X& starts) {
  const array<T> values = compact(sorted(slice(1, none)), starts, sorted.device(), 1);
  values(slice(0, 1)).assign(sorted(slice(0, 1)));
  return values;
}

template <class T>
unique_parts<T> unique_by_sorting(const array<T>& a, const unique_request& wanted) {
  unique_parts<T> parts;
  const bool with_order = wanted.indices || wanted.inverse;
  const array<index_t> order = with_order ? argsorted_rows(a, false, "unique") : array<index_t>();
  const array<T> sorted = with_order ? array<T>(a(order)) : sorted_rows(a, false, "unique");
  const auto describe = [&](const auto& starts) {
    if (!with_order && !wanted.counts) {
      parts.values = values_of_groups(sorted, starts);
    } else {
      const array<bool> first = first_of_groups(a.size(), a.device(), starts);
      parts.values = sorted(first);
      describe_groups(first, order, wanted, parts.indices, parts.inverse, parts.counts);
    }
  };
  const auto later = sorted(slice(1, none));
  const auto earlier = sorted(slice(none, -1));
  if (wanted.equal_nan) {
    describe(ufunc<operations::starts_group_ufunc>()(later, earlier));
  } else {
    describe(ufunc<operations::starts_alone_ufunc>()(later, earlier));
  }
  return parts;
}

/// Integers in a narrow range are counted or, if only the values are wanted on a GPU, marked: two passes
/// instead of a sort. False if the elements have to be sorted.
template <class T>
bool unique_by_counting(const array<T>& a, const unique_request& wanted, unique_parts<T>& parts) {
  if (wanted.indices || a.size() < 1024) return false;
  const auto least = static_cast<std::uint64_t>(static_cast<T>((min)(a)));
  const auto most = static_cast<std::uint64_t>(static_cast<T>((max)(a)));
  const auto size = static_cast<std::uint64_t>(a.size());
  bool by_marks = false;
#if GNP_HAS_CUDA
  // Marks are not used if the counters fit in shared memory. Counters are worthwhile up to one for every two
  // elements. There may be more marks, which are single bits; how many depends on how long a sort would take.
  by_marks =
      !a.device().is_cpu() && !wanted.counts && !wanted.inverse && copies_of_counters(most - least, 4) == 0;
#endif
  if (most - least >= (by_marks ? size * sizeof(T) : size) / 2) return false;
  edges_in_memory<std::int64_t> bins;
  bins.bins.count = static_cast<long long>(most - least + 1);
  const auto numbers = a.template astype<std::uint64_t>() - least;
  const auto numbered_from_least = [least](const auto& which) {
    return array<T>((flatnonzero(which).template astype<std::uint64_t>() + least).template astype<T>());
  };
#if GNP_HAS_CUDA
  if (by_marks) {
    const array<std::uint32_t> marks = mark_bins<numbered_finder>(numbers, bins, "unique");
    const auto bit = ufunc<operations::integer_ramp_ufunc>()(positions<T>(shape_t{1, 32}), 0, 1)
                         .template astype<std::uint32_t>();
    parts.values = numbered_from_least(right_shift(marks(all, newaxis), bit) & 1U);
    return true;
  }
#endif
  const array<std::int64_t> counts = count_in_bins<numbered_finder>(numbers, bins, "unique");
  const array<bool> there = counts != 0;
  parts.values = numbered_from_least(there);
  array<std::int64_t> places;
  if (wanted.inverse) places = numbers.template astype<std::int64_t>();
  describe_counts(counts, there, places, wanted, parts.inverse, parts.counts);
  return true;
}

template <array_like X>
unique_parts<typename X::value_type> unique_elements(const X& x, const unique_request& wanted) {
  using T = typename X::value_type;
  const array<T> a = ascontiguousarray(x.ravel());
  unique_parts<T> parts;
  if (a.size() == 0) {
    parts.values = a;
    for (array<std::int64_t>* part : {&parts.indices, &parts.inverse, &parts.counts})
      *part = array<std::int64_t>(shape_t{0}, a.device(), "unique");
  } else {
    bool counted = false;
    if constexpr (is_integer(dtype_of<T>)) counted = unique_by_counting(a, wanted, parts);
    if (!counted) parts = unique_by_sorting(a, wanted);
  }
  if (wanted.inverse) parts.inverse = reshape(parts.inverse, x.shape());
  return parts;
}

/// The distinct sub-arrays along an axis, in lexicographic order.
template <array_like X>
unique_parts<typename X::value_type> unique_along(const X& x, const axes_t& where,
                                                  const unique_request& wanted) {
  const asks_for_elements asking("unique");
  using T = typename X::value_type;
  if (!where.given()) return unique_elements(x, wanted);
  const array<T> a = x.eval();
  const int axis = only_axis(where, a.ndim(), "unique");
  if (a.ndim() == 1) return unique_elements(a, wanted);  // in which NaNs may be equal
  const index_t count = a.shape()[axis];
  unique_parts<T> parts;
  if (count == 0) {
    parts.values = a;
    for (array<std::int64_t>* part : {&parts.indices, &parts.inverse, &parts.counts})
      *part = array<std::int64_t>(shape_t{0}, a.device(), "unique");
    return parts;
  }
  const array<T> rows = reshape(moveaxis(a, axis, 0).copy(), {count, a.size() / count});
  const use_device guard(a.device());
  array<index_t> order = arange<index_t>(count);
  for (index_t column = rows.shape()[1]; column-- > 0;)
    order = array<index_t>(order(argsorted_rows(array<T>(rows(all, column)(order)), false, "unique")));
  const array<T> sorted = take(rows, order, 0);
  const array<bool> first = first_of_groups(
      count, a.device(), any(sorted(slice(1, none)) != sorted(slice(none, -1)), reduce_options{.axis = 1}));
  parts.values = array<T>(take(a, array<index_t>(order(first)), axis));
  describe_groups(first, order, wanted, parts.indices, parts.inverse, parts.counts);
  return parts;
}

}  // namespace detail

/// The options of unique: the axis whose sub-arrays are compared, or `none` for all elements; and whether all
/// NaNs count as one value.
struct unique_options {
  by_name only = by_name();
  axes_t axis = none;
  bool equal_nan = true;
  bool sorted = true;  // the values always are
};

// unique(x, {.return_counts = true}) has two results, and so on: for each set of named parts there is a struct
// of options and one of results.
#define GNP_UNIQUE(name, asked, members, request, ...)                       \
  struct unique_options_##name {                                             \
    by_name only = by_name();                                                \
    asked axes_t axis = none;                                                \
    bool equal_nan = true;                                                   \
    bool sorted = true;                                                      \
  };                                                                         \
  template <class T>                                                         \
  struct unique_##name {                                                     \
    array<T> values;                                                         \
    members                                                                  \
  };                                                                         \
  template <array_like X>                                                    \
  auto unique(const X& x, const unique_options_##name& options) {            \
    detail::unique_request wanted request;                                   \
    wanted.equal_nan = options.equal_nan;                                    \
    auto parts = detail::unique_along(x, options.axis, wanted);              \
    return unique_##name<typename X::value_type>{parts.values, __VA_ARGS__}; \
  }                                                                          \
  GNP_TAKES_VALUES_BESIDE(unique, (const unique_options_##name& options), (options))
#define GNP_INDEX named_part return_index;
#define GNP_INVERSE named_part return_inverse;
#define GNP_COUNTS named_part return_counts;
#define GNP_PART(name) array<std::int64_t> name;
#define GNP_REQUEST(...) {__VA_ARGS__}
GNP_UNIQUE(indices, GNP_INDEX, GNP_PART(indices), GNP_REQUEST(.indices = true), parts.indices)
GNP_UNIQUE(inverse_only, GNP_INVERSE, GNP_PART(inverse), GNP_REQUEST(.inverse = true), parts.inverse)
GNP_UNIQUE(counts_only, GNP_COUNTS, GNP_PART(counts), GNP_REQUEST(.counts = true), parts.counts)
GNP_UNIQUE(indices_inverse, GNP_INDEX GNP_INVERSE, GNP_PART(indices) GNP_PART(inverse),
           GNP_REQUEST(.indices = true, .inverse = true), parts.indices, parts.inverse)
GNP_UNIQUE(indices_counts, GNP_INDEX GNP_COUNTS, GNP_PART(indices) GNP_PART(counts),
           GNP_REQUEST(.indices = true, .counts = true), parts.indices, parts.counts)
GNP_UNIQUE(inverse_counts_only, GNP_INVERSE GNP_COUNTS, GNP_PART(inverse) GNP_PART(counts),
           GNP_REQUEST(.inverse = true, .counts = true), parts.inverse, parts.counts)
GNP_UNIQUE(everything, GNP_INDEX GNP_INVERSE GNP_COUNTS, GNP_PART(indices) GNP_PART(inverse) GNP_PART(counts),
           GNP_REQUEST(.indices = true, .inverse = true, .counts = true), parts.indices, parts.inverse,
           parts.counts)
#undef GNP_UNIQUE
#undef GNP_INDEX
#undef GNP_INVERSE
#undef GNP_COUNTS
#undef GNP_PART
#undef GNP_REQUEST

/// The distinct values, in ascending order.
template <array_like X>
auto unique(const X& x, const unique_options& options = {}) {
  return detail::unique_along(x, options.axis, {.equal_nan = options.equal_nan}).values;
}

// The Array API's four functions, in which NaN are not equal to each other.

template <array_like X>
auto unique_all(const X& x) {
  return gnp::unique(x,
                     {.return_index = true, .return_inverse = true, .return_counts = true, .equal_nan = false});
}
template <array_like X>
auto unique_counts(const X& x) {
  return gnp::unique(x, {.return_counts = true, .equal_nan = false});
}
template <array_like X>
auto unique_inverse(const X& x) {
  return gnp::unique(x, {.return_inverse = true, .equal_nan = false});
}
template <array_like X>
auto unique_values(const X& x) {
  return gnp::unique(x, {.equal_nan = false});
}

GNP_REFUSES_FLAGS(unique, (), "gnp::unique(x, {.return_counts = true})")
GNP_REFUSES_VECTORS(unique)
GNP_TAKES_VALUES(unique)
GNP_TAKES_VALUES_BESIDE(unique, (const unique_options& options), (options))

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE void describe_groups(const array<bool>& first, const array<index_t>& order,
                                        const unique_request& wanted, array<std::int64_t>& indices,
                                        array<std::int64_t>& inverse, array<std::int64_t>& counts) {
  if (wanted.counts) counts = diff(flatnonzero(first), {.append = first.size()});
  if (wanted.indices) indices = order(first);
  if (wanted.inverse) {
    inverse = array<std::int64_t>(first.shape(), first.device(), "unique");
    inverse(order) = cumsum(first) - 1;
  }
}

GNP_DEFINED_ON_USE void describe_counts(const array<std::int64_t>& counts, const array<bool>& there,
                                        const array<std::int64_t>& places, const unique_request& wanted,
                                        array<std::int64_t>& inverse, array<std::int64_t>& counts_there) {
  if (wanted.counts) counts_there = counts(there);
  if (wanted.inverse) {
    const array<std::int64_t> ranks = cumsum(there) - 1;
    inverse = ranks(places);
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
