// SPDX-License-Identifier: MIT
// Reads the text of a ufunc's body at compile time, to tell bodies apart and to find out whether a GPU can run
// it.
#pragma once

#include <array>
#include <cstdint>
#include <gnp/expr/scalar/numpy_in_bodies.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Represents a text in the names of functions, so that two different bodies become two functions, even if they
/// have the same name.
template <std::uint64_t Hash>
struct text_key {};

constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

constexpr bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

/// The tokens of a text, one by one. Names, numbers, and the operators that matter here are single tokens.
class token_reader {
 public:
  constexpr explicit token_reader(std::string_view text) : text_(text) {}

  /// The next token; empty at the end.
  constexpr std::string_view next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    const std::size_t begin = at_;
    if (begin == text_.size()) return {};
    if (starts_name(text_[at_])) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    } else if (is_digit(begin) || (text_[begin] == '.' && is_digit(begin + 1))) {
      while (at_ < text_.size() && continues_number(at_)) ++at_;
    } else if (text_[at_] == '"') {
      at_ = text_.find('"', at_ + 1);
      at_ = at_ < text_.size() ? at_ + 1 : text_.size();
    } else {
      at_ += is_pair(begin) ? 2U : 1U;
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  constexpr bool is_digit(std::size_t i) const {
    return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
  }
  constexpr bool continues_number(std::size_t i) const {
    const char c = text_[i];
    const char before = text_[i - (i > 0 ? 1 : 0)];
    const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
    return continues_name(c) || c == '.' || c == '\'' || ((c == '+' || c == '-') && exponent);
  }
  constexpr bool is_pair(std::size_t i) const {
    if (i + 1 >= text_.size()) return false;
    const char first = text_[i];
    const char second = text_[i + 1];
    if (second == '=') return first == '=' || first == '!' || first == '<' || first == '>';
    return (first == second && (first == ':' || first == '&')) || (first == '-' && second == '>');
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The word must not be empty. Its first character is compared first, because most words differ there and
/// compilers are slow at comparing texts.
template <std::size_t Count>
constexpr bool is_one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  for (const std::string_view& w : words) {
    if (w.size() == word.size() && w.front() == word.front() && w == word) return true;
  }
  return false;
}

constexpr bool has_token(std::string_view text, std::string_view wanted) {
  token_reader tokens(text);
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token == wanted) return true;
  }
  return false;
}

/// How many results a body has: the number of arguments of its first results(...); 0 if it returns a number.
constexpr int count_results(std::string_view body) {
  token_reader tokens(body);
  std::string_view token = tokens.next();
  for (std::string_view before; !token.empty(); before = token, token = tokens.next()) {
    if (before == "results" && token == "(") break;
  }
  if (token.empty()) return 0;
  int count = 1;
  for (int depth = 1; depth > 0 && !token.empty();) {
    token = tokens.next();
    if (token == "(" || token == "[" || token == "{") ++depth;
    if (token == ")" || token == "]" || token == "}") --depth;
    if (token == "," && depth == 1) ++count;
  }
  return count;
}

/// Does a body name float or double? Then C++'s rules apply in it, also to literals.
constexpr bool names_floating_type(std::string_view body) {
  return has_token(body, "float") || has_token(body, "double");
}

// clang-format off
inline constexpr std::array<std::string_view, 24> type_words = {
    "auto", "bool", "char", "char8_t", "char16_t", "char32_t", "class", "const", "constexpr", "decltype", "double",
    "enum", "float", "int", "long", "short", "signed", "static", "struct", "typename", "unsigned", "using", "void",
    "volatile"};
inline constexpr std::array<std::string_view, 36> other_words = {
    "and", "bitand", "bitor", "break", "case", "compl", "const_cast", "continue", "default", "delete", "do", "else",
    "false", "for", "goto", "if", "inline", "mutable", "new", "noexcept", "not", "nullptr", "operator", "or",
    "reinterpret_cast", "return", "sizeof", "static_cast", "switch", "template", "this", "throw", "true", "while",
    "xor", "typeof"};
#define GNP_BODY_FUNCTION(name, ...) std::string_view(#name),
inline constexpr std::array function_words = {GNP_FOR_EACH_BODY_FUNCTION(GNP_BODY_FUNCTION)
                                              GNP_FOR_EACH_BODY_ALIAS(GNP_BODY_FUNCTION)
                                              GNP_FOR_EACH_NUMPY_FUNCTION(GNP_BODY_FUNCTION) std::string_view("std"),
                                              std::string_view("gnp"), std::string_view("results")};
#undef GNP_BODY_FUNCTION
// clang-format on

/// Is every name in a body a parameter, a local variable, a word of C++, or a function that GPUs also have? Two
/// names in a row and similar signs are taken for a declaration; if in doubt, a name passes.
class name_check {
 public:
  constexpr name_check(std::string_view parameters, std::string_view body)
      : parameters_(parameters), rest_(body) {}

  constexpr bool passes() {
    std::string_view token = rest_.next();
    for (std::string_view after = token.empty() ? token : rest_.next(); !token.empty();
         after = next_after(after)) {
      if (starts_name(token.front()) && !passes(token, after)) return false;
      follow_parentheses(token);
      before_that_ = before_;
      before_ = token;
      token = after;
    }
    return true;
  }

 private:
  constexpr std::string_view next_after(std::string_view token) { return token.empty() ? token : rest_.next(); }

  constexpr bool passes(std::string_view name, std::string_view after) {
    if (before_ == "." || before_ == "->") return true;
    if (before_ == "::" && !before_that_.empty() && (starts_name(before_that_.front()) || before_that_ == ">"))
      return true;  // the name it belongs to has been checked
    if (has_token(parameters_, name)) return true;
    if (is_one_of(name, type_words) || is_one_of(name, other_words) || is_one_of(name, function_words))
      return true;
    if (name.starts_with("__") || name.ends_with("_t"))
      return true;  // names of the compiler; std::size_t and similar types
    if (declares(after)) {
      if (own_count_ < own_.size()) own_[own_count_++] = name;
      return true;
    }
    for (std::size_t i = 0; i < own_count_; ++i) {
      if (own_[i] == name) return true;
    }
    return own_count_ == own_.size();
  }

  /// decltype(x) is a type: notes where its parenthesis closes.
  constexpr void follow_parentheses(std::string_view token) {
    depth_ += token == "(" ? 1 : 0;
    if (token == "(" && before_ == "decltype") decltype_depth_ = depth_;
    after_decltype_ = token == ")" && depth_ == decltype_depth_;
    if (after_decltype_) decltype_depth_ = 0;
    depth_ -= token == ")" ? 1 : 0;
  }

  /// Is the name that follows before_ declared there?
  constexpr bool declares(std::string_view after) const {
    if (before_.empty()) return false;
    if (starts_name(before_.front())) return !is_one_of(before_, other_words);
    const bool after_type = !before_that_.empty() && is_one_of(before_that_, type_words);
    const bool can_end_type = before_ == ">" || before_ == "&" || before_ == "&&" || before_ == "*";
    if (after_decltype_ || (can_end_type && after_type)) return true;
    return after == "=" && (can_end_type || before_ == ")" || before_ == ",");
  }

  std::string_view parameters_;
  token_reader rest_;
  std::string_view before_;
  std::string_view before_that_;
  std::array<std::string_view, 64> own_{};
  std::size_t own_count_ = 0;
  int depth_ = 0;
  int decltype_depth_ = 0;
  bool after_decltype_ = false;
};

constexpr bool names_only_what_gpus_have(std::string_view parameters, std::string_view body) {
  return name_check(parameters, body).passes();
}

}}}  // namespace gnp::GNP_ABI::detail
