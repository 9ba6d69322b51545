// SPDX-License-Identifier: MIT
// test: asan, lapack, timeout=600
// eig and eigvals: matrices that are hard on the iteration, of sizes at which it takes another way, and
// matrices whose eigenvalues are known.
#include <algorithm>

#include "linalg_cases.hpp"

using namespace linalg_cases;
using gnp::complex128;
using gnp::complex64;
namespace linalg = gnp::linalg;

namespace {

/// A matrix of entries f(i, j).
matrix of(index_t n, const std::function<double(index_t, index_t)>& f) {
  matrix a(n, n);
  for (index_t i = 0; i < n; ++i) {
    for (index_t j = 0; j < n; ++j) a(i, j) = f(i, j);
  }
  return a;
}

std::vector<named_matrix> matrices_hard_on_qr(index_t n, bool c) {
  std::vector<named_matrix> list = hard_matrices(n, n, c);
  const auto add = [&](const char* name, const std::function<double(index_t, index_t)>& f) {
    list.push_back({name, of(n, f)});
  };
  // The iteration leaves a permutation as it is, but for shifts that it does not have.
  add("cyclic", [n](index_t i, index_t j) { return i == (j + 1) % n ? 1.0 : 0.0; });
  add("one Jordan block", [](index_t i, index_t j) { return j == i + 1 ? 1.0 : 0.0; });
  add("one Jordan block below", [](index_t i, index_t j) { return i == j + 1 ? 1.0 : 0.0; });
  add("Jordan blocks of pairs", [](index_t i, index_t j) {
    if (i / 2 == j / 2) return i == j ? 2.0 : j > i ? 3.0 : -3.0;
    return j == i + 2 ? 1.0 : 0.0;
  });
  add("Grcar", [](index_t i, index_t j) { return j == i - 1 ? -1.0 : j >= i && j <= i + 3 ? 1.0 : 0.0; });
  add("companion", [](index_t i, index_t j) { return i == 0 || i == j + 1 ? 1.0 : 0.0; });
  add("two halves with the same eigenvalues", [n](index_t i, index_t j) {
    const index_t half = (n + 1) / 2;
    if (i / half != j / half) return 0.0;
    return std::cos(static_cast<double>(i % half * 7 + j % half * j));
  });
  const matrix plain = random(n, n, c, 21);
  const auto changed = [&](const char* name, const std::function<number(index_t, index_t)>& f) {
    list.push_back({name, matrix(n, n)});
    for (index_t i = 0; i < n; ++i) {
      for (index_t j = 0; j < n; ++j) list.back().values(i, j) = f(i, j);
    }
  };
  const auto grade = [n](index_t i) {
    return std::pow(10.0, -10.0 * static_cast<double>(i) / static_cast<double>(n));
  };
  changed("upper triangle", [&](index_t i, index_t j) { return i <= j ? plain(i, j) : number(0); });
  changed("lower triangle", [&](index_t i, index_t j) { return i >= j ? plain(i, j) : number(0); });
  changed("Hessenberg", [&](index_t i, index_t j) { return i <= j + 1 ? plain(i, j) : number(0); });
  changed("skew", [&](index_t i, index_t j) { return plain(i, j) - std::conj(plain(j, i)); });
  changed("Hermitian", [&](index_t i, index_t j) { return plain(i, j) + std::conj(plain(j, i)); });
  changed("graded rows", [&](index_t i, index_t j) { return plain(i, j) * grade(i); });
  changed("graded columns", [&](index_t i, index_t j) { return plain(i, j) * grade(j); });
  changed("integers", [&](index_t i, index_t j) { return number(std::floor(3 * plain(i, j).real())); });
  list.push_back({"orthogonal", orthonormal(n, n, c, 9)});
  return list;
}

template <class T>
void check_eigenpairs(index_t n) {
  for_each_device([n](gnp::device) {
    index_t turn = n;
    for (const named_matrix& hard : matrices_hard_on_qr(n, is_complex<T>)) {
      if (sanitized && n > 50 && ++turn % 8 != 0) continue;
      INFO(hard.name << ", n = " << n);
      const gnp::array<T> a = on_device<T>(hard.values);
      const matrix exact = on_host(a);
      const double length = norm(exact);
      const auto [values, vectors] = linalg::eig(a);
      const matrix lambda = on_host(values);
      matrix v = on_host(vectors);
      const matrix image = exact * v;
      double from_one = 0;
      for (index_t j = 0; j < n; ++j) {
        double square = 0;
        for (index_t i = 0; i < n; ++i) {
          square += std::norm(v(i, j));
          v(i, j) *= lambda(0, j);
        }
        from_one = std::fmax(from_one, std::abs(std::sqrt(square) - 1));
      }
      CHECK(norm(image - v) <= bar<T>(n) * length);
      CHECK(from_one <= bar<T>(n));
      // They are all there: the sums of their powers are traces.
      const double unit = length > 0 ? length : 1;
      using long_number = std::complex<long double>;
      long_number sum = 0;
      long_number squares = 0;
      long_number trace = 0;
      long_number trace_of_square = 0;
      const auto scaled = [unit](const number& x) { return long_number(x / unit); };
      for (index_t i = 0; i < n; ++i) {
        sum += scaled(lambda(0, i));
        squares += scaled(lambda(0, i)) * scaled(lambda(0, i));
        trace += scaled(exact(i, i));
        for (index_t j = 0; j < n; ++j) trace_of_square += scaled(exact(i, j)) * scaled(exact(j, i));
      }
      CHECK(std::abs(sum - trace) <= bar<T>(n));
      CHECK(std::abs(squares - trace_of_square) <= bar<T>(n));
    }
  });
}

/// The same numbers, one by one within the tolerance.
bool same_set(std::vector<number> x, const std::vector<number>& y, double tolerance) {
  for (const number& wanted : y) {
    const auto nearest = std::min_element(x.begin(), x.end(), [&](const number& a, const number& b) {
      return std::abs(a - wanted) < std::abs(b - wanted);
    });
    if (nearest == x.end() || !(std::abs(*nearest - wanted) <= tolerance)) return false;
    x.erase(nearest);
  }
  return x.empty();
}

/// A normal matrix, whose eigenvalues are as good as its entries: singles, and pairs of conjugate ones.
struct with_known_eigenvalues {
  matrix values;
  std::vector<number> eigenvalues;
};
with_known_eigenvalues normal_matrix(index_t n, bool c) {
  generator g{88172645463325252U};
  matrix d(n, n);
  with_known_eigenvalues result{matrix(n, n), {}};
  for (index_t i = 0; i < n; ++i) {
    const double re = g.normal();
    const double im = g.normal();
    d(i, i) = re;
    if (i % 3 == 0 || i + 1 == n) {
      if (c) d(i, i) = number(re, im);
      result.eigenvalues.push_back(d(i, i));
      continue;
    }
    d(i, i + 1) = im;
    d(i + 1, i) = -im;
    d(i + 1, i + 1) = re;
    result.eigenvalues.insert(result.eigenvalues.end(), {number(re, im), number(re, -im)});
    ++i;
  }
  const matrix q = orthonormal(n, n, c, 4);
  result.values = q * d * adjoint(q);
  return result;
}

template <class T>
std::vector<number> numbers(const gnp::array<T>& a) {
  return on_host(a).values;
}

template <class T>
void check_known_eigenvalues() {
  for_each_device([](gnp::device) {
    for (const index_t n : {index_t{2}, index_t{5}, index_t{50}, index_t{90}, index_t{170}, index_t{330}}) {
      if (sanitized && n > 170) continue;  // the same ways as with 170
      INFO("n = " << n);
      const with_known_eigenvalues known = normal_matrix(n, is_complex<T>);
      const gnp::array<T> a = on_device<T>(known.values);
      const double tolerance = bar<T>(n) * norm(known.values) / 4;
      CHECK(same_set(numbers(linalg::eigvals(a)), known.eigenvalues, tolerance));
      CHECK(same_set(numbers(linalg::eig(a).eigenvalues), known.eigenvalues, tolerance));
      if (n > 100) continue;
      const gnp::array<T> stack = gnp::expand_dims(a, 0) * gnp::asarray<T>({1, 2}).reshape({2, 1, 1});
      const auto of_stack = linalg::eig(gnp::matrix_transpose(stack)).eigenvalues;
      CHECK(of_stack.shape() == gnp::shape_t{2, n});
      std::vector<number> twice = known.eigenvalues;
      for (number& x : twice) x *= 2;
      CHECK(same_set(numbers(of_stack(0).copy()), known.eigenvalues, tolerance));
      CHECK(same_set(numbers(of_stack(1).copy()), twice, 2 * tolerance));
    }
  });
}

}  // namespace

TEST_CASE("eig of matrices that are hard on it") {
  // Solved as a whole, in windows with few shifts, with many.
  for (const index_t n : {index_t{10}, index_t{75}, index_t{76}, index_t{160}}) check_eigenpairs<double>(n);
  for (const index_t n : {index_t{33}, index_t{110}}) check_eigenpairs<float>(n);
  for (const index_t n : {index_t{9}, index_t{120}}) check_eigenpairs<complex64>(n);
  for (const index_t n : {index_t{64}, index_t{90}}) check_eigenpairs<complex128>(n);
}

TEST_CASE("known eigenvalues of double") { check_known_eigenvalues<double>(); }
TEST_CASE("known eigenvalues of float") { check_known_eigenvalues<float>(); }
TEST_CASE("known eigenvalues of complex64") { check_known_eigenvalues<complex64>(); }
TEST_CASE("known eigenvalues of complex128") { check_known_eigenvalues<complex128>(); }

TEST_CASE("eigenvalues of badly scaled matrices have their digits") {
  for_each_device([](gnp::device) {
    const index_t n = 60;
    with_known_eigenvalues known = normal_matrix(n, false);
    const double tolerance = 10 * bar<double>(n) * norm(known.values);
    for (index_t i = 0; i < n; ++i) {
      for (index_t j = 0; j < n; ++j) {
        known.values(i, j) *= std::ldexp(1.0, static_cast<int>(i * 37 % 41 - j * 37 % 41));
      }
    }
    CHECK(norm(known.values) > 1e10);
    CHECK(same_set(numbers(linalg::eigvals(on_device<double>(known.values))), known.eigenvalues, tolerance));
  });
}

TEST_CASE("eig gives the same bits twice") {
  for_each_device([](gnp::device where) {
    const index_t n = where.is_cpu() && !sanitized ? 200 : 90;
    const auto a = on_device<double>(random(n, n, false, 3));
    const auto first = linalg::eig(a);
    const auto second = linalg::eig(a);
    CHECK(gnp::array_equal(first.eigenvalues, second.eigenvalues));
    CHECK(gnp::array_equal(first.eigenvectors, second.eigenvectors));
  });
}
