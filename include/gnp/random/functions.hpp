// SPDX-License-Identifier: MIT
// gnp::random::uniform and similar functions: those of NumPy's random module, which share one generator.
#pragma once

#include <algorithm>
#include <gnp/cpu/process_mutex.hpp>
#include <gnp/random/generator.hpp>
#include <mutex>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// The module's generator: seeded by the system until seed() is called.
struct module_generator {
  std::mutex& lock = process_mutex<module_generator>();
  random::generator generator = random::default_rng();

  /// It belongs to no recording, because it outlives a recording that is the first to need it.
  module_generator() { generator.state_->recording = 0; }

  GNP_INLINE static module_generator& get() {
    static module_generator& one = *new module_generator;
    return one;
  }
  /// A generator for one call, which no other thread uses.
  GNP_INLINE static random::generator one_call() {
    module_generator& shared = get();
    const std::lock_guard guard(shared.lock);
    // Recorded work draws from the module's generator itself, at each replay.
    if (shared.generator.is_replayed()) return {shared.generator, random::generator::same()};
    random::generator reserved = shared.generator;
    shared.generator.advance();
    return reserved;
  }
  template <element T, class Low, class High>
  static array<T> randint(const Low& low, const High& high, const shape_t& shape) {
    return one_call().integers_in_name<T>("randint", low, high, false, shape);
  }
};

/// The shape, of which an error that it causes names the function.
inline const shape_t& checked_shape(const shape_t& shape, const char* function) {
  element_count(shape, function);
  return shape;
}

}  // namespace detail

namespace random {

/// Restarts the sequence of the functions below. All 64 bits count.
GNP_INLINE void seed(std::uint64_t value) {
  detail::module_generator& shared = detail::module_generator::get();
  const std::lock_guard guard(shared.lock);
  shared.generator = generator(value);
}

GNP_INLINE void seed(std::initializer_list<seed_word> values) {
  detail::module_generator& shared = detail::module_generator::get();
  const std::lock_guard guard(shared.lock);
  shared.generator = default_rng(values);
}

/// Uniform on [0, 1): rand<float>(3, 4).
template <element T = double, detail::plain_number... Size>
array<T> rand(Size... sizes) {
  return detail::module_generator::one_call().random<T>(detail::checked_shape(shape_t{sizes...}, "rand"));
}
/// Standard normal: randn<float>(3, 4).
template <element T = double, detail::plain_number... Size>
array<T> randn(Size... sizes) {
  return detail::module_generator::one_call().standard_normal<T>(
      detail::checked_shape(shape_t{sizes...}, "randn"));
}

#define GNP_RANDOM_METHOD(types, declaration, call, ...) \
  template <GNP_WITHOUT_PARENTHESES types>               \
  declaration {                                          \
    return detail::module_generator::one_call().call;    \
  }
#include <gnp/random/methods.hpp>
#undef GNP_RANDOM_METHOD

/// The same as integers, but `high` is never one of the numbers.
template <element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High>
array<T> randint(const Low& low, const High& high, const shape_t& shape = {}) {
  return detail::module_generator::randint<T>(low, high, shape);
}
template <element T = std::int64_t, detail::integer_or_array High = detail::left_out>
array<T> randint(const High& high, const shape_t& shape = {}) {
  if constexpr (!std::is_same_v<High, detail::left_out>) {
    return detail::module_generator::randint<T>(0, high, shape);
  }
}

}  // namespace random
}}  // namespace gnp::GNP_ABI
