// SPDX-License-Identifier: MIT
// The device functions that a kernel calls, found by name.
#pragma once

#include <gnp/kernel/device_function.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE const device_function_text* find_device_function(std::string_view name, std::string_view file) {
  const device_function_text* found = nullptr;
  for (const bool in_file : {true, false}) {
    for (const device_function_text* f = device_function_text::head; f != nullptr; f = f->next) {
      if (f->name != name || (f->file == file) != in_file) continue;
      // (This includes functions of the same name in two namespaces, because the text does not say which one a
      // kernel means.)
      if (found != nullptr && std::string_view(found->code) != f->code) {
        throw error(std::string("GNP_DEVICE_FUNCTION: ") + found->file +
                    (in_file ? std::string(" has") : std::string(" and ") + f->file + " have") +
                    " different functions of the name " + std::string(name));
      }
      found = f;
    }
    if (found != nullptr) break;  // then functions in other files do not matter
  }
  return found;
}

GNP_INLINE void add_device_functions(std::string_view code, std::string_view file, std::string& text,
                                     std::vector<const device_function_text*>& there) {
  const auto add = [&](std::string_view name) {
    const device_function_text* const f = find_device_function(name, file);
    if (f == nullptr) return;
    for (const device_function_text* one : there) {
      if (one == f) return;
    }
    there.push_back(f);
    add_device_functions(f->code, f->file, text, there);
    text += std::string("inline ") + f->code + "\n";
  };
  for_each_token(code, add, [](std::string_view) {});
}

}}}  // namespace gnp::GNP_ABI::detail
