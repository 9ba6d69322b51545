// SPDX-License-Identifier: MIT
// From the operands' types to the types in which a ufunc computes and returns: NumPy's loops, as rules.
#pragma once

#include <array>
#include <gnp/core/promotion.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An operand as promotion sees it. Scalars are weak: they have a kind, but no size.
struct operand_type {
  dtype type;
  bool weak = false;
};

template <std::size_t Count>
using operand_types = std::array<operand_type, Count>;

/// The types of a ufunc for given operands: the type that each operand is converted to, and the type of the
/// result.
template <std::size_t Count>
struct signature {
  bool supported = false;
  std::array<dtype, Count> loop{};
  dtype result = dtype::bool_;
  bool halves_as_they_are = false;  // the body takes the 16-bit types themselves, not converted to float
};

/// The common type of operands [first, Count). If all are scalars, they promote by their C++ types.
template <std::size_t Count>
constexpr dtype common_type(const operand_types<Count>& operands, std::size_t first = 0) {
  bool any_strong = false;
  dtype common = dtype::bool_;
  for (std::size_t i = first; i < Count; ++i) {
    if (operands[i].weak) continue;
    common = any_strong ? promote(common, operands[i].type) : operands[i].type;
    any_strong = true;
  }
  for (std::size_t i = first; i < Count; ++i) {
    if (!operands[i].weak) continue;
    common = any_strong ? promote_weak(common, operands[i].type) : promote(common, operands[i].type);
  }
  return common;
}

enum class bool_as : std::uint8_t { bool_, int8, float16, float64, refused };
enum class integer_as : std::uint8_t { itself, float_holding, float64, refused };
enum class float_as : std::uint8_t { itself, float64, refused };
enum class complex_as : std::uint8_t { itself, complex128, refused };
enum class result_as : std::uint8_t { itself, bool_, real_part };

/// The rule that most ufuncs follow: the common type, or the next type for which the ufunc has a loop.
struct loop_rule {
  bool_as on_bool;
  integer_as on_integer;
  float_as on_float = float_as::itself;
  complex_as on_complex = complex_as::itself;
  result_as result = result_as::itself;
  bool halves_as_they_are = false;

  /// Changes a type to that of the loop for it; false if there is none.
  constexpr bool loop_for(dtype& type) const {
    if (type == dtype::bool_) {
      constexpr dtype as[] = {dtype::bool_, dtype::int8, dtype::float16, dtype::float64};
      if (on_bool == bool_as::refused) return false;
      type = as[static_cast<int>(on_bool)];
    } else if (is_integer(type)) {
      if (on_integer == integer_as::refused) return false;
      if (on_integer == integer_as::float_holding) type = float_holding(type);
      if (on_integer == integer_as::float64) type = dtype::float64;
    } else if (is_floating(type)) {
      if (on_float == float_as::refused) return false;
      if (on_float == float_as::float64) type = dtype::float64;
    } else {
      if (on_complex == complex_as::refused) return false;
      if (on_complex == complex_as::complex128) type = dtype::complex128;
    }
    return true;
  }

  template <std::size_t Count>
  constexpr signature<Count> resolve(operand_types<Count> operands) const {
    signature<Count> s;
    // If all operands are integers, each one is converted to a floating-point type separately: uint8 with int8
    // gives float16, although their common type would be int16.
    if (on_integer == integer_as::float_holding) {
      bool all_integers = true;
      for (const operand_type& o : operands) all_integers = all_integers && kind_of(o.type) < 2;
      // If the only other operands are numbers, truth values count as int64, like the numbers.
      bool number = false;
      bool arrays_of_integers = false;
      for (const operand_type& o : operands) (o.weak ? number : arrays_of_integers) |= is_integer(o.type);
      for (operand_type& o : operands) {
        if (all_integers && number && !arrays_of_integers && !o.weak) o.type = dtype::int64;
        if (all_integers && !o.weak && !loop_for(o.type)) return s;
      }
    }
    dtype common = common_type(operands);
    if (!loop_for(common)) return s;
    s.supported = true;
    s.halves_as_they_are = halves_as_they_are;
    s.loop.fill(common);
    s.result = result == result_as::bool_       ? dtype::bool_
               : result == result_as::real_part ? real_part_of(common)
                                                : common;
    return s;
  }
};

namespace rules {

inline constexpr loop_rule any{bool_as::bool_, integer_as::itself};
inline constexpr loop_rule sum{bool_as::bool_,     integer_as::itself, float_as::itself,
                               complex_as::itself, result_as::itself,  true};
inline constexpr loop_rule difference{bool_as::refused,   integer_as::itself, float_as::itself,
                                      complex_as::itself, result_as::itself,  true};
inline constexpr loop_rule neighbour{bool_as::float16,    integer_as::float_holding, float_as::itself,
                                     complex_as::refused, result_as::itself,         true};
inline constexpr loop_rule numeric{bool_as::int8, integer_as::itself};
inline constexpr loop_rule no_bool{bool_as::refused, integer_as::itself};
inline constexpr loop_rule real_numeric{bool_as::int8, integer_as::itself, float_as::itself,
                                        complex_as::refused};
inline constexpr loop_rule real_any{bool_as::bool_, integer_as::itself, float_as::itself, complex_as::refused};
inline constexpr loop_rule magnitude{bool_as::bool_, integer_as::itself, float_as::itself, complex_as::itself,
                                     result_as::real_part};
inline constexpr loop_rule division{bool_as::float64,   integer_as::float64, float_as::itself,
                                    complex_as::itself, result_as::itself,   true};
inline constexpr loop_rule floating{bool_as::float16, integer_as::float_holding};
inline constexpr loop_rule floating_or_half{bool_as::float16,   integer_as::float_holding, float_as::itself,
                                            complex_as::itself, result_as::itself,         true};
inline constexpr loop_rule real_floating{bool_as::float16, integer_as::float_holding, float_as::itself,
                                         complex_as::refused};
inline constexpr loop_rule sampled{bool_as::float64, integer_as::float64};
inline constexpr loop_rule rounding{bool_as::float16, integer_as::itself};
inline constexpr loop_rule phase{bool_as::float64, integer_as::float_holding, float_as::itself,
                                 complex_as::itself, result_as::real_part};
inline constexpr loop_rule always_double{bool_as::float64, integer_as::float64, float_as::float64,
                                         complex_as::complex128};
inline constexpr loop_rule integers{bool_as::refused, integer_as::itself, float_as::refused,
                                    complex_as::refused};
inline constexpr loop_rule bits{bool_as::bool_, integer_as::itself, float_as::refused, complex_as::refused};
inline constexpr loop_rule shift{bool_as::int8, integer_as::itself, float_as::refused, complex_as::refused};
inline constexpr loop_rule predicate{bool_as::bool_, integer_as::itself, float_as::itself, complex_as::itself,
                                     result_as::bool_};
inline constexpr loop_rule real_predicate{bool_as::bool_, integer_as::itself, float_as::itself,
                                          complex_as::refused, result_as::bool_};
inline constexpr loop_rule sign_predicate{bool_as::float16, integer_as::float_holding, float_as::itself,
                                          complex_as::refused, result_as::bool_};

inline constexpr loop_rule bessel{bool_as::float64, integer_as::float64, float_as::itself, complex_as::refused};

/// The loop of another rule, but with a fixed result type.
struct result_rule {
  loop_rule loop;
  dtype result;
  template <std::size_t Count>
  constexpr signature<Count> resolve(const operand_types<Count>& operands) const {
    signature<Count> s = loop.resolve(operands);
    s.result = result;
    return s;
  }
};
inline constexpr result_rule binary_exponent{real_floating, dtype::int32};
inline constexpr result_rule bit_count{bits, dtype::uint8};

/// Everything is computed in float, whatever the operands are.
struct single_rule {
  template <std::size_t Count>
  constexpr signature<Count> resolve(const operand_types<Count>&) const {
    signature<Count> s;
    s.supported = true;
    s.loop.fill(dtype::float32);
    s.result = dtype::float32;
    return s;
  }
};
inline constexpr single_rule single{};

/// Comparisons: integers of any two types are compared by their values.
struct comparison_rule {
  template <std::size_t Count>
  constexpr signature<Count> resolve(const operand_types<Count>& operands) const {
    signature<Count> s;
    s.supported = true;
    bool all_integers = true;
    for (const operand_type& o : operands) all_integers = all_integers && kind_of(o.type) < 2;
    for (std::size_t i = 0; i < Count; ++i) s.loop[i] = all_integers ? operands[i].type : common_type(operands);
    return s;
  }
};
inline constexpr comparison_rule comparison{};

/// Truth values: each operand is converted to true or false on its own.
struct logical_rule {
  template <std::size_t Count>
  constexpr signature<Count> resolve(const operand_types<Count>&) const {
    signature<Count> s;
    s.supported = true;
    s.loop.fill(dtype::bool_);
    return s;
  }
};
inline constexpr logical_rule logical{};

/// where(condition, x, y): a truth value and two operands of one type. Two plain ints get the type that NumPy
/// uses for Python's ints.
struct selection_rule {
  constexpr signature<3> resolve(const operand_types<3>& operands) const {
    dtype common = common_type(operands, 1);
    if (operands[1].weak && operands[2].weak && common == dtype::int32) common = dtype::int64;
    return {true, {dtype::bool_, common, common}, common, false};
  }
};
inline constexpr selection_rule selection{};

/// interpolated(x, x0, x1, y0, y1): places in double, values in double or complex128.
struct interpolation_rule {
  constexpr signature<5> resolve(const operand_types<5>& operands) const {
    for (std::size_t i = 0; i < 3; ++i) {
      if (is_complex(operands[i].type)) return {};
    }
    const dtype y = is_complex(operands[3].type) ? dtype::complex128 : dtype::float64;
    return {true, {dtype::float64, dtype::float64, dtype::float64, y, y}, y, false};
  }
};
inline constexpr interpolation_rule interpolation{};

/// ldexp(x, n): a real number and an exponent that fits 64 signed bits.
struct exponent_rule {
  constexpr signature<2> resolve(const operand_types<2>& operands) const {
    dtype x = operands[0].type;
    const dtype n = operands[1].type;
    if (kind_of(n) > 1 || (n == dtype::uint64 && !operands[1].weak) || !real_floating.loop_for(x)) return {};
    const bool wide = !operands[1].weak && promote(n, dtype::int32) != dtype::int32;
    return {true, {x, wide ? dtype::int64 : dtype::int32}, x, false};
  }
};
inline constexpr exponent_rule exponent{};

/// astype<To>(): any type in, one type out.
template <dtype To>
struct conversion_rule {
  constexpr signature<1> resolve(const operand_types<1>& operands) const {
    return {true, {operands[0].type}, To, false};
  }
};

}  // namespace rules
}}}  // namespace gnp::GNP_ABI::detail
