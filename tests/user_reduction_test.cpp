// SPDX-License-Identifier: MIT
// Reductions of the user's own, against values known in closed form and against loops.
#include <cmath>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;

GNP_REDUCTION(distance, (x, y), square(x - y), (a, b), a + b, (r), sqrt(r), 0);
GNP_REDUCTION(largest, (x), x, (a, b), max(a, b), (r), r, lowest);
GNP_REDUCTION(smallest_size, (x), abs(x), (a, b), a < b ? a : b, (r), r, highest);
GNP_REDUCTION(average, (x), x, (a, b), a + b, (r, n), r / n, 0);
GNP_REDUCTION(weighted, (x, w, scale), scale* x* w, (a, b), a + b, (r), 0.5 * r, 0);
GNP_REDUCTION(product, (x), x, (a, b), a* b, (r), r, 1);

template <class T>
std::vector<T> values(const array<T>& a) {
  const gnp::host_array<T> host = gnp::asnumpy(a);
  return {host.begin(), host.end()};
}

}  // namespace

TEST_CASE("a distance") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::asarray<double>({{0, 3, 1}, {4, 0, 2}});
    const array<double> y = gnp::asarray<double>({{0, 0, 1}, {0, 3, 2}});
    CHECK(double(distance(x, y)) == Approx(std::sqrt(34.0)));
    CHECK(values(array<double>(distance(x, y, 1))) == std::vector<double>{3, 5});
    CHECK(values(array<double>(distance(x, y, {0, 1}))) == std::vector<double>{std::sqrt(34.0)});
    CHECK(array<double>(distance(x, y, -1, {.keepdims = true})).shape() == gnp::shape_t{2, 1});
    CHECK(array<double>(distance(x, y, {.axis = 0, .keepdims = true})).shape() == gnp::shape_t{1, 3});
    CHECK(values(array<double>(distance(x, 0, 1))) == std::vector<double>{std::sqrt(10.0), std::sqrt(20.0)});
    // In statements, of expressions and views.
    CHECK(values(array<double>(distance(x * 2, y * 2, 1) / 2 + 1)) == std::vector<double>{4, 6});
    CHECK(values(array<double>(distance(gnp::flip(x), gnp::flip(y), 1))) == std::vector<double>{5, 3});
    const array<double> unit = (x + 1) / distance(x + 1, 0, 1, {.keepdims = true});
    CHECK(double(sum(unit(0) * unit(0))) == Approx(1));
  });
}

TEST_CASE("many elements, in any layout") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(300 * 1000).reshape(300, 1000) % 101;
    const gnp::host_array<float> host = gnp::asnumpy(x);
    for (int axis = 0; axis < 2; ++axis) {
      const array<float> found = largest(x, axis);
      CHECK(values(found) == values(array<float>(max(x, axis))));
      CHECK(values(array<float>(largest(x.T(), 1 - axis))) == values(found));
      const array<float> means = average(x, axis);
      const gnp::host_array<float> mean_host = gnp::asnumpy(means);
      const index_t length = axis == 0 ? 300 : 1000;
      for (index_t k = 0; k < mean_host.size(); k += 37) {
        double total = 0;
        for (index_t i = 0; i < length; ++i) total += static_cast<double>(axis == 0 ? host(i, k) : host(k, i));
        CHECK(static_cast<double>(mean_host[k]) == Approx(total / static_cast<double>(length)).epsilon(1e-5));
      }
    }
    CHECK(float(largest(x(gnp::slice(3, 200, 7), gnp::slice(5, gnp::none, 3)))) == 100);
    CHECK(float(smallest_size(x - 50.25F)) == 0.25F);
  });
}

TEST_CASE("types of results") {
  for_each_device([](gnp::device) {
    const auto check = [](auto zero) {
      using T = decltype(zero);
      const array<T> x = gnp::asarray({3, 1, 2}).astype<T>();
      CHECK(static_cast<double>(T(largest(x))) == 3);
      STATIC_REQUIRE(std::is_same_v<typename decltype(largest(x))::value_type, T>);
      CHECK(static_cast<double>(T(product(x))) == 6);
      CHECK(static_cast<double>(average(x).item()) == Approx(2));
    };
    check(double());
    check(float());
    check(gnp::half());
    check(gnp::bfloat16());
    check(std::int8_t());
    check(std::uint16_t());
    check(std::int32_t());
    check(std::uint64_t());
    STATIC_REQUIRE(std::is_same_v<decltype(average(array<int>()))::value_type, double>);
    STATIC_REQUIRE(std::is_same_v<decltype(average(array<float>()))::value_type, float>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(weighted(array<float>(), 1, 2))::value_type, float>);  // weak literals
    const array<bool> mask = gnp::arange(5) > 1;
    CHECK(double(average(mask)) == Approx(0.6));
    const array<gnp::complex128> z = gnp::asarray(std::vector<gnp::complex128>{{1, 2}, {3, -1}});
    const gnp::complex128 mean_z = average(z).item();
    CHECK(mean_z.real() == 2);
    CHECK(mean_z.imag() == 0.5);
  });
}

TEST_CASE("no elements, NaN and wrong arguments") {
  for_each_device([](gnp::device) {
    const array<double> none = gnp::zeros({0, 3});
    CHECK(values(array<double>(distance(none, none, 0))) == std::vector<double>{0, 0, 0});
    CHECK(array<double>(distance(none, none, 1)).size() == 0);
    CHECK(double(largest(none)) == -std::numeric_limits<double>::infinity());
    CHECK(std::int32_t(smallest_size(gnp::zeros<std::int32_t>(0))) == std::numeric_limits<std::int32_t>::max());
    CHECK(std::isnan(double(average(none))));
    const array<double> x = gnp::asarray({1.0, std::nan(""), 3.0});
    CHECK(std::isnan(double(distance(x, 0))));
    CHECK_THROWS_WITH(array<double>(distance(x, 0, 1)), contains("distance"));
    CHECK_THROWS_AS(array<double>(distance(x, gnp::zeros(2))), gnp::shape_error);
  });
}

TEST_CASE("a reduction of a function's own, twice in a statement and beside gnp's") {
  for_each_device([](gnp::device) {
    GNP_REDUCTION(spread, (x), x, (a, b), max(a, b), (r), r + 1, lowest);
    const array<float> x = gnp::arange<float>(12).reshape(3, 4);
    const array<float> y = spread(x, 1, {.keepdims = true}) - x + largest(x, 1, {.keepdims = true}) * 0;
    CHECK(values(y)[0] == 4);
    CHECK(values(array<float>(spread(x, 1) + sum(x, 1))) == std::vector<float>{10, 30, 50});
    const auto [low, high] = gnp::eval(min(x), spread(x));
    CHECK(float(low) == 0);
    CHECK(float(high) == 12);
  });
}

TEST_CASE("scans by a reduction") {
  for_each_device([](gnp::device) {
    const array<int> x = gnp::asarray<int>({{3, 1, 5}, {4, 9, 2}});
    CHECK(values(gnp::scan(x, largest, 1)) == std::vector<int>{3, 3, 5, 4, 9, 9});
    CHECK(values(gnp::scan(x, largest, 0)) == std::vector<int>{3, 1, 5, 4, 9, 5});
    CHECK(values(gnp::scan(x, largest)) == std::vector<int>{3, 3, 5, 5, 9, 9});
    CHECK(values(gnp::scan(x, product, {.axis = -1})) == std::vector<int>{3, 3, 15, 4, 36, 72});
    CHECK(values(gnp::scan(x * -1, smallest_size, 1)) == std::vector<int>{3, 1, 1, 4, 4, 2});  // of abs
    CHECK(gnp::scan(gnp::zeros<int>({0, 3}), largest, 1).shape() == gnp::shape_t{0, 3});
    CHECK_THROWS_AS(gnp::scan(x, largest, 2), gnp::index_error);
    CHECK_THROWS_AS(gnp::scan(x, largest, {0, 1}), gnp::shape_error);
    // Long ones, in every layout: the largest so far of a zigzag that rises by one every other element.
    const array<double> zigzag = gnp::arange(200000.0) / 2 - gnp::arange(200000) % 2 * 10;
    const array<double> so_far = gnp::scan(zigzag, largest);
    CHECK(double(so_far(100001)) == 50000);
    CHECK(double(sum(so_far(gnp::slice(1, gnp::none)) < so_far(gnp::slice(0, -1)))) == 0);
    CHECK(values(array<double>(gnp::scan(zigzag.reshape(400, 500), largest, 0)(-1))) ==
          values(array<double>(max(zigzag.reshape(400, 500), 0))));
    const array<gnp::half> halves = gnp::scan(gnp::ones<gnp::half>(40), product);
    CHECK(float(sum(halves)) == 40);
  });
}

GNP_REDUCTION(last_value, (x), x, (a, b), b != 0 ? b : a, (r), r, 0)

TEST_CASE("a scan's operation need not commute: the last value other than zero") {
  const int length = 5000011;
  const auto shown = [](int i) { return i % 7919 == 5 || i % 300007 < 3; };
  std::vector<int> given(length), expected(length);
  for (int i = 0, last = 0; i < length; ++i) {
    given[static_cast<std::size_t>(i)] = shown(i) ? i + 1 : 0;
    expected[static_cast<std::size_t>(i)] = last = shown(i) ? i + 1 : last;
  }
  for_each_device([&](gnp::device) {
    const array<int> x = gnp::asarray(given);
    CHECK(values(gnp::scan(x, last_value)) == expected);
    CHECK(values(array<int>(gnp::scan(x.astype<double>(), last_value).astype<int>())) == expected);
    const array<int> rows = gnp::scan(x(gnp::slice(0, 5000000)).reshape(50, 100000), last_value, 1);
    const array<int> columns =
        gnp::scan(gnp::ascontiguousarray(x(gnp::slice(0, 5000000)).reshape(50, 100000).T()), last_value, 0);
    const std::vector<int> by_rows = values(rows), by_columns = values(array<int>(columns.T()));
    for (std::size_t row = 0; row < 50; ++row) {
      int last = 0;
      bool right = true;
      for (std::size_t i = row * 100000; i < (row + 1) * 100000; ++i) {
        last = given[i] != 0 ? given[i] : last;
        right = right && by_rows[i] == last && by_columns[i] == last;
      }
      CHECK(right);
    }
  });
}
