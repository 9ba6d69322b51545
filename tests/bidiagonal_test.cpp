// SPDX-License-Identifier: MIT
// test: asan
// Divide and conquer for bidiagonal matrices that are hard on it, measured in more digits than it has; and in
// which order its values are put.
#include <cmath>
#include <cstdint>
#include <functional>
#include <gnp/core/sort_places.hpp>
#include <gnp/dense/bidiagonal_divide.hpp>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using gnp::index_t;
using numbers = std::vector<double>;

struct bidiagonal {
  numbers d;
  numbers e;
  index_t size() const { return static_cast<index_t>(d.size()); }
};

struct generator {
  std::uint64_t state = 88172645463325252U;
  double uniform() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1;
  }
};

/// Entries by position from 0 to 1 along the diagonal, and by index.
bidiagonal make(index_t n, const std::function<double(double, index_t)>& d,
                const std::function<double(double, index_t)>& e) {
  bidiagonal b;
  for (index_t i = 0; i < n; ++i) {
    const double t = n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0;
    b.d.push_back(d(t, i));
    if (i + 1 < n) b.e.push_back(e(t, i));
  }
  return b;
}

struct named {
  std::string name;
  bidiagonal matrix;
};

std::vector<named> hard_matrices(index_t n) {
  generator g;
  const auto random = [&g](double, index_t) { return g.uniform(); };
  const auto constant = [](double x) { return [x](double, index_t) { return x; }; };
  const auto graded = [](double digits) {
    return [digits](double t, index_t) { return std::pow(10, digits * t); };
  };
  const auto reversed = [](double digits) {
    return [digits](double t, index_t) { return std::pow(10, digits * (1 - t)); };
  };
  const auto every = [](index_t step, double there, double elsewhere) {
    return [=](double, index_t i) { return i % step == step - 1 ? there : elsewhere; };
  };
  const auto times = [&random](double scale) {
    return [&random, scale](double t, index_t i) { return scale * random(t, i); };
  };
  // Wilkinson's W21+ has pairs of values that agree to many digits; copies of it, weakly joined, have clusters.
  const auto wilkinson = [](double, index_t i) { return std::fabs(static_cast<double>(i % 21) - 10); };
  return {
      {"random", make(n, random, random)},
      {"ones", make(n, constant(1), constant(1))},
      {"zeros", make(n, constant(0), constant(0))},
      {"identity", make(n, constant(1), constant(0))},
      {"identity with specks", make(n, constant(1), constant(1e-9))},
      {"only above the diagonal", make(n, constant(0), constant(1))},
      {"zeros on the diagonal", make(n, every(3, 0, 1), random)},
      {"zeros above the diagonal", make(n, random, every(4, 0, 1))},
      {"zeros on both", make(n, every(5, 0, 1), every(3, 0, 1))},
      {"a zero in the middle", make(n, every(n / 2 + 1, 0, 1), constant(1))},
      {"a zero at the end", make(n, every(n, 0, 1), random)},
      {"graded down", make(n, graded(-30), graded(-30))},
      {"graded up", make(n, reversed(-30), reversed(-30))},
      {"graded to 1e-300", make(n, graded(-300), reversed(-300))},
      {"rank 1", make(n, every(n + 1, 0, 1e-20), every(n / 2 + 1, 1, 0))},
      {"glued Wilkinson", make(n, wilkinson, every(21, 1e-7, 1))},
      {"glued Wilkinson, loosely", make(n, wilkinson, every(21, 1e-14, 1))},
      {"two clusters", make(n, every(2, 1, 1e-9), constant(1e-12))},
      {"two clusters, one after the other",
       make(
           n, [](double t, index_t) { return t < 0.5 ? 1 : 1e-9; }, constant(1e-8))},
      {"equal pairs", make(
                          n, [](double, index_t i) { return static_cast<double>(i / 2); }, constant(1e-15))},
      {"differences of one digit", make(
                                       n, [](double t, index_t) { return 1 + 1e-14 * t; }, constant(1e-14))},
      {"signs", make(n, every(2, -1, 1), every(3, -0.5, 0.5))},
      {"weak middle", make(n, random, every(n / 2 + 1, 1e-16, 1))},
      {"tiny", make(n, times(1e-300), times(1e-300))},
      {"denormal", make(n, times(1e-315), times(1e-315))},
      {"huge", make(n, times(1e300), times(1e300))},
      {"Toeplitz", make(n, constant(2), constant(-1))},
      {"large above the diagonal", make(n, constant(1), constant(1e8))},
      {"small above the diagonal", make(n, constant(1e8), random)},
  };
}

/// The Frobenius norm of Qᵀ Q - 1. (The columns are copied, because an element of Eigen's takes long where
/// nothing is optimised.)
template <class More, class Q>
More orthogonality(index_t n, const Q& column) {
  std::vector<More> q;
  q.reserve(static_cast<std::size_t>(n * n));
  for (index_t i = 0; i < n; ++i) {
    const auto x = column(i);
    for (index_t r = 0; r < n; ++r) q.push_back(More(x[r]));
  }
  More sum = 0;
  for (index_t i = 0; i < n; ++i) {
    for (index_t j = 0; j <= i; ++j) {
      const More* x = q.data() + i * n;
      const More* y = q.data() + j * n;
      More parts[4] = {};
      index_t r = 0;
      for (; r + 4 <= n; r += 4) {
        for (index_t l = 0; l < 4; ++l) parts[l] += x[r + l] * y[r + l];
      }
      for (; r < n; ++r) parts[0] += x[r] * y[r];
      const More off = parts[0] + parts[1] + parts[2] + parts[3] - (i == j ? 1 : 0);
      sum += (i == j ? 1 : 2) * off * off;
    }
  }
  return std::sqrt(sum);
}

/// R's decomposition, measured in More.
template <class R, class More>
void check(const named& hard) {
  const bidiagonal& b = hard.matrix;
  const index_t n = b.size();
  INFO(hard.name << ", " << n);
  double peak = 0;
  for (const double x : b.d) peak = std::fmax(peak, std::fabs(x));
  for (const double x : b.e) peak = std::fmax(peak, std::fabs(x));
  const gnp::detail::bidiagonal_divide<R> result(b.d, b.e);
  CHECK(result.converged());
  // B V - U S, which is as long as B - U S Vᵀ where V is orthogonal; all over the largest entry of B.
  const More unit = peak > 0 ? More(peak) : More(1);
  More residual = 0;
  More length = 0;
  bool descending = true;
  for (index_t k = 0; k < n; ++k) {
    const More value = More(result.value(k)) / unit;
    descending = descending && value >= 0 && (k == 0 || result.value(k) <= result.value(k - 1));
    const auto u = result.left(k);
    const auto v = result.right(k);
    for (index_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      More off = More(b.d[at]) / unit * More(v[i]) - value * More(u[i]);
      if (i + 1 < n) off += More(b.e[at]) / unit * More(v[i + 1]);
      residual += off * off;
    }
    const auto at = static_cast<std::size_t>(k);
    length += More(b.d[at]) / unit * (More(b.d[at]) / unit);
    if (k + 1 < n) length += More(b.e[at]) / unit * (More(b.e[at]) / unit);
  }
  CHECK(descending);
  const More bar = 30 * More(std::numeric_limits<R>::epsilon()) * std::sqrt(More(n));
  const More denormal = More(std::numeric_limits<double>::denorm_min()) / unit;  // what values are rounded to
  CHECK(std::sqrt(residual) <= bar * std::sqrt(length) + std::sqrt(More(n)) * denormal);
  CHECK(orthogonality<More>(n, [&](index_t k) { return result.left(k); }) / bar <= 1);
  CHECK(orthogonality<More>(n, [&](index_t k) { return result.right(k); }) / bar <= 1);
}

template <class R, class More>
void check_all(index_t largest) {
  for (const index_t n : {index_t{1}, index_t{2}, index_t{3}, index_t{4}, index_t{5}, index_t{32}, index_t{33},
                          index_t{64}, index_t{65}, index_t{66}, index_t{67}, index_t{100}, largest}) {
    for (const named& hard : hard_matrices(n)) check<R, More>(hard);
  }
}

}  // namespace

TEST_CASE("bidiagonal matrices in float") { check_all<float, double>(sanitized ? 129 : 257); }
TEST_CASE("bidiagonal matrices in double") { check_all<double, long double>(sanitized ? 129 : 257); }

TEST_CASE("roots of a secular equation lie between their entries") {
  // Entries of the row from 1e-15 to 1, and distances as small as rounding tells apart.
  generator g;
  for (const index_t k : {1, 2, 3, 10, 100}) {
    for (const double closest : {1e-1, 1e-7, 1e-15}) {
      Eigen::ArrayXd d(k);
      Eigen::ArrayXd z(k);
      for (index_t j = 0; j < k; ++j) {
        const double step = j % 3 == 0 ? 1 / static_cast<double>(k) : closest;
        d[j] = j == 0 ? 0 : d[j - 1] + step * (1 + std::fabs(g.uniform()));
        z[j] = std::copysign(std::pow(10, -15 * std::fabs(g.uniform())), g.uniform());
      }
      const gnp::detail::secular_equation<double> equation(d, z);
      Eigen::ArrayXd poles(k);
      Eigen::ArrayXd quotients(k);
      Eigen::ArrayXd distances(k);
      std::vector<gnp::detail::secular_root<double>> roots;
      for (index_t i = 0; i < k; ++i) {
        roots.push_back(equation.root(i, poles, quotients, std::numeric_limits<double>::epsilon()));
        equation.distances(roots.back(), 0, distances);
        INFO(k << " entries " << closest << " apart, root " << i);
        CHECK(distances[i] < 0);
        if (i + 1 < k) CHECK(distances[i + 1] > 0);
        // The function vanishes, to the rounding of its terms.
        const Eigen::ArrayXd terms = z * z / distances;
        CHECK(std::fabs(1 + terms.sum()) <= 1e-14 * static_cast<double>(k + 4) * (1 + terms.abs().sum()));
      }
      Eigen::ArrayXd row(k);
      equation.consistent_row(roots, 0, row);
      CHECK((row - z).abs().maxCoeff() <= 1e-13 * static_cast<double>(k) * z.abs().maxCoeff());
      // In pieces the same.
      Eigen::ArrayXd piece(k - k / 2);
      equation.consistent_row(roots, k / 2, piece);
      CHECK((piece - row.tail(k - k / 2)).abs().maxCoeff() == 0);
    }
  }
}

TEST_CASE("places in the order of their keys") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const numbers keys{nan, 3, -inf, 3, nan, inf, -1, 3, 0};
  std::vector<index_t> places{8, 7, 6, 5, 4, 3, 2, 1, 0};
  gnp::detail::sort_places(places, [&keys](index_t k) { return keys[static_cast<std::size_t>(k)]; });
  CHECK(places == std::vector<index_t>{2, 6, 8, 1, 3, 7, 5, 0, 4});
}
