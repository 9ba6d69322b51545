// SPDX-License-Identifier: MIT
// test: timeout=600
// Random numbers whose parameters are arrays: each element by a law of its own.
#include "devices.hpp"
#include "distributions.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using gnp::random::generator;

constexpr index_t many = sanitized ? 40000 : 200000;

/// Row k of a sample whose rows have different laws.
template <class T>
std::vector<double> row(const array<T>& sample, index_t k) {
  return as_doubles(array<T>(sample(k)));
}

TEST_CASE("each row of normal numbers has its mean and deviation") {
  for_each_device([](gnp::device) {
    const std::vector<double> means = {-3, 0, 0.25, 1e6};
    const std::vector<double> deviations = {0.5, 1, 20, 3e3};
    const auto column = [](const std::vector<double>& v) { return gnp::expand_dims(asarray(v), 1); };
    const auto check = [&](const auto& sample, int k, auto&& transform) {
      std::vector<double> x = row(sample, k);
      for (double& v : x)
        v = (transform(v) - means[static_cast<std::size_t>(k)]) / deviations[static_cast<std::size_t>(k)];
      CHECK(kolmogorov_smirnov(x, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < ks_limit);
    };
    const auto itself = [](double v) { return v; };
    const array<double> x = generator(11).normal(column(means), column(deviations), {4, many});
    const array<float> y = generator(12).normal<float>(column(means), column(deviations), {4, many});
    for (int k = 0; k < 4; ++k) {
      INFO("row " << k);
      check(x, k, itself);
      check(y, k, itself);
    }
    // exp(1e6) is no number.
    const array<double> z = generator(13).lognormal(column({-3, 0, 0.25}), column({0.5, 1, 20}), {3, many});
    for (int k = 0; k < 3; ++k) check(z, k, [](double v) { return std::log(v); });
  });
}

TEST_CASE("each row of uniform and exponential numbers has its range and mean") {
  for_each_device([](gnp::device) {
    const std::vector<double> low = {-1, 0, 5, 1e10};
    const std::vector<double> high = {1, 1e-3, 5.5, 3e10};
    const array<double> from = gnp::expand_dims(asarray(low), 1);
    const array<double> to = gnp::expand_dims(asarray(high), 1);
    const array<double> x = generator(21).uniform(from, to, {4, many});
    const array<float> y = generator(22).uniform<float>(from, to, {4, many});
    const array<double> z = generator(23).exponential(to, {4, many});
    for (int k = 0; k < 4; ++k) {
      INFO("row " << k);
      const auto j = static_cast<std::size_t>(k);
      const auto below = [&](double v) { return (v - low[j]) / (high[j] - low[j]); };
      for (const std::vector<double>& sample : {row(x, k), row(y, k)}) {
        const auto [least, most] = std::minmax_element(sample.begin(), sample.end());
        CHECK(*least >= low[j]);
        CHECK(*most < high[j]);
        CHECK(kolmogorov_smirnov(sample, below) < ks_limit);
      }
      CHECK(kolmogorov_smirnov(row(z, k), [&](double v) { return -std::expm1(-v / high[j]); }) < ks_limit);
    }
  });
}

TEST_CASE("uniform numbers of one element's width stay inside, whatever the type") {
  // Between neighbours of a type there is one number, and none of these ranges contains its end.
  for_each_device([](gnp::device) {
    const array<double> low = asarray<double>({1.0, 1 + 1e-9, -2.0, 0.0, -1e-7, 6e4});
    const array<double> high = asarray<double>({1.001, 1.001, -1.99, 1e-7, 0.0, 6.5e4});
    const auto check = [&](const auto& sample) {
      const std::vector<double> x = as_doubles(sample);
      const std::vector<double> from = as_doubles(low);
      const std::vector<double> to = as_doubles(high);
      for (std::size_t i = 0; i < x.size(); ++i) {
        INFO(i << ": " << x[i]);
        CHECK(x[i] >= from[i % 6]);
        CHECK(x[i] < to[i % 6]);
      }
    };
    check(generator(1).uniform<gnp::half>(low, high, {500, 6}));
    check(generator(1).uniform<float>(low, high, {500, 6}));
    check(generator(1).uniform<double>(low, high, {500, 6}));
    CHECK(as_doubles(generator(1).uniform(asarray<double>({3, 4}), 4.0, {2}))[1] ==
          4);  // as NumPy: low is allowed
  });
}

/// Each row against a law over 0, 1, ..., last, of which hardly more than that happens.
template <class F>
void check_counts(const std::vector<double>& sample, int last, const F& log_probability) {
  std::vector<double> observed(static_cast<std::size_t>(last + 2));
  std::vector<double> expected(observed.size());
  double rest = static_cast<double>(sample.size());
  for (int k = 0; k <= last; ++k) {
    expected[static_cast<std::size_t>(k)] = static_cast<double>(sample.size()) * std::exp(log_probability(k));
    rest -= expected[static_cast<std::size_t>(k)];
  }
  expected.back() = std::max(0.0, rest);
  for (const double v : sample) ++observed[static_cast<std::size_t>(std::min(v, last + 1.0))];
  const chi_square test(observed, expected);
  CHECK(test.statistic < test.limit);
}

TEST_CASE("each row of counts has its law") {
  for_each_device([](gnp::device) {
    // Below a mean of 10 by inversion, above by rejection.
    const std::vector<double> means = {0.01, 1, 9.99, 10, 33.3, 500};
    const array<std::int64_t> x =
        generator(31).poisson(gnp::expand_dims(asarray(means), 1), {static_cast<index_t>(means.size()), many});
    for (std::size_t k = 0; k < means.size(); ++k) {
      INFO("mean " << means[k]);
      const double m = means[k];
      check_counts(row(x, static_cast<index_t>(k)), static_cast<int>(m + 8 * std::sqrt(m) + 8),
                   [m](int i) { return i * std::log(m) - m - std::lgamma(i + 1.0); });
    }
    const std::vector<int> trials = {1, 10, 30, 100, 1000};
    const std::vector<double> chances = {0.3, 0.85, 0.5, 0.02, 0.7};
    const array<std::int64_t> y = generator(32).binomial(gnp::expand_dims(asarray(trials), 1),
                                                         gnp::expand_dims(asarray(chances), 1), {5, many});
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const double n = trials[k];
      const double p = chances[k];
      INFO("n " << n << ", p " << p);
      check_counts(row(y, static_cast<index_t>(k)), trials[k], [n, p](int i) {
        return std::lgamma(n + 1) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1) + i * std::log(p) +
               (n - i) * std::log1p(-p);
      });
    }
    CHECK(as_doubles(generator(1).binomial(asarray<int>({0, 7, 9}), asarray<double>({0.5, 0.0, 1.0}))) ==
          std::vector<double>{0, 0, 9});
    CHECK(as_doubles(generator(1).poisson(asarray<double>({0, 0}))) == std::vector<double>{0, 0});
  });
}

TEST_CASE("each row of integers has its range") {
  for_each_device([](gnp::device) {
    const std::vector<int> low = {0, -5, 100, 7};
    const std::vector<int> high = {2, 5, 160, 8};
    const auto check = [&](const auto& sample, int more) {
      for (std::size_t k = 0; k < low.size(); ++k) {
        INFO("row " << k);
        const int choices = high[k] - low[k] + more;
        std::vector<double> x = row(sample, static_cast<index_t>(k));
        for (double& v : x) v -= low[k];
        CHECK(*std::min_element(x.begin(), x.end()) == 0);
        CHECK(*std::max_element(x.begin(), x.end()) == choices - 1);
        if (choices > 1) check_counts(x, choices - 1, [choices](int) { return -std::log(choices); });
      }
    };
    const array<int> from = gnp::expand_dims(asarray(low), 1);
    const array<int> to = gnp::expand_dims(asarray(high), 1);
    check(generator(41).integers(from, to, {4, many}), 0);                // by 64 bits
    check(generator(42).integers<std::int16_t>(from, to, {4, many}), 0);  // by 32
    check(generator(43).integers<std::int32_t>(from, to, {4, many}, {.endpoint = true}), 1);
    CHECK(as_doubles(generator(1).integers(asarray<int>({1, 1, 1}))) == std::vector<double>{0, 0, 0});
  });
}

TEST_CASE("arrays of integers reach the ends of every type") {
  for_each_device([](gnp::device) {
    const auto check = [](auto zero) {
      using T = decltype(zero);
      INFO(gnp::name(gnp::dtype_of<T>));
      constexpr T least = (std::numeric_limits<T>::min)();
      constexpr T most = (std::numeric_limits<T>::max)();
      const array<T> all = generator(5).integers<T>(asarray<T>({least, most}), asarray<T>({most, most}),
                                                    {many, 2}, {.endpoint = true});
      const gnp::host_array<T> host = gnp::asnumpy(all);
      double low = 0;
      for (index_t i = 0; i < many; ++i) {
        CHECK_FALSE(host(i, 1) != most);
        low += host(i, 0) < static_cast<T>(least / 2 + most / 2) ? 1 : 0;
      }
      CHECK(std::abs(low / static_cast<double>(many) - 0.5) < 0.006);
    };
    check(std::int8_t{});
    check(std::uint8_t{});
    check(std::int16_t{});
    check(std::uint16_t{});
    check(std::int32_t{});
    check(std::uint32_t{});
    check(std::int64_t{});
    check(std::uint64_t{});
    const auto end = generator(5).integers<std::uint8_t>(255, asarray<std::uint16_t>({256}));
    CHECK(as_doubles(end) == std::vector<double>{255});
    CHECK(as_doubles(generator(5).integers<bool>(asarray<int>({1, 1}), 2)) == std::vector<double>{1, 1});
  });
}

TEST_CASE("a law's numbers are the same, one for all or each its own") {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 7, 1003}) {
      const array<double> half = gnp::full<double>({n}, 0.5);
      const array<float> half_f = gnp::full<float>({n}, 0.5F);
      const auto g = [] { return generator(8); };
      CHECK(bits(g().normal(half, 2.0)) == bits(g().normal(0.5, 2, {n})));
      CHECK(bits(g().normal<float>(half_f, half_f)) == bits(g().normal<float>(0.5, 0.5, {n})));
      CHECK(bits(g().normal<gnp::half>(3.0, half)) == bits(g().normal<gnp::half>(3, 0.5, {n})));
      CHECK(bits(g().lognormal(half, half)) == bits(g().lognormal(0.5, 0.5, {n})));
      CHECK(bits(g().uniform(half, 2.0)) == bits(g().uniform(0.5, 2, {n})));
      CHECK(bits(g().uniform<float>(0.1, half)) == bits(g().uniform<float>(0.1, 0.5, {n})));
      CHECK(bits(g().uniform<gnp::bfloat16>(0.1, half)) == bits(g().uniform<gnp::bfloat16>(0.1, 0.5, {n})));
      CHECK(bits(g().exponential(half)) == bits(g().exponential(0.5, {n})));
      CHECK(bits(g().poisson(half)) == bits(g().poisson(0.5, {n})));
      CHECK(bits(g().poisson<float>(half * 100.0)) == bits(g().poisson<float>(50, {n})));
      CHECK(bits(g().binomial(20, half)) == bits(g().binomial(20, 0.5, {n})));
      CHECK(bits(g().binomial(gnp::full<int>({n}, 1000), 0.9)) == bits(g().binomial(1000, 0.9, {n})));
      const auto tens = gnp::full<std::int32_t>({n}, 10);
      CHECK(bits(g().integers<std::int32_t>(tens)) == bits(g().integers<std::int32_t>(10, {n})));
    }
    // A scale of 0 leaves the means.
    const array<double> ramp = gnp::arange<double>(1001.0);
    CHECK(bits(generator(1).normal(ramp, 0.0)) == bits(ramp));
  });
}

TEST_CASE("parameters broadcast, in any layout") {
  for_each_device([](gnp::device) {
    const array<double> table = gnp::arange<double>(12.0).reshape(3, 4);
    const auto exact = [](const auto& loc, const gnp::shape_t& shape = {}) {
      return generator(2).normal(loc, 0.0, shape);
    };
    CHECK(bits(exact(table.T())) == bits(table.T().copy()));
    CHECK(bits(exact(table(gnp::all, gnp::slice(gnp::none, gnp::none, -2)))) ==
          bits(table(gnp::all, gnp::slice(gnp::none, gnp::none, -2)).copy()));
    CHECK(bits(exact(table + 1.0)) == bits(array<double>(table + 1.0)));
    CHECK(bits(exact(table(1), {2, 4})) == bits(gnp::broadcast_to(table(1), {2, 4}).copy()));
    CHECK(exact(table(gnp::all, gnp::slice(0, 1)), {5, 3, 4}).shape() == gnp::shape_t{5, 3, 4});
    const array<double> both = generator(2).normal(table(gnp::all, gnp::slice(0, 1)), gnp::zeros<float>({4}));
    CHECK(bits(both) == bits(gnp::broadcast_to(table(gnp::all, gnp::slice(0, 1)), {3, 4}).copy()));
    CHECK(exact(gnp::full<double>({}, 3.0)).ndim() == 0);
    CHECK(exact(gnp::full<double>({}, 3.0), {2}).shape() == gnp::shape_t{2});
    CHECK(exact(gnp::zeros<double>({0, 3})).shape() == gnp::shape_t{0, 3});
    CHECK(generator(2).poisson(gnp::zeros<double>({0})).size() == 0);
    // NaN is a mean like another, as in NumPy.
    CHECK(std::isnan(exact(gnp::full<double>({1}, std::nan(""))).item()));
    // The module's functions are the generator's.
    gnp::random::seed(3);
    const auto from_module = gnp::random::normal(table, 1.0);
    CHECK(bits(from_module) == bits(generator(3).normal(table, 1.0)));
    CHECK(gnp::random::uniform(table, 20.0).shape() == table.shape());
    CHECK(gnp::random::lognormal(table).shape() == table.shape());
    CHECK(gnp::random::exponential(table).shape() == table.shape());
    CHECK(gnp::random::poisson(table).shape() == table.shape());
    CHECK(gnp::random::binomial(5, table / 12.0).shape() == table.shape());
    CHECK(gnp::random::integers(asarray<int>({5, 6})).shape() == gnp::shape_t{2});
    CHECK(gnp::random::integers(0, asarray<int>({5, 6})).shape() == gnp::shape_t{2});
    CHECK(gnp::random::randint(asarray<int>({5, 6})).shape() == gnp::shape_t{2});
    CHECK(gnp::random::randint(asarray<int>({5, 6}), 9).shape() == gnp::shape_t{2});
    // Of no integers NumPy does not look at the bounds.
    CHECK(gnp::random::integers(0, {.size = 0}).shape() == gnp::shape_t{0});
    CHECK(gnp::random::integers<std::uint8_t>(5, -300, {0, 3}).shape() == gnp::shape_t{0, 3});
    CHECK(gnp::random::randint(5, 2, {2, 0}).shape() == gnp::shape_t{2, 0});
    CHECK(gnp::random::integers(asarray<int>({2, 0}), {0, 2}).shape() == gnp::shape_t{0, 2});
    CHECK_THROWS_WITH(gnp::random::integers(0, 0, {0, -1}), contains("negative dimensions"));
    CHECK_THROWS_WITH(gnp::random::randint(5, 2), contains("randint: low >= high: low = 5, high = 2"));
    CHECK_THROWS_WITH(gnp::random::randint(0), contains("randint: low >= high"));
    CHECK_THROWS_WITH(gnp::random::randint(asarray<int>({5, 6}), 5), contains("randint: low >= high"));
    CHECK_THROWS_WITH(gnp::random::integers(5, 2), contains("integers: low >= high: low = 5, high = 2"));
  });
}

TEST_CASE("both devices make the same numbers of arrays of parameters") {
  const index_t n = 100003;
  const auto ramp = [&](generator& g) {
    // On the generator's device, where the parameters belong.
    return g.uniform(0, 1, {n});
  };
  CHECK(same_on_both_devices([&](generator& g) { return g.normal(ramp(g), ramp(g)); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.normal<float>(ramp(g), 2.0); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.normal<gnp::half>(ramp(g), 2.0); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.lognormal<float>(ramp(g), ramp(g)); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.uniform(ramp(g), 7.0); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.uniform<float>(ramp(g), 7.0); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.uniform<gnp::bfloat16>(ramp(g), 7.0); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.exponential<float>(ramp(g)); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.poisson(ramp(g) * 30.0); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.poisson(ramp(g) * 1e15); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.binomial(40, ramp(g)); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.binomial((ramp(g) * 1e9).astype<int>(), ramp(g)); }));
  CHECK(same_on_both_devices([&](generator& g) { return g.integers((ramp(g) * 1e9).astype<int>() + 1); }));
  CHECK(same_on_both_devices(
      [&](generator& g) { return g.integers<std::int16_t>((ramp(g) * 1e4).astype<int>() + 1); }));
}

/// Laws that return the number of their element.
struct laws_seen {
  struct draw {
    static constexpr int words = 1;
    static constexpr int pieces = 1;
    unsigned long long element;
    void operator()(const gnp::scalar::draw_place&, const gnp::scalar::words4&, unsigned long long* out) const {
      out[0] = element;
      out[1] = element;
    }
  };
  draw at(unsigned long long i) const { return draw{i}; }
};

TEST_CASE("an element's law is its own after 2^32 elements, too") {
  // The numbers of the last elements of a huge array, without the array: their laws ask for element 2^32 + ...
  const gnp::scalar::random_source source =
      gnp::detail::numbers_of_call{13, 0}.from(gnp::detail::groups_of_a_source);
  using draw_t = gnp::scalar::by_element<laws_seen>;
  static_assert(draw_t::words == 1 && draw_t::pieces == 1);
  const draw_t draws{};
  unsigned long long out[2];
  draws(gnp::scalar::draw_place{source, 5, 2}, gnp::scalar::words4{}, out);
  CHECK(out[0] == (1ULL << 32) + 22);
  CHECK(out[1] == (1ULL << 32) + 23);
}

TEST_CASE("an array that begins within a call has its own parameters") {
  for_each_device([](gnp::device) {
    // What is drawn from a group on is what the whole has there, with the parameters of these elements.
    constexpr index_t before = 4 * 65536;
    constexpr index_t more = 1000;
    const array<double> mean = gnp::arange<double>(before + more) * 8;
    const array<double> scale = 1 + gnp::arange<double>(before + more) % 7;
    const auto part = gnp::slice(before, gnp::none);
    const auto check = [&](const auto& draw) {
      generator whole(5);
      const generator start(5);
      auto from = start.from_group(65536);
      CHECK(gnp::array_equal(draw(whole, mean, scale)(part), draw(from, mean(part), scale(part))));
    };
    check([](auto& g, const auto& m, const auto& s) { return g.normal(m, s); });
    check([](auto& g, const auto& m, const auto& s) { return g.uniform(m, m + s); });
    check([](auto& g, const auto& m, const auto& s) { return array<double>(g.exponential(s) + m); });
    check([](auto& g, const auto& m, const auto& s) { return g.laplace(m, s); });
    check([](auto& g, const auto& m, const auto& s) { return array<double>(g.gamma(s) + m); });
  });
}

TEST_CASE("wrong arrays of parameters are named, and where they are wrong") {
  for_each_device([](gnp::device) {
    generator g(1);
    const double nan = std::nan("");
    const double inf = std::numeric_limits<double>::infinity();
    const array<double> ok = asarray<double>({1, 2, 3});
    const array<double> bad = asarray<double>({1, 2, -3});
    CHECK_THROWS_WITH(g.normal(0.0, bad), "normal: scale < 0, at (2,)");
    CHECK_THROWS_WITH(g.normal(ok, -1.0), "normal: scale < 0, got scale = -1");
    CHECK_THROWS_WITH(g.normal(0.0, asarray<double>({1.0, -0.0})), "normal: scale < 0, at (1,)");
    CHECK_THROWS_WITH(g.lognormal(0.0, bad), "lognormal: sigma < 0, at (2,)");
    CHECK_THROWS_WITH(g.exponential(gnp::expand_dims(bad, 0)), "exponential: scale < 0, at (0, 2)");
    CHECK_THROWS_WITH(g.poisson(bad), "poisson: lam < 0 or lam is NaN, at (2,)");
    CHECK_THROWS_WITH(g.poisson(asarray<double>({nan})), "poisson: lam < 0 or lam is NaN, at (0,)");
    CHECK_THROWS_WITH(g.poisson(asarray<double>({1, 1e19})), "poisson: lam value too large, at (1,)");
    CHECK_THROWS_WITH(g.poisson(gnp::full<double>({}, -1.0)), "poisson: lam < 0 or lam is NaN");
    CHECK_THROWS_WITH(g.binomial(asarray<int>({1, -1}), 0.5), "binomial: n < 0, at (1,)");
    CHECK_THROWS_WITH(g.binomial(-1, ok / 3.0), contains("binomial: n < 0"));
    CHECK_THROWS_WITH(g.binomial(3, ok), "binomial: p < 0, p > 1 or p is NaN, at (1,)");
    CHECK_THROWS_WITH(g.binomial(asarray<int>({1}), nan), contains("binomial: p < 0, p > 1 or p is NaN"));
    CHECK_THROWS_WITH(g.binomial(3, asarray<double>({nan})), "binomial: p < 0, p > 1 or p is NaN, at (0,)");
    CHECK_THROWS_WITH(g.uniform(ok, 2.5), "uniform: high - low < 0, at (2,)");
    CHECK_THROWS_WITH(g.uniform(0.0, bad), "uniform: high - low < 0, at (2,)");
    const char* too_far = "uniform: high - low range exceeds valid bounds, at (0,)";
    CHECK_THROWS_WITH(g.uniform(asarray<double>({nan}), 1.0), too_far);
    CHECK_THROWS_WITH(g.uniform(0.0, asarray<double>({inf})), too_far);
    CHECK_THROWS_WITH(g.uniform(asarray<double>({-1.7e308}), 1.7e308), too_far);
    CHECK_THROWS_WITH(g.uniform<float>(asarray<double>({1e300}), 1.1e300), too_far);
    CHECK_THROWS_WITH(g.uniform<gnp::half>(asarray<float>({0}), 1e5), contains("uniform: high - low range"));
    CHECK_THROWS_WITH(g.uniform<gnp::half>(asarray<float>({1e5F}), 1e6), too_far);
    CHECK_THROWS_WITH(g.integers(asarray<int>({1, 0})), "integers: low >= high, at (1,)");
    CHECK_THROWS_WITH(g.integers(asarray<int>({1, 5}), 4, {}, {.endpoint = true}),
                      "integers: low > high, at (1,)");
    CHECK_THROWS_WITH(g.integers<std::uint8_t>(asarray<int>({-1}), 5),
                      "integers: low is out of bounds, at (0,)");
    CHECK_THROWS_WITH(g.integers<std::uint8_t>(asarray<int>({1}), 257), "integers: high is out of bounds");
    CHECK_THROWS_WITH(g.integers<std::int8_t>(0, asarray<int>({128, 129})),
                      "integers: high is out of bounds, at (1,)");
    CHECK_THROWS_WITH(g.integers<std::int8_t>(0, asarray<int>({128}), {}, {.endpoint = true}),
                      "integers: high is out of bounds, at (0,)");
    CHECK_THROWS_WITH(g.integers(0, asarray<std::uint64_t>({1ULL << 63})),
                      "integers: high is out of bounds, at (0,)");
    CHECK_THROWS_AS(g.normal(ok, 1.0, {4}), gnp::shape_error);
    CHECK_THROWS_WITH(g.normal(ok, 1.0, {2, 1}),
                      contains("normal: parameters of shape (3,) do not broadcast to"));
    CHECK_THROWS_AS(g.normal(ok, gnp::ones<double>({2})), gnp::shape_error);
  });
  if (gnp::cuda_available()) {
    const array<double> here = gnp::zeros<double>({2}).to(gnp::device::cpu());
    const array<double> there = here.to(gnp::device::cuda(0));
    CHECK_THROWS_WITH(generator(1).normal(here, there), contains("arrays on different devices"));
  }
}

}  // namespace
