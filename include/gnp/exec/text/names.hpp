// SPDX-License-Identifier: MIT
// Names in kernels: those of types and variables, and which of them a text uses.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The name of an element type in kernels.
constexpr const char* device_name(dtype d) {
  constexpr const char* names[dtype_count] = {"bool",
                                              "signed char",
                                              "short",
                                              "int",
                                              "long long",
                                              "unsigned char",
                                              "unsigned short",
                                              "unsigned int",
                                              "unsigned long long",
                                              "half",
                                              "bfloat16",
                                              "float",
                                              "double",
                                              "std::complex<float>",
                                              "std::complex<double>"};
  return names[static_cast<int>(d)];
}

/// Calls f(identifier) for each identifier of a text, and other(rest) for what is between them.
template <class F, class G>
void for_each_token(std::string_view text, const F& identifier, const G& other) {
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto continues = [&starts](char c) { return starts(c) || (c >= '0' && c <= '9'); };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    if (starts(text[i])) {
      while (end < text.size() && continues(text[end])) ++end;
      identifier(text.substr(i, end - i));
    } else {
      // A number includes its suffix: the f of 1.0f is not an identifier.
      const bool number = text[i] >= '0' && text[i] <= '9';
      ++end;
      while (end < text.size() && (number ? continues(text[end]) || text[end] == '.' : !continues(text[end])))
        ++end;
      other(text.substr(i, end - i));
    }
    i = end;
  }
}

/// The parts of a macro's argument list: split at the commas outside parentheses, as the preprocessor does.
GNP_DECLARED std::vector<std::string> split_arguments(std::string_view text);

/// "v" and 2 make "v2".
GNP_INLINE std::string numbered(const char* name, std::size_t number) {
  std::string text(name);
  text += std::to_string(number);
  return text;
}

/// Which variables of a kind, such as v1 or r0, a text names.
[[gnu::cold]] GNP_INLINE std::vector<bool> named_in(std::string_view text, char kind, std::size_t count) {
  std::vector<bool> named(count);
  for_each_token(
      text,
      [&](std::string_view id) {
        if (id.size() < 2 || id[0] != kind) return;
        std::size_t number = 0;
        for (const char c : id.substr(1)) {
          if (c < '0' || c > '9') return;
          number = 10 * number + static_cast<std::size_t>(c - '0');
        }
        if (number < count) named[number] = true;
      },
      [](std::string_view) {});
  return named;
}

/// The variables k0, k1, ... of the constants that a text names.
[[gnu::cold]] GNP_INLINE std::string constants_text(const std::vector<dtype>& types,
                                                    std::string_view named_by) {
  const std::vector<bool> named = named_in(named_by, 'k', types.size());
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!named[i]) continue;
    text += filled_in("  const $type k$i = constant<$type>(p, $i);\n",
                      {{"type", device_name(types[i])}, {"i", std::to_string(i)}});
  }
  return text;
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
