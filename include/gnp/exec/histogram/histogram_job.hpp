// SPDX-License-Identifier: MIT
// A histogram without C++ types: an expression's values, the bin that each belongs to, and what is added to the
// bin.
#pragma once

#include <gnp/exec/histogram/bins.hpp>
#include <gnp/exec/layout/leaves.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kinds of kernels that go through the values.
enum class bin_work : std::uint8_t { count, mark, largest_weight, add_weights, count_parts, spread };
inline constexpr int bin_works = 6;

/// The number of bins in a part, as a power of two: as many as shared memory has counters for. There are up to
/// 256 parts.
inline constexpr int part_bits = 13;

/// What is known about a histogram at compile time. There is one object for each pair of expression type and
/// kind of bins.
struct histogram_code {
  const expression_code* values;  // computes the values
  kernel_table* kernels;  // the GPU kernels made so far, a table for each bin_work
  const char* finder;     // even_bins<C>: its name in kernels
  dtype compared;         // C of that
  // For the CPU. Values are an array of what `values` computes.
  void (*count)(const void* values, index_t length, const scalar::bin_layout& bins, std::int64_t* counts,
                index_t tables);
  void (*add)(const void* values, const double* weights, index_t length, const scalar::bin_layout& bins,
              double* sums);
};

/// A histogram ready to run. The job's destination, the counts or sums, has only strides of 0. The weights, if
/// there are any, are the operand after the inputs.
struct histogram_job {
  const histogram_code* code = nullptr;
  job values;
  scalar::bin_layout bins;
  storage* edges = nullptr;
  bool weighted = false;

  int operand_count() const { return values.operand_count() + (weighted ? 1 : 0); }
};

/// How many copies of each counter of `bytes` bytes fit in shared memory: up to one for each lane of a warp; 0
/// if the counters do not fit.
GNP_DECLARED std::uint16_t copies_of_counters(std::uint64_t bins, std::uint64_t bytes);

/// Writes the counts, sums or marks to `result`; `weights` is the code that reads the weights.
GNP_DECLARED void run_histogram(histogram_job& h, bin_work kind, const leaf_view& result, std::size_t bytes,
                                const expression_code& weights, const char* function);

}}}  // namespace gnp::GNP_ABI::detail
