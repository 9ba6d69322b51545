// SPDX-License-Identifier: MIT
// test: no-asan, lapack
// lstsq on matrices U S Vᴴ made in long double of factors that are known: full rank and deficient, well and ill
// conditioned, of any scale and shape. The answer is known then: V S⁻¹ Uᴴ b.
#include <cmath>
#include <complex>
#include <cstdint>
#include <gnp/dense/eigen_solvers.hpp>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::index_t;
namespace linalg = gnp::linalg;
using more = long double;
using more_values = Eigen::Matrix<more, Eigen::Dynamic, 1>;

template <class T>
inline constexpr bool is_complex_v = gnp::is_complex(gnp::dtype_of<T>);
template <class T>
using real_of = decltype(std::abs(T()));
template <class T>
using more_of = std::conditional_t<is_complex_v<T>, std::complex<more>, more>;
template <class T>
using more_matrix = Eigen::Matrix<more_of<T>, Eigen::Dynamic, Eigen::Dynamic>;

struct noise {
  std::uint64_t state = 88172645463325252U;
  more operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<more>(state >> 11) / 4503599627370496.0L - 1;
  }
};

template <class T>
more_matrix<T> random_matrix(noise& g, index_t m, index_t n) {
  more_matrix<T> a(m, n);
  for (index_t i = 0; i < m * n; ++i) {
    if constexpr (is_complex_v<T>) {
      const more real = g();
      a(i / n, i % n) = {real, g()};
    } else {
      a(i / n, i % n) = g();
    }
  }
  return a;
}

template <class T>
more_matrix<T> orthonormal(noise& g, index_t m, index_t n) {
  const more_matrix<T> a = random_matrix<T>(g, m, n);
  return Eigen::HouseholderQR<more_matrix<T>>(a).householderQ() * more_matrix<T>::Identity(m, n);
}

template <class T>
gnp::array<T> to_gnp(const more_matrix<T>& a) {
  gnp::host_array<T> host({a.rows(), a.cols()});
  for (index_t i = 0; i < a.rows(); ++i) {
    for (index_t j = 0; j < a.cols(); ++j) host(i, j) = static_cast<T>(a(i, j));
  }
  return gnp::asarray(host);
}
template <class T>
more_matrix<T> from_gnp(const gnp::array<T>& x) {
  const auto host = gnp::asnumpy(x);
  more_matrix<T> a(host.shape()[0], host.shape()[1]);
  for (index_t i = 0; i < a.rows(); ++i) {
    for (index_t j = 0; j < a.cols(); ++j) a(i, j) = more_of<T>(host(i, j));
  }
  return a;
}

template <class T>
constexpr bool single = sizeof(real_of<T>) == 4;

struct kind {
  index_t m, n, right;
  more condition;
  index_t rank;
  more scale;
  bool consistent;
};

template <class T>
void check(const kind& k) {
  INFO(k.m << " x " << k.n << ", " << k.right << " right sides, condition " << static_cast<double>(k.condition)
           << ", rank " << k.rank << ", scale " << static_cast<double>(k.scale) << ", consistent "
           << k.consistent);
  using real_number = real_of<T>;
  const more eps = std::numeric_limits<real_number>::epsilon();
  noise g;
  const index_t least = std::min(k.m, k.n);
  const more_matrix<T> u = orthonormal<T>(g, k.m, least);
  const more_matrix<T> v = orthonormal<T>(g, k.n, least);
  more_values s = more_values::Zero(least);
  more_values inverse = more_values::Zero(least);
  for (index_t i = 0; i < k.rank; ++i) {
    const more t = k.rank > 1 ? static_cast<more>(i) / static_cast<more>(k.rank - 1) : 0;
    s[i] = k.scale * std::pow(k.condition, -t);
    inverse[i] = 1 / s[i];
  }
  const more_matrix<T> exact = u * s.asDiagonal() * v.adjoint();
  const gnp::array<T> a = to_gnp<T>(exact);
  const more_matrix<T> rounded = from_gnp(a);
  more_matrix<T> right = random_matrix<T>(g, k.m, k.right);
  if (k.consistent) right = rounded * random_matrix<T>(g, k.n, k.right);
  const gnp::array<T> b = to_gnp<T>(right);
  const more_matrix<T> given = from_gnp(b);

  // A deficient matrix has full rank once its entries are rounded to float.
  const auto [x, residuals, rank, values] =
      k.rank < least && single<T> ? linalg::lstsq(a, b, {.rcond = 1e-5}) : linalg::lstsq(a, b);
  CHECK(rank == k.rank);
  CHECK(x.shape() == gnp::shape_t{k.n, k.right});
  const more_matrix<T> got = from_gnp(x);
  const more_matrix<T> missing = given - rounded * got;
  // Nothing of the residual is in a's range: what a QR factorisation reaches. The entries of A count as
  // rounded.
  const more size = k.scale * got.norm();
  CHECK((rounded.adjoint() * missing).norm() <=
        20 * eps * std::sqrt(more(k.n)) * k.scale * (missing.norm() + size));
  // And the shortest of all that do it, as near as the condition allows.
  const more_matrix<T> want = v * inverse.asDiagonal() * u.adjoint() * given;
  const more away = missing.norm() / (size > 0 ? size : 1);
  CHECK((got - want).norm() <=
        50 * eps * std::sqrt(more(k.n)) * k.condition * (1 + k.condition * away) * want.norm());

  const gnp::array<real_number> found = values;
  REQUIRE(found.shape() == gnp::shape_t{least});
  const auto host = gnp::asnumpy(found);
  for (index_t i = 0; i < least; ++i) {
    CHECK(std::fabs(more(host(i)) - s[i]) <= 10 * eps * std::sqrt(more(k.n)) * k.scale);
  }
  if (k.rank == k.n && k.m > k.n) {
    REQUIRE(residuals.shape() == gnp::shape_t{k.right});
    for (index_t j = 0; j < k.right; ++j) {
      const more length = missing.col(j).squaredNorm();
      // b - A x is rounded where its terms are, which are as long as `size`.
      const more rounding = 10 * eps * std::sqrt(more(k.m)) * (size + given.col(j).norm());
      CHECK(std::fabs(more(residuals.item(j)) - length) <= rounding * (std::sqrt(length) + rounding));
    }
  } else {
    CHECK(residuals.size() == 0);
  }
}

template <class T>
void check_all() {
  // What is small beside 1/rcond, what is not, and what is beyond the normal equations in double.
  const std::vector<more> conditions =
      single<T> ? std::vector<more>{1, 30, 3e3L} : std::vector<more>{1, 1e3L, 3e5L, 1e8L};
  for_each_device([&](gnp::device) {
    for (const auto& [m, n] : std::vector<std::pair<index_t, index_t>>{
             {1, 1}, {7, 1}, {5, 5}, {40, 40}, {60, 17}, {200, 33}, {17, 60}, {100, 7}}) {
      const index_t least = std::min(m, n);
      for (const more condition : conditions) {
        check<T>({m, n, 1, condition, least, 1, true});
        check<T>({m, n, 3, condition, least, 1, false});
      }
      check<T>({m, n, 2, 10, least, 1e-15L, false});
      check<T>({m, n, 2, 10, least, 1e15L, false});
      if (least > 2) check<T>({m, n, 2, 10, least / 2, 1, false});
      check<T>({m, n, 1, 1, 0, 1, false});
    }
  });
}

}  // namespace

TEST_CASE("lstsq of float") { check_all<float>(); }
TEST_CASE("lstsq of double") { check_all<double>(); }
TEST_CASE("lstsq of complex64") { check_all<gnp::complex64>(); }
TEST_CASE("lstsq of complex128") { check_all<gnp::complex128>(); }

TEST_CASE("lstsq counts as zero what rcond says") {
  for_each_device([](gnp::device) {
    gnp::array<double> a = gnp::zeros<double>({40, 3});
    a(0, 0) = 1;
    a(1, 1) = 1e-3;
    a(2, 2) = 1e-5;
    const gnp::array<double> b = gnp::ones<double>({40});
    CHECK(linalg::lstsq(a, b).rank == 3);
    CHECK(linalg::lstsq(a, b, {.rcond = 1e-4}).rank == 2);
    CHECK(linalg::lstsq(a, b, {.rcond = 1e-2}).rank == 1);
    CHECK(linalg::lstsq(a, b, {.rcond = 1e-4}).x.item(2) == 0.0);
    CHECK(linalg::lstsq(a, b, {.rcond = -1}).rank == 3);
    CHECK(linalg::lstsq(a, b, {.rcond = 0}).rank == 3);
  });
}

TEST_CASE("lstsq tells the rank of float in double, as NumPy does") {
  for_each_device([](gnp::device) {
    gnp::array<float> a = gnp::zeros<float>({40, 3});
    a(0, 0) = 1;
    a(1, 1) = 1e-5F;
    a(2, 2) = 1e-9F;
    a(3, 1) = 1e-5F;
    const gnp::array<float> b = gnp::ones<float>({40});
    const auto all = linalg::lstsq(a, b);
    CHECK(all.rank == 3);
    CHECK(all.x.item(2) == Approx(1e9));
    CHECK(all.residuals.item(0) == Approx(36));
    const auto some = linalg::lstsq(a, b, {.rcond = 1e-7});
    CHECK(some.rank == 2);
    CHECK(some.x.item(2) == 0);
    CHECK(some.residuals.size() == 0);
    // The same column twice is the same in every precision.
    a(gnp::all, 2) = a(gnp::all, 1) * 3;
    CHECK(linalg::lstsq(a, b).rank == 2);
  });
}

TEST_CASE("lstsq's singular values are those of the matrix as it was") {
  for_each_device([](gnp::device) {
    gnp::array<double> a = gnp::eye<double>(40, 3) * 2;
    const auto found = linalg::lstsq(a, gnp::ones<double>({40}));
    a.fill(7);
    CHECK(gnp::asnumpy(found.s)[0] == Approx(2));
    CHECK(gnp::asnumpy(found.s)[2] == Approx(2));
  });
}

TEST_CASE("lstsq of what is not finite is an exception") {
  for_each_device([](gnp::device) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      gnp::array<double> a = gnp::eye<double>(8, 2) + 0.0;
      a(3, 1) = bad;
      CHECK_THROWS_AS(linalg::lstsq(a, gnp::ones<double>({8})), gnp::linalg_error);
    }
  });
}

TEST_CASE("lstsq's singular values are found late, and are those of the matrix as it was") {
  for_each_device([](gnp::device device) {
    const auto run = [](auto one) {
      using T = decltype(one);
      gnp::array<T> a = gnp::zeros<T>({16, 2});
      a(0, 0) = T(3);
      a(5, 1) = T(4);
      const auto fit = linalg::lstsq(a, gnp::ones<T>({16}));
      a.fill(T(7));
      const auto copy = fit.s;
      CHECK(fit.s.shape() == gnp::shape_t{2});
      CHECK(fit.s.ndim() == 1);
      CHECK(fit.s.size() == 2);
      CHECK(copy(0).item() == 4);
      CHECK(fit.s(-1).item() == 3);
      CHECK(gnp::sum(fit.s * fit.s).item() == 25);
      gnp::array<T> into = gnp::zeros<T>({2, 2});
      into(1) = fit.s;
      CHECK(into.item(1, 0) == 4);
      CHECK(copy.compute().data() == fit.s.compute().data());  // found once
    };
    run(1.0F);
    run(1.0);
    // Several threads may ask first.
    const auto fit = linalg::lstsq(gnp::eye<double>(40, 4) * 2.0, gnp::ones<double>({40}));
    std::vector<double> sums(4);
    std::vector<std::thread> threads;
    for (double& sum : sums) {
      threads.emplace_back([&] {
        const gnp::use_device guard(device);
        sum = gnp::sum(fit.s).item();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const double sum : sums) CHECK(sum == 8);
  });
}
