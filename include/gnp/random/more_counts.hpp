// SPDX-License-Identifier: MIT
// More laws of counts: geometric, negative binomial, logarithmic series, Zipf, hypergeometric.
#pragma once

#include <gnp/random/gamma.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// An exponential number, rounded up. A chance of 1 has no rate; the first trial succeeds.
GNP_SCALAR(geometric_law, random,
  struct geometric_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = false;
    double rate;
    [[gnu::always_inline]] static inline geometric_law of(const double* given) { return geometric_law{given[0] < 1.0 ? -log1p_of(-given[0]) : 1e300}; }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      const long long k = as_count(gnp_ceil(-log_of(unit(own.x, own.y)) / rate));
      return k < 1 ? 1 : k;
    }
  };)

// A Poisson number whose mean is a gamma number.
GNP_SCALAR(negative_binomial_law, random,
  struct negative_binomial_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    standard_gamma gamma;
    double odds;
    [[gnu::always_inline]] static inline negative_binomial_law of(const double* given) {
      return negative_binomial_law{standard_gamma::of(given[0]), (1.0 - given[1]) / given[1]};
    }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      const poisson_law law = poisson_law_of(gnp_rounded(odds * gamma.make(own)));
      return as_count(law.make(own));
    }
  };)

// Kemp, "Efficient generation of logarithmically distributed pseudo-random variables" (1981).
GNP_SCALAR(logseries_law, random,
  struct logseries_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = true;
    double p;
    double r;
    [[gnu::always_inline]] static inline logseries_law of(const double* given) { return logseries_law{given[0], log1p_of(-given[0])}; }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      while (own.more()) {
        const double v = own.uniform();
        if (v >= p) { return 1ll; }
        const double q = -expm1_of(r * own.uniform());
        if (v > q * q) { return v >= q ? 1ll : 2ll; }
        const double k = gnp_floor(1.0 + log_of(v) / log_of(q));
        if (k >= 1.0 && k < 9223372036854775807.0) { return static_cast<long long>(k); }
      }
      return 1ll;
    }
  };)

// Devroye, "Non-uniform random variate generation" (1986), X.6.1. `excess` is 2^(a - 1) - 1. Uniform numbers
// below `least` would give numbers that 64 bits cannot hold.
GNP_SCALAR(zipf_law, random,
  struct zipf_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = true;
    double power;
    double excess;
    double least;
    [[gnu::always_inline]] static inline zipf_law of(const double* given) {
      const double power = given[0] - 1.0;
      return zipf_law{power, expm1_of(power * 0.6931471805599453), exp_of(-43.66827237527655 * power)};
    }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      if (power >= 1024.0) { return 1ll; }
      while (own.more()) {
        const double u = own.uniform();
        const double x = gnp_floor(exp_of(-log_of(fused(u, least, 1.0 - u)) / power));
        if (!(x >= 1.0 && x < 9223372036854775807.0)) { continue; }
        const double t = expm1_of(power * log1p_of(1.0 / x));
        if (own.uniform() * x * t / excess <= (1.0 + t) / (1.0 + excess)) { return static_cast<long long>(x); }
      }
      return 1ll;
    }
  };)

// Counts whichever are fewer, good or bad items, in a sample of at most half of all. Small samples are drawn
// one by one, larger ones by the ratio of uniforms (Stadlober, "The ratio of uniforms approach for generating
// discrete random variates", 1990). Their probability is computed as that of two binomial counts, one among the
// good items and one among the bad.
GNP_SCALAR(hypergeometric_law, random,
  struct hypergeometric_law {
    static constexpr int parameters = 3;
    static constexpr bool rejects = true;
    double good;
    double bad;
    double sample;
    [[gnu::always_inline]] static inline hypergeometric_law of(const double* given) { return hypergeometric_law{given[0], given[1], given[2]}; }
    [[gnu::always_inline]] static inline binomial_law among(double n, double p) {
      return binomial_law{n, p, 0.0, 0.0, 0.0, 0.0, 0.0, n > 0.0 ? stirling_error(n) : 0.0, 0.0};
    }
    [[gnu::always_inline]] static inline double one_by_one(double few, double all, double drawn, own_words& own) {
      double hits = 0.0;
      for (int i = 0; i < static_cast<int>(drawn); ++i) {
        if (own.uniform() * (all - static_cast<double>(i)) <= few - hits) { hits += 1.0; }
      }
      return hits;
    }
    [[gnu::always_inline]] static inline double by_ratio(double few, double all, double drawn, own_words& own) {
      const double share = few / all;
      const double p = drawn / all;
      const double centre = fused(drawn, share, 0.5);
      const double spread = gnp_sqrt(fused((all - drawn) * p * share, (all - few) / (all - 1.0), 0.5));
      const double width = fused(1.7155277699214135, spread, 0.8989161620588988);
      const double mode = gnp_floor((drawn + 1.0) * (few + 1.0) / (all + 2.0));
      const double most = gnp_floor(fused(16.0, spread, centre));
      const double end = most < few + 1.0 ? most : few + 1.0;
      const binomial_law hit = among(few, p);
      const binomial_law miss = among(all - few, p);
      const double log_most = hit.log_probability(mode) + miss.log_probability(drawn - mode);
      while (own.more()) {
        const double x = own.uniform();
        const double place = fused(width, (own.uniform() - 0.5) / x, centre);
        if (!(place >= 0.0 && place < end && place < drawn + 1.0)) { continue; }
        const double k = gnp_floor(place);
        const double t = (hit.log_probability(k) + miss.log_probability(drawn - k)) - log_most;
        if (2.0 * log_of(x) <= t) { return k; }
      }
      return mode;
    }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      const double all = good + bad;
      const double few = good < bad ? good : bad;
      const double drawn = sample < all - sample ? sample : all - sample;
      double k = few == 0.0 ? 0.0 : drawn < 10.0 ? one_by_one(few, all, drawn, own) : by_ratio(few, all, drawn, own);
      if (good > bad) { k = drawn - k; }
      if (drawn < sample) { k = good - k; }
      return static_cast<long long>(k);
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
