// SPDX-License-Identifier: MIT
// The singular value decomposition of a bidiagonal matrix by divide and conquer, on the CPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <gnp/core/sort_places.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/dense/bidiagonal.hpp>
#include <gnp/dense/bidiagonal_vectors.hpp>
#include <gnp/dense/secular.hpp>
#include <limits>
#include <numeric>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// B = U S Vᵀ of an upper bidiagonal B. The middle row is removed, which leaves two bidiagonal matrices; the
/// upper one has one column more than rows. Their decompositions and the row are combined into that of B.
///
/// R is the type of the vectors; values are kept in double, so that float's are found to the last digit. (Value
/// is a template parameter so that including this header costs nothing if no decomposition is used.)
///
/// The whole svd, with thin vectors, took these fractions of the time of Eigen's BDCSVD, on one thread with
/// AVX2 (benchmarks/cpu_linalg_bench.cpp): 0.46, 0.47, 0.55 and 0.69 for 64, 256, 512 and 1024 columns in
/// float32, 0.30, 0.38, 0.51 and 0.68 in float64.
template <class R, class Value = double>
class bidiagonal_divide {
 public:
  using numbers = Eigen::Array<Value, Eigen::Dynamic, 1>;
  using matrix = divided_vectors<R>;
  using rows = vector_rows;

  /// B has d on its diagonal and e, one shorter, above it.
  bidiagonal_divide(std::vector<Value> d, std::vector<Value> e)
      : size_(static_cast<index_t>(d.size())), d_(std::move(d)), e_(std::move(e)) {
    Value peak = 0;
    for (const Value x : d_) peak = std::fmax(peak, std::fabs(x));
    for (const Value x : e_) peak = std::fmax(peak, std::fabs(x));
    values_ = numbers::Zero(size_);
    order_.resize(d_.size());
    std::iota(order_.begin(), order_.end(), index_t{0});
    u_ = matrix::Identity(size_, size_);
    v_ = matrix::Identity(size_, size_);
    if (peak == 0) return;
    exponent_ = std::ilogb(peak);
    for (Value& x : d_) x = std::ldexp(x, -exponent_);
    for (Value& x : e_) x = std::ldexp(x, -exponent_);
    run();
  }

  bool converged() const { return converged_; }
  /// The k-th singular value, in descending order, and its vectors.
  Value value(index_t k) const { return std::ldexp(values_[order_[static_cast<std::size_t>(k)]], exponent_); }
  const R* left(index_t k) const { return &u_(0, order_[static_cast<std::size_t>(k)]); }
  const R* right(index_t k) const { return &v_(0, order_[static_cast<std::size_t>(k)]); }

 private:
  /// Rows [first, first + size), and as many columns from `first` on, or one more if `wider`. The additional
  /// column is the null vector's.
  struct part {
    index_t first;
    index_t size;
    bool wider;
    int depth;

    index_t columns() const { return size + (wider ? 1 : 0); }
    index_t upper() const { return size / 2; }  // rows above the middle one
    part above() const { return {first, upper(), true, depth + 1}; }
    part below() const { return {first + upper() + 1, size - upper() - 1, wider, depth + 1}; }
  };
  static constexpr index_t smallest = 32;  // parts of this size or less are not divided

  void run();
  void solve(const part& p);
  divided_row reduce(const part& p);
  void merge(const part& p);

  /// The vectors of a merged part, in terms of those of the parts that it was divided into.
  struct merged_vectors {
    matrix right;
    matrix left;  // without the middle row
    Eigen::Matrix<R, 1, Eigen::Dynamic> middle_row;
  };
  static secular_equation<Value> equation_of(const std::vector<divided_column>& kept);
  static merged_vectors vectors_of(const secular_equation<Value>& equation,
                                   const std::vector<secular_root<Value>>& roots,
                                   const std::vector<index_t>& place, index_t size);
  /// How many of k roots, each of which is work in proportion to k, are worth a thread.
  static index_t roots_for_a_thread(index_t k) { return 10000 / k + 1; }

  index_t size_;
  std::vector<Value> d_;
  std::vector<Value> e_;
  int exponent_ = 0;
  numbers values_;
  matrix u_;
  matrix v_;
  std::vector<index_t> order_;
  std::atomic<bool> converged_ = true;
};

template <class R, class Value>
void bidiagonal_divide<R, Value>::run() {
  std::vector<part> undivided;
  std::vector<std::vector<part>> levels;
  std::vector<part> waiting = {{0, size_, false, 0}};
  while (!waiting.empty()) {
    const part p = waiting.back();
    waiting.pop_back();
    if (p.size <= smallest) {
      undivided.push_back(p);
      continue;
    }
    levels.resize((std::max)(levels.size(), static_cast<std::size_t>(p.depth) + 1));
    levels[static_cast<std::size_t>(p.depth)].push_back(p);
    waiting.push_back(p.above());
    waiting.push_back(p.below());
  }
  const auto for_each = [this](const std::vector<part>& parts, void (bidiagonal_divide::*f)(const part&)) {
    parallel_for(static_cast<index_t>(parts.size()), 1, [&](index_t i, index_t last) {
      for (; i < last; ++i) (this->*f)(parts[static_cast<std::size_t>(i)]);
    });
  };
  for_each(undivided, &bidiagonal_divide::solve);
  for (; !levels.empty(); levels.pop_back()) {
    // One part for each thread. If there are fewer parts than threads, all threads work on each part.
    if (static_cast<int>(levels.back().size()) >= thread_count().load(std::memory_order_relaxed)) {
      for_each(levels.back(), &bidiagonal_divide::merge);
    } else {
      for (const part& p : levels.back()) merge(p);
    }
  }
  sort_places(order_, [this](index_t k) { return -values_[k]; });
}

/// Decomposes a small part by QR iterations.
template <class R, class Value>
void bidiagonal_divide<R, Value>::solve(const part& p) {
  const index_t n = p.size;
  std::vector<Value> d(d_.begin() + p.first, d_.begin() + p.first + n);
  std::vector<Value> e(e_.begin() + p.first, e_.begin() + (p.first + n - 1));
  using square = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>;
  square left = square::Identity(n, n);
  square right = square::Identity(p.columns(), p.columns());
  turned_columns u(left.data(), n);
  turned_columns v(right.data(), p.columns());
  if (p.wider) {
    // Rotations clear the entry in the additional column, with the columns before it from the last to the
    // first.
    Value f = e_[static_cast<std::size_t>(p.first + n - 1)];
    for (index_t k = n; k-- > 0 && f != 0;) {
      Value c = 0;
      Value s = 0;
      Value& diagonal = d[static_cast<std::size_t>(k)];
      diagonal = make_rotation(diagonal, f, c, s);
      v.rotate(k, n, c, s);
      if (k == 0) break;
      Value& above = e[static_cast<std::size_t>(k - 1)];
      f = -s * above;
      above *= c;
    }
  }
  if (!diagonalise(d, e, u, v, std::numeric_limits<Value>::epsilon())) converged_ = false;
  for (index_t k = 0; k < n; ++k) {
    const Value value = d[static_cast<std::size_t>(k)];
    values_[p.first + k] = std::fabs(value);
    if (std::signbit(value)) left.col(k) = -left.col(k);
  }
  u_.block(p.first, p.first, n, n) = left.template cast<R>();
  v_.block(p.first, p.first, p.columns(), p.columns()) = right.template cast<R>();
}

/// Expresses the row between two parts in terms of their right vectors. The vectors that it does not couple are
/// settled.
template <class R, class Value>
divided_row bidiagonal_divide<R, Value>::reduce(const part& p) {
  // Smaller numbers are negligible compared with the largest entry, which is between 1 and 2.
  constexpr Value least = 8 * static_cast<Value>(std::numeric_limits<R>::epsilon());
  const index_t middle = p.first + p.upper();
  const index_t end = p.first + p.size;
  const Value left_factor = d_[static_cast<std::size_t>(middle)];
  const Value right_factor = e_[static_cast<std::size_t>(middle)];

  // If there are two null vectors, one takes over the other's share of the row.
  divided_column null{0, left_factor * v_(middle, middle), middle, rows::upper};
  if (p.wider) {
    Value c = 0;
    Value s = 0;
    null.z = make_rotation(null.z, right_factor * v_(middle + 1, end), c, s);
    turn_vectors(v_, p.first, p.columns(), middle, end, c, s);
    null.where = rows::all;
  }
  if (std::fabs(null.z) <= least) null.z = least;
  std::vector<divided_column> columns;
  for (index_t k = p.first; k < end; ++k) {
    if (k < middle) columns.push_back({values_[k], left_factor * v_(middle, k), k, rows::upper});
    if (k > middle) columns.push_back({values_[k], right_factor * v_(middle + 1, k), k, rows::lower});
  }
  std::sort(columns.begin(), columns.end(),
            [](const divided_column& a, const divided_column& b) { return a.d < b.d; });

  // A column is settled if the row has no entry there. Of two columns with equal values, a rotation settles
  // one.
  divided_row result;
  std::vector<divided_column>& kept = result.kept;
  kept.push_back(null);
  const auto settle = [&result](const divided_column& x) {
    result.settled.push_back(x.at);
    result.settled_values.push_back(x.d);
  };
  for (divided_column& x : columns) {
    divided_column& before = kept.back();
    if (std::fabs(x.z) <= least) {
      settle(x);
    } else if (kept.size() > 1 && x.d - before.d <= least) {
      Value c = 0;
      Value s = 0;
      x.z = make_rotation(x.z, before.z, c, s);
      turn_vectors(u_, p.first, p.size, x.at, before.at, c, s);
      turn_vectors(v_, p.first, p.columns(), x.at, before.at, c, s);
      if (x.where != before.where) x.where = rows::all;
      settle(before);
      before = x;
    } else {
      kept.push_back(x);
    }
  }
  if (kept.size() > 1) kept[1].d = (std::max)(kept[1].d, least / 2);  // apart from the null vector's 0
  return result;
}

template <class R, class Value>
secular_equation<Value> bidiagonal_divide<R, Value>::equation_of(const std::vector<divided_column>& kept) {
  const auto k = static_cast<index_t>(kept.size());
  numbers d(k);
  numbers z(k);
  for (index_t j = 0; j < k; ++j) {
    d[j] = kept[static_cast<std::size_t>(j)].d;
    z[j] = kept[static_cast<std::size_t>(j)].z;
  }
  return secular_equation<Value>(std::move(d), std::move(z));
}

/// A right vector is z_j / (d_j² - σ²), the left one d_j times that, and -1 in the middle row. Column j of the
/// divided parts is at `place` of j in the merged ones; the part has `size` rows.
template <class R, class Value>
typename bidiagonal_divide<R, Value>::merged_vectors bidiagonal_divide<R, Value>::vectors_of(
    const secular_equation<Value>& equation, const std::vector<secular_root<Value>>& roots,
    const std::vector<index_t>& place, index_t size) {
  const auto k = static_cast<index_t>(roots.size());
  const index_t grain = roots_for_a_thread(k);
  numbers row(k);
  parallel_for(k, grain, [&](index_t first, index_t last) {
    equation.consistent_row(roots, first, row.segment(first, last - first));
  });
  merged_vectors of{matrix(k, k), matrix(k - 1, k), Eigen::Matrix<R, 1, Eigen::Dynamic>::Zero(size)};
  parallel_for(k, grain, [&](index_t i, index_t last) {
    numbers right(k);
    numbers left(k);
    for (; i < last; ++i) {
      equation.distances(roots[static_cast<std::size_t>(i)], 0, right);
      right = row / right;
      left = equation.d() * right;
      left[0] = -1;
      right /= right.matrix().norm();
      left /= left.matrix().norm();
      of.middle_row[i] = static_cast<R>(left[0]);
      for (index_t j = 0; j < k; ++j) {
        const index_t to = place[static_cast<std::size_t>(j)];
        of.right(to, i) = static_cast<R>(right[j]);
        if (j > 0) of.left(to > place[0] ? to - 1 : to, i) = static_cast<R>(left[j]);
      }
    }
  });
  return of;
}

/// Combines the decompositions of two parts and the row between them into one.
template <class R, class Value>
void bidiagonal_divide<R, Value>::merge(const part& p) {
  const divided_row reduced = reduce(p);
  const auto k = static_cast<index_t>(reduced.kept.size());
  const index_t middle = p.first + p.upper();
  const index_t end = p.first + p.size;
  const secular_equation<Value> equation = equation_of(reduced.kept);
  std::vector<secular_root<Value>> roots(reduced.kept.size());
  parallel_for(k, roots_for_a_thread(k), [&](index_t i, index_t last) {
    numbers poles(k);
    numbers quotients(k);
    constexpr Value eps = sizeof(R) == 4 ? 1e-12 : std::numeric_limits<Value>::epsilon();
    for (; i < last; ++i) roots[static_cast<std::size_t>(i)] = equation.root(i, poles, quotients, eps);
  });
  grouped_columns of_v;
  grouped_columns of_u;
  const std::vector<index_t> place = group(reduced.kept, of_v, of_u);
  const merged_vectors merged = vectors_of(equation, roots, place, p.size);
  recombine_vectors(v_, p.first, middle - p.first + 1, middle + 1, p.first + p.columns() - middle - 1, of_v,
                    reduced.settled, merged.right);
  recombine_vectors(u_, p.first, middle - p.first, middle + 1, end - middle - 1, of_u, reduced.settled,
                    merged.left);
  u_.block(middle, p.first, 1, p.size) = merged.middle_row;
  for (index_t i = 0; i < k; ++i) values_[p.first + i] = equation.value(roots[static_cast<std::size_t>(i)]);
  for (std::size_t i = 0; i < reduced.settled.size(); ++i) {
    values_[p.first + k + static_cast<index_t>(i)] = reduced.settled_values[i];
  }
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
