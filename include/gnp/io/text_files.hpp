// SPDX-License-Identifier: MIT
// loadtxt and genfromtxt: a file's text, and the array of its rows.
#pragma once

#include <gnp/io/loadtxt.hpp>
#include <gnp/io/text_rows.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

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

}}}  // namespace gnp::GNP_ABI::detail
