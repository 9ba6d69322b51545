// SPDX-License-Identifier: MIT
// shape_t: a short list of sizes (or strides, or axes) that needs no heap memory.
#pragma once

#include <array>
#include <concepts>
#include <gnp/core/dtype.hpp>
#include <gnp/core/error.hpp>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

/// The highest rank an array can have.
inline constexpr int max_rank = 16;

class shape_t;

namespace detail {

// clang-format off
/// What C++ converts to an integer implicitly.
template <class Number>
concept plain_number = std::is_arithmetic_v<Number> || (std::is_enum_v<Number> && std::is_convertible_v<Number, int>);
// clang-format on

/// A number that may be a size or an axis, so neither a bool nor a character.
template <class Number>
concept integer_number = plain_number<Number> && !std::is_floating_point_v<Number> &&
                         !std::is_same_v<Number, bool> && !std::is_same_v<Number, char>;

/// An array or an expression with one element, used as a number. (Arrays are defined in later headers.)
template <class X>
concept array_of_numbers = requires(const X& x) {
  typename X::value_type;
  x.ndim();
  requires std::is_convertible_v<const X&, typename X::value_type>;
};

/// What can be passed as one of several sizes.
template <class X>
concept one_size = plain_number<X> || array_of_numbers<X>;

/// A size or an axis, given as an integer of any type, or as an array that holds one. A braced list of these
/// accepts a std::size_t; a list of index_t would not, because the conversion narrows.
class any_integer {
 public:
  template <array_of_numbers X>
  any_integer(const X& one) : any_integer(static_cast<typename X::value_type>(one)) {}
  template <plain_number Number>
  constexpr any_integer(Number value) {
    static_assert(integer_number<Number>,
                  "gnp: a size or an axis is an integer: neither a floating-point number nor a bool");
    if constexpr (integer_number<Number>) {
      if constexpr (std::is_unsigned_v<Number> && sizeof(Number) >= sizeof(index_t)) {
        if (value > static_cast<Number>((std::numeric_limits<index_t>::max)())) {
          throw shape_error("a size, a count or an axis is at most " +
                            std::to_string((std::numeric_limits<index_t>::max)()) + ", got " +
                            std::to_string(value));
        }
      }
      value_ = static_cast<index_t>(value);
    }
  }
  constexpr operator index_t() const { return value_; }

 private:
  index_t value_ = 0;
};

/// A std::vector, std::array, span or C array of integers. Not an array of gnp: its integers are values.
template <class List>
concept list_of_integers = !std::is_same_v<List, shape_t> && requires(const List& list) {
  requires integer_number<std::remove_cvref_t<decltype(*std::begin(list))>>;
  std::end(list);
} && !requires(const List& list) { list.shape(); };

}  // namespace detail

/// Can be made from integers of any type: 3, {3, 4}, or a std::vector of them.
class shape_t {
 public:
  constexpr shape_t() { clear(); }
  constexpr shape_t(std::initializer_list<detail::any_integer> values) {
    clear();
    check_rank(values.size());
    for (const index_t value : values) values_[size_++] = value;
  }
  /// One size: zeros(3) is zeros({3}).
  template <detail::plain_number Number>
  constexpr shape_t(Number size) : shape_t({detail::any_integer(size)}) {}
  template <detail::list_of_integers List>
  constexpr shape_t(const List& sizes) {
    clear();
    for (const auto size : sizes) push_back(detail::any_integer(size));
  }
  /// (Explicit, because g++ would also match {.name = 1, .other = 2} with these two parameters.)
  explicit constexpr shape_t(std::size_t count, index_t value) {
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
  /// A negative index counts from the end. As in a std::vector, the entry must exist.
  template <std::integral Index>
  constexpr index_t& operator[](Index i) {
    return values_[place_of(i)];
  }
  template <std::integral Index>
  constexpr index_t operator[](Index i) const {
    return values_[place_of(i)];
  }
  constexpr index_t* begin() { return values_; }
  constexpr index_t* end() { return values_ + size_; }
  constexpr const index_t* begin() const { return values_; }
  constexpr const index_t* end() const { return values_ + size_; }
  constexpr index_t front() const { return values_[0]; }
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

  /// Concatenates two shapes, as Python does with tuples. (A template, so that no number converts to a shape
  /// here.)
  template <std::same_as<shape_t> Shape>
  friend constexpr shape_t operator+(const shape_t& a, const Shape& b) {
    shape_t both = a;
    for (const index_t size : b) both.push_back(size);
    return both;
  }
  friend constexpr bool operator==(const shape_t& a, const shape_t& b) {
    if (a.size_ != b.size_) return false;
    for (int i = 0; i < a.size_; ++i) {
      if (a.values_[i] != b.values_[i]) return false;
    }
    return true;
  }

 private:
  template <class Index>
  constexpr std::size_t place_of(Index i) const {
    if constexpr (std::is_signed_v<Index>) {
      // (The remainder shows the compiler that the position is within the array.)
      static_assert((max_rank & (max_rank - 1)) == 0);
      if (i < 0) return (static_cast<std::size_t>(size_) + static_cast<std::size_t>(i)) % max_rank;
    }
    return static_cast<std::size_t>(i);
  }
  static constexpr void check_rank(std::size_t rank) {
    if (rank > static_cast<std::size_t>(max_rank)) {
      throw shape_error(std::string("rank ") + std::to_string(rank) + " is more than the " +
                        std::to_string(max_rank) + " dimensions an array can have");
    }
  }

  // Shapes are copied with every operand of every operation. The first few values are always initialised, so
  // that they are copied without a loop. The others are written and copied only if they are in use.
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

/// The shape of an object that holds arrays. After a move it is (0,), like the shapes of the arrays.
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
GNP_INLINE std::string to_string(const shape_t& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

namespace detail {

/// The number of elements. Throws if this number, or one of the sizes, is impossible.
GNP_DECLARED index_t element_count(const shape_t& shape, const char* function);

/// The sizes of a shape that must have `Rank` dimensions.
template <std::size_t Rank>
constexpr std::array<index_t, Rank> sizes(const shape_t& shape) {
  if (shape.rank() != static_cast<int>(Rank)) {
    throw shape_error(std::string("shape: ") + std::to_string(Rank) +
                      " dimensions are wanted of an array of shape " + to_string(shape));
  }
  std::array<index_t, Rank> list{};
  for (std::size_t d = 0; d < Rank; ++d) list[d] = shape[static_cast<int>(d)];
  return list;
}

/// The sum and the product of two sizes or counts that are not negative. They throw if no array could be that
/// long.
GNP_DECLARED index_t sum_of_sizes(index_t a, index_t b, const char* function);
GNP_DECLARED index_t product_of_sizes(index_t a, index_t b, const char* function);

[[noreturn]] GNP_DECLARED void throw_too_many_elements(index_t count, std::size_t itemsize,
                                                       const char* function);
/// The size of `count` elements in bytes. Throws if that is larger than the address space.
template <class T>
std::size_t byte_count(index_t count, const char* function) {
  if (count > (index_t{1} << 62) / static_cast<index_t>(sizeof(T)))
    throw_too_many_elements(count, sizeof(T), function);
  return static_cast<std::size_t>(count) * sizeof(T);
}

/// The axis, counted from the end if negative. Throws if there is no such axis.
GNP_INLINE int normalize_axis(index_t axis, int rank, const char* function) {
  const index_t normalized = axis < 0 ? axis + rank : axis;
  if (normalized < 0 || normalized >= rank) {
    throw index_error(std::string(function) + ": axis " + std::to_string(axis) +
                      " is out of bounds for array of dimension " + std::to_string(rank));
  }
  return static_cast<int>(normalized);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn]] GNP_INLINE void throw_too_many_elements(index_t count, std::size_t itemsize,
                                                     const char* function) {
  throw out_of_memory(std::string(function) + ": " + std::to_string(count) + " elements of " +
                      std::to_string(itemsize) + " bytes are more than any memory");
}

GNP_INLINE index_t element_count(const shape_t& shape, const char* function) {
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

[[noreturn]] GNP_INLINE void throw_too_long(const char* function) {
  throw shape_error(std::string(function) + ": the result would have more than 2^62 elements along an axis");
}

GNP_INLINE index_t sum_of_sizes(index_t a, index_t b, const char* function) {
  constexpr index_t most = index_t{1} << 62;
  if (a > most || b > most - a) throw_too_long(function);
  return a + b;
}

GNP_INLINE index_t product_of_sizes(index_t a, index_t b, const char* function) {
  constexpr index_t most = index_t{1} << 62;
  if (b != 0 && a > most / b) throw_too_long(function);
  return a * b;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
