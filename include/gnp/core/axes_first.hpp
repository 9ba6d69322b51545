// SPDX-License-Identifier: MIT
// The ways to call a function along axes: sum(x, {.axis = 0}), sum(x, 0), x.sum({.axis = 0}) and x.sum(0). The
// function's body is written once, for the first way; one line with each of these macros adds the others.
#pragma once

/// Put after function(x, ...): a std::vector in place of x gets an error message of one sentence.
#define GNP_REFUSES_VECTORS(function)                                                                        \
  template <class... Type, class X, class... More>                                                           \
    requires(detail::is_host_vector_v<X>)                                                                    \
  array<typename X::value_type>(function)(const X&, const More&...) {                                        \
    static_assert(!detail::is_host_vector_v<X>,                                                              \
                  "gnp: a std::vector is brought to the device first: gnp::" #function "(gnp::asarray(v))"); \
    return {};                                                                                               \
  }

/// The same for a type among the arguments, as in Python ...
#define GNP_REFUSES_DTYPES(function)                                                            \
  template <class... Arguments>                                                                 \
    requires((std::is_same_v<Arguments, dtype> || ...))                                         \
  array<double>(function)(const Arguments&...) {                                                \
    static_assert((!std::is_same_v<Arguments, dtype> && ...),                                   \
                  "gnp: the type of the elements is a template argument: write gnp::" #function \
                  "<float>(...)");                                                              \
    return {};                                                                                  \
  }

/// ... and for values in braces in place of x.
#define GNP_REFUSES_BRACES(function)                                                                           \
  template <class... Type, element T, class... More>                                                           \
  array<T>(function)(std::initializer_list<T>, const More&...) {                                               \
    static_assert(!element<T>,                                                                                 \
                  "gnp: values in braces become an array first: gnp::" #function "(gnp::asarray({1, 2, 3}))"); \
    return {};                                                                                                 \
  }

/// Put after function(x, options): adds the same with the axes by position, function(x, {0, 1}) and
/// function(x, 0, {.keepdims = true}). An explicit type, as in sum<double>(x), is passed on.
#define GNP_AXES_FIRST(function, options_type)                                \
  template <class... Type, array_like X>                                      \
  auto(function)(const X& x, const axes_t& axis, options_type options = {}) { \
    options.axis = axis;                                                      \
    return (function<Type...>)(x, static_cast<const options_type&>(options)); \
  }                                                                           \
  GNP_REFUSES_VECTORS(function)                                               \
  GNP_REFUSES_BRACES(function)

/// Both as members, within the class ...
#define GNP_MEMBER_ALONG_AXES(function, options_type)     \
  auto(function)(const options_type& options = {}) const; \
  auto(function)(const axes_t& axis, options_type options = {}) const;

/// ... and where the function is known.
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
