// SPDX-License-Identifier: MIT
// gnp::random::default_rng(seed): a generator of random arrays, with NumPy's methods.
#pragma once

#include <sys/random.h>

#include <atomic>
#include <gnp/random/array_parameters.hpp>
#include <gnp/random/choice.hpp>

namespace gnp::inline GNP_ABI::random {

struct integers_options {
  by_name only = by_name();
  bool endpoint = false;  // is `high` one of the numbers?
};

/// Keyword arguments of permutation and shuffle.
struct axis_options {
  by_name only = by_name();
  int axis = 0;
};

/// Where a parameter of a distribution is an array, each element has its own: parameters broadcast, and without
/// a shape the result has theirs.
///
/// One seed is one sequence of calls, on every device: call k of a generator returns the same numbers on the
/// CPU as on a GPU. Any number of threads may use a generator at the same time: their calls share no numbers,
/// and which call is whose is then up to the threads. A copy goes on from where the original is.
class generator {
 public:
  /// Arrays are made on the default device at the time of the call.
  explicit generator(std::uint64_t seed) : seed_(seed) {}
  /// Arrays are made on this device.
  generator(std::uint64_t seed, gnp::device where)
      : seed_(seed), placed_(true), where_(detail::require(where)) {}
  generator(const generator& other)
      : seed_(other.seed_),
        calls_(other.calls_.load(std::memory_order_relaxed)),
        placed_(other.placed_),
        where_(other.where_) {}
  generator& operator=(const generator& other) {
    seed_ = other.seed_;
    calls_.store(other.calls_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    placed_ = other.placed_;
    where_ = other.where_;
    return *this;
  }
  ~generator() = default;

  /// Goes on as if `calls` calls had been made.
  void advance(std::uint64_t calls = 1) { calls_.fetch_add(calls, std::memory_order_relaxed); }

  /// Uniform on [0, 1).
  template <element T = double>
  array<T> random(const shape_t& shape = {}) {
    return uniform_as<T>("random", 0.0, 1.0, shape);
  }
  /// Uniform on [low, high).
  template <element T = double>
  array<T> uniform(double low = 0.0, double high = 1.0, const shape_t& shape = {}) {
    return uniform_as<T>("uniform", low, high, shape);
  }
  template <element T = double, class Low, class High = double>
  requires detail::some_arrays<Low, High> array<T> uniform(const Low& low, const High& high = High(1),
                                                           const shape_t& shape = {}) {
    return detail::uniform_by_element<T>(next_beside("uniform", low, high), low, high, shape);
  }

  template <element T = double>
  array<T> standard_normal(const shape_t& shape = {}) {
    return normal_as<T>("standard_normal", 0.0, 1.0, shape);
  }
  /// Mean `loc`, standard deviation `scale`.
  template <element T = double>
  array<T> normal(double loc = 0.0, double scale = 1.0, const shape_t& shape = {}) {
    return normal_as<T>("normal", loc, scale, shape);
  }
  template <element T = double, class Loc, class Scale = double>
  requires detail::some_arrays<Loc, Scale> array<T> normal(const Loc& loc, const Scale& scale = Scale(1),
                                                           const shape_t& shape = {}) {
    using draw = scalar::normal_draw<T>;
    return detail::normal_by_element<T, draw>(next_beside("normal", loc, scale), "normal", "scale < 0",
                                              "normal_draw", loc, scale, shape);
  }

  /// Each integer of [low, high) with the same probability.
  template <element T = std::int64_t, std::integral Low, std::integral High>
  array<T> integers(Low low, High high, const shape_t& shape = {}, integers_options options = {}) {
    static_assert(is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_,
                  "gnp: integers are of an integer type");
    return detail::integers_between<T>(next(), "integers", low, high, options.endpoint, shape);
  }
  template <element T = std::int64_t, std::integral High>
  array<T> integers(High high, const shape_t& shape = {}, integers_options options = {}) {
    return integers<T>(0, high, shape, options);
  }
  template <element T = std::int64_t, class Low, class High>
  requires detail::some_arrays<Low, High> array<T> integers(const Low& low, const High& high,
                                                            const shape_t& shape = {},
                                                            integers_options options = {}) {
    return detail::integers_by_element<T>(next_beside("integers", low, high), low, high, options.endpoint,
                                          shape);
  }
  template <element T = std::int64_t, array_like High>
  array<T> integers(const High& high, const shape_t& shape = {}, integers_options options = {}) {
    return integers<T>(0, high, shape, options);
  }

  /// Mean `scale`.
  template <element T = double>
  array<T> exponential(double scale = 1.0, const shape_t& shape = {}) {
    detail::check_non_negative("exponential", "scale < 0", "scale", scale);
    return exponential_as<T>("exponential", scale, shape);
  }
  template <element T = double, array_like Scale>
  array<T> exponential(const Scale& scale, const shape_t& shape = {}) {
    return detail::exponential_by_element<T>(next_beside("exponential", scale), scale, shape);
  }
  template <element T = double>
  array<T> standard_exponential(const shape_t& shape = {}) {
    return exponential_as<T>("standard_exponential", 1.0, shape);
  }
  /// exp of a normal number of this mean and standard deviation.
  template <element T = double>
  array<T> lognormal(double mean = 0.0, double sigma = 1.0, const shape_t& shape = {}) {
    static_assert(is_floating(dtype_of<T>), "gnp: log-normal numbers are of a real floating-point type");
    detail::check_non_negative("lognormal", "sigma < 0", "sigma", sigma);
    using real = typename scalar::computed_as<T>::type;
    const scalar::lognormal_draw<T> draw{static_cast<real>(mean), static_cast<real>(sigma)};
    return detail::drawn<T>(next(), "lognormal", "lognormal_draw<result_t>", draw, shape);
  }
  template <element T = double, class Mean, class Sigma = double>
  requires detail::some_arrays<Mean, Sigma> array<T> lognormal(const Mean& mean, const Sigma& sigma = Sigma(1),
                                                               const shape_t& shape = {}) {
    using draw = scalar::lognormal_draw<T>;
    return detail::normal_by_element<T, draw>(next_beside("lognormal", mean, sigma), "lognormal", "sigma < 0",
                                              "lognormal_draw", mean, sigma, shape);
  }

  /// Events in a time in which `lam` are expected.
  template <element T = std::int64_t>
  array<T> poisson(double lam = 1.0, const shape_t& shape = {}) {
    return detail::drawn<T>(next(), "poisson", "poisson_draw<result_t>", detail::poisson_of<T>(lam), shape);
  }
  template <element T = std::int64_t, array_like Lam>
  array<T> poisson(const Lam& lam, const shape_t& shape = {}) {
    return detail::poisson_by_element<T>(next_beside("poisson", lam), lam, shape);
  }
  /// Successes of n trials of probability p.
  template <element T = std::int64_t>
  array<T> binomial(std::int64_t n, double p, const shape_t& shape = {}) {
    return detail::drawn<T>(next(), "binomial", "binomial_draw<result_t>", detail::binomial_of<T>(n, p), shape);
  }
  template <element T = std::int64_t, class Trials, class Chance>
  requires detail::some_arrays<Trials, Chance> array<T> binomial(const Trials& n, const Chance& p,
                                                                 const shape_t& shape = {}) {
    return detail::binomial_by_element<T>(next_beside("binomial", n, p), n, p, shape);
  }

  /// 0, 1, ..., n - 1 in random order.
  template <std::integral Count>
  array<index_t> permutation(Count n) {
    return detail::order_of(next(), static_cast<index_t>(n), "permutation");
  }
  /// A copy of an array with its rows (or what lies along `axis`) in random order.
  template <array_like X>
  auto permutation(const X& x, axis_options options = {}) {
    const auto source = x.eval();
    const int axis = detail::normalize_axis(options.axis, source.ndim(), "permutation");
    const auto rows = moveaxis(source, axis, 0);
    const array<index_t> order = detail::order_of(next(source.device()), rows.shape()[0], "permutation");
    return moveaxis(detail::take_rows(rows, order, order.shape(), "permutation"), 0, axis);
  }
  /// Puts an array's rows (or what lies along `axis`) into random order, in place.
  template <class T>
  void shuffle(const array<T>& x, axis_options options = {}) {
    const int axis = detail::normalize_axis(options.axis, x.ndim(), "shuffle");
    const auto rows = moveaxis(x, axis, 0);
    const array<index_t> order = detail::order_of(next(x.device()), rows.shape()[0], "shuffle");
    detail::assign(rows, detail::take_rows(rows, order, order.shape(), "shuffle"), "shuffle");
  }

  /// Any of 0, 1, ..., n - 1.
  template <std::integral Count>
  array<index_t> choice(Count n, const shape_t& shape = {}, const choice_options& options = {}) {
    return detail::chosen(next(), static_cast<index_t>(n), shape, options);
  }
  /// Any elements of an array; of one of more dimensions, what lies along `axis`.
  template <array_like X>
  auto choice(const X& x, const shape_t& shape = {}, const choice_options& options = {}) {
    const auto source = x.eval();
    const int axis = detail::normalize_axis(options.axis, source.ndim(), "choice");
    const auto rows = moveaxis(source, axis, 0);
    const auto which = detail::chosen(next(source.device()), rows.shape()[0], shape, options);
    const auto taken = detail::take_rows(rows, which, shape, "choice");
    shape_t from;
    shape_t to;
    for (int d = 0; d < shape.rank(); ++d) {
      from.push_back(d);
      to.push_back(axis + d);
    }
    return moveaxis(taken, from, to);
  }

 private:
  template <class T>
  array<T> exponential_as(const char* function, double scale, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: exponential numbers are of a real floating-point type");
    using real = typename scalar::computed_as<T>::type;
    const scalar::exponential_draw<T> draw{static_cast<real>(0.5 * scale)};
    return detail::drawn<T>(next(), function, "exponential_draw<result_t>", draw, shape);
  }
  /// Where the arrays among a distribution's parameters are.
  template <class... P>
  detail::random_call next_beside(const char* function, const P&... parameters) {
    return next(detail::device_of_parameters(function, parameters...));
  }
  detail::random_call next() { return next(placed_ ? where_ : default_device()); }
  detail::random_call next(gnp::device where) {
    return {{seed_, calls_.fetch_add(1, std::memory_order_relaxed)}, where};
  }

  template <class T>
  array<T> uniform_as(const char* function, double low, double high, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: uniform numbers are of a real floating-point type");
    const auto draw = detail::uniform_between<T>(function, low, high);
    return detail::drawn<T>(next(), function, "uniform_draw<result_t>", draw, shape);
  }
  template <class T>
  array<T> normal_as(const char* function, double loc, double scale, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: normal numbers are of a real floating-point type");
    detail::check_non_negative(function, "scale < 0", "scale", scale);
    using real = typename scalar::computed_as<T>::type;
    const scalar::normal_draw<T> draw{static_cast<real>(loc), static_cast<real>(scale)};
    return detail::drawn<T>(next(), function, "normal_draw<result_t>", draw, shape);
  }

  std::uint64_t seed_;
  std::atomic<std::uint64_t> calls_{0};
  bool placed_ = false;  // on where_, not on the default device
  gnp::device where_ = gnp::device::cpu();
};

inline generator default_rng(std::uint64_t seed) { return generator(seed); }
inline generator default_rng(std::uint64_t seed, gnp::device where) { return generator(seed, where); }
/// With a seed from the system.
inline generator default_rng() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
    throw error("default_rng: the system has no random numbers");
  return generator(seed);
}

}  // namespace gnp::inline GNP_ABI::random
