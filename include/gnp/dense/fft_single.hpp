// SPDX-License-Identifier: MIT
// One long Fourier transform, as a matrix: its columns are transformed, multiplied by roots of unity and turned
// into rows; then the new columns are transformed (Bailey, "FFTs in external or hierarchical memory", 1990).
// All of this works on columns side by side, in vectors. What does not fit the cache is done some columns at a
// time, on all threads.
#pragma once

#include <gnp/cpu/threads.hpp>
#include <gnp/dense/fft_chirp.hpp>
#include <gnp/dense/fft_scratch.hpp>
#include <gnp/dense/fft_tiles.hpp>
#include <memory>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// to[c][r] = from[r][c] * roots[r][c] * turns[r] for c below `columns`. Rows of `to` are padded with zeros;
/// `turns`, unless null, has as many numbers as such a row.
template <class Real>
void turn_rows(const Real* from, index_t from_width, const Real* roots, const Real* turns, index_t rows,
               index_t columns, Real* to, index_t to_width) {
  constexpr index_t lanes = fft_lanes<Real>;
  for (index_t r = 0; r < to_width; r += lanes) {
    for (index_t c = 0; c < columns; c += lanes) {
      const index_t at = 2 * (r * from_width + c);
      const fft_tile<Real> tile{from + at,    2 * from_width, rows - r, to + 2 * (c * to_width + r),
                                2 * to_width, columns - c};
      if (turns == nullptr) {
        turn_tile<false, Real>(tile, roots + at, nullptr);
      } else {
        turn_tile<true>(tile, roots + at, turns + 2 * r);
      }
    }
  }
}

/// The plan of a transform of n = rows x columns numbers.
template <class Real>
class fft_matrix {
 public:
  fft_matrix(index_t rows, index_t columns)
      : rows_(rows), columns_(columns), first_(rows), second_(columns), all_roots_(rows * columns) {
    is_whole_ = length() * index_t{sizeof(Real)} <= most_whole_bytes;
    block_ = is_whole_ ? whole_lanes<Real>(columns) : fft_lanes<Real> * 4;
    roots_.resize(static_cast<std::size_t>(2 * rows * block_));
    for (index_t r = 0; r < rows; ++r) {
      for (index_t c = 0; c < (std::min)(block_, columns); ++c) {
        const unit_roots::root w = all_roots_[r * c];
        Real* const at = roots_.data() + 2 * r * block_ + fft_place<Real>(c);
        at[0] = static_cast<Real>(w.re);
        at[fft_lanes<Real>] = static_cast<Real>(w.im);
      }
    }
  }

  index_t length() const { return rows_ * columns_; }
  std::size_t bytes() const { return roots_.size() * sizeof(Real) + first_.bytes() + second_.bytes(); }

  /// Source and target may be the same.
  void run(const fft_source<Real>& source, const fft_line<Real>& target, Real scale) const {
    if (is_whole_) {
      run_whole(source, target, scale);
    } else {
      run_blocks(source, target, scale);
    }
  }

 private:
  // Three matrices of this size fit a second-level cache, with room to spare.
  static constexpr index_t most_whole_bytes = 128 << 10;

  static index_t present(index_t count, index_t begin, index_t width) {
    return (std::min)((std::max)(count - begin, index_t{0}), width);
  }

  void run_whole(const fft_source<Real>& source, const fft_line<Real>& target, Real scale) const {
    const index_t height = whole_lanes<Real>(rows_);
    const auto size = static_cast<std::size_t>(2 * (std::max)(rows_ * block_, columns_ * height));
    const fft_scratch<Real> scratch(2 * size);
    Real* const a = scratch.data();
    Real* const b = a + size;
    load_columns(source, 0, block_, a);
    const Real* const rotated = first_.run(a, b, block_);
    Real* const turned = rotated == a ? b : a;
    turn_rows<Real>(rotated, block_, roots_.data(), nullptr, rows_, columns_, turned, height);
    const Real* const result = second_.run(turned, turned == a ? b : a, height);
    store_columns(target, 0, height, result, scale);
  }

  void run_blocks(const fft_source<Real>& source, const fft_line<Real>& target, Real scale) const {
    const index_t height = whole_lanes<Real>(rows_);
    const fft_scratch<Real> between(static_cast<std::size_t>(2 * columns_ * height));
    Real* const turned = between.data();
    parallel_for((columns_ + block_ - 1) / block_, 1, [&](index_t begin, index_t end) {
      const auto size = static_cast<std::size_t>(2 * rows_ * block_);
      const fft_scratch<Real> scratch(2 * size + static_cast<std::size_t>(2 * height));
      Real* const a = scratch.data();
      Real* const turns = a + 2 * size;
      std::fill_n(turns + 2 * rows_, 2 * (height - rows_), Real(0));
      for (index_t block = begin; block < end; ++block) {
        const index_t column = block * block_;
        for (index_t r = 0; r < rows_; ++r) {
          const unit_roots::root w = all_roots_[r * column];
          turns[2 * r] = static_cast<Real>(w.re);
          turns[2 * r + 1] = static_cast<Real>(w.im);
        }
        load_columns(source, column, block_, a);
        const Real* const rotated = first_.run(a, a + size, block_);
        turn_rows<Real>(rotated, block_, roots_.data(), turns, rows_, (std::min)(block_, columns_ - column),
                        turned + 2 * column * height, height);
      }
    });
    parallel_for((height + block_ - 1) / block_, 1, [&](index_t begin, index_t end) {
      const auto size = static_cast<std::size_t>(2 * columns_ * block_);
      const fft_scratch<Real> scratch(2 * size);
      Real* const a = scratch.data();
      for (index_t block = begin; block < end; ++block) {
        const index_t column = block * block_;
        const index_t width = (std::min)(block_, height - column);
        for (index_t r = 0; r < columns_; ++r)
          std::copy_n(turned + 2 * (r * height + column), 2 * width, a + 2 * r * width);
        store_columns(target, column, width, second_.run(a, a + size, width), scale);
      }
    });
  }

  /// Loads columns of the source, which is a matrix of rows_ x columns_.
  void load_columns(const fft_source<Real>& source, index_t column, index_t width, Real* to) const {
    const index_t there = (std::min)(width, columns_ - column);
    const fft_source<Real> first = source.moved(column * source.step);
    const fft_grid<const Real> grid{first.re, first.im, columns_ * source.step, source.step};
    for (index_t r = 0; r < rows_; ++r) {
      const index_t begin = r * columns_ + column;
      load_row(grid, r, present(source.re_count, begin, there), present(source.im_count, begin, there),
               index_t{0}, width, to + 2 * r * width);
    }
  }
  /// Stores columns of the results, a matrix of columns_ x rows_.
  void store_columns(const fft_line<Real>& target, index_t column, index_t width, const Real* from,
                     Real scale) const {
    const index_t there = (std::min)(width, rows_ - column);
    const fft_line<Real> first = target.moved(column * target.step);
    const fft_grid<Real> grid{first.re, first.im, rows_ * target.step, target.step};
    for (index_t r = 0; r < columns_; ++r) {
      const index_t begin = r * rows_ + column;
      store_row(grid, r, present(target.re_count, begin, there), present(target.im_count, begin, there),
                index_t{0}, from + 2 * r * width, scale);
    }
  }

  index_t rows_;
  index_t columns_;
  fft_columns<Real> first_;
  fft_columns<Real> second_;
  unit_roots all_roots_;
  bool is_whole_;
  index_t block_;            // columns at a time
  std::vector<Real> roots_;  // of row r and column c of a block: exp(-2 pi i r c / n)
};

/// The two factors of n that are nearest to each other, the larger one second; {1, n} if n is prime.
GNP_INLINE std::pair<index_t, index_t> nearest_factors(index_t n) {
  auto root = static_cast<index_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > n) --root;
  while (n % root != 0) --root;
  return {root, n / root};
}

/// Is it worthwhile to do a transform of this length as a matrix?
inline bool makes_matrix(index_t n) { return has_passes(n) && nearest_factors(n).first >= 4; }

/// The plan of one transform of any length from 16 on.
template <class Real>
class fft_single {
 public:
  explicit fft_single(index_t n) : n_(n) {
    index_t inner = n;
    if (!makes_matrix(n)) {
      chirp_ = std::make_unique<fft_chirp<Real>>(n);
      inner = chirp_->long_length;
    }
    const auto [rows, columns] = nearest_factors(inner);
    matrix_ = std::make_unique<fft_matrix<Real>>(rows, columns);
    if (chirp_ == nullptr) return;
    std::vector<Real>& filter = chirp_->filter;
    const fft_source<Real> from{filter.data(), filter.data() + 1, 2, inner, inner};
    matrix_->run(from, {filter.data(), filter.data() + 1, 2, inner, inner}, Real(1));
  }

  std::size_t bytes() const {
    const std::size_t chirp = chirp_ == nullptr ? 0 : chirp_->chirp.size() + chirp_->filter.size();
    return matrix_->bytes() + chirp * sizeof(Real);
  }

  /// Source and target may be the same.
  void run(const fft_source<Real>& source, const fft_line<Real>& target, Real scale) const {
    if (chirp_ == nullptr) return matrix_->run(source, target, scale);
    const index_t inner = matrix_->length();
    const fft_scratch<Real> scratch(static_cast<std::size_t>(2 * inner));
    Real* const z = scratch.data();
    const Real* const w = chirp_->chirp.data();
    const Real* const f = chirp_->filter.data();
    parallel_for(n_, 1 << 15, [&](index_t begin, index_t end) {
      for (index_t j = begin; j < end; ++j) {
        const Real re = j < source.re_count ? source.re[j * source.step] : Real(0);
        const Real im = j < source.im_count ? source.im[j * source.step] : Real(0);
        z[2 * j] = re * w[2 * j] - im * w[2 * j + 1];
        z[2 * j + 1] = re * w[2 * j + 1] + im * w[2 * j];
      }
    });
    const fft_line<Real> inside{z, z + 1, 2, inner, inner};
    matrix_->run({z, z + 1, 2, n_, n_}, inside, Real(1));
    parallel_for(inner, 1 << 15, [&](index_t begin, index_t end) {
      for (index_t j = begin; j < end; ++j) {
        const Real re = z[2 * j] * f[2 * j] - z[2 * j + 1] * f[2 * j + 1];
        z[2 * j + 1] = z[2 * j] * f[2 * j + 1] + z[2 * j + 1] * f[2 * j];
        z[2 * j] = re;
      }
    });
    // With real and imaginary parts exchanged on both sides, this is the inverse.
    matrix_->run({z + 1, z, 2, inner, inner}, {z + 1, z, 2, n_, n_}, Real(1));
    parallel_for(n_, 1 << 15, [&](index_t begin, index_t end) {
      for (index_t j = begin; j < end; ++j) {
        const Real re = z[2 * j] * w[2 * j] - z[2 * j + 1] * w[2 * j + 1];
        const Real im = z[2 * j] * w[2 * j + 1] + z[2 * j + 1] * w[2 * j];
        if (j < target.re_count) target.re[j * target.step] = re * scale;
        if (j < target.im_count) target.im[j * target.step] = im * scale;
      }
    });
  }

 private:
  index_t n_;
  std::unique_ptr<fft_chirp<Real>> chirp_;  // only where makes_matrix(n) is false
  std::unique_ptr<fft_matrix<Real>> matrix_;
};

}}}  // namespace gnp::GNP_ABI::detail
