// SPDX-License-Identifier: MIT
// Square roots that g++ vectorises. Its own sqrt must set errno for negative numbers, so a loop of them has a
// branch for each number. The functions here are declared like the C library's vector functions (libm.hpp), and
// each is one instruction, or two for the widest vectors.
#pragma once

#include <gnp/core/config.hpp>

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__) && \
    defined(__ELF__) && defined(__OPTIMIZE__)
#define GNP_HAS_VECTOR_SQRT 1

// Each kind of file has symbol names of its own: of several weak symbols with one name the linker keeps one,
// and its code then runs in place of all of them.
#define GNP_SQRT_SYMBOL(prefix, name) prefix "gnp_" name "_" GNP_STRINGIZE(GNP_ABI)
#define GNP_SQRT_HERE __attribute__((weak, used))

// The scalar function, and the forms for vectors of each set of instructions: b is SSE, c AVX, d AVX2, e
// AVX-512.
#define GNP_VECTOR_SQRT(name, type, in_16, in_32, in_64, root_of_16, root_of_32)                             \
  extern "C" type gnp_##name(type) noexcept __asm__(GNP_SQRT_SYMBOL("", #name))                              \
      __attribute__((simd("notinbranch"), const));                                                           \
  namespace sqrt_forms {                                                                                     \
  using name##_16 = type __attribute__((vector_size(16)));                                                   \
  using name##_32 = type __attribute__((vector_size(32)));                                                   \
  using name##_64 = type __attribute__((vector_size(64)));                                                   \
  GNP_SQRT_HERE type name##_one(type) noexcept __asm__(GNP_SQRT_SYMBOL("", #name));                          \
  inline type name##_one(type x) noexcept { return __builtin_##name(x); }                                    \
  GNP_SQRT_HERE name##_16 name##_b(name##_16) noexcept __asm__(GNP_SQRT_SYMBOL("_ZGVbN" in_16 "v_", #name)); \
  inline name##_16 name##_b(name##_16 x) noexcept { return root_of_16(x); }                                  \
  GNP_SQRT_HERE __attribute__((target("avx"))) name##_32 name##_c(name##_32) noexcept                        \
      __asm__(GNP_SQRT_SYMBOL("_ZGVcN" in_32 "v_", #name));                                                  \
  inline name##_32 name##_c(name##_32 x) noexcept { return root_of_32(x); }                                  \
  GNP_SQRT_HERE __attribute__((target("avx2"))) name##_32 name##_d(name##_32) noexcept                       \
      __asm__(GNP_SQRT_SYMBOL("_ZGVdN" in_32 "v_", #name));                                                  \
  inline name##_32 name##_d(name##_32 x) noexcept { return root_of_32(x); }                                  \
  GNP_SQRT_HERE __attribute__((target("avx512f"))) name##_64 name##_e(name##_64) noexcept                    \
      __asm__(GNP_SQRT_SYMBOL("_ZGVeN" in_64 "v_", #name));                                                  \
  inline name##_64 name##_e(name##_64 x) noexcept {                                                          \
    union {                                                                                                  \
      name##_64 whole;                                                                                       \
      name##_32 half[2];                                                                                     \
    } value = {x};                                                                                           \
    value.half[0] = root_of_32(value.half[0]);                                                               \
    value.half[1] = root_of_32(value.half[1]);                                                               \
    return value.whole;                                                                                      \
  }                                                                                                          \
  }

namespace gnp { inline namespace GNP_ABI { namespace scalar {

GNP_VECTOR_SQRT(sqrtf, float, "4", "8", "16", __builtin_ia32_sqrtps, __builtin_ia32_sqrtps256)
GNP_VECTOR_SQRT(sqrt, double, "2", "4", "8", __builtin_ia32_sqrtpd, __builtin_ia32_sqrtpd256)

}}}  // namespace gnp::GNP_ABI::scalar

#undef GNP_VECTOR_SQRT
#undef GNP_SQRT_HERE
#undef GNP_SQRT_SYMBOL
#else
#define GNP_HAS_VECTOR_SQRT 0
#endif
