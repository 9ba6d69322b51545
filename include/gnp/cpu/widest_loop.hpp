// SPDX-License-Identifier: MIT
// A third version of loops, with AVX-512: of loops over halves, and of functions that the C library has for
// vectors of 64 bytes. Products and sums are not fused here, either. GNP_MASKED is for comparisons of 8-byte
// numbers: their truth values are masks there, which become bytes in one step. Its vectors are of 32 bytes,
// because two arrays of memory that begins anywhere are read a tenth slower with 64.
#pragma once

#include <gnp/cpu/libm.hpp>
#include <gnp/cpu/loop.hpp>

#if GNP_WIDE_LOOPS && GNP_HAS_VECTOR_LIBM
#define GNP_WIDEST_LOOPS 1
#define GNP_WIDEST                                                                             \
  __attribute__((optimize("O3", "no-tree-sink", "align-loops=32", "fp-contract=off"), flatten, \
                 target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")))
#define GNP_MASKED                                                                             \
  __attribute__((optimize("O3", "no-tree-sink", "align-loops=32", "fp-contract=off"), flatten, \
                 target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=256")))
#else
#define GNP_WIDEST_LOOPS 0
#endif
