// SPDX-License-Identifier: MIT
// Numbers of successes on the CPU, binomial and hypergeometric: in tiles, as count_tries.hpp makes other
// counts.
#pragma once

#include <cmath>
#include <cstdlib>
#include <gnp/random/count_tries.hpp>
#include <iterator>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class T>
struct tries_in_tiles<scalar::binomial_draw<T>> {
  using draw_t = scalar::binomial_draw<T>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    const scalar::binomial_law& law = draw.law;
    words_of_tile<in_vectors, tile> words(from, first);
    double made[count];
    double u[count];
    std::uint64_t undecided[count] = {};
    if (law.inverts()) {
      words.uniforms(u);
      inverted_in_tile<count>(law, u, made);
    } else {
      double v[count];
      double us[count];
      words.pairs(u, v);
      const double centre = scalar::fused(law.n, law.p, 0.5);
      for (std::uint32_t e = 0; e < count; ++e) {
        const double t = u[e] - 0.5;
        us[e] = 0.5 - (t < 0.0 ? -t : t);
        made[e] = scalar::gnp_floor(scalar::fused(2.0 * law.a / us[e] + law.b, t, centre));
        undecided[e] = ((us[e] >= 0.07) & (v[e] <= law.quick)) ? 0U : 1U;
      }
      table_of_parts table(law);
      for (std::uint32_t e = 0; e < count; ++e) {
        if (undecided[e] != 0) undecided[e] = law.accepts(us[e], v[e], made[e], table) ? 0U : 1U;
      }
    }
    for (std::uint32_t e = 0; e < count; ++e) out[e] = draw.count(undecided[e] == 0 ? made[e] : 0.0);
    make_undecided(words, from, first, undecided, out,
                   [&](std::uint32_t, scalar::own_words& own) { return draw.count(law.make(own)); });
  }
};

template <class T>
struct tries_in_tiles<scalar::same_law<T, scalar::hypergeometric_law>> {
  using draw_t = scalar::same_law<T, scalar::hypergeometric_law>;
  static constexpr bool known = true;
  static bool possible(const draw_t& draw) { return draw.law.by_ratio(); }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    const scalar::hypergeometric_law& law = draw.law;
    words_of_tile<in_vectors, tile> words(from, first);
    double x[count];
    double at[count];
    double made[count];
    std::uint64_t undecided[count];
    words.uniforms(x);
    words.uniforms(at);
    for (std::uint32_t e = 0; e < count; ++e) {
      at[e] = law.place(x[e], at[e]);
      undecided[e] = law.holds(at[e]) ? 0U : 1U;
      made[e] = scalar::gnp_floor(at[e]);
      x[e] = 2.0 * scalar::log_of(x[e]);
    }
    table_of_parts table(law);
    for (std::uint32_t e = 0; e < count; ++e) {
      if (undecided[e] == 0 && !(x[e] <= table.log_part(made[e]))) undecided[e] = 1;
      if (undecided[e] == 0) made[e] = static_cast<double>(law.count(made[e]));
    }
    keep_counts(words, from, first, made, undecided, out,
                [&](std::uint32_t, scalar::own_words& own) { return law.count(law.reject(own, table)); });
  }
};

/// The laws of a tile that are in use. Preparing one takes longer than a draw, and elements often share one:
/// the rows of a multinomial draw have few numbers of trials, and the chances of all rows are the same.
template <class Law>
class laws_at_hand {
 public:
  /// The law of these parameters, made by make().
  template <class Make>
  Law& of(std::uint64_t a, std::uint64_t b, std::uint64_t c, const Make& make) {
    // Fibonacci hashing; the factors' products differ in the upper bits even where only a few lower ones do.
    const std::uint64_t sum = a * 0x9e3779b97f4a7c15U + b * 0xc2b2ae3d27d4eb4fU + c * 0x165667b19e3779f9U;
    const auto slot = static_cast<std::size_t>(sum >> (64 - bits));
    entry& here = entries_[slot];
    if (known_[slot] == 0 || here.a != a || here.b != b || here.c != c) {
      known_[slot] = 1;
      here.a = a;
      here.b = b;
      here.c = c;
      here.law = make();
    }
    return here.law;
  }

 private:
  static constexpr int bits = 7;  // half as many as elements of a tile, so that few share a slot
  struct entry {
    std::uint64_t a;
    std::uint64_t b;
    std::uint64_t c;
    Law law;
  };
  unsigned char known_[std::size_t{1} << bits] = {};
  entry entries_[std::size_t{1} << bits];  // not initialised: most of them stay unused
};

/// A binomial law that, from its second number on, keeps the running sums of its inversion: a sum takes a
/// division, of which each waits for the one before. (Members are not initialised before a law is assigned.)
template <class T>
class binomial_at_hand {
 public:
  binomial_at_hand& operator=(const scalar::binomial_draw<T>& draw) {
    draw_ = draw;
    known_ = -1;
    return *this;
  }
  [[gnu::always_inline]] inline T make(scalar::own_words& own) {
    return draw_.count(draw_.law.inverts() ? invert(own.uniform()) : draw_.law.reject(own));
  }

 private:
  [[gnu::always_inline]] inline double invert(double u) {
    const scalar::binomial_law& law = draw_.law;
    if (known_ < 0) {
      known_ = 0;
      chance_ = sums_[0] = law.start;
      return law.invert(u);
    }
    while (sums_[known_] < u && known_ + 1 < held && known_ < law.most()) {
      ++known_;
      chance_ = law.next_chance(chance_, known_);
      sums_[known_] = sums_[known_ - 1] + chance_;
    }
    if (sums_[known_] < u) return law.invert(u);
    // All of them in any case: where the search ends is not foreseen.
    int k = 0;
    for (int i = 0; i < known_; ++i) k += sums_[i] < u ? 1 : 0;
    return k;
  }

  static constexpr int held = 24;  // 5 deviations of a mean of 9
  scalar::binomial_draw<T> draw_;
  double chance_;
  double sums_[held];
  int known_;  // the last of the sums, or -1
};

template <class T, class Stored, class Count>
struct tries_in_tiles<scalar::by_element<scalar::binomial_laws<T, Stored, Count>>> {
  using draw_t = scalar::by_element<scalar::binomial_laws<T, Stored, Count>>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    const words_of_tile<in_vectors, tile> words(from, first);
    const unsigned long long begin = first_of_tile(from, first) - draw.first;
    long long trials[count];
    double chance[count];
    read_parameter<count>(draw.laws.trials, begin, trials);
    read_parameter<count>(draw.laws.chance, begin, chance);
    laws_at_hand<binomial_at_hand<T>> laws;
    for (std::uint32_t e = 0; e < count; ++e) {
      // Nothing or everything, for which no law is prepared; half of a multinomial draw may be that.
      if (trials[e] == 0 || chance[e] == 0 || chance[e] == 1) {
        out[e] = scalar::cast<T>(chance[e] == 1 ? trials[e] : 0LL);
        continue;
      }
      const scalar::draw_place place{from, first + e / 4, e & 2U};
      scalar::own_words own = words.own(place, e);
      auto& law = laws.of(static_cast<std::uint64_t>(trials[e]), scalar::gnp_double_bits(chance[e]), 0,
                          [&] { return scalar::binomial_draw<T>::of(trials[e], chance[e]); });
      out[e] = law.make(own);
    }
  }
};

/// The logarithms of factorials, for urns of so many items that this table of 8 KiB has them.
class log_factorials {
 public:
  static constexpr double most = 1023;

  static const log_factorials& table() {
    static const log_factorials made;
    return made;
  }
  /// Numbers that are not whole have no factorials.
  static bool know(const scalar::hypergeometric_law& law) {
    const auto is_whole = [](double x) { return x == scalar::gnp_floor(x); };
    return law.good + law.bad <= most && is_whole(law.good) && is_whole(law.bad) && is_whole(law.sample);
  }
  /// What hypergeometric_law's log_part(k) computes, but for rounding. Both are off by less than 1e-11: they
  /// are sums of a few numbers below 1e4.
  double part(const scalar::hypergeometric_law& law, double k) const {
    const double rest = law.good + law.bad - law.few - law.drawn;
    const auto chance = [&](double hits) {
      return of(hits) + of(law.few - hits) + of(law.drawn - hits) + of(rest + hits);
    };
    return chance(law.mode) - chance(k);
  }

 private:
  log_factorials() {
    double sum = 0;
    for (std::size_t n = 1; n < std::size(logarithms_); ++n)
      logarithms_[n] = sum += std::log(static_cast<double>(n));
  }
  double of(double n) const { return logarithms_[static_cast<std::size_t>(n)]; }

  double logarithms_[static_cast<std::size_t>(most) + 1] = {};
};

template <class T>
struct tries_in_tiles<scalar::own_law<T, scalar::hypergeometric_law>> {
  using law_t = scalar::hypergeometric_law;
  using draw_t = scalar::own_law<T, law_t>;
  static constexpr bool known = true;
  static bool possible(const draw_t&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const draw_t& draw, const scalar::random_source& from,
                                                 std::uint32_t first, T* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    words_of_tile<in_vectors, tile> words(from, first);
    own_laws<law_t, count> given;
    read_parameters<tile>(draw, from, first, given);
    std::uint64_t in_ratio = 0;
    for (std::uint32_t e = 0; e < count; ++e) in_ratio |= counted(given, e).by_ratio() ? 1U : 0U;
    double x[count];
    double at[count];
    double width[count];
    double centre[count];
    double mode[count];
    double end[count];
    if (in_ratio != 0) {  // the first try of all elements
      words.uniforms(x);
      words.uniforms(at);
      for (std::uint32_t e = 0; e < count; ++e) {
        law_t law = counted(given, e);
        law.prepare_place();
        at[e] = law.place(x[e], at[e]);
        width[e] = law.width;
        centre[e] = law.centre;
        mode[e] = law.mode;
        end[e] = law.end;
      }
      for (std::uint32_t e = 0; e < count; ++e) x[e] = 2.0 * scalar::log_of(x[e]);
    }
    const log_factorials& table = log_factorials::table();
    laws_at_hand<law_t> laws;
    for (std::uint32_t e = 0; e < count; ++e) {
      const scalar::draw_place place{from, first + e / 4, e & 2U};
      scalar::own_words own = words.own(place, e);
      const auto prepared = [&]() -> const law_t& {
        return laws.of(scalar::gnp_double_bits(given.values[0][e]), scalar::gnp_double_bits(given.values[1][e]),
                       scalar::gnp_double_bits(given.values[2][e]), [&] { return given.at(e); });
      };
      law_t law = counted(given, e);
      if (!law.by_ratio()) {
        out[e] = scalar::cast<T>(law.make(own));
      } else if (!log_factorials::know(law)) {
        out[e] = scalar::cast<T>(prepared().make(own));
      } else {
        law.width = width[e];
        law.centre = centre[e];
        law.mode = mode[e];
        law.end = end[e];
        out[e] = scalar::cast<T>(law.count(tried(law, own, table, at[e], x[e], prepared)));
      }
    }
  }

 private:
  template <class Given>
  [[gnu::always_inline]] static inline law_t counted(const Given& given, std::uint32_t e) {
    const double values[] = {given.values[0][e], given.values[1][e], given.values[2][e]};
    return law_t::counted(values);
  }

  /// The law's reject(), with the place and the doubled logarithm of the first try. The table decides, unless
  /// rounding could.
  template <class Prepared>
  static double tried(const law_t& law, scalar::own_words& own, const log_factorials& table, double at,
                      double twice_log, const Prepared& prepared) {
    constexpr double rounding = 1e-9;
    const auto keeps = [&](double k) {
      const double beyond = twice_log - table.part(law, k);
      if (!(std::abs(beyond) <= rounding)) return beyond < 0;
      return twice_log <= prepared().log_part(k);
    };
    if (law.holds(at) && keeps(scalar::gnp_floor(at))) return scalar::gnp_floor(at);
    own.uniform();
    own.uniform();
    while (own.more()) {
      const double x = own.uniform();
      at = law.place(x, own.uniform());
      if (!law.holds(at)) continue;
      twice_log = 2.0 * scalar::log_of(x);
      if (keeps(scalar::gnp_floor(at))) return scalar::gnp_floor(at);
    }
    return law.mode;
  }
};

}}}  // namespace gnp::GNP_ABI::detail
