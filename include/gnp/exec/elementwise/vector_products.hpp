// SPDX-License-Identifier: MIT
// Upper halves of the products of 32- and 64-bit numbers, in vectors. In loops with a number that is the same
// for all elements, g++ does not use the instruction that multiplies the lower halves of 64-bit numbers.
#pragma once

#include <cstdint>
#include <gnp/cpu/loop.hpp>

#if GNP_WIDE_LOOPS && !defined(__clang__)
#define GNP_VECTOR_PRODUCTS 1

namespace gnp { inline namespace GNP_ABI { namespace detail {

#define GNP_IN_VECTORS inline __attribute__((always_inline, target("avx2")))

template <class T>
struct vector_of {
  typedef T type __attribute__((vector_size(32)));  // NOLINT: as `using` g++ forgets the attribute
};
using vector_32 = vector_of<std::uint32_t>::type;
using vector_64 = vector_of<std::uint64_t>::type;

/// The products of the lower halves of 64-bit numbers.
GNP_IN_VECTORS vector_64 low_products(vector_64 a, vector_64 b) {
  using lanes = vector_of<int>::type;
  return reinterpret_cast<vector_64>(
      __builtin_ia32_pmuludq256(reinterpret_cast<lanes>(a), reinterpret_cast<lanes>(b)));
}

GNP_IN_VECTORS vector_32 high_products(vector_32 x, std::uint32_t factor) {
  const vector_64 by = vector_64{} + factor;
  const auto pairs = reinterpret_cast<vector_64>(x);
  const vector_64 even = low_products(pairs, by) >> 32;
  const vector_64 odd = low_products(pairs >> 32, by) & ~0xffffffffULL;
  return reinterpret_cast<vector_32>(even | odd);
}

GNP_IN_VECTORS vector_64 high_products(vector_64 x, std::uint64_t factor) {
  const vector_64 low = vector_64{} + factor;
  const vector_64 high = low >> 32;
  const vector_64 x_high = x >> 32;
  const vector_64 first = low_products(x_high, low) + (low_products(x, low) >> 32);
  const vector_64 second = low_products(x, high) + (first & 0xffffffffULL);
  return low_products(x_high, high) + (first >> 32) + (second >> 32);
}

}}}  // namespace gnp::GNP_ABI::detail
#else
#define GNP_VECTOR_PRODUCTS 0
#endif
