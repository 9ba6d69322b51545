// SPDX-License-Identifier: MIT
// How arrays are printed, and the function that prints them, which takes an array as a pointer and a dtype.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/core/dtype.hpp>
#include <gnp/core/shape.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

struct print_options;

namespace detail::printing {

/// The options that the calling thread has set; null until it sets any.
GNP_DECLARED const print_options* options_of_thread();

/// An option as the calling thread has set it, or NumPy's default.
template <class T>
T option(T print_options::* member, T otherwise) {
  const print_options* set = options_of_thread();
  return set == nullptr ? otherwise : set->*member;
}

}  // namespace detail::printing

/// NumPy's print options, in the order of its set_printoptions. Options that are not named have the values that
/// the calling thread has set: {.precision = 3}.
struct print_options {
  by_name only = by_name();
  /// Digits after the point, at most.
  int precision = detail::printing::option(&print_options::precision, 8);
  /// Arrays of more elements are summarised.
  index_t threshold = detail::printing::option(&print_options::threshold, index_t{1000});
  /// Elements shown at each end of a summarised axis.
  index_t edgeitems = detail::printing::option(&print_options::edgeitems, index_t{3});
  int linewidth = detail::printing::option(&print_options::linewidth, 75);
  /// Do not use exponents only because of small values.
  bool suppress = detail::printing::option(&print_options::suppress, false);
  std::string nanstr = detail::printing::option(&print_options::nanstr, std::string("nan"));
  std::string infstr = detail::printing::option(&print_options::infstr, std::string("inf"));
  /// '+': all numbers get a sign; ' ': a blank in place of the plus.
  char sign = detail::printing::option(&print_options::sign, '-');
  /// "fixed": always `precision` digits; "unique": as many as distinguish the value from its neighbours;
  /// "maxprec_equal": for all numbers as many as the longest needs.
  std::string floatmode = detail::printing::option(&print_options::floatmode, std::string("maxprec"));
  /// All numbers get exponents, as std::scientific asks of a stream.
  bool scientific = false;
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

/// The part of an array that is copied in order to show it: for an array with at least `least_cut` elements,
/// only the two ends of each axis that is cut.
struct shown_ends {
  shape_t held;  // the shape of these elements

  // They are this view of the array, in which a cut axis becomes two: the ends, and the elements of an end.
  shape_t shape;
  shape_t strides;
};
GNP_DECLARED shown_ends ends_of(const shape_t& shape, const shape_t& strides, const print_options& options,
                                index_t least_cut);

}  // namespace detail::printing
}}  // namespace gnp::GNP_ABI
