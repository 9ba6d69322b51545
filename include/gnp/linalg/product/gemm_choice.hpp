// SPDX-License-Identifier: MIT
// Kernels of cuBLASLt that are faster than those it proposes, for the products where that has been measured.
#pragma once

#include <gnp/core/whole_numbers.hpp>
#include <gnp/libraries/cublas.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/linalg/product/gemm_kind.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A kernel as cuBLASLt names it.
struct gemm_recipe {
  int algorithm;
  cublas_lt_tile tile;
  cublas_lt_stages stages;
  cublas_lt_instruction instruction = cublas_lt_instruction::any;
};

/// The products for which a recipe is used.
struct gemm_rule {
  /// Which of a and b are transposed, as column-major matrices: bits.
  enum : unsigned { neither = 1, only_a = 2, only_b = 4, both = 8, any = 15 };
  static constexpr index_t unbounded = 0x7fffffffffff;

  cuda_data_type type;
  unsigned transposed;
  index_t least_k;
  index_t most_k = unbounded;
  index_t least_edge = 0;  // rows and columns of the result
  // The size of the result's blocks, whether they must be whole because blocks across its edges are slow, and
  // how many of them a multiprocessor runs at once.
  index_t rows;
  index_t columns;
  bool whole = false;
  index_t side_by_side = 1;
  // The most waves in which a chip may run them, and the least percentage of places in these waves that must be
  // taken.
  index_t most_waves = unbounded;
  index_t least_fill = 90;
  gemm_recipe recipe;

  GNP_INLINE bool fits(const gemm_kind& kind, int multiprocessors) const {
    const bool a = kind.a.as == cublas_operation::transposed;
    const bool b = kind.b.as == cublas_operation::transposed;
    const unsigned which = a ? (b ? both : only_a) : (b ? only_b : neither);
    if (kind.type != type || (transposed & which) == 0 || kind.k < least_k || kind.k > most_k) return false;
    if ((std::min)(kind.m, kind.n) < least_edge) return false;
    if (whole && (kind.m % rows != 0 || kind.n % columns != 0)) return false;
    const auto divided_up = [](index_t x, index_t y) { return (x + y - 1) / y; };
    const index_t blocks = divided_up(kind.m, rows) * divided_up(kind.n, columns);
    const index_t places = multiprocessors * side_by_side;
    const index_t waves = divided_up(blocks, places);
    return waves <= most_waves && blocks * 100 >= waves * places * least_fill;
  }
};

constexpr gemm_recipe float32_recipe(cublas_lt_tile tile) { return {55, tile, cublas_lt_stages::three_of_8}; }
constexpr gemm_recipe float64_recipe(cublas_lt_tile tile) {
  return {35, tile, cublas_lt_stages::three_of_16, cublas_lt_instruction::mma_16x8x8};
}

/// For chips of compute capability 9.0; the first rule that fits is taken. The rules come from 340 products
/// timed on an H200 with cuBLASLt 13.1. The comment after each rule is the time of cuBLASLt's own choice
/// relative to the rule's kernel. cuBLASLt chooses an older algorithm or tiles of another shape, or splits sums
/// although there are enough blocks. None of the rules' kernels splits its sums.
// clang-format off
inline constexpr gemm_rule gemm_rules[] = {
    // float32, large.
    {.type = cuda_data_type::float32, .transposed = gemm_rule::neither | gemm_rule::only_b, .least_k = 1000,
     .rows = 256, .columns = 128, .whole = true, .recipe = float32_recipe(cublas_lt_tile::of_256x128)},  // 0.99 to 1.04
    {.type = cuda_data_type::float32, .transposed = gemm_rule::both, .least_k = 1000,
     .rows = 128, .columns = 256, .whole = true, .recipe = float32_recipe(cublas_lt_tile::of_128x256)},  // 1.03 to 1.10
    {.type = cuda_data_type::float32, .transposed = gemm_rule::only_b, .least_k = 1000,
     .rows = 128, .columns = 256, .recipe = float32_recipe(cublas_lt_tile::of_128x256)},  // 0.99 to 1.04
    {.type = cuda_data_type::float32, .transposed = gemm_rule::neither | gemm_rule::both, .least_k = 1000,
     .rows = 128, .columns = 128, .side_by_side = 2, .recipe = float32_recipe(cublas_lt_tile::of_128x128)},  // 1.01 to 1.12
    // float32, about 1000 by 1000: one wave.
    {.type = cuda_data_type::float32, .transposed = gemm_rule::neither, .least_k = 400, .most_k = 1024,
     .rows = 128, .columns = 64, .most_waves = 1, .recipe = float32_recipe(cublas_lt_tile::of_128x64)},  // 1.00 to 1.05
    {.type = cuda_data_type::float32, .transposed = gemm_rule::any, .least_k = 400, .most_k = 1024,
     .rows = 64, .columns = 128, .most_waves = 1, .recipe = float32_recipe(cublas_lt_tile::of_64x128)},  // 1.00 to 1.05
    // float32, 200 to 370 rows: mostly 1.2 to 1.4.
    {.type = cuda_data_type::float32, .transposed = gemm_rule::any, .least_k = 200, .most_k = 400,
     .rows = 32, .columns = 32, .most_waves = 1, .least_fill = 30,
     .recipe = float32_recipe(cublas_lt_tile::of_32x32)},  // 0.98 to 1.57
    // float64, about 1000 by 1000: one wave. Blocks of 64 by 64 take 0.96 of this time until the chip reaches
    // its power limit, and then as long as cuBLASLt's own choice.
    {.type = cuda_data_type::float64, .transposed = gemm_rule::neither, .least_k = 900, .most_k = 2000,
     .least_edge = 900, .rows = 128, .columns = 64, .most_waves = 1,
     .recipe = float64_recipe(cublas_lt_tile::of_128x64)},  // 1.01 to 1.03
    {.type = cuda_data_type::float64, .transposed = gemm_rule::any, .least_k = 900, .most_k = 2000,
     .least_edge = 900, .rows = 64, .columns = 128, .most_waves = 1,
     .recipe = float64_recipe(cublas_lt_tile::of_64x128)},  // 1.00 to 1.05
};
// clang-format on

/// The kernel to use instead of what cuBLASLt proposes, if there is one.
GNP_INLINE const gemm_recipe* better_recipe(const gemm_kind& kind, int multiprocessors) {
  if (kind.compute == cublas_compute::tf32 || kind.count != 1 ||
      (std::min)({kind.a.alignment, kind.b.alignment, kind.c.alignment}) < 16)
    return nullptr;
  for (const gemm_rule& rule : gemm_rules) {
    if (rule.fits(kind, multiprocessors)) return &rule.recipe;
  }
  return nullptr;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
