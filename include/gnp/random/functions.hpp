// SPDX-License-Identifier: MIT
// gnp::random::uniform and its like: NumPy's functions of the module, which share one generator.
#pragma once

#include <pthread.h>

#include <gnp/random/generator.hpp>
#include <mutex>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// The module's generator: seeded by the system until seed() is called.
struct module_generator {
  std::mutex lock;
  random::generator generator = random::default_rng();

  GNP_INLINE static module_generator& get() {
    static module_generator& one = *new module_generator;
    // A child of fork() finds the lock open, whatever other threads of its parent were doing.
    static const int watched =
        ::pthread_atfork([] { one.lock.lock(); }, [] { one.lock.unlock(); }, [] { one.lock.unlock(); });
    static_cast<void>(watched);
    return one;
  }
  /// A generator for one call, which no other thread gets.
  GNP_INLINE static random::generator one_call() {
    module_generator& shared = get();
    const std::lock_guard guard(shared.lock);
    random::generator reserved = shared.generator;
    shared.generator.advance();
    return reserved;
  }
};

}  // namespace detail

namespace random {

/// Starts the sequence of the functions below anew. All 64 bits count.
GNP_INLINE void seed(std::uint64_t value) {
  detail::module_generator& shared = detail::module_generator::get();
  const std::lock_guard guard(shared.lock);
  shared.generator = generator(value);
}

/// Uniform on [0, 1): rand<float>(3, 4).
template <element T = double, detail::plain_number... Size>
array<T> rand(Size... sizes) {
  return detail::module_generator::one_call().random<T>(shape_t{sizes...});
}
/// Standard normal: randn<float>(3, 4).
template <element T = double, detail::plain_number... Size>
array<T> randn(Size... sizes) {
  return detail::module_generator::one_call().standard_normal<T>(shape_t{sizes...});
}
template <element T = double>
array<T> random(const shape_t& shape = {}) {
  return detail::module_generator::one_call().random<T>(shape);
}
template <element T = double, detail::real_or_array Low = detail::left_out,
          detail::real_or_array High = detail::left_out>
array<T> uniform(const Low& low = 0.0, const High& high = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().uniform<T>(low, high, shape);
}
template <element T = double>
array<T> standard_normal(const shape_t& shape = {}) {
  return detail::module_generator::one_call().standard_normal<T>(shape);
}
template <element T = double, detail::real_or_array Loc = detail::left_out,
          detail::real_or_array Scale = detail::left_out>
array<T> normal(const Loc& loc = 0.0, const Scale& scale = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().normal<T>(loc, scale, shape);
}
template <element T = double, detail::real_or_array Mean = detail::left_out,
          detail::real_or_array Sigma = detail::left_out>
array<T> lognormal(const Mean& mean = 0.0, const Sigma& sigma = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().lognormal<T>(mean, sigma, shape);
}
template <element T = double>
array<T> standard_exponential(const shape_t& shape = {}) {
  return detail::module_generator::one_call().standard_exponential<T>(shape);
}
template <element T = double, detail::real_or_array Scale = detail::left_out>
array<T> exponential(const Scale& scale = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().exponential<T>(scale, shape);
}
template <element T = std::int64_t, detail::real_or_array Lam = detail::left_out>
array<T> poisson(const Lam& lam = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().poisson<T>(lam, shape);
}
template <element T = std::int64_t, detail::real_or_array Trials = detail::left_out,
          detail::real_or_array Chance = detail::left_out>
array<T> binomial(const Trials& n, const Chance& p, const shape_t& shape = {}) {
  return detail::module_generator::one_call().binomial<T>(n, p, shape);
}

template <element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High>
array<T> integers(const Low& low, const High& high, const shape_t& shape = {}, integers_options options = {}) {
  return detail::module_generator::one_call().integers<T>(low, high, shape, options);
}
template <element T = std::int64_t, detail::integer_or_array High = detail::left_out>
array<T> integers(const High& high, const shape_t& shape = {}, integers_options options = {}) {
  return detail::module_generator::one_call().integers<T>(high, shape, options);
}
/// The same, without the end.
template <element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High>
array<T> randint(const Low& low, const High& high, const shape_t& shape = {}) {
  return detail::module_generator::one_call().integers<T>(low, high, shape);
}
template <element T = std::int64_t, detail::integer_or_array High = detail::left_out>
array<T> randint(const High& high, const shape_t& shape = {}) {
  return detail::module_generator::one_call().integers<T>(high, shape);
}

template <class X = detail::left_out>
auto permutation(const X& x, axis_options options = {}) {
  return detail::module_generator::one_call().permutation(x, options);
}
template <array_like X>
auto permutation(const X& x, int axis) {
  return detail::module_generator::one_call().permutation(x, axis);
}
template <class T>
void shuffle(const array<T>& x, axis_options options = {}) {
  detail::module_generator::one_call().shuffle(x, options);
}
template <class T>
void shuffle(const array<T>& x, int axis) {
  detail::module_generator::one_call().shuffle(x, axis);
}
template <class X = detail::left_out>
auto choice(const X& x, const shape_t& shape = {}, const choice_options& options = {}) {
  return detail::module_generator::one_call().choice(x, shape, options);
}

}  // namespace random
}}  // namespace gnp::GNP_ABI
