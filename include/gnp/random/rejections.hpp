// SPDX-License-Identifier: MIT
// Wald (inverse Gaussian) and von Mises numbers.
#pragma once

#include <gnp/random/gamma.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Michael, Schucany and Haas, "Generating random variates using transformations with multiple roots" (1976):
// the smaller root, written so that nothing cancels, or mean^2 divided by it.
GNP_SCALAR(wald_law, random,
  struct wald_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    double mean;
    double scale;
    [[gnu::always_inline]] static inline wald_law of(const double* given) { return wald_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      double n[2];
      normal_pair(own.next(), n);
      return number(n[0], own.uniform());
    }
    // From a normal and a uniform number.
    [[gnu::always_inline]] inline double number(double n, double u) const {
      const double y = gnp_rounded(n * n * (0.5 * mean / scale));
      const double smaller = mean / (1.0 + y + gnp_sqrt(y * (y + 2.0)));
      const double larger = mean * (mean / smaller);
      return u * (mean + smaller) <= mean ? smaller : larger;
    }
  };)

// The angle is pi x. Since cos(pi x) <= 1 - 2 x^2, the density of normal numbers of deviation 1 / (2
// sqrt(kappa)) lies above the wanted one. For kappa below 1/2, uniform numbers are better. Both are kept more
// often than not.
GNP_SCALAR(vonmises_law, random,
  struct vonmises_law {
    static constexpr int parameters = 2;
    static constexpr bool rejects = true;
    double mu;
    double kappa;
    [[gnu::always_inline]] static inline vonmises_law of(const double* given) { return vonmises_law{given[0], given[1]}; }
    [[gnu::always_inline]] inline double turned(double x) const {
      const double angle = fused(3.141592653589793, x, mu);
      const double turns = gnp_floor(fused(angle, 0.15915494309189535, 0.5));
      const double within = fused(turns, -6.283185307179586, angle);
      return within > 3.141592653589793 ? 3.141592653589793 : within < -3.141592653589793 ? -3.141592653589793 : within;
    }
    [[gnu::always_inline]] inline double make(own_words& own) const {
      if (!(mu - mu == 0.0) || kappa != kappa) { return mu - mu + kappa; }
      const double spread = 0.5 / gnp_sqrt(kappa);
      while (own.more()) {
        if (kappa < 0.5) {
          const double x = fused(2.0, own.uniform(), -1.0);
          const double sine = x * sine_part(x * x);
          if (!(log_of(own.uniform()) > -2.0 * kappa * sine * sine)) { return turned(x); }
          continue;
        }
        double n[2];
        normal_pair(own.next(), n);
        for (int i = 0; i < 2; ++i) {
          const double x = n[i] * spread;
          const double z = x * x;
          const double part = sine_part(z);
          if (z <= 1.0 && !(log_of(own.uniform()) > 2.0 * kappa * z * fused(-part, part, 1.0))) { return turned(x); }
        }
      }
      return turned(0.0);
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
