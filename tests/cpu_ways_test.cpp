// SPDX-License-Identifier: MIT
// test: optimised
// The ways that only the CPU has for indices, masks, orders and counts: each on both sides of the sizes and
// layouts at which another way begins. Compared with plain loops on the host.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;

const std::vector<index_t> lengths_of_ways{1, 7, 16, 17, 31, 64, 65, 100, 255, 256, 257, 1000, 40000};

template <class T>
array<T> numbers_here(const std::vector<T>& values) {
  return gnp::asarray(values);
}

/// Small numbers that are never in order, the same ones again and again.
template <class T>
std::vector<T> never_in_order(index_t count, index_t below) {
  std::vector<T> values;
  for (index_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(static_cast<int>((i * i * 7 + i * 13) % below)));
  return values;
}

template <class T>
bool has_these(const array<T>& found, const std::vector<T>& expected) {
  return found.size() == static_cast<index_t>(expected.size()) &&
         gnp::array_equal(found, numbers_here(expected));
}

template <class Index>
void takes_and_writes(index_t count) {
  const index_t size = 50;
  std::vector<double> from(static_cast<std::size_t>(size));
  std::iota(from.begin(), from.end(), 100.0);
  std::vector<Index> index = never_in_order<Index>(count, size);
  if (std::is_signed_v<Index> && count > 3) index[3] = static_cast<Index>(-2);
  std::vector<double> taken, sums, written = from, added = from, last_ones = from;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const auto place = static_cast<std::size_t>(
        std::cmp_less(index[i], 0) ? size + static_cast<index_t>(index[i]) : static_cast<index_t>(index[i]));
    taken.push_back(from[place]);
    sums.push_back(from[place] + 1);
    written[place] = 7;
    added[place] += static_cast<double>(i);
    last_ones[place] = static_cast<double>(i);
  }
  const array<double> x = numbers_here(from);
  const array<Index> i = numbers_here(index);
  CHECK(has_these<double>(x(i).eval(), taken));
  CHECK(has_these<double>((x(i) + 1).eval(), sums));
  array<double> y = x.copy();
  y(i) = 7;
  CHECK(has_these(y, written));
  y = x.copy();
  const array<double> numbers = gnp::arange<double>(count);
  y(i) = numbers;
  CHECK(has_these(y, last_ones));
  y = x.copy();
  y(i) = numbers.astype<float>();
  CHECK(has_these(y, last_ones));
  y = x.copy();
  gnp::put(y, i, numbers);
  CHECK(has_these(y, last_ones));
  y = x.copy();
  gnp::add_at(y, i, numbers);
  CHECK(has_these(y, added));
  if (count < 30) return;
  // One index that is out of bounds, anywhere: nothing is written.
  for (const index_t at : {index_t{0}, index_t{20}, count - 1}) {
    std::vector<Index> wrong = index;
    wrong[static_cast<std::size_t>(at)] = static_cast<Index>(size);
    const array<Index> w = numbers_here(wrong);
    CHECK_THROWS_AS((x(w) + 1).eval(), gnp::index_error);
    y = x.copy();
    CHECK_THROWS_AS(y(w) = 7, gnp::index_error);
    CHECK_THROWS_AS(y(w) = numbers, gnp::index_error);
    CHECK_THROWS_AS(gnp::add_at(y, w, numbers), gnp::index_error);
    CHECK(gnp::array_equal(y, x));
    taken[static_cast<std::size_t>(at)] = from.back();
    CHECK(has_these<double>(gnp::take(x, gnp::where(w < Index(0), w + Index(size), w), {.mode = "clip"}).eval(),
                            taken));
    taken[static_cast<std::size_t>(at)] = from.front();
    CHECK(has_these<double>(gnp::take(x, w, {.mode = "wrap"}).eval(), taken));
    taken[static_cast<std::size_t>(at)] = sums[static_cast<std::size_t>(at)] - 1;
  }
}

template <class T>
void reverses(index_t count) {
  std::vector<T> values = never_in_order<T>(count, 100);
  const array<T> x = numbers_here(values);
  std::reverse(values.begin(), values.end());
  CHECK(has_these(gnp::flip(x).copy(), values));
  CHECK(has_these(gnp::stack({gnp::flip(x), x})(0).copy(), values));
}

template <class T>
void finds_positions(index_t length) {
  constexpr index_t rows = 5;
  std::vector<T> values = never_in_order<T>(rows * length, 97);
  // The largest stands in the first, the last or a middle place, or twice.
  values[0] = values[static_cast<std::size_t>(2 * length - 1)] = T(99);
  values[static_cast<std::size_t>(2 * length + length / 2)] = values[static_cast<std::size_t>(3 * length - 1)] =
      T(99);
  if constexpr (std::is_floating_point_v<T>)
    values[static_cast<std::size_t>(4 * length - 1)] = std::numeric_limits<T>::quiet_NaN();
  std::vector<index_t> most, least;
  for (index_t r = 0; r < rows; ++r) {
    const auto begin = values.begin() + r * length;
    const auto nan = std::find_if(begin, begin + length, [](T v) { return v != v; });
    const bool has_nan = nan != begin + length;
    most.push_back((has_nan ? nan : std::max_element(begin, begin + length)) - begin);
    least.push_back((has_nan ? nan : std::min_element(begin, begin + length)) - begin);
  }
  const array<T> x = numbers_here(values).reshape(rows, length);
  CHECK(has_these<index_t>(gnp::argmax(x, 1), most));
  CHECK(has_these<index_t>(gnp::argmin(x, 1), least));
}

}  // namespace

TEST_CASE("places found together") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t count : lengths_of_ways) {
    takes_and_writes<std::int64_t>(count);
    takes_and_writes<std::int32_t>(count);
    takes_and_writes<std::uint8_t>(count);
    takes_and_writes<std::uint64_t>(count);
  }
}

TEST_CASE("copies in reverse") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t count : lengths_of_ways) {
    reverses<std::uint8_t>(count);
    reverses<std::int16_t>(count);
    reverses<float>(count);
    reverses<double>(count);
    reverses<std::complex<double>>(count);
  }
}

TEST_CASE("positions of extremes in rows") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t length : lengths_of_ways) {
    finds_positions<float>(length);
    finds_positions<double>(length);
    finds_positions<std::int32_t>(length);
    finds_positions<std::int64_t>(length);
    finds_positions<std::int8_t>(length);
  }
}

TEST_CASE("values where a mask is true") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t count : lengths_of_ways) {
    std::vector<double> expected(static_cast<std::size_t>(count), -1);
    const array<bool> mask = gnp::arange<index_t>(count) % 3 == 1;
    const index_t chosen = (count + 1) / 3;
    for (index_t k = 0; k < chosen; ++k)
      expected[static_cast<std::size_t>(3 * k + 1)] = static_cast<double>(k) + 0.5;
    const array<double> values = gnp::arange<double>(chosen) + 0.5;
    array<double> x = gnp::full<double>({count}, -1.0);
    x(mask) = values;
    CHECK(has_these(x, expected));
    CHECK_THROWS_AS(x(mask) = (gnp::arange<double>(chosen + 2)), gnp::shape_error);
    // A mask that is itself written.
    array<bool> truths = mask.copy();
    truths(truths) = gnp::zeros<bool>({chosen});
    CHECK(!gnp::any(truths).item());
  }
  array<double> nothing = gnp::zeros<double>({2, 3});
  CHECK_THROWS_AS(gnp::broadcast_to(nothing, {4, 2, 3})(gnp::ones<bool>({4, 2, 3})) = gnp::zeros<double>({24}),
                  gnp::error);
}

TEST_CASE("bits, truths and counts") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t count : lengths_of_ways) {
    const std::vector<int> numbers = never_in_order<int>(count, 3);
    std::vector<std::uint8_t> big(static_cast<std::size_t>((count + 7) / 8)), little = big;
    std::vector<std::int64_t> counts(3);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == 1) {
        big[i / 8] = static_cast<std::uint8_t>(big[i / 8] | 128U >> i % 8);
        little[i / 8] = static_cast<std::uint8_t>(little[i / 8] | 1U << i % 8);
      }
      ++counts[static_cast<std::size_t>(numbers[i])];
    }
    const array<int> x = numbers_here(numbers);
    const array<bool> truths = x == 1;
    CHECK(has_these(gnp::packbits(truths), big));
    CHECK(has_these(gnp::packbits(truths, {.bitorder = "little"}), little));
    CHECK(has_these(gnp::bincount(x, {.minlength = 3}), counts));
    const index_t trues = counts[1];
    const array<bool> sorted = gnp::arange<index_t>(count) >= count - trues;
    CHECK(gnp::array_equal(gnp::sort(truths), sorted));
    CHECK(gnp::array_equal(gnp::sort(truths, {.descending = true}), gnp::flip(sorted)));
  }
  CHECK_THROWS_AS(gnp::bincount(gnp::asarray<int>({1, -1})), gnp::index_error);
  CHECK(gnp::bincount(gnp::asarray<int>({1, 1000}))(1000).item() == 1);
  CHECK(gnp::bincount(gnp::asarray<int>({1}), {.minlength = 4}).size() == 4);
}

TEST_CASE("long rows, positions and whole numbers") {
  const gnp::use_device here(gnp::device::cpu());
  const array<double> row = gnp::arange<double>(9001);
  const array<double> tiled = gnp::tile(row, 3);
  CHECK(gnp::array_equal(tiled, gnp::concatenate({row, row, row})));
  const array<double> tri = gnp::tri(300);
  for (const index_t r : {0, 1, 150, 299}) CHECK(gnp::sum(tri(r)).item() == static_cast<double>(r + 1));
  CHECK(gnp::array_equal(gnp::round(gnp::asarray<double>({0.5, 1.5, -0.5, 2.4999, -1e300})),
                         gnp::asarray<double>({0, 2, -0.0, 2, -1e300})));
  CHECK(gnp::array_equal(gnp::round(gnp::asarray<float>({15, 25, 36}), -1), gnp::asarray<float>({20, 20, 40})));
  // Sums of what is computed for them, some runs at a time.
  for (const index_t count : {1, 511, 512, 513, 2047, 2048, 2049, 10000, 70001}) {
    const array<double> x = gnp::arange<double>(count);
    const auto n = static_cast<double>(count);
    CHECK(gnp::vdot(x, gnp::ones<double>({count})).item() == n * (n - 1) / 2);
    CHECK(gnp::dot(x, x + 1).item() == (n - 1) * n * (n + 1) / 3);
    CHECK(gnp::inner(x.astype<std::int32_t>(), gnp::ones<std::int32_t>({count})).item() ==
          static_cast<std::int32_t>(static_cast<std::uint32_t>(count * (count - 1) / 2)));
  }
  // Rows of products: in memory as they are read, and strided.
  for (const index_t length : {1, 63, 64, 65, 1000, 70001}) {
    const std::vector<float> left = never_in_order<float>(3 * length, 7);
    const std::vector<float> right = never_in_order<float>(6 * length, 5);
    const array<float> x = numbers_here(left).reshape({3, length});
    const array<float> all = numbers_here(right);
    const array<float> y = all(gnp::slice(3 * length)).reshape({3, length});
    const array<float> strided = all.reshape({3, 2 * length})(gnp::all, gnp::slice(1, gnp::none, 2));
    std::vector<float> sums(3), of_strided(3);
    float total = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
        const std::size_t at = r * static_cast<std::size_t>(length) + i;
        sums[r] += left[at] * right[at];
        of_strided[r] += left[at] * right[2 * at + 1];
      }
      total += sums[r];
    }
    CHECK(has_these(gnp::sum(x * y, 1).eval(), sums));
    CHECK(has_these(gnp::sum(x * strided, 1).eval(), of_strided));
    CHECK(gnp::sum(x * y).item() == total);
    CHECK(gnp::dot(x(1), y(1)).item() == sums[1]);
  }
  CHECK_THROWS_WITH(gnp::dot(gnp::ones<double>({3}), gnp::ones<double>({4})), contains("dot: "));
}

namespace {

/// Whole numbers in complex types have an imaginary part, too.
template <class T>
std::vector<T> small_whole_numbers(index_t count, index_t below) {
  std::vector<T> values;
  for (const float x : never_in_order<float>(count, below)) {
    if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
      values.emplace_back(x, static_cast<float>(values.size() % 3) - 1);
    } else {
      values.push_back(x);
    }
  }
  return values;
}

template <class T>
void check_small_products(index_t m, index_t k, index_t n) {
  constexpr index_t stack = 5;
  const std::vector<T> left = small_whole_numbers<T>(stack * m * k, 7);
  const std::vector<T> right = small_whole_numbers<T>(stack * k * n, 5);
  std::vector<T> products, of_first, by_first;  // whole stacks, the first matrix times a stack, and vice versa
  for (index_t s = 0; s < stack; ++s) {
    for (index_t i = 0; i < m; ++i) {
      for (index_t c = 0; c < n; ++c) {
        const auto sum = [&](index_t a, index_t b) {
          T total(0);
          for (index_t d = 0; d < k; ++d) {
            total += left[static_cast<std::size_t>((a * m + i) * k + d)] *
                     right[static_cast<std::size_t>((b * k + d) * n + c)];
          }
          return total;
        };
        products.push_back(sum(s, s));
        of_first.push_back(sum(0, s));
        by_first.push_back(sum(s, 0));
      }
    }
  }
  INFO(m << " x " << k << " x " << n);
  const array<T> a = numbers_here(left).reshape({stack, m, k});
  const array<T> b = numbers_here(right).reshape({stack, k, n});
  const array<T> a_by_columns = a.swapaxes(1, 2).copy().swapaxes(1, 2);
  const array<T> b_by_columns = b.swapaxes(1, 2).copy().swapaxes(1, 2);
  const array<T> every_other =
      gnp::zeros<T>({stack, m, 2 * k})(gnp::all, gnp::all, gnp::slice(gnp::none, gnp::none, 2));
  every_other(gnp::ellipsis) = a;
  const auto is = [](const array<T>& found, const std::vector<T>& expected) {
    return has_these(found.ravel().copy(), expected);
  };
  CHECK(is(gnp::matmul(a, b), products));
  CHECK(is(gnp::matmul(a_by_columns, b), products));
  CHECK(is(gnp::matmul(a, b_by_columns), products));
  CHECK(is(gnp::matmul(a_by_columns, b_by_columns), products));
  CHECK(is(gnp::matmul(every_other, b), products));
  CHECK(is(gnp::matmul(a(0), b), of_first));
  CHECK(is(gnp::matmul(a, b(0)), by_first));
  // A stack of stacks that is no stack of evenly spaced matrices.
  const auto twice = [](const array<T>& x) {
    const array<T> matrices =
        gnp::zeros<T>({2, stack + 2, x.shape()[1], x.shape()[2]})(gnp::all, gnp::slice(stack));
    matrices(gnp::ellipsis) = x;
    return matrices;
  };
  const array<T> both = gnp::matmul(twice(a), twice(b));
  CHECK(is(both(0), products));
  CHECK(is(both(1), products));
  // Into a part of an array, whose other elements stay; into columns; with numbers and an addend.
  const array<T> frame = gnp::ones<T>({stack, m + 2, n + 2});
  const array<T> inside = frame(gnp::all, gnp::slice(1, -1), gnp::slice(1, -1));
  inside(gnp::ellipsis) = gnp::matmul(a, b);
  CHECK(is(inside, products));
  inside(gnp::ellipsis) = 1;
  CHECK(gnp::all(frame == T(1)).item());
  const array<T> by_columns = gnp::ones<T>({stack, n, m}).swapaxes(1, 2);
  by_columns(gnp::ellipsis) = gnp::matmul(a, b);
  CHECK(is(by_columns, products));
  std::vector<T> doubled, added;
  for (const T& x : products) {
    doubled.push_back(x * T(2));
    added.push_back(x * T(2) + T(1));
  }
  CHECK(is(2 * gnp::matmul(a, b), doubled));
  inside(gnp::ellipsis) = 2 * gnp::matmul(a, b) + inside;
  CHECK(is(inside, added));
}

}  // namespace

TEST_CASE("products of small matrices") {
  const gnp::use_device here(gnp::device::cpu());
  int turn = 0;
  for (const index_t m : {1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 33}) {
    for (const index_t n : {1, 2, 3, 4, 5, 8, 16, 33}) {
      for (const index_t k : {1, 2, 3, 8, 31, 33}) {
        if (sanitized && ++turn % 5 != 0) continue;  // any two of the sizes meet all the same
        check_small_products<float>(m, k, n);
        check_small_products<double>(m, k, n);
        check_small_products<gnp::complex64>(m, k, n);
        check_small_products<gnp::complex128>(m, k, n);
      }
    }
  }
}

TEST_CASE("products of vectors") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t length : {1, 32, 33, 1000, 200001}) {
    const std::vector<double> left = never_in_order<double>(2 * length, 7);
    const std::vector<double> right = never_in_order<double>(2 * length, 5);
    std::vector<double> sums(2);
    for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(length); ++i)
      sums[i / static_cast<std::size_t>(length)] += left[i] * right[i];
    const array<double> x = numbers_here(left).reshape({2, length});
    const array<double> y = numbers_here(right).reshape({2, length});
    CHECK(gnp::matmul(x(0), y(0)).item() == sums[0]);
    CHECK(has_these(gnp::vecdot(x, y), sums));
    CHECK(
        has_these(gnp::matmul(x(gnp::all, gnp::newaxis), y(gnp::ellipsis, gnp::newaxis)).eval().ravel(), sums));
    const array<double> total = gnp::ones<double>({});
    total(gnp::ellipsis) = 2 * gnp::matmul(x(1), y(1)) + total;
    CHECK(total.item() == 2 * sums[1] + 1);
    CHECK(gnp::matmul(x(1).astype<std::int32_t>(), y(1).astype<std::int32_t>()).item() ==
          static_cast<std::int32_t>(sums[1]));
  }
}

namespace {

/// Every exponent, with few digits and many, and what is no number.
template <class R, class Bits>
std::vector<R> numbers_of_every_exponent() {
  std::vector<R> values;
  const int digits = std::numeric_limits<R>::digits - 1;
  const auto exponents = static_cast<Bits>(2 * std::numeric_limits<R>::max_exponent);
  for (Bits e = 0; e < 2 * exponents; ++e) {  // with both signs
    for (const Bits low : {Bits(0), Bits(1), (Bits(1) << digits) - 1, Bits(0x2d4f3)})
      values.push_back(std::bit_cast<R>((e << digits) + low));
  }
  return values;
}

template <class R, class Bits>
void check_parts_of_numbers() {
  const std::vector<R> x = numbers_of_every_exponent<R, Bits>();
  const array<R> numbers = numbers_here(x);
  const auto is = [](const array<R>& found, const std::vector<R>& expected) {
    return gnp::array_equal(found.template view<Bits>(), numbers_here(expected).template view<Bits>());
  };
  // Of what is no number, C leaves the exponent open.
  std::vector<R> mantissas, gaps;
  std::vector<int> exponents;
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) continue;
    finite.push_back(i);
    mantissas.push_back(std::frexp(x[i], &exponents.emplace_back()));
    const R infinity = std::numeric_limits<R>::infinity();
    gaps.push_back(std::nextafter(x[i], x[i] < 0 ? -infinity : infinity) - x[i]);
  }
  const array<bool> is_finite = gnp::isfinite(numbers).eval();
  const auto [mantissa, exponent] = gnp::frexp(numbers);
  CHECK(is(mantissa.eval()(is_finite).eval(), mantissas));
  CHECK(has_these(exponent.eval()(is_finite).eval(), exponents));
  CHECK(is(gnp::spacing(numbers).eval()(is_finite).eval(), gaps));
  CHECK(gnp::all(gnp::isnan(gnp::spacing(numbers).eval()(!is_finite))).item());
  CHECK(gnp::all(exponent.eval()(!is_finite) == 0).item());
  CHECK(gnp::array_equal(mantissa.eval()(!is_finite).eval(), numbers(!is_finite).eval(), {.equal_nan = true}));
  std::vector<R> next, scaled;
  std::vector<int> by;
  for (std::size_t k = 0; k < finite.size(); ++k) {
    const int range = std::numeric_limits<R>::max_exponent;
    by.push_back(static_cast<int>(k * 37 % static_cast<std::size_t>(5 * range)) - 5 * range / 2);
    if (k % 50 == 0)
      by.back() = k % 100 == 0 ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
    scaled.push_back(std::ldexp(x[finite[k]], by.back()));
    next.push_back(std::nextafter(x[finite[k]], x[finite[(k + 3) % finite.size()]]));
  }
  const array<R> sides = numbers(is_finite).eval();
  CHECK(is(gnp::ldexp(sides, numbers_here(by)).eval(), scaled));
  CHECK(is(gnp::ldexp(sides, numbers_here(by).astype<std::int64_t>()).eval(), scaled));
  CHECK(is(gnp::nextafter(sides, gnp::roll(sides, -3).eval()).eval(), next));
}

}  // namespace

TEST_CASE("parts of numbers") {
  const gnp::use_device here(gnp::device::cpu());
  check_parts_of_numbers<double, std::uint64_t>();
  check_parts_of_numbers<float, std::uint32_t>();
  std::vector<std::uint8_t> counts;
  std::vector<std::int16_t> values;
  for (int i = -32768; i < 32768; ++i) {
    values.push_back(static_cast<std::int16_t>(i));
    counts.push_back(static_cast<std::uint8_t>(std::popcount(static_cast<unsigned>(i < 0 ? -i : i))));
  }
  CHECK(has_these(gnp::bitwise_count(numbers_here(values)).eval(), counts));
  const gnp::slice bytes(32768 - 128, 32768 + 128);
  const std::vector<std::uint8_t> few(counts.begin() + 32768 - 128, counts.begin() + 32768 + 128);
  CHECK(has_these(gnp::bitwise_count(numbers_here(values)(bytes).astype<std::int8_t>()).eval(), few));
}

TEST_CASE("scans along columns") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t columns : {2, 3, 7, 65, 513, 1025}) {
    for (const index_t rows : {2, 17, 400, 1025}) {
      const std::vector<std::int16_t> values = never_in_order<std::int16_t>(rows * columns, 7);
      std::vector<std::int64_t> sums;
      std::vector<std::int16_t> largest;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_first = i < static_cast<std::size_t>(columns);
        const std::size_t above = is_first ? i : i - static_cast<std::size_t>(columns);
        sums.push_back(values[i] + (is_first ? 0 : sums[above]));
        largest.push_back(is_first ? values[i] : std::max(values[i], largest[above]));
      }
      const array<std::int16_t> x = numbers_here(values).reshape({rows, columns});
      const array<std::int16_t> by_columns = gnp::ascontiguousarray(x.T()).T();
      const array<std::int16_t> wide = gnp::concatenate({x, x}, 1)(gnp::all, gnp::slice(columns));
      const auto is = [](const auto& found, const auto& expected) {
        return has_these(gnp::ravel(found).copy(), expected);
      };
      INFO(rows << " x " << columns);
      CHECK(is(gnp::cumsum(x, 0), sums));
      CHECK(is(gnp::cumsum(by_columns, 0), sums));
      CHECK(is(gnp::cumsum(wide, 0), sums));
      CHECK(is(gnp::cumsum(x.astype<double>() + 0, 0).astype<std::int64_t>(), sums));
      CHECK(is(gnp::maximum_accumulate(x, 0), largest));
      // Along the middle axis, of which each plane is the same.
      const array<std::int16_t> planes = gnp::stack({x, x});
      for (const index_t plane : {0, 1}) CHECK(is(gnp::cumsum(planes, 1)(plane), sums));
    }
  }
}

namespace {

template <class T>
void check_strided_writes() {
  for (const index_t count : {100, 127, 128, 129, 1000, 70000}) {
    for (const index_t stride : {2, 3, -1, -2}) {
      const index_t size = 3 * count + 1;
      const std::vector<T> before = never_in_order<T>(size, 7);
      const std::vector<T> values = never_in_order<T>(count, 5);
      const index_t first = stride > 0 ? 1 : 2 * count;
      const gnp::slice places(first, first + stride * count, stride);
      std::vector<T> copied = before, filled = before, added = before, one = before;
      for (index_t i = 0; i < count; ++i) {
        const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(first + i * stride);
        copied[to] = values[from];
        filled[to] = T(3);
        added[to] = static_cast<T>(values[from] + values[from]);
        one[to] = values[0];
      }
      const auto written = [&](const auto& write) {
        const array<T> x = numbers_here(before);
        write(x(places));
        return x;
      };
      const array<T> y = numbers_here(values);
      INFO(count << " values, stride " << stride);
      CHECK(has_these(written([&](const array<T>& part) { part(gnp::ellipsis) = y; }), copied));
      CHECK(has_these(written([](const array<T>& part) { part(gnp::ellipsis) = T(3); }), filled));
      CHECK(has_these(written([](const array<T>& part) { part.fill(T(3)); }), filled));
      CHECK(has_these(written([&](const array<T>& part) { part(gnp::ellipsis) = y + y; }), added));
      CHECK(has_these(written([&](const array<T>& part) { part(gnp::ellipsis) = y(0); }), one));
    }
  }
  // Interleaved, with rows of their own.
  const array<T> x = numbers_here(never_in_order<T>(3 * 200, 7)).reshape({3, 200});
  const array<T> y = numbers_here(never_in_order<T>(200, 5));
  const gnp::host_array<T> in_x = gnp::asnumpy(x), in_y = gnp::asnumpy(y);
  const gnp::host_array<T> both = gnp::asnumpy(gnp::stack({x, gnp::broadcast_to(y, {3, 200})}, -1));
  for (index_t i = 0; i < 3; ++i) {
    for (index_t k = 0; k < 200; ++k) CHECK((both(i, k, 0) == in_x(i, k) && both(i, k, 1) == in_y(k)));
  }
}

}  // namespace

TEST_CASE("values written apart") {
  const gnp::use_device here(gnp::device::cpu());
  check_strided_writes<std::uint8_t>();
  check_strided_writes<std::int16_t>();
  check_strided_writes<float>();
  check_strided_writes<double>();
}

namespace {

template <class T, class Index>
void check_rows_taken() {
  constexpr index_t rows = 50, taken = 3000;  // many buffers full
  std::vector<Index> places = never_in_order<Index>(taken, rows);
  for (std::size_t i = 0; i < places.size(); i += 3) places[i] = static_cast<Index>(places[i] - rows);
  for (const index_t length : {1, 4, 5, 6, 7, 8, 9, 31, 127, 128, 300}) {
    const std::vector<T> table = never_in_order<T>(rows * length, 11);
    std::vector<T> expected;
    for (const Index place : places) {
      const auto row = static_cast<std::size_t>((place < 0 ? place + rows : place) * length);
      for (std::size_t k = row; k < row + static_cast<std::size_t>(length); ++k) expected.push_back(table[k]);
    }
    const array<T> x = numbers_here(table).reshape({rows, length});
    const array<Index> i = numbers_here(places);
    INFO("rows of " << length);
    CHECK(has_these(x(i).eval().ravel(), expected));
    CHECK(has_these(gnp::take(x, i, 0).eval().ravel(), expected));
    const array<T> wide = gnp::concatenate({x, x, x}, 1);
    CHECK(has_these(wide(i, gnp::slice(length, 2 * length)).eval().ravel(), expected));
    const array<T> turned = gnp::flip(gnp::flip(x, 1).copy(), 1);
    CHECK(has_these(turned(i).eval().ravel(), expected));
    CHECK_THROWS_AS(x(i * Index(2) + Index(rows)).eval(), gnp::index_error);
  }
}

}  // namespace

TEST_CASE("rows taken by indices") {
  const gnp::use_device here(gnp::device::cpu());
  check_rows_taken<bool, std::int64_t>();
  check_rows_taken<std::uint8_t, std::int32_t>();
  check_rows_taken<double, std::int64_t>();
}

namespace {

/// The variance of a row, by its definition.
template <class T, class Real>
Real variance_of_row(const T* row, index_t length, double ddof) {
  using wide = std::conditional_t<gnp::is_complex(gnp::dtype_of<T>), std::complex<long double>, long double>;
  wide sum = 0;
  for (index_t k = 0; k < length; ++k) sum += static_cast<wide>(row[k]);
  const wide mean = sum / static_cast<long double>(length);
  long double squares = 0;
  for (index_t k = 0; k < length; ++k) {
    const auto distance = std::abs(static_cast<wide>(row[k]) - mean);
    squares += distance * distance;
  }
  return static_cast<Real>(squares / (static_cast<long double>(length) - ddof));
}

/// Rows on both sides of the lengths and numbers that are folded side by side, far from zero.
template <class T, class Real>
void spreads_of_rows(Real accuracy) {
  for (const index_t length : {1, 2, 3, 5, 7, 15, 16, 17, 40}) {
    for (const index_t rows : {1, 2, 15, 16, 31, 32, 33, 64, 65, 129, 1000}) {
      std::vector<T> values = never_in_order<T>(rows * length, 101);
      for (T& x : values) x = x * T(Real(0.25)) + T(Real(1000));
      const array<T> x = numbers_here(values).reshape({rows, length});
      const auto variances = gnp::asnumpy(gnp::var(x, 1));
      const auto spreads = gnp::asnumpy(gnp::std(x, {.axis = 1, .ddof = 0.5}));
      const auto of_sums = gnp::asnumpy(gnp::var(x + x, 1));
      bool right = true;
      for (index_t r = 0; r < rows; ++r) {
        const T* const row = values.data() + r * length;
        const Real variance = variance_of_row<T, Real>(row, length, 0);
        const Real spread = std::sqrt(variance_of_row<T, Real>(row, length, 0.5));
        right = right && std::abs(variances[r] - variance) <= accuracy * (1 + variance) &&
                std::abs(of_sums[r] - 4 * variance) <= accuracy * (4 + 4 * variance) &&
                std::abs(spreads[r] - spread) <= accuracy * (1 + spread);
      }
      INFO(rows << " rows of " << length);
      CHECK(right);
    }
  }
}

}  // namespace

TEST_CASE("spreads of short rows") {
  const gnp::use_device here(gnp::device::cpu());
  spreads_of_rows<double>(1e-14);
  spreads_of_rows<float>(1e-5F);
  spreads_of_rows<std::complex<double>>(1e-14);
  // Numbers that are left out, in some rows all of them.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values = never_in_order<double>(65 * 4, 17);
  std::vector<double> expected;
  for (std::size_t row = 0; row < 65; ++row) {
    std::vector<double> kept;
    for (std::size_t k = 0; k < 4; ++k) {
      if ((row + k) % 3 == 0 || row % 10 == 9) values[row * 4 + k] = nan;
      if (const double x = values[row * 4 + k]; x == x) kept.push_back(x);
    }
    expected.push_back(
        kept.empty() ? nan
                     : variance_of_row<double, double>(kept.data(), static_cast<index_t>(kept.size()), 0));
  }
  const array<double> x = numbers_here(values).reshape({65, 4});
  CHECK(gnp::allclose(gnp::nanvar(x, 1), numbers_here(expected), {.rtol = 1e-14, .equal_nan = true}));
  const auto of_nans = gnp::asnumpy(gnp::var(x, 1));
  for (index_t row = 0; row < 65; ++row) {
    const double* const from = values.data() + row * 4;
    const bool has_nan = std::any_of(from, from + 4, [](double v) { return v != v; });
    CHECK((of_nans[row] != of_nans[row]) == has_nan);
  }
}

namespace {

template <class T>
void copies_of_short_rows(index_t row) {
  const index_t rows = 37;
  const std::vector<T> values = never_in_order<T>(rows * (row + 2), 113);
  const array<T> wide = numbers_here(values).reshape({rows, row + 2});
  const array<T> x = wide(gnp::all, gnp::slice(1, row + 1));  // contiguous in each row only
  std::vector<T> twice;
  for (index_t r = 0; r < rows; ++r) {
    const T* const from = values.data() + r * (row + 2) + 1;
    for (int time = 0; time < 2; ++time) twice.insert(twice.end(), from, from + row);
  }
  INFO("rows of " << row << " elements of " << sizeof(T) << " bytes");
  CHECK(has_these(gnp::tile(x, {1, 2}).reshape(-1).eval(), twice));
  CHECK(has_these(gnp::tile(x.copy(), {1, 2}).reshape(-1).eval(), twice));
  // Into places that are apart, and the rows of an array of three axes in another order.
  array<T> apart = gnp::zeros<T>({rows, 2 * row + 3});
  apart(gnp::all, gnp::slice(2, row + 2)) = x;
  CHECK(gnp::array_equal(apart(gnp::all, gnp::slice(2, row + 2)), x));
  CHECK(gnp::count_nonzero(apart).item() == gnp::count_nonzero(x).item());
  const array<T> cube = gnp::stack({x, x, x}, 1);
  CHECK(cube.shape() == gnp::shape_t{rows, 3, row});
  const array<T> turned = cube.transpose({1, 0, 2}).copy();
  for (index_t time = 0; time < 3; ++time) CHECK(gnp::array_equal(turned(time), x));
  // In an expression, through a buffer.
  const array<T> sums = gnp::tile(x, {1, 2}).reshape({rows, 2, row}) + x(gnp::all, gnp::newaxis);
  for (index_t time = 0; time < 2; ++time) CHECK(gnp::array_equal(sums(gnp::all, time), x + x));
}

}  // namespace

TEST_CASE("copies of short rows") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t row : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100}) {
    copies_of_short_rows<std::int8_t>(row);
    copies_of_short_rows<std::int16_t>(row);
    copies_of_short_rows<float>(row);
    copies_of_short_rows<double>(row);
    copies_of_short_rows<std::complex<double>>(row);
  }
}

namespace {

/// Sums, products' sums and extremes of rows of every length, also of every second and fourth element: whole
/// numbers, so that the sums are exact in any order.
template <class T>
void folds_of_rows() {
  for (index_t length = 1; length < 400; length += length < 140 ? 1 : 13) {
    constexpr index_t rows = 3;
    const std::vector<T> values = never_in_order<T>(rows * 4 * length, 97);
    const array<T> x = numbers_here(values).reshape({rows, 4 * length});
    for (const index_t apart : {1, 2, 4}) {
      const array<T> strided = x(gnp::all, gnp::slice(0, apart * length, apart));
      std::vector<double> sums(rows), least(rows, 1000), largest(rows, -1000);
      for (std::size_t r = 0; r < rows; ++r) {
        for (index_t k = 0; k < length; ++k) {
          const auto value = static_cast<double>(
              values[r * static_cast<std::size_t>(4 * length) + static_cast<std::size_t>(k * apart)]);
          sums[r] += value;
          least[r] = (std::min)(least[r], value);
          largest[r] = (std::max)(largest[r], value);
        }
      }
      INFO("rows of " << length << " elements of " << sizeof(T) << " bytes, " << apart << " apart");
      CHECK(has_these(gnp::sum(strided, 1).template astype<double>().eval(), sums));
      CHECK(has_these(gnp::min(strided, 1).template astype<double>().eval(), least));
      CHECK(has_these(gnp::max(strided, 1).template astype<double>().eval(), largest));
    }
  }
}

/// Sums of products of whole numbers of both signs, with one factor conjugated and without.
template <class R>
void complex_products_of_vectors() {
  using number = std::complex<R>;
  for (const index_t length : {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 255, 256, 257, 1000, 70000}) {
    std::vector<number> left, right;
    number plain = 0, conjugated = 0, squares = 0;
    for (int i = 0; i < length; ++i) {
      left.emplace_back(R(i % 7 - 3), R(i % 5 - 1));
      right.emplace_back(R(i % 3 - 1), R(i % 11 - 4));
      plain += left.back() * right.back();
      conjugated += std::conj(left.back()) * right.back();
      squares += std::norm(right.back());
    }
    const array<number> x = numbers_here(left), y = numbers_here(right);
    INFO(length << " numbers");
    CHECK(gnp::dot(x, y).item() == plain);
    CHECK(gnp::vdot(x, y).item() == conjugated);
    const array<number> rows = gnp::stack({x, y, x});
    CHECK(
        has_these<number>(gnp::vecdot(rows, gnp::stack({y, y, y})).eval(), {conjugated, squares, conjugated}));
    CHECK(gnp::dot(gnp::flip(x), gnp::flip(y)).item() == plain);  // not in place
  }
}

}  // namespace

TEST_CASE("folds of rows of every length") {
  const gnp::use_device here(gnp::device::cpu());
  folds_of_rows<std::int8_t>();
  folds_of_rows<std::uint16_t>();
  folds_of_rows<int>();
  folds_of_rows<std::int64_t>();
  folds_of_rows<float>();
  folds_of_rows<double>();
}

TEST_CASE("products of complex vectors") {
  const gnp::use_device here(gnp::device::cpu());
  complex_products_of_vectors<float>();
  complex_products_of_vectors<double>();
}
