// SPDX-License-Identifier: MIT
// array<T>: a handle to shared, strided storage on a device. Copying shares; slicing is a view of the same
// type.
#pragma once

#include <algorithm>
#include <gnp/array/forward.hpp>
#include <gnp/array/host_array.hpp>
#include <gnp/array/indexing.hpp>
#include <gnp/array/members.hpp>
#include <gnp/array/one_element.hpp>
#include <gnp/memory/storage.hpp>
#include <memory>
#include <utility>
#include <vector>

#define GNP_NO_BRACES                                                                                        \
  "gnp: an array is not made of braces, which could be values or a shape: write gnp::asarray<T>({1, 2, 3}) " \
  "for "                                                                                                     \
  "values and gnp::zeros<T>({2, 3}) for a shape"

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Numbers in braces as an array on a device. (Defined in array/asarray.hpp.)
template <element T>
array<T> list_on(device where, std::initializer_list<T> values);
template <element T>
array<T> list_on(device where, std::initializer_list<std::initializer_list<T>> values);

}  // namespace detail

template <element T>
class array final : public detail::array_members<array<T>>, public detail::one_element<array<T>, T> {
 public:
  using value_type = T;
  using detail::array_members<array>::shape;
  using detail::array_members<array>::view;

  /// An empty one-dimensional array, without memory.
  array() : block_(default_device()) {}
  array(const array&) = default;
  /// Leaves an empty array, on the same device.
  array(array&& other) noexcept
      : block_(std::move(other.block_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        shape_(other.shape_),
        strides_(other.strides_),
        is_read_only_(std::exchange(other.is_read_only_, false)) {
    other.shape_ = shape_t{0};
    other.strides_ = shape_t{1};
  }
  ~array() = default;

  /// Runs an expression (or converts an array) into a new array.
  template <array_like X>
    requires(!std::same_as<X, array>)
  array(const X& source) : array(converted(source)) {}
  /// A number is an array of rank 0.
  template <scalar_like Number>
  array(Number value) : array(shape_t{}, default_device(), "array") {
    // An integer that does not fit the type is reported when it is stored.
    if constexpr (!is_integer(dtype_of<Number>) || !is_integer(dtype_of<T>))
      detail::check_same_kind<Number, T>();
    detail::assign(*this, value, "array");
  }
  /// Refused, because numbers in braces could mean a shape or values.
  template <scalar_like Number>
  array(std::initializer_list<Number>) {
    static_assert(!scalar_like<Number>, GNP_NO_BRACES);
  }
  template <scalar_like Number>
  array(std::initializer_list<std::initializer_list<Number>>) {
    static_assert(!scalar_like<Number>, GNP_NO_BRACES);
  }

  /// Refused: sizes in parentheses, and data on the host.
  template <scalar_like First, scalar_like... More>
    requires(sizeof...(More) > 0)
  array(First, More...) {
    static_assert(!scalar_like<First>,
                  "gnp: an array is not made of sizes: write gnp::zeros<T>({2, 3}), gnp::ones<T>({2, 3}) or "
                  "gnp::empty<T>({2, 3})");
  }
  template <std::same_as<shape_t> Shape>
  explicit array(const Shape&) {
    static_assert(
        !std::same_as<Shape, shape_t>,
        "gnp: an array is not made of a shape alone: write gnp::zeros<T>(shape) or gnp::empty<T>(shape)");
  }
  template <element Number>
  array(const std::vector<Number>&) {
    detail::refuse_vector<array, Number>();
  }
  template <element Number>
  array(const host_array<Number>&) {
    detail::refuse_host_array<array, Number>();
  }

  /// Uninitialised memory; gnp::empty<T>(shape) is the public name.
  array(const shape_t& shape, gnp::device where, const char* function = "empty")
      : array(shape, detail::contiguous_strides(shape), where, function) {}
  /// The same with dense strides in another order.
  array(const shape_t& shape, const shape_t& strides, gnp::device where, const char* function)
      : size_(detail::element_count(shape, function)), shape_(shape), strides_(strides) {
    block_ = detail::storage_ref::allocate(detail::byte_count<T>(size_, function), where);
    data_ = static_cast<T*>(block_->data);
  }
  /// A view of existing storage.
  array(detail::storage_ref block, T* data, const shape_t& shape, const shape_t& strides)
      : block_(std::move(block)),
        data_(data),
        size_(detail::element_count(shape, "view")),
        shape_(shape),
        strides_(strides) {}

  // Assigning to a named array rebinds the name. Assigning to an unnamed view writes to the memory that it
  // shares.
  array& operator=(const array& other) & = default;
  array& operator=(array&& other) & noexcept {
    if (this != &other) {
      std::destroy_at(this);
      std::construct_at(this, std::move(other));
    }
    return *this;
  }
  array& operator=(const array& source) && { return write(source); }
  array& operator=(array&& source) && { return write(source); }
  template <class X>
    requires(array_like<X> || scalar_like<X>)
  array& operator=(const X& source) & {
    return *this = array(source);
  }
  template <class X>
    requires(array_like<X> || scalar_like<X>)
  array& operator=(const X& source) && {
    return write(source);
  }
  /// x(0) = {1, 2, 3}
  array& operator=(std::initializer_list<T> values) && { return write(detail::list_on(device(), values)); }
  template <element Number>
  array& operator=(std::initializer_list<Number> values) && {
    return write(detail::list_on(device(), values));
  }
  template <element Number>
  array& operator=(std::initializer_list<std::initializer_list<Number>> values) && {
    return write(detail::list_on(device(), values));
  }
  template <class X>
    requires(array_like<X> || scalar_like<X>)
  void operator=(const X&) const&& {
    detail::refuse_assignment_to_computed<X>();
  }

  /// Refused: data on the host has to be copied explicitly, with asarray.
  template <element Number>
  array& operator=(const std::vector<Number>&) {
    detail::refuse_vector<array, Number>();
    return *this;
  }
  template <element Number>
  array& operator=(const host_array<Number>&) {
    detail::refuse_host_array<array, Number>();
    return *this;
  }
  template <element Number, std::size_t Count>
  array& operator=(const std::array<Number, Count>&) {
    detail::refuse_vector<array, Number>();
    return *this;
  }
  /// Refused: texts.
  template <std::same_as<char> Letter, std::size_t Count>
  array& operator=(const Letter (&)[Count]) {
    detail::refuse_text<array, Letter>();
    return *this;
  }

  const shape_t& shape() const { return shape_; }
  index_t size() const { return size_; }
  gnp::device device() const { return block_->device; }
  /// In bytes, as in NumPy.
  shape_t strides() const {
    shape_t bytes = strides_;
    for (index_t& stride : bytes) stride *= static_cast<index_t>(sizeof(T));
    return bytes;
  }
  /// The first element's address, on the array's device.
  T* data() const { return data_; }
  /// Do the elements lie in row-major order without gaps?
  bool is_contiguous() const { return detail::is_contiguous(shape_, strides_); }
  /// Is writing refused? True for views with repeated elements (from broadcast_to, say), for memory that its
  /// owner shares for reading only, and for views of either.
  bool is_read_only() const { return is_read_only_; }

  /// Sets every element.
  void fill(T value) const { detail::assign(*this, value, "fill"); }
  /// A number of another type; throws if the elements' type cannot hold it.
  template <scalar_like Number>
    requires((is_integer(dtype_of<T>) || std::same_as<T, half> || std::same_as<T, bfloat16> ||
              (is_complex(dtype_of<T>) && is_complex(dtype_of<Number>))) &&
             !std::same_as<Number, T>)
  void fill(Number value) const {
    detail::assign(*this, value, "fill");
  }
  /// Writes to the elements, as a(ellipsis) = source does; also for a named array.
  template <class X>
    requires(array_like<X> || scalar_like<X>)
  void assign(const X& source) const {
    detail::assign(*this, source, "assign");
  }

  /// Sorts in place, along an axis (by default the last one).
  void sort(const sort_options& options = {}) const;
  void sort(const axes_t& axis, sort_options options = {}) const;

  /// A copy on another device, or the array itself if it is already there.
  array to(gnp::device where) const;

  /// A view with another shape, strides and offset, all in elements. For functions that make views.
  array view(const detail::view_layout& layout) const {
    array made(block_, data_ + layout.offset, layout.shape, layout.strides);
    made.is_read_only_ = is_read_only_ || layout.read_only;
    return made;
  }
  const shape_t& element_strides() const { return strides_; }
  const detail::storage_ref& block() const { return block_; }

 private:
  template <array_like X>
  static array converted(const X& source) {
    detail::check_same_kind<typename X::value_type, T>();
    if constexpr (std::same_as<typename X::value_type, T>) {
      return detail::evaluate(source);
    } else {
      return detail::evaluate(source.template astype<T>());
    }
  }
  template <class X>
  array& write(const X& source) {
    detail::assign(*this, source, "assignment");
    return *this;
  }

  detail::storage_ref block_;
  T* data_ = nullptr;
  index_t size_ = 0;
  shape_t shape_{0};
  shape_t strides_{1};  // in elements
  bool is_read_only_ = false;
};

/// Swaps the names of two arrays, of which neither moves.
template <element T>
void swap(array<T>& a, array<T>& b) noexcept {
  std::swap(a, b);
}
/// Refused: of two views, only the handles would be swapped, which nobody sees again.
template <class A, class B>
  requires(detail::is_array_v<std::remove_cvref_t<A>> && detail::is_array_v<std::remove_cvref_t<B>>)
void swap(A&&, B&&) {
  static_assert(
      sizeof(A) == 0,
      "gnp: swap takes two named arrays; to swap the values of views, copy one of them: gnp::array t = "
      "x(0).copy(); x(0) = x(1); x(1) = t");
}

template <class Op, class... Operands>
array(const expression<Op, Operands...>&) -> array<typename expression<Op, Operands...>::value_type>;
template <class X>
  requires detail::is_deferred_v<X>
array(const X&) -> array<typename X::value_type>;
template <scalar_like Number>
array(Number) -> array<Number>;
template <scalar_like Number>
array(std::initializer_list<Number>) -> array<Number>;
template <scalar_like Number>
array(std::initializer_list<std::initializer_list<Number>>) -> array<Number>;
template <element Number>
array(const std::vector<Number>&) -> array<Number>;
template <element Number>
array(const host_array<Number>&) -> array<Number>;
#undef GNP_NO_BRACES

namespace detail {

template <class Derived>
auto array_members<Derived>::copy() const {
  array<typename Derived::value_type> result(derived().shape(), derived().device(), "copy");
  assign(result, derived(), "copy");
  return result;
}

/// A view of the same elements that cannot be written.
template <class T>
array<T> read_only_view(const array<T>& a) {
  return a.view({0, a.shape(), a.element_strides(), true});
}

/// Const, because it is part of a temporary result. An assignment such as matmul(a, b)(0) = c would be lost, so
/// it is refused.
template <class T>
const array<T> read_only(array<T> part) {
  return part;
}

template <array_like X>
decltype(auto) indexed(const X& x, const index_arg* indices, std::size_t count) {
  if constexpr (is_expression_v<X> || has_reductions_v<X>) {
    return indexed_operands(x, x.shape(), indices, count);
  } else if constexpr (is_deferred_v<X>) {
    return read_only(indexed(x.eval(), indices, count));
  } else {
    return x.view(index_view(x.shape(), x.element_strides(), indices, count));
  }
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
