// SPDX-License-Identifier: MIT
// The innermost loops of matrix products on x86-64, with instructions for which the program need not be
// compiled: a tile of c stays in registers while the products of a panel of a and a panel of b are added to it.
#pragma once

#include <gnp/core/dtype.hpp>
#include <utility>

// nvcc's front end knows neither the instructions nor vectors; there, and on other machines, products are
// Eigen's.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define GNP_WIDE_PRODUCTS 1
#else
#define GNP_WIDE_PRODUCTS 0
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_WIDE_PRODUCTS

// The loops are macros because the attribute must be on the function that holds the vectors: g++ splits vectors
// that a function's own instructions lack before it inlines the function elsewhere. A tile is traversed by
// packs rather than loops, so that each of its vectors is a variable at any level of optimisation.

// add_tile: c += alpha a b for a tile of c, given by its columns. For each of the `depth` steps, a has a column
// for the tile, `a_step` after the previous one, and b has a row.
#define GNP_WIDE_TILE(set, instructions, bytes, columns)                                                  \
  template <class Real, std::size_t... Row, std::size_t... Entry>                                         \
  __attribute__((target(instructions))) void add_tile_##set(                                              \
      std::index_sequence<Row...>, std::index_sequence<Entry...>, const Real* a, index_t a_step,          \
      const Real* b, index_t depth, Real* const* c, Real alpha) {                                         \
    typedef Real vector __attribute__((vector_size(bytes)));                                              \
    constexpr std::size_t lanes = bytes / sizeof(Real);                                                   \
    constexpr std::size_t rows = sizeof...(Row);                                                          \
    vector sums[sizeof...(Entry)];                                                                        \
    ((sums[Entry] = vector{}), ...);                                                                      \
    for (index_t k = 0; k < depth; ++k, a += a_step, b += columns) {                                      \
      vector x[rows];                                                                                     \
      (__builtin_memcpy(&x[Row], a + Row * lanes, bytes), ...);                                           \
      ((sums[Entry] += x[Entry % rows] * b[Entry / rows]), ...);                                          \
    }                                                                                                     \
    vector y;                                                                                             \
    ((__builtin_memcpy(&y, c[Entry / rows] + Entry % rows * lanes, bytes), y += alpha * sums[Entry],      \
      __builtin_memcpy(c[Entry / rows] + Entry % rows * lanes, &y, bytes)),                               \
     ...);                                                                                                \
  }                                                                                                       \
  template <class Real, std::size_t Vectors>                                                              \
  void add_tile_##set(const Real* a, index_t a_step, const Real* b, index_t depth, Real* const* c,        \
                      Real alpha) {                                                                       \
    add_tile_##set(std::make_index_sequence<Vectors>(), std::make_index_sequence<Vectors * columns>(), a, \
                   a_step, b, depth, c, alpha);                                                           \
  }

// As many vectors as leave registers for a column of a and an entry of b: 12 of 16, 24 of 32.
GNP_WIDE_TILE(avx2, "avx2,fma", 32, 4)
GNP_WIDE_TILE(avx512, "avx512f", 64, 8)
#undef GNP_WIDE_TILE

// The shuffle of two rows of x, `distance` apart, that exchanges their lanes at the same distance. `high` is 0
// for the first of the two rows, and `distance` for the second.
#define GNP_WIDE_PICK(x, distance, high)                                      \
  __builtin_shufflevector(x[Row & ~std::size_t{distance}], x[Row | distance], \
                          ((Lane & distance) == 0 ? Lane + high : Lane + high - distance + sizeof...(Row))...)
#define GNP_WIDE_EXCHANGE(to, from, distance)                                                                \
  ((to[Row] =                                                                                                \
        (Row & distance) == 0 ? GNP_WIDE_PICK(from, distance, 0) : GNP_WIDE_PICK(from, distance, distance)), \
   ...)

// copy_strips: `depth` rows of `strips` times as many numbers as a tile has columns.
// transpose_strips: the same from matrices whose columns are out's rows.
// rows_times_i: `depth` rows of complex numbers, of which `strips` come from `in` and the others are in `out`
// already. Under each row goes the row times the imaginary unit. With `conjugates`, both are of the conjugates.
#define GNP_WIDE_MOVES(set, instructions, columns)                                                             \
  template <class Real>                                                                                        \
  __attribute__((target(instructions))) void copy_strips_##set(                                                \
      Real* out, index_t out_step, const Real* in, index_t in_step, index_t strips, index_t depth) {           \
    for (index_t k = 0; k < depth; ++k, out += out_step, in += in_step) {                                      \
      for (index_t s = 0; s < strips; ++s)                                                                     \
        __builtin_memcpy(out + s * columns, in + s * columns, columns * sizeof(Real));                         \
    }                                                                                                          \
  }                                                                                                            \
  template <class Real, std::size_t... Row, std::size_t... Lane>                                               \
  __attribute__((target(instructions))) void transpose_strips_##set(                                           \
      std::index_sequence<Row...>, std::index_sequence<Lane...>, Real* out, index_t out_step, const Real* in,  \
      index_t in_step, index_t strips, index_t depth) {                                                        \
    typedef Real vector __attribute__((vector_size(columns * sizeof(Real))));                                  \
    vector x[columns], y[columns];                                                                             \
    for (index_t k = 0; k < depth; k += columns) {                                                             \
      for (index_t s = 0; s < strips; ++s) {                                                                   \
        const Real* const from = in + s * columns * in_step + k;                                               \
        Real* const to = out + k * out_step + s * columns;                                                     \
        (__builtin_memcpy(&x[Row], from + index_t{Row} * in_step, sizeof(vector)), ...);                       \
        GNP_WIDE_EXCHANGE(y, x, 1);                                                                            \
        GNP_WIDE_EXCHANGE(x, y, 2);                                                                            \
        if constexpr (columns == 8) {                                                                          \
          GNP_WIDE_EXCHANGE(y, x, 4);                                                                          \
          ((x[Row] = y[Row]), ...);                                                                            \
        }                                                                                                      \
        (__builtin_memcpy(to + index_t{Row} * out_step, &x[Row], sizeof(vector)), ...);                        \
      }                                                                                                        \
    }                                                                                                          \
  }                                                                                                            \
  template <class Real>                                                                                        \
  void transpose_strips_##set(Real* out, index_t out_step, const Real* in, index_t in_step, index_t strips,    \
                              index_t depth) {                                                                 \
    constexpr auto all = std::make_index_sequence<columns>();                                                  \
    transpose_strips_##set(all, all, out, out_step, in, in_step, strips, depth);                               \
  }                                                                                                            \
  template <class Real, std::size_t... Lane>                                                                   \
  __attribute__((target(instructions))) void rows_times_i_##set(                                               \
      std::index_sequence<Lane...>, Real* out, index_t width, const Real* in, index_t in_step, index_t strips, \
      index_t depth, bool conjugates) {                                                                        \
    typedef Real vector __attribute__((vector_size(columns * sizeof(Real))));                                  \
    const Real sign(conjugates ? -1 : 1);                                                                      \
    const vector signs = {(Lane % 2 == 0 ? Real(1) : sign)...};                                                \
    const vector turned_signs = {(Lane % 2 == 0 ? -sign : Real(1))...};                                        \
    for (index_t k = 0; k < depth; ++k, out += 2 * width, in += in_step) {                                     \
      for (index_t i = 0; i < width; i += columns) {                                                           \
        vector row;                                                                                            \
        __builtin_memcpy(&row, (i < strips * columns ? in : out) + i, sizeof row);                             \
        const vector turned = __builtin_shufflevector(row, row, (Lane ^ 1)...) * turned_signs;                 \
        row *= signs;                                                                                          \
        __builtin_memcpy(out + i, &row, sizeof row);                                                           \
        __builtin_memcpy(out + width + i, &turned, sizeof row);                                                \
      }                                                                                                        \
    }                                                                                                          \
  }                                                                                                            \
  template <class Real>                                                                                        \
  void rows_times_i_##set(Real* out, index_t width, const Real* in, index_t in_step, index_t strips,           \
                          index_t depth, bool conjugates) {                                                    \
    rows_times_i_##set(std::make_index_sequence<columns>(), out, width, in, in_step, strips, depth,            \
                       conjugates);                                                                            \
  }
GNP_WIDE_MOVES(avx2, "avx2,fma", 4)
GNP_WIDE_MOVES(avx512, "avx512f", 8)
#undef GNP_WIDE_MOVES
#undef GNP_WIDE_EXCHANGE
#undef GNP_WIDE_PICK

/// The loops for one set of instructions.
template <class Real>
struct simd_tiles {
  static constexpr index_t most_vectors = 3;
  static constexpr index_t most_columns = 8;
  static constexpr index_t most_rows = most_vectors * 64 / index_t{sizeof(Real)};

  index_t lanes;    // of a vector
  index_t columns;  // of a tile
  void (*add[most_vectors])(const Real* a, index_t a_step, const Real* b, index_t depth, Real* const* c,
                            Real alpha);
  void (*copy)(Real* out, index_t out_step, const Real* in, index_t in_step, index_t strips, index_t depth);
  void (*transpose)(Real* out, index_t out_step, const Real* in, index_t in_step, index_t strips,
                    index_t depth);
  void (*rows_times_i)(Real* out, index_t width, const Real* in, index_t in_step, index_t strips, index_t depth,
                       bool conjugates);

  index_t rows() const { return most_vectors * lanes; }
};

template <class Real>
inline constexpr simd_tiles<Real> avx2_tiles = {
    32 / sizeof(Real),
    4,
    {add_tile_avx2<Real, 1>, add_tile_avx2<Real, 2>, add_tile_avx2<Real, 3>},
    copy_strips_avx2<Real>,
    transpose_strips_avx2<Real>,
    rows_times_i_avx2<Real>};
template <class Real>
inline constexpr simd_tiles<Real> avx512_tiles = {
    64 / sizeof(Real),
    8,
    {add_tile_avx512<Real, 1>, add_tile_avx512<Real, 2>, add_tile_avx512<Real, 3>},
    copy_strips_avx512<Real>,
    transpose_strips_avx512<Real>,
    rows_times_i_avx512<Real>};

/// The loops for this processor; null if it has no instructions that make them worthwhile.
template <class Real>
const simd_tiles<Real>* tiles_of_processor() {
  static const simd_tiles<Real>* const tiles = [] {
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return __builtin_cpu_supports("avx512f") ? &avx512_tiles<Real> : has_avx2 ? &avx2_tiles<Real> : nullptr;
  }();
  return tiles;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
