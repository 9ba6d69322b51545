// SPDX-License-Identifier: MIT
// Libraries opened at run time, and their functions.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <gnp/core/error.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An opened library, or the reason why it could not be opened. It is never closed, because few libraries
/// support that.
struct shared_library {
  void* handle = nullptr;
  std::string path;                // where it was found
  std::vector<std::string> tried;  // every path that was tried

  explicit operator bool() const { return handle != nullptr; }

  /// Opens a library by name; false if there is none. With RTLD_NOLOAD among the flags, only a library that is
  /// already loaded counts.
  GNP_INLINE bool open(const std::string& name, int flags = 0) {
    handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | flags);
    if (handle != nullptr) path = name;
    return handle != nullptr;
  }

  GNP_INLINE std::string where_it_looked() const {
    std::string text;
    for (const std::string& place : tried) text += std::string("\n  ") + place;
    return text;
  }
};

GNP_INLINE std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The address of a function in an opened library. Throws if the library is too old to have it.
[[gnu::cold]] GNP_INLINE void* address_in(const shared_library& library, const char* symbol) {
  void* const address = ::dlsym(library.handle, symbol);
  if (address == nullptr)
    throw device_error(library.path + " has no function " + symbol + ": it is too old for gnp");
  return address;
}
template <class Function>
void load_symbol(const shared_library& library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(address_in(library, symbol));
}

}}}  // namespace gnp::GNP_ABI::detail
