// SPDX-License-Identifier: MIT
// Arrow's columns through gnp's arrays and back: a library that arrow.py calls.
#include <cstdio>
#include <gnp/core.hpp>
#include <gnp/interop/from_arrow.hpp>
#include <gnp/interop/to_arrow.hpp>

namespace {

/// from_arrow<T> for the T of this name, and to_arrow of the array.
template <int Type = 0>
void through(ArrowSchema* schema, ArrowArray* column, const std::string& type, bool masked) {
  if constexpr (Type == gnp::dtype_count) {
    throw gnp::dtype_error(type + " is no element type");
  } else {
    using T = gnp::type_of<static_cast<gnp::dtype>(Type)>;
    if (type != gnp::name(static_cast<gnp::dtype>(Type))) {
      through<Type + 1>(schema, column, type, masked);
    } else if constexpr (!gnp::detail::arrow_element<T>) {
      throw gnp::dtype_error(type + " is none of Arrow's");
    } else if (masked) {
      const auto [values, valid] = gnp::from_arrow_masked<T>(schema, column);
      gnp::to_arrow(values, schema, column, {.name = "masked", .valid = valid});
    } else {
      gnp::to_arrow(gnp::from_arrow<T>(schema, column), schema, column);
    }
  }
}

}  // namespace

/// Both structs are replaced by gnp's; false, and the message, where it throws.
extern "C" [[gnu::visibility("default")]] bool through_gnp(void* schema, void* column, const char* type,
                                                           bool masked, char* message) {
  try {
    through(static_cast<ArrowSchema*>(schema), static_cast<ArrowArray*>(column), type, masked);
    return true;
  } catch (const gnp::error& e) {
    std::snprintf(message, 300, "%s", e.what());
    return false;
  }
}
