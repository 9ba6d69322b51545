// SPDX-License-Identifier: MIT
// to_arrow: arrays as columns of other libraries, without a copy.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/interop/arrow_abi.hpp>
#include <gnp/interop/arrow_bits.hpp>
#include <gnp/interop/foreign_stream.hpp>
#include <optional>
#include <string>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

/// Options of to_arrow.
struct to_arrow_options {
  by_name only = by_name();
  std::string name = {};
  /// Which values are not null.
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

  GNP_DECLARED static void release(::ArrowArray* handle);
};

/// The buffer of a column: the elements of an array without gaps.
template <class T>
const void* exported_buffer(const array<T>& x, storage_ref& block) {
  if (x.size() == 0) return nullptr;
  block = x.block();
  hand_over(*block.get(), nullptr);
  return x.data();
}

/// Owns a column until the caller's structs are written.
class unwritten_column {
 public:
  explicit unwritten_column(exported_column* column) : column_(column) {}
  unwritten_column(unwritten_column&& other) noexcept : column_(other.release()) {}
  unwritten_column& operator=(unwritten_column&&) = delete;
  ~unwritten_column() { delete column_; }

  exported_column* operator->() const { return column_; }
  exported_column* release() { return std::exchange(column_, nullptr); }

 private:
  exported_column* column_;
};

/// A new column of this shape, with the bits that tell which of its values are not null.
GNP_DECLARED_ON_USE exported_column* export_valid(const shape_t& shape, gnp::device where,
                                                  const to_arrow_options& options, arrow_array& column);

template <class T>
array<T> without_gaps(const array<T>& x) {
  return x.size() < 2 || x.element_strides()[0] == 1 ? x : array<T>(x.copy());
}

template <class T>
unwritten_column export_values(const array<T>& x, const to_arrow_options& options, arrow_array& column) {
  unwritten_column made(export_valid(x.shape(), x.device(), options, column));
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

GNP_DECLARED void require_cpu_column(gnp::device where);

/// The caller's structs are written last, and together.
GNP_DECLARED void write_schema(::ArrowSchema* handle, dtype type, const to_arrow_options& options);

}  // namespace detail

/// Writes an array of one dimension as a column and its type into the caller's structs. The array's memory
/// lives until the column is released, which any thread may do. Truth values are copied into bits, and an array
/// with gaps into one without.
template <array_like X>
  requires detail::arrow_element<typename X::value_type>
void to_arrow(const X& x, ::ArrowSchema* schema, ::ArrowArray* column, const to_arrow_options& options = {}) {
  const auto a = x.eval();
  detail::require_cpu_column(a.device());
  detail::arrow_array made;
  auto owner = detail::export_values(a, options, made);
  detail::write_schema(schema, dtype_of<typename X::value_type>, options);
  made.owner = owner.release();
  detail::write_arrow(column, made);
}

/// The same on any device. A reader of the column must first wait for its event.
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

#ifdef GNP_READS_BODIES
#include <gnp/interop/exported_column.hpp>
#endif
