// SPDX-License-Identifier: MIT
// Between host and device: asarray, asnumpy, to(device), page-locked host memory, synchronize.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <gnp/array/array.hpp>
#include <gnp/array/staging.hpp>
#include <gnp/array/submission.hpp>
#include <iterator>

namespace gnp::inline GNP_ABI {
namespace detail {

/// Contiguous bytes from the host into a storage.
inline void copy_from_host(storage& block, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
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

inline void copy_to_host(storage& block, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
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

/// Nested braces: values and, from their nesting, a shape. {{100}, {200}} is 2 by 1.
template <element T>
class nested_list {
 public:
  nested_list(T value) : values_{value} {}
  template <class Number>
  requires(std::is_arithmetic_v<Number> && !std::same_as<Number, T>) nested_list(Number value)
      : values_{static_cast<T>(value)} {}
  nested_list(std::initializer_list<nested_list> rows) {
    shape_.push_back(static_cast<index_t>(rows.size()));
    const nested_list* first = rows.size() > 0 ? rows.begin() : nullptr;
    for (const nested_list& row : rows) {
      if (!(row.shape_ == first->shape_)) {
        throw shape_error(std::string("asarray: the rows of nested braces have different shapes ") +
                          to_string(first->shape_) + " and " + to_string(row.shape_));
      }
      values_.insert(values_.end(), row.values_.begin(), row.values_.end());
    }
    if (first != nullptr) {
      for (const index_t size : first->shape_) shape_.push_back(size);
    }
  }
  const std::vector<T>& values() const { return values_; }
  const shape_t& shape() const { return shape_; }

 private:
  std::vector<T> values_;
  shape_t shape_;
};

}  // namespace detail

/// Copies contiguous host memory to the default device.
template <element T>
array<T> asarray(const T* data, const shape_t& shape) {
  array<T> result(shape, default_device(), "asarray");
  if (data == nullptr && result.size() > 0)
    throw error(std::string("asarray: null pointer for shape ") + to_string(shape));
  detail::copy_from_host(*result.block().get(), result.data(), data, static_cast<std::size_t>(result.nbytes()));
  return result;
}

/// asarray<float>({{1, 2}, {3, 4}}): nested braces are values.
template <element T>
array<T> asarray(const detail::nested_list<T>& values) {
  if constexpr (std::is_same_v<T, bool>) {  // std::vector<bool> is not contiguous
    host_array<bool> host(values.shape());
    std::copy(values.values().begin(), values.values().end(), host.begin());
    return asarray(host.data(), host.shape());
  } else {
    return asarray(values.values().data(), values.shape());
  }
}
/// asarray({1.0F, 2.0F}): one dimension, the type from the values. With the type named, braces nest.
template <class Named = void, element T>
requires std::is_void_v<Named> array<T> asarray(std::initializer_list<T> values) {
  return asarray(values.begin(), {static_cast<index_t>(values.size())});
}

/// Copies a host array to the default device.
template <class Named = void, element T>  // deduced, so that braces are never one
requires std::is_void_v<Named> array<T> asarray(const host_array<T>& host) {
  return asarray(host.data(), host.shape());
}

namespace detail {

/// A vector, span, std::array, C array: what std::data and std::size know. (<ranges> costs half a second to
/// include.)
template <class Range>
concept contiguous_numbers = requires(const Range& range) {
  requires element<std::remove_cv_t<std::remove_pointer_t<decltype(std::data(range))>>>;
  std::size(range);
}
&&!is_host_array_v<Range> && !array_like<Range>;

}  // namespace detail

/// Copies a vector, span, std::array or other contiguous range.
template <detail::contiguous_numbers Range>
auto asarray(const Range& range) {
  using T = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(range))>>;
  return asarray<T>(std::data(range), shape_t{static_cast<index_t>(std::size(range))});
}
template <std::same_as<std::vector<bool>> Bits>  // which is not contiguous
array<bool> asarray(const Bits& values) {
  host_array<bool> host(shape_t{static_cast<index_t>(values.size())});
  std::copy(values.begin(), values.end(), host.begin());
  return asarray(host);
}

/// An array is itself; an expression is computed.
template <array_like X>
auto asarray(const X& x) {
  return x.eval();
}

/// With the type named, values are converted: asarray<float>(doubles).
template <element T, class Source>
requires(detail::contiguous_numbers<Source> || detail::is_host_array_v<Source> ||
         array_like<Source>) array<T> asarray(const Source& source) {
  const auto values = asarray(source);
  if constexpr (std::same_as<typename decltype(values.eval())::value_type, T>) {
    return values;
  } else {
    return values.template astype<T>();
  }
}

/// Wraps device memory that stays the caller's, and must outlive the array.
template <element T>
array<T> from_pointer(T* data, const shape_t& shape, device where = default_device()) {
  const std::size_t bytes = detail::byte_count<T>(detail::element_count(shape, "from_pointer"), "from_pointer");
  return array<T>(detail::storage_ref::wrap(data, bytes, where), data, shape,
                  detail::contiguous_strides(shape));
}

/// Everything on the host, in `host`'s own memory (page-locked, perhaps), which has the shape already.
template <array_like X>
void asnumpy(const X& x, host_array<typename X::value_type>& host) {
  const auto evaluated = x.eval();
  if (!(host.shape() == evaluated.shape())) {
    throw shape_error(std::string("asnumpy: the host array has shape ") + to_string(host.shape()) +
                      ", the array " + to_string(evaluated.shape()));
  }
  const auto contiguous = evaluated.is_contiguous() ? evaluated : evaluated.copy();
  detail::copy_to_host(*contiguous.block().get(), host.data(), contiguous.data(),
                       static_cast<std::size_t>(contiguous.nbytes()));
}

/// Everything on the host; waits for the computation.
template <array_like X>
host_array<typename X::value_type> asnumpy(const X& x) {
  host_array<typename X::value_type> host(x.shape());
  asnumpy(x, host);
  return host;
}

/// An uninitialised host array in page-locked memory, which transfers reach the link's speed with.
/// Ordinary memory where there is no CUDA device.
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
requires(sizeof...(Sizes) > 1) host_array<T> empty_pinned(Sizes... sizes) {
  return empty_pinned<T>(shape_t{sizes...});
}

template <element T>
host_array<T> zeros_pinned(const shape_t& shape) {
  host_array<T> host = empty_pinned<T>(shape);
  std::fill(host.begin(), host.end(), T());
  return host;
}
template <element T, detail::plain_number... Sizes>
requires(sizeof...(Sizes) > 1) host_array<T> zeros_pinned(Sizes... sizes) {
  return zeros_pinned<T>(shape_t{sizes...});
}

template <element T>
array<T> array<T>::to(gnp::device where) const {
  if (device() == detail::require(where)) return *this;
  const array source = is_contiguous() ? *this : copy();
  array result(shape_, where, "to");
  const auto bytes = static_cast<std::size_t>(nbytes());
  if (bytes == 0) return result;
  if (where.is_cpu()) {
    detail::copy_to_host(*source.block().get(), result.data(), source.data(), bytes);
  } else if (device().is_cpu()) {
    detail::copy_from_host(*result.block().get(), result.data(), source.data(), bytes);
  } else {
#if GNP_HAS_CUDA
    const detail::submission work(where);
    GNP_CUDA_CALL(cuMemcpyPeerAsync, reinterpret_cast<CUdeviceptr>(work.writes(result)), work.device().context,
                  reinterpret_cast<CUdeviceptr>(work.reads(source)), detail::gpu_at(device().ordinal()).context,
                  bytes, work.handle());
#endif
  }
  return result;
}

template <class Derived>
template <std::integral... Index>
auto detail::array_members<Derived>::item(Index... indices) const {
  const auto evaluated = derived().eval();
  using T = typename Derived::value_type;
  if constexpr (sizeof...(Index) > 0) {
    if (static_cast<int>(sizeof...(Index)) != evaluated.ndim()) {
      throw index_error(std::string("item: ") + std::to_string(sizeof...(Index)) +
                        " indices for an array of dimension " + std::to_string(evaluated.ndim()));
    }
  } else if (evaluated.size() != 1) {
    throw shape_error("item: can only convert an array of size 1 to a scalar, got shape " +
                      to_string(evaluated.shape()));
  }
  const auto one = evaluated(indices...);
  T value{};
  copy_to_host(*one.block().get(), &value, one.data(), sizeof(T));
  return value;
}

template <class Derived>
auto detail::array_members<Derived>::to(gnp::device where) const {
  return derived().eval().to(where);
}

template <class Derived>
auto detail::array_members<Derived>::get() const {
  return asnumpy(derived());
}

}  // namespace gnp::inline GNP_ABI
