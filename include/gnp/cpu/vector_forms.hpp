// SPDX-License-Identifier: MIT
// The building blocks of vector math functions, which g++ calls in vectorised loops. Their AVX-512 forms are
// computed here, because the C library's are slower than necessary. The forms for vectors of 16 and 32 bytes
// are the C library's.
#pragma once

#include <gnp/core/config.hpp>
#include <type_traits>  // which also tells which C library this is

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__) && \
    defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && defined(__OPTIMIZE__)
#define GNP_HAS_VECTOR_FORMS 1

// Each kind of file has symbol names of its own, as in vector_sqrt.hpp.
#define GNP_FORM_SYMBOL(prefix, name) prefix "gnp_" name "_" GNP_STRINGIZE(GNP_ABI)
#define GNP_FORM_HERE __attribute__((weak, used))
// In this order: with -Og and -O1, g++ 13 forgets the target's instructions if optimize comes after target.
#define GNP_FORM_WIDEST __attribute__((optimize("O3", "no-fast-math"), target("avx512f")))
#define GNP_FORM_STEP GNP_FORM_WIDEST __attribute__((always_inline)) inline

// A function of one number: its declaration for callers, and its forms for vectors of each set of instructions.
// The letters are the vector ABI's: b is SSE, c AVX, d AVX2, e AVX-512. One number, b and c go to the C
// library.
#define GNP_NARROW_FORMS(name, type, in_16, in_32, vector_16, vector_32)                                     \
  extern "C" type gnp_##name(type) noexcept __asm__(GNP_FORM_SYMBOL("", #name))                              \
      __attribute__((simd("notinbranch"), const));                                                           \
  namespace vector_forms {                                                                                   \
  extern "C" {                                                                                               \
  type gnp_c_##name(type) noexcept __asm__(#name);                                                           \
  vector_16 gnp_c_##name##_b(vector_16) noexcept __asm__("_ZGVbN" in_16 "v_" #name);                         \
  __attribute__((target("avx"))) vector_32 gnp_c_##name##_c(vector_32) noexcept                              \
      __asm__("_ZGVcN" in_32 "v_" #name);                                                                    \
  }                                                                                                          \
  GNP_FORM_HERE type name##_one(type) noexcept __asm__(GNP_FORM_SYMBOL("", #name));                          \
  inline type name##_one(type x) noexcept { return gnp_c_##name(x); }                                        \
  GNP_FORM_HERE vector_16 name##_b(vector_16) noexcept __asm__(GNP_FORM_SYMBOL("_ZGVbN" in_16 "v_", #name)); \
  inline vector_16 name##_b(vector_16 x) noexcept { return gnp_c_##name##_b(x); }                            \
  GNP_FORM_HERE __attribute__((target("avx"))) vector_32 name##_c(vector_32) noexcept                        \
      __asm__(GNP_FORM_SYMBOL("_ZGVcN" in_32 "v_", #name));                                                  \
  inline vector_32 name##_c(vector_32 x) noexcept { return gnp_c_##name##_c(x); }                            \
  }

// All of a function's forms: the C library's, and for AVX-512 what `computed` does.
#define GNP_VECTOR_FUNCTION(name, type, in_16, in_32, in_64, vector_16, vector_32, vector_64, computed) \
  GNP_NARROW_FORMS(name, type, in_16, in_32, vector_16, vector_32)                                      \
  namespace vector_forms {                                                                              \
  extern "C" __attribute__((target("avx2"))) vector_32 gnp_c_##name##_d(vector_32) noexcept             \
      __asm__("_ZGVdN" in_32 "v_" #name);                                                               \
  GNP_FORM_HERE __attribute__((target("avx2"))) vector_32 name##_d(vector_32) noexcept                  \
      __asm__(GNP_FORM_SYMBOL("_ZGVdN" in_32 "v_", #name));                                             \
  inline vector_32 name##_d(vector_32 x) noexcept { return gnp_c_##name##_d(x); }                       \
  GNP_FORM_HERE GNP_FORM_WIDEST vector_64 name##_e(vector_64) noexcept                                  \
      __asm__(GNP_FORM_SYMBOL("_ZGVeN" in_64 "v_", #name));                                             \
  inline vector_64 name##_e(vector_64 x) noexcept { return computed(x); }                               \
  }

namespace gnp { inline namespace GNP_ABI { namespace scalar { namespace vector_forms {

using doubles_2 = double __attribute__((vector_size(16)));
using doubles_4 = double __attribute__((vector_size(32)));
using doubles = double __attribute__((vector_size(64)));
using floats_4 = float __attribute__((vector_size(16)));
using floats_8 = float __attribute__((vector_size(32)));
using floats = float __attribute__((vector_size(64)));
using bits_of_doubles = long long __attribute__((vector_size(64)));
using bits_of_floats = int __attribute__((vector_size(64)));

/// A mask of all lanes, in the types that the compiler's built-in functions take.
struct every_lane {
  constexpr operator char() const { return -1; }
  constexpr operator unsigned char() const { return 0xff; }
  constexpr operator short() const { return -1; }
  constexpr operator unsigned short() const { return 0xffff; }
};
inline constexpr every_lane all;

GNP_FORM_STEP doubles product_plus(doubles x, doubles y, doubles z) {
  return __builtin_ia32_vfmaddpd512_mask(x, y, z, all, 4);
}
GNP_FORM_STEP floats product_plus(floats x, floats y, floats z) {
  return __builtin_ia32_vfmaddps512_mask(x, y, z, all, 4);
}
GNP_FORM_STEP doubles entry(const double (&table)[16], bits_of_doubles index) {
  return __builtin_shuffle(*reinterpret_cast<const doubles*>(table),
                           *reinterpret_cast<const doubles*>(table + 8), index);
}
GNP_FORM_STEP floats entry(const float (&table)[32], bits_of_floats index) {
  return __builtin_shuffle(*reinterpret_cast<const floats*>(table),
                           *reinterpret_cast<const floats*>(table + 16), index);
}
// Numbers of the processor's comparisons, and the mode of rndscale: rounding to a number of binary places,
// without raising flags.
constexpr int below = 1, not_below = 5;  // of the processor's comparisons
constexpr int to_whole = 8, to_32nds = 5 << 4 | 8, to_64ths = 6 << 4 | 8;

GNP_FORM_STEP doubles with_sign_of(doubles x, doubles sign) {
  return reinterpret_cast<doubles>(
      reinterpret_cast<bits_of_doubles>(x) |
      (reinterpret_cast<bits_of_doubles>(sign) & static_cast<long long>(1ULL << 63)));
}
GNP_FORM_STEP floats with_sign_of(floats x, floats sign) {
  return reinterpret_cast<floats>(reinterpret_cast<bits_of_floats>(x) |
                                  (reinterpret_cast<bits_of_floats>(sign) & static_cast<int>(1U << 31)));
}
GNP_FORM_STEP doubles size_of(doubles x) {
  return reinterpret_cast<doubles>(reinterpret_cast<bits_of_doubles>(x) & 0x7fffffffffffffff);
}
GNP_FORM_STEP floats size_of(floats x) {
  return reinterpret_cast<floats>(reinterpret_cast<bits_of_floats>(x) & 0x7fffffff);
}

}}}}  // namespace gnp::GNP_ABI::scalar::vector_forms
#else
#define GNP_HAS_VECTOR_FORMS 0
#endif
