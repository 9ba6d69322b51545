// SPDX-License-Identifier: MIT
// What a(...) takes as indices: integers, slices, all, newaxis, ellipsis.
#pragma once

#include <concepts>
#include <cstdint>
#include <gnp/core/reduce_options.hpp>
#include <initializer_list>
#include <limits>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// A new axis of size 1. As in NumPy, it is the same as None: x(all, none) is x(all, newaxis).
inline constexpr none_t newaxis{};

/// The type of ellipsis.
struct ellipsis_t {};
/// As many full slices as there are dimensions left.
inline constexpr ellipsis_t ellipsis{};

namespace detail {

/// An integer of any type, or a value of an enumeration that C++ converts to one, but not a bool.
template <class Index>
concept plain_index = plain_number<Index> && !std::floating_point<Index> && !std::same_as<Index, bool>;

/// Throws for an index too large for a signed integer. Such an unsigned number is often a negative number that
/// wrapped around.
[[noreturn, gnu::cold]] GNP_DECLARED void throw_index(std::uint64_t index);
template <plain_index Index>
constexpr bool is_beyond_index(Index i) {
  if constexpr (std::is_unsigned_v<Index> && sizeof(Index) >= sizeof(index_t)) {
    return i > static_cast<Index>((std::numeric_limits<index_t>::max)());
  } else {
    return false;
  }
}
template <plain_index Index>
constexpr index_t one_index(Index i) {
  if (is_beyond_index(i)) throw_index(static_cast<std::uint64_t>(i));
  return static_cast<index_t>(i);
}

/// An index in braces, as in a({0, 2}) and take(x, {i, j}): an integer, or an array that holds one.
class listed_index {
 public:
  template <plain_index Index>
  constexpr listed_index(Index i) : value_(one_index(i)) {}
  template <array_of_numbers X>
    requires plain_index<typename X::value_type>
  listed_index(const X& x) : is_number_(x.size() == 1) {
    if (is_number_) value_ = one_index(static_cast<typename X::value_type>(x));
  }

  index_t number(const char* function) const {
    if (is_number_) return value_;
    throw shape_error(std::string(function) +
                      ": index arrays in braces: write a(i, j) for one per axis, stack({i, j}) for rows");
  }

 private:
  index_t value_ = 0;
  bool is_number_ = true;
};
using listed_indices = std::initializer_list<listed_index>;

GNP_INLINE std::vector<index_t> index_numbers(listed_indices list, const char* function) {
  std::vector<index_t> numbers;
  for (const listed_index& one : list) numbers.push_back(one.number(function));
  return numbers;
}

/// An integer, an array that holds one, or none (which may be written {}).
struct slice_bound {
  constexpr slice_bound() = default;
  constexpr slice_bound(none_t) {}
  template <plain_index Index>
  constexpr slice_bound(Index i)
      : value(is_beyond_index(i) ? (std::numeric_limits<index_t>::max)() : static_cast<index_t>(i)),
        given(true) {}
  template <array_of_numbers X>
    requires plain_index<typename X::value_type>
  slice_bound(const X& one) : slice_bound(static_cast<typename X::value_type>(one)) {}

  index_t value = 0;
  bool given = false;
};

}  // namespace detail

/// Python's slice: slice(stop), slice(start, stop), slice(start, stop, step); none, or {}, leaves a bound out.
/// slice() takes all elements.
struct slice {
  constexpr slice() = default;
  constexpr explicit slice(detail::slice_bound stop_at) : stop(stop_at) {}
  constexpr slice(detail::slice_bound start_at, detail::slice_bound stop_at, detail::slice_bound step_by = none)
      : start(start_at), stop(stop_at), step(step_by) {}
  /// Exists only for its error message. It is explicit, so braces never mean it.
  template <class... Bounds>
    requires(sizeof...(Bounds) <= 3 && (std::floating_point<Bounds> || ...))
  constexpr explicit slice(const Bounds&...) {
    static_assert(sizeof...(Bounds) > 3, "gnp: the bounds of a slice are integers: gnp::slice(0, 2)");
  }

  detail::slice_bound start;
  detail::slice_bound stop;
  detail::slice_bound step;
};

namespace detail {

struct slice_range {
  index_t start;
  index_t count;
  index_t step;
};

/// Where a slice of an axis starts, how many elements it takes, and how far apart they are, by Python's rules.
GNP_DECLARED slice_range resolve(const slice& s, index_t length);

}  // namespace detail

/// gnp::all: the full slice.
struct all_t {
  constexpr operator slice() const { return slice(none, none); }
  /// As a function, it is NumPy's all(x): are all elements nonzero? The body is in routines/reductions.hpp.
  template <class X>
  auto operator()(const X& x, const reduce_options& options = {}) const;
  template <class X>
  auto operator()(const X& x, const axes_t& axis, const reduce_options& options = {}) const;
  /// Of the elements where a mask is true; the body is in routines/masked_reductions.hpp.
  template <class X>
  auto operator()(const X& x, const masked_reduce_options& options) const;
  template <class X>
  auto operator()(const X& x, const axes_t& axis, const masked_reduce_options& options) const;
};
inline constexpr all_t all{};

/// One index of a(...).
class index_arg {
 public:
  enum class kind : std::uint8_t { integer, range, new_axis, rest };

  template <detail::plain_index Index>
  constexpr index_arg(Index i) : kind_(kind::integer), slice_(detail::one_index(i)) {}
  constexpr index_arg(const gnp::slice& s) : kind_(kind::range), slice_(s) {}
  constexpr index_arg(all_t a) : kind_(kind::range), slice_(a) {}
  constexpr index_arg(none_t) : kind_(kind::new_axis), slice_(none) {}
  constexpr index_arg(ellipsis_t) : kind_(kind::rest), slice_(none) {}

  constexpr kind what() const { return kind_; }
  constexpr index_t integer() const { return slice_.stop.value; }
  constexpr const gnp::slice& range() const { return slice_; }

 private:
  kind kind_;
  gnp::slice slice_;
};

#if !defined(__cpp_multidimensional_subscript)
namespace detail {

/// Is this a type that can be nothing but an index?
template <class X>
concept view_index = std::same_as<X, gnp::slice> || std::same_as<X, all_t> || std::same_as<X, none_t> ||
                     std::same_as<X, ellipsis_t>;

}  // namespace detail

/// Before C++23, a[gnp::all, 0] means a[0], because the comma operator discards its left operand.
template <class First, class Second>
  requires(detail::view_index<First> || detail::view_index<Second>)
constexpr index_arg operator,(const First&, const Second&) {
  static_assert(!detail::view_index<First> && !detail::view_index<Second>,
                "gnp: several indices in brackets take C++23: write them in parentheses, a(gnp::all, 0)");
  return ellipsis;
}
#endif

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn, gnu::cold]] GNP_INLINE void throw_index(std::uint64_t index) {
  throw index_error("index: " + std::to_string(index) + " is more than any array has elements");
}

GNP_INLINE slice_range resolve(const slice& s, index_t length) {
  const index_t step = s.step.given ? s.step.value : 1;
  if (step == 0) throw index_error("slice: step cannot be zero");
  const auto clamp = [length](index_t value, index_t lowest, index_t highest) {
    if (value < 0) value += length;
    return value < lowest ? lowest : value > highest ? highest : value;
  };
  if (step > 0) {
    const index_t start = s.start.given ? clamp(s.start.value, 0, length) : 0;
    const index_t stop = s.stop.given ? clamp(s.stop.value, 0, length) : length;
    return {start, stop > start ? (stop - start - 1) / step + 1 : 0, step};
  }
  const index_t start = s.start.given ? clamp(s.start.value, -1, length - 1) : length - 1;
  const index_t stop = s.stop.given ? clamp(s.stop.value, -1, length - 1) : -1;
  // Negated as an unsigned number, because the most negative step has no positive counterpart.
  return {start,
          start > stop ? static_cast<index_t>(static_cast<std::uint64_t>(start - stop - 1) /
                                              (~static_cast<std::uint64_t>(step) + 1)) +
                             1
                       : 0,
          step};
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
