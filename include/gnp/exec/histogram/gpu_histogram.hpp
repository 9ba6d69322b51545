// SPDX-License-Identifier: MIT
// A histogram on a GPU: where its counters are kept, how many blocks run, and the launches.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/core/whole_numbers.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/elementwise/plan_access.hpp>
#include <gnp/exec/text/histogram_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr int histogram_threads = 512;

/// Shared memory that a block gets on every GPU without a special request.
inline constexpr std::uint64_t counter_memory = 48 * 1024;

GNP_INLINE std::uint16_t copies_of_counters(std::uint64_t bins, std::uint64_t bytes) {
  std::uint64_t copies = counter_memory / bytes / (bins == 0 ? 1 : bins);
  while ((copies & (copies - 1)) != 0) copies &= copies - 1;  // a power of two
  return static_cast<std::uint16_t>((std::min)(copies, std::uint64_t{32}));
}

GNP_INLINE kernel_plan plan_histogram(histogram_job& h) {
  job& j = h.values;
  kernel_plan plan;
  const job_operand weights = j.operands[h.operand_count() - 1];
  merge_equal_inputs(j, plan);
  if (h.weighted) {
    plan.slot_of[plan.inputs] = plan.slots;
    j.operands[plan.slots++] = weights;
  }
  plan.shape = kernel_shape::reduce_rows;  // the values are traversed as in a reduction to one element
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.threads = histogram_threads;
  plan_access(j, plan, 1, j.rank == 1, [](int) { return true; });
  plan.items = j.count >= (index_t{1} << 20) ? 4 : 1;
  return plan;
}

/// The number of counters in a pass: one for each bin, or one for each part.
constexpr std::uint64_t counters_of(bin_work kind, std::uint64_t bins) {
  return kind == bin_work::count_parts ? divided_up(bins, std::uint64_t{1} << part_bits) : bins;
}

/// Launches one kernel over the values.
GNP_INLINE void launch_pass(const submission& work, const histogram_job& h, kernel_plan& plan, bin_work kind,
                            const binned_values& where) {
  const job& j = h.values;
  const std::uint64_t counter_bytes = kind == bin_work::add_weights ? 16 : 4;
  const std::uint64_t bins = counters_of(kind, static_cast<std::uint64_t>(h.bins.count));
  const bool shared = kind != bin_work::mark && kind != bin_work::spread;
  plan.group = shared ? copies_of_counters(bins, counter_bytes) : std::uint16_t{0};
  const histogram_pass pass{h.code->kernels + static_cast<int>(kind), h.code, kind};
  const gpu_kernel kernel = kernel_of(pass, plan, work.device());

  binned_values b = where;
  const auto count = static_cast<std::uint64_t>(j.count);
  b.whole = count / plan.vector;
  b.length = divided_up(count, plan.vector);
  // No more blocks than the GPU holds at a time, because each adds its counters to the results once.
  const std::uint64_t blocks =
      (std::min)(divided_up(b.length, std::uint64_t{plan.threads} * plan.items),
                 std::uint64_t{4} * static_cast<std::uint64_t>(work.device().multiprocessors));
  scalar::bin_layout bins_there = h.bins;
  argument_block arguments;
  add_layout(arguments, j, plan, 0);
  void* parameters[] = {arguments.data(), &b, &bins_there};
  work.launch(kernel.function,
              {.blocks = blocks,
               .threads = plan.threads,
               .shared_bytes = static_cast<std::size_t>(plan.group * bins * counter_bytes),
               .early = true},
              parameters);
}

/// Is it worthwhile to sort the values roughly before they are counted? On an H200 2^26 of them take 0.43 ms
/// instead of 0.76, with a million bins.
GNP_INLINE bool counts_by_parts(const histogram_job& h) {
  const auto bins = static_cast<std::uint64_t>(h.bins.count);
  return copies_of_counters(bins, 4) == 0 && bins <= std::uint64_t{256} << part_bits &&
         h.values.count >= index_t{1} << 21;
}

/// Counts the values of each bin, after dividing the values into parts. `lists` has room for the sizes of 256
/// parts, twice, and for a 16-bit number for each value.
GNP_INLINE void count_by_parts(const submission& work, const histogram_job& h, const kernel_plan& plan,
                               const storage& lists, binned_values where) {
  static device_kernel count_lists;
  constexpr std::uint64_t table = 256 * 8;
  const auto count = static_cast<std::uint64_t>(h.values.count);
  where.parts = static_cast<int>(counters_of(bin_work::count_parts, static_cast<std::uint64_t>(h.bins.count)));
  where.part_sizes = address_of(lists.data);
  where.cursors = where.part_sizes + table;
  where.lists = where.cursors + table;
  GNP_CUDA_CALL(cuMemsetD8Async, where.part_sizes, 0, 2 * table, work.handle());
  kernel_plan sizes = plan, spread = plan;
  binned_values of_parts = where;
  of_parts.results = where.part_sizes;
  launch_pass(work, h, sizes, bin_work::count_parts, of_parts);
  spread.items = static_cast<std::uint8_t>((std::max)(1, 16 / plan.vector));
  launch_pass(work, h, spread, bin_work::spread, where);
  // One share for each block that the GPU holds at a time, in whole vectors.
  const std::uint64_t share =
      divided_up(count, static_cast<std::uint64_t>(work.device().multiprocessors) * 4 * 8) * 8;
  work.launch(count_lists.on(work.device(), count_lists_source),
              {.blocks = divided_up(count, share), .threads = 512, .early = true}, where,
              static_cast<unsigned long long>(share));
}

/// Memory for count_by_parts(); none if that is not worthwhile or if there is not enough memory.
GNP_INLINE storage_ref memory_for_parts(const histogram_job& h, bin_work kind) {
  if (kind != bin_work::count || !counts_by_parts(h)) return storage_ref();
  try {
    return storage_ref::allocate(static_cast<std::size_t>(2 * 256 * 8 + h.values.count * 2), h.values.where);
  } catch (const out_of_memory&) {
    return storage_ref();
  }
}

/// Counts the values of each bin, or sets a bit for each bin that has any.
GNP_INLINE void count_on_gpu(histogram_job& h, bin_work kind, std::size_t bytes) {
  job& j = h.values;
  const submission work(j.where);
  const storage_ref lists = memory_for_parts(h, kind);
  kernel_plan plan = plan_histogram(h);
  use_slots(work, j, plan);
  if (h.edges != nullptr) work.reads(*h.edges);
  binned_values where;
  where.results = address_of(j.operands[0].data);
  GNP_CUDA_CALL(cuMemsetD8Async, where.results, 0, bytes, work.handle());
  if (lists->bytes == 0) {
    launch_pass(work, h, plan, kind, where);
  } else {
    work.writes(*lists.get());
    count_by_parts(work, h, plan, *lists.get(), where);
  }
}

GNP_INLINE void add_weights_on_gpu(histogram_job& h) {
  static device_kernel finish;
  job& j = h.values;
  const submission work(j.where);
  const auto bins = static_cast<std::uint64_t>(h.bins.count);
  const storage_ref memory = storage_ref::allocate(bins * 20, j.where);
  kernel_plan plan = plan_histogram(h);
  use_slots(work, j, plan);
  work.writes(*memory.get());
  if (h.edges != nullptr) work.reads(*h.edges);

  binned_values sums;
  sums.results = address_of(memory->data);
  sums.rests = sums.results + bins * 8;
  sums.largest = sums.rests + bins * 8;
  sums.digits = 62;
  while ((std::uint64_t{1} << (62 - sums.digits)) < static_cast<std::uint64_t>(j.count)) --sums.digits;
  GNP_CUDA_CALL(cuMemsetD8Async, sums.results, 0, static_cast<std::size_t>(bins * 20), work.handle());
  binned_values largest = sums;
  largest.results = sums.largest;
  launch_pass(work, h, plan, bin_work::largest_weight, largest);
  launch_pass(work, h, plan, bin_work::add_weights, sums);
  work.launch(finish.on(work.device(), histogram_sums_source),
              {.blocks = (std::min)(divided_up(bins, 256), std::uint64_t{1024}), .early = true}, sums,
              reinterpret_cast<double*>(j.operands[0].data), static_cast<unsigned long long>(bins));
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
