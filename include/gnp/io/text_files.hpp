// SPDX-License-Identifier: MIT
// loadtxt and genfromtxt: a file's text, and the array of its rows.
#pragma once

#include <algorithm>
#include <gnp/io/loadtxt.hpp>
#include <gnp/io/text_rows.hpp>
#include <limits>
#include <optional>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE index_t rows_to_read(const std::optional<index_t>& most, index_t least, const char* function) {
  if (!most) return (std::numeric_limits<index_t>::max)();
  if (*most < least) {
    throw error(std::string(function) + ": max_rows must be at least " + std::to_string(least) + ", got " +
                std::to_string(*most));
  }
  return *most;
}

GNP_INLINE any_array read_text(const path_arg& path, dtype type, const loadtxt_options& options) {
  if (options.skiprows < 0)
    throw error("loadtxt: skiprows must not be negative, got " + std::to_string(options.skiprows));
  const input_file file("loadtxt", path);
  text_form form;
  form.type = type;
  form.delimiter = options.delimiter;
  form.comments = options.comments;
  form.usecols = options.usecols.all();
  form.most_rows = rows_to_read(options.max_rows, 0, "loadtxt");
  const std::string content = content_of(file);
  const auto parts =
      parse_rows(without_lines(content, options.skiprows), options.skiprows + 1, form, file.errors());
  return array_of_rows(parts, form, options.ndmin, options.unpack, "loadtxt");
}

/// The text without its last `count` rows. A row is a line that has more than a comment.
GNP_INLINE std::string_view without_footer(std::string_view text, index_t count, const text_form& form) {
  while (count > 0 && !text.empty()) {
    const bool ends = text.ends_with('\n') || text.ends_with('\r');
    const std::size_t before = text.size() - (text.ends_with("\r\n") ? 2 : ends ? 1 : 0);
    const std::size_t other = before == 0 ? std::string_view::npos : text.find_last_of("\r\n", before - 1);
    const std::size_t begin = other == std::string_view::npos ? 0 : other + 1;
    const std::string_view line = form.comments.before_comment(text.substr(begin, before - begin));
    if (!text_rows::has_nothing(line, form)) --count;
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
  form.usecols = options.usecols.all();
  form.has_gaps = true;
  form.filling = filling;
  form.missing = options.missing_values;
  form.most_rows = rows_to_read(options.max_rows, 1, "genfromtxt");
  const std::string content = content_of(file);
  const std::string_view rows =
      without_footer(without_lines(content, options.skip_header), options.skip_footer, form);
  // The first row says what -1 is. A column that it does not have stays negative, which is an error there.
  const bool counts_from_end =
      std::any_of(form.usecols.begin(), form.usecols.end(), [](index_t i) { return i < 0; });
  const index_t count = counts_from_end ? text_rows(form, file.errors()).first_count(rows) : 0;
  for (index_t& column : form.usecols) {
    if (column < 0 && column + count >= 0) column += count;
  }
  const index_t first_line = (std::max)(options.skip_header, index_t{0}) + 1;
  const auto parts = parse_rows(rows, first_line, form, file.errors());
  return array_of_rows(parts, form, options.ndmin, options.unpack, "genfromtxt");
}

}}}  // namespace gnp::GNP_ABI::detail
