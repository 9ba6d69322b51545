// SPDX-License-Identifier: MIT
// test: asan, timeout=600
// Random vectors: Dirichlet, multinomial, multivariate hypergeometric and normal ones; bytes, spawn.
#include <cstring>
#include <map>

#include "devices.hpp"
#include "distributions.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using gnp::shape_t;
using gnp::random::generator;

constexpr index_t many = sanitized ? 20000 : 100000;

/// How often each row of small counts is there.
std::map<std::vector<int>, double> rows_of(const array<std::int64_t>& counts) {
  const gnp::host_array<std::int64_t> host = gnp::asnumpy(counts);
  std::map<std::vector<int>, double> seen;
  const index_t length = host.shape()[1];
  for (index_t i = 0; i < host.shape()[0]; ++i) {
    std::vector<int> row;
    for (index_t k = 0; k < length; ++k) row.push_back(static_cast<int>(host(i, k)));
    ++seen[row];
  }
  return seen;
}

/// Counts of `things` things that sum to n, against their joint law.
template <class F>
void check_joint(const array<std::int64_t>& counts, int n, const F& probability) {
  auto seen = rows_of(counts);
  const auto things = static_cast<std::size_t>(counts.shape()[1]);
  std::vector<double> observed;
  std::vector<double> expected;
  double total = 0;
  std::vector<int> row(things);
  const auto each = [&](const auto& self, std::size_t k, int left) -> void {
    if (k + 1 == things) {
      row[k] = left;
      observed.push_back(seen[row]);
      expected.push_back(static_cast<double>(counts.shape()[0]) * probability(row));
      total += observed.back();
      return;
    }
    for (row[k] = 0; row[k] <= left; ++row[k]) self(self, k + 1, left - row[k]);
  };
  each(each, 0, n);
  CHECK(total == static_cast<double>(counts.shape()[0]));
  if (observed.size() == 1) return;
  const chi_square test(observed, expected);
  CHECK(test.statistic < test.limit);
}

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

TEST_CASE("multinomial counts follow their joint law") {
  for_each_device([](gnp::device) {
    for (const std::vector<double>& p :
         {std::vector<double>{0.2, 0.5, 0.3}, {0.1, 0.2, 0.0, 0.3, 0.4}, {1}, {0.25, 0.75}}) {
      const int n = 4;
      check_joint(generator(31).multinomial(n, p, {many}), n, [&](const std::vector<int>& row) {
        double log = std::lgamma(n + 1.0);
        for (std::size_t k = 0; k < p.size(); ++k) {
          if (p[k] == 0 && row[k] > 0) return 0.0;
          log += (row[k] > 0 ? row[k] * std::log(p[k]) : 0) - std::lgamma(row[k] + 1.0);
        }
        return std::exp(log);
      });
    }
    // The last chance is what the others leave.
    const array<std::int64_t> most = generator(1).multinomial(1000000, {0.1, 0.1, 0.0});
    CHECK(std::abs(static_cast<double>(most(2).item()) - 800000) < 4 * std::sqrt(1e6 * 0.16));
    // Rows of their own chances and numbers of trials; many things; large numbers.
    const array<double> chances = asarray<double>({{0.5, 0.5, 0}, {0.1, 0.8, 0.1}});
    const array<std::int64_t> x = generator(2).multinomial(asarray<int>({1000, 0}), chances, {3, 2});
    CHECK(x.shape() == shape_t{3, 2, 3});
    CHECK(gnp::array_equal(x.sum(-1), gnp::broadcast_to(asarray<std::int64_t>({1000, 0}), {3, 2})));
    CHECK(gnp::all(x(gnp::all, 0, 2) == 0).item());
    const array<double> thousand = gnp::full<double>({1000}, 1e-3);
    const array<std::int64_t> y = generator(3).multinomial(std::int64_t{1000000000000}, thousand, {5});
    CHECK(gnp::all(y.sum(-1) == 1000000000000).item());
    CHECK(gnp::all(abs(y.astype<double>() - 1e9) < 6 * std::sqrt(1e9)).item());
    CHECK(generator(1).multinomial(5, {0.5, 0.5}).shape() == shape_t{2});
    CHECK(generator(1).multinomial<std::int32_t>(5, chances, {0, 2}).shape() == shape_t{0, 2, 3});
    CHECK(generator(1).multinomial(5, chances.T(), {3}).shape() == shape_t{3, 2});
  });
}

TEST_CASE("multivariate hypergeometric counts follow their joint law") {
  for_each_device([](gnp::device) {
    for (const std::vector<int>& colors : {std::vector<int>{3, 2, 4}, {2, 0, 5, 1, 7}, {9}, {10, 5}}) {
      const int n = 5;
      double all = 0;
      for (const int c : colors) all += c;
      check_joint(generator(41).multivariate_hypergeometric(colors, n, {many}), n,
                  [&](const std::vector<int>& row) {
                    double log = -log_choose(all, n);
                    for (std::size_t k = 0; k < row.size(); ++k) {
                      if (row[k] > colors[k]) return 0.0;
                      log += log_choose(colors[k], row[k]);
                    }
                    return std::exp(log);
                  });
    }
    const array<std::int64_t> x =
        generator(1).multivariate_hypergeometric({1000000, 2000000, 5}, 3000000, {2, 3});
    CHECK(x.shape() == shape_t{2, 3, 3});
    CHECK(gnp::all(x.sum(-1) == 3000000).item());
    CHECK(gnp::all(x(gnp::ellipsis, 2) <= 5).item());
    CHECK(generator(1).multivariate_hypergeometric({4, 6}, 10).sum().item() == 10);
    CHECK(generator(1).multivariate_hypergeometric({}, 0, {2}).shape() == shape_t{2, 0});
    CHECK(gnp::all(generator(1).multivariate_hypergeometric({0, 0, 0}, 0) == 0).item());
  });
}

TEST_CASE("Dirichlet numbers are what their gamma numbers' shares are") {
  // The steps one after another: rows that fill tiles of 256 elements and that do not, and long rows, which
  // are made a few at a time.
  for_each_device([](gnp::device d) {
    for (const index_t length : {1, 2, 3, 10, 101, 5000}) {
      std::vector<double> alpha;
      for (index_t i = 0; i < length; ++i)
        alpha.push_back(i % 3 == 1 ? 0.2 : 0.5 * static_cast<double>(i % 9 + 1));
      for (const bool low : {true, false}) {
        if (!low) std::replace(alpha.begin(), alpha.end(), 0.2, 0.0);
        for (const index_t rows : {1, 3, 85, 86, 128, 257, 1000}) {
          if (length * rows > (sanitized ? 60000 : 600000)) continue;
          INFO(length << " shares in " << rows << " rows, " << low);
          generator g(54);
          const auto steps = gnp::detail::dirichlet_shares({{54, 0}, d}, asarray(alpha), {rows});
          const array<double> want = gnp::detail::over_sums<double>(steps.shares, steps.sums);
          const auto x = as_doubles(g.dirichlet(alpha, {rows}));
          const auto y = as_doubles(want);
          REQUIRE(x.size() == y.size());
          CHECK(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
        }
      }
    }
  });
}

TEST_CASE("Dirichlet numbers are parts of a whole") {
  for_each_device([](gnp::device) {
    const std::vector<double> alpha = {0.7, 2, 5, 0.3, 11};
    double total = 0;
    for (const double a : alpha) total += a;
    const array<double> x = generator(51).dirichlet(alpha, {many});
    CHECK(gnp::all(abs(x.sum(-1) - 1.0) < 1e-14).item());
    const array<double> mean = x.mean(0);
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      const auto k = static_cast<index_t>(i);
      const double want = alpha[i] / total;
      const double variance = want * (1 - want) / (total + 1);
      CHECK(std::abs(mean(k).item() - want) < 4 * std::sqrt(variance / many));
      CHECK(std::abs(x(gnp::all, k).var().item() / variance - 1) < 0.05);
    }
    // One part beside the rest is a beta number, which with a second shape of 1 is a power of a uniform one.
    const array<double> y = generator(52).dirichlet({3, 0.25, 0.75}, {many});
    CHECK(kolmogorov_smirnov(as_doubles(array<double>(y(gnp::all, 0))), [](double v) { return v * v * v; }) <
          ks_limit);
    const double covariance =
        gnp::mean((x(gnp::all, 1) - mean(1)) * (x(gnp::all, 4) - mean(4))).item() * total * total * (total + 1);
    CHECK(covariance == Approx(-alpha[1] * alpha[4]).epsilon(0.1));
    // Shapes so small that every gamma number is 0: one part is the whole, as often as its shape says.
    const array<double> z = generator(53).dirichlet({1e-5, 3e-5, 0}, {many});
    CHECK(gnp::all(abs(z.sum(-1) - 1.0) < 1e-14).item());
    CHECK(std::abs(z(gnp::all, 1).mean().item() - 0.75) < 0.01);
    CHECK(gnp::all(z(gnp::all, 2) == 0.0).item());
    CHECK(gnp::all(generator(1).dirichlet({0, 0}, {3}) == 0.0).item());
    CHECK(generator(1).dirichlet({4}, {3})(1, 0).item() == 1);
    CHECK(generator(1).dirichlet(gnp::zeros<double>({0}), {3}).shape() == shape_t{3, 0});
    CHECK(generator(1).dirichlet<float>(asarray<float>({1, 2})).shape() == shape_t{2});
  });
}

TEST_CASE("both devices make the same vectors") {
  CHECK(same_on_both_devices([](generator& g) { return g.dirichlet({0.1, 2, 30, 4e-5, 0}, {301, 3}); }));
  CHECK(
      same_on_both_devices([](generator& g) { return g.multinomial(1000, {0.1, 0.2, 0.3, 0.3, 0.1}, {301}); }));
  CHECK(same_on_both_devices(
      [](generator& g) { return g.multivariate_hypergeometric({1000, 2, 300}, 700, {301}); }));
  CHECK(same_on_both_devices([](generator& g) { return g.bytes(1001); }));
}

TEST_CASE("multivariate normal numbers have their mean and covariance") {
  using gnp::random::covariance_root;
  for_each_device([](gnp::device) {
    const array<double> cov = asarray<double>({{4, 1, -1}, {1, 2, 0.5}, {-1, 0.5, 3}});
    const array<double> whiten = gnp::linalg::inv(gnp::linalg::cholesky(cov));
    for (const covariance_root method :
         {covariance_root::svd, covariance_root::eigh, covariance_root::cholesky}) {
      const array<double> x =
          generator(61).multivariate_normal({1, -2, 300}, cov, {many / 10, 10}, {.method = method});
      CHECK(x.shape() == shape_t{many / 10, 10, 3});
      const array<double> centred = x.reshape({many, 3}) - asarray<double>({1, -2, 300});
      const array<double> white = gnp::matmul(centred, whiten.T());
      for (index_t k = 0; k < 3; ++k) {
        CHECK(kolmogorov_smirnov(as_doubles(array<double>(white(gnp::all, k))),
                                 [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < ks_limit);
      }
      const array<double> estimate = gnp::matmul(centred.T(), centred) / static_cast<double>(many);
      CHECK(gnp::allclose(estimate, cov, {.rtol = 0, .atol = 0.08}));
    }
    // No variance in one direction; one number; types.
    const array<double> flat = asarray<double>({{1, 1}, {1, 1}});
    const array<double> y = generator(1).multivariate_normal({0, 0}, flat, {100});
    CHECK(gnp::all(abs(y(gnp::all, 0) - y(gnp::all, 1)) < 1e-12).item());
    CHECK(generator(1).multivariate_normal({7}, asarray<double>({{0}})).item() == 7);
    CHECK(generator(1).multivariate_normal<float>({7, 8}, asarray<float>({{1, 0}, {0, 1}})).shape() ==
          shape_t{2});
    // The root is taken in double: a covariance of other numbers than 0 and 1, for numbers of fewer bits.
    const array<double> some = asarray<double>({{2, 1}, {1, 3}});
    const array<double> in_double = generator(3).multivariate_normal({0, 10}, some, {5});
    const array<double> in_float = generator(3).multivariate_normal<float>({0, 10}, some, {5}).astype<double>();
    CHECK(in_float.shape() == in_double.shape());
    CHECK(gnp::all(gnp::isfinite(in_float)).item());
    for (const auto method : {gnp::random::covariance_root::eigh, gnp::random::covariance_root::cholesky})
      CHECK_NOTHROW(generator(3).multivariate_normal<gnp::half>({0, 10}, some, {5}, {.method = method}));
    const array<double> spread =
        generator(4).multivariate_normal<float>({0, 0}, some, {20000}).astype<double>();
    CHECK(gnp::allclose(gnp::cov(spread.T()), some, {.rtol = 0, .atol = 0.15}));
    CHECK_THROWS_WITH(generator(1).multivariate_normal<float>({0, 0}, asarray<double>({{1, 2}, {2, 1}})),
                      contains("positive-semidefinite"));
    // As many dimensions as there can be.
    CHECK(generator(1).multinomial(3, {0.2, 0.3, 0.5}, std::vector<int>(15, 1)).ndim() == 16);
  });
}

TEST_CASE("wrong parameters of vectors are named") {
  for_each_device([](gnp::device) {
    generator g(1);
    CHECK_THROWS_WITH(g.dirichlet({1, -1}), "dirichlet: alpha < 0, at (1,)");
    CHECK_THROWS_AS(g.dirichlet(gnp::ones<double>({2, 2})), gnp::shape_error);
    CHECK_THROWS_WITH(g.multinomial(-1, {0.5, 0.5}), contains("multinomial: n < 0"));
    CHECK_THROWS_WITH(g.multinomial(asarray<int>({1, -1}), {0.5, 0.5}),
                      contains("multinomial: n < 0, at (1,)"));
    CHECK_THROWS_WITH(g.multinomial(1, {0.5, -0.5}),
                      contains("multinomial: pvals < 0, pvals > 1 or pvals contains NaNs"));
    CHECK_THROWS_WITH(g.multinomial(1, {0.5, std::nan("")}), contains("pvals contains NaNs, at (1,)"));
    CHECK_THROWS_WITH(g.multinomial(1, {0.5, 0.6, 0.1}), contains("multinomial: sum(pvals[:-1]) > 1.0"));
    CHECK_THROWS_AS(g.multinomial(1, gnp::zeros<double>({0})), gnp::shape_error);
    CHECK_THROWS_AS(g.multinomial(1, {0.5, 0.5}, {2}).reshape({3}), gnp::shape_error);
    CHECK_THROWS_AS(g.multinomial(asarray<int>({1, 2}), {0.5, 0.5}, {3}), gnp::shape_error);
    CHECK_THROWS_WITH(g.multivariate_hypergeometric({1, 2}, 4), contains("nsample > sum(colors)"));
    CHECK_THROWS_WITH(g.multivariate_hypergeometric({1, -2}, 1),
                      contains("colors must be integers and not negative"));
    CHECK_THROWS_WITH(g.multivariate_hypergeometric({1.5, 2}, 1),
                      contains("colors must be integers and not negative"));
    CHECK_THROWS_WITH(g.multivariate_hypergeometric({1, 2}, -1),
                      contains("nsample must not be negative, got -1"));
    CHECK_THROWS_WITH(g.multivariate_hypergeometric({1e9, 2}, 1),
                      contains("sum(colors) must be less than 1000000000"));
    const array<double> one = gnp::eye<double>(2);
    CHECK_THROWS_WITH(g.multivariate_normal({1, 2, 3}, one),
                      contains("mean and cov must have the same length"));
    CHECK_THROWS_WITH(g.multivariate_normal({1, 2}, gnp::ones<double>({2, 3})),
                      contains("cov must be 2 dimensional and square"));
    const array<double> wrong = asarray<double>({{1, 0}, {0, -1}});
    using gnp::random::covariance_root;
    for (const covariance_root method :
         {covariance_root::svd, covariance_root::eigh, covariance_root::cholesky})
      CHECK_THROWS_AS(g.multivariate_normal({1, 2}, wrong, {3}, {.method = method}), gnp::linalg_error);
    CHECK(g.multivariate_normal({1, 2}, wrong, {3}, {.check_valid = false}).size() == 6);
    CHECK_THROWS_WITH(g.multivariate_normal({1, 2}, asarray<double>({{1, 0.5}, {0, 1}})),
                      contains("covariance is not symmetric positive-semidefinite"));
    CHECK_THROWS_AS(g.spawn(-1), gnp::error);
  });
}

TEST_CASE("spawned generators have sequences of their own") {
  generator g(7, gnp::device::cpu());
  generator same(7, gnp::device::cpu());
  std::vector<generator> children = g.spawn(3);
  std::vector<generator> more = g.spawn(1);
  children.insert(children.end(), more.begin(), more.end());
  CHECK(bits(g.random({4})) == bits(same.random({4})));  // the parent's own goes on as it would
  std::vector<generator> again = same.spawn(4);          // whenever they are made
  std::vector<std::vector<unsigned char>> firsts = {bits(generator(7).random({4}))};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto first = bits(children[i].random({4}));
    CHECK(first == bits(again[i].random({4})));
    CHECK(std::find(firsts.begin(), firsts.end(), first) == firsts.end());
    firsts.push_back(first);
  }
  CHECK(children[0].spawn(1)[0].random().item() != children[1].spawn(1)[0].random().item());
  CHECK(kolmogorov_smirnov(as_doubles(children[3].random({many})), [](double v) { return v; }) < ks_limit);
  CHECK(g.spawn(0).empty());
}

TEST_CASE("bytes") {
  for_each_device([](gnp::device) {
    const array<std::uint8_t> x = generator(1).bytes(256000);
    std::vector<double> observed(256);
    for (const double v : as_doubles(x)) ++observed[static_cast<std::size_t>(v)];
    const chi_square test(observed, std::vector<double>(256, 1000.0));
    CHECK(test.statistic < test.limit);
    CHECK(generator(1).bytes(0).size() == 0);
  });
}

TEST_CASE("permuted puts each row into an order of its own") {
  for_each_device([](gnp::device) {
    const array<int> rows = gnp::broadcast_to(gnp::arange<int>(4), {many, 4});
    const array<int> x = generator(71).permuted(rows, 1);
    std::vector<double> observed(256);
    const gnp::host_array<int> host = gnp::asnumpy(x);
    for (index_t i = 0; i < many; ++i) {
      ++observed[static_cast<std::size_t>(host(i, 0) + 4 * host(i, 1) + 16 * host(i, 2) + 64 * host(i, 3))];
    }
    std::vector<double> expected(256);
    int orders = 0;
    for (std::size_t k = 0; k < 256; ++k) {
      const bool order = ((1U << k % 4) | (1U << k / 4 % 4) | (1U << k / 16 % 4) | (1U << k / 64)) == 15;
      orders += order ? 1 : 0;
      expected[k] = order ? many / 24.0 : 0;
    }
    CHECK(orders == 24);
    const chi_square test(observed, expected);
    CHECK(test.statistic < test.limit);
    // Along other axes, of views, of all elements; the array itself stays as it is.
    const array<double> a = gnp::arange<double>(60).reshape({3, 4, 5}).T();
    for (const int axis : {0, 1, 2, -1}) {
      const array<double> y = generator(72).permuted(a, {.axis = axis});
      CHECK(gnp::array_equal(gnp::sort(y, {.axis = axis}), a));
      CHECK(!gnp::array_equal(y, a));
    }
    const array<double> all = generator(73).permuted(a);
    CHECK(all.shape() == a.shape());
    CHECK(gnp::array_equal(gnp::sort(all.ravel()), gnp::arange<double>(60)));
    CHECK(generator(1).permuted(gnp::zeros<double>({0, 3}), 1).shape() == shape_t{0, 3});
    CHECK(generator(1).permuted(gnp::zeros<double>({3, 0}), 1).shape() == shape_t{3, 0});
    CHECK(generator(1).permuted(a + 1).size() == 60);
    CHECK_THROWS_WITH(generator(1).permuted(a, 3), contains("permuted: axis 3 is out of bounds"));
  });
  CHECK(same_on_both_devices([](generator& g) {
    return g.permuted(gnp::arange<int>(3000).reshape({30, 100}).to(g.random().device()), 1);
  }));
}

}  // namespace
