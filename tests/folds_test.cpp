// SPDX-License-Identifier: MIT
// test: optimised, timeout=900
// The CPU's loops of reductions: where extremes are, which ones integers of 8 bytes have, and what columns come
// to, beside plain loops: of every length about those of vectors, with equal numbers, NaN and steps.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
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

/// These sizes on the CPU. On a GPU, whose kernels have tests of their own, every fourth and the last.
std::vector<index_t> on_this_device(const std::vector<index_t>& sizes) {
  if (gnp::default_device().is_cpu()) return sizes;
  std::vector<index_t> some;
  for (std::size_t i = 1; i < sizes.size(); i += 4) some.push_back(sizes[i]);
  some.push_back(sizes.back());
  return some;
}

/// Does x come before the best so far? NaN comes before every number.
template <class T>
bool comes_before(T x, T best, bool largest) {
  if (x != x || best != best) return best == best;
  return largest ? best < x : x < best;
}

template <class T>
index_t place_in(const std::vector<T>& x, bool largest) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (comes_before(x[i], x[best], largest)) best = i;
  }
  return static_cast<index_t>(best);
}

template <class T>
void check_places(const std::vector<T>& x) {
  const auto length = static_cast<index_t>(x.size());
  const array<T> a = gnp::asarray(x);
  const index_t largest = place_in(x, true);
  const index_t least = place_in(x, false);
  index_t wrong = 0;
  const auto expect = [&wrong](index_t found, index_t right) { wrong += found == right ? 0 : 1; };
  expect(gnp::argmax(a).item(), largest);
  expect(gnp::argmin(a).item(), least);
  // As rows, columns and every other element.
  const array<T> rows = gnp::full<T>({3, 2 * length}, x[0]);
  rows(1, slice(none, none, 2)) = a;
  const array<T> apart = rows(all, slice(none, none, 2));
  expect(gnp::asnumpy(gnp::argmax(apart, {.axis = 1}))(1), largest);
  expect(gnp::asnumpy(gnp::argmin(apart, {.axis = 1}))(1), least);
  const array<T> columns = apart.T().copy();
  expect(gnp::asnumpy(gnp::argmax(columns, {.axis = 0}))(1), largest);
  expect(gnp::asnumpy(gnp::argmin(columns, {.axis = 0}))(1), least);
  // Backwards the first place is the last one.
  const array<T> backwards = a(slice(none, none, -1));
  const std::vector<T> turned(x.rbegin(), x.rend());
  expect(gnp::argmax(backwards).item(), place_in(turned, true));
  expect(gnp::argmin(backwards).item(), place_in(turned, false));
  INFO(length << " elements of " << gnp::dtype_of<T>);
  CHECK(wrong == 0);
}

template <class T>
void check_places() {
  std::mt19937 generator(3);
  for (const index_t size : on_this_device(
           {1, 2, 3, 9, 10, 31, 32, 63, 64, 65, 96, 127, 128, 192, 1000, 1024, 4096, 4160, 5000, 8192})) {
    const auto length = static_cast<int>(size);
    // Few different numbers, so that many are equal, and so many that hardly any are.
    for (const int different : {2, 50, 1 << 14}) {
      std::uniform_int_distribution<int> numbers(0, different - 1);
      std::vector<T> x;
      for (int i = 0; i < length; ++i)
        x.push_back(static_cast<T>(numbers(generator) % 120 * (different / 50 + 1)));
      check_places(x);
    }
    // One that differs, at places that are and are not the last of a vector, and a second one as far behind as
    // a set of vectors.
    for (const int place : {0, length / 3, length / 2, length - 1}) {
      std::vector<T> x(static_cast<std::size_t>(length), T(5));
      x[static_cast<std::size_t>(place)] = T(7);
      check_places(x);
      for (const int behind : {1, 32, 64}) {
        if (place + behind < length) x[static_cast<std::size_t>(place + behind)] = T(7);
      }
      x[static_cast<std::size_t>(length - 1 - place)] = T(2);
      check_places(x);
      if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
        x[static_cast<std::size_t>(length - 1 - place)] = std::numeric_limits<T>::quiet_NaN();
        x[static_cast<std::size_t>(length - 1)] = std::numeric_limits<T>::quiet_NaN();
        check_places(x);
        x.assign(x.size(), -T(0));
        x[static_cast<std::size_t>(place)] = T(0);  // which is no larger
        check_places(x);
      }
    }
  }
}

/// Extremes, products, means and variances of integers of 8 bytes that need all of them.
template <class T>
void check_long_integers() {
  std::mt19937_64 generator(7);
  for (const index_t length : on_this_device({1, 7, 8, 31, 33, 64, 127, 1000, 1025, 4500})) {
    std::vector<T> x;
    for (index_t i = 0; i < 2 * length; ++i) x.push_back(static_cast<T>(generator()));
    if (length > 100) x[60] = std::numeric_limits<T>::min();
    if (length > 1000) x[2 * 900] = std::numeric_limits<T>::max();
    const array<T> both = gnp::asarray(x).reshape(length, 2);
    const gnp::host_array<T> largest = gnp::asnumpy(gnp::max(both, {.axis = 0}));
    const gnp::host_array<T> least = gnp::asnumpy(gnp::min(both, {.axis = 0}));
    const gnp::host_array<T> product = gnp::asnumpy(gnp::prod(both, {.axis = 0}));
    const gnp::host_array<double> mean = gnp::asnumpy(gnp::mean(both, {.axis = 0}));
    const gnp::host_array<double> variance = gnp::asnumpy(gnp::var(both, {.axis = 0}));
    for (index_t c = 0; c < 2; ++c) {
      T high = x[static_cast<std::size_t>(c)];
      T low = high;
      std::uint64_t all_together = 1;
      long double sum = 0;
      long double squares = 0;
      for (index_t i = 0; i < length; ++i) {
        const T value = x[static_cast<std::size_t>(2 * i + c)];
        high = std::max(high, value);
        low = std::min(low, value);
        all_together *= static_cast<std::uint64_t>(value);
        sum += static_cast<long double>(value);
      }
      const long double middle = sum / static_cast<long double>(length);
      for (index_t i = 0; i < length; ++i) {
        const long double off = static_cast<long double>(x[static_cast<std::size_t>(2 * i + c)]) - middle;
        squares += off * off;
      }
      INFO(length << " elements");
      const array<T> column = both(all, c);  // every other
      CHECK(largest(c) == high);
      CHECK(least(c) == low);
      CHECK(product(c) == static_cast<T>(all_together));
      CHECK(gnp::max(column).item() == high);
      CHECK(gnp::min(column).item() == low);
      CHECK(gnp::max(column.copy()).item() == high);
      CHECK(gnp::min(column.copy()).item() == low);
      CHECK(gnp::prod(column.copy()).item() == static_cast<T>(all_together));
      const double range = static_cast<double>(high) - static_cast<double>(low) + 1;
      CHECK(std::abs(mean(c) - static_cast<double>(middle)) <= 1e-15 * (range + std::abs(mean(c))));
      CHECK(std::abs(gnp::mean(column.copy()).item() - mean(c)) <= 1e-15 * (range + std::abs(mean(c))));
      CHECK(variance(c) ==
            Approx(static_cast<double>(squares / static_cast<long double>(length))).epsilon(1e-13));
    }
  }
}

/// Sums of columns whose errors do not grow with their length.
template <class T>
void check_column_sums() {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> between(0, 1);
  for (const index_t columns : on_this_device({1, 7, 33, 1000, 1024, 1025, 2100})) {
    for (const index_t rows : on_this_device({1, 2, 15, 16, 17, 33, 63, 64, 65, 130, 40000})) {
      if (rows * columns > 2000000) continue;
      // A wider matrix, of which the columns between are used, and of all of them.
      std::vector<T> x;
      for (index_t i = 0; i < rows * (columns + 3); ++i) x.push_back(static_cast<T>(between(generator)));
      const array<T> wide = gnp::asarray(x).reshape(rows, columns + 3);
      const array<T> part = wide(all, slice(2, 2 + columns));
      const gnp::host_array<T> of_part = gnp::asnumpy(gnp::sum(part, {.axis = 0}));
      const gnp::host_array<T> of_all = gnp::asnumpy(gnp::sum(part.copy(), {.axis = 0}));
      const gnp::host_array<T> of_twice = gnp::asnumpy(gnp::mean(part + part, {.axis = 0}));
      double worst = 0;
      for (index_t c = 0; c < columns; ++c) {
        long double sum = 0;
        for (index_t r = 0; r < rows; ++r) sum += x[static_cast<std::size_t>(r * (columns + 3) + 2 + c)];
        const auto off = [&](T found, long double right) {
          return static_cast<double>(std::abs(static_cast<long double>(found) - right) / right);
        };
        worst = std::max({worst, off(of_part(c), sum), off(of_all(c), sum),
                          off(of_twice(c), 2 * sum / static_cast<long double>(rows))});
      }
      INFO(rows << " rows of " << columns << " columns");
      CHECK(worst <= 3 * static_cast<double>(std::numeric_limits<T>::epsilon()));
    }
  }
  // What is not finite stays so, in its column alone.
  const array<T> x = gnp::ones<T>({100, 40});
  x(20, 3) = std::numeric_limits<T>::infinity();
  x(50, 7) = -std::numeric_limits<T>::infinity();
  x(70, 7) = -std::numeric_limits<T>::infinity();
  x(10, 9) = std::numeric_limits<T>::infinity();
  x(90, 9) = -std::numeric_limits<T>::infinity();
  x(0, 11) = std::numeric_limits<T>::quiet_NaN();
  const gnp::host_array<T> sums = gnp::asnumpy(gnp::sum(x, {.axis = 0}));
  for (index_t c = 0; c < 40; ++c) {
    if (c == 3) {
      CHECK(sums(c) == std::numeric_limits<T>::infinity());
    } else if (c == 7) {
      CHECK(sums(c) == -std::numeric_limits<T>::infinity());
    } else if (c == 9 || c == 11) {
      CHECK(sums(c) != sums(c));
    } else {
      CHECK(sums(c) == T(100));
    }
  }
}

/// Runs of 16 rows that cancel each other, and small numbers that a plain sum would lose between them.
template <class T>
void check_cancelling_columns() {
  const T large = 4 / std::numeric_limits<T>::epsilon();
  for (const index_t columns : {9, 33, 1024, 1100}) {
    for (const index_t rows : {48, 64, 100, 200}) {
      const array<T> wide = gnp::full<T>({rows, columns + 1}, T(1));
      const array<T> x = wide(all, slice(1, none));
      x(slice(0, 16), all) = large;
      x(slice(32, 48), all) = -large;
      const T right = static_cast<T>(rows - 32);
      CHECK(gnp::all(gnp::sum(x, {.axis = 0}) == right).item());
      CHECK(gnp::all(gnp::sum(x.copy(), {.axis = 0}) == right).item());
      CHECK(gnp::all(gnp::sum(x * T(2), {.axis = 0}) == 2 * right).item());
    }
  }
}

/// Sums of complex whole numbers, which are exact: all, every so many, and of columns.
template <class R>
void check_complex_sums() {
  using T = std::complex<R>;
  for (const index_t length :
       on_this_device({1, 3, 15, 16, 31, 32, 33, 63, 64, 65, 130, 511, 513, 1030, 5000})) {
    std::vector<T> x;
    for (index_t i = 0; i < length; ++i)
      x.emplace_back(static_cast<R>(i * 7 % 101 - 50), static_cast<R>(i * 13 % 97 - 20));
    const array<T> a = gnp::asarray(x);
    for (const index_t step : {1, 2, 3, 4, -1, -2}) {
      T right = 0;
      const index_t last = length - 1;
      for (index_t i = step > 0 ? 0 : last; i >= 0 && i < length; i += step)
        right += x[static_cast<std::size_t>(i)];
      INFO("every " << step << " of " << length);
      CHECK(gnp::sum(a(slice(none, none, step))).item() == right);
      const auto count = static_cast<R>((length + std::abs(step) - 1) / std::abs(step));
      const T mean = gnp::mean(a(slice(none, none, step))).item();
      CHECK(std::abs(mean - right / count) <= 4 * std::numeric_limits<R>::epsilon() * std::abs(right / count));
    }
  }
  for (const index_t columns : on_this_device({1, 5, 40, 511, 512, 513, 1025})) {
    for (const index_t rows : on_this_device({1, 2, 15, 17, 64, 65, 150})) {
      const array<T> wide = gnp::zeros<T>({rows, columns + 3});
      const array<T> x = wide(all, slice(1, 1 + columns));
      x(all, all) = gnp::arange<R>(columns).template astype<T>() + T(1, 2);
      x(-1, all) = gnp::full<T>({columns}, T(0, -5));
      const gnp::host_array<T> sums = gnp::asnumpy(gnp::sum(x, {.axis = 0}));
      index_t wrong = 0;
      for (index_t c = 0; c < columns; ++c) {
        const auto others = static_cast<R>(rows - 1);
        wrong += sums(c) == T(others * static_cast<R>(c + 1), 2 * others - 5) ? 0 : 1;
      }
      INFO(rows << " rows of " << columns);
      CHECK(wrong == 0);
    }
  }
}

/// Products of complex columns, of numbers of size 1 that turn each product by whole quarters.
template <class R>
void check_complex_products() {
  using T = std::complex<R>;
  const T quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const index_t columns : {1, 5, 1025}) {
    for (const index_t rows : on_this_device({1, 2, 3, 63, 64, 65, 150})) {
      std::vector<T> x;
      for (index_t i = 0; i < rows * columns; ++i) x.push_back(quarters[i * 7 / 5 % 4]);
      const gnp::host_array<T> products = gnp::asnumpy(gnp::prod(gnp::asarray(x).reshape(rows, columns), 0));
      index_t wrong = 0;
      for (index_t c = 0; c < columns; ++c) {
        index_t turned = 0;
        for (index_t r = 0; r < rows; ++r) turned += (r * columns + c) * 7 / 5 % 4;
        wrong += products(c) == quarters[turned % 4] ? 0 : 1;
      }
      INFO(rows << " rows of " << columns);
      CHECK(wrong == 0);
    }
  }
}

/// Sums, sums of products and extremes of short rows of whole numbers, which are exact: of every length up to
/// several sets of lanes, and of every so many elements.
template <class T>
void check_short_rows() {
  constexpr index_t rows = 3;
  constexpr index_t longest = 300;
  std::vector<T> x;
  for (index_t i = 0; i < rows * longest; ++i) x.push_back(static_cast<T>(i * i * 7 % 11));
  const array<T> whole = gnp::asarray(x).reshape(rows, longest);
  index_t wrong = 0;
  for (const index_t step : {1, 2, 3, 4, 5}) {
    for (index_t length = 1; length <= longest; ++length) {
      const array<T> part = whole(all, slice(0, length, step));
      const auto sums = gnp::asnumpy(gnp::sum(part, 1));
      const auto products = gnp::asnumpy(gnp::vecdot(part.copy(), part.copy()));
      const auto largest = gnp::asnumpy(gnp::max(part, 1));
      for (index_t r = 0; r < rows; ++r) {
        int sum = 0, product = 0, most = 0;
        for (index_t i = 0; i < length; i += step) {
          const int value = static_cast<int>(x[static_cast<std::size_t>(r * longest + i)]);
          sum += value;
          product += value * value;
          most = std::max(most, value);
        }
        wrong += static_cast<int>(sums(r)) == sum ? 0 : 1;
        wrong += products(r) == static_cast<T>(product) ? 0 : 1;
        wrong += static_cast<int>(largest(r)) == most ? 0 : 1;
      }
    }
  }
  INFO(gnp::dtype_of<T>);
  CHECK(wrong == 0);
}

/// Sums, extremes, their places and variances along the middle axis of three, of whole numbers: in memory,
/// computed, and of every other column.
template <class T>
void check_middle_axis(index_t outer, index_t rows, index_t inner) {
  std::vector<T> x;
  for (index_t i = 0; i < outer * rows * inner; ++i) x.push_back(static_cast<T>((i * i * 7 + i / 3) % 23));
  const array<T> whole = gnp::asarray(x).reshape(outer, rows, inner);
  const array<T> wide = gnp::zeros<T>({outer, rows, 2 * inner});
  const array<T> apart = wide(all, all, slice(none, none, 2));
  apart(gnp::ellipsis) = whole;
  std::vector<double> sums, largest, variances;
  std::vector<index_t> places;
  for (index_t o = 0; o < outer; ++o) {
    for (index_t c = 0; c < inner; ++c) {
      std::vector<double> column;
      for (index_t r = 0; r < rows; ++r)
        column.push_back(static_cast<double>(x[static_cast<std::size_t>((o * rows + r) * inner + c)]));
      double sum = 0, squares = 0;
      for (const double value : column) sum += value;
      const double mean = sum / static_cast<double>(rows);
      for (const double value : column) squares += (value - mean) * (value - mean);
      sums.push_back(sum);
      variances.push_back(squares / static_cast<double>(rows));
      places.push_back(std::max_element(column.begin(), column.end()) - column.begin());
      largest.push_back(column[static_cast<std::size_t>(places.back())]);
    }
  }
  const gnp::shape_t shape{outer, inner};
  const auto check = [&](const auto& values, double scale) {
    CHECK(gnp::array_equal(gnp::sum(values, 1).template astype<double>(),
                           gnp::asarray(sums).reshape(shape) * scale));
    CHECK(gnp::array_equal(gnp::max(values, 1).template astype<double>(),
                           gnp::asarray(largest).reshape(shape) * scale));
    CHECK(gnp::array_equal(gnp::argmax(values, 1), gnp::asarray(places).reshape(shape)));
    CHECK(gnp::allclose(gnp::var(values, 1).template astype<double>(),
                        gnp::asarray(variances).reshape(shape) * (scale * scale), 1e-5));
  };
  INFO(outer << " x " << rows << " x " << inner << " of " << gnp::dtype_of<T>);
  check(whole, 1);
  check(whole * T(2), 2);
  check(apart, 1);
  // Two axes, with one that stays between them.
  const array<double> of_two = gnp::sum(gnp::asarray(sums).reshape(shape), 0);
  const array<T> four = whole.reshape(outer, rows, 1, inner) * gnp::ones<T>({1, 1, 3, 1});
  const array<double> expected = gnp::ones<double>({3, 1}) * of_two;
  CHECK(gnp::array_equal(gnp::sum(four, {0, 1}).template astype<double>(), expected));
  CHECK(
      gnp::array_equal(gnp::sum(gnp::swapaxes(four, 1, 2).copy(), {0, 2}).template astype<double>(), expected));
}

template <class T>
void check_middle_axes() {
  for (const index_t outer : on_this_device({1, 5, 150})) {
    for (const index_t rows : on_this_device({1, 3, 17, 70})) {
      for (const index_t inner : {1, 3, 8, 100}) check_middle_axis<T>(outer, rows, inner);
    }
  }
}

/// As many additions as a run of lanes has, and more, with sums that wrap.
template <class T>
void check_integer_sums() {
  for (const index_t length : on_this_device({1, 63, 64, 65, 2048, 4095, 4097, 8191, 16385, 70001})) {
    std::vector<T> x;
    std::uint64_t right = 0;
    for (index_t i = 0; i < length; ++i) {
      const auto n = static_cast<std::uint64_t>(i);
      x.push_back(static_cast<T>(n * n * 2654435761U - 17 * n));
      right += static_cast<std::uint64_t>(x.back());
    }
    CHECK(static_cast<std::uint64_t>(gnp::sum(gnp::asarray(x)).item()) == right);
  }
}

/// Which of two complex numbers comes first, as NumPy has it: by real part, then by imaginary part; NaN before
/// all.
template <class R>
std::complex<R> best_of(std::complex<R> a, std::complex<R> b, bool largest) {
  if (a != a || b != b) return a != a ? a : b;
  const bool takes = a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  return takes == largest ? b : a;
}

/// Extremes of complex numbers: of all, every so many, rows and columns.
template <class R>
void check_complex_extremes(const std::vector<std::complex<R>>& x) {
  using T = std::complex<R>;
  const auto length = static_cast<index_t>(x.size());
  const array<T> a = gnp::asarray(x);
  index_t wrong = 0;
  const auto expect = [&wrong](T found, T right) {
    wrong += found == right || (found != found && right != right) ? 0 : 1;
  };
  for (const bool largest : {false, true}) {
    const auto found = [largest](const auto& values, const auto&... axis) {
      return gnp::asnumpy(largest ? array<T>(gnp::max(values, axis...)) : array<T>(gnp::min(values, axis...)));
    };
    for (const index_t step : {1, 2, 3, 4, -1}) {
      const index_t begin = step > 0 ? 0 : length - 1;
      T right = x[static_cast<std::size_t>(begin)];
      for (index_t i = begin; i >= 0 && i < length; i += step)
        right = best_of(right, x[static_cast<std::size_t>(i)], largest);
      expect(found(a(slice(none, none, step)))(), right);
    }
    T right = x[0];
    index_t place = 0;
    for (index_t i = 1; i < length; ++i) {
      const T value = x[static_cast<std::size_t>(i)];
      const T next = best_of(right, value, largest);
      if (right != right || next == right) continue;
      right = next;
      place = i;
    }
    const index_t found_place = largest ? gnp::argmax(a).item() : gnp::argmin(a).item();
    wrong += found_place == place ? 0 : 1;
    const array<T> rows = gnp::full<T>({3, length + 1}, x[0]);
    rows(1, slice(1, none)) = a;
    expect(found(rows, 1)(1), right);
    expect(found(rows(all, slice(1, none)), 1)(1), right);
    expect(found(rows.T().copy(), 0)(1), right);
    expect(found(rows(all, slice(1, none)).T().copy() + T(0), 0)(1), right);
    const gnp::host_array<T> of_rows = found(rows, 0);
    for (index_t i = 0; i < length; ++i)
      expect(of_rows(i + 1), best_of(x[0], x[static_cast<std::size_t>(i)], largest));
  }
  INFO(length << " elements of " << gnp::dtype_of<T>);
  CHECK(wrong == 0);
}

template <class R>
void check_complex_extremes() {
  const R nan = std::numeric_limits<R>::quiet_NaN();
  const R infinity = std::numeric_limits<R>::infinity();
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> digit(-4, 4);
  for (const index_t length :
       on_this_device({1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130, 511, 513, 1030, 5000})) {
    std::vector<std::complex<R>> x;
    for (index_t i = 0; i < length; ++i)
      x.emplace_back(static_cast<R>(digit(generator)), static_cast<R>(digit(generator)));
    check_complex_extremes(x);
    const std::vector<std::complex<R>> numbers = x;
    for (const std::complex<R> odd :
         {std::complex<R>(4, infinity), std::complex<R>(-infinity, 1), std::complex<R>(nan, 1),
          std::complex<R>(1, nan), std::complex<R>(-100, nan), std::complex<R>(nan, nan)}) {
      for (const index_t place : {index_t(0), length / 2, length - 1}) {
        x[static_cast<std::size_t>(place)] = odd;
        check_complex_extremes(x);
        x = numbers;
      }
    }
  }
}

/// Elements other than zero: all, every so many, and of columns. None of them, some and all.
template <class T>
void check_counts(const std::vector<T>& some) {
  for (const index_t length : on_this_device({0, 1, 31, 127, 128, 129, 1000, 33000, 70001})) {
    for (const index_t every : {1, 3, 100000}) {
      std::vector<T> x(static_cast<std::size_t>(length));
      for (index_t i = 0; i < length; i += every)
        x[static_cast<std::size_t>(i)] = some[static_cast<std::size_t>(i / every) % some.size()];
      const array<T> a = gnp::asarray(x);
      index_t wrong = 0;
      for (const index_t step : {1, 2, 3, 4, -1}) {
        index_t right = 0;
        for (index_t i = step > 0 ? 0 : length - 1; i >= 0 && i < length; i += step)
          right += i % every == 0 ? 1 : 0;
        wrong += gnp::count_nonzero(a(slice(none, none, step))).item() == right ? 0 : 1;
      }
      INFO(length << " elements of " << gnp::dtype_of<T> << ", every " << every);
      CHECK(wrong == 0);
    }
  }
  for (const index_t columns : {1, 33, 1025}) {
    for (const index_t rows : on_this_device({1, 63, 64, 65, 130, 700})) {
      const array<T> wide = gnp::full<T>({rows, columns + 1}, some[0]);
      const array<T> x = wide(all, slice(1, none));
      x(slice(none, none, 3), all) = gnp::zeros<T>({1, columns});
      const index_t right = rows - (rows + 2) / 3;
      CHECK(gnp::all(gnp::count_nonzero(x, 0) == right).item());
      CHECK(gnp::all(gnp::count_nonzero(x.copy(), 0) == right).item());
      CHECK(gnp::all(gnp::count_nonzero(x.T().copy(), 1) == right).item());
    }
  }
}

/// How far the least and the largest of each column are apart, in more columns than are taken together.
template <class T>
void check_ranges() {
  std::mt19937 generator(13);
  std::uniform_int_distribution<int> digit(0, 120);
  for (const index_t columns : on_this_device({1, 31, 1024, 1025, 2100})) {
    for (const index_t rows : on_this_device({1, 2, 5, 63, 64, 65, 130})) {
      std::vector<T> x;
      for (index_t i = 0; i < rows * (columns + 2); ++i) x.push_back(static_cast<T>(digit(generator)));
      constexpr bool has_nan = std::numeric_limits<T>::has_quiet_NaN;
      if (has_nan)
        x[static_cast<std::size_t>((rows / 2) * (columns + 2) + 1)] = std::numeric_limits<T>::quiet_NaN();
      const array<T> wide = gnp::asarray(x).reshape(rows, columns + 2);
      const array<T> part = wide(all, slice(1, 1 + columns));
      const gnp::host_array<T> of_part = gnp::asnumpy(gnp::ptp(part, 0));
      const gnp::host_array<T> of_copy = gnp::asnumpy(gnp::ptp(part.copy(), 0));
      index_t wrong = 0;
      for (index_t c = 0; c < columns; ++c) {
        T least = x[static_cast<std::size_t>(c + 1)];
        T largest = least;
        for (index_t r = 0; r < rows; ++r) {
          const T value = x[static_cast<std::size_t>(r * (columns + 2) + c + 1)];
          least = std::min(least, value);
          largest = std::max(largest, value);
        }
        if (has_nan && c == 0) {
          wrong += of_part(c) != of_part(c) && of_copy(c) != of_copy(c) ? 0 : 1;
        } else {
          wrong += of_part(c) == static_cast<T>(largest - least) && of_copy(c) == of_part(c) ? 0 : 1;
        }
      }
      INFO(rows << " rows of " << columns << " of " << gnp::dtype_of<T>);
      CHECK(wrong == 0);
    }
  }
}

/// Sums of short rows, several of them at a time, have the bits of each row's own sum.
template <class T>
void check_sums_of_short_rows(std::mt19937& random) {
  for (index_t length = 1; length <= 9; ++length) {
    const index_t rows = 1003;
    std::vector<T> x(static_cast<std::size_t>(rows * length));
    for (T& one : x) {
      if constexpr (std::is_floating_point_v<T>) {
        const auto kind = random() % 16;
        const T tenths = static_cast<T>(static_cast<std::int32_t>(random())) / T(10);
        one = kind == 0   ? std::numeric_limits<T>::infinity()
              : kind == 1 ? std::numeric_limits<T>::quiet_NaN()
              : kind < 6  ? T(-0.0)
              : kind < 9  ? std::ldexp(tenths, 40)
                          : tenths;
      } else {
        one = static_cast<T>(random() * 0x100000001ULL);
      }
    }
    const array<T> all_rows = gnp::asarray(x.data(), {rows, length});
    const auto sums = gnp::to_vector(gnp::sum(all_rows, 1));
    const auto products = gnp::to_vector(gnp::sum(all_rows * all_rows, 1));
    bool same = true;
    for (index_t row = 0; row < rows; ++row) {
      const array<T> one = all_rows(row);
      const auto is_same = [](const auto& a, const auto& b) {
        return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
      };
      same = same && is_same(sums[static_cast<std::size_t>(row)], gnp::sum(one).item());
      same = same && is_same(products[static_cast<std::size_t>(row)], gnp::sum(one * one).item());
    }
    INFO(gnp::name(gnp::dtype_of<T>) << ", rows of " << length);
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("folds: where the largest and the least are") {
  for_each_device([](gnp::device) {
    check_places<std::int8_t>();
    check_places<std::uint16_t>();
    check_places<std::int32_t>();
    check_places<std::int64_t>();
    check_places<std::uint64_t>();
    check_places<float>();
    check_places<double>();
  });
}

TEST_CASE("folds: integers of 8 bytes") {
  for_each_device([](gnp::device) {
    check_long_integers<std::int64_t>();
    check_long_integers<std::uint64_t>();
  });
}

TEST_CASE("folds: sums of columns are as exact as those of few rows") {
  for_each_device([](gnp::device) {
    check_column_sums<float>();
    check_column_sums<double>();
  });
}

TEST_CASE("folds: sums of columns keep what cancelling runs of the CPU lost") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  check_cancelling_columns<float>();
  check_cancelling_columns<double>();
}

TEST_CASE("folds: sums of complex numbers") {
  for_each_device([](gnp::device) {
    check_complex_sums<float>();
    check_complex_sums<double>();
  });
}

TEST_CASE("folds: sums of complex columns keep what cancelling runs of the CPU lost, and of rows as well") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  using T = std::complex<double>;
  const double large = 4 / std::numeric_limits<double>::epsilon();
  const array<T> x = gnp::full<T>({96, 700}, T(1, 2));
  x(slice(0, 16), all) = T(large, -large);
  x(slice(64, 80), all) = T(-large, large);
  CHECK(gnp::all(gnp::sum(x, {.axis = 0}) == T(64, 128)).item());
  const array<T> row = gnp::full<T>({1024}, T(1, 2));
  row(slice(0, 256)) = T(large, -large);
  row(slice(512, 768)) = T(-large, large);
  CHECK(gnp::sum(row).item() == T(512, 1024));
}

TEST_CASE("folds: rows of every length on the CPU") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  check_short_rows<float>();
  check_short_rows<double>();
  check_short_rows<std::int8_t>();
  check_short_rows<std::uint16_t>();
  check_short_rows<std::int64_t>();
}

TEST_CASE("folds: along the middle axis") {
  for_each_device([](gnp::device) {
    check_middle_axes<float>();
    check_middle_axes<double>();
    check_middle_axes<std::int16_t>();
  });
}

TEST_CASE("folds: sums of integers") {
  for_each_device([](gnp::device) {
    check_integer_sums<std::int8_t>();
    check_integer_sums<std::uint8_t>();
    check_integer_sums<std::int16_t>();
    check_integer_sums<std::int32_t>();
    check_integer_sums<std::uint32_t>();
    check_integer_sums<std::int64_t>();
    check_integer_sums<std::uint64_t>();
  });
}

TEST_CASE("folds: truth values are counted") {
  for_each_device([](gnp::device) {
    for (const index_t length : on_this_device({0, 1, 127, 128, 129, 40000, 70001})) {
      const array<bool> x = gnp::arange<index_t>(length) % 3 == 0;
      const index_t right = (length + 2) / 3;
      CHECK(gnp::count_nonzero(x).item() == right);
      CHECK(gnp::count_nonzero(gnp::arange<index_t>(length) % 3 == 0).item() == right);
      CHECK(gnp::count_nonzero(gnp::arange<index_t>(length) % 3).item() == length - right);
      CHECK(gnp::count_nonzero(x(slice(none, none, 3))).item() == right);
      CHECK(gnp::count_nonzero(x, {.keepdims = true}).ndim() == 1);
    }
  });
}

TEST_CASE("folds: elements other than zero are counted") {
  for_each_device([](gnp::device) {
    check_counts<std::int8_t>({-128, 1, 127});
    check_counts<std::uint16_t>({1, 256, 65535});
    check_counts<std::int64_t>({-1, std::int64_t(1) << 32, std::numeric_limits<std::int64_t>::min()});
    check_counts<float>(
        {std::numeric_limits<float>::denorm_min(), -1, std::nanf(""), std::numeric_limits<float>::infinity()});
    check_counts<gnp::half>({gnp::half::from_bits(1), gnp::half::from_bits(0x8001), gnp::half(std::nanf(""))});
    check_counts<std::complex<double>>({{1, 0}, {0, std::nan("")}, {-0.0, -4.9e-324}});
    // Zeros with a sign are zeros.
    CHECK(gnp::count_nonzero(gnp::full<float>({1000}, -0.0F)).item() == 0);
    CHECK(gnp::count_nonzero(gnp::full<gnp::half>({1000}, gnp::half(-0.0F))).item() == 0);
    CHECK(gnp::count_nonzero(gnp::full({1000, 3}, std::complex<double>(-0.0, -0.0)), 0).item(2) == 0);
  });
}

TEST_CASE("folds: products of complex columns") {
  for_each_device([](gnp::device) {
    check_complex_products<float>();
    check_complex_products<double>();
  });
}

TEST_CASE("folds: extremes of complex numbers") {
  for_each_device([](gnp::device) {
    check_complex_extremes<float>();
    check_complex_extremes<double>();
  });
}

TEST_CASE("folds: ranges of columns") {
  for_each_device([](gnp::device) {
    check_ranges<std::int8_t>();
    check_ranges<float>();
    check_ranges<double>();
  });
}

TEST_CASE("folds: sums of short rows") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  std::mt19937 random(9);
  check_sums_of_short_rows<std::int8_t>(random);
  check_sums_of_short_rows<std::uint16_t>(random);
  check_sums_of_short_rows<std::int32_t>(random);
  check_sums_of_short_rows<std::uint64_t>(random);
  check_sums_of_short_rows<float>(random);
  check_sums_of_short_rows<double>(random);
}
