// SPDX-License-Identifier: MIT
// A third version of loops, with AVX-512: of loops over halves, and of functions that the C library has for
// vectors of 64 bytes. Products and sums are not fused here, either.
#pragma once

#include <gnp/cpu/libm.hpp>
#include <gnp/cpu/loop.hpp>

#if GNP_WIDE_LOOPS && GNP_HAS_VECTOR_LIBM
#define GNP_WIDEST_LOOPS 1
#define GNP_WIDEST                                                                             \
  __attribute__((optimize("O3", "no-tree-sink", "align-loops=32", "fp-contract=off"), flatten, \
                 target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")))
#else
#define GNP_WIDEST_LOOPS 0
#endif
