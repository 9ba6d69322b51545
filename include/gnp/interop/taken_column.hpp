// SPDX-License-Identifier: MIT
// Which columns can be arrays, and how one is taken from the caller.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gnp/interop/from_arrow.hpp>
#include <gnp/routines/packing.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE arrow_source read_column(const ::ArrowArray* column) { return {read_arrow<arrow_array>(column)}; }

GNP_INLINE arrow_source read_column(const ::ArrowDeviceArray* column) {
  const auto given = read_arrow<arrow_device_array>(column);
  if (given.device_type == arrow_cuda_host && given.ready != nullptr) {
    // The CPU will read what a GPU still writes. This memory need not be one GPU's: its number may be -1.
    const auto ordinal = (std::clamp)(given.device_id, std::int64_t{0}, std::int64_t{1 << 20});
    wait_for_event(require(gnp::device::cuda(static_cast<int>(ordinal))), given.ready);
  }
  if (given.device_type == arrow_cpu || given.device_type == arrow_cuda_host) return {given.column};
  if ((given.device_type != arrow_cuda && given.device_type != arrow_cuda_managed) || given.device_id < 0 ||
      given.device_id > 1 << 20) {
    throw device_error("from_arrow: the column is on the device " + std::to_string(given.device_id) +
                       " of Arrow's type " + std::to_string(given.device_type) +
                       ", and gnp's are 1 (the CPU), 2 (CUDA), 3 (CUDA's host memory) and 13 (its managed "
                       "memory)");
  }
  return {given.column, require(gnp::device::cuda(static_cast<int>(given.device_id))), given.ready};
}

GNP_INLINE void check_format(const ::ArrowSchema* handle, dtype wanted) {
  const auto schema = read_arrow<arrow_schema>(handle);
  if (schema.release == nullptr) throw error("from_arrow: the schema has been released");
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  if (schema.dictionary != nullptr)
    throw dtype_error("from_arrow: the column is encoded by a dictionary: decode it first");
  if (format == arrow_format(wanted)) return;
  for (int i = 0; i < dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    if (arrow_format(type) != nullptr && format == arrow_format(type)) {
      throw dtype_error(std::string("from_arrow: the values are ") + name(type) + ", and " + name(wanted) +
                        " was asked for");
    }
  }
  throw dtype_error("from_arrow: a column of Arrow's format '" + std::string(format) +
                    "' does not hold numbers or truth values");
}

GNP_INLINE void check_column(const arrow_array& column) {
  const auto wrong = [](const std::string& what) { throw error("from_arrow: the column has " + what); };
  if (column.release == nullptr) throw error("from_arrow: the column has been released");
  if (column.length < 0) wrong("the length " + std::to_string(column.length));
  if (column.offset < 0 || column.offset > (std::int64_t{1} << 60) - column.length)
    wrong("the offset " + std::to_string(column.offset));
  if (column.buffer_count != 2 || column.buffers == nullptr)
    wrong(std::to_string(column.buffer_count) + " buffers, and one of numbers has 2");
  if (column.null_count > column.length) wrong(std::to_string(column.null_count) + " nulls");
  if (column.null_count > 0 && column.buffers[0] == nullptr)
    wrong(std::to_string(column.null_count) + " nulls, and does not say which");
}

[[noreturn]] GNP_INLINE void throw_no_column(const char* missing) {
  throw error(std::string("from_arrow: the pointer to the ") + missing + " is null");
}

[[noreturn]] GNP_INLINE void throw_nulls(index_t nulls, index_t length) {
  throw error("from_arrow: " + std::to_string(nulls) + " of the " + std::to_string(length) +
              " values are null: from_arrow_masked takes them, and says which");
}

/// A column taken from the caller, for whom it counts as released. It is released when its memory is no longer
/// used.
class taken_column {
 public:
  taken_column() = default;
  taken_column(const taken_column&) = delete;
  taken_column& operator=(const taken_column&) = delete;
  ~taken_column() {
    if (column_.release != nullptr) column_.release(reinterpret_cast<::ArrowArray*>(&column_));
  }

  void take(void* from) {
    constexpr std::size_t of_release =
        offsetof(arrow_array, release);  // the column is a device column's first part
    constexpr decltype(arrow_array::release) released = nullptr;
    std::memcpy(&column_, from, sizeof column_);
    std::memcpy(static_cast<char*>(from) + of_release, &released, sizeof released);
  }

 private:
  arrow_array column_;
};

GNP_INLINE void take_over_column(::ArrowSchema* schema, void* column, const taken_blocks& blocks) {
  const auto taken = std::make_shared<taken_column>();
  deleter parts[2];
  for (int i = 0; i < blocks.count; ++i) parts[i] = [taken] {};
  taken->take(column);  // nothing throws from here on
  for (int i = 0; i < blocks.count; ++i) storage_ref(blocks.at[i]).give_back_by(std::move(parts[i]), nullptr);
  read_arrow<arrow_schema>(schema).release(schema);
}

GNP_DEFINED_ON_USE array<std::uint8_t> bytes_of_bits(const arrow_source& source, int buffer) {
  const index_t count = source.column.length == 0 ? 0 : source.column.offset % 8 + source.column.length;
  return around<std::uint8_t>(source, buffer, source.column.offset / 8, (count + 7) / 8);
}

GNP_DEFINED_ON_USE array<bool> bits_of(const arrow_source& source, const array<std::uint8_t>& bytes) {
  const index_t before = source.column.length == 0 ? 0 : source.column.offset % 8;
  const index_t count = before + source.column.length;
  const array<std::uint8_t> bits = unpackbits(bytes, {.count = count, .bitorder = "little"});
  return bits(slice(before, none)) != std::uint8_t{0};
}

}}}  // namespace gnp::GNP_ABI::detail
