// SPDX-License-Identifier: MIT
// from_arrow: columns of other libraries as arrays, without a copy.
#pragma once

#include <gnp/array/from_pointer.hpp>
#include <gnp/interop/arrow_abi.hpp>
#include <gnp/interop/arrow_bits.hpp>
#include <gnp/interop/foreign_stream.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Options of from_arrow and from_arrow_masked.
struct from_arrow_options {
  by_name only = by_name();
  /// Arrow's columns are read-only for everyone who shares them. true: the array gets a copy in its own memory.
  bool copy = false;
};

/// A column, and which of its values are not null.
template <element T>
struct masked_column {
  array<T> values;
  array<bool> valid;
};

namespace detail {

template <class Column>
concept arrow_column = std::same_as<Column, ::ArrowArray> || std::same_as<Column, ::ArrowDeviceArray>;

/// A column, and where its memory is.
struct arrow_source {
  arrow_array column;
  gnp::device where = gnp::device::cpu();
  void* ready = nullptr;
};

GNP_DECLARED arrow_source read_column(const ::ArrowArray* column);
GNP_DECLARED arrow_source read_column(const ::ArrowDeviceArray* column);

GNP_DECLARED void check_format(const ::ArrowSchema* handle, dtype wanted);

GNP_DECLARED void check_column(const arrow_array& column);

[[noreturn]] GNP_DECLARED void throw_no_column(const char* missing);
[[noreturn]] GNP_DECLARED void throw_nulls(index_t nulls, index_t length);

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

/// The memory of a buffer of bits, and the bits of the column's elements in it.
GNP_DECLARED_ON_USE array<std::uint8_t> bytes_of_bits(const arrow_source& source, int buffer);
GNP_DECLARED_ON_USE array<bool> bits_of(const arrow_source& source, const array<std::uint8_t>& bytes);

/// The blocks around a column's memory.
struct taken_blocks {
  storage_ref at[2];
  int count = 0;
  void add(const storage_ref& block) { at[count++] = block; }
};

/// The column's memory is released when the last of these blocks is no longer used. For the caller, the column
/// and its schema are released.
GNP_DECLARED void take_over_column(::ArrowSchema* schema, void* column, const taken_blocks& blocks);

template <class T, class Column>
masked_column<T> take_column(::ArrowSchema* schema, Column* column, bool masked, bool copy) {
  if (schema == nullptr || column == nullptr) throw_no_column(schema == nullptr ? "schema" : "column");
  check_format(schema, dtype_of<T>);
  const arrow_source source = read_column(column);
  check_column(source.column);
  const index_t length = source.column.length;
  const use_device guard(source.where);
  taken_blocks blocks;
  masked_column<T> result;
  // The column is checked completely before a kernel reads its memory, because if there is an error, the memory
  // still belongs to the caller.
  const auto values = [&source, length] {
    if constexpr (std::is_same_v<T, bool>) {
      return bytes_of_bits(source, 1);
    } else {
      return around<T>(source, 1, source.column.offset, length);
    }
  }();
  blocks.add(values.block());
  if (source.column.buffers[0] != nullptr && source.column.null_count != 0) {
    const array<std::uint8_t> bytes = bytes_of_bits(source, 0);
    blocks.add(bytes.block());
    result.valid = bits_of(source, bytes);
    const index_t nulls = masked ? 0 : null_count(result.valid);
    if (nulls > 0) throw_nulls(nulls, length);
  } else if (masked) {
    result.valid = all_valid(length);
  }
  if constexpr (std::is_same_v<T, bool>) {
    result.values = bits_of(source, values);
  } else {
    result.values = copy ? array<T>(values.copy()) : values;
  }
  take_over_column(schema, column, blocks);
  return result;
}

}  // namespace detail

/// The array of a column of numbers or truth values. gnp takes ownership of the column and its schema: the
/// column is released when the last handle of the array is gone and gnp's work on it is done. Truth values are
/// copied, because Arrow stores them as bits. If there are nulls, or from_arrow throws for another reason,
/// column and schema still belong to the caller.
template <detail::arrow_element T, detail::arrow_column Column>
array<T> from_arrow(::ArrowSchema* schema, Column* column, const from_arrow_options& options = {}) {
  return detail::take_column<T>(schema, column, false, options.copy).values;
}

/// The same for a column that may have nulls. The value of a null is whatever its memory holds.
template <detail::arrow_element T, detail::arrow_column Column>
masked_column<T> from_arrow_masked(::ArrowSchema* schema, Column* column,
                                   const from_arrow_options& options = {}) {
  return detail::take_column<T>(schema, column, true, options.copy);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/interop/taken_column.hpp>
#endif
