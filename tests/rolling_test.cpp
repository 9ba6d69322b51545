// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Rolled arrays in expressions, against loops on the host: stencils on a torus, whatever stands beside what is
// rolled, in place, many shifts at once, layouts, types and corners.
#include <sstream>
#include <tuple>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::ellipsis;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::roll;
using gnp::shape_t;
using gnp::slice;

GNP_UFUNC(upwind, (left, here, right, speed), speed > 0 ? here - left : right - here)
GNP_UFUNC(both_ways, (x, y), results(x + 2 * y, x* y - 1))

/// Small whole numbers without a pattern: sums and products of a few of them are exact in every type.
template <class T>
host_array<T> host_numbers(const shape_t& shape, int seed = 1) {
  host_array<T> x(shape);
  for (index_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(static_cast<float>((i * i * 7 + i * 3 + seed * 5) % 11 % 6));
  return x;
}
template <class T>
array<T> numbers(const shape_t& shape, int seed = 1) {
  return gnp::asarray(host_numbers<T>(shape, seed));
}

/// What NumPy's roll gives, element by element.
template <class T>
host_array<T> rolled(const host_array<T>& x, const shape_t& shifts) {
  const shape_t& shape = x.shape();
  host_array<T> result(shape);
  for (index_t i = 0; i < x.size(); ++i) {
    index_t rest = i, from = 0, step = 1;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      const index_t n = shape[d];
      from += (((rest % n - shifts[d]) % n + n) % n) * step;
      rest /= n;
      step *= n;
    }
    result[i] = x[from];
  }
  return result;
}
template <class T>
host_array<T> rolled(const array<T>& x, const shape_t& shifts) {
  return rolled(gnp::asnumpy(x), shifts);
}

/// expected(i) is the i-th element in row-major order.
template <class T, class F>
void check(const array<T>& found, const shape_t& shape, const F& expected) {
  CHECK(found.shape() == shape);
  if (found.shape() != shape) return;
  const host_array<T> host = gnp::asnumpy(found);
  index_t wrong = 0;
  for (index_t i = 0; i < host.size(); ++i) wrong += host[i] == expected(i) ? 0 : 1;
  CHECK(wrong == 0);
}
template <class T>
void check(const array<T>& found, const host_array<T>& expected) {
  check(found, expected.shape(), [&](index_t i) { return expected[i]; });
}

/// The neighbours of each element of a matrix, on a torus.
template <class T>
struct neighbours {
  host_array<T> up, down, left, right, here;
  explicit neighbours(const array<T>& u)
      : up(rolled(u, {1, 0})),
        down(rolled(u, {-1, 0})),
        left(rolled(u, {0, 1})),
        right(rolled(u, {0, -1})),
        here(gnp::asnumpy(u)) {}
  T laplacian(index_t i) const { return static_cast<T>(up[i] + down[i] + left[i] + right[i] - T(4) * here[i]); }
};

template <class T>
auto laplacian(const array<T>& u) {
  return roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) - 4 * u;
}

template <class T>
void check_laplacian(const array<T>& u) {
  const neighbours<T> n(u);
  const auto expected = [&n](index_t i) { return n.laplacian(i); };
  const auto formula = laplacian(u);
  static_assert(!std::is_same_v<decltype(formula), const array<T>>);
  CHECK(formula.shape() == u.shape());
  check(array<T>(formula), u.shape(), expected);
  array<T> y = gnp::zeros<T>(u.shape());
  y(ellipsis) = formula;
  check(y, u.shape(), expected);
  u(ellipsis) = formula;
  check(u, u.shape(), expected);
}

/// Two formulas of two arrays and their neighbours.
template <class T>
auto reaction_step(const array<T>& u, const array<T>& v) {
  return std::tuple(laplacian(u) - v, 2 * v + roll(u, 2, 1) * roll(v, -1, 0));
}

template <class T>
void check_reaction_step(const array<T>& u, const array<T>& v) {
  const neighbours<T> of_u(u), of_v(v);
  const host_array<T> far = rolled(u, {0, 2});
  const auto next_u = [&](index_t i) { return static_cast<T>(of_u.laplacian(i) - of_v.here[i]); };
  const auto next_v = [&](index_t i) { return static_cast<T>(2 * of_v.here[i] + far[i] * of_v.down[i]); };
  const auto [a, b] = gnp::eval(reaction_step(u, v));
  check(a, u.shape(), next_u);
  check(b, u.shape(), next_v);
  // Into other arrays, one of them with gaps; then into what is read.
  const array<T> c = gnp::zeros<T>(u.shape());
  const array<T> d = gnp::zeros<T>({u.shape(0), 2 * u.shape(1)})(ellipsis, slice(none, none, 2));
  gnp::together(c, d) = reaction_step(u, v);
  check(c, u.shape(), next_u);
  check(d, u.shape(), next_v);
  // Into what is read, known by another name.
  const array<T> w = gnp::zeros<T>(u.shape());
  w(ellipsis) = u;
  gnp::together(gnp::from_pointer(w.data(), w.shape(), w.device()), d) = reaction_step(w, v);
  check(w, u.shape(), next_u);
  check(d, u.shape(), next_v);
  gnp::together(u, v) = reaction_step(u, v);
  check(u, u.shape(), next_u);
  check(v, v.shape(), next_v);
}

}  // namespace

TEST_CASE("a periodic Laplacian of matrices of all shapes") {
  for_each_device([](gnp::device) {
    for (const shape_t& shape : {shape_t{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {2, 70}, {33, 70}, {70, 33}})
      check_laplacian(numbers<float>(shape));
    for (const shape_t& shape : {shape_t{0, 0}, {0, 3}, {3, 0}}) {
      array<float> u = gnp::empty<float>(shape);
      CHECK(array<float>(laplacian(u)).shape() == shape);
      u(ellipsis) = laplacian(u);
    }
  });
}

TEST_CASE("arrays that a GPU takes in boxes, and those that it takes whole") {
  for_each_device([](gnp::device where) {
    // Eight boxes and the middle, two million elements for each, and fewer.
    const index_t edge = where.is_cpu() ? 23 : 4400;
    check_laplacian(numbers<std::uint8_t>({edge, edge}));
    check_laplacian(numbers<std::uint8_t>({edge, is_simulated(where) ? edge / 4 : edge / 2}));
    const array<std::int16_t> x = numbers<std::int16_t>({edge * edge / 3});
    const host_array<std::int16_t> before = rolled(x, {1}), after = rolled(x, {-1});
    check(array<std::int16_t>(roll(x, 1) - roll(x, -1)), x.shape(),
          [&](index_t i) { return static_cast<std::int16_t>(before[i] - after[i]); });
  });
}

TEST_CASE("rolled arrays that a GPU takes in patches of several rows") {
  for_each_device([](gnp::device where) {
    const auto check_shape = [where]<class T>(T, shape_t shape) {
      INFO(to_string(shape) << " of " << sizeof(T) << " bytes");
      if (where.is_cpu()) shape[0] = 5;
      const array<T> u = numbers<T>(shape), w = numbers<T>(shape, 3);
      const host_array<T> hu = gnp::asnumpy(u), hw = gnp::asnumpy(w);
      const int down = shape.rank() - 2;
      const auto along = [&](int axis, index_t by) {
        shape_t shifts(shape.size(), 0);
        shifts[axis] = by;
        return rolled(hu, shifts);
      };
      const host_array<T> below = along(down, 1), above = along(down, -1), left = along(down + 1, 1),
                          far = along(0, 3);
      const auto is_step = [&](index_t i) {
        return 2 * hu[i] - hw[i] + below[i] + above[i] + left[i] - far[i];
      };
      const auto step =
          T(2) * u - w + roll(u, 1, down) + roll(u, -1, down) + roll(u, 1, down + 1) - roll(u, 3, 0);
      check(step.eval(), shape, is_step);
      const auto [first, second] = gnp::eval(step, roll(u, -1, down) * w);
      check(first, shape, is_step);
      check(second, shape, [&](index_t i) { return above[i] * hw[i]; });
    };
    check_shape(1.0F, {1031, 2048});   // patches that reach beyond the last row
    check_shape(1.0F, {1150, 1900});   // and beyond the ends of rows
    check_shape(1.0, {3, 349, 1024});  // of several axes
    check_shape(std::int32_t{1}, {9, 253952});
  });
}

TEST_CASE("several formulas of rolled arrays at once") {
  for_each_device([](gnp::device where) {
    for (const shape_t& shape : {shape_t{1, 1}, {1, 7}, {7, 1}, {3, 5}, {33, 70}, {70, 33}, {0, 3}})
      check_reaction_step(numbers<float>(shape), numbers<float>(shape, 2));
    check_reaction_step(numbers<double>({9, 20}), numbers<double>({20, 9}, 2).transpose());
    check_reaction_step(numbers<std::uint8_t>({9, 20}), numbers<std::uint8_t>({9, 20}, 2));
    check_reaction_step(numbers<std::int64_t>({20, 9}),
                        numbers<std::int64_t>({20, 9}, 2)(slice(none, none, -1)));
    // Results of other types, one of them of what is not rolled; then of other shapes.
    const array<float> u = numbers<float>({12, 17});
    const neighbours<float> of_u(u);
    const auto [l, positive, twice] = gnp::eval(laplacian(u), roll(u, 1, 0) > 0.0F, 2.0F * u);
    check(l, u.shape(), [&](index_t i) { return of_u.laplacian(i); });
    check(positive, u.shape(), [&](index_t i) { return of_u.up[i] > 0.0F; });
    check(twice, u.shape(), [&](index_t i) { return 2.0F * of_u.here[i]; });
    const array<float> row = numbers<float>({17});
    const auto [sums, of_row] = gnp::eval(roll(u, 1, 0) + row, roll(row, 1) + 1.0F);
    check(sums, u.shape(), [&](index_t i) { return of_u.up[i] + row(i % 17).item(); });
    check(of_row, row.shape(), [&](index_t i) { return row((i + 16) % 17).item() + 1.0F; });
    // Large enough for three boxes.
    const array<std::int16_t> x = numbers<std::int16_t>({where.is_cpu() ? 1001 : 6300001});
    const host_array<std::int16_t> before = rolled(x, {1}), after = rolled(x, {-1});
    const auto [difference, sum] = gnp::eval(roll(x, 1) - roll(x, -1), roll(x, 1) + x);
    check(difference, x.shape(), [&](index_t i) { return static_cast<std::int16_t>(before[i] - after[i]); });
    check(sum, x.shape(),
          [&](index_t i) { return static_cast<std::int16_t>(before[i] + before[(i + 1) % before.size()]); });
  });
}

TEST_CASE("a periodic Laplacian of arrays in all layouts") {
  for_each_device([](gnp::device) {
    const array<float> u = numbers<float>({24, 40});
    check_laplacian(u.copy().T());
    check_laplacian(u.copy()(slice(none, none, 2), slice(1, none, 3)));
    check_laplacian(u.copy()(slice(none, none, -1), slice(none, none, -2)));
    check_laplacian(u.copy()(slice(1, -1), slice(3, -2)));
    check_laplacian(numbers<float>({5, 4, 6})(all, 1));
    check_laplacian(gnp::swapaxes(numbers<float>({5, 4, 6}), 0, 2)(all, 1));
    // A view that repeats its elements can be read alone.
    const array<float> row = gnp::broadcast_to(u(0), {5, 40});
    check(array<float>(laplacian(row)), row.shape(),
          [n = neighbours<float>(row)](index_t i) { return n.laplacian(i); });
    // Results lie as their inputs do.
    CHECK(roll(u.T(), 1, 0).eval().T().is_contiguous());
    CHECK(array<float>(roll(u.T(), 1, 0) + roll(u.T(), 1, 1)).T().is_contiguous());
    CHECK(array<float>(roll(u, 1, 0) - u).is_contiguous());
  });
}

TEMPLATE_TEST_CASE("a periodic Laplacian of all types", "", std::int8_t, std::uint8_t, std::int16_t, int,
                   std::uint64_t, gnp::half, gnp::bfloat16, double, gnp::complex64, gnp::complex128) {
  constexpr gnp::dtype type = gnp::dtype_of<TestType>;
  constexpr bool like_another = type == gnp::dtype::uint8 || type == gnp::dtype::int16 ||
                                type == gnp::dtype::int32 || type == gnp::dtype::bfloat16 ||
                                type == gnp::dtype::complex64;
  for_each_device([](gnp::device where) {
    if (!like_another || !is_simulated(where)) check_laplacian(numbers<TestType>({9, 21}));
  });
}

TEST_CASE("rolled truth values") {
  for_each_device([](gnp::device) {
    const array<bool> a = numbers<int>({6, 11}) > 2;
    const host_array<bool> h = gnp::asnumpy(a);
    const host_array<bool> up = rolled(h, {1, 0});
    const host_array<bool> right = rolled(h, {0, -2});
    check(array<bool>((roll(a, 1, 0) || roll(a, -2, 1)) && !a), a.shape(),
          [&](index_t i) { return (up[i] || right[i]) && !h[i]; });
    check(array<bool>(roll(a, 1, 0)), up);
  });
}

TEST_CASE("roll by any shifts along any axes") {
  for_each_device([](gnp::device) {
    const array<int> v = numbers<int>({17});
    for (const index_t s : {0, 1, -1, 5, 16, 17, -17, 18, -40, 1000}) {
      check(array<int>(roll(v, s)), rolled(v, {s}));
      check(array<int>(roll(v, s, 0)), rolled(v, {s}));
      const host_array<int> there = rolled(v, {s}), back = rolled(v, {-s});
      check(array<int>(roll(v, s) - 2 * v + roll(v, -s)), v.shape(),
            [&](index_t i) { return there[i] - 2 * gnp::asnumpy(v)[i] + back[i]; });
    }
    const array<int> x = numbers<int>({4, 5, 6});
    check(array<int>(roll(x, {1, -2}, {0, 2})), rolled(x, {1, 0, -2}));
    check(array<int>(roll(x, 3, {0, 1, -1})), rolled(x, {3, 3, 3}));
    check(array<int>(roll(x, {1, 2, 9}, 1)), rolled(x, {0, 12, 0}));
    check(array<int>(roll(x, 1, gnp::axes_t(shape_t{}))), gnp::asnumpy(x));
    // Without axes the elements are rolled as one row.
    const host_array<int> flat = rolled(array<int>(x.ravel()), {7});
    check(array<int>(roll(x, 7)), x.shape(), [&](index_t i) { return flat[i]; });
    check(array<int>(roll(x.T(), 7)), x.T().shape(),
          [f = rolled(array<int>(x.T().ravel()), {7})](index_t i) { return f[i]; });
    check(array<int>(roll(x, 7) + roll(x, 1, 1)), x.shape(),
          [&, one = rolled(x, {0, 1, 0})](index_t i) { return flat[i] + one[i]; });
    // Of what is rolled the shifts are added.
    check(array<int>(roll(roll(x, 1, 0), {2, -1}, {0, 1})), rolled(x, {3, -1, 0}));
    check(array<int>(roll(roll(v, 3), -3)), gnp::asnumpy(v));
    check(array<int>(roll(roll(x, 7), 2, 2)), rolled(gnp::asnumpy(roll(x, 7)), {0, 0, 2}));
    // No dimensions, no elements.
    CHECK(roll(gnp::full<int>({}, 3), 5).item() == 3);
    CHECK(array<float>(roll(gnp::empty<float>({0}), 3)).shape() == shape_t{0});
    CHECK(array<float>(roll(gnp::empty<float>({2, 0}), 3)).shape() == shape_t{2, 0});
    CHECK(array<float>(roll(gnp::empty<float>({2, 0}), 3, 0)).shape() == shape_t{2, 0});
    CHECK_THROWS_WITH(roll(x, 1, 3), contains("roll: axis 3 is out of bounds"));
    CHECK_THROWS_AS(roll(gnp::full<int>({}, 3), 1, 0), gnp::index_error);
    CHECK_THROWS_WITH(roll(x, {1, 2}, {0, 1, 2}),
                      contains("roll: shifts (1, 2) and axes (0, 1, 2) must be as many"));
    CHECK_THROWS_WITH(roll(v, 1) + roll(numbers<int>({16}), 1),
                      contains("add: operands could not be broadcast"));
  });
}

TEST_CASE("stencils of one and of three dimensions, and with many shifts") {
  for_each_device([](gnp::device where) {
    const array<double> v = numbers<double>({1000});
    const host_array<double> l2 = rolled(v, {2}), l1 = rolled(v, {1}), r1 = rolled(v, {-1}),
                             r2 = rolled(v, {-2});
    check(array<double>((roll(v, 2) - 8 * roll(v, 1) + 8 * roll(v, -1) - roll(v, -2)) / 4), v.shape(),
          [&](index_t i) { return (l2[i] - 8 * l1[i] + 8 * r1[i] - r2[i]) / 4; });

    // Up to 125 boxes, more than there may be, and rolls that leave nothing of the middle.
    const array<int> x = numbers<int>({9, 8, 11});
    const auto star = [&x](int reach) {
      host_array<int> sum = gnp::asnumpy(x);
      for (int d = 0; d < 3; ++d) {
        for (int s = -reach; s <= reach; ++s) {
          shape_t shift(3, 0);
          shift[d] = s;
          const host_array<int> part = rolled(x, shift);
          for (index_t i = 0; i < sum.size(); ++i) sum[i] += s == 0 ? 0 : s * part[i];
        }
      }
      return sum;
    };
    const auto along = [&x](int axis, auto... s) { return ((int{s} * roll(x, s, axis)) + ...); };
    check(array<int>(x + along(0, 1, -1) + along(1, 1, -1) + along(2, 1, -1)), star(1));
    check(array<int>(x + along(0, 1, -1, 2, -2) + along(1, 1, -1, 2, -2) + along(2, 1, -1, 2, -2)), star(2));
    const auto far =
        x + along(0, 1, -1, 2, -2, 3, -3) + along(1, 1, -1, 2, -2, 3, -3) + along(2, 1, -1, 2, -2, 3, -3);
    CHECK_THAT(gnp::explain(far), contains(where.is_cpu() ? "rolls int32 (9, 8, 11)" : "1 kernel\n"));
    check(array<int>(far), star(3));
    const array<int> same = x.copy();
    x(ellipsis) = far;
    const array<int> in_place = x.copy();
    x(ellipsis) = same;
    check(in_place, star(3));

    // Many shifts beside what is not rolled, of other types and layouts.
    const array<float> a = numbers<float>({20, 40})(all, slice(none, none, -2)).T();
    const array<std::int16_t> b = numbers<std::int16_t>({20, 20}, 2);
    host_array<double> sum({20, 20});
    for (index_t i = 0; i < sum.size(); ++i) sum[i] = gnp::asnumpy(a)[i] * 2 + static_cast<double>(i / 20);
    for (const index_t s : {3, 5, 7, 9, 11, 13}) {
      const host_array<float> of_a = rolled(a, {s, -s});
      const host_array<std::int16_t> of_b = rolled(b, {s - 1, 1 - s});
      for (index_t i = 0; i < sum.size(); ++i) sum[i] += of_a[i] * of_b[i];
    }
    const auto part = [&](index_t s) { return roll(a, {s, -s}, {0, 1}) * roll(b, {s - 1, 1 - s}, {0, 1}); };
    check(array<double>(a * 2 + gnp::arange<double>(20)(all, newaxis) + part(3) + part(5) + part(7) + part(9) +
                        part(11) + part(13)),
          sum);

    // One array, along so many axes that its boxes are many.
    const array<std::uint8_t> deep = numbers<std::uint8_t>(shape_t(9, 2));
    check(array<std::uint8_t>(roll(deep, shape_t(9, 1), shape_t{0, 1, 2, 3, 4, 5, 6, 7, 8})),
          rolled(deep, shape_t(9, 1)));
  });
}

TEST_CASE("what may stand beside rolled arrays") {
  for_each_device([](gnp::device) {
    const index_t rows = 13, columns = 18;
    const array<float> u = numbers<float>({rows, columns}), w = numbers<float>({rows, columns}, 2);
    const array<float> row = numbers<float>({columns}, 3), column = numbers<float>({rows, 1}, 4);
    const host_array<float> up = rolled(u, {1, 0}), left = rolled(u, {0, 1}), hu = gnp::asnumpy(u),
                            hw = gnp::asnumpy(w);
    const shape_t& shape = u.shape();
    const auto at_column = [=](index_t i) { return i % columns; };
    const auto at_row = [=](index_t i) { return i / columns; };

    // Numbers, other arrays, views, formulas.
    check(array<float>(2 * roll(u, 1, 0) - 1), shape, [&](index_t i) { return 2 * up[i] - 1; });
    check(array<float>(w - roll(u, 1, 0) * (w + 1)), shape,
          [&](index_t i) { return hw[i] - up[i] * (hw[i] + 1); });
    check(array<float>(-roll(u, 1, 0) + sqrt(square(w))), shape, [&](index_t i) { return -up[i] + hw[i]; });
    // Broadcast, rolled or not.
    const host_array<float> row_left = rolled(row, {2}), column_up = rolled(column, {1, 0});
    check(array<float>(roll(row, 2) + w), shape, [&](index_t i) { return row_left[at_column(i)] + hw[i]; });
    check(array<float>(roll(row, 2) * roll(column, 1, 0) - roll(u, 1, 1) + row), shape, [&](index_t i) {
      return row_left[at_column(i)] * column_up[at_row(i)] - left[i] + gnp::asnumpy(row)[at_column(i)];
    });
    check(array<float>(roll(column, 5, 1) + roll(u, 1, 0)), shape,
          [&](index_t i) { return gnp::asnumpy(column)[at_row(i)] + up[i]; });
    check(array<float>(roll(u, 1, 0) + numbers<float>({3, 1, 1})), {3, rows, columns},
          [&](index_t i) { return up[i % up.size()] + host_numbers<float>({3})[i / up.size()]; });
    // Positions.
    check(array<double>(roll(u, 1, 0) + gnp::arange<double>(columns)), shape,
          [&](index_t i) { return up[i] + static_cast<double>(at_column(i)); });
    check(
        array<double>(roll(u, 1, 0) * gnp::eye(rows, columns) + gnp::arange(rows)(all, newaxis)), shape,
        [&](index_t i) { return (at_row(i) == at_column(i) ? up[i] : 0.0) + static_cast<double>(at_row(i)); });
    // What an index reads.
    const array<int> places = numbers<int>({rows, columns}, 7);
    check(array<float>(roll(u, 1, 1) + row(places)), shape,
          [&](index_t i) { return left[i] + gnp::asnumpy(row)[gnp::asnumpy(places)[i]]; });
    check(array<float>(roll(u, 1, 1) + u(places(all, 0))), shape,
          [&](index_t i) { return left[i] + hu(gnp::asnumpy(places)(at_row(i), 0), at_column(i)); });
    CHECK_THROWS_AS(array<float>(roll(u, 1, 1) + row(places + 100)).get(), gnp::index_error);
    // What is computed first.
    float total = 0;
    for (index_t i = 0; i < hu.size(); ++i) total += hu[i];
    check(array<float>(roll(u, 1, 0) - u.sum()), shape, [&](index_t i) { return up[i] - total; });
    check(array<float>(roll(u, 1, 0) * (1 + gnp::max(u, 1, {.keepdims = true}))), shape, [&](index_t i) {
      float most = 0;
      for (index_t k = 0; k < columns; ++k) most = std::max(most, hu(at_row(i), k));
      return up[i] * (1 + most);
    });
    const array<float> square_of_u = matmul(u, w.T());  // of small whole numbers: exact
    const host_array<float> product = gnp::asnumpy(square_of_u);
    const array<float> z = numbers<float>({rows, rows}, 5);
    const host_array<float> z_up = rolled(z, {1, 0});
    check(array<float>(roll(z, 1, 0) + matmul(u, w.T())), z.shape(),
          [&](index_t i) { return z_up[i] + product[i]; });
    check(array<float>(2 * matmul(u, w.T()) - roll(z, 1, 0)), z.shape(),
          [&](index_t i) { return 2 * product[i] - z_up[i]; });
    const host_array<float> product_up = rolled(product, {1, 0});
    check(array<float>(roll(matmul(u, w.T()), 1, 0) + z), z.shape(),
          [&](index_t i) { return product_up[i] + gnp::asnumpy(z)[i]; });
    const array<float> some = u(u > 1);
    const host_array<float> some_left = rolled(some, {1});
    check(array<float>(roll(u(u > 1), 1) - u(u > 1)), some.shape(),
          [&](index_t i) { return some_left[i] - gnp::asnumpy(some)[i]; });
    // What is rolled may be a formula, with rolled arrays in it, or a reduction.
    const host_array<float> formula = rolled(array<float>(u * w + 1), {0, -1});
    check(array<float>(roll(u * w + 1, -1, 1) - u), shape, [&](index_t i) { return formula[i] - hu[i]; });
    const host_array<double> counted = rolled(array<double>(u + gnp::arange<double>(columns)), {2, 5});
    check(array<double>(roll(u + gnp::arange<double>(columns), {2, 5}, {0, 1}) * w), shape,
          [&](index_t i) { return counted[i] * hw[i]; });
    check(array<float>(roll(row(places), 2, 0)), rolled(array<float>(row(places)), {2, 0}));
    check(array<float>(roll(roll(u * w, 2, 0), -1, 1) - w), shape,
          [&, f = rolled(array<float>(u * w), {2, -1})](index_t i) { return f[i] - hw[i]; });
    check(array<float>(roll(roll(u, 1, 0) + w, 1, 1)), rolled(array<float>(roll(u, 1, 0) + w), {0, 1}));
    check(array<float>(roll(gnp::sum(u, 0), 1)), rolled(array<float>(gnp::sum(u, 0)), {1}));
    // Rolled twice in one expression, and expressions that are kept.
    const auto change = roll(u, 1, 0) - u;
    const auto twice = change * change + roll(u, 1, 0);
    check(array<float>(twice), shape, [&](index_t i) { return (up[i] - hu[i]) * (up[i] - hu[i]) + up[i]; });
  });
}

TEST_CASE("every ufunc takes rolled arrays") {
  for_each_device([](gnp::device) {
    const array<float> u = numbers<float>({11, 14});
    const host_array<float> left = rolled(u, {0, 1}), right = rolled(u, {0, -1}), up = rolled(u, {1, 0}),
                            here = gnp::asnumpy(u);
    const shape_t& shape = u.shape();
    const array<float> speed = numbers<float>({14}, 2) - 2;
    check(array<float>(upwind(roll(u, 1, 1), u, roll(u, -1, 1), speed)), shape,
          [&](index_t i) { return gnp::asnumpy(speed)[i % 14] > 0 ? here[i] - left[i] : right[i] - here[i]; });
    const auto [sum, product] = both_ways(roll(u, 1, 1), u);
    check(array<float>(sum), shape, [&](index_t i) { return left[i] + 2 * here[i]; });
    check(array<float>(product), shape, [&](index_t i) { return left[i] * here[i] - 1; });
    check(array<float>(where(roll(u, 1, 0) > u, roll(u, 1, 1), -1)), shape,
          [&](index_t i) { return up[i] > here[i] ? left[i] : -1; });
    check(array<float>(gnp::clip(roll(u, 1, 1), 1, roll(u, -1, 1) + 1)), shape,
          [&](index_t i) { return std::min(std::max(left[i], 1.0F), right[i] + 1); });
    check(array<float>(roll(u, 1, 1).clip(1, none)), shape, [&](index_t i) { return std::max(left[i], 1.0F); });
    check(array<int>(roll(u, 1, 1).astype<int>() % 3), shape,
          [&](index_t i) { return static_cast<int>(left[i]) % 3; });
    check(array<bool>(roll(u, 1, 1) == roll(u, 1, 0)), shape, [&](index_t i) { return left[i] == up[i]; });
    check(array<gnp::complex64>(roll(u, 1, 1) * gnp::complex64(0, 1)), shape,
          [&](index_t i) { return gnp::complex64(0, left[i]); });
    check(array<float>(gnp::ufuncs::subtract(roll(u, 1, 1), u)), shape,
          [&](index_t i) { return left[i] - here[i]; });
    check(array<float>(maximum(roll(u, 1, 1), u)), shape,
          [&](index_t i) { return std::max(left[i], here[i]); });
  });
}

TEST_CASE("rolled arrays into memory that they are made of") {
  for_each_device([](gnp::device) {
    const auto fresh = [] { return numbers<float>({12, 15}); };
    const host_array<float> h = gnp::asnumpy(fresh()), up = rolled(h, {1, 0}), left = rolled(h, {0, 1});
    const shape_t& shape = h.shape();
    array<float> u = fresh();
    u(ellipsis) = roll(u, 1, 0);
    check(u, up);
    u = fresh();
    u += roll(u, 1, 0);
    check(u, shape, [&](index_t i) { return h[i] + up[i]; });
    u = fresh();
    u -= 2 * roll(u, 1, 0) - roll(u, 1, 1);
    check(u, shape, [&](index_t i) { return h[i] - (2 * up[i] - left[i]); });
    u = fresh();
    u = u + roll(u, 1, 0);
    check(u, shape, [&](index_t i) { return h[i] + up[i]; });
    // Of two arrays, of which the one that is written is not rolled.
    const array<float> y = fresh() * 3;
    y(ellipsis) = y - roll(fresh(), 1, 0);
    check(y, shape, [&](index_t i) { return 3 * h[i] - up[i]; });
    // Views of the destination that lie elsewhere in it.
    u = fresh();
    u(slice(none, -1)) = roll(u(slice(1, none)), 1, 1) + u(slice(none, -1));
    check(u, shape, [&](index_t i) { return i / 15 < 11 ? left[i + 15] + h[i] : h[i]; });
    u = numbers<float>({12, 12});
    const host_array<float> turned = rolled(array<float>(u.T()), {0, 2}), as_was = gnp::asnumpy(u);
    u(ellipsis) = roll(u.T(), 2, 1) + u;
    check(u, u.shape(), [&](index_t i) { return turned[i] + as_was[i]; });
    // Two halves of one block of memory overlap nowhere.
    const array<float> both = numbers<float>({2, 12, 15});
    const host_array<float> first = rolled(array<float>(both(0)), {-1, 0});
    both(1) = roll(both(0), -1, 0) - both(1);
    check(array<float>(both(1)), shape,
          [&](index_t i) { return first[i] - host_numbers<float>({2, 12, 15})[i + 180]; });
    // Larger and other destinations: broadcast, converted, a column of something.
    array<double> many = gnp::zeros<double>({3, 12, 15});
    many(ellipsis) = roll(both(0), 1, 0) * 2;
    check(many, many.shape(),
          [f = rolled(array<float>(both(0)), {1, 0})](index_t i) { return 2.0 * f[i % 180]; });
    u = fresh();
    u(ellipsis) = roll(u.astype<double>(), 1, 0);
    check(u, up);
    u = fresh();
    u(all, 3) = roll(u(all, 3), 4) + 1;
    check(array<float>(u(all, 3)), rolled(array<float>(fresh()(all, 3) + 1), {4}));
    u = fresh();
    u(u > 1) = 0 * roll(u, 1, 0)(u > 1);
    check(u, shape, [&](index_t i) { return h[i] > 1 ? 0 : h[i]; });
    CHECK_THROWS_AS(u(ellipsis) = roll(gnp::zeros<float>({13, 15}), 1, 0), gnp::shape_error);
    CHECK_THROWS_AS(gnp::broadcast_to(u, {2, 12, 15})(ellipsis) = roll(u, 1, 0), gnp::shape_error);
    // A result is memory of its own.
    array<float> same = roll(u, 0, 0);
    same += 1;
    CHECK(gnp::array_equal(same, u + 1));
    array<float> flat = roll(u, 12 * 15);
    flat += 1;
    CHECK(gnp::array_equal(flat, u + 1));
  });
}

TEST_CASE("rolled arrays are computed when they are used") {
  for_each_device([](gnp::device) {
    array<float> u = numbers<float>({6, 9});
    const auto kept = roll(u, 1, 0);
    const auto sum = kept + u;
    u += 1;
    const host_array<float> up = rolled(u, {1, 0}), here = gnp::asnumpy(u);
    check(array<float>(kept), up);
    check(array<float>(sum), u.shape(), [&](index_t i) { return up[i] + here[i]; });
    auto moved = kept;
    const auto taken = std::move(moved);
    check(array<float>(taken), up);
    CHECK(moved.eval().size() == 0);  // NOLINT(bugprone-use-after-move)
    auto other = sum;
    const auto sum_taken = std::move(other);
    check(array<float>(sum_taken), u.shape(), [&](index_t i) { return up[i] + here[i]; });
    CHECK(other.eval().size() == 0);  // NOLINT(bugprone-use-after-move)

    // Members and functions of arrays.
    CHECK(kept.ndim() == 2);
    CHECK(kept.device() == u.device());
    CHECK(kept.shape(1) == 9);
    check(array<float>(kept(1)), shape_t{9}, [&](index_t i) { return up[9 + i]; });
    check(array<float>(sum(slice(1, 3), -1)), shape_t{2},
          [&](index_t i) { return up[9 * (i + 1) + 8] + here[9 * (i + 1) + 8]; });
    CHECK(kept.item(2, 3) == up(2, 3));
    CHECK(static_cast<float>(kept(2, 3)) == up(2, 3));
    CHECK(gnp::asnumpy(kept)(5, 8) == up(5, 8));
    check(kept.copy(), up);
    check(array<float>(kept.T()), shape_t{9, 6}, [&](index_t i) { return up(i % 6, i / 6); });
    check(array<float>(kept.reshape(54)), shape_t{54}, [&](index_t i) { return up[i]; });
    float total = 0, squares = 0;
    for (index_t i = 0; i < up.size(); ++i) {
      total += up[i];
      squares += up[i] * here[i];
    }
    CHECK(gnp::sum(kept) == total);
    CHECK(gnp::sum(roll(u, 1, 0) * u) == squares);
    CHECK((roll(u, 1, 0) * u).sum() == squares);
    CHECK((kept - u).sum() == 0);
    check(array<float>(gnp::concatenate({roll(u, 1, 0), roll(u, 1, 0)})), shape_t{12, 9},
          [&](index_t i) { return up[i % 54]; });
    CHECK(gnp::array_equal(kept, kept.eval()));
    index_t row = 0;
    for (const auto line : kept) CHECK(line.item(4) == up(row++, 4));
    std::ostringstream text, same;
    text << kept;
    same << kept.eval();
    CHECK(text.str() == same.str());

    const auto [a, b] = gnp::eval(kept, sum);
    check(a, up);
    check(b, u.shape(), [&](index_t i) { return up[i] + here[i]; });
    array<float> p = gnp::zeros<float>({6, 9}), q = u.copy();
    gnp::together(p, q) = std::tuple(roll(q, 1, 0), q + roll(q, 1, 0));
    check(p, up);
    check(q, u.shape(), [&](index_t i) { return up[i] + here[i]; });
    const auto next = gnp::jit([](const array<float>& x) { return array<float>(roll(x, 1, 0) + x); });
    if (u.device().is_cpu()) check(next(u), u.shape(), [&](index_t i) { return up[i] + here[i]; });
  });
}

TEST_CASE("each use of what is rolled is an array of its own") {
  for_each_device([](gnp::device) {
    const array<int> u = numbers<int>({3, 4});
    const auto check_uses = [](const auto& r) {
      const host_array<int> before = gnp::asnumpy(r);
      array<int> x = r;
      x(ellipsis) = -1;
      r.eval() += 5;
      check(array<int>(r), before);
      check(array<int>(r + 0), before);
    };
    check_uses(roll(u, 1, 0));
    check_uses(roll(u, 5));
    check_uses(roll(u + 0, 1, 1));
    check_uses(roll(roll(u, 5), 1, 1));
    check_uses(roll(u + 0, 0));
  });
}

TEST_CASE("what is rolled is read where it lies") {
  const gnp::use_device guard(gnp::device::cpu());
  const array<float> u = numbers<float>({8, 8});
  CHECK(gnp::explain(laplacian(u)) ==
        "9 loops\n  loops 1 to 9: each element of (8, 8), in boxes between the places where what is rolled "
        "wraps around\n    reads float32 (8, 8)\n    writes float32 (8, 8)\n");
  CHECK(gnp::explain(roll(u, 0, 0)) ==
        "1 loop\n  loop 1: each element of (8, 8)\n    reads float32 (8, 8)\n    writes float32 (8, 8)\n");
  CHECK(gnp::explain(roll(u, 3)).find("loops 1 to 2: each element of (64,)") != std::string::npos);
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device on_gpu(gnp::device::cuda(0));
  CHECK(gnp::explain(laplacian(numbers<float>({8, 8}))) ==
        "1 kernel\n  kernel 1: each element of (8, 8)\n    reads float32 (8, 8)\n    writes float32 (8, 8)\n");
  CHECK(gnp::explain(laplacian(gnp::empty<float>({4400, 4400}))).find("1 kernel\n") == 0);
  CHECK(gnp::explain(laplacian(gnp::empty<float>({4400, 4401}))).find("9 kernels") == 0);
  CHECK(gnp::explain(laplacian(gnp::empty<std::uint8_t>({4400, 4400}))).find("9 kernels") == 0);
}

/// Rows of whole vectors, of a part of one, and of one element more, in every layout that a kernel may find.
template <class T>
void check_rows_of(index_t width) {
  const array<T> u = numbers<T>({6, width}), wide = numbers<T>({6, width + 3}),
                 pairs = numbers<T>({6, 2 * width});
  const array<T> row = numbers<T>({width});
  const auto differs = [&row](const array<T>& x, index_t down, index_t right) {
    const host_array<T> moved = rolled(x, {down, right}), here = gnp::asnumpy(x), along = rolled(row, {right});
    check(array<T>(roll(x, {down, right}, {0, 1}) + x * roll(row, right, 0)), x.shape(),
          [&](index_t i) { return static_cast<T>(moved[i] + here[i] * along[i % row.size()]); });
  };
  for (const index_t right : {index_t{1}, index_t{-1}, index_t{4}, index_t{-7}, width / 2}) {
    differs(u, 1, right);
    differs(u, 0, right);
    differs(wide(all, slice(1, width + 1)), -2, right);
    differs(pairs(all, slice(none, none, 2)), 1, right);
    differs(u(slice(none, none, -1), slice(none, none, -1)), 1, right);
    differs(numbers<T>({width, 6}).T(), 1, right);
  }
  check_laplacian(u.copy());
  // Into memory that is walked backwards.
  const array<T> to = gnp::zeros<T>({6, width}), back = to(slice(none, none, -1), slice(none, none, -1));
  back(ellipsis) = roll(u, {2, 3}, {0, 1}) - u;
  const host_array<T> moved = rolled(u, {2, 3}), here = gnp::asnumpy(u);
  check(back, u.shape(), [&](index_t i) { return static_cast<T>(moved[i] - here[i]); });
}

TEST_CASE("rolled rows of any length, alignment and layout") {
  for_each_device([](gnp::device) {
    check_rows_of<float>(32), check_rows_of<float>(33), check_rows_of<float>(4);
    check_rows_of<double>(24), check_rows_of<std::uint8_t>(48), check_rows_of<gnp::half>(40);
    check_rows_of<std::int16_t>(12), check_rows_of<gnp::complex128>(16);
  });
}

template <class T>
void check_sums_of_rolled(const shape_t& shape) {
  const array<T> u = numbers<T>(shape), v = numbers<T>(shape, 3);
  const host_array<T> left = rolled(u, {0, 1}), up = rolled(u, {-2, 0}), other = gnp::asnumpy(v);
  const index_t rows = shape[0], columns = shape[1];
  std::vector<double> of_rows(static_cast<std::size_t>(rows)), of_columns(static_cast<std::size_t>(columns));
  double total = 0, largest = -1e9;
  index_t at = 0;
  for (index_t i = 0; i < u.size(); ++i) {
    const auto x = static_cast<double>(static_cast<T>(left[i] * other[i] + up[i]));
    of_rows[static_cast<std::size_t>(i / columns)] += x;
    of_columns[static_cast<std::size_t>(i % columns)] += x;
    total += x;
    if (x > largest) largest = x, at = i;
  }
  const auto formula = roll(u, 1, 1) * v + roll(u, -2, 0);
  using sum_t = typename decltype(gnp::sum(u))::value_type;
  const auto matches = [](const std::vector<double>& expected) {
    return [&expected](index_t i) { return static_cast<sum_t>(expected[static_cast<std::size_t>(i)]); };
  };
  CHECK(static_cast<double>(gnp::sum(formula).item()) == total);
  CHECK(static_cast<double>(formula.max().item()) == largest);
  CHECK(gnp::argmax(formula).item() == at);
  check(array<sum_t>(gnp::sum(formula, 1)), {rows}, matches(of_rows));
  check(array<sum_t>(gnp::sum(formula, 0, {.keepdims = true})), {1, columns}, matches(of_columns));
  CHECK(gnp::any(formula == static_cast<T>(largest)).item());
  CHECK(!gnp::all(formula == static_cast<T>(largest)).item());
  CHECK(gnp::count_nonzero(formula == static_cast<T>(largest)).item() > 0);
}

TEST_CASE("reductions of rolled formulas") {
  for_each_device([](gnp::device) {
    check_sums_of_rolled<float>({12, 40}), check_sums_of_rolled<float>({11, 37});
    check_sums_of_rolled<double>({300, 16}), check_sums_of_rolled<int>({4, 1000});
    check_sums_of_rolled<std::uint8_t>({20, 64}), check_sums_of_rolled<std::int16_t>({9, 24});

    // Var and mean, of a formula whose elements are 0, 1 and -1 in equal parts.
    const array<float> steps = (gnp::arange(0, 96) % 3).astype<float>();
    CHECK(gnp::var(roll(steps, 5) - 1).item() == 2.0F / 3);
    CHECK(gnp::mean(roll(steps, 5) * 2).item() == 2);
    CHECK(gnp::ptp(roll(steps, 5) - steps).item() == 3);

    // Three axes, two of them reduced, and operands that are broadcast.
    const array<int> x = numbers<int>({6, 5, 8}), plane = numbers<int>({5, 8});
    const host_array<int> moved = rolled(x, {1, -2, 3}), still = gnp::asnumpy(plane);
    std::vector<std::int64_t> sums(5);
    for (index_t i = 0; i < x.size(); ++i)
      sums[static_cast<std::size_t>(i / 8 % 5)] += moved[i] * still[i % 40];
    check(gnp::array<std::int64_t>(gnp::sum(roll(x, {1, -2, 3}, {0, 1, 2}) * plane, {0, 2})), {5},
          [&sums](index_t i) { return sums[static_cast<std::size_t>(i)]; });

    // An operand that is walked backwards.
    const array<int> line = numbers<int>({37});
    const host_array<int> host = gnp::asnumpy(line);
    std::int64_t product = 0;
    for (index_t i = 0; i < 37; ++i) product += host[(36 - (i + 35) % 37)] * host[i];
    CHECK(gnp::sum(roll(line(slice(none, none, -1)), 2) * line).item() == product);

    // What is reduced is reduced at once, as if it had been stored.
    const array<double> u = numbers<double>({30, 30});
    const double before = gnp::sum(gnp::asarray(gnp::asnumpy(u))).item();
    const auto sum = gnp::sum(roll(u, 1, 0));
    u.fill(0);
    CHECK(sum.item() == before);
    CHECK(gnp::sum(roll(u, 7) + 1).item() == 900);  // rolled as if flattened
    CHECK(gnp::sum(roll(u, 1, 0) + 1, {.initial = 5}).item() == 905);
    CHECK(array<double>(gnp::sqrt(gnp::mean(gnp::square(roll(u, 1, 1) + 2)))).item() == 2);

    const array<double> none_at_all = gnp::zeros<double>({0, 4});
    CHECK(gnp::sum(roll(none_at_all, 1, 1) + 1).item() == 0);
    check(array<double>(gnp::sum(roll(none_at_all, 1, 1), 0)), {4}, [](index_t) { return 0.0; });
    CHECK_THROWS_AS(gnp::max(roll(none_at_all, 1, 1) + 1), gnp::shape_error);
    CHECK_THROWS_AS(gnp::argmin(roll(none_at_all, 1, 1) + 1), gnp::shape_error);
    CHECK_THROWS_AS(gnp::sum(roll(u, 1, 0), 2), gnp::index_error);
  });
  if (!gnp::cuda_available()) return;
  const array<int> here = gnp::ones<int>({3, 4}).to(gnp::device::cpu());
  const array<int> there = here.to(gnp::device::cuda(0));
  CHECK_THROWS_AS(gnp::sum(roll(here, 1, 0) + there), gnp::device_error);
  CHECK_THROWS_AS(gnp::sum(there * roll(there, 1, 0) + here), gnp::device_error);
}

TEST_CASE("life on a torus") {
  for_each_device([](gnp::device) {
    const index_t rows = 21, columns = 34;
    array<std::uint8_t> cells = (numbers<int>({rows, columns}) > 2).astype<std::uint8_t>();
    host_array<std::uint8_t> host = gnp::asnumpy(cells);
    for (int generation = 0; generation < 5; ++generation) {
      const auto row = cells + roll(cells, 1, 1) + roll(cells, -1, 1);
      const auto near = row + roll(row, 1, 0) + roll(row, -1, 0);
      cells = ((near == 3) | ((near == 4) & (cells == 1))).astype<std::uint8_t>();
      host_array<std::uint8_t> next({rows, columns});
      for (index_t y = 0; y < rows; ++y) {
        for (index_t x = 0; x < columns; ++x) {
          int count = 0;
          for (index_t dy = -1; dy <= 1; ++dy)
            for (index_t dx = -1; dx <= 1; ++dx)
              count += host((y + dy + rows) % rows, (x + dx + columns) % columns);
          next(y, x) = count == 3 || (count == 4 && host(y, x) == 1) ? 1 : 0;
        }
      }
      host = next;
      check(cells, host);
    }
    CHECK(gnp::sum(cells) > 0);
  });
}

namespace {

/// What roll(f, shifts) is for a formula of a matrix, of a row and of a column.
struct rolled_formula_case {
  array<int> x = numbers<int>({7, 12}), row = numbers<int>({12}, 2), column = numbers<int>({7, 1}, 3);
  auto formula() const { return x * row + column - 3; }
  host_array<int> values() const {
    const auto a = gnp::asnumpy(x), b = gnp::asnumpy(row), c = gnp::asnumpy(column);
    host_array<int> result({7, 12});
    for (index_t i = 0; i < 84; ++i) result[i] = a[i] * b[i % 12] + c[i / 12] - 3;
    return result;
  }
};

}  // namespace

TEST_CASE("roll: a formula is rolled with its arrays") {
  for_each_device([](gnp::device) {
    const rolled_formula_case c;
    const auto f = c.formula();
    const host_array<int> values = c.values();
    check(array<int>(roll(f, 5, 1)), rolled(values, {0, 5}));
    check(array<int>(roll(f, {2, -3}, {0, 1})), rolled(values, {2, -3}));
    check(array<int>(roll(roll(f, 1, 0), 2, 1)), rolled(values, {1, 2}));
    const host_array<int> up = rolled(values, {-1, 0}), left = rolled(values, {0, -1}), x = gnp::asnumpy(c.x);
    check(array<int>(roll(f, -1, 0) * c.x - 2 * roll(f, -1, 1)), {7, 12},
          [&](index_t i) { return up[i] * x[i] - 2 * left[i]; });
    std::int64_t total = 0;
    for (index_t i = 0; i < 84; ++i) total += up[i] * x[i];
    CHECK(gnp::sum(roll(f, -1, 0) * c.x).item() == total);
    // Without an axis, as if it were flattened, though the row and the column are broadcast.
    const auto flat = [&](index_t i) { return values[(i + 84 - 10) % 84]; };
    check(array<int>(roll(f, 10)), {7, 12}, flat);
    check(array<int>(roll(f, 10) + c.x), {7, 12}, [&](index_t i) { return flat(i) + x[i]; });
    check(array<int>(roll(roll(f, 10), -1, 0)), {7, 12}, [&](index_t i) { return flat((i + 12) % 84); });
    // In place, where the formula reads what is written.
    array<int> u = c.x.copy();
    u(all) = u + roll(u * u, 1, 1);
    const host_array<int> right = rolled(x, {0, 1});
    check(u, {7, 12}, [&](index_t i) { return x[i] + right[i] * right[i]; });
    // What has positions or reductions in it is computed first.
    const host_array<int> counted = rolled(gnp::asnumpy((gnp::arange<int>(12) + c.x).eval()), {0, 1});
    check(array<int>(roll(gnp::arange<int>(12) + c.x, 1, 1)), counted);
    const host_array<int> centred =
        rolled(gnp::asnumpy((c.x - gnp::max(c.x, 1, {.keepdims = true})).eval()), {0, 1});
    check(array<int>(roll(c.x - gnp::max(c.x, 1, {.keepdims = true}), 1, 1)), centred);
  });
}

TEST_CASE("roll: formulas that read too many arrays together run first") {
  for_each_device([](gnp::device) {
    const rolled_formula_case c;
    const auto f = c.formula() + c.x * c.x - c.row;  // six arrays, eleven times
    const host_array<int> values = gnp::asnumpy(array<int>(f));
    const auto sum = roll(f, 1, 1) + roll(f, -1, 1) + roll(f, 1, 0) + roll(f, -1, 0) + roll(f, {1, 1}, {0, 1}) +
                     roll(f, {1, -1}, {0, 1}) + roll(f, {-1, 1}, {0, 1}) + roll(f, {-1, -1}, {0, 1}) +
                     roll(f, 2, 1) + roll(f, -2, 1) + roll(f, 2, 0);
    host_array<int> expected({7, 12});
    for (index_t i = 0; i < 84; ++i) expected[i] = 0;
    const shape_t all_shifts[] = {{0, 1},  {0, -1},  {1, 0}, {-1, 0}, {1, 1}, {1, -1},
                                  {-1, 1}, {-1, -1}, {0, 2}, {0, -2}, {2, 0}};
    for (const shape_t& shifts : all_shifts) {
      const host_array<int> part = rolled(values, shifts);
      for (index_t i = 0; i < 84; ++i) expected[i] += part[i];
    }
    check(array<int>(sum), expected);
  });
}
