// SPDX-License-Identifier: MIT
// What makes the compiler put a loop over elements into the processor's vectors, whatever the program's flags.
#pragma once

// Two versions of every loop are compiled on x86-64, and the wider one is taken where the processor has it.
// AVX2 without FMA: operations stay apart, as they do in NumPy.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define GNP_WIDE_LOOPS 1
#else
#define GNP_WIDE_LOOPS 0
#endif

// Overlap between input and output has been dealt with before: what remains reads an element and writes it.
#if defined(__clang__)
#define GNP_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GNP_INDEPENDENT _Pragma("GCC ivdep")
#else
#define GNP_INDEPENDENT
#endif

// A function of loops: they are vectorised, with all they call put into them. At -O2 g++ would leave most of
// them as they are written. Only options that change no result: with others g++ puts no function of the program
// into it.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__)
#define GNP_LOOP __attribute__((optimize("O3", "no-tree-sink"), flatten))
#else
#define GNP_LOOP
#endif
