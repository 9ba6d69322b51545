// SPDX-License-Identifier: MIT
// A reduction on a GPU: how its work is divided among blocks, and the launch.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/core/whole_numbers.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/reduce/gpu_groups.hpp>
#include <gnp/exec/reduce/gpu_loads.hpp>
#include <gnp/memory/storage.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct work_shares {
  reduction_arguments arguments;
  std::uint64_t tiles = 1;  // groups of outputs, each computed by one block or by several blocks together
};

/// How the work is shared out among blocks, of which a multiprocessor holds `resident` at a time.
GNP_INLINE work_shares share_out(const reduction& r, const kernel_plan& plan, const gpu& device, int resident) {
  work_shares shares;
  reduction_arguments& a = shares.arguments;
  std::copy(r.parameter, r.parameter + most_reductions, a.parameter);
  // All results are laid out alike, but where axes are walked backwards, the first output is not the first
  // element in memory.
  const job_operand& out = r.values.operands[0];
  for (int k = 1; k < most_reductions; ++k) {
    if (r.results[k] == nullptr) continue;
    const std::ptrdiff_t first = (out.data - static_cast<char*>(out.block->data)) / out.itemsize;
    char* const to = static_cast<char*>(r.results[k]->data) +
                     first * static_cast<std::ptrdiff_t>(itemsize(r.code->parts[k]->result));
    a.results[k] = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(to));
  }
  const auto vector = static_cast<std::uint64_t>(plan.vector);
  const auto outputs = static_cast<std::uint64_t>(r.outputs);
  const auto length = static_cast<std::uint64_t>(r.length);
  if (plan.pairs != 0) {
    a.length = length;
    shares.tiles = tiles_of_pairs(r, plan.pairs);
    return shares;
  }
  if (plan.shape == kernel_shape::reduce_tiles) {
    a.length = count_tiles(r.values, plan);
    a.splits =
        (std::min)(static_cast<std::uint64_t>(device.multiprocessors) * static_cast<std::uint64_t>(resident),
                   std::uint64_t{a.length});
    return shares;
  }
  const std::uint64_t group = plan.group;
  std::uint64_t step = 0;  // the part of the length that a block takes in one go
  if (r.along == reduced_along::rows) {
    a.outputs = outputs;
    // (The last vector of a single row is taken apart if loading it whole could leave memory.)
    const std::uint64_t whole = length / vector - (unaligned_runs_leave(r.values, plan) ? 1 : 0);
    a.length = divided_up(length, vector);
    a.whole = whole;
    if (plan.ragged) {
      const auto row = static_cast<std::uint64_t>(r.values.shape[r.values.rank - 1]);
      a.whole = length / row * (row / vector);
      a.length = a.whole + length / row;
      a.rest = row % vector;
    }
    shares.tiles = divided_up(outputs, threads_per_block / group * plan.rows_each);
    step = group == threads_per_block ? group * plan.items : a.length;
  } else {
    a.outputs = divided_up(outputs, vector);
    a.length = length;
    a.whole = length;
    shares.tiles = divided_up(a.outputs, group);
    step = threads_per_block / group * plan.items;
  }
  // No more blocks than can run at the same time, because a few late ones would run alone. Four blocks on a
  // multiprocessor keep memory busy, since each thread has several vectors in flight. Blocks that also write
  // are faster with others waiting: on an H200, 2^26 floats are clipped and added up in 0.142 ms instead of
  // 0.147. If loops compute the elements, computing takes longer than reading memory. Then there are several
  // times as many blocks as fit, so that multiprocessors finish at about the same time.
  const bool computes = (plan.loops.any() || plan.reads_little) && r.along == reduced_along::columns;
  const int blocks_each = computes ? 4 * resident : plan.stored > 0 ? 8 : std::clamp(resident, 1, 4);
  const std::uint64_t wave =
      static_cast<std::uint64_t>(device.multiprocessors) * static_cast<std::uint64_t>(blocks_each);
  if (computes) step *= 8;
  if (shares.tiles <= stream_counters) {
    a.splits = (std::max)(std::uint64_t{1}, (std::min)(wave / shares.tiles, std::uint64_t{a.length / step}));
  }
  return shares;
}

/// A collapsed reduction with its kernel.
struct planned_reduction {
  kernel_plan plan;
  gpu_kernel kernel;
  work_shares shares;
};
GNP_INLINE planned_reduction plan_reduction(reduction& r, gpu& device) {
  planned_reduction made{plan_loads(r), {}, {}};
  plan_groups(r, made.plan, device);
  made.kernel = kernel_of(*r.code, made.plan, device);
  made.shares = share_out(r, made.plan, device, made.kernel.resident);
  return made;
}

/// The parts of a reduction's elements that are computed first. The code without them is `left`.
GNP_INLINE void take_first_parts(reduction& r, first_parts& parts, reduction_code& left) {
  job& j = r.values;
  if (r.code->kernels == nullptr || r.code->parts != nullptr || r.loops.any()) return;
  const job_operand positions = j.operands[j.operand_count()];
  if (!parts.take_from(j, {&j.code->source, 1}, *r.code->kernels, {0, j.rank}, is_by_tiles(r))) return;
  j.operands[j.operand_count()] = positions;
  left = *r.code;
  left.values = j.code;
  left.kernels = j.code->kernels;
  left.of_integers = nullptr;
  r.code = &left;
}

GNP_INLINE void reduce_on_gpu(reduction& r) {
  first_parts parts;
  reduction_code left;
  take_first_parts(r, parts, left);
  parts.run_each(run_on_gpu);
  job& j = r.values;
  const submission work(j.where);
  gpu& device = work.device();
  planned_reduction planned = plan_reduction(r, device);
  const kernel_plan& plan = planned.plan;
  reduction_arguments& shares = planned.shares.arguments;
  const std::uint64_t tiles = planned.shares.tiles;
  use_slots(work, j, plan);
  for (storage* more : r.results) {
    if (more != nullptr) work.writes(*more);
  }
  for (int k = 0; k < plan.stored; ++k) work.writes(*j.operands[slot_of_stored(plan, k)].block);
  storage_ref states;
  if (shares.splits > 1) {
    const auto outputs = static_cast<std::uint64_t>(
        r.along == reduced_along::rows ? shares.outputs : tiles * plan.group * std::uint64_t{plan.vector});
    states = storage_ref::allocate(
        outputs * static_cast<std::uint64_t>(shares.splits) * static_cast<std::uint64_t>(r.code->state_size),
        j.where);
    shares.states = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(states->data));
    shares.counters = counters_of(work.stream());
  }
  const std::uint64_t blocks = tiles * shares.splits;
  if (blocks > 0x7fffffff)
    throw error(std::string("a reduction to ") + std::to_string(r.outputs) +
                " elements is more than one launch can cover");
  argument_block arguments;
  add_layout(arguments, j, plan, 0);
  overhang_arguments overhangs;
  if (r.overhangs != nullptr) overhangs = *r.overhangs;
  void* parameters[] = {arguments.data(), &shares, &overhangs};  // (most kernels do not take the last one)
  const bool fills_the_gpu = blocks >= static_cast<std::uint64_t>(device.multiprocessors);
  work.launch(
      planned.kernel.function, {.blocks = blocks, .threads = threads_per_block, .early = !fills_the_gpu},
      parameters, [&](movable_launch& launch) {
        constexpr std::size_t first_result = offsetof(reduction_arguments, results) / sizeof(std::uint64_t);
        describe_layout(launch, arguments, j, plan);
        launch.add(&shares, sizeof shares);
        for (std::size_t k = 1; k < most_reductions; ++k) launch.has_address(first_result + k, r.results[k]);
        if (r.overhangs != nullptr) launch.add(&overhangs, sizeof overhangs);
      });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
