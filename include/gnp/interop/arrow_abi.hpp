// SPDX-License-Identifier: MIT
// The memory layout that Arrow's C data interface defines for a column. It is the same as in Arrow's header,
// which gnp does not need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gnp/core/dtype.hpp>
#include <string_view>

// The structs of Arrow's header; a program that uses them passes pointers to them.
struct ArrowSchema;
struct ArrowArray;
struct ArrowDeviceArray;

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The type of a column: ArrowSchema.
struct arrow_schema {
  using handle = ::ArrowSchema;
  const char* format = nullptr;
  const char* name = nullptr;
  const char* metadata = nullptr;
  std::int64_t flags = 0;
  std::int64_t child_count = 0;
  void* children = nullptr;
  void* dictionary = nullptr;
  void (*release)(handle*) = nullptr;  // null: it has been released, or has been moved to another owner
  void* owner = nullptr;
};

/// A column's memory on the CPU: ArrowArray.
struct arrow_array {
  using handle = ::ArrowArray;
  std::int64_t length = 0;
  std::int64_t null_count = 0;  // negative: unknown
  std::int64_t offset = 0;      // elements before the first
  std::int64_t buffer_count = 0;
  std::int64_t child_count = 0;
  const void** buffers = nullptr;  // a bit for each valid element (null: all are valid), then the elements
  void* children = nullptr;
  void* dictionary = nullptr;
  void (*release)(handle*) = nullptr;
  void* owner = nullptr;
};

/// A column on any device: ArrowDeviceArray.
struct arrow_device_array {
  using handle = ::ArrowDeviceArray;
  arrow_array column;
  std::int64_t device_id = 0;
  std::int32_t device_type = 0;  // numbered as DLPack's
  void* ready = nullptr;         // points to the CUDA event after the work that writes the memory
  std::int64_t reserved[3] = {};
};

#define GNP_PLACE(type, member, offset) static_assert(offsetof(type, member) == (offset))
GNP_PLACE(arrow_schema, flags, 24);
GNP_PLACE(arrow_schema, dictionary, 48);
GNP_PLACE(arrow_schema, owner, 64);
static_assert(sizeof(arrow_schema) == 72);
GNP_PLACE(arrow_array, buffers, 40);
GNP_PLACE(arrow_array, release, 64);
GNP_PLACE(arrow_array, owner, 72);
static_assert(sizeof(arrow_array) == 80);
GNP_PLACE(arrow_device_array, device_id, 80);
GNP_PLACE(arrow_device_array, device_type, 88);
GNP_PLACE(arrow_device_array, ready, 96);
static_assert(sizeof(arrow_device_array) == 128);
#undef GNP_PLACE

inline constexpr std::int64_t arrow_nullable = 2;

// Device types.
inline constexpr std::int32_t arrow_cpu = 1;
inline constexpr std::int32_t arrow_cuda = 2;
inline constexpr std::int32_t arrow_cuda_host = 3;
inline constexpr std::int32_t arrow_cuda_managed = 13;

/// Arrow's name for columns of these elements; null if it has none.
constexpr const char* arrow_format(dtype type) {
  switch (type) {
    case dtype::bool_:
      return "b";  // a bit each
    case dtype::int8:
      return "c";
    case dtype::uint8:
      return "C";
    case dtype::int16:
      return "s";
    case dtype::uint16:
      return "S";
    case dtype::int32:
      return "i";
    case dtype::uint32:
      return "I";
    case dtype::int64:
      return "l";
    case dtype::uint64:
      return "L";
    case dtype::float16:
      return "e";
    case dtype::float32:
      return "f";
    case dtype::float64:
      return "g";
    default:
      return nullptr;
  }
}

template <class T>
concept arrow_element = element<T> && arrow_format(dtype_of<T>) != nullptr;

/// A copy of what a handle points to. It is copied as bytes: the program may have made it as another type,
/// which a compiler would assume to be unrelated to ours.
template <class Struct>
Struct read_arrow(const typename Struct::handle* from) {
  Struct copy;
  std::memcpy(&copy, static_cast<const void*>(from), sizeof copy);
  return copy;
}
template <class Struct>
void write_arrow(typename Struct::handle* to, const Struct& from) {
  std::memcpy(static_cast<void*>(to), &from, sizeof from);
}

}}}  // namespace gnp::GNP_ABI::detail
