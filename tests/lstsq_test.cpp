// SPDX-License-Identifier: MIT
// test: no-asan, lapack
// lstsq on matrices U S Vᴴ made in long double of factors that are known: full rank and deficient, well and ill
// conditioned, of any scale and shape. The answer is known then: V S⁻¹ Uᴴ b.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::index_t;
namespace linalg = gnp::linalg;
using more = long double;
using more_values = std::vector<more>;

template <class T>
inline constexpr bool is_complex_v = gnp::is_complex(gnp::dtype_of<T>);
template <class T>
using real_of = decltype(std::abs(T()));

/// A matrix of numbers with more digits. If it is real, its imaginary parts are zero. (Eigen's matrices of two
/// such types take ten seconds to compile.)
class more_matrix {
 public:
  using number = std::complex<more>;
  more_matrix(index_t rows, index_t columns)
      : rows_(rows), columns_(columns), numbers_(static_cast<std::size_t>(rows * columns)) {}
  index_t rows() const { return rows_; }
  index_t columns() const { return columns_; }
  number& operator()(index_t i, index_t j) { return numbers_[static_cast<std::size_t>(i * columns_ + j)]; }
  const number& operator()(index_t i, index_t j) const {
    return numbers_[static_cast<std::size_t>(i * columns_ + j)];
  }
  more squares_of_column(index_t j) const {
    more sum = 0;
    for (index_t i = 0; i < rows_; ++i) sum += std::norm((*this)(i, j));
    return sum;
  }
  more norm() const {
    more sum = 0;
    for (const number& x : numbers_) sum += std::norm(x);
    return std::sqrt(sum);
  }
  more_matrix adjoint() const {
    more_matrix result(columns_, rows_);
    for (index_t i = 0; i < rows_; ++i) {
      for (index_t j = 0; j < columns_; ++j) result(j, i) = std::conj((*this)(i, j));
    }
    return result;
  }
  /// Its columns times these numbers.
  more_matrix scaled(const more_values& by) const {
    more_matrix result = *this;
    for (index_t i = 0; i < rows_; ++i) {
      for (index_t j = 0; j < columns_; ++j) result(i, j) *= by[static_cast<std::size_t>(j)];
    }
    return result;
  }
  friend more_matrix operator*(const more_matrix& a, const more_matrix& b) {
    more_matrix result(a.rows_, b.columns_);
    for (index_t i = 0; i < a.rows_; ++i) {
      for (index_t k = 0; k < a.columns_; ++k) {
        for (index_t j = 0; j < b.columns_; ++j) add_product(result(i, j), a(i, k), b(k, j));
      }
    }
    return result;
  }
  friend more_matrix operator-(const more_matrix& a, const more_matrix& b) {
    more_matrix result = a;
    for (std::size_t i = 0; i < result.numbers_.size(); ++i) result.numbers_[i] -= b.numbers_[i];
    return result;
  }

  /// sum += a b. (The operators look for infinities first.)
  static void add_product(number& sum, const number& a, const number& b) {
    sum = {sum.real() + a.real() * b.real() - a.imag() * b.imag(),
           sum.imag() + a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  index_t rows_, columns_;
  std::vector<number> numbers_;
};

struct noise {
  std::uint64_t state = 88172645463325252U;
  more operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<more>(state >> 11) / 4503599627370496.0L - 1;
  }
};

more_matrix random_matrix(noise& g, index_t m, index_t n, bool complex) {
  more_matrix a(m, n);
  for (index_t i = 0; i < m; ++i) {
    for (index_t j = 0; j < n; ++j) {
      const more real = g();
      a(i, j) = {real, complex ? g() : more(0)};
    }
  }
  return a;
}

/// Random columns made orthonormal by the process of Gram and Schmidt, twice for each column.
more_matrix orthonormal(noise& g, index_t m, index_t n, bool complex) {
  more_matrix q = random_matrix(g, m, n, complex);
  for (index_t j = 0; j < n; ++j) {
    for (index_t k = 0; k < 2 * j; ++k) {
      more_matrix::number along;
      for (index_t i = 0; i < m; ++i) more_matrix::add_product(along, std::conj(q(i, k % j)), q(i, j));
      for (index_t i = 0; i < m; ++i) more_matrix::add_product(q(i, j), -along, q(i, k % j));
    }
    const more length = std::sqrt(q.squares_of_column(j));
    for (index_t i = 0; i < m; ++i) q(i, j) /= length;
  }
  return q;
}

template <class T>
gnp::array<T> to_gnp(const more_matrix& a) {
  gnp::host_array<T> host({a.rows(), a.columns()});
  for (index_t i = 0; i < a.rows(); ++i) {
    for (index_t j = 0; j < a.columns(); ++j) {
      if constexpr (is_complex_v<T>) {
        host(i, j) = static_cast<T>(a(i, j));
      } else {
        host(i, j) = static_cast<T>(a(i, j).real());
      }
    }
  }
  return gnp::asarray(host);
}
template <class T>
more_matrix from_gnp(const gnp::array<T>& x) {
  const auto host = gnp::asnumpy(x);
  more_matrix a(host.shape()[0], host.shape()[1]);
  for (index_t i = 0; i < a.rows(); ++i) {
    for (index_t j = 0; j < a.columns(); ++j) a(i, j) = more_matrix::number(host(i, j));
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
  const bool complex = is_complex_v<T>;
  const more_matrix u = orthonormal(g, k.m, least, complex);
  const more_matrix v = orthonormal(g, k.n, least, complex);
  more_values s(static_cast<std::size_t>(least));
  more_values inverse(s.size());
  for (index_t i = 0; i < k.rank; ++i) {
    const more t = k.rank > 1 ? static_cast<more>(i) / static_cast<more>(k.rank - 1) : 0;
    const auto at = static_cast<std::size_t>(i);
    s[at] = k.scale * std::pow(k.condition, -t);
    inverse[at] = 1 / s[at];
  }
  const gnp::array<T> a = to_gnp<T>(u.scaled(s) * v.adjoint());
  const more_matrix rounded = from_gnp(a);
  more_matrix right = random_matrix(g, k.m, k.right, complex);
  if (k.consistent) right = rounded * random_matrix(g, k.n, k.right, complex);
  const gnp::array<T> b = to_gnp<T>(right);
  const more_matrix given = from_gnp(b);

  // A deficient matrix has full rank once its entries are rounded to float.
  const auto [x, residuals, rank, values] =
      k.rank < least && single<T> ? linalg::lstsq(a, b, {.rcond = 1e-5}) : linalg::lstsq(a, b);
  CHECK(rank == k.rank);
  CHECK(x.shape() == gnp::shape_t{k.n, k.right});
  const more_matrix got = from_gnp(x);
  const more_matrix missing = given - rounded * got;
  // Nothing of the residual is in a's range: what a QR factorisation reaches. The entries of A count as
  // rounded.
  const more size = k.scale * got.norm();
  CHECK((rounded.adjoint() * missing).norm() <=
        20 * eps * std::sqrt(more(k.n)) * k.scale * (missing.norm() + size));
  // And the shortest of all that do it, as near as the condition allows.
  const more_matrix want = v.scaled(inverse) * (u.adjoint() * given);
  const more away = missing.norm() / (size > 0 ? size : 1);
  CHECK((got - want).norm() <=
        50 * eps * std::sqrt(more(k.n)) * k.condition * (1 + k.condition * away) * want.norm());

  const gnp::array<real_number> found = values;
  REQUIRE(found.shape() == gnp::shape_t{least});
  const auto host = gnp::asnumpy(found);
  for (index_t i = 0; i < least; ++i) {
    CHECK(std::fabs(more(host(i)) - s[static_cast<std::size_t>(i)]) <=
          10 * eps * std::sqrt(more(k.n)) * k.scale);
  }
  if (k.rank == k.n && k.m > k.n) {
    REQUIRE(residuals.shape() == gnp::shape_t{k.right});
    for (index_t j = 0; j < k.right; ++j) {
      const more length = missing.squares_of_column(j);
      // b - A x is rounded where its terms are, which are as long as `size`.
      const more rounding = 10 * eps * std::sqrt(more(k.m)) * (size + std::sqrt(given.squares_of_column(j)));
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
