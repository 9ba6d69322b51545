// SPDX-License-Identifier: MIT
// test: asan, optimised
// What the CPU does with elements that lie any number of elements apart, with rows by index, and with
// comparisons of long numbers, compared with plain loops on the host.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;

/// Small numbers that are never in order.
template <class T>
std::vector<T> numbers_for_steps(index_t count) {
  std::vector<T> values;
  for (index_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(static_cast<int>((i * i * 7 + i * 13) % 51)));
  return values;
}

/// The elements of a(slice(none, none, step)).
template <class T>
std::vector<T> every_so_many(const std::vector<T>& values, index_t step) {
  const auto count = static_cast<index_t>(values.size());
  std::vector<T> chosen;
  for (index_t i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step)
    chosen.push_back(values[static_cast<std::size_t>(i)]);
  return chosen;
}

template <class T>
void folds_with_steps() {
  using wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  for (const index_t step : {2, 3, 4, 5, 7, 64, -1, -2, -3}) {
    for (const index_t count : {1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 300, 5000}) {
      const std::vector<T> values = numbers_for_steps<T>((count - 1) * std::abs(step) + 1);
      const std::vector<T> chosen = every_so_many(values, step);
      const array<T> all_of_them = gnp::asarray(values);
      const array<T> x = all_of_them(gnp::slice(gnp::none, gnp::none, step));
      wide sum = 0;
      for (const T& one : chosen) sum += static_cast<wide>(one);
      INFO(count << " elements, " << step << " apart");
      CHECK(static_cast<wide>(gnp::sum(x).item()) == sum);
      CHECK(gnp::max(x).item() == *std::max_element(chosen.begin(), chosen.end()));
      CHECK(gnp::min(x).item() == *std::min_element(chosen.begin(), chosen.end()));
      CHECK(gnp::array_equal(x.copy(), gnp::asarray(chosen)));
      CHECK(gnp::array_equal(x + x, gnp::asarray(chosen) * T(2)));
      CHECK(gnp::count_nonzero(x).item() ==
            std::count_if(chosen.begin(), chosen.end(), [](const T& one) { return one != T(0); }));
      // As rows, long and short ones.
      const array<T> rows =
          gnp::stack({all_of_them, all_of_them})(gnp::all, gnp::slice(gnp::none, gnp::none, step));
      const auto of_rows = gnp::asnumpy(gnp::sum(rows, 1));
      CHECK(static_cast<wide>(of_rows(0)) == sum);
      CHECK(static_cast<wide>(of_rows(1)) == sum);
    }
  }
}

/// Sums of products of whole numbers of both signs, which are exact, in rows of a matrix seen in steps.
template <class T>
void multiply_in_steps() {
  using number = gnp::host_array<T>;
  constexpr index_t rows = 3, width = 1300;
  const std::vector<T> all = numbers_for_steps<T>(rows * width);
  const array<T> values = gnp::asarray(all) - T(25);
  const array<T> a = values.reshape(rows, width);
  const number from = gnp::asnumpy(values);
  for (const index_t x_step : {1, 2, 3, 7, -1, -5}) {
    for (const index_t y_step : {1, 2, 4, -3}) {
      const index_t count = 150;
      const auto view = [&](index_t step, index_t begin) {  // `begin` is the first column
        return a(gnp::all, gnp::slice(begin, begin + step * count, step));
      };
      const index_t x_begin = x_step > 0 ? 5 : 1299, y_begin = y_step > 0 ? 0 : 1200;
      const array<T> x = view(x_step, x_begin), y = view(y_step, y_begin);
      const number sums = gnp::asnumpy(gnp::sum(x * y, 1));
      T total(0);
      for (index_t row = 0; row < rows; ++row) {
        T sum(0);
        for (index_t i = 0; i < count; ++i)
          sum += from[row * width + x_begin + i * x_step] * from[row * width + y_begin + i * y_step];
        CHECK(sums[row] == sum);
        total += sum;
      }
      CHECK(gnp::sum(x * y).item() == total);
      CHECK(gnp::dot(x(1), y(1)).item() == sums[1]);
    }
  }
}

}  // namespace

TEST_CASE("folds of elements that are apart") {
  const gnp::use_device here(gnp::device::cpu());
  folds_with_steps<int>();
  folds_with_steps<std::int64_t>();
  folds_with_steps<std::uint16_t>();
  folds_with_steps<float>();
  folds_with_steps<double>();
  array<double> x = gnp::arange<double>(100000);
  CHECK(gnp::mean(x(gnp::slice(gnp::none, gnp::none, 3))).item() == 49999.5);
  CHECK(gnp::prod(gnp::full<double>({30}, 2)(gnp::slice(gnp::none, gnp::none, 3))).item() == 1024);
  x(gnp::slice(99999 % 7, 99999 % 7 + 1)) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(gnp::max(x(gnp::slice(gnp::none, gnp::none, -7))).item()));
  // Complex numbers, and sums that lose nothing: 1e16 and the ones beside it.
  const array<std::complex<double>> z = gnp::full({3001}, std::complex<double>(1, -2));
  CHECK(gnp::sum(z(gnp::slice(gnp::none, gnp::none, 3))).item() == std::complex<double>(1001, -2002));
  array<double> far = gnp::ones<double>({30000});
  far(gnp::slice(0, 1)) = 1e16;
  far(gnp::slice(29997, 29998)) = -1e16;
  CHECK(std::abs(gnp::sum(far(gnp::slice(gnp::none, gnp::none, 3))).item() - 9998) <= 64);
}

namespace {

template <class T, class Index>
void rows_by_index() {
  constexpr index_t rows = 37, taken = 500;
  for (const index_t length : {1, 2, 3, 5, 15, 16, 17, 18, 31, 33, 100, 257, 1000}) {
    const std::vector<T> table = numbers_for_steps<T>(rows * length);
    std::vector<Index> index = numbers_for_steps<Index>(taken);
    std::vector<T> expected;
    for (Index& i : index) {
      i = static_cast<Index>(i % rows - (i % 3 == 0 ? rows : 0));
      const auto first = (i < 0 ? i + rows : i) * length;
      for (index_t k = first; k < first + length; ++k) expected.push_back(table[static_cast<std::size_t>(k)]);
    }
    const array<T> x = gnp::asarray(table).reshape({rows, length});
    const array<Index> i = gnp::asarray(index);
    const array<T> right = gnp::asarray(expected).reshape({taken, length});
    INFO("rows of " << length);
    CHECK(gnp::array_equal(gnp::take(x, i, 0), right));
    CHECK(gnp::array_equal(x(i).eval(), right));
    CHECK(gnp::array_equal(x(gnp::flip(i)), gnp::flip(right, 0)));
    const array<T> halves = x.reshape({1, rows, length});
    CHECK(gnp::array_equal(halves(i * Index(0), i - Index(0)).eval(), right));
    CHECK_THROWS_AS(halves(i * Index(0), i + Index(rows)).eval(), gnp::index_error);
    CHECK(gnp::array_equal(x(gnp::zeros<Index>({taken}), gnp::newaxis),
                           gnp::broadcast_to(x(0), {taken, 1, length})));
    const array<T> wide = gnp::zeros<T>({taken, length + 1});
    wide(gnp::all, gnp::slice(1, gnp::none)) = x(i);
    CHECK(gnp::array_equal(wide(gnp::all, gnp::slice(1, gnp::none)), right));
    CHECK_THROWS_AS(gnp::take(x, i + Index(rows), 0).eval(), gnp::index_error);
  }
}

}  // namespace

TEST_CASE("sums of products of elements that are apart") {
  const gnp::use_device guard(gnp::device::cpu());
  multiply_in_steps<float>();
  multiply_in_steps<double>();
  multiply_in_steps<gnp::complex128>();
}

namespace {

/// Elements that are `step` apart, with `others` between them.
template <class T>
array<T> with_others_between(const std::vector<T>& values, index_t step, T others) {
  const auto count = static_cast<index_t>(values.size());
  const array<T> wide = gnp::full<T>({count, step}, others);
  wide(gnp::all, 0) = gnp::asarray(values);
  return wide.reshape({count * step})(gnp::slice(0, (count - 1) * step + 1))
      .copy()(gnp::slice(gnp::none, gnp::none, step));
}

template <class T>
void extremes_among_others() {
  using limits = std::numeric_limits<T>;
  for (const index_t step : {2, 3, 4, 5, 7, 8, 11, 16, 31, 33}) {
    for (const index_t count : {63, 64, 65, 127, 128, 160, 161, 300, 5000}) {
      std::vector<T> values = numbers_for_steps<T>(count);
      values[static_cast<std::size_t>(count) - 1] = T(60);  // the last one counts, too
      INFO(count << " elements, " << step << " apart");
      CHECK(gnp::max(with_others_between(values, step, (limits::max)())).item() == T(60));
      values[static_cast<std::size_t>(count) - 1] = T(1);
      for (T& one : values) one = static_cast<T>(one + T(2));
      values[static_cast<std::size_t>(count) / 2] = T(1);
      CHECK(gnp::min(with_others_between(values, step, limits::lowest())).item() == T(1));
    }
  }
}

template <class T>
void products_among_others() {
  const T infinity = std::numeric_limits<T>::infinity();
  for (const index_t step : {2, 3, 4}) {
    for (const index_t count : {8, 63, 64, 65, 127, 300, 5000}) {
      const std::vector<T> values = numbers_for_steps<T>(count);
      T right = 0;
      for (const T one : values) right += one * (one + T(1));
      const array<T> x = with_others_between(values, step, infinity);
      const array<T> y = with_others_between(values, step, T(0)) + T(0);
      const array<T> z = with_others_between(values, step, T(0));
      INFO(count << " elements, " << step << " apart");
      CHECK(gnp::dot(x, y + T(1)).item() == right);
      CHECK(gnp::dot(x, z).item() == gnp::dot(z, x).item());
      CHECK(gnp::dot(x, z).item() == gnp::dot(y, y).item());
    }
  }
}

/// Columns of products are what the columns of stored products are, to the last bit.
template <class T>
void columns_of_products() {
  for (const index_t columns : {2, 3, 8, 100, 1000, 1025, 3000}) {
    for (const index_t rows : {1, 2, 5, 16, 17, 33, 70, 200}) {
      const array<T> x = gnp::sqrt(gnp::arange<T>(T(rows * columns))).reshape({rows, columns});
      const array<T> y = gnp::flip(x).copy();
      const array<T> wide = gnp::zeros<T>({rows, columns + 3});
      wide(gnp::all, gnp::slice(3, gnp::none)) = y;
      const array<T> apart = wide(gnp::all, gnp::slice(3, gnp::none));
      const array<T> right = gnp::sum(array<T>(x * y), {.axis = 0});
      INFO(rows << " rows of " << columns);
      CHECK(gnp::array_equal(gnp::sum(x * y, {.axis = 0}), right));
      CHECK(gnp::array_equal(gnp::sum(apart * x, {.axis = 0}), right));
      CHECK(gnp::array_equal(gnp::einsum("ij,ij->j", x, apart), right));
      const array<T> one = y(rows - 1);
      CHECK(gnp::array_equal(gnp::sum(x * gnp::broadcast_to(one, {rows, columns}), {.axis = 0}),
                             gnp::sum(array<T>(x * one), {.axis = 0})));
    }
  }
  // Along two axes, and along the middle one.
  const array<T> x = gnp::sqrt(gnp::arange<T>(T(6 * 7 * 20))).reshape({6, 7, 20});
  const array<T> y = gnp::flip(x).copy();
  const array<T> product = x * y;
  CHECK(gnp::allclose(gnp::sum(x * y, {.axis = {0, 1}}), gnp::sum(product, {.axis = {0, 1}})));
  CHECK(gnp::allclose(gnp::sum(x * y, {.axis = 1}), gnp::sum(product, {.axis = 1})));
  CHECK(gnp::allclose(gnp::sum(x * y, {.axis = 0}), gnp::sum(product, {.axis = 0})));
}

}  // namespace

TEST_CASE("what lies between elements that are apart does not count") {
  const gnp::use_device here(gnp::device::cpu());
  extremes_among_others<std::uint8_t>();
  extremes_among_others<std::int8_t>();
  extremes_among_others<std::int16_t>();
  extremes_among_others<int>();
  extremes_among_others<std::uint64_t>();
  extremes_among_others<float>();
  products_among_others<float>();
  products_among_others<double>();
}

TEST_CASE("columns of products") {
  const gnp::use_device here(gnp::device::cpu());
  columns_of_products<float>();
  columns_of_products<double>();
}

namespace {

/// The transposes of arrays with a few columns, whose elements are apart in every way.
template <class T>
void transposes_of_few_columns() {
  for (const index_t columns : {1, 2, 3, 4, 5, 7, 9}) {
    for (const index_t rows : {1, 2, 3, 4, 5, 64, 65, 333, 2001}) {
      const std::vector<T> values = numbers_for_steps<T>(rows * columns);
      std::vector<T> turned;
      for (index_t c = 0; c < columns; ++c)
        for (index_t r = 0; r < rows; ++r) turned.push_back(values[static_cast<std::size_t>(r * columns + c)]);
      const array<T> x = gnp::asarray(values).reshape({rows, columns});
      const array<T> right = gnp::asarray(turned).reshape({columns, rows});
      const array<T> wide = gnp::zeros<T>({rows, columns + 2});
      wide(gnp::all, gnp::slice(1, columns + 1)) = x;
      INFO(rows << " rows of " << columns);
      CHECK(gnp::array_equal(x.T().copy(), right));
      CHECK(gnp::array_equal(right.T().copy(), x));
      CHECK(gnp::array_equal(wide(gnp::all, gnp::slice(1, columns + 1)).T().copy(), right));
    }
  }
}

}  // namespace

TEST_CASE("transposes of a few columns") {
  const gnp::use_device here(gnp::device::cpu());
  transposes_of_few_columns<std::uint8_t>();
  transposes_of_few_columns<float>();
  transposes_of_few_columns<double>();
}

TEST_CASE("the first of a few truth values") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t length : {1, 2, 3, 8, 9, 10, 11}) {
    const index_t rows = index_t{1} << length;  // all there are
    std::vector<bool> values;
    std::vector<index_t> first_true, first_false;
    for (index_t row = 0; row < rows; ++row) {
      index_t yes = 0, no = 0;
      for (index_t k = length - 1; k >= 0; --k) ((row >> k & 1) != 0 ? yes : no) = k;
      for (index_t k = 0; k < length; ++k) values.push_back((row >> k & 1) != 0);
      first_true.push_back(yes);
      first_false.push_back(no);
    }
    const array<bool> x = gnp::asarray(values).reshape({rows, length});
    INFO("rows of " << length);
    CHECK(gnp::array_equal(gnp::argmax(x, {.axis = 1}), gnp::asarray(first_true)));
    CHECK(gnp::array_equal(gnp::argmin(x, {.axis = 1}), gnp::asarray(first_false)));
    const array<bool> turned = x.T().copy();
    CHECK(gnp::array_equal(gnp::argmax(turned, {.axis = 0}), gnp::asarray(first_true)));
    CHECK(gnp::array_equal(gnp::argmax(gnp::flip(gnp::flip(x, 1).copy(), 1), {.axis = 1}),
                           gnp::asarray(first_true)));
  }
}

TEST_CASE("sums of the weights of a few numbers") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t count : {1, 10, 256, 257, 1000}) {  // few, and more than these
    std::vector<double> right(60), weights;
    const std::vector<std::int64_t> numbers = numbers_for_steps<std::int64_t>(count);
    for (index_t i = 0; i < count; ++i) {
      weights.push_back(static_cast<double>(i) + 0.5);
      right[static_cast<std::size_t>(numbers[static_cast<std::size_t>(i)])] += weights.back();
    }
    const array<std::int64_t> x = gnp::asarray(numbers);
    const array<double> w = gnp::asarray(weights);
    INFO(count << " numbers");
    CHECK(gnp::array_equal(gnp::bincount(x, w, {.minlength = 60}), gnp::asarray(right)));
    CHECK(gnp::array_equal(gnp::bincount(gnp::flip(x), gnp::flip(w), {.minlength = 60}), gnp::asarray(right)));
    CHECK(gnp::array_equal(gnp::bincount(x, {.weights = w, .minlength = 60}), gnp::asarray(right)));
    CHECK_THROWS_AS(gnp::bincount(x - 51, w), gnp::index_error);
    CHECK_THROWS_AS(gnp::bincount(x, w(gnp::slice(1, gnp::none))), gnp::shape_error);
  }
}

TEST_CASE("rows by index") {
  const gnp::use_device here(gnp::device::cpu());
  rows_by_index<std::uint8_t, std::int64_t>();
  rows_by_index<std::int16_t, std::int32_t>();
  rows_by_index<float, std::int64_t>();
  rows_by_index<double, std::int32_t>();
  // Truth values of other memory may have any bytes.
  const array<std::uint8_t> bytes = gnp::arange<std::uint8_t>(200).reshape({5, 40}) % 4;
  const array<bool> truths = bytes.view<bool>();
  const array<std::int64_t> i = gnp::asarray<std::int64_t>({4, 0, -2});
  CHECK(gnp::array_equal(truths(i).eval().view<std::uint8_t>(), gnp::minimum(bytes(i), std::uint8_t(1))));
}

namespace {

template <class T>
void comparisons_of(const std::vector<T>& some) {
  for (const index_t count : {1, 3, 31, 32, 33, 70, 200}) {
    std::vector<T> x, y;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      x.push_back(some[i % some.size()]);
      y.push_back(some[(i * i + i / 3) % some.size()]);
    }
    const array<T> a = gnp::asarray(x), b = gnp::asarray(y);
    const auto less = gnp::asnumpy(a < b), equal = gnp::asnumpy(a == b), at_most = gnp::asnumpy(a <= b);
    const auto unequal = gnp::asnumpy(a != b), positive = gnp::asnumpy(a > T(0)),
               is_nan = gnp::asnumpy(gnp::isnan(a));
    bool right = true;
    for (index_t i = 0; i < count; ++i) {
      const T p = x[static_cast<std::size_t>(i)], q = y[static_cast<std::size_t>(i)];
      right = right && less[i] == (p < q) && equal[i] == (p == q) && at_most[i] == (p <= q) &&
              unequal[i] == (p != q) && positive[i] == (p > T(0)) && is_nan[i] == (p != p);
    }
    INFO(count << " numbers");
    CHECK(right);
    CHECK(gnp::count_nonzero(a == b).item() ==
          gnp::sum(gnp::asarray(std::vector<bool>(equal.begin(), equal.end()))).item());
  }
}

}  // namespace

TEST_CASE("comparisons of numbers of 8 bytes") {
  const gnp::use_device here(gnp::device::cpu());
  using real = std::numeric_limits<double>;
  using large = std::numeric_limits<std::int64_t>;
  comparisons_of<double>(
      {1, -0.0, real::quiet_NaN(), 0.0, real::infinity(), -real::infinity(), real::denorm_min(), -1});
  comparisons_of<std::int64_t>({1, 0, -1, (large::min)(), (large::max)(), 7});
  comparisons_of<std::uint64_t>({1, 0, std::uint64_t(1) << 63, ~std::uint64_t(0), 7});
  // Conversions to unsigned integers of numbers that signed ones do not have.
  const array<double> wide = gnp::full<double>({40}, 0x1p63 + 0x1p20);
  CHECK(gnp::all(wide.astype<std::uint64_t>() == (std::uint64_t(1) << 63) + (std::uint64_t(1) << 20)).item());
}

namespace {

/// Orders of rows on both sides of the lengths and numbers that are counted side by side.
template <class T>
void orders_of_short_rows() {
  for (const index_t length : {1, 2, 3, 4, 5, 8, 9, 12, 13, 16}) {
    for (const index_t rows : {1, 7, 8, 63, 64, 65, 200}) {
      std::vector<T> values = numbers_for_steps<T>(rows * length);
      if constexpr (std::is_floating_point_v<T>) {
        for (std::size_t i = 0; i < values.size(); i += 5) values[i] = std::numeric_limits<T>::quiet_NaN();
        for (std::size_t i = 1; i < values.size(); i += 4) values[i] = i % 3 == 0 ? T(-0.0) : T(0);
      }
      for (const bool descending : {false, true}) {
        std::vector<index_t> expected;
        for (index_t r = 0; r < rows; ++r) {
          const T* const row = values.data() + r * length;
          std::vector<index_t> order;
          for (index_t i = 0; i < length; ++i) order.push_back(i);
          std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
            const T x = row[a], y = row[b];
            if (x != x || y != y) return x == x;  // NaN are last
            return descending ? y < x : x < y;
          });
          expected.insert(expected.end(), order.begin(), order.end());
        }
        const array<T> x = gnp::asarray(values).reshape({rows, length});
        INFO(rows << " rows of " << length << (descending ? ", descending" : ""));
        CHECK(gnp::array_equal(gnp::argsort(x, {.axis = 1, .descending = descending}),
                               gnp::asarray(expected).reshape({rows, length})));
      }
    }
  }
}

}  // namespace

TEST_CASE("orders of short rows") {
  const gnp::use_device here(gnp::device::cpu());
  orders_of_short_rows<double>();
  orders_of_short_rows<float>();
  orders_of_short_rows<std::int64_t>();
  orders_of_short_rows<std::uint8_t>();
}

TEST_CASE("sums of short segments") {
  const gnp::use_device here(gnp::device::cpu());
  for (const index_t length : {1, 3, 4, 5, 7, 8, 9, 20}) {
    const array<double> x = gnp::asarray(numbers_for_steps<double>(length * 50));
    const auto begins = gnp::arange<index_t>(0, length * 50, length);
    INFO("segments of " << length);
    CHECK(gnp::array_equal(gnp::ufuncs::add.reduceat(x, begins), gnp::sum(x.reshape({50, length}), 1)));
    CHECK(gnp::array_equal(gnp::ufuncs::maximum.reduceat(x, begins), gnp::max(x.reshape({50, length}), 1)));
  }
}

namespace {

template <class T>
void search_short_tables() {
  for (const index_t size : {0, 1, 2, 10, 31, 32, 33}) {
    std::vector<T> table = numbers_for_steps<T>(size);
    std::sort(table.begin(), table.end());
    std::vector<T> queries = numbers_for_steps<T>(213);
    for (std::size_t i = 0; i < queries.size(); i += 3) queries[i] = static_cast<T>(queries[i] + T(1) / T(2));
    std::vector<index_t> before, up_to;
    for (const T& q : queries) {
      before.push_back(std::lower_bound(table.begin(), table.end(), q) - table.begin());
      up_to.push_back(std::upper_bound(table.begin(), table.end(), q) - table.begin());
    }
    const array<T> sorted = gnp::asarray(table).reshape({size});
    INFO("a table of " << size);
    CHECK(gnp::array_equal(gnp::searchsorted(sorted, gnp::asarray(queries)), gnp::asarray(before)));
    CHECK(gnp::array_equal(gnp::searchsorted(sorted, gnp::asarray(queries), {.side = "right"}),
                           gnp::asarray(up_to)));
  }
}

}  // namespace

TEST_CASE("searches in short tables") {
  const gnp::use_device here(gnp::device::cpu());
  search_short_tables<std::int8_t>();
  search_short_tables<std::uint16_t>();
  search_short_tables<int>();
  search_short_tables<std::int64_t>();
  search_short_tables<float>();
  search_short_tables<double>();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const array<double> queries = gnp::where(gnp::arange(100) % 2 == 0, nan, -0.0);
  const array<double> table = gnp::asarray<double>({-1, 0, 5, nan});
  const array<index_t> places = gnp::searchsorted(table, queries);
  CHECK(gnp::array_equal(places, gnp::where(gnp::arange(100) % 2 == 0, 3, 1)));
}
