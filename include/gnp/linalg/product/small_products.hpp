// SPDX-License-Identifier: MIT
// Products of matrices that are so small that to pack them, or to prepare each of a stack, would take longer
// than to multiply them. A vector of c's rows stays in a register while the products are added. The last vector
// of rows and the last group of columns overlap those before them, so that nothing is left over.
#pragma once

#include <algorithm>
#include <complex>
#include <gnp/cpu/threads.hpp>
#include <gnp/dense/simd_pack.hpp>
#include <gnp/linalg/product/gemm_job.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most of c's rows, and the greatest depth.
inline constexpr index_t most_small = 32;
/// The most products for a single row, which is not read in vectors.
inline constexpr index_t most_in_small_row = 100;

/// May these matrices be multiplied here, if nothing else is added to them?
inline bool suits_small_products(const gemm_job& j) {
  return GNP_WIDE_PRODUCTS && j.m <= most_small && j.k <= most_small &&
         (j.m > 1 || j.n * j.k <= most_in_small_row);
}

#if GNP_WIDE_PRODUCTS

/// c = alpha a b for matrices that follow each other in equal steps, with contiguous columns in c. A row is a
/// row of real numbers: complex entries have two. All steps are in real numbers, too.
template <class Real>
struct small_products {
  index_t rows, columns, depth;
  index_t a_row, a_column, a_next;
  index_t b_row, b_column, b_next;
  index_t c_column, c_next;
  Real alpha;
};

template <class Real, std::size_t Lanes>
struct small_vector {
  typedef Real type __attribute__((vector_size(Lanes * sizeof(Real))));
};
template <class Real>
struct small_vector<Real, 1> {
  using type = Real;
};

/// How many numbers there are at most in a matrix that is packed.
template <index_t Reals>
inline constexpr auto most_packed = static_cast<std::size_t>(Reals * most_small * most_small);

/// Copies a, so that its columns are contiguous.
template <class Real, index_t Reals>
void pack_small(const small_products<Real>& s, const Real* a, Real* to) {
  for (index_t k = 0; k < s.depth; ++k, a += s.a_column) {
    for (index_t i = 0; i < s.rows / Reals; ++i) {
      for (index_t part = 0; part < Reals; ++part) *to++ = a[i * s.a_row + part];
    }
  }
}

// Four sums at a time: of four columns or, if Reals is 2, of two complex columns, a's rows times the real parts
// of b's entries and times the imaginary ones. Macros and packs for the reasons in dense/simd_kernel.hpp.
#define GNP_SMALL_PRODUCTS(set, instructions)                                                                  \
  template <class Real, index_t Reals, std::size_t... Lane, std::size_t... Sum>                                \
  __attribute__((target(instructions))) void multiply_small_##set(                                             \
      std::index_sequence<Lane...>, std::index_sequence<Sum...>, const small_products<Real>& s, const Real* a, \
      const Real* b, Real* c, index_t count) {                                                                 \
    using vector = typename small_vector<Real, sizeof...(Lane)>::type;                                         \
    constexpr index_t lanes = sizeof...(Lane);                                                                 \
    constexpr bool reads_vectors = lanes > 1;                                                                  \
    Real packed[reads_vectors ? most_packed<Reals> : 1];                                                       \
    const Real* packed_from = nullptr;                                                                         \
    for (index_t matrix = 0; matrix < count; ++matrix, a += s.a_next, b += s.b_next, c += s.c_next) {          \
      const Real* rows = a;                                                                                    \
      index_t step = s.a_column;                                                                               \
      if (reads_vectors && s.a_row != Reals) {                                                                 \
        if (packed_from != a) pack_small<Real, Reals>(s, a, packed);                                           \
        packed_from = a;                                                                                       \
        rows = packed;                                                                                         \
        step = s.rows;                                                                                         \
      }                                                                                                        \
      for (index_t j = 0; j < s.columns; j += 4 / Reals) {                                                     \
        const index_t first = (std::max)(index_t{0}, (std::min)(j, s.columns - 4 / Reals));                    \
        const index_t column[] = {(std::min)(first + index_t{Sum} / Reals, s.columns - 1)...};                 \
        const Real* const factors[] = {b + column[Sum] * s.b_column + index_t{Sum} % Reals...};                \
        for (index_t i = 0; i < s.rows; i += lanes) {                                                          \
          const index_t row = (std::min)(i, s.rows - lanes);                                                   \
          const Real* from = rows + (reads_vectors ? row : row * s.a_row);                                     \
          vector sums[] = {(void(Sum), vector{})...};                                                          \
          for (index_t k = 0; k < s.depth; ++k, from += step) {                                                \
            vector x;                                                                                          \
            __builtin_memcpy(&x, from, sizeof x);                                                              \
            ((sums[Sum] += x * factors[Sum][k * s.b_row]), ...);                                               \
          }                                                                                                    \
          if constexpr (Reals == 2) {                                                                          \
            const vector signs = {Real(Lane % 2 == 0 ? -1 : 1)...};                                            \
            sums[0] += signs * __builtin_shufflevector(sums[1], sums[1], (Lane ^ 1)...);                       \
            sums[2] += signs * __builtin_shufflevector(sums[3], sums[3], (Lane ^ 1)...);                       \
          }                                                                                                    \
          ((Sum % Reals == 0 ? (sums[Sum] *= s.alpha, __builtin_memcpy(c + column[Sum] * s.c_column + row,     \
                                                                       &sums[Sum], sizeof(vector)))            \
                             : nullptr),                                                                       \
           ...);                                                                                               \
        }                                                                                                      \
      }                                                                                                        \
    }                                                                                                          \
  }                                                                                                            \
  template <class Real, index_t Reals, std::size_t Lanes>                                                      \
  void multiply_small_##set(const small_products<Real>& s, const Real* a, const Real* b, Real* c,              \
                            index_t count) {                                                                   \
    multiply_small_##set<Real, Reals>(std::make_index_sequence<Lanes>(), std::make_index_sequence<4>(), s, a,  \
                                      b, c, count);                                                            \
  }
GNP_SMALL_PRODUCTS(avx2, "avx2,fma")
GNP_SMALL_PRODUCTS(avx512, "avx512f")
#undef GNP_SMALL_PRODUCTS

template <class Real>
using small_multiplier = void (*)(const small_products<Real>&, const Real* a, const Real* b, Real* c,
                                  index_t count);

/// The multiplier with the longest vectors that rows fill; null if the processor has none.
template <class Real, index_t Reals>
small_multiplier<Real> small_multiplier_for(index_t rows) {
  const auto* const tiles = tiles_of_processor<Real>();
  if (tiles == nullptr) return nullptr;
  constexpr index_t avx2 = 32 / index_t{sizeof(Real)};
  constexpr index_t avx512 = 2 * avx2;
  if (rows >= avx512 && tiles->lanes == avx512) return multiply_small_avx512<Real, Reals, avx512>;
  if (rows >= avx2) return multiply_small_avx2<Real, Reals, avx2>;
  if constexpr (avx2 > 4) {
    if (rows >= 4) return multiply_small_avx2<Real, Reals, 4>;
  }
  if (rows >= 2) return multiply_small_avx2<Real, Reals, 2>;
  if constexpr (Reals == 1) return multiply_small_avx2<Real, Reals, 1>;
  return nullptr;
}

/// Computes the matrices of a simplified job, if they are small enough. If not, returns false.
template <class T>
bool multiply_small(const gemm_job& j, T alpha, T beta) {
  using real = real_t<T>;
  constexpr index_t reals = reals_of<T>;
  const index_t rows = j.m * reals;
  if (!suits_small_products(j) || beta != T(0) || std::imag(alpha) != 0) return false;
  if (j.m > 1 && j.c.row != 1) return false;
  const auto multiply = small_multiplier_for<real, reals>(rows);
  if (multiply == nullptr) return false;
  const int inner = j.batch_rank - 1;
  const auto next = [&](const gemm_operand& o) { return inner < 0 ? 0 : o.batch[inner] * reals; };
  const small_products<real> products{rows,
                                      j.n,
                                      j.k,
                                      j.a.row * reals,
                                      j.a.column * reals,
                                      next(j.a),
                                      j.b.row * reals,
                                      j.b.column * reals,
                                      next(j.b),
                                      j.c.column * reals,
                                      next(j.c),
                                      std::real(alpha)};
  const index_t work = rows * j.n * j.k;
  parallel_for(j.batch_count(), gemm_grain / (std::max)(work, index_t{1}) + 1,
               [&](index_t first, index_t last) {
                 for_each_run(j, first, last, [&](char* a, char* b, char* c, index_t count) {
                   multiply(products, reinterpret_cast<const real*>(a), reinterpret_cast<const real*>(b),
                            reinterpret_cast<real*>(c), count);
                 });
               });
  return true;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
