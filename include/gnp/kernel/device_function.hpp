// SPDX-License-Identifier: MIT
// Functions that kernels call.
#pragma once

#include <gnp/exec/text/names.hpp>
#include <gnp/expr/body_text.hpp>
#include <gnp/kernel/cuda_names.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One GNP_DEVICE_FUNCTION as text, in a list of all of them.
struct device_function_text {
  device_function_text(const char* function_name, const char* source_file, const char* function_code)
      : name(function_name), file(source_file), code(function_code), next(head) {
    head = this;
  }
  device_function_text(const device_function_text&) = delete;
  device_function_text& operator=(const device_function_text&) = delete;

  const char* name;
  const char* file;  // two files may have functions of the same name
  const char* code;
  const device_function_text* next;

  GNP_VISIBLE static inline const device_function_text* head = nullptr;
};

/// The device function of this name to which a kernel in `file` refers; null if there is none.
GNP_DECLARED const device_function_text* find_device_function(std::string_view name, std::string_view file);

/// Adds to `text` the functions that `code` calls, each after the functions that it calls itself.
GNP_DECLARED void add_device_functions(std::string_view code, std::string_view file, std::string& text,
                                       std::vector<const device_function_text*>& there);

template <class... P>
struct parameter_list {};

template <class F>
struct parameters_of_call;
template <class F, class R, class... P>
struct parameters_of_call<R (F::*)(P...) const> {
  using type = parameter_list<P...>;
};

/// A body that is not a template has fixed parameter types.
template <class Body>
concept has_fixed_parameters = requires { &Body::operator(); };

template <class Definition, class Key>
using body_of = decltype(std::declval<Definition&>().body(Key()));

/// The object through which a GNP_DEVICE_FUNCTION is called on the CPU, with arguments of any types.
template <class Definition, class Key>
struct device_template {
  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    Definition own;
    return own.body(Key())(std::forward<Arguments>(arguments)...);
  }
};
/// The same with the body's own parameter types, so that arguments are converted at the call.
template <class Definition, class Key, class Parameters>
struct function_of_types;
template <class Definition, class Key, class... P>
struct function_of_types<Definition, Key, parameter_list<P...>> {
  decltype(auto) operator()(P... arguments) const {
    Definition own;
    return own.body(Key())(static_cast<P>(arguments)...);
  }
};

template <class Definition, class Key>
struct device_function : device_template<Definition, Key> {};
template <class Definition, class Key>
  requires has_fixed_parameters<body_of<Definition, Key>>
struct device_function<Definition, Key>
    : function_of_types<Definition, Key,
                        typename parameters_of_call<decltype(&body_of<Definition, Key>::operator())>::type> {};

}}}  // namespace gnp::GNP_ABI::detail

/// GNP_DEVICE_FUNCTION(float, square, (float x), { return x * x; }): a function for the bodies of kernels. With
/// `auto` for a type it is a template.
#define GNP_DEVICE_FUNCTION(result, function_name, parameters, ...)                                \
  struct function_name##_definition : ::gnp::detail::cuda_names {                                  \
    using key = ::gnp::detail::text_key<::gnp::detail::hash_of(#result #parameters #__VA_ARGS__)>; \
    auto body(key) { return [&] parameters -> result __VA_ARGS__; }                                \
  };                                                                                               \
  [[maybe_unused]] static constexpr ::gnp::detail::device_function<                                \
      function_name##_definition, typename function_name##_definition::key> function_name{};       \
  [[maybe_unused]] static const ::gnp::detail::device_function_text function_name##_text(          \
      #function_name, __FILE__, #result " " #function_name #parameters " " #__VA_ARGS__);

#ifdef GNP_READS_BODIES
#include <gnp/kernel/called_functions.hpp>
#endif
