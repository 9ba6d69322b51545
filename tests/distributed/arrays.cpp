// SPDX-License-Identifier: MIT
// Distributed arrays, beside what one process makes of the same elements. Each process runs all of this;
// check.sh starts 1 to 4 of them.  arrays [threads <count>]: by run(), in this process
#ifndef WITHOUT_MPI
#define GNP_MPI
#endif
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gnp/gnp.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks.hpp"

namespace {

namespace dist = gnp::distributed;
using gnp::index_t;
using gnp::none;
using gnp::shape_t;
using gnp::slice;

/// An array without a distributed type: what one process has.
template <class T>
using whole = gnp::array<T>;

std::vector<dist::layout> layouts() {
  return {dist::along(0), dist::along(1), dist::everywhere(), dist::grid()};
}

/// All elements of x are those of y, which one process made.
template <class X, class Y>
void check_same(const X& x, const Y& y, double tolerance = 0) {
  const auto found = x.gathered();
  const auto expected = gnp::array(y);
  static_assert(std::is_same_v<decltype(found), decltype(expected)>);
  CHECK(found.shape() == expected.shape());
  if (found.shape() != expected.shape()) return;
  CHECK(found.device() == x.device());
  if (tolerance == 0) {
    CHECK(bool(gnp::array_equal(found, expected, {.equal_nan = true})));
  } else {
    CHECK(bool(gnp::allclose(found, expected, {.rtol = tolerance, .atol = tolerance})));
  }
}

whole<double> numbers(std::uint64_t seed, const shape_t& shape) {
  return gnp::random::default_rng(seed).random(shape);
}

GNP_UFUNC(smooth, (x, y), (x - y) * (x - y) / (1 + x));

void elementwise_work_in_any_layout() {
  for_each_device([](gnp::device) {
    for (const shape_t& shape : {shape_t{13, 7}, shape_t{1, 3}, shape_t{2, 1}, shape_t{0, 4}}) {
      const whole<double> a = numbers(1, shape), row = numbers(2, {shape[1]});
      for (const dist::layout& how : layouts()) {
        const auto x = dist::asarray(a, {.layout = how});
        check_same(x, a);
        check_same(x * 2 + row, a * 2 + row);
        check_same(x - roll(a, 1, 0), a - roll(a, 1, 0));
        check_same(sin(x) * x + 1, sin(a) * a + 1, 1e-14);
        check_same(smooth(x, x + 1), smooth(a, a + 1), 1e-14);
        check_same(where(x > 0.5, x, -x), where(a > 0.5, a, -a));
        check_same(x.template astype<float>(), a.template astype<float>());
        check_same(-x, -a);
        for (const dist::layout& other : layouts()) {
          check_same(x.in_layout(other), a);
          check_same(x - dist::asarray(a, {.layout = other}) * 3, a - a * 3);
        }
        // Of fewer dimensions, cut along its own axis.
        check_same(x + dist::asarray(row), a + row);
        const whole<double> column = a(gnp::all, slice(0, 1)).copy();
        check_same(dist::asarray(column, {.layout = how}) + x, column + a);
      }
    }
  });
}

void views_are_read_and_written_through_with_neighbours_elements() {
  for_each_device([](gnp::device) {
    const whole<double> a = numbers(3, {13, 9});
    for (const dist::layout& how : layouts()) {
      const auto x = dist::asarray(a, {.layout = how});
      check_same(x(slice(1, none, 3), slice(none, none, -2)), a(slice(1, none, 3), slice(none, none, -2)));
      check_same(x(slice(-2, 1, -4)), a(slice(-2, 1, -4)));
      check_same(x(3), a(3));
      check_same(x(gnp::all, -2), a(gnp::all, -2));
      check_same(x(-1, 2), a(-1, 2));
      check_same(x(gnp::newaxis, gnp::ellipsis, 2), a(gnp::newaxis, gnp::ellipsis, 2));
      check_same(x(slice(5, 5)), a(slice(5, 5)));
      check_same(x(slice(2, 9))(slice(1, 5), slice(3, none)), a(slice(2, 9))(slice(1, 5), slice(3, none)));
      check_same(x.T(), a.T());
      check_same((x * 2).T(), (a * 2).T());
      check_same((x * 2)(slice(1, 4)), a(slice(1, 4)) * 2);
      check_same(x(gnp::newaxis).transpose({2, 0, -2}), a(gnp::newaxis).transpose({2, 0, 1}));
      check_same(x.transpose()(slice(1, 4)) * 2, a.T()(slice(1, 4)) * 2);

      const auto y = x.copy();
      whole<double> b = a.copy();
      const auto step = [](auto& u) {
        const auto up = u(slice(none, -2), slice(1, -1)), down = u(slice(2, none), slice(1, -1));
        const auto left = u(slice(1, -1), slice(none, -2)), right = u(slice(1, -1), slice(2, none));
        u(slice(1, -1), slice(1, -1)) += 0.2 * (up + down + left + right - 4 * u(slice(1, -1), slice(1, -1)));
        u(0) = u(1);
        u(gnp::all, -1) = u(gnp::all, -2);
      };
      for (int i = 0; i < 3; ++i) {
        step(y);
        step(b);
      }
      check_same(y, b, 1e-14);
      // As if the right side had been computed first.
      y(slice(none, none, -1)) = y * 2;
      b(slice(none, none, -1)) = b * 2;
      check_same(y, b, 1e-14);
      y(slice(2, none)) = y(slice(none, -2));
      b(slice(2, none)) = b(slice(none, -2));
      check_same(y, b, 1e-14);
      y(slice(1, 3)) *= 3;
      b(slice(1, 3)) *= 3;
      dist::array<double> named = y;
      named /= a(0);
      b /= a(0);
      check_same(y, b, 1e-14);
      y(2, slice(none, 4)) = 5;
      b(2, slice(none, 4)) = 5;
      y(gnp::all, 3) -= b(gnp::all, 0);
      b(gnp::all, 3) -= b(gnp::all, 0);
      check_same(y, b, 1e-14);
      y.fill(7);
      check_same(y, gnp::full({13, 9}, 7.0));
    }
  });
}

/// A process has elements of a row only if it has the row.
void parts_of_views_with_fewer_axes() {
  for_each_device([](gnp::device) {
    const whole<double> a = numbers(16, {4, 3});
    const auto x = dist::asarray(a);
    const bool is_here = dist::world().rank() == 0;
    const auto row = x(0);
    CHECK(row.local().shape() == shape_t{is_here ? 3 : 0});
    CHECK(row.begin() == shape_t{0});
    CHECK(row.end() == shape_t{is_here ? 3 : 0});
    row.local().fill(-1);
    a(0) = -1;
    check_same(x, a);
    if (is_here) {
      CHECK(x(0, 2).local().item() == -1);
    } else {
      CHECK_THROWS(gnp::distributed_error, "does not have the one element of this array", x(0, 2).local());
    }
    const auto one = dist::zeros({1, 1000});  // of which the other processes have no memory
    one(0).local().fill(1);
    check_same(one, gnp::ones({1, 1000}));
  });
}

void sources_of_assignments() {
  for_each_device([](gnp::device) {
    // Extra axes of length 1 are dropped, as in NumPy.
    const auto x = dist::zeros({3});
    x(gnp::all) = gnp::ones<double>({1, 3});
    check_same(x, gnp::ones(3));
    x(gnp::all) = dist::arange<double>(3)(gnp::newaxis, gnp::newaxis) * 2;
    check_same(x, gnp::arange<double>(3) * 2);
    CHECK_THROWS(gnp::shape_error, "from shape (1, 1, 4) into shape (3,)", x.assign(gnp::ones({1, 1, 4})));
    CHECK_THROWS(gnp::shape_error, "from shape (2, 3) into shape (3,)", x.assign(gnp::ones({2, 3})));

    // This process's elements, read by an array of gnp, are those from before the statement.
    const auto u = dist::asarray(gnp::arange<double>(12), {.layout = dist::everywhere()});
    const whole<double> before = u.local()(slice(none, -1));
    u(slice(1, none)) = before + dist::zeros({11});
    CHECK(bool(gnp::array_equal(u.local()(slice(1, none)), gnp::arange<double>(11))));
  });
}

void made_from_nothing() {
  for_each_device([](gnp::device d) {
    for (const index_t n : {0, 1, 5, 1003}) {
      check_same(dist::arange(n), gnp::arange(n));
      check_same(dist::arange<float>(n), gnp::arange<float>(n));
      check_same(dist::linspace(0.1, 3.3, n), gnp::linspace(0.1, 3.3, n));
      check_same(dist::zeros<int>({n, 3}), gnp::zeros<int>({n, 3}));
      check_same(dist::ones({3, n}, {.layout = dist::along(1)}), gnp::ones({3, n}));
    }
    check_same(dist::linspace<int>(-2.5, 2.5, 6), gnp::linspace<int>(-2.5, 2.5, 6));
    check_same(dist::linspace<int>(2.5, -2.5, 6), gnp::linspace<int>(2.5, -2.5, 6));
    check_same(dist::linspace<float>(0, 1e-323, 5), gnp::linspace<float>(0, 1e-323, 5));
    check_same(dist::linspace(0, 1e-323, 9), gnp::linspace(0, 1e-323, 9));
    const auto scalar = dist::full({}, 2.5F);
    CHECK(scalar.item() == 2.5F);
    CHECK(scalar.device() == d);
    const auto x = dist::arange(10);
    CHECK(x.local().shape() == shape_t{x.end()[0] - x.begin()[0]});
    CHECK(dist::asnumpy(x).data()[7] == 7);
  });
}

template <class TestType>
void reductions() {
  for_each_device([](gnp::device) {
    for (const shape_t& shape : {shape_t{13, 7}, shape_t{2, 5}}) {
      const whole<TestType> a =
          (numbers(4, shape) * 9 - 4).template astype<float>().template astype<TestType>();
      const double tolerance = gnp::dtype_of<TestType> == gnp::dtype::float16 ? 2e-3 : 1e-5;
      for (const dist::layout& how : layouts()) {
        const auto x = dist::asarray(a, {.layout = how});
        check_same(sum(x), sum(a), tolerance);
        check_same(sum(x, 0), sum(a, 0), tolerance);
        check_same(x.sum(1), a.sum(1), tolerance);
        check_same((x + x).max({.axis = 0, .keepdims = true}), (a + a).max({.axis = 0, .keepdims = true}));
        check_same(gnp::sum(x * x, {0, 1}), gnp::sum(a * a, {0, 1}), tolerance);
        check_same(sum(x, {.axis = 1, .keepdims = true}), sum(a, {.axis = 1, .keepdims = true}), tolerance);
        check_same(sum(x(slice(1, none)), 1), sum(a(slice(1, none)), 1), tolerance);
        check_same(mean(x, 0), mean(a, 0), tolerance);
        check_same(prod(x, 1), prod(a, 1), tolerance);
        check_same(prod(x, 0), prod(a, 0), tolerance);
        check_same(gnp::min(x, 0), gnp::min(a, 0));
        check_same(gnp::max(x), gnp::max(a));
        check_same(any(x == TestType(1), 1), any(a == TestType(1), 1));
        check_same(gnp::all(x == TestType(1), {.axis = 0}), gnp::all(a == TestType(1), {.axis = 0}));
        check_same(count_nonzero(x, 1), count_nonzero(a, 1));
        if constexpr (!gnp::scalar::is_complex_v<TestType>) {
          check_same(argmax(x), argmax(a));
          check_same(argmin(x), argmin(a));
          check_same(argmax(x, 0), argmax(a, 0));
          check_same(argmin(x, {.axis = 1, .keepdims = true}), argmin(a, {.axis = 1, .keepdims = true}));
          check_same(var(x, 0), var(a, 0), 5 * tolerance);
          check_same(gnp::std(x, {.ddof = 1}), gnp::std(a, {.ddof = 1}), 5 * tolerance);
        }
      }
    }
  });
}

void nan_infinities_and_empty_arrays_in_reductions() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const whole<double> a = gnp::asarray<double>({{1, nan, -inf}, {inf, 2, -inf}, {3, 4, -inf}});
  for (const dist::layout& how : layouts()) {
    const auto x = dist::asarray(a, {.layout = how});
    check_same(gnp::max(x, 0), gnp::max(a, 0));
    check_same(gnp::min(x, 1), gnp::min(a, 1));
    check_same(argmax(x), argmax(a));
    check_same(argmax(x, 0), argmax(a, 0));
    check_same(sum(x, 1), sum(a, 1));
    const auto empty = dist::zeros({0, 3}, {.layout = how});
    check_same(sum(empty, 0), gnp::zeros({3}));
    CHECK_THROWS(gnp::shape_error, "", gnp::max(empty, 0));
  }
  // Of two numbers and more processes: those without a part have no say.
  const whole<gnp::complex128> z = gnp::asarray({gnp::complex128(-inf, -5), gnp::complex128(-inf, -7)});
  const auto few = dist::asarray(z);
  check_same(gnp::max(few, 0), gnp::max(z, 0));
  check_same(gnp::min(-few, 0), gnp::min(-z, 0));
  check_same(argmax(few), argmax(z));
  check_same(argmin(-few, 0), argmin(-z, 0));
}

/// Nothing that has results lacks elements, though some processes lack rows.
void reductions_without_results() {
  const auto x = dist::zeros({3, 0});
  check_same(gnp::min(x, 0), gnp::zeros(0));
  check_same(gnp::max(x, {.axis = 0, .keepdims = true}), gnp::zeros({1, 0}));
  check_same(argmin(x, 0), gnp::zeros<index_t>(0));
  check_same(argmax(x, 0), gnp::zeros<index_t>(0));
}

/// Not on the default device, where they are elsewhere.
void results_are_beside_their_operands() {
  const gnp::device other = gnp::default_device();
  if (other.is_cpu()) return;
  const auto on_cpu = [] {
    const gnp::use_device guard(gnp::device::cpu());
    return dist::asarray(gnp::asarray<double>({{4, 1, 0}, {1, 3, 1}, {0, 1, 5}}));
  };
  const auto x = on_cpu();
  CHECK(gnp::sort(x(0)).gathered().device().is_cpu());
  CHECK(gnp::linalg::cholesky(x).gathered().device().is_cpu());
  CHECK(gnp::linalg::svd(x).s.gathered().device().is_cpu());
  CHECK(matmul(x(gnp::all, slice(0, 0)), x(slice(0, 0))).gathered().device().is_cpu());
  CHECK_THROWS(gnp::device_error, "add: arrays on different devices", x + dist::zeros({3, 3}));
}

void arrays_of_two_groups() {
  const dist::group other = *dist::world().split(0, -dist::world().rank());
  const auto x = dist::ones({4, 4}), y = dist::ones({4, 4}, {.among = other});
  CHECK_THROWS(gnp::distributed_error, "add: arrays of two groups of processes", x + y);
  CHECK_THROWS(gnp::distributed_error, "assign: arrays of two groups of processes", x.assign(y));
  CHECK_THROWS(gnp::distributed_error, "matmul: arrays of two groups of processes", matmul(x, y));
  CHECK_THROWS(gnp::distributed_error, "solve: arrays of two groups of processes", gnp::linalg::solve(x, y));
}

/// Also where processes let go of their arrays at different times.
void a_group_ends_with_its_last_array() {
  std::weak_ptr<dist::detail::engine> group_of_arrays;
  {
    const dist::group among = *dist::world().split(0);
    group_of_arrays = among.engine();
    const whole<double> a = numbers(15, {13, 7});
    std::optional<dist::array<double>> kept;
    for (int turn = 0; turn < 2; ++turn) {
      const auto x = dist::asarray(a, {.layout = dist::grid(), .among = among});
      check_same(gnp::max(x, 0), gnp::max(a, 0));
      if (among.rank() == 0) kept = x;
    }
    CHECK(!group_of_arrays.expired());
  }
  CHECK(group_of_arrays.expired());
}

template <class TestType>
void products() {
  for_each_device([](gnp::device) {
    const whole<TestType> a = (numbers(5, {13, 7}) * 9).template astype<TestType>();
    const whole<TestType> b = (numbers(6, {7, 5}) * 9).template astype<TestType>();
    const whole<TestType> v = (numbers(7, {7}) * 9).template astype<TestType>();
    for (const dist::layout& how : layouts()) {
      const auto x = dist::asarray(a, {.layout = how});
      for (const dist::layout& other : layouts()) {
        const auto y = dist::asarray(b, {.layout = other});
        check_same(matmul(x, y), matmul(a, b), 1e-5);
        check_same(matmul(y.transpose(), x.transpose()), matmul(b.T(), a.T()), 1e-5);
      }
      check_same(matmul(x.transpose(), x), matmul(a.T(), a), 1e-5);
      check_same(matmul(x, b), matmul(a, b), 1e-5);
      check_same(matmul(x, v), matmul(a, v), 1e-5);
      check_same(matmul(x(gnp::all, 1), x), matmul(a(gnp::all, 1), a), 1e-5);
      check_same(gnp::dot(x(gnp::all, 1), x(gnp::all, 2)), gnp::dot(a(gnp::all, 1), a(gnp::all, 2)), 1e-5);
    }
    CHECK_THROWS(gnp::shape_error, "", matmul(dist::asarray(a), a));
  });
}

/// The residual, orthogonality and NaN of tall matrices, of few to many rows for each process, of any
/// magnitude.
template <class T>
void svd_of_any_matrix(double accuracy) {
  using R = typename decltype(gnp::linalg::svd(whole<T>()).s)::value_type;
  const double far = std::is_same_v<R, float> ? 1e-36 : 1e-290;
  for (const gnp::index_t rows : {9, 40, 300}) {
    gnp::random::generator rng = gnp::random::default_rng(14);
    for (const double scale : {1.0, far, 1 / far}) {
      const whole<T> a = (rng.standard_normal({rows, 9}) * scale).template astype<T>();
      const auto [u, s, vh] = gnp::linalg::svd(dist::asarray(a));
      check_same(matmul(u * s / R(scale), vh), whole<T>(a / R(scale)), accuracy * 10);
      check_same(matmul(gnp::conj(u).T(), u), gnp::eye<T>(9), accuracy);
      check_same(s / R(scale), whole<R>(gnp::linalg::svd(a).s / R(scale)), accuracy * 10);
    }
  }
  const whole<T> low = gnp::outer(gnp::arange<R>(1, 60), gnp::ones<R>(5)).template astype<T>();
  const auto [u, s, vh] = gnp::linalg::svd(dist::asarray(low));
  check_same(matmul(u * s, vh), low, accuracy * 1000);
  check_same(matmul(gnp::conj(u).T(), u), gnp::eye<T>(5), accuracy);
  const auto nothing = gnp::linalg::svd(dist::asarray(gnp::zeros<T>({50, 3})));
  check_same(nothing.s, gnp::zeros<R>(3));
  check_same(matmul(gnp::conj(nothing.u).T(), nothing.u), gnp::eye<T>(3), accuracy);
  CHECK(gnp::linalg::svd(dist::asarray(gnp::zeros<T>({50, 0}))).s.shape() == gnp::shape_t{0});
  low(0, 0) = std::numeric_limits<R>::quiet_NaN();
  CHECK_THROWS(gnp::linalg_error, "infs or NaNs", gnp::linalg::svd(dist::asarray(low)));
}

void factorisations_residual_and_orthogonality() {
  for_each_device([](gnp::device) {
    const whole<double> a = gnp::random::default_rng(8).standard_normal({29, 7});
    for (const dist::layout& how : layouts()) {
      const auto x = dist::asarray(a, {.layout = how});
      const auto [q, r] = gnp::linalg::qr(x);
      check_same(matmul(q, r), a, 1e-12);
      check_same(matmul(q.transpose(), q), gnp::eye(7), 1e-12);
      check_same(r, gnp::triu(r.gathered()));
      const auto [u, s, vh] = gnp::linalg::svd(x);
      check_same(matmul(u * s, vh), a, 1e-12);
      check_same(s, gnp::linalg::svd(a).s, 1e-12);
      check_same(gnp::linalg::norm(x), gnp::array<double>(gnp::linalg::norm(a)), 1e-12);
    }
    svd_of_any_matrix<double>(1e-12);
    svd_of_any_matrix<gnp::complex64>(2e-5);
    // A view whose columns are cut in the array that it is of.
    const auto turned = dist::asarray(whole<double>(a.T()), {.layout = dist::along(1)}).T();
    const auto [qt, rt] = gnp::linalg::qr(turned);
    check_same(matmul(qt, rt), a, 1e-12);
    check_same(matmul(turned.T(), dist::asarray(a, {.layout = dist::grid(0, 0, 1, 0)})), matmul(a.T(), a),
               1e-12);
    // More columns than a panel has.
    const whole<double> square = gnp::random::default_rng(9).standard_normal({600, 600});
    const auto z = dist::asarray(square);
    const auto [q, r] = gnp::linalg::qr(z);
    check_same(matmul(q, r), square, 1e-10);
    check_same(matmul(q.transpose(), q), gnp::eye(600), 1e-10);
    const whole<double> sides = gnp::random::default_rng(10).standard_normal({600, 3});
    check_same(matmul(z, gnp::linalg::solve(z, sides)), sides, 1e-8);
    const auto one = gnp::linalg::solve(z, dist::asarray(sides(gnp::all, 0)));
    check_same(matmul(z, one), sides(gnp::all, 0).copy(), 1e-8);
    // In the type that both promote to.
    const whole<float> small = square(slice(8), slice(8)).astype<float>() + 9 * gnp::eye<float>(8);
    const whole<gnp::complex64> turned_side = gnp::arange<float>(8) + gnp::complex64(0, 1);
    check_same(gnp::linalg::solve(dist::asarray(small), turned_side), gnp::linalg::solve(small, turned_side),
               1e-5);
    const whole<double> positive = matmul(square, square.T()) + 600 * gnp::eye(600);
    const auto lower = gnp::linalg::cholesky(dist::asarray(positive));
    check_same(matmul(lower, lower.transpose()), positive, 1e-10);
    check_same(lower, gnp::tril(lower.gathered()));
    CHECK_THROWS(gnp::linalg_error, "", gnp::linalg::cholesky(dist::asarray(whole<double>(-positive))));
    CHECK_THROWS(gnp::linalg_error, "", gnp::linalg::qr(dist::asarray(whole<double>(a.T()))));
  });
}

void the_same_random_numbers_whatever_the_number_of_processes() {
  for_each_device([](gnp::device) {
    for (const dist::layout& how : layouts()) {
      auto rng = dist::default_rng(11);
      auto one = gnp::random::default_rng(11);
      for (const shape_t& shape : {shape_t{13, 7}, shape_t{2, 300001}}) {
        check_same(rng.standard_normal<float>(shape, {.layout = how}), one.standard_normal<float>(shape));
        check_same(rng.random(shape, {.layout = how}), one.random(shape));
        check_same(rng.uniform<float>(2, 3, shape, {.layout = how}), one.uniform<float>(2.0, 3.0, shape));
        check_same(rng.normal(1, 2, shape, {.layout = how}), one.normal(1.0, 2.0, shape));
        check_same(rng.integers<int>(3, 90, shape, {.layout = how}), one.integers<int>(3, 90, shape));
      }
      const auto gamma = [](auto& g, const shape_t& shape) {
        return g.template gamma<double>(2.0, 1.0, shape);
      };
      check_same(rng.draw({99, 5}, gamma, {.layout = how}), one.gamma(2.0, 1.0, {99, 5}));
      const auto two_calls = [](auto& g, const shape_t& shape) {
        return whole<double>(g.random(shape) - g.random(shape));
      };
      check_same(rng.draw({99, 5}, two_calls, {.layout = how}), two_calls(one, {99, 5}));
      check_same(rng.random({99, 5}, {.layout = how}), one.random({99, 5}));
    }
  });
}

void sorting() {
  for_each_device([](gnp::device) {
    for (const index_t n : {0, 1, 2, 5, 1000, 100003}) {
      const whole<int> a = gnp::random::default_rng(12).integers<int>(0, 1000, {n});
      check_same(gnp::sort(dist::asarray(a)), gnp::sort(a));
      check_same(gnp::sort(dist::zeros<int>({n})), gnp::zeros<int>({n}));
      check_same(gnp::sort(dist::arange(n)(slice(none, none, -1))), gnp::arange(n));
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const whole<double> a = gnp::asarray<double>({nan, 3, -1, nan, 2, -0.5, 8, 7, 1, nan, 0});
    check_same(gnp::sort(dist::asarray(a)), gnp::sort(a));
    CHECK_THROWS(gnp::shape_error, "", gnp::sort(dist::zeros({2, 2})));
  });
}

void one_file_of_all_processes() {
  for_each_device([](gnp::device) {
    const std::string path = "distributed." + std::to_string(dist::world().size()) + ".npy";
    for (const shape_t& shape : {shape_t{13, 7}, shape_t{2, 3, 4}, shape_t{0, 3}, shape_t{}}) {
      const whole<float> a = numbers(13, shape).astype<float>();
      dist::save(path, dist::asarray(a));
      check_same(dist::load<float>(path), a);
      CHECK(bool(gnp::array_equal(gnp::load<float>(path), a)));  // as another program sees it
      if (shape.rank() > 1) {
        dist::save(path, dist::asarray(a, {.layout = dist::along(1)}) * 2);
        check_same(dist::load<float>(path, {.layout = dist::along(1)}), a * 2);
      }
      dist::world().barrier();  // before the next one is written
    }
    CHECK_THROWS(gnp::io_error, "", dist::load<double>(path));
    CHECK_THROWS(gnp::io_error, "", dist::load<float>("nowhere.npy"));
    CHECK_THROWS(gnp::io_error, "save: no-such-folder/a.npy: cannot be made: No such file",
                 dist::save("no-such-folder/a.npy", dist::zeros({3})));
    const std::string folder = "folder." + path;
    const bool is_first = dist::world().rank() == 0;
    if (is_first) std::filesystem::create_directory(folder);
    CHECK_THROWS(gnp::io_error, "save: " + folder + ": cannot be opened for writing: Is a directory",
                 dist::save(folder, dist::zeros({3})));
    if (is_first) std::filesystem::remove(folder);
    // A link stays one, a file keeps its permissions, and no other file is touched.
    namespace files = std::filesystem;
    const std::string link = "link." + path, beside = link + ".part";
    constexpr files::perms for_owner = files::perms::owner_read | files::perms::owner_write;
    if (is_first) {
      files::permissions(path, for_owner);
      files::remove(link);
      files::create_symlink(path, link);
      files::create_symlink(path, beside);
    }
    dist::world().barrier();
    dist::save(link, dist::arange(5));
    if (is_first) {
      CHECK(files::is_symlink(link) && files::is_symlink(beside));
      CHECK(files::status(path).permissions() == for_owner);
      CHECK(gnp::load<std::int64_t>(path).size() == 5);
      for (const std::string& made : {link, beside}) files::remove(made);
    }
    dist::world().barrier();
  });
}

void what_is_refused() {
  const auto x = dist::zeros({6, 4});
  CHECK_THROWS(gnp::shape_error, "", x + dist::zeros({5, 4}));
  CHECK_THROWS(gnp::index_error, "", x(6, 0));
  CHECK_THROWS(gnp::index_error, "", x(0, 0, 0));
  CHECK_THROWS(gnp::shape_error, "", x(slice(0, 2)).assign(x));
  CHECK_THROWS(gnp::shape_error, "", x.item());
  CHECK_THROWS(gnp::index_error, "", sum(x, 2));
  CHECK_THROWS(gnp::shape_error, "", x.transpose({0, 0}));
  CHECK_THROWS(gnp::index_error, "", dist::zeros({3}, {.layout = dist::along(1)}));
  CHECK_THROWS(gnp::distributed_error, "", dist::zeros({3, 3}, {.layout = dist::grid(7, 9)}));
  CHECK_THROWS(gnp::distributed_error, "", dist::zeros({3, 3}, {.layout = dist::grid(0, 0, 1, 1)}));
  CHECK_THROWS(gnp::shape_error, "", dist::zeros({3, -1}));
  CHECK_THROWS(gnp::shape_error, "linspace: number of samples, -5, must be non-negative",
               dist::linspace(0, 1, -5));
}

void all_cases() {
  elementwise_work_in_any_layout();
  views_are_read_and_written_through_with_neighbours_elements();
  parts_of_views_with_fewer_axes();
  sources_of_assignments();
  made_from_nothing();
  reductions<int>();
  reductions<float>();
  reductions<double>();
  reductions<gnp::half>();
  reductions<std::complex<float>>();
  nan_infinities_and_empty_arrays_in_reductions();
  reductions_without_results();
  results_are_beside_their_operands();
  arrays_of_two_groups();
  a_group_ends_with_its_last_array();
  products<float>();
  products<double>();
  products<std::complex<double>>();
  products<int>();
  factorisations_residual_and_orthogonality();
  the_same_random_numbers_whatever_the_number_of_processes();
  sorting();
  one_file_of_all_processes();
  what_is_refused();
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "threads") == 0) {
    dist::run(std::atoi(arguments[2]), all_cases);
  } else {
    dist::world();  // which chooses the default device
    all_cases();
  }
  return checks::result();
}
