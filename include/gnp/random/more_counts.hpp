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
    [[gnu::always_inline]] static inline geometric_law of(const double* given) {
      const double rate = -log1p_of(-given[0]);
      return geometric_law{given[0] < 1.0 ? rate : 1e300};
    }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      const long long k = as_count(trials(unit(own.x, own.y)));
      return k < 1 ? 1 : k;
    }
    [[gnu::always_inline]] inline double trials(double u) const { return gnp_ceil(-log_of(u) / rate); }
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
        const double q = chance(own.uniform());
        if (v > q * q) { return v >= q ? 1ll : 2ll; }
        const double k = beyond_two(v, q);
        if (k >= 1.0 && k < 9223372036854775807.0) { return static_cast<long long>(k); }
      }
      return 1ll;
    }
    [[gnu::always_inline]] inline double chance(double u) const { return -expm1_of(r * u); }
    [[gnu::always_inline]] static inline double beyond_two(double v, double q) { return gnp_floor(1.0 + log_of(v) / log_of(q)); }
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
        const double x = candidate(own.uniform());
        if (!(x >= 1.0 && x < 9223372036854775807.0)) { continue; }
        if (keeps(x, own.uniform())) { return static_cast<long long>(x); }
      }
      return 1ll;
    }
    [[gnu::always_inline]] inline double candidate(double u) const { return gnp_floor(exp_of(-log_of(fused(u, least, 1.0 - u)) / power)); }
    [[gnu::always_inline]] inline bool keeps(double x, double u) const {
      const double t = expm1_of(power * log1p_of(1.0 / x));
      return u * x * t / excess <= (1.0 + t) / (1.0 + excess);
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
    double few;
    double drawn;
    double centre;
    double width;
    double mode;
    double end;
    double log_most;
    binomial_law hit;
    binomial_law miss;
    [[gnu::always_inline]] static inline hypergeometric_law of(const double* given) {
      hypergeometric_law law = counted(given);
      if (law.by_ratio()) {
        law.prepare_place();
        law.prepare_parts();
      }
      return law;
    }
    [[gnu::always_inline]] static inline hypergeometric_law counted(const double* given) {
      hypergeometric_law law{};
      law.good = given[0];
      law.bad = given[1];
      law.sample = given[2];
      const double all = law.good + law.bad;
      law.few = law.good < law.bad ? law.good : law.bad;
      law.drawn = law.sample < all - law.sample ? law.sample : all - law.sample;
      return law;
    }
    [[gnu::always_inline]] inline bool by_ratio() const { return few != 0.0 && !(drawn < 10.0); }
    [[gnu::always_inline]] static inline binomial_law among(double n, double p) {
      return binomial_law{n, p, 0.0, 0.0, 0.0, 0.0, 0.0, n > 0.0 ? stirling_error(n) : 0.0, 0.0};
    }
    [[gnu::always_inline]] inline void prepare_place() {
      const double all = good + bad;
      const double share = few / all;
      const double p = drawn / all;
      centre = fused(drawn, share, 0.5);
      const double spread = gnp_sqrt(fused((all - drawn) * p * share, (all - few) / (all - 1.0), 0.5));
      width = fused(1.7155277699214135, spread, 0.8989161620588988);
      mode = gnp_floor((drawn + 1.0) * (few + 1.0) / (all + 2.0));
      const double most = gnp_floor(fused(16.0, spread, centre));
      end = most < few + 1.0 ? most : few + 1.0;
    }
    [[gnu::always_inline]] inline void prepare_parts() {
      const double all = good + bad;
      const double p = drawn / all;
      hit = among(few, p);
      miss = among(all - few, p);
      log_most = hit.log_probability(mode) + miss.log_probability(drawn - mode);
    }
    [[gnu::always_inline]] inline double one_by_one(own_words& own) const {
      const double all = good + bad;
      double hits = 0.0;
      for (int i = 0; i < static_cast<int>(drawn); ++i) {
        if (own.uniform() * (all - static_cast<double>(i)) <= few - hits) { hits += 1.0; }
      }
      return hits;
    }
    // A try from two uniform numbers: which count, if it is within the bounds, and the logarithm of its probability
    // as part of the largest.
    [[gnu::always_inline]] inline double place(double x, double y) const { return fused(width, (y - 0.5) / x, centre); }
    [[gnu::always_inline]] inline bool holds(double at) const { return at >= 0.0 && at < end && at < drawn + 1.0; }
    [[gnu::always_inline]] inline double log_part(double k) const {
      return (hit.log_probability(k) + miss.log_probability(drawn - k)) - log_most;
    }
    // `parts` knows the logarithms: this law, or a table of them.
    template <class Parts> [[gnu::always_inline]] inline double reject(own_words& own, Parts& parts) const {
      while (own.more()) {
        const double x = own.uniform();
        const double at = place(x, own.uniform());
        if (!holds(at)) { continue; }
        const double k = gnp_floor(at);
        if (2.0 * log_of(x) <= parts.log_part(k)) { return k; }
      }
      return mode;
    }
    // What is counted may be the good ones that are left, or the bad ones.
    [[gnu::always_inline]] inline long long count(double k) const {
      if (good > bad) { k = drawn - k; }
      if (drawn < sample) { k = good - k; }
      return static_cast<long long>(k);
    }
    [[gnu::always_inline]] inline long long make(own_words& own) const {
      return count(few == 0.0 ? 0.0 : drawn < 10.0 ? one_by_one(own) : reject(own, *this));
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
