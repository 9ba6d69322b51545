// SPDX-License-Identifier: MIT
// The kernels of long random orders.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/kernel.hpp>
#include <gnp/random/kernel_source.hpp>
#include <iterator>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// All three kernels have the same parameters; `starts` has one element more than there are buckets.
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

GNP_INLINE CUfunction order_kernel(const gpu& device, int work) {
  static device_kernel kernels[std::size(order_works)];
  return kernels[work].on(device, [work] { return order_kernel_source(order_works[work]); });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
