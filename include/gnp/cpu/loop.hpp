// SPDX-License-Identifier: MIT
// What makes the compiler put a loop over elements into the processor's vectors, whatever the program's flags.
#pragma once

#include <gnp/core/config.hpp>
#include <type_traits>

// Two versions of every loop are compiled on x86-64, and the wider one is taken where the processor has it.
// AVX2 without FMA: operations stay apart, as they do in NumPy. Without optimisation, and with GNP_PLAIN_LOOPS,
// loops are compiled once and like the code around them: for files that are compiled more often than run.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(GNP_PLAIN_LOOPS)
#define GNP_WIDE_LOOPS 1
#else
#define GNP_WIDE_LOOPS 0
#endif

// Overlap between input and output has been dealt with before: what remains reads an element and writes it.
// clang takes that for a demand and warns, in the program that called, where it cannot vectorise: it looks for
// overlap instead.
#if defined(__clang__)
#define GNP_INDEPENDENT
#elif defined(__GNUC__)
#define GNP_INDEPENDENT _Pragma("GCC ivdep")
#else
#define GNP_INDEPENDENT
#endif

// A function of loops: they are vectorised, with all they call put into them. At -O2 g++ would leave most of
// them as they are written. Only options that change no result: with others g++ puts no function of the program
// into it.
// Loops begin at 32 bytes: one of four instructions across two cache lines takes twice as long.
// GNP_LANES is for those that gather in small arrays, which stay in registers unless they are filled as memory
// is. Rows are read one after the other: two side by side take twice as long where they come from memory.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(GNP_PLAIN_LOOPS)
#define GNP_LOOP __attribute__((optimize("O3", "no-tree-sink", "align-loops=32"), flatten))
#define GNP_LANES                                                                                             \
  __attribute__((optimize("O3", "no-tree-sink", "no-tree-loop-distribute-patterns", "no-loop-unroll-and-jam", \
                          "align-loops=32"),                                                                  \
                 flatten))
#else
#define GNP_LOOP
#define GNP_LANES
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Truth values as g++ vectorises them: bytes, and a comparison where one is read.
template <class T>
using in_memory = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

}}}  // namespace gnp::GNP_ABI::detail
