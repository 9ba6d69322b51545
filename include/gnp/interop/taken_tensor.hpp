// SPDX-License-Identifier: MIT
// Which tensors can be arrays, and how one is given back.
#pragma once

#include <cstring>
#include <gnp/interop/from_dlpack.hpp>
#include <string>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE dtype dtype_of_tensor(const dl_tensor& t) {
  for (int i = 0; i < dtype_count && t.lanes == 1; ++i) {
    const dl_type type = dl_type_of(static_cast<dtype>(i));
    if (type.code == t.code && type.bits == t.bits) return static_cast<dtype>(i);
  }
  throw dtype_error("from_dlpack: no element type of gnp has DLPack's code " + std::to_string(t.code) +
                    " with " + std::to_string(t.bits) + " bits and " + std::to_string(t.lanes) + " lanes");
}

GNP_INLINE gnp::device device_of_tensor(const dl_tensor& t) {
  if (t.device_type == dl_cpu || t.device_type == dl_cuda_host) return gnp::device::cpu();
  if (t.device_type != dl_cuda && t.device_type != dl_cuda_managed) {
    throw device_error(
        "from_dlpack: the tensor is on a device of DLPack's type " + std::to_string(t.device_type) +
        ", and gnp's are 1 (the CPU), 2 (CUDA), 3 (CUDA's host memory) and 13 (its managed memory)");
  }
  if (t.device_id < 0) {
    throw device_error("from_dlpack: the tensor is on the CUDA device " + std::to_string(t.device_id));
  }
  return require(gnp::device::cuda(t.device_id));
}

GNP_INLINE shape_t shape_of_tensor(const dl_tensor& t) {
  if (t.rank < 0 || t.rank > max_rank) {
    throw shape_error("from_dlpack: the tensor has " + std::to_string(t.rank) +
                      " dimensions, and an array 0 to " + std::to_string(max_rank));
  }
  if (t.rank > 0 && t.shape == nullptr) {
    throw shape_error("from_dlpack: the tensor has " + std::to_string(t.rank) + " dimensions and no shape");
  }
  shape_t shape;
  for (int d = 0; d < t.rank; ++d) shape.push_back(t.shape[d]);
  return shape;
}

/// Throws if no array can be what the tensor describes.
GNP_INLINE dlpack_source checked_tensor(const dl_tensor& t, std::uint64_t flags) {
  dlpack_source source;
  source.type = dtype_of_tensor(t);
  source.where = device_of_tensor(t);
  source.shape = shape_of_tensor(t);
  source.read_only = (flags & dl_read_only) != 0;
  shape_t strides = contiguous_strides(source.shape);
  for (int d = 0; d < t.rank && t.strides != nullptr; ++d) strides[d] = t.strides[d];
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(t.data);
  if (address != 0 && __builtin_add_overflow(address, t.byte_offset, &address)) {
    throw error("from_dlpack: the byte_offset " + std::to_string(t.byte_offset) +
                " reaches out of the address space");
  }
  source.data = reinterpret_cast<void*>(address);
  source.layout = layout_around(source.data, source.shape, strides, source.type, source.where, "from_dlpack");
  return source;
}

GNP_INLINE dlpack_source read_tensor(const ::DLManagedTensor* tensor) {
  if (tensor == nullptr) throw error("from_dlpack: the pointer to the tensor is null");
  return checked_tensor(read_handle<dl_managed>(tensor).tensor, 0);
}

GNP_INLINE dlpack_source read_tensor(const ::DLManagedTensorVersioned* tensor) {
  if (tensor == nullptr) throw error("from_dlpack: the pointer to the tensor is null");
  dl_version version;  // what follows it depends on it
  std::memcpy(&version, static_cast<const void*>(tensor), sizeof version);
  if (version.first != 1) {
    throw error("from_dlpack: the tensor is of DLPack " + std::to_string(version.first) + "." +
                std::to_string(version.second) + ", and gnp reads version 1");
  }
  const auto managed = read_handle<dl_managed_versioned>(tensor);
  return checked_tensor(managed.tensor, managed.flags);
}

GNP_INLINE deleter deleter_of(::DLManagedTensor* tensor) {
  return [tensor] { delete_tensor<dl_managed>(tensor); };
}

GNP_INLINE deleter deleter_of(::DLManagedTensorVersioned* tensor) {
  return [tensor] { delete_tensor<dl_managed_versioned>(tensor); };
}

}}}  // namespace gnp::GNP_ABI::detail
