// SPDX-License-Identifier: MIT
// GNP_INSTRUCTIONS: the instruction sets that the compiler may use in addition to the architecture's base set,
// as part of a name: _x86_64_v3 with -march=x86-64-v3, _fma with -mfma, nothing without such flags.
#pragma once

#define GNP_JOIN_WORDS(a, b, c, d, e, f, g, h) GNP_JOIN_WORDS_(a, b, c, d, e, f, g, h)
#define GNP_JOIN_WORDS_(a, b, c, d, e, f, g, h) a##b##c##d##e##f##g##h

// The word if the macro is 1; nothing if it is 0 or not defined.
#define GNP_WORD_IF(macro, word) GNP_WORD_IF_(macro, word)
#define GNP_WORD_IF_(value, word) GNP_SECOND_OF(GNP_SET_##value word, , )
#define GNP_SECOND_OF(...) GNP_SECOND_OF_(__VA_ARGS__)
#define GNP_SECOND_OF_(first, second, ...) second
#define GNP_SET_1 ~,

#if defined(__x86_64__)

// The levels that -march has names for; each includes the one below it.
#if defined(__SSE3__) && defined(__SSSE3__) && defined(__SSE4_1__) && defined(__SSE4_2__) && defined(__POPCNT__)
#define GNP_X86_64_V2 1
#endif
#if defined(GNP_X86_64_V2) && defined(__AVX__) && defined(__AVX2__) && defined(__F16C__) && \
    defined(__FMA__) && defined(__BMI__) && defined(__BMI2__) && defined(__LZCNT__) && defined(__MOVBE__)
#define GNP_X86_64_V3 1
#endif
#if defined(GNP_X86_64_V3) && defined(__AVX512F__) && defined(__AVX512CD__) && defined(__AVX512BW__) && \
    defined(__AVX512DQ__) && defined(__AVX512VL__)
#define GNP_X86_64_V4 1
#endif

#if defined(GNP_X86_64_V4)
#define GNP_X86_64_LEVEL _x86_64_v4
#elif defined(GNP_X86_64_V3)
#define GNP_X86_64_LEVEL _x86_64_v3
#elif defined(GNP_X86_64_V2)
#define GNP_X86_64_LEVEL _x86_64_v2
#else
#define GNP_X86_64_LEVEL
#endif

// The instructions of each level, for builds that do not reach that level.
#if defined(GNP_X86_64_V2)
#define GNP_OF_V2
#else
#define GNP_OF_V2                                                                    \
  GNP_JOIN_WORDS(GNP_WORD_IF(__SSE3__, _sse3), GNP_WORD_IF(__SSSE3__, _ssse3),       \
                 GNP_WORD_IF(__SSE4_1__, _sse4_1), GNP_WORD_IF(__SSE4_2__, _sse4_2), \
                 GNP_WORD_IF(__POPCNT__, _popcnt), , , )
#endif
#if defined(GNP_X86_64_V3)
#define GNP_OF_V3
#else
#define GNP_OF_V3                                                                                        \
  GNP_JOIN_WORDS(GNP_WORD_IF(__AVX__, _avx), GNP_WORD_IF(__AVX2__, _avx2), GNP_WORD_IF(__F16C__, _f16c), \
                 GNP_WORD_IF(__FMA__, _fma), GNP_WORD_IF(__BMI__, _bmi), GNP_WORD_IF(__BMI2__, _bmi2),   \
                 GNP_WORD_IF(__LZCNT__, _lzcnt), GNP_WORD_IF(__MOVBE__, _movbe))
#endif
#if defined(GNP_X86_64_V4)
#define GNP_OF_V4
#else
#define GNP_OF_V4                                                                            \
  GNP_JOIN_WORDS(GNP_WORD_IF(__AVX512F__, _avx512f), GNP_WORD_IF(__AVX512CD__, _avx512cd),   \
                 GNP_WORD_IF(__AVX512BW__, _avx512bw), GNP_WORD_IF(__AVX512DQ__, _avx512dq), \
                 GNP_WORD_IF(__AVX512VL__, _avx512vl), , , )
#endif

// Instructions that belong to no level, and that compilers use without being told to.
#define GNP_OF_NO_LEVEL_1                                                                                \
  GNP_JOIN_WORDS(GNP_WORD_IF(__ADX__, _adx), GNP_WORD_IF(__GFNI__, _gfni), GNP_WORD_IF(__FMA4__, _fma4), \
                 GNP_WORD_IF(__XOP__, _xop), GNP_WORD_IF(__AVXVNNI__, _avxvnni),                         \
                 GNP_WORD_IF(__AVXIFMA__, _avxifma), GNP_WORD_IF(__AVX10_2__, _avx10_2),                 \
                 GNP_WORD_IF(__APX_F__, _apx_f))
#define GNP_OF_NO_LEVEL_2                                                                                      \
  GNP_JOIN_WORDS(GNP_WORD_IF(__AVX512IFMA__, _avx512ifma), GNP_WORD_IF(__AVX512VBMI__, _avx512vbmi),           \
                 GNP_WORD_IF(__AVX512VBMI2__, _avx512vbmi2), GNP_WORD_IF(__AVX512VNNI__, _avx512vnni),         \
                 GNP_WORD_IF(__AVX512BITALG__, _avx512bitalg),                                                 \
                 GNP_WORD_IF(__AVX512VPOPCNTDQ__, _avx512vpopcntdq), GNP_WORD_IF(__AVX512BF16__, _avx512bf16), \
                 GNP_WORD_IF(__AVX512FP16__, _avx512fp16))

#define GNP_INSTRUCTIONS \
  GNP_JOIN_WORDS(GNP_X86_64_LEVEL, GNP_OF_V2, GNP_OF_V3, GNP_OF_V4, GNP_OF_NO_LEVEL_1, GNP_OF_NO_LEVEL_2, , )

#elif defined(__aarch64__)

#define GNP_INSTRUCTIONS                                                                                     \
  GNP_JOIN_WORDS(GNP_WORD_IF(__ARM_FEATURE_ATOMICS, _atomics), GNP_WORD_IF(__ARM_FEATURE_DOTPROD, _dotprod), \
                 GNP_WORD_IF(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC, _fp16_vector_arithmetic),                 \
                 GNP_WORD_IF(__ARM_FEATURE_BF16, _bf16), GNP_WORD_IF(__ARM_FEATURE_SVE, _sve),               \
                 GNP_WORD_IF(__ARM_FEATURE_SVE2, _sve2), , )

#else
#define GNP_INSTRUCTIONS
#endif
