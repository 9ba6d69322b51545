// SPDX-License-Identifier: MIT
// test: optimised
// The CPU's loops over rows that do not lie side by side: steps, columns, numbers for whole rows, and results
// that go to every other place; and powers by numbers that need no logarithm.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;

/// Small whole numbers, which every type holds and adds exactly.
template <class T>
std::vector<T> numbers(index_t count, int period) {
  std::vector<T> x;
  for (index_t i = 0; i < count; ++i) x.push_back(static_cast<T>(static_cast<int>(i * 5 % period)));
  return x;
}

/// Rows of a matrix walked by a step, from an offset on, as they are in a vector.
template <class T>
struct walked {
  std::vector<T> memory;
  index_t rows, width, offset, step, length;

  walked(index_t row_count, index_t row_length, index_t from, index_t by, int period)
      : memory(numbers<T>(row_count * (from + std::abs(by) * row_length), period)),
        rows(row_count),
        width(from + std::abs(by) * row_length),
        offset(from),
        step(by),
        length(row_length) {}

  array<T> base() const { return gnp::asarray(memory).reshape(rows, width); }
  array<T> view_of(const array<T>& base) const {
    const array<T> forwards = base(all, slice(offset, none, std::abs(step)));
    return step < 0 ? forwards(all, slice(none, none, -1)) : forwards;
  }
  index_t place(index_t row, index_t i) const {
    return row * width + offset + std::abs(step) * (step < 0 ? length - 1 - i : i);
  }
  T at(index_t row, index_t i) const { return memory[static_cast<std::size_t>(place(row, i))]; }
};

template <class T>
void check_rows(index_t rows, index_t length, index_t offset, index_t step) {
  const walked<T> xs(rows, length, offset, step, 61);
  const walked<T> ys(rows, length, 1, 2, 37);
  const walked<T> row(1, length, 0, 3, 23);
  const std::vector<T> column_numbers = numbers<T>(rows, 7);
  const array<T> base = xs.base();
  const array<T> x = xs.view_of(base);
  const array<T> y = ys.view_of(ys.base());
  const array<T> column = gnp::asarray(column_numbers).reshape(rows, 1);
  const array<T> one = gnp::full<T>({1, 1}, T(3));

  const gnp::host_array<T> sum = gnp::asnumpy(x + y);
  const gnp::host_array<T> with_row = gnp::asnumpy(row.view_of(row.base()) + x);
  const gnp::host_array<T> with_column = gnp::asnumpy(x + column);
  const gnp::host_array<T> with_one = gnp::asnumpy(x + one);
  const gnp::host_array<T> all_of_them = gnp::asnumpy(x + column + y + one);
  const array<T> apart = gnp::zeros<T>({rows, 2 * length});
  apart(all, slice(1, none, 2)) = x + column;
  const gnp::host_array<T> scattered = gnp::asnumpy(apart);
  const array<T> changed = base.copy();
  xs.view_of(changed) += y;
  const gnp::host_array<T> in_place = gnp::asnumpy(changed);
  std::vector<T> expected_in_place = xs.memory;

  index_t wrong = 0;
  for (index_t r = 0; r < rows; ++r) {
    for (index_t i = 0; i < length; ++i) {
      const T c = column_numbers[static_cast<std::size_t>(r)];
      const auto plus = [](T a, T b) { return static_cast<T>(a + b); };
      const T both = plus(xs.at(r, i), ys.at(r, i));
      expected_in_place[static_cast<std::size_t>(xs.place(r, i))] = both;
      if (sum(r, i) != both || with_row(r, i) != plus(xs.at(r, i), row.at(0, i)) ||
          with_column(r, i) != plus(xs.at(r, i), c) || with_one(r, i) != plus(xs.at(r, i), T(3)) ||
          all_of_them(r, i) != plus(both, plus(c, T(3))) || scattered(r, 2 * i) != T(0) ||
          scattered(r, 2 * i + 1) != plus(xs.at(r, i), c))
        ++wrong;
    }
    for (index_t i = 0; i < xs.width; ++i) {
      if (in_place(r, i) != expected_in_place[static_cast<std::size_t>(r * xs.width + i)]) ++wrong;
    }
  }
  INFO(rows << " rows of " << length << " from " << offset << " by " << step);
  CHECK(wrong == 0);
}

template <class T>
void check_lengths() {
  for (const index_t length : {1, 3, 127, 128, 129, 255, 257, 1000, 1023, 1025, 4100}) {
    for (const index_t step : {1, 2, 3, -1, -2}) {
      check_rows<T>(3, length, 0, step);
      check_rows<T>(2, length, 1, step);
      check_rows<T>(1, length, 2, step);
    }
  }
}

template <class T>
void check_reductions() {
  for (const index_t length : {1, 2, 127, 511, 513, 1025, 5000}) {
    for (const index_t step : {2, 3, 4, 5, -2}) {
      walked<T> xs(2, length, 1, step, 11);
      // What lies between is not looked at.
      std::vector<T> alone(xs.memory.size(), std::numeric_limits<T>::max());
      if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
        for (T& x : alone) x = std::numeric_limits<T>::quiet_NaN();
      }
      for (index_t i = 0; i < 2 * length; ++i) {
        const auto place = static_cast<std::size_t>(xs.place(i / length, i % length));
        alone[place] = xs.memory[place];
      }
      xs.memory = alone;
      const array<T> x = xs.view_of(xs.base());
      const auto sums = gnp::asnumpy(gnp::sum(x, {.axis = 1}));
      const gnp::host_array<T> largest = gnp::asnumpy(gnp::max(x, {.axis = 1}));
      const gnp::host_array<T> least = gnp::asnumpy(gnp::min(x, {.axis = 1}));
      for (index_t r = 0; r < 2; ++r) {
        double sum = 0;
        T high = xs.at(r, 0);
        T low = high;
        for (index_t i = 0; i < length; ++i) {
          sum += static_cast<double>(xs.at(r, i));
          high = std::max(high, xs.at(r, i));
          low = std::min(low, xs.at(r, i));
        }
        CHECK(static_cast<double>(sums(r)) == sum);
        CHECK(largest(r) == high);
        CHECK(least(r) == low);
      }
    }
  }
}

/// Within some of the last places of what the C library has, signs of zeros included.
template <class T>
void check_powers_by_a_number(double allowed) {
  using limits = std::numeric_limits<T>;
  std::vector<T> xs = {T(0),
                       -T(0),
                       T(1),
                       limits::min(),
                       limits::denorm_min(),
                       limits::max(),
                       -T(2),
                       T(0.3),
                       -limits::infinity(),
                       limits::infinity(),
                       T(1e30),
                       limits::quiet_NaN(),
                       -limits::min(),
                       -limits::max(),
                       T(1e-30)};
  for (int i = 0; i < 400; ++i) xs.push_back(std::ldexp(T(1) + T(i) / T(401), i % 60 - 30));
  const array<T> x = gnp::asarray(xs);
  for (const T y : {T(0.5), T(3), T(2), T(-1.5), T(1), T(-1), T(0), T(2.7)}) {
    const gnp::host_array<T> powers = gnp::asnumpy(gnp::power(x, y));
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const T power = powers[static_cast<index_t>(i)];
      const T right = std::pow(xs[i], y);
      const T place = std::max(limits::denorm_min(), std::abs(right) * limits::epsilon());
      const bool near = std::isfinite(right) && std::abs(power - right) <= T(allowed) * place;
      const bool same = power == right || (power != power && right != right) || near;
      INFO(xs[i] << " to the power " << y << ": " << power << ", not " << right);
      if (!same || (right == T(0) && std::signbit(power) != std::signbit(right))) CHECK(false);
    }
  }
}

/// An operand of a random layout: some of its axes are repeated, some run backwards, some lie across.
template <class T>
struct scattered_operand {
  std::vector<T> memory;
  gnp::shape_t strides;
  std::vector<bool> backwards;

  template <class Random>
  scattered_operand(const gnp::shape_t& shape, int period, Random& random) : strides(shape) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (random() % 3 == 0) std::shuffle(order.begin(), order.end(), random);
    index_t step = random() % 4 == 0 ? 2 : 1;
    for (std::size_t k = order.size(); k-- > 0;) {
      const std::size_t d = order[k];
      backwards.push_back(random() % 5 == 0);
      strides[d] = random() % 3 == 0 ? 0 : step;
      if (strides[d] != 0) step = step * shape[d] + (random() % 4 == 0 ? 1 : 0);
    }
    memory = numbers<T>(step, period);
  }
  array<T> view(const gnp::shape_t& shape) const {
    gnp::shape_t in_bytes = strides;
    for (index_t& stride : in_bytes) stride *= static_cast<index_t>(sizeof(T));
    array<T> x = gnp::as_strided(gnp::asarray(memory), shape, in_bytes);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (backwards[d]) x = gnp::flip(x, static_cast<int>(d));
    }
    return x;
  }
  T at(const gnp::shape_t& shape, index_t i) const {
    index_t place = 0;
    for (std::size_t d = shape.size(); d-- > 0;) {
      const index_t k = i % shape[d];
      place += strides[d] * (backwards[d] ? shape[d] - 1 - k : k);
      i /= shape[d];
    }
    return memory[static_cast<std::size_t>(place)];
  }
};

template <class T>
void check_scattered(int layouts) {
  std::mt19937 random(static_cast<unsigned>(sizeof(T)) + 7);
  constexpr index_t sizes[] = {1, 2, 3, 4, 5, 16, 17, 33, 70, 129, 700};
  for (int l = 0; l < layouts; ++l) {
    gnp::shape_t shape;
    index_t count = 1;
    for (std::size_t rank = 1 + random() % 4; shape.size() < rank;) {
      const index_t size = sizes[random() % std::size(sizes)];
      if (count * size > 20000) break;
      shape.push_back(size);
      count *= size;
    }
    const scattered_operand<T> a(shape, 11, random), b(shape, 7, random), c(shape, 5, random);
    const array<T> x = a.view(shape), y = b.view(shape), z = c.view(shape);
    const gnp::host_array<T> elements = gnp::asnumpy(gnp::ravel(x + y * z));
    const gnp::host_array<T> last = gnp::asnumpy(gnp::ravel(gnp::max(x + y, -1)));
    const gnp::host_array<T> first = gnp::asnumpy(gnp::ravel(gnp::max(y + z, 0)));
    const index_t row = shape.back();
    const index_t rest = count / shape.front();
    std::vector<T> of_last(static_cast<std::size_t>(count / row), T(0)),
        of_first(static_cast<std::size_t>(rest), T(0));
    index_t wrong = 0;
    for (index_t i = 0; i < count; ++i) {
      const T p = a.at(shape, i), q = b.at(shape, i), r = c.at(shape, i);
      wrong += elements(i) != static_cast<T>(p + q * r) ? 1 : 0;
      T& of_row = of_last[static_cast<std::size_t>(i / row)];
      T& of_column = of_first[static_cast<std::size_t>(i % rest)];
      of_row = (std::max)(of_row, static_cast<T>(p + q));
      of_column = (std::max)(of_column, static_cast<T>(q + r));
    }
    for (index_t i = 0; i < last.size(); ++i) wrong += last(i) != of_last[static_cast<std::size_t>(i)] ? 1 : 0;
    for (index_t i = 0; i < first.size(); ++i)
      wrong += first(i) != of_first[static_cast<std::size_t>(i)] ? 1 : 0;
    INFO("layout " << l << " of " << gnp::to_string(shape));
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("loops: powers by one number") {
  for_each_device([](gnp::device) {
    check_powers_by_a_number<float>(4);
    check_powers_by_a_number<double>(4);
  });
}

TEST_CASE("loops: rows that are walked by steps, with rows, columns and numbers, and in place") {
  for_each_device([](gnp::device) {
    check_lengths<std::uint8_t>();
    check_lengths<std::int16_t>();
    check_lengths<float>();
    check_lengths<double>();
    check_lengths<std::complex<double>>();
  });
}

TEST_CASE("loops: operands that are repeated, run backwards or lie across, each in its own way") {
  for_each_device([](gnp::device where) {
    const int layouts = where.is_cpu() ? 150 : 20;
    check_scattered<std::uint8_t>(layouts);
    check_scattered<std::int16_t>(layouts);
    check_scattered<float>(layouts);
    check_scattered<double>(layouts);
  });
}

TEST_CASE("loops: sums and extremes of rows that are walked by steps") {
  for_each_device([](gnp::device) {
    check_reductions<std::uint8_t>();
    check_reductions<std::int64_t>();
    check_reductions<float>();
    check_reductions<double>();
  });
}

TEST_CASE("loops: whether any and all of columns of bytes hold") {
  for_each_device([](gnp::device) {
    for (const index_t columns : {1, 31, 33, 1024, 1500}) {
      std::vector<std::uint8_t> x;
      for (index_t i = 0; i < 130 * columns; ++i)
        x.push_back(i % columns % 3 == 0 ? 0 : i / columns == 77 ? 2 : 128);
      for (index_t c = 0; c < columns; ++c) x[static_cast<std::size_t>(100 * columns + c)] = c % 3 == 1 ? 0 : 4;
      const array<std::uint8_t> bytes = gnp::asarray(x).reshape(130, columns);
      const auto any_byte = gnp::asnumpy(gnp::any(bytes, {.axis = 0}));
      const auto all_bytes = gnp::asnumpy(gnp::all(bytes, {.axis = 0}));
      const auto any_truth = gnp::asnumpy(gnp::any(bytes == 4, {.axis = 0}));
      const auto all_truths = gnp::asnumpy(gnp::all(bytes != 0, {.axis = 0}));
      index_t wrong = 0;
      for (index_t c = 0; c < columns; ++c) {
        if (!any_byte(c) || all_bytes(c) != (c % 3 == 2) || any_truth(c) != (c % 3 != 1) ||
            all_truths(c) != (c % 3 == 2))
          ++wrong;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("loops: whether any and all of bytes hold, of which one is other than the rest") {
  for_each_device([](gnp::device) {
    for (const index_t length : {1, 255, 256, 257, 5000}) {
      for (const index_t place : {index_t{0}, length / 2, length - 1}) {
        std::vector<std::uint8_t> x(static_cast<std::size_t>(length), 0);
        CHECK(!gnp::any(gnp::asarray(x)).item());
        x[static_cast<std::size_t>(place)] = 128;
        CHECK(gnp::any(gnp::asarray(x)).item());
        CHECK(gnp::all(gnp::asarray(x)).item() == (length == 1));
        std::vector<std::int8_t> y(static_cast<std::size_t>(length), -128);
        CHECK(gnp::all(gnp::asarray(y)).item());
        y[static_cast<std::size_t>(place)] = 0;
        CHECK(!gnp::all(gnp::asarray(y)).item());
        CHECK(gnp::any(gnp::asarray(y)).item() == (length > 1));
      }
    }
  });
}

TEST_CASE("loops: positions along rows and columns, in parts of a row") {
  for_each_device([](gnp::device) {
    const gnp::host_array<double> rows = gnp::asnumpy(gnp::eye<double>(300, 1100, 7));
    index_t wrong = 0;
    for (index_t r = 0; r < 300; ++r) {
      for (index_t c = 0; c < 1100; ++c) wrong += rows(r, c) != (c == r + 7 ? 1.0 : 0.0) ? 1 : 0;
    }
    CHECK(wrong == 0);
    // Positions that lie apart: rows of a transposed matrix.
    const array<std::int64_t> matrix = gnp::arange<std::int64_t>(300 * 500).reshape(300, 500);
    const gnp::host_array<std::int64_t> taken = gnp::asnumpy(matrix.T()(gnp::asarray<index_t>({7, 499, 7, 0})));
    for (index_t c = 0; c < 300; ++c) {
      wrong += taken(0, c) != 500 * c + 7 || taken(1, c) != 500 * c + 499 || taken(2, c) != taken(0, c) ||
                       taken(3, c) != 500 * c
                   ? 1
                   : 0;
    }
    CHECK(wrong == 0);
    const array<std::int64_t> apart = gnp::zeros<std::int64_t>({5000});
    apart(slice(none, none, 2)) = gnp::arange<std::int64_t>(2500);
    CHECK(gnp::array_equal(apart(slice(none, none, 2)), gnp::arange<std::int64_t>(2500)));
    CHECK(gnp::sum(apart).item() == 2500 * 2499 / 2);
  });
}

TEST_CASE("loops: elements from anywhere, in formulas of the C library's functions") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange(300).astype<double>() / 64;
    const array<std::int64_t> at = (gnp::arange(1000) * 7) % 300;
    const gnp::host_array<double> y = gnp::asnumpy(exp(x(at)) + gnp::arange(1000).astype<double>());
    const gnp::host_array<double> z = gnp::asnumpy(take_along_axis(x, at, 0) * log1p(x(at)));
    double most = 0;
    for (index_t i = 0; i < 1000; ++i) {
      const double v = static_cast<double>(i * 7 % 300) / 64;
      most = std::max(most, std::abs(y(i) - (std::exp(v) + static_cast<double>(i))) / (1 + std::abs(y(i))));
      most = std::max(most, std::abs(z(i) - v * std::log1p(v)) / (1 + std::abs(z(i))));
    }
    CHECK(most < 1e-15 * 8);
  });
}
