// SPDX-License-Identifier: MIT
// Text options that also take a single character: .delimiter = ','.
#pragma once

#include <concepts>
#include <gnp/core/error.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A character, or a text of one character.
class one_character {
 public:
  /// (Not an integer: the width of a column, as NumPy's genfromtxt has it, is not a character.)
  template <std::same_as<char> C>
  constexpr one_character(C c) : value_(c) {}
  one_character(const char* text) : one_character(std::string_view(text)) {}
  one_character(const std::string& text) : one_character(std::string_view(text)) {}
  constexpr operator char() const { return value_; }

 private:
  explicit one_character(std::string_view text) : value_(text.empty() ? '\0' : text[0]) {
    if (text.size() > 1) throw error("a delimiter is one character, got '" + std::string(text) + "'");
  }
  char value_;
};

/// A text, or a character.
struct characters : std::string {
  characters(std::string text) : std::string(std::move(text)) {}
  characters(const char* text) : std::string(text) {}
  characters(char c) : std::string(1, c) {}
};

/// What begins a comment: a text, a character, or one of several texts.
class comment_marks {
 public:
  comment_marks(const characters& mark) : marks_{mark} {}
  comment_marks(const char* mark) : marks_{mark} {}
  comment_marks(const std::string& mark) : marks_{mark} {}
  comment_marks(char mark) : marks_{std::string(1, mark)} {}
  comment_marks(std::initializer_list<std::string> marks) : marks_(marks) {}

  /// A line up to the first of them; an empty mark begins nothing.
  std::string_view before_comment(std::string_view line) const {
    for (const std::string& mark : marks_) {
      if (!mark.empty()) line = line.substr(0, line.find(mark));
    }
    return line;
  }

 private:
  std::vector<std::string> marks_;
};

}}}  // namespace gnp::GNP_ABI::detail
