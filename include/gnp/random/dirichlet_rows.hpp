// SPDX-License-Identifier: MIT
// Dirichlet numbers on the CPU: some rows at a time stay in the cache from their gamma numbers to their shares.
// The numbers are those that the steps of dirichlet_shares() give.
#pragma once

#include <algorithm>
#include <gnp/array/array.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/random/first_tries.hpp>
#include <numeric>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The gamma laws of the elements of some rows, the same in each row.
class gammas_of_rows {
 public:
  gammas_of_rows(const array<double>& alpha, index_t rows) {
    const array<double> shapes = alpha.copy();
    const auto length = static_cast<std::size_t>(shapes.size());
    const std::size_t count = length * static_cast<std::size_t>(rows);
    shape.resize(count);
    d.resize(count);
    c.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto g = scalar::standard_gamma::of(shapes.data()[i % length]);
      shape[i] = g.shape;
      d[i] = g.d;
      c[i] = g.c;
      lowers = lowers || g.shape < 1;
    }
  }

  std::vector<double> shape;
  std::vector<double> d;
  std::vector<double> c;
  bool lowers = false;
};

/// Logarithms of gamma numbers by log_gamma_law, for rows from the element `first` of the call on.
struct log_gammas_of_rows {
  static constexpr int words = 2;
  static constexpr bool rejects = true;
  const double* shape;
  const double* d;
  const double* c;
  unsigned long long last;  // the last element of the laws; the elements behind it are not kept
  bool lowers;
  unsigned long long first;

  unsigned long long number(const scalar::random_source& source, unsigned group) const {
    return 4U * ((source.first_column << 16) + group) - first;
  }
  [[gnu::always_inline]] inline scalar::log_gamma_law at(unsigned long long i) const {
    const unsigned long long e = i < last ? i : last;
    return {scalar::standard_gamma{shape[e], d[e], c[e]}};
  }
  [[gnu::always_inline]] inline void operator()(const scalar::draw_place& place, const scalar::words4& w,
                                                double* out) const {
    const unsigned long long i = number(place.source, place.group) + place.element;
    for (unsigned k = 0; k < 2U; ++k) {
      auto own = scalar::own_words::of(place, k, k == 0U ? w.x : w.z, k == 0U ? w.y : w.w);
      out[k] = at(i + k).make(own);
    }
  }
};

/// The laws of a tile's elements.
struct gammas_in_tile_of_rows {
  const double* shape;
  const double* d_of;
  const double* c_of;
  bool lowers_some;

  double c(std::uint32_t e) const { return c_of[e]; }
  double d(std::uint32_t e) const { return d_of[e]; }
  bool usable(std::uint32_t e) const { return shape[e] > 0; }
  bool lowers() const { return lowers_some; }
  [[gnu::always_inline]] inline double lowered(std::uint32_t e, double high, double u) const {
    const double low = scalar::standard_gamma{shape[e], 0, 0}.lowered(high, u);
    return shape[e] < 1 ? low : high;
  }
  scalar::log_gamma_law at(std::uint32_t e) const {
    return {scalar::standard_gamma{shape[e], d_of[e], c_of[e]}};
  }
  template <class GammaOf>
  [[gnu::always_inline]] inline const gammas_in_tile_of_rows& gammas(const GammaOf&) const {
    return *this;
  }
};

template <>
struct tries_in_tiles<log_gammas_of_rows> {
  static constexpr bool known = true;
  static bool possible(const log_gammas_of_rows&) { return true; }

  template <bool in_vectors, std::uint32_t tile>
  [[gnu::always_inline]] static inline void fill(const log_gammas_of_rows& draw,
                                                 const scalar::random_source& from, std::uint32_t first,
                                                 double* __restrict out) {
    constexpr std::uint32_t count = 4 * tile;
    const unsigned long long begin = draw.number(from, first);
    const double* read[3] = {draw.shape + begin, draw.d + begin, draw.c + begin};
    double copied[3][count];
    if (begin + count - 1 > draw.last) {  // the elements behind the last rows
      for (std::uint32_t e = 0; e < count; ++e) {
        const auto law = draw.at(begin + e);
        copied[0][e] = law.gamma.shape;
        copied[1][e] = law.gamma.d;
        copied[2][e] = law.gamma.c;
      }
      for (int k = 0; k < 3; ++k) read[k] = copied[k];
    }
    const gammas_in_tile_of_rows laws{read[0], read[1], read[2], draw.lowers};
    fill_by_first_tries<in_vectors, tile, scalar::log_gamma_law>(laws, from, first, out);
  }
};

/// Folds the columns of contiguous rows into `result`, in the order in which folded() does; `kept` has room for
/// half of the columns, rounded up.
template <class Combine>
[[gnu::always_inline]] inline void fold_columns(const double* __restrict x, index_t rows, index_t length,
                                                double* __restrict kept, double* __restrict result,
                                                const Combine& combine) {
  const index_t rest = length - length / 2;
  for (index_t i = 0; i < rest; ++i) {
    const double* const first = x + i;
    const double* const second = x + rest + i;
    double* const to = kept + i * rows;
    if (i < length / 2) {
      for (index_t r = 0; r < rows; ++r) to[r] = combine(first[r * length], second[r * length]);
    } else {
      for (index_t r = 0; r < rows; ++r) to[r] = first[r * length];
    }
  }
  for (index_t n = rest; n > 1;) {
    const index_t half = n / 2;
    n -= half;
    for (index_t i = 0; i < half * rows; ++i) kept[i] = combine(kept[i], kept[n * rows + i]);
  }
  for (index_t r = 0; r < rows; ++r) result[r] = kept[r];
}

/// Each row's number for each of its elements.
[[gnu::always_inline]] inline void spread_over_rows(const double* __restrict of_row, index_t rows,
                                                    index_t length, double* __restrict out) {
  for (index_t i = 0; i < length; ++i) {
    for (index_t r = 0; r < rows; ++r) out[r * length + i] = of_row[r];
  }
}

/// Shares from the logarithms of gamma numbers. `spare` has room for as many numbers, and one for each row.
[[gnu::always_inline]] inline void shares_from_logarithms_inline(const double* __restrict logarithms,
                                                                 index_t rows, index_t length,
                                                                 double* __restrict spare,
                                                                 double* __restrict out) {
  const index_t count = rows * length;
  double* const of_row = spare + count;
  const auto larger = [](double a, double b) { return ((a >= b) | (a != a)) ? a : b; };
  fold_columns(logarithms, rows, length, spare, of_row, larger);
  spread_over_rows(of_row, rows, length, spare);
  for (index_t i = 0; i < count; ++i) out[i] = scalar::weight_law{logarithms[i], spare[i]}.weight();
  fold_columns(out, rows, length, spare, of_row, [](double a, double b) { return a + b; });
  for (index_t r = 0; r < rows; ++r) of_row[r] = of_row[r] < 1.0 ? 1.0 : of_row[r];
  spread_over_rows(of_row, rows, length, spare);
  for (index_t i = 0; i < count; ++i) out[i] /= spare[i];
}
GNP_LOOP inline void shares_from_logarithms_anywhere(const double* logarithms, index_t rows, index_t length,
                                                     double* spare, double* out) {
  shares_from_logarithms_inline(logarithms, rows, length, spare, out);
}
#if GNP_RANDOM_TWICE
GNP_LOOP [[gnu::target("avx2,fma")]] inline void shares_from_logarithms_fused(const double* logarithms,
                                                                              index_t rows, index_t length,
                                                                              double* spare, double* out) {
  shares_from_logarithms_inline(logarithms, rows, length, spare, out);
}
#endif
inline void shares_from_logarithms(const double* logarithms, index_t rows, index_t length, double* spare,
                                   double* out) {
#if GNP_RANDOM_TWICE
  if (random_is_fused()) return shares_from_logarithms_fused(logarithms, rows, length, spare, out);
#endif
  shares_from_logarithms_anywhere(logarithms, rows, length, spare, out);
}

/// How many rows are made together: tiles of 256 elements without a rest, if these rows stay in the second
/// cache (16384 numbers of each kind), and otherwise as many as do. A multiple of 4, so that groups of elements
/// are not divided.
inline index_t dirichlet_rows_at_once(index_t length) {
  const index_t rows = 256 / std::gcd(length, index_t{256});
  return (std::max)(index_t{4}, rows * length <= 16384 ? (rows + 3) / 4 * 4 : 16384 / length / 4 * 4);
}

/// Rows of shares; `alpha` is not empty.
GNP_ON_USE void fill_dirichlet_on_cpu(const numbers_of_call& numbers, const array<double>& alpha, double* out,
                                      index_t rows) {
  const index_t length = alpha.size();
  const index_t together = (std::min)(dirichlet_rows_at_once(length), (rows + 3) / 4 * 4);
  const gammas_of_rows laws(alpha, together);
  const index_t pieces = (rows + together - 1) / together;
  const index_t grain = 1 + (index_t{1} << 14) / (together * length);  // as in fill_on_cpu()
  parallel_for(pieces, grain, [&](index_t piece, index_t last) {
    const auto room = static_cast<std::size_t>(together * length);
    std::vector<double> logarithms(room);
    std::vector<double> spare(room + static_cast<std::size_t>(together));
    for (; piece < last; ++piece) {
      const index_t first = piece * together * length;
      const index_t now = (std::min)(together, rows - piece * together);
      const log_gammas_of_rows draw{
          laws.shape.data(), laws.d.data(),
          laws.c.data(),     static_cast<unsigned long long>(room - 1),
          laws.lowers,       numbers.first_element() + static_cast<std::uint64_t>(first)};
      // Groups that the last rows fill only in part are made, too: there is room for them.
      const auto group = static_cast<std::uint64_t>(first) / 4;
      const auto begin = static_cast<std::uint32_t>(group % groups_of_a_column);
      fill_groups(draw, numbers.from(group - begin), begin,
                  begin + static_cast<std::uint32_t>((now * length + 3) / 4), logarithms.data());
      shares_from_logarithms(logarithms.data(), now, length, spare.data(), out + first);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
