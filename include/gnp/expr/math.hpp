// SPDX-License-Identifier: MIT
// sin, exp, floor, hypot: the functions of real and complex analysis, under NumPy's names.
#pragma once

#include <concepts>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/scalar/special.hpp>
#include <limits>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

GNP_NUMPY_UFUNC(sqrt, (x), floating, sqrt(x));
GNP_NUMPY_UFUNC(cbrt, (x), real_floating, cbrt(x));
GNP_NUMPY_UFUNC(exp, (x), floating_or_half, exp(x));
GNP_NUMPY_UFUNC(exp2, (x), floating, exp2(x));
GNP_NUMPY_UFUNC(expm1, (x), floating, expm1(x));
GNP_NUMPY_UFUNC(log, (x), floating, log(x));
GNP_NUMPY_UFUNC(log2, (x), floating, log2(x));
GNP_NUMPY_UFUNC(log10, (x), floating, log10(x));
GNP_NUMPY_UFUNC(log1p, (x), floating, log1p(x));
GNP_NUMPY_UFUNC(logaddexp, (x, y), real_floating, logaddexp(x, y));
GNP_NUMPY_UFUNC(logaddexp2, (x, y), real_floating, logaddexp2(x, y));

GNP_NUMPY_UFUNC(sin, (x), floating_or_half, sin(x));
GNP_NUMPY_UFUNC(cos, (x), floating_or_half, cos(x));
GNP_NUMPY_UFUNC(tan, (x), floating, tan(x));
GNP_NUMPY_UFUNC(arcsin, (x), floating, asin(x));
GNP_NUMPY_UFUNC(arccos, (x), floating, acos(x));
GNP_NUMPY_UFUNC(arctan, (x), floating, atan(x));
GNP_NUMPY_UFUNC(arctan2, (y, x), real_floating, atan2(y, x));
GNP_NUMPY_UFUNC(hypot, (x, y), real_floating, hypot(x, y));
GNP_NUMPY_UFUNC(sinh, (x), floating, sinh(x));
GNP_NUMPY_UFUNC(cosh, (x), floating, cosh(x));
GNP_NUMPY_UFUNC(tanh, (x), floating, tanh(x));
GNP_NUMPY_UFUNC(arcsinh, (x), floating, asinh(x));
GNP_NUMPY_UFUNC(arccosh, (x), floating, acosh(x));
GNP_NUMPY_UFUNC(arctanh, (x), floating, atanh(x));
// The functions of <cmath> that NumPy leaves to SciPy. Without them, erf(x) of an array would be the C
// library's, which takes one number.
GNP_NUMPY_UFUNC(erf, (x), real_floating, erf(x));
GNP_NUMPY_UFUNC(erfc, (x), real_floating, erfc(x));
GNP_NUMPY_UFUNC(lgamma, (x), real_floating, lgamma(x));
GNP_NUMPY_UFUNC(tgamma, (x), real_floating, tgamma(x));

GNP_NUMPY_UFUNC(degrees, (x), real_floating, degrees_of(x));
GNP_NUMPY_UFUNC(radians, (x), real_floating, radians_of(x));
GNP_NUMPY_UFUNC(sinc, (x), sampled, sinc(x));
GNP_NUMPY_NAME(rad2deg, degrees);
GNP_NUMPY_NAME(deg2rad, radians);
// The Array API standard's names.
GNP_NUMPY_NAME(asin, arcsin);
GNP_NUMPY_NAME(acos, arccos);
GNP_NUMPY_NAME(atan, arctan);
GNP_NUMPY_NAME(atan2, arctan2);
GNP_NUMPY_NAME(asinh, arcsinh);
GNP_NUMPY_NAME(acosh, arccosh);
GNP_NUMPY_NAME(atanh, arctanh);

GNP_NUMPY_UFUNC(floor, (x), real_any, floor(x));
GNP_NUMPY_UFUNC(ceil, (x), real_any, ceil(x));
GNP_NUMPY_UFUNC(trunc, (x), real_any, trunc(x));
GNP_NUMPY_UFUNC(fix, (x), real_any, trunc(x));
GNP_NUMPY_UFUNC(rint, (x), floating, round_to_even(x));

GNP_NUMPY_OPERATION(round_decimals, (x, scale, inverse_scale), rounding,
                    round_decimals(x, scale, inverse_scale))
GNP_NUMPY_OPERATION(nan_to_num, (x, nan, positive, negative), any,
                    replace_non_finite(x, nan, positive, negative))

namespace detail {

/// x rounded by the ufunc round_to(x, scale, inverse_scale), with both scales as numbers that suit x's type.
template <class Rounding, class X>
auto rounded(const Rounding& round_to, const X& x, int decimals) {
  constexpr dtype type = operand_type_of<X>().type;
  const double scale = std::pow(10.0, decimals);
  const double inverse_scale = std::pow(10.0, -decimals);
  if constexpr (type == dtype::bool_) {
    return round_to(x, true, true);
  } else if constexpr (is_integer(type)) {
    using T = type_of<type>;
    // If the type cannot represent the power of ten, every element rounds to zero. A scale of 0 means this
    // case.
    const bool holds = inverse_scale < std::ldexp(1.0, std::numeric_limits<T>::digits);
    return round_to(x, 1, decimals >= 0 ? T{1} : holds ? static_cast<T>(inverse_scale) : T{0});
  } else {
    return round_to(x, scale, inverse_scale);
  }
}

}  // namespace detail

/// Rounds to a number of decimals, halves to even; negative decimals round to tens, hundreds, ...
template <array_like X>
auto round(const X& x, int decimals = 0) {
  return detail::rounded(ufunc<operations::round_decimals_ufunc>(), x, decimals);
}
template <array_like X>
auto round(const X& x, const round_options& options) {
  return round(x, options.decimals);
}
/// The same for a number. (Because of the parameter pack, the standard library's function is preferred for
/// round(2), if it is visible.)
template <scalar_like X, std::same_as<int>... Decimals>
  requires(sizeof...(Decimals) <= 1)
auto round(const X& x, Decimals... decimals) {
  const auto round_number = [](auto... operands) {
    constexpr detail::operand_type weak{dtype_of<X>, true};
    return detail::apply_to_numbers_as<operations::round_decimals_ufunc, detail::operand_type{dtype_of<X>},
                                       weak, weak>(operands...);
  };
  return detail::rounded(round_number, x, (0 + ... + decimals));
}

template <array_like X>
auto around(const X& x, int decimals = 0) {
  return round(x, decimals);
}
template <array_like X>
auto around(const X& x, const round_options& options) {
  return round(x, options.decimals);
}

struct nan_to_num_options {
  by_name only = by_name();
  detail::any_real nan = 0.0;
  std::optional<double> posinf = std::nullopt;  // the largest finite number of the type
  std::optional<double> neginf = std::nullopt;  // the lowest
};

/// Replaces NaN and infinities by finite numbers.
template <array_like X>
auto nan_to_num(const X& x, nan_to_num_options options = {}) {
  constexpr ufunc<operations::nan_to_num_ufunc> replaced{};
  constexpr dtype type = detail::operand_type_of<X>().type;
  if constexpr (is_floating(type) || is_complex(type)) {
    constexpr dtype part = detail::real_part_of(type);
    const double largest = detail::largest_finite(part);
    return replaced(x, double{options.nan}, options.posinf.value_or(largest),
                    options.neginf.value_or(-largest));
  } else {
    return replaced(x, false, false, false);
  }
}

GNP_NUMPY_UFUNC(heaviside, (x, at_zero), real_floating, heaviside(x, at_zero));
GNP_NUMPY_UFUNC(copysign, (x, y), real_floating, copysign(x, y));
GNP_NUMPY_UFUNC(nextafter, (x, y), neighbour, next_toward(x, y));
GNP_NUMPY_UFUNC(ldexp, (x, n), exponent, scale_by_power_of_two(x, n));

GNP_NUMPY_UFUNC(real, (z), magnitude, real_of(z));
GNP_NUMPY_UFUNC(imag, (z), magnitude, imag_of(z));
GNP_NUMPY_UFUNC(conj, (z), numeric, conjugate_of(z));
GNP_NUMPY_OPERATION(angle, (z), phase, phase(z))
GNP_NUMPY_NAME_WITHOUT_OPTIONS(angle, angle);  // it has options of its own
/// In degrees: angle(z, {.deg = true}), or angle(z, true).
template <class Z, std::same_as<bool> Degrees>
auto angle(Z&& z, Degrees deg) {
  return multiply(angle(std::forward<Z>(z)), deg ? 57.29577951308232 : 1.0);
}
template <class Z>
  requires(array_like<Z> || scalar_like<Z>)
auto angle(const Z& z, const angle_options& options) {
  return angle(z, bool{options.deg});
}
GNP_NUMPY_NAME(conjugate, conj);

// The same as members.
namespace detail {

template <class Derived>
template <class Low, class High>
auto array_members<Derived>::clip(const Low& low, const High& high) const {
  return gnp::clip(derived(), low, high);
}
template <class Derived>
template <class Low>
  requires(elementwise_like<Low> || scalar_like<Low>)
auto array_members<Derived>::clip(const Low& low) const {
  return gnp::clip(derived(), low, none);
}
template <class Derived>
template <class D>
auto array_members<Derived>::clip(const clip_options_for<typename D::value_type>& options) const {
  return gnp::clip(derived(), options);
}
template <class Derived>
auto array_members<Derived>::round(int decimals) const {
  return gnp::round(derived(), decimals);
}
template <class Derived>
auto array_members<Derived>::round(const round_options& options) const {
  return gnp::round(derived(), options.decimals);
}
template <class Derived>
auto array_members<Derived>::real() const {
  return gnp::real(derived());
}
template <class Derived>
auto array_members<Derived>::imag() const {
  return gnp::imag(derived());
}
template <class Derived>
auto array_members<Derived>::conj() const {
  return gnp::conj(derived());
}
template <class Derived>
auto array_members<Derived>::conjugate() const {
  return gnp::conj(derived());
}

}  // namespace detail

}}  // namespace gnp::GNP_ABI
