// SPDX-License-Identifier: MIT
// Medians and quantiles beside NumPy's; tests/golden/make_statistics.py says what a line is.
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"
#include "statistics_golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using namespace statistics_golden;

std::vector<double> asked(const line& l) {
  std::vector<double> list;
  for (const std::string& q : golden::split(l.option("q"), ",")) list.push_back(std::stod(q));
  return list;
}

template <class T>
void check_line(const line& l) {
  const array<T> x = values<T>(l.shape, l.has("seed=9") ? 9 : 0);
  const gnp::reduce_options plain{.axis = axes_of(l), .keepdims = l.has("keepdims")};
  const double distance = std::is_same_v<T, float> ? 1e-6 : 1e-14;
  if (l.function == "median") return check(l, gnp::median(x, plain), distance);
  if (l.function == "nanmedian") return check(l, gnp::nanmedian(x, plain), distance);
  gnp::quantile_options options{.axis = axes_of(l), .method = l.option("method")};
  if (l.has("weights")) {
    const index_t count = options.axis.given() ? x.shape(static_cast<int>(options.axis.values()[0])) : x.size();
    const array<double> w = gnp::arange<double>(count) * 5 % 4;
    options.weights = options.axis.given() ? w : w.reshape(x.shape());
  }
  const std::vector<double> q = asked(l);
  if (l.function == "quantile") {
    if (l.has("list")) return check(l, gnp::quantile(x, q, options), distance);
    check(l, gnp::quantile(x, q[0], options), distance);
    check(l, gnp::percentile(x, q[0] * 100, options), 0.1);
  } else {
    if (l.has("list")) return check(l, gnp::nanquantile(x, q, options), distance);
    check(l, gnp::nanquantile(x, q[0], options), distance);
  }
}

template <class T>
void check_against_sorting(index_t count, index_t seed) {
  gnp::host_array<T> host(gnp::shape_t{count});
  std::uint64_t state = static_cast<std::uint64_t>(seed) * 2654435761U + 1;
  for (index_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    host[i] =
        static_cast<T>(static_cast<double>(state >> 40) / (seed == 1 ? 1.0 : 1e7) - (seed == 2 ? 1e5 : 0));
  }
  std::vector<double> sorted;
  for (index_t i = 0; i < count; ++i) sorted.push_back(static_cast<double>(host[i]));
  std::sort(sorted.begin(), sorted.end());
  const array<T> x = asarray(host);
  for (const double q : {0.0, 0.001, 0.5, 0.73, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::floor(static_cast<double>(count - 1) * q));
    CHECK(static_cast<double>(gnp::quantile(x, q, {.method = "lower"}).item()) == sorted[rank]);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("medians and quantiles are NumPy's", "", std::int32_t, float, double) {
  using T = TestType;
  for_each_device([](gnp::device) {
    int found = 0;
    for (const line& l : lines_of({"median", "quantile", "nanmedian", "nanquantile"})) {
      if (l.dtype != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(l.text);
      check_line<T>(l);
    }
    CHECK(found > 100);
  });
}

TEST_CASE("quantiles of long rows") {
  for_each_device([](gnp::device) {
    for (const index_t seed : {1, 2, 3}) {
      check_against_sorting<float>(100003, seed);
      check_against_sorting<std::int64_t>(20011, seed);
    }
    array<float> x = gnp::arange<float>(50000) % 1000;
    CHECK(gnp::median(x).item() == 499.5F);
    x(7) = gnp::nan;
    CHECK(gnp::isnan(gnp::median(x)).item());
    CHECK(gnp::isnan(gnp::quantile(x, 0.0)).item());
    CHECK(gnp::nanmedian(x).item() == 500.0F);
    CHECK(gnp::nanquantile(x, 1.0).item() == 999.0F);
  });
}

TEMPLATE_TEST_CASE("rows of all lengths at which elements are found in another way", "", bool, std::int8_t,
                   std::uint8_t, std::int16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
                   gnp::half, float, double) {
  const gnp::use_device on_cpu(gnp::device::cpu());
  using T = TestType;
  constexpr bool is_floating = gnp::is_floating(gnp::dtype_of<T>);
  for (const index_t length :
       {1, 2, 3, 16, 17, 31, 32, 33, 63, 64, 65, 66, 129, 1000, 2047, 2049, 8191, 8193}) {
    // Nothing special, one zero of either sign, an infinity, and one NaN, each in rows of its own.
    for (int special = 0; special < (is_floating ? 4 : 1); ++special) {
      const index_t rows = length < 100 ? 70 : 3;
      const array<double> places = gnp::arange<double>(rows * length).reshape({rows, length});
      // (From -60 to 120: every type has these numbers.)
      const array<T> x =
          gnp::floor(gnp::sin(places * places) * (std::is_unsigned_v<T> ? 0 : 60) + gnp::fmod(places * 37, 61))
              .eval()
              .template astype<T>();
      if constexpr (is_floating) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double odd[] = {0, -0.0, std::numeric_limits<double>::infinity(), nan};
        x(gnp::all, length / 3).assign(array<T>(gnp::full({rows}, odd[special]).template astype<T>()));
        if (special == 3) x(1) = T(0);  // and one row without
      }
      const array<double> sorted = gnp::sort(x, 1).template astype<double>();
      const auto at = [&](index_t rank) { return sorted(gnp::all, rank); };
      const array<double> last = at(length - 1);
      const array<double> middle = (at((length - 1) / 2) + at(length / 2)) / 2;
      INFO(gnp::name(gnp::dtype_of<T>) << ", " << length << ", special " << special);
      CHECK(gnp::allclose(gnp::median(x, 1).template astype<double>(), gnp::where(last != last, last, middle),
                          {.rtol = 1e-3, .equal_nan = true}));
      const gnp::quantile_options lower{.axis = 1, .method = "lower"};
      const array<double> found = gnp::quantile(x, {0.0, 0.3, 0.9, 1.0}, lower).template astype<double>();
      for (const index_t i : {0, 1, 2, 3}) {
        const double q[] = {0.0, 0.3, 0.9, 1.0};
        const array<double> right = at(static_cast<index_t>(q[i] * static_cast<double>(length - 1)));
        CHECK(gnp::array_equal(found(i), gnp::where(last != last, last, right), {.equal_nan = true}));
      }
    }
  }
}

TEST_CASE("medians and quantiles: types, corners and errors") {
  static_assert(std::is_same_v<decltype(gnp::quantile(array<float>(), 0.5)), array<float>>);
  static_assert(std::is_same_v<decltype(gnp::quantile(array<float>(), {0.5})), array<float>>);
  static_assert(std::is_same_v<decltype(gnp::quantile(array<int>(), {0.5})), array<double>>);
  static_assert(std::is_same_v<decltype(gnp::nanpercentile(array<float>(), {5, 95})), array<float>>);
  static_assert(std::is_same_v<decltype(gnp::median(array<int>())), array<double>>);
  static_assert(std::is_same_v<decltype(gnp::median(array<gnp::half>())), array<gnp::half>>);
  for_each_device([](gnp::device) {
    const array<float> x = asarray<float>({{3, 1, 2}, {6, 4, 5}});
    CHECK(gnp::array_equal(gnp::median(x, 1), asarray<float>({2, 5})));
    CHECK(gnp::array_equal(gnp::median(x.T() * 2, 0), asarray<float>({4, 10})));
    CHECK(gnp::array_equal(gnp::percentile(x, {0, 50, 100}, 1), asarray<float>({{1, 4}, {2, 5}, {3, 6}})));
    CHECK(gnp::array_equal(gnp::quantile(x, asarray<float>({{0, 1}}), {.axis = -1, .keepdims = true}),
                           asarray<float>({{{{1}, {4}}, {{3}, {6}}}})));
    CHECK(gnp::quantile(asarray<double>({1, 2, gnp::inf}), 0.5).item() == 2);
    CHECK(gnp::median(asarray<gnp::half>({1, 2})).item() == gnp::half(1.5F));
    CHECK(gnp::median(asarray<bool>({true, false})).item() == 0.5);
    using z = gnp::complex64;
    CHECK(gnp::median(asarray({z(3, 1), z(1, 2), z(2, 5)})).item() == z(2, 5));
    CHECK(gnp::isnan(gnp::median(gnp::zeros<float>({0}))).item());
    CHECK(gnp::all(gnp::isnan(gnp::nanquantile(gnp::zeros<float>({0, 2}), 0.5, 0))).item());
    CHECK(gnp::isnan(gnp::nanpercentile(gnp::zeros<int>({0}), 50)).item());
    const auto none_of_seven = gnp::nanquantile(gnp::zeros<std::int64_t>({0, 7}), 0.5, {.axis = 0});
    CHECK(none_of_seven.shape() == gnp::shape_t{7});
    CHECK(gnp::all(gnp::isnan(none_of_seven)).item());
    CHECK(gnp::median(gnp::zeros<float>({3, 0}), 1).shape() == gnp::shape_t{3});
    CHECK_THROWS_WITH(gnp::quantile(gnp::zeros<float>({0}), 0.5),
                      contains("quantile: no quantile of an array"));
    CHECK_THROWS_WITH(gnp::quantile(x, 1.5),
                      contains("quantile: quantiles must be in the range [0, 1], got 1.5"));
    CHECK_THROWS_WITH(gnp::percentile(x, {10, -1}),
                      contains("percentile: percentiles must be in the range [0, 100]"));
    CHECK_THROWS_WITH(gnp::quantile(x, 0.5, {.method = "mean"}), contains("'mean' is not a valid method"));
    CHECK_THROWS_WITH(gnp::quantile(x, 0.5, {.weights = x}),
                      contains("only method 'inverted_cdf' supports weights"));
    CHECK_THROWS_WITH(gnp::quantile(x, 0.5, {.method = "inverted_cdf", .weights = x - 2}),
                      contains("quantile: weights must be non-negative"));
    CHECK_THROWS_WITH(gnp::quantile(x, 0.5, {.method = "inverted_cdf", .weights = x * 0}),
                      contains("quantile: weights included NaN, inf or were all zero"));
    CHECK_THROWS_AS(gnp::median(x, 2), gnp::index_error);
  });
}
