// SPDX-License-Identifier: MIT
// Options of text files that may be written in several ways: .delimiter = ',' or ",", .usecols = 1 or {1, 3}.
#pragma once

#include <gnp/core/error.hpp>
#include <gnp/core/layout.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A character, or a text of one character.
class one_character {
 public:
  constexpr one_character(char c) : value_(c) {}
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

/// Numbers of columns, or one of them.
struct column_numbers : std::vector<index_t> {
  column_numbers() = default;
  column_numbers(index_t one) : std::vector<index_t>{one} {}
  column_numbers(std::initializer_list<index_t> several) : std::vector<index_t>(several) {}
  column_numbers(std::vector<index_t> several) : std::vector<index_t>(std::move(several)) {}
};

}}}  // namespace gnp::GNP_ABI::detail
