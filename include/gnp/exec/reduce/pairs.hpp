// SPDX-License-Identifier: MIT
// How a reduction over pairs (row_column_pairs.hpp) is shared out. It reads little and computes much, so a
// thread has several rows and columns of results and uses each element several times.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/core/whole_numbers.hpp>
#include <gnp/cuda/driver.hpp>
#include <gnp/exec/reduce/reduction_job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Threads of a block along rows and along columns (pairs_kernels.hpp).
inline constexpr int threads_of_pairs = 16;
/// How many vectors of each row and column a block has in shared memory. The values of so many vectors are
/// added up before the sum becomes part of a compensated sum.
inline constexpr int vectors_of_pairs = 4;
/// The most elements of a vector: the kernel's text has an expression for each element and pair.
inline constexpr int longest_vector_of_pairs = 8;

/// The blocks that a reduction over pairs takes if a thread has `each` rows and columns.
GNP_INLINE std::uint64_t tiles_of_pairs(const reduction& r, int each) {
  const auto tile = static_cast<std::uint64_t>(threads_of_pairs * each);
  const auto rows = static_cast<std::uint64_t>(r.values.shape[r.kept - 2]);
  const auto columns = static_cast<std::uint64_t>(r.values.shape[r.kept - 1]);
  return static_cast<std::uint64_t>(r.outputs) / (rows * columns) * divided_up(rows, tile) *
         divided_up(columns, tile);
}

/// How many rows and columns each thread has; 0 if the reduction is not over pairs, or has too few results for
/// all multiprocessors. After collapse() and the plan of loads.
GNP_INLINE int rows_of_pairs(const reduction& r, const kernel_plan& plan, int multiprocessors) {
  const job& j = r.values;
  if (!r.reads_little || !joins_pairs(r) || r.along != reduced_along::rows || r.kept < 2 ||
      j.rank - r.kept != 1 || plan.gathered_runs != 0)
    return 0;
  const int row = r.kept - 2;
  const auto moves = [&j](int i, int d) { return j.operands[i + 1].strides[d] != 0; };
  if (!makes_pairs(row, row + 1, plan.slots - 1, moves)) return 0;
  index_t line_bytes = 0;  // of a row or column in shared memory
  for (int i = 0; i < plan.slots - 1; ++i) {
    const job_operand& o = j.operands[i + 1];
    if (o.block == nullptr || o.table) return 0;
    const int vector = (std::min)(int{plan.vector}, longest_vector_of_pairs);
    if (moves(i, row) || moves(i, row + 1)) line_bytes += (vectors_of_pairs + 1) * vector * o.itemsize;
  }
  // Sixteen states of up to 16 bytes fit in registers.
  const auto enough = static_cast<std::uint64_t>(2 * multiprocessors);
  for (const int each : {4, 2}) {
    if ((each == 2 || r.code->state_size <= 16) && tiles_of_pairs(r, each) >= enough &&
        threads_of_pairs * each * line_bytes <= 48 * 1024)
      return each;
  }
  return 0;
}

/// Columns become those of the two axes along which results are closer in memory.
GNP_INLINE void turn_pairs(reduction& r) {
  job& j = r.values;
  const int row = r.kept - 2;
  const auto step = [&j](int d) { return std::abs(j.operands[0].strides[d]); };
  if (r.kept < 2 || step(row) >= step(row + 1)) return;
  std::swap(j.shape[row], j.shape[row + 1]);
  for (int i = 0; i < r.operand_count(); ++i) {
    std::swap(j.operands[i].strides[row], j.operands[i].strides[row + 1]);
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
