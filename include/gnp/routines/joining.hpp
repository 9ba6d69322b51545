// SPDX-License-Identifier: MIT
// concatenate, stack and similar functions. Each part is read once and written once, to its place in the
// result. An expression among the parts is computed there.
#pragma once

#include <gnp/routines/joined_parts.hpp>
#include <gnp/routines/parts.hpp>

namespace gnp { inline namespace GNP_ABI {

/// concatenate and stack: the axis that the parts are joined along. `none` joins them flattened.
struct join_options {
  by_name only = by_name();
  axes_t axis = 0;
};

namespace detail {

/// Accepts any part in braces, for parts of several element types.
struct any_part {
  template <class X>
    requires(array_like<X> || scalar_like<X> || is_host_vector_v<X>)
  any_part(const X&) {}
};
#define GNP_PARTS_OF_ONE_TYPE(function)                                                                  \
  "gnp: braces hold arrays of one element type: name the one that all are converted to, gnp::" #function \
  "<double>({a, b}), or say gnp::" #function "(std::tuple(a, b)) for the type that holds them all"

/// Braces with nothing but numbers: hstack({1, 2}).
template <scalar_like Number>
std::vector<part_in_braces<Number>> number_parts(const std::initializer_list<Number>& numbers) {
  return {numbers.begin(), numbers.end()};
}
#define GNP_PARTS_IN_BRACES(function)                                                                          \
  template <class A, class B, class... More>                                                                   \
    requires((array_like<A> || detail::is_host_vector_v<A>) && (array_like<B> || detail::is_host_vector_v<B>)) \
  array<double> function(const A&, const B&, const More&...) {                                                 \
    static_assert(!std::is_same_v<A, A>, "gnp: the arrays go in braces, gnp::" #function "({a, b})");          \
    return {};                                                                                                 \
  }

GNP_INLINE void require_parts(const part_shapes& known, const char* function, const char* verb) {
  if (known.shapes.empty()) throw shape_error(std::string(function) + ": need at least one array to " + verb);
}

/// The one axis of the options, or nothing for `none`.
GNP_INLINE std::optional<index_t> one_axis(const axes_t& axis, const char* function) {
  if (!axis.given()) return std::nullopt;
  if (axis.values().rank() != 1) {
    throw shape_error(std::string(function) + ": takes one axis, got " + to_string(axis.values()));
  }
  return axis.values()[0];
}

/// All parts one after the other, as if they were flattened first.
template <class Parts>
auto join_flat(const Parts& parts, const part_shapes& known, const char* function) {
  index_t total = 0;
  for (const shape_t& shape : known.shapes)
    total = sum_of_sizes(total, element_count(shape, function), function);
  const array<joined_type<Parts>> result(shape_t{total}, known.where.value_or(default_device()), function);
  if (join_at_once(result, parts, known, 1, function)) return result;
  index_t start = 0;
  for_each_part(parts, [&](const auto& part) {
    const shape_t& shape = part.shape();
    assign(result.view({total > 0 ? start : 0, shape, contiguous_strides(shape)}), part, function);
    start += element_count(shape, function);
  });
  return result;
}

template <class Parts>
auto concatenated(const Parts& parts, const axes_t& axis, const char* function) {
  const part_shapes known(parts, function);
  require_parts(known, function, "concatenate");
  const std::optional<index_t> along = one_axis(axis, function);
  if (!along) return join_flat(parts, known, function);
  join_plan plan;
  plan.added.resize(known.shapes.size());
  fit_together(plan, known.shapes, *along, function);
  return join(parts, known, plan, function);
}

GNP_DECLARED join_plan plan_of_stack(const part_shapes& known, const axes_t& axis, const char* function);

template <class Parts>
auto stacked(const Parts& parts, const axes_t& axis, const char* function) {
  const part_shapes known(parts, function);
  return join(parts, known, plan_of_stack(known, axis, function), function);
}

// The axes of size 1 that are added to parts of few dimensions before they are joined.

inline shape_t axes_to_rows(int rank) { return rank == 0 ? shape_t{0, 1} : rank == 1 ? shape_t{0} : shape_t{}; }
GNP_INLINE shape_t axes_to_columns(int rank) {
  return rank == 0 ? shape_t{0, 1} : rank == 1 ? shape_t{1} : shape_t{};
}
inline shape_t axes_to_line(int rank) { return rank == 0 ? shape_t{0} : shape_t{}; }
GNP_INLINE shape_t axes_to_depth(int rank) {
  return rank == 0 ? shape_t{0, 1, 2} : rank == 1 ? shape_t{0, 2} : rank == 2 ? shape_t{2} : shape_t{};
}

/// The parts joined along `axis`, after each part got the axes of size 1 that `added` gives for its rank.
template <class Parts>
auto joined_with_axes(const Parts& parts, shape_t (*added)(int), int axis, const char* function) {
  const part_shapes known(parts, function);
  require_parts(known, function, "concatenate");
  join_plan plan;
  for (const shape_t& shape : known.shapes) plan.added.push_back(added(shape.rank()));
  fit_together(plan, known.shapes, axis, function);
  return join(parts, known, plan, function);
}
template <class Parts>
auto joined_in_rows(const Parts& parts, const char* function) {
  return joined_with_axes(parts, axes_to_rows, 0, function);
}
template <class Parts>
auto joined_in_columns(const Parts& parts, const char* function) {
  return joined_with_axes(parts, axes_to_columns, 1, function);
}
template <class Parts>
auto joined_in_depth(const Parts& parts, const char* function) {
  return joined_with_axes(parts, axes_to_depth, 2, function);
}
/// The parts joined along the first axis if they are one-dimensional, otherwise along the second.
template <class Parts>
auto joined_in_line(const Parts& parts, const char* function) {
  bool first = true;
  bool flat = false;
  for_each_part(parts, [&](const auto& part) {
    if (first) flat = part.ndim() < 2;
    first = false;
  });
  return joined_with_axes(parts, axes_to_line, flat ? 0 : 1, function);
}

}  // namespace detail

// Every function here takes its parts in one of three forms: {a, b} with elements of one type, or of any types
// if the result's is named; a std::vector or another range of one type; or a std::tuple of any types,
// with numbers and vectors among them.

#define GNP_JOINING_ALONG_AXIS(function, made_by)                                             \
  template <detail::list_of_arrays Parts>                                                     \
  auto function(const Parts& parts, const join_options& options = {}) {                       \
    return detail::made_by(parts, options.axis, #function);                                   \
  }                                                                                           \
  template <detail::tuple_with_lists Parts>                                                   \
  auto function(const Parts& parts, const join_options& options = {}) {                       \
    return detail::made_by(detail::as_arrays(parts), options.axis, #function);                \
  }                                                                                           \
  template <detail::tuple_with_lists Parts>                                                   \
  auto function(const Parts& parts, const axes_t& axis) {                                     \
    return detail::made_by(detail::as_arrays(parts), axis, #function);                        \
  }                                                                                           \
  template <array_like X>                                                                     \
  auto function(std::initializer_list<X> parts, const join_options& options = {}) {           \
    return detail::made_by(parts, options.axis, #function);                                   \
  }                                                                                           \
  template <detail::list_of_arrays Parts>                                                     \
  auto function(const Parts& parts, const axes_t& axis) {                                     \
    return detail::made_by(parts, axis, #function);                                           \
  }                                                                                           \
  template <array_like X>                                                                     \
  auto function(std::initializer_list<X> parts, const axes_t& axis) {                         \
    return detail::made_by(parts, axis, #function);                                           \
  }                                                                                           \
  template <scalar_like Number>                                                               \
  auto function(std::initializer_list<Number> parts, const join_options& options = {}) {      \
    return detail::made_by(detail::number_parts(parts), options.axis, #function);             \
  }                                                                                           \
  template <scalar_like Number>                                                               \
  auto function(std::initializer_list<Number> parts, const axes_t& axis) {                    \
    return detail::made_by(detail::number_parts(parts), axis, #function);                     \
  }                                                                                           \
  template <element T>                                                                        \
  auto function(std::initializer_list<array<T>> parts, const join_options& options = {}) {    \
    return detail::made_by(parts, options.axis, #function);                                   \
  }                                                                                           \
  template <class Nothing = void>                                                             \
    requires std::is_void_v<Nothing>                                                          \
  array<double> function(std::initializer_list<detail::any_part>, const join_options& = {}) { \
    static_assert(!std::is_void_v<Nothing>, GNP_PARTS_OF_ONE_TYPE(function));                 \
    return {};                                                                                \
  }                                                                                           \
  template <element T>                                                                        \
  auto function(std::initializer_list<array<T>> parts, const axes_t& axis) {                  \
    return detail::made_by(parts, axis, #function);                                           \
  }                                                                                           \
  template <class Nothing = void>                                                             \
    requires std::is_void_v<Nothing>                                                          \
  array<double> function(std::initializer_list<detail::any_part>, const axes_t&) {            \
    static_assert(!std::is_void_v<Nothing>, GNP_PARTS_OF_ONE_TYPE(function));                 \
    return {};                                                                                \
  }                                                                                           \
  GNP_PARTS_IN_BRACES(function)

#define GNP_JOINING(function, made_by)                                        \
  template <detail::list_of_arrays Parts>                                     \
  auto function(const Parts& parts) {                                         \
    return detail::made_by(parts, #function);                                 \
  }                                                                           \
  template <detail::tuple_with_lists Parts>                                   \
  auto function(const Parts& parts) {                                         \
    return detail::made_by(detail::as_arrays(parts), #function);              \
  }                                                                           \
  template <array_like X>                                                     \
  auto function(std::initializer_list<X> parts) {                             \
    return detail::made_by(parts, #function);                                 \
  }                                                                           \
  template <scalar_like Number>                                               \
  auto function(std::initializer_list<Number> parts) {                        \
    return detail::made_by(detail::number_parts(parts), #function);           \
  }                                                                           \
  template <element T>                                                        \
  auto function(std::initializer_list<array<T>> parts) {                      \
    return detail::made_by(parts, #function);                                 \
  }                                                                           \
  template <class Nothing = void>                                             \
    requires std::is_void_v<Nothing>                                          \
  array<double> function(std::initializer_list<detail::any_part>) {           \
    static_assert(!std::is_void_v<Nothing>, GNP_PARTS_OF_ONE_TYPE(function)); \
    return {};                                                                \
  }                                                                           \
  GNP_PARTS_IN_BRACES(function)

/// Joins arrays along an existing axis: concatenate({a, b}, {.axis = 1}).
GNP_JOINING_ALONG_AXIS(concatenate, concatenated)
/// concatenate, under the Array API standard's name.
GNP_JOINING_ALONG_AXIS(concat, concatenated)
/// Joins arrays along a new axis.
GNP_JOINING_ALONG_AXIS(stack, stacked)
/// Joins arrays vertically: along the first axis, with one-dimensional arrays as rows.
GNP_JOINING(vstack, joined_in_rows)
/// Another name for vstack.
GNP_JOINING(row_stack, joined_in_rows)
/// Joins arrays horizontally: along the second axis, or along the first for one-dimensional arrays.
GNP_JOINING(hstack, joined_in_line)
/// Joins arrays in depth: along the third axis.
GNP_JOINING(dstack, joined_in_depth)
/// Joins one-dimensional arrays as the columns of a matrix; matrices are placed next to them.
GNP_JOINING(column_stack, joined_in_columns)

#undef GNP_JOINING_ALONG_AXIS
#undef GNP_JOINING

// {a, b} of several C++ types with elements of one type, as two expressions are, with numbers and vectors among
// them: stack({cos(t), sin(t)}), hstack({v, 1.0}). A template cannot deduce the element type there, so that
// each function has an overload for each of them. The bodies of the overloads are in friends of a class
// template, which are compiled only where they are called.

// clang-format off
#define GNP_EACH_JOINING(along_axis, other, T)                                                                     \
  along_axis(concatenate, concatenated, T) along_axis(concat, concatenated, T) along_axis(stack, stacked, T)       \
  other(vstack, joined_in_rows, T) other(row_stack, joined_in_rows, T) other(hstack, joined_in_line, T)            \
  other(dstack, joined_in_depth, T) other(column_stack, joined_in_columns, T)
// clang-format on
#define GNP_JOINING_ALONG_AXIS(function, made_by, T)                                                           \
  array<T> function(std::initializer_list<detail::part_in_braces<T>> parts, const join_options& options = {}); \
  array<T> function(std::initializer_list<detail::part_in_braces<T>> parts, const axes_t& axis);
#define GNP_JOINING(function, made_by, T) \
  array<T> function(std::initializer_list<detail::part_in_braces<T>> parts);
#define GNP_JOININGS_OF(T) GNP_EACH_JOINING(GNP_JOINING_ALONG_AXIS, GNP_JOINING, T)
GNP_FOR_EACH_ELEMENT_TYPE(GNP_JOININGS_OF)
#undef GNP_JOINING_ALONG_AXIS
#undef GNP_JOINING

#define GNP_JOINING_ALONG_AXIS(function, made_by, T)                                                     \
  friend array<T> function(std::initializer_list<detail::part_in_braces<T>> parts,                       \
                           const join_options& options) {                                                \
    return detail::made_by(parts, options.axis, #function);                                              \
  }                                                                                                      \
  friend array<T> function(std::initializer_list<detail::part_in_braces<T>> parts, const axes_t& axis) { \
    return detail::made_by(parts, axis, #function);                                                      \
  }
#define GNP_JOINING(function, made_by, T)                                            \
  friend array<T> function(std::initializer_list<detail::part_in_braces<T>> parts) { \
    return detail::made_by(parts, #function);                                        \
  }
/// Names nothing: its friends are the bodies of the functions above.
template <class T>
class joinings_of {
  GNP_EACH_JOINING(GNP_JOINING_ALONG_AXIS, GNP_JOINING, T)
};
#undef GNP_JOININGS_OF
#define GNP_JOININGS_OF(T) template class joinings_of<T>;
GNP_FOR_EACH_ELEMENT_TYPE(GNP_JOININGS_OF)
#undef GNP_JOININGS_OF
#undef GNP_JOINING_ALONG_AXIS
#undef GNP_JOINING
#undef GNP_EACH_JOINING
#undef GNP_PARTS_OF_ONE_TYPE
#undef GNP_PARTS_IN_BRACES

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE join_plan plan_of_stack(const part_shapes& known, const axes_t& axis, const char* function) {
  require_parts(known, function, "stack");
  for (const shape_t& shape : known.shapes) {
    if (!(shape == known.shapes[0])) {
      throw shape_error(std::string(function) + ": all input arrays must have the same shape, got " +
                        to_string(known.shapes[0]) + " and " + to_string(shape));
    }
  }
  const std::optional<index_t> along = one_axis(axis, function);
  if (!along) throw shape_error(std::string(function) + ": takes one axis, got none");
  join_plan plan;
  plan.added.resize(known.shapes.size(), shape_t{normalize_axis(*along, known.shapes[0].rank() + 1, function)});
  fit_together(plan, known.shapes, *along, function);
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
