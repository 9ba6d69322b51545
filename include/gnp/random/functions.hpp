// SPDX-License-Identifier: MIT
// gnp::random::uniform and its like: NumPy's functions of the module, which share one generator.
#pragma once

#include <pthread.h>

#include <gnp/random/generator.hpp>
#include <mutex>

namespace gnp::inline GNP_ABI {

namespace detail {

/// The module's generator: seeded by the system until seed() is called.
struct module_generator {
  std::mutex lock;
  random::generator generator = random::default_rng();

  static module_generator& get() {
    static module_generator& one = *new module_generator;
    // A child of fork() finds the lock open, whatever other threads of its parent were doing.
    static const int watched =
        ::pthread_atfork([] { one.lock.lock(); }, [] { one.lock.unlock(); }, [] { one.lock.unlock(); });
    static_cast<void>(watched);
    return one;
  }
  /// A generator for one call, which no other thread gets.
  static random::generator one_call() {
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
inline void seed(std::uint64_t value) {
  detail::module_generator& shared = detail::module_generator::get();
  const std::lock_guard guard(shared.lock);
  shared.generator = generator(value);
}

/// Uniform on [0, 1): rand<float>(3, 4).
template <element T = double, std::integral... Size>
array<T> rand(Size... sizes) {
  return detail::module_generator::one_call().random<T>(shape_t{static_cast<index_t>(sizes)...});
}
/// Standard normal: randn<float>(3, 4).
template <element T = double, std::integral... Size>
array<T> randn(Size... sizes) {
  return detail::module_generator::one_call().standard_normal<T>(shape_t{static_cast<index_t>(sizes)...});
}
template <element T = double>
array<T> random(const shape_t& shape = {}) {
  return detail::module_generator::one_call().random<T>(shape);
}
template <element T = double>
array<T> uniform(double low = 0.0, double high = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().uniform<T>(low, high, shape);
}
template <element T = double, class Low, class High = double>
requires detail::some_arrays<Low, High> array<T> uniform(const Low& low, const High& high = High(1),
                                                         const shape_t& shape = {}) {
  return detail::module_generator::one_call().uniform<T>(low, high, shape);
}
template <element T = double>
array<T> normal(double loc = 0.0, double scale = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().normal<T>(loc, scale, shape);
}
template <element T = double, class Loc, class Scale = double>
requires detail::some_arrays<Loc, Scale> array<T> normal(const Loc& loc, const Scale& scale = Scale(1),
                                                         const shape_t& shape = {}) {
  return detail::module_generator::one_call().normal<T>(loc, scale, shape);
}
template <element T = double>
array<T> standard_normal(const shape_t& shape = {}) {
  return detail::module_generator::one_call().standard_normal<T>(shape);
}
template <element T = double>
array<T> lognormal(double mean = 0.0, double sigma = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().lognormal<T>(mean, sigma, shape);
}
template <element T = double, class Mean, class Sigma = double>
requires detail::some_arrays<Mean, Sigma> array<T> lognormal(const Mean& mean, const Sigma& sigma = Sigma(1),
                                                             const shape_t& shape = {}) {
  return detail::module_generator::one_call().lognormal<T>(mean, sigma, shape);
}
template <element T = double>
array<T> exponential(double scale = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().exponential<T>(scale, shape);
}
template <element T = double, array_like Scale>
array<T> exponential(const Scale& scale, const shape_t& shape = {}) {
  return detail::module_generator::one_call().exponential<T>(scale, shape);
}
template <element T = double>
array<T> standard_exponential(const shape_t& shape = {}) {
  return detail::module_generator::one_call().standard_exponential<T>(shape);
}
template <element T = std::int64_t>
array<T> poisson(double lam = 1.0, const shape_t& shape = {}) {
  return detail::module_generator::one_call().poisson<T>(lam, shape);
}
template <element T = std::int64_t, array_like Lam>
array<T> poisson(const Lam& lam, const shape_t& shape = {}) {
  return detail::module_generator::one_call().poisson<T>(lam, shape);
}
template <element T = std::int64_t>
array<T> binomial(std::int64_t n, double p, const shape_t& shape = {}) {
  return detail::module_generator::one_call().binomial<T>(n, p, shape);
}
template <element T = std::int64_t, class Trials, class Chance>
requires detail::some_arrays<Trials, Chance> array<T> binomial(const Trials& n, const Chance& p,
                                                               const shape_t& shape = {}) {
  return detail::module_generator::one_call().binomial<T>(n, p, shape);
}

template <element T = std::int64_t, std::integral Low, std::integral High>
array<T> integers(Low low, High high, const shape_t& shape = {}, integers_options options = {}) {
  return detail::module_generator::one_call().integers<T>(low, high, shape, options);
}
template <element T = std::int64_t, std::integral High>
array<T> integers(High high, const shape_t& shape = {}, integers_options options = {}) {
  return detail::module_generator::one_call().integers<T>(high, shape, options);
}
template <element T = std::int64_t, class Low, class High>
requires detail::some_arrays<Low, High> array<T> integers(const Low& low, const High& high,
                                                          const shape_t& shape = {},
                                                          integers_options options = {}) {
  return detail::module_generator::one_call().integers<T>(low, high, shape, options);
}
template <element T = std::int64_t, array_like High>
array<T> integers(const High& high, const shape_t& shape = {}, integers_options options = {}) {
  return detail::module_generator::one_call().integers<T>(high, shape, options);
}
/// The same, without the end.
template <element T = std::int64_t, std::integral Low, std::integral High>
array<T> randint(Low low, High high, const shape_t& shape = {}) {
  return detail::module_generator::one_call().integers<T>(low, high, shape);
}
template <element T = std::int64_t, std::integral High>
array<T> randint(High high, const shape_t& shape = {}) {
  return detail::module_generator::one_call().integers<T>(high, shape);
}

template <element T = std::int64_t, class Low, class High>
requires detail::some_arrays<Low, High> array<T> randint(const Low& low, const High& high,
                                                         const shape_t& shape = {}) {
  return detail::module_generator::one_call().integers<T>(low, high, shape);
}
template <element T = std::int64_t, array_like High>
array<T> randint(const High& high, const shape_t& shape = {}) {
  return detail::module_generator::one_call().integers<T>(high, shape);
}

template <class X>
auto permutation(const X& x, axis_options options = {}) {
  static_assert(std::integral<X> || array_like<X>, "gnp: permutation takes a number or an array");
  if constexpr (std::integral<X>) {
    return detail::module_generator::one_call().permutation(x);
  } else {
    return detail::module_generator::one_call().permutation(x, options);
  }
}
template <class T>
void shuffle(const array<T>& x, axis_options options = {}) {
  detail::module_generator::one_call().shuffle(x, options);
}
template <class X>
auto choice(const X& x, const shape_t& shape = {}, const choice_options& options = {}) {
  static_assert(std::integral<X> || array_like<X>, "gnp: choice takes a number or an array");
  return detail::module_generator::one_call().choice(x, shape, options);
}

}  // namespace random
}  // namespace gnp::inline GNP_ABI
