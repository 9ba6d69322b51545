// SPDX-License-Identifier: MIT
// The ways to call a function along axes: sum(x, {.axis = 0}), sum(x, 0), x.sum({.axis = 0}) and x.sum(0). The
// function's body is written once, for the first way; one line with each of these macros adds the others.
#pragma once

#include <gnp/core/wrong_calls.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// `value`, in a template whose parameter `Later` is. Where all types of a call are known, the call of a
/// function whose result is `auto` makes the compiler read and instantiate all of that function, even if it is
/// within a template that nobody uses. It waits for the template's use where it does not know this argument's
/// type.
template <class Later, class T>
constexpr const T& on_use(const T& value) noexcept {
  return value;
}

}}}  // namespace gnp::GNP_ABI::detail

/// Put after function(x, values, options), which takes `values` in braces. With this, they may also be a
/// std::vector, which is copied to x's device.
#define GNP_TAKES_VECTORS(function, options_type)                                      \
  template <class X, class Values>                                                     \
    requires((array_like<X> || scalar_like<X>) && detail::is_host_vector_v<Values>)    \
  auto(function)(const X& x, const Values& values, const options_type& options = {}) { \
    return (function)(x, detail::list_beside(x, values), options);                     \
  }

/// Put after function(a, b). With this, either argument may be numbers in braces: maximum(x, {1, 2}). Nested
/// braces have forms of their own, because g++ and clang would read {{1}, {2}} as the list {1, 2}. (As a list
/// of double, {{1.0}, {2.0}} would fit both forms equally well.)
#define GNP_TAKES_BRACES(function)                                                                        \
  GNP_TAKES_BRACES_OF(function, scalar_like Number, std::initializer_list<Number>)                        \
  GNP_TAKES_BRACES_OF(function, class Nothing = void, std::initializer_list<detail::any_real>)            \
  GNP_TAKES_BRACES_OF(function, scalar_like Number, std::initializer_list<std::initializer_list<Number>>) \
  GNP_TAKES_BRACES_OF(function, class Nothing = void, std::initializer_list<std::initializer_list<double>>)
#define GNP_TAKES_BRACES_OF(function, parameter, list_type) \
  template <array_like A, parameter>                        \
  auto(function)(const A& a, list_type numbers) {           \
    return (function)(a, detail::list_beside(a, numbers));  \
  }                                                         \
  template <parameter, array_like B>                        \
  auto(function)(list_type numbers, const B& b) {           \
    return (function)(detail::list_beside(b, numbers), b);  \
  }

/// Numbers in braces, or in a std::vector: dot(x, {1, 2}).
#define GNP_TAKES_LISTS(function)                          \
  GNP_TAKES_BRACES(function)                               \
  template <array_like A, class V>                         \
    requires(detail::is_host_vector_v<V>)                  \
  auto(function)(const A& a, const V& numbers) {           \
    return (function)(a, detail::list_beside(a, numbers)); \
  }                                                        \
  template <class V, array_like B>                         \
    requires(detail::is_host_vector_v<V>)                  \
  auto(function)(const V& numbers, const B& b) {           \
    return (function)(detail::list_beside(b, numbers), b); \
  }

/// Put after function(x, ...). With this, x may also be numbers in braces or a std::vector, which are copied to
/// the default device: GNP_TAKES_LIST_FIRST(tile, (const shape_t& times), (times)). The parameters, in
/// parentheses, are those after x, and the arguments are their names.
#define GNP_TAKES_LIST_FIRST(function, parameters, arguments)                                         \
  GNP_LIST_FIRST(function, scalar_like Number, std::initializer_list<Number>, parameters, arguments)  \
  GNP_LIST_FIRST(function, class Number = void, std::initializer_list<detail::any_real>, parameters,  \
                 arguments)                                                                           \
  GNP_LIST_FIRST(function, scalar_like Number, std::initializer_list<std::initializer_list<Number>>,  \
                 parameters, arguments)                                                               \
  GNP_LIST_FIRST(function, class Number = void, std::initializer_list<std::initializer_list<double>>, \
                 parameters, arguments)                                                               \
  template <class Numbers>                                                                            \
    requires(detail::is_host_vector_v<Numbers>)                                                       \
  auto(function)(const Numbers& listed, GNP_WITHOUT_PARENTHESES parameters) {                         \
    return (function)(asarray(listed), GNP_WITHOUT_PARENTHESES arguments);                            \
  }
#define GNP_LIST_FIRST(function, parameter, list_type, parameters, arguments)                 \
  template <parameter>                                                                        \
  auto(function)(list_type listed, GNP_WITHOUT_PARENTHESES parameters) {                      \
    const auto& numbers = ::gnp::detail::on_use<Number>(listed);                              \
    return (function)(detail::list_beside(none, numbers), GNP_WITHOUT_PARENTHESES arguments); \
  }
#define GNP_WITHOUT_PARENTHESES(...) __VA_ARGS__

/// Both arguments in braces, on the default device: cross({1, 0, 0}, {0, 1, 0}) ...
#define GNP_TAKES_TWO_LISTS(function)                                                                          \
  template <scalar_like A, scalar_like B>                                                                      \
  auto(function)(std::initializer_list<A> a, std::initializer_list<B> b) {                                     \
    return (function)(asarray(a), asarray(b));                                                                 \
  }                                                                                                            \
  template <class Nothing = void>                                                                              \
  auto(function)(std::initializer_list<double> a, std::initializer_list<double> b) {                           \
    return (function)(asarray(::gnp::detail::on_use<Nothing>(a)), asarray(::gnp::detail::on_use<Nothing>(b))); \
  }

/// ... and the first of them a matrix: solve({{3, 1}, {1, 2}}, {9, 8}).
#define GNP_TAKES_MATRIX_AND_LIST(function)                                                                    \
  template <scalar_like A, scalar_like B>                                                                      \
  auto(function)(std::initializer_list<std::initializer_list<A>> a, std::initializer_list<B> b) {              \
    return (function)(asarray(a), asarray(b));                                                                 \
  }                                                                                                            \
  template <class Nothing = void>                                                                              \
  auto(function)(std::initializer_list<std::initializer_list<double>> a, std::initializer_list<double> b) {    \
    return (function)(asarray(::gnp::detail::on_use<Nothing>(a)), asarray(::gnp::detail::on_use<Nothing>(b))); \
  }                                                                                                            \
  template <scalar_like A, scalar_like B>                                                                      \
  auto(function)(std::initializer_list<std::initializer_list<A>> a,                                            \
                 std::initializer_list<std::initializer_list<B>> b) {                                          \
    return (function)(asarray(a), asarray(b));                                                                 \
  }

/// Any other std::vector is refused with a one-sentence error message: if a condition on the types X, More...
/// of the arguments holds ...
#define GNP_REFUSES_VECTORS_WHERE(condition, function, name)                                       \
  template <class... Type, class X, class... More>                                                 \
    requires(condition)                                                                            \
  array<typename X::value_type>(function)(const X&, const More&...) {                              \
    static_assert(!(condition),                                                                    \
                  "gnp: a std::vector is brought to the device first: " name "(gnp::asarray(v))"); \
    return {};                                                                                     \
  }

/// ... if it takes the place of x (the other arguments may be vectors, or be converted to axes or text) ...
#define GNP_REFUSES_VECTORS(function) GNP_REFUSES_VECTORS_OF(function, "gnp::" #function)
#define GNP_REFUSES_VECTORS_OF(function, name) \
  GNP_REFUSES_VECTORS_WHERE(detail::is_host_vector_v<X>, function, name)

/// ... also beside numbers in braces, isin(v, {1, 2}), whose type a template does not deduce ...
#define GNP_REFUSES_VECTORS_BESIDE_A_LIST(function, options_type)                                            \
  GNP_REFUSES_VECTORS(function)                                                                              \
  template <class X>                                                                                         \
    requires(detail::is_host_vector_v<X>)                                                                    \
  array<typename X::value_type>(function)(const X&, std::initializer_list<detail::any_real>,                 \
                                          const options_type& = {}) {                                        \
    static_assert(!detail::is_host_vector_v<X>,                                                              \
                  "gnp: a std::vector is brought to the device first: gnp::" #function "(gnp::asarray(v))"); \
    return {};                                                                                               \
  }

/// ... and in any position.
#define GNP_REFUSES_ALL_VECTORS(function)                                                                     \
  GNP_REFUSES_VECTORS_WHERE((detail::is_host_vector_v<X> || ... || detail::is_host_vector_v<More>), function, \
                            "gnp::" #function)

/// The same for a type as an argument, which Python would allow ...
#define GNP_REFUSES_DTYPES(function)                                                            \
  template <class... Arguments>                                                                 \
    requires((std::is_same_v<Arguments, dtype> || ...))                                         \
  array<double>(function)(const Arguments&...) {                                                \
    static_assert((!std::is_same_v<Arguments, dtype> && ...),                                   \
                  "gnp: the type of the elements is a template argument: write gnp::" #function \
                  "<float>(...)");                                                              \
    return {};                                                                                  \
  }

/// Put after function(x, ...). With this, x may also be numbers in braces, also in the rows of a matrix:
/// sin({1, 2}), sum({{1, 2}, {3, 4}}, 0). An explicit type is passed on.
#define GNP_TAKES_VALUES(function)                                                                 \
  template <class... Type, scalar_like Number, class... More>                                      \
  auto(function)(std::initializer_list<Number> values, const More&... more) {                      \
    return (function<Type...>)(asarray(values), more...);                                          \
  }                                                                                                \
  template <class... Type, scalar_like Number, class... More>                                      \
  auto(function)(std::initializer_list<std::initializer_list<Number>> rows, const More&... more) { \
    return (function<Type...>)(asarray(rows), more...);                                            \
  }                                                                                                \
  GNP_REFUSES_MIXED_NUMBERS(function, class... More, const More&...)

/// Numbers of several types in braces are refused with one sentence. Its other parameters are those of the form
/// that takes numbers of one type.
#define GNP_REFUSES_MIXED_NUMBERS(function, parameter, ...)                                           \
  template <class... Type, element T = double, parameter>                                             \
  array<T>(function)(detail::any_numbers, __VA_ARGS__) {                                              \
    static_assert(!element<T>, "gnp: the type of these values is not clear: name it, gnp::" #function \
                               "(gnp::asarray<double>({1, 2.5}))");                                   \
    return {};                                                                                        \
  }

/// The same with options in braces, whose type a template does not deduce: diff({1, 4, 9}, {.n = 2}). The
/// parameters, in parentheses, are those after the values, and the arguments are their names.
#define GNP_TAKES_VALUES_BESIDE(function, parameters, arguments)                             \
  template <scalar_like Number>                                                              \
  auto(function)(std::initializer_list<Number> values, GNP_WITHOUT_PARENTHESES parameters) { \
    return (function)(asarray(values), GNP_WITHOUT_PARENTHESES arguments);                   \
  }                                                                                          \
  template <scalar_like Number>                                                              \
  auto(function)(std::initializer_list<std::initializer_list<Number>> rows,                  \
                 GNP_WITHOUT_PARENTHESES parameters) {                                       \
    return (function)(asarray(rows), GNP_WITHOUT_PARENTHESES arguments);                     \
  }

/// The same along axes: sort({3, 1, 2}, {.axis = 0}), sum({{1, 2}, {3, 4}}, {0, 1}).
#define GNP_TAKES_VALUES_AND_OPTIONS(function, options_type)                                           \
  GNP_VALUES_AND_OPTIONS(function, options_type, std::initializer_list<Number>)                        \
  GNP_VALUES_AND_OPTIONS(function, options_type, std::initializer_list<std::initializer_list<Number>>) \
  GNP_REFUSES_MIXED_NUMBERS(function, class Nothing = void, const options_type&)                       \
  GNP_REFUSES_MIXED_NUMBERS(function, class Nothing = void, const axes_t&, const options_type&)
#define GNP_VALUES_AND_OPTIONS(function, options_type, list_type)                          \
  template <class... Type, scalar_like Number>                                             \
  auto(function)(list_type values, const options_type& options) {                          \
    return (function<Type...>)(asarray(values), options);                                  \
  }                                                                                        \
  template <class... Type, scalar_like Number>                                             \
  auto(function)(list_type values, const axes_t& axis, const options_type& options = {}) { \
    return (function<Type...>)(asarray(values), axis, options);                            \
  }

/// Put after function(x, options): adds the same with the axes by position, function(x, {0, 1}) and
/// function(x, 0, {.keepdims = true}). An explicit type, as in sum<double>(x), is passed on.
#define GNP_AXES_FIRST(function, options_type)                                         \
  template <class... Type, array_like X>                                               \
  auto(function)(const X& x, const axes_t& axis, options_type options = {}) {          \
    options.axis = axis;                                                               \
    return (function<Type...>)(x, static_cast<const options_type&>(options));          \
  }                                                                                    \
  GNP_REFUSES_FLAGS(function, (const axes_t&, ), "gnp::sum(x, 0, {.keepdims = true})") \
  GNP_REFUSES_WRONG_OPTIONS(function, options_type)                                    \
  GNP_REFUSES_VECTORS(function)                                                        \
  GNP_TAKES_VALUES(function)                                                           \
  GNP_TAKES_VALUES_AND_OPTIONS(function, options_type)

/// Put after GNP_AXES_FIRST. With this, x may also be a list of arrays or vectors of one shape, which become
/// the rows of an array: sum({a, b}, 0).
#define GNP_TAKES_LISTS_OF_ARRAYS(function, options_type)                                                 \
  template <class... Type, class Row>                                                                     \
    requires(array_like<Row> || detail::is_host_vector_v<Row>)                                            \
  auto(function)(std::initializer_list<Row> rows, const options_type& options = {}) {                     \
    return (function<Type...>)(asarray(rows), options);                                                   \
  }                                                                                                       \
  template <class... Type, class Row>                                                                     \
    requires(array_like<Row> || detail::is_host_vector_v<Row>)                                            \
  auto(function)(std::initializer_list<Row> rows, const axes_t& axis, const options_type& options = {}) { \
    return (function<Type...>)(asarray(rows), axis, options);                                             \
  }

/// Both as members, within the class ...
#define GNP_MEMBER_ALONG_AXES(function, options_type)                  \
  auto(function)(const options_type& options = {}) const;              \
  auto(function)(const axes_t& axis, options_type options = {}) const; \
  GNP_MEMBER_REFUSES_FLAGS(function)

/// ... and also in a type that is given, x.sum<float>() ...
#define GNP_TYPED_MEMBER_ALONG_AXES(function, options_type) \
  GNP_MEMBER_ALONG_AXES(function, options_type)             \
  template <element R>                                      \
  auto(function)(const options_type& options = {}) const;   \
  template <element R>                                      \
  auto(function)(const axes_t& axis, options_type options = {}) const;

/// ... and after the definition of the function.
#define GNP_MEMBER_ALONG_AXES_BODY(function, options_type)                                         \
  template <class Derived>                                                                         \
  auto(detail::array_members<Derived>::function)(const options_type& options) const {              \
    return (gnp::function)(derived(), options);                                                    \
  }                                                                                                \
  template <class Derived>                                                                         \
  auto(detail::array_members<Derived>::function)(const axes_t& axis, options_type options) const { \
    options.axis = axis;                                                                           \
    return (gnp::function)(derived(), options);                                                    \
  }

#define GNP_TYPED_MEMBER_ALONG_AXES_BODY(function, options_type)                                   \
  GNP_MEMBER_ALONG_AXES_BODY(function, options_type)                                               \
  template <class Derived>                                                                         \
  template <element R>                                                                             \
  auto(detail::array_members<Derived>::function)(const options_type& options) const {              \
    return gnp::function<R>(derived(), options);                                                   \
  }                                                                                                \
  template <class Derived>                                                                         \
  template <element R>                                                                             \
  auto(detail::array_members<Derived>::function)(const axes_t& axis, options_type options) const { \
    options.axis = axis;                                                                           \
    return gnp::function<R>(derived(), static_cast<const options_type&>(options));                 \
  }
