// SPDX-License-Identifier: MIT
// savetxt: numbers to a text file, a row on each line.
#pragma once

#include <concepts>
#include <gnp/core/by_name.hpp>
#include <gnp/io/any_array.hpp>
#include <gnp/io/path.hpp>
#include <gnp/io/text_arguments.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// One format for every number, or one for each column: "%.3f", {"%d", "%.3f"}; or one for a whole row, "%d:
/// %.3f".
struct text_formats {
  std::vector<std::string> formats;
  bool by_column = false;

  text_formats(const char* format) : formats{format} {}
  text_formats(std::string format) : formats{std::move(format)} {}
  text_formats(std::initializer_list<const char*> listed)
      : formats(listed.begin(), listed.end()), by_column(true) {}
  text_formats(std::vector<std::string> listed) : formats(std::move(listed)), by_column(true) {}
};

/// Options of savetxt, as in NumPy.
struct savetxt_options {
  by_name only = by_name();
  text_formats fmt = "%.18e";
  detail::characters delimiter = " ";
  detail::characters newline = "\n";
  std::string header = {};
  std::string footer = {};
  detail::characters comments = "# ";
};

/// Writes an array of one or two dimensions as text; one of one dimension is a column.
GNP_DECLARED void savetxt(const path_arg& path, const any_array& x, const savetxt_options& options = {});
/// The format and the delimiter by position: savetxt("x.csv", x, "%.3f", ",").
template <std::convertible_to<text_formats> Format>
void savetxt(const path_arg& path, const any_array& x, const Format& fmt,
             const detail::characters& delimiter = " ") {
  savetxt(path, x, savetxt_options{.fmt = fmt, .delimiter = delimiter});
}
/// savetxt(x, path): exists only for its error message.
template <array_like X, class... More>
void savetxt(const X&, const path_arg&, const More&...) {
  static_assert(!array_like<X>, "gnp: the path comes first: gnp::savetxt(\"x.csv\", x, {.delimiter = \",\"})");
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/io/text_writing.hpp>
#endif
