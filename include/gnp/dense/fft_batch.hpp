// SPDX-License-Identifier: MIT
// Any number of Fourier transforms of the same length, in any layout: several at a time if they are short or
// strided in memory, otherwise one by one.
#pragma once

#include <gnp/core/shape.hpp>
#include <gnp/dense/fft_plans.hpp>
#include <gnp/dense/fft_tiles.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// from_real, to_real: transforms of an even number of real numbers, which are taken as pairs; then n is half
/// the length. mirrored: as from_real, but with the results of the whole length, not only the first half.
enum class fft_kind { complex, from_real, mirrored, to_real };

/// The transforms to be done.
template <class Real>
struct fft_batch {
  fft_kind kind = fft_kind::complex;
  bool inverse = false;
  index_t n = 0;  // of the complex transform
  fft_source<Real> source;
  fft_line<Real> target;
  Real scale = 1;
  // Where the batch's transforms are: the sizes of its axes, and the distances along them in Reals.
  shape_t sizes;
  shape_t source_steps;
  shape_t target_steps;
};

/// Removes axes of size 1, puts the axis with the smallest distance last, and merges axes that continue each
/// other.
template <class Real>
void simplify(fft_batch<Real>& b) {
  shape_t sizes;
  shape_t source_steps;
  shape_t target_steps;
  bool used[max_rank] = {};
  const auto distance = [&b](int d) { return std::abs(b.source_steps[d]); };
  for (int i = 0; i < b.sizes.rank(); ++i) {
    int farthest = -1;
    for (int d = 0; d < b.sizes.rank(); ++d) {
      if (!used[d] && (farthest < 0 || distance(d) > distance(farthest))) farthest = d;
    }
    used[farthest] = true;
    const index_t size = b.sizes[farthest];
    if (size == 1) continue;
    const int last = sizes.rank() - 1;
    if (last >= 0 && source_steps[last] == size * b.source_steps[farthest] &&
        target_steps[last] == size * b.target_steps[farthest]) {
      sizes[last] *= size;
      source_steps[last] = b.source_steps[farthest];
      target_steps[last] = b.target_steps[farthest];
    } else {
      sizes.push_back(size);
      source_steps.push_back(b.source_steps[farthest]);
      target_steps.push_back(b.target_steps[farthest]);
    }
  }
  b.sizes = sizes;
  b.source_steps = source_steps;
  b.target_steps = target_steps;
}

/// Where transform i of a batch begins, and how many from it on are at equal distances.
struct fft_place_in_batch {
  index_t source = 0;
  index_t target = 0;
  index_t run = 1;

  template <class Real>
  fft_place_in_batch(const fft_batch<Real>& b, index_t i) {
    for (int d = b.sizes.rank() - 1; d >= 0; --d) {
      const index_t at = i % b.sizes[d];
      if (d == b.sizes.rank() - 1) run = b.sizes[d] - at;
      source += at * b.source_steps[d];
      target += at * b.target_steps[d];
      i /= b.sizes[d];
    }
  }
};

template <class Real>
class fft_runner {
 public:
  explicit fft_runner(fft_batch<Real> batch) : b_(std::move(batch)) {
    simplify(b_);
    for (const index_t size : b_.sizes) count_ *= size;
    if (b_.sizes.rank() > 0) {
      source_step_ = b_.source_steps.back();
      target_step_ = b_.target_steps.back();
    }
    if (b_.kind != fft_kind::complex) real_ = fft_plan<fft_real<Real>>(2 * b_.n);
  }

  void run() const {
    if (side_by_side()) {
      run_columns();
    } else {
      run_singly();
    }
  }

 private:
  static constexpr index_t numbers_for_a_thread = 1 << 14;

  bool side_by_side() const {
    const bool across = count_ > 1 && std::abs(source_step_) < std::abs(b_.source.step);
    const bool many = count_ >= fft_lanes<Real>;
    return b_.n < 40 || (many && b_.n <= 128) || (across && b_.n <= 1 << 14);
  }

  /// An inverse complex transform is the transform with real and imaginary parts exchanged. That of real
  /// numbers is conjugated instead.
  bool exchanges() const {
    return b_.inverse && (b_.kind == fft_kind::complex || b_.kind == fft_kind::to_real);
  }

  /// Completes the results of one transform.
  void finish(const fft_line<Real>& target) const {
    if (b_.kind == fft_kind::from_real || b_.kind == fft_kind::mirrored) real_->finish(target);
    if (b_.kind == fft_kind::mirrored) real_->mirror(target, b_.inverse);
    // The sum of real numbers is real, whatever the rounding.
    if (b_.kind == fft_kind::complex && b_.source.im == nullptr) target.im[0] = Real(0);
  }

  void run_singly() const {
    const auto plan = fft_plan<fft_single<Real>>(b_.n);
    const auto each = [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        const fft_place_in_batch at(b_, i);
        const fft_source<Real> source = b_.source.moved(at.source);
        const fft_line<Real> target = b_.target.moved(at.target);
        if (b_.kind == fft_kind::to_real) real_->begin(source, target);
        const fft_source<Real> from = b_.kind == fft_kind::to_real ? fft_source<Real>(target) : source;
        if (exchanges()) {
          plan->run(from.exchanged(), target.exchanged(), b_.scale);
        } else {
          plan->run(from, target, b_.scale);
        }
        finish(target);
      }
    };
    // If there are fewer transforms than threads, each one uses all threads.
    if (count_ < thread_count().load(std::memory_order_relaxed)) return each(0, count_);
    parallel_for(count_, (std::max)(index_t{1}, numbers_for_a_thread / b_.n), each);
  }

  void run_columns() const {
    const auto plan = fft_plan<fft_any_columns<Real>>(b_.n);
    // Wide enough for whole cache lines, unless the rows of that many columns do not fit the cache.
    index_t width = fft_lanes<Real> * 4;
    while (width > fft_lanes<Real> && plan->rows_size(width) * sizeof(Real) > (std::size_t{256} << 10))
      width /= 2;
    width = (std::min)(width, whole_lanes<Real>(count_));
    const index_t blocks = (count_ + width - 1) / width;
    const index_t grain = (std::max)(index_t{1}, numbers_for_a_thread / (b_.n * width));
    parallel_for(blocks, grain, [&](index_t begin, index_t end) {
      const std::size_t size = plan->rows_size(width);
      const fft_scratch<Real> scratch(2 * size);
      for (index_t block = begin; block < end; ++block) {
        const index_t first = block * width;
        const index_t lanes = (std::min)(width, count_ - first);
        Real* const a = scratch.data();
        load(first, lanes, width, a);
        store(first, lanes, width, plan->run(a, a + size, width));
      }
    });
  }

  /// Calls f(first lane, lanes, place) for each run of transforms at equal distances.
  template <class F>
  void for_each_run(index_t first, index_t lanes, const F& f) const {
    for (index_t lane = 0; lane < lanes;) {
      const fft_place_in_batch at(b_, first + lane);
      const index_t run = (std::min)(at.run, lanes - lane);
      f(lane, run, at);
      lane += run;
    }
  }

  void load(index_t first, index_t lanes, index_t width, Real* to) const {
    const index_t row = 2 * width;
    for_each_run(first, lanes, [&](index_t lane, index_t run, const fft_place_in_batch& at) {
      const bool begins = b_.kind == fft_kind::to_real;
      if (begins) {
        for (index_t i = 0; i < run; ++i) {
          real_->begin(b_.source.moved(at.source + i * source_step_),
                       b_.target.moved(at.target + i * target_step_));
        }
      }
      fft_source<Real> source =
          begins ? fft_source<Real>(b_.target.moved(at.target)) : b_.source.moved(at.source);
      if (exchanges()) source = source.exchanged();
      const index_t step = begins ? target_step_ : source_step_;
      const fft_grid<const Real> grid{source.re, source.im, source.step, step};
      const index_t end = lane + run == lanes ? width : lane + run;
      index_t r = 0;
      if (const fft_pairs pairs = tiles_of(source, lane); pairs != fft_pairs::none) {
        const bool exchanged = pairs == fft_pairs::exchanged;
        for (; r + fft_lanes<Real> <= source.re_count; r += fft_lanes<Real>) {
          for (index_t l = 0; lane + l < end; l += fft_lanes<Real>) {
            gather_tile<Real>({(exchanged ? source.im : source.re) + l * step + 2 * r, step, run - l,
                               to + r * row + fft_place<Real>(lane + l), row, fft_lanes<Real>},
                              exchanged);
          }
        }
      }
      for (; r < b_.n; ++r) {
        load_row(grid, r, r < source.re_count ? run : 0, r < source.im_count ? run : 0, lane, end,
                 to + r * row);
      }
    });
  }

  void store(index_t first, index_t lanes, index_t width, const Real* from) const {
    const index_t row = 2 * width;
    for_each_run(first, lanes, [&](index_t lane, index_t run, const fft_place_in_batch& at) {
      const fft_line<Real> first_target = b_.target.moved(at.target);
      const fft_line<Real> target = exchanges() ? first_target.exchanged() : first_target;
      const fft_grid<Real> grid{target.re, target.im, target.step, target_step_};
      index_t r = 0;
      if (const fft_pairs pairs = tiles_of<const Real>(target, lane); pairs != fft_pairs::none) {
        const bool exchanged = pairs == fft_pairs::exchanged;
        for (; r + fft_lanes<Real> <= target.re_count; r += fft_lanes<Real>) {
          for (index_t l = 0; l < run; l += fft_lanes<Real>) {
            scatter_tile<Real>(
                {from + r * row + fft_place<Real>(lane + l), row, fft_lanes<Real>,
                 (exchanged ? target.im : target.re) + l * target_step_ + 2 * r, target_step_, run - l},
                exchanged, b_.scale);
          }
        }
      }
      for (; r < b_.n; ++r) {
        store_row(grid, r, r < target.re_count ? run : 0, r < target.im_count ? run : 0, lane, from + r * row,
                  b_.scale);
      }
      for (index_t i = 0; i < run; ++i) finish(first_target.moved(i * target_step_));
    });
  }

  /// Whether, and in which order of their parts, lines can be moved in square tiles; the first line goes to
  /// this lane.
  template <class Number>
  static fft_pairs tiles_of(const fft_line<Number>& line, index_t lane) {
    if (lane % fft_lanes<Real> != 0 || line.re_count != line.im_count) return fft_pairs::none;
    return pairs_of(line.re, line.im, line.step);
  }

  fft_batch<Real> b_;
  index_t count_ = 1;
  index_t source_step_ = 0;  // of the innermost axis of the batch
  index_t target_step_ = 0;
  std::shared_ptr<const fft_real<Real>> real_;
};

}}}  // namespace gnp::GNP_ABI::detail
