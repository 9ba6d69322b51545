// SPDX-License-Identifier: MIT
// The words and the laws of a tile's elements, on the CPU: what first_tries.hpp draws with.
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

  /// Two uniform numbers from the words of one try. (Not after give_back().)
  [[gnu::always_inline]] inline void pairs(double* __restrict u, double* __restrict v) {
    std::uint64_t xy[count];
    std::uint64_t zw[count];
    next(xy, zw);
    for (std::uint32_t e = 0; e < count; ++e) u[e] = unit(xy[e]);
    for (std::uint32_t e = 0; e < count; ++e) v[e] = unit(zw[e]);
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

}}}  // namespace gnp::GNP_ABI::detail
