// SPDX-License-Identifier: MIT
// host_array<T>: what asnumpy returns. It is contiguous and row-major, and owns its memory, ordinary or
// page-locked.
#pragma once

#include <algorithm>
#include <gnp/core/shape.hpp>
#include <memory>
#include <new>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Memory of so many bytes, at an address that suits vectors.
GNP_DECLARED void* allocate_host(std::size_t bytes);
GNP_INLINE void free_host(void* memory) { ::operator delete(memory, std::align_val_t{64}); }

[[noreturn]] GNP_DECLARED void throw_host_rank(std::size_t indices, int rank);
[[noreturn]] GNP_DECLARED void throw_host_index(index_t index, int axis, index_t length);

}  // namespace detail

template <element T>
class host_array {
 public:
  using value_type = T;

  host_array() : host_array(shape_t{0}) {}

  /// Uninitialised; fill it through data(), begin() or h(i, j).
  explicit host_array(const shape_t& shape)
      : shape_(shape),
        size_(detail::element_count(shape, "host_array")),
        data_(allocate(size_), detail::free_host) {}

  explicit host_array(std::initializer_list<detail::any_integer> shape) : host_array(shape_t(shape)) {}

  /// Takes ownership of memory that is released with `free`. This is how page-locked arrays are made.
  host_array(const shape_t& shape, T* memory, void (*free)(void*))
      : shape_(shape), size_(detail::element_count(shape, "host_array")), data_(memory, free) {}

  host_array(const host_array& other) : host_array(other.shape_) {
    std::copy(other.begin(), other.end(), begin());
  }
  host_array(host_array&& other) noexcept
      : shape_(other.shape_), size_(other.size_), data_(std::move(other.data_)) {
    other.shape_ = shape_t{0};
    other.size_ = 0;
  }
  host_array& operator=(host_array other) noexcept {
    std::swap(shape_, other.shape_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~host_array() = default;

  const shape_t& shape() const { return shape_; }
  /// The sizes of an array that must have exactly `Rank` dimensions: auto [rows, columns] = a.shape<2>();
  template <std::size_t Rank>
  std::array<index_t, Rank> shape() const {
    return detail::sizes<Rank>(shape_);
  }
  index_t shape(int axis) const { return shape_[detail::normalize_axis(axis, ndim(), "shape")]; }
  int ndim() const { return shape_.rank(); }
  index_t size() const { return size_; }
  index_t nbytes() const { return size_ * static_cast<index_t>(sizeof(T)); }
  gnp::dtype dtype() const { return dtype_of<T>; }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  /// A copy, in row-major order.
  operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

  /// One element. There is one index for each dimension; negative indices count from the end.
  template <std::integral... Index>
  T& operator()(Index... indices) {
    return data()[offset(std::initializer_list<index_t>{static_cast<index_t>(indices)...})];
  }
  template <std::integral... Index>
  const T& operator()(Index... indices) const {
    return data()[offset(std::initializer_list<index_t>{static_cast<index_t>(indices)...})];
  }
  /// The element at the indices in a shape_t, such as ndindex yields.
  T& operator()(const shape_t& place) { return data()[offset(place)]; }
  const T& operator()(const shape_t& place) const { return data()[offset(place)]; }
  /// By flat position, unchecked, as in a std::vector.
  T& operator[](index_t i) { return data()[i]; }
  const T& operator[](index_t i) const { return data()[i]; }

 private:
  static T* allocate(index_t count) {
    return static_cast<T*>(detail::allocate_host(detail::byte_count<T>(count, "host_array")));
  }

  template <class Indices>
  index_t offset(const Indices& indices) const {
    if (static_cast<int>(indices.size()) != ndim()) detail::throw_host_rank(indices.size(), ndim());
    index_t position = 0;
    int axis = 0;
    for (const index_t index : indices) {
      const index_t length = shape_[axis];
      if (index < -length || index >= length) detail::throw_host_index(index, axis, length);
      position = position * length + (index < 0 ? index + length : index);
      ++axis;
    }
    return position;
  }

  shape_t shape_;
  index_t size_;
  std::unique_ptr<T, void (*)(void*)> data_;
};

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void* allocate_host(std::size_t bytes) {
  void* memory = ::operator new(bytes, std::align_val_t{64}, std::nothrow);
  if (memory == nullptr)
    throw out_of_memory("host_array: out of memory: asked for " + std::to_string(bytes) + " bytes");
  return memory;
}

[[noreturn]] GNP_INLINE void throw_host_rank(std::size_t indices, int rank) {
  throw index_error("host_array: " + std::to_string(indices) + " indices for an array of dimension " +
                    std::to_string(rank));
}

[[noreturn]] GNP_INLINE void throw_host_index(index_t index, int axis, index_t length) {
  throw index_error("host_array: index " + std::to_string(index) + " is out of bounds for axis " +
                    std::to_string(axis) + " with size " + std::to_string(length));
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
