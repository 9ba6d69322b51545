// SPDX-License-Identifier: MIT
// test: simulated-gpu
// bincount and histograms beside NumPy's; tests/golden/make_histograms.py says what a line is.
#include <cctype>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;

// As values() and weights() of make_histograms.py.
template <class T>
array<T> values(index_t count, index_t seed = 0) {
  gnp::host_array<T> host(gnp::shape_t{count});
  for (index_t j = 0; j < count; ++j) {
    const index_t k = (j * 7919 + seed * 31 + j / 7) % 101;
    if constexpr (std::is_same_v<T, bool>) {
      host[j] = k > 40;
    } else if constexpr (std::is_unsigned_v<T>) {
      host[j] = static_cast<T>(k);
    } else if constexpr (std::is_integral_v<T>) {
      host[j] = static_cast<T>(k - 50);
    } else {
      host[j] = static_cast<T>(static_cast<double>(k) * 0.1 - 2);
    }
  }
  return asarray(host);
}

template <class T>
array<T> weights(index_t count) {
  gnp::host_array<T> host(gnp::shape_t{count});
  for (index_t j = 0; j < count; ++j) {
    const double real = static_cast<double>(j * 31 % 17) / 4 - 1;
    if constexpr (golden::is_complex_v<T>) {
      host[j] = T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(j % 5));
    } else {
      host[j] = static_cast<T>(real);
    }
  }
  return asarray(host);
}

std::vector<double> numbers(const std::string& text, const std::string& separator) {
  std::vector<double> list;
  if (text.empty()) return list;
  for (const std::string& part : golden::split(text, separator)) list.push_back(std::stod(part));
  return list;
}

struct line {
  std::string text, function, dtype, bins, range, weight, density, hist, edges;
  index_t count = 0;
};

std::vector<line> lines_of(const std::string& function) {
  std::vector<line> found;
  for (const std::string& text : golden::split(golden::read_file("histograms.txt"), "\n")) {
    if (text.empty()) continue;
    const auto f = golden::split(text, ";");
    if (f.at(0) != function) continue;
    found.push_back(
        {text, f[0], f[1], f.at(3), f.at(4), f.at(5), f.at(6), f.at(7), f.at(8), std::stoll(f.at(2))});
  }
  return found;
}

gnp::bin_range range_of(const std::string& text) {
  const auto pair = numbers(text, ",");
  return pair.empty() ? gnp::bin_range() : gnp::bin_range(pair.at(0), pair.at(1));
}

/// Are these NumPy's numbers, within so many units in the last place of R?
template <class R>
void check_numbers(const array<R>& got, const std::string& expected, double ulps) {
  const auto host = gnp::asnumpy(got);
  const auto words = expected.empty() ? std::vector<std::string>() : golden::split(expected, " ");
  REQUIRE(host.size() == static_cast<index_t>(words.size()));
  int wrong = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto parts = numbers(words[i], ",");
    const auto at = host[static_cast<index_t>(i)];
    const auto close = [&](double g, double e) {
      const double scale = std::is_same_v<R, double> || golden::is_complex_v<R> ? 0x1p-52 : 0x1p-23;
      return g == e || (std::isnan(g) && std::isnan(e)) ||
             std::abs(g - e) <= ulps * scale * (std::abs(e) + 1e-3);
    };
    if constexpr (golden::is_complex_v<R>) {
      wrong += close(static_cast<double>(at.real()), parts.at(0)) &&
                       close(static_cast<double>(at.imag()), parts.at(1))
                   ? 0
                   : 1;
    } else {
      wrong += close(static_cast<double>(at), parts.at(0)) ? 0 : 1;
    }
  }
  INFO("expected " << expected);
  INFO("got " << got);
  CHECK(wrong == 0);
}

template <class Result>
void check_histogram(const line& l, const Result& result, double ulps) {
  check_numbers(result.hist, l.hist, ulps);
  check_numbers(result.bin_edges, l.edges, 0);
}

template <class T, class Bins>
void check_counts(const line& l, const Bins& bins) {
  const array<T> x = values<T>(l.count);
  const gnp::bin_range range = range_of(l.range);
  if (l.hist == "error") {
    CHECK_THROWS_AS(gnp::histogram(x, bins, {.range = range}), gnp::error);
  } else if (l.density.empty()) {
    check_histogram(l, gnp::histogram(x, bins, {.range = range}), 0);
    CHECK(gnp::array_equal(gnp::histogram(gnp::flip(x), bins, {.range = range}).hist,
                           gnp::histogram(x, bins, {.range = range}).hist));
  } else {
    check_histogram(l, gnp::histogram(x, bins, {.range = range, .density = true}), 4);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("histogram is NumPy's", "", bool, std::uint8_t, std::int64_t, gnp::half, float, double) {
  using T = TestType;
  for_each_device([&](gnp::device where) {
    if ((std::is_same_v<T, bool> || std::is_same_v<T, double>) && is_simulated(where)) return;
    int found = 0;
    for (const line& l : lines_of("histogram")) {
      if (l.dtype != gnp::name(gnp::dtype_of<T>) || !l.weight.empty()) continue;
      ++found;
      INFO(l.text);
      if (std::isalpha(l.bins[0]) != 0) {
        check_counts<T>(l, l.bins);
        continue;
      }
      // A list of one edge is no number of bins: it has no bins at all.
      if (l.bins.find(',') == std::string::npos && l.edges.find(' ') != std::string::npos) {
        check_counts<T>(l, std::stoi(l.bins));
      } else if (l.hist != "error") {
        check_counts<T>(l, numbers(l.bins, ","));
      }
    }
    CHECK(found > 50);
  });
}

TEST_CASE("bincount is NumPy's") {
  const auto check = [](const line& l, const auto& x, const gnp::bincount_options& options) {
    INFO(l.text);
    if (l.weight.empty()) check_numbers(gnp::bincount(x, options), l.hist, 0);
    if (l.weight == "float64") check_numbers(gnp::bincount(x, weights<double>(l.count), options), l.hist, 4);
    if (l.weight == "int32")
      check_numbers(gnp::bincount(x, weights<std::int32_t>(l.count), options), l.hist, 0);
  };
  for_each_device([&](gnp::device) {
    for (const line& l : lines_of("bincount")) {
      const gnp::bincount_options options{.minlength = std::stoll(l.bins)};
      if (l.dtype == "bool") check(l, values<bool>(l.count), options);
      if (l.dtype == "uint8") check(l, values<std::uint8_t>(l.count), options);
      if (l.dtype == "int32") check(l, gnp::abs(values<std::int32_t>(l.count)), options);
      if (l.dtype == "int64") check(l, gnp::abs(values<std::int64_t>(l.count)).eval(), options);
    }
  });
}

TEST_CASE("weighted histograms are NumPy's") {
  for_each_device([&](gnp::device) {
    const auto check = [](const line& l, const auto& w) {
      const array<float> x = values<float>(l.count);
      const auto check_bins = [&](const auto& bins) {
        if (l.density.empty()) {
          check_histogram(l, gnp::histogram(x, bins, w), 8);
        } else {
          check_histogram(l, gnp::histogram(x, bins, w, {.density = true}), 1e3);
        }
      };
      INFO(l.text);
      if (l.bins == "7") check_bins(7);
      if (l.bins != "7") check_bins(numbers(l.bins, ","));
    };
    for (const line& l : lines_of("histogram")) {
      if (l.weight == "float64") check(l, weights<double>(l.count));
      if (l.weight == "float32") check(l, weights<float>(l.count));
      if (l.weight == "int32") check(l, weights<std::int32_t>(l.count));
      if (l.weight == "complex64") check(l, weights<gnp::complex64>(l.count));
    }
  });
}

TEST_CASE("histograms of many values, views and expressions") {
  for_each_device([](gnp::device d) {
    // Against counting on the host: few bins and many, of long arrays in several layouts.
    const index_t rows = 517, columns = 1031;
    const array<std::int32_t> numbers =
        array<std::int32_t>((gnp::arange<std::int64_t>(rows * columns) * 7919 % 100003).astype<std::int32_t>())
            .reshape(rows, columns);
    for (const int modulus : {3, 1000, 20000, 100003}) {
      INFO(modulus);
      std::vector<std::int64_t> expected(static_cast<std::size_t>(modulus));
      std::vector<double> sums(static_cast<std::size_t>(modulus));
      const auto host = gnp::asnumpy(numbers);
      for (index_t i = 0; i < host.size(); ++i) {
        ++expected[static_cast<std::size_t>(host[i] % modulus)];
        sums[static_cast<std::size_t>(host[i] % modulus)] += static_cast<double>(host[i] % 1024) * 0.25 - 100;
      }
      const auto small = numbers % modulus;
      const auto weight = (numbers % 1024).astype<double>() * 0.25 - 100;
      const array<std::int64_t> right = asarray(expected);
      CHECK(gnp::array_equal(gnp::bincount(small.ravel(), {.minlength = modulus}), right));
      CHECK(gnp::array_equal(gnp::bincount(small.ravel(), weight.ravel(), {.minlength = modulus}),
                             asarray(sums)));
      const array<std::int32_t> turned = array<std::int32_t>(small).T();
      const auto counted = gnp::histogram(turned, modulus, {.range = {0, static_cast<double>(modulus)}});
      CHECK(gnp::array_equal(counted.hist, right));
      const array<double> all_edges = gnp::arange<double>(static_cast<double>(modulus + 1));
      CHECK(gnp::array_equal(gnp::histogram(gnp::flip(turned), all_edges).hist, right));
      CHECK(gnp::array_equal(gnp::histogram(turned, all_edges, array<double>(weight).T()).hist, asarray(sums)));
    }
    // Every other element, and weights that are broadcast.
    const array<float> x = gnp::linspace<float>(0, 1, 100001);
    const array<float> half = x(gnp::slice(gnp::none, gnp::none, 2));
    CHECK(gnp::sum(gnp::histogram(half, 8).hist).item() == 50001);
    const auto twice = gnp::histogram(half, 8, gnp::broadcast_to(asarray<double>({2}), half.shape()));
    CHECK(gnp::array_equal(twice.hist, gnp::histogram(half, 8).hist * 2));
    CHECK(twice.hist.device() == d);
  });
}

TEST_CASE("many values in more bins than fast memory has counters for") {
  for_each_device([](gnp::device) {
    // Values all over the bins, the same over and over, and of two bins far apart; some outside of a range.
    constexpr index_t count = (index_t{1} << 21) + 1029;
    const index_t bins = 1000003;
    gnp::host_array<std::int64_t> scattered(gnp::shape_t{count}), alike(gnp::shape_t{count}),
        few(gnp::shape_t{count});
    for (index_t i = 0; i < count; ++i) {
      scattered[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U % 1000003U);
      alike[i] = 8191;
      few[i] = i % 3 == 0 ? 999999 : 8192;
    }
    const auto counts_of = [&](const gnp::host_array<std::int64_t>& values, std::int64_t first,
                               std::int64_t last) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(last - first));
      for (const std::int64_t value : values) {
        if (value >= first && value < last) ++counts[static_cast<std::size_t>(value - first)];
      }
      return asarray(counts);
    };
    for (const auto* values : {&scattered, &alike, &few}) {
      const array<std::int64_t> x = asarray(*values);
      CHECK(gnp::array_equal(gnp::bincount(x, {.minlength = bins}), counts_of(*values, 0, bins)));
    }
    // A formula, and a range that half of them are in.
    const array<std::int32_t> x = asarray(scattered).astype<std::int32_t>();
    CHECK(gnp::array_equal(gnp::bincount(x * 2 + 1, {.minlength = 2 * bins}), asarray([&] {
                             std::vector<std::int64_t> odd(static_cast<std::size_t>(2 * bins));
                             for (const std::int64_t value : scattered)
                               ++odd[static_cast<std::size_t>(2 * value + 1)];
                             return odd;
                           }())));
    const auto inner = gnp::histogram(x.astype<double>() + 0.5, 500000, {.range = {250000.0, 750000.0}});
    CHECK(gnp::array_equal(inner.hist, counts_of(scattered, 250000, 750000)));
  });
}

TEST_CASE("sums of weights are the same bits in every run, and no infinity is lost") {
  for_each_device([](gnp::device) {
    const index_t count = 300007;
    const array<double> w =
        gnp::sin(gnp::arange<double>(count)) * gnp::exp(gnp::arange<double>(count) % 40 - 20);
    for (const int modulus : {4, 5000}) {
      const array<std::int64_t> x = gnp::arange<std::int64_t>(count) * 7919 % modulus;
      const array<double> first = gnp::bincount(x, w);
      for (int i = 0; i < 3; ++i) CHECK(gnp::array_equal(gnp::bincount(x, w), first));
      CHECK(gnp::allclose(gnp::sum(first), gnp::sum(w), {.rtol = 1e-12, .atol = 1e-4}));
    }
    const double inf = gnp::inf, nan = gnp::nan;
    const array<int> bin = asarray<int>({0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5});
    const array<double> special = asarray<double>({1, inf, -inf, 2, inf, -inf, nan, 3, 1e308, 1e-308, 5e-324});
    CHECK(gnp::array_equal(gnp::bincount(bin, special), asarray<double>({inf, -inf, nan, nan, 1e308, 5e-324}),
                           {.equal_nan = true}));
  });
}

TEST_CASE("between edges, whole weights of 64 bits are added as such") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray({0.5, 0.6, 1.5, 1.6});
    const std::int64_t odd = (std::int64_t{1} << 53) + 1;
    const array<std::int64_t> of_both_signs = asarray<std::int64_t>({odd, -3, INT64_MAX, -1});
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 1, 2}, of_both_signs).hist,
                           asarray<std::int64_t>({odd - 3, INT64_MAX - 1})));
    const std::uint64_t high = (std::uint64_t{1} << 63) + 1025;
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 1, 2}, asarray<std::uint64_t>({high, 3, UINT64_MAX, 0})).hist,
                           asarray<std::uint64_t>({high + 3, UINT64_MAX})));
  });
}

template <class T, class E>
void check_few_edges() {
  for (const index_t bins : {1, 2, 9, 63, 64, 65, 90}) {
    for (const index_t count : {1, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025, 3000}) {
      std::vector<T> values;
      std::vector<E> edges;
      for (index_t i = 0; i < count; ++i) values.push_back(static_cast<T>(static_cast<int>(i * i % 113)));
      // From above some values to below others; and one that is there twice.
      for (index_t k = 0; k <= bins; ++k)
        edges.push_back(static_cast<E>(static_cast<int>(k + (k > 1 ? 2 : 3))));
      if constexpr (gnp::is_floating(gnp::dtype_of<T>)) {
        const float infinity = std::numeric_limits<float>::infinity();
        values[static_cast<std::size_t>(count / 2)] = static_cast<T>(infinity);
        values[static_cast<std::size_t>(count / 3)] = static_cast<T>(-infinity);
        values[static_cast<std::size_t>(count / 4)] = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
      }
      std::vector<std::int64_t> right(static_cast<std::size_t>(bins));
      for (const T& x : values) {
        const auto value = static_cast<double>(x);
        for (std::size_t k = right.size(); k-- > 0;) {
          const bool below_end = k + 1 == right.size() ? value <= static_cast<double>(edges[k + 1])
                                                       : value < static_cast<double>(edges[k + 1]);
          if (value >= static_cast<double>(edges[k]) && below_end) {
            ++right[k];
            break;
          }
        }
      }
      const auto counted = gnp::histogram(gnp::asarray(values), gnp::asarray(edges)).hist;
      INFO(gnp::name(gnp::dtype_of<T>)
           << " " << gnp::name(gnp::dtype_of<E>) << ": " << count << " in " << bins);
      CHECK(gnp::array_equal(counted, gnp::asarray(right)));
    }
  }
}

TEST_CASE("numbers of edges at which values are counted in another way") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  check_few_edges<std::uint8_t, std::uint8_t>();
  check_few_edges<std::int8_t, std::int64_t>();
  check_few_edges<std::int32_t, std::int32_t>();
  check_few_edges<std::int64_t, std::int64_t>();
  check_few_edges<std::int64_t, double>();
  check_few_edges<std::uint64_t, std::uint64_t>();
  check_few_edges<gnp::half, gnp::half>();
  check_few_edges<float, float>();
  check_few_edges<float, double>();
  check_few_edges<double, double>();
  // Integers that no double holds, and unsigned ones that are negative as signed ones.
  const array<std::int64_t> large = gnp::arange<std::int64_t>(100) + (std::int64_t{1} << 60);
  CHECK(gnp::array_equal(gnp::histogram(large, large(gnp::slice(3, 6))).hist, asarray<std::int64_t>({1, 2})));
  const array<std::uint64_t> high = gnp::arange<std::uint64_t>(100) + (std::uint64_t{1} << 63);
  const array<std::uint64_t> ends =
      gnp::asarray<std::uint64_t>({5, (std::uint64_t{1} << 63) + 7, ~std::uint64_t{0}});
  CHECK(gnp::array_equal(gnp::histogram(high, ends).hist, asarray<std::int64_t>({7, 93})));
}

TEST_CASE("histograms: corners and errors") {
  for_each_device([](gnp::device) {
    const array<float> x = asarray<float>({1, 2, 3, gnp::nan, gnp::inf, -4});
    CHECK(gnp::array_equal(gnp::histogram(x, 2, {.range = {0, 4}}).hist, asarray<std::int64_t>({1, 2})));
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 2, 4}).hist, asarray<std::int64_t>({1, 2})));
    CHECK(gnp::array_equal(gnp::histogram(gnp::full<float>({}, 3.0F), 2).hist, asarray<std::int64_t>({0, 1})));
    CHECK(gnp::histogram(asarray<gnp::bfloat16>({1, 2, 3}), 2).hist(1).item() == 2);
    CHECK_THROWS_WITH(gnp::histogram(x, 3),
                      contains("histogram: autodetected range of [nan, nan] is not finite"));
    CHECK_THROWS_WITH(gnp::histogram(x, 3, {.range = {0, gnp::inf}}),
                      contains("histogram: supplied range of [0, inf] is not finite"));
    CHECK_THROWS_WITH(gnp::histogram(x, 3, {.range = {2, 1}}),
                      contains("histogram: max must be larger than min"));
    CHECK_THROWS_WITH(gnp::histogram(x, 0, {.range = {0, 1}}),
                      contains("histogram: bins must be positive, got 0"));
    CHECK_THROWS_WITH(gnp::histogram(x, {1, 0}), contains("histogram: bins must increase monotonically"));
    CHECK_THROWS_WITH(gnp::histogram(x, gnp::ones<float>({2, 2})), contains("histogram: bins must be 1d"));
    CHECK_THROWS_WITH(gnp::histogram_bin_edges(x, {3, 1, 2}),
                      contains("histogram_bin_edges: bins must increase monotonically"));
    CHECK_THROWS_WITH(gnp::histogram_bin_edges(x, 2.5), contains("histogram_bin_edges: bins must be 1d"));
    CHECK_THROWS_WITH(gnp::histogram(gnp::zeros<double>({0}), "foo"),
                      contains("histogram: 'foo' is not a valid estimator"));
    CHECK_THROWS_WITH(gnp::histogram(gnp::ones<gnp::half>({2}), 5000), contains("histogram: too many bins"));
    CHECK_THROWS_WITH(gnp::histogram(x, 3, gnp::ones<float>({2})), contains("got shapes (6,) (2,)"));
    const array<int> n = asarray<int>({1, -3, 2});
    CHECK_THROWS_WITH(gnp::bincount(n), contains("bincount: x must have no negative elements, got -3"));
    CHECK_THROWS_WITH(gnp::bincount(gnp::abs(n), {.minlength = -1}),
                      contains("minlength must not be negative"));
    CHECK_THROWS_WITH(gnp::bincount(gnp::ones<int>({2, 2})), contains("bincount: x must have one dimension"));
    CHECK_THROWS_WITH(gnp::bincount(n, gnp::ones<float>({2})),
                      contains("bincount: the weights must have the same"));
    CHECK(gnp::bincount(gnp::zeros<int>({0})).size() == 0);
  });
}

TEST_CASE("a histogram's integer edges stay integers") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(6);
    const auto [hist, edges] = gnp::histogram(x, {0, 1, 2, 3, 5});
    CHECK(gnp::array_equal(hist, asarray<std::int64_t>({1, 1, 1, 3})));
    CHECK(edges.dtype() == gnp::dtype::int64);
    CHECK(gnp::array_equal(edges, asarray({0, 1, 2, 3, 5})));
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 1, 5}, x).hist, asarray({0, 15})));
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 1, 5}, x, {.density = true}).hist, asarray({0., 0.25})));
    CHECK(gnp::array_equal(gnp::histogram(x, {1, 3, 5}, {.density = true}).hist, asarray({0.2, 0.3})));
    CHECK(gnp::histogram_bin_edges(x, {0, 2}).dtype() == gnp::dtype::int64);
    CHECK(gnp::histogram_bin_edges(x, {0, 0.5}).dtype() == gnp::dtype::float64);
    // Beyond 2^53 neighbours are still told apart.
    const std::int64_t big = std::int64_t{1} << 60;
    CHECK(gnp::array_equal(gnp::histogram(asarray({big, big + 1}), {big, big + 1, big + 2}).hist,
                           asarray({1, 1})));
  });
}

TEST_CASE("the weights of a histogram go by name") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(6);
    const array<int> w = asarray({1, 2, 3, 4, 5, 6});
    const auto [hist, edges] = gnp::histogram(x, 3, {.weights = w});
    CHECK(hist.dtype() == gnp::dtype::float64);
    CHECK(gnp::array_equal(hist, asarray({3, 7, 11})));
    CHECK(gnp::array_equal(edges, gnp::histogram(x, 3, w).bin_edges));
    CHECK(gnp::array_equal(gnp::histogram(x, 2, {.range = {0, 4}, .density = true, .weights = w}).hist,
                           asarray({0.1, 0.4})));
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 1, 5}, {.density = false, .weights = x * 2}).hist,
                           asarray({0, 30})));
    CHECK(gnp::array_equal(gnp::histogram(x, {0, 2.5, 5}, {.weights = x}).hist, asarray({3, 12})));
    CHECK(gnp::array_equal(gnp::histogram(x, asarray({0, 2}), {.weights = x > 1}).hist, asarray({1})));
    CHECK(gnp::sum(gnp::histogram(x, {.weights = w}).hist).item() == 21);
    CHECK_THROWS_AS(gnp::histogram(x, 3, {.weights = gnp::ones({2})}), gnp::shape_error);
  });
}

TEST_CASE("histograms of several dimensions are NumPy's") {
  const auto axis_of = [](const std::string& text) {
    const auto list = numbers(text, ",");
    return list.size() == 1 ? gnp::axis_bins(static_cast<int>(list[0])) : gnp::axis_bins(list);
  };
  for_each_device([&](gnp::device) {
    const array<double> x = values<double>(500);
    const array<double> y = values<double>(500, 5);
    int found = 0;
    for (const line& l : lines_of("histogram2d")) {
      ++found;
      INFO(l.text);
      const auto bins = golden::split(l.bins, "|");
      gnp::grid_options options{.density = l.density == "1"};
      if (!l.range.empty()) {
        for (const std::string& range : golden::split(l.range, "|")) options.range.push_back(range_of(range));
      }
      if (!l.weight.empty()) options.weights = weights<double>(500);
      const auto edges = golden::split(l.edges, "|");
      const double ulps = options.density ? 1e3 : 0;
      const auto [hist, xedges, yedges] = gnp::histogram2d(x, y, {axis_of(bins[0]), axis_of(bins[1])}, options);
      check_numbers(hist.ravel(), l.hist, ulps);
      check_numbers(xedges, edges[0], 0);
      check_numbers(yedges, edges[1], 0);
      const array<double> points = gnp::stack({x, y}, 1);
      check_numbers(gnp::histogramdd(points, {axis_of(bins[0]), axis_of(bins[1])}, options).hist.ravel(),
                    l.hist, ulps);
    }
    CHECK(found == 16);
    // Three dimensions: summed over two of them, the histogram of the third.
    const auto [cube, edges] = gnp::histogramdd({x, y, (x * y).eval()}, {4, 5, {-10, 0, 3, 100}});
    CHECK(cube.shape() == gnp::shape_t{4, 5, 3});
    CHECK(gnp::array_equal(gnp::sum(cube, {0, 2}), gnp::histogram(y, 5).hist));
    CHECK(gnp::array_equal(gnp::sum(cube, {0, 1}), gnp::histogram(array<double>(x * y), edges[2]).hist));
    // Edges between which float has no number are equal; nothing lies there.
    const array<float> few = asarray<float>({1e8F, 1e8F + 8});
    CHECK(gnp::array_equal(gnp::histogram2d(few, few - 1e8F, {10, 1}).hist.ravel(),
                           asarray<double>({0, 0, 0, 0, 0, 1, 0, 0, 0, 1})));
    CHECK_THROWS_WITH(gnp::histogram2d(x, x(gnp::slice(3))),
                      contains("histogram2d: x and y must have the same length"));
    CHECK_THROWS_WITH(gnp::histogram2d(x, y, {1, 2, 3}), contains("the dimension of bins must be equal"));
    CHECK_THROWS_WITH(gnp::histogram2d(x, y, 3, {.range = {{0, 1}}}),
                      contains("one entry per dimension, got 1 for 2"));
    CHECK_THROWS_WITH(gnp::histogram2d(x, y, 0), contains("histogram2d: bins must be positive, got 0"));
    CHECK_THROWS_WITH(gnp::histogramdd(gnp::ones<float>({2, 2, 2})),
                      contains("histogramdd: points are the rows"));
  });
}

TEST_CASE("grids are counted with options alone, and with bins of any kind") {
  for_each_device([](gnp::device) {
    const gnp::array<double> x = gnp::asarray({0.5, 1.5, 1.6}), y = gnp::asarray({0.5, 0.6, 2.0});
    const gnp::shape_t ten{10, 10};
    CHECK(gnp::histogram2d(x, y).hist.shape() == ten);
    const auto dense = gnp::histogram2d(x, y, {.density = true});
    CHECK(dense.hist.shape() == ten);
    CHECK(gnp::sum(dense.hist).item() * 0.11 * 0.15 == Approx(1));
    CHECK(gnp::sum(gnp::histogram2d(x, y, {.weights = x}).hist).item() == Approx(3.6));
    CHECK(gnp::histogram2d(x, y, {2, {0, 1, 2}}, {.density = true}).hist.shape() == gnp::shape_t{2, 2});
    const gnp::array<double> points = gnp::stack({x, y}, 1);
    CHECK(gnp::histogramdd(points, {.density = true}).hist.shape() == ten);
    CHECK(gnp::histogramdd(points, {4, 5}).hist.shape() == gnp::shape_t{4, 5});
    CHECK(gnp::histogramdd({x, y}, {.density = true}).hist.shape() == ten);
    CHECK(gnp::histogramdd({x, y, y}, {2, 3, 4}).hist.shape() == gnp::shape_t{2, 3, 4});
  });
}

TEST_CASE("the edges of a grid have the points' type, as in NumPy") {
  for_each_device([](gnp::device) {
    const array<float> x = values<float>(100), y = values<float>(100, 5);
    const auto grid = gnp::histogram2d(x, y);
    static_assert(std::is_same_v<decltype(grid.xedges), array<float>>);
    static_assert(std::is_same_v<decltype(gnp::histogram2d(x, y, 5).yedges), array<float>>);
    static_assert(std::is_same_v<decltype(gnp::histogram2d(x, y, {4, 5}).yedges), array<float>>);
    static_assert(std::is_same_v<decltype(gnp::histogram2d(x, y.astype<double>()).xedges), array<double>>);
    static_assert(std::is_same_v<decltype(gnp::histogram2d(x, y, {4, {0, 1}}).xedges), array<double>>);
    static_assert(std::is_same_v<decltype(gnp::histogram2d(x, y, grid.xedges).xedges), array<float>>);
    CHECK(gnp::array_equal(grid.xedges, gnp::histogram(x).bin_edges));
    CHECK(gnp::array_equal(gnp::histogram2d(x, y, {4, 5}).yedges, gnp::histogram(y, 5).bin_edges));
    CHECK(gnp::histogram2d(x, y, {4, 5}, {.density = true}).hist.shape() == gnp::shape_t{4, 5});
    // The edges give the same counts again.
    CHECK(gnp::array_equal(gnp::histogram2d(x, y, grid.xedges).hist.sum(1), gnp::histogram(x).hist));
    const array<float> points = gnp::stack({x, y}, 1);
    static_assert(std::is_same_v<decltype(gnp::histogramdd(points).edges[0]), array<float>&>);
    static_assert(std::is_same_v<decltype(gnp::histogramdd(points, {4, 5}).edges[0]), array<float>&>);
    static_assert(std::is_same_v<decltype(gnp::histogramdd({x, y}, {4, 5}).edges[0]), array<float>&>);
    static_assert(std::is_same_v<decltype(gnp::histogramdd(points.astype<int>()).edges[0]), array<double>&>);
    CHECK(gnp::array_equal(gnp::histogramdd(points, {4, 5}).edges[1], gnp::histogram(y, 5).bin_edges));
    CHECK(gnp::array_equal(gnp::histogramdd({x, y}, 5).edges[1], gnp::histogram(y, 5).bin_edges));
    CHECK_THROWS_WITH(gnp::histogram2d(x, y, {1, 2, 3}), contains("the dimension of bins must be equal"));
  });
}
