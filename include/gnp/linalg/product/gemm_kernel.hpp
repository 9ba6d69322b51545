// SPDX-License-Identifier: MIT
// Matrix products on the GPU by a kernel of gnp's own: those of integers and bools, which cuBLAS does not have,
// and small ones of every type.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/linalg/product/gemm_job.hpp>
#include <gnp/linalg/product/gemm_text.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The type of the kernel's sums. Integers are added in 32 or 64 bits, which wrap in the same way; 16-bit
/// floats in float.
template <class T>
using kernel_sum = std::conditional_t<is_gemm_type_v<T>, gemm_scalar<T>,
                                      std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;

/// Tiles of c with 64 by 64 elements for any stack, or with 16 by 16 for a small product, so that more threads
/// share its work.
enum class gemm_tiles { of_64, of_16 };
constexpr index_t gemm_tile_edge(gemm_tiles tiles) { return tiles == gemm_tiles::of_16 ? 16 : 64; }

/// The kernel's text.
template <class T>
[[gnu::cold]] std::string gemm_kernel_source(gemm_tiles tiles) {
  constexpr dtype type = dtype_of<T>;
  std::string text = prelude_text;
  if (sizeof(T) == 2 && is_floating(type)) text += half_text;
  if (is_complex(type)) text += complex_text;
  const char* sum = is_complex(type)         ? device_name(type)
                    : type == dtype::float64 ? "double"
                    : is_floating(type)      ? "float"
                    : itemsize(type) == 8    ? "unsigned long long"
                                             : "unsigned";
  text += filled_in(
      "namespace gnp {\nusing element = $element;\nusing sum_type = $sum;\nconstexpr bool is_bool = $bool;\n"
      "constexpr bool is_complex = $complex;\n",
      {{"element", device_name(type)},
       {"sum", sum},
       {"bool", type == dtype::bool_ ? "true" : "false"},
       {"complex", is_complex(type) ? "true" : "false"}});
  text += tiles == gemm_tiles::of_16
              ? "constexpr int each = 1, depth = 64, axes = 1;\nusing offset_t = int;\n"
              : "constexpr int each = 4, depth = 16, axes = 16;\nusing offset_t = long long;\n";
  return text + gemm_kernel_text + "}\n";
}

/// A job in the form that the kernel takes.
template <class T, unsigned Axes>
auto gemm_kernel_job(const gemm_job& j, kernel_sum<T> alpha, kernel_sum<T> beta) {
  using types = gemm_arguments<char, kernel_sum<T>, Axes>;
  const auto operand = [&j](const gemm_operand& o) {
    typename types::operand taken = {o.data, o.row, o.column, {}};
    std::copy(o.batch, o.batch + j.batch_rank, taken.batch);
    return taken;
  };
  typename types::job job = {j.m,          j.n,          j.k,          j.batch_rank, {},
                             operand(j.a), operand(j.b), operand(j.c), alpha,        beta};
  std::copy(j.batch, j.batch + j.batch_rank, job.batch);
  return job;
}

/// Tiles that cover c, of every matrix of the stack.
GNP_INLINE index_t tile_count(const gemm_job& j, gemm_tiles tiles) {
  const index_t edge = gemm_tile_edge(tiles);
  return ((j.m + edge - 1) / edge) * ((j.n + edge - 1) / edge) * j.batch_count();
}

/// Is the product so small that gnp's kernel, which does little and is launched at once, finishes before cuBLAS
/// would? The stack may have one axis at most. On an H200, by benchmarks/matmul_bench.cpp, 64 x 64 matrices
/// take 0.25 to 0.5 of cuBLAS's time, depending on the type, and 128 x 128 ones 0.4 to 0.75. Sums of 256 terms
/// took longer than cuBLAS's, except for few tiles: there cuBLAS splits the sums and adds them up by a second
/// kernel.
GNP_INLINE bool is_small_product(const gemm_job& j) {
  constexpr index_t most_tiles = 128;
  const index_t longest_sum = tile_count(j, gemm_tiles::of_16) <= 16 ? 256 : 128;
  constexpr index_t most_rows = most_tiles * gemm_tile_edge(gemm_tiles::of_16);
  if (j.batch_rank > 1 || j.k > longest_sum || j.m > most_rows || j.n > most_rows) return false;
  if (j.m * j.n == 1 || (j.batch_rank == 1 && j.batch[0] > most_tiles)) return false;
  const auto offsets_fit = [&j](const gemm_operand& o, index_t rows, index_t columns) {
    const index_t step = j.batch_rank == 1 ? std::abs(o.batch[0]) * (j.batch[0] - 1) : 0;
    return std::abs(o.row) * (rows - 1) + std::abs(o.column) * (columns - 1) + step <= 0x7fffffff;
  };
  return tile_count(j, gemm_tiles::of_16) <= most_tiles && offsets_fit(j.a, j.m, j.k) &&
         offsets_fit(j.b, j.k, j.n) && offsets_fit(j.c, j.m, j.n);
}

/// Is a matrix times a vector fastest as one sum for each row? Up to 8 MiB, the sums' kernel takes about two
/// thirds of the time of cuBLAS's, also for columns (which are slower in 16 bits). Larger matrices take as long
/// as memory does in either way, except for floats in a few lengths of rows, and for 16 bits outside of what
/// the cache holds: 8192 x 8192 floats take 0.065 ms instead of 0.094, and 2^20 rows of 64 take 0.067 instead
/// of 0.149. The bounds come from 480 products timed on an H200 (CUDA 13.0). cuBLAS has no integers, and gnp's
/// tiles would be mostly empty.
template <class T>
bool vector_suits_sums(const gemm_job& j) {
  if constexpr (is_gemm_type_v<T>) {
    const bool by_row = j.n == 1;
    const gemm_operand& matrix = by_row ? j.a : j.b;
    const index_t along = by_row ? matrix.column : matrix.row;
    const index_t across = by_row ? matrix.row : matrix.column;
    if ((by_row ? j.b.row : j.a.column) != 1 || (along != 1 && across != 1)) return false;
    const index_t bytes = (by_row ? j.m : j.n) * j.k * index_t{sizeof(T)};
    constexpr index_t mebibyte = index_t{1} << 20;
    const bool is_brief = bytes <= 8 * mebibyte;
    if (sizeof(T) == 2) {
      const bool is_in_cache = bytes > 16 * mebibyte && bytes < 128 * mebibyte;
      return along == 1 && j.k < 65536 && !is_in_cache && (is_brief || across % 8 == 0);
    }
    if (is_brief || !std::is_same_v<T, float>) return is_brief;
    return along == 1 && across % 4 == 0 && (j.k >= 4096 || j.k == 64 || j.k == 128 || j.k == 256);
  }
  return true;
}

/// Is a product of short rows, of tiny matrices, or of few very long rows fastest as one sum for each element
/// of c? The sums' kernel reads neighbouring elements from the cache and fills the GPU, where cuBLAS's kernels
/// and gnp's compute tiles that are mostly empty, or too few of them. The bounds come from 500 products timed
/// on an H200 (CUDA 13.0), where a million products of 3 x 3 matrices take 0.04 ms instead of 1.8 with cuBLAS,
/// points times a 4 x 4 matrix 0.035 instead of 0.19, and x^T x of four million rows of 4 takes 0.035 instead
/// of 0.36.
template <class T>
bool suits_sums(gemm_job j) {
  collapse_batch(j);
  if (is_small_product(j)) return false;
  fold_batch_into_rows(j);
  constexpr bool wide = sizeof(T) / (is_complex(dtype_of<T>) ? 2 : 1) == 8;
  constexpr bool by_tensor_cores = is_floating(dtype_of<T>) && sizeof(T) == 2;
  const auto [narrow_side, wide_side] = std::minmax(j.m, j.n);
  if (j.batch_rank > 0) {
    if (narrow_side == 1) return j.m * j.n * j.k <= 1 << 14;
    return j.m * j.n <= 16 || (j.k <= 4 && wide_side <= 32) || (j.k <= (wide ? 12 : 16) && wide_side <= 16);
  }
  constexpr index_t long_row = 4096;
  if (narrow_side == 1) return j.k <= 32 || (wide_side > 1 && vector_suits_sums<T>(j));
  if (j.k >= long_row) return j.m * j.n <= (wide || by_tensor_cores ? 16 : 192);
  const index_t short_row = by_tensor_cores ? 8 : 12;
  return (j.k <= short_row && j.n <= short_row) || (j.k <= 4 && j.n <= 64) || (j.k <= 6 && j.m <= 6);
}

template <class T, gemm_tiles Tiles>
void launch_gemm_kernel(const gemm_job& j, gemm_scalar<T> alpha, gemm_scalar<T> beta) {
  static device_kernel product;
  const submission work(j.c.block->device);
  work.reads(*j.a.block);
  work.reads(*j.b.block);
  work.writes(*j.c.block);
  const CUfunction function = product.on(work.device(), [] { return gemm_kernel_source<T>(Tiles); });
  constexpr unsigned axes = Tiles == gemm_tiles::of_16 ? 1 : max_rank;
  const std::uint64_t blocks = (std::min)(static_cast<std::uint64_t>(tile_count(j, Tiles)), most_blocks);
  work.launch(function, {.blocks = blocks, .early = true},
              gemm_kernel_job<T, axes>(j, static_cast<kernel_sum<T>>(alpha), static_cast<kernel_sum<T>>(beta)));
}

template <class T>
bool multiply_by_kernel(gemm_job& j, gemm_scalar<T> alpha, gemm_scalar<T> beta) {
  collapse_batch(j);
  const bool brief = is_small_product(j);
  if (brief) {
    launch_gemm_kernel<T, gemm_tiles::of_16>(j, alpha, beta);
  } else if constexpr (!is_gemm_type_v<T>) {
    launch_gemm_kernel<T, gemm_tiles::of_64>(j, alpha, beta);
  }
  return brief || !is_gemm_type_v<T>;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
