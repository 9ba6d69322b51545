// SPDX-License-Identifier: MIT
// test: timeout=600
// Random numbers: exponential, log-normal, Poisson, binomial.
#include "devices.hpp"
#include "distributions.hpp"

namespace {

using gnp::random::generator;

constexpr gnp::index_t many = sanitized ? 60000 : 300000;
constexpr auto many_as_double = static_cast<double>(many);

/// The sample against a discrete law given by log_probability(k), over k in [first, last].
template <class F>
void check_law(const std::vector<double>& sample, int first, int last, const F& log_probability) {
  const auto n = static_cast<double>(sample.size());
  std::vector<double> observed(static_cast<std::size_t>(last - first + 2));
  std::vector<double> expected(observed.size());
  double total = 0;
  for (int k = first; k <= last; ++k) {
    expected[static_cast<std::size_t>(k - first)] = n * std::exp(log_probability(k));
    total += expected[static_cast<std::size_t>(k - first)];
  }
  REQUIRE(total / n > 0.99);
  REQUIRE(total / n < 1 + 1e-9);
  expected.back() = std::max(0.0, n - total);  // outside
  for (const double v : sample) {
    const bool inside = v >= first && v <= last;
    ++observed[inside ? static_cast<std::size_t>(v - first) : observed.size() - 1];
  }
  const chi_square test(observed, expected);
  CHECK(test.statistic < test.limit);
}

TEST_CASE("both devices make the same numbers of the other distributions") {
  for (const gnp::index_t n : {1, 7, 300001}) {
    const gnp::shape_t shape{n};
    CHECK(same_on_both_devices([&](generator& g) { return g.exponential<float>(1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.exponential(1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.exponential<gnp::half>(1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.lognormal<float>(0.1, 1.2, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.lognormal(0.1, 1.2, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.lognormal<float>(80, 20, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.lognormal(-700, 20, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.lognormal<gnp::bfloat16>(0.1, 1.2, shape); }));
    for (const double lam : {0.0, 0.3, 9.99, 10.0, 55.5, 1e4, 3e9, 1e15}) {
      INFO("lam " << lam);
      CHECK(same_on_both_devices([&](generator& g) { return g.poisson(lam, shape); }));
    }
    CHECK(same_on_both_devices([&](generator& g) { return g.poisson<float>(20, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.poisson<std::uint8_t>(4, shape); }));
    for (const double p : {0.0, 0.01, 0.3, 0.5, 0.77, 1.0}) {
      INFO("p " << p);
      CHECK(same_on_both_devices([&](generator& g) { return g.binomial(20, p, shape); }));
      CHECK(same_on_both_devices([&](generator& g) { return g.binomial(1000, p, shape); }));
      CHECK(same_on_both_devices([&](generator& g) { return g.binomial(1000000000000, p, shape); }));
    }
  }
}

TEST_CASE("the functions they are made of are right") {
  using namespace gnp::scalar;
  double worst_log = 0;
  double worst_exp = 0;
  double worst_logf = 0;
  double worst_expf = 0;
  const auto away = [](double got, double want) {
    return want == 0 ? std::abs(got) : std::abs(got / want - 1);
  };
  for (int i = 1; i < 200000; ++i) {
    const double u = i / 200000.0;
    worst_log = std::max(worst_log, away(minus_two_log(u), -2 * std::log(u)));
    const auto uf = static_cast<float>(u);
    worst_logf = std::max(worst_logf, away(minus_two_log(uf), -2 * std::log(static_cast<double>(uf))));
    const double x = 1400 * u - 700;
    worst_exp = std::max(worst_exp, away(exp_of(x), std::exp(x)));
    const auto xf = static_cast<float>(174 * u - 87);
    worst_expf = std::max(worst_expf, away(exp_of(xf), std::exp(static_cast<double>(xf))));
  }
  CHECK(worst_log < 4e-16);
  CHECK(worst_exp < 4e-16);
  CHECK(worst_logf < 2e-7);
  CHECK(worst_expf < 2e-7);
  for (const double x : {1e-300, 1e-40, 1e-9, 1.0, 2.5, 1e9, 1e300})
    CHECK(away(log_of(x), std::log(x)) < 4e-16);
  CHECK(exp_of(-745.0) == std::exp(-745.0));  // a denormal
  CHECK(exp_of(-750.0) == 0);
  CHECK(exp_of(710.0) == std::numeric_limits<double>::infinity());
  CHECK(exp_of(89.0F) == std::numeric_limits<float>::infinity());
  CHECK(exp_of(-103.0F) == std::exp(-103.0F));
  CHECK(exp_of(-110.0F) == 0);
  CHECK(std::isnan(exp_of(std::nan(""))));
  CHECK(std::isnan(exp_of(std::nanf(""))));
  CHECK(exp_of(0.0) == 1);
  for (int k = 1; k < 100; ++k) {
    const double want =
        std::lgamma(k + 1.0) - ((k + 0.5) * std::log(k) - k + 0.5 * std::log(2 * 3.14159265358979323846));
    CHECK(std::abs(stirling_error(k) - want) < 1e-13);
  }
  for (const double m : {12.0, 100.0, 12345.6}) {
    const poisson_law law = poisson_law_of(m);
    for (double k = 0; k < 3 * m; k += std::floor(m / 11)) {
      CHECK(std::abs(law.log_probability(k) - (k * std::log(m) - m - std::lgamma(k + 1))) < 1e-10);
    }
  }
}

TEST_CASE("exponential numbers are exponential") {
  for_each_device([](gnp::device) {
    const auto check = [](std::vector<double> x, double scale) {
      for (double& v : x) v /= scale;
      CHECK(*std::min_element(x.begin(), x.end()) >= 0);
      CHECK(kolmogorov_smirnov(x, [](double v) { return -std::expm1(-v); }) < ks_limit);
      CHECK(std::abs(mean_of(x) - 1) < 4 / std::sqrt(x.size()));
    };
    check(as_doubles(generator(41).exponential<float>(2.5, {many})), 2.5);
    check(as_doubles(generator(42).exponential(1e-3, {many})), 1e-3);
    check(as_doubles(generator(43).standard_exponential<float>({many})), 1);
    for (const double v : as_doubles(generator(1).exponential(0, {10}))) CHECK(v == 0);
  });
}

TEST_CASE("log-normal numbers are log-normal") {
  for_each_device([](gnp::device) {
    const auto check = [](const std::vector<double>& x, double mean, double sigma) {
      CHECK(kolmogorov_smirnov(x, [&](double v) {
              return 0.5 * std::erfc(-(std::log(v) - mean) / sigma / std::sqrt(2.0));
            }) < ks_limit);
    };
    check(as_doubles(generator(51).lognormal<float>(0.5, 0.8, {many})), 0.5, 0.8);
    check(as_doubles(generator(52).lognormal(-3, 2, {many})), -3, 2);
    // exp of the normal numbers of the same seed
    const auto x = gnp::asnumpy(generator(53).lognormal(0.2, 1.1, {1000}));
    const auto n = gnp::asnumpy(generator(53).normal(0.2, 1.1, {1000}));
    for (int i = 0; i < 1000; ++i) CHECK(x(i) == Approx(std::exp(n(i))).epsilon(1e-15));
  });
}

TEST_CASE("Poisson counts follow their law") {
  for_each_device([](gnp::device) {
    for (const double lam : {0.05, 1.0, 4.2, 9.999, 10.0, 12.5, 30.0, 200.0, 5000.0}) {
      INFO("lam " << lam);
      const double spread = 7 * std::sqrt(lam) + 7;
      check_law(as_doubles(generator(61).poisson(lam, {many})), static_cast<int>(std::max(0.0, lam - spread)),
                static_cast<int>(lam + spread),
                [&](int k) { return k * std::log(lam) - lam - std::lgamma(k + 1.0); });
    }
    // Large means: close to normal, so standardised by mean and deviation (the skewness is 1 / sqrt(lam)).
    for (const double lam : {1e6, 1e9, 1e12, 1e17}) {
      INFO("lam " << lam);
      std::vector<double> x = as_doubles(generator(63).poisson(lam, {many}));
      for (double& v : x) v = (v - lam) / std::sqrt(lam);
      CHECK(std::abs(mean_of(x)) < 4 / std::sqrt(many_as_double));
      CHECK(std::abs(moment(x, 0, 2) - 1) < 4 * std::sqrt(2.0 / many_as_double));
      CHECK(std::abs(moment(x, 0, 4) - 3) < 4 * std::sqrt(96.0 / many_as_double));
      if (lam > 1e8) {
        CHECK(kolmogorov_smirnov(x, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < ks_limit);
      }
    }
    for (const double v : as_doubles(generator(1).poisson(0, {100}))) CHECK(v == 0);
    CHECK(generator(1).poisson().dtype() == gnp::dtype::int64);
  });
}

TEST_CASE("binomial counts follow their law") {
  for_each_device([](gnp::device) {
    for (const int n : {1, 2, 19, 40, 1000}) {
      for (const double p : {0.001, 0.2, 0.5, 0.9}) {
        INFO("n " << n << " p " << p);
        check_law(as_doubles(generator(71).binomial(n, p, {many})), 0, n, [&](int k) {
          return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) + k * std::log(p) +
                 (n - k) * std::log1p(-p);
        });
      }
    }
    for (const auto& [n, p] :
         {std::pair<std::int64_t, double>{1000000000, 0.3}, {1000000000000, 0.7}, {4000000000000000000, 0.5}}) {
      INFO("n " << n << " p " << p);
      std::vector<double> x = as_doubles(generator(72).binomial(n, p, {many}));
      const auto trials = static_cast<double>(n);
      for (double& v : x) v = (v - trials * p) / std::sqrt(trials * p * (1 - p));
      CHECK(std::abs(mean_of(x)) < 4 / std::sqrt(many_as_double));
      CHECK(std::abs(moment(x, 0, 2) - 1) < 4 * std::sqrt(2.0 / many_as_double));
      CHECK(kolmogorov_smirnov(x, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < ks_limit);
    }
    // A mean of 3 from very many trials.
    check_law(as_doubles(generator(73).binomial(1000000000000000000, 3e-18, {many})), 0, 30,
              [](int k) { return k * std::log(3.0) - 3 - std::lgamma(k + 1.0); });
    for (const double v : as_doubles(generator(1).binomial(0, 0.4, {100}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).binomial(9, 0, {100}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).binomial(9, 1, {100}))) CHECK(v == 9);
  });
}

TEST_CASE("wrong parameters of the other distributions are named") {
  generator g(1, gnp::device::cpu());
  const double nan = std::nan("");
  CHECK_THROWS_WITH(g.exponential(-2), "exponential: scale < 0, got scale = -2");
  CHECK_THROWS_WITH(g.lognormal(0, -1), contains("lognormal: sigma < 0"));
  CHECK_THROWS_WITH(g.poisson(-1), contains("poisson: lam < 0 or lam is NaN"));
  CHECK_THROWS_WITH(g.poisson(nan), contains("poisson: lam < 0 or lam is NaN"));
  CHECK_THROWS_WITH(g.poisson(1e19), contains("poisson: lam value too large"));
  CHECK_THROWS_WITH(g.binomial(-1, 0.5), contains("binomial: n < 0"));
  CHECK_THROWS_WITH(g.binomial(1, 1.5), contains("binomial: p < 0, p > 1 or p is NaN"));
  CHECK_THROWS_WITH(g.binomial(1, nan), contains("binomial: p < 0, p > 1 or p is NaN"));
  CHECK(g.poisson(1, {0, 3}).size() == 0);
  CHECK(g.poisson(-0.0).item() == 0);
}

/// FNV-1a of the bits.
template <class T>
std::uint64_t fingerprint(const gnp::array<T>& x) {
  std::uint64_t hash = 14695981039346656037U;
  for (const unsigned char byte : bits(x)) hash = (hash ^ byte) * 1099511628211U;
  return hash;
}

TEST_CASE("a seed's numbers stay what they are") {
  // Whatever the compiler, its options, the processor and the device.
  for_each_device([](gnp::device) {
    generator g(99);
    const gnp::index_t n = 100003;
    CHECK(fingerprint(g.random<float>({n})) == 0x56df39410a014a56U);
    CHECK(fingerprint(g.uniform<float>(-1.1, 3.3, {n})) == 0xc18cffa2aa29191eU);
    CHECK(fingerprint(g.uniform(-1.1, 3.3, {n})) == 0x67957caaae8228f8U);
    CHECK(fingerprint(g.uniform<gnp::half>(-1.1, 3.3, {n})) == 0xf8a37cea18550230U);
    CHECK(fingerprint(g.normal<float>(0.3, 1.7, {n})) == 0xe306fd044f702b09U);
    CHECK(fingerprint(g.normal(0.3, 1.7, {n})) == 0xa642daf35deaa4acU);
    CHECK(fingerprint(g.normal<gnp::bfloat16>(0.3, 1.7, {n})) == 0x82a7168627d8add8U);
    CHECK(fingerprint(g.exponential<float>(1.7, {n})) == 0x7674444493427604U);
    CHECK(fingerprint(g.exponential(1.7, {n})) == 0x82c2a19d24e0357eU);
    CHECK(fingerprint(g.lognormal<float>(0.1, 1.2, {n})) == 0xb62e15e300f3c171U);
    CHECK(fingerprint(g.lognormal(0.1, 1.2, {n})) == 0x25d03b8f3698eef1U);
    CHECK(fingerprint(g.poisson(3.3, {n})) == 0xe038ede8eb8d5062U);
    CHECK(fingerprint(g.poisson(33.3, {n})) == 0xd72927501f926e90U);
    CHECK(fingerprint(g.poisson(1e9, {n})) == 0xf48a275e429d071bU);
    CHECK(fingerprint(g.binomial(20, 0.3, {n})) == 0xdf6bb650c7a66a3bU);
    CHECK(fingerprint(g.binomial(1000, 0.3, {n})) == 0xfe588b2c881459bcU);
    CHECK(fingerprint(g.binomial(1000000000, 0.7, {n})) == 0x4a667e059b1b8256U);
    CHECK(fingerprint(g.integers(0, 1000, {n})) == 0x9c1128054cebeedbU);
    CHECK(fingerprint(g.integers(0, 1L << 60, {n})) == 0xd683379e6d983c1eU);
    CHECK(fingerprint(g.permutation(300000)) == 0xc0960869d2c0d91dU);
    CHECK(fingerprint(g.choice(100, {50}, {.replace = false, .p = std::vector<double>(100, 0.01)})) ==
          0x4af7a0110bf28706U);
  });
}

}  // namespace
