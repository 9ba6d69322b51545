// SPDX-License-Identifier: MIT
// A compaction on a GPU: one kernel, and one wait for the number of elements that are kept.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/core/whole_numbers.hpp>
#if GNP_HAS_CUDA

#include <gnp/array/transfer.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/elementwise/plan_access.hpp>
#include <gnp/exec/gather/compact_code.hpp>
#include <gnp/exec/text/compact_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many vectors a thread takes. A tile's elements pass through 32 KiB of shared memory, 128 bytes for each
/// thread; their places in the tile are 16-bit numbers.
constexpr int compacted_items(int vector, dtype type, index_t count, bool places) {
  const int most = 128 / (vector * (places ? 4 : (std::max)(4, static_cast<int>(itemsize(type)))));
  return count < (1 << 18) ? 1 : std::clamp(most, 1, 8);
}

GNP_INLINE kernel_plan plan_compaction(job& j, const compact_code& code) {
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  plan.shape = kernel_shape::compact;
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan_access(j, plan, 1, j.rank == 1,
              [size = itemsize(j.code->result)](int vector) { return vector * static_cast<int>(size) <= 128; });
  const int items = compacted_items(plan.vector, j.code->result, j.count, stages_places(code, plan));
  plan.items = static_cast<std::uint8_t>(items);
  return plan;
}

GNP_INLINE index_t compact_on_gpu(job& j, const compact_code& code, index_t capacity) {
  storage_ref notices;
  std::uint64_t tiles = 0;
  {
    const submission work(j.where);
    const kernel_plan plan = plan_compaction(j, code);
    const gpu_kernel kernel = kernel_of(code, plan, work.device());
    use_slots(work, j, plan);
    compact_arguments a;
    a.vectors = divided_up(static_cast<std::uint64_t>(j.count), plan.vector);
    a.capacity = static_cast<std::uint64_t>(capacity);
    tiles = divided_up(a.vectors, std::uint64_t{threads_per_block} * plan.items);
    notices = storage_ref::allocate(tiles * sizeof(std::uint64_t), j.where);
    a.notices = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(notices->data));
    work.writes(*notices.get());
    GNP_CUDA_CALL(cuMemsetD8Async, a.notices, 0, tiles * sizeof(std::uint64_t), work.handle());
    argument_block arguments;
    add_layout(arguments, j, plan, 0);
    void* parameters[] = {arguments.data(), &a};
    work.launch(kernel.function, {.blocks = tiles, .threads = threads_per_block, .early = true}, parameters);
  }
  std::uint64_t last = 0;
  copy_to_host(*notices.get(), &last, static_cast<const std::uint64_t*>(notices->data) + (tiles - 1),
               sizeof last);
  return static_cast<index_t>(last & notice_count);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
