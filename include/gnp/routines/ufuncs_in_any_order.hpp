// SPDX-License-Identifier: MIT
// The ufuncs for which the order of operations does not matter, so that reductions and scans compute their
// reduce and accumulate.
#pragma once

#include <gnp/routines/accumulations.hpp>
#include <gnp/routines/nan_reductions.hpp>
#include <gnp/routines/user_reduction.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_REDUCTION(common_bits, (x), x, (a, b), a& b, (r), r, -1)
GNP_REDUCTION(all_bits, (x), x, (a, b), a | b, (r), r, 0)
GNP_REDUCTION(odd_bits, (x), x, (a, b), a ^ b, (r), r, 0)
GNP_REDUCTION(common_divisor, (x), x, (a, b), gcd(a, b), (r), r, 0)
GNP_REDUCTION(length_of_all, (x), x, (a, b), hypot(a, b), (r), r, 0)
GNP_REDUCTION(log_of_sum, (x), x, (a, b), logaddexp(a, b), (r), r, lowest)
GNP_REDUCTION(log2_of_sum, (x), x, (a, b), logaddexp2(a, b), (r), r, lowest)

/// How a ufunc reduces and accumulates if the order of its operations does not matter.
template <class Op>
struct in_any_order {
  static constexpr bool known = false;
};

// The functions have NumPy's types.
#define GNP_IN_ANY_ORDER(operation, reduction, accumulation)        \
  template <>                                                       \
  struct in_any_order<operations::operation##_ufunc> {              \
    static constexpr bool known = true;                             \
    template <class X>                                              \
    static auto reduce(const X& x, const axes_t& axis, bool keep) { \
      return (reduction)(x, {.axis = axis, .keepdims = keep});      \
    }                                                               \
    template <class X>                                              \
    static auto accumulate(const X& x, int axis) {                  \
      return (accumulation)(x, axis);                               \
    }                                                               \
  };
GNP_IN_ANY_ORDER(add, sum, cumsum)
GNP_IN_ANY_ORDER(multiply, prod, cumprod)
GNP_IN_ANY_ORDER(maximum, max, maximum_accumulate)
GNP_IN_ANY_ORDER(minimum, min, minimum_accumulate)
#undef GNP_IN_ANY_ORDER

template <>
struct in_any_order<operations::fmax_ufunc> {
  static constexpr bool known = true;
  template <class X>
  static auto reduce(const X& x, const axes_t& axis, bool keep) {
    return nanmax(x, {.axis = axis, .keepdims = keep});
  }
};
template <>
struct in_any_order<operations::fmin_ufunc> {
  static constexpr bool known = true;
  template <class X>
  static auto reduce(const X& x, const axes_t& axis, bool keep) {
    return nanmin(x, {.axis = axis, .keepdims = keep});
  }
};
template <>
struct in_any_order<operations::logical_and_ufunc> {
  static constexpr bool known = true;
  template <class X>
  static auto reduce(const X& x, const axes_t& axis, bool keep) {
    return all(x, {.axis = axis, .keepdims = keep});
  }
  template <class X>
  static auto accumulate(const X& x, int axis) {
    return minimum_accumulate(x.template astype<bool>(), axis);
  }
};
template <>
struct in_any_order<operations::logical_or_ufunc> {
  static constexpr bool known = true;
  template <class X>
  static auto reduce(const X& x, const axes_t& axis, bool keep) {
    return any(x, {.axis = axis, .keepdims = keep});
  }
  template <class X>
  static auto accumulate(const X& x, int axis) {
    return maximum_accumulate(x.template astype<bool>(), axis);
  }
};
template <>
struct in_any_order<operations::logical_xor_ufunc> {
  static constexpr bool known = true;
  template <class X>
  static auto reduce(const X& x, const axes_t& axis, bool keep) {
    return odd_bits(x.template astype<bool>(), {.axis = axis, .keepdims = keep}).template astype<bool>();
  }
  template <class X>
  static auto accumulate(const X& x, int axis) {
    return gnp::scan(x.template astype<bool>(), odd_bits, axis).template astype<bool>();
  }
};

// These use user-defined reductions, whose results are converted to the ufunc's own type, for example to bool.
template <class Op, class T>
using own_type = typename ufunc<Op>::template result_type<T, T>;
#define GNP_REDUCES_IN_ANY_ORDER_BY(operation, reduction)                          \
  static constexpr bool known = true;                                              \
  template <class X>                                                               \
  static auto reduce(const X& x, const axes_t& axis, bool keep) {                  \
    using R = own_type<operations::operation##_ufunc, typename X::value_type>;     \
    return in_type<R>(reduction(in_type<R>(x), {.axis = axis, .keepdims = keep})); \
  }
#define GNP_IN_ANY_ORDER_BY(operation, reduction)                                \
  template <>                                                                    \
  struct in_any_order<operations::operation##_ufunc> {                           \
    GNP_REDUCES_IN_ANY_ORDER_BY(operation, reduction)                            \
    template <class X>                                                           \
    static auto accumulate(const X& x, int axis) {                               \
      using R = own_type<operations::operation##_ufunc, typename X::value_type>; \
      return in_type<R>(gnp::scan(in_type<R>(x), reduction, axis));              \
    }                                                                            \
  };
GNP_IN_ANY_ORDER_BY(bitwise_and, common_bits)
GNP_IN_ANY_ORDER_BY(bitwise_or, all_bits)
GNP_IN_ANY_ORDER_BY(bitwise_xor, odd_bits)
GNP_IN_ANY_ORDER_BY(logaddexp, log_of_sum)
GNP_IN_ANY_ORDER_BY(logaddexp2, log2_of_sum)
// These change even a single number, which accumulate must not do, so they only reduce.
template <>
struct in_any_order<operations::gcd_ufunc> {
  GNP_REDUCES_IN_ANY_ORDER_BY(gcd, common_divisor)
};
template <>
struct in_any_order<operations::hypot_ufunc> {
  GNP_REDUCES_IN_ANY_ORDER_BY(hypot, length_of_all)
};
#undef GNP_REDUCES_IN_ANY_ORDER_BY
#undef GNP_IN_ANY_ORDER_BY

}}}  // namespace gnp::GNP_ABI::detail
