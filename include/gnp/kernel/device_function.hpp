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
  const char* file;  // two files may have functions of one name
  const char* code;
  const device_function_text* next;

  GNP_VISIBLE static inline const device_function_text* head = nullptr;
};

/// The one of this name that a kernel in `file` means; null where there is none.
GNP_INLINE const device_function_text* find_device_function(std::string_view name, std::string_view file) {
  const device_function_text* found = nullptr;
  for (const device_function_text* f = device_function_text::head; f != nullptr; f = f->next) {
    if (f->name != name) continue;
    if (f->file == file) return f;
    if (found != nullptr && std::string_view(found->code) != f->code) {
      throw error(std::string("GNP_DEVICE_FUNCTION: ") + found->file + " and " + f->file +
                  " have different functions of the name " + std::string(name));
    }
    found = f;
  }
  return found;
}

/// Adds to `text` the functions that `code` calls, those that they call first.
GNP_INLINE void add_device_functions(std::string_view code, std::string_view file, std::string& text,
                                     std::vector<const device_function_text*>& there) {
  const auto add = [&](std::string_view name) {
    const device_function_text* const f = find_device_function(name, file);
    if (f == nullptr || std::find(there.begin(), there.end(), f) != there.end()) return;
    there.push_back(f);
    add_device_functions(f->code, f->file, text, there);
    text += std::string("inline ") + f->code + "\n";
  };
  for_each_token(code, add, [](std::string_view) {});
}

/// The object that a GNP_DEVICE_FUNCTION is called by on the CPU.
template <class Definition, class Key>
struct device_function {
  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    Definition own;
    return own.body(Key())(std::forward<Arguments>(arguments)...);
  }
};

}}}  // namespace gnp::GNP_ABI::detail

/// GNP_DEVICE_FUNCTION(float, square, (float x), { return x * x; }): a function for the bodies of kernels. With
/// `auto` for a type it is a template.
#define GNP_DEVICE_FUNCTION(result, function_name, parameters, ...)                                \
  struct function_name##_definition : ::gnp::detail::cuda_names {                                  \
    using key = ::gnp::detail::text_key<::gnp::detail::hash_of(#result #parameters #__VA_ARGS__)>; \
    auto body(key) { return [&] parameters -> result __VA_ARGS__; }                                \
  };                                                                                               \
  [[maybe_unused]] static constexpr ::gnp::detail::device_function<                                \
      function_name##_definition, function_name##_definition::key> function_name{};                \
  [[maybe_unused]] static const ::gnp::detail::device_function_text function_name##_text(          \
      #function_name, __FILE__, #result " " #function_name #parameters " " #__VA_ARGS__);
