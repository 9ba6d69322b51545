// SPDX-License-Identifier: MIT
// Gamma numbers, and what is computed from them, on the CPU. More than 95 of 100 elements need only the first
// try of each of their gamma numbers. So a tile of elements makes that try in simple loops, a step of all
// elements after the other, and the elements that are not decided by it are made by their law. The numbers are
// the same. An array of parameters, which gives each element its own law, is read and prepared in such loops,
// too.
#pragma once

#include <gnp/random/rejections.hpp>
#include <gnp/random/tile_laws.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

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

template <>
struct first_try<scalar::wald_law> {
  static bool possible(const scalar::wald_law&) { return true; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict) {
    double u[Words::count];
    words.normals(out);
    words.uniforms(u);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = laws.at(e).number(out[e], u[e]);
  }
};

template <>
struct first_try<scalar::noncentral_chisquare_law> {
  static bool possible(const scalar::noncentral_chisquare_law& law) { return law.is_shifted(); }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double gamma[Words::count];
    for (std::uint32_t e = 0; e < Words::count; ++e) undecided[e] = laws.at(e).is_shifted() ? 0U : 1U;
    words.normals(out);
    const auto others =
        laws.gammas([](const auto& law) { return scalar::standard_gamma::of(0.5 * (law.df - 1.0)); });
    gammas_in_tile(others, words, gamma, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = laws.at(e).shifted(out[e], 2.0 * gamma[e]);
  }
};

template <>
struct first_try<scalar::noncentral_f_law> {
  static scalar::noncentral_chisquare_law first_of(const scalar::noncentral_f_law& law) {
    return {law.above, law.nonc};
  }
  static bool possible(const scalar::noncentral_f_law& law) {
    return first_of(law).is_shifted() && law.below > 0;
  }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double gamma[Words::count];
    for (std::uint32_t e = 0; e < Words::count; ++e) undecided[e] = first_of(laws.at(e)).is_shifted() ? 0U : 1U;
    words.normals(out);
    const auto others =
        laws.gammas([](const auto& law) { return scalar::standard_gamma::of(0.5 * (law.above - 1.0)); });
    gammas_in_tile(others, words, gamma, undecided);
    others.give_back(words);
    for (std::uint32_t e = 0; e < Words::count; ++e)
      out[e] = first_of(laws.at(e)).shifted(out[e], 2.0 * gamma[e]);
    const auto below = laws.gammas([](const auto& law) { return scalar::standard_gamma::of(0.5 * law.below); });
    gammas_in_tile(below, words, gamma, undecided);
    for (std::uint32_t e = 0; e < Words::count; ++e)
      out[e] = scalar::f_law{laws.at(e).above, laws.at(e).below}.ratio(out[e], 2.0 * gamma[e]);
  }
};

template <class Law>
concept tried_in_tiles = requires(const Law& law) { first_try<Law>::possible(law); };

/// Laws whose numbers are of the type long long.
template <class Law>
inline constexpr bool is_counted = requires { requires first_try<Law>::counts; };

/// Makes the elements that are undecided: number(e, own) is what the law makes of an element's own words.
template <class Words, class T, class Number>
[[gnu::always_inline]] inline void make_undecided(const Words& words, const scalar::random_source& from,
                                                  std::uint32_t first, const std::uint64_t* undecided,
                                                  T* __restrict out, const Number& number) {
  for (std::uint32_t e = 0; e < Words::count; ++e) {
    if (undecided[e] == 0) continue;
    const scalar::draw_place place{from, first + e / 4, e & 2U};
    scalar::own_words own = words.own(place, e);
    out[e] = scalar::cast<T>(number(e, own));
  }
}

/// The same after the decided ones, which are counts of less than 64 bits.
template <class Words, class T, class Number>
[[gnu::always_inline]] inline void keep_counts(const Words& words, const scalar::random_source& from,
                                               std::uint32_t first, const double* made,
                                               const std::uint64_t* undecided, T* __restrict out,
                                               const Number& number) {
  for (std::uint32_t e = 0; e < Words::count; ++e)
    out[e] = scalar::cast<T>(static_cast<long long>(undecided[e] == 0 ? made[e] : 0.0));
  make_undecided(words, from, first, undecided, out, number);
}

template <bool in_vectors, std::uint32_t tile, class Law, class Laws, class T>
[[gnu::always_inline]] inline void fill_by_first_tries(const Laws& laws, const scalar::random_source& from,
                                                       std::uint32_t first, T* __restrict out) {
  constexpr std::uint32_t count = 4 * tile;
  words_of_tile<in_vectors, tile> words(from, first);
  double made[count];
  std::uint64_t undecided[count] = {};
  first_try<Law>::make(laws, words, made, undecided);
  const auto number = [&](std::uint32_t e, scalar::own_words& own) { return laws.at(e).make(own); };
  if constexpr (is_counted<Law>) {
    keep_counts(words, from, first, made, undecided, out, number);
  } else {
    for (std::uint32_t e = 0; e < count; ++e) out[e] = scalar::cast<T>(made[e]);
    make_undecided(words, from, first, undecided, out, number);
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

/// The number in its call of a tile's first element.
inline unsigned long long first_of_tile(const scalar::random_source& from, std::uint32_t first) {
  return 4U * ((from.first_column << 16) + first);
}

/// A parameter of `count` elements, which begin with the element `begin` of the array.
template <std::uint32_t count, class Stored, class Value>
[[gnu::always_inline]] inline void read_parameter(const scalar::parameter<Stored, Value>& given,
                                                  unsigned long long begin, Value* __restrict out) {
  if (given.values != nullptr && begin + count - 1 <= given.last) {
    for (std::uint32_t e = 0; e < count; ++e) out[e] = static_cast<Value>(given.values[begin + e]);
  } else {
    for (std::uint32_t e = 0; e < count; ++e) out[e] = given.at(begin + e);
  }
}

/// The parameters of a tile's elements.
template <std::uint32_t tile, class T, class Law>
[[gnu::always_inline]] inline void read_parameters(const scalar::own_law<T, Law>& draw,
                                                   const scalar::random_source& from, std::uint32_t first,
                                                   own_laws<Law, 4 * tile>& laws) {
  const unsigned long long begin = first_of_tile(from, first) - draw.first;
  for (int p = 0; p < Law::parameters; ++p) read_parameter<4 * tile>(draw.given[p], begin, laws.values[p]);
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

/// Laws of one formula of an element's two words.
template <class T, class Law>
  requires(!Law::rejects && Law::parameters > 0 && !tried_in_tiles<Law>)
struct tries_in_tiles<scalar::own_law<T, Law>> {
  using draw_t = scalar::own_law<T, Law>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    own_laws<Law, count> laws;
    read_parameters<tile>(draw, from, first, laws);
    std::uint32_t words[2 * count];
    write_words<in_vectors, 2, 2 * tile>(from, 2 * first, words);
    const scalar::draw_place place{from, first, 0};  // not looked at: these laws draw no further words
    for (std::uint32_t e = 0; e < count; ++e) {
      auto own = scalar::own_words::of(place, 0, words[2 * e], words[2 * e + 1]);
      out[e] = scalar::cast<T>(laws.at(e).make(own));
    }
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
