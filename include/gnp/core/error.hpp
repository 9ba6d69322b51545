// SPDX-License-Identifier: MIT
// Every failure is an exception derived from gnp::error whose message names the function and the values.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <gnp/core/config.hpp>
#include <stdexcept>
#include <string>

// Each error is one type for the whole process, even where shared objects are compiled with hidden symbols.
#define GNP_SHARED [[gnu::visibility("default")]]

// Not in the inline namespace, because errors are the same in every build: they can be caught in a file with
// other settings, and an uncaught error is printed under the name that the documentation uses.
namespace gnp {

/// What all errors of gnp are derived from.
struct GNP_SHARED error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Shapes that do not fit each other, or an impossible shape.
struct GNP_SHARED shape_error : error {
  using error::error;
};
/// An index, or an axis, outside its array.
struct GNP_SHARED index_error : error {
  using error::error;
};
/// A value or an operation that the element type does not have.
struct GNP_SHARED dtype_error : error {
  using error::error;
};
/// A device that is missing or unusable, or that is not the device of the other operands.
struct GNP_SHARED device_error : error {
  using error::error;
};
/// Not enough memory; the message has the sizes asked for, free and in use.
struct GNP_SHARED out_of_memory : error {
  using error::error;
};
/// A failed factorisation or solve.
struct GNP_SHARED linalg_error : error {
  using error::error;
};
/// A ufunc body that the device compiler refused; the message has its log and the source.
struct GNP_SHARED compile_error : error {
  using error::error;
};
/// A file that cannot be read or written.
struct GNP_SHARED io_error : error {
  using error::error;
};
/// A call of several processes that failed, did not end in time, or did not match the calls of the other
/// processes.
struct GNP_SHARED distributed_error : error {
  using error::error;
};
/// Work that cannot be recorded into a graph.
struct GNP_SHARED graph_error : error {
  using error::error;
};

}  // namespace gnp
#undef GNP_SHARED

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A number for messages, with the fewest digits that distinguish it from all others.
GNP_DECLARED std::string shown(double value);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::string shown(double value) {
  if (value != value) return "nan";
  char text[32];
  int digits = 6;  // one digit would print 50 as 5e+01; trailing zeros are left out
  do {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
  } while (++digits <= 17 && std::strtod(text, nullptr) != value);
  return text;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
