// SPDX-License-Identifier: MIT
// How arrays are printed, and what prints them: an array is a pointer and a dtype here, whatever its type.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/core/dtype.hpp>
#include <gnp/core/shape.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

/// NumPy's print options, with its defaults.
struct print_options {
  by_name only = by_name();
  int precision = 8;         ///< digits after the point, at most
  index_t threshold = 1000;  ///< arrays of more elements are summarised
  index_t edgeitems = 3;     ///< elements shown at each end of a summarised axis
  int linewidth = 75;
  bool suppress = false;  ///< small values alone are no reason for exponents
  char sign = '-';        ///< '+': all numbers get a sign; ' ': a blank in place of the plus
  /// "fixed": always `precision` digits; "unique": all that tell the value from its neighbours;
  /// "maxprec_equal": for all numbers as many as the longest needs.
  std::string floatmode = "maxprec";
  std::string nanstr = "nan";
  std::string infstr = "inf";
  // Only for array2string:
  std::string separator = " ";
  std::string prefix = "";  ///< what will be written before and after: it takes columns of the line
  std::string suffix = "";
};

namespace detail::printing {

GNP_DECLARED void check_print_options(const print_options& options, const char* function);

/// array2string, and Python's str and repr.
enum class print_style : std::uint8_t { text, str, repr };
/// `held` is the shape of the elements at `data`: that of the array, or what ends_of says.
GNP_DECLARED std::string printed(print_style style, const void* data, dtype type, const shape_t& shape,
                                 const shape_t& held, const print_options& options);

/// What is fetched of an array to show it: of a large one, only the two ends of each axis that is cut.
struct shown_ends {
  shape_t held;  // the shape of these elements

  // They are this view of the array, in which a cut axis becomes two: the ends, and the elements of an end.
  shape_t shape;
  shape_t strides;
};
GNP_DECLARED shown_ends ends_of(const shape_t& shape, const shape_t& strides, const print_options& options);

}  // namespace detail::printing
}}  // namespace gnp::GNP_ABI
