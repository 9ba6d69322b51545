// SPDX-License-Identifier: MIT
// The description of a column that gnp made, and its release.
#pragma once

#include <gnp/interop/to_arrow.hpp>
#include <memory>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void exported_column::release(::ArrowArray* handle) {
  auto column = read_arrow<arrow_array>(handle);
  delete static_cast<exported_column*>(column.owner);
  column.release = nullptr;
  write_arrow(handle, column);
}

GNP_DEFINED_ON_USE exported_column* export_valid(const shape_t& shape, gnp::device where,
                                                 const to_arrow_options& options, arrow_array& column) {
  if (shape.rank() != 1) {
    throw shape_error("to_arrow: a column has one dimension, and the array has shape " + to_string(shape) +
                      ": ravel() makes one");
  }
  unwritten_column made(new exported_column);
  if (options.valid) {
    const array<bool>& valid = *options.valid;
    if (!(valid.shape() == shape)) {
      throw shape_error("to_arrow: .valid has shape " + to_string(valid.shape()) + ", and the array " +
                        to_string(shape));
    }
    require_same_device("to_arrow", where, valid.device());
    made->buffers[0] = exported_buffer(arrow_bits(valid), made->bits);
    column.null_count = null_count(valid);
  }
  return made.release();
}

GNP_INLINE void require_cpu_column(gnp::device where) {
  if (where.is_cpu()) return;
  throw device_error(
      "to_arrow: the array is on " + to_string(where) +
      ", and an ArrowArray on the CPU: an ArrowDeviceArray takes it, or .to(gnp::device::cpu())");
}

GNP_INLINE void write_schema(::ArrowSchema* handle, dtype type, const to_arrow_options& options) {
  arrow_schema schema;
  schema.format = arrow_format(type);
  schema.flags = options.valid ? arrow_nullable : 0;
  auto name = std::make_unique<std::string>(options.name);
  schema.name = name->c_str();
  schema.release = [](::ArrowSchema* released) {
    auto mine = read_arrow<arrow_schema>(released);
    delete static_cast<std::string*>(mine.owner);
    mine.release = nullptr;
    write_arrow(released, mine);
  };
  schema.owner = name.release();
  write_arrow(handle, schema);
}

}}}  // namespace gnp::GNP_ABI::detail
