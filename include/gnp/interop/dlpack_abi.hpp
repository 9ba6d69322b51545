// SPDX-License-Identifier: MIT
// The memory layout that DLPack 1 defines for a tensor. It is the same as in dlpack.h, which gnp does not need.
#pragma once

#include <cstddef>
#include <cstring>
#include <gnp/core/dtype.hpp>

// The structs of dlpack.h; a program that uses them passes pointers to them.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct dl_version {
  std::uint32_t first = 0;  // a different number means a different layout
  std::uint32_t second = 0;
};

struct dl_tensor {
  void* data = nullptr;
  std::int32_t device_type = 0;
  std::int32_t device_id = 0;
  std::int32_t rank = 0;
  std::uint8_t code = 0;  // the kind of elements
  std::uint8_t bits = 0;
  std::uint16_t lanes = 1;  // numbers in an element
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;  // in elements; null: row-major
  std::uint64_t byte_offset = 0;    // from data to the first element
};

/// The tensor and its owner: DLManagedTensor.
struct dl_managed {
  using handle = ::DLManagedTensor;
  dl_tensor tensor;
  void* owner = nullptr;
  void (*deleter)(handle*) = nullptr;
};

/// The same with a version and flags: DLManagedTensorVersioned.
struct dl_managed_versioned {
  using handle = ::DLManagedTensorVersioned;
  dl_version version;
  void* owner = nullptr;
  void (*deleter)(handle*) = nullptr;
  std::uint64_t flags = 0;
  dl_tensor tensor;
};

#define GNP_PLACE(type, member, offset) static_assert(offsetof(type, member) == (offset))
GNP_PLACE(dl_tensor, device_type, 8);
GNP_PLACE(dl_tensor, device_id, 12);
GNP_PLACE(dl_tensor, rank, 16);
GNP_PLACE(dl_tensor, code, 20);
GNP_PLACE(dl_tensor, bits, 21);
GNP_PLACE(dl_tensor, lanes, 22);
GNP_PLACE(dl_tensor, shape, 24);
GNP_PLACE(dl_tensor, strides, 32);
GNP_PLACE(dl_tensor, byte_offset, 40);
static_assert(sizeof(dl_tensor) == 48);
GNP_PLACE(dl_managed, tensor, 0);
GNP_PLACE(dl_managed, owner, 48);
GNP_PLACE(dl_managed, deleter, 56);
static_assert(sizeof(dl_managed) == 64);
GNP_PLACE(dl_managed_versioned, version, 0);
GNP_PLACE(dl_managed_versioned, owner, 8);
GNP_PLACE(dl_managed_versioned, deleter, 16);
GNP_PLACE(dl_managed_versioned, flags, 24);
GNP_PLACE(dl_managed_versioned, tensor, 32);
static_assert(sizeof(dl_managed_versioned) == 80);
#undef GNP_PLACE

inline constexpr std::uint64_t dl_read_only = 1;
inline constexpr std::uint64_t dl_copied = 2;

// Device types.
inline constexpr std::int32_t dl_cpu = 1;
inline constexpr std::int32_t dl_cuda = 2;
inline constexpr std::int32_t dl_cuda_host = 3;  // page-locked memory of the host
inline constexpr std::int32_t dl_cuda_managed = 13;

/// A kind of elements and their size.
struct dl_type {
  std::uint8_t code;
  std::uint8_t bits;
};
constexpr dl_type dl_type_of(dtype d) {
  const int code = d == dtype::bool_      ? 6
                   : d == dtype::bfloat16 ? 4
                   : is_complex(d)        ? 5
                   : is_floating(d)       ? 2
                   : is_integer(d)        ? (is_signed_integer(d) ? 0 : 1)
                                          : 3;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * itemsize(d))};
}

/// A copy of what a handle points to. It is copied as bytes: the program may have made it as another type,
/// which a compiler would assume to be unrelated to ours.
template <class Managed>
Managed read_handle(const typename Managed::handle* tensor) {
  Managed copy;
  std::memcpy(&copy, static_cast<const void*>(tensor), sizeof copy);
  return copy;
}

/// Calls the tensor's deleter, if it has one.
template <class Managed>
void delete_tensor(typename Managed::handle* tensor) {
  if (const auto deleter = read_handle<Managed>(tensor).deleter) deleter(tensor);
}

}}}  // namespace gnp::GNP_ABI::detail
