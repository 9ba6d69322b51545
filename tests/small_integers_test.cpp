// SPDX-License-Identifier: MIT
// Sums and means of integers of a byte or two, and of floating-point numbers that were such, beside plain
// loops: exact whatever the layout and the length.
#include <limits>
#include <random>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;

template <class T>
std::vector<T> numbers(index_t count) {
  std::mt19937 engine(17);
  using limits = std::numeric_limits<T>;
  std::uniform_int_distribution<int> any(limits::lowest(), (limits::max)());
  std::vector<T> x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 5 == 0 ? limits::lowest() : i % 7 == 0 ? (limits::max)() : static_cast<T>(any(engine));
  }
  return x;
}

template <class T>
array<T> matrix(index_t rows, index_t columns) {
  return gnp::asarray(numbers<T>(rows * columns)).reshape({rows, columns});
}

template <class T>
std::vector<std::int64_t> column_sums(const array<T>& x) {
  const auto values = gnp::asnumpy(x);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(x.shape(1)));
  for (index_t i = 0; i < x.shape(0); ++i) {
    for (index_t j = 0; j < x.shape(1); ++j)
      sums[static_cast<std::size_t>(j)] += static_cast<std::int64_t>(values(i, j));
  }
  return sums;
}

template <class R, class F>
bool are(const array<R>& x, const std::vector<std::int64_t>& sums, const F& result) {
  const auto values = gnp::asnumpy(x);
  if (x.size() != static_cast<index_t>(sums.size())) return false;
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const R got = values(static_cast<index_t>(j));
    const R wanted = result(sums[j]);
    if (got != wanted && !(got != got && wanted != wanted)) return false;
  }
  return true;
}

/// Means of the columns of x, which are rows of its transpose, and sums.
template <class T>
void check_columns(const array<T>& x) {
  using sum_type = gnp::detail::summed_type<T>;
  const std::vector<std::int64_t> sums = column_sums(x);
  const auto rows = static_cast<double>(x.shape(0));
  const auto mean = [rows](std::int64_t s) { return static_cast<double>(s) / rows; };
  CHECK(are<double>(gnp::mean(x, 0), sums, mean));
  CHECK(are<double>(gnp::mean(x.T(), 1), sums, mean));
  CHECK(are<sum_type>(gnp::sum(x, 0), sums, [](std::int64_t s) { return static_cast<sum_type>(s); }));
}

/// Of converted numbers, into memory that is there, and with one number more.
template <class T>
void check_conversions(const array<T>& x) {
  const std::vector<std::int64_t> sums = column_sums(x);
  const auto rows = static_cast<double>(x.shape(0));
  const auto mean = [rows](std::int64_t s) { return static_cast<double>(s) / rows; };
  const auto float_mean = [rows](std::int64_t s) { return static_cast<float>(s) / static_cast<float>(rows); };
  const auto converted = [](std::int64_t s) { return static_cast<float>(s); };
  CHECK(are<float>(gnp::sum<float>(x, 0), sums, converted));
  CHECK(are<float>(gnp::mean<float>(x, 0), sums, float_mean));
  CHECK(are<float>(gnp::mean(x.template astype<float>(), 0), sums, float_mean));
  CHECK(are<float>(gnp::mean(x.T().template astype<float>(), 1), sums, float_mean));
  CHECK(are<double>(gnp::sum(x.template astype<double>(), 0), sums,
                    [](std::int64_t s) { return static_cast<double>(s); }));
  CHECK(are<double>(gnp::mean(x.template astype<float>().template astype<double>(), 0), sums, mean));
  const array<double> into = gnp::zeros<double>({2, x.shape(1)});
  into(1) = gnp::mean(x, 0);
  CHECK(are<double>(into(1), sums, mean));
  CHECK(gnp::sum(gnp::abs(into(0))).item() == 0);
  CHECK(are<float>(gnp::sum<float>(x, 0, {.initial = 0.5F}), sums,
                   [&](std::int64_t s) { return converted(s) + 0.5F; }));
}

template <class T>
void check_type() {
  CAPTURE(gnp::name(gnp::dtype_of<T>));
  for (const auto& [rows, columns] :
       {std::pair<index_t, index_t>{1, 33}, {33, 1}, {7, 16}, {2000, 64}, {4096, 101}, {30000, 17}}) {
    CAPTURE(rows, columns);
    const array<T> x = matrix<T>(rows, columns);
    check_columns<T>(x);
    if (rows == 2000 || rows == 4096) {
      check_columns<T>(x(all, slice(1, none)));
      check_columns<T>(x(slice(none, none, 3), slice(none, none, -2)));
      check_conversions<T>(x);
    }
  }
  check_columns<T>(gnp::zeros<T>({0, 20}));
  check_conversions<T>(gnp::zeros<T>({0, 20}));
  const array<T> x = matrix<T>(60, 40 * 30);
  const array<T> deep = x.reshape({60, 40, 30});
  CHECK(
      gnp::all(gnp::mean(deep, {0, 2}) == gnp::mean(deep.transpose({1, 0, 2}).reshape({40, 1800}), 1)).item());
}

/// Where the partial sums of 32 bits would be too few, and a float's digits.
template <class T>
void check_long(T value, index_t rows, index_t columns) {
  CAPTURE(gnp::name(gnp::dtype_of<T>), rows);
  const array<T> x = gnp::full<T>({rows, columns}, value);
  const std::int64_t total = std::int64_t{value} * rows;
  const array<std::int64_t> sums = gnp::sum(x, 0).template astype<std::int64_t>();
  CHECK(gnp::all(sums == total).item());
  CHECK(gnp::all(gnp::mean(x, 0) == static_cast<double>(value)).item());
  CHECK(gnp::all(gnp::sum(x.template astype<double>(), 0) == static_cast<double>(total)).item());
  CHECK(gnp::all(gnp::sum<float>(x, 0) == static_cast<float>(total)).item());
  CHECK(gnp::mean(x).item() == static_cast<double>(value));
}

}  // namespace

TEST_CASE("small integers: sums and means along either axis") {
  for_each_device([](gnp::device) {
    check_type<std::int8_t>();
    check_type<std::uint8_t>();
    check_type<std::int16_t>();
    check_type<std::uint16_t>();
  });
}

TEST_CASE("small integers: more than 32 bits hold") {
  for_each_device([](gnp::device) {
    check_long<std::uint8_t>(255, 17000003, 3);
    check_long<std::int8_t>(-128, 17000003, 2);
    check_long<std::int16_t>(-32768, 140001, 33);
    check_long<std::uint16_t>(65535, 70001, 9);
  });
}

TEST_CASE("small integers: means of truth values") {
  for_each_device([](gnp::device) {
    const array<std::uint8_t> x = matrix<std::uint8_t>(3000, 50);
    const std::vector<std::int64_t> counts = column_sums((x > 100).astype<int>().eval());
    const auto share = [](std::int64_t s) { return static_cast<double>(s) / 3000; };
    CHECK(are<double>(gnp::mean(x > 100, 0), counts, share));
    CHECK(are<float>(gnp::mean((x > 100).astype<float>(), 0), counts,
                     [](std::int64_t s) { return static_cast<float>(s) / 3000.0F; }));
    CHECK(are<double>(gnp::mean((x > 100).eval(), 0), counts, share));
  });
}

TEST_CASE("small integers: beside other steps of a statement") {
  for_each_device([](gnp::device) {
    const array<std::uint8_t> x = matrix<std::uint8_t>(5000, 48);
    const std::vector<std::int64_t> sums = column_sums(x);
    const array<float> apart = x.astype<float>() - gnp::mean(x.astype<float>(), 0);
    const auto values = gnp::asnumpy(x);
    const auto got = gnp::asnumpy(apart);
    float most = 0;
    for (index_t i = 0; i < 5000; ++i) {
      for (index_t j = 0; j < 48; ++j) {
        const double mean = static_cast<double>(sums[static_cast<std::size_t>(j)]) / 5000;
        most = (std::max)(most, std::abs(got(i, j) - static_cast<float>(values(i, j) - mean)));
      }
    }
    CHECK(most < 5e-5F);
    const auto [mean, sum, largest] = gnp::eval(gnp::mean(x, 0), gnp::sum<float>(x, 0), (gnp::max)(x, 0));
    CHECK(are<double>(mean, sums, [](std::int64_t s) { return static_cast<double>(s) / 5000; }));
    CHECK(are<float>(sum, sums, [](std::int64_t s) { return static_cast<float>(s); }));
    CHECK(gnp::all(largest == 255).item());
    // What is computed before it is summed is no integer.
    const array<float> halves = gnp::sum(x.astype<float>() * 0.5F, 0);
    CHECK(are<float>(halves, sums, [](std::int64_t s) { return static_cast<float>(s) * 0.5F; }));
  });
}
