// SPDX-License-Identifier: MIT
// Kernels for large float32 products that are faster than those cuBLAS and cuBLASLt choose.
#pragma once

#include <gnp/linalg/cublas.hpp>
#if GNP_HAS_CUDA

#include <gnp/linalg/gemm_kind.hpp>
#include <optional>

namespace gnp::inline GNP_ABI::detail {

/// What a block of a kernel makes of the result, column-major, and how many blocks run on a multiprocessor.
struct gemm_blocks {
  cublas_lt_tile tile;
  index_t rows;
  index_t columns;
  int side_by_side;
  bool whole_only;  // slow where blocks reach over the result's edge
};

/// Does every wave of blocks fill at least nine tenths of the chip?
inline bool fill_waves(const gemm_blocks& blocks, index_t m, index_t n, int multiprocessors) {
  const auto divided_up = [](index_t x, index_t y) { return (x + y - 1) / y; };
  const index_t count = divided_up(m, blocks.rows) * divided_up(n, blocks.columns);
  const index_t places = index_t{multiprocessors} * blocks.side_by_side;
  return count * 10 >= divided_up(count, places) * places * 9;
}

/// The algorithm of cuBLASLt that the tiles are for, as it numbers them.
inline constexpr int better_algorithm = 55;

/// The tile that better_algorithm should take on a chip of compute capability 9.0. cuBLASLt's own choice keeps
/// to an older algorithm or to a tile of another shape, or splits sums where there are blocks enough. Of 67
/// products on an H200 (cuBLASLt 13.1; 1920 to 8192 rows, square and not, k from 1000) these took 1.043 times
/// less on the geometric mean, 0.99 at worst, 1.1 for two transposed matrices; with the first matrix alone
/// transposed there is nothing to gain. The sums, and so the bits, are those of every kernel that does not
/// split them.
inline std::optional<cublas_lt_tile> better_tile(const gemm_kind& kind, int multiprocessors) {
  const bool measured = kind.type == cuda_data_type::float32 && kind.compute == cublas_compute::float32 &&
                        kind.count == 1 && kind.k >= 1000 &&
                        (std::min)({kind.a.alignment, kind.b.alignment, kind.c.alignment}) >= 16;
  if (!measured) return std::nullopt;
  constexpr gemm_blocks tall = {cublas_lt_tile::of_256x128, 256, 128, 1, true};
  constexpr gemm_blocks wide = {cublas_lt_tile::of_128x256, 128, 256, 1, true};
  constexpr gemm_blocks wide_and_edges = {cublas_lt_tile::of_128x256, 128, 256, 1, false};
  constexpr gemm_blocks square = {cublas_lt_tile::of_128x128, 128, 128, 2, false};
  const bool a_transposed = kind.a.as == cublas_operation::transposed;
  const bool b_transposed = kind.b.as == cublas_operation::transposed;
  if (a_transposed && !b_transposed) return std::nullopt;
  for (const gemm_blocks& blocks :
       {a_transposed ? wide : tall, a_transposed == b_transposed ? square : wide_and_edges}) {
    if (blocks.whole_only && (kind.m % blocks.rows != 0 || kind.n % blocks.columns != 0)) continue;
    if (fill_waves(blocks, kind.m, kind.n, multiprocessors)) return blocks.tile;
  }
  return std::nullopt;
}

}  // namespace gnp::inline GNP_ABI::detail

#endif
