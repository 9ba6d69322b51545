// SPDX-License-Identifier: MIT
// fromfile, tofile, frombuffer, fromstring: elements without a header, as bytes or as numbers between
// separators.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/io/any_array.hpp>
#include <gnp/io/path.hpp>
#include <gnp/io/progress.hpp>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

/// Options of fromfile: `count` elements (by default all) from byte `offset` on; with a separator, numbers as
/// text.
struct fromfile_options {
  by_name only = by_name();
  std::optional<index_t> count = std::nullopt;
  std::string sep = {};
  index_t offset = 0;
  progress_function progress = nullptr;
};

/// Options of tofile: with a separator, numbers as text, each by `format`.
struct tofile_options {
  by_name only = by_name();
  std::string sep = {};
  std::string format = "%s";
};

/// Options of frombuffer.
struct frombuffer_options {
  by_name only = by_name();
  std::optional<index_t> count = std::nullopt;
  index_t offset = 0;
};

/// Options of fromstring.
struct fromstring_options {
  by_name only = by_name();
  std::optional<index_t> count = std::nullopt;
  std::string sep = " ";
};

namespace detail {

/// How many elements to read from this many bytes. Throws if there are fewer than requested.
GNP_DECLARED index_t raw_count(const char* function, std::uint64_t bytes, index_t offset,
                               std::optional<index_t> count, dtype type);
GNP_DECLARED any_array array_of_bytes(const char* function, const void* data, index_t count, dtype type);
GNP_DECLARED any_array array_of_list(const char* function, std::string_view text, dtype type,
                                     const std::string& sep, std::optional<index_t> count);
GNP_DECLARED any_array read_raw(const path_arg& path, dtype type, const fromfile_options& options);

}  // namespace detail

/// The elements of a file without a header, as tofile writes it, in this machine's byte order.
template <element T = double>
array<T> fromfile(const path_arg& path, const fromfile_options& options = {}) {
  return detail::read_raw(path, dtype_of<T>, options).template get<T>();
}

/// Writes the elements in row-major order, without shape or type.
GNP_DECLARED void tofile(const any_array& x, const path_arg& path, const tofile_options& options = {});

/// Copies elements to the default device from the bytes of a std::string, a vector or a span.
template <element T = double, class Bytes>
  requires requires(const Bytes& bytes) {
    std::data(bytes);
    std::size(bytes);
  }
array<T> frombuffer(const Bytes& bytes, const frombuffer_options& options = {}) {
  const std::size_t size = std::size(bytes) * sizeof(*std::data(bytes));
  const bool is_all = !options.count || *options.count < 0;
  const bool is_within = options.offset >= 0 && static_cast<std::size_t>(options.offset) <= size;
  if (is_all && is_within && (size - static_cast<std::size_t>(options.offset)) % sizeof(T) != 0) {
    throw io_error("frombuffer: the " + std::to_string(size) + " bytes without the first " +
                   std::to_string(options.offset) + " do not hold a whole number of elements of " +
                   name(dtype_of<T>));
  }
  const index_t count = detail::raw_count("frombuffer", size, options.offset, options.count, dtype_of<T>);
  const char* const begin = reinterpret_cast<const char*>(std::data(bytes)) + options.offset;
  return detail::array_of_bytes("frombuffer", begin, count, dtype_of<T>).template get<T>();
}

/// The numbers of a text: fromstring<int>("1, 2, 3", {.sep = ","}).
template <element T = double>
array<T> fromstring(std::string_view text, const fromstring_options& options = {}) {
  if (options.sep.empty()) throw error("fromstring: without a separator it would take bytes: frombuffer does");
  return detail::array_of_list("fromstring", text, dtype_of<T>, options.sep, options.count).template get<T>();
}

namespace detail {

template <class Derived>
template <class Path>
void array_members<Derived>::tofile(const Path& path) const {
  gnp::tofile(derived(), path);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/io/raw_file.hpp>
#endif
