// SPDX-License-Identifier: MIT
// erf, erfc, tgamma and lgamma: known values, identities, ends and types. (NumPy has none of them; the values
// are mathematical tables'.)
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;

constexpr double infinite = std::numeric_limits<double>::infinity();

template <class T, class F>
void check_values(F f, const std::vector<std::pair<double, double>>& table, double units) {
  for (const auto& [x, y] : table) {
    const gnp::host_array<T> got = gnp::asnumpy(array<T>(f(gnp::full<T>({3}, x))));
    const double unit = std::abs(y) * static_cast<double>(gnp::finfo<T>::eps);
    INFO(gnp::name(gnp::dtype_of<T>) << " " << x << " " << static_cast<double>(got[2]) << " " << y);
    CHECK(std::abs(static_cast<double>(got[2]) - y) <= units * unit);
  }
}

template <class T>
void check_tables() {
  check_values<T>([](const auto& x) { return erf(x); },
                  {{0, 0}, {0.5, 0.52049987781304654}, {-1, -0.84270079294971487}, {2, 0.99532226501895273}},
                  4);
  check_values<T>([](const auto& x) { return erfc(x); },
                  {{0, 1}, {0.5, 0.47950012218695346}, {-1, 1.8427007929497149}, {3, 2.2090496998585441e-05}},
                  8);
  check_values<T>([](const auto& x) { return tgamma(x); },
                  {{0.5, 1.7724538509055161}, {-0.5, -3.5449077018110321}, {5, 24}, {1, 1}, {8, 5040}}, 12);
  check_values<T>([](const auto& x) { return lgamma(x); },
                  {{1, 0}, {2, 0}, {0.5, 0.57236494292470009}, {100, 359.13420536957540}}, 8);
}

}  // namespace

TEST_CASE("special functions: the tables' values, in every floating-point type") {
  for_each_device([](gnp::device) {
    check_tables<double>();
    check_tables<float>();
    check_tables<gnp::half>();
    check_tables<gnp::bfloat16>();
  });
}

TEST_CASE("special functions: identities, in formulas with others") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::linspace(0.1, 12.0, 1001);
    CHECK(gnp::all(abs(erf(x) + erfc(x) - 1.0) < 1e-15).item());
    CHECK(gnp::all(abs(tgamma(x + 1.0) / (x * tgamma(x)) - 1.0) < 1e-14).item());
    CHECK(gnp::all(abs(exp(lgamma(x)) / tgamma(x) - 1.0) < 2e-14).item());
    // The distribution function of a normal number: a strided view, a reduction of it.
    const array<double> z = gnp::linspace(-3.0, 3.0, 13);
    const array<double> below = 0.5 * (1.0 + erf(z(gnp::slice(gnp::none, gnp::none, 2)) / std::sqrt(2.0)));
    CHECK(below.item(3) == 0.5);
    CHECK(std::abs(below.item(5) - 0.97724986805182079) < 1e-15);
    CHECK(std::abs(gnp::mean(below).item() - 0.5) < 1e-15);
  });
}

TEST_CASE("special functions: NaN, infinities and poles") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::asarray<double>({-infinite, infinite, std::nan(""), 0.0, -1.0});
    const auto same = [&](const array<double>& got, const array<double>& right) {
      CHECK(gnp::array_equal(got, right, {.equal_nan = true}));
    };
    const double nan = std::nan("");
    same(gnp::erf(x(gnp::slice(4))), gnp::asarray<double>({-1, 1, nan, 0}));
    same(gnp::erfc(x(gnp::slice(4))), gnp::asarray<double>({2, 0, nan, 1}));
    same(gnp::lgamma(x), gnp::asarray<double>({infinite, infinite, nan, infinite, infinite}));
    same(gnp::tgamma(x), gnp::asarray<double>({nan, infinite, nan, infinite, nan}));
  });
}

TEST_CASE("special functions: types, numbers, and no array") {
  for_each_device([](gnp::device) {
    static_assert(std::is_same_v<decltype(gnp::erf(gnp::array<float>()))::value_type, float>);
    static_assert(std::is_same_v<decltype(gnp::erf(gnp::array<gnp::half>()))::value_type, gnp::half>);
    static_assert(std::is_same_v<decltype(gnp::lgamma(gnp::array<int>()))::value_type, double>);
    const array<double> factorials = tgamma(gnp::arange(1, 6));
    CHECK(gnp::allclose(factorials, gnp::asarray({1, 1, 2, 6, 24}), {.rtol = 1e-14, .atol = 0}));
    CHECK(gnp::erf(0.0) == 0.0);
    CHECK(std::is_same_v<decltype(gnp::erfc(0.5F)), float>);
    CHECK(array<double>(erf(gnp::zeros({0, 3}))).shape() == gnp::shape_t{0, 3});
  });
}
