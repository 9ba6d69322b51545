// SPDX-License-Identifier: MIT
// test: tsan, timeout=600, optimised
// Random numbers: Philox's published vectors, cuRAND's order, the same bits on both devices, uniform, normal,
// integers.
#include <array>
#include <set>
#include <thread>

#include "devices.hpp"
#include "distributions.hpp"

namespace {

using gnp::index_t;
using gnp::random::default_rng;
using gnp::random::generator;

constexpr std::uint64_t seed = 1234567890123456789U;

TEST_CASE("Philox gives Random123's known answers") {
  using gnp::scalar::words4;
  const auto check = [](words4 counter, std::uint64_t key0, std::uint64_t key1,
                        std::array<unsigned, 4> answer) {
    const words4 w =
        gnp::scalar::philox(counter, gnp::detail::numbers_of_call{key0 | key1 << 32, 0}.from(0).keys);
    CHECK(std::array<unsigned, 4>{w.x, w.y, w.z, w.w} == answer);
  };
  check({0, 0, 0, 0}, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check({~0U, ~0U, ~0U, ~0U}, ~0U, ~0U, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0,
        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

// What cuRAND 10.4's host generator CURAND_RNG_PSEUDO_PHILOX4_32_10 makes of this seed.
constexpr index_t places[] = {0, 1, 2, 3, 4, 5, 262143, 262144, 262149, 400001, 524287};
constexpr float curand_uniform[] = {0.818200827F, 0.557610273F,  0.928143919F,  0.535482824F,
                                    0.145505771F, 0.0454648063F, 0.0441503897F, 0.841316223F,
                                    0.315358579F, 0.0310789645F, 0.608872414F};
constexpr double curand_uniform_double[] = {0.55761018434429577,  0.53548250180639712,  0.92920628539649663,
                                            0.011746478625732804, 0.045464858877428405, 0.26867043446960709,
                                            0.60887275825658937,  0.70702089924877587,  0.16586061190504248,
                                            0.34629658349832765,  0.53258921963800332};
constexpr float curand_normal[] = {-0.224329323F, -0.592428267F, -0.0853861049F, -0.376624674F,
                                   0.553285182F,  1.88386691F,   0.838209271F,   -0.252947807F,
                                   -0.807501554F, 2.02994275F,   -0.591097176F};
constexpr double curand_normal_double[] = {-0.23897212900912757, -1.0540790443558385, 0.028257175173196598,
                                           0.38216561808922295,  2.4692006019938959,  -0.29099751664998141,
                                           -1.0023386155938936,  -0.5077360592293898, 0.7537110262393184,
                                           -0.83571398766928751, -1.6234240571150902};

TEST_CASE("the first call is cuRAND's sequence") {
  for_each_device([](gnp::device) {
    const auto f = gnp::asnumpy(default_rng(seed).random<float>({1 << 19}));
    const auto d = gnp::asnumpy(default_rng(seed).random({1 << 19}));
    const auto nf = gnp::asnumpy(default_rng(seed).standard_normal<float>({1 << 19}));
    const auto nd = gnp::asnumpy(default_rng(seed).standard_normal({1 << 19}));
    for (std::size_t i = 0; i < std::size(places); ++i) {
      CHECK(f[places[i]] == curand_uniform[i]);
      CHECK(d[places[i]] == curand_uniform_double[i]);
      CHECK(std::abs(nf[places[i]] - curand_normal[i]) <
            3e-6);  // its sine's argument has been rounded to float
      CHECK(std::abs(nd[places[i]] - curand_normal_double[i]) < 2e-15);
    }
  });
}

TEST_CASE("every element is made of the words that belong to it") {
  // Around the 64 groups that the CPU fills at a time, and across the 65536 groups of a column. The second
  // call's number has bits in the upper word of the counter, too.
  for (const std::uint64_t call : {std::uint64_t{3}, (std::uint64_t{5} << 32) + 7}) {
    const gnp::scalar::random_source source = gnp::detail::numbers_of_call{seed, call}.from(0);
    const auto at_call = [call] {
      generator g(seed, gnp::device::cpu());
      g.advance(call);
      return g;
    };
    for (const index_t n : {1, 4, 252, 253, 256, 257, 511, 512, 516, 262144 + 300}) {
      INFO("call " << call << ", count " << n);
      const auto integers = gnp::asnumpy(at_call().integers<std::uint32_t>(0, index_t{1} << 32, {n}));
      const auto wide = gnp::asnumpy(at_call().random<double>({n}));
      index_t wrong = 0;
      for (index_t i = 0; i < n; ++i) {
        const auto one = source.group(static_cast<unsigned>(i / 4));
        const unsigned words[4] = {one.x, one.y, one.z, one.w};
        wrong += integers[i] != words[i % 4] ? 1 : 0;
        const auto two = source.half_group(static_cast<unsigned>(i / 2));
        const double u = i % 2 == 0 ? gnp::scalar::unit(two.x, two.y) : gnp::scalar::unit(two.z, two.w);
        wrong += wide[i] != (u < 1 ? u : std::nextafter(1.0, 0.0)) ? 1 : 0;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("normal numbers are those of the formula") {
  // Box and Muller's transform of the words, in double; the float result is that to a few ulp.
  const index_t n = 1 << 20;
  const gnp::scalar::random_source source = gnp::detail::numbers_of_call{7, 0}.from(0);
  for_each_device([&](gnp::device) {
    const auto z = gnp::asnumpy(default_rng(7).standard_normal<float>({n}));
    double worst = 0;
    for (index_t i = 0; i < n; i += 2) {
      const auto w = source.group(static_cast<unsigned>(i / 4));
      const unsigned x = i % 4 == 0 ? w.x : w.z;
      const unsigned y = i % 4 == 0 ? w.y : w.w;
      const double u = static_cast<double>(static_cast<float>(x) * 0x1p-32F + 0x1p-33F);
      const double r = std::sqrt(-2 * std::log(u));
      const double angle = 2 * 3.14159265358979323846 * y * 0x1p-32;
      worst = std::max({worst, std::abs(z[i] - r * std::sin(angle)), std::abs(z[i + 1] - r * std::cos(angle))});
    }
    CHECK(worst < 1.2e-6);  // of numbers up to 6.8
  });
}

TEST_CASE("both devices make the same numbers") {
  // Counts that end within a group of four, within a block of threads, and past cuRAND's 65536 columns.
  for (const index_t n : {1, 2, 3, 5, 1021, 262145, 1000003}) {
    INFO("count " << n);
    const gnp::shape_t shape{n};
    CHECK(same_on_both_devices([&](generator& g) { return g.random<float>(shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.random(shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.uniform<float>(-1.1, 3.3, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.uniform(-1.1, 3.3, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.uniform<gnp::half>(-1.1, 3.3, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.uniform<gnp::bfloat16>(-1.1, 3.3, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.normal<float>(0.3, 1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.normal(0.3, 1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.normal<gnp::half>(0.3, 1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.normal<gnp::bfloat16>(0.3, 1.7, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.integers(0, 10, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.integers<std::int8_t>(-100, 100, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.integers<bool>(0, 2, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.integers<std::uint32_t>(0, 3000000000U, shape); }));
    CHECK(same_on_both_devices([&](generator& g) { return g.integers(0, 3000000000000000000, shape); }));
    CHECK(same_on_both_devices(
        [&](generator& g) { return g.integers<std::uint64_t>(0, ~0ULL, shape, {.endpoint = true}); }));
  }
}

TEST_CASE("a seed's 64 bits all count, and calls go on") {
  for_each_device([](gnp::device) {
    std::set<std::vector<unsigned char>> seen;
    for (int bit = 0; bit < 64; ++bit)
      seen.insert(bits(default_rng(std::uint64_t{1} << bit).random<float>({8})));
    CHECK(seen.size() == 64);
    CHECK(bits(default_rng(5).random<float>({8})) == bits(default_rng(5).random<float>({8})));
    CHECK(bits(default_rng().random<float>({8})) != bits(default_rng().random<float>({8})));

    // Whatever the sizes and types of the calls before, none included.
    generator a(3);
    generator b(3);
    static_cast<void>(a.random<float>({7}));
    static_cast<void>(a.integers(0, 9, {0}));
    static_cast<void>(b.normal(0, 1.0, {3, 5}));
    static_cast<void>(b.random());
    const auto third = bits(a.random({100}));
    CHECK(third == bits(b.random({100})));
    CHECK(third != bits(a.random({100})));
    generator copy = a;
    CHECK(bits(copy.random({100})) == bits(a.random({100})));
  });
}

TEST_CASE("no two calls share numbers") {
  std::set<float> seen;
  generator g(11, gnp::device::cpu());
  std::size_t total = 0;
  for (int call = 0; call < 20; ++call) {
    const auto x = g.integers<std::uint64_t>(0, ~0ULL, {100}, {.endpoint = true}).get();
    total += 100;
    seen.insert(x.begin(), x.end());
  }
  CHECK(seen.size() > total - 5);
}

TEST_CASE("shapes and types") {
  for_each_device([](gnp::device d) {
    generator g(1);
    CHECK(g.random().shape() == gnp::shape_t{});
    CHECK(g.random().item() < 1);
    CHECK(g.random<float>({2, 3, 4}).shape() == gnp::shape_t{2, 3, 4});
    CHECK(g.random<float>({2, 0, 4}).size() == 0);
    CHECK(g.uniform(0, 1, {5}).device() == d);
    CHECK(g.integers(10).shape() == gnp::shape_t{});
    CHECK(g.integers(10, {4}).shape() == gnp::shape_t{4});
    CHECK(g.integers(0, 10, {4, 2}).dtype() == gnp::dtype::int64);
    CHECK(g.random({4}).dtype() == gnp::dtype::float64);
    CHECK(generator(1, gnp::device::cpu()).random({4}).device().is_cpu());
  });
}

TEST_CASE("a size is a shape of one dimension, and an axis has a position") {
  namespace r = gnp::random;
  for_each_device([](gnp::device) {
    generator g(8);
    const gnp::shape_t five{5};
    const std::size_t n = 5;
    const std::vector<int> sizes{2, 3};
    CHECK(g.random(5).shape() == five);
    CHECK(g.random({5}).shape() == five);
    CHECK(g.random(sizes).shape() == gnp::shape_t{2, 3});
    CHECK(g.random({n, 3}).shape() == gnp::shape_t{5, 3});
    CHECK(g.standard_normal(n).shape() == five);
    CHECK(g.standard_exponential(5).shape() == five);
    CHECK(g.normal(0, 1, n).shape() == five);
    CHECK(g.normal(3).shape() == gnp::shape_t{});
    CHECK(g.normal(gnp::zeros(5)).shape() == five);
    CHECK(g.normal(0, gnp::ones(5), {2, 5}).shape() == gnp::shape_t{2, 5});
    CHECK(g.uniform(0, 1, sizes).shape() == gnp::shape_t{2, 3});
    CHECK(g.lognormal(0, 1, 5).shape() == five);
    CHECK(g.exponential(2, 5).shape() == five);
    CHECK(g.poisson(2, 5).shape() == five);
    CHECK(g.binomial(10, 0.5, n).shape() == five);
    CHECK(g.integers(0, 10, 5).shape() == five);
    CHECK(g.integers(10, {5}).shape() == five);
    CHECK(g.choice(10, 5).shape() == five);
    CHECK(r::random<float>(5).shape() == five);
    CHECK(r::uniform(0, 1, n).shape() == five);
    CHECK(r::normal(0, 1, 5).shape() == five);
    CHECK(r::standard_normal(n).shape() == five);
    CHECK(r::standard_exponential(n).shape() == five);
    CHECK(r::lognormal(0, 1, n).shape() == five);
    CHECK(r::exponential(1, n).shape() == five);
    CHECK(r::poisson(1, n).shape() == five);
    CHECK(r::binomial(4, 0.5, 5).shape() == five);
    CHECK(r::integers(0, 10, n).shape() == five);
    CHECK(r::randint(0, 10, n).shape() == five);
    CHECK(r::randint(10, five).shape() == five);
    CHECK(r::choice(10, n).shape() == five);
    CHECK(r::rand(n, 2).shape() == gnp::shape_t{5, 2});
    CHECK(r::randn(5U).shape() == five);
    // A number alone is the end, a list in braces nothing but a shape.
    CHECK(g.integers(1).item() == 0);
    CHECK(g.choice(1, {}).item() == 0);
    const gnp::array<std::int64_t> table = gnp::arange(20).reshape(4, 5);
    CHECK(gnp::array_equal(generator(2).permutation(table, 1), generator(2).permutation(table, {.axis = 1})));
    CHECK(gnp::array_equal(sum(generator(2).permutation(table, 1), 1), sum(table, 1)));
    gnp::array<std::int64_t> shuffled = table.copy();
    generator(2).shuffle(shuffled, -1);
    CHECK(gnp::array_equal(shuffled, generator(2).permutation(table, 1)));
    CHECK_THROWS_AS(g.random(-5), gnp::shape_error);
  });
}

TEST_CASE("an array of more than one launch goes on where the first ended") {
  if (!gnp::cuda_available()) {
    say_that_cuda_was_skipped();
    return;
  }
  const index_t count = (index_t{1} << 32) + 7;
  const auto x = generator(13, gnp::device::cuda(0)).integers<std::uint8_t>(0, 256, {count});
  const gnp::scalar::random_source source = gnp::detail::numbers_of_call{13, 0}.from(0);
  for (const index_t i : {index_t{0}, count / 2 + 3, count - 9, count - 8, count - 7, count - 2, count - 1}) {
    const auto group = static_cast<unsigned long long>(i / 4);
    const gnp::scalar::words4 w = source.at(group >> 16, static_cast<unsigned>(group) & 65535U);
    const unsigned words[4] = {w.x, w.y, w.z, w.w};
    CHECK(static_cast<unsigned>(x.item(i)) == words[i % 4] >> 24);
  }
}

// ------------------------------------------------------------------------------------------------ uniform

constexpr int many = sanitized ? 60000 : 300000;

template <class T>
void check_uniform(double low, double high) {
  INFO(gnp::name(gnp::dtype_of<T>) << " from " << low << " to " << high);
  const std::vector<double> x = as_doubles(generator(99).uniform<T>(low, high, {many}));
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  CHECK(*least >= low);
  CHECK(*most < high);
  if (!std::is_same_v<T, float> && !std::is_same_v<T, double>) return;  // too coarse for what follows
  CHECK(kolmogorov_smirnov(x, [&](double v) { return (v - low) / (high - low); }) < ks_limit);
  const double width = high - low;
  CHECK(std::abs(mean_of(x) - (low + high) / 2) < 4 * width * std::sqrt(1.0 / 12 / many));
  CHECK(std::abs(moment(x, (low + high) / 2, 2) / (width * width / 12) - 1) < (sanitized ? 0.02 : 0.01));
}

TEST_CASE("uniform numbers are uniform, and the end is open") {
  for_each_device([](gnp::device) {
    for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-1.0, 1.0}, {1000.0, 1001.0}, {-3e4, 6e4}}) {
      check_uniform<float>(low, high);
      check_uniform<double>(low, high);
      check_uniform<gnp::half>(low, high);
      check_uniform<gnp::bfloat16>(low, high);
    }
    // Where nearly every product rounds to the end.
    const std::vector<double> x = as_doubles(generator(1).uniform<float>(1, 1.0 + 0x1p-22, {10000}));
    for (const double v : x) REQUIRE((v >= 1 && v < 1.0 + 0x1p-22));
    // 3 is no neighbour of 3.0001 in float16: only the former is inside.
    for (const double v : as_doubles(generator(1).uniform<gnp::half>(3, 3.0001, {100}))) REQUIRE(v == 3);
    for (const double v : as_doubles(generator(1).uniform(2.5, 2.5, {100}))) REQUIRE(v == 2.5);
  });
}

TEST_CASE("the largest word stays below one") {
  // 0xffffffff and the 127 words below it make 1 in float32.
  CHECK(gnp::scalar::unit(0xffffffffU) == 1.0F);
  const auto draw = gnp::detail::uniform_between<float>("uniform", 0, 1);
  CHECK(draw.most == std::nextafter(1.0F, 0.0F));
  CHECK(gnp::detail::uniform_between<double>("uniform", 0, 1).most == std::nextafter(1.0, 0.0));
  CHECK(gnp::detail::uniform_between<gnp::half>("uniform", 0, 1).most == 1.0F - 0x1p-11F);
  // Word 3099877 of seed 5 is 0xffffffce, of which cuRAND makes 1.
  for_each_device([](gnp::device) {
    const index_t place = 3099877;
    CHECK(generator(5).random<float>({place + 1}).item(-1) == std::nextafter(1.0F, 0.0F));
    CHECK(generator(5).uniform<float>(-2, 3, {place + 1}).item(-1) < 3.0F);
    CHECK(generator(5).random<gnp::half>({place + 1}).item(-1) == 1.0F - 0x1p-11F);
  });
}

// ------------------------------------------------------------------------------------------------- normal

double normal_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

template <class T>
void check_normal(double loc, double scale, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << loc << " " << scale);
  const int n = many;
  std::vector<double> x = as_doubles(generator(31).normal<T>(loc, scale, {n}));
  for (double& v : x) v = (v - loc) / scale;
  CHECK(std::abs(mean_of(x)) < 4 / std::sqrt(n) + tolerance);
  CHECK(std::abs(moment(x, 0, 2) - 1) < 4 * std::sqrt(2.0 / n) + tolerance);
  CHECK(std::abs(moment(x, 0, 3)) < 4 * std::sqrt(15.0 / n) + tolerance);
  CHECK(std::abs(moment(x, 0, 4) - 3) < 4 * std::sqrt(96.0 / n) + 4 * tolerance);
  if (tolerance == 0) CHECK(kolmogorov_smirnov(x, normal_below) < ks_limit);
  // Neighbours, which share a radius, are not correlated.
  double products = 0;
  for (std::size_t i = 0; i + 1 < x.size(); i += 2) products += x[i] * x[i + 1];
  CHECK(std::abs(products / (n / 2)) < 4 / std::sqrt(n / 2) + tolerance);
}

TEST_CASE("normal numbers are normal") {
  for_each_device([](gnp::device) {
    for (const auto& [loc, scale] : {std::pair{0.0, 1.0}, {-2.0, 0.5}, {100.0, 30.0}}) {
      check_normal<float>(loc, scale, 0);
      check_normal<double>(loc, scale, 0);
      check_normal<gnp::half>(loc, scale, 0.01);
      check_normal<gnp::bfloat16>(loc, scale, 0.01);
    }
    for (const double v : as_doubles(generator(1).normal(2.5, 0, {100}))) REQUIRE(v == 2.5);
  });
}

// ----------------------------------------------------------------------------------------------- integers

template <class T>
void check_integers(long long low, long long high, int n) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << low << " " << high);
  const auto cells = static_cast<std::size_t>(high - low);
  std::vector<double> counts(cells);
  for (const double v : as_doubles(generator(17).integers<T>(low, high, {n}))) {
    REQUIRE((v >= static_cast<double>(low) && v < static_cast<double>(high)));
    ++counts[static_cast<std::size_t>(v - static_cast<double>(low))];
  }
  const chi_square test(counts,
                        std::vector<double>(cells, static_cast<double>(n) / static_cast<double>(cells)));
  CHECK(test.statistic < test.limit);
}

TEST_CASE("integers are equally likely") {
  for_each_device([](gnp::device) {
    check_integers<std::int64_t>(0, 10, 100000);
    check_integers<std::int64_t>(-7, 3, 100000);
    check_integers<std::int32_t>(0, 1000, 300000);
    check_integers<std::int16_t>(-32768, 32768, 2000000);
    check_integers<std::uint16_t>(5, 12, 100000);
    check_integers<std::int8_t>(-128, 128, 200000);
    check_integers<std::uint8_t>(0, 256, 200000);
    check_integers<std::uint8_t>(0, 3, 100000);
    check_integers<std::uint32_t>(0, 6, 100000);
    check_integers<std::uint64_t>(0, 100, 100000);
    check_integers<bool>(0, 2, 100000);
  });
}

/// Ranges of which many words must be drawn again. Without that, of each three integers one would come up twice
/// as often where the width is 3 / 4 of a power of two.
template <class T>
void check_thirds(T low, T high) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << low << " " << high);
  const auto x = gnp::asnumpy(generator(23).integers<T>(low, high, {300000}));
  std::vector<double> residues(3);
  std::vector<double> parts(3);
  const double width = static_cast<double>(high) - static_cast<double>(low);
  for (const T v : x) {
    REQUIRE((v >= low && v < high));
    ++residues[(static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(low)) % 3];
    ++parts[static_cast<std::size_t>(3 * ((static_cast<double>(v) - static_cast<double>(low)) / width))];
  }
  for (const std::vector<double>& counts : {residues, parts}) {
    const chi_square test(counts, {100000, 100000, 100000});
    CHECK(test.statistic < test.limit);
  }
}

TEST_CASE("a power of two of choices takes the uppermost bits of each word") {
  // 256 elements make a tile on the CPU, and so do 64 or more that are left.
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 63, 64, 65, 255, 256, 257, 1030}) {
      INFO(n << " integers");
      const auto source = gnp::detail::numbers_of_call{12, 0}.from(0);
      std::vector<std::uint32_t> words;
      for (std::uint32_t group = 0; 4 * group < n; ++group) {
        const auto w = source.group(group);
        words.insert(words.end(), {w.x, w.y, w.z, w.w});
      }
      const auto check = [&](const auto& made, std::int64_t low, int bits) {
        const auto host = gnp::asnumpy(made);
        REQUIRE(host.size() == n);
        bool same = true;
        for (index_t i = 0; i < n; ++i) {
          const auto upper =
              static_cast<std::int64_t>((std::uint64_t{words[static_cast<std::size_t>(i)]} << bits) >> 32);
          same = same && static_cast<std::int64_t>(host(i)) == low + upper;
        }
        CHECK(same);
      };
      check(generator(12).bytes(n), 0, 8);
      check(generator(12).integers<bool>(0, 2, {n}), 0, 1);
      check(generator(12).integers<std::int8_t>(-128, 128, {n}), -128, 8);
      check(generator(12).integers<std::int16_t>(-5, 1019, {n}), -5, 10);
      check(generator(12).integers<std::uint32_t>(0, std::uint64_t{1} << 32, {n}), 0, 32);
      check(generator(12).integers(7, 8, {n}), 7, 0);
      check(generator(12).integers(-3, 1, {n}), -3, 2);
    }
  });
}

TEST_CASE("integers of awkward ranges have no bias") {
  for_each_device([](gnp::device) {
    check_thirds<std::uint32_t>(0, 0xc0000000U);
    check_thirds<std::int32_t>(-2000000000, 1221225472);
    check_thirds<std::int64_t>(0, 3221225472);
    check_thirds<std::uint64_t>(0, 0xc000000000000000U);
    check_thirds<std::int64_t>(-(1LL << 62), 1LL << 62);
    check_thirds<std::int64_t>(-9000000000000000000, 4000000000000000000);
  });
}

TEST_CASE("integers take a type's whole range") {
  for_each_device([](gnp::device) {
    const auto check = []<class T>(T) {
      INFO(gnp::name(gnp::dtype_of<T>));
      using limits = std::numeric_limits<T>;
      const auto x =
          gnp::asnumpy(generator(2).integers<T>(limits::min(), limits::max(), {2000}, {.endpoint = true}));
      // Each bit is set about half the time.
      for (std::size_t bit = 0; bit < 8 * sizeof(T); ++bit) {
        int set = 0;
        for (const T v : x) set += static_cast<int>((static_cast<std::uint64_t>(v) >> bit) & 1);
        CHECK(std::abs(set - 1000) < 100);
      }
    };
    check(std::int8_t());
    check(std::uint8_t());
    check(std::int16_t());
    check(std::uint16_t());
    check(std::int32_t());
    check(std::uint32_t());
    check(std::int64_t());
    check(std::uint64_t());
    CHECK(generator(1).integers<std::uint8_t>(255, 256).item() == 255);
    CHECK(generator(1).integers(7, 7, {}, {.endpoint = true}).item() == 7);
  });
}

// ------------------------------------------------------------------------------------------------- errors

TEST_CASE("wrong parameters are named") {
  generator g(1, gnp::device::cpu());
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(g.normal(0, -1), "normal: scale < 0, got scale = -1");
  CHECK_THROWS_WITH(g.uniform(0, infinity), contains("uniform: high - low range exceeds valid bounds"));
  CHECK_THROWS_WITH(g.uniform(0, nan), contains("uniform: high - low range exceeds valid bounds"));
  CHECK_THROWS_WITH(g.uniform(-1e308, 1e308), contains("uniform: high - low range exceeds valid bounds"));
  CHECK_THROWS_WITH(g.uniform(1, -1), contains("uniform: high - low < 0: low = 1"));
  CHECK_THROWS_WITH(g.uniform<float>(0, 1e39), contains("for float32"));
  CHECK_THROWS_WITH(g.uniform<gnp::half>(0, 1e5), contains("for float16"));
  CHECK_THROWS_WITH(g.integers(5, 5), contains("integers: low >= high: low = 5, high = 5"));
  CHECK_THROWS_WITH(g.integers(0), contains("integers: low >= high"));
  CHECK_THROWS_WITH(g.integers(6, 5, {}, {.endpoint = true}), contains("integers: low > high"));
  CHECK_THROWS_WITH(g.integers<std::int8_t>(-129, 5), contains("integers: low is out of bounds"));
  CHECK_THROWS_WITH(g.integers<std::int8_t>(0, 129), contains("integers: high is out of bounds"));
  CHECK_THROWS_WITH(g.integers<std::uint8_t>(0, 256, {}, {.endpoint = true}),
                    contains("high is out of bounds"));
  CHECK_THROWS_WITH(g.integers<std::uint8_t>(-1, 5), contains("low is out of bounds"));
  CHECK_THROWS_WITH(g.integers<bool>(0, 3), contains("high is out of bounds"));
  CHECK_THROWS_AS(g.random({-1}), gnp::shape_error);
  CHECK_THROWS_WITH(g.normal(0, 1, {2, -3}), contains("normal: negative dimensions"));
}

TEST_CASE("a generator may be shared by threads") {
  generator shared(12, gnp::device::cpu());
  std::vector<std::vector<double>> results(8);
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&shared, &result] { result = as_doubles(shared.random({1000})); });
  for (std::thread& t : threads) t.join();
  generator alone(12, gnp::device::cpu());
  std::vector<std::vector<double>> expected(8);
  for (auto& result : expected) result = as_doubles(alone.random({1000}));
  std::sort(results.begin(), results.end());
  std::sort(expected.begin(), expected.end());
  CHECK(results == expected);
}

}  // namespace
