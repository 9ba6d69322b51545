// SPDX-License-Identifier: MIT
// test: asan
// One element is a number where one is wanted, and a number is an array: conversions, conditions, constants.
#include <cmath>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::shape_t;

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// What may become what without a cast. (No double is made of a complex number, nor is one of a host array.)
static_assert(std::is_convertible_v<array<double>, double>);
static_assert(std::is_convertible_v<array<double>, float>);
static_assert(std::is_convertible_v<array<bool>, bool>);
static_assert(std::is_convertible_v<array<std::int64_t>, int>);
static_assert(std::is_convertible_v<array<gnp::complex64>, gnp::complex64>);
static_assert(!std::is_constructible_v<double, array<gnp::complex128>>);
static_assert(!std::is_constructible_v<float, gnp::host_array<float>>);
static_assert(std::is_constructible_v<bool, array<gnp::complex128>>);
static_assert(!std::is_convertible_v<array<double>, std::string>);
static_assert(!std::is_convertible_v<array<double>, const char*>);
static_assert(sizeof(array<double>) == sizeof(array<bool>));

GNP_UFUNC(twice_plus, (x, y), 2 * x + y);

}  // namespace

TEST_CASE("one element is a number") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange<double>(6).reshape(2, 3);
    const double sum = x.sum();
    CHECK(sum == 15);
    const float third = x(1, 0);
    CHECK(third == 3);
    const int count = gnp::count_nonzero(x);
    CHECK(count == 5);
    const bool all = gnp::all(x >= 0);
    CHECK(all);
    CHECK(double(x.sum() / 3) == 5);
    CHECK(static_cast<float>(x(1, 2)) == 5);
    CHECK(int(x(1, 2) * 1.9) == 9);
    double total = 0;
    total += x.sum();
    total = total + double(x(0, 1) + x(0, 2));
    CHECK(total == 18);
    CHECK(std::sqrt(x.sum()) == std::sqrt(15.));
    CHECK(std::to_string(x.argmax()) == "5");
    CHECK(std::max<double>(x.max(), 2.0) == 5);
    const std::vector<int> list = {1, 2, 3, 4, 5, 6};
    CHECK(list[static_cast<std::size_t>(std::int64_t(x.argmax()))] == 6);
    // More axes of size 1, views, and formulas of the user's own.
    CHECK(double(x(gnp::slice(1), gnp::slice(2, 3))) == 2);
    CHECK(double(twice_plus(x(1, 1), x(0, 1))) == 9);
    CHECK(double(gnp::matmul(x(0), x(1))) == 14);
    CHECK(double(sqrt(x(1, 1) * x(1, 1)) + 2) == 6);
    CHECK(float(gnp::asarray<gnp::half>({2.5})) == 2.5F);
    CHECK(gnp::half(gnp::asarray<gnp::half>({2.5})).bits == gnp::half(2.5).bits);
    CHECK(gnp::complex128(gnp::asarray<gnp::complex128>({{1, 2}})(0, 1) * gnp::complex128(0, 1)) ==
          gnp::complex128(0, 2));
  });
}

TEST_CASE("every element type is its own number") {
  for_each_device([](gnp::device) {
    const auto check = [](auto value) {
      using T = decltype(value);
      const array<T> a = value;
      CHECK(a.ndim() == 0);
      const T back = a;
      CHECK(back == value);
      CHECK(static_cast<bool>(a));
      CHECK(static_cast<bool>(a == a));
      CHECK_FALSE(static_cast<bool>(a != a));
    };
    check(true);
    check(std::int8_t{3});
    check(std::int16_t{3});
    check(std::int32_t{3});
    check(std::int64_t{3});
    check(std::uint8_t{3});
    check(std::uint16_t{3});
    check(std::uint32_t{3});
    check(std::uint64_t{3});
  });
}

TEST_CASE("conditions") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange<double>(4);
    const array<double> y = x + 1e-12;
    const auto reached = [](bool yes) { return yes; };
    if (abs(x - y).max() < 1e-9) {
      CHECK(true);
    } else {
      CHECK(false);
    }
    CHECK(reached(!gnp::any(x > 3)));
    CHECK(reached(x(2) == 2));
    CHECK(reached(x.sum() > 5 && x.max() == 3));
    CHECK_FALSE(reached(x.sum() > 5 && x.max() == 2));
    CHECK(reached(x.sum() == 0 || x.any()));
    const double* pointer = x.data();
    CHECK(reached(pointer != nullptr && x.any()));
    array<double> error = 1.0;
    int steps = 0;
    while (error > 0.1) {
      error = error / 2;
      ++steps;
    }
    CHECK(steps == 4);
    const double larger = x.max() > 2 ? x.max() : x.min();
    CHECK(larger == 3);
    CHECK(reached(gnp::asarray<gnp::complex64>({gnp::complex64(0, 1)}) == gnp::complex64(0, 1)));
    CHECK(bool(gnp::asarray<gnp::complex64>({gnp::complex64(0, 1)})));
    CHECK_FALSE(bool(gnp::asarray<gnp::complex64>({gnp::complex64(0, 0)})));
    CHECK(bool(array<double>(gnp::nan)));  // as NumPy's
    // Arrays in containers compare as in Python: of one element by value, of more not at all.
    std::vector<array<double>> list = {array<double>(1.0), array<double>(2.0)};
    CHECK(std::find(list.begin(), list.end(), array<double>(2.0)) == list.begin() + 1);
    CHECK(list == list);
  });
}

TEST_CASE("more or fewer than one element are no number") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange<double>(6).reshape(2, 3);
    CHECK_THROWS_WITH(double(x), "only an array of one element is a number, got shape (2, 3)");
    CHECK_THROWS_WITH(double(x + 1), "only an array of one element is a number, got shape (2, 3)");
    CHECK_THROWS_WITH(double(gnp::zeros({0})), "only an array of one element is a number, got shape (0,)");
    CHECK_THROWS_WITH(double(gnp::matmul(x, x.T())),
                      "only an array of one element is a number, got shape (2, 2)");
    CHECK_THROWS_WITH(
        bool(x == x),
        "the truth value of an array of shape (2, 3) is ambiguous: use gnp::any(...) or gnp::all(...)");
    CHECK_THROWS_WITH(
        bool(x),
        "the truth value of an array of shape (2, 3) is ambiguous: use gnp::any(...) or gnp::all(...)");
    const auto holds = [](const auto& a) {
      if (a) return true;
      return false;
    };
    CHECK_THROWS_WITH(holds(x.sum(0)), contains("the truth value of an array of shape (3,) is ambiguous"));
    CHECK_THROWS_WITH(holds(x.astype<gnp::half>()), contains("use gnp::any(...)"));
    CHECK(holds(x.sum()));
    CHECK(holds(x.sum().astype<gnp::half>()));
    CHECK(holds(array<int>(2)));
    CHECK(!holds(x(0, 0)));
    CHECK_THROWS_WITH(bool(gnp::zeros<bool>({0})),
                      "the truth value of an array of shape (0,) is ambiguous: it has no element");
    CHECK_THROWS_AS(bool(gnp::ones<gnp::complex64>({2})), gnp::shape_error);
    CHECK_THROWS_AS(static_cast<float>(gnp::ones<gnp::half>({2})), gnp::shape_error);
  });
}

TEST_CASE("an expression of one element computes what its array holds") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::linspace<float>(0.1, 3, 40).reshape(4, 10);
    const auto e = where(x > 1, x * 2 - 1, 3 - x) / (x + 1);
    const array<float> all = e;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 10; ++j) {
        CHECK(e.item(i, j) == all.item(i, j));
        CHECK(float(e(i, j)) == float(all(i, j)));
      }
    }
    CHECK_THROWS_AS(e.item(4, 0), gnp::index_error);
    CHECK_THROWS_AS(e.item(40), gnp::index_error);
    CHECK_THROWS_AS(e.item(), gnp::shape_error);
    const array<std::uint8_t> bytes = gnp::asarray<std::uint8_t>({200, 100});
    CHECK((bytes(0) + bytes(1)).item() == 44);  // in the array's type, as where it is stored
    CHECK((bytes + bytes.astype<float>()).item(0) == 400);
  });
}

TEST_CASE("a number is an array of rank 0") {
  for_each_device([](gnp::device device) {
    const array<double> zero = 0.0;
    CHECK(zero.shape() == shape_t{});
    CHECK(zero.device() == device);
    const array<float> three = 3;
    CHECK(three.item() == 3.0F);
    const array deduced = 2.5F;
    static_assert(std::is_same_v<decltype(deduced), const array<float>>);
    const array<gnp::complex128> z = gnp::complex64(1, 2);
    CHECK(z.item() == gnp::complex128(1, 2));
    CHECK_THROWS_AS(array<std::uint8_t>(300), gnp::dtype_error);

    array<double> a = gnp::ones<double>({3});
    const array<double> other = a;
    a = 0;  // a name is rebound, as in Python
    CHECK(a.shape() == shape_t{});
    CHECK(a.item() == 0);
    CHECK(other.sum().item() == 3);
    other(1) = 7;  // a view is written through
    CHECK(other.sum().item() == 9);
    const auto doubled = [](const array<double>& x) { return array<double>(x * 2); };
    CHECK(double(doubled(4)) == 8);
  });
}

TEST_CASE("numbers are printed as the stream is told") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::asarray({1.0, 2.0, 2.0});
    const auto text = [](const auto& value, auto... manipulators) {
      std::ostringstream out;
      ((out << manipulators), ...);
      out << value;
      return out.str();
    };
    CHECK(text(x.mean()) == "1.6666666666666667");
    CHECK(text(x.mean(), std::setprecision(3)) == "1.67");
    CHECK(text(x.mean(), std::setw(8), std::setprecision(3)) == "    1.67");
    CHECK(text(x.mean(), std::fixed, std::setprecision(1)) == "1.7");
    CHECK(text(x.mean() * 1e10, std::scientific) == "1.666667e+10");
    CHECK(text(x.sum() / 3, std::setprecision(3)) == "1.67");
    CHECK(text(x / 3) == "[0.33333333 0.66666667 0.66666667]");
    CHECK(text(x / 3, std::setprecision(3)) == "[0.333 0.667 0.667]");
    CHECK(text(x / 3, std::fixed, std::setprecision(2)) == "[0.33 0.67 0.67]");
    CHECK(text(gnp::asarray({1.23456789, 1e-9, 100.0}), std::fixed, std::setprecision(2)) ==
          "[  1.23   0.00 100.00]");
    CHECK(text(gnp::count_nonzero(x) * 10, std::hex) == "1e");
    CHECK(text(gnp::all(x > 0), std::setprecision(3)) == "True");
    CHECK(text(x(0) * gnp::complex128(1.2345, -2.3456), std::setprecision(3)) == "(1.23-2.35j)");
    CHECK(text(x(0) * gnp::complex128(1.2345, 2), std::setw(12), std::setprecision(3)) == "   (1.23+2j)");
    CHECK(text(gnp::asarray<gnp::half>({1})(0) / 3, std::setprecision(2)) == "0.33");
    CHECK(text(gnp::asarray<std::int8_t>({65})(0), std::setprecision(2)) == "65");
  });
}

TEST_CASE("NumPy's constants and type names") {
  CHECK(gnp::pi == std::acos(-1.0));
  CHECK(gnp::e == std::exp(1.0));
  CHECK(gnp::inf > 1e308);
  CHECK(gnp::nan != gnp::nan);
  CHECK(gnp::euler_gamma == 0.5772156649015329);
  static_assert(std::is_same_v<gnp::float16, gnp::half>);
  static_assert(std::is_same_v<gnp::bool_, bool>);
  const array<gnp::float32> x = gnp::ones<gnp::float32>({2}) * gnp::pi;
  CHECK(x.item(0) == 3.14159274F);
  CHECK(x(gnp::newaxis).shape() == shape_t{1, 2});
  CHECK(x(gnp::all, gnp::none).shape() == shape_t{2, 1});
  CHECK((x + 1)(gnp::none, 1).shape() == shape_t{1});
  CHECK(gnp::zeros<gnp::int8>({1}).itemsize() + gnp::zeros<gnp::uint64>({1}).itemsize() == 9);
}
