// SPDX-License-Identifier: MIT
// H = Z T Zᴴ of an upper Hessenberg matrix, on the CPU, by the QR iteration with many shifts and early
// deflation. T is upper triangular, except for pairs of eigenvalues of real matrices. Eigen's iteration has two
// shifts and takes 17 s for 1024 columns; this one takes 1 s.
#pragma once

#include <gnp/dense/schur_sweep.hpp>
#include <gnp/dense/schur_window.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

template <class T>
class schur_iteration {
 public:
  /// h becomes T, and z is turned along. If z is empty, only T's diagonal blocks are correct.
  schur_iteration(const dense_block<T>& h, const dense_block<T>& z)
      : h_(h), z_(z), wanted_(z.columns > 0), end_(h.columns) {}

  /// False if the iteration does not converge.
  bool run() {
    index_t without_deflation = 0;
    for (index_t left = 30 * (std::max)(h_.columns, index_t{10}); end_ > 0; --left) {
      if (left == 0) return false;
      const index_t begin = first_of_last_part(h_, end_);
      const index_t size = end_ - begin;
      if (size <= few) {
        if (!finish(begin)) return false;
        without_deflation = 0;
        continue;
      }
      const index_t shifts = shift_count(size);
      index_t width = size > 500 ? shifts + shifts / 2 : shifts;
      if (without_deflation > 4) width = (std::min)(2 * width, size);
      const index_t deflated = deflate(begin, width);
      end_ -= deflated;
      without_deflation = deflated > 0 ? 0 : without_deflation + 1;
      // If much was deflated, there may be more to deflate, which costs less than a sweep.
      if (100 * deflated > 14 * width || end_ - begin <= few) continue;
      sweep(begin, (std::min)(shifts, (end_ - begin) / 6 * 2), without_deflation);
    }
    return true;
  }

 private:
  /// Parts of at most this many rows are left to the iteration for small matrices.
  static constexpr index_t few = 75;
  /// Bulges in a chain. Longer chains have larger windows, in which less of the work is products of matrices.
  static constexpr index_t chain = 10;

  static index_t shift_count(index_t size) {
    const auto rows = static_cast<double>(size);
    if (size < 150) return 10;
    if (size < 590) return (std::max)(index_t{10}, static_cast<index_t>(rows / std::log2(rows)) / 2 * 2);
    return 64;
  }

  /// Updates the rest of the matrix after its rows [begin, end) were turned by u.
  void turn_rest(index_t begin, index_t end, const dense_block<T>& u) {
    const index_t top = wanted_ ? 0 : active_;
    const index_t right = wanted_ ? h_.columns : end_;
    turn_columns(h_.part(top, begin, begin - top, end - begin), u);
    turn_rows(h_.part(begin, end, end - begin, right - end), u);
    if (wanted_) turn_columns(z_.part(0, begin, z_.rows, end - begin), u);
  }

  /// The Schur form of the last part, of few rows.
  bool finish(index_t begin) {
    const index_t size = end_ - begin;
    const index_t columns = wanted_ ? size : 0;
    eigen_matrix<T> u = eigen_matrix<T>::Identity(columns, columns);
    active_ = begin;
    if (!reduce_small(h_.part(begin, begin, size, size), block_of(u))) return false;
    if (wanted_) turn_rest(begin, end_, block_of(u));
    end_ = begin;
    return true;
  }

  /// Deflates in the last rows of the part that begins at `begin`. Returns how many.
  index_t deflate(index_t begin, index_t width) {
    const index_t from = end_ - width;
    const auto rows = h_.part(from, from, width, width);
    deflation_window<T> window(rows, from == begin ? T(0) : h_(from, from - 1));
    if (!window.deflate()) {
      shifts_.clear();
      return 0;
    }
    shifts_ = window.shifts();
    if (window.deflated() == 0) return 0;
    active_ = begin;
    const T before = window.restore(rows);
    if (from > begin) h_(from, from - 1) = before;
    turn_rest(from, end_, window.turned_by());
    return window.deflated();
  }

  void sweep(index_t begin, index_t count, index_t without_deflation) {
    active_ = begin;
    choose_shifts(count, without_deflation);
    for (index_t first = 0; first < count / 2; first += chain) {
      chase_bulges<T>(h_, begin, end_, shifts_.data() + 2 * first, (std::min)(chain, count / 2 - first),
                      [this](index_t from, index_t to, const dense_block<T>& u) { turn_rest(from, to, u); });
    }
  }

  /// Leaves `count` shifts, in pairs that make real bulges.
  void choose_shifts(index_t count, index_t without_deflation) {
    const auto wanted = static_cast<std::size_t>(count);
    if (without_deflation > 0 && without_deflation % 6 == 0) {
      // The matrix's own shifts do not lead to convergence, so use others of about the same size.
      shifts_.clear();
      for (index_t i = end_ - 1; shifts_.size() < wanted; i -= 2) {
        const auto pair = exceptional_shifts(h_, i);
        shifts_.insert(shifts_.end(), {pair.first, pair.second});
      }
    } else if (shifts_.size() <= wanted / 2) {
      eigen_matrix<T> last(count, count);
      const auto part = h_.part(end_ - count, end_ - count, count, count);
      copy_block(block_of(last), part);
      shifts_.clear();
      if (reduce_small<T>(block_of(last), {nullptr, 0, 0, 0})) {
        for_each_eigenvalue(block_of(last), count,
                            [this](index_t, complex_t<T> value) { shifts_.push_back(value); });
      }
    }
    // Pairs stay as they are; of the real shifts, two of about the same size make a bulge.
    std::vector<complex_t<T>> ordered;
    std::vector<complex_t<T>> singles;
    for (const complex_t<T>& shift : shifts_) {
      (is_complex(dtype_of<T>) || shift.imag() != 0 ? ordered : singles).push_back(shift);
    }
    std::sort(singles.begin(), singles.end(), [](const auto& x, const auto& y) { return x.real() < y.real(); });
    ordered.insert(ordered.end(), singles.begin(), singles.end());
    shifts_ = ordered;
    while (shifts_.size() > wanted) shifts_.erase(shifts_.begin(), shifts_.begin() + 2);
    if (shifts_.empty()) shifts_.emplace_back(h_(end_ - 1, end_ - 1));
    if (shifts_.size() % 2 == 1) shifts_.push_back(shifts_.back());
    for (std::size_t i = 0; shifts_.size() < wanted; ++i) shifts_.push_back(shifts_[i]);
  }

  dense_block<T> h_;
  dense_block<T> z_;
  bool wanted_;
  index_t end_;         // of what has no Schur form yet
  index_t active_ = 0;  // where its last part begins
  std::vector<complex_t<T>> shifts_;
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
