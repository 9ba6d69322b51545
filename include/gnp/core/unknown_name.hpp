// SPDX-License-Identifier: MIT
// A name that an option does not have. The option is made before the function is called that knows its own
// name.
#pragma once

#include <gnp/core/error.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Keeps such a name, up to its first 40 characters, until the function that was called refuses it.
class unknown_name {
 public:
  constexpr unknown_name() = default;
  constexpr explicit unknown_name(std::string_view name) : given_(true) {
    for (const char c : name.substr(0, sizeof(text_) - 1)) text_[size_++] = c;
  }
  constexpr bool given() const { return given_; }

  /// Throws "function: before'name'after" if there is such a name.
  GNP_INLINE void refuse(const char* function, std::string_view before, std::string_view after = {}) const {
    if (!given_) return;
    throw error(std::string(function)
                    .append(": ")
                    .append(before)
                    .append("'")
                    .append(text_, size_)
                    .append("'")
                    .append(after));
  }

 private:
  bool given_ = false;
  std::size_t size_ = 0;
  char text_[41] = {};
};

}}}  // namespace gnp::GNP_ABI::detail
