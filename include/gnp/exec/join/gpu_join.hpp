// SPDX-License-Identifier: MIT
// Joins several contiguous arrays of one type into one by a single kernel: one after the other, or interleaved
// element by element.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <bit>
#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/join/joined.hpp>
#include <gnp/exec/text/join_kernels.hpp>
#include <gnp/memory/submission.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void join_consecutive(void* to, storage& block, const std::vector<joined_part>& parts) {
  constexpr std::size_t small_part = 1 << 14;  // bytes: in larger parts, unaligned ends hardly matter
  std::size_t total = 0;
  std::uintptr_t all = reinterpret_cast<std::uintptr_t>(to) | 16;
  for (const joined_part& part : parts) {
    total += part.bytes;
    if (part.bytes != 0) all |= reinterpret_cast<std::uintptr_t>(part.data) | part.bytes;
  }
  const int unit = 1 << std::countr_zero(all);  // divides every address and size
  const bool anywhere = unit < 16 && total / parts.size() >= small_part;

  static device_kernel kernels[2][5];
  const submission work(block.device);
  const CUfunction kernel = kernels[anywhere ? 1 : 0][std::countr_zero(all)].on(
      work.device(), [=] { return consecutive_source(unit, anywhere); });
  work.writes(block);
  consecutive_arguments a;
  a.to = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(to));
  const auto launch = [&] {
    const std::uint64_t units = a.begin[a.count];
    const std::uint64_t bytes = units * static_cast<std::uint64_t>(unit);
    const std::uint64_t taken = anywhere ? (a.to % 16 + bytes + 15) / 16 : units;
    constexpr std::uint64_t per_block = consecutive_threads * consecutive_items;
    if (units > 0) {
      work.launch(
          kernel,
          {.blocks = (taken + per_block - 1) / per_block, .threads = consecutive_threads, .early = true}, a);
    }
    a.to += bytes;
    a.count = 0;
  };
  for (const joined_part& part : parts) {
    if (part.bytes == 0) continue;
    work.reads(*part.block);
    a.from[a.count] = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(part.data));
    a.begin[a.count + 1] = a.begin[a.count] + part.bytes / static_cast<std::size_t>(unit);
    if (++a.count == most_consecutive) launch();
  }
  launch();
}

GNP_INLINE void interleave(void* to, storage& block, const std::vector<joined_part>& parts, std::size_t unit) {
  static device_kernel kernels[5][most_interleaved + 1];
  const submission work(block.device);
  const CUfunction kernel = kernels[std::countr_zero(unit)][parts.size()].on(work.device(), [&] {
    return interleaved_source(static_cast<int>(unit), static_cast<int>(parts.size()));
  });
  work.writes(block);
  interleaved_arguments a;
  a.to = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(to));
  a.units = parts[0].bytes / unit;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    work.reads(*parts[k].block);
    a.from[k] = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(parts[k].data));
  }
  const std::uint64_t per_block = interleaving_threads * (16 / unit);
  work.launch(kernel,
              {.blocks = (a.units + per_block - 1) / per_block, .threads = interleaving_threads, .early = true},
              a);
}

GNP_INLINE bool can_interleave(std::size_t parts, std::size_t row_bytes) {
  return parts >= 2 && parts <= most_interleaved && row_bytes <= 16 && std::has_single_bit(row_bytes);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
