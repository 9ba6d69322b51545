// SPDX-License-Identifier: MIT
// Poisson and binomial counts. For small means, inversion: one uniform number is compared with the running sum
// of the probabilities. For larger ones, Hörmann's transformed rejection ("The transformed rejection method for
// generating Poisson random variables" and "The generation of binomial random variates", 1993), with the
// logarithm of the probability in Loader's form, which stays exact where means are huge. Both devices give the
// same bits.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/random/elementary.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// log(k!) - log(sqrt(2 pi k) (k/e)^k), for k = 1, 2, ...
GNP_SCALAR(stirling_error, random,
  [[gnu::always_inline]] inline double stirling_error(double k) {
    static constexpr double few[16] = {
        0.0,                  0.08106146679532726,  0.0413406959554093,   0.02767792568499834,
        0.020790672103765093, 0.016644691189821193, 0.013876128823070748, 0.01189670994589177,
        0.010411265261972096, 0.009255462182712733, 0.00833056343336287,  0.007573675487951841,
        0.00694284010720953,  0.006408994188004207, 0.0059513701127588475, 0.005554733551962801};
    if (k < 16.0) { return few[static_cast<int>(k)]; }
    const double z = 1.0 / (k * k);
    double p = fused(z, 1.0 / 1188.0, -1.0 / 1680.0);
    p = fused(p, z, 1.0 / 1260.0);
    p = fused(p, z, -1.0 / 360.0);
    p = fused(p, z, 1.0 / 12.0);
    return p / k;
  })

// x log(x / m) + m - x, without cancellation where x is near m.
GNP_SCALAR(deviance, random,
  [[gnu::always_inline]] inline double deviance(double x, double m) {
    const double d = x - m;
    if ((d < 0.0 ? -d : d) >= 0.1 * (x + m)) { return x > 0.0 ? fused(x, log_of(x / m), m - x) : m; }
    const double v = d / (x + m);
    const double z = v * v;
    double p = fused(z, 1.0 / 19.0, 1.0 / 17.0);
    p = fused(p, z, 1.0 / 15.0);
    p = fused(p, z, 1.0 / 13.0);
    p = fused(p, z, 1.0 / 11.0);
    p = fused(p, z, 1.0 / 9.0);
    p = fused(p, z, 1.0 / 7.0);
    p = fused(p, z, 1.0 / 5.0);
    p = fused(p, z, 1.0 / 3.0);
    return fused(2.0 * x * v * z, p, gnp_rounded(d * v));
  })

// What a Poisson draw needs of its mean; `start` is exp(-mean), for means below 10.
GNP_SCALAR(poisson_law, random,
  struct poisson_law {
    double mean;
    double start;
    double b;
    double a;
    double inverse_alpha;
    double quick;
    [[gnu::always_inline]] inline double log_probability(double k) const {
      if (k == 0.0) { return -mean; }
      return fused(-0.5, log_of(6.283185307179586 * k), -stirling_error(k) - deviance(k, mean));
    }
    [[gnu::always_inline]] inline double log_part(double k) const { return log_probability(k); }
    [[gnu::always_inline]] inline double invert(double u) const {
      double p = start;
      double sum = start;
      double k = 0.0;
      while (u > sum && k < most()) {
        k += 1.0;
        p = next_chance(p, k);
        sum += p;
      }
      return k;
    }
    // The probability of k from that of k - 1, and the largest number that inversion gives.
    [[gnu::always_inline]] inline double next_chance(double chance, double k) const { return gnp_rounded(chance * (mean / k)); }
    [[gnu::always_inline]] inline double most() const { return 110.0; }
    [[gnu::always_inline]] inline double reject(own_words& own) const {
      while (own.more()) {
        const words4 w = own.next();
        const double u = unit(w.x, w.y) - 0.5;
        const double v = unit(w.z, w.w);
        const double us = 0.5 - (u < 0.0 ? -u : u);
        const double k = gnp_floor(fused(2.0 * a / us + b, u, mean + 0.43));
        if (us >= 0.07 && v <= quick) { return k; }
        if (accepts(us, v, k, *this)) { return k; }
      }
      return gnp_floor(mean);
    }
    // `parts` knows the logarithms of the probabilities: this law, or a table of them.
    template <class Parts> [[gnu::always_inline]] inline bool accepts(double us, double v, double k, Parts& parts) const {
      if (k < 0.0 || (us < 0.013 && v > us)) { return false; }
      return log_of(v * inverse_alpha / (a / (us * us) + b)) <= parts.log_part(k);
    }
    [[gnu::always_inline]] inline double make(own_words& own) const { return mean < 10.0 ? invert(own.uniform()) : reject(own); }
  };
  [[gnu::always_inline]] inline poisson_law poisson_law_of(double mean) {
    const double b = fused(2.53, gnp_sqrt(mean), 0.931);
    return poisson_law{mean,
                       mean < 10.0 ? exp_of(-mean) : 0.0,
                       b,
                       fused(0.02483, b, -0.059),
                       1.1239 + 1.1328 / (b - 3.4),
                       0.9277 - 3.6224 / (b - 2.0)};
  })

GNP_SCALAR(poisson_draw, random,
  template <class T> struct poisson_draw {
    static constexpr int words = 2;
    static constexpr int pieces = 1;
    poisson_law law;
    [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      own_words first = own_words::of(place, 0u, w.x, w.y);
      own_words second = own_words::of(place, 1u, w.z, w.w);
      out[0] = cast<T>(static_cast<long long>(law.make(first)));
      out[1] = cast<T>(static_cast<long long>(law.make(second)));
    }
  };)

// n trials of probability p, at most 1/2. `start` is (1 - p)^n, for n p below 10.
GNP_SCALAR(binomial_law, random,
  struct binomial_law {
    double n;
    double p;
    double start;
    double b;
    double a;
    double alpha;
    double quick;
    double error_of_n;
    double log_most;
    [[gnu::always_inline]] inline double log_probability(double k) const {
      const double hits = gnp_rounded(n * p);
      const double misses = gnp_rounded(n * (1.0 - p));
      if (k == 0.0) { return -deviance(n, misses) - hits; }
      if (k == n) { return -deviance(n, hits) - misses; }
      const double rest = n - k;
      const double errors = error_of_n - stirling_error(k) - stirling_error(rest);
      const double distances = deviance(k, hits) + deviance(rest, misses);
      return fused(-0.5, log_of(6.283185307179586 * k * (rest / n)), errors - distances);
    }
    [[gnu::always_inline]] inline double invert(double u) const {
      double chance = start;
      double sum = start;
      double k = 0.0;
      while (u > sum && k < most()) {
        k += 1.0;
        chance = next_chance(chance, k);
        sum += chance;
      }
      return k;
    }
    [[gnu::always_inline]] inline double next_chance(double chance, double k) const {
      const double odds = p / (1.0 - p);
      return gnp_rounded(chance * (((n - k) + 1.0) / k * odds));
    }
    [[gnu::always_inline]] inline double most() const { return n < 110.0 ? n : 110.0; }
    [[gnu::always_inline]] inline double reject(own_words& own) const {
      const double centre = fused(n, p, 0.5);
      while (own.more()) {
        const words4 w = own.next();
        const double u = unit(w.x, w.y) - 0.5;
        const double v = unit(w.z, w.w);
        const double us = 0.5 - (u < 0.0 ? -u : u);
        const double k = gnp_floor(fused(2.0 * a / us + b, u, centre));
        if (us >= 0.07 && v <= quick) { return k; }
        if (accepts(us, v, k, *this)) { return k; }
      }
      return gnp_floor(centre);
    }
    // The logarithm of a probability as part of the largest. `parts` knows them: this law, or a table of them.
    [[gnu::always_inline]] inline double log_part(double k) const { return log_probability(k) - log_most; }
    template <class Parts> [[gnu::always_inline]] inline bool accepts(double us, double v, double k, Parts& parts) const {
      if (k < 0.0 || k > n) { return false; }
      return log_of(v * alpha / (a / (us * us) + b)) <= parts.log_part(k);
    }
    [[gnu::always_inline]] inline bool inverts() const { return gnp_rounded(n * p) < 10.0; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return inverts() ? invert(own.uniform()) : reject(own); }
  };
  [[gnu::always_inline]] inline binomial_law binomial_law_of(double n, double p) {
    const double spread = gnp_sqrt(n * p * (1.0 - p));
    const double b = fused(2.53, spread, 1.15);
    binomial_law law{n,
                     p,
                     0.0,
                     b,
                     fused(0.01, p, fused(0.0248, b, -0.0873)),
                     (2.83 + 5.1 / b) * spread,
                     0.92 - 4.2 / b,
                     n > 0.0 ? stirling_error(n) : 0.0,
                     0.0};
    if (law.inverts()) { law.start = exp_of(law.log_probability(0.0)); }
    else { law.log_most = law.log_probability(gnp_floor(gnp_rounded((n + 1.0) * p))); }
    return law;
  })

// If p is above 1/2, the law counts failures: `flipped` is 1, and the successes are the rest of `trials`.
GNP_SCALAR(binomial_draw, random,
  template <class T> struct binomial_draw {
    static constexpr int words = 2;
    static constexpr int pieces = 1;
    binomial_law law;
    long long trials;
    int flipped;
    [[gnu::always_inline]] static inline binomial_draw of(long long n, double p) {
      const bool above_half = p > 0.5;
      return binomial_draw{binomial_law_of(static_cast<double>(n), above_half ? 1.0 - p : p), n, above_half ? 1 : 0};
    }
    [[gnu::always_inline]] inline T count(double k) const {
      const long long successes = static_cast<long long>(k);
      return cast<T>(flipped != 0 ? trials - successes : successes);
    }
    [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      own_words first = own_words::of(place, 0u, w.x, w.y);
      own_words second = own_words::of(place, 1u, w.z, w.w);
      out[0] = count(law.make(first));
      out[1] = count(law.make(second));
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
