// SPDX-License-Identifier: MIT
// Makes the compiler vectorise loops over elements, whatever the program's flags.
#pragma once

#include <gnp/core/config.hpp>
#include <type_traits>

// Two versions of every loop are compiled on x86-64, and the wider one is used if the processor supports it. It
// uses AVX2 without FMA, so that operations are not fused, as in NumPy. Without optimisation, and with
// GNP_PLAIN_LOOPS, loops are compiled only once and like the code around them, for files that are compiled more
// often than run.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(GNP_PLAIN_LOOPS)
#define GNP_WIDE_LOOPS 1
#else
#define GNP_WIDE_LOOPS 0
#endif

// Overlap between input and output has been dealt with before these loops: an iteration only reads an element
// and writes it. clang gets no such pragma, because it would warn in the user's program about loops that it
// cannot vectorise. It checks for overlap instead.
#if defined(__clang__)
#define GNP_INDEPENDENT
#elif defined(__GNUC__)
#define GNP_INDEPENDENT _Pragma("GCC ivdep")
#else
#define GNP_INDEPENDENT
#endif

// Marks a function of loops: the loops are vectorised, and everything they call is inlined. At -O2 g++ would
// leave most of them scalar. Only options that change no result are used: with others g++ inlines none of the
// program's functions here.
// Loops are aligned to 32 bytes: a loop of four instructions that crosses a cache line takes twice as long.
// GNP_LANES is for functions that accumulate in small arrays. These stay in registers, unless g++ initialises
// them like memory. Rows are read one after the other, because reading two at the same time from memory takes
// twice as long.
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

/// Truth values in the form that g++ vectorises: bytes, with a comparison wherever one is read.
template <class T>
using in_memory = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

}}}  // namespace gnp::GNP_ABI::detail
