// SPDX-License-Identifier: MIT
// shape_t: a short list of sizes (or strides, or axes) that lives without the heap.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/core/error.hpp>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

namespace gnp::inline GNP_ABI {

/// The highest rank an array can have.
inline constexpr int max_rank = 16;

class shape_t {
 public:
  constexpr shape_t() { clear(); }
  constexpr shape_t(std::initializer_list<index_t> values) {
    clear();
    check_rank(values.size());
    for (const index_t value : values) values_[size_++] = value;
  }
  constexpr shape_t(std::size_t count, index_t value) {
    clear();
    check_rank(count);
    for (; size_ < static_cast<int>(count); ++size_) values_[size_] = value;
  }
  constexpr shape_t(const shape_t& other) { copy(other); }
  constexpr shape_t& operator=(const shape_t& other) {
    copy(other);
    return *this;
  }

  constexpr std::size_t size() const { return static_cast<std::size_t>(size_); }
  constexpr int rank() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr index_t& operator[](std::size_t i) { return values_[i]; }
  constexpr index_t operator[](std::size_t i) const { return values_[i]; }
  constexpr index_t* begin() { return values_; }
  constexpr index_t* end() { return values_ + size_; }
  constexpr const index_t* begin() const { return values_; }
  constexpr const index_t* end() const { return values_ + size_; }
  constexpr index_t back() const { return values_[size_ - 1]; }

  constexpr void push_back(index_t value) {
    check_rank(size() + 1);
    values_[size_++] = value;
  }
  constexpr void pop_back() { --size_; }
  constexpr void resize(std::size_t count, index_t value = 0) {
    check_rank(count);
    for (int i = size_; i < static_cast<int>(count); ++i) values_[i] = value;
    size_ = static_cast<int>(count);
  }
  constexpr void erase(int position) {
    for (int i = position; i + 1 < size_; ++i) values_[i] = values_[i + 1];
    --size_;
  }
  constexpr void insert(int position, index_t value) {
    push_back(value);
    for (int i = size_ - 1; i > position; --i) values_[i] = values_[i - 1];
    values_[position] = value;
  }

  friend constexpr bool operator==(const shape_t& a, const shape_t& b) {
    if (a.size_ != b.size_) return false;
    for (int i = 0; i < a.size_; ++i) {
      if (a.values_[i] != b.values_[i]) return false;
    }
    return true;
  }

 private:
  static constexpr void check_rank(std::size_t rank) {
    if (rank > static_cast<std::size_t>(max_rank)) {
      throw shape_error(std::string("rank ") + std::to_string(rank) + " is more than the " +
                        std::to_string(max_rank) + " dimensions an array can have");
    }
  }

  // Shapes are copied with every operand of every operation. The first few sizes are always there, so that they
  // are copied without a loop; the rest is written and copied where it is in use.
  static constexpr int few = 4;
  constexpr void clear() {
    for (int i = 0; i < few; ++i) values_[i] = 0;
    if (!std::is_constant_evaluated()) return;
    for (int i = few; i < max_rank; ++i) values_[i] = 0;
  }
  constexpr void copy(const shape_t& other) {
    size_ = other.size_;
    for (int i = 0; i < few; ++i) values_[i] = other.values_[i];
    int copied = size_;
    if (std::is_constant_evaluated()) copied = max_rank;
    for (int i = few; i < copied; ++i) values_[i] = other.values_[i];
  }

  int size_ = 0;
  index_t values_[max_rank];
};

namespace detail {

/// The shape of what holds arrays: as theirs, it is (0,) after a move.
class moving_shape : public shape_t {
 public:
  moving_shape() = default;
  moving_shape(const shape_t& shape) : shape_t(shape) {}
  moving_shape(const moving_shape&) = default;
  moving_shape(moving_shape&& other) noexcept : shape_t(other) { static_cast<shape_t&>(other) = shape_t{0}; }
  moving_shape& operator=(const moving_shape&) = default;
  moving_shape& operator=(moving_shape&& other) noexcept {
    std::swap(static_cast<shape_t&>(*this), static_cast<shape_t&>(other));
    return *this;
  }
  ~moving_shape() = default;
};

}  // namespace detail

/// "(3, 4)", "(5,)", "()", as Python prints a tuple.
inline std::string to_string(const shape_t& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

namespace detail {

/// Number of elements; throws where it, or a size, cannot be.
inline index_t element_count(const shape_t& shape, const char* function) {
  index_t count = 1;
  bool overflow = false;
  bool empty = false;
  for (const index_t size : shape) {
    if (size < 0) {
      throw shape_error(std::string(function) + ": negative dimensions are not allowed, got shape " +
                        to_string(shape));
    }
    empty = empty || size == 0;
    overflow = overflow || (size > 0 && count > (index_t{1} << 62) / size);
    if (!overflow && size > 0) count *= size;
  }
  if (empty) return 0;
  if (overflow) {
    throw shape_error(std::string(function) + ": shape " + to_string(shape) + " has more than 2^62 elements");
  }
  return count;
}

/// Bytes of `count` elements; throws where that is more than an address space.
template <class T>
std::size_t byte_count(index_t count, const char* function) {
  if (count > (index_t{1} << 62) / static_cast<index_t>(sizeof(T))) {
    throw out_of_memory(std::string(function) + ": " + std::to_string(count) + " elements of " +
                        std::to_string(sizeof(T)) + " bytes are more than any memory");
  }
  return static_cast<std::size_t>(count) * sizeof(T);
}

/// Axis counted from the end if negative; throws where there is no such axis.
inline int normalize_axis(index_t axis, int rank, const char* function) {
  const index_t normalized = axis < 0 ? axis + rank : axis;
  if (normalized < 0 || normalized >= rank) {
    throw index_error(std::string(function) + ": axis " + std::to_string(axis) +
                      " is out of bounds for array of dimension " + std::to_string(rank));
  }
  return static_cast<int>(normalized);
}

}  // namespace detail
}  // namespace gnp::inline GNP_ABI
