// SPDX-License-Identifier: MIT
// to_arrow: arrays as columns of other libraries, without a copy.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/interop/arrow_abi.hpp>
#include <gnp/interop/foreign_stream.hpp>
#include <gnp/routines/packing.hpp>
#include <gnp/routines/reductions.hpp>
#include <memory>
#include <optional>
#include <string>

namespace gnp { inline namespace GNP_ABI {

/// to_arrow.
struct to_arrow_options {
  by_name only = by_name();
  std::string name = {};
  /// Which values there are; the others are null.
  std::optional<array<bool>> valid = {};
};

namespace detail {

/// What a column that gnp made keeps alive.
struct exported_column {
  storage_ref values;
  storage_ref bits;
  const void* buffers[2] = {};
#if GNP_HAS_CUDA
  CUevent ready = nullptr;
#endif

  exported_column() = default;
  exported_column(const exported_column&) = delete;
  exported_column& operator=(const exported_column&) = delete;
  ~exported_column() {
#if GNP_HAS_CUDA
    if (ready != nullptr) driver().cuEventDestroy(ready);
#endif
  }

  static void release(::ArrowArray* handle) {
    auto column = read_arrow<arrow_array>(handle);
    delete static_cast<exported_column*>(column.owner);
    column.release = nullptr;
    write_arrow(handle, column);
  }
};

/// An array without gaps, whose elements are a column's buffer.
template <class T>
const void* exported_buffer(const array<T>& x, storage_ref& block) {
  if (x.size() == 0) return nullptr;
  block = x.block();
  hand_over(*block.get(), nullptr);
  return x.data();
}

/// Bits in Arrow's order.
GNP_ON_USE array<std::uint8_t> arrow_bits(const array<bool>& x) { return packbits(x, {.bitorder = "little"}); }

template <class T>
array<T> without_gaps(const array<T>& x) {
  return x.size() < 2 || x.element_strides()[0] == 1 ? x : array<T>(x.copy());
}

template <class T>
std::unique_ptr<exported_column> export_values(const array<T>& x, const to_arrow_options& options,
                                               arrow_array& column) {
  if (x.ndim() != 1) {
    throw shape_error("to_arrow: a column has one dimension, and the array has shape " + to_string(x.shape()) +
                      ": ravel() makes one");
  }
  auto made = std::make_unique<exported_column>();
  if (options.valid) {
    const array<bool>& valid = *options.valid;
    if (!(valid.shape() == x.shape())) {
      throw shape_error("to_arrow: .valid has shape " + to_string(valid.shape()) + ", and the array " +
                        to_string(x.shape()));
    }
    require_same_device("to_arrow", x.device(), valid.device());
    made->buffers[0] = exported_buffer(arrow_bits(valid), made->bits);
    column.null_count = x.size() - sum<std::int64_t>(valid).item();
  }
  if constexpr (std::is_same_v<T, bool>) {
    made->buffers[1] = exported_buffer(arrow_bits(x), made->values);
  } else {
    made->buffers[1] = exported_buffer(without_gaps(x), made->values);
  }
  column.length = x.size();
  column.buffer_count = 2;
  column.buffers = made->buffers;
  column.release = exported_column::release;
  return made;
}

/// The caller's structs are written last, and together.
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

}  // namespace detail

/// The array, of one dimension, as a column and its type, in structs of the caller's. Its memory lives until
/// the column is released, from any thread. Truth values are copied into bits, and arrays with gaps into ones
/// without.
template <array_like X>
  requires detail::arrow_element<typename X::value_type>
void to_arrow(const X& x, ::ArrowSchema* schema, ::ArrowArray* column, const to_arrow_options& options = {}) {
  const auto a = x.eval();
  if (!a.device().is_cpu()) {
    throw device_error(
        "to_arrow: the array is on " + to_string(a.device()) +
        ", and an ArrowArray on the CPU: an ArrowDeviceArray takes it, or .to(gnp::device::cpu())");
  }
  detail::arrow_array made;
  auto owner = detail::export_values(a, options, made);
  detail::write_schema(schema, dtype_of<typename X::value_type>, options);
  made.owner = owner.release();
  detail::write_arrow(column, made);
}

/// The same on any device. Who reads the column there waits for its event first.
template <array_like X>
  requires detail::arrow_element<typename X::value_type>
void to_arrow(const X& x, ::ArrowSchema* schema, ::ArrowDeviceArray* column,
              const to_arrow_options& options = {}) {
  const auto a = x.eval();
  detail::arrow_device_array made;
  auto owner = detail::export_values(a, options, made.column);
  made.device_id = a.device().is_cpu() ? -1 : a.device().ordinal();
  made.device_type = a.device().is_cpu() ? detail::arrow_cpu : detail::arrow_cuda;
#if GNP_HAS_CUDA
  if (a.device().is_cuda()) {
    const detail::submission work(a.device(), detail::submission::on_default_stream());
    GNP_CUDA_CALL(cuEventCreate, &owner->ready, CU_EVENT_DISABLE_TIMING);
    GNP_CUDA_CALL(cuEventRecord, owner->ready, work.handle());
    made.ready = &owner->ready;
  }
#endif
  detail::write_schema(schema, dtype_of<typename X::value_type>, options);
  made.column.owner = owner.release();
  detail::write_arrow(column, made);
}

}}  // namespace gnp::GNP_ABI
