// SPDX-License-Identifier: MIT
// Laws whose numbers are a formula of one uniform number: Laplace, logistic, Gumbel, Pareto, power, Rayleigh,
// Cauchy, triangular, Weibull. In a long tail the uniform number is small, so that it has all its digits.
#pragma once

#include <gnp/random/law.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// An exponential number, never 0, of mean 1. It would be 0 where the uniform number is 1, which alone has the exponent
// whose sum with 1 reaches bit 62. (A condition would keep g++ from vectorising what takes the logarithm again: it
// would compute the condition's constant case apart.)
GNP_SCALAR(exponential_of, random,
  [[gnu::always_inline]] inline double exponential_of(const own_words& own) {
    const double u = unit(own.x, own.y);
    const unsigned long long is_one = (gnp_double_bits(u) + 0x0010000000000000ull) >> 62;
    return -log_of(u) + gnp_bits_double((0ull - is_one) & 0x3c90000000000000ull);
  })

// A number in (0, 1], and a sign from a bit that the number does not use.
GNP_SCALAR(signed_unit, random,
  struct signed_unit {
    double u;
    bool negative;
    [[gnu::always_inline]] static inline signed_unit of(const own_words& own) { return signed_unit{unit(own.x, own.y << 1), (own.y >> 31) != 0u}; }
    [[gnu::always_inline]] inline double with_sign(double x) const { return negative ? -x : x; }
  };)

GNP_SCALAR(laplace_law, random,
  struct laplace_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = false;
    double location;
    double scale;
    [[gnu::always_inline]] static inline laplace_law of(const double* given) { return laplace_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      const signed_unit s = signed_unit::of(own);
      return fused(scale, s.with_sign(-log_of(s.u)), location);
    }
  };)

GNP_SCALAR(logistic_law, random,
  struct logistic_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = false;
    double location;
    double scale;
    [[gnu::always_inline]] static inline logistic_law of(const double* given) { return logistic_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      const signed_unit s = signed_unit::of(own);
      return fused(scale, s.with_sign(log_of((2.0 - s.u) / s.u)), location);
    }
  };)

GNP_SCALAR(gumbel_law, random,
  struct gumbel_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = false;
    double location;
    double scale;
    [[gnu::always_inline]] static inline gumbel_law of(const double* given) { return gumbel_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return fused(scale, -log_of(exponential_of(own)), location); }
  };)

GNP_SCALAR(pareto_law, random,
  struct pareto_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = false;
    double a;
    [[gnu::always_inline]] static inline pareto_law of(const double* given) { return pareto_law{given[0]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return expm1_of(exponential_of(own) / a); }
  };)

GNP_SCALAR(power_law, random,
  struct power_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = false;
    double a;
    [[gnu::always_inline]] static inline power_law of(const double* given) { return power_law{given[0]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return exp_of(-exponential_of(own) / a); }
  };)

GNP_SCALAR(rayleigh_law, random,
  struct rayleigh_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = false;
    double scale;
    [[gnu::always_inline]] static inline rayleigh_law of(const double* given) { return rayleigh_law{given[0]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return scale * root(minus_two_log(unit(own.x, own.y))); }
  };)

// The tangent of at most an eighth of a turn, or its reciprocal.
GNP_SCALAR(standard_cauchy_law, random,
  struct standard_cauchy_law {
    static constexpr int parameters = 0;
    static constexpr bool rejects = false;
    [[gnu::always_inline]] static inline standard_cauchy_law of(const double*) { return standard_cauchy_law{}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      const double x = 0.5 * unit(own.x, own.y << 2);
      const double z = x * x;
      const double sine = x * sine_part(z);
      const double cosine = cosine_part(z);
      const double tangent = (own.y & 0x40000000u) != 0u ? sine / cosine : cosine / sine;
      return (own.y >> 31) != 0u ? -tangent : tangent;
    }
  };)

GNP_SCALAR(triangular_law, random,
  struct triangular_law {
    static constexpr int parameters = 3;
    static constexpr bool rejects = false;
    double left;
    double mode;
    double right;
    [[gnu::always_inline]] static inline triangular_law of(const double* given) { return triangular_law{given[0], given[1], given[2]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      const double u = unit(own.x, own.y);
      const double base = right - left;
      const double rising = mode - left;
      if (u <= rising / base) { return left + gnp_sqrt(u * rising * base); }
      return right - gnp_sqrt((1.0 - u) * (right - mode) * base);
    }
  };)

// `kept` has no bits for a shape of 0, where all numbers are 0. (A condition would keep g++ from vectorising.)
GNP_SCALAR(weibull_law, random,
  struct weibull_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = false;
    double a;
    unsigned long long kept;
    [[gnu::always_inline]] static inline weibull_law of(const double* given) { return weibull_law{given[0], given[0] == 0.0 ? 0ull : ~0ull}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      return gnp_bits_double(gnp_double_bits(exp_of(log_of(exponential_of(own)) / a)) & kept);
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
