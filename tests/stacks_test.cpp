// SPDX-License-Identifier: MIT
// test: no-asan, lapack
// Where eigh and inv choose a way by size: stacks of small Hermitian matrices with every kind of spectrum, and
// inverses of matrices whose rows have to be swapped.
#include "linalg_cases.hpp"

using namespace linalg_cases;
using gnp::complex128;
using gnp::complex64;
namespace linalg = gnp::linalg;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// V diag(values) Vᴴ, Hermitian to the last bit.
matrix with_eigenvalues(index_t n, bool with_imaginary, std::uint64_t seed,
                        const std::function<double(index_t)>& value) {
  const matrix v = orthonormal(n, n, with_imaginary, seed);
  matrix scaled = v;
  for (index_t i = 0; i < n; ++i) {
    for (index_t j = 0; j < n; ++j) scaled(i, j) *= value(j);
  }
  matrix a = scaled * adjoint(v);
  for (index_t i = 0; i < n; ++i) {
    a(i, i) = a(i, i).real();
    for (index_t j = 0; j < i; ++j) a(j, i) = std::conj(a(i, j));
  }
  return a;
}

std::vector<matrix> hermitian_matrices(index_t n, bool with_imaginary) {
  const auto make = [&](const std::function<double(index_t)>& value) {
    return with_eigenvalues(n, with_imaginary, static_cast<std::uint64_t>(n), value);
  };
  return {
      make([](index_t j) { return std::sin(static_cast<double>(3 * j + 1)); }),     // of either sign
      make([](index_t j) { return j % 2 == 0 ? 1.0 : -1.0; }),                      // in pairs of one magnitude
      make([](index_t j) { return -1.0 - static_cast<double>(j); }),                // all negative
      make([](index_t j) { return j == 0 ? -2.0 : 0.0; }),                          // rank one
      make([](index_t j) { return std::pow(10.0, -static_cast<double>(j) / 4); }),  // graded
      make([](index_t j) { return 1 + 1e-6 * static_cast<double>(j); }),            // a cluster
      make([](index_t j) { return 1e-20 * std::cos(static_cast<double>(j)); }),
      make([](index_t j) { return 1e18 * std::cos(static_cast<double>(j)); }),
      matrix(n, n),
      identity(n),
  };
}

template <class T>
void check_eigh_of_stacks() {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 2, 5, 16, 31, 32, 33, 48}) {
      const std::vector<matrix> kinds = hermitian_matrices(n, is_complex<T>);
      const auto count = static_cast<index_t>(kinds.size());
      gnp::array<T> lower = gnp::zeros<T>({count, n, n});
      gnp::array<T> upper = gnp::zeros<T>({2, count / 2, n, n});
      for (index_t i = 0; i < count; ++i) {
        matrix below = kinds[static_cast<std::size_t>(i)];
        matrix above = below;
        for (index_t r = 0; r < n; ++r) {
          for (index_t c = r + 1; c < n; ++c) below(r, c) = above(c, r) = 7e30;  // what must not be read
        }
        lower(i) = on_device<T>(below);
        upper(i / (count / 2), i % (count / 2)) = on_device<T>(above);
      }
      const auto [w, v] = linalg::eigh(lower);
      const auto from_upper = linalg::eigh(upper, {.UPLO = 'U'});
      const auto values_alone = linalg::eigvalsh(lower);
      CHECK(w.shape() == gnp::shape_t{count, n});
      CHECK(from_upper.eigenvectors.shape() == upper.shape());
      for (index_t i = 0; i < count; ++i) {
        INFO("matrix " << i << " of " << n << " columns");
        const matrix a = on_host(on_device<T>(kinds[static_cast<std::size_t>(i)]));
        const double allowed = bar<T>(n) * norm(a);
        const auto check = [&](const matrix& values, const matrix& vectors) {
          CHECK(orthogonality(vectors) <= bar<T>(n));
          matrix scaled = vectors;
          bool ascending = true;
          for (index_t j = 0; j < n; ++j) {
            ascending = ascending && (j == 0 || values(0, j - 1).real() <= values(0, j).real());
            for (index_t r = 0; r < n; ++r) scaled(r, j) *= values(0, j);
          }
          CHECK(ascending);
          CHECK(norm(a * vectors - scaled) <= allowed);
        };
        const matrix values = on_host(w(i));
        check(values, on_host(v(i)));
        const index_t row = i / (count / 2);
        const index_t column = i % (count / 2);
        check(on_host(from_upper.eigenvalues(row, column)), on_host(from_upper.eigenvectors(row, column)));
        CHECK(norm(on_host(values_alone(i)) - values) <= allowed);
      }
    }
  });
}

/// Rows of the identity in a random order.
matrix permutation(index_t n, std::uint64_t seed) {
  generator g{seed * 7919 + 88172645463325252U};
  std::vector<index_t> order(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  for (index_t i = n - 1; i > 0; --i) {
    const auto other = static_cast<index_t>((g.uniform() + 1) / 2 * static_cast<double>(i + 1));
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
  }
  matrix p(n, n);
  for (index_t i = 0; i < n; ++i) p(i, order[static_cast<std::size_t>(i)]) = 1;
  return p;
}

template <class T>
void check_inverses() {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 63, 64, 65, 127, 128, 129, 192, 200, 333}) {
      INFO("n = " << n);
      const matrix a = on_host(on_device<T>(random(n, n, is_complex<T>, 3)));
      const matrix x = on_host(linalg::inv(on_device<T>(a)));
      // |X A - 1| and |A X - 1|, by what either factor's last bit makes of it.
      const double allowed = bar<T>(n) * norm(a) * norm(x);
      CHECK(norm(a * x - identity(n)) <= allowed);
      CHECK(norm(x * a - identity(n)) <= allowed);

      const matrix p = permutation(n, 4);
      const gnp::array<T> order = on_device<T>(p);
      CHECK(norm(on_host(linalg::inv(order)) - adjoint(p)) == 0);
      CHECK(norm(on_host(linalg::inv(order.T())) - p) == 0);
    }
    // Too large for the batched functions: one by one, each in its own order.
    const index_t n = 270;
    gnp::array<T> stack = gnp::zeros<T>({2, n, n});
    stack(0) = on_device<T>(permutation(n, 5));
    stack(1) = on_device<T>(permutation(n, 6));
    const gnp::array<T> inverses = linalg::inv(stack);
    CHECK(norm(on_host(inverses(0)) - adjoint(permutation(n, 5))) == 0);
    CHECK(norm(on_host(inverses(1)) - adjoint(permutation(n, 6))) == 0);
    stack(1, 3) = T(0);
    CHECK_THROWS_WITH(linalg::inv(stack), contains("inv: the matrix is singular (matrix (1,) of a stack"));
  });
}

}  // namespace

TEST_CASE("eigh of stacks of float") { check_eigh_of_stacks<float>(); }
TEST_CASE("eigh of stacks of double") { check_eigh_of_stacks<double>(); }
TEST_CASE("eigh of stacks of complex64") { check_eigh_of_stacks<complex64>(); }
TEST_CASE("eigh of stacks of complex128") { check_eigh_of_stacks<complex128>(); }

TEST_CASE("inverses of float") { check_inverses<float>(); }
TEST_CASE("inverses of double") { check_inverses<double>(); }
TEST_CASE("inverses of complex64") { check_inverses<complex64>(); }
TEST_CASE("inverses of complex128") { check_inverses<complex128>(); }

TEST_CASE("a stack with a matrix that is not finite") {
  for_each_device([](gnp::device) {
    gnp::array<double> stack = gnp::zeros<double>({3, 8, 8});
    stack(2, 5, 4) = not_a_number;
    CHECK_THROWS_WITH(linalg::eigh(stack), contains("infs or NaNs (matrix (2,)"));
    stack(2, 5, 4) = 0.0;
    CHECK(gnp::max(abs(linalg::eigvalsh(stack))).item() == 0.0);
  });
}
