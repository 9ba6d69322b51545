// SPDX-License-Identifier: MIT
// The singular value decomposition of one element type, on every hard matrix, shape and layout.
#pragma once

#include <gnp/linalg/svd.hpp>

#include "linalg_cases.hpp"

namespace linalg_cases {

template <class T>
void check_svd(const gnp::array<T>& a, bool full, const std::string& name) {
  const matrix exact = on_host(a);
  const index_t m = exact.rows;
  const index_t n = exact.columns;
  const index_t k = m < n ? m : n;
  INFO(name << ", " << m << " x " << n << (full ? ", full" : ""));
  const auto [u, s, vh] = gnp::linalg::svd(a, {.full_matrices = full});
  CHECK(u.shape() == gnp::shape_t{m, full ? m : k});
  CHECK(s.shape() == gnp::shape_t{k});
  CHECK(vh.shape() == gnp::shape_t{full ? n : k, n});
  CHECK((u.is_contiguous() && s.is_contiguous() && vh.is_contiguous()));

  const matrix left = on_host(u);
  const matrix values = on_host(s);
  const matrix right = on_host(vh);
  bool descending = true;
  matrix scaled(m, k);
  matrix thin_right(k, n);
  for (index_t j = 0; j < k; ++j) {
    const double value = values(0, j).real();
    descending = descending && value >= 0 && (j == 0 || value <= values(0, j - 1).real());
    for (index_t i = 0; i < m; ++i) scaled(i, j) = left(i, j) * value;
    for (index_t i = 0; i < n; ++i) thin_right(j, i) = right(j, i);
  }
  CHECK(descending);
  const double length = norm(exact);
  CHECK(norm(scaled * thin_right - exact) <= bar<T>(k) * (length > 0 ? length : 1));
  CHECK(orthogonality(left) / bar<T>(left.columns) <= 1);
  CHECK(orthogonality(adjoint(right)) / bar<T>(right.rows) <= 1);

  // Without vectors the same values, to what may be lost of the largest.
  const matrix alone = on_host(gnp::linalg::svdvals(a));
  const double largest = k > 0 ? values(0, 0).real() : 0;
  CHECK(norm(alone - values) <= bar<T>(k) * (largest > 0 ? largest : 1));
}

template <class T>
void svd_of_hard_matrices() {
  for_each_device([](gnp::device d) {
    const bool large = d.is_cuda();
    std::vector<std::pair<index_t, index_t>> sizes = {{1, 1},   {2, 2},   {5, 3},  {3, 5},
                                                      {31, 31}, {64, 20}, {96, 96}};
    if (large)
      sizes.insert(sizes.end(),
                   {{100, 100}, {128, 128}, {150, 150}, {300, 300}, {40, 170}, {500, 60}, {700, 180}});
    for (const auto& [m, n] : sizes) {
      for (const named_matrix& hard : hard_matrices(m, n, is_complex<T>)) {
        check_svd(on_device<T>(hard.values), false, hard.name);
        if (m != n && m < 128 && n < 128) check_svd(on_device<T>(hard.values), true, hard.name);
      }
    }
  });
}

template <class T>
void svd_of_stacks_and_views() {
  for_each_device([](gnp::device) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{8, 8}, {17, 9}, {6, 20}, {150, 140}}) {
      const index_t count = m > 100 ? 2 : 6;
      gnp::array<T> stack = gnp::empty<T>({2, count / 2, m, n});
      for (index_t i = 0; i < count; ++i) {
        stack(i / (count / 2), i % (count / 2)) =
            on_device<T>(random(m, n, is_complex<T>, static_cast<std::uint64_t>(i + 1)));
      }
      const auto [u, s, vh] = gnp::linalg::svd(stack, {.full_matrices = false});
      const index_t k = m < n ? m : n;
      CHECK(u.shape() == gnp::shape_t{2, count / 2, m, k});
      CHECK(s.shape() == gnp::shape_t{2, count / 2, k});
      CHECK(vh.shape() == gnp::shape_t{2, count / 2, k, n});
      for (index_t i = 0; i < count; ++i) {
        const auto at = [&](const auto& x) { return x(i / (count / 2), i % (count / 2)).copy(); };
        const matrix exact = on_host(at(stack));
        matrix left = on_host(at(u));
        const matrix values = on_host(at(s));
        for (index_t j = 0; j < k; ++j) {
          for (index_t r = 0; r < m; ++r) left(r, j) *= values(0, j);
        }
        CHECK(norm(left * on_host(at(vh)) - exact) <= bar<T>(k) * norm(exact));
      }
    }
    // Views are read where they are, and stay as they are.
    const gnp::array<T> base = on_device<T>(random(20, 30, is_complex<T>, 9));
    const matrix before = on_host(base);
    check_svd(base.T(), true, "transposed");
    check_svd(base(gnp::slice(gnp::none, gnp::none, 2), gnp::slice(gnp::none, gnp::none, -3)), false, "sliced");
    check_svd(gnp::broadcast_to(base(0), {7, 30}), false, "broadcast");
    CHECK(norm(on_host(base) - before) == 0);
  });
}

template <class T>
void svd_of_nothing_and_of_bad_input() {
  for_each_device([](gnp::device) {
    const auto [u, s, vh] = gnp::linalg::svd(gnp::zeros<T>({0, 3}));
    CHECK(u.shape() == gnp::shape_t{0, 0});
    CHECK(s.shape() == gnp::shape_t{0});
    CHECK(norm(on_host(vh) - identity(3)) == 0);
    CHECK(gnp::linalg::svdvals(gnp::zeros<T>({5, 0, 4})).shape() == gnp::shape_t{5, 0});
    CHECK(gnp::linalg::svd(gnp::zeros<T>({0, 4, 3})).u.shape() == gnp::shape_t{0, 4, 4});
    CHECK_THROWS_AS(gnp::linalg::svd(gnp::zeros<T>({3})), gnp::shape_error);

    for (const index_t n : {index_t{5}, index_t{150}}) {
      for (const double bad :
           {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        gnp::array<T> a = on_device<T>(random(n, n, is_complex<T>, 1));
        a(n / 2, n - 1) = T(static_cast<real_of<T>>(bad));
        CHECK_THROWS_WITH(gnp::linalg::svd(a), contains("svd: array must not contain infs or NaNs"));
        CHECK_THROWS_AS(gnp::linalg::svdvals(a), gnp::linalg_error);
        gnp::array<T> stack = gnp::ones<T>({3, n, n});
        stack(1) = a;
        CHECK_THROWS_WITH(gnp::linalg::svd(stack), contains("(matrix (1,) of a stack of shape (3,))"));
      }
    }
  });
}

}  // namespace linalg_cases

#define SVD_TESTS(T)                                                                   \
  TEST_CASE("svd of hard matrices: " #T) { linalg_cases::svd_of_hard_matrices<T>(); }       \
  TEST_CASE("svd of stacks and views: " #T) { linalg_cases::svd_of_stacks_and_views<T>(); } \
  TEST_CASE("svd of nothing and of bad input: " #T) { linalg_cases::svd_of_nothing_and_of_bad_input<T>(); }
