// SPDX-License-Identifier: MIT
// The options of ufuncs and of their methods, like NumPy's keyword arguments: clip(x, {.min = 0}),
// ufuncs::add.reduce(x, {.keepdims = true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/error.hpp>
#include <gnp/core/none.hpp>
#include <gnp/core/number.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

GNP_REFUSED_OPTION(no_where_of_reduce,
                   "a mask is part of the formula: write gnp::ufuncs::add.reduce(gnp::where(c, x, 0))")
GNP_REFUSED_OPTION(no_dtype_of_reduce,
                   "the elements get another type first: write gnp::ufuncs::add.reduce(x.astype<double>())")
GNP_REFUSED_OPTION(no_out_of_reduce,
                   "a result goes into an array by assignment: write y(gnp::ellipsis) = "
                   "gnp::ufuncs::add.reduce(x)")

GNP_REFUSED_OPTION(no_out_of_ufunc,
                   "a result goes into an array by assignment: write y(gnp::ellipsis) = gnp::add(a, b)")
GNP_REFUSED_OPTION(
    no_where_of_ufunc,
    "a mask is part of the formula: write gnp::where(c, gnp::add(a, b), 0), or y(c) = gnp::add(a, b)(c)")
GNP_REFUSED_OPTION(no_dtype_of_ufunc,
                   "the operands get another type first: write gnp::add(a.astype<double>(), b)")

/// What NumPy's ufuncs take by name.
struct ufunc_call_options {
  by_name only = by_name();
  no_out_of_ufunc out = {};
  no_where_of_ufunc where = {};
  no_dtype_of_ufunc dtype = {};
};

/// It has no default: options without it are ufunc_reduce_options.
struct initial_by_name {
  template <class Number>
    requires(std::is_constructible_v<number, const Number&>)
  initial_by_name(const Number& one) : value(one) {}
  number value;
};

}  // namespace detail

/// A ufunc's reduce: like NumPy's, along the first axis by default; none means all axes.
struct ufunc_reduce_options {
  by_name only = by_name();
  axes_t axis = 0;
  detail::no_dtype_of_reduce dtype = {};
  detail::no_out_of_reduce out = {};
  bool keepdims = false;
  detail::no_where_of_reduce where = {};
};

/// The same with one more element, which is combined first. The result is stored at once.
struct ufunc_initial_options {
  by_name only = by_name();
  axes_t axis = 0;
  detail::no_dtype_of_reduce dtype = {};
  detail::no_out_of_reduce out = {};
  bool keepdims = false;
  detail::initial_by_name initial;
  detail::no_where_of_reduce where = {};
};

/// A ufunc's accumulate and reduceat, maximum_accumulate and minimum_accumulate.
struct accumulate_options {
  by_name only = by_name();
  int axis = 0;
  detail::no_dtype_of_reduce dtype = {};
  detail::no_out_of_reduce out = {};
};

/// A ufunc's at, and functions such as add_at.
struct at_options {
  by_name only = by_name();
  /// By default, elements that go to the same place are combined in the order in which they are given, so that
  /// every run gives the same bits. Any order is faster on a GPU, but then sums of floating-point numbers may
  /// differ in their last bits.
  bool any_order = false;
};

/// The number of decimals, by name: round(x, {.decimals = 2}).
struct round_options {
  by_name only = by_name();
  int decimals = 0;
};

/// The options of angle: degrees in place of radians?
struct angle_options {
  by_name only = by_name();
  bool deg = false;
};

namespace detail {

/// A bound of clip: a number, an array of one element, or none.
class bound : public number {
 public:
  using number::number;
  constexpr bound(none_t) {}
};

/// The same for integers. A type-erased number cannot make the result double, as NumPy does for clip(n, 0.5),
/// and must not be rounded silently.
class whole_bound : public bound {
 public:
  constexpr whole_bound(none_t) : bound(none) {}
  template <element T>
  constexpr whole_bound(T value) : bound(value) {
    refuse_fraction<T>();
  }
  template <array_of_numbers X>
  whole_bound(const X& one) : bound(one) {
    refuse_fraction<typename X::value_type>();
  }

 private:
  template <class T>
  static constexpr void refuse_fraction() {
    static_assert(is_integer(dtype_of<T>),
                  "gnp: a bound with a fraction makes doubles of integers: write gnp::clip(n, 0.5, gnp::none)");
  }
};

/// A bound that has two names.
GNP_INLINE const number& one_bound(const number& a, const number& b, const char* name) {
  if (a.given() && b.given()) {
    throw error(std::string("clip: .a_") + name + " and ." + name + " are two names of one bound: give one");
  }
  return a.given() ? a : b;
}

}  // namespace detail

/// The bounds of clip by name: clip(x, {.min = 0}). An array of bounds is given by position.
struct clip_options {
  by_name only = by_name();
  detail::bound a_min = none;  // NumPy's first names of min and max
  detail::bound a_max = none;
  detail::bound min = none;
  detail::bound max = none;

  const number& low() const { return detail::one_bound(a_min, min, "min"); }
  const number& high() const { return detail::one_bound(a_max, max, "max"); }
};

/// The same for an array of integers.
struct whole_clip_options {
  by_name only = by_name();
  detail::whole_bound a_min = none;  // NumPy's first names of min and max
  detail::whole_bound a_max = none;
  detail::whole_bound min = none;
  detail::whole_bound max = none;

  const number& low() const { return detail::one_bound(a_min, min, "min"); }
  const number& high() const { return detail::one_bound(a_max, max, "max"); }
};

namespace detail {

template <element T>
using clip_options_for = std::conditional_t<is_integer(dtype_of<T>), whole_clip_options, clip_options>;

}  // namespace detail

}}  // namespace gnp::GNP_ABI
