// SPDX-License-Identifier: MIT
// The eigenvectors of a Schur form, by substitution from the last row up. Some rows of all vectors are done at
// a time, so that their effect on the rows above is a product of matrices.
#pragma once

#include <gnp/dense/schur_blocks.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

template <class T>
class vectors_of_schur_form {
 public:
  /// For the Schur form t, which has these eigenvalues; the vectors go to x. x becomes upper triangular, except
  /// for pairs of eigenvalues of a real t: the vector of the first one has its real parts in one column, its
  /// imaginary parts in the next.
  vectors_of_schur_form(const dense_block<T>& t, const complex_t<T>* eigenvalues, const dense_block<T>& x)
      : t_(t), x_(x), eigenvalues_(eigenvalues) {
    for (index_t j = 0; j < t.columns; ++j) {
      for (index_t i = 0; i < (std::min)(j + 2, t.columns); ++i) size_ = (std::max)(size_, rough_size(t(i, j)));
    }
  }

  void compute() const {
    scale_block(x_, T(0));
    for (index_t last = t_.columns; last > 0;) {
      const index_t first = start_of_block((std::max)(last - together, index_t{0}));
      const index_t work = (last - first) * (last - first + first);
      parallel_columns(x_.columns - first, work, [&](index_t begin, index_t end) {
        substitute(first, last, start_of_block(first + begin), start_of_block(first + end));
      });
      last = first;
    }
  }

 private:
  using real = real_t<T>;
  using complex = complex_t<T>;
  static constexpr index_t together = 32;
  static constexpr real epsilon = std::numeric_limits<real>::epsilon();
  /// Entries larger than this make their vector be scaled down: a substitution can enlarge it by n² / epsilon².
  static constexpr real large = sizeof(real) == 4 ? real(1e10) : real(1e60);

  /// The first row of the block that contains row i.
  index_t start_of_block(index_t i) const {
    return i > 0 && i < t_.columns && t_(i, i - 1) != T(0) ? i - 1 : i;
  }

  /// Computes entries [first, last) of vectors [begin, end), and their contribution to the entries above.
  void substitute(index_t first, index_t last, index_t begin, index_t end) const {
    for (index_t k = begin; k < end; k += block_size<T>(t_, k)) {
      if constexpr (is_complex(dtype_of<T>)) {
        substitute_one<T>(first, last, k);
      } else if (block_size<T>(t_, k) == 1) {
        substitute_one<T>(first, last, k);
      } else {
        substitute_one<complex>(first, last, k);
      }
    }
    add_product<matrix_op::none, matrix_op::none>(x_.part(0, begin, first, end - begin), T(-1),
                                                  t_.part(0, first, first, last - first),
                                                  x_.part(first, begin, last - first, end - begin));
  }

  /// Is V the type of a complex vector of a real matrix, whose real and imaginary parts are two columns of x_?
  template <class V>
  static constexpr bool is_two_columns = !std::is_same_v<V, T>;

  /// Computes these entries of the vector of eigenvalue k, in type V.
  template <class V>
  void substitute_one(index_t first, index_t last, index_t k) const {
    V eigenvalue;
    if constexpr (std::is_same_v<V, complex>) {
      eigenvalue = eigenvalues_[k];
    } else {
      eigenvalue = eigenvalues_[k].real();
    }
    V x[together + 1];
    const auto at = [&](index_t i) -> V& { return x[i - first]; };
    for (index_t i = first; i < last; ++i) {
      if constexpr (is_two_columns<V>) {
        at(i) = V(x_(i, k), x_(i, k + 1));
      } else {
        at(i) = x_(i, k);
      }
    }
    // Divisors are no smaller than a rounding error.
    const real least = (std::max)(
        {epsilon * rough_size(eigenvalue), epsilon * epsilon * size_, (std::numeric_limits<real>::min)()});
    const auto not_less = [least](V pivot) { return rough_size(pivot) < least ? V(least) : pivot; };
    index_t i = last;
    if (k >= first && k < last) {
      i = k;
      begin_vector(first, k, eigenvalue, at);
    }
    while (i > first) {
      const index_t before = start_of_block(i - 1);
      if (before == i - 1) {
        at(before) /= not_less(t_(before, before) - eigenvalue);
      } else {
        solve_two(before, eigenvalue, not_less, at(before), at(before + 1));
      }
      i = before;
      const index_t size = block_size<T>(t_, i);
      for (index_t j = i; j < i + size; ++j) {
        if (const real length = rough_size(at(j)); length > large)
          scale<V>(std::ldexp(real(1), -std::ilogb(length)), first, last, k, at);
      }
      for (index_t j = i; j < i + size; ++j) {
        for (index_t r = first; r < i; ++r) {
          if constexpr (is_two_columns<V>) {
            at(r) -= t_(r, j) * at(j);
          } else {
            at(r) -= multiplied(t_(r, j), at(j));
          }
        }
      }
    }
    for (i = first; i < last; ++i) {
      if constexpr (is_two_columns<V>) {
        x_(i, k) = at(i).real();
        x_(i, k + 1) = at(i).imag();
      } else {
        x_(i, k) = at(i);
      }
    }
  }

  /// The entries of a vector in the rows of its own block, and what they contribute to those above.
  template <class V, class At>
  void begin_vector(index_t first, index_t k, V eigenvalue, const At& at) const {
    at(k) = V(1);
    if constexpr (is_two_columns<V>) {
      const V lower = eigenvalue - t_(k, k);
      const V upper = eigenvalue - t_(k + 1, k + 1);
      if (rough_size(upper) >= rough_size(lower)) {
        at(k) = upper;
        at(k + 1) = t_(k + 1, k);
      } else {
        at(k) = t_(k, k + 1);
        at(k + 1) = lower;
      }
      const real size = (std::max)(rough_size(at(k)), rough_size(at(k + 1)));
      at(k) /= size;
      at(k + 1) /= size;
    }
    for (index_t r = first; r < k; ++r) {
      at(r) = -V(t_(r, k) * at(k));
      if constexpr (is_two_columns<V>) at(r) -= t_(r, k + 1) * at(k + 1);
    }
  }

  /// Multiplies vector k: the entries that are being computed, and all in memory.
  template <class V, class At>
  void scale(real factor, index_t first, index_t last, index_t k, const At& at) const {
    for (index_t r = first; r < last; ++r) at(r) *= factor;
    for (index_t c = k; c < k + (is_two_columns<V> ? 2 : 1); ++c) {
      for (index_t r = 0; r < x_.rows; ++r) x_(r, c) *= factor;
    }
  }

  /// Solves (the block of two rows at i, minus the eigenvalue) (x, y) = (x, y) as given.
  template <class V, class F>
  void solve_two(index_t i, V eigenvalue, const F& not_less, V& x, V& y) const {
    V a = t_(i, i) - eigenvalue;
    V b = t_(i, i + 1);
    V c = t_(i + 1, i);
    V d = t_(i + 1, i + 1) - eigenvalue;
    if (rough_size(c) > rough_size(a)) {
      std::swap(a, c);
      std::swap(b, d);
      std::swap(x, y);
    }
    a = not_less(a);
    const V factor = c / a;
    y = (y - factor * x) / not_less(d - factor * b);
    x = (x - b * y) / a;
  }

  dense_block<T> t_;
  dense_block<T> x_;
  const complex* eigenvalues_;
  real size_ = 0;
};

/// Scales vectors to length 1 and so that their largest entries are real.
template <class T>
void normalise_vectors(const dense_block<std::complex<T>>& vectors) {
  parallel_columns(vectors.columns, vectors.rows, [&](index_t begin, index_t end) {
    for (index_t j = begin; j < end; ++j) {
      std::complex<T>* x = vectors.column(j);
      const auto* largest = std::max_element(x, x + vectors.rows, [](const auto& a, const auto& b) {
        return std::norm(complex128(a)) < std::norm(complex128(b));
      });
      const T size = std::abs(*largest);
      const std::complex<T> turn = std::conj(*largest) / size;
      double square = 0;
      for (index_t i = 0; i < vectors.rows; ++i) square += std::norm(complex128(x[i] / size));
      const std::complex<T> factor = turn / static_cast<T>(std::sqrt(square)) / size;
      for (index_t i = 0; i < vectors.rows; ++i) x[i] = multiplied(x[i], factor);
      const index_t at = largest - x;
      x[at] = x[at].real();
    }
  });
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
