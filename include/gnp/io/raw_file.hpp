// SPDX-License-Identifier: MIT
// Elements without a header: files of them, and their text.
#pragma once

#include <gnp/io/host_bytes.hpp>
#include <gnp/io/number_format.hpp>
#include <gnp/io/number_text.hpp>
#include <gnp/io/raw.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

GNP_INLINE index_t raw_count(const char* function, std::uint64_t bytes, index_t offset,
                             std::optional<index_t> count, dtype type) {
  if (offset < 0 || static_cast<std::uint64_t>(offset) > bytes) {
    throw index_error(std::string(function) + ": offset " + std::to_string(offset) + " is not within the " +
                      std::to_string(bytes) + " bytes");
  }
  const auto there = static_cast<index_t>((bytes - static_cast<std::uint64_t>(offset)) / itemsize(type));
  if (!count || *count < 0) return there;
  if (*count > there) {
    throw io_error(std::string(function) + ": " + std::to_string(*count) + " elements of " + name(type) +
                   " from byte " + std::to_string(offset) + " on are asked for, and " + std::to_string(there) +
                   " are there");
  }
  return *count;
}

/// Parses numbers with a separator between them; blanks in the separator match any number of blanks, or none.
GNP_INLINE std::vector<char> parse_list(const char* function, std::string_view text, dtype type,
                                        const std::string& sep, std::optional<index_t> count) {
  const std::string_view mark = trimmed(sep);
  const std::size_t bytes = itemsize(type);
  std::vector<char> elements;
  const index_t most = count && *count >= 0 ? *count : (std::numeric_limits<index_t>::max)();
  const std::string_view all = text;
  text = trimmed(text);
  for (index_t i = 0; i < most && !text.empty(); ++i) {
    std::size_t end = 0;
    std::size_t next = 0;
    if (mark.empty()) {
      while (end < text.size() && !is_blank(text[end])) ++end;
      next = end;
    } else {
      end = (std::min)(text.find(mark), text.size());
      next = (std::min)(end + mark.size(), text.size());
    }
    elements.resize(elements.size() + bytes);
    if (!parse_number(text.substr(0, end), type, elements.data() + elements.size() - bytes)) {
      throw io_error(std::string(function) + ": byte " + std::to_string(text.data() - all.data()) +
                     ": could not convert '" + std::string(trimmed(text.substr(0, end)).substr(0, 40)) +
                     "' to " + name(type));
    }
    text = trimmed(text.substr(next));
  }
  const auto got = static_cast<index_t>(elements.size() / bytes);
  if (count && got < *count) {
    throw io_error(std::string(function) + ": " + std::to_string(*count) + " numbers are asked for, and " +
                   std::to_string(got) + " are there");
  }
  return elements;
}

GNP_INLINE any_array array_of_bytes(const char* function, const void* data, index_t count, dtype type) {
  any_array result(type, shape_t{count}, false, default_device(), function);
  if (type == dtype::bool_) {  // any byte but 0 is true
    const auto* const from = static_cast<const char*>(data);
    read_elements(result, false, {}, [from](char* to, std::size_t bytes, std::size_t offset) {
      std::memcpy(to, from + offset, bytes);
    });
  } else {
    copy_from_host(*result.block().get(), result.data(), data, static_cast<std::size_t>(result.nbytes()));
  }
  return result;
}

GNP_INLINE any_array array_of_list(const char* function, std::string_view text, dtype type,
                                   const std::string& sep, std::optional<index_t> count) {
  const std::vector<char> elements = parse_list(function, text, type, sep, count);
  return array_of_bytes(function, elements.data(), static_cast<index_t>(elements.size() / itemsize(type)),
                        type);
}

GNP_INLINE any_array read_raw(const path_arg& path, dtype type, const fromfile_options& options) {
  const input_file file("fromfile", path);
  const std::string function = "fromfile: " + path.text();
  if (!options.sep.empty()) {
    const auto begin = static_cast<std::uint64_t>(options.offset);
    if (options.offset < 0 || begin > file.size())
      raw_count(function.c_str(), file.size(), options.offset, {}, type);
    std::string text(static_cast<std::size_t>(file.size() - begin), '\0');
    file.read(text.data(), text.size(), begin);
    return array_of_list(function.c_str(), text, type, options.sep, options.count);
  }
  const index_t count = raw_count(function.c_str(), file.size(), options.offset, options.count, type);
  const any_array result(type, shape_t{count}, false, default_device(), "fromfile");
  read_elements(result, false, options.progress, [&](char* to, std::size_t bytes, std::size_t offset) {
    file.read(to, bytes, static_cast<std::uint64_t>(options.offset) + offset);
  });
  return result;
}

GNP_INLINE void write_raw(const any_array& x, const path_arg& path, const tofile_options& options) {
  output_file file("tofile", path);
  if (options.sep.empty() && x.is_contiguous()) {
    write_elements(x, nullptr, [&](const char* from, std::size_t bytes) { file.write(from, bytes); });
    file.finish();
    return;
  }
  const std::vector<char> elements = host_bytes(x);
  if (options.sep.empty()) {
    file.write(elements.data(), elements.size());
    file.finish();
    return;
  }
  const bool is_pair = is_complex(x.dtype());
  const row_format format(options.format, "tofile");
  if (format.numbers.size() != 1)
    throw error("tofile: the format '" + options.format + "' is for " + std::to_string(format.numbers.size()) +
                " numbers, not one");
  if (is_pair && options.format != "%s")
    throw dtype_error("tofile: the format of complex numbers is %s, got '" + options.format + "'");
  std::string text;
  const dtype part = printing::part_type(x.dtype());
  // As Python's numbers: a float32 has the digits of the double that it is.
  const auto number_at = [part](const char* from) {
    text_value value = text_value_of(part, from);
    if (!value.is_integral()) value.type = dtype::float64;
    return value;
  };
  for (std::size_t at = 0; at < elements.size(); at += itemsize(x.dtype())) {
    if (at > 0) text += options.sep;
    const char* const element = elements.data() + at;
    if (is_pair) {
      text += printing::complex_scalar_text(dtype::float64, number_at(element).real,
                                            number_at(element + itemsize(part)).real);
    } else {
      format.numbers[0].write(text, number_at(element));
      text += format.after;
    }
  }
  file.write(text.data(), text.size());
  file.finish();
}

}  // namespace detail

GNP_INLINE void tofile(const any_array& x, const path_arg& path, const tofile_options& options) {
  detail::write_raw(x, path, options);
}

}}  // namespace gnp::GNP_ABI
