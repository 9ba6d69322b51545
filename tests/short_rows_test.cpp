// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Formulas whose rows are a few elements, the colours of images say, and lie one after the other, with operands
// that repeat in each row or differ from row to row; and argmax of rows of any length. Against plain loops.
#include <cmath>
#include <limits>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;
using gnp::shape_t;
using gnp::slice;

template <class T>
T value_at(index_t i) {
  return static_cast<T>((i * 37) % 113);
}
template <class T>
array<T> values(index_t count) {
  std::vector<T> v;
  v.reserve(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) v.push_back(value_at<T>(i));
  return gnp::asarray(v);
}

/// The largest distance from what f says of a row and a column.
template <class T, class F>
double distance(const array<T>& found, const F& f) {
  const host_array<T> host = gnp::asnumpy(found);
  double most = 0;
  for (index_t i = 0; i < host.shape(0); ++i) {
    for (index_t j = 0; j < host.shape(1); ++j)
      most = std::max(most, std::abs(static_cast<double>(host(i, j)) - f(i, j)));
  }
  return most;
}

template <class T>
void check_short_rows(index_t rows, index_t length) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << rows << " x " << length);
  const array<T> x = values<T>(rows * length).reshape(rows, length);
  const auto at = [length](index_t i, index_t j) { return static_cast<double>(value_at<T>(i * length + j)); };
  const auto other = [](index_t i) { return static_cast<double>(value_at<float>(i)); };
  const array<float> of_column = values<float>(2 * length)(slice(gnp::none, gnp::none, 2));  // every other
  const array<float> of_row = values<float>(rows);
  const auto f = x.template astype<float>();
  CHECK(distance(array<float>(f * 2.0F - of_column),
                 [&](index_t i, index_t j) { return at(i, j) * 2 - other(2 * j); }) == 0);
  CHECK(distance(array<float>((f + of_row(all, newaxis)) * of_column(slice(gnp::none, gnp::none, -1))),
                 [&](index_t i, index_t j) { return (at(i, j) + other(i)) * other(2 * (length - 1 - j)); }) ==
        0);
  CHECK(distance(array<float>(of_row(all, newaxis) - of_column),
                 [&](index_t i, index_t j) { return other(i) - other(2 * j); }) == 0);
  const auto [less, more] = gnp::eval(f - of_column, f * 3.0F + of_column);
  CHECK(distance(less, [&](index_t i, index_t j) { return at(i, j) - other(2 * j); }) == 0);
  CHECK(distance(more, [&](index_t i, index_t j) { return at(i, j) * 3 + other(2 * j); }) == 0);
  // In place, in a part of the rows, and with a table and a number beside them.
  const array<T> y = x.copy();
  y(slice(1, gnp::none)) += of_row(slice(1, gnp::none))(all, newaxis).template astype<T>();
  CHECK(distance(y, [&](index_t i, index_t j) {
          return static_cast<double>(
              static_cast<T>(at(i, j) + (i == 0 ? 0 : static_cast<double>(value_at<T>(i)))));
        }) == 0);
  const array<index_t> turned = length - 1 - gnp::arange(length);
  CHECK(distance(array<float>(f + of_column(turned) + of_row(0)),
                 [&](index_t i, index_t j) { return at(i, j) + other(2 * (length - 1 - j)) + other(0); }) == 0);
  CHECK(distance(array<float>(f - gnp::arange(length).template astype<float>() + of_column),
                 [&](index_t i, index_t j) { return at(i, j) - static_cast<double>(j) + other(2 * j); }) == 0);
}

}  // namespace

TEST_CASE("short rows with what repeats in each") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    for (const index_t length : {2, 3, 5, 6, 7, 12, 15, 17}) {
      if (few && (length == 5 || length == 6 || length == 15)) continue;
      check_short_rows<std::uint8_t>(length == 3 && !sanitized ? 40000 : 37, length);
      check_short_rows<float>(34, length);
    }
    // Several vectors of a thread.
    check_short_rows<float>(sanitized ? 15000 : few ? 150000 : 1500000, 3);
    check_short_rows<std::uint8_t>(sanitized ? 7001 : few ? 70001 : 700001, 7);
    check_short_rows<double>(101, 3);
    check_short_rows<gnp::half>(1, 3);
    check_short_rows<std::int16_t>(3, 7);
  });
}

namespace {

/// Softmax, variance and argmax of each row, beside loops of double.
template <class T>
void check_reduced_short_rows(index_t rows, index_t length, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << rows << " x " << length);
  const array<T> x = values<T>(rows * length).reshape(rows, length);
  const auto e = exp((x - max(x, {.axis = 1, .keepdims = true})) * static_cast<T>(0.125));
  const host_array<T> softmax = gnp::asnumpy(array<T>(e / sum(e, {.axis = 1, .keepdims = true})));
  const host_array<std::int64_t> most = gnp::asnumpy(argmax(x, 1));
  const host_array<double> spread = gnp::asnumpy(array<double>(var(x.template astype<double>(), 1)));
  index_t wrong = 0;
  for (index_t i = 0; i < rows; ++i) {
    const auto at = [&](index_t j) { return static_cast<double>(value_at<T>(i * length + j)); };
    index_t high = 0;
    double total = 0;
    for (index_t j = 0; j < length; ++j) {
      if (at(j) > at(high)) high = j;
      total += at(j);
    }
    double shares = 0;
    double squares = 0;
    for (index_t j = 0; j < length; ++j) {
      shares += std::exp((at(j) - at(high)) / 8);
      squares += (at(j) - total / static_cast<double>(length)) * (at(j) - total / static_cast<double>(length));
    }
    wrong += most(i) != high ? 1 : 0;
    wrong += std::abs(spread(i) - squares / static_cast<double>(length)) > 1e-9 ? 1 : 0;
    for (index_t j = 0; j < length; ++j) {
      const double share = std::exp((at(j) - at(high)) / 8) / shares;
      wrong += std::abs(static_cast<double>(softmax(i, j)) - share) > tolerance ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("softmax, variances and argmax of many short rows") {
  for_each_device([](gnp::device where) {
    // So many that a thread takes one, or several of the shortest.
    const index_t rows = where.is_cpu() ? 11 : gnp::device_properties(where).multiprocessors * 1024 + 3;
    const bool few = is_simulated(where);
    for (const index_t length : {3, 12, 16, 20, 33, 40, 49, 50, 84})
      if (!few || (length != 12 && length != 20 && length != 40 && length != 50))
        check_reduced_short_rows<float>(rows, length, 1e-6);
    for (const index_t length : {5, 24, 40, 67})
      if (!few || length < 30) check_reduced_short_rows<gnp::half>(rows, length, 1e-3);
    for (const index_t length : {6, 20, 32})
      if (!few || length != 20) check_reduced_short_rows<double>(rows, length, 1e-14);
  });
}

TEMPLATE_TEST_CASE("quotients of zeros and of what is hardly a number", "", float, double) {
  for_each_device([](gnp::device) {
    using limits = std::numeric_limits<TestType>;
    const std::vector<TestType> numbers = {0,
                                           -TestType(0),
                                           1,
                                           -3,
                                           limits::infinity(),
                                           -limits::infinity(),
                                           limits::quiet_NaN(),
                                           limits::denorm_min(),
                                           -limits::denorm_min(),
                                           limits::min(),
                                           limits::max(),
                                           -limits::max()};
    const auto count = static_cast<index_t>(numbers.size());
    const array<TestType> x = gnp::asarray(numbers);
    const array<TestType> rows(broadcast_to(x(all, newaxis), shape_t{count, count}));
    const host_array<TestType> alone = gnp::asnumpy(array<TestType>(x / x(all, newaxis)));
    const host_array<TestType> in_rows =
        gnp::asnumpy(array<TestType>(x / max(rows, {.axis = 1, .keepdims = true})));
    for (index_t i = 0; i < count; ++i) {
      for (index_t j = 0; j < count; ++j) {
        const TestType right = numbers[static_cast<std::size_t>(j)] / numbers[static_cast<std::size_t>(i)];
        INFO(numbers[static_cast<std::size_t>(j)] << " / " << numbers[static_cast<std::size_t>(i)]);
        for (const TestType found : {alone(i, j), in_rows(i, j)}) {
          CHECK(std::isnan(found) == std::isnan(right));
          if (std::isnan(right)) continue;
          CHECK(found == right);
          CHECK(std::signbit(found) == std::signbit(right));
        }
      }
    }
  });
}

TEST_CASE("argmax and argmin of rows of any length") {
  for_each_device([](gnp::device where) {
    for (const index_t length : {1, 2, 3, 4, 31, 100, 129, 511, 1000, 1001, 1004, 4100}) {
      if (is_simulated(where) && (length == 2 || length == 129 || length == 511 || length == 1004)) continue;
      INFO(length);
      const array<float> x = values<float>(40 * length).reshape(40, length);
      if (length > 40) {
        x(3, 40) = gnp::nan;  // NaN is the largest and the smallest, as in NumPy
        x(3, length - 1) = gnp::nan;
        x(4, slice(length - 3, gnp::none)) = 1000.0F;  // the first of equal ones
        x(5, all) = -static_cast<float>(gnp::inf);
      }
      const host_array<float> host = gnp::asnumpy(x);
      const host_array<std::int64_t> most = gnp::asnumpy(argmax(x, 1));
      const host_array<std::int64_t> least = gnp::asnumpy(argmin(x, 1));
      index_t wrong = 0;
      for (index_t i = 0; i < 40; ++i) {
        index_t high = 0, low = 0;
        for (index_t j = 1; j < length; ++j) {
          const float v = host(i, j);
          if (v > host(i, high) || (std::isnan(v) && !std::isnan(host(i, high)))) high = j;
          if (v < host(i, low) || (std::isnan(v) && !std::isnan(host(i, low)))) low = j;
        }
        wrong += most(i) != high || least(i) != low ? 1 : 0;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("sums of products of all pairs within short rows") {
  for_each_device([](gnp::device) {
    // Enough results for loops of a thread. Along one axis of each loop an operand stays, or takes its next
    // element.
    constexpr gnp::index_t rows = 8200, n = 4;
    gnp::host_array<float> x({rows, n}), m({n}), p({n, n});
    for (gnp::index_t i = 0; i < rows * n; ++i) x[i] = static_cast<float>(i * i % 11 - 5);
    for (gnp::index_t i = 0; i < n; ++i) m[i] = static_cast<float>(i - 2);
    for (gnp::index_t i = 0; i < n * n; ++i) p[i] = static_cast<float>(i * 7 % 5);
    const auto e = gnp::asarray(x) - gnp::asarray(m);
    const auto matrix = gnp::asarray(p);
    const auto products = e(gnp::all, gnp::all, gnp::newaxis) * matrix * e(gnp::all, gnp::newaxis, gnp::all);
    const auto sums = gnp::asnumpy(gnp::sum(products, {1, 2}).eval());
    const auto turned =
        gnp::asnumpy((gnp::sum(products * matrix.T(), {1, 2}) - gnp::sum(e * matrix(0), 1)).eval());
    int wrong = 0;
    for (gnp::index_t i = 0; i < rows; ++i) {
      float sum = 0, other = 0;
      for (gnp::index_t a = 0; a < n; ++a) {
        for (gnp::index_t b = 0; b < n; ++b) {
          const float product = (x[i * n + a] - m[a]) * p[a * n + b] * (x[i * n + b] - m[b]);
          sum += product;
          other += product * p[b * n + a];
        }
        other -= (x[i * n + a] - m[a]) * p[a];
      }
      wrong += (sums[i] == sum ? 0 : 1) + (turned[i] == other ? 0 : 1);
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("formulas of rows and columns") {
  for_each_device([](gnp::device) {
    // (Numbers of rows that are no multiple of those that a thread takes.)
    constexpr index_t rows = 1027, columns = 4096;
    const array<float> down = values<float>(rows).reshape(rows, 1),
                       other = values<float>(2 * rows)(slice(rows, 2 * rows));
    const array<float> along = values<float>(columns), more = values<float>(columns + 4)(slice(4, gnp::none));
    const auto at = [](index_t i) { return static_cast<double>(value_at<float>(i)); };
    CHECK(distance(array<float>(down * along - other(all, newaxis) * more),
                   [&](index_t i, index_t j) { return at(i) * at(j) - at(rows + i) * at(j + 4); }) == 0);
    CHECK(distance(array<float>((down + gnp::arange<float>(columns)) * along),
                   [&](index_t i, index_t j) { return (at(i) + static_cast<double>(j)) * at(j); }) == 0);

    constexpr index_t many = 2051;
    const array<int> classes = values<int>(many), given = values<int>(columns);
    const auto number = [](index_t i) { return value_at<int>(i); };
    CHECK(distance(array<bool>(classes(all, newaxis) < given),
                   [&](index_t i, index_t j) { return number(i) < number(j) ? 1.0 : 0.0; }) == 0);
    CHECK(distance(array<bool>(classes(all, newaxis) == gnp::arange<int>(columns)),
                   [&](index_t i, index_t j) { return number(i) == j ? 1.0 : 0.0; }) == 0);

    // Components of points: a thread takes single elements, and each of a point's in one load.
    constexpr index_t few = 259, points = 4097;
    const array<float> p = values<float>(few * 4).reshape(few, 4),
                       q = values<float>(points * 4).reshape(points, 4);
    const array<float> apart = abs(p(all, newaxis, 0) - q(all, 0)) + abs(p(all, newaxis, 1) - q(all, 1)) +
                               maximum(p(all, newaxis, 2), q(all, 2)) * minimum(p(all, newaxis, 3), q(all, 3));
    CHECK(distance(apart, [&](index_t i, index_t j) {
            return std::abs(at(4 * i) - at(4 * j)) + std::abs(at(4 * i + 1) - at(4 * j + 1)) +
                   std::max(at(4 * i + 2), at(4 * j + 2)) * std::min(at(4 * i + 3), at(4 * j + 3));
          }) == 0);
  });
}

TEST_CASE("extremes and sums of the tiles of a picture") {
  for_each_device([](gnp::device) {
    // Enough tiles for a thread of its own for each.
    const index_t tiles = sanitized ? 20 : 520;
    for (const index_t height : {3, 4, 8}) {
      INFO(height);
      const auto picture = values<float>(tiles * height * tiles * 4).reshape(tiles, height, tiles, 4);
      const auto at = [&](index_t i, index_t j, index_t k) {
        return static_cast<double>(value_at<float>(((i * height + k / 4) * tiles + j) * 4 + k % 4));
      };
      const index_t count = height * 4;
      CHECK(distance(array<float>(max(picture, {1, 3})), [&](index_t i, index_t j) {
              double most = at(i, j, 0);
              for (index_t k = 1; k < count; ++k) most = std::max(most, at(i, j, k));
              return most;
            }) == 0);
      CHECK(distance(array<float>(sum(picture, {1, 3})), [&](index_t i, index_t j) {
              double sum = 0;
              for (index_t k = 0; k < count; ++k) sum += at(i, j, k);
              return sum;
            }) == 0);
    }
  });
}
