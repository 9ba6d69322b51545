// SPDX-License-Identifier: MIT
// A scan on a GPU: its plan, its kernel, the memory through which its tiles communicate, and the launch.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/core/whole_numbers.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/elementwise/plan_access.hpp>
#include <gnp/exec/text/scan_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Plans how many lanes share a short row, and how many rows they take at a time: as many as registers can
/// hold, if there are then still enough threads for the whole GPU.
GNP_INLINE void share_short_rows(const scan& s, kernel_plan& plan, std::uint64_t vectors, const gpu& device) {
  const int size = (std::max)(4, s.code->total_size);
  plan.shape = kernel_shape::scan_short_rows;
  plan.group = static_cast<std::uint16_t>(power_of_two(vectors));
  plan.items = 8;
  while (plan.items > 1 && plan.items * plan.vector * size > 32 * 4) plan.items /= 2;
  const auto threads = static_cast<std::uint64_t>(s.outputs) * plan.group;
  const auto enough = static_cast<std::uint64_t>(device.multiprocessors) * 2048;
  while (plan.items > 1 && threads < enough * plan.items) plan.items /= 2;
}

GNP_INLINE kernel_plan plan_scan(scan& s, const gpu& device) {
  job& j = s.values;
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  const bool by_rows = s.along == reduced_along::rows;
  plan.shape = by_rows ? kernel_shape::scan_rows : kernel_shape::scan_columns;
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.kept = static_cast<std::uint8_t>(s.kept);
  plan.items = 8;
  const bool alone = (by_rows ? j.rank - s.kept : s.kept) == 1;
  // A thread keeps its totals in registers, so it has no more than 64 words of them.
  const bool are_many = s.outputs >= 32;
  plan_access(j, plan, 0, alone, [&](int v) {
    return v * s.code->total_size <= 32 && (!by_rows || s.length >= (are_many ? 1 : 32) * v);
  });
  // One warp for a short row; one block for each tile of a long row.
  if (by_rows) {
    const auto vectors = divided_up(static_cast<std::uint64_t>(s.length), plan.vector);
    if (are_many && vectors <= 32) {
      share_short_rows(s, plan, vectors, device);
      return plan;
    }
    const bool short_rows = vectors <= std::uint64_t{32} * plan.items && s.outputs > 1;
    const int size = (std::max)(4, s.code->total_size);
    // A tile of a long scan has 64 KiB of totals. They are in the registers of 16 warps, or of 8 if a thread
    // has 64 words.
    if (vectors >= (std::uint64_t{1} << 23) && size > 4 && plan.vector * size <= 16) plan.items = 16;
    const bool full = plan.items * plan.vector * size > 32 * 4;
    plan.group = short_rows ? 1 : full || vectors <= std::uint64_t{256} * plan.items ? 8 : 16;
    if (plan.group == 16) plan.threads = 512;
    if (short_rows) plan.items = static_cast<std::uint8_t>(power_of_two(divided_up(vectors, 32)));
  }
  return plan;
}

GNP_INLINE void scan_on_gpu(scan& s) {
  job& j = s.values;
  const submission work(j.where);
  const kernel_plan plan = plan_scan(s, work.device());
  const gpu_kernel kernel = kernel_of(*s.code, plan, work.device());
  use_slots(work, j, plan);

  constexpr std::uint64_t warps = 8;
  const bool by_rows = s.along == reduced_along::rows;
  const auto outputs = static_cast<std::uint64_t>(s.outputs);
  const auto length = static_cast<std::uint64_t>(s.length);
  scan_arguments a;
  std::uint64_t width = 1;  // the number of totals in a tile
  std::uint64_t blocks = 1;
  if (by_rows) {
    a.outputs = outputs;
    a.length = divided_up(length, plan.vector);
    a.tiles = divided_up(a.length, std::uint64_t{32} * plan.group * plan.items);
    blocks = plan.group == 1 ? divided_up(outputs, warps) : outputs * a.tiles;
    if (plan.shape == kernel_shape::scan_short_rows) {
      a.tiles = 1;
      blocks = divided_up(outputs, std::uint64_t{256} / plan.group * plan.items);
    }
  } else {
    a.outputs = divided_up(outputs, plan.vector);
    a.strips = divided_up(a.outputs, 32);
    a.length = length;
    a.tiles = divided_up(length, warps * plan.items);
    width = 32 * static_cast<std::uint64_t>(plan.vector);
    blocks = a.strips * a.tiles;
  }
  if (blocks > 0x7fffffff)
    throw error(std::string("a scan of ") + std::to_string(j.count) +
                " elements is more than one launch can cover");

  storage_ref memory;
  if (a.tiles > 1) {
    const auto size = static_cast<std::uint64_t>((std::max)(4, s.code->total_size));
    const std::uint64_t totals = divided_up(blocks * width * size * (by_rows ? 2 : 1), 256) * 256;
    const std::uint64_t prefixes = by_rows ? outputs * divided_up(a.tiles, 32) * size * 2 : totals;
    const std::uint64_t flags = by_rows ? 0 : blocks * sizeof(unsigned);
    memory = storage_ref::allocate(totals + prefixes + flags, j.where);
    a.totals = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(memory->data));
    a.prefixes = a.totals + totals;
    a.flags = a.prefixes + prefixes;
    // Along rows, each notice contains its flag.
    GNP_CUDA_CALL(cuMemsetD8Async, by_rows ? a.totals : a.flags, 0, by_rows ? totals + prefixes : flags,
                  work.handle());
  }
  argument_block arguments;
  add_layout(arguments, j, plan, 0);
  void* parameters[] = {arguments.data(), &a};
  work.launch(kernel.function, {.blocks = blocks, .threads = plan.threads, .early = true}, parameters);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
