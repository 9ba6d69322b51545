// SPDX-License-Identifier: MIT
// test: simulated-gpu
// eval of several formulas, which a GPU computes in one kernel, against loops.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <tuple>
#include <vector>

#include "devices.hpp"

GNP_UFUNC(in_polar, (x, y), results(hypot(x, y), atan2(y, x)));

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::slice;

/// Numbers that floats hold, other ones for each place.
array<float> numbers(const gnp::shape_t& shape, int step) {
  gnp::host_array<float> host(shape);
  for (index_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>((i * step) % 1009) / 8.0F - 40.0F;
  return gnp::asarray(host);
}

template <class T, class F>
void check(const array<T>& result, const gnp::shape_t& shape, const F& expected) {
  REQUIRE(result.shape() == shape);
  const auto host = gnp::asnumpy(result);
  index_t wrong = 0;
  for (index_t i = 0; i < host.size(); ++i) wrong += host[i] == expected(i) ? 0 : 1;
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("several formulas: lengths of every kind, results of other types") {
  for_each_device([](gnp::device) {
    for (const index_t n : {0, 1, 3, 31, 1000, 4099, 70001}) {
      INFO(n);
      const array<float> m = numbers({n}, 7), g = numbers({n}, 11);
      const auto hm = gnp::asnumpy(m), hg = gnp::asnumpy(g);
      const auto next = m * 2.0F + g;
      const auto [a, b, c, d] = gnp::eval(next, next > 0.0F, g.astype<double>() - next, gnp::floor(m));
      check(a, {n}, [&](index_t i) { return hm[i] * 2.0F + hg[i]; });
      check(b, {n}, [&](index_t i) { return hm[i] * 2.0F + hg[i] > 0.0F; });
      check(c, {n},
            [&](index_t i) { return static_cast<double>(hg[i]) - static_cast<double>(hm[i] * 2.0F + hg[i]); });
      check(d, {n}, [&](index_t i) { return std::floor(hm[i]); });
      const auto [longer, alone] =
          gnp::eval(m + g, gnp::ones<float>({n + 1}) + 1.0F);  // which do not broadcast
      check(longer, {n}, [&](index_t i) { return hm[i] + hg[i]; });
      check(alone, {n + 1}, [](index_t) { return 2.0F; });
      // Every other element, for results of other sizes.
      const array<float> twice = numbers({2 * n + 1}, 5);
      const auto htwice = gnp::asnumpy(twice);
      const auto every_other = twice(slice(1, none, 2));
      const auto [low, wide] = gnp::eval(every_other + 1.0F, every_other.astype<gnp::complex128>() * 2.0);
      check(low, {n}, [&](index_t i) { return htwice[2 * i + 1] + 1.0F; });
      check(wide, {n},
            [&](index_t i) { return gnp::complex128(2.0 * static_cast<double>(htwice[2 * i + 1])); });
      const auto [above, wide_again] =
          gnp::eval(every_other > 0.0F, every_other.astype<double>().astype<gnp::complex128>());
      check(above, {n}, [&](index_t i) { return htwice[2 * i + 1] > 0.0F; });
      check(wide_again, {n},
            [&](index_t i) { return gnp::complex128(static_cast<double>(htwice[2 * i + 1])); });
      // The narrowest first.
      const auto [few, many] = gnp::eval(m < g, m.astype<gnp::complex128>() + 1.0);
      check(few, {n}, [&](index_t i) { return hm[i] < hg[i]; });
      check(many, {n}, [&](index_t i) { return gnp::complex128(static_cast<double>(hm[i]) + 1.0); });
    }
  });
}

template <class T>
void check_integers(index_t rows, index_t columns) {
  INFO(gnp::name(gnp::dtype_of<T>) << ' ' << rows << " x " << columns);
  const array<T> x = ((numbers({rows, columns}, 7) + 40.0F) / 2.0F).astype<T>();
  const array<T> y = ((numbers({rows, columns}, 11) + 40.0F) / 3.0F).astype<T>();
  const auto hx = gnp::asnumpy(x), hy = gnp::asnumpy(y);
  const auto [total, product, both] = gnp::eval(x + y, x * y, x & y);
  const auto at = [](const auto& a, index_t i) { return a.data()[i]; };
  check(total, {rows, columns}, [&](index_t i) { return static_cast<T>(at(hx, i) + at(hy, i)); });
  check(product, {rows, columns}, [&](index_t i) { return static_cast<T>(at(hx, i) * at(hy, i)); });
  check(both, {rows, columns}, [&](index_t i) { return static_cast<T>(at(hx, i) & at(hy, i)); });
}

TEST_CASE("several formulas: integers of every kind") {
  for_each_device([](gnp::device where) {
    for (const index_t columns : {64, 63}) {  // rows of whole vectors, and rows that begin anywhere
      check_integers<std::int8_t>(37, columns);
      check_integers<std::int64_t>(37, columns);
      check_integers<std::uint16_t>(37, columns);
      if (is_simulated(where)) continue;
      check_integers<std::int16_t>(37, columns);
      check_integers<std::int32_t>(37, columns);
      check_integers<std::uint8_t>(37, columns);
      check_integers<std::uint32_t>(37, columns);
      check_integers<std::uint64_t>(37, columns);
    }
  });
}

TEST_CASE("several formulas: rows, columns, views, turned and shifted ones") {
  for_each_device([](gnp::device) {
    for (const index_t columns : {52, 53}) {
      INFO(columns);
      const array<float> x = numbers({37, columns}, 7), row = numbers({columns}, 3),
                         column = numbers({37, 1}, 5);
      const auto hx = gnp::asnumpy(x), hr = gnp::asnumpy(row), hc = gnp::asnumpy(column);
      const auto [a, b] = gnp::eval(x - row, x * column);
      check(a, {37, columns}, [&](index_t i) { return hx[i] - hr[i % columns]; });
      check(b, {37, columns}, [&](index_t i) { return hx[i] * hc[i / columns]; });

      const auto [down, across] = gnp::eval(x(slice(1, none)) - x(slice(none, -1)), x(slice(1, none)) + 1.0F);
      check(down, {36, columns}, [&](index_t i) { return hx[i + columns] - hx[i]; });
      check(across, {36, columns}, [&](index_t i) { return hx[i + columns] + 1.0F; });

      const auto [turned, both] = gnp::eval(-x.T(), x.T() + row(all, newaxis));
      check(turned, {columns, 37}, [&](index_t i) { return -hx[i % 37 * columns + i / 37]; });
      check(both, {columns, 37}, [&](index_t i) { return hx[i % 37 * columns + i / 37] + hr[i / 37]; });

      const array<float> backwards = x(slice(none, none, -1), slice(none, none, 2));
      const index_t half = (columns + 1) / 2;
      const auto [p, q] = gnp::eval(backwards * 2.0F, backwards - 1.0F);
      check(p, {37, half}, [&](index_t i) { return hx[(36 - i / half) * columns + i % half * 2] * 2.0F; });
      check(q, {37, half}, [&](index_t i) { return hx[(36 - i / half) * columns + i % half * 2] - 1.0F; });
    }
    // Of no axes, of other shapes, and formulas of positions.
    const array<float> one = numbers({}, 1), x = numbers({5}, 7);
    const auto [y, z] = gnp::eval(one + 1.0F, one * 2.0F);
    CHECK(float(y) == -39.0F);
    CHECK(float(z) == -80.0F);
    const auto [small, large] = gnp::eval(x + 1.0F, x(all, newaxis) + x);
    CHECK(small.shape() == gnp::shape_t{5});
    CHECK(large.shape() == gnp::shape_t{5, 5});
    const auto [table, even] =
        gnp::eval(x(gnp::asarray<index_t>({4, 0, 4})) + 0.0F, gnp::asarray<int>({1, 2, 3}) * 2);
    check(table, {3}, [&](index_t i) { return gnp::asnumpy(x)[i == 1 ? 0 : 4]; });
    check(even, {3}, [&](index_t i) { return 2 * static_cast<int>(i + 1); });
  });
}

TEST_CASE("several formulas: a step of several arrays at once, and functions of several results") {
  for_each_device([](gnp::device where) {
    array<float> position = numbers({999}, 7), speed = numbers({999}, 3);
    const auto before = gnp::asnumpy(position), speeds = gnp::asnumpy(speed);
    std::tie(position, speed) = gnp::eval(position + 0.5F * speed, speed - 0.25F * position);
    check(position, {999}, [&](index_t i) { return before[i] + 0.5F * speeds[i]; });
    check(speed, {999}, [&](index_t i) { return speeds[i] - 0.25F * before[i]; });
    CHECK(speed.device() == where);

    const array<double> x = gnp::asarray<double>({3, 0, -5}), y = gnp::asarray<double>({4, 2, 12});
    const auto [radius, angle] = gnp::eval(std::get<0>(in_polar(x, y)), std::get<1>(in_polar(x, y)));
    check(radius, {3}, [](index_t i) { return i == 0 ? 5.0 : i == 1 ? 2.0 : 13.0; });
    CHECK(gnp::allclose(angle,
                        gnp::asarray<double>({0.9272952180016122, 1.5707963267948966, 1.965587446494658})));

    const array<float> few = numbers({3}, 1);
    const auto nowhere = few(gnp::asarray<index_t>({0, 1, 7})) * 2.0F;
    CHECK_THROWS_AS((void(gnp::asnumpy(std::get<0>(gnp::eval(nowhere, few + 1.0F))))), gnp::index_error);
  });
}

namespace {

/// Rows and columns of an array on the host.
template <class T>
struct board {
  gnp::host_array<T> numbers;
  index_t columns;
  T operator()(index_t i, index_t j) const { return numbers[i * columns + j]; }
};

/// Two arrays of numbers whose sums and products are exact, next values of both made of their neighbours, and
/// what loops make of them.
template <class T>
struct reaction {
  index_t rows, columns;
  array<T> u, v;
  board<T> hu, hv;

  static array<T> made(index_t rows, index_t columns, index_t step) {
    gnp::host_array<T> host({rows, columns});
    for (index_t i = 0; i < host.size(); ++i)
      host[i] = static_cast<T>(static_cast<float>(i * step % 61) - 30.0F);
    return gnp::asarray(host);
  }
  reaction(index_t height, index_t width)
      : rows(height),
        columns(width),
        u(made(height, width, 7)),
        v(made(height, width, 11)),
        hu{gnp::asnumpy(u), width},
        hv{gnp::asnumpy(v), width} {}

  static auto around(const array<T>& x) {
    const auto i = slice(1, -1), lo = slice(none, -2), hi = slice(2, none);
    return x(lo, i) + x(hi, i) + x(i, lo) + x(i, hi);
  }
  static T around(const board<T>& x, index_t i, index_t j) {
    return static_cast<T>(static_cast<T>(static_cast<T>(x(i - 1, j) + x(i + 1, j)) + x(i, j - 1)) +
                          x(i, j + 1));
  }
  static array<T> inner(const array<T>& x) { return x(slice(1, -1), slice(1, -1)); }
  auto next_u() const { return around(u) - inner(u) * inner(v); }
  auto next_v() const { return around(v) + inner(u) * inner(v); }
  T next_u(index_t i, index_t j) const {
    return static_cast<T>(around(hu, i, j) - static_cast<T>(hu(i, j) * hv(i, j)));
  }
  T next_v(index_t i, index_t j) const {
    return static_cast<T>(around(hv, i, j) + static_cast<T>(hu(i, j) * hv(i, j)));
  }

  /// Is the inside what a function of places there gives, and the edge what it was?
  template <class F>
  void check_inside(const array<T>& x, T edge, const F& expected) const {
    check(x, {rows, columns}, [&](index_t n) {
      const index_t i = n / columns, j = n % columns;
      return i == 0 || j == 0 || i == rows - 1 || j == columns - 1 ? edge : expected(i, j);
    });
  }
};

template <class T>
void check_neighbours(index_t rows, index_t columns) {
  INFO(rows << " x " << columns);
  const reaction<T> r(rows, columns);
  const auto next_u = [&](index_t i, index_t j) { return r.next_u(i, j); };
  const auto next_v = [&](index_t i, index_t j) { return r.next_v(i, j); };
  const auto in_new = [&](const auto& next) {
    return [&, next](index_t n) { return next(n / (columns - 2) + 1, n % (columns - 2) + 1); };
  };
  const gnp::shape_t inside{rows - 2, columns - 2};
  const auto edged = [&] { return gnp::full<T>({rows, columns}, T(5)); };
  const auto inner = [](const array<T>& x) { return reaction<T>::inner(x); };

  const array<T> u2 = edged(), v2 = edged();
  gnp::together(inner(u2), inner(v2)) = std::tuple(r.next_u(), r.next_v());
  r.check_inside(u2, T(5), next_u);
  r.check_inside(v2, T(5), next_v);
  const auto [u3, v3] = gnp::eval(r.next_u(), r.next_v());
  check(u3, inside, in_new(next_u));
  check(v3, inside, in_new(next_v));

  // Three, of which two are read where they are written; results that begin elsewhere; both in one array.
  const array<T> a = r.u.copy(), b = r.v.copy(), c = edged();
  gnp::together(inner(a), inner(b), inner(c)) =
      std::tuple(inner(a) + inner(b), inner(b) - inner(a), reaction<T>::around(r.u) + inner(a));
  check(array<T>(inner(a)), inside,
        in_new([&](index_t i, index_t j) { return static_cast<T>(r.hu(i, j) + r.hv(i, j)); }));
  check(array<T>(inner(b)), inside,
        in_new([&](index_t i, index_t j) { return static_cast<T>(r.hv(i, j) - r.hu(i, j)); }));
  r.check_inside(c, T(5), [&](index_t i, index_t j) {
    return static_cast<T>(reaction<T>::around(r.hu, i, j) + r.hu(i, j));
  });
  const array<T> g = r.v.copy(), h = edged();
  gnp::together(inner(h), inner(g)) = std::tuple(reaction<T>::around(r.u) + inner(g), inner(g) - inner(r.u));
  r.check_inside(h, T(5), [&](index_t i, index_t j) {
    return static_cast<T>(reaction<T>::around(r.hu, i, j) + r.hv(i, j));
  });
  check(array<T>(inner(g)), inside,
        in_new([&](index_t i, index_t j) { return static_cast<T>(r.hv(i, j) - r.hu(i, j)); }));
  const array<T> d = edged(), e = edged();
  gnp::together(inner(d), e(slice(1, -1), slice(none, -2))) = std::tuple(r.next_u(), r.next_v());
  r.check_inside(d, T(5), next_u);
  check(array<T>(e(slice(1, -1), slice(none, -2))), inside, in_new(next_v));
  CHECK(gnp::all(e(all, slice(-2, none)) == T(5)).item());
  const array<T> both = gnp::full<T>({2 * rows, columns}, T(5));
  const auto upper = both(slice(none, rows)), lower = both(slice(rows, none));
  gnp::together(inner(upper), inner(lower)) = std::tuple(r.next_u(), r.next_v());
  r.check_inside(upper.copy(), T(5), next_u);
  r.check_inside(lower.copy(), T(5), next_v);

  // In place, where neighbours are read as they were.
  const array<T> x = r.u.copy(), y = r.v.copy();
  gnp::together(inner(x), inner(y)) =
      std::tuple(reaction<T>::around(x) - inner(x) * inner(y), reaction<T>::around(y) + inner(x) * inner(y));
  check(array<T>(inner(x)), inside, in_new(next_u));
  check(array<T>(inner(y)), inside, in_new(next_v));
}

}  // namespace

TEST_CASE("several formulas: of neighbours") {
  for_each_device([](gnp::device where) {
    for (const index_t columns : {5, 18, 67, 70, 131, 300}) {
      if (is_simulated(where) && (columns == 18 || columns == 131)) continue;
      check_neighbours<float>(9, columns);
      check_neighbours<std::int16_t>(6, columns);
    }
    check_neighbours<double>(5, 67);
    check_neighbours<std::int8_t>(6, 90);
    check_neighbours<gnp::half>(5, 90);
    check_neighbours<float>(3, 1031);
    check_neighbours<float>(70, 67);
    // Of other types: of one size, and not.
    const reaction<float> r(20, 77);
    const gnp::shape_t inside{18, 75};
    const auto at = [&](const auto& f) { return [&, f](index_t n) { return f(n / 75 + 1, n % 75 + 1); }; };
    const auto [whole, less] = gnp::eval(r.next_u().astype<int>(), reaction<float>::around(r.v));
    check(whole, inside, at([&](index_t i, index_t j) { return static_cast<int>(r.next_u(i, j)); }));
    check(less, inside, at([&](index_t i, index_t j) { return reaction<float>::around(r.hv, i, j); }));
    const auto [wide, truth] = gnp::eval(r.next_u().astype<double>(), r.next_v() > 0.0F);
    check(wide, inside, at([&](index_t i, index_t j) { return static_cast<double>(r.next_u(i, j)); }));
    check(truth, inside, at([&](index_t i, index_t j) { return r.next_v(i, j) > 0.0F; }));
  });
}

TEST_CASE("several formulas: joined") {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 3, 100, 4099}) {
      INFO(n);
      const array<float> p = numbers({n, 4}, 7), q = numbers({n, 4}, 11);
      const auto hp = gnp::asnumpy(p), hq = gnp::asnumpy(q);
      const auto a = p(all, 0), b = p(all, 1), c = q(all, 2);
      const auto value = [&](index_t i, index_t k) {
        switch (k) {
          case 0:
            return hp(i, 0) * hq(i, 2) - hp(i, 1);
          case 1:
            return hp(i, 0) + hp(i, 1) * 2.0F;
          case 2:
            return hp(i, 0);
          default:
            return hq(i, 2) - 1.0F;
        }
      };
      const std::tuple four(a * c - b, a + b * 2.0F, a, c - 1.0F);
      const std::tuple two(a * c - b, a + b * 2.0F);
      check(gnp::stack(four, {.axis = 1}), {n, 4}, [&](index_t i) { return value(i / 4, i % 4); });
      check(gnp::stack(four), {4, n}, [&](index_t i) { return value(i % n, i / n); });
      check(gnp::column_stack(two), {n, 2}, [&](index_t i) { return value(i / 2, i % 2); });
      check(gnp::concatenate(two), {2 * n}, [&](index_t i) { return value(i % n, i / n); });
      check(gnp::dstack(two), {1, n, 2}, [&](index_t i) { return value(i / 2, i % 2); });
      // Of other types, which the result's holds.
      check(gnp::stack(std::tuple(a > b, a.astype<double>() / 2, c + 1.0F), {.axis = -1}), {n, 3},
            [&](index_t i) {
              const index_t r = i / 3;
              return i % 3 == 0   ? (hp(r, 0) > hp(r, 1) ? 1.0 : 0.0)
                     : i % 3 == 1 ? static_cast<double>(hp(r, 0)) / 2
                                  : static_cast<double>(hq(r, 2) + 1.0F);
            });
      // Rows, some of them turned, and parts of two lengths.
      check(gnp::concatenate(std::tuple(p + q, p * 2.0F), 1), {n, 8}, [&](index_t i) {
        const index_t r = i / 8, k = i % 8;
        return k < 4 ? hp(r, k) + hq(r, k) : hp(r, k - 4) * 2.0F;
      });
      check(gnp::stack(std::tuple(p.T() + 1.0F, q.T() + p.T()), 2), {4, n, 2}, [&](index_t i) {
        const index_t r = i / 2 % n, k = i / 2 / n;
        return i % 2 == 0 ? hp(r, k) + 1.0F : hq(r, k) + hp(r, k);
      });
      check(gnp::concatenate(std::tuple(p + q, p(all, slice(none, 1)) + 1.0F), 1), {n, 5},
            [&](index_t i) { return i % 5 < 4 ? hp(i / 5, i % 5) + hq(i / 5, i % 5) : hp(i / 5, 0) + 1.0F; });
    }
  });
}

/// How often a GPU was given work while f ran.
template <class F>
std::size_t kernels_of(const F& f) {
  const gnp::profile seen;
  f();
  std::size_t calls = 0;
  for (const gnp::profile_row& row : seen.rows()) calls += row.calls;
  return calls;
}

TEST_CASE("several formulas: joined, in braces") {
  for_each_device([](gnp::device where) {
    for (const index_t n : {1, 3, 100, 4099}) {
      INFO(n);
      const array<float> p = numbers({n, 4}, 7), q = numbers({n, 4}, 11);
      const auto hp = gnp::asnumpy(p), hq = gnp::asnumpy(q);
      const auto rows = [&](const auto& first, const auto& second) {
        return [&](index_t i) { return i % 8 < 4 ? first(i / 8, i % 8) : second(i / 8, i % 8 - 4); };
      };
      const auto sum = [&](index_t r, index_t k) { return hp(r, k) + hq(r, k); };
      const auto product = [&](index_t r, index_t k) { return hp(r, k) * hq(r, k) - 1.0F; };
      const auto difference = [&](index_t r, index_t k) { return hp(r, k) - hq(r, k); };
      array<float> joined;
      CHECK(kernels_of([&] { joined = gnp::concatenate({p + q, p * q - 1.0F}, 1); }) ==
            (where.is_cpu() ? 2 : 1));
      check(joined, {n, 8}, rows(sum, product));
      // Of one type in C++, and an array among them.
      check(gnp::hstack({p + q, q + p}), {n, 8}, rows(sum, sum));
      check(gnp::concatenate({p - q, p.copy() + q}, -1), {n, 8}, rows(difference, sum));
      check(gnp::stack({p + q, p * 1.0F}, 1), {n, 2, 4},
            rows(sum, [&](index_t r, index_t k) { return hp(r, k); }));
      check(gnp::vstack({p + q, p - q}), {2 * n, 4}, [&](index_t i) {
        const index_t r = i / 4 % n;
        return i / 4 < n ? sum(r, i % 4) : difference(r, i % 4);
      });
      // The same text with other numbers in it, other shapes, and a list of other parts.
      check(gnp::concatenate({p + q, p * q - 3.0F}, 1), {n, 8},
            rows(sum, [&](index_t r, index_t k) { return hp(r, k) * hq(r, k) - 3.0F; }));
      check(gnp::concatenate({p + q, p(all, slice(1)) - 2.0F}, 1), {n, 5},
            [&](index_t i) { return i % 5 < 4 ? sum(i / 5, i % 5) : hp(i / 5, 0) - 2.0F; });
      check(gnp::stack({p(all, 0) + 1.0F, p(all, 1), q(all, 3) * 2.0F}, {.axis = 1}), {n, 3}, [&](index_t i) {
        return i % 3 == 0 ? hp(i / 3, 0) + 1.0F : i % 3 == 1 ? hp(i / 3, 1) : hq(i / 3, 3) * 2.0F;
      });
    }
  });
}

/// Vectors of `width` components in rows of `row`, from the element `from` on, and functions of their
/// components.
template <class T>
void check_records(index_t n, index_t width, index_t row, index_t from) {
  INFO(gnp::name(gnp::dtype_of<T>) << ' ' << n << " x " << width << " of " << row << " from " << from);
  const array<T> memory = ((numbers({n * row + from}, 7) + 40.0F) / 4.0F).astype<T>();
  const array<T> vectors = memory(slice(from, none)).reshape({n, row})(all, slice(none, width));
  const auto h = gnp::asnumpy(vectors);
  const auto sum = [](T a, T b) { return static_cast<T>(a + b); };
  const auto first = vectors(all, 0), second = vectors(all, 1), last = vectors(all, width - 1);
  // One result, of components that are a whole record and of some that are not.
  check(array<T>(first + last), {n}, [&](index_t i) { return sum(h(i, 0), h(i, width - 1)); });
  check(array<T>(second + last), {n}, [&](index_t i) { return sum(h(i, 1), h(i, width - 1)); });
  check(array<T>(first + second + last), {n},
        [&](index_t i) { return sum(sum(h(i, 0), h(i, 1)), h(i, width - 1)); });
  // Records of two and of four, from records.
  check(gnp::stack({last + first, second + first}, 1), {n, 2},
        [&](index_t i) { return sum(h(i / 2, 0), h(i / 2, i % 2 == 0 ? width - 1 : 1)); });
  check(gnp::stack({last + first, second + first, second + last, first + first}, 1), {n, 4}, [&](index_t i) {
    const index_t r = i / 4;
    return i % 4 == 0   ? sum(h(r, width - 1), h(r, 0))
           : i % 4 == 1 ? sum(h(r, 1), h(r, 0))
           : i % 4 == 2 ? sum(h(r, 1), h(r, width - 1))
                        : sum(h(r, 0), h(r, 0));
  });
  // In place: every result is computed from what was there before, and all else stays as it was.
  const array<T> changed = memory.copy();
  const array<T> parts = changed(slice(from, none)).reshape({n, row});
  std::size_t kernels = 0;
  kernels = kernels_of([&] {
    gnp::together(parts(all, 0), parts(all, width - 1)) =
        std::tuple(parts(all, 0) + parts(all, width - 1), parts(all, 0) + parts(all, 0));
  });
  if (!changed.device().is_cpu()) CHECK(kernels == 1);
  const auto whole = gnp::asnumpy(memory);
  check(changed, {n * row + from}, [&](index_t i) {
    const index_t r = (i - from) / row, k = (i - from) % row;
    return i < from || (k != 0 && k != width - 1) ? whole[i]
           : k == 0                               ? sum(h(r, 0), h(r, width - 1))
                                                  : sum(h(r, 0), h(r, 0));
  });
}

TEST_CASE("several formulas: components of vectors") {
  for_each_device([](gnp::device where) {
    for (const index_t n : {1, 257, 5000}) {
      if (n == 257 && is_simulated(where)) continue;
      for (const index_t width : {2, 4, 8}) {
        check_records<std::int8_t>(n, width, width, 0);
        check_records<gnp::half>(n, width, width, 0);
        check_records<float>(n, width, width, 0);
      }
      check_records<std::uint8_t>(n, 16, 16, 0);
      check_records<double>(n, 2, 2, 0);
      check_records<gnp::complex64>(n, 2, 2, 0);
      // Of three; in rows with other elements; and not where the records of memory begin.
      check_records<float>(n, 3, 3, 0);
      check_records<float>(n, 4, 8, 0);
      check_records<float>(n, 4, 5, 0);
      check_records<float>(n, 3, 4, 0);
      check_records<float>(n, 4, 4, 1);
      check_records<std::int16_t>(n, 4, 4, 2);
    }
    // The same memory as elements of another type.
    const array<float> bits = numbers({100, 2}, 7);
    const auto hbits = gnp::asnumpy(bits);
    const auto words = bits.view<std::int32_t>();
    const auto last = (words(all, 1) % 8).astype<float>();
    check(gnp::stack({bits(all, 0) + last, bits(all, 0) - last}, 1), {100, 2}, [&](index_t i) {
      std::int32_t word = 0;
      std::memcpy(&word, &hbits[i / 2 * 2 + 1], sizeof word);
      const auto rest = static_cast<float>((word % 8 + 8) % 8);
      return i % 2 == 0 ? hbits(i / 2, 0) + rest : hbits(i / 2, 0) - rest;
    });
    // A statement for parts of an array that read other parts of it.
    const array<float> x = numbers({6, 50}, 7);
    const auto h = gnp::asnumpy(x);
    array<float> even = x.copy();
    const std::size_t kernels =
        kernels_of([&] { even(all, slice(none, none, 2)) += even(all, slice(1, none, 2)) * 2.0F; });
    CHECK(kernels == 1);
    check(even, {6, 50}, [&](index_t i) { return i % 2 == 0 ? h[i] + h[i + 1] * 2.0F : h[i]; });
    array<float> later = x.copy();
    later(all, slice(1, none)) = later(all, slice(none, -1)) + 1.0F;
    check(later, {6, 50}, [&](index_t i) { return i % 50 == 0 ? h[i] : h[i - 1] + 1.0F; });
  });
}

TEST_CASE("several formulas: joined, with reductions in them") {
  for_each_device([](gnp::device where) {
    constexpr index_t n = 37, width = 256;
    // Whole numbers, so that every order of adding them gives the same sums.
    const array<float> x = gnp::floor(numbers({n, width}, 7));
    const auto hx = gnp::asnumpy(x);
    std::vector<float> sums(n), highest(n, -1e9F);
    for (index_t i = 0; i < n * width; ++i) {
      sums[static_cast<std::size_t>(i / width)] += hx[i];
      highest[static_cast<std::size_t>(i / width)] =
          std::max(highest[static_cast<std::size_t>(i / width)], hx[i]);
    }
    const auto total = gnp::sum(x, {.axis = 1, .keepdims = true});
    const auto halves = [&](const auto& low, const auto& high) {
      return [&](index_t i) {
        const index_t r = i / width, k = i % width;
        const float sum = sums[static_cast<std::size_t>(r)];
        return k < width / 2 ? low(hx(r, k), hx(r, k + width / 2), sum)
                             : high(hx(r, k - width / 2), hx(r, k), sum);
      };
    };
    const auto moved = x - total;
    const auto left = moved(all, slice(none, width / 2)), right = moved(all, slice(width / 2, none));
    const auto plus = [](float a, float b, float sum) { return (a - sum) + 2.0F * (b - sum); };
    const auto minus = [](float a, float b, float sum) { return (b - sum) - 2.0F * (a - sum); };
    array<float> turned;
    // One for the sums, which all parts need, and one for the parts.
    const std::size_t kernels =
        kernels_of([&] { turned = gnp::concatenate({left + 2.0F * right, right - 2.0F * left}, -1); });
    CHECK(kernels <= (where.is_cpu() ? 100U : 2U));
    check(turned, {n, width}, halves(plus, minus));
    check(gnp::concatenate(std::tuple(left + 2.0F * right, right - 2.0F * left), -1), {n, width},
          halves(plus, minus));
    // Reductions as parts, with others inside, and with a first value; and parts that are kernels by
    // themselves.
    check(gnp::stack({gnp::sum(x, 1) + 1.0F, gnp::max(x, 1), x(all, 3) - gnp::sum(x, 1)}), {3, n},
          [&](index_t i) {
            const auto r = static_cast<std::size_t>(i % n);
            return i < n ? sums[r] + 1.0F : i < 2 * n ? highest[r] : hx(i % n, 3) - sums[r];
          });
    check(gnp::stack({gnp::sum(x, {.axis = 1, .initial = 5.0F}) + 1.0F, x(all, 3) * 1.0F}), {2, n},
          [&](index_t i) { return i < n ? sums[static_cast<std::size_t>(i)] + 6.0F : hx(i - n, 3); });
    check(gnp::concatenate({x - total, x + total}), {2 * n, width}, [&](index_t i) {
      const index_t r = i / width % n;
      const float sum = sums[static_cast<std::size_t>(r)];
      return i < n * width ? hx(r, i % width) - sum : hx(r, i % width) + sum;
    });
  });
}

TEST_CASE("several formulas: with reductions in common") {
  for_each_device([](gnp::device where) {
    constexpr index_t n = 300000, rows = 300, width = n / rows;
    // Small whole numbers, whose sums are exact in every order.
    const array<double> x = gnp::floor(numbers({n}, 7)).astype<double>();
    const array<double> y = gnp::floor(numbers({n}, 11)).astype<double>();
    const auto hx = gnp::asnumpy(x), hy = gnp::asnumpy(y);
    double sum_x = 0, sum_y = 0;
    for (index_t i = 0; i < n; ++i) sum_x += hx[i], sum_y += hy[i];
    const double mean_x = sum_x / n, mean_y = sum_y / n;
    double products = 0, squares = 0;
    for (index_t i = 0; i < n; ++i) {
      products += (hx[i] - mean_x) * (hy[i] - mean_y);
      squares += (hx[i] - mean_x) * (hx[i] - mean_x);
    }
    // The slope of a line through points, and where it begins.
    const auto from_mean = x - gnp::mean(x);
    const auto slope = gnp::sum(from_mean * (y - gnp::mean(y))) / gnp::sum(gnp::square(from_mean));
    std::tuple<array<double>, array<double>, array<float>> line;
    const std::size_t kernels = kernels_of(
        [&] { line = gnp::eval(slope, gnp::mean(y) - slope * gnp::mean(x), gnp::mean(y).astype<float>()); });
    // One for the means, one for the sums, one for the results.
    CHECK(kernels <= (where.is_cpu() ? 100U : 3U));
    CHECK(std::get<0>(line).item() == Approx(products / squares));
    CHECK(std::get<1>(line).item() == Approx(mean_y - products / squares * mean_x));
    CHECK(std::get<2>(line).item() == Approx(mean_y));

    // A sum over an array that is too long for a row program is computed once for all formulas.
    std::tuple<array<double>, array<double>> beside;
    const std::size_t kernels_beside =
        kernels_of([&] { beside = gnp::eval(y - x * gnp::sum(x), y + x * gnp::sum(x)); });
    CHECK(kernels_beside <= (where.is_cpu() ? 100U : 2U));
    check(std::get<0>(beside), {n}, [&](index_t i) { return hy[i] - hx[i] * sum_x; });
    check(std::get<1>(beside), {n}, [&](index_t i) { return hy[i] + hx[i] * sum_x; });
    // Reductions of the same formula, with the same numbers in it and with others.
    const auto formula = 2.0 * x + 3.0 * y;
    const auto [total, lowest, top, other] =
        gnp::eval(gnp::sum(formula), gnp::min(formula), gnp::max(gnp::square(formula) - 1.0),
                  gnp::sum(2.0 * x + 4.0 * y));
    CHECK(total.item() == 2 * sum_x + 3 * sum_y);
    CHECK(other.item() == 2 * sum_x + 4 * sum_y);
    double least = 1e9, most = -1e9;
    for (index_t i = 0; i < n; ++i) {
      const double value = 2 * hx[i] + 3 * hy[i];
      least = std::min(least, value);
      most = std::max(most, value * value - 1);
    }
    CHECK(lowest.item() == least);
    CHECK(top.item() == most);

    // Along rows, with a reduction, an array and a truth value among them; and in other orders.
    const array<double> a = x.reshape({rows, width});
    std::vector<double> sums(rows), highest(rows, -1e9);
    for (index_t i = 0; i < n; ++i) {
      const auto r = static_cast<std::size_t>(i / width);
      sums[r] += hx[i];
      highest[r] = std::max(highest[r], hx[i]);
    }
    const array<double> first = a(all, 0);
    const auto at = [](const std::vector<double>& of, index_t i) { return of[static_cast<std::size_t>(i)]; };
    std::tuple<array<double>, array<double>, array<bool>, array<double>> of_rows;
    const std::size_t kernels_of_rows = kernels_of([&] {
      of_rows = gnp::eval(gnp::max(a, 1) - gnp::sum(a, 1), gnp::max(a, 1), gnp::max(a, 1) + first > 0.0, first);
    });
    CHECK(kernels_of_rows <= (where.is_cpu() ? 100U : 2U));
    const auto& [range, largest, more, same] = of_rows;
    check(range, {rows}, [&](index_t i) { return at(highest, i) - at(sums, i); });
    check(largest, {rows}, [&](index_t i) { return at(highest, i); });
    check(more, {rows}, [&](index_t i) { return at(highest, i) + hx[i * width] > 0.0; });
    check(same, {rows}, [&](index_t i) { return hx[i * width]; });
    const auto [begins, doubled] =
        gnp::eval(gnp::sum(a, {.axis = 1, .initial = 5.0}) * 2.0, 2.0 * gnp::sum(a, 1));
    check(begins, {rows}, [&](index_t i) { return 2 * (at(sums, i) + 5); });
    check(doubled, {rows}, [&](index_t i) { return 2 * at(sums, i); });

    // Of several shapes: each reduction runs once, whether a formula or a result of its own needs it.
    const auto tops = gnp::max(a, 1, {.keepdims = true});
    const auto below = a - tops;
    std::tuple<array<double>, array<double>, array<double>, array<double>> of_shapes;
    const std::size_t kernels_of_shapes = kernels_of([&] {
      of_shapes =
          gnp::eval(tops, gnp::sum(gnp::square(below), 1) + 1.0, gnp::sum(below, 1) * 2.0, gnp::sum(a) * 3.0);
    });
    CHECK(kernels_of_shapes <= (where.is_cpu() ? 100U : 6U));
    const auto distance = [&](index_t r, int power) {
      double sum = 0;
      for (index_t i = 0; i < width; ++i) {
        const double d = hx[r * width + i] - at(highest, r);
        sum += power == 2 ? d * d : d;
      }
      return sum;
    };
    check(std::get<0>(of_shapes), {rows, 1}, [&](index_t i) { return at(highest, i); });
    check(std::get<1>(of_shapes), {rows}, [&](index_t i) { return distance(i, 2) + 1; });
    check(std::get<2>(of_shapes), {rows}, [&](index_t i) { return 2 * distance(i, 1); });
    CHECK(std::get<3>(of_shapes).item() == 3 * sum_x);

    // Of other shapes, and of nothing.
    const auto [one, many] = gnp::eval(gnp::sum(a) * 2.0, gnp::sum(a, 1) * 2.0);
    CHECK(one.item() == 2 * sum_x);
    check(many, {rows}, [&](index_t i) { return 2 * at(sums, i); });
    const array<double> none_of_it = gnp::zeros<double>({0, 3});
    const auto [no_sums, no_counts] = gnp::eval(gnp::sum(none_of_it, 1) * 2.0, gnp::sum(none_of_it, 1) + 1.0);
    CHECK(no_sums.shape() == gnp::shape_t{0});
    CHECK(no_counts.shape() == gnp::shape_t{0});
    const auto [zero, inverse] = gnp::eval(gnp::sum(none_of_it) * 2.0, 1.0 / (gnp::sum(none_of_it) + 4.0));
    CHECK(zero.item() == 0.0);
    CHECK(inverse.item() == 0.25);
  });
}

TEST_CASE("several formulas: beside reductions of whole arrays") {
  for_each_device([](gnp::device where) {
    for (const index_t n : {1, 5, 1000, 4099, 300001}) {
      if (n == 5 && is_simulated(where)) continue;
      INFO("elements: " << n);
      const array<float> x = gnp::floor(numbers({n}, 7)), y = gnp::floor(numbers({n}, 11));
      const auto hx = gnp::asnumpy(x), hy = gnp::asnumpy(y);
      double squares = 0, total = 0;
      float highest = -1e9F;
      index_t place = 0;
      for (index_t i = 0; i < n; ++i) {
        const float rest = hx[i] - 2 * hy[i];
        squares += static_cast<double>(rest * rest);
        total += static_cast<double>(hx[i]);
        if (rest > highest) {
          highest = rest;
          place = i;
        }
      }
      const auto rest = x - 2 * y;
      const auto is_rest = [&](index_t i) { return hx[i] - 2 * hy[i]; };
      std::tuple<array<float>, array<float>> step;
      const std::size_t kernels = kernels_of([&] { step = gnp::eval(rest, gnp::sum(gnp::square(rest))); });
      CHECK(kernels <= (where.is_cpu() ? 100U : 1U));
      check(std::get<0>(step), {n}, is_rest);
      CHECK(static_cast<double>(std::get<1>(step).item()) == Approx(squares));
      // Formulas of other types, formulas of reductions, positions; the sum of another array of that shape.
      const auto [most, mask, where_it_is, norm, doubled, sum] =
          gnp::eval(gnp::max(rest), rest > 0, gnp::argmax(rest), gnp::sqrt(gnp::sum(gnp::square(rest))),
                    rest.astype<double>() * 2, gnp::sum(x));
      CHECK(most.item() == highest);
      check(mask, {n}, [&](index_t i) { return is_rest(i) > 0; });
      CHECK(where_it_is.item() == place);
      CHECK(static_cast<double>(norm.item()) == Approx(std::sqrt(squares)));
      check(doubled, {n}, [&](index_t i) { return 2 * static_cast<double>(is_rest(i)); });
      CHECK(static_cast<double>(sum.item()) == total);
    }
  });
}

TEST_CASE("several formulas: beside reductions of long rows") {
  for_each_device([](gnp::device where) {
    for (const index_t width : {1024, 1040, 4112, 5003}) {
      if (width == 1040 && is_simulated(where)) continue;
      INFO("elements of a row: " << width);
      constexpr index_t rows = 37;
      const array<float> x = gnp::floor(numbers({rows, width}, 7)), y = gnp::floor(numbers({rows, width}, 11));
      const auto hx = gnp::asnumpy(x), hy = gnp::asnumpy(y);
      const auto rest = x - 2 * y;
      const auto is_rest = [&](index_t i) { return hx[i] - 2 * hy[i]; };
      std::tuple<array<float>, array<float>, array<bool>> step;
      const std::size_t kernels =
          kernels_of([&] { step = gnp::eval(gnp::sum(gnp::abs(rest), 1), rest, rest > 0); });
      CHECK(kernels <= (where.is_cpu() || width % 16 != 0 ? 100U : 1U));
      check(std::get<0>(step), {rows}, [&](index_t r) {
        float sum = 0;  // of whole numbers: exact
        for (index_t c = 0; c < width; ++c) sum += std::abs(is_rest(r * width + c));
        return sum;
      });
      check(std::get<1>(step), {rows, width}, is_rest);
      check(std::get<2>(step), {rows, width}, [&](index_t i) { return is_rest(i) > 0; });
      // Several axes, two reductions, one with the places of its results; and the first axis, along columns.
      const auto cube = gnp::reshape(x, {rows, 1, width}) + 0.0F;
      const array<float> solid = cube;
      const auto [most, places, doubled] =
          gnp::eval(gnp::max(solid, {1, 2}), gnp::sum(solid, {1, 2}).astype<double>(), solid * 2);
      check(most, {rows},
            [&](index_t r) { return *std::max_element(hx.data() + r * width, hx.data() + (r + 1) * width); });
      check(places, {rows}, [&](index_t r) {
        double sum = 0;
        for (index_t c = 0; c < width; ++c) sum += static_cast<double>(hx[r * width + c]);
        return sum;
      });
      check(doubled, {rows, 1, width}, [&](index_t i) { return hx[i] * 2; });
      const auto [columns, tripled] = gnp::eval(gnp::max(x, 0), x * 3);
      check(columns, {width}, [&](index_t c) {
        float largest = hx[c];
        for (index_t r = 1; r < rows; ++r) largest = std::max(largest, hx[r * width + c]);
        return largest;
      });
      check(tripled, {rows, width}, [&](index_t i) { return hx[i] * 3; });
    }
  });
}

TEST_CASE("several formulas: beside reductions of shifted views") {
  for_each_device([](gnp::device where) {
    const auto check_steps = [where]<class T>(T, index_t width) {
      INFO("elements of a row: " << width << ", of " << sizeof(T) << " bytes");
      constexpr index_t rows = 23;
      const array<T> u = gnp::floor(numbers({rows, width}, 7)).template astype<T>();
      const auto h = gnp::asnumpy(u);
      const auto inside = [&u](index_t down, index_t right) {
        return u(slice(1 + down, rows - 1 + down), slice(1 + right, u.shape()[1] - 1 + right));
      };
      const auto mean = (inside(-1, 0) + inside(1, 0) + inside(0, -1) + inside(0, 1)) * T(0.25);
      const index_t inner = width - 2;
      const auto at = [&](index_t i) { return h.data() + (i / inner + 1) * width + i % inner + 1; };
      const auto is_mean = [&](index_t i) {
        return (*(at(i) - width) + *(at(i) + width) + *(at(i) - 1) + *(at(i) + 1)) * T(0.25);
      };
      std::tuple<array<T>, array<T>> step;
      const std::size_t kernels =
          kernels_of([&] { step = gnp::eval(mean, gnp::max(gnp::abs(mean - inside(0, 0)))); });
      CHECK(kernels <= (where.is_cpu() || inner < 256 || width * index_t{sizeof(T)} % 16 != 0 ? 100U : 1U));
      check(std::get<0>(step), {rows - 2, inner}, is_mean);
      T most = 0;
      index_t place = 0;
      for (index_t i = 0; i < (rows - 2) * inner; ++i) {
        most = std::max(most, std::abs(is_mean(i) - *at(i)));
        if (is_mean(i) > is_mean(place)) place = i;
      }
      CHECK(std::get<1>(step).item() == most);
      // With the place of the largest, a truth value, which is too small for pairs, and the sums of rows.
      const auto [where_it_is, twice, is_more, of_rows] =
          gnp::eval(gnp::argmax(mean), mean * T(2), mean > inside(0, 0), gnp::max(mean, 1));
      CHECK(where_it_is.item() == place);
      check(twice, {rows - 2, inner}, [&](index_t i) { return is_mean(i) * T(2); });
      check(is_more, {rows - 2, inner}, [&](index_t i) { return is_mean(i) > *at(i); });
      check(of_rows, {rows - 2}, [&](index_t r) {
        T largest = is_mean(r * inner);
        for (index_t c = 1; c < inner; ++c) largest = std::max(largest, is_mean(r * inner + c));
        return largest;
      });
    };
    for (const index_t width : {130, 260, 514, 517, 1028})
      if (width != 514 || !is_simulated(where)) check_steps(1.0F, width);
    check_steps(1.0, 260);
  });
}

TEST_CASE("several formulas: beside reductions that go another way") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::floor(numbers({30, 40}, 7)).astype<double>();
    const auto h = gnp::asnumpy(a);
    double total = 0;
    for (index_t i = 0; i < 1200; ++i) total += h[i];
    const auto twice = [&](index_t i) { return 2 * h[i]; };
    // Other shapes, views, positions, reductions along an axis, with an initial value, and of nothing.
    const auto [inside, whole] = gnp::eval(2 * a(slice(1, none), all), gnp::sum(a));
    check(inside, {29, 40}, [&](index_t i) { return twice(i + 40); });
    CHECK(whole.item() == total);
    const auto [doubled, of_rows] = gnp::eval(2 * a, gnp::sum(a, 1));
    check(doubled, {30, 40}, twice);
    CHECK(gnp::sum(of_rows).item() == total);
    const auto [again, more] = gnp::eval(2 * a, gnp::sum(a, {.initial = 5.0}));
    check(again, {30, 40}, twice);
    CHECK(more.item() == total + 5);
    const auto [counted, sum] = gnp::eval(gnp::arange<double>(1200).reshape({30, 40}) + a, gnp::sum(2 * a));
    check(counted, {30, 40}, [&](index_t i) { return static_cast<double>(i) + h[i]; });
    CHECK(sum.item() == 2 * total);
    const auto [turned, least] = gnp::eval(2 * a.T(), gnp::min(a));
    check(turned, {40, 30}, [&](index_t i) { return twice(i % 30 * 40 + i / 30); });
    CHECK(least.item() == gnp::asnumpy(gnp::sort(a.ravel()))[0]);
    const array<double> nothing = gnp::zeros({0, 3});
    const auto [still_nothing, zero] = gnp::eval(2 * nothing, gnp::sum(nothing));
    CHECK(still_nothing.shape() == gnp::shape_t{0, 3});
    CHECK(zero.item() == 0);
    // Wrong arguments are errors as in any other statement.
    CHECK_THROWS_AS(gnp::eval(2 * a, gnp::max(nothing)), std::exception);
  });
}
