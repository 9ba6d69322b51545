// SPDX-License-Identifier: MIT
// What distributions are given, checked and brought into the form that the draws want.
#pragma once

#include <gnp/random/counts.hpp>
#include <gnp/random/fill.hpp>
#include <gnp/random/integers.hpp>
#include <gnp/random/real.hpp>
#include <utility>

namespace gnp::inline GNP_ABI::detail {

[[noreturn]] [[gnu::cold]] inline void throw_parameter(const char* function, const char* rule, const char* name,
                                                       double value) {
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", value);
  throw error(std::string(function) + ": " + rule + ", got " + name + " = " + number);
}

/// NumPy refuses -0.0 too.
inline void check_non_negative(const char* function, const char* rule, const char* name, double value) {
  if (std::signbit(value) && value == value) throw_parameter(function, rule, name, value);
}

/// The neighbour of x in its own type.
template <class T>
T next_in_type(T x, bool upward) {
  if constexpr (scalar::is_float_v<T>) {
    return std::nextafter(x, upward ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity());
  } else {
    if ((x.bits & 0x7fff) == 0) return T::from_bits(upward ? 1 : 0x8001);
    const bool away = upward == ((x.bits & 0x8000) == 0);
    return T::from_bits(static_cast<std::uint16_t>(away ? x.bits + 1 : x.bits - 1));
  }
}

/// Uniform on [low, high).
template <class T>
scalar::uniform_draw<T> uniform_between(const char* function, double low, double high) {
  using real = typename scalar::computed_as<T>::type;
  const double range = high - low;
  const auto fail = [&](const char* what) {
    throw error(std::string(function) + ": " + what + ": low = " + std::to_string(low) +
                ", high = " + std::to_string(high) + " for " + name(dtype_of<T>));
  };
  constexpr double largest = largest_finite(dtype_of<T>);
  if (!(range - range == 0) || std::abs(low) > largest || std::abs(high) > largest ||
      std::abs(range) > largest_finite(dtype_of<real>)) {
    fail("high - low range exceeds valid bounds");
  }
  if (range < 0) fail("high - low < 0");
  // The elements of T next to the ends, inside: rounding is monotonous, so the first is never passed.
  T first = scalar::cast<T>(low + 0.0);
  if (static_cast<double>(first) < low) first = next_in_type(first, true);
  T last = scalar::cast<T>(high);
  if (static_cast<double>(last) >= high && low < high) last = next_in_type(last, false);
  return {static_cast<real>(first), static_cast<real>(range), static_cast<real>(last)};
}

/// The integers of [low, low + last] as T; `last` is the number of choices less one.
template <class T>
array<T> integers_from(const random_call& call, const char* function, std::uint64_t low, std::uint64_t last,
                       const shape_t& shape) {
  const unsigned long long choices = last + 1;  // 0 for 2^64
  if (last <= 0xffffffffU) {
    const auto excess = static_cast<unsigned>((1ULL << 32) % choices);
    return drawn(call, function, "narrow_integer_draw", scalar::narrow_integer_draw<T>{low, choices, excess},
                 shape);
  }
  const unsigned long long excess = choices == 0 ? 0 : (0 - choices) % choices;
  return drawn(call, function, "wide_integer_draw", scalar::wide_integer_draw<T>{low, choices, excess}, shape);
}

/// NumPy's checks of a range [low, high), or [low, high] with `endpoint`.
template <class T, class Low, class High>
array<T> integers_between(const random_call& call, const char* function, Low low, High high, bool endpoint,
                          const shape_t& shape) {
  using U = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, type_of<dtype_of<T>>>;
  constexpr auto least = std::is_same_v<T, bool> ? U(0) : (std::numeric_limits<U>::min)();
  constexpr auto most = std::is_same_v<T, bool> ? U(1) : (std::numeric_limits<U>::max)();
  const auto fail = [&](const char* what) {
    throw error(std::string(function) + ": " + what + ": low = " + std::to_string(low) + ", high = " +
                std::to_string(high) + (endpoint ? " (endpoint included)" : "") + " for " + name(dtype_of<T>));
  };
  if (std::cmp_less(low, least) || std::cmp_greater(low, most)) fail("low is out of bounds");
  const bool beyond = std::cmp_greater(high, most) &&
                      (endpoint || std::cmp_not_equal(static_cast<std::uint64_t>(high) - 1, most));
  if (beyond || std::cmp_less(high, least)) fail("high is out of bounds");
  if (endpoint ? std::cmp_greater(low, high) : std::cmp_greater_equal(low, high))
    fail(endpoint ? "low > high" : "low >= high");
  const auto first = static_cast<std::uint64_t>(low);
  const std::uint64_t last = static_cast<std::uint64_t>(high) - first - (endpoint ? 0 : 1);
  return integers_from<T>(call, function, first, last, shape);
}

template <class T>
scalar::poisson_draw<T> poisson_of(double mean) {
  constexpr double most = 9223372006484771000.0;  // NumPy's: 10 standard deviations below what 64 bits hold
  if (std::signbit(mean) || mean != mean) throw_parameter("poisson", "lam < 0 or lam is NaN", "lam", mean);
  if (mean > most) throw_parameter("poisson", "lam value too large", "lam", mean);
  return {scalar::poisson_law_of(mean)};
}

template <class T>
scalar::binomial_draw<T> binomial_of(std::int64_t n, double p) {
  if (n < 0) throw_parameter("binomial", "n < 0", "n", static_cast<double>(n));
  if (!(p >= 0 && p <= 1)) throw_parameter("binomial", "p < 0, p > 1 or p is NaN", "p", p);
  const bool flipped = p > 0.5;
  const double q = flipped ? 1 - p : p;
  const auto trials = static_cast<double>(n);
  const double none = trials * q < 10 ? std::exp(trials * std::log1p(-q)) : 0;
  return {scalar::binomial_law_of(trials, q, none), n, flipped ? 1 : 0};
}

}  // namespace gnp::inline GNP_ABI::detail
