// SPDX-License-Identifier: MIT
// loadtxt, genfromtxt: numbers from text files, a row on each line.
#pragma once

#include <gnp/core/integers.hpp>
#include <gnp/core/number.hpp>
#include <gnp/expr/scalar/cast.hpp>
#include <gnp/io/any_array.hpp>
#include <gnp/io/integer_bounds.hpp>
#include <gnp/io/path.hpp>
#include <gnp/io/text_arguments.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// Options of loadtxt, as in NumPy. If no delimiter is given, spaces and tabs delimit.
struct loadtxt_options {
  by_name only = by_name();
  detail::comment_marks comments = "#";
  detail::one_character delimiter = '\0';
  index_t skiprows = 0;
  integers_t usecols = {};
  bool unpack = false;
  int ndmin = 0;
  std::optional<index_t> max_rows = std::nullopt;
};

/// Options of genfromtxt. A field that is not a number, or that is `missing_values`, becomes `filling_values`:
/// by default NaN, -1 for integers (an error for unsigned ones), and false for truth values.
struct genfromtxt_options {
  by_name only = by_name();
  detail::characters comments = "#";
  detail::one_character delimiter = '\0';
  index_t skip_header = 0;
  index_t skip_footer = 0;
  detail::characters missing_values = "";
  number filling_values = {};
  integers_t usecols = {};
  bool unpack = false;
  std::optional<index_t> max_rows = std::nullopt;
  int ndmin = 0;
};

namespace detail {

GNP_DECLARED any_array read_text(const path_arg& path, dtype type, const loadtxt_options& options);
/// `filling` is null if it would be out of bounds for the type.
GNP_DECLARED any_array read_text_with_gaps(const path_arg& path, dtype type, const void* filling,
                                           const genfromtxt_options& options);

}  // namespace detail

/// Numbers from a text file, on the default device: rows and columns, or one axis if there is only one row or
/// column.
template <element T = double>
array<T> loadtxt(const path_arg& path, const loadtxt_options& options = {}) {
  return detail::read_text(path, dtype_of<T>, options).template get<T>();
}

/// The same for files in which numbers may be missing.
template <element T = double>
array<T> genfromtxt(const path_arg& path, const genfromtxt_options& options = {}) {
  T filling = scalar::cast<T>(-1);
  bool fits = !is_unsigned_integer(dtype_of<T>);
  if constexpr (is_floating(dtype_of<T>) || is_complex(dtype_of<T>)) {
    filling = scalar::cast<T>(std::numeric_limits<double>::quiet_NaN());
  } else if constexpr (std::is_same_v<T, bool>) {
    filling = false;
  }
  if (options.filling_values.given()) {
    filling = options.filling_values.visit([&fits](auto value) {
      fits = detail::holds_number<T>(value);
      return fits ? scalar::cast<T>(value) : T();
    });
  }
  return detail::read_text_with_gaps(path, dtype_of<T>, fits ? &filling : nullptr, options).template get<T>();
}

// A delimiter or a type by position: exist only for their error message.
#define GNP_REFUSES_POSITIONS(function)                                                                \
  template <element T = double, class Second, class... More>                                           \
    requires(detail::is_flag_v<Second> || std::is_same_v<Second, std::string>)                         \
  array<T>(function)(const path_arg&, const Second&, const More&...) {                                 \
    static_assert(!element<T>,                                                                         \
                  "gnp: options have names, as in gnp::" #function "(\"x.csv\", {.delimiter = ','})"); \
    return {};                                                                                         \
  }
GNP_REFUSES_POSITIONS(loadtxt)
GNP_REFUSES_POSITIONS(genfromtxt)
#undef GNP_REFUSES_POSITIONS
GNP_REFUSES_DTYPES(loadtxt)
GNP_REFUSES_DTYPES(genfromtxt)

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/io/text_files.hpp>
#endif
