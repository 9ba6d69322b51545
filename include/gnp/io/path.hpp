// SPDX-License-Identifier: MIT
// path_arg: the path of a file as an argument.
#pragma once

#include <concepts>
#include <gnp/core/config.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

/// The path of a file: text, a std::filesystem::path, whatever has a c_str().
class path_arg {
 public:
  path_arg(const char* path) : text_(path) {}
  path_arg(std::string_view path) : text_(path) {}
  template <class Path>
    requires requires(const Path& path) {
      { path.c_str() } -> std::same_as<const char*>;
    }
  path_arg(const Path& path) : text_(path.c_str()) {}

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}}  // namespace gnp::GNP_ABI
