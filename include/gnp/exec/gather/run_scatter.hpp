// SPDX-License-Identifier: MIT
// Writes elements to places in memory, on the memory's device.
#pragma once

#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/elementwise/cpu_run.hpp>
#include <gnp/exec/gather/scatter_job.hpp>
#include <gnp/exec/text/scatter_kernels.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// (No place is out of bounds here, because that would have thrown earlier.)
GNP_INLINE void scatter_on_cpu(const scatter_job& s) {
  with_itemsize(s.itemsize, [&s](auto size) {
    auto* const to = reinterpret_cast<raw_element<size>*>(s.memory);
    const auto* from = reinterpret_cast<const raw_element<size>*>(s.values);
    const std::int64_t* const places = s.places.data();
    const index_t count = s.places.size();
    const index_t step = s.one_value ? 0 : s.run;
    if (s.run == 1) {
      for (index_t i = 0; i < count; ++i) std::memcpy(to + places[i], from + i * step, size);
    } else if (s.one_value) {
      for (index_t i = 0; i < count; ++i)
        copy_strided<size>(reinterpret_cast<char*>(to + places[i]), s.values, 0, s.run);
    } else {
      for (index_t i = 0; i < count; ++i)
        std::memcpy(to + places[i], from + i * step, static_cast<std::size_t>(s.run) * size);
    }
  });
}

#if GNP_HAS_CUDA

GNP_INLINE void scatter_on_gpu(const scatter_job& s) {
  static device_kernel claiming[2];
  static device_kernel scattering[2][5];
  const auto count = static_cast<std::uint64_t>(s.places.size());
  const bool wide = count >= 0xffffffffU;
  scatter_arguments a;
  storage_ref claims;
  const submission work(s.places.device());
  if (s.may_repeat && count > 1) {
    const auto elements = static_cast<std::uint64_t>(s.reach.last - s.reach.first) + 1;
    std::uint64_t slots = 2;
    while (slots < 2 * count) slots *= 2;
    a.claimed = 1;
    a.hashed = elements > 4 * slots ? 1 : 0;
    a.first = s.reach.first;
    a.last_claim = slots - 1;
    const std::uint64_t bytes = (a.hashed != 0 ? slots : elements) * (wide ? 8 : 4);
    claims = storage_ref::allocate(bytes, s.places.device());
    work.writes(*claims.get());
    a.claims = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(claims->data));
    GNP_CUDA_CALL(cuMemsetD8Async, a.claims, 0, bytes, work.handle());
  }
  const auto address = [](const void* p) {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p));
  };
  a.places = address(work.reads(s.places));
  a.count = count;
  work.reads(*s.values_block);
  work.writes(*s.block);
  a.memory = address(s.memory);
  a.values = address(s.values);
  a.one_value = s.one_value ? 1 : 0;
  const launch_shape shape{.blocks = (count + 255) / 256};
  if (a.claimed != 0)
    work.launch(claiming[wide ? 1 : 0].on(work.device(), [wide] { return claim_source(wide); }), shape, a);
  const int size_class = std::countr_zero(static_cast<unsigned>(s.itemsize));
  work.launch(scattering[wide ? 1 : 0][size_class].on(work.device(),
                                                      [&s, wide] { return scatter_source(s.itemsize, wide); }),
              shape, a);
}

#endif

GNP_INLINE void run(const scatter_job& s) {
  if (s.places.size() == 0) return;
  const watched_work watched(s.places.device(), [&s] {
    return work_facts{"assignment by indices", static_cast<std::size_t>(s.places.size()) *
                                                   (8 + 2 * static_cast<std::size_t>(s.itemsize))};
  });
  if (s.places.device().is_cpu()) return scatter_on_cpu(s);
#if GNP_HAS_CUDA
  scatter_on_gpu(s);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
