// SPDX-License-Identifier: MIT
// Householder reflections I - t v vᴴ on the CPU, where v_0 = 1: of one vector, and of many as products of
// matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <gnp/dense/block.hpp>
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/dense/types.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

template <class T>
std::pair<T, double> reflect(T* x, index_t count);

/// The same for entries so small that their squares vanish: they are brought to a magnitude of 1 first.
template <class T>
[[gnu::cold]] std::pair<T, double> reflect_tiny(T* x, index_t count) {
  using real = real_t<T>;
  auto* const parts = reinterpret_cast<real*>(x);
  const index_t part_count = count * static_cast<index_t>(sizeof(T) / sizeof(real));
  real largest(0);
  for (index_t i = 0; i < part_count; ++i) largest = (std::max)(largest, std::abs(parts[i]));
  if (!(largest > 0)) {
    x[0] = T(1);
    return {T(0), 0.0};
  }
  const int exponent = std::ilogb(largest);
  for (index_t i = 0; i < part_count; ++i) parts[i] = std::ldexp(parts[i], -exponent);
  const auto [t, b] = reflect(x, count);
  return {t, std::ldexp(b, exponent)};
}

/// Replaces x, which is not empty, with the v of (I - t v vᴴ)ᴴ x = (b, 0, …), b real. Returns t and b.
/// It computes in double: the rounded t and v make an orthogonal matrix only as far as t fits v's length.
template <class T>
std::pair<T, double> reflect(T* x, index_t count) {
  using wide = wide_t<T>;
  const double below = std::real(wide_dot(x + 1, x + 1, count - 1));
  const wide first(x[0]);
  const double size = std::real(first);
  const double beside = std::imag(first);
  const double square = size * size + beside * beside + below;
  if (square < 1e-290) return reflect_tiny(x, count);
  x[0] = T(1);
  // (A sum of squares may be 0 although not all of them are.)
  if (below == 0 && beside == 0 && std::all_of(x + 1, x + count, [](const T& v) { return v == T(0); }))
    return {T(0), size};
  const double length = std::sqrt(square);
  const double b = size >= 0 ? -length : length;
  const wide factor = 1.0 / (first - b);
  for (index_t i = 1; i < count; ++i) x[i] = static_cast<T>(multiplied(wide(x[i]), factor));
  return {static_cast<T>((b - first) / b), b};
}

/// The product of reflections, each on one entry fewer than the one before. It is stored in panels, each
/// I - V T Vᴴ.
template <class T>
class reflections_in_panels {
 public:
  static constexpr index_t width = 32;  // of a panel

  /// Adds reflections on the entries from `first` on; v is stored below and on the diagonal, ones included.
  void add(index_t first, const const_block<T>& v, const T* factors) {
    const index_t k = v.columns;
    panel p{first, eigen_matrix<T>::Zero(v.rows, k), eigen_matrix<T>::Zero(k, k)};
    for (index_t j = 0; j < k; ++j) std::copy(v.column(j) + j, v.column(j) + v.rows, &p.v(j, j));
    // T's columns, one by one, from those of Vᴴ V: t_j on the diagonal, above it -t_j T (Vᴴ v_j). Q is
    // orthogonal only as far as T and V agree. Where reflections are much alike, long sums of products would
    // leave Q ten times further from orthogonal; so a few rows are summed at a time.
    const auto t = block_of(p.t);
    constexpr index_t together = 16;
    for (index_t row = 0; row < v.rows; row += together) {
      const auto some = block_of(p.v).part(row, 0, (std::min)(together, v.rows - row), k);
      add_product<matrix_op::adjoint, matrix_op::none>(t, T(1), some, some);
    }
    T products[static_cast<std::size_t>(width)];
    for (index_t j = 0; j < k; ++j) {
      std::copy_n(t.column(j), j, products);
      std::fill_n(t.column(j), k, T(0));
      add_product<matrix_op::none>(t.column(j), -factors[j], t.part(0, 0, j, j), products);
      t(j, j) = factors[j];
    }
    panels_.push_back(std::move(p));
  }

  /// c = Q c.
  void apply(const dense_block<T>& c) const {
    for (std::size_t i = panels_.size(); i-- > 0;) turn_by<matrix_op::none>(panels_[i], c);
  }
  /// c = Q c where c is the first columns of the identity.
  void apply_to_identity(const dense_block<T>& c) const {
    for (std::size_t i = panels_.size(); i-- > 0;) {
      const index_t first = panels_[i].first;
      turn_by<matrix_op::none>(panels_[i], c.part(0, first, c.rows, (std::max)(c.columns - first, index_t{0})));
    }
  }
  /// c = Qᴴ c by the panel that was added last.
  void turn_back_by_last(const dense_block<T>& c) const { turn_by<matrix_op::adjoint>(panels_.back(), c); }

 private:
  struct panel {
    index_t first;
    eigen_matrix<T> v;
    eigen_matrix<T> t;
  };

  template <matrix_op How>
  static void turn_by(const panel& p, const dense_block<T>& c) {
    const auto v = block_of(p.v);
    const auto below = c.part(p.first, 0, c.rows - p.first, c.columns);
    eigen_matrix<T> memory = eigen_matrix<T>::Zero(v.columns, 2 * c.columns);
    const auto products = block_of(memory).part(0, 0, v.columns, c.columns);
    const auto combined = block_of(memory).part(0, c.columns, v.columns, c.columns);
    add_product<matrix_op::adjoint, matrix_op::none>(products, T(1), v, below);
    add_product<How, matrix_op::none>(combined, T(1), block_of(p.t), products);
    add_product<matrix_op::none, matrix_op::none>(below, T(-1), v, combined);
  }

  std::vector<panel> panels_;
};

/// y -= alpha left rightᴴ x, where left and right have no more columns than a panel.
template <class T>
void subtract_combined(T* y, std::type_identity_t<T> alpha, const const_block<T>& left,
                       const const_block<T>& right, const T* x) {
  T few[reflections_in_panels<T>::width] = {};
  add_product<matrix_op::adjoint>(few, T(1), right, x);
  add_product<matrix_op::none>(y, -alpha, left, few);
}
/// y -= left (row i of right)ᴴ, where left has no more columns than a panel.
template <class T>
void subtract_row(T* y, const const_block<T>& left, const const_block<T>& right, index_t i) {
  T few[reflections_in_panels<T>::width];
  for (index_t j = 0; j < left.columns; ++j) few[j] = conjugate(right(i, j));
  add_product<matrix_op::none>(y, T(-1), left, few);
}

/// a = Q R: overwrites a with R and, below the diagonal, anything. Returns Q.
template <class T>
reflections_in_panels<T> reflect_columns(const dense_block<T>& a) {
  reflections_in_panels<T> q;
  constexpr index_t width = reflections_in_panels<T>::width;
  T factors[static_cast<std::size_t>(width)];
  T diagonal[static_cast<std::size_t>(width)];
  T products[static_cast<std::size_t>(width)];
  const index_t least = (std::min)(a.rows, a.columns);
  for (index_t first = 0; first < least; first += width) {
    const index_t count = (std::min)(width, least - first);
    const auto panel = a.part(first, first, a.rows - first, count);
    for (index_t k = 0; k < count; ++k) {
      const auto rest = panel.part(k, k + 1, panel.rows - k, count - k - 1);
      T* v = panel.column(k) + k;
      const auto [factor, length] = reflect(v, rest.rows);
      factors[k] = factor;
      diagonal[k] = static_cast<T>(static_cast<real_t<T>>(length));
      std::fill_n(products, rest.columns, T(0));
      add_product<matrix_op::adjoint>(products, factor, rest, v);
      for (index_t j = 0; j < rest.columns; ++j) {
        add_multiple(rest.column(j), -conjugate(products[j]), v, rest.rows);
      }
    }
    q.add(first, panel, factors);
    for (index_t k = 0; k < count; ++k) panel(k, k) = diagonal[k];
    q.turn_back_by_last(a.part(0, first + count, a.rows, a.columns - first - count));
  }
  return q;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
