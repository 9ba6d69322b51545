// SPDX-License-Identifier: MIT
// Squares of numbers are transposed in registers, so that rows become columns: between the two halves of a long
// transform, and where transforms that lie one after the other are done side by side.
#pragma once

#include <gnp/dense/fft_passes.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if defined(__GNUC__) && !defined(__CUDACC__)
#define GNP_FFT_VECTORS 1
#else
#define GNP_FFT_VECTORS 0  // nvcc's front end does not know vectors
#endif

/// A square of fft_lanes x fft_lanes complex numbers to be moved. The source has only `rows` rows; the others
/// count as zeros. Only `columns` of its columns, which are the target's rows, are wanted.
template <class Real>
struct fft_tile {
  const Real* from;
  index_t from_step;
  index_t rows;
  Real* to;
  index_t to_step;
  index_t columns;
};

#if GNP_FFT_VECTORS

template <class Real>
inline constexpr Real fft_zeros[2 * fft_lanes<Real>] = {};

// As in dense/simd_kernel.hpp, these are macros, because the attribute must be on the function that holds the
// vectors, and packs, so that each vector is a variable.
#define GNP_FFT_PICK(x, distance, high)                                       \
  __builtin_shufflevector(x[Row & ~std::size_t{distance}], x[Row | distance], \
                          ((Lane & distance) == 0 ? Lane + high : Lane + high - distance + sizeof...(Row))...)
#define GNP_FFT_EXCHANGE(to, from, distance)                                                               \
  ((to[Row] =                                                                                              \
        (Row & distance) == 0 ? GNP_FFT_PICK(from, distance, 0) : GNP_FFT_PICK(from, distance, distance)), \
   ...)
#define GNP_FFT_TURN(x, y)             \
  GNP_FFT_EXCHANGE(y, x, 1);           \
  GNP_FFT_EXCHANGE(x, y, 2);           \
  if constexpr (sizeof...(Row) == 8) { \
    GNP_FFT_EXCHANGE(y, x, 4);         \
    ((x[Row] = y[Row]), ...);          \
  }

// turn_tile: transposes rows of vectors of real and imaginary parts, times `roots`, which are laid out like
// them; with `turns_rows`, each row is also multiplied by a number of `turns`. gather_tile: from rows of
// complex numbers one after the other to such rows of vectors, with their parts exchanged or not. scatter_tile:
// the reverse, times `scale`.
#define GNP_FFT_TILES(set, target_set)                                                                       \
  template <bool turns_rows, class Real, std::size_t... Row, std::size_t... Lane>                            \
  target_set void turn_tile_##set(std::index_sequence<Row...>, std::index_sequence<Lane...>,                 \
                                  const fft_tile<Real>& tile, const Real* roots,                             \
                                  [[maybe_unused]] const Real* turns) {                                      \
    constexpr std::size_t lanes = sizeof...(Row);                                                            \
    typedef Real vector __attribute__((vector_size(lanes * sizeof(Real))));                                  \
    const index_t at[] = {(index_t{Row} < tile.rows ? index_t{Row} * tile.from_step : 0)...};                \
    const Real* const x[] = {(index_t{Row} < tile.rows ? tile.from + at[Row] : fft_zeros<Real>)...};         \
    vector re[lanes], im[lanes], c[lanes], s[lanes], other[lanes];                                           \
    ((__builtin_memcpy(&re[Row], x[Row], sizeof(vector)),                                                    \
      __builtin_memcpy(&im[Row], x[Row] + lanes, sizeof(vector)),                                            \
      __builtin_memcpy(&c[Row], roots + at[Row], sizeof(vector)),                                            \
      __builtin_memcpy(&s[Row], roots + at[Row] + lanes, sizeof(vector))),                                   \
     ...);                                                                                                   \
    if constexpr (turns_rows) {                                                                              \
      ((other[Row] = c[Row] * turns[2 * Row] - s[Row] * turns[2 * Row + 1],                                  \
        s[Row] = c[Row] * turns[2 * Row + 1] + s[Row] * turns[2 * Row], c[Row] = other[Row]),                \
       ...);                                                                                                 \
    }                                                                                                        \
    ((other[Row] = re[Row] * c[Row] - im[Row] * s[Row], im[Row] = re[Row] * s[Row] + im[Row] * c[Row],       \
      re[Row] = other[Row]),                                                                                 \
     ...);                                                                                                   \
    GNP_FFT_TURN(re, other)                                                                                  \
    GNP_FFT_TURN(im, other)                                                                                  \
    Real* const to[] = {tile.to + index_t{Row} * tile.to_step...};                                           \
    ((index_t{Row} < tile.columns ? (__builtin_memcpy(to[Row], &re[Row], sizeof(vector)),                    \
                                     __builtin_memcpy(to[Row] + lanes, &im[Row], sizeof(vector)))            \
                                  : nullptr),                                                                \
     ...);                                                                                                   \
  }                                                                                                          \
  template <class Real, std::size_t... Row, std::size_t... Lane>                                             \
  target_set void gather_tile_##set(std::index_sequence<Row...>, std::index_sequence<Lane...>,               \
                                    const fft_tile<Real>& tile, bool exchanged) {                            \
    constexpr std::size_t lanes = sizeof...(Row);                                                            \
    typedef Real vector __attribute__((vector_size(lanes * sizeof(Real))));                                  \
    const Real* const x[] = {                                                                                \
        (index_t{Row} < tile.rows ? tile.from + index_t{Row} * tile.from_step : fft_zeros<Real>)...};        \
    vector re[lanes], im[lanes], other[lanes];                                                               \
    ((__builtin_memcpy(&im[Row], x[Row], sizeof(vector)),                                                    \
      __builtin_memcpy(&other[Row], x[Row] + lanes, sizeof(vector)),                                         \
      re[Row] = __builtin_shufflevector(im[Row], other[Row], (2 * Lane)...),                                 \
      im[Row] = __builtin_shufflevector(im[Row], other[Row], (2 * Lane + 1)...)),                            \
     ...);                                                                                                   \
    GNP_FFT_TURN(re, other)                                                                                  \
    GNP_FFT_TURN(im, other)                                                                                  \
    Real* const to = exchanged ? tile.to + lanes : tile.to;                                                  \
    Real* const to_im = exchanged ? tile.to : tile.to + lanes;                                               \
    ((__builtin_memcpy(to + index_t{Row} * tile.to_step, &re[Row], sizeof(vector)),                          \
      __builtin_memcpy(to_im + index_t{Row} * tile.to_step, &im[Row], sizeof(vector))),                      \
     ...);                                                                                                   \
  }                                                                                                          \
  template <class Real, std::size_t... Row, std::size_t... Lane>                                             \
  target_set void scatter_tile_##set(std::index_sequence<Row...>, std::index_sequence<Lane...>,              \
                                     const fft_tile<Real>& tile, bool exchanged, Real scale) {               \
    constexpr std::size_t lanes = sizeof...(Row);                                                            \
    typedef Real vector __attribute__((vector_size(lanes * sizeof(Real))));                                  \
    const Real* const from = exchanged ? tile.from + lanes : tile.from;                                      \
    const Real* const from_im = exchanged ? tile.from : tile.from + lanes;                                   \
    vector re[lanes], im[lanes], other[lanes];                                                               \
    ((__builtin_memcpy(&re[Row], from + index_t{Row} * tile.from_step, sizeof(vector)),                      \
      __builtin_memcpy(&im[Row], from_im + index_t{Row} * tile.from_step, sizeof(vector)), re[Row] *= scale, \
      im[Row] *= scale),                                                                                     \
     ...);                                                                                                   \
    GNP_FFT_TURN(re, other)                                                                                  \
    GNP_FFT_TURN(im, other)                                                                                  \
    ((other[Row] = __builtin_shufflevector(re[Row], im[Row], (Lane / 2 + Lane % 2 * lanes)...),              \
      re[Row] = __builtin_shufflevector(re[Row], im[Row], ((Lane + lanes) / 2 + Lane % 2 * lanes)...)),      \
     ...);                                                                                                   \
    Real* const to[] = {tile.to + index_t{Row} * tile.to_step...};                                           \
    ((index_t{Row} < tile.columns ? (__builtin_memcpy(to[Row], &other[Row], sizeof(vector)),                 \
                                     __builtin_memcpy(to[Row] + lanes, &re[Row], sizeof(vector)))            \
                                  : nullptr),                                                                \
     ...);                                                                                                   \
  }
GNP_FFT_TILES(plain, )
#if GNP_WIDE_LOOPS
GNP_FFT_TILES(wide, __attribute__((target("avx2"))))
#endif
#undef GNP_FFT_TILES
#undef GNP_FFT_TURN
#undef GNP_FFT_EXCHANGE
#undef GNP_FFT_PICK

template <bool turns_rows, class Real>
void turn_tile(const fft_tile<Real>& tile, const Real* roots, const Real* turns) {
  constexpr auto side = std::make_index_sequence<std::size_t{fft_lanes<Real>}>();
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return turn_tile_wide<turns_rows>(side, side, tile, roots, turns);
#endif
  turn_tile_plain<turns_rows>(side, side, tile, roots, turns);
}
template <class Real>
void gather_tile(const fft_tile<Real>& tile, bool exchanged) {
  constexpr auto side = std::make_index_sequence<std::size_t{fft_lanes<Real>}>();
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return gather_tile_wide(side, side, tile, exchanged);
#endif
  gather_tile_plain(side, side, tile, exchanged);
}
template <class Real>
void scatter_tile(const fft_tile<Real>& tile, bool exchanged, Real scale) {
  constexpr auto side = std::make_index_sequence<std::size_t{fft_lanes<Real>}>();
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return scatter_tile_wide(side, side, tile, exchanged, scale);
#endif
  scatter_tile_plain(side, side, tile, exchanged, scale);
}

#else

template <bool turns_rows, class Real>
void turn_tile(const fft_tile<Real>& tile, const Real* roots, const Real* turns) {
  constexpr index_t lanes = fft_lanes<Real>;
  for (index_t i = 0; i < lanes; ++i) {
    for (index_t j = 0; j < tile.columns; ++j) {
      Real* const to = tile.to + j * tile.to_step + i;
      to[0] = to[lanes] = Real(0);
      if (i >= tile.rows) continue;
      const Real* const x = tile.from + i * tile.from_step + j;
      Real c = roots[i * tile.from_step + j];
      Real s = roots[i * tile.from_step + j + lanes];
      if constexpr (turns_rows) {
        const Real turned = c * turns[2 * i] - s * turns[2 * i + 1];
        s = c * turns[2 * i + 1] + s * turns[2 * i];
        c = turned;
      }
      to[0] = x[0] * c - x[lanes] * s;
      to[lanes] = x[0] * s + x[lanes] * c;
    }
  }
}
template <class Real>
void gather_tile(const fft_tile<Real>& tile, bool exchanged) {
  constexpr index_t lanes = fft_lanes<Real>;
  for (index_t i = 0; i < lanes; ++i) {
    for (index_t j = 0; j < lanes; ++j) {
      Real* const to = tile.to + j * tile.to_step + i;
      const Real* const x = tile.from + i * tile.from_step + 2 * j;
      to[exchanged ? lanes : 0] = i < tile.rows ? x[0] : Real(0);
      to[exchanged ? 0 : lanes] = i < tile.rows ? x[1] : Real(0);
    }
  }
}
template <class Real>
void scatter_tile(const fft_tile<Real>& tile, bool exchanged, Real scale) {
  constexpr index_t lanes = fft_lanes<Real>;
  for (index_t i = 0; i < tile.columns; ++i) {
    for (index_t j = 0; j < lanes; ++j) {
      const Real* const from = tile.from + j * tile.from_step + i;
      Real* const to = tile.to + i * tile.to_step + 2 * j;
      to[0] = from[exchanged ? lanes : 0] * scale;
      to[1] = from[exchanged ? 0 : lanes] * scale;
    }
  }
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
