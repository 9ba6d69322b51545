// SPDX-License-Identifier: MIT
// savetxt: an array's rows as text, and the file.
#pragma once

#include <gnp/io/host_bytes.hpp>
#include <gnp/io/number_format.hpp>
#include <gnp/io/savetxt.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The format of a row with this many numbers. A complex number takes two formats, unless one format is for
/// all.
GNP_INLINE row_format format_of_row(const savetxt_options& options, index_t columns, bool is_complex_row,
                                    const std::string& where) {
  const std::vector<std::string>& formats = options.fmt.formats;
  std::string shown;
  for (const std::string& format : formats) shown += (shown.empty() ? "" : options.delimiter) + format;
  index_t conversions = 0;
  for (std::string_view rest = shown; next_conversion(rest) != std::string_view::npos; ++conversions)
    rest.remove_prefix(next_conversion(rest) + 1);
  std::string whole = shown;
  if (!options.fmt.by_column && conversions == 1) {
    const std::string one = is_complex_row ? " (" + shown + "+" + shown + "j)" : shown;
    whole.clear();
    for (index_t i = 0; i < columns; ++i) whole += (i == 0 ? "" : options.delimiter) + one;
  } else if (conversions != columns * (is_complex_row ? 2 : 1)) {
    throw error(where + ": fmt '" + shown + "' is for " + std::to_string(conversions) + " numbers, a row has " +
                std::to_string(columns) + (is_complex_row ? " complex ones" : ""));
  } else if (options.fmt.by_column && static_cast<index_t>(formats.size()) != columns) {
    throw error(where + ": fmt is a list of " + std::to_string(formats.size()) + " formats, a row has " +
                std::to_string(columns) + " columns");
  }
  return row_format(whole, where);
}

/// What every line of a header or footer begins with.
GNP_INLINE std::string commented(std::string text, const savetxt_options& options) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    text.insert(at + 1, options.comments);
  return options.comments + text + options.newline;
}

/// One row, whose elements are at `data`.
GNP_INLINE void write_row(std::string& out, const row_format& format, dtype type, const char* data) {
  const bool is_pair = is_complex(type);
  const dtype part = printing::part_type(type);
  const std::size_t begin = out.size();
  for (const number_format& number : format.numbers) {
    number.write(out, text_value_of(part, data));
    data += itemsize(part);
  }
  out += format.after;
  if (!is_pair) return;
  // With a format for each part, 1-2j is first "1+-2j".
  for (std::size_t at = out.find("+-", begin); at != std::string::npos; at = out.find("+-", at))
    out.erase(at, 1);
}

GNP_INLINE void write_text(const path_arg& path, const any_array& x, const savetxt_options& options) {
  if (x.ndim() < 1 || x.ndim() > 2)
    throw shape_error("savetxt: the array must have one or two dimensions, got shape " + to_string(x.shape()));
  const index_t rows = x.shape()[0];
  const index_t columns = x.ndim() == 1 ? 1 : x.shape()[1];
  const row_format format = format_of_row(options, columns, is_complex(x.dtype()), "savetxt: " + path.text());
  const std::vector<char> elements = host_bytes(x);
  const std::size_t row_bytes = static_cast<std::size_t>(columns) * itemsize(x.dtype());
  output_file file("savetxt", path);
  const auto write = [&](const std::string& text) { file.write(text.data(), text.size()); };
  if (!options.header.empty()) write(commented(options.header, options));
  // Blocks of rows are made into text on all threads, a few of them at a time.
  const index_t block = (std::max)(index_t{1}, index_t{16384} / (std::max)(columns, index_t{1}));
  const index_t at_once = block * (4 * static_cast<index_t>(thread_count().load(std::memory_order_relaxed)));
  for (index_t begin = 0; begin < rows; begin += at_once) {
    const index_t end = (std::min)(rows, begin + at_once);
    std::vector<std::string> texts(static_cast<std::size_t>((end - begin + block - 1) / block));
    parallel_for(static_cast<std::int64_t>(texts.size()), 1, [&](std::int64_t first, std::int64_t last) {
      for (; first < last; ++first) {
        std::string& text = texts[static_cast<std::size_t>(first)];
        const index_t row_end = (std::min)(end, begin + (first + 1) * block);
        for (index_t row = begin + first * block; row < row_end; ++row) {
          write_row(text, format, x.dtype(), elements.data() + static_cast<std::size_t>(row) * row_bytes);
          text += options.newline;
        }
      }
    });
    for (const std::string& text : texts) write(text);
  }
  if (!options.footer.empty()) write(commented(options.footer, options));
  file.finish();
}

}  // namespace detail

GNP_INLINE void savetxt(const path_arg& path, const any_array& x, const savetxt_options& options) {
  detail::write_text(path, x, options);
}

}}  // namespace gnp::GNP_ABI
