// SPDX-License-Identifier: MIT
// test: tsan, timeout=600
// Random numbers: permutation, shuffle, choice, and the functions of the module.
#include <map>
#include <numeric>
#include <thread>

#include "devices.hpp"
#include "distributions.hpp"

namespace {

using gnp::index_t;
using gnp::random::generator;

template <class T>
std::vector<T> listed(const gnp::array<T>& x) {
  const auto host = gnp::asnumpy(x);
  return {host.begin(), host.end()};
}

/// Is each of 0, ..., n - 1 there once?
bool is_order(std::vector<index_t> x, index_t n) {
  std::sort(x.begin(), x.end());
  std::vector<index_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), index_t{0});
  return x == all;
}

template <class K>
void check_equally_likely(const std::map<K, int>& counts, std::size_t kinds, int total) {
  std::vector<double> observed;
  for (const auto& [kind, count] : counts) observed.push_back(count);
  CHECK(observed.size() == kinds);
  observed.resize(kinds);
  const chi_square test(observed,
                        std::vector<double>(kinds, static_cast<double>(total) / static_cast<double>(kinds)));
  CHECK(test.statistic < test.limit);
}

TEST_CASE("every order is equally likely") {
  generator g(81, gnp::device::cpu());
  std::map<std::vector<index_t>, int> orders;
  for (int i = 0; i < 60000; ++i) ++orders[listed(g.permutation(5))];
  check_equally_likely(orders, 120, 60000);

  orders.clear();
  for (int i = 0; i < 24000; ++i) {
    gnp::array<index_t> a = gnp::asarray(std::vector<index_t>{0, 1, 2, 3}).to(gnp::device::cpu());
    g.shuffle(a);
    ++orders[listed(a)];
  }
  check_equally_likely(orders, 24, 24000);
}

TEST_CASE("long orders are orders, and random") {
  for_each_device([](gnp::device d) {
    // Around the size from which items are sorted by their keys.
    for (const index_t n :
         {index_t{0}, index_t{1}, index_t{1000}, index_t{131072}, index_t{131073}, index_t{1000003}}) {
      INFO("n " << n);
      const auto order = generator(82).permutation(n);
      CHECK(order.device() == d);
      CHECK(order.shape() == gnp::shape_t{n});
      const std::vector<index_t> x = listed(order);
      CHECK(is_order(x, n));
      if (n < 1000) continue;
      // Where an item ends up has nothing to do with where it was, nor with where its neighbour ends up.
      double with_place = 0;
      double with_neighbour = 0;
      const double centre = static_cast<double>(n - 1) / 2;
      for (std::size_t i = 0; i < x.size(); ++i) {
        with_place += (static_cast<double>(x[i]) - centre) * (static_cast<double>(i) - centre);
        if (i > 0)
          with_neighbour += (static_cast<double>(x[i]) - centre) * (static_cast<double>(x[i - 1]) - centre);
      }
      const auto size = static_cast<double>(n);
      const double variance = (size * size - 1) / 12;
      CHECK(std::abs(with_place / size / variance) < 4 / std::sqrt(size));
      CHECK(std::abs(with_neighbour / size / variance) < 4 / std::sqrt(size));
      // As many fixed points as a random order has: one, give or take.
      int fixed = 0;
      for (std::size_t i = 0; i < x.size(); ++i) fixed += x[i] == static_cast<index_t>(i) ? 1 : 0;
      CHECK(fixed < 8);
    }
  });
  CHECK(same_on_both_devices([](generator& g) { return g.permutation(1000); }));
  CHECK(same_on_both_devices([](generator& g) { return g.permutation(300000); }));
}

TEST_CASE("a long order's halves mix as they should") {
  // How many of the first half's items stay in it: hypergeometric, here against a normal law.
  generator g(83, gnp::device::cpu());
  const index_t n = sanitized ? 20000 : 200000;
  std::vector<double> z;
  for (int i = 0; i < 60; ++i) {
    const auto x = listed(g.permutation(n));
    const auto stay = std::count_if(x.begin(), x.begin() + n / 2, [](index_t v) { return v < n / 2; });
    const auto items = static_cast<double>(n);
    z.push_back((static_cast<double>(stay) - items / 4) / std::sqrt(items / 16));
  }
  CHECK(kolmogorov_smirnov(z, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < ks_limit);
}

TEST_CASE("arrays are permuted and shuffled along an axis") {
  for_each_device([](gnp::device d) {
    const gnp::array<float> table = (gnp::arange(60).reshape(5, 4, 3) * 1).astype<float>();
    for (const int axis : {0, 1, 2, -1, -3}) {
      INFO("axis " << axis);
      const gnp::array<float> permuted = generator(7).permutation(table, {.axis = axis});
      gnp::array<float> shuffled = table.copy();
      generator(7).shuffle(shuffled, {.axis = axis});
      CHECK(permuted.device() == d);
      CHECK(permuted.shape() == table.shape());
      CHECK(listed(gnp::array<float>(permuted * 1.0F)) == listed(gnp::array<float>(shuffled * 1.0F)));
      const gnp::array<float> rows = gnp::moveaxis(permuted, axis, 0);
      const gnp::array<float> original = gnp::moveaxis(table, axis, 0);
      const auto order = listed(generator(7).permutation(table.shape(axis)));
      for (index_t i = 0; i < rows.shape(0); ++i) {
        CHECK(listed(rows(i).copy()) == listed(original(order[static_cast<std::size_t>(i)]).copy()));
      }
    }
    // Through a view with negative strides, and nothing outside it.
    gnp::array<std::int16_t> line = gnp::arange<std::int16_t>(20);
    const auto view = line(gnp::slice(15, 5, -1));
    generator(9).shuffle(view);
    auto x = listed(line);
    CHECK(std::is_sorted(x.begin(), x.begin() + 6));
    CHECK(std::is_sorted(x.begin() + 16, x.end()));
    CHECK(!std::is_sorted(x.begin(), x.end()));
    std::sort(x.begin(), x.end());
    CHECK(x == listed(gnp::array<std::int16_t>(gnp::arange<std::int16_t>(20))));
    // Every element type, expressions, nothing at all.
    CHECK(generator(9).permutation(gnp::zeros<gnp::complex128>({3, 2})).shape() == gnp::shape_t{3, 2});
    CHECK(generator(9).permutation(gnp::zeros<bool>({3, 0})).shape() == gnp::shape_t{3, 0});
    CHECK(generator(9).permutation(gnp::zeros<gnp::half>({0, 3})).shape() == gnp::shape_t{0, 3});
    const auto doubled = listed(generator(9).permutation(gnp::arange(4) * 2));
    CHECK(std::accumulate(doubled.begin(), doubled.end(), index_t{0}) == 12);
  });
}

TEST_CASE("choices with replacement") {
  for_each_device([](gnp::device d) {
    generator g(91);
    std::map<index_t, int> counts;
    const auto x = g.choice(7, {70000});
    CHECK(x.device() == d);
    for (const index_t v : listed(x)) ++counts[v];
    check_equally_likely(counts, 7, 70000);

    // Each with a probability of its own; those of none never.
    const std::vector<double> p = {0, 0.1, 0.25, 0, 0.6, 0.05, 0};
    std::vector<double> observed(7);
    std::vector<double> expected;
    for (const double v : p) expected.push_back(v * 100000);
    for (const index_t v : listed(g.choice(7, {100000}, {.p = p}))) ++observed[static_cast<std::size_t>(v)];
    CHECK(observed[0] + observed[3] + observed[6] == 0);
    const chi_square test(observed, expected);
    CHECK(test.statistic < test.limit);
    for (const index_t v : listed(g.choice(3, {100}, {.p = {0, 1, 0}}))) CHECK(v == 1);

    const gnp::array<float> values = gnp::asarray<float>({10, 20, 30});
    for (const float v : listed(g.choice(values, {2, 50}))) CHECK((v == 10 || v == 20 || v == 30));
    CHECK(g.choice(values, {2, 50}).shape() == gnp::shape_t{2, 50});
    CHECK(g.choice(values).shape() == gnp::shape_t{});
    CHECK(g.choice(values + 1, {4}, {.p = gnp::asarray<float>({0, 0, 1})}).item(2) == 31);

    const gnp::array<index_t> table = gnp::arange(12).reshape(3, 4);
    CHECK(g.choice(table, {5}).shape() == gnp::shape_t{5, 4});
    CHECK(g.choice(table, {5, 2}, {.axis = 1}).shape() == gnp::shape_t{3, 5, 2});
    CHECK(g.choice(table, {}, {.axis = 1}).shape() == gnp::shape_t{3});
    const auto columns = g.choice(table, {5}, {.axis = 1}).copy();
    for (int c = 0; c < 5; ++c) CHECK(columns.item(2, c) == columns.item(0, c) + 8);
  });
  CHECK(same_on_both_devices([](generator& g) { return g.choice(1000, {5000}); }));
  CHECK(same_on_both_devices([](generator& g) { return g.choice(3, {5000}, {.p = {0.2, 0.3, 0.5}}); }));
  CHECK(same_on_both_devices([](generator& g) { return g.choice(1000, {50}, {.replace = false}); }));
}

TEST_CASE("choices without replacement") {
  generator g(92, gnp::device::cpu());
  // Ordered pairs of four.
  std::map<std::vector<index_t>, int> pairs;
  for (int i = 0; i < 24000; ++i) ++pairs[listed(g.choice(4, {2}, {.replace = false}))];
  check_equally_likely(pairs, 12, 24000);

  // Few of many, which go another way.
  std::vector<double> all;
  for (int i = 0; i < 300; ++i) {
    auto x = listed(g.choice(1000000, {1000}, {.replace = false}));
    all.insert(all.end(), x.begin(), x.end());
    std::sort(x.begin(), x.end());
    CHECK(std::adjacent_find(x.begin(), x.end()) == x.end());
    CHECK((x.front() >= 0 && x.back() < 1000000));
  }
  CHECK(kolmogorov_smirnov(all, [](double v) { return (v + 1) / 1e6; }) < ks_limit);
  // Also by place: no place prefers the small ones.
  for (const std::size_t place : {std::size_t{0}, std::size_t{999}}) {
    std::vector<double> there;
    for (std::size_t i = place; i < all.size(); i += 1000) there.push_back(all[i]);
    CHECK(kolmogorov_smirnov(there, [](double v) { return (v + 1) / 1e6; }) < ks_limit);
  }

  // With probabilities: the first by p, the second by what is left.
  const std::vector<double> p = {0.5, 0.3, 0.2};
  std::vector<double> observed(9);
  std::vector<double> expected(9);
  for (int i = 0; i < 30000; ++i) {
    const auto x = listed(g.choice(3, {2}, {.replace = false, .p = p}));
    ++observed[static_cast<std::size_t>(3 * x[0] + x[1])];
  }
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) expected[3 * a + b] = a == b ? 0 : 30000 * p[a] * p[b] / (1 - p[a]);
  }
  const chi_square test(observed, expected);
  CHECK(test.statistic < test.limit);
  CHECK(is_order(listed(g.choice(100, {100}, {.replace = false})), 100));
}

TEST_CASE("wrong choices and orders are named") {
  generator g(1, gnp::device::cpu());
  CHECK_THROWS_WITH(g.choice(0), contains("choice: a must be greater than 0 unless no samples are taken"));
  CHECK_THROWS_WITH(g.choice(-3, {2}), contains("got -3"));
  CHECK(g.choice(0, {0}).size() == 0);
  CHECK_THROWS_WITH(g.choice(3, {4}, {.replace = false}),
                    contains("cannot take a larger sample than the population without replacement: 4 of 3"));
  CHECK_THROWS_WITH(g.choice(3, {4}, {.p = {0.5, 0.5}}),
                    contains("a and p must have the same size, got 3 and 2"));
  CHECK_THROWS_WITH(g.choice(2, {4}, {.p = {0.5, 0.6}}), contains("probabilities do not sum to 1"));
  // The sum may be off by what rounding to the type of p makes of it.
  CHECK(g.choice(49, {2}, {.p = gnp::full<gnp::half>({49}, gnp::half(1 / 49.0F))}).size() == 2);
  CHECK(g.choice(3, {2}, {.p = gnp::full<gnp::bfloat16>({3}, gnp::bfloat16(1 / 3.0F))}).size() == 2);
  CHECK_THROWS_WITH(g.choice(2, {4}, {.p = gnp::asarray<gnp::half>({0.5, 0.54})}), contains("do not sum to 1"));
  CHECK_THROWS_WITH(g.choice(2, {4}, {.p = {1.5, -0.5}}), contains("probabilities are not non-negative: p[1]"));
  CHECK_THROWS_WITH(g.choice(2, {4}, {.p = {1, std::nan("")}}), contains("probabilities contain NaN"));
  CHECK_THROWS_WITH(g.choice(3, {2}, {.replace = false, .p = {1, 0, 0}}),
                    contains("fewer non-zero entries in p than size: 1 for 2"));
  CHECK_THROWS_WITH(g.choice(4, {2}, {.p = gnp::full({2, 2}, 0.25)}), contains("p must be 1-dimensional"));
  CHECK(g.permutation(-1).shape() == gnp::shape_t{0});
  CHECK_THROWS_AS(g.permutation(gnp::zeros({})), gnp::index_error);
  CHECK_THROWS_AS(g.shuffle(gnp::zeros({3}), {.axis = 1}), gnp::index_error);
  CHECK_THROWS_AS(g.shuffle(gnp::broadcast_to(gnp::zeros({1}), {3})), gnp::error);
}

TEST_CASE("the module's functions share a generator that seed starts anew") {
  for_each_device([](gnp::device d) {
    namespace r = gnp::random;
    const auto calls = [] {
      std::vector<std::vector<unsigned char>> all;
      all.push_back(bits(r::rand<float>(3, 4)));
      all.push_back(bits(r::randn(3)));
      all.push_back(bits(r::random({2, 2})));
      all.push_back(bits(r::uniform<float>(-1, 1, {64, 64})));
      all.push_back(bits(r::normal(0, 1, {5})));
      all.push_back(bits(r::standard_normal<float>({5})));
      all.push_back(bits(r::lognormal(0, 1, {5})));
      all.push_back(bits(r::exponential(1, {5})));
      all.push_back(bits(r::standard_exponential({5})));
      all.push_back(bits(r::poisson(3, {5})));
      all.push_back(bits(r::binomial(10, 0.5, {5})));
      all.push_back(bits(r::integers(0, 100, {5})));
      all.push_back(bits(r::integers(100, {5})));
      all.push_back(bits(r::randint(0, 100, {5})));
      all.push_back(bits(r::randint<int>(100, {5})));
      all.push_back(bits(r::permutation(10)));
      all.push_back(bits(r::permutation(gnp::arange(10))));
      all.push_back(bits(r::choice(10, {4})));
      all.push_back(bits(r::choice(gnp::arange(10), {4})));
      gnp::array<index_t> a = gnp::arange(10);
      r::shuffle(a);
      all.push_back(bits(a));
      return all;
    };
    r::seed(5);
    const auto first = calls();
    CHECK(calls() != first);
    r::seed(5);
    CHECK(calls() == first);
    r::seed(5 + (std::uint64_t{1} << 32));
    CHECK(calls() != first);
    r::seed(5);
    CHECK(bits(r::rand<float>(3, 4)) == bits(generator(5).random<float>({3, 4})));
    CHECK(r::rand().shape() == gnp::shape_t{});
    CHECK(r::randn<float>(2, 3).device() == d);
  });
}

TEST_CASE("the module's functions may be called by many threads") {
  gnp::random::seed(6);
  std::vector<std::vector<unsigned char>> results(8);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&result] {
      const gnp::use_device guard(gnp::device::cpu());
      result = bits(gnp::random::random({100}));
    });
  }
  for (std::thread& t : threads) t.join();
  generator alone(6, gnp::device::cpu());
  std::vector<std::vector<unsigned char>> expected(8);
  for (auto& result : expected) result = bits(alone.random({100}));
  std::sort(results.begin(), results.end());
  std::sort(expected.begin(), expected.end());
  CHECK(results == expected);
}

}  // namespace
