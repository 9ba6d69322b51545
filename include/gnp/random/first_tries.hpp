// SPDX-License-Identifier: MIT
// Gamma numbers, and what is computed from them, on the CPU. More than 95 of 100 elements need only the first
// try of each of their gamma numbers. So a tile of elements makes that try in simple loops, a step of all
// elements after the other, and the elements that are not decided by it are made by their law. The numbers are
// the same.
#pragma once

#include <gnp/random/fill.hpp>
#include <gnp/random/gamma.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The words of a tile's elements: own_words for elements that all request the same.
template <bool in_vectors, std::uint32_t tile>
class words_of_tile {
 public:
  static constexpr std::uint32_t count = 4 * tile;

  [[gnu::always_inline]] inline words_of_tile(const scalar::random_source& from, std::uint32_t first)
      : from_(from), first_(first) {
    std::uint32_t words[2 * count];
    write_words<in_vectors, 2, 2 * tile>(from, 2 * first, words);
    for (std::uint32_t e = 0; e < count; ++e) own_[e] = left_[e] = pair(words[2 * e], words[2 * e + 1]);
  }

  /// Element e's own words, from the first on.
  [[gnu::always_inline]] inline scalar::own_words own(const scalar::draw_place& place, std::uint32_t e) const {
    return scalar::own_words::of(place, e & 1U, low(own_[e]), high(own_[e]));
  }

  /// The first numbers of a pair of normal ones.
  [[gnu::always_inline]] inline void normals(double* __restrict out) {
    std::uint64_t xy[count];
    std::uint64_t zw[count];
    next(xy, zw);
    for (std::uint32_t e = 0; e < count; ++e) {
      double n[2];
      scalar::normal_pair(scalar::words4{low(xy[e]), high(xy[e]), low(zw[e]), high(zw[e])}, n);
      out[e] = n[0];
    }
  }

  [[gnu::always_inline]] inline void uniforms(double* __restrict out) {
    if (!spent_) {
      for (std::uint32_t e = 0; e < count; ++e) out[e] = scalar::unit(low(left_[e]), high(left_[e]));
    } else {
      std::uint64_t xy[count];
      next(xy, left_);
      for (std::uint32_t e = 0; e < count; ++e) out[e] = scalar::unit(low(xy[e]), high(xy[e]));
    }
    spent_ = !spent_;
  }

 private:
  static std::uint64_t pair(std::uint32_t x, std::uint32_t y) { return x | (std::uint64_t{y} << 32); }
  static std::uint32_t low(std::uint64_t words) { return static_cast<std::uint32_t>(words); }
  static std::uint32_t high(std::uint64_t words) { return static_cast<std::uint32_t>(words >> 32); }

  [[gnu::always_inline]] inline void next(std::uint64_t* __restrict xy, std::uint64_t* __restrict zw) {
    const std::uint32_t attempt = used_++;
#if GNP_VECTOR_PRODUCTS
    if constexpr (in_vectors) return write_retries_in_vectors<tile>(from_, first_, attempt, xy, zw);
#endif
    for (std::uint32_t e = 0; e < count; ++e) {
      const scalar::words4 w = from_.retry(first_ + e / 4, e % 4, attempt);
      xy[e] = pair(w.x, w.y);
      zw[e] = pair(w.z, w.w);
    }
  }

  const scalar::random_source& from_;
  std::uint32_t first_;
  std::uint32_t used_ = 0;
  bool spent_ = false;
  std::uint64_t own_[count];
  std::uint64_t left_[count];  // what the next uniform numbers are made of, if they are not spent
};

/// The first try of standard_gamma's lifted(). `undecided` becomes 1 where it is not enough.
///
/// The exact condition for v = (1 + t)^3, t = c n, is log(u) < -d t^4 q(t), where q is the integral of
/// 3 x^3 / (1 + t x) over [0, 1], at most 3/4 - 3/5 t + b t^2 with b = 1/2 for t >= 0, and b = 2 for -3/4 <= t
/// < 0. Since e^y >= 1 + y, u < 1 - d t^4 (that bound) is sufficient, and almost always true. 1e-9 is more than
/// what rounding changes in the exact condition: it is about 1e-16 sqrt(d), and d is at most 1e8. (For larger
/// shapes only the law's own sufficient condition is left.)
template <class Words>
[[gnu::always_inline]] inline void lifted_in_tile(const scalar::standard_gamma& g, Words& words,
                                                  double* __restrict out, std::uint64_t* __restrict undecided) {
  double n[Words::count];
  double u[Words::count];
  words.normals(n);
  words.uniforms(u);
  for (std::uint32_t e = 0; e < Words::count; ++e) {
    const double root_of_v = scalar::fused(g.c, n[e], 1.0);
    const double v = scalar::gnp_rounded(root_of_v * root_of_v * root_of_v);
    const double z = n[e] * n[e];
    const double t = g.c * n[e];
    const double bound = 0.75 - t * (0.6 - t * (t < 0 ? 2.0 : 0.5));
    const double least = 1 - 1e-9 - g.d * (t * t) * (t * t) * bound;
    const double at_most = scalar::fused(-0.0331 * z, z, 1.0);
    const bool below_bound = (root_of_v >= 0.25) & (g.d <= 1e8) & (u[e] < least);
    // Both in any case: a branch would keep g++ from vectorising the loop.
    const bool kept = (root_of_v > 0.0) & (below_bound | (u[e] < at_most));
    undecided[e] |= kept ? 0U : 1U;
    out[e] = scalar::gnp_rounded(g.d * v);
  }
}

/// The first try of standard_gamma's logarithm(), for shapes above 0.
template <class Words>
[[gnu::always_inline]] inline void logarithms_in_tile(const scalar::standard_gamma& g, Words& words,
                                                      double* __restrict out,
                                                      std::uint64_t* __restrict undecided) {
  lifted_in_tile(g, words, out, undecided);
  for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = scalar::log_of(out[e]);
  if (g.shape >= 1) return;
  double u[Words::count];
  words.uniforms(u);
  for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = g.lowered(out[e], u[e]);
}

/// The first try of standard_gamma's make(), for shapes above 0.
template <class Words>
[[gnu::always_inline]] inline void gammas_in_tile(const scalar::standard_gamma& g, Words& words,
                                                  double* __restrict out, std::uint64_t* __restrict undecided) {
  if (g.shape >= 1) return lifted_in_tile(g, words, out, undecided);
  logarithms_in_tile(g, words, out, undecided);
  for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = scalar::gnp_rounded(scalar::exp_of(out[e]));
}

/// The steps of the laws: whether a law with its parameters can be made in tiles, and its first try.
template <class Law>
struct first_try;

template <>
struct first_try<scalar::standard_gamma_law> {
  static bool possible(const scalar::standard_gamma_law& law) { return law.gamma.shape > 0; }
  template <class Words>
  [[gnu::always_inline]] static inline void make(const scalar::standard_gamma_law& law, Words& words,
                                                 double* __restrict out, std::uint64_t* __restrict undecided) {
    gammas_in_tile(law.gamma, words, out, undecided);
  }
};

template <>
struct first_try<scalar::gamma_law> {
  static bool possible(const scalar::gamma_law& law) { return law.gamma.shape > 0; }
  template <class Words>
  [[gnu::always_inline]] static inline void make(const scalar::gamma_law& law, Words& words,
                                                 double* __restrict out, std::uint64_t* __restrict undecided) {
    gammas_in_tile(law.gamma, words, out, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] *= law.scale;
  }
};

template <>
struct first_try<scalar::chisquare_law> {
  static bool possible(const scalar::chisquare_law& law) { return law.half.shape > 0; }
  template <class Words>
  [[gnu::always_inline]] static inline void make(const scalar::chisquare_law& law, Words& words,
                                                 double* __restrict out, std::uint64_t* __restrict undecided) {
    gammas_in_tile(law.half, words, out, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] *= 2;
  }
};

template <>
struct first_try<scalar::beta_law> {
  static bool possible(const scalar::beta_law& law) { return law.a.shape > 0 && law.b.shape > 0; }
  template <class Words>
  [[gnu::always_inline]] static inline void make(const scalar::beta_law& law, Words& words,
                                                 double* __restrict out, std::uint64_t* __restrict undecided) {
    double second[Words::count];
    logarithms_in_tile(law.a, words, out, undecided);
    logarithms_in_tile(law.b, words, second, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = law.from_logarithms(out[e], second[e]);
  }
};

template <>
struct first_try<scalar::f_law> {
  static bool possible(const scalar::f_law& law) { return law.above > 0 && law.below > 0; }
  template <class Words>
  [[gnu::always_inline]] static inline void make(const scalar::f_law& law, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double second[Words::count];
    gammas_in_tile(scalar::standard_gamma::of(0.5 * law.above), words, out, undecided);
    gammas_in_tile(scalar::standard_gamma::of(0.5 * law.below), words, second, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = law.ratio(2.0 * out[e], 2.0 * second[e]);
  }
};

template <>
struct first_try<scalar::standard_t_law> {
  static bool possible(const scalar::standard_t_law& law) { return law.df > 0; }
  template <class Words>
  [[gnu::always_inline]] static inline void make(const scalar::standard_t_law& law, Words& words,
                                                 double* __restrict out, std::uint64_t* __restrict undecided) {
    double gamma[Words::count];
    words.normals(out);
    gammas_in_tile(scalar::standard_gamma::of(0.5 * law.df), words, gamma, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = law.over_root(out[e], gamma[e]);
  }
};

template <class T, class Law>
  requires requires(const Law& law) { first_try<Law>::possible(law); }
struct tries_in_tiles<scalar::same_law<T, Law>> {
  using draw_t = scalar::same_law<T, Law>;
  static constexpr bool known = true;
  static bool possible(const draw_t& draw) { return first_try<Law>::possible(draw.law); }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    words_of_tile<in_vectors, tile> words(from, first);
    double made[count];
    std::uint64_t undecided[count] = {};
    first_try<Law>::make(draw.law, words, made, undecided);
    for (std::uint32_t e = 0; e < count; ++e) out[e] = scalar::cast<T>(made[e]);
    for (std::uint32_t e = 0; e < count; ++e) {
      if (undecided[e] == 0) continue;
      const scalar::draw_place place{from, first + e / 4, e & 2U};
      scalar::own_words own = words.own(place, e);
      out[e] = scalar::cast<T>(draw.law.make(own));
    }
  }
};

}}}  // namespace gnp::GNP_ABI::detail
