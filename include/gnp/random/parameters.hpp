// SPDX-License-Identifier: MIT
// The parameters of distributions: checked and brought into the form that the draws need.
#pragma once

#include <bit>
#include <gnp/random/counts.hpp>
#include <gnp/random/fill.hpp>
#include <gnp/random/integers.hpp>
#include <gnp/random/real.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn]] [[gnu::cold]] GNP_INLINE void throw_parameter(const char* function, const char* rule,
                                                           const char* name, double value) {
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", value);
  throw error(std::string(function) + ": " + rule + ", got " + name + " = " + number);
}

/// NumPy refuses -0.0 too.
GNP_INLINE void check_non_negative(const char* function, const char* rule, const char* name, double value) {
  if (std::signbit(value) && value == value) throw_parameter(function, rule, name, value);
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
  return scalar::uniform_within<T>(low, high);
}

/// A power of two as the number of choices: the uppermost bits of each word, none of which is drawn again. (As
/// a draw that may try again, the loop would not be vectorised.)
template <class T>
struct tries_in_tiles<scalar::narrow_integer_draw<T>> {
  using draw_t = scalar::narrow_integer_draw<T>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    if (draw.excess != 0 || draw.choices == 1) return fill_tile<in_vectors, tile>(draw, from, first, out);
    std::uint32_t words[4 * tile];
    write_words<in_vectors, 1, tile>(from, first, words);
    const int lost = 32 - std::countr_zero(draw.choices);
    for (std::uint32_t e = 0; e < 4 * tile; ++e) out[e] = static_cast<T>(draw.low + (words[e] >> lost));
  }
};

/// The integers of [low, low + last] as T; `last` is the number of choices minus one.
template <class T>
array<T> integers_from(const random_call& call, const char* function, std::uint64_t low, std::uint64_t last,
                       const shape_t& shape) {
  using narrow = scalar::narrow_integer_draw<T>;
  using wide = scalar::wide_integer_draw<T>;
  const unsigned long long choices = last + 1;  // 0 for 2^64
  if (last > 0xffffffffU) {
    return drawn<T>(call, function, "wide_integer_draw<result_t>", wide::among(low, choices), shape);
  }
  return drawn<T>(call, function, "narrow_integer_draw<result_t>", narrow::among(low, choices), shape);
}

/// The limits of an integer type, or of bool as an integer.
template <class T>
inline constexpr auto least_integer = (std::numeric_limits<type_of<dtype_of<T>>>::min)();
template <class T>
inline constexpr auto most_integer = (std::numeric_limits<type_of<dtype_of<T>>>::max)();
template <>
inline constexpr std::uint8_t least_integer<bool> = 0;
template <>
inline constexpr std::uint8_t most_integer<bool> = 1;

/// Is one of these sizes 0? As in NumPy, the bounds of no integers are not looked at.
constexpr bool asks_for_nothing(const shape_t& shape) {
  bool nothing = false;
  for (const index_t size : shape) nothing = nothing || size == 0;
  return nothing;
}

/// NumPy's checks of a range [low, high), or [low, high] with `endpoint`.
template <class T, class Low, class High>
array<T> integers_between(const random_call& call, const char* function, Low low, High high, bool endpoint,
                          const shape_t& shape) {
  if (asks_for_nothing(shape)) return array<T>(shape, call.where, function);
  constexpr auto least = least_integer<T>;
  constexpr auto most = most_integer<T>;
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

// NumPy's limit: 10 standard deviations below the largest 64-bit integer.
inline constexpr double largest_poisson_mean = 9223372006484771000.0;

template <class T>
scalar::poisson_draw<T> poisson_of(double mean) {
  if (!(mean >= 0)) throw_parameter("poisson", "lam < 0 or lam is NaN", "lam", mean);
  if (mean > largest_poisson_mean) throw_parameter("poisson", "lam value too large", "lam", mean);
  return {scalar::poisson_law_of(mean)};
}

GNP_INLINE void check_trials(std::int64_t n) {
  if (n < 0) throw_parameter("binomial", "n < 0", "n", static_cast<double>(n));
}
GNP_INLINE void check_chance(double p) {
  if (!(p >= 0 && p <= 1)) throw_parameter("binomial", "p < 0, p > 1 or p is NaN", "p", p);
}

template <class T>
scalar::binomial_draw<T> binomial_of(std::int64_t n, double p) {
  check_trials(n);
  check_chance(p);
  return scalar::binomial_draw<T>::of(n, p);
}

}}}  // namespace gnp::GNP_ABI::detail
