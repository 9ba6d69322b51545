// SPDX-License-Identifier: MIT
// Aggressive early deflation, after Braman, Byers and Mathias, "The multishift QR algorithm. Part II" (2002):
// the Schur form of the last rows of a Hessenberg matrix shows eigenvalues that the rest of the matrix no
// longer moves, long before a subdiagonal entry becomes small.
#pragma once

#include <gnp/dense/hessenberg.hpp>
#include <gnp/dense/schur_sweep.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

template <class T>
class deflation_window {
 public:
  /// For these last rows of a matrix; `spike` is the entry to the left of the first of them.
  deflation_window(const dense_block<T>& h, T spike)
      : t_memory_(eigen_matrix<T>::Zero(h.rows, h.rows)),
        v_memory_(eigen_matrix<T>::Identity(h.rows, h.rows)),
        spike_(spike) {
    for (index_t j = 0; j < h.columns; ++j) {
      std::copy_n(h.column(j), (std::min)(j + 2, h.rows), t_.column(j));
    }
  }

  /// Finds the eigenvalues that can be deflated. False if the window's Schur form is not found.
  bool deflate() {
    if (!reduce_small(t_, v_)) return false;
    left_ = t_.columns;
    // Blocks that are not deflated move to the front, and the next ones take their places.
    for (index_t kept = 0; kept < left_;) {
      index_t last = left_ - 1;
      if (last > 0 && t_(last, last - 1) != T(0)) --last;
      if (is_negligible(last)) {
        left_ = last;
        continue;
      }
      if (!move_block(last, kept)) break;
      kept += block_size<T>(t_, kept);
    }
    for_each_eigenvalue(t_, left_, [this](index_t, complex_t<T> value) { shifts_.push_back(value); });
    if (left_ == 0) spike_ = T(0);
    return true;
  }

  index_t deflated() const { return t_.columns - left_; }
  /// The eigenvalues that are not deflated.
  const std::vector<complex_t<T>>& shifts() const { return shifts_; }

  /// Makes the window Hessenberg again and puts it into the matrix's last rows h. Returns the entry to their
  /// left.
  T restore(const dense_block<T>& h) {
    if (spike_ != T(0)) {
      if (left_ > 1) remove_spike();
      spike_ = multiplied(spike_, conjugate(v_(0, 0)));
    }
    for (index_t j = 0; j < h.columns; ++j) {
      std::copy_n(t_.column(j), (std::min)(j + 2, h.rows), h.column(j));
    }
    return spike_;
  }

  /// The V that turned the window: the new one is Vᴴ H V.
  const dense_block<T>& turned_by() const { return v_; }

 private:
  /// Would the block at i be deflated if it were the last one?
  bool is_negligible(index_t i) const {
    using real = real_t<T>;
    constexpr real epsilon = std::numeric_limits<real>::epsilon();
    real size = 0;
    real beside = 0;
    for (index_t k = i; k < i + block_size<T>(t_, i); ++k) {
      size = (std::max)(size, rough_size(t_(k, k)));
      beside = (std::max)(beside, rough_size(multiplied(spike_, v_(0, k))));
    }
    if (block_size<T>(t_, i) == 2) {
      size += std::sqrt(rough_size(t_(i, i + 1))) * std::sqrt(rough_size(t_(i + 1, i)));
    }
    if (size == 0) size = rough_size(spike_);
    return beside <= (std::max)((std::numeric_limits<real>::min)() / epsilon, epsilon * size);
  }

  bool move_block(index_t from, index_t to) {
    while (from > to) {
      const index_t before = from > to + 1 && t_(from - 1, from - 2) != T(0) ? 2 : 1;
      if (!swap_blocks(t_, v_, from - before, before, block_size<T>(t_, from))) return false;
      from -= before;
    }
    return true;
  }

  /// Reduces the entries to the left of the window, spike times V's first row, to a single one again.
  void remove_spike() {
    std::vector<T> v(static_cast<std::size_t>(left_));
    for (index_t k = 0; k < left_; ++k) v[static_cast<std::size_t>(k)] = conjugate(v_(0, k));
    const T factor = reflect(v.data(), left_).first;
    const auto reflect_columns_of = [&](const dense_block<T>& m) {
      eigen_vector<T> products = eigen_vector<T>::Zero(m.rows);
      add_product<matrix_op::none>(products.data(), factor, m, v.data());
      for (index_t k = 0; k < m.columns; ++k) {
        add_multiple(m.column(k), -conjugate(v[static_cast<std::size_t>(k)]), products.data(), m.rows);
      }
    };
    const index_t n = t_.columns;
    const auto kept = t_.part(0, 0, left_, left_);
    for (index_t j = 0; j < n; ++j) {
      const T product = static_cast<T>(wide_dot(v.data(), t_.column(j), left_));
      add_multiple(t_.column(j), -multiplied(conjugate(factor), product), v.data(), left_);
    }
    const auto vectors = v_.part(0, 0, n, left_);
    reflect_columns_of(kept);
    reflect_columns_of(vectors);
    const auto q = reduce_to_hessenberg(kept);
    eigen_matrix<T> turned = eigen_matrix<T>::Identity(left_, left_);
    q.apply_to_identity(block_of(turned));
    turn_rows(t_.part(0, left_, left_, n - left_), block_of(turned));
    turn_columns(vectors, block_of(turned));
  }

  eigen_matrix<T> t_memory_, v_memory_;
  dense_block<T> t_ = block_of(t_memory_);
  dense_block<T> v_ = block_of(v_memory_);
  T spike_;
  index_t left_ = 0;
  std::vector<complex_t<T>> shifts_;
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
