// SPDX-License-Identifier: MIT
// Rows and columns of numbers in a text, parsed on several threads.
#pragma once

#include <cstddef>
#include <exception>
#include <gnp/cpu/threads.hpp>
#include <gnp/io/any_array.hpp>
#include <gnp/io/file.hpp>
#include <gnp/io/number_text.hpp>
#include <gnp/io/text_arguments.hpp>
#include <limits>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How a text is divided into rows and numbers.
struct text_form {
  dtype type = dtype::float64;
  char delimiter = '\0';          // spaces where it is 0
  comment_marks comments = "";    // what begins with one of these is not read
  std::vector<index_t> usecols;   // all where it is empty
  bool has_gaps = false;          // read as genfromtxt does, and not as loadtxt does
  const void* filling = nullptr;  // for fields that are not numbers; they are an error if this is null
  std::string missing;            // a text that means a missing number
  index_t most_rows = (std::numeric_limits<index_t>::max)();
};

/// Takes the first line off a text. It ends with a newline, a carriage return, or both.
GNP_INLINE std::string_view take_line(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != '\n' && text[end] != '\r') ++end;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  return line;
}

/// The rows of one part of a text.
class text_rows {
 public:
  text_rows(const text_form& form, const file_errors& errors) : form_(form), errors_(errors) {}

  std::vector<char> elements;
  index_t rows = 0;
  index_t columns = -1;

  /// Lines are counted from `line` on, for errors.
  GNP_INLINE void parse(std::string_view text, index_t line) {
    for (; !text.empty() && rows < form_.most_rows; ++line) parse_line(take_line(text), line);
  }

  /// How many fields the first row of a text has.
  GNP_INLINE index_t first_count(std::string_view text) {
    while (!text.empty()) {
      if (split_row(take_line(text))) return static_cast<index_t>(fields_.size());
    }
    return 0;
  }

  /// Is a line without its comment not a row? With a delimiter, blanks count as a field for loadtxt, and tabs
  /// for genfromtxt.
  GNP_INLINE static bool has_nothing(std::string_view line, const text_form& form) {
    if (form.delimiter == '\0') return trimmed(line).empty();
    return form.has_gaps ? line.find_first_not_of(' ') == std::string_view::npos : line.empty();
  }

 private:
  [[noreturn]] GNP_INLINE void fail(index_t line, const std::string& what) const {
    throw io_error(std::string(errors_.function) + ": " + errors_.path + ", line " + std::to_string(line) +
                   what);
  }

  /// Finds the fields of a line; false if it is no row.
  GNP_INLINE bool split_row(std::string_view line) {
    line = form_.comments.before_comment(line);
    if (has_nothing(line, form_)) return false;
    if (form_.has_gaps && form_.delimiter != '\0') {  // genfromtxt: blanks at the ends are not fields
      line.remove_prefix(line.find_first_not_of(' '));
      line = line.substr(0, line.find_last_not_of(' ') + 1);
    }
    fields_.clear();
    split(line);
    return true;
  }

  GNP_INLINE void parse_line(std::string_view line, index_t number) {
    if (!split_row(line)) return;
    const auto count = static_cast<index_t>(fields_.size());
    if (form_.usecols.empty()) {
      if (columns < 0) columns = count;
      if (columns != count) {
        fail(number, ": the number of columns changes from " + std::to_string(columns) + " to " +
                         std::to_string(count) + "; usecols chooses those to be read");
      }
      for (index_t i = 0; i < count; ++i) store(i, number);
    } else {
      columns = static_cast<index_t>(form_.usecols.size());
      for (const index_t column : form_.usecols) {
        const index_t i = column < 0 ? column + count : column;
        if (i < 0 || i >= count) {
          fail(number, ": there is no column " + std::to_string(column) + " among " + std::to_string(count));
        }
        store(i, number);
      }
    }
    ++rows;
  }

  GNP_INLINE void split(std::string_view line) {
    if (form_.delimiter != '\0') {
      for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = (std::min)(line.find(form_.delimiter, begin), line.size());
        fields_.push_back(line.substr(begin, end - begin));
        begin = end + 1;
      }
      return;
    }
    for (std::size_t i = 0; i < line.size();) {
      if (is_blank(line[i])) {
        ++i;
        continue;
      }
      const std::size_t begin = i;
      while (i < line.size() && !is_blank(line[i])) ++i;
      fields_.push_back(line.substr(begin, i - begin));
    }
  }

  GNP_INLINE void store(index_t column, index_t line) {
    const std::size_t bytes = itemsize(form_.type);
    const std::size_t at = elements.size();
    elements.resize(at + bytes);
    const std::string_view field = fields_[static_cast<std::size_t>(column)];
    char* const to = elements.data() + at;
    if (!form_.has_gaps) {
      if (!parse_number(field, form_.type, to)) fail_at(line, column, "could not convert '", field, "' to ");
      return;
    }
    const bool is_missing = !form_.missing.empty() && trimmed(field) == form_.missing;
    const field_content what = is_missing ? field_content::none : parse_field(field, form_.type, to);
    if (what == field_content::number) return;
    if (what == field_content::out_of_bounds) fail_at(line, column, "'", field, "' is out of bounds for ");
    if (form_.filling == nullptr) {
      fail_at(line, column, "'", field, "' becomes filling_values (by default -1), out of bounds for ");
    }
    std::memcpy(to, form_.filling, bytes);
  }

  [[noreturn]] GNP_INLINE void fail_at(index_t line, index_t column, const char* before, std::string_view field,
                                       const char* after) const {
    fail(line, ", column " + std::to_string(column + 1) + ": " + before +
                   std::string(trimmed(field).substr(0, 40)) + after + name(form_.type));
  }

  const text_form& form_;
  const file_errors& errors_;
  std::vector<std::string_view> fields_;
};

/// The rows of a whole text, in parts that several threads parse. `line` is the number of its first line.
GNP_INLINE std::vector<text_rows> parse_rows(std::string_view text, index_t line, const text_form& form,
                                             const file_errors& errors) {
  constexpr std::size_t least_part = std::size_t{1} << 19;
  const auto threads = static_cast<std::size_t>(thread_count().load(std::memory_order_relaxed));
  const bool is_cut = form.most_rows != (std::numeric_limits<index_t>::max)();
  const std::size_t count =
      is_cut ? 1 : (std::max)((std::min)(text.size() / least_part, threads), std::size_t{1});
  std::vector<text_rows> parts;
  for (std::size_t i = 0; i < count; ++i) parts.emplace_back(form, errors);
  std::vector<std::size_t> ends(count + 1, 0);
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t guess = (std::max)(text.size() / count * i, ends[i - 1]);
    const std::size_t end = i == count ? std::string_view::npos : text.find_first_of("\r\n", guess);
    ends[i] = end == std::string_view::npos ? text.size() : end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  if (count > 1) {
    bool is_sound = true;
    try {
      parallel_for(static_cast<std::int64_t>(count), 1, [&](std::int64_t first, std::int64_t last) {
        for (; first < last; ++first) {
          const auto i = static_cast<std::size_t>(first);
          parts[i].parse(text.substr(ends[i], ends[i + 1] - ends[i]), 0);
        }
      });
    } catch (const io_error&) {
      is_sound = false;
    }
    for (const text_rows& part : parts) {
      is_sound = is_sound && (part.columns < 0 || part.columns == parts[0].columns || parts[0].columns < 0);
    }
    if (is_sound && parts[0].columns >= 0) return parts;
    parts.clear();  // parse again, with line numbers
    parts.emplace_back(form, errors);
  }
  parts[0].parse(text, line);
  return parts;
}

/// Skips lines at the beginning.
GNP_INLINE std::string_view without_lines(std::string_view text, index_t count) {
  for (; count > 0 && !text.empty(); --count) take_line(text);
  return text;
}

/// The whole of a file.
GNP_INLINE std::string content_of(const input_file& file) {
  std::string content(static_cast<std::size_t>(file.size()), '\0');
  file.read(content.data(), content.size(), 0);
  return content;
}

/// The array of a text's rows, on the default device: without axes of length 1 that ndmin does not ask for, and
/// transposed where each column is to be a row.
GNP_INLINE any_array array_of_rows(const std::vector<text_rows>& parts, const text_form& form, int ndmin,
                                   bool unpack, const char* function) {
  if (ndmin < 0 || ndmin > 2) {
    throw shape_error(std::string(function) + ": ndmin is 0, 1 or 2, got " + std::to_string(ndmin));
  }
  index_t rows = 0;
  // Of nothing, genfromtxt makes one empty column, whatever is asked for, as NumPy's does.
  index_t columns = form.usecols.empty() || form.has_gaps ? 1 : static_cast<index_t>(form.usecols.size());
  for (const text_rows& part : parts) {
    rows += part.rows;
    if (part.columns >= 0) columns = part.columns;
  }
  shape_t shape;
  if (ndmin == 2 || rows != 1) shape.push_back(rows);
  if (ndmin == 2 || columns != 1) shape.push_back(columns);
  if (shape.rank() < ndmin) shape = shape_t{1};
  const bool is_turned = unpack && shape.rank() == 2;
  if (is_turned) std::swap(shape[0], shape[1]);
  any_array result(form.type, shape, is_turned, default_device(), function);
  std::size_t at = 0;
  for (const text_rows& part : parts) {
    copy_from_host(*result.block().get(), static_cast<char*>(result.data()) + at, part.elements.data(),
                   part.elements.size());
    at += part.elements.size();
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
