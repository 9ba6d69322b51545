// SPDX-License-Identifier: MIT
// Transfers between devices and host memory: asnumpy, to(device), page-locked host memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/array/array.hpp>
#include <gnp/memory/staging.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#include <iterator>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Copies contiguous bytes from the host into a block of memory.
GNP_DECLARED void copy_from_host(storage& block, void* to, const void* from, std::size_t bytes);

/// Fills a block of memory. `fill(memory, begin, size)` writes bytes [begin, begin + size) directly to where
/// they are needed. Several threads may call it at the same time, each for whole elements. For a GPU it writes
/// into the buffers from which data is copied to the GPU.
template <class Fill>
void fill_from_host(storage& block, void* to, std::size_t bytes, const Fill& fill) {
  if (bytes == 0) return;
  const watched_work watched(block.device, [bytes] { return work_facts{"copy from the host", bytes}; });
  if (block.device.is_cpu()) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    const auto pieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
    parallel_for(pieces, 4, [&](std::int64_t first, std::int64_t last) {
      for (; first < last; ++first) {
        const std::size_t begin = static_cast<std::size_t>(first) * piece;
        fill(static_cast<char*>(to) + begin, begin, (std::min)(piece, bytes - begin));
      }
    });
    return;
  }
#if GNP_HAS_CUDA
  const submission work(block.device);
  work.writes(block);
  if (bytes >= staging::least_bytes) {
    staging_of(work.stream()->ordinal)
        .fill_device(work.stream(), reinterpret_cast<CUdeviceptr>(to), bytes, fill);
  } else {
    std::vector<char> staged(bytes);
    fill(staged.data(), std::size_t{0}, bytes);
    host_to_gpu(work.stream(), to, staged.data(), bytes);
  }
#endif
}

GNP_DECLARED void copy_to_host(storage& block, void* to, const void* from, std::size_t bytes);

/// Throws if an array does not have the shape, or the number of elements, of the memory that it is copied to.
GNP_DECLARED void require_shape_of_host(const shape_t& host, const shape_t& shape);
GNP_DECLARED void require_size_of_host(index_t host, index_t size, const shape_t& shape);

/// Where item(index) is among all elements. Throws if there is no such element.
GNP_DECLARED index_t place_of_item(index_t index, index_t size);
/// Throw if item() has another number of indices than the array has axes, if one of them is out of bounds, or
/// if it needs indices.
GNP_DECLARED void require_indices_of_item(std::initializer_list<index_t> indices, const shape_t& shape);
GNP_DECLARED void require_one_item(index_t size, const shape_t& shape);

/// Copies all elements into host memory, in row-major order.
template <array_like X>
void copy_elements(const X& x, typename X::value_type* to) {
  const auto evaluated = x.eval();
  const auto contiguous = evaluated.is_contiguous() ? evaluated : evaluated.copy();
  copy_to_host(*contiguous.block().get(), to, contiguous.data(), static_cast<std::size_t>(contiguous.nbytes()));
}

template <class Destination, class T>
concept writable_numbers = !is_host_array_v<Destination> && requires(Destination& destination) {
  { std::data(destination) } -> std::same_as<T*>;
  std::size(destination);
};

}  // namespace detail

/// Copies all elements into the memory of `host`, which may be page-locked. `host` must already have the same
/// shape.
template <array_like X>
void asnumpy(const X& x, host_array<typename X::value_type>& host) {
  detail::require_shape_of_host(host.shape(), x.shape());
  detail::copy_elements(x, host.data());
}

/// Copies all elements to the host, after waiting for the computation.
template <array_like X>
host_array<typename X::value_type> asnumpy(const X& x) {
  host_array<typename X::value_type> host(x.shape());
  asnumpy(x, host);
  return host;
}

/// Copies all elements into your memory, which must have the same number of elements: a vector, span,
/// std::array or C array.
template <array_like X, class Destination>
  requires detail::writable_numbers<std::remove_reference_t<Destination>, typename X::value_type>
void asnumpy(const X& x, Destination&& destination) {
  detail::require_size_of_host(static_cast<index_t>(std::size(destination)), x.size(), x.shape());
  detail::copy_elements(x, std::data(destination));
}

/// The elements of an array, an expression or a host array, in row-major order.
template <array_like X>
std::vector<typename X::value_type> to_vector(const X& x) {
  using T = typename X::value_type;
  if constexpr (std::same_as<T, bool>) {  // because a std::vector<bool> is not contiguous
    return to_vector(asnumpy(x));
  } else {
    std::vector<T> values(static_cast<std::size_t>(x.size()));
    asnumpy(x, values);
    return values;
  }
}
template <element T>
std::vector<T> to_vector(const host_array<T>& host) {
  return host;
}

/// An uninitialised host array in page-locked memory, which makes transfers as fast as the link. If there is no
/// CUDA device, it is in ordinary memory.
template <element T>
host_array<T> empty_pinned(const shape_t& shape) {
#if GNP_HAS_CUDA
  if (cuda_available()) {
    const index_t count = detail::element_count(shape, "empty_pinned");
    detail::activate(default_device().is_cuda() ? default_device().ordinal() : 0);
    void* memory = detail::allocate_page_locked(detail::byte_count<T>(count, "empty_pinned"));
    return host_array<T>(shape, static_cast<T*>(memory), detail::free_page_locked);
  }
#endif
  return host_array<T>(shape);
}

template <element T, detail::plain_number... Sizes>
  requires(sizeof...(Sizes) > 1)
host_array<T> empty_pinned(Sizes... sizes) {
  return empty_pinned<T>(shape_t{sizes...});
}

template <element T>
host_array<T> zeros_pinned(const shape_t& shape) {
  host_array<T> host = empty_pinned<T>(shape);
  std::fill(host.begin(), host.end(), T());
  return host;
}
template <element T, detail::plain_number... Sizes>
  requires(sizeof...(Sizes) > 1)
host_array<T> zeros_pinned(Sizes... sizes) {
  return zeros_pinned<T>(shape_t{sizes...});
}

template <element T>
array<T> array<T>::to(gnp::device where) const {
  if (device() == detail::require(where)) return *this;
  const array source = is_contiguous() ? *this : this->copy();
  array result(shape_, where, "to");
  const auto bytes = static_cast<std::size_t>(this->nbytes());
  if (bytes == 0) return result;
  if (where.is_cpu()) {
    detail::copy_to_host(*source.block().get(), result.data(), source.data(), bytes);
  } else if (device().is_cpu()) {
    detail::copy_from_host(*result.block().get(), result.data(), source.data(), bytes);
  } else {
#if GNP_HAS_CUDA
    const detail::watched_work watched(where,
                                       [bytes] { return detail::work_facts{"copy from another GPU", bytes}; });
    const detail::submission work(where);
    GNP_CUDA_CALL(cuMemcpyPeerAsync, reinterpret_cast<CUdeviceptr>(work.writes(result)), work.device().context,
                  reinterpret_cast<CUdeviceptr>(work.reads(source)), detail::gpu_at(device().ordinal()).context,
                  bytes, work.handle());
#endif
  }
  return result;
}

namespace detail {

/// The indices of the element at a position in row-major order.
GNP_INLINE std::vector<index_arg> indices_of_place(index_t place, const shape_t& shape) {
  std::vector<index_arg> indices(static_cast<std::size_t>(shape.rank()), index_arg(index_t{0}));
  for (int d = shape.rank() - 1; d >= 0; --d) {
    indices[static_cast<std::size_t>(d)] = place % shape[d];
    place /= shape[d];
  }
  return indices;
}

}  // namespace detail

template <class Derived>
template <std::integral... Index, class D>
typename D::value_type detail::array_members<Derived>::item(Index... indices) const {
  const auto& x = derived();
  if constexpr (sizeof...(Index) == 1) {
    const index_t place = place_of_item((static_cast<index_t>(indices), ...), x.size());
    return x.ndim() == 1 ? only_value(x(place)) : only_value(index(indices_of_place(place, x.shape())));
  } else if constexpr (sizeof...(Index) > 0) {
    require_indices_of_item({static_cast<index_t>(indices)...}, x.shape());
    return only_value(x(indices...));
  } else {
    require_one_item(x.size(), x.shape());
    return only_value(x);
  }
}

template <class Derived>
auto detail::array_members<Derived>::to(gnp::device where) const {
  return derived().eval().to(where);
}

template <class Derived>
auto detail::array_members<Derived>::get() const {
  return asnumpy(derived());
}

template <class Derived>
auto detail::array_members<Derived>::tolist() const {
  return to_vector(derived());
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void require_shape_of_host(const shape_t& host, const shape_t& shape) {
  if (!(host == shape)) {
    throw shape_error("asnumpy: the host array has shape " + to_string(host) + ", the array " +
                      to_string(shape));
  }
}

GNP_INLINE void require_size_of_host(index_t host, index_t size, const shape_t& shape) {
  if (host != size) {
    throw shape_error("asnumpy: room for " + std::to_string(host) + " elements, the array has shape " +
                      to_string(shape));
  }
}

GNP_INLINE index_t place_of_item(index_t index, index_t size) {
  const index_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) {
    throw index_error("item: index " + std::to_string(index) + " is out of bounds for size " +
                      std::to_string(size));
  }
  return place;
}

GNP_INLINE void require_indices_of_item(std::initializer_list<index_t> indices, const shape_t& shape) {
  if (static_cast<int>(indices.size()) != shape.rank()) {
    throw index_error("item: " + std::to_string(indices.size()) + " indices for an array of dimension " +
                      std::to_string(shape.rank()));
  }
  int axis = 0;
  for (const index_t index : indices) {
    const index_t length = shape[axis];
    if (index < -length || index >= length) {
      throw index_error("item: index " + std::to_string(index) + " is out of bounds for axis " +
                        std::to_string(axis) + " with size " + std::to_string(length));
    }
    ++axis;
  }
}

GNP_INLINE void require_one_item(index_t size, const shape_t& shape) {
  if (size != 1) {
    throw shape_error("item: can only convert an array of size 1 to a scalar, got shape " + to_string(shape));
  }
}

GNP_INLINE void copy_from_host(storage& block, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const watched_work watched(block.device, [bytes] { return work_facts{"copy from the host", bytes}; });
  if (block.device.is_cpu()) {
    std::memcpy(to, from, bytes);
    return;
  }
#if GNP_HAS_CUDA
  const submission work(block.device);
  work.writes(block);
  host_to_gpu(work.stream(), to, from, bytes);
#endif
}

GNP_INLINE void copy_to_host(storage& block, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const watched_work watched(block.device, [bytes] { return work_facts{"copy to the host", bytes}; });
  if (block.device.is_cpu()) {
    std::memcpy(to, from, bytes);
    return;
  }
#if GNP_HAS_CUDA
  const submission work(block.device);
  work.reads(block);
  gpu_to_host(work.stream(), to, from, bytes);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
