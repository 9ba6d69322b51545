// SPDX-License-Identifier: MIT
// from_dlpack: the tensors of other libraries as arrays, without a copy.
#pragma once

#include <gnp/array/from_pointer.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/interop/dlpack_abi.hpp>
#include <gnp/interop/foreign_stream.hpp>
#include <gnp/io/any_array.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

/// Options of from_dlpack.
struct from_dlpack_options {
  by_name only = by_name();
  /// By default, only a read-only tensor is copied. With false, such a tensor is shared, too, and the array
  /// throws if it is written to.
  std::optional<bool> copy = {};
  /// The CUDA stream that the tensor is written on (a CUstream or cudaStream_t), if not the default one.
  void* stream = nullptr;
};

namespace detail {

template <class Tensor>
concept dlpack_tensor =
    std::same_as<Tensor, ::DLManagedTensor> || std::same_as<Tensor, ::DLManagedTensorVersioned>;

/// A tensor that was found to be valid.
struct dlpack_source {
  void* data = nullptr;
  dtype type = dtype::bool_;
  shape_t shape;
  foreign_layout layout;
  gnp::device where = gnp::device::cpu();
  bool read_only = false;
};

GNP_DECLARED dlpack_source read_tensor(const ::DLManagedTensor* tensor);
GNP_DECLARED dlpack_source read_tensor(const ::DLManagedTensorVersioned* tensor);

GNP_DECLARED deleter deleter_of(::DLManagedTensor* tensor);
GNP_DECLARED deleter deleter_of(::DLManagedTensorVersioned* tensor);

/// Makes the array, which then owns the tensor. If anything throws before that, the tensor still belongs to the
/// caller.
template <element T>
array<T> adopt(const dlpack_source& source, deleter give_back, bool copies, void* stream) {
  auto* const first = static_cast<T*>(source.data);
  storage_ref block = block_around(first, source.layout, source.where);
  take_over(*block.get(), stream);
  const array<T> shared(block, first, source.shape, source.layout.strides);
  const array<T> result = copies ? array<T>(shared.copy()) : shared;
  block.give_back_by(std::move(give_back), nullptr);
  const bool is_read_only = source.read_only || repeats_elements(source.shape, source.layout.strides);
  return is_read_only && !copies ? read_only_view(result) : result;
}

}  // namespace detail

/// The array of a DLPack tensor. gnp takes ownership of the tensor: its deleter is called when the last handle
/// of the array is gone and gnp's work on it is done (at once if it is copied). If from_dlpack throws, the
/// tensor still belongs to the caller.
template <element T, detail::dlpack_tensor Tensor>
array<T> from_dlpack(Tensor* tensor, const from_dlpack_options& options = {}) {
  const detail::dlpack_source source = detail::read_tensor(tensor);
  if (source.type != dtype_of<T>) {
    throw dtype_error(std::string("from_dlpack: the elements are ") + name(source.type) + ", and " +
                      name(dtype_of<T>) + " was asked for: without a type it takes any");
  }
  return detail::adopt<T>(source, detail::deleter_of(tensor), options.copy.value_or(source.read_only),
                          options.stream);
}

/// The same for any element type. An any_array has no gaps, so a tensor with gaps is copied.
template <detail::dlpack_tensor Tensor>
any_array from_dlpack(Tensor* tensor, const from_dlpack_options& options = {}) {
  const detail::dlpack_source source = detail::read_tensor(tensor);
  const bool has_gaps = !detail::is_contiguous(source.shape, source.layout.strides) &&
                        !detail::is_fortran_contiguous(source.shape, source.layout.strides);
  if (has_gaps && options.copy == false) {
    throw error("from_dlpack: an any_array has no gaps, and a tensor of shape " + to_string(source.shape) +
                " with strides of " + to_string(source.layout.strides) +
                " elements cannot be one without a copy: from_dlpack<T> takes it");
  }
  const bool copies = options.copy.value_or(source.read_only || has_gaps);
  return detail::with_element_type(source.type, [&](auto type) -> any_array {
    return detail::adopt<typename decltype(type)::type>(source, detail::deleter_of(tensor), copies,
                                                        options.stream);
  });
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/interop/taken_tensor.hpp>
#endif
