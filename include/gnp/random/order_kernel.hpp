// SPDX-License-Identifier: MIT
// Long random orders on the GPU: items are thrown into buckets of about 24 by the first bits of their keys, in
// whatever order the threads come, and each counts the members of its bucket that come before it.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/memory/watched_work.hpp>
#if GNP_HAS_CUDA

#include <atomic>
#include <gnp/array/array.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/random/kernel.hpp>
#include <gnp/random/order_keys.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/scans.hpp>
#include <iterator>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// The parameters are the same for all; `starts` has one element more than there are buckets.
inline constexpr const char* order_kernel_text = R"(
} }
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(
    const __grid_constant__ gnp::scalar::random_source source, unsigned long long* starts,
    gnp::scalar::keyed_item* items, long long* order, unsigned long long count, int shift) {
  using namespace gnp::scalar;
  wait_for_results();
  const unsigned long long step = gridDim.x * 256ull;
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += step) {
$work
  }
}
)";

inline constexpr const char* count_items_text = R"(
    atomicAdd(&starts[1 + (key_of_item(source, i) >> shift)], 1ull);
)";

inline constexpr const char* throw_items_text = R"(
    const keyed_item x{key_of_item(source, i), i};
    items[atomicAdd(&starts[x.key >> shift], 1ull)] = x;
)";

inline constexpr const char* rank_items_text = R"(
    const keyed_item x = items[i];
    const unsigned long long begin = starts[x.key >> shift];
    const unsigned long long end = starts[1 + (x.key >> shift)];
    unsigned long long place = begin;
    for (unsigned long long other = begin; other < end; ++other) {
      if (comes_before(source, items[other], x)) ++place;
    }
    order[place] = static_cast<long long>(x.item);
)";

inline constexpr const char* order_works[] = {count_items_text, throw_items_text, rank_items_text};

[[gnu::cold]] GNP_INLINE std::string order_kernel_source(const char* work) {
  source_writer writer;
  writer.draws();
  std::string text = std::string(prelude_text) + random_prelude;
  text += "namespace gnp {\nnamespace scalar {\n" + writer.functions_for("keyed_item");
  return text + filled_in(order_kernel_text, {{"work", work}});
}

/// The kernel for one of order_works.
GNP_INLINE CUfunction order_kernel(const gpu& device, int work) {
  static device_kernel kernels[std::size(order_works)];
  return kernels[work].on(device, [work] { return order_kernel_source(order_works[work]); });
}

/// 0, 1, ..., order.size() - 1 by their keys.
GNP_ON_USE void order_by_keys_on_gpu(const scalar::random_source& source, const array<index_t>& order) {
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
  run(1, starts.copy());  // which throwing moves
  run(2, starts);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
