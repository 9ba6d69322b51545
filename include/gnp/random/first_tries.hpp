// SPDX-License-Identifier: MIT
// Gamma numbers, and what is computed from them, on the CPU. More than 95 of 100 elements need only the first
// try of each of their gamma numbers. So a tile of elements makes that try in simple loops, a step of all
// elements after the other, and the elements that are not decided by it are made by their law. The numbers are
// the same. An array of parameters, which gives each element its own law, is read and prepared in such loops,
// too.
#pragma once

#include <gnp/random/fill.hpp>
#include <gnp/random/gamma.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The words of a tile's elements: own_words for elements that all request the same, but for what they give
/// back.
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
    if (parted_) {
      for (std::uint32_t e = 0; e < count; ++e) exchange(waits_[e], xy[e], xy_[e]);
      for (std::uint32_t e = 0; e < count; ++e) exchange(waits_[e], zw[e], left_[e]);
    }
    for (std::uint32_t e = 0; e < count; ++e) {
      double n[2];
      scalar::normal_pair(scalar::words4{low(xy[e]), high(xy[e]), low(zw[e]), high(zw[e])}, n);
      out[e] = n[0];
    }
  }

  [[gnu::always_inline]] inline void uniforms(double* __restrict out) {
    if (parted_) return uniforms_of_parted(out);
    if (!spent_) {
      for (std::uint32_t e = 0; e < count; ++e) out[e] = unit(left_[e]);
    } else {
      next(xy_, left_);
      for (std::uint32_t e = 0; e < count; ++e) out[e] = unit(xy_[e]);
    }
    spent_ = !spent_;
  }

  /// Gives the uniform numbers just drawn, for which words had to be made, back to the elements that do not
  /// take them. What they draw next, a normal number, is made of these words, and two uniform numbers follow
  /// from the words of which the others make their normal number. So the elements of both kinds still share all
  /// words.
  template <class Took>
  [[gnu::always_inline]] inline void give_back(const Took& took) {
    parted_ = true;
    for (std::uint32_t e = 0; e < count; ++e) waits_[e] = took(e) ? 0 : ~std::uint64_t{0};
  }

 private:
  static std::uint64_t pair(std::uint32_t x, std::uint32_t y) { return x | (std::uint64_t{y} << 32); }
  static std::uint32_t low(std::uint64_t words) { return static_cast<std::uint32_t>(words); }
  static std::uint32_t high(std::uint64_t words) { return static_cast<std::uint32_t>(words >> 32); }
  static double unit(std::uint64_t words) { return scalar::unit(low(words), high(words)); }
  static std::uint64_t chosen(std::uint64_t mask, std::uint64_t a, std::uint64_t b) {
    return (a & mask) | (b & ~mask);
  }
  static void exchange(std::uint64_t mask, std::uint64_t& a, std::uint64_t& b) {
    const std::uint64_t change = (a ^ b) & mask;
    a ^= change;
    b ^= change;
  }

  /// After the normal number that follows give_back().
  [[gnu::always_inline]] inline void uniforms_of_parted(double* __restrict out) {
    if (!spent_) {
      for (std::uint32_t e = 0; e < count; ++e) out[e] = unit(chosen(waits_[e], xy_[e], left_[e]));
    } else {
      std::uint64_t xy[count];
      std::uint64_t zw[count];
      next(xy, zw);
      for (std::uint32_t e = 0; e < count; ++e) out[e] = unit(chosen(waits_[e], left_[e], xy[e]));
    }
    spent_ = !spent_;
  }

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
  bool parted_ = false;
  std::uint64_t own_[count];
  std::uint64_t xy_[count];     // what uniform numbers were made of, if words had to be made for them
  std::uint64_t left_[count];   // what the next uniform numbers are made of, if they are not spent
  std::uint64_t waits_[count];  // all bits where the element's numbers were given back
};

/// One gamma law for all elements of a tile. Its shape is above 0.
struct same_gamma {
  scalar::standard_gamma gamma;

  double c(std::uint32_t) const { return gamma.c; }
  double d(std::uint32_t) const { return gamma.d; }
  bool usable(std::uint32_t) const { return true; }
  /// Are there shapes below 1?
  bool lowers() const { return gamma.shape < 1; }
  bool lowers(std::uint32_t) const { return true; }
  double lowered(std::uint32_t, double high, double u) const { return gamma.lowered(high, u); }
  /// Before another gamma number: all elements took the same words.
  template <class Words>
  void give_back(Words&) const {}
};

/// A gamma law for each element of a tile.
template <std::uint32_t count>
class own_gammas {
 public:
  template <class Of>
  [[gnu::always_inline]] inline explicit own_gammas(const Of& of) {
    for (std::uint32_t e = 0; e < count; ++e) {
      const scalar::standard_gamma g = of(e);
      shape_[e] = g.shape;
      d_[e] = g.d;
      c_[e] = g.c;
    }
    for (std::uint32_t e = 0; e < count; ++e) lowers_ |= shape_[e] < 1 ? 1U : 0U;
  }

  double c(std::uint32_t e) const { return c_[e]; }
  double d(std::uint32_t e) const { return d_[e]; }
  bool usable(std::uint32_t e) const { return shape_[e] > 0; }
  bool lowers() const { return lowers_ != 0; }
  bool lowers(std::uint32_t e) const { return shape_[e] < 1; }
  [[gnu::always_inline]] inline double lowered(std::uint32_t e, double high, double u) const {
    const double low = scalar::standard_gamma{shape_[e], 0, 0}.lowered(high, u);
    return lowers(e) ? low : high;
  }
  template <class Words>
  [[gnu::always_inline]] inline void give_back(Words& words) const {
    if (lowers()) words.give_back([this](std::uint32_t e) { return lowers(e); });
  }

 private:
  double shape_[count];
  double d_[count];
  double c_[count];
  std::uint64_t lowers_ = 0;
};

/// One law for all elements of a tile.
template <class Law>
struct same_laws {
  const Law& law;

  const Law& at(std::uint32_t) const { return law; }
  template <class GammaOf>
  [[gnu::always_inline]] inline same_gamma gammas(const GammaOf& gamma_of) const {
    return same_gamma{gamma_of(law)};
  }
};

/// A law for each element of a tile. at() computes the law again; the compiler drops what is not read of it.
template <class Law, std::uint32_t count>
struct own_laws {
  double values[Law::parameters][count];

  [[gnu::always_inline]] inline Law at(std::uint32_t e) const {
    double given[Law::parameters];
    for (int p = 0; p < Law::parameters; ++p) given[p] = values[p][e];
    return Law::of(given);
  }
  template <class GammaOf>
  [[gnu::always_inline]] inline own_gammas<count> gammas(const GammaOf& gamma_of) const {
    return own_gammas<count>([&](std::uint32_t e) { return gamma_of(at(e)); });
  }
};

/// The first try of standard_gamma's lifted(). `undecided` becomes 1 where it is not enough.
///
/// The exact condition for v = (1 + t)^3, t = c n, is log(u) < -d t^4 q(t), where q is the integral of
/// 3 x^3 / (1 + t x) over [0, 1], at most 3/4 - 3/5 t + b t^2 with b = 1/2 for t >= 0, and b = 2 for -3/4 <= t
/// < 0. Since e^y >= 1 + y, u < 1 - d t^4 (that bound) is sufficient, and almost always true. 1e-9 is more than
/// what rounding changes in the exact condition: it is about 1e-16 sqrt(d), and d is at most 1e8. (For larger
/// shapes only the law's own sufficient condition is left.)
template <class Gammas, class Words>
[[gnu::always_inline]] inline void lifted_in_tile(const Gammas& g, Words& words, double* __restrict out,
                                                  std::uint64_t* __restrict undecided) {
  double n[Words::count];
  double u[Words::count];
  words.normals(n);
  words.uniforms(u);
  for (std::uint32_t e = 0; e < Words::count; ++e) {
    const double c = g.c(e);
    const double d = g.d(e);
    const double root_of_v = scalar::fused(c, n[e], 1.0);
    const double v = scalar::gnp_rounded(root_of_v * root_of_v * root_of_v);
    const double z = n[e] * n[e];
    const double t = c * n[e];
    const double bound = 0.75 - t * (0.6 - t * (t < 0 ? 2.0 : 0.5));
    const double least = 1 - 1e-9 - d * (t * t) * (t * t) * bound;
    const double at_most = scalar::fused(-0.0331 * z, z, 1.0);
    const bool below_bound = (root_of_v >= 0.25) & (d <= 1e8) & (u[e] < least);
    // Both in any case: a branch would keep g++ from vectorising the loop.
    const bool kept = g.usable(e) & (root_of_v > 0.0) & (below_bound | (u[e] < at_most));
    undecided[e] |= kept ? 0U : 1U;
    out[e] = scalar::gnp_rounded(d * v);
  }
}

/// The first try of standard_gamma's logarithm(), for shapes above 0.
template <class Gammas, class Words>
[[gnu::always_inline]] inline void logarithms_in_tile(const Gammas& g, Words& words, double* __restrict out,
                                                      std::uint64_t* __restrict undecided) {
  lifted_in_tile(g, words, out, undecided);
  for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = scalar::log_of(out[e]);
  if (!g.lowers()) return;
  double u[Words::count];
  words.uniforms(u);
  for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = g.lowered(e, out[e], u[e]);
}

/// The first try of standard_gamma's make(), for shapes above 0.
template <class Gammas, class Words>
[[gnu::always_inline]] inline void gammas_in_tile(const Gammas& g, Words& words, double* __restrict out,
                                                  std::uint64_t* __restrict undecided) {
  lifted_in_tile(g, words, out, undecided);
  if (!g.lowers()) return;
  double u[Words::count];
  words.uniforms(u);
  for (std::uint32_t e = 0; e < Words::count; ++e) {
    const double low = scalar::gnp_rounded(scalar::exp_of(g.lowered(e, scalar::log_of(out[e]), u[e])));
    out[e] = g.lowers(e) ? low : out[e];
  }
}

/// The steps of the laws: whether one law for all elements can be made in tiles, and its first try.
template <class Law>
struct first_try;

template <>
struct first_try<scalar::standard_gamma_law> {
  static bool possible(const scalar::standard_gamma_law& law) { return law.gamma.shape > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    gammas_in_tile(laws.gammas([](const auto& law) { return law.gamma; }), words, out, undecided);
  }
};

template <>
struct first_try<scalar::log_gamma_law> {
  static bool possible(const scalar::log_gamma_law& law) { return law.gamma.shape > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    logarithms_in_tile(laws.gammas([](const auto& law) { return law.gamma; }), words, out, undecided);
  }
};

template <>
struct first_try<scalar::gamma_law> {
  static bool possible(const scalar::gamma_law& law) { return law.gamma.shape > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    gammas_in_tile(laws.gammas([](const auto& law) { return law.gamma; }), words, out, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] *= laws.at(e).scale;
  }
};

template <>
struct first_try<scalar::chisquare_law> {
  static bool possible(const scalar::chisquare_law& law) { return law.half.shape > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    gammas_in_tile(laws.gammas([](const auto& law) { return law.half; }), words, out, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] *= 2;
  }
};

template <>
struct first_try<scalar::beta_law> {
  static bool possible(const scalar::beta_law& law) { return law.a.shape > 0 && law.b.shape > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double second[Words::count];
    const auto a = laws.gammas([](const auto& law) { return law.a; });
    logarithms_in_tile(a, words, out, undecided);
    a.give_back(words);
    logarithms_in_tile(laws.gammas([](const auto& law) { return law.b; }), words, second, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e)
      out[e] = scalar::beta_law::from_logarithms(out[e], second[e]);
  }
};

template <>
struct first_try<scalar::f_law> {
  static bool possible(const scalar::f_law& law) { return law.above > 0 && law.below > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double second[Words::count];
    const auto above = laws.gammas([](const auto& law) { return scalar::standard_gamma::of(0.5 * law.above); });
    gammas_in_tile(above, words, out, undecided);
    above.give_back(words);
    const auto below = laws.gammas([](const auto& law) { return scalar::standard_gamma::of(0.5 * law.below); });
    gammas_in_tile(below, words, second, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = laws.at(e).ratio(2.0 * out[e], 2.0 * second[e]);
  }
};

template <>
struct first_try<scalar::standard_t_law> {
  static bool possible(const scalar::standard_t_law& law) { return law.df > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double gamma[Words::count];
    words.normals(out);
    gammas_in_tile(laws.gammas([](const auto& law) { return scalar::standard_gamma::of(0.5 * law.df); }), words,
                   gamma, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = laws.at(e).over_root(out[e], gamma[e]);
  }
};

template <class Law>
concept tried_in_tiles = requires(const Law& law) { first_try<Law>::possible(law); };

/// Makes the elements that are undecided by their laws.
template <bool in_vectors, std::uint32_t tile, class Law, class Laws, class T>
[[gnu::always_inline]] inline void fill_by_first_tries(const Laws& laws, const scalar::random_source& from,
                                                       std::uint32_t first, T* __restrict out) {
  constexpr std::uint32_t count = 4 * tile;
  words_of_tile<in_vectors, tile> words(from, first);
  double made[count];
  std::uint64_t undecided[count] = {};
  first_try<Law>::make(laws, words, made, undecided);
  for (std::uint32_t e = 0; e < count; ++e) out[e] = scalar::cast<T>(made[e]);
  for (std::uint32_t e = 0; e < count; ++e) {
    if (undecided[e] == 0) continue;
    const scalar::draw_place place{from, first + e / 4, e & 2U};
    scalar::own_words own = words.own(place, e);
    out[e] = scalar::cast<T>(laws.at(e).make(own));
  }
}

template <class T, tried_in_tiles Law>
struct tries_in_tiles<scalar::same_law<T, Law>> {
  using draw_t = scalar::same_law<T, Law>;
  static constexpr bool known = true;
  static bool possible(const draw_t& draw) { return first_try<Law>::possible(draw.law); }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    fill_by_first_tries<in_vectors, tile, Law>(same_laws<Law>{draw.law}, from, first, out);
  }
};

/// The parameters of a tile's elements.
template <std::uint32_t tile, class T, class Law>
[[gnu::always_inline]] inline void read_parameters(const scalar::own_law<T, Law>& draw,
                                                   const scalar::random_source& from, std::uint32_t first,
                                                   own_laws<Law, 4 * tile>& laws) {
  const unsigned long long begin = 4U * ((from.first_column << 16) + first) - draw.first;
  for (int p = 0; p < Law::parameters; ++p) {
    const auto& given = draw.given[p];
    if (given.values != nullptr && begin + 4 * tile - 1 <= given.last) {
      for (std::uint32_t e = 0; e < 4 * tile; ++e) laws.values[p][e] = given.values[begin + e];
    } else {
      for (std::uint32_t e = 0; e < 4 * tile; ++e) laws.values[p][e] = given.at(begin + e);
    }
  }
}

template <class T, tried_in_tiles Law>
struct tries_in_tiles<scalar::own_law<T, Law>> {
  using draw_t = scalar::own_law<T, Law>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    own_laws<Law, 4 * tile> laws;
    read_parameters<tile>(draw, from, first, laws);
    fill_by_first_tries<in_vectors, tile, Law>(laws, from, first, out);
  }
};

/// What dirichlet makes of its gamma numbers draws nothing, so a tile needs no words.
template <class T>
struct tries_in_tiles<scalar::own_law<T, scalar::weight_law>> {
  using law_t = scalar::weight_law;
  using draw_t = scalar::own_law<T, law_t>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    own_laws<law_t, 4 * tile> laws;
    read_parameters<tile>(draw, from, first, laws);
    for (std::uint32_t e = 0; e < 4 * tile; ++e) out[e] = scalar::cast<T>(laws.at(e).weight());
  }
};

}}}  // namespace gnp::GNP_ABI::detail
