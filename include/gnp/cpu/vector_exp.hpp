// SPDX-License-Identifier: MIT
// Exponentials that g++ vectorises: the C library's, which take several times as long if a vector contains a
// number whose exponential is infinite or zero. Such numbers are replaced by zero first.
#pragma once

#include <gnp/cpu/vector_forms.hpp>
#include <limits>

#if GNP_HAS_VECTOR_FORMS
namespace gnp { inline namespace GNP_ABI { namespace scalar {
namespace vector_forms {

/// Exponentials of numbers below `low` are zero, of numbers above `high` infinite.
template <class T>
struct finite_power {
  static constexpr double low = -745.25, high = 709.8;
};
template <>
struct finite_power<float> {
  static constexpr float low = -104.0F, high = 88.75F;
};

using bits_of_doubles_4 = long long __attribute__((vector_size(32)));
using bits_of_floats_8 = int __attribute__((vector_size(32)));

}  // namespace vector_forms

// The form for vectors of AVX2 or AVX-512. `is_any` says whether numbers of a vector are outside of a range.
#define GNP_EXP_FORM(name, type, letter, lanes, vector, bits, target, is_any)                        \
  extern "C" target vector gnp_c_##name##_##letter(vector) noexcept __asm__("_ZGV" #letter "N" lanes \
                                                                            "v_" #name);             \
  GNP_FORM_HERE target vector name##_##letter(vector) noexcept __asm__(                              \
      GNP_FORM_SYMBOL("_ZGV" #letter "N" lanes "v_", #name));                                        \
  inline vector name##_##letter(vector x) noexcept {                                                 \
    const vector zero = {};                                                                          \
    const vector low = zero + finite_power<type>::low, high = zero + finite_power<type>::high;       \
    if (!is_any(x, low, high)) return gnp_c_##name##_##letter(x);                                    \
    const bits above = x > high;                                                                     \
    const bits within = ~(above | (x < low));                                                        \
    const auto inside = reinterpret_cast<vector>(reinterpret_cast<bits>(x) & within);                \
    const vector power = gnp_c_##name##_##letter(inside);                                            \
    const vector infinite = zero + std::numeric_limits<type>::infinity();                            \
    return reinterpret_cast<vector>((reinterpret_cast<bits>(power) & within) |                       \
                                    (reinterpret_cast<bits>(infinite) & above));                     \
  }
// A function with these two forms.
#define GNP_EXP(name, type, in_16, in_32, in_64, vector_16, vector_32, vector_64, bits_32, bits_64, any_32, \
                any_64)                                                                                     \
  GNP_NARROW_FORMS(name, type, in_16, in_32, vector_16, vector_32)                                          \
  namespace vector_forms {                                                                                  \
  GNP_EXP_FORM(name, type, d, in_32, vector_32, bits_32, __attribute__((target("avx2"))), any_32)           \
  GNP_EXP_FORM(name, type, e, in_64, vector_64, bits_64, GNP_FORM_WIDEST, any_64)                           \
  }

#define GNP_ANY_DOUBLE_32(x, low, high) \
  __builtin_ia32_movmskpd256(reinterpret_cast<doubles_4>((x < low) | (x > high)))
#define GNP_ANY_FLOAT_32(x, low, high) \
  __builtin_ia32_movmskps256(reinterpret_cast<floats_8>((x < low) | (x > high)))
#define GNP_ANY_DOUBLE_64(x, low, high) \
  (__builtin_ia32_cmppd512_mask(x, low, below, all, 4) | __builtin_ia32_cmppd512_mask(high, x, below, all, 4))
#define GNP_ANY_FLOAT_64(x, low, high) \
  (__builtin_ia32_cmpps512_mask(x, low, below, all, 4) | __builtin_ia32_cmpps512_mask(high, x, below, all, 4))

GNP_EXP(exp, double, "2", "4", "8", doubles_2, doubles_4, doubles, bits_of_doubles_4, bits_of_doubles,
        GNP_ANY_DOUBLE_32, GNP_ANY_DOUBLE_64)
GNP_EXP(expf, float, "4", "8", "16", floats_4, floats_8, floats, bits_of_floats_8, bits_of_floats,
        GNP_ANY_FLOAT_32, GNP_ANY_FLOAT_64)

}}}  // namespace gnp::GNP_ABI::scalar

#undef GNP_EXP
#undef GNP_EXP_FORM
#undef GNP_ANY_FLOAT_32
#undef GNP_ANY_FLOAT_64
#undef GNP_ANY_DOUBLE_32
#undef GNP_ANY_DOUBLE_64
#endif
