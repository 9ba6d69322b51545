// SPDX-License-Identifier: MIT
// The three kernels of a long random order, one after another: they count the items of each bucket, move the
// items to their buckets, and rank them.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/random/order_kernel.hpp>
#include <gnp/random/order_keys.hpp>
#include <gnp/random/order_source.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/scans.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE void order_by_keys_on_gpu(const scalar::random_source& source, const array<index_t>& order) {
  const auto count = static_cast<unsigned long long>(order.size());
  if (count == 0) return;
  int bits = 1;
  while (bits < 40 && (count >> bits) >= 32) ++bits;
  const int shift = 64 - bits;
  const use_device guard(order.device());
  const watched_work watched(order.device(), [&] {
    return facts_of("permutation", dtype::int64, static_cast<std::size_t>(order.nbytes()));
  });
  const array<std::uint64_t> counts = zeros<std::uint64_t>({(index_t{1} << bits) + 1});
  const array<std::uint64_t> items(shape_t{2 * order.size()}, order.device(), "permutation");

  const auto run = [&](int step, const array<std::uint64_t>& starts) {
    static_assert(sizeof(scalar::keyed_item) == 2 * sizeof(std::uint64_t));
    const submission work(order.device());
    const std::uint64_t blocks = (std::min)(std::uint64_t{(count + 255) / 256}, most_blocks);
    work.launch(order_kernel(work.device(), step), {.blocks = blocks, .early = true}, source,
                work.writes(starts), work.writes(items), work.writes(order), count, shift);
  };
  run(0, counts);
  const array<std::uint64_t> starts = cumsum(counts);
  run(1, starts.copy());  // a copy, because moving the items changes the starts
  run(2, starts);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
