// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Reductions over pairs: results for every row of one array and every row of another, compared with plain loops
// on the host, in double.
#include <cmath>
#include <functional>
#include <sstream>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::ellipsis;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;
using gnp::slice;

/// Small numbers that every type holds exactly, as do sums of a hundred of them.
template <class T>
array<T> numbers(const gnp::shape_t& shape, int seed) {
  std::vector<T> values(static_cast<std::size_t>(gnp::detail::element_count(shape, "numbers")));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(static_cast<float>((i * 37 + static_cast<std::size_t>(seed) * 11) % 13));
  return gnp::asarray(values).reshape(shape);
}

/// Many elements are read from it: without optimisation, each x(i, k) is several calls.
template <class T>
const T* row(const host_array<T>& x, index_t i) {
  return x.data() + i * x.shape(1);
}

/// Is found(i, j) = f(i, j) for a sample of the pairs, the last ones and those around the ends of tiles
/// included?
template <class T>
bool agrees(const array<T>& found, const std::function<double(index_t, index_t)>& f) {
  const host_array<T> host = gnp::asnumpy(found);
  const index_t step = sanitized ? 97 : 5;
  const auto next = [step](index_t i, index_t end) {
    return i + 1 < end && i + step >= end ? (std::max)(i + 1, end - 2) : i + step;
  };
  for (index_t i = 0; i < host.shape(0); i = next(i, host.shape(0))) {
    for (index_t j = 0; j < host.shape(1); ++j) {
      const double wanted = f(i, j);
      if (!(std::abs(static_cast<double>(host(i, j)) - wanted) <= 1e-6 * std::abs(wanted))) return false;
    }
  }
  return true;
}

/// How many kernels a statement takes on a GPU.
template <class E>
bool takes_kernels(const E& statement, int count) {
  const std::string text = gnp::explain(statement);
  return text.rfind(std::to_string(count) + " kernel", 0) == 0;
}

/// On the CPU, loops are the same for fewer results.
constexpr index_t few_if_sanitized(index_t results) { return sanitized ? (results + 7) / 8 : results; }

template <class T, class Result>
void check_type(index_t rows, index_t columns, index_t length) {
  rows = few_if_sanitized(rows);
  columns = few_if_sanitized(columns);
  INFO(gnp::name(gnp::dtype_of<T>) << " " << rows << " x " << columns << " x " << length);
  const array<T> x = numbers<T>({rows, length}, 1);
  const array<T> y = numbers<T>({columns, length}, 2);
  const host_array<T> hx = gnp::asnumpy(x);
  const host_array<T> hy = gnp::asnumpy(y);
  const auto folded = [&](double first, const std::function<double(double, double, double)>& f) {
    return [&hx, &hy, first, f, length](index_t i, index_t j) {
      const T* const x_row = row(hx, i);
      const T* const y_row = row(hy, j);
      double result = first;
      for (index_t k = 0; k < length; ++k)
        result = f(result, static_cast<double>(x_row[k]), static_cast<double>(y_row[k]));
      return result;
    };
  };
  const array<Result> products = sum(x(all, newaxis) * y(newaxis), {.axis = 2});
  CHECK(agrees(products, folded(0, [](double r, double a, double b) { return r + a * b; })));
  const array<T> largest = max(x(all, newaxis) + y(newaxis), {.axis = 2});
  CHECK(agrees(largest, folded(0, [](double r, double a, double b) { return std::max(r, a + b); })));
  const array<index_t> different = sum(x(all, newaxis) != y(newaxis), {.axis = 2});
  CHECK(agrees(different, folded(0, [](double r, double a, double b) { return r + (a != b ? 1 : 0); })));
}

}  // namespace

TEST_CASE("reductions over pairs of rows of every type") {
  for_each_device([](gnp::device) {
    check_type<float, float>(733, 769, 16);
    check_type<double, double>(733, 769, 17);
    check_type<std::int32_t, std::int64_t>(641, 833, 19);
    check_type<std::uint8_t, std::uint64_t>(833, 641, 44);
    check_type<gnp::half, gnp::half>(833, 641, 12);
    check_type<gnp::half, gnp::half>(833, 641, 16);
  });
}

TEST_CASE("reductions over pairs of every length, and of few and many rows") {
  for_each_device([](gnp::device) {
    for (const index_t length : {16, 18, 19, 31, 32, 33, 50}) check_type<float, float>(725, 727, length);
    check_type<float, float>(1, 2000, 20);
    check_type<float, float>(63, 9001, 20);
    check_type<float, float>(9001, 65, 20);
  });
}

TEST_CASE("reductions over pairs of views, of several operands, and into views") {
  for_each_device([](gnp::device device) {
    const index_t n = few_if_sanitized(736);
    const index_t m = few_if_sanitized(720);
    const index_t length = 21;
    const array<float> whole = numbers<float>({2 * n, 3 * length}, 1);
    const auto x =
        whole(slice(gnp::none, gnp::none, -2), slice(1, 1 + 2 * length, 2));  // from its end, strided
    const array<float> y = numbers<float>({m, length}, 5);
    const array<float> weights = numbers<float>({length}, 7);
    const array<float> scale = numbers<float>({n}, 3);
    const host_array<float> hx = gnp::asnumpy(x.copy());
    const host_array<float> hy = gnp::asnumpy(y);
    const host_array<float> hw = gnp::asnumpy(weights);
    const host_array<float> hs = gnp::asnumpy(scale);
    const auto expected = [&](index_t i, index_t j) {
      const float* const x_row = row(hx, i);
      const float* const y_row = row(hy, j);
      const float* const weight = hw.data();
      const float scale_of_row = hs(i);
      double result = 0;
      for (index_t k = 0; k < length; ++k) result += weight[k] * std::abs(x_row[k] - y_row[k]) * scale_of_row;
      return result;
    };
    const auto weighted = [&](const auto& rows, const auto& columns) {
      return sum(weights * abs(rows - columns) * scale(all, newaxis, newaxis), {.axis = 2});
    };
    array<float> result = weighted(x(all, newaxis), y(newaxis));
    CHECK(agrees(result, expected));
    // Results that are columns of memory, every other one, and backwards.
    array<float> turned = gnp::zeros<float>({m, n});
    turned.T() = weighted(x(all, newaxis), y(newaxis));
    CHECK(agrees(array<float>(turned.T().copy()), expected));
    array<float> wide = gnp::full<float>({n, 2 * m}, -1.0F);
    wide(all, slice(gnp::none, gnp::none, -2)) = weighted(x(all, newaxis), y(newaxis));
    CHECK(agrees(array<float>(wide(all, slice(gnp::none, gnp::none, -2)).copy()), expected));
    CHECK(gnp::all(wide(all, slice(0, gnp::none, 2)) == -1.0F).item());
    // Pairs within each of several sets.
    const array<float> sets = numbers<float>({2, few_if_sanitized(520), length}, 1);
    const array<float> distances = sum(abs(sets(all, all, newaxis) - sets(all, newaxis)), {.axis = 3});
    const host_array<float> h = gnp::asnumpy(sets);
    for (const index_t set : {0, 1}) {
      CHECK(agrees(array<float>(distances(set).copy()), [&](index_t i, index_t j) {
        const float* const one = &h(set, i, 0);
        const float* const other = &h(set, j, 0);
        double sum_of_differences = 0;
        for (index_t k = 0; k < length; ++k) sum_of_differences += std::abs(one[k] - other[k]);
        return sum_of_differences;
      }));
    }
    // Rows that are read in vectors, but are no whole number of them.
    const auto padded = [](index_t count, int seed) { return numbers<float>({count, 24}, seed); };
    const array<float> left = padded(n, 2);
    const array<float> right = padded(m, 4);
    const array<float> nearly =
        sum(abs(left(all, newaxis, slice(23)) - right(newaxis, all, slice(23))), {.axis = 2});
    const host_array<float> hl = gnp::asnumpy(left);
    const host_array<float> hr = gnp::asnumpy(right);
    CHECK(agrees(nearly, [&](index_t i, index_t j) {
      const float* const one = row(hl, i);
      const float* const other = row(hr, j);
      double sum_of_differences = 0;
      for (index_t k = 0; k < 23; ++k) sum_of_differences += std::abs(one[k] - other[k]);
      return sum_of_differences;
    }));
    // Rows that go down the memory.
    const array<float> columns = numbers<float>({length, n}, 9);
    const array<float> between = max(columns(all, all, newaxis) * columns(all, newaxis), {.axis = 0});
    const host_array<float> hc = gnp::asnumpy(columns);
    // A product of matrices of another kind: rows of one, columns of the other.
    const array<float> a = numbers<float>({n, length}, 4);
    const array<float> paths = min(a(all, all, newaxis) + columns, {.axis = 1});
    const host_array<float> ha = gnp::asnumpy(a);
    CHECK(agrees(paths, [&](index_t i, index_t j) {
      double least = gnp::inf;
      for (index_t k = 0; k < length; ++k) least = std::min(least, double{ha(i, k)} + double{hc(k, j)});
      return least;
    }));
    CHECK(agrees(between, [&](index_t i, index_t j) {
      double most = 0;
      for (index_t k = 0; k < length; ++k) most = std::max(most, double{hc(k, i)} * double{hc(k, j)});
      return most;
    }));
    static_cast<void>(device);
  });
}

TEST_CASE("a function of a reduction over pairs reads its stored result if that is long") {
  for_each_device([](gnp::device device) {
    for (const index_t length : {20, 40}) {
      const index_t rows = few_if_sanitized(768), columns = few_if_sanitized(720);
      const array<float> x = numbers<float>({rows, length}, 1);
      const array<float> y = numbers<float>({columns, length}, 2);
      const auto squares = sum(square(x(all, newaxis) - y(newaxis)), {.axis = 2});
      const array<float> roots = sqrt(squares);
      const host_array<float> hx = gnp::asnumpy(x);
      const host_array<float> hy = gnp::asnumpy(y);
      const auto distance = [&](index_t i, index_t j) {
        const float* const x_row = row(hx, i);
        const float* const y_row = row(hy, j);
        double result = 0;
        for (index_t k = 0; k < length; ++k) result += (x_row[k] - y_row[k]) * (x_row[k] - y_row[k]);
        return std::sqrt(result);
      };
      CHECK(agrees(roots, distance));
      const array<index_t> nearest = gnp::argmin(squares, {.axis = 1});
      const host_array<index_t> found = gnp::asnumpy(nearest);
      for (index_t i = 0; i < rows; i += 7) {
        index_t best = 0;
        double least = distance(i, 0);
        for (index_t j = 1; j < columns; ++j) {
          const double far = distance(i, j);
          if (far < least) best = j, least = far;
        }
        CHECK(found(i) == best);
      }
      if (device.is_cpu()) continue;
      CHECK(takes_kernels(sqrt(squares), length == 20 ? 1 : 2));
      CHECK(takes_kernels(gnp::argmin(squares, {.axis = 1}), length == 20 ? 1 : 2));
    }
  });
}

TEST_CASE("NaN and infinities in reductions over pairs") {
  for_each_device([](gnp::device) {
    array<float> x = numbers<float>({800, 32}, 1);
    array<float> y = numbers<float>({700, 32}, 2);
    x(3, 5) = gnp::nan;
    y(699, 31) = gnp::inf;
    const array<float> largest = max(x(all, newaxis) + y(newaxis), {.axis = 2});
    const array<float> sums = sum(x(all, newaxis) - y(newaxis), {.axis = 2});
    CHECK(gnp::all(isnan(largest(3)) && isnan(sums(3))).item());
    CHECK(gnp::all(isinf(largest(slice(4, gnp::none), 699)) && sums(slice(4, gnp::none), 699) == -gnp::inf)
              .item());
    CHECK(gnp::all(isfinite(largest(slice(4, gnp::none), slice(699))) &&
                   isfinite(sums(slice(4, gnp::none), slice(699))))
              .item());
  });
}
