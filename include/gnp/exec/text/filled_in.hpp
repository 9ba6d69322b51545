// SPDX-License-Identifier: MIT
// Kernel texts with placeholders that the generator fills in.
#pragma once

#include <gnp/core/config.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A text with every $name replaced by its value.
struct replacement {
  std::string_view name;
  std::string_view value;
};
[[gnu::cold]] GNP_INLINE std::string filled_in(std::string_view text,
                                               std::initializer_list<replacement> replacements) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const replacement* found = nullptr;
    for (const replacement& r : replacements) {
      if (text[i] == '$' && text.substr(i + 1, r.name.size()) == r.name) found = &r;
    }
    result += found != nullptr ? found->value : text.substr(i, 1);
    i += found != nullptr ? found->name.size() + 1 : 1;
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
