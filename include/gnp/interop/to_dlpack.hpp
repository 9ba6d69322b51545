// SPDX-License-Identifier: MIT
// to_dlpack: arrays as tensors of other libraries, without a copy.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/interop/dlpack_abi.hpp>
#include <gnp/interop/foreign_stream.hpp>
#include <gnp/io/any_array.hpp>
#include <memory>

namespace gnp { inline namespace GNP_ABI {

/// Options of to_dlpack.
struct to_dlpack_options {
  by_name only = by_name();
  /// The CUDA stream that the tensor is used on (a CUstream or cudaStream_t), if not the default one.
  void* stream = nullptr;
};

namespace detail {

/// A tensor that gnp made, and what it keeps alive. The tensor is stored as bytes, because the consumer reads
/// it as another type, which a compiler would assume to be unrelated to gnp's type.
template <class Managed>
struct exported_tensor {
  alignas(Managed) unsigned char bytes[sizeof(Managed)];
  storage_ref block;
  std::int64_t shape[max_rank] = {};
  std::int64_t strides[max_rank] = {};

  static void end(typename Managed::handle* tensor) {
    delete static_cast<exported_tensor*>(read_handle<Managed>(tensor).owner);
  }
};

GNP_INLINE void set_flags(dl_managed&, std::uint64_t flags) {
  if ((flags & dl_read_only) != 0) {
    throw error(
        "to_dlpack_unversioned: the array is for reading only, which this format cannot say: export a copy of "
        "it");
  }
}
inline void set_flags(dl_managed_versioned& managed, std::uint64_t flags) {
  managed.version = {1, 0};
  managed.flags = flags;
}

template <class Managed>
typename Managed::handle* exported(const storage_ref& block, void* data, dtype type, const shape_t& shape,
                                   const shape_t& strides, std::uint64_t flags,
                                   const to_dlpack_options& options) {
  auto made = std::make_unique<exported_tensor<Managed>>();
  made->block = block;
  bool empty = false;
  for (int d = 0; d < shape.rank(); ++d) {
    made->shape[d] = shape[d];
    made->strides[d] = strides[d];
    empty = empty || shape[d] == 0;
  }
  if (repeats_elements(shape, strides)) flags |= dl_read_only;  // as a broadcast view is in gnp
  if (!empty) hand_over(*block.get(), options.stream);
  const device where = block->device;
  Managed managed;
  managed.tensor = {.data = empty ? nullptr : data,
                    .device_type = where.is_cpu() ? dl_cpu : dl_cuda,
                    .device_id = where.is_cpu() ? 0 : where.ordinal(),
                    .rank = shape.rank(),
                    .code = dl_type_of(type).code,
                    .bits = dl_type_of(type).bits,
                    .shape = made->shape,
                    .strides = made->strides};
  managed.owner = made.get();
  managed.deleter = exported_tensor<Managed>::end;
  set_flags(managed, flags);
  std::memcpy(made->bytes, &managed, sizeof managed);
  return reinterpret_cast<typename Managed::handle*>(made.release()->bytes);
}

}  // namespace detail

/// The array as a DLPack tensor, which keeps its memory alive until its deleter is called, from any thread. The
/// consumer's stream waits for work on the array that is still queued.
template <array_like X>
::DLManagedTensorVersioned* to_dlpack(const X& x, const to_dlpack_options& options = {}) {
  const auto a = x.eval();
  return detail::exported<detail::dl_managed_versioned>(
      a.block(), a.data(), dtype_of<typename X::value_type>, a.shape(), a.element_strides(),
      (detail::is_array_v<X> ? 0 : detail::dl_copied) | (a.is_read_only() ? detail::dl_read_only : 0), options);
}
GNP_ON_USE ::DLManagedTensorVersioned* to_dlpack(const any_array& x, const to_dlpack_options& options = {}) {
  return detail::exported<detail::dl_managed_versioned>(x.block(), x.data(), x.dtype(), x.shape(),
                                                        x.element_strides(),
                                                        x.is_read_only() ? detail::dl_read_only : 0, options);
}

/// The same in the format before version 1 of DLPack, without version and flags, for consumers that read no
/// other. Throws if the array is read-only.
template <array_like X>
::DLManagedTensor* to_dlpack_unversioned(const X& x, const to_dlpack_options& options = {}) {
  const auto a = x.eval();
  return detail::exported<detail::dl_managed>(a.block(), a.data(), dtype_of<typename X::value_type>, a.shape(),
                                              a.element_strides(), a.is_read_only() ? detail::dl_read_only : 0,
                                              options);
}
GNP_ON_USE ::DLManagedTensor* to_dlpack_unversioned(const any_array& x, const to_dlpack_options& options = {}) {
  return detail::exported<detail::dl_managed>(x.block(), x.data(), x.dtype(), x.shape(), x.element_strides(),
                                              x.is_read_only() ? detail::dl_read_only : 0, options);
}

}}  // namespace gnp::GNP_ABI
