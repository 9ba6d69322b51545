// SPDX-License-Identifier: MIT
// Random numbers in a graph: its kernels read what they draw from in memory that each replay fills, so that
// replay k returns what the k-th run of the body would.
#pragma once

#include <gnp/memory/recording.hpp>
#include <gnp/random/philox.hpp>
#if GNP_HAS_CUDA

#include <deque>
#include <gnp/memory/submission.hpp>
#include <map>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class recorded_draws final : public replay_preparation {
 public:
  explicit recorded_draws(recording& owner) : owner_(owner) {}
  recorded_draws(const recorded_draws&) = delete;
  recorded_draws& operator=(const recorded_draws&) = delete;
  ~recorded_draws() override {
    for (const page& p : pages_) owner_.keep(p.memory, sizeof p.sources);
  }

  /// Those of what this thread records.
  GNP_INLINE static recorded_draws& here() {
    auto& owner = *static_cast<recording*>(recording_here);
    if (owner.preparation() == nullptr) owner.prepare_by(std::make_unique<recorded_draws>(owner));
    return static_cast<recorded_draws&>(*owner.preparation());
  }

  /// So many calls more of a generator; the first is number ...
  std::uint64_t calls_of(const std::shared_ptr<generator_state>& generator, std::uint64_t count) {
    std::uint64_t& calls = calls_[generator];
    const std::uint64_t first = calls;
    calls += count;
    return first;
  }

  /// Where a kernel finds the source of these numbers, counted from that group.
  GNP_INLINE const scalar::random_source* place(const numbers_of_call& numbers, std::uint64_t group) {
    if (pages_.empty() || pages_.back().used == page::most) {
      void* const memory = owner_.take(sizeof(page::sources));
      if (memory == nullptr) throw out_of_memory("gnp::graph: no memory for where random numbers come from");
      pages_.emplace_back().memory = memory;
    }
    page& last = pages_.back();
    draws_.push_back({numbers, group, &last.sources[last.used]});
    return static_cast<const scalar::random_source*>(last.memory) + last.used++;
  }

  /// The body's calls are made once more.
  GNP_INLINE void prepare(CUstream stream) override {
    std::map<const generator_state*, std::uint64_t> before;
    for (const auto& [generator, calls] : calls_)
      before[generator.get()] = generator->calls.fetch_add(calls, std::memory_order_relaxed);
    for (const draw& d : draws_) {
      const recorded_draw& recorded = *d.numbers.recorded;
      const generator_state& generator = *recorded.generator;
      numbers_of_call now{generator.seed.load(std::memory_order_relaxed), before[&generator] + recorded.number,
                          d.numbers.first};
      for (const std::uint64_t k : recorded.inner) now = now.inner(k);
      *d.source = now.from(d.group);
    }
    // The driver takes so few bytes of ordinary memory along with the call.
    for (const page& p : pages_) {
      GNP_CUDA_CALL(cuMemcpyHtoDAsync, reinterpret_cast<CUdeviceptr>(p.memory), p.sources,
                    p.used * sizeof(scalar::random_source), stream);
    }
  }

 private:
  struct page {
    static constexpr std::size_t most = 32;
    void* memory = nullptr;
    std::size_t used = 0;
    scalar::random_source sources[most] = {};
  };
  struct draw {
    numbers_of_call numbers;
    std::uint64_t group;
    scalar::random_source* source;  // on the host
  };
  recording& owner_;
  std::map<std::shared_ptr<generator_state>, std::uint64_t> calls_;  // that a replay makes
  std::deque<page> pages_;
  std::vector<draw> draws_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
