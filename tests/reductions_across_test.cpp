// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Reductions to one element of arrays that lie across each other, against loops. A GPU reads them by square
// tiles.
#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::slice;

/// Small whole numbers, so that all sums are exact.
template <class T>
T small_number(index_t i) {
  return static_cast<T>((i * 37 + i / 911) % 101);
}
template <class T>
array<T> of_small_numbers(const gnp::shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t i = 0; i < host.size(); ++i) host[i] = small_number<T>(i);
  return gnp::asarray(host);
}

/// A matrix and one that lies across it, of more than 8 MB on a GPU.
template <class T>
struct pair_across {
  index_t rows, columns;
  array<T> x, y;

  pair_across(gnp::device where, index_t r, index_t c)
      : rows(where.is_cpu() ? 41 : r),
        columns(where.is_cpu() ? 43 : c),
        x(of_small_numbers<T>({rows, columns})),
        y(of_small_numbers<T>({columns, rows})) {}

  auto across() const { return y.transpose(); }
  T of_x(index_t r, index_t c) const { return small_number<T>(r * columns + c); }
  T of_y(index_t r, index_t c) const { return small_number<T>(c * rows + r); }

  /// Calls f(r, c, element of x, element of y) for all elements of some rows and columns.
  template <class F>
  void for_each(index_t first_row, index_t end_row, index_t first_column, index_t end_column,
                const F& f) const {
    for (index_t r = first_row; r < end_row; ++r) {
      for (index_t c = first_column; c < end_column; ++c) f(r, c, of_x(r, c), of_y(r, c));
    }
  }
  template <class F>
  void for_each(const F& f) const {
    for_each(0, rows, 0, columns, f);
  }
};

template <class X>
bool copies_first(const X& x) {
  return gnp::explain(x).find("copies") != std::string::npos;
}

}  // namespace

TEST_CASE("reductions of arrays across each other, for elements of each size") {
  for_each_device([](gnp::device where) {
    const auto check = [where]<class T, class S>(T*, S*, index_t rows, index_t columns) {
      INFO(gnp::name(gnp::dtype_of<T>));
      const pair_across<T> p(where, rows, columns);
      S expected{};
      p.for_each([&](index_t, index_t, T a, T b) { expected += static_cast<S>(a) * static_cast<S>(b); });
      const auto sum = gnp::sum(p.x.template astype<S>() * p.across());
      CHECK_FALSE(copies_first(sum));
      CHECK(sum.item() == expected);
    };
    check(static_cast<std::uint8_t*>(nullptr), static_cast<double*>(nullptr), 2901, 2903);
    check(static_cast<std::int16_t*>(nullptr), static_cast<std::int64_t*>(nullptr), 2112, 2112);
    check(static_cast<gnp::half*>(nullptr), static_cast<double*>(nullptr), 2100, 2104);
    check(static_cast<float*>(nullptr), static_cast<double*>(nullptr), 1449, 1500);
    check(static_cast<double*>(nullptr), static_cast<double*>(nullptr), 1031, 1033);
    check(static_cast<std::complex<double>*>(nullptr), static_cast<std::complex<double>*>(nullptr), 731, 742);

    // Small elements beside a wide number.
    const pair_across<std::uint8_t> p(where, 2912, 2896);
    std::complex<double> expected{};
    p.for_each([&](index_t, index_t, std::uint8_t a, std::uint8_t b) {
      expected += std::complex<double>(a & b, -2.0 * (a & b));
    });
    const auto number = gnp::full<std::complex<double>>({}, std::complex<double>(1, -2));
    const auto weighted = gnp::sum((p.x & p.across()) * number);
    CHECK_FALSE(copies_first(weighted));
    CHECK(weighted.item() == expected);
  });
}

TEST_CASE("reductions of arrays across each other: places, several at once, parts, more axes") {
  for_each_device([](gnp::device where) {
    const pair_across<float> p(where, 1453, 1488);
    float most = -1000;
    index_t at = 0;
    double sum = 0, squares = 0;
    p.for_each([&](index_t r, index_t c, float a, float b) {
      if (a - b > most) at = r * p.columns + c;
      most = std::max(most, a - b);
      sum += a - b;
      squares += (a - b) * (a - b);
    });
    const auto apart = p.x - p.across();
    CHECK(gnp::max(apart).item() == most);
    CHECK(gnp::argmax(apart).item() == at);
    CHECK(gnp::max(p.across() - p.x).item() == gnp::max(-apart).item());
    CHECK_FALSE(copies_first(gnp::max(apart)));
    const auto [largest, total, of_squares] = gnp::eval(gnp::max(apart), gnp::sum(apart.astype<double>()),
                                                        gnp::sum(gnp::square(apart).astype<double>()));
    CHECK(largest.item() == most);
    CHECK(total.item() == sum);
    CHECK(of_squares.item() == squares);
    const double count = static_cast<double>(p.rows * p.columns);
    CHECK(gnp::var(apart.astype<double>()).item() ==
          Approx(squares / count - sum / count * (sum / count)).epsilon(1e-12));

    // Parts begin and end anywhere, and may be read backwards.
    double of_part = 0;
    p.for_each(3, p.rows - 1, 1, p.columns, [&](index_t, index_t, float a, float b) { of_part += a * b; });
    CHECK(gnp::sum((p.x.astype<double>() * p.across())(slice(3, -1), slice(1, gnp::none))).item() == of_part);
    double backwards = 0;
    p.for_each([&](index_t r, index_t c, float a, float) {
      backwards += a * p.of_y(p.rows - 1 - r, p.columns - 1 - c);
    });
    CHECK(gnp::sum(p.x.astype<double>() * gnp::flip(p.across())).item() == backwards);

    // A row and a column beside them, and an array that is read twice.
    const auto row = of_small_numbers<float>({p.columns});
    double weighted = 0;
    p.for_each(
        [&](index_t, index_t c, float a, float b) { weighted += (a - b) * (b + small_number<float>(c)); });
    CHECK(gnp::sum(((p.x - p.across()) * (p.across() + row)).astype<double>()).item() == weighted);
    CHECK(gnp::allclose(p.x, p.x.copy()));
    CHECK_FALSE(gnp::allclose(p.x, p.across()));

    const index_t planes = 3, n = where.is_cpu() ? 17 : 880;
    const auto cube = of_small_numbers<float>({planes, n, n});
    double products = 0;
    for (index_t i = 0; i < cube.size(); ++i) {
      const index_t turned = i / (n * n) * n * n + i % n * n + i / n % n;
      products += small_number<float>(i) * small_number<float>(turned);
    }
    CHECK(gnp::sum(cube.astype<double>() * gnp::swapaxes(cube, 1, 2)).item() == products);
    CHECK(gnp::max(gnp::abs(cube - gnp::swapaxes(gnp::swapaxes(cube, 1, 2).copy(), 1, 2))).item() == 0);
  });
}

TEST_CASE("reductions of arrays across each other: symmetric matrices, NaN") {
  for_each_device([](gnp::device where) {
    const index_t n = where.is_cpu() ? 33 : 1450;
    const auto x = of_small_numbers<float>({n, n});
    array<float> symmetric = x + x.transpose();
    CHECK(gnp::all(symmetric == symmetric.transpose()).item());
    CHECK(gnp::allclose(symmetric, symmetric.transpose()));
    symmetric(n - 1, 0) += 1.0F;
    CHECK_FALSE(gnp::all(symmetric == symmetric.transpose()).item());
    CHECK_FALSE(gnp::allclose(symmetric, symmetric.transpose()));
    CHECK(gnp::max(gnp::abs(symmetric - symmetric.transpose())).item() == 1);
    symmetric(n / 2, 3) = gnp::nan;
    CHECK(gnp::isnan(gnp::max(symmetric - symmetric.transpose())).item());
    CHECK(gnp::nanmax(gnp::abs(symmetric - symmetric.transpose())).item() == 1);
  });
}
