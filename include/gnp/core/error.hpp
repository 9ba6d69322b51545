// SPDX-License-Identifier: MIT
// Every failure is an exception derived from gnp::error whose message names the function and the values.
#pragma once

#include <gnp/core/config.hpp>
#include <stdexcept>
#include <string>

namespace gnp::inline GNP_ABI {

/// What all errors of gnp are derived from.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Shapes that do not fit each other, or a shape that cannot be.
struct shape_error : error {
  using error::error;
};
/// An index, or an axis, outside its array.
struct index_error : error {
  using error::error;
};
/// A value or an operation that the element type does not have.
struct dtype_error : error {
  using error::error;
};
/// A device that is missing, unusable, or not the one the other operands are on.
struct device_error : error {
  using error::error;
};
/// Not enough memory; the message has the sizes asked for, free and in use.
struct out_of_memory : error {
  using error::error;
};
/// A failed factorisation or solve.
struct linalg_error : error {
  using error::error;
};
/// A ufunc body that the device compiler refused; the message has its log and the source.
struct compile_error : error {
  using error::error;
};
/// A file that cannot be read or written.
struct io_error : error {
  using error::error;
};

}  // namespace gnp::inline GNP_ABI
