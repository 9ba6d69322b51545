// SPDX-License-Identifier: MIT
// add, subtract, power, floor_divide and the rest of arithmetic.
#pragma once

#include <gnp/expr/ufunc.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_NUMPY_UFUNC(add, (x, y), sum, plus(x, y));
GNP_NUMPY_UFUNC(subtract, (x, y), difference, minus(x, y));
GNP_NUMPY_UFUNC(multiply, (x, y), sum, times(x, y));
GNP_NUMPY_UFUNC(divide, (x, y), division, over(x, y));
GNP_NUMPY_UFUNC(floor_divide, (x, y), real_numeric, floor_divide(x, y));
GNP_NUMPY_UFUNC(remainder, (x, y), real_numeric, remainder(x, y));
GNP_NUMPY_UFUNC(fmod, (x, y), real_numeric, truncated_remainder(x, y));
GNP_NUMPY_UFUNC(power, (x, y), numeric, to_the_power(x, y));
GNP_NUMPY_UFUNC(float_power, (x, y), always_double, to_the_power(x, y));
GNP_NUMPY_NAME(true_divide, divide);
GNP_NUMPY_NAME(mod, remainder);
GNP_NUMPY_NAME(pow, power);

GNP_NUMPY_UFUNC(negative, (x), no_bool, negate(x));
GNP_NUMPY_UFUNC(positive, (x), no_bool, x);
GNP_NUMPY_UFUNC(absolute, (x), magnitude, abs(x));
GNP_NUMPY_NAME(abs, absolute);
GNP_NUMPY_UFUNC(fabs, (x), real_floating, abs(x));
GNP_NUMPY_UFUNC(sign, (x), no_bool, sign(x));
GNP_NUMPY_UFUNC(reciprocal, (x), numeric, reciprocal(x));
GNP_NUMPY_UFUNC(square, (x), numeric, square(x));

GNP_NUMPY_UFUNC(gcd, (x, y), integers, gcd(x, y));
GNP_NUMPY_UFUNC(lcm, (x, y), integers, lcm(x, y));

GNP_NUMPY_UFUNC(maximum, (x, y), any, maximum(x, y));
GNP_NUMPY_UFUNC(minimum, (x, y), any, minimum(x, y));
GNP_NUMPY_UFUNC(fmax, (x, y), any, larger_number(x, y));
GNP_NUMPY_UFUNC(fmin, (x, y), any, smaller_number(x, y));
GNP_NUMPY_OPERATION(clip, (x, low, high), any, clip(x, low, high))
namespace ufuncs {
inline constexpr ufunc<operations::clip_ufunc> clip{};
}

namespace detail {

/// The common type of all arrays among these operands.
template <class... X>
constexpr dtype promoted_elements() {
  dtype common = dtype::bool_;
  const auto add = [&]<class One>(std::type_identity<One>) {
    if constexpr (elementwise_like<One>) common = promote(common, dtype_of<typename One::value_type>);
  };
  (add(std::type_identity<std::remove_cvref_t<X>>()), ...);
  return common;
}

/// An integer bound outside T's range becomes T's limit on the side where it excludes no element.
template <class T, class Bound>
decltype(auto) bound_within(Bound&& bound, [[maybe_unused]] bool is_low) {
  using plain = std::remove_cvref_t<Bound>;
  if constexpr (scalar_like<plain>) {
    if constexpr (is_integer(dtype_of<T>) && is_integer(dtype_of<plain>)) {
      using limits = std::numeric_limits<type_of<dtype_of<T>>>;
      const auto number = static_cast<type_of<dtype_of<plain>>>(bound);
      if (is_low && std::cmp_less(number, (limits::min)())) return static_cast<plain>((limits::min)());
      if (!is_low && std::cmp_greater(number, (limits::max)())) return static_cast<plain>((limits::max)());
    }
    return plain(bound);
  } else {
    return std::forward<Bound>(bound);
  }
}

template <class X, class Bound>
void require_bound_fits(const X& x, const Bound& bound) {
  if constexpr (elementwise_like<Bound>) broadcast("clip", x.shape(), bound.shape());
}

}  // namespace detail

/// Numbers below `low` become `low`, those above `high` become `high`. A bound that no element reaches has no
/// effect: clip(bytes, -1, 300).
template <class X, class Low, class High>
  requires((elementwise_like<std::remove_cvref_t<X>> || elementwise_like<std::remove_cvref_t<Low>> ||
            elementwise_like<std::remove_cvref_t<High>>) &&
           !detail::is_host_vector_v<std::remove_cvref_t<Low>> &&
           !detail::is_host_vector_v<std::remove_cvref_t<High>>)
auto clip(X&& x, Low&& low, High&& high) {
  using T = type_of<detail::promoted_elements<X, Low, High>()>;
  return detail::apply<operations::clip_ufunc>(std::forward<X>(x),
                                               detail::bound_within<T>(std::forward<Low>(low), true),
                                               detail::bound_within<T>(std::forward<High>(high), false));
}
template <scalar_like X, scalar_like Low, scalar_like High>
constexpr auto clip(const X& x, const Low& low, const High& high) {
  return detail::apply_to_numbers<operations::clip_ufunc>(x, low, high);
}
/// With only one bound: clip(x, none, 3), clip(x, 0, none). (The shapes are checked here, so that an error
/// names clip.)
template <class X, class High>
  requires(elementwise_like<std::remove_cvref_t<X>> && !detail::is_host_vector_v<std::remove_cvref_t<High>>)
auto clip(X&& x, none_t, High&& high) {
  using T = type_of<detail::promoted_elements<X, High>()>;
  detail::require_bound_fits(x, high);
  return minimum(std::forward<X>(x), detail::bound_within<T>(std::forward<High>(high), false));
}
template <class X, class Low>
  requires(elementwise_like<std::remove_cvref_t<X>> && !detail::is_host_vector_v<std::remove_cvref_t<Low>>)
auto clip(X&& x, Low&& low, none_t) {
  using T = type_of<detail::promoted_elements<X, Low>()>;
  detail::require_bound_fits(x, low);
  return maximum(std::forward<X>(x), detail::bound_within<T>(std::forward<Low>(low), true));
}

/// With none: the values.
template <class X>
  requires(elementwise_like<std::remove_cvref_t<X>>)
auto clip(X&& x, none_t, none_t) {
  return x.template astype<typename std::remove_cvref_t<X>::value_type>();
}
/// With the bounds by name: clip(x, {.min = 0}). The result has x's type.
template <array_like X>
  requires(is_floating(dtype_of<typename X::value_type>))
auto clip(const X& x, const clip_options& options) {
  const auto bound = [](const number& given, double otherwise) {
    if (!given.given()) return otherwise;
    return given.visit([](auto value) {
      if constexpr (is_complex(dtype_of<decltype(value)>)) {
        throw dtype_error("clip: a bound of real numbers is real");
        return 0.0;
      } else {
        return static_cast<double>(value);
      }
    });
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return detail::apply<operations::clip_ufunc>(x, bound(options.low(), -infinity),
                                               bound(options.high(), infinity));
}
template <array_like X>
  requires(is_integer(dtype_of<typename X::value_type>))
auto clip(const X& x, const whole_clip_options& options) {
  using T = type_of<dtype_of<typename X::value_type>>;
  using limits = std::numeric_limits<T>;
  T low = (limits::min)();
  T high = (limits::max)();
  const auto set = [](T& bound, const number& given, bool is_low) {
    if (!given.given()) return;
    given.visit([&](auto value) {
      if constexpr (is_integer(dtype_of<decltype(value)>)) {
        const auto within = detail::bound_within<T>(value, is_low);
        detail::require_fit<T>(within, "clip");
        bound = static_cast<T>(within);
      }
    });
  };
  set(low, options.low(), true);
  set(high, options.high(), false);
  return detail::apply<operations::clip_ufunc>(x, low, high);
}

}}  // namespace gnp::GNP_ABI
