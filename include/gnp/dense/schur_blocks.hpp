// SPDX-License-Identifier: MIT
// The diagonal blocks of a Schur form, of one row or two: eigenvalues, order, and small matrices as a whole.
#pragma once

#include <gnp/dense/householder.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// |re x| + |im x|
template <class T>
real_t<T> rough_size(const T& x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

/// Rows and columns of the block of t that begins at i: 2 where a real matrix has a pair of eigenvalues.
template <class T>
index_t block_size(const const_block<T>& t, index_t i) {
  return i + 1 < t.columns && t(i + 1, i) != T(0) ? 2 : 1;
}

/// The eigenvalues of a matrix of two rows.
template <class T>
std::pair<complex_t<T>, complex_t<T>> eigenvalues_of_two(const T& a, const T& b, const T& c, const T& d) {
  using real = real_t<T>;
  using complex = complex_t<T>;
  const real scale = (std::max)({rough_size(a), rough_size(b), rough_size(c), rough_size(d)});
  if (scale == 0) return {};
  const T half = (a / scale - d / scale) * real(0.5);
  const T beside = multiplied(T(b / scale), T(c / scale));
  const T square = multiplied(half, half) + beside;
  const complex lower(d);
  if constexpr (is_complex(dtype_of<T>)) {
    complex root = std::sqrt(square);
    // The sum that does not cancel.
    if (std::real(std::conj(half) * root) < 0) root = -root;
    const complex sum = half + root;
    if (sum == complex(0)) return {lower, lower};
    return {lower + sum * scale, lower - beside / sum * scale};
  } else if (square < 0) {
    const real middle = d + half * scale;
    const real part = std::sqrt(-square) * scale;
    return {complex(middle, part), complex(middle, -part)};
  } else {
    const real sum = half + std::copysign(std::sqrt(square), half);
    if (sum == 0) return {lower, lower};
    return {complex(d + sum * scale), complex(d - beside / sum * scale)};
  }
}

/// Calls take(i, eigenvalue) for the eigenvalues of t's blocks in [0, count).
template <class T, class F>
void for_each_eigenvalue(const dense_block<T>& t, index_t count, const F& take) {
  for (index_t i = 0; i < count;) {
    if (block_size<T>(t, i) == 1) {
      take(i, complex_t<T>(t(i, i)));
      ++i;
      continue;
    }
    const auto [first, second] = eigenvalues_of_two(t(i, i), t(i, i + 1), t(i + 1, i), t(i + 1, i + 1));
    take(i, first);
    take(i + 1, second);
    i += 2;
  }
}

/// Searches a Hessenberg matrix's rows before `end` for a negligible subdiagonal entry, from the last row up,
/// and clears the first that it finds. Returns the first row of the part that is connected to the last row.
template <class T>
index_t first_of_last_part(const dense_block<T>& h, index_t end) {
  constexpr real_t<T> epsilon = std::numeric_limits<real_t<T>>::epsilon();
  constexpr real_t<T> nothing = (std::numeric_limits<real_t<T>>::min)() / epsilon;
  for (index_t i = end - 1; i > 0; --i) {
    const real_t<T> around = rough_size(h(i - 1, i - 1)) + rough_size(h(i, i));
    if (rough_size(h(i, i - 1)) > (std::max)(nothing, epsilon * around)) continue;
    h(i, i - 1) = T(0);
    return i;
  }
  return 0;
}

/// Shifts for an iteration in which the matrix's own shifts lead nowhere. They are about as large as the
/// entries in rows i - 1 and i.
template <class T>
auto exceptional_shifts(const dense_block<T>& h, index_t i) {
  const T size = T(rough_size(h(i, i - 1)) + rough_size(h(i - 1, i - 2)));
  const T middle = h(i, i) + size * real_t<T>(0.75);
  return eigenvalues_of_two(middle, T(size * real_t<T>(-0.4375)), size, middle);
}

/// The number of rows or columns for which a thread is worthwhile when they are rotated. Rotations follow each
/// other so closely that waking a thread takes longer than most of them.
inline index_t grain_of_turns(index_t work) { return 16 + (index_t{1} << 22) / (work + 1); }
/// How many are turned at a time, so that their product is still in the cache when it is copied.
inline constexpr index_t turned_at_once = 256;

/// m = m u
template <class T>
void turn_columns(const dense_block<T>& m, const dense_block<T>& u) {
  parallel_for(m.rows, grain_of_turns(u.columns * u.columns), [&](index_t first, index_t last) {
    eigen_matrix<T> product;
    for (index_t row = first; row < last; row += turned_at_once) {
      const auto some = m.part(row, 0, (std::min)(turned_at_once, last - row), m.columns);
      product.setZero(some.rows, some.columns);
      add_product<matrix_op::none, matrix_op::none>(block_of(product), T(1), some, u);
      copy_block(some, block_of(product));
    }
  });
}
/// m = uᴴ m
template <class T>
void turn_rows(const dense_block<T>& m, const dense_block<T>& u) {
  parallel_for(m.columns, grain_of_turns(u.columns * u.columns), [&](index_t first, index_t last) {
    eigen_matrix<T> product;
    for (index_t column = first; column < last; column += turned_at_once) {
      const auto some = m.part(0, column, m.rows, (std::min)(turned_at_once, last - column));
      product.setZero(some.rows, some.columns);
      add_product<matrix_op::adjoint, matrix_op::none>(block_of(product), T(1), u, some);
      copy_block(some, block_of(product));
    }
  });
}

/// A turn of up to four neighbouring rows and columns, by an orthogonal matrix.
template <class T>
struct small_turn {
  index_t size;
  T q[4][4];

  /// t = Qᴴ t Q and u = u Q for rows and columns from i on, which are whole blocks of t: to their left and
  /// below them are zeros.
  void apply(const dense_block<T>& t, const dense_block<T>& u, index_t i) const {
    for (index_t j = i; j < t.columns; ++j) {
      T* x = t.column(j) + i;
      T sums[4] = {};
      for (index_t c = 0; c < size; ++c) {
        for (index_t r = 0; r < size; ++r) sums[c] += multiplied(conjugate(q[r][c]), x[r]);
      }
      std::copy_n(sums, size, x);
    }
    turn_columns(t, i, i + size);
    turn_columns(u, i, u.rows);
  }

 private:
  void turn_columns(const dense_block<T>& m, index_t i, index_t rows) const {
    for (index_t r = 0; r < rows; ++r) {
      T sums[4] = {};
      for (index_t c = 0; c < size; ++c) {
        for (index_t k = 0; k < size; ++k) sums[c] += multiplied(m(r, i + k), q[k][c]);
      }
      for (index_t c = 0; c < size; ++c) m(r, i + c) = sums[c];
    }
  }
};

/// The turn whose first columns span the columns of x, which has full rank.
template <class T>
small_turn<T> turn_to_front(T (&x)[4][2], index_t size, index_t columns) {
  small_turn<T> turn{size, {}};
  for (index_t i = 0; i < size; ++i) turn.q[i][i] = T(1);
  for (index_t j = 0; j < columns; ++j) {
    T v[4];
    for (index_t i = j; i < size; ++i) v[i] = x[i][j];
    const T factor = reflect(v + j, size - j).first;
    for (T(&row)[4] : turn.q) {
      T sum{};
      for (index_t i = j; i < size; ++i) sum += multiplied(row[i], v[i]);
      for (index_t i = j; i < size; ++i) row[i] -= multiplied(multiplied(sum, factor), conjugate(v[i]));
    }
    for (index_t k = j + 1; k < columns; ++k) {
      T sum{};
      for (index_t i = j; i < size; ++i) sum += multiplied(conjugate(v[i]), x[i][k]);
      for (index_t i = j; i < size; ++i) x[i][k] -= multiplied(multiplied(conjugate(factor), sum), v[i]);
    }
  }
  return turn;
}

/// Makes a block of two rows triangular, unless it is real and its eigenvalues are not.
template <class T>
void split_block(const dense_block<T>& t, const dense_block<T>& u, index_t i) {
  const auto eigenvalue = eigenvalues_of_two(t(i, i), t(i, i + 1), t(i + 1, i), t(i + 1, i + 1)).first;
  T value;
  if constexpr (is_complex(dtype_of<T>)) {
    value = eigenvalue;
  } else {
    if (eigenvalue.imag() != 0) return;
    value = eigenvalue.real();
  }
  // An eigenvector, from the row in which less cancels.
  T x[4][2] = {};
  const T above = value - t(i + 1, i + 1);
  const T beside = value - t(i, i);
  if (rough_size(above) >= rough_size(beside)) {
    x[0][0] = above;
    x[1][0] = t(i + 1, i);
  } else {
    x[0][0] = t(i, i + 1);
    x[1][0] = beside;
  }
  turn_to_front(x, 2, 1).apply(t, u, i);
  t(i + 1, i) = T(0);
}

/// Solves A x - x B = -C, where A has p rows and B has q. x is stored row by row. False if there is no solution
/// of moderate size.
template <class T>
bool solve_sylvester(const dense_block<T>& t, index_t i, index_t p, index_t q, T (&x)[4][2]) {
  const index_t size = p * q;
  T m[4][5] = {};
  for (index_t r = 0; r < p; ++r) {
    for (index_t c = 0; c < q; ++c) {
      T* row = m[r * q + c];
      for (index_t k = 0; k < p; ++k) row[k * q + c] += t(i + r, i + k);
      for (index_t k = 0; k < q; ++k) row[r * q + k] -= t(i + p + k, i + p + c);
      row[size] = -t(i + r, i + p + c);
    }
  }
  for (index_t k = 0; k < size; ++k) {
    index_t pivot = k;
    for (index_t r = k + 1; r < size; ++r) {
      if (rough_size(m[r][k]) > rough_size(m[pivot][k])) pivot = r;
    }
    if (m[pivot][k] == T(0)) return false;
    std::swap(m[k], m[pivot]);
    for (index_t r = k + 1; r < size; ++r) {
      const T factor = m[r][k] / m[k][k];
      for (index_t c = k; c <= size; ++c) m[r][c] -= multiplied(factor, m[k][c]);
    }
  }
  for (index_t k = size; k-- > 0;) {
    T sum = m[k][size];
    for (index_t c = k + 1; c < size; ++c) sum -= multiplied(m[k][c], x[c / q][c % q]);
    x[k / q][k % q] = sum / m[k][k];
    if (!(rough_size(x[k / q][k % q]) <= 1 / std::numeric_limits<real_t<T>>::epsilon())) return false;
  }
  return true;
}

/// Exchanges the block A of p rows at i with the block B of q rows that follows. As
/// [A C; 0 B] (x; 1) = (x; 1) B, a turn of the columns (x; 1) to the front puts B there. False, with nothing
/// changed, if the eigenvalues of the two are too close for that.
template <class T>
bool swap_blocks(const dense_block<T>& t, const dense_block<T>& u, index_t i, index_t p, index_t q) {
  const index_t size = p + q;
  T x[4][2] = {};
  if (size == 2) {
    x[0][0] = t(i, i + 1);
    x[1][0] = t(i + 1, i + 1) - t(i, i);
    if (x[0][0] == T(0) && x[1][0] == T(0)) return true;  // they are the same
  } else {
    if (!solve_sylvester(t, i, p, q, x)) return false;
    for (index_t c = 0; c < q; ++c) x[p + c][c] = T(1);
  }
  const small_turn<T> turn = turn_to_front(x, size, q);
  if (size > 2) {
    // First rotate a copy, to see what is left where zeros should be.
    T copy[16];
    const dense_block<T> part{copy, size, size, size};
    real_t<T> largest = 0;
    for (index_t c = 0; c < size; ++c) {
      for (index_t r = 0; r < size; ++r) {
        part(r, c) = t(i + r, i + c);
        largest = (std::max)(largest, rough_size(part(r, c)));
      }
    }
    turn.apply(part, {nullptr, 0, 0, 0}, 0);
    for (index_t c = 0; c < q; ++c) {
      for (index_t r = q; r < size; ++r) {
        if (!(rough_size(part(r, c)) <= 10 * std::numeric_limits<real_t<T>>::epsilon() * largest)) return false;
      }
    }
  }
  turn.apply(t, u, i);
  for (index_t c = 0; c < q; ++c) {
    for (index_t r = q; r < size; ++r) t(i + r, i + c) = T(0);
  }
  if constexpr (!is_complex(dtype_of<T>)) {
    if (q == 2) split_block(t, u, i);
    if (p == 2) split_block(t, u, i + q);
  }
  return true;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
