// SPDX-License-Identifier: MIT
// from_arrow: columns of other libraries as arrays, without a copy.
#pragma once

#include <gnp/array/from_pointer.hpp>
#include <gnp/interop/arrow_abi.hpp>
#include <gnp/interop/foreign_stream.hpp>
#include <gnp/routines/packing.hpp>
#include <gnp/routines/reductions.hpp>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// from_arrow and from_arrow_masked.
struct from_arrow_options {
  by_name only = by_name();
  /// Arrow's columns are for reading, by all that share them. true: the array has memory of its own.
  bool copy = false;
};

/// A column and which of its values there are.
template <element T>
struct masked_column {
  array<T> values;
  array<bool> valid;
};

namespace detail {

template <class Column>
concept arrow_column = std::same_as<Column, ::ArrowArray> || std::same_as<Column, ::ArrowDeviceArray>;

/// What is taken from the caller, who finds it released, and given back with the last memory of it.
class taken_column {
 public:
  taken_column() = default;
  taken_column(const taken_column&) = delete;
  taken_column& operator=(const taken_column&) = delete;
  ~taken_column() {
    if (column_.release != nullptr) column_.release(reinterpret_cast<::ArrowArray*>(&column_));
  }

  template <class Column>
  void take(Column* from) {
    constexpr std::size_t of_release =
        offsetof(arrow_array, release);  // the column is a device column's first part
    constexpr decltype(arrow_array::release) released = nullptr;
    std::memcpy(&column_, static_cast<const void*>(from), sizeof column_);
    std::memcpy(reinterpret_cast<char*>(from) + of_release, &released, sizeof released);
  }

 private:
  arrow_array column_;
};

/// A column that was found to be right.
struct arrow_source {
  arrow_array column;
  gnp::device where = gnp::device::cpu();
  void* ready = nullptr;
};

inline arrow_source read_column(const ::ArrowArray* column) { return {read_arrow<arrow_array>(column)}; }
GNP_INLINE arrow_source read_column(const ::ArrowDeviceArray* column) {
  const auto given = read_arrow<arrow_device_array>(column);
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
                    "' is none of numbers or truth values");
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

/// An array around a part of a column's memory.
template <class T>
array<T> around(const arrow_source& source, int buffer, index_t offset, index_t length) {
  auto* first = static_cast<T*>(const_cast<void*>(source.column.buffers[buffer]));
  if (first != nullptr) first += offset;
  const shape_t shape{length};
  const auto layout =
      layout_around(first, shape, contiguous_strides(shape), dtype_of<T>, source.where, "from_arrow");
  const storage_ref block = block_around(first, layout, source.where);
  take_over_behind(*block.get(), source.ready);
  return array<T>(block, first, shape, layout.strides);
}

/// A buffer of bits: those of the column's elements, and the memory they were read from.
struct read_bits {
  array<std::uint8_t> bytes;
  array<bool> bits;
};
GNP_ON_USE read_bits bits_of(const arrow_source& source, int buffer) {
  const index_t before = source.column.offset % 8;
  const index_t count = before + source.column.length;
  const auto bytes = around<std::uint8_t>(source, buffer, source.column.offset / 8, (count + 7) / 8);
  const array<std::uint8_t> bits = unpackbits(bytes, {.count = count, .bitorder = "little"});
  return {bytes, bits(slice(before, none)) != std::uint8_t{0}};
}

/// The column's memory is given back when the last of these blocks is no longer used; the caller finds the
/// column and its schema released.
template <class Column>
void take_over_column(::ArrowSchema* schema, Column* column, const std::vector<storage_ref>& blocks) {
  const auto taken = std::make_shared<taken_column>();
  std::vector<deleter> parts;
  for (std::size_t i = 0; i < blocks.size(); ++i) parts.emplace_back([taken] {});
  taken->take(column);  // nothing throws from here on
  for (std::size_t i = 0; i < blocks.size(); ++i)
    storage_ref(blocks[i]).give_back_by(std::move(parts[i]), nullptr);
  read_arrow<arrow_schema>(schema).release(schema);
}

template <class T, class Column>
masked_column<T> take_column(::ArrowSchema* schema, Column* column, bool masked, bool copy) {
  if (schema == nullptr || column == nullptr)
    throw error(std::string("from_arrow: the pointer to the ") + (schema == nullptr ? "schema" : "column") +
                " is null");
  check_format(schema, dtype_of<T>);
  const arrow_source source = read_column(column);
  check_column(source.column);
  const index_t length = source.column.length;
  const use_device guard(source.where);
  std::vector<storage_ref> blocks;
  masked_column<T> result;
  if (source.column.buffers[0] != nullptr && source.column.null_count != 0) {
    const read_bits valid = bits_of(source, 0);
    blocks.push_back(valid.bytes.block());
    result.valid = valid.bits;
    const index_t nulls = masked ? 0 : length - sum<std::int64_t>(valid.bits).item();
    if (nulls > 0) {
      throw error("from_arrow: " + std::to_string(nulls) + " of the " + std::to_string(length) +
                  " values are null: from_arrow_masked takes them, and says which");
    }
  } else if (masked) {
    result.valid = ones<bool>({length});
  }
  if constexpr (std::is_same_v<T, bool>) {
    const read_bits values = bits_of(source, 1);
    blocks.push_back(values.bytes.block());
    result.values = values.bits;
  } else {
    const array<T> values = around<T>(source, 1, source.column.offset, length);
    blocks.push_back(values.block());
    result.values = copy ? array<T>(values.copy()) : values;
  }
  take_over_column(schema, column, blocks);
  return result;
}

}  // namespace detail

/// The array of a column of numbers or truth values, which is gnp's now, with its schema: it is given back when
/// the last handle of the array is gone and gnp's work on it is done. Truth values are copied, since Arrow has
/// them in bits. Where there are nulls, and where from_arrow throws for another reason, column and schema stay
/// the caller's.
template <detail::arrow_element T, detail::arrow_column Column>
array<T> from_arrow(::ArrowSchema* schema, Column* column, const from_arrow_options& options = {}) {
  return detail::take_column<T>(schema, column, false, options.copy).values;
}

/// The same of a column that may have nulls, whose values are whatever is in their places.
template <detail::arrow_element T, detail::arrow_column Column>
masked_column<T> from_arrow_masked(::ArrowSchema* schema, Column* column,
                                   const from_arrow_options& options = {}) {
  return detail::take_column<T>(schema, column, true, options.copy);
}

}}  // namespace gnp::GNP_ABI
