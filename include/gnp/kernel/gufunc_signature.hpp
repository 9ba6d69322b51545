// SPDX-License-Identifier: MIT
// The signature of a generalised ufunc, "(m,n),(n)->(m)", read while the program is compiled.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <gnp/core/config.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A signature as a template's argument.
template <std::size_t Size>
struct signature_text {
  char characters[Size];
  constexpr signature_text(const char (&text)[Size]) { std::copy_n(text, Size, characters); }
};

/// The dimensions of one operand or result. Each is a name, or a number, which is its size.
struct gufunc_core {
  static constexpr int most = 6;
  std::array<std::string_view, most> dimensions;
  int rank = 0;

  constexpr bool has(std::string_view name) const {
    for (int d = 0; d < rank; ++d) {
      if (dimensions[static_cast<std::size_t>(d)] == name) return true;
    }
    return false;
  }
};

struct gufunc_signature {
  static constexpr int most = 12;
  std::array<gufunc_core, most> cores;  // of the operands, then of the results
  int operands = 0;
  int count = 0;
  bool right = false;

  constexpr int results() const { return count - operands; }
};

constexpr bool is_size(std::string_view dimension) { return dimension[0] >= '0' && dimension[0] <= '9'; }

/// `right` is false if the text is not a signature.
constexpr gufunc_signature read_gufunc_signature(std::string_view text) {
  gufunc_signature s;
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  const auto take = [&](char c) {
    skip();
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  };
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  bool arrow = false;
  for (;;) {
    if (s.count == gufunc_signature::most || !take('(')) return s;
    gufunc_core& core = s.cores[static_cast<std::size_t>(s.count++)];
    while (!take(')')) {
      if (core.rank > 0 && !take(',')) return s;
      skip();
      const std::size_t begin = at;
      while (at < text.size() && in_name(text[at])) ++at;
      if (at == begin || core.rank == gufunc_core::most) return s;
      core.dimensions[static_cast<std::size_t>(core.rank++)] = text.substr(begin, at - begin);
    }
    if (take(',')) continue;
    skip();
    if (arrow) break;
    if (!take('-') || !take('>')) return s;
    arrow = true;
    s.operands = s.count;
  }
  s.right = at == text.size();
  return s;
}

/// Is the size of each dimension of a result known?
constexpr bool results_have_sizes(const gufunc_signature& s) {
  for (int i = s.operands; i < s.count; ++i) {
    const gufunc_core& core = s.cores[static_cast<std::size_t>(i)];
    for (int d = 0; d < core.rank; ++d) {
      const std::string_view name = core.dimensions[static_cast<std::size_t>(d)];
      bool known = is_size(name);
      for (int k = 0; k < s.operands; ++k) known = known || s.cores[static_cast<std::size_t>(k)].has(name);
      if (!known) return false;
    }
  }
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail
