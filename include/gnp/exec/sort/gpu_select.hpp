// SPDX-License-Identifier: MIT
// The first few places of each row's order on a GPU, without sorting the rows.
#pragma once

#include <gnp/core/whole_numbers.hpp>
#include <gnp/exec/sort/gpu_sort.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void select_rows_on_gpu(const sort_request& r, index_t taken) {
  const submission work(r.to_block->device);
  work.reads(*r.from_block);
  work.writes(*r.to_block);
  const CUfunction select =
      sort_kernel(r.kernels->select, work.device(), {.step = sort_step::select, .type = r.type});
  const auto row_length = static_cast<unsigned long long>(r.length);
  const auto few = static_cast<std::uint64_t>(taken);
  sort_arguments a;
  a.length = row_length;
  a.rows = static_cast<std::uint64_t>(r.rows);
  a.flip = r.descending ? ~0ULL : 0;
  // No more warps than the GPU holds, and at least a thousand elements for each warp, because fewer are not
  // worth a separate list.
  const std::uint64_t most_warps = static_cast<std::uint64_t>(work.device().multiprocessors) * 64;
  const auto parts_of = [&](std::uint64_t length) {
    return (std::max)(std::uint64_t{1}, (std::min)(length / 1024, std::uint64_t{most_warps / a.rows}));
  };
  storage_ref list;
  for (;;) {
    a.parts = parts_of(a.length);
    const bool last = a.parts == 1;
    const std::uint64_t blocks = divided_up(a.rows * a.parts, 8);
    if (blocks > most_blocks)
      throw error(std::string(r.function) + ": " + std::to_string(r.rows) +
                  " rows are more than one launch can cover");
    const storage_ref next =
        last ? storage_ref(r.to_block->device)
             : storage_ref::allocate(a.rows * a.parts * few * sizeof(unsigned), r.to_block->device);
    if (!last) work.writes(*next.get());
    work.launch(select, {.blocks = blocks, .early = true}, a, r.from, static_cast<const void*>(list->data),
                next->data, last ? r.to : nullptr, row_length, static_cast<int>(taken));
    if (last) return;
    a.length = a.parts * few;
    list = next;
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
