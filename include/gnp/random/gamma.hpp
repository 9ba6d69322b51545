// SPDX-License-Identifier: MIT
// Gamma numbers (Marsaglia and Tsang, "A simple method for generating gamma variables", 2000), and what is
// computed from them: beta, chi-square, F, Student's t, and the noncentral distributions.
#pragma once

#include <gnp/random/law.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// A shape below 1 is raised by 1, and the number is multiplied by u^(1 / shape). For a small shape this factor
// is too small for the type, but its logarithm is not.
GNP_SCALAR(standard_gamma, random,
  struct standard_gamma {
    double shape;
    double d;
    double c;
    [[gnu::always_inline]] static inline standard_gamma of(double shape) {
      const double d = (shape < 1.0 ? shape + 1.0 : shape) - 0.3333333333333333;
      return standard_gamma{shape, d, 1.0 / gnp_sqrt(9.0 * d)};
    }
    [[gnu::always_inline]] inline double lifted(own_words& own) const {
      while (own.more()) {
        double n[2];
        normal_pair(own.next(), n);
        for (int i = 0; i < 2; ++i) {
          const double root_of_v = fused(c, n[i], 1.0);
          if (!(root_of_v > 0.0)) { continue; }
          const double v = gnp_rounded(root_of_v * root_of_v * root_of_v);
          const double z = n[i] * n[i];
          const double u = own.uniform();
          if (u < fused(-0.0331 * z, z, 1.0) || log_of(u) < fused(d, (1.0 - v) + log_of(v), 0.5 * z)) { return gnp_rounded(d * v); }
        }
      }
      return d;
    }
    [[gnu::always_inline]] inline double logarithm(own_words& own) const {
      const double high = log_of(lifted(own));
      if (shape >= 1.0) { return high; }
      return lowered(high, own.uniform());
    }
    [[gnu::always_inline]] inline double lowered(double high, double u) const { return high + log_of(u) / (shape < 1e-300 ? 1e-300 : shape); }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      if (!(shape > 0.0)) { return shape; }
      return shape >= 1.0 ? lifted(own) : gnp_rounded(exp_of(logarithm(own)));
    }
  };)

GNP_SCALAR(gamma_law, random,
  struct gamma_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    standard_gamma gamma;
    double scale;
    [[gnu::always_inline]] static inline gamma_law of(const double* given) { return gamma_law{standard_gamma::of(given[0]), given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return scale * gamma.make(own); }
  };)

GNP_SCALAR(standard_gamma_law, random,
  struct standard_gamma_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = true;
    standard_gamma gamma;
    [[gnu::always_inline]] static inline standard_gamma_law of(const double* given) { return standard_gamma_law{standard_gamma::of(given[0])}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return gamma.make(own); }
  };)

// The logarithm of a gamma number; for a shape of 0, less than any other.
GNP_SCALAR(log_gamma_law, random,
  struct log_gamma_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = true;
    standard_gamma gamma;
    [[gnu::always_inline]] static inline log_gamma_law of(const double* given) { return log_gamma_law{standard_gamma::of(given[0])}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      if (gamma.shape > 0.0) { return gamma.logarithm(own); }
      return gamma.shape == 0.0 ? -0x1p1023 : gamma.shape;
    }
  };)

// Draws no random number: e^(x - most), where x is made by log_gamma_law. The largest x gives 1.
GNP_SCALAR(weight_law, random,
  struct weight_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    double x;
    double most;
    [[gnu::always_inline]] static inline weight_law of(const double* given) { return weight_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words&) const { return weight(); }
    [[gnu::always_inline]] inline double weight() const {
      const double share = exp_of(x - most);
      return x == -0x1p1023 ? 0.0 : share;
    }
  };)

// From the logarithms of two gamma numbers, because one may be vanishingly small compared with the other: so small
// that the inverse of their ratio would overflow.
GNP_SCALAR(beta_law, random,
  struct beta_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    standard_gamma a;
    standard_gamma b;
    [[gnu::always_inline]] static inline beta_law of(const double* given) { return beta_law{standard_gamma::of(given[0]), standard_gamma::of(given[1])}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      if (a.shape != a.shape || b.shape != b.shape) { return a.shape + b.shape; }
      const double first = a.logarithm(own);
      return from_logarithms(first, b.logarithm(own));
    }
    [[gnu::always_inline]] static inline double from_logarithms(double first, double second) {
      const double d = second - first;
      const bool vanishing = d > 700.0;
      const double ratio = gnp_rounded(exp_of(vanishing ? -d : d));
      const double share = 1.0 / (1.0 + ratio);
      return vanishing ? ratio : share;
    }
  };)

GNP_SCALAR(chisquare_law, random,
  struct chisquare_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = true;
    standard_gamma half;
    [[gnu::always_inline]] static inline chisquare_law of(const double* given) { return of_degrees(given[0]); }
    [[gnu::always_inline]] static inline chisquare_law of_degrees(double df) { return chisquare_law{standard_gamma::of(0.5 * df)}; }
    [[gnu::always_inline]] inline double make(own_words& own) const { return 2.0 * half.make(own); }
  };)

GNP_SCALAR(f_law, random,
  struct f_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    double above;
    double below;
    [[gnu::always_inline]] static inline f_law of(const double* given) { return f_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      const double first = chisquare_law::of_degrees(above).make(own);
      return ratio(first, chisquare_law::of_degrees(below).make(own));
    }
    [[gnu::always_inline]] inline double ratio(double first, double second) const { return (first * below) / (second * above); }
  };)

GNP_SCALAR(standard_t_law, random,
  struct standard_t_law {
    static constexpr int parameters = 1;
    static constexpr bool rejects = true;
    double df;
    [[gnu::always_inline]] static inline standard_t_law of(const double* given) { return standard_t_law{given[0]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      double n[2];
      normal_pair(own.next(), n);
      return over_root(n[0], standard_gamma::of(0.5 * df).make(own));
    }
    [[gnu::always_inline]] inline double over_root(double n, double gamma) const { return n * gnp_sqrt(0.5 * df / gamma); }
  };)

// With more than one degree of freedom, one normal number is shifted away from 0. Otherwise, a Poisson number
// determines how many pairs of degrees of freedom are added.
GNP_SCALAR(noncentral_chisquare_law, random,
  struct noncentral_chisquare_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    double df;
    double nonc;
    [[gnu::always_inline]] static inline noncentral_chisquare_law of(const double* given) { return noncentral_chisquare_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      if (!(df > 0.0) || !(nonc >= 0.0)) { return df + nonc; }
      if (nonc == 0.0) { return chisquare_law::of_degrees(df).make(own); }
      if (df > 1.0) {
        double n[2];
        normal_pair(own.next(), n);
        return shifted(n[0], chisquare_law::of_degrees(df - 1.0).make(own));
      }
      const poisson_law pairs = poisson_law_of(0.5 * nonc);
      return chisquare_law::of_degrees(fused(2.0, pairs.make(own), df)).make(own);
    }
    // With more than one degree of freedom: from a normal number and the other degrees' number.
    [[gnu::always_inline]] inline bool is_shifted() const { return df > 1.0 && nonc > 0.0; }
    [[gnu::always_inline]] inline double shifted(double n, double others) const {
      const double moved = gnp_rounded(n) + gnp_sqrt(nonc);
      return fused(moved, moved, others);
    }
  };)

GNP_SCALAR(noncentral_f_law, random,
  struct noncentral_f_law {
    static constexpr int parameters = 3;
    static constexpr bool rejects = true;
    double above;
    double below;
    double nonc;
    [[gnu::always_inline]] static inline noncentral_f_law of(const double* given) { return noncentral_f_law{given[0], given[1], given[2]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      const double first = noncentral_chisquare_law{above, nonc}.make(own);
      return f_law{above, below}.ratio(first, chisquare_law::of_degrees(below).make(own));
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
