// SPDX-License-Identifier: MIT
// Poisson and negative binomial numbers, and those of laws that are one formula, on the CPU: most elements need
// only the first try of their law. As in first_tries.hpp, a tile of elements makes that try in simple loops;
// the numbers are the same.
#pragma once

#include <gnp/random/first_tries.hpp>
#include <gnp/random/more_counts.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The logarithms of a law's probabilities, each computed when it is first needed. Many elements of a tile have
/// the same counts, and these are next to each other.
template <class Law>
class table_of_parts {
 public:
  explicit table_of_parts(const Law& law) : law_(law) {
    for (double& k : counts_) k = -1;
  }
  double log_part(double k) {
    const auto slot = static_cast<std::size_t>(k) % slots;
    if (counts_[slot] != k) {
      counts_[slot] = k;
      logarithms_[slot] = law_.log_part(k);
    }
    return logarithms_[slot];
  }

 private:
  static constexpr std::size_t slots = 128;  // 1 KiB of each; 12 deviations of 10
  const Law& law_;
  double counts_[slots];
  double logarithms_[slots];
};

/// Numbers of a tile by the inversion of one law: how many of its running sums are less than each uniform
/// number.
template <std::uint32_t count, class Law>
[[gnu::always_inline]] inline void inverted_in_tile(const Law& law, const double* __restrict u,
                                                    double* __restrict out) {
  double chance = law.start;
  double sum = law.start;
  for (std::uint32_t e = 0; e < count; ++e) out[e] = 0;
  for (double k = 0; k < law.most();) {
    std::uint64_t some = 0;
    for (std::uint32_t e = 0; e < count; ++e) {
      const bool below = sum < u[e];
      out[e] += below ? 1.0 : 0.0;
      some |= below ? 1U : 0U;
    }
    if (some == 0) return;
    k += 1;
    chance = law.next_chance(chance, k);
    sum += chance;
  }
}

/// Poisson numbers of a tile's means. `first` are the uniform numbers for the means below 10, which are
/// inverted; u and v those of a try for the others. law_of(e) is an element's law, and parts_of(e) knows its
/// logarithms.
template <std::uint32_t count, class LawOf, class PartsOf>
[[gnu::always_inline]] inline void poisson_in_tile(const double* __restrict mean,
                                                   const double* __restrict first, const double* __restrict u,
                                                   const double* __restrict v, double* __restrict out,
                                                   std::uint64_t* __restrict undecided, const LawOf& law_of,
                                                   const PartsOf& parts_of) {
  double start[count];
  double us[count];
  std::uint64_t quick[count];
  for (std::uint32_t e = 0; e < count; ++e) start[e] = scalar::exp_of(-mean[e]);
  for (std::uint32_t e = 0; e < count; ++e) {
    const scalar::poisson_law law = law_of(e);
    const double t = u[e] - 0.5;
    us[e] = 0.5 - (t < 0.0 ? -t : t);
    out[e] = scalar::gnp_floor(scalar::fused(2.0 * law.a / us[e] + law.b, t, law.mean + 0.43));
    quick[e] = ((us[e] >= 0.07) & (v[e] <= law.quick)) ? 1U : 0U;
  }
  for (std::uint32_t e = 0; e < count; ++e) {
    if (undecided[e] != 0) continue;
    if (mean[e] < 10.0) {
      out[e] = scalar::poisson_law{mean[e], start[e], 0, 0, 0, 0}.invert(first[e]);
    } else if (quick[e] == 0) {
      auto&& parts = parts_of(e);
      undecided[e] = law_of(e).accepts(us[e], v[e], out[e], parts) ? 0U : 1U;
    }
  }
}

template <class T>
struct tries_in_tiles<scalar::poisson_draw<T>> {
  using draw_t = scalar::poisson_draw<T>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    words_of_tile<in_vectors, tile> words(from, first);
    double made[count];
    double u[count];
    std::uint64_t undecided[count] = {};
    if (draw.law.mean < 10.0) {
      words.uniforms(u);
      inverted_in_tile<count>(draw.law, u, made);
    } else {
      double v[count];
      double mean[count];
      for (std::uint32_t e = 0; e < count; ++e) mean[e] = draw.law.mean;
      words.pairs(u, v);
      table_of_parts table(draw.law);
      poisson_in_tile<count>(
          mean, u, u, v, made, undecided, [&](std::uint32_t) { return draw.law; },
          [&](std::uint32_t) -> auto& { return table; });
    }
    keep_counts(words, from, first, made, undecided, out, [&](std::uint32_t, scalar::own_words& own) {
      return static_cast<long long>(draw.law.make(own));
    });
  }
};

template <class T, class Stored>
struct tries_in_tiles<scalar::by_element<scalar::poisson_laws<T, Stored>>> {
  using draw_t = scalar::by_element<scalar::poisson_laws<T, Stored>>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    words_of_tile<in_vectors, tile> words(from, first);
    double mean[count];
    read_parameter<count>(draw.laws.mean, first_of_tile(from, first) - draw.first, mean);
    double made[count];
    double inverted[count];
    double u[count];
    double v[count];
    std::uint64_t undecided[count] = {};
    words.uniforms(inverted);
    words.pairs(u, v);
    const auto law_of = [&](std::uint32_t e) { return scalar::poisson_law_of(mean[e]); };
    poisson_in_tile<count>(mean, inverted, u, v, made, undecided, law_of, law_of);
    keep_counts(words, from, first, made, undecided, out, [&](std::uint32_t e, scalar::own_words& own) {
      return static_cast<long long>(law_of(e).make(own));
    });
  }
};

template <>
struct first_try<scalar::negative_binomial_law> {
  static constexpr bool counts = true;
  static bool possible(const scalar::negative_binomial_law& law) { return law.gamma.shape > 0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    constexpr std::uint32_t count = Words::count;
    double mean[count];
    double inverted[count];
    double u[count];
    double v[count];
    const auto g = laws.gammas([](const auto& law) { return law.gamma; });
    std::uint32_t lowered = 0;
    if (g.lowers()) {
      for (std::uint32_t e = 0; e < count; ++e) lowered += g.lowers(e) ? 1U : 0U;
    }
    if (lowered == count) {
      gammas_in_tile(g, words, mean, undecided);
      words.uniforms(inverted);
      words.pairs(u, v);
    } else {
      // Both kinds of Poisson numbers begin with the same words. A shape below 1 among others takes different
      // ones.
      lifted_in_tile(g, words, mean, undecided);
      if (lowered != 0) {
        for (std::uint32_t e = 0; e < count; ++e) undecided[e] |= g.lowers(e) ? 1U : 0U;
      }
      words.pairs(u, v);
      for (std::uint32_t e = 0; e < count; ++e) inverted[e] = u[e];
    }
    for (std::uint32_t e = 0; e < count; ++e) mean[e] = scalar::gnp_rounded(laws.at(e).odds * mean[e]);
    const auto law_of = [&](std::uint32_t e) { return scalar::poisson_law_of(mean[e]); };
    poisson_in_tile<count>(mean, inverted, u, v, out, undecided, law_of, law_of);
    for (std::uint32_t e = 0; e < count; ++e) undecided[e] |= out[e] < 9e18 ? 0U : 1U;  // for as_count()
  }
};

/// Larger counts than this go the way of as_count().
inline constexpr double most_in_tiles = 9e18;

/// All elements are decided by their formula. In a tile, only the conversion of the counts is not vectorised.
template <>
struct first_try<scalar::geometric_law> {
  static constexpr bool counts = true;
  static bool possible(const scalar::geometric_law&) { return true; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    words.uniforms(out);
    for (std::uint32_t e = 0; e < Words::count; ++e) {
      const double k = laws.at(e).trials(out[e]);
      undecided[e] = k < most_in_tiles ? 0U : 1U;
      out[e] = k < 1 ? 1 : k;
    }
  }
};

template <>
struct first_try<scalar::logseries_law> {
  static constexpr bool counts = true;
  static bool possible(const scalar::logseries_law&) { return true; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double v[Words::count];
    double q[Words::count];
    words.uniforms(v);
    words.uniforms(q);
    for (std::uint32_t e = 0; e < Words::count; ++e) q[e] = laws.at(e).chance(q[e]);
    for (std::uint32_t e = 0; e < Words::count; ++e) {
      const double k = scalar::logseries_law::beyond_two(v[e], q[e]);
      const bool two = v[e] > q[e] * q[e];
      const bool one = (v[e] >= laws.at(e).p) | (two & (v[e] >= q[e]));
      undecided[e] = (one | two | ((k >= 1.0) & (k < most_in_tiles))) ? 0U : 1U;
      out[e] = one ? 1.0 : two ? 2.0 : k;
    }
  }
};

template <>
struct first_try<scalar::zipf_law> {
  static constexpr bool counts = true;
  static bool possible(const scalar::zipf_law& law) { return law.power < 1024.0; }
  template <class Laws, class Words>
  [[gnu::always_inline]] static inline void make(const Laws& laws, Words& words, double* __restrict out,
                                                 std::uint64_t* __restrict undecided) {
    double u[Words::count];
    words.uniforms(u);
    for (std::uint32_t e = 0; e < Words::count; ++e) out[e] = laws.at(e).candidate(u[e]);
    words.uniforms(u);
    for (std::uint32_t e = 0; e < Words::count; ++e) {
      const double x = out[e];
      const bool always_one = laws.at(e).power >= 1024.0;
      const bool kept = always_one | (laws.at(e).keeps(x, u[e]) & (x >= 1.0) & (x < most_in_tiles));
      undecided[e] = kept ? 0U : 1U;
      out[e] = always_one ? 1.0 : x;
    }
  }
};

}}}  // namespace gnp::GNP_ABI::detail
