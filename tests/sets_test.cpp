// SPDX-License-Identifier: MIT
// unique and the set functions beside NumPy's; tests/golden/make_sets.py says what a line is.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;

// As values() of make_sets.py.
template <class T>
array<T> values(const gnp::shape_t& shape, index_t seed = 0) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) {
    const index_t k = (j * 7919 + seed * 13 + j / 5) % 11;
    if constexpr (std::is_same_v<T, bool>) {
      host[j] = k > 5;
    } else if constexpr (golden::is_complex_v<T>) {
      host[j] = T(static_cast<typename T::value_type>(k % 3), static_cast<typename T::value_type>(k % 2));
    } else if constexpr (golden::is_float_v<T>) {
      host[j] = static_cast<T>(j % 4 == 2 ? gnp::nan : static_cast<double>(k) / 4 - 1);
    } else {
      host[j] = static_cast<T>(k * 3 - (std::is_unsigned_v<T> ? 0 : 9));
    }
  }
  return asarray(host);
}

template <class R>
void check(const std::string& expected, const array<R>& got) {
  const auto parts = golden::split(expected, ":");
  REQUIRE(got.shape() == golden::parse_shape(parts.at(0)));
  const auto host = gnp::asnumpy(got);
  const auto words = golden::split(parts.at(1), " ");
  const auto same = [](double g, double e) { return g == e || (std::isnan(g) && std::isnan(e)); };
  for (index_t i = 0; i < host.size(); ++i) {
    const auto numbers = golden::split(words.at(static_cast<std::size_t>(i)), ",");
    if constexpr (golden::is_complex_v<R>) {
      CHECK(same(static_cast<double>(host[i].real()), std::stod(numbers.at(0))));
      CHECK(same(static_cast<double>(host[i].imag()), std::stod(numbers.at(1))));
    } else {
      CHECK(same(static_cast<double>(host[i]), std::stod(numbers.at(0))));
    }
  }
}

template <class T>
void check_unique(const std::vector<std::string>& f, const array<T>& x, const std::vector<std::string>& parts) {
  const gnp::axes_t axis = f.at(3).empty() ? gnp::axes_t(gnp::none) : gnp::axes_t(std::stoi(f.at(3)));
  const bool equal = f.at(4) == "1";
  const auto [values, indices, inverse, counts] = gnp::unique(
      x,
      {.return_index = true, .return_inverse = true, .return_counts = true, .axis = axis, .equal_nan = equal});
  check(parts.at(0), values);
  check(parts.at(1), indices);
  check(parts.at(2), inverse);
  check(parts.at(3), counts);
  // Without places the values are found in another way.
  const auto [v, i, c] =
      gnp::unique(x, {.return_inverse = true, .return_counts = true, .axis = axis, .equal_nan = equal});
  check(parts.at(0), v);
  check(parts.at(2), i);
  check(parts.at(3), c);
  check(parts.at(0), gnp::unique(x, {.axis = axis, .equal_nan = equal}));
}

}  // namespace

TEMPLATE_TEST_CASE("unique and sets are NumPy's", "", bool, std::int8_t, std::uint32_t, std::int64_t, gnp::half,
                   double, gnp::complex64) {
  using T = TestType;
  const auto lines = golden::split(golden::read_file("sets.txt"), "\n");
  for_each_device([&](gnp::device) {
    int found = 0;
    for (const std::string& text : lines) {
      if (text.empty()) continue;
      const auto f = golden::split(text, ";");
      if (f.at(1) != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(text.substr(0, 300));
      const auto parts = golden::split(f.at(5), "|");
      const array<T> x = values<T>(golden::parse_shape(f.at(2)));
      const array<T> y = values<T>({9}, 1);
      if (f[0] == "unique") check_unique(f, x, parts);
      if (f[0] == "isin") {
        check(parts.at(0), gnp::isin(x, y));
        check(parts.at(1), gnp::isin(x, y, {.invert = true}));
      }
      if (f[0] == "intersect1d") {
        const auto [both, first, second] = gnp::intersect1d(x, y, {.return_indices = true});
        check(parts.at(0), both);
        check(parts.at(1), first);
        check(parts.at(2), second);
        check(parts.at(0), gnp::intersect1d(x, y));
      }
      if (f[0] == "union1d") check(parts.at(0), gnp::union1d(x, y));
      if (f[0] == "setdiff1d") check(parts.at(0), gnp::setdiff1d(x, y));
      if (f[0] == "setxor1d") check(parts.at(0), gnp::setxor1d(x, y));
    }
    CHECK(found > 8);
  });
}

TEMPLATE_TEST_CASE("setdiff1d: what is left of long arrays, views, NaN and signed zeros", "", std::uint8_t,
                   std::int64_t, gnp::half, float, double, gnp::complex128) {
  for_each_device([](gnp::device) {
    for (const gnp::index_t n : {0, 1, 2, 100, 5001}) {
      for (const gnp::index_t m : {0, 1, 70, 3001}) {
        INFO(n << " without " << m);
        gnp::array<TestType> a = (gnp::arange<std::int64_t>(2 * n) * 7919 % 211)
                                     .template astype<TestType>()(gnp::slice(gnp::none, gnp::none, 2));
        gnp::array<TestType> b =
            (gnp::arange<std::int64_t>(m) * 104729 % 97).template astype<TestType>().eval();
        if constexpr (!std::is_integral_v<TestType>) {
          const auto some = [](double x) { return gnp::scalar::cast<TestType>(x); };
          if (n >= 100)
            a(gnp::slice(3, 7)) =
                gnp::asarray<TestType>({some(gnp::nan), some(-0.0), some(gnp::inf), some(-gnp::inf)});
          if (m >= 70)
            b(gnp::slice(60, 63)) = gnp::asarray<TestType>({some(gnp::nan), some(0.0), some(gnp::inf)});
        }
        const auto x = gnp::asnumpy(gnp::unique(a));
        const auto out = gnp::asnumpy(b);
        std::vector<TestType> wanted;
        for (const TestType value : x) {
          bool found = false;
          for (const TestType other : out) found = found || other == value;
          if (!found) wanted.push_back(value);
        }
        const auto made = gnp::asnumpy(gnp::setdiff1d(a, b));
        REQUIRE(made.size() == static_cast<gnp::index_t>(wanted.size()));
        bool same = true;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          const TestType value = made(static_cast<gnp::index_t>(i));
          same = same && (value == wanted[i] || (value != value && wanted[i] != wanted[i]));
        }
        CHECK(same);
      }
    }
  });
}

TEST_CASE("unique: long arrays, views, types and errors") {
  for_each_device([](gnp::device) {
    // Numbers close together, which are counted, and far apart, which are sorted.
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{1} << 40}) {
      const array<std::int64_t> x = (gnp::arange<std::int64_t>(50021) * 7919 % 613 - 300) * step;
      const auto [values, counts] = gnp::unique(x, {.return_counts = true});
      CHECK(gnp::array_equal(values, (gnp::arange<std::int64_t>(613) - 300) * step));
      CHECK(gnp::sum(counts).item() == 50021);
      const auto [again, inverse] = gnp::unique(gnp::flip(x), {.return_inverse = true});
      CHECK(gnp::array_equal(again(inverse), gnp::flip(x)));
    }
    // Values alone: up to where a GPU marks bits, at the ends of the type, and beyond.
    const auto agrees = []<class T>(const array<T>& x) {
      std::vector<T> expected = gnp::to_vector(x);
      std::sort(expected.begin(), expected.end());
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      return gnp::to_vector(gnp::unique(x)) == expected;
    };
    const array<std::int64_t> some = gnp::arange<std::int64_t>(50021) * 7919;
    for (const std::int64_t range : {1, 31, 32, 33, 613, 30000, 199000, 210000}) {
      INFO(range);
      CHECK(agrees(array<std::int64_t>(some % range - range / 2)));
      CHECK(agrees(array<std::int32_t>((some % range - 5).astype<std::int32_t>())));
      CHECK(agrees(array<std::int64_t>(some % range + (std::numeric_limits<std::int64_t>::max() - range))));
      CHECK(agrees(array<std::int64_t>(some % range + std::numeric_limits<std::int64_t>::min())));
      CHECK(agrees(array<std::uint64_t>((some % range).astype<std::uint64_t>() - 7U)));
      CHECK(agrees(array<float>((some % range - 40).astype<float>() / 3)));
    }
    CHECK(agrees(array<std::int8_t>(some.astype<std::int8_t>())));
    CHECK(agrees(array<float>(gnp::full<float>({3000}, 2))));
    CHECK(gnp::unique(gnp::where(some % 3 == 0, gnp::nan, (some % 5).astype<double>())).size() == 6);
    CHECK(gnp::unique_values(gnp::where(some < 7919 * 3000, gnp::nan, 1.0)).size() == 3001);
    const array<float> x = gnp::arange<float>(60).reshape(6, 10) % 7;
    CHECK(gnp::array_equal(gnp::unique(x.T()), gnp::arange<float>(7)));
    CHECK(gnp::array_equal(gnp::unique(x * 2), gnp::arange<float>(7) * 2));
    CHECK(gnp::unique(gnp::ones<float>({3, 0}), {.axis = 0}).shape() == gnp::shape_t{1, 0});
    const array<double> nan = asarray<double>({gnp::nan, 1, gnp::nan});
    CHECK(gnp::unique_values(nan).size() == 3);
    CHECK(gnp::unique(nan).size() == 2);
    const auto [values, counts] = gnp::unique_counts(nan);
    CHECK(gnp::array_equal(counts, asarray<std::int64_t>({1, 1, 1})));
    CHECK(values.size() == 3);
    CHECK(gnp::unique_inverse(x).inverse.shape() == x.shape());
    CHECK(gnp::unique_all(x).indices.size() == 7);
    CHECK_THROWS_AS(gnp::unique(x, {.axis = 2}), gnp::index_error);
    CHECK_THROWS_AS(gnp::unique(x, {.axis = {0, 1}}), gnp::shape_error);
    // The common type, and sets that are known to be sets.
    static_assert(std::is_same_v<decltype(gnp::union1d(array<int>(), array<float>())), array<double>>);
    const array<int> a = asarray<int>({5, 1, 3});
    const array<int> b = asarray<int>({3, 2});
    CHECK(gnp::array_equal(gnp::setdiff1d(a, b, {.assume_unique = true}), asarray<int>({5, 1})));
    CHECK(gnp::array_equal(gnp::intersect1d(a, b, {.assume_unique = true}), asarray<int>({3})));
    CHECK(gnp::array_equal(gnp::isin(a.reshape(3, 1), b), asarray<bool>({{false}, {false}, {true}})));
  });
}

TEMPLATE_TEST_CASE("isin of short lists, around the length at which they are searched", "", std::int8_t,
                   std::int64_t, gnp::half, float, double, gnp::complex128) {
  for_each_device([](gnp::device) {
    const auto number = [](index_t i) { return static_cast<TestType>(static_cast<float>(i * 37 % 61)); };
    for (const index_t length : {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33}) {
      gnp::host_array<TestType> list({length});
      for (index_t i = 0; i < length; ++i) list[i] = number(i + 3);
      for (const index_t n : {0, 1, 63, 5000}) {
        gnp::host_array<TestType> values({2 * n});
        for (index_t i = 0; i < 2 * n; ++i) values[i] = number(i);
        const array<TestType> x = asarray(values);
        const array<TestType> others = x.reshape({n, 2})(gnp::all, 1);
        const array<TestType> given = asarray(list);
        const gnp::host_array<bool> found = gnp::asnumpy(gnp::isin(x, given));
        const gnp::host_array<bool> missing = gnp::asnumpy(gnp::isin(others, given, {.invert = true}));
        bool right = found.size() == 2 * n && missing.size() == n;
        for (index_t i = 0; i < 2 * n; ++i) {
          const bool there = std::find(list.data(), list.data() + length, values[i]) != list.data() + length;
          right = right && found[i] == there && (i % 2 == 0 || missing[i / 2] != there);
        }
        INFO(length << " in the list, " << n << " values");
        CHECK(right);
      }
    }
  });
}

TEST_CASE("isin: truth values") {
  for_each_device([](gnp::device) {
    const gnp::array<bool> x = asarray<bool>({{true, false}, {false, true}});
    const gnp::array<bool> nowhere = gnp::zeros<bool>({2, 2});
    const gnp::array<bool> everywhere = gnp::ones<bool>({2, 2});
    const auto check = [&](const gnp::array<bool>& list, const gnp::array<bool>& wanted) {
      CHECK(gnp::array_equal(gnp::isin(x, list), wanted));
      CHECK(gnp::array_equal(gnp::isin(x, list, {.invert = true}), gnp::logical_not(wanted)));
    };
    check(gnp::zeros<bool>({0}), nowhere);
    check(gnp::zeros<bool>({3}), gnp::logical_not(x));
    check(gnp::ones<bool>({40, 2}), x);
    check(gnp::arange<int>(100) == 50, everywhere);
    CHECK(gnp::array_equal(gnp::isin(x, asarray<int>({1, 2})), x));
  });
}

TEST_CASE("isin: NaN is in no list, and zeros are equal") {
  for_each_device([](gnp::device) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const array<double> x = asarray<double>({nan, 0.0, -0.0, 1.0});
    CHECK(
        gnp::array_equal(gnp::isin(x, asarray<double>({nan, 0.0})), asarray<bool>({false, true, true, false})));
    CHECK(gnp::array_equal(gnp::isin(x, asarray<double>({-0.0}), {.invert = true}),
                           asarray<bool>({true, false, false, true})));
    CHECK(gnp::array_equal(gnp::isin(x, gnp::zeros<double>({0})), gnp::zeros<bool>({4})));
    CHECK(gnp::isin(gnp::full<double>({}, 1.0), x).item());
  });
}
