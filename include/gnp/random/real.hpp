// SPDX-License-Identifier: MIT
// Real distributions: uniform, normal, exponential, log-normal.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/random/elementary.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Each distribution is a struct: its parameters, how many 32-bit words an element takes, and an operator that
// makes two elements from two or four words.

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

// The next larger or smaller number of a type.
GNP_SCALAR(neighbour, random,
  template <class T> inline T neighbour(T x, bool upward) {
    if constexpr (same_type<T, double>) {
      if (x == 0.0) { return gnp_bits_double(upward ? 1ull : 0x8000000000000001ull); }
      return gnp_bits_double(gnp_double_bits(x) + (upward == (x > 0.0) ? 1ull : ~0ull));
    } else if constexpr (same_type<T, float>) {
      if (x == 0.0f) { return gnp_bits_float(upward ? 1u : 0x80000001u); }
      return gnp_bits_float(gnp_float_bits(x) + (upward == (x > 0.0f) ? 1u : ~0u));
    } else {
      const unsigned magnitude = x.bits & 0x7fffu;
      const unsigned next = x.bits + (upward == (x.bits == magnitude) ? 1u : ~0u);
      T y = x;
      y.bits = static_cast<unsigned short>(magnitude != 0 ? next : upward ? 1u : 0x8001u);
      return y;
    }
  })

// On [low, high): limited to the elements of T that lie next to the ends, inside. (Rounding is monotonic, so no
// number falls below the first.)
GNP_SCALAR(uniform_within, random,
  template <class T> inline uniform_draw<T> uniform_within(double low, double high) {
    using real = typename computed_as<T>::type;
    T first = cast<T>(low + 0.0);
    if (static_cast<double>(first) < low) { first = neighbour(first, true); }
    T last = cast<T>(high);
    if (static_cast<double>(last) >= high && low < high) { last = neighbour(last, false); }
    return uniform_draw<T>{static_cast<real>(first), static_cast<real>(high - low), static_cast<real>(last)};
  })

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

// -log(u), whose mean is 1. It is `half_scale` because the logarithm is computed doubled.
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

}}}  // namespace gnp::GNP_ABI::scalar
