// SPDX-License-Identifier: MIT
// The passes of a Fourier transform: one for each factor of its length, for many transforms in parallel.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/core/dtype.hpp>
#include <gnp/cpu/loop.hpp>
#include <iterator>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many numbers side by side a loop takes at a time: one AVX2 vector. Rows are padded to a multiple of
/// this.
template <class Real>
inline constexpr index_t fft_lanes = 32 / index_t{sizeof(Real)};

#define GNP_FFT_INLINE [[gnu::always_inline]] inline

// ---------------------------------------------------------------------------------------------------------
// Butterflies: transforms of 2, 3, 4, 5, 7, 8, 11 and 13 numbers, in variables.

template <class Real>
GNP_FFT_INLINE void swap_sum(Real& a, Real& b) {
  const Real sum = a + b;
  b = a - b;
  a = sum;
}

/// A transform of four: a, b, c, d become its results in order.
template <class Real>
GNP_FFT_INLINE void butterfly_4(Real& ar, Real& ai, Real& br, Real& bi, Real& cr, Real& ci, Real& dr,
                                Real& di) {
  swap_sum(ar, cr);
  swap_sum(ai, ci);
  swap_sum(br, dr);
  swap_sum(bi, di);
  swap_sum(ar, br);
  swap_sum(ai, bi);
  // c - i d, c + i d; and b, which is the third result, changes places with c.
  const Real second_r = cr + di;
  const Real second_i = ci - dr;
  const Real fourth_r = cr - di;
  const Real fourth_i = ci + dr;
  cr = br;
  ci = bi;
  br = second_r;
  bi = second_i;
  dr = fourth_r;
  di = fourth_i;
}

/// cos(2 pi k / Radix) and sin(2 pi k / Radix) for k from 1 to Radix / 2.
template <int Radix>
struct circle;
template <>
struct circle<3> {
  static constexpr double cosine[] = {-0.5};
  static constexpr double sine[] = {0.86602540378443864676372317075294};
};
template <>
struct circle<5> {
  static constexpr double cosine[] = {0.30901699437494742410229341718282, -0.80901699437494742410229341718282};
  static constexpr double sine[] = {0.95105651629515357211643933337938, 0.58778525229247312916870595463907};
};
template <>
struct circle<7> {
  static constexpr double cosine[] = {0.62348980185873353052500488400424, -0.22252093395631440428890256449679,
                                      -0.90096886790241912623610231950745};
  static constexpr double sine[] = {0.78183148246802980870844452667406, 0.97492791218182360701813168299393,
                                    0.43388373911755812047576833284836};
};
template <>
struct circle<11> {
  static constexpr double cosine[] = {0.84125353283118116886181164892088, 0.41541501300188642552927414923398,
                                      -0.14231483827328514044379266862047, -0.65486073394528506405692507247249,
                                      -0.95949297361449738989036805707071};
  static constexpr double sine[] = {0.54064081745559758210763595432494, 0.90963199535451837141171538308177,
                                    0.98982144188093273237609203778014, 0.75574957435425828377403584397345,
                                    0.28173255684142969771141791535027};
};
template <>
struct circle<13> {
  static constexpr double cosine[] = {0.88545602565320989589671563953127,  0.56806474673115580251180755912752,
                                      0.12053668025532305334906768745254,  -0.35460488704253562596963789260002,
                                      -0.74851074817110109863463059970138, -0.97094181742605202715698227629379};
  static constexpr double sine[] = {0.46472317204376854565662551664263, 0.82298386589365639457961234330312,
                                    0.99270887409805399280075164949155, 0.93501624268541482343978459894364,
                                    0.66312265824079520237678549180143, 0.23931566428755776714875372272264};
};

/// cos(2 pi jk / Radix) and sin(2 pi jk / Radix), jk no multiple of Radix.
template <int Radix, int jk, class Real>
inline constexpr Real cosine_at =
    Real(circle<Radix>::cosine[(jk % Radix <= Radix / 2 ? jk % Radix : Radix - jk % Radix) - 1]);
template <int Radix, int jk, class Real>
inline constexpr Real sine_at = Real(jk % Radix <= Radix / 2 ? circle<Radix>::sine[jk % Radix - 1]
                                                             : -circle<Radix>::sine[Radix - jk % Radix - 1]);

/// Results K and Radix - K of a transform of odd length, from the sums and the differences of numbers J and
/// Radix - J.
template <std::size_t Radix, std::size_t K, class Real, std::size_t... J>
GNP_FFT_INLINE void odd_results(std::index_sequence<J...>, const Real* sum_r, const Real* sum_i,
                                const Real* difference_r, const Real* difference_i, Real* re, Real* im) {
  const Real even_r = (re[0] + ... + (sum_r[J] * cosine_at<int(Radix), int((J + 1) * K), Real>));
  const Real even_i = (im[0] + ... + (sum_i[J] * cosine_at<int(Radix), int((J + 1) * K), Real>));
  const Real odd_r = ((difference_r[J] * sine_at<int(Radix), int((J + 1) * K), Real>)+...);
  const Real odd_i = ((difference_i[J] * sine_at<int(Radix), int((J + 1) * K), Real>)+...);
  re[K] = even_r + odd_i;
  im[K] = even_i - odd_r;
  re[Radix - K] = even_r - odd_i;
  im[Radix - K] = even_i + odd_r;
}

/// A transform of an odd prime number of numbers.
template <int Radix, class Real, std::size_t... J>
GNP_FFT_INLINE void odd_butterfly(std::index_sequence<J...> half, Real* re, Real* im) {
  const Real sum_r[] = {re[J + 1] + re[Radix - 1 - J]...};
  const Real sum_i[] = {im[J + 1] + im[Radix - 1 - J]...};
  const Real difference_r[] = {re[J + 1] - re[Radix - 1 - J]...};
  const Real difference_i[] = {im[J + 1] - im[Radix - 1 - J]...};
  (odd_results<std::size_t{Radix}, J + 1>(half, sum_r, sum_i, difference_r, difference_i, re, im), ...);
  re[0] = (re[0] + ... + sum_r[J]);
  im[0] = (im[0] + ... + sum_i[J]);
}

template <int Radix, class Real>
GNP_FFT_INLINE void butterfly(Real* re, Real* im) {
  if constexpr (Radix == 2) {
    swap_sum(re[0], re[1]);
    swap_sum(im[0], im[1]);
  } else if constexpr (Radix == 4) {
    butterfly_4(re[0], im[0], re[1], im[1], re[2], im[2], re[3], im[3]);
  } else if constexpr (Radix == 8) {
    // Two transforms of four: of the even and of the odd numbers.
    butterfly_4(re[0], im[0], re[2], im[2], re[4], im[4], re[6], im[6]);
    butterfly_4(re[1], im[1], re[3], im[3], re[5], im[5], re[7], im[7]);
    constexpr Real root_half = Real(0.70710678118654752440084436210485);
    const Real r3 = (re[3] + im[3]) * root_half;
    const Real i3 = (im[3] - re[3]) * root_half;
    const Real r7 = (im[7] - re[7]) * root_half;
    const Real i7 = (im[7] + re[7]) * -root_half;
    const Real even_r[] = {re[0], re[2], re[4], re[6]};
    const Real even_i[] = {im[0], im[2], im[4], im[6]};
    const Real odd_r[] = {re[1], r3, im[5], r7};
    const Real odd_i[] = {im[1], i3, -re[5], i7};
    re[0] = even_r[0] + odd_r[0], im[0] = even_i[0] + odd_i[0];
    re[1] = even_r[1] + odd_r[1], im[1] = even_i[1] + odd_i[1];
    re[2] = even_r[2] + odd_r[2], im[2] = even_i[2] + odd_i[2];
    re[3] = even_r[3] + odd_r[3], im[3] = even_i[3] + odd_i[3];
    re[4] = even_r[0] - odd_r[0], im[4] = even_i[0] - odd_i[0];
    re[5] = even_r[1] - odd_r[1], im[5] = even_i[1] - odd_i[1];
    re[6] = even_r[2] - odd_r[2], im[6] = even_i[2] - odd_i[2];
    re[7] = even_r[3] - odd_r[3], im[7] = even_i[3] - odd_i[3];
  } else {
    odd_butterfly<Radix>(std::make_index_sequence<std::size_t{Radix / 2}>(), re, im);
  }
}

// ---------------------------------------------------------------------------------------------------------
// Passes, as Stockham orders them: the results come out in order, in other memory.

/// Row p + parts j of the input, j below Radix, are transformed to rows Radix p + k of the output, times the
/// roots' p-th row. A row has `width` complex numbers, a multiple of fft_lanes: the real parts of fft_lanes
/// numbers, then their imaginary parts, then the next numbers. So what belongs together is in neighbouring
/// cache lines.
struct fft_pass_shape {
  index_t width;
  index_t parts;
  index_t radix;
};

template <int Radix, bool rotates, class Real, std::size_t... J>
GNP_FFT_INLINE void pass_loop(std::index_sequence<J...>, const fft_pass_shape& shape, const Real* from,
                              Real* to, const Real* roots) {
  constexpr index_t lanes = fft_lanes<Real>;
  const index_t row = 2 * shape.width;
  const index_t step = shape.parts * row;
  for (index_t p = 0; p < shape.parts; ++p, from += row, to += Radix * row) {
    for (index_t q = 0; q < row; q += 2 * lanes) {
      GNP_INDEPENDENT
      for (index_t lane = q; lane < q + lanes; ++lane) {
        Real re[] = {from[lane + index_t{J} * step]...};
        Real im[] = {from[lane + index_t{J} * step + lanes]...};
        butterfly<Radix>(re, im);
        to[lane] = re[0];
        to[lane + lanes] = im[0];
        const auto store = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
          if constexpr (K > 0) {
            Real* const at = to + lane + index_t{K} * row;
            if constexpr (rotates) {
              const Real c = roots[2 * K - 2];
              const Real s = roots[2 * K - 1];
              at[0] = re[K] * c - im[K] * s;
              at[lanes] = re[K] * s + im[K] * c;
            } else {
              at[0] = re[K];
              at[lanes] = im[K];
            }
          }
        };
        (store(std::integral_constant<std::size_t, J>()), ...);
      }
    }
    if constexpr (rotates) roots += 2 * (Radix - 1);
  }
}

template <int Radix, class Real>
GNP_FFT_INLINE void pass_loops(const fft_pass_shape& shape, const Real* from, Real* to, const Real* roots) {
  constexpr auto all = std::make_index_sequence<std::size_t{Radix}>();
  if (shape.parts == 1) {
    pass_loop<Radix, false>(all, shape, from, to, roots);
  } else {
    pass_loop<Radix, true>(all, shape, from, to, roots);
  }
}

/// The largest factor p that there is a pass for. A pass takes p / 8 cycles for each number; a whole transform
/// as a convolution takes 50 for 1000 numbers, and 90 for 10^5, which may have two such factors.
inline constexpr index_t fft_most_radix = 283;

/// The same for any odd prime factor. Before the other roots come those of the radix: cos(2 pi k / radix) and
/// sin(2 pi k / radix) for k below radix. Two results, and those as far from the end, are summed up at a time,
/// so that what has been loaded is used twice.
template <bool rotates, class Real>
GNP_FFT_INLINE void any_pass_loop(const fft_pass_shape& shape, const Real* from, Real* to, const Real* roots) {
  typedef Real vector __attribute__((vector_size(32)));  // NOLINT: as `using` g++ forgets the attribute
  constexpr index_t lanes = fft_lanes<Real>;
  const index_t radix = shape.radix;
  const index_t half = radix / 2;
  const index_t row = 2 * shape.width;
  const index_t step = shape.parts * row;
  const Real* const circle = roots;
  roots += 2 * radix;
  struct pair_of_numbers {
    vector sum_r, sum_i, difference_r, difference_i;
  };
  pair_of_numbers pairs[fft_most_radix / 2];
  for (index_t p = 0; p < shape.parts; ++p, from += row, to += radix * row) {
    for (index_t q = 0; q < row; q += 2 * lanes) {
      vector first_r, first_i;
      std::memcpy(&first_r, from + q, sizeof first_r);
      std::memcpy(&first_i, from + q + lanes, sizeof first_i);
      vector total_r = first_r, total_i = first_i;
      for (index_t j = 1; j <= half; ++j) {
        vector ar, ai, br, bi;
        std::memcpy(&ar, from + q + j * step, sizeof ar);
        std::memcpy(&ai, from + q + j * step + lanes, sizeof ai);
        std::memcpy(&br, from + q + (radix - j) * step, sizeof br);
        std::memcpy(&bi, from + q + (radix - j) * step + lanes, sizeof bi);
        pairs[j - 1] = {ar + br, ai + bi, ar - br, ai - bi};
        total_r += pairs[j - 1].sum_r;
        total_i += pairs[j - 1].sum_i;
      }
      std::memcpy(to + q, &total_r, sizeof total_r);
      std::memcpy(to + q + lanes, &total_i, sizeof total_i);
      const auto store = [&](index_t k, const vector& re, const vector& im) {
        Real* const at = to + q + k * row;
        vector turned_r = re, turned_i = im;
        if constexpr (rotates) {
          const Real c = roots[2 * k - 2];
          const Real s = roots[2 * k - 1];
          turned_r = re * c - im * s;
          turned_i = re * s + im * c;
        }
        std::memcpy(at, &turned_r, sizeof turned_r);
        std::memcpy(at + lanes, &turned_i, sizeof turned_i);
      };
      for (index_t k = 1; k <= half; k += 2) {
        const index_t next = (std::min)(k + 1, half);  // the same one twice where no other is left
        vector even_r = first_r, even_i = first_i, next_even_r = first_r, next_even_i = first_i;
        vector odd_r{}, odd_i{}, next_odd_r{}, next_odd_i{};
        index_t at = 0, next_at = 0;  // j k and j times the next k, modulo the radix
        for (index_t j = 0; j < half; ++j) {
          at += k;
          at -= at >= radix ? radix : 0;
          next_at += next;
          next_at -= next_at >= radix ? radix : 0;
          const pair_of_numbers& x = pairs[j];
          const Real c = circle[2 * at];
          const Real s = circle[2 * at + 1];
          even_r += x.sum_r * c;
          even_i += x.sum_i * c;
          odd_r += x.difference_r * s;
          odd_i += x.difference_i * s;
          const Real next_c = circle[2 * next_at];
          const Real next_s = circle[2 * next_at + 1];
          next_even_r += x.sum_r * next_c;
          next_even_i += x.sum_i * next_c;
          next_odd_r += x.difference_r * next_s;
          next_odd_i += x.difference_i * next_s;
        }
        store(k, even_r + odd_i, even_i - odd_r);
        store(radix - k, even_r - odd_i, even_i + odd_r);
        store(next, next_even_r + next_odd_i, next_even_i - next_odd_r);
        store(radix - next, next_even_r - next_odd_i, next_even_i + next_odd_r);
      }
    }
    if constexpr (rotates) roots += 2 * (radix - 1);
  }
}

template <class Real>
GNP_FFT_INLINE void any_pass_loops(const fft_pass_shape& shape, const Real* from, Real* to, const Real* roots) {
  if (shape.parts == 1) {
    any_pass_loop<false>(shape, from, to, roots);
  } else {
    any_pass_loop<true>(shape, from, to, roots);
  }
}

template <class Real>
GNP_LOOP void fft_any_pass(const fft_pass_shape& shape, const Real* from, Real* to, const Real* roots) {
  any_pass_loops(shape, from, to, roots);
}

template <int Radix, class Real>
GNP_LOOP void fft_pass(const fft_pass_shape& shape, const Real* from, Real* to, const Real* roots) {
  pass_loops<Radix>(shape, from, to, roots);
}

#if GNP_WIDE_LOOPS
template <int Radix, class Real>
GNP_LOOP __attribute__((target("avx2"))) void fft_pass_wide(const fft_pass_shape& shape, const Real* from,
                                                            Real* to, const Real* roots) {
  pass_loops<Radix>(shape, from, to, roots);
}
template <class Real>
GNP_LOOP __attribute__((target("avx2"))) void fft_any_pass_wide(const fft_pass_shape& shape, const Real* from,
                                                                Real* to, const Real* roots) {
  any_pass_loops(shape, from, to, roots);
}
#endif

#undef GNP_FFT_INLINE

/// The factors that there are passes for, in the order in which they are tried.
inline constexpr int fft_radices[] = {8, 4, 2, 3, 5, 7, 11, 13};

template <class Real>
using fft_pass_function = void (*)(const fft_pass_shape&, const Real* from, Real* to, const Real* roots);

/// Has this factor a pass of its own?
constexpr bool has_own_pass(index_t radix) {
  return std::find(std::begin(fft_radices), std::end(fft_radices), radix) != std::end(fft_radices);
}

/// The pass for a factor, with the instructions that this processor has.
template <class Real>
fft_pass_function<Real> fft_pass_for(int radix) {
  const auto choose = [radix](const fft_pass_function<Real>(&of)[std::size(fft_radices)]) {
    std::size_t i = 0;
    while (fft_radices[i] != radix) ++i;
    return of[i];
  };
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) {
    if (!has_own_pass(radix)) return fft_any_pass_wide<Real>;
    return choose({fft_pass_wide<8, Real>, fft_pass_wide<4, Real>, fft_pass_wide<2, Real>,
                   fft_pass_wide<3, Real>, fft_pass_wide<5, Real>, fft_pass_wide<7, Real>,
                   fft_pass_wide<11, Real>, fft_pass_wide<13, Real>});
  }
#endif
  if (!has_own_pass(radix)) return fft_any_pass<Real>;
  return choose({fft_pass<8, Real>, fft_pass<4, Real>, fft_pass<2, Real>, fft_pass<3, Real>, fft_pass<5, Real>,
                 fft_pass<7, Real>, fft_pass<11, Real>, fft_pass<13, Real>});
}

}}}  // namespace gnp::GNP_ABI::detail
