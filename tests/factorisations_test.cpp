// SPDX-License-Identifier: MIT
// test: no-asan, lapack, timeout=600
// cholesky, qr, eigh, eig, solve, inv, det and slogdet: properties on hard matrices, NumPy's numbers, bad
// input.
#include "linalg_cases.hpp"

using namespace linalg_cases;
using gnp::complex64;
namespace linalg = gnp::linalg;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
matrix positive_definite(index_t n) {
  const matrix a = random(n, n, is_complex<T>, 8);
  matrix p = a * adjoint(a);
  for (index_t i = 0; i < n; ++i) p(i, i) += 1;
  return p;
}

template <class T>
void check_factorisations() {
  for_each_device([](gnp::device) {
    for (const index_t n : {index_t{1}, index_t{2}, index_t{7}, index_t{33}, index_t{150}}) {
      INFO("n = " << n);
      const matrix p = on_host(on_device<T>(positive_definite<T>(n)));
      const gnp::array<T> a = on_device<T>(p);
      const double length = norm(p);

      const matrix l = on_host(linalg::cholesky(a));
      CHECK(norm(l * adjoint(l) - p) <= bar<T>(n) * length);
      const matrix u = on_host(linalg::cholesky(a, {.upper = true}));
      CHECK(norm(adjoint(u) * u - p) <= bar<T>(n) * length);
      for (index_t i = 0; i < n; ++i) {
        for (index_t j = i + 1; j < n; ++j) {
          if (l(i, j) != number(0) || u(j, i) != number(0)) FAIL("not a triangle");
        }
      }

      const matrix b = random(n, 3, is_complex<T>, 2);
      const matrix x = on_host(linalg::solve(a, on_device<T>(b)));
      CHECK(norm(p * x - b) <= bar<T>(n) * (length * norm(x) + norm(b)));
      const matrix inverse = on_host(linalg::inv(a));
      CHECK(norm(p * inverse - identity(n)) <= bar<T>(n) * length * norm(inverse));

      const auto [w, v] = linalg::eigh(a);
      matrix vectors = on_host(v);
      const matrix values = on_host(w);
      CHECK(orthogonality(vectors) <= 2 * bar<T>(n));  // Eigen's rotations let complex64 drift
      const matrix image = p * vectors;
      bool ascending = true;
      for (index_t j = 0; j < n; ++j) {
        ascending = ascending && (j == 0 || values(0, j - 1).real() <= values(0, j).real());
        for (index_t i = 0; i < n; ++i) vectors(i, j) *= values(0, j);
      }
      CHECK(ascending);
      CHECK(norm(image - vectors) <= bar<T>(n) * length);
      CHECK(norm(on_host(linalg::eigvalsh(a, {.UPLO = 'U'})) - values) <= bar<T>(n) * length);

      const matrix general = on_host(on_device<T>(random(n, n, is_complex<T>, 12)));
      const auto [lambda, right] = linalg::eig(on_device<T>(general));
      matrix turned = on_host(right);
      const matrix wanted = general * turned;
      const matrix eigenvalues = on_host(lambda);
      for (index_t j = 0; j < n; ++j) {
        for (index_t i = 0; i < n; ++i) turned(i, j) *= eigenvalues(0, j);
      }
      CHECK(norm(wanted - turned) <= bar<T>(n) * norm(general));
    }
  });
}

template <class T>
void check_qr() {
  for_each_device([](gnp::device) {
    for (const auto& [m, n] :
         {std::pair<index_t, index_t>{1, 1}, {5, 3}, {3, 5}, {40, 40}, {200, 30}, {260, 250}}) {
      for (const named_matrix& hard : hard_matrices(m, n, is_complex<T>)) {
        INFO(hard.name << ", " << m << " x " << n);
        const gnp::array<T> a = on_device<T>(hard.values);
        const matrix exact = on_host(a);
        const index_t k = m < n ? m : n;
        const auto [q, r] = linalg::qr(a);
        CHECK(q.shape() == gnp::shape_t{m, k});
        CHECK(r.shape() == gnp::shape_t{k, n});
        CHECK(norm(on_host(q) * on_host(r) - exact) <= bar<T>(k) * norm(exact));
        CHECK(orthogonality(on_host(q)) <= bar<T>(k));
        if (m > 100) continue;
        const auto complete = linalg::qr(a, {.mode = "complete"});
        CHECK(complete.q.shape() == gnp::shape_t{m, m});
        CHECK(norm(on_host(complete.q) * on_host(complete.r) - exact) <= bar<T>(m) * norm(exact));
        CHECK(orthogonality(on_host(complete.q)) <= bar<T>(m));
        CHECK(norm(on_host(linalg::qr(a, {.mode = "r"}).r) - on_host(r)) <= bar<T>(k) * norm(exact));
      }
    }
  });
}

}  // namespace

TEST_CASE("factorisations of double") { check_factorisations<double>(); }
TEST_CASE("factorisations of complex64") { check_factorisations<complex64>(); }
TEST_CASE("qr of float") { check_qr<float>(); }

TEST_CASE("NumPy's numbers") {
  for_each_device([](gnp::device) {
    const auto a = gnp::asarray<double>({{4, -2, 1}, {-2, 5, 3}, {1, 3, 6}});
    CHECK(linalg::det(a).item() == Approx(43.0));
    const auto [sign, logabsdet] = linalg::slogdet(a);
    CHECK(sign.item() == 1.0);
    CHECK(logabsdet.item() == Approx(3.7612001156935624));
    const auto r = linalg::qr(a).r;  // the signs are LAPACK's
    CHECK(r.item(0, 0) == Approx(-4.58257569495584));
    CHECK(r.item(2, 2) == Approx(1.79635077));
    CHECK(linalg::det(gnp::asarray<int>({{1, 2}, {3, 4}})).item() == Approx(-2.0));
    CHECK(linalg::det(gnp::zeros<double>({3, 3})).item() == 0.0);
    CHECK(linalg::det(gnp::zeros<double>({0, 0})).item() == 1.0);
    CHECK(linalg::det(gnp::eye<double>(400) * 1e-3).item() == 0.0);
    CHECK(linalg::slogdet(gnp::eye<double>(400) * 1e-3).logabsdet.item() == Approx(400 * std::log(1e-3)));
    const auto rotation = linalg::eigvals(gnp::asarray<double>({{0, 1}, {-1, 0}}));
    CHECK(std::abs(rotation.item(0).imag()) == Approx(1.0));
    // One vector for a stack of matrices; stacks that stretch.
    const auto stack = gnp::ones<double>({4, 1, 3, 3}) + gnp::eye<double>(3);
    CHECK(linalg::solve(stack, gnp::asarray<double>({1, 2, 3})).shape() == gnp::shape_t{4, 1, 3});
    CHECK(linalg::solve(stack, gnp::ones<double>({5, 3, 2})).shape() == gnp::shape_t{4, 5, 3, 2});
  });
}

TEST_CASE("least squares, pinv, rank and condition") {
  for_each_device([](gnp::device) {
    const auto a = gnp::asarray<double>({{1, 1}, {1, 2}, {1, 3}, {1, 4}});
    const auto fit = linalg::lstsq(a, gnp::asarray<double>({6, 5, 7, 10}));
    CHECK(fit.x.item(0) == Approx(3.5));
    CHECK(fit.x.item(1) == Approx(1.4));
    CHECK(fit.residuals.item() == Approx(4.2));
    CHECK(fit.rank == 2);
    const auto deficient = linalg::lstsq(gnp::ones<double>({3, 2}), gnp::asarray<double>({1, 2, 3}));
    CHECK(deficient.rank == 1);
    CHECK(deficient.residuals.size() == 0);
    CHECK(deficient.x.item(0) == Approx(1.0));
    CHECK(deficient.x.item(1) == Approx(1.0));
    const auto inverse = linalg::pinv(a);
    CHECK(inverse.shape() == gnp::shape_t{2, 4});
    CHECK(inverse.item(0, 0) == Approx(1.0));
    CHECK(inverse.item(1, 3) == Approx(0.3));
    CHECK(linalg::matrix_rank(gnp::eye<double>(4)).item() == 4);
    CHECK(linalg::matrix_rank(gnp::zeros<double>({3, 4})).item() == 0);
    CHECK(linalg::matrix_rank(gnp::ones<double>({2, 3, 3})).item(1) == 1);
    CHECK(linalg::matrix_rank(gnp::zeros<double>({0, 3})).item() == 0);
    CHECK(gnp::array_equal(linalg::matrix_rank(gnp::zeros<double>({2, 3, 0}), 1), {0, 0}));
    CHECK(linalg::cond(gnp::asarray<double>({{2, 0}, {0, 8}})).item() == Approx(4.0));
    CHECK(linalg::cond(gnp::asarray<double>({{1, 2}, {3, 4}}), 1).item() == Approx(21.0));
    CHECK(std::isinf(linalg::cond(gnp::zeros<double>({2, 2})).item()));
    CHECK(std::isinf(linalg::cond(gnp::ones<double>({2, 2}), "fro").item()));
    CHECK(linalg::cond(gnp::eye(2), {.p = std::string("fro")}).item() == Approx(2.0));
    CHECK(std::isnan(linalg::cond(gnp::full<double>({2, 2}, gnp::nan), 1).item()));
    CHECK(std::isnan(linalg::cond(gnp::asarray<double>({{gnp::nan, 1}, {1, 2}}), "fro").item()));
    for (const linalg::norm_order& p : {linalg::norm_order(gnp::none), linalg::norm_order(1)})
      CHECK(linalg::cond(gnp::zeros<double>({0, 2, 2}), p).shape() == gnp::shape_t{0});
    CHECK_THROWS_AS(linalg::cond(gnp::zeros<double>({2, 0, 0})), gnp::linalg_error);
    const auto hermitian = linalg::svd(gnp::asarray<double>({{1, 2}, {2, -3}}), {.hermitian = true});
    CHECK(hermitian.s.item(0) == Approx(3.82842712474619));
  });
}

// The squares of small entries vanish beside those of the first column. (NumPy's numbers.)
TEST_CASE("columns far below the largest keep their digits") {
  for_each_device([](gnp::device where) {
    const auto check = [](const auto& a, double wanted, double relative) {
      const auto [q, r] = linalg::qr(a);
      CHECK(std::abs(std::abs(r.item(1, 1)) / wanted - 1) < relative);
      CHECK(gnp::allclose(gnp::matmul(q, r) / wanted, a / wanted, {.rtol = relative, .atol = 0}));
    };
    check(gnp::asarray<float>({{1, 0}, {0, 1e-20F}, {0, 1e-20F}}), 1.4142135e-20, 1e-6);
    check(gnp::asarray<double>({{1, 0}, {0, 1e-160}, {0, 1e-160}}), 1.4142135623730951e-160, 1e-14);
    const auto a = gnp::asarray<complex64>({{complex64(1), complex64()}, {complex64(), complex64(0, 1e-20F)}});
    CHECK(std::abs(linalg::qr(a).r.item(1, 1)) == Approx(1e-20).epsilon(1e-6).margin(0));
    if (where.is_cpu()) {  // A GPU's singular values are right to the largest one's digits.
      const auto values = linalg::svdvals(gnp::asarray<float>({{1, 0}, {0, 1e-20F}, {0, 1e-20F}}));
      CHECK(values.item(1) / 1.4142135e-20 == Approx(1.0).epsilon(1e-5));
    }
    CHECK(linalg::qr(gnp::zeros<double>({3, 2})).r.item(0, 0) == 0.0);
  });
}

// cuSOLVER's LU may leave no trace of a NaN in its factors.
TEST_CASE("a NaN anywhere makes a determinant NaN") {
  for_each_device([](gnp::device) {
    const auto check = [](auto zero) {
      using T = decltype(zero);
      for (const index_t n : {index_t{5}, index_t{50}, index_t{200}}) {
        for (const index_t at : {index_t{0}, n / 2, n - 1}) {
          gnp::array<T> a = gnp::eye<T>(n) * T(2);
          a(at, n - 1 - at) = std::numeric_limits<T>::quiet_NaN();
          INFO("n = " << n << ", row " << at);
          CHECK(std::isnan(linalg::det(a).item()));
          CHECK(std::isnan(linalg::slogdet(a).logabsdet.item()));
          const auto d = gnp::asnumpy(linalg::det(gnp::stack({a, gnp::eye<T>(n)})));
          CHECK((std::isnan(d(0)) && d(1) == T(1)));
        }
      }
    };
    check(float());
    check(double());
  });
}

TEST_CASE("what cannot be factorised is an exception that says so") {
  for_each_device([](gnp::device) {
    gnp::array<double> bad = gnp::eye<double>(4);
    bad(2, 1) = not_a_number;
    gnp::array<double> stack = gnp::zeros<double>({3, 4, 4});
    stack(0) = gnp::eye<double>(4);
    stack(1) = gnp::eye<double>(4);
    const auto right = gnp::ones<double>({4});
    CHECK_THROWS_WITH(linalg::cholesky(bad), contains("cholesky: array must not contain infs or NaNs"));
    CHECK_THROWS_WITH(linalg::eigh(bad), contains("eigh: array must not contain infs or NaNs"));
    CHECK_THROWS_WITH(linalg::eig(bad), contains("eig: array must not contain infs or NaNs"));
    CHECK_THROWS_AS(linalg::inv(bad), gnp::linalg_error);
    CHECK_THROWS_AS(linalg::solve(bad, right), gnp::linalg_error);
    CHECK_THROWS_WITH(linalg::inv(stack), contains("inv: the matrix is singular (matrix (2,) of a stack"));
    CHECK_THROWS_WITH(linalg::solve(stack, right), contains("solve: the matrix is singular"));
    CHECK_THROWS_WITH(linalg::cholesky(stack),
                      contains("cholesky: the matrix is not positive definite (matrix (2,)"));
    CHECK_THROWS_WITH(linalg::inv(gnp::zeros<double>({2, 3})), contains("square, got shape (2, 3)"));
    CHECK_THROWS_WITH(linalg::solve(stack, gnp::ones<double>({5})), contains("(3, 4, 4) and (5,)"));
    CHECK_THROWS_AS(linalg::det(right), gnp::shape_error);
    CHECK_THROWS_AS(linalg::cond(gnp::zeros<double>({0, 0})), gnp::linalg_error);
    CHECK_THROWS_AS(linalg::lstsq(stack, right), gnp::shape_error);
    CHECK_THROWS_AS(linalg::qr(bad, {.mode = "raw"}), gnp::error);
    CHECK_THROWS_AS(linalg::eigh(bad, {.UPLO = 'X'}), gnp::error);
    CHECK_THROWS_WITH(linalg::eigh(bad, "upper"), "eigh: UPLO must be 'L' or 'U', got 'upper'");
    const gnp::array<double> two = gnp::ones<double>({2}), three = gnp::eye<double>(3);
    CHECK_THROWS_WITH(linalg::solve(three, two),
                      "solve: shapes (3, 3) and (2,) do not fit: 3 (axis 0) is not 2 (axis 0)");
    CHECK_THROWS_WITH(linalg::lstsq(three, two),
                      "lstsq: shapes (3, 3) and (2,) do not fit: 3 (axis 0) is not 2 (axis 0)");
    CHECK_THROWS_WITH(linalg::norm(two, "fro"), "norm: ord \"fro\" is for matrices, got shape (2,)");
    CHECK_THROWS_WITH(gnp::trace(two), "trace: needs at least 2 dimensions, got shape (2,)");
  });
}

TEST_CASE("The first option goes by position") {
  for_each_device([](gnp::device) {
    const gnp::array<double> d = gnp::diag(gnp::asarray({1.0, 1e-3, 1e-5}));
    CHECK(linalg::matrix_rank(d, 1e-4).item() == 2);
    CHECK(linalg::matrix_rank(d, gnp::none).item() == 3);
    CHECK(gnp::sum(linalg::pinv(d, 1e-2)).item() == Approx(1));
    CHECK(gnp::sum(linalg::pinv(d, 1e-4, {.hermitian = true})).item() == Approx(1001));
    const gnp::array<double> b = gnp::ones<double>({3});
    CHECK(linalg::lstsq(d, b, 1e-4).rank == 2);
    CHECK(linalg::lstsq(d, b, gnp::none).rank == 3);
    CHECK(linalg::lstsq(d, b, {.rcond = gnp::none}).rank == 3);
    CHECK(linalg::lstsq(d, {1, 2, 3}, 1e-2).x.item(0) == Approx(1));
    const gnp::array<double> tall = d(gnp::all, gnp::slice(2));
    CHECK(linalg::qr(tall, "complete").q.shape() == gnp::shape_t{3, 3});
    CHECK(linalg::qr(tall, "r").q.size() == 0);
    CHECK(linalg::svd(tall, false).u.shape() == gnp::shape_t{3, 2});
    const gnp::array<double> upper = gnp::asarray({{2.0, 1.0}, {0.0, 2.0}});
    CHECK(linalg::eigh(upper, "U").eigenvalues.item(0) == Approx(1));
    CHECK(linalg::eigvalsh(upper, 'L').item(0) == Approx(2));
  });
}
