// SPDX-License-Identifier: MIT
// gnp::random::default_rng(seed): a generator of random arrays, with NumPy's methods.
#pragma once

#include <sys/random.h>

#include <atomic>
#include <gnp/random/array_parameters.hpp>
#include <gnp/random/choice.hpp>
#include <gnp/random/parameter.hpp>

namespace gnp { inline namespace GNP_ABI { namespace random {

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
    return uniform_of<T>("random", 0.0, 1.0, shape);
  }
  /// Uniform on [low, high).
  template <element T = double, detail::real_or_array Low = detail::left_out,
            detail::real_or_array High = detail::left_out>
  array<T> uniform(const Low& low = 0.0, const High& high = 1.0, const shape_t& shape = {}) {
    return uniform_of<T>("uniform", detail::given_parameter(low), detail::given_parameter(high), shape);
  }

  template <element T = double>
  array<T> standard_normal(const shape_t& shape = {}) {
    return normal_of<T, scalar::normal_draw<T>>(standard_normal_names, 0.0, 1.0, shape);
  }
  /// Mean `loc`, standard deviation `scale`.
  template <element T = double, detail::real_or_array Loc = detail::left_out,
            detail::real_or_array Scale = detail::left_out>
  array<T> normal(const Loc& loc = 0.0, const Scale& scale = 1.0, const shape_t& shape = {}) {
    return normal_of<T, scalar::normal_draw<T>>(normal_names, detail::given_parameter(loc),
                                                detail::given_parameter(scale), shape);
  }
  /// exp of a normal number of this mean and standard deviation.
  template <element T = double, detail::real_or_array Mean = detail::left_out,
            detail::real_or_array Sigma = detail::left_out>
  array<T> lognormal(const Mean& mean = 0.0, const Sigma& sigma = 1.0, const shape_t& shape = {}) {
    return normal_of<T, scalar::lognormal_draw<T>>(lognormal_names, detail::given_parameter(mean),
                                                   detail::given_parameter(sigma), shape);
  }

  /// Each integer of [low, high) with the same probability.
  template <element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High>
  array<T> integers(const Low& low, const High& high, const shape_t& shape = {},
                    integers_options options = {}) {
    static_assert(is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_,
                  "gnp: integers are of an integer type");
    if constexpr (array_like<Low> || array_like<High>) {
      return detail::integers_by_element<T>(next_beside("integers", low, high), low, high, options.endpoint,
                                            shape);
    } else {
      return detail::integers_between<T>(next(), "integers", low, high, options.endpoint, shape);
    }
  }
  template <element T = std::int64_t, detail::integer_or_array High = detail::left_out>
  array<T> integers(const High& high, const shape_t& shape = {}, integers_options options = {}) {
    if constexpr (!std::is_same_v<High, detail::left_out>) return integers<T>(0, high, shape, options);
  }

  /// Mean `scale`.
  template <element T = double, detail::real_or_array Scale = detail::left_out>
  array<T> exponential(const Scale& scale = 1.0, const shape_t& shape = {}) {
    return exponential_of<T>("exponential", detail::given_parameter(scale), shape);
  }
  template <element T = double>
  array<T> standard_exponential(const shape_t& shape = {}) {
    return exponential_of<T>("standard_exponential", 1.0, shape);
  }

  /// Events in a time in which `lam` are expected.
  template <element T = std::int64_t, detail::real_or_array Lam = detail::left_out>
  array<T> poisson(const Lam& lam = 1.0, const shape_t& shape = {}) {
    if constexpr (array_like<Lam>) {
      return detail::poisson_by_element<T>(next_beside("poisson", lam), lam, shape);
    } else {
      const auto draw = detail::poisson_of<T>(static_cast<double>(lam));
      return detail::drawn<T>(next(), "poisson", "poisson_draw<result_t>", draw, shape);
    }
  }
  /// Successes of n trials of probability p.
  template <element T = std::int64_t, detail::real_or_array Trials = detail::left_out,
            detail::real_or_array Chance = detail::left_out>
  array<T> binomial(const Trials& n, const Chance& p, const shape_t& shape = {}) {
    if constexpr (array_like<Trials> || array_like<Chance>) {
      return detail::binomial_by_element<T>(next_beside("binomial", n, p), n, p, shape);
    } else {
      const auto draw = detail::binomial_of<T>(static_cast<std::int64_t>(n), static_cast<double>(p));
      return detail::drawn<T>(next(), "binomial", "binomial_draw<result_t>", draw, shape);
    }
  }

  /// 0, 1, ..., n - 1 in random order, or a copy of an array with its rows (or what lies along `axis`) in it.
  template <class X = detail::left_out>
  auto permutation(const X& x, axis_options options = {}) {
    static_assert(std::integral<X> || array_like<X>, "gnp: permutation takes a number or an array");
    if constexpr (std::integral<X>) {
      return detail::order_of(next(), static_cast<index_t>(x), "permutation");
    } else if constexpr (array_like<X>) {
      const auto source = x.eval();
      const int axis = detail::normalize_axis(options.axis, source.ndim(), "permutation");
      const auto rows = moveaxis(source, axis, 0);
      const array<index_t> order = detail::order_of(next(source.device()), rows.shape()[0], "permutation");
      return moveaxis(detail::take_rows(rows, order, order.shape(), "permutation"), 0, axis);
    }
  }
  template <array_like X>
  auto permutation(const X& x, int axis) {
    return permutation(x, {.axis = axis});
  }
  /// Puts an array's rows (or what lies along `axis`) into random order, in place.
  template <class T>
  void shuffle(const array<T>& x, axis_options options = {}) {
    const int axis = detail::normalize_axis(options.axis, x.ndim(), "shuffle");
    const auto rows = moveaxis(x, axis, 0);
    const array<index_t> order = detail::order_of(next(x.device()), rows.shape()[0], "shuffle");
    detail::assign(rows, detail::take_rows(rows, order, order.shape(), "shuffle"), "shuffle");
  }
  template <class T>
  void shuffle(const array<T>& x, int axis) {
    shuffle(x, {.axis = axis});
  }

  /// Any of 0, 1, ..., n - 1, or any elements of an array; of one of more dimensions, what lies along `axis`.
  template <class X = detail::left_out>
  auto choice(const X& x, const shape_t& shape = {}, const choice_options& options = {}) {
    static_assert(std::integral<X> || array_like<X>, "gnp: choice takes a number or an array");
    if constexpr (std::integral<X>) {
      return detail::chosen(next(), static_cast<index_t>(x), shape, options);
    } else if constexpr (array_like<X>) {
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
  }

 private:
  /// Where the arrays among a distribution's parameters are.
  template <class... P>
  detail::random_call next_beside(const char* function, const P&... parameters) {
    return next(detail::device_of_parameters(function, parameters...));
  }
  detail::random_call next() { return next(placed_ ? where_ : default_device()); }
  detail::random_call next(gnp::device where) {
    return {{seed_, calls_.fetch_add(1, std::memory_order_relaxed)}, where};
  }

  // Numbers as double, or arrays.
  template <class T, class Low, class High>
  array<T> uniform_of(const char* function, const Low& low, const High& high, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: uniform numbers are of a real floating-point type");
    if constexpr (detail::some_arrays<Low, High>) {
      return detail::uniform_by_element<T>(next_beside(function, low, high), low, high, shape);
    } else {
      const auto draw = detail::uniform_between<T>(function, low, high);
      return detail::drawn<T>(next(), function, "uniform_draw<result_t>", draw, shape);
    }
  }
  /// What the messages and the kernels of normal numbers call them, and their deviation.
  struct names {
    const char* function;
    const char* rule;
    const char* deviation;
    const char* draw;
  };
  static constexpr names standard_normal_names{"standard_normal", "scale < 0", "scale",
                                               "normal_draw<result_t>"};
  static constexpr names normal_names{"normal", "scale < 0", "scale", "normal_draw<result_t>"};
  static constexpr names lognormal_names{"lognormal", "sigma < 0", "sigma", "lognormal_draw<result_t>"};

  /// Normal and log-normal numbers, by Draw.
  template <class T, class Draw, class Mean, class Deviation>
  array<T> normal_of(const names& as, const Mean& mean, const Deviation& deviation, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: normal numbers are of a real floating-point type");
    if constexpr (detail::some_arrays<Mean, Deviation>) {
      return detail::normal_by_element<T, Draw>(next_beside(as.function, mean, deviation), as.function, as.rule,
                                                as.draw, mean, deviation, shape);
    } else {
      detail::check_non_negative(as.function, as.rule, as.deviation, deviation);
      using real_t = typename scalar::computed_as<T>::type;
      const Draw draw{static_cast<real_t>(mean), static_cast<real_t>(deviation)};
      return detail::drawn<T>(next(), as.function, as.draw, draw, shape);
    }
  }
  template <class T, class Scale>
  array<T> exponential_of(const char* function, const Scale& scale, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: exponential numbers are of a real floating-point type");
    if constexpr (array_like<Scale>) {
      return detail::exponential_by_element<T>(next_beside(function, scale), scale, shape);
    } else {
      detail::check_non_negative(function, "scale < 0", "scale", scale);
      using real_t = typename scalar::computed_as<T>::type;
      const scalar::exponential_draw<T> draw{static_cast<real_t>(0.5 * scale)};
      return detail::drawn<T>(next(), function, "exponential_draw<result_t>", draw, shape);
    }
  }

  std::uint64_t seed_;
  std::atomic<std::uint64_t> calls_{0};
  bool placed_ = false;  // on where_, not on the default device
  gnp::device where_ = gnp::device::cpu();
};

inline generator default_rng(std::uint64_t seed) { return generator(seed); }
inline generator default_rng(std::uint64_t seed, gnp::device where) { return generator(seed, where); }
/// With a seed from the system.
GNP_INLINE generator default_rng() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
    throw error("default_rng: the system has no random numbers");
  return generator(seed);
}

}}}  // namespace gnp::GNP_ABI::random
