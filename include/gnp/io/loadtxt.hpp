// SPDX-License-Identifier: MIT
// loadtxt, genfromtxt: numbers from text files, a row on each line.
#pragma once

#include <gnp/core/number.hpp>
#include <gnp/io/text_rows.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// A character, or a text of one.
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

}  // namespace detail

/// loadtxt: as NumPy's. Where no delimiter is given, spaces and tabs are.
struct loadtxt_options {
  by_name only = by_name();
  std::string comments = "#";
  detail::one_character delimiter = '\0';
  index_t skiprows = 0;
  std::vector<index_t> usecols = {};
  bool unpack = false;
  int ndmin = 0;
  std::optional<index_t> max_rows = std::nullopt;
};

/// genfromtxt: what is no number, or is `missing_values`, becomes `filling_values`: NaN unless told, -1 for
/// integers.
struct genfromtxt_options {
  by_name only = by_name();
  std::string comments = "#";
  detail::one_character delimiter = '\0';
  index_t skip_header = 0;
  index_t skip_footer = 0;
  std::string missing_values = {};
  number filling_values = {};
  std::vector<index_t> usecols = {};
  bool unpack = false;
  std::optional<index_t> max_rows = std::nullopt;
  int ndmin = 0;
};

namespace detail {

GNP_INLINE any_array read_text(const path_arg& path, dtype type, const loadtxt_options& options) {
  const input_file file("loadtxt", path);
  text_form form;
  form.type = type;
  form.delimiter = options.delimiter;
  form.comments = options.comments;
  form.usecols = options.usecols;
  if (options.max_rows) form.most_rows = *options.max_rows;
  const std::string content = content_of(file);
  const auto parts =
      parse_rows(without_lines(content, options.skiprows), options.skiprows + 1, form, file.errors());
  return array_of_rows(parts, form, options.ndmin, options.unpack, "loadtxt");
}

/// Without its last rows: lines that have more than a comment.
GNP_INLINE std::string_view without_footer(std::string_view text, index_t count, const std::string& comments) {
  while (count > 0 && !text.empty()) {
    const std::size_t before = text.ends_with('\n') ? text.size() - 1 : text.size();
    const std::size_t newline = before == 0 ? std::string_view::npos : text.rfind('\n', before - 1);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (!trimmed(text_rows::content_of(text.substr(begin, before - begin), comments)).empty()) --count;
    text = text.substr(0, begin);
  }
  return text;
}

GNP_INLINE any_array read_text_with_gaps(const path_arg& path, dtype type, const void* filling,
                                         const genfromtxt_options& options) {
  const input_file file("genfromtxt", path);
  text_form form;
  form.type = type;
  form.delimiter = options.delimiter;
  form.comments = options.comments;
  form.usecols = options.usecols;
  form.filling = filling;
  form.missing = options.missing_values;
  if (options.max_rows) form.most_rows = *options.max_rows;
  const std::string content = content_of(file);
  const std::string_view rows =
      without_footer(without_lines(content, options.skip_header), options.skip_footer, options.comments);
  const auto parts = parse_rows(rows, options.skip_header + 1, form, file.errors());
  return array_of_rows(parts, form, options.ndmin, options.unpack, "genfromtxt");
}

}  // namespace detail

/// Numbers from a text file, on the default device: rows and columns, or one axis where there is one of either.
template <element T = double>
array<T> loadtxt(const path_arg& path, const loadtxt_options& options = {}) {
  return detail::read_text(path, dtype_of<T>, options).template get<T>();
}

/// The same where numbers may be missing.
template <element T = double>
array<T> genfromtxt(const path_arg& path, const genfromtxt_options& options = {}) {
  T filling = scalar::cast<T>(-1);
  if constexpr (is_floating(dtype_of<T>) || is_complex(dtype_of<T>)) {
    filling = scalar::cast<T>(std::numeric_limits<double>::quiet_NaN());
  } else if constexpr (std::is_same_v<T, bool>) {
    filling = false;
  }
  if (options.filling_values.given())
    filling = options.filling_values.visit([](auto value) { return scalar::cast<T>(value); });
  return detail::read_text_with_gaps(path, dtype_of<T>, &filling, options).template get<T>();
}

}}  // namespace gnp::GNP_ABI
