// SPDX-License-Identifier: MIT
// any_array: an array whose element type is known at run time, which is what files hold.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/layout.hpp>
#include <string_view>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The strides of Fortran's order, in which elements along the first axis are next to each other in memory.
GNP_INLINE shape_t fortran_strides(const shape_t& shape) {
  shape_t strides(shape.size(), 1);
  std::uint64_t step = 1;
  for (int d = 0; d < shape.rank(); ++d) {
    strides[d] = static_cast<index_t>(step);
    step *= shape[d] > 0 ? static_cast<std::uint64_t>(shape[d]) : 1;
  }
  return strides;
}

GNP_INLINE bool is_fortran_contiguous(const shape_t& shape, const shape_t& strides) {
  shape_t reversed_shape;
  shape_t reversed_strides;
  for (int d = shape.rank(); d-- > 0;) {
    reversed_shape.push_back(shape[d]);
    reversed_strides.push_back(strides[d]);
  }
  return is_contiguous(reversed_shape, reversed_strides);
}

/// Calls f with std::type_identity<T>(), where T is the type of the elements with this dtype.
template <class F>
decltype(auto) with_element_type(dtype type, const F& f) {
#define GNP_WITH_TYPE(T) \
  if (type == dtype_of<T>) return f(std::type_identity<T>());
  GNP_FOR_EACH_ELEMENT_TYPE(GNP_WITH_TYPE)
#undef GNP_WITH_TYPE
  return f(std::type_identity<complex128>());  // (never: there are no other types)
}

}  // namespace detail

/// An array of one of gnp's element types, without gaps in memory, in row-major or Fortran's order.
class any_array {
 public:
  /// An array without gaps shares its memory; one with gaps is copied; an expression is computed.
  template <array_like X>
  any_array(const X& x) : any_array(dense(x.eval())) {}
  /// The elements are copied.
  template <element T>
  any_array(const host_array<T>& host)
      : any_array(dtype_of<T>, host.shape(), false, gnp::device::cpu(), "any_array") {
    if (size() > 0) std::memcpy(data_, host.data(), static_cast<std::size_t>(host.nbytes()));
  }
  /// A vector, a C array, a list of lists: what asarray takes. Copied.
  template <detail::number_range Range>
    requires(!array_like<Range> && !detail::is_host_array_v<Range> &&
             !std::convertible_to<Range, std::string_view>)
  any_array(const Range& values) : any_array(copied(values)) {}
  /// A number is an array of rank 0.
  template <scalar_like Number>
  any_array(Number value) : any_array(dtype_of<Number>, shape_t{}, false, gnp::device::cpu(), "any_array") {
    std::memcpy(data_, &value, sizeof value);
  }

  gnp::dtype dtype() const { return type_; }
  const shape_t& shape() const { return shape_; }
  int ndim() const { return shape_.rank(); }
  index_t size() const { return size_; }
  index_t nbytes() const { return size_ * static_cast<index_t>(itemsize(type_)); }
  gnp::device device() const { return block_->device; }

  /// Are the elements of this type?
  template <element T>
  bool is() const {
    return type_ == dtype_of<T>;
  }
  /// The array, which shares this one's memory. Throws a dtype_error if its elements are of another type.
  template <element T>
  array<T> get() const {
    if (!is<T>()) {
      throw dtype_error(std::string("any_array: the elements are ") + name(type_) + ", and " +
                        name(dtype_of<T>) + " was asked for: astype converts");
    }
    const array<T> whole(block_, static_cast<T*>(data_), shape_, strides_);
    return is_read_only_ ? detail::read_only_view(whole) : whole;
  }
  /// Calls f with the array, whatever its type: f is compiled for all fifteen types.
  template <class F>
  decltype(auto) visit(const F& f) const {
    return detail::with_element_type(
        type_, [&](auto type) -> decltype(auto) { return f(get<typename decltype(type)::type>()); });
  }
  /// The elements converted to another type, like an array's astype.
  template <element T>
  array<T> astype() const {
    if (is<T>()) return get<T>();
    return visit([](const auto& x) { return array<T>(x.template astype<T>()); });
  }

  /// Does get() return an array that throws when it is written to?
  bool is_read_only() const { return is_read_only_; }

  // For functions that do not need the type.

  /// Uninitialised.
  any_array(gnp::dtype type, const shape_t& shape, bool fortran_order, gnp::device where, const char* function)
      : shape_(shape),
        strides_(fortran_order ? detail::fortran_strides(shape) : detail::contiguous_strides(shape)),
        size_(detail::element_count(shape, function)),
        type_(type) {
    block_ = detail::storage_ref::allocate(static_cast<std::size_t>(size_) * itemsize(type), where);
    data_ = block_->data;
  }
  /// An array around existing memory.
  any_array(gnp::dtype type, const shape_t& shape, bool fortran_order, detail::storage_ref block)
      : block_(std::move(block)),
        data_(block_->data),
        shape_(shape),
        strides_(fortran_order ? detail::fortran_strides(shape) : detail::contiguous_strides(shape)),
        size_(detail::element_count(shape, "any_array")),
        type_(type) {}
  any_array read_only() const {
    any_array same = *this;
    same.is_read_only_ = true;
    return same;
  }
  const detail::storage_ref& block() const { return block_; }
  void* data() const { return data_; }
  const shape_t& element_strides() const { return strides_; }
  bool is_contiguous() const { return detail::is_contiguous(shape_, strides_); }

 private:
  template <element T>
  explicit any_array(const array<T>& x, std::nullptr_t)
      : block_(x.block()),
        data_(x.data()),
        shape_(x.shape()),
        strides_(x.element_strides()),
        size_(x.size()),
        type_(dtype_of<T>),
        is_read_only_(x.is_read_only()) {}
  template <element T>
  static any_array dense(const array<T>& x) {
    const bool has_gaps = !x.is_contiguous() && !detail::is_fortran_contiguous(x.shape(), x.element_strides());
    return any_array(has_gaps ? x.copy() : x, nullptr);
  }

  template <class Range>
  static any_array copied(const Range& values) {
    const use_device here(gnp::device::cpu());  // so that nothing goes to a GPU and back
    return dense(asarray(values));
  }

  detail::storage_ref block_;
  void* data_ = nullptr;
  shape_t shape_;
  shape_t strides_;  // in elements
  index_t size_ = 0;
  gnp::dtype type_;
  bool is_read_only_ = false;
};

}}  // namespace gnp::GNP_ABI
