// SPDX-License-Identifier: MIT
// A sweep of the QR iteration with many shifts, after Braman, Byers and Mathias, "The multishift QR algorithm.
// Part I" (2002): a chain of small bulges goes down the diagonal, in windows that stay in the cache; applying a
// window's turns to the rest of the matrix is a product of matrices.
#pragma once

#include <gnp/dense/schur_blocks.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// A reflection of three neighbouring rows, or two.
template <class T>
struct bulge_reflection {
  index_t size;
  T v[3] = {T(1), T(0), T(0)};
  T factor{};

  /// Sets the reflection that turns x into (b, 0, 0). Returns b.
  T set(const T* x) {
    T copy[3] = {};
    real_t<T> scale = 0;
    for (index_t i = 0; i < size; ++i) scale = (std::max)(scale, rough_size(x[i]));
    if (scale == 0) return T(0);
    for (index_t i = 0; i < size; ++i) copy[i] = x[i] / scale;
    const auto [t, b] = reflect(copy, size);
    factor = t;
    std::copy_n(copy, size, v);
    return T(static_cast<real_t<T>>(b)) * scale;
  }
};

/// The first three entries of the first column of (H - s I)(H - t I), up to a factor. h holds H's first rows.
template <class T>
void first_column(const const_block<T>& h, complex_t<T> s, complex_t<T> t, T (&x)[3]) {
  using real = real_t<T>;
  const real scale = (std::max)({rough_size(h(0, 0) - T(std::real(t))) + std::abs(std::imag(t)),
                                 rough_size(h(1, 0)), (std::numeric_limits<real>::min)()});
  const T below = h(1, 0) / scale;
  if constexpr (is_complex(dtype_of<T>)) {
    x[0] = multiplied(h(0, 0) - s, (h(0, 0) - t) / scale) + multiplied(h(0, 1), below);
    x[1] = multiplied(below, h(0, 0) + h(1, 1) - s - t);
  } else {
    x[0] =
        (h(0, 0) - s.real()) * ((h(0, 0) - t.real()) / scale) - s.imag() * (t.imag() / scale) + h(0, 1) * below;
    x[1] = below * (h(0, 0) + h(1, 1) - s.real() - t.real());
  }
  x[2] = multiplied(below, h(2, 1));
}

/// The chain of bulges in one window: rows and columns [begin, end) of h, and u, the product of their turns.
template <class T>
class bulge_window {
 public:
  bulge_window(const dense_block<T>& h, index_t begin, index_t end, const dense_block<T>& u)
      : h_(h), begin_(begin), end_(end), u_(u) {}

  /// Applies r from the left to the rows from `row` on, in the columns from `column` on.
  void turn_rows(const bulge_reflection<T>& r, index_t row, index_t column) const {
    const T factor = conjugate(r.factor);
    const T c1 = conjugate(r.v[1]);
    const T c2 = conjugate(r.v[2]);
    for (index_t j = column; j < end_; ++j) {
      T* x = h_.column(j) + row;
      if (r.size == 3) {
        const T sum = multiplied(factor, T(x[0] + multiplied(c1, x[1]) + multiplied(c2, x[2])));
        x[0] -= sum;
        x[1] -= multiplied(sum, r.v[1]);
        x[2] -= multiplied(sum, r.v[2]);
      } else {
        const T sum = multiplied(factor, T(x[0] + multiplied(c1, x[1])));
        x[0] -= sum;
        x[1] -= multiplied(sum, r.v[1]);
      }
    }
  }

  /// Applies r from the right to the columns from `column` on, in the rows before `rows`.
  void turn_columns(const bulge_reflection<T>& r, index_t column, index_t rows) const {
    turn_columns_of(h_.column(column) + begin_, h_.leading, rows - begin_, r);
  }

  /// Moves the bulge at p down by one row, in a part [first, last) of the matrix. In the columns of u that this
  /// changes, only rows [u_first, u_last) are not zero.
  void move(index_t p, index_t first, index_t last, const complex_t<T>* shifts, index_t u_first,
            index_t u_last) const {
    bulge_reflection<T> r{(std::min)(index_t{3}, last - p - 1)};
    if (p < first) {
      T x[3];
      first_column<T>(h_.part(first, first, 3, 3), shifts[0], shifts[1], x);
      r.set(x);
    } else {
      T* x = h_.column(p) + p + 1;
      const T length = r.set(x);
      std::fill_n(x, r.size, T(0));
      x[0] = length;
    }
    turn_rows(r, p + 1, p + 1);
    turn_columns(r, p + 1, (std::min)(p + 5, last));
    turn_columns_of(u_.column(p + 1 - begin_) + u_first, u_.leading, u_last - u_first, r);
  }

 private:
  static void turn_columns_of(T* first, index_t leading, index_t rows, const bulge_reflection<T>& r) {
    T* __restrict x = first;
    T* __restrict y = first + leading;
    T* __restrict z = r.size == 3 ? y + leading : nullptr;
    const T v1 = r.v[1];
    const T v2 = r.v[2];
    const T factor = r.factor;
    const T c1 = conjugate(v1);
    const T c2 = conjugate(v2);
    if (z != nullptr) {
      for (index_t i = 0; i < rows; ++i) {
        const T sum = multiplied(factor, T(x[i] + multiplied(y[i], v1) + multiplied(z[i], v2)));
        x[i] -= sum;
        y[i] -= multiplied(sum, c1);
        z[i] -= multiplied(sum, c2);
      }
    } else {
      for (index_t i = 0; i < rows; ++i) {
        const T sum = multiplied(factor, T(x[i] + multiplied(y[i], v1)));
        x[i] -= sum;
        y[i] -= multiplied(sum, c1);
      }
    }
  }

  dense_block<T> h_;
  index_t begin_;
  index_t end_;
  dense_block<T> u_;
};

/// Overwrites a Hessenberg matrix of few columns with its Schur form T, and u with u U, where H = U T Uᴴ (if u
/// is empty, only T's diagonal blocks are correct). False if the iteration does not converge.
template <class T>
bool reduce_small(const dense_block<T>& h, const dense_block<T>& u) {
  const index_t n = h.columns;
  const bool wanted = u.columns > 0;
  for (index_t end = n, steps = 0; end > 0;) {
    const index_t begin = first_of_last_part(h, end);
    if (end - begin <= 2) {
      if (end - begin == 2) split_block(h, u, begin);
      end = begin;
      steps = 0;
      continue;
    }
    if (++steps > 120) return false;
    auto shifts = steps % 10 == 0 ? exceptional_shifts(h, end - 1)
                                  : eigenvalues_of_two(h(end - 2, end - 2), h(end - 2, end - 1),
                                                       h(end - 1, end - 2), h(end - 1, end - 1));
    const complex_t<T> last(h(end - 1, end - 1));
    if (!is_complex(dtype_of<T>) && shifts.first.imag() == 0) {
      // Of two real shifts, the better one is used twice.
      if (std::abs(shifts.first - last) > std::abs(shifts.second - last)) shifts.first = shifts.second;
      shifts.second = shifts.first;
    }
    const complex_t<T> both[2] = {shifts.first, shifts.second};
    const index_t from = wanted ? 0 : begin;
    const bulge_window<T> window(h, from, wanted ? n : end, u);
    for (index_t p = begin - 1; p < end - 2; ++p) window.move(p, begin, end, both, 0, u.rows);
  }
  return true;
}

/// Sends `count` bulges, with two of these shifts each, down the rows [begin, end) of h, which are more than
/// three and not split. Calls turn(b, e, u) to turn the rest of the matrix as its rows [b, e) were.
template <class T, class F>
void chase_bulges(const dense_block<T>& h, index_t begin, index_t end, const complex_t<T>* shifts,
                  index_t count, const F& turn) {
  const index_t width = 6 * count + 12;  // of a window: the chain, and as far as it goes
  // The next reflection of a bulge at p acts on rows p + 1 to p + 3. Bulges that are still to come are at
  // begin - 1.
  std::vector<index_t> at(static_cast<std::size_t>(count), begin - 1);
  const index_t out = end - 2;
  eigen_matrix<T> memory;
  while (at.back() < out) {
    const index_t from = (std::max)(at.back(), begin);
    const index_t to = (std::min)(end, from + width);
    memory = eigen_matrix<T>::Identity(to - from, to - from);
    const bulge_window<T> window(h, from, to, block_of(memory));
    for (std::size_t k = 0; k < at.size(); ++k) {
      const index_t most = k == 0 || at[k - 1] == out ? end : at[k - 1] - 3;
      const index_t u_first = at[k] + 1 - from;
      // Each bulge before this one has brought two rows down.
      const index_t u_ahead = 4 + 2 * static_cast<index_t>(k) - from;
      for (index_t& p = at[k]; p < out && p < most && (to == end || p + 4 < to); ++p) {
        window.move(p, begin, end, shifts + 2 * k, u_first, (std::min)(p + u_ahead, to - from));
      }
    }
    turn(from, to, block_of(memory));
  }
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
