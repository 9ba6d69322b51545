// SPDX-License-Identifier: MIT
// test: timeout=600
// The distributions beyond normal, uniform and exponential numbers against their distribution functions, which
// tests/golden/make_distributions.py computes; numbers and arrays for parameters; extremes; errors.
#include <functional>
#include <sstream>

#include "devices.hpp"
#include "distributions.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using gnp::shape_t;
using gnp::random::generator;

const double nan = std::nan("");
const double infinity = std::numeric_limits<double>::infinity();

/// A distribution of one, two or three parameters, as numbers and as arrays.
struct distribution {
  const char* name;
  std::vector<double> (*of_numbers)(generator, const double*, const shape_t&);
  std::vector<double> (*of_arrays)(generator, const array<double>*, const shape_t&);
};

#define GNP_TEST_LAW(name, numbers_, arrays_)                                            \
  distribution {                                                                         \
    #name,                                                                               \
        [](generator g, [[maybe_unused]] const double* p, const shape_t& shape) {        \
          return as_doubles(g.name numbers_);                                            \
        },                                                                               \
        [](generator g, [[maybe_unused]] const array<double>* p, const shape_t& shape) { \
          return as_doubles(g.name arrays_);                                             \
        }                                                                                \
  }
#define GNP_TEST_LAW_1(name) GNP_TEST_LAW(name, (p[0], shape), (p[0], shape))
#define GNP_TEST_LAW_2(name) GNP_TEST_LAW(name, (p[0], p[1], shape), (p[0], p[1], shape))
#define GNP_TEST_LAW_3(name) GNP_TEST_LAW(name, (p[0], p[1], p[2], shape), (p[0], p[1], p[2], shape))

index_t whole(double x) { return static_cast<index_t>(x); }
array<index_t> whole(const array<double>& x) { return x.astype<index_t>(); }

const std::vector<distribution> distributions = {
    GNP_TEST_LAW_2(gamma),
    GNP_TEST_LAW_1(standard_gamma),
    GNP_TEST_LAW_1(chisquare),
    GNP_TEST_LAW_2(beta),
    GNP_TEST_LAW_2(f),
    GNP_TEST_LAW_1(standard_t),
    GNP_TEST_LAW_2(noncentral_chisquare),
    GNP_TEST_LAW_3(noncentral_f),
    GNP_TEST_LAW_2(wald),
    GNP_TEST_LAW_2(laplace),
    GNP_TEST_LAW_2(logistic),
    GNP_TEST_LAW_2(gumbel),
    GNP_TEST_LAW_1(pareto),
    GNP_TEST_LAW_1(power),
    GNP_TEST_LAW_1(rayleigh),
    GNP_TEST_LAW_1(weibull),
    GNP_TEST_LAW_3(triangular),
    GNP_TEST_LAW_2(vonmises),
    GNP_TEST_LAW(standard_cauchy, (shape), (shape)),
    GNP_TEST_LAW_1(geometric),
    GNP_TEST_LAW_2(negative_binomial),
    GNP_TEST_LAW(hypergeometric, (whole(p[0]), whole(p[1]), whole(p[2]), shape),
                 (whole(p[0]), whole(p[1]), whole(p[2]), shape)),
    GNP_TEST_LAW_1(logseries),
    GNP_TEST_LAW_1(zipf),
};

std::vector<double> parsed(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> values;
  for (double x; in >> x;) values.push_back(x);
  return values;
}

const distribution& named(const std::string& name) {
  for (const distribution& d : distributions) {
    if (d.name == name) return d;
  }
  throw std::logic_error("no distribution " + name);
}

TEST_CASE("the distributions follow their laws") {
  constexpr index_t many = sanitized ? 20000 : 200000;
  for_each_device([](gnp::device) {
    std::uint64_t seed = 1000;
    for (const std::string& line : golden::split(golden::read_file("distributions.txt"), "\n")) {
      if (line.empty()) continue;
      const std::vector<std::string> fields = golden::split(line, ";");
      INFO(fields.at(0) << " of " << fields.at(1));
      const std::vector<double> parameters = parsed(fields.at(1));
      const std::vector<double> edges = parsed(fields.at(2));
      const std::vector<double> below = parsed(fields.at(3));
      std::vector<double> expected(edges.size() + 1);
      for (std::size_t i = 0; i <= edges.size(); ++i) {
        expected[i] = many * ((i < edges.size() ? below[i] : 1) - (i > 0 ? below[i - 1] : 0));
      }
      std::vector<double> observed(expected.size());
      for (const double x : named(fields.at(0)).of_numbers(generator(seed++), parameters.data(), {many})) {
        ++observed[static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), x) - edges.begin())];
      }
      const chi_square test(observed, expected);
      CHECK(test.statistic < test.limit);
    }
  });
}

TEST_CASE("arrays of parameters give what numbers give") {
  // Each element has its own words, whatever the others' parameters are.
  for_each_device([](gnp::device) {
    std::string last;
    std::vector<std::vector<double>> rows;
    const auto check = [&] {
      if (rows.empty() || rows[0].empty()) return;
      INFO(last);
      const auto count = static_cast<index_t>(rows.size());
      array<double> p[3];
      for (std::size_t k = 0; k < rows[0].size(); ++k) {
        std::vector<double> column;
        for (const auto& row : rows) column.push_back(row[k]);
        p[k] = asarray(column);
        if (k == 0)
          p[k] = asarray(column)(gnp::slice(gnp::none, gnp::none, -1))
                     .copy()(gnp::slice(gnp::none, gnp::none, -1));
      }
      const std::vector<double> all = named(last).of_arrays(generator(5), p, {7, count});
      const std::vector<double> each = named(last).of_arrays(generator(5), p, {});
      REQUIRE(all.size() == static_cast<std::size_t>(7 * count));
      REQUIRE(each.size() == rows.size());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::vector<double> one = named(last).of_numbers(generator(5), rows[r].data(), {7, count});
        CHECK(each[r] == one[r]);
        for (std::size_t i = r; i < all.size(); i += rows.size()) CHECK(all[i] == one[i]);
      }
    };
    for (const std::string& line : golden::split(golden::read_file("distributions.txt"), "\n")) {
      const std::vector<std::string> fields = golden::split(line, ";");
      if (fields[0] != last) {
        check();
        rows.clear();
        last = fields[0];
      }
      if (!line.empty()) rows.push_back(parsed(fields.at(1)));
    }
  });
}

/// A draw's numbers, each made by its law alone: the first call of generator(seed).
template <class Draw>
std::vector<double> one_by_one(std::uint64_t seed, const Draw& draw, std::size_t count) {
  const gnp::scalar::random_source source = gnp::detail::numbers_of_call{seed, 0}.from(0);
  std::vector<double> x(count + 4);
  for (std::uint32_t group = 0; group < (count + 3) / 4; ++group) {
    for (const std::uint32_t half : {0U, 1U}) {
      draw(gnp::scalar::draw_place{source, group, 2 * half}, source.half_group(2 * group + half),
           &x[4 * group + 2 * half]);
    }
  }
  x.resize(count);
  return x;
}

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
  bool same = x.size() == y.size();
  for (std::size_t i = 0; same && i < x.size(); ++i)
    same = std::bit_cast<std::uint64_t>(x[i]) == std::bit_cast<std::uint64_t>(y[i]);
  return same;
}

/// Two columns of parameters for a law, or its first one alone.
template <class Law>
std::vector<double> one_by_one(const std::vector<double>& a, const std::vector<double>& b) {
  gnp::scalar::own_law<double, Law> draw{};
  const std::vector<double>* columns[] = {&a, &b};
  for (std::size_t k = 0; k < static_cast<std::size_t>(Law::parameters); ++k)
    draw.given[k] = {columns[k]->data(), columns[k]->size() - 1, 0};
  return one_by_one(9, draw, a.size());
}

TEST_CASE("arrays of parameters whose first try is made in tiles give each element its law's number") {
  struct law_in_tiles {
    const char* name;
    std::vector<double> (*alone)(const std::vector<double>&, const std::vector<double>&);
  };
  const law_in_tiles laws[] = {{"gamma", one_by_one<gnp::scalar::gamma_law>},
                               {"standard_gamma", one_by_one<gnp::scalar::standard_gamma_law>},
                               {"chisquare", one_by_one<gnp::scalar::chisquare_law>},
                               {"beta", one_by_one<gnp::scalar::beta_law>},
                               {"f", one_by_one<gnp::scalar::f_law>},
                               {"standard_t", one_by_one<gnp::scalar::standard_t_law>},
                               {"noncentral_chisquare", one_by_one<gnp::scalar::noncentral_chisquare_law>},
                               {"wald", one_by_one<gnp::scalar::wald_law>},
                               {"laplace", one_by_one<gnp::scalar::laplace_law>},
                               {"gumbel", one_by_one<gnp::scalar::gumbel_law>},
                               {"weibull", one_by_one<gnp::scalar::weibull_law>}};
  // Shapes above 1, below 1 and both in one tile; then with those that need the law itself.
  const std::vector<double> choices[] = {{1.0, 2.0, 3.7, 50.0, 1e3},
                                         {0.9, 0.5, 0.1, 0.01, 1e-305},
                                         {0.4, 1.5, 0.999, 1.0, 2.5, 3.0},
                                         {2e8, nan, 1e25, 3.0, infinity, 0.3, 1e-305, 7.0}};
  for_each_device([&](gnp::device) {
    for (const law_in_tiles& law : laws) {
      for (std::size_t c = 0; c < 16; ++c) {
        const std::vector<double>& first = choices[c / 4];
        const std::vector<double>& second = choices[c % 4];
        // Where a parameter is no number, each beta number is tried as often as can be.
        const bool tried_long = law.name == std::string("beta") && std::max(c / 4, c % 4) == 3;
        for (const index_t n : {255, 256, 257, 1030}) {
          if (sanitized && tried_long && n != 257) continue;
          INFO(law.name << " " << c << " " << n);
          std::vector<double> a;
          std::vector<double> b;
          for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            a.push_back(first[i % first.size()]);
            b.push_back(second[i / 3 % second.size()]);
          }
          const array<double> arrays[] = {asarray(a), asarray(b)};
          CHECK(same_bits(named(law.name).of_arrays(generator(9), arrays, {n}), law.alone(a, b)));
          if (law.name != std::string("gamma")) continue;
          // One shape for all, each with its own scale, and shapes of 0.
          const array<double> scales[] = {asarray({first[0]}), arrays[1]};
          const std::vector<double> same(a.size(), first[0]);
          CHECK(same_bits(named("gamma").of_arrays(generator(9), scales, {n}), law.alone(same, b)));
          for (std::size_t i = 0; i < a.size(); i += 2) a[i] = 0;
          const array<double> zeros[] = {asarray(a), arrays[1]};
          CHECK(same_bits(named("gamma").of_arrays(generator(9), zeros, {n}), law.alone(a, b)));
        }
      }
    }
  });
}

TEST_CASE("numbers whose first try is made in tiles are those of each element's law") {
  // The test before this one says what arrays of parameters give. 256 elements make a tile; the last sizes end
  // within a group. Shapes about 1 take more steps below it, and from 1e8 on only the law's own condition
  // decides.
  for_each_device([](gnp::device) {
    for (const char* name : {"gamma", "standard_gamma", "chisquare", "beta", "f", "standard_t",
                             "noncentral_chisquare", "wald", "weibull", "laplace"}) {
      for (const double a : {1e-305, 0.01, 0.5, 1.0, 2.0, 3.7, 1e3, 2e8, 1e25, infinity}) {
        for (const double b : {0.4, 2.5, 1e9}) {
          INFO(name << " " << a << " " << b);
          const double p[] = {a, b};
          const array<double> arrays[] = {asarray({a}), asarray({b})};
          const index_t sizes[] = {255, 256, 257, 513, sanitized ? 1030 : 20002};
          for (const index_t n : sizes) {
            const std::vector<double> made = named(name).of_numbers(generator(9), p, {n});
            const std::vector<double> expected = named(name).of_arrays(generator(9), arrays, {n});
            REQUIRE(made.size() == expected.size());
            bool same = true;
            for (std::size_t i = 0; i < made.size(); ++i)
              same = same && std::bit_cast<std::uint64_t>(made[i]) == std::bit_cast<std::uint64_t>(expected[i]);
            CHECK(same);
          }
        }
      }
    }
    // The tiles of another type, and parameters for which nothing is drawn.
    const gnp::host_array<float> narrow = gnp::asnumpy(generator(3).gamma<float>(0.7, 3.0, {1000}));
    const gnp::host_array<double> wide = gnp::asnumpy(generator(3).gamma(0.7, 3.0, {1000}));
    for (index_t i = 0; i < 1000; ++i) CHECK(narrow(i) == static_cast<float>(wide(i)));
    for (const double x : as_doubles(generator(3).gamma(0.0, 3.0, {300}))) CHECK(x == 0);
    for (const double x : as_doubles(generator(3).gamma(nan, 3.0, {300}))) CHECK(std::isnan(x));
  });
}

/// Numbers by one law, each made alone.
template <class Law>
std::vector<double> one_by_one(const std::vector<double>& p, std::size_t count) {
  return one_by_one(9, gnp::scalar::same_law<double, Law>{Law::of(p.data())}, count);
}

TEST_CASE("counts whose first try is made in tiles are those of each element's law") {
  namespace scalar = gnp::scalar;
  for_each_device([](gnp::device) {
    // 256 elements make a tile, and so do 64 or more that are left. Means on both sides of 10, which is where
    // inversion ends; ranges of counts within and beyond what the table of a tile holds.
    for (const index_t n : {60, 64, 65, 255, 256, 257, 319, 320, 2051}) {
      INFO(n << " numbers");
      const auto count = static_cast<std::size_t>(n);
      std::vector<double> means;
      for (const double mean : {0.0, 0.5, 9.999, 10.0, 11.0, 50.0, 1e3, 1e6, 9e18}) {
        INFO("a mean of " << mean);
        const scalar::poisson_draw<double> draw{scalar::poisson_law_of(mean)};
        CHECK(same_bits(as_doubles(generator(9).poisson<double>(mean, {n})), one_by_one(9, draw, count)));
      }
      for (std::size_t i = 0; i < count; ++i) means.push_back(0.37 * static_cast<double>(i * i % 61));
      const scalar::by_element<scalar::poisson_laws<double, double>> by_mean{{{means.data(), count - 1, 0}}, 0};
      CHECK(same_bits(as_doubles(generator(9).poisson<double>(asarray(means), {n})),
                      one_by_one(9, by_mean, count)));

      // Shapes above 1, below 1 and both; small and large counts, and more than 64 bits hold.
      const std::vector<double> shapes[] = {{1.0, 5.0, 50.0, 1e5}, {0.5, 0.1, 1e-305}, {0.5, 1.0, 30.0, 0.9}};
      for (const std::vector<double>& shape : shapes) {
        std::vector<double> a;
        std::vector<double> p;
        for (std::size_t i = 0; i < count; ++i) {
          a.push_back(shape[i % shape.size()]);
          p.push_back(i % 3 == 0 ? 0.9 : i % 3 == 1 ? 0.3 : 0.05);
        }
        const array<double> arrays[] = {asarray(a), asarray(p)};
        CHECK(same_bits(named("negative_binomial").of_arrays(generator(9), arrays, {n}),
                        one_by_one<scalar::negative_binomial_law>(a, p)));
        for (const double alone : shape) {
          const std::vector<double> both = {alone, 0.2};
          INFO("negative binomial of " << alone);
          CHECK(same_bits(named("negative_binomial").of_numbers(generator(9), both.data(), {n}),
                          one_by_one<scalar::negative_binomial_law>(both, count)));
        }
      }
      const std::vector<double> far = {1e-3, 1e-17};
      CHECK(same_bits(named("negative_binomial").of_numbers(generator(9), far.data(), {n}),
                      one_by_one<scalar::negative_binomial_law>(far, count)));

      // Counts that one formula gives, counts that are tried again, and more than 64 bits hold.
      const auto counted = [&](const char* name, const auto& alone, const auto& each,
                               const std::vector<double>& values) {
        std::vector<double> a;
        for (const double value : values) {
          INFO(name << " of " << value);
          CHECK(same_bits(named(name).of_numbers(generator(9), &value, {n}), alone({value}, count)));
        }
        for (std::size_t i = 0; i < count; ++i) a.push_back(values[i * i % values.size()]);
        INFO(name << " of an array");
        const array<double> arrays[] = {asarray(a)};
        CHECK(same_bits(named(name).of_arrays(generator(9), arrays, {n}), each(a, a)));
      };
      using alone_t = std::vector<double> (*)(const std::vector<double>&, std::size_t);
      using each_t = std::vector<double> (*)(const std::vector<double>&, const std::vector<double>&);
      counted("geometric", alone_t(one_by_one<scalar::geometric_law>),
              each_t(one_by_one<scalar::geometric_law>), {1.0, 0.9, 0.5, 0.01, 1e-12, 1e-18, 1e-300});
      counted("logseries", alone_t(one_by_one<scalar::logseries_law>),
              each_t(one_by_one<scalar::logseries_law>), {0.0, 0.2, 0.6, 0.95, 0.9999, 1 - 0x1p-53});
      counted("zipf", alone_t(one_by_one<scalar::zipf_law>), each_t(one_by_one<scalar::zipf_law>),
              {1 + 0x1p-52, 1.01, 1.5, 2.0, 4.0, 100.0, 1025.0, 1e6});

      // Trials and chances on both sides of where inversion ends, and of 1/2.
      for (const std::int64_t n_of : {std::int64_t{0}, std::int64_t{1}, std::int64_t{20}, std::int64_t{1000},
                                      std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
        for (const double chance : {0.0, 1e-18, 0.00999, 0.01, 0.3, 0.5, 0.501, 0.99, 0.991, 1.0}) {
          INFO(n_of << " trials of " << chance);
          CHECK(same_bits(as_doubles(generator(9).binomial<double>(n_of, chance, {n})),
                          one_by_one(9, scalar::binomial_draw<double>::of(n_of, chance), count)));
        }
      }

      for (const std::vector<double>& urn : {std::vector<double>{30, 40, 8},
                                             {30, 40, 10},
                                             {300, 400, 100},
                                             {400, 300, 600},
                                             {0, 40, 20},
                                             {15, 15, 15},
                                             {1e6, 2e6, 1e5},
                                             {999999999, 1, 999999},
                                             {999999999, 999999998, 999999997}}) {
        INFO("an urn with " << urn[0] << " " << urn[1] << " " << urn[2]);
        CHECK(same_bits(named("hypergeometric").of_numbers(generator(9), urn.data(), {n}),
                        one_by_one<scalar::hypergeometric_law>(urn, count)));
      }
      // Numbers of trials and urns of which some are the same, and others not.
      std::vector<std::int64_t> trials;
      std::vector<double> chances;
      std::vector<double> good;
      std::vector<double> drawn;
      for (std::size_t i = 0; i < count; ++i) {
        trials.push_back(static_cast<std::int64_t>(i % 5 == 4 ? i : 100 * (i % 7)));
        chances.push_back(i % 2 == 0 ? 0.3 : 0.003 * static_cast<double>(i % 300));
        good.push_back(static_cast<double>(40 + i % 3));
        drawn.push_back(static_cast<double>(i % 5 == 4 ? i % 60 : 5 * (i % 7)));
      }
      const scalar::by_element<scalar::binomial_laws<double, double, std::int64_t>> by_both{
          {{trials.data(), count - 1, 0}, {chances.data(), count - 1, 0}}, 0};
      CHECK(same_bits(as_doubles(generator(9).binomial<double>(asarray(trials), asarray(chances), {n})),
                      one_by_one(9, by_both, count)));
      scalar::own_law<double, scalar::hypergeometric_law> urns{};
      urns.given[0] = {good.data(), count - 1, 0};
      urns.given[1] = {nullptr, 0, 30};
      urns.given[2] = {drawn.data(), count - 1, 0};
      const array<std::int64_t> whole_drawn = asarray(drawn).astype<std::int64_t>();
      for (const double more : {0.0, 470.0, 952.0, 5000.0}) {  // a table has the logarithms up to 1023 items
        INFO("urns with " << more << " more good items");
        std::vector<double> larger = good;
        for (double& items : larger) items += more;
        urns.given[0] = {larger.data(), count - 1, 0};
        const array<std::int64_t> whole_good = asarray(larger).astype<std::int64_t>();
        CHECK(same_bits(as_doubles(generator(9).hypergeometric<double>(whole_good, 30, whole_drawn, {n})),
                        one_by_one(9, urns, count)));
      }

      for (const std::vector<double>& f :
           {std::vector<double>{4, 6, 2}, {0.5, 6, 2}, {1.5, 0.5, 2}, {4, 6, 0}}) {
        INFO("a noncentral F law of " << f[0] << " " << f[1] << " " << f[2]);
        CHECK(same_bits(named("noncentral_f").of_numbers(generator(9), f.data(), {n}),
                        one_by_one<scalar::noncentral_f_law>(f, count)));
        std::vector<double> above;
        for (std::size_t i = 0; i < count; ++i) above.push_back(i % 2 == 0 ? f[0] : 1.4);
        scalar::own_law<double, scalar::noncentral_f_law> draw{};
        draw.given[0] = {above.data(), count - 1, 0};
        draw.given[1] = {nullptr, 0, f[1]};
        draw.given[2] = {nullptr, 0, f[2]};
        const array<double> arrays[] = {asarray(above), asarray({f[1]}), asarray({f[2]})};
        CHECK(
            same_bits(named("noncentral_f").of_arrays(generator(9), arrays, {n}), one_by_one(9, draw, count)));
      }
    }
  });
}

TEST_CASE("both devices make the same numbers of the other laws") {
  if (!gnp::cuda_available()) return;
  for (const std::string& line : golden::split(golden::read_file("distributions.txt"), "\n")) {
    if (line.empty()) continue;
    const std::vector<std::string> fields = golden::split(line, ";");
    INFO(fields.at(0) << " of " << fields.at(1));
    const std::vector<double> p = parsed(fields.at(1));
    const distribution& d = named(fields.at(0));
    for (const index_t n : {1, 6, 100003}) {
      const auto on = [&](gnp::device where) { return d.of_numbers(generator(77, where), p.data(), {n}); };
      CHECK(on(gnp::device::cpu()) == on(gnp::device::cuda(0)));
    }
  }
}

TEST_CASE("a seed's numbers of the other laws stay what they are") {
  // Whatever the compiler, its options, the processor and the device.
  for_each_device([](gnp::device) {
    std::uint64_t hash = 14695981039346656037U;
    for (const std::string& line : golden::split(golden::read_file("distributions.txt"), "\n")) {
      if (line.empty()) continue;
      const std::vector<std::string> fields = golden::split(line, ";");
      for (const double x : named(fields.at(0)).of_numbers(generator(1), parsed(fields.at(1)).data(), {1001})) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211U;
      }
    }
    CHECK(hash == 0x7084028482f8f726U);
  });
}

/// Mean and variance, of numbers that are close to normal.
void check_moments(const std::vector<double>& x, double mean, double deviation) {
  const auto n = static_cast<double>(x.size());
  std::vector<double> z = x;
  for (double& v : z) v = (v - mean) / deviation;
  CHECK(std::abs(mean_of(z)) < 4 / std::sqrt(n));
  CHECK(std::abs(moment(z, 0, 2) - 1) < 4 * std::sqrt(2 / n));
  CHECK(kolmogorov_smirnov(z, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < ks_limit);
}

TEST_CASE("extreme parameters") {
  for_each_device([](gnp::device here) {
    const shape_t many{sanitized ? 10000 : 100000};
    check_moments(as_doubles(generator(1).standard_gamma(1e12, many)), 1e12, 1e6);
    check_moments(as_doubles(generator(2).chisquare(2e14, many)), 2e14, 2e7);
    check_moments(as_doubles(generator(3).beta(1e12, 1e12, many)), 0.5, 0.5 / std::sqrt(2e12 + 1));
    check_moments(as_doubles(generator(4).vonmises(0, 1e14, many)), 0, 1e-7);
    check_moments(as_doubles(generator(5).negative_binomial(1e13, 0.5, many)), 1e13, std::sqrt(2e13));
    check_moments(as_doubles(generator(6).wald(1, 1e14, many)), 1, 1e-7);
    check_moments(as_doubles(generator(7).noncentral_chisquare(3, 1e12, many)), 1e12 + 3, 2e6);
    check_moments(as_doubles(generator(8).standard_t(1e15, many)), 0, 1);
    check_moments(as_doubles(generator(9).hypergeometric(999999999, 999999999, 1000000000, many)), 499999999.75,
                  std::sqrt(1e9 / 8));
    // Where the numbers are too small for the type, they are 0, and beta numbers are one end or the other.
    for (const double v : as_doubles(generator(1).standard_gamma(1e-9, {1000}))) CHECK((v >= 0 && v < 1e-100));
    const std::vector<double> ends = as_doubles(generator(1).beta(1e-200, 3e-200, {40000}));
    for (const double v : ends) CHECK((v == 0 || v == 1));
    CHECK(std::abs(mean_of(ends) - 0.25) < 0.01);
    // Numbers that only a double below 1e-308 holds are not rounded to 0; the devices agree on their bits.
    const auto least = [](gnp::device where) {
      return as_doubles(generator(1, where).beta(1e-3, 1e-3, {10000}));
    };
    const std::vector<double> vanishing = least(here);
    CHECK(std::any_of(vanishing.begin(), vanishing.end(), [](double v) { return v > 0 && v < 1e-310; }));
    CHECK(vanishing == least(gnp::device::cpu()));
    for (const double v : as_doubles(generator(1).power(1e-9, {1000}))) CHECK((v >= 0 && v < 1e-3));
    for (const double v : as_doubles(generator(1).geometric(1e-300, {10}))) CHECK(v == 9223372036854775807.0);
    for (const double v : as_doubles(generator(1).geometric(1, {10}))) CHECK(v == 1);
    for (const double v : as_doubles(generator(1).logseries(0, {10}))) CHECK(v == 1);
    for (const double v : as_doubles(generator(1).logseries(1 - 0x1p-53, {1000}))) CHECK(v >= 1);
    for (const double v : as_doubles(generator(1).zipf(2000, {10}))) CHECK(v == 1);
    for (const double v : as_doubles(generator(1).zipf(1 + 1e-10, {1000}))) CHECK(v >= 1);
    for (const double v : as_doubles(generator(1).zipf(infinity, {10}))) CHECK(v == 1);
    for (const double v : as_doubles(generator(1).weibull(0, {10}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).gamma(0, 2, {10}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).gamma(2, 0, {10}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).laplace(3, 0, {10}))) CHECK(v == 3);
    for (const double v : as_doubles(generator(1).negative_binomial(5, 1, {10}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).vonmises(1, infinity, {10}))) CHECK(v == 1);
    for (const double v : as_doubles(generator(1).hypergeometric(0, 5, 5, {10}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).hypergeometric(50, 0, 30, {10}))) CHECK(v == 30);
    for (const double v : as_doubles(generator(1).hypergeometric(0, 0, 0, {10}))) CHECK(v == 0);
    for (const double v : as_doubles(generator(1).hypergeometric(30, 50, 80, {10}))) CHECK(v == 30);
    // About another angle, all stay on the circle.
    for (const double mu : {3.0, -3.1, 100.0}) {
      const std::vector<double> angles = as_doubles(generator(1).vonmises(mu, 5, {20000}));
      double sine = 0;
      double cosine = 0;
      for (const double v : angles) {
        CHECK(std::abs(v) <= 3.1415926535897936);
        sine += std::sin(v);
        cosine += std::cos(v);
      }
      CHECK(std::abs(std::remainder(std::atan2(sine, cosine) - mu, 2 * 3.14159265358979323846)) < 0.02);
    }
    // As NumPy: what is no number gives none.
    for (const std::vector<double>& x :
         {as_doubles(generator(1).gamma(nan, 1, {3})), as_doubles(generator(1).beta(1, nan, {3})),
          as_doubles(generator(1).standard_t(nan, {3})), as_doubles(generator(1).vonmises(0, nan, {3})),
          as_doubles(generator(1).vonmises(nan, 1, {3})), as_doubles(generator(1).wald(nan, 1, {3})),
          as_doubles(generator(1).noncentral_f(1, 1, nan, {3})),
          as_doubles(generator(1).triangular(nan, 0, 0, {3}))}) {
      for (const double v : x) CHECK(std::isnan(v));
    }
  });
}

TEST_CASE("types, layouts and lengths of the other laws") {
  for_each_device([](gnp::device) {
    CHECK(generator(1).gamma(2).ndim() == 0);
    CHECK(generator(1).gamma<float>(2, 1, {2, 0, 3}).shape() == shape_t{2, 0, 3});
    CHECK(generator(1).geometric(0.5, 3).dtype() == gnp::dtype::int64);
    // A float is the double, rounded; halves too.
    const std::vector<double> x = as_doubles(generator(3).gamma(2.5, 1, {1001}));
    const std::vector<double> y = as_doubles(generator(3).gamma<float>(2.5, 1, {1001}));
    const std::vector<double> z = as_doubles(generator(3).gamma<gnp::half>(2.5, 1, {1001}));
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(y[i] == static_cast<float>(x[i]));
      CHECK(std::abs(z[i] / x[i] - 1) < 1e-3);
    }
    const std::vector<double> counts = as_doubles(generator(4).geometric(0.2, {1000}));
    CHECK(as_doubles(generator(4).geometric<std::uint16_t>(0.2, {1000})) == counts);
    CHECK(as_doubles(generator(4).geometric<float>(0.2, {1000})) == counts);
    // An array's parameters of any type and layout: a number, a row and a column.
    const array<float> row = asarray<float>({0.5F, 1, 4, 9});
    const array<int> column = gnp::expand_dims(asarray<int>({1, 1000}), 1);
    const std::vector<double> table = as_doubles(generator(5).gamma(gnp::flip(row), column));
    const std::vector<double> plain =
        as_doubles(generator(5).gamma(asarray<double>({9, 4, 1, 0.5}), 1.0, {2, 4}));
    for (std::size_t i = 0; i < 8; ++i) CHECK(table[i] == Approx(plain[i] * (i < 4 ? 1 : 1000)).epsilon(1e-15));
    CHECK(generator(1).gamma(gnp::zeros<double>({0})).size() == 0);
    CHECK(generator(1).gamma(row * 2, 1, {3, 4}).shape() == shape_t{3, 4});
    // The module's functions are the generator's.
    gnp::random::seed(9);
    const std::vector<double> first = as_doubles(gnp::random::triangular(0, 1, 2, {5}));
    const std::vector<double> second = as_doubles(gnp::random::standard_cauchy<float>(3));
    generator g(9);
    CHECK(first == as_doubles(g.triangular(0, 1, 2, {5})));
    CHECK(second == as_doubles(g.standard_cauchy<float>(3)));
  });
}

TEST_CASE("wrong parameters of the other laws are named as NumPy names them") {
  for_each_device([](gnp::device) {
    generator g(1);
    CHECK_THROWS_WITH(g.gamma(-1, 2), "gamma: shape < 0, got shape = -1");
    CHECK_THROWS_WITH(g.gamma(-0.0, 2), contains("gamma: shape < 0"));
    CHECK_THROWS_WITH(g.gamma(1, -2), contains("gamma: scale < 0"));
    CHECK_THROWS_WITH(g.gamma(asarray<double>({1, 2, -3})), "gamma: shape < 0, at (2,)");
    CHECK_THROWS_WITH(g.gamma(asarray<double>({{1, -0.0}})), contains("gamma: shape < 0, at (0, 1)"));
    CHECK(std::isnan(g.gamma(asarray<double>({nan}))(0).item()));
    CHECK_THROWS_WITH(g.beta(0, 1), contains("beta: a <= 0"));
    CHECK_THROWS_WITH(g.chisquare(0), contains("chisquare: df <= 0"));
    CHECK_THROWS_WITH(g.f(1, -1), contains("f: dfden <= 0"));
    CHECK_THROWS_WITH(g.noncentral_chisquare(1, -1), contains("noncentral_chisquare: nonc < 0"));
    CHECK_THROWS_WITH(g.noncentral_f(0, 1, 1), contains("noncentral_f: dfnum <= 0"));
    CHECK_THROWS_WITH(g.standard_t(0), contains("standard_t: df <= 0"));
    CHECK_THROWS_WITH(g.laplace(0, -1), contains("laplace: scale < 0"));
    CHECK_THROWS_WITH(g.rayleigh(asarray<float>({1, -1})), "rayleigh: scale < 0, at (1,)");
    CHECK_THROWS_WITH(g.weibull(-1), contains("weibull: a < 0"));
    CHECK_THROWS_WITH(g.pareto(0), contains("pareto: a <= 0"));
    CHECK_THROWS_WITH(g.power(0), contains("power: a <= 0"));
    CHECK_THROWS_WITH(g.triangular(1, 0, 2), "triangular: left > mode");
    CHECK_THROWS_WITH(g.triangular(0, 3, 2), "triangular: mode > right");
    CHECK_THROWS_WITH(g.triangular(0, 0, 0), "triangular: left == right");
    CHECK_THROWS_WITH(g.triangular(asarray<double>({0, 1}), 0.5, 2), "triangular: left > mode, at (1,)");
    CHECK_THROWS_WITH(g.vonmises(0, -1), contains("vonmises: kappa < 0"));
    CHECK_THROWS_WITH(g.wald(0, 1), contains("wald: mean <= 0"));
    CHECK_THROWS_WITH(g.geometric(0), contains("geometric: p <= 0, p > 1 or p contains NaNs"));
    CHECK_THROWS_WITH(g.geometric(asarray<double>({1, nan})), contains("p contains NaNs, at (1,)"));
    CHECK_THROWS_WITH(g.negative_binomial(0, 0.5), contains("negative_binomial: n <= 0"));
    CHECK_THROWS_WITH(g.negative_binomial(1e10, 1e-15),
                      contains("negative_binomial: n too large or p too small"));
    CHECK_THROWS_WITH(g.negative_binomial(asarray<double>({1, 1e10}), asarray<double>({1, 1e-15})),
                      contains("n too large or p too small, at (1,)"));
    CHECK_THROWS_WITH(g.hypergeometric(-1, 2, 1), contains("hypergeometric: ngood < 0"));
    CHECK_THROWS_WITH(g.hypergeometric(1, 2, 4), "hypergeometric: ngood + nbad < nsample");
    CHECK_THROWS_WITH(g.hypergeometric(1000000000, 2, 4),
                      "hypergeometric: both ngood and nbad must be less than 1000000000");
    CHECK_THROWS_WITH(g.hypergeometric(asarray<int>({4, 1}), 2, 4),
                      "hypergeometric: ngood + nbad < nsample, at (1,)");
    CHECK_THROWS_WITH(g.logseries(1), contains("logseries: p < 0, p >= 1 or p is NaN"));
    CHECK_THROWS_WITH(g.zipf(1), contains("zipf: a <= 1 or a is NaN"));
    CHECK_THROWS_WITH(g.zipf(nan), contains("zipf: a <= 1 or a is NaN"));
    CHECK_THROWS_AS(g.gamma(gnp::ones<double>({3}), 1, {2}), gnp::shape_error);
    CHECK_THROWS_AS(g.gamma(gnp::ones<double>({3}), gnp::ones<double>({2})), gnp::shape_error);
  });
}

}  // namespace
