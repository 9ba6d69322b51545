// SPDX-License-Identifier: MIT
// Real distributions: uniform, normal, exponential, log-normal.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/random/elementary.hpp>

namespace gnp::inline GNP_ABI::scalar {

// clang-format off

// Each distribution is a struct: its parameters, how many words of 32 bits an element takes, and two elements from
// two words or four.

// Pairs of numbers in (0, 1], and of normal ones (Box and Muller's transform).
GNP_SCALAR(unit_pair, random,
  [[gnu::always_inline]] inline void unit_pair(const words4& w, float* u) { u[0] = unit(w.x); u[1] = unit(w.y); }
  [[gnu::always_inline]] inline void unit_pair(const words4& w, double* u) { u[0] = unit(w.x, w.y); u[1] = unit(w.z, w.w); })

GNP_SCALAR(normal_pair, random,
  [[gnu::always_inline]] inline void normal_pair(const words4& w, float* n) { on_circle(root(minus_two_log(unit(w.x))), w.y, n); }
  [[gnu::always_inline]] inline void normal_pair(const words4& w, double* n) { on_circle(root(minus_two_log(unit(w.x, w.y))), w.z, w.w, n); })

// [low, low + range), kept below its end, whatever the rounding.
GNP_SCALAR(uniform_draw, random,
  template <class T> struct uniform_draw {
    using real = typename computed_as<T>::type;
    static constexpr int words = sizeof(real) / 4;
    static constexpr int pieces = 4;
    real low;
    real range;
    real most;
    [[gnu::always_inline]] inline void operator()(const draw_place&, const words4& w, T* out) const {
      real u[2];
      unit_pair(w, u);
      for (int i = 0; i < 2; ++i) {
        const real x = fused(range, u[i], low);
        out[i] = cast<T>(x < most ? x : most);
      }
    }
  };)

GNP_SCALAR(normal_draw, random,
  template <class T> struct normal_draw {
    using real = typename computed_as<T>::type;
    static constexpr int words = sizeof(real) / 4;
    static constexpr int pieces = 4;
    real location;
    real scale;
    [[gnu::always_inline]] inline void operator()(const draw_place&, const words4& w, T* out) const {
      real n[2];
      normal_pair(w, n);
      for (int i = 0; i < 2; ++i) { out[i] = cast<T>(fused(scale, n[i], location)); }
    }
  };)

// -log(u), whose mean is 1; `half_scale` because the logarithm comes doubled.
GNP_SCALAR(exponential_draw, random,
  template <class T> struct exponential_draw {
    using real = typename computed_as<T>::type;
    static constexpr int words = sizeof(real) / 4;
    static constexpr int pieces = 4;
    real half_scale;
    [[gnu::always_inline]] inline void operator()(const draw_place&, const words4& w, T* out) const {
      real u[2];
      unit_pair(w, u);
      for (int i = 0; i < 2; ++i) { out[i] = cast<T>(half_scale * minus_two_log(u[i])); }
    }
  };)

GNP_SCALAR(lognormal_draw, random,
  template <class T> struct lognormal_draw {
    using real = typename computed_as<T>::type;
    static constexpr int words = sizeof(real) / 4;
    static constexpr int pieces = 4;
    real mean;
    real sigma;
    [[gnu::always_inline]] inline void operator()(const draw_place&, const words4& w, T* out) const {
      real n[2];
      normal_pair(w, n);
      for (int i = 0; i < 2; ++i) { out[i] = cast<T>(exp_of(fused(sigma, n[i], mean))); }
    }
  };)

// clang-format on

}  // namespace gnp::inline GNP_ABI::scalar
