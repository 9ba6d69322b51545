// SPDX-License-Identifier: MIT
// What a generator does apart from drawing: seeding, copying, and counting its calls.
#pragma once

#include <sys/random.h>

#include <gnp/random/generator.hpp>
#include <gnp/random/recorded_draws.hpp>
#if GNP_HAS_CUDA
#include <gnp/cuda/recorded_memory.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace random {

GNP_INLINE generator& generator::operator=(const generator& other) {
  if (is_replayed()) detail::throw_in_recording("a generator is seeded anew");
  take_state(other);
  first_group_ = other.first_group_;
  placed_ = other.placed_;
  where_ = other.where_;
  return *this;
}

GNP_INLINE std::vector<generator> generator::spawn(int count) {
  if (count < 0)
    throw error("spawn: the number of generators must not be negative, got " + std::to_string(count));
  if (is_replayed()) detail::throw_in_recording("generators are spawned");
  // The seeds of spawned generators come from the last possible call.
  const scalar::random_source source =
      detail::numbers_of_call{state_->seed, (std::uint64_t{1} << 48) - 1}.from(0);
  const std::uint64_t first =
      state_->spawned.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
  std::vector<generator> made;
  for (int i = 0; i < count; ++i) {
    const scalar::words4 w = source.at(first + static_cast<std::uint64_t>(i), 0);
    made.emplace_back(w.x | std::uint64_t{w.y} << 32);
    made.back().placed_ = placed_;
    made.back().where_ = where_;
  }
  return made;
}

GNP_INLINE void generator::advance(std::uint64_t calls) {
#if GNP_HAS_CUDA
  if (is_replayed()) {
    detail::recorded_draws::here().calls_of(state_, calls);
    return;
  }
#endif
  state_->calls.fetch_add(calls, std::memory_order_relaxed);
}

GNP_INLINE generator generator::from_group(std::uint64_t group) const {
  if (group % detail::groups_of_a_column != 0)
    throw error("from_group: " + std::to_string(group) + " is not a multiple of 65536");
  generator part = *this;
  part.first_group_ = group;
  return part;
}

GNP_INLINE detail::random_call generator::next(gnp::device where) {
#if GNP_HAS_CUDA
  if (where.is_cuda() && is_replayed()) {
    const std::uint64_t number = detail::recorded_draws::here().calls_of(state_, 1);
    detail::numbers_of_call numbers{state_->seed, state_->calls + number, first_group_};
    numbers.recorded = std::make_shared<const detail::recorded_draw>(detail::recorded_draw{state_, number});
    return {std::move(numbers), where};
  }
#endif
  return {{state_->seed, state_->calls.fetch_add(1, std::memory_order_relaxed), first_group_}, where};
}

GNP_INLINE bool generator::is_replayed() const {
#if GNP_HAS_CUDA
  return detail::recording_here != nullptr && state_->recording != detail::recording_here->number();
#else
  return false;
#endif
}

GNP_INLINE std::shared_ptr<detail::generator_state> generator::new_state(std::uint64_t seed) {
  auto made = std::make_shared<detail::generator_state>();
  made->seed = seed;
#if GNP_HAS_CUDA
  if (detail::recording_here != nullptr) made->recording = detail::recording_here->number();
#endif
  return made;
}

GNP_INLINE void generator::take_state(const generator& other) {
  if (other.is_replayed()) detail::throw_in_recording("a generator is copied");
  state_->seed = other.state_->seed.load();
  state_->calls = other.state_->calls.load();
  state_->spawned = other.state_->spawned.load();
}

GNP_INLINE generator default_rng(const std::vector<seed_word>& seeds) {
  if (seeds.empty()) throw error("default_rng: the list of seeds is empty");
  // Each further number picks a seed among those that its call of the seed so far could make. The call is the
  // last but one, because spawn's seeds come from the last.
  std::uint64_t mixed = seeds[0];
  for (std::size_t i = 1; i < seeds.size(); ++i) {
    const scalar::random_source source = detail::numbers_of_call{mixed, (std::uint64_t{1} << 48) - 2}.from(0);
    const scalar::words4 w = source.at(seeds[i], 0);
    mixed = w.x | std::uint64_t{w.y} << 32;
  }
  return generator(mixed);
}

GNP_INLINE generator default_rng() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
    throw error("default_rng: the system has no random numbers");
  return generator(seed);
}

}}}  // namespace gnp::GNP_ABI::random
