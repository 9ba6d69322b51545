// SPDX-License-Identifier: MIT
// What a recording remembers about the random numbers that its kernels draw, and what it does before each
// replay.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <forward_list>
#include <gnp/memory/recording.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/random/recorded_draws.hpp>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class draws_of_replays final : public recorded_draws, public replay_preparation {
 public:
  explicit draws_of_replays(recording& owner) : owner_(owner) {}
  draws_of_replays(const draws_of_replays&) = delete;
  draws_of_replays& operator=(const draws_of_replays&) = delete;
  ~draws_of_replays() override {
    for (const page& p : pages_) owner_.keep(p.memory, sizeof p.sources);
  }

  GNP_INLINE std::uint64_t add_calls(const std::shared_ptr<generator_state>& generator, std::uint64_t count) {
    std::uint64_t& calls = drawing_[place_of(generator)].calls;
    const std::uint64_t first = calls;
    calls += count;
    return first;
  }

  GNP_INLINE const scalar::random_source* add_source(const numbers_of_call& numbers, std::uint64_t group) {
    if (pages_.empty() || pages_.front().used == page::most) {
      // Written before each replay starts, so earlier work of the recording must not have used this memory.
      void* const memory = owner_.make(sizeof(page::sources));
      if (memory == nullptr) throw out_of_memory("gnp::graph: no memory for where random numbers come from");
      pages_.emplace_front().memory = memory;
    }
    page& last = pages_.front();
    const std::shared_ptr<generator_state>& generator = numbers.recorded->generator;
    draws_.push_back({numbers, group, place_of(generator), &last.sources[last.used]});
    return static_cast<const scalar::random_source*>(last.memory) + last.used++;
  }

  /// Counts the body's calls once more, since each replay makes them again.
  GNP_INLINE void prepare(CUstream stream) override {
    for (drawing_generator& g : drawing_)
      g.before = g.state->calls.fetch_add(g.calls, std::memory_order_relaxed);
    for (const draw& d : draws_) {
      const recorded_draw& recorded = *d.numbers.recorded;
      const drawing_generator& g = drawing_[d.generator];
      numbers_of_call now{g.state->seed.load(std::memory_order_relaxed), g.before + recorded.number,
                          d.numbers.first};
      for (const std::uint64_t k : recorded.inner) now = now.inner(k);
      *d.source = now.from(d.group);
    }
    // The driver copies so few bytes of pageable memory before the call returns.
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
  struct drawing_generator {
    std::shared_ptr<generator_state> state;
    std::uint64_t calls = 0;   // that a replay makes
    std::uint64_t before = 0;  // the number of the first of them
  };
  struct draw {
    numbers_of_call numbers;
    std::uint64_t group;
    std::size_t generator;          // its index in drawing_
    scalar::random_source* source;  // on the host
  };

  /// The generator's index in drawing_, which has few elements. The last one is requested most often.
  GNP_INLINE std::size_t place_of(const std::shared_ptr<generator_state>& generator) {
    for (std::size_t i = drawing_.size(); i > 0; --i) {
      if (drawing_[i - 1].state == generator) return i - 1;
    }
    drawing_.push_back({generator});
    return drawing_.size() - 1;
  }

  recording& owner_;
  std::vector<drawing_generator> drawing_;
  std::forward_list<page> pages_;  // the last one first
  std::vector<draw> draws_;
};

GNP_INLINE recorded_draws& recorded_draws::here() {
  auto& owner = *static_cast<recording*>(recording_here);
  if (owner.preparation() == nullptr) owner.prepare_by(std::make_unique<draws_of_replays>(owner));
  return static_cast<draws_of_replays&>(*owner.preparation());
}

GNP_INLINE std::uint64_t recorded_draws::calls_of(const std::shared_ptr<generator_state>& generator,
                                                  std::uint64_t count) {
  return static_cast<draws_of_replays*>(this)->add_calls(generator, count);
}

GNP_INLINE const scalar::random_source* recorded_draws::place(const numbers_of_call& numbers,
                                                              std::uint64_t group) {
  return static_cast<draws_of_replays*>(this)->add_source(numbers, group);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
