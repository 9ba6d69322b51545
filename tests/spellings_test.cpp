// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// What a NumPy user would write compiles and gives NumPy's answer: arrays of one element as sizes and bounds,
// numbers in braces, keywords by name.
#include <algorithm>
#include <cmath>
#include <complex>
#include <concepts>
#include <fstream>
#include <iomanip>
#include <ios>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "devices.hpp"
#include "scratch.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::none;
using gnp::shape_t;
using gnp::slice;

enum column { price, volume };

template <class X>
std::vector<double> doubles(const X& x) {
  return array<double>(x.template astype<double>()).tolist();
}
using list = std::vector<double>;

GNP_UFUNC(numpy_names, (x, y), power(x, 2) + arctan2(y, x) + absolute(x) + arcsin(x) + arccosh(y + 1));
GNP_UFUNC(whole_power, (x), power(x, 3));
GNP_UFUNC(of_complex, (z), conjugate(z) * power(z, z) + exp(z));
GNP_UFUNC(to_whole, (z), rint(2 * z));

}  // namespace

TEST_CASE("the body of a user's ufunc knows NumPy's names") {
  for_each_device([](gnp::device) {
    const double x = -0.5;
    const double y = 0.25;
    const double wanted = x * x + std::atan2(y, x) + 0.5 + std::asin(x) + std::acosh(y + 1);
    CHECK(numpy_names(asarray({x}), asarray({y})).item() == Approx(wanted));
    const array<int> cubes = whole_power(asarray({-2, 3}));
    CHECK(doubles(cubes) == list{-8, 27});
    const std::complex<double> z(0.5, -1.25);
    const std::complex<double> result = of_complex(asarray({z})).item();
    const std::complex<double> expected = std::conj(z) * std::pow(z, z) + std::exp(z);
    CHECK(std::abs(result - expected) < 1e-14);
    CHECK(to_whole(asarray({z})).item() == std::complex<double>(1, -2));
    CHECK(to_whole(asarray({1.25F})).item() == 2);
  });
}

TEST_CASE("what C++'s containers have: at, front, back, ++ and --") {
  for_each_device([](gnp::device) {
    const gnp::array<double> x = gnp::arange(6.0).reshape(2, 3);
    CHECK(double(x.at(1, 2)) == 5);
    CHECK(gnp::array_equal(x.at(-1), gnp::asarray({3.0, 4.0, 5.0})));
    CHECK(gnp::array_equal((x + 1).front(), gnp::asarray({1.0, 2.0, 3.0})));
    CHECK(gnp::array_equal(x.T().back(), gnp::asarray({2.0, 5.0})));
    CHECK_THROWS_AS(x.at(2, 0), gnp::index_error);
    CHECK_THROWS_AS(gnp::array<double>().front(), gnp::index_error);
    gnp::array<int> y = gnp::arange(4);
    y.at(1) = 7;
    y.front() = -1;
    y.back() += 10;
    CHECK(gnp::to_vector(y) == std::vector<int>{-1, 7, 2, 13});
    const gnp::array<int> before = y(2)++;
    CHECK(before.item() == 2);
    CHECK((++y(2)).item() == 4);
    CHECK((y(0)--).item() == -1);
    CHECK(gnp::to_vector(--y) == std::vector<int>{-3, 6, 3, 12});
    CHECK(gnp::to_vector(y++) == std::vector<int>{-3, 6, 3, 12});
    CHECK(gnp::to_vector(y) == std::vector<int>{-2, 7, 4, 13});
  });
}

TEST_CASE("an array of one element is a size, a bound or a position") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const array<double> a = gnp::arange(12.0).reshape(3, 4);
    const array<int> n = gnp::arange<int>(4);
    const array<std::uint64_t> unsigned_n = gnp::arange<std::uint64_t>(4);

    CHECK(gnp::zeros({n.max(), 2}).shape() == shape_t{3, 2});
    CHECK(gnp::zeros({unsigned_n.max(), 2}).shape() == shape_t{3, 2});
    CHECK(gnp::empty({argmax(v) + 1, 2}).shape() == shape_t{4, 2});
    CHECK(gnp::zeros(n.max() + 1).shape() == shape_t{4});
    CHECK(gnp::ones<float>(n(1), n(2)).shape() == shape_t{1, 2});
    CHECK(v.reshape(n(2), -1).shape() == shape_t{2, 2});
    CHECK_THROWS_AS(gnp::zeros(n), gnp::shape_error);

    CHECK(doubles(gnp::full({n(2)}, v.max())) == list{3, 3});
    CHECK(doubles(gnp::full_like(v, v.mean())) == list{1.5, 1.5, 1.5, 1.5});
    CHECK(doubles(gnp::full_like<int>(a(slice(2)), v)) == list{0, 1, 2, 3, 0, 1, 2, 3});
    CHECK(doubles(gnp::eye(n(2))) == list{1, 0, 0, 1});
    CHECK(doubles(gnp::arange(n.max())) == list{0, 1, 2});
    CHECK(gnp::arange(n.max()).dtype() == gnp::dtype::int64);
    CHECK(doubles(gnp::arange(v(1), v(3) * 2, 2)) == list{1, 3, 5});
    CHECK(doubles(gnp::linspace(0, v.max(), n(2))) == list{0, 3});

    CHECK(doubles(v(slice(n(1), n(3)))) == list{1, 2});
    CHECK(doubles(v(slice(argmax(v), {}, -1))) == list{3, 2, 1, 0});
    CHECK(doubles(gnp::split(v, n(1) + 1)[1]) == list{2, 3});
    CHECK(doubles(gnp::split(v, n(slice(1, 3)))[2]) == list{2, 3});
    CHECK(doubles(gnp::delete_(v, argmax(v))) == list{0, 1, 2});
    CHECK(doubles(gnp::insert(v, n(1), v(3))) == list{0, 3, 1, 2, 3});
    CHECK(doubles(gnp::pad(v, n(1), {.constant_values = v(2)})) == list{2, 0, 1, 2, 3, 2});
    CHECK(v.max({.initial = v.sum()}).item() == 6);

    CHECK(doubles(asarray<double>({v.sum(), v.max(), 9})) == list{6, 3, 9});
    CHECK(asarray<int>({{n(0), n(1)}, {n(2), n(3)}}).shape() == shape_t{2, 2});
    CHECK(asarray<double>({v, v}).shape() == shape_t{2, v.size()});
  });
}

TEST_CASE("options that are real numbers take integer variables, and counts take sizes") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray<double>({0, 1, 3, 5});
    const int n = 4;
    const unsigned two = 2;
    const list values(6);
    CHECK(doubles(gnp::histogram(x, 2, {.range = {0, n}}).hist) == list{2, 1});
    CHECK(doubles(gnp::histogram(x, 2, {.range = {0, x.max() - 1}}).hist) == list{2, 1});
    CHECK(gnp::bincount(asarray<int>({0, 1, 1}), {.minlength = values.size()}).size() == 6);
    CHECK(gnp::trapezoid(x, {.dx = two}).item() == 13);
    CHECK(doubles(gnp::nan_to_num(x, {.nan = n})) == list{0, 1, 3, 5});
    CHECK(gnp::var(x, {.ddof = two}).item() == 7.375);
    CHECK(doubles(gnp::logspace(0, two, 3, {.base = two})) == list{1, 2, 4});
    CHECK(doubles(gnp::unwrap(x, {.period = n})) == list{0, 1, 3, 5});
  });
}

TEST_CASE("an unscoped enumeration names columns") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::arange(6.0).reshape(3, 2);
    CHECK(doubles(a(gnp::all, volume)) == list{1, 3, 5});
    CHECK(doubles(a(slice(price, volume))) == list{0, 1});
    a(gnp::all, price) = -1;
    CHECK(doubles(a) == list{-1, 1, -1, 3, -1, 5});
  });
}

TEST_CASE("numbers in braces stand for arrays") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const array<double> a = gnp::arange(12.0).reshape(3, 4);
    CHECK(doubles(a(gnp::ix_({0, 2}, {1, 3}))) == list{1, 3, 9, 11});
    CHECK(doubles(a(gnp::ix_({true, false, true}, {1}))) == list{1, 9});
    CHECK(doubles(gnp::isin(v, {1, 3})) == list{0, 1, 0, 1});
    CHECK(doubles(gnp::isin(v, {1, 3}, {.invert = true})) == list{1, 0, 1, 0});
    CHECK(doubles(gnp::digitize(v, {1, 2})) == list{0, 1, 2, 2});
    CHECK(doubles(gnp::digitize(v, {2., 1.}, {.right = true})) == list{2, 2, 1, 0});
    CHECK(doubles(gnp::searchsorted(v, {0.5, 9.})) == list{1, 4});
    const int three = 3;
    CHECK(doubles(gnp::convolve(v, {1, 2, 1})) == list{0, 1, 4, 8, 8, 3});
    CHECK(doubles(gnp::convolve(v, {0.5, 1}, "valid")) == list{0.5, 2, 3.5});
    CHECK(doubles(gnp::convolve(v, {1, -1}, {.mode = "same"})) == list{0, 1, 1, 1});
    CHECK(doubles(gnp::correlate(v, {1, 2.5})) == list{2.5, 6, 9.5});
    CHECK(doubles(gnp::correlate(v, {1, 2}, {.mode = "full"})) == list{0, 2, 5, 8, 3});
    CHECK(doubles(gnp::interp(v, {0, 1, three}, {0, 10, 20.5})) == list{0, 10, 15.25, 20.5});
    CHECK(doubles(gnp::interp(v, {1, 2}, gnp::asarray<float>({5, 6}), {.left = -1})) == list{-1, 5, 6, 6});
    CHECK(doubles(gnp::interp(v, gnp::asarray<float>({1, 2}), {5, 6})) == list{5, 5, 6, 6});
    CHECK(gnp::interp(0.5, {0, 1}, {3, 4}).item() == 3.5);
    CHECK(doubles(gnp::polyval({1, 0, -2}, v)) == list{-2, -1, 2, 7});
    CHECK(doubles(gnp::poly({1, 2})) == list{1, -3, 2});
    CHECK(gnp::allclose(gnp::sort(real(gnp::roots({1, -3, 2}))), asarray({1., 2.})));
    CHECK(doubles(gnp::linalg::multi_dot({v, a.T(), a})) == doubles(matmul(v, matmul(a.T(), a))));
  });
}

TEST_CASE("values in braces, of one type or of mixed ones") {
  for_each_device([](gnp::device) {
    const auto changed = [](auto&& change) {
      const array<double> a = gnp::arange(5.0);
      change(a);
      return doubles(a);
    };
    CHECK(changed([](auto& a) { gnp::put(a, {0, -1}, {7, 8}); }) == list{7, 1, 2, 3, 8});
    CHECK(changed([](auto& a) { gnp::put(a, {0, 1, 2}, {7, 8.5}); }) == list{7, 8.5, 7, 3, 4});
    CHECK(changed([](auto& a) { gnp::put(a, gnp::arange(2), {9, 8}, {.mode = "clip"}); }) ==
          list{9, 8, 2, 3, 4});
    CHECK(changed([](auto& a) { gnp::putmask(a, a > 1, {7, 8}); }) == list{0, 1, 7, 8, 7});
    CHECK(changed([](auto& a) { gnp::place(a, a > 2, {7, 8}); }) == list{0, 1, 2, 7, 8});
    const array<float> m = gnp::zeros<float>({3, 3});
    gnp::fill_diagonal(m, {1, 2, 3});
    CHECK(doubles(m) == list{1, 0, 0, 0, 2, 0, 0, 0, 3});

    const array<std::int32_t> n = gnp::arange<std::int32_t>(1, 4);
    CHECK(doubles(gnp::append(n, {4, 5})) == list{1, 2, 3, 4, 5});
    CHECK(doubles(gnp::append(n, {4, 5.5})) == list{1, 2, 3, 4, 5.5});
    CHECK(doubles(gnp::insert(n, 1, {7, 8})) == list{1, 7, 8, 2, 3});
    CHECK(doubles(gnp::insert(n, {0, 3}, {7, 8})) == list{7, 1, 2, 3, 8});
    STATIC_REQUIRE(std::is_same_v<decltype(gnp::insert(n, 1, {7, 8})), array<std::int32_t>>);

    CHECK(doubles(gnp::digitize(asarray({-1., 0., 1., 3.}), {0, 2.5})) == list{0, 1, 1, 2});
    CHECK(doubles(gnp::searchsorted(gnp::arange(4.0), {0, 1.5})) == list{0, 2});
    CHECK(doubles(gnp::isin(gnp::arange(4.0), {1, 2.5, 3})) == list{0, 1, 0, 1});
    CHECK(doubles(gnp::poly({1, 2.5})) == list{1, -3.5, 2.5});
    CHECK(doubles(gnp::polyval({1, 0.5}, gnp::arange(3.0))) == list{0.5, 1.5, 2.5});
    CHECK(gnp::allclose(gnp::sort(real(gnp::roots({2, -3.0, 1}))), asarray({0.5, 1.})));
  });
}

TEST_CASE("a std::vector stands where numbers in braces do") {
  for_each_device([](gnp::device) {
    const list v = {1, 2, 3};
    const std::vector<int> w = {1, 3};
    const array<double> x = gnp::arange(4.0);
    const array<int> n = gnp::arange<int>(4);
    const array<double> m = gnp::arange(9.0).reshape(3, 3);
    CHECK(doubles(gnp::digitize(x, v, {.right = true})) == list{0, 0, 1, 2});
    CHECK(gnp::digitize(2.5, v).item() == 2);
    CHECK(doubles(gnp::searchsorted(x, w, {.side = "right"})) == list{2, 4});
    CHECK(doubles(gnp::searchsorted(v, x)) == list{0, 0, 1, 2});
    CHECK(doubles(gnp::isin(n, w, {.invert = true})) == list{1, 0, 1, 0});
    CHECK(doubles(gnp::union1d(n, w)) == list{0, 1, 2, 3});
    CHECK(doubles(gnp::setdiff1d(n, w)) == list{0, 2});
    CHECK(doubles(gnp::intersect1d(n, w, {.assume_unique = true})) == list{1, 3});
    CHECK(doubles(gnp::setxor1d(n, v)) == list{0});
    CHECK(doubles(gnp::convolve(x, v, "same")) == list{1, 4, 10, 12});
    CHECK(doubles(gnp::correlate(x, v, {.mode = "full"})) == list{0, 3, 8, 14, 8, 3});
    CHECK(doubles(gnp::polyval(v, x)) == list{3, 6, 11, 18});
    CHECK(doubles(gnp::interp(v, x, x * 2)) == list{2, 4, 6});
    CHECK(doubles(gnp::interp(x, v, v, {.left = 9})) == list{9, 1, 2, 3});
    CHECK(doubles(gnp::interp(v, x(slice(3)), v)) == list{2, 3, 3});
    CHECK(gnp::interp(1.5, v, m(0)).item() == 0.5);
    CHECK(doubles(gnp::matmul(m, v)) == list{8, 26, 44});
    CHECK(doubles(gnp::matmul(v, m)) == list{24, 30, 36});
    CHECK(gnp::dot(v, m(0)).item() == 8);
    CHECK(doubles(gnp::cross(m(0), v)) == list{-1, 2, -1});
    CHECK(gnp::outer(x, v).shape() == shape_t{4, 3});
    CHECK(doubles(gnp::append(m, v)).size() == 12);
    CHECK(doubles(gnp::append(x, v, 0)) == list{0, 1, 2, 3, 1, 2, 3});
    CHECK(doubles(gnp::insert(x, {0, 4}, w)) == list{1, 0, 1, 2, 3, 3});
    CHECK(gnp::allclose(m(0), v, {.atol = 1}));
    CHECK(gnp::array_equal(x(slice(1, none)), v));
    // An array that is not on the default device.
    const auto on_cpu = gnp::eye(3).to(gnp::device::cpu());
    CHECK(doubles(gnp::isin(n.to(gnp::device::cpu()), w)) == list{0, 1, 0, 1});
    CHECK(doubles(gnp::linalg::solve(on_cpu, v)) == v);
    CHECK(doubles(gnp::linalg::lstsq(on_cpu, v, none).x) == v);
    CHECK(doubles(gnp::linalg::lstsq(on_cpu, v, {.rcond = 1e-3}).x) == v);
  });
}

TEST_CASE("results have names, numbers are searched for, and variables go in braces") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange(4.0);
    const array<double> m = gnp::eye(2);
    const auto [i, j] = gnp::nonzero<2>(m);
    CHECK(doubles(i) == list{0, 1});
    CHECK(doubles(j) == list{0, 1});
    const auto [k] = gnp::where<1>(x > 1);
    CHECK(doubles(k) == list{2, 3});
    CHECK_THROWS_WITH(gnp::nonzero<3>(m), "nonzero: 3 arrays were asked for, but the array has 2 axes");
    CHECK(doubles(gnp::searchsorted({1., 2.}, x)) == list{0, 0, 1, 2});
    CHECK(doubles(gnp::searchsorted({1, 2.5}, x, {.side = "right"})) == list{0, 1, 1, 2});
    CHECK(gnp::searchsorted({1, 3}, 2).item() == 1);
    CHECK(gnp::isin(3, x).item());
    CHECK(gnp::isin(2.5, x, {.invert = true}).item());
    CHECK(doubles(gnp::interp({0.5, 1}, x, x * 2)) == list{1, 2});
    CHECK(doubles(gnp::interp({1.5, 9}, {1, 2}, x(slice(2)))) == list{0.5, 1});
    CHECK(doubles(gnp::interp({1.5, 9}, x, {10, 20, 40, 80.5})) == list{30, 80.5});
    CHECK(doubles(gnp::interp({0.5, 50}, {0, 1, 2}, {10, 20, 40}, {.right = -1})) == list{15, -1});
    CHECK(doubles(gnp::corrcoef({x, x})) == list{1, 1, 1, 1});
    CHECK(doubles(gnp::cov({x, -x}, {.bias = true})) == list{1.25, -1.25, -1.25, 1.25});
    CHECK(gnp::cov<float>({x, x}).dtype() == gnp::dtype::float32);
    CHECK_THROWS_WITH(gnp::logspace(0, 1, -1), "logspace: number of samples, -1, must be non-negative");
    CHECK_THROWS_WITH(gnp::geomspace(1, 2, -1), contains("geomspace: number of samples"));
  });
}

TEST_CASE("an integer that the elements' type does not have is an error, wherever it stands") {
  for_each_device([](gnp::device) {
    const auto u = asarray<std::uint8_t>({1, 2, 3, 4});
    const auto c = asarray({true, false, true, false});
    CHECK_THROWS_WITH(gnp::max(u, {.initial = 300}), "max: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_WITH(gnp::min(u, {.initial = -1}), "min: the integer -1 is out of bounds for uint8");
    CHECK(gnp::sum(u, {.initial = 300}).item() == 310);
    CHECK_THROWS_WITH(asarray<std::uint8_t>({1, 300}), "asarray: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_AS(asarray<std::uint8_t>({{-1}, {3}}), gnp::dtype_error);
    CHECK_THROWS_WITH(asarray<std::uint8_t>(300), "asarray: the integer 300 is out of bounds for uint8");
    CHECK(doubles(asarray<std::uint8_t>(std::vector<int>{300})) == list{44});  // values are converted
    const array<std::int8_t> b = gnp::zeros<std::int8_t>(2);
    CHECK_THROWS_WITH(b.fill(200), "fill: the integer 200 is out of bounds for int8");
    b.fill(-128);
    CHECK(doubles(b) == list{-128, -128});
    CHECK_THROWS_WITH(gnp::putmask(u, c, 300), "putmask: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_WITH(gnp::place(u, c, 300), "place: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_WITH(gnp::copyto(u, 300), "copyto: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_WITH(gnp::append(u, 300), "append: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_WITH(gnp::select({c}, {u}, 300), "select: the integer 300 is out of bounds for uint8");
    const array<std::uint8_t> m = gnp::zeros<std::uint8_t>({2, 2});
    CHECK_THROWS_WITH(gnp::fill_diagonal(m, 300), "fill_diagonal: the integer 300 is out of bounds for uint8");
  });
}

TEST_CASE("messages say what was wanted") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::eye(3);
    CHECK_THROWS_WITH(gnp::einsum("ij,jk", a), contains("1 operands for the subscripts of 2"));
    CHECK_THROWS_WITH(
        gnp::sliding_window_view(a, 2),
        "sliding_window_view: a window of shape (2,) needs as many axes, got an array of dimension 2");
    CHECK_THROWS_WITH(gnp::pad(a, 1, "mirror"), contains("it is one of 'constant', 'edge'"));
    CHECK_THROWS_WITH(gnp::zeros({0, 3}).argmax(0), contains("argmax: attempt to get argmax of an empty"));
    const array<double> x = gnp::arange(6.0).reshape(1, 2, 3);
    CHECK(doubles(gnp::tensordot(x, x, {{0, 1}, {0, 1}})) == doubles(gnp::tensordot(x, x, {0, 1}, {0, 1})));
    CHECK(gnp::tensordot(x, x, {{2}, {2}}).shape() == shape_t{1, 2, 1, 2});
  });
}

TEST_CASE("one number has an axis where all of it becomes one element, or a row") {
  for_each_device([](gnp::device) {
    const array<double> x = 3.0;
    CHECK(gnp::sum(x, 0).shape() == shape_t{});
    CHECK(gnp::sum(x, 0).item() == 3);
    CHECK(gnp::prod(x, {.axis = -1, .keepdims = true}).shape() == shape_t{});
    CHECK((x + 1).max(-1).item() == 4);
    CHECK(gnp::any(x, 0).item());
    CHECK(gnp::nanmean(x, 0).item() == 3);
    CHECK_THROWS_WITH(gnp::mean(x, 0), "mean: axis 0 is out of bounds for array of dimension 0");
    CHECK_THROWS_AS(gnp::var(x, 0), gnp::index_error);
    CHECK(gnp::argmax(x, -1).item() == 0);
    CHECK(gnp::nansum(x, 0).item() == 3);
    CHECK(gnp::cumsum(x, 0).shape() == shape_t{1});
    CHECK(doubles(gnp::cumprod(x, -1)) == list{3});
    CHECK(doubles(gnp::cumulative_sum(x, {.include_initial = true})) == list{0, 3});
    CHECK(gnp::argsort(x).shape() == shape_t{1});
    CHECK(doubles(gnp::argsort(x, 0)) == list{0});
    CHECK(gnp::argpartition(x, 0).shape() == shape_t{1});
    CHECK_THROWS_WITH(gnp::sum(x, 1), "sum: axis 1 is out of bounds for array of dimension 0");
    CHECK_THROWS_AS(gnp::sum(x, {0, -1}), gnp::index_error);
    CHECK_THROWS_AS(gnp::cumsum(x, 1), gnp::index_error);
    CHECK_THROWS_AS(gnp::argsort(x, -2), gnp::index_error);
    CHECK_THROWS_AS(gnp::sort(x), gnp::index_error);  // in place there is no axis
  });
}

TEST_CASE("corners of piecewise, pad and unique are NumPy's") {
  for_each_device([](gnp::device) {
    // An array that is not on the default device.
    const auto a = asarray<double>({3, 1, 2, 5, 4}).to(gnp::device::cpu());
    CHECK(doubles(gnp::piecewise(a, {a < 2.0, a > 4.0}, -1, 1, 7)) == list{7, -1, 7, 1, 7});
    CHECK(doubles(gnp::piecewise(a, {a < 2.0, a > 4.0}, {-1, 1, 7.5})) == list{7.5, -1, 7.5, 1, 7.5});
    CHECK(doubles(gnp::piecewise(a, {a < 2.0}, {a.max()})) == list{0, 5, 0, 0, 0});
    CHECK_THROWS_WITH(gnp::piecewise(a, {a < 2.0}, {1, 2, 3}),
                      "piecewise: with 1 conditions, 1 or 2 pieces are expected, got 3");
    // The median of false and true is a half, which is true.
    CHECK(doubles(gnp::pad(asarray<bool>({false, true}), 1, {.mode = "median"})) == list{1, 0, 1, 1});
    CHECK(gnp::pad(gnp::ones<gnp::complex64>({2}), 1).item(0) == gnp::complex64(0));
    // NaNs of one axis are equal, whether or not the axis is named.
    const auto x = asarray<double>({gnp::nan, 1, gnp::nan});
    CHECK(gnp::unique(x, {.axis = 0}).size() == 2);
    CHECK(gnp::unique(x, {.axis = 0, .equal_nan = false}).size() == 3);
    CHECK_THROWS_AS(gnp::unique(x, {.axis = 1}), gnp::error);
  });
}

TEST_CASE("formulas of several kinds with elements of one type are joined in braces") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(2.0);
    const array<float> m = gnp::ones<float>({2, 2});
    CHECK(doubles(gnp::stack({v + 1, -v})) == list{1, 2, 0, -1});
    CHECK(doubles(gnp::stack({v, v * 3}, {.axis = -1})) == list{0, 0, 1, 3});
    CHECK(doubles(gnp::concatenate({v, v + 1, v(gnp::slice(gnp::none, gnp::none, -1))}, 0)) ==
          list{0, 1, 1, 2, 1, 0});
    CHECK(doubles(gnp::concatenate({matmul(m, m), m}, gnp::none)) == list{2, 2, 2, 2, 1, 1, 1, 1});
    CHECK(doubles(gnp::hstack({gnp::sum(m, 0), m(0)})) == list{2, 2, 1, 1});
    CHECK(gnp::vstack({m == 0, gnp::isnan(m)}).dtype() == gnp::dtype::bool_);
    CHECK(gnp::column_stack({v, m(0).astype<double>(), v + 1}).shape() == shape_t{2, 3});
    CHECK(gnp::stack({v(gnp::slice(0)), v(gnp::slice(0)) + 1}).shape() == shape_t{2, 0});
    CHECK_THROWS_WITH(gnp::stack({v, gnp::sum(v)}),
                      "stack: all input arrays must have the same shape, got (2,) and ()");
  });
}

TEST_CASE("numbers and braces where arrays usually stand") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::arange(4.0).reshape(2, 2);
    CHECK(doubles(gnp::append(7, a(0))) == list{7, 0, 1});
    CHECK(doubles(gnp::kron(a, 2)) == list{0, 2, 4, 6});
    CHECK(gnp::kron(2, a).shape() == shape_t{2, 2});
    CHECK(doubles(gnp::compress({false, true}, a, -1)) == list{1, 3});
    CHECK(doubles(gnp::repeat(array<double>(5.0), 3, 0)) == list{5, 5, 5});
    CHECK_THROWS_WITH(gnp::repeat(array<double>(5.0), 3, 1),
                      "repeat: axis 1 is out of bounds for array of dimension 1");
    CHECK(doubles(gnp::arange('a', 'd')) == list{97, 98, 99});
    CHECK(gnp::arange<gnp::complex64>(0.0, 2.0, 0.5).item(3) == gnp::complex64(1.5F));
    CHECK(gnp::random::integers('a', 'b').item() == 97);
    int indices = 0;
    for (const shape_t& i : gnp::ndindex({3})) indices += static_cast<int>(i[0]) + 1;
    CHECK(indices == 6);
    for (const char* wrong : {"", "ff", "bx"}) CHECK_THROWS_AS(gnp::trim_zeros(a(0), wrong), gnp::error);
  });
}

TEST_CASE("what is joined with elements counts whole, and its result is converted") {
  for_each_device([](gnp::device) {
    const auto joined = [](auto x, const auto& at, const auto& values) {
      at(x, gnp::asarray<int>({0, 0}), values);
      return static_cast<double>(x(0).item());
    };
    const auto bytes = [] { return asarray<std::int8_t>({100}); };
    const auto longs = asarray<std::int64_t>({300, 299});
    const auto to_minimum = [](auto& x, const auto& i, const auto& v) { gnp::minimum_at(x, i, v); };
    const auto to_quotient = [](auto& x, const auto& i, const auto& v) { gnp::floor_divide_at(x, i, v); };
    const auto divided = [](auto& x, const auto& i, const auto& v) { gnp::divide_at(x, i, v); };
    const auto added = [](auto& x, const auto& i, const auto& v) { gnp::add_at(x, i, v); };
    CHECK(joined(bytes(), to_minimum, longs) == 100);
    CHECK(joined(bytes(), to_quotient, longs) == 0);
    CHECK(joined(bytes(), added, longs) == -69);  // 100 + 300 + 299, of which a byte holds the last bits
    CHECK(joined(asarray<float>({1e38F}), divided, asarray<double>({1e40, 0.5})) == Approx(0.02));
  });
}

TEST_CASE("a shape counts negative places from its end") {
  const array<double> a = gnp::zeros({2, 3});
  CHECK(a.shape()[-1] == 3);
  CHECK(a.shape()[-2] == 2);
  shape_t shape = {4, 5};
  shape[-1] = 6;
  CHECK(shape == shape_t{4, 6});
}

TEST_CASE("a double becomes 16 bits at once") {
  for_each_device([](gnp::device) {
    const double above = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);  // a float in between would be halfway
    const double below = -(1 + std::ldexp(3, -11) - std::ldexp(1, -40));
    CHECK(doubles(asarray<gnp::half>({above, below})) == doubles(asarray({above, below}).astype<gnp::half>()));
    CHECK(static_cast<float>(gnp::half(above)) == 1 + std::ldexp(1.0F, -10));
    CHECK(static_cast<float>(gnp::half(below)) == -(1 + std::ldexp(1.0F, -10)));
    CHECK(static_cast<float>(gnp::bfloat16(1 + std::ldexp(1, -8) + std::ldexp(1, -40))) ==
          1 + std::ldexp(1.0F, -7));
    CHECK(std::isinf(static_cast<float>(gnp::half(1e300))));
    CHECK(std::isnan(static_cast<float>(gnp::half(gnp::nan))));
    CHECK(static_cast<float>(gnp::half(-1e-300)) == 0);
  });
}

TEST_CASE("truth values beside a number are computed as int64 is") {
  for_each_device([](gnp::device) {
    const auto m = asarray<bool>({true, false});
    CHECK(gnp::hypot(m, 100000).dtype() == gnp::dtype::float64);
    CHECK(gnp::hypot(m, 100000).item(1) == 100000);
    CHECK(gnp::arctan2(3, m).dtype() == gnp::dtype::float64);
    CHECK(gnp::hypot(m, m).dtype() == gnp::dtype::float16);
    CHECK(gnp::hypot(m, 2.0).dtype() == gnp::dtype::float64);
    CHECK(gnp::hypot(asarray<std::int8_t>({1}), 100000).dtype() == gnp::dtype::float16);
  });
}

TEST_CASE("item takes a place in row-major order") {
  for_each_device([](gnp::device) {
    const array<int> a = gnp::arange<int>(24).reshape(2, 3, 4);
    CHECK(a.item(5) == 5);
    CHECK(a.T().item(5) == gnp::ravel(a.T()).item(5));
    CHECK(a.item(-1) == 23);
    CHECK((a + 1).item(13) == 14);
    CHECK(gnp::sum(a, 0).item(6) == 24);
    CHECK(gnp::asarray(7).item(0) == 7);
    CHECK_THROWS_WITH(a.item(24), "item: index 24 is out of bounds for size 24");
    CHECK_THROWS_WITH(a.item(-25), "item: index -25 is out of bounds for size 24");
    CHECK_THROWS_AS(a.item(0, 1), gnp::index_error);
    CHECK_THROWS_AS(gnp::zeros({0}).item(0), gnp::index_error);
  });
}

TEST_CASE("arrays beside expressions are joined where the elements' type is named") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(2.0);
    const array<int> n = gnp::arange<int>(2);
    CHECK(doubles(gnp::stack<double>({v, v + 1})) == list{0, 1, 1, 2});
    CHECK(doubles(gnp::stack<double>({v, v + 1}, 1)) == list{0, 1, 1, 2});
    CHECK(doubles(gnp::stack<double>({v, v * 3}, {.axis = 1})) == list{0, 0, 1, 3});
    CHECK(doubles(gnp::concatenate<float>({v, n, -v})) == list{0, 1, 0, 1, 0, -1});
    CHECK(doubles(gnp::block<double>({{v, v + 1}, {-v, n}})) == list{0, 1, 1, 2, 0, -1, 0, 1});
    CHECK(doubles(gnp::block<double>({v, v + 1})) == list{0, 1, 1, 2});
    CHECK(gnp::block({{v, v}, {v, v}}).shape() == shape_t{2, 4});
    CHECK(gnp::block({v, v}).shape() == shape_t{4});
    CHECK(gnp::vstack<float>({v, n}).dtype() == gnp::dtype::float32);
  });
}

TEST_CASE("select takes numbers, and the default's type counts") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const array<int> n = gnp::arange<int>(4);
    const array signs = gnp::select({v < 1, v > 2}, {-1, 1});
    CHECK(signs.dtype() == gnp::dtype::int64);
    CHECK(doubles(signs) == list{-1, 0, 0, 1});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {-1, 1}, 0.5)) == list{-1, 0.5, 0.5, 1});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {n, n}, 0.5)) == list{0, 0.5, 0.5, 3});
    CHECK(gnp::select({v < 1}, {n}, 7).dtype() == gnp::dtype::int32);
    const array<bool> odd = n % 2 == 1;
    CHECK(gnp::select({v < 1}, {odd}).dtype() == gnp::dtype::int64);  // the default is the number 0
    CHECK(gnp::select({v < 1}, {odd}, false).dtype() == gnp::dtype::bool_);
    CHECK_THROWS_AS(gnp::select({v < 1}, {n.astype<std::uint8_t>().eval()}, 300), gnp::dtype_error);
  });
}

TEST_CASE("select's default may be an array beside choices in braces") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const array<float> f = v;
    const array<std::uint8_t> u = gnp::asarray<std::uint8_t>({10, 100, 250, 0});
    const array clipped = gnp::select({u < 50, u > 200}, {5, 255}, u);
    CHECK(clipped.dtype() == gnp::dtype::uint8);  // numbers are weak beside an array
    CHECK(doubles(clipped) == list{5, 100, 255, 5});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {-v - 1, v * 2}, v + 0.5)) == list{-1, 1.5, 2.5, 6});
    const array mixed = gnp::select({v < 1, v > 2}, {1, 2.5}, f);
    CHECK(mixed.dtype() == gnp::dtype::float32);
    CHECK(doubles(mixed) == list{1, 1, 2, 2.5});
    const array wide = gnp::select({v < 1, v > 2}, {f, 7}, gnp::asarray<float>({{-1}, {-2}}));
    CHECK(wide.shape() == shape_t{2, 4});
    CHECK(doubles(wide) == list{0, -1, -1, 7, 0, -2, -2, 7});
    CHECK(gnp::select({v < 1}, {f}, u).dtype() == gnp::dtype::float32);
    CHECK(doubles(gnp::select(std::vector<array<bool>>{v > 1}, std::vector<array<double>>{v}, sum(v))) ==
          list{6, 6, 2, 3});
    CHECK_THROWS_WITH(gnp::select({v < 1}, {300}, u), "select: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_AS(gnp::select({v < 1}, {v}, gnp::arange(2.0)), gnp::shape_error);
  });
}

TEST_CASE("sets in braces may mix types of numbers") {
  for_each_device([](gnp::device) {
    const array<int> n = asarray({5, 1, 3});
    const array<float> f = n;
    const array joined = gnp::union1d(n, {1, 2.5});
    CHECK(joined.dtype() == gnp::dtype::float64);
    CHECK(doubles(joined) == list{1, 2.5, 3, 5});
    CHECK(gnp::union1d({1, 2.5}, f).dtype() == gnp::dtype::float64);  // as a list of doubles is, and in NumPy
    CHECK(doubles(gnp::intersect1d({1, 2.5, 3}, n)) == list{1, 3});
    CHECK(doubles(gnp::setdiff1d(n, {1, 2.5})) == list{3, 5});
    CHECK(doubles(gnp::setdiff1d({1, 2.5, 2.5}, n)) == list{2.5});
    CHECK(doubles(gnp::setxor1d(f, {1, 2.5}, {.assume_unique = true})) == list{2.5, 3, 5});
    CHECK(doubles(gnp::union1d(f, {1.5, 2.5})) == list{1, 1.5, 2.5, 3, 5});
    CHECK(gnp::union1d(n, {1, 2}).dtype() == gnp::dtype::int32);
  });
}

TEST_CASE("choices in braces are arrays, formulas, numbers and vectors") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const array<int> n = gnp::arange<int>(4);
    CHECK(doubles(gnp::select({v < 1, v > 1}, {v - 5, v * v}, 7)) == list{-5, 7, 4, 9});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {1, 0.5})) == list{1, 0, 0, 0.5});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {1, 0.5}, 7)) == list{1, 7, 7, 0.5});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {2, 0.5F}, 0.25)) == list{2, 0.25, 0.25, 0.5});
    CHECK(doubles(gnp::choose(gnp::asarray({1, 0, 2}), {1, 0.5, 4})) == list{0.5, 1, 4});
    CHECK(doubles(gnp::choose(n % 2, {1, 0.5}, {.mode = "wrap"})) == list{1, 0.5, 1, 0.5});
    CHECK(gnp::choose(n % 2, {1.0F, 0.5}).dtype() == gnp::dtype::float64);
    CHECK(doubles(gnp::choose(n % 2, {0.5, v, 2})) == list{0.5, 1, 0.5, 3});
    CHECK_THROWS_WITH(gnp::select({v < 1, v > 2}, {1, 2L}),
                      "select: the choices are integers of several types: give them one type");
    CHECK(doubles(gnp::select({v < 1, v > 2}, {v, -v})) == list{0, 0, 0, -3});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {0.5, v.sum()})) == list{0.5, 0, 0, 6});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {std::vector<double>{1, 2, 3, 4}, v}, -1)) == list{1, -1, -1, 3});
    CHECK(doubles(gnp::select({v < 1, v > 2}, {n, n + 1}, 0.5)) == list{0, 0.5, 0.5, 4});
    CHECK(gnp::select({v < 1, v > 2}, {n, n + 1}, 7).dtype() == gnp::dtype::int32);
    CHECK(gnp::select({v < 1, v > 2}, {n > 2, n < 1}, false).dtype() == gnp::dtype::bool_);
    CHECK_THROWS_WITH(gnp::select({v < 1}, {v, -v}),
                      contains("select: each condition needs one choice, got 2 and 1"));
    CHECK(doubles(gnp::choose(n % 2, {v, -v})) == list{0, -1, 2, -3});
    CHECK(doubles(gnp::choose(n, {v, v + 10, 7, -1}, {.mode = "clip"})) == list{0, 11, 7, -1});
    CHECK(doubles(gnp::choose(n - 1, {n, n * n}, {.mode = "wrap"})) == list{0, 1, 4, 3});
    CHECK(gnp::choose(n % 2, {n.reshape(4, 1), n * 2}).shape() == shape_t{4, 4});
  });
}

TEST_CASE("select and choose take formulas: their types and errors") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const auto bytes = v.astype<std::uint8_t>().eval();
    static_assert(std::is_same_v<decltype(gnp::select({v < 1}, std::tuple(bytes))), array<std::uint8_t>>);
    static_assert(std::is_same_v<decltype(gnp::select({v < 1}, std::tuple(bytes), 0.5)), array<double>>);
    static_assert(
        std::is_same_v<decltype(gnp::choose(bytes, std::tuple(1, bytes, v.astype<float>()))), array<float>>);
    CHECK(doubles(gnp::select({v < 1}, std::tuple(sum(v) + v))) == list{6, 0, 0, 0});
    CHECK(gnp::select(std::tuple(v < 1), std::tuple(3)).shape() == shape_t{4});
    CHECK(gnp::choose(gnp::zeros<int>(2, 0), std::tuple(v(0), 1)).shape() == shape_t{2, 0});
    CHECK(gnp::choose(gnp::zeros<int>(2, 1), std::tuple(v)).shape() == shape_t{2, 4});
    CHECK_THROWS_WITH(gnp::select({v < 1}, std::tuple(v, v)),
                      "select: each condition needs one choice, got 2 and 1");
    CHECK_THROWS_AS(gnp::select({v < 1}, std::tuple(bytes), 300), gnp::dtype_error);
    CHECK_THROWS_AS(gnp::choose(bytes, std::tuple(v, 2)).get(), gnp::index_error);
    CHECK_THROWS_AS(gnp::choose(bytes, std::tuple(gnp::zeros(3), 2)), gnp::shape_error);
  });
}

TEST_CASE("a part of what is computed for a statement is to read") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::arange(4.0).reshape(2, 2);
    static_assert(std::is_same_v<decltype(gnp::matmul(m, m)(0)), const array<double>>);
    static_assert(std::is_same_v<decltype(gnp::sum(m, 0)[0]), decltype(gnp::sum(m, 0))>);  // of a part
    static_assert(std::is_same_v<decltype(gnp::roll(m, 1).index({0})), const array<double>>);
    static_assert(std::is_same_v<decltype(m(0)), array<double>>);
    auto row = gnp::matmul(m, m)(1);
    row(0) = 5;
    CHECK(doubles(row) == list{5, 11});
    double total = 0;
    for (auto each : gnp::roll(m, 1, 0)) {
      each(0) = 10;  // of the row, which has the storage of what was rolled
      total += sum(each).item();
    }
    CHECK(total == 24);
  });
}

TEST_CASE("the method clip takes the lower bound alone") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray({-1.0, 0.5, 2.0});
    CHECK(doubles(x.clip(0)) == list{0, 0.5, 2});
    CHECK(doubles((x * 2).clip(x)) == list{-1, 1, 4});
    CHECK(doubles(asarray({-3, 4}).clip(1.5)) == list{1.5, 4});
    CHECK(doubles(asarray<std::uint8_t>({1, 2}).clip(-5)) == list{1, 2});
    CHECK(doubles(x.clip({.max = 0})) == list{-1, 0, 0});
  });
}

TEST_CASE("a bound of clip beyond the type bounds nothing") {
  for_each_device([](gnp::device) {
    const array<std::uint8_t> v = gnp::asarray<std::uint8_t>({0, 100, 255});
    static_assert(std::is_same_v<decltype(gnp::clip(v, 0, 300))::value_type, std::uint8_t>);
    CHECK(doubles(gnp::clip(v, 5, 300)) == list{5, 100, 255});
    CHECK(doubles(v.clip(-1, 200)) == list{0, 100, 200});
    CHECK(doubles((v / 2).clip(-1, 60)) == list{0, 50, 60});
    CHECK(doubles(gnp::clip(v, none, std::int64_t{1} << 40)) == list{0, 100, 255});
    CHECK(doubles(gnp::clip(v, -300, none)) == list{0, 100, 255});
    CHECK(doubles(gnp::clip(v, 0, 300.5)) == list{0, 100, 255});
    CHECK(doubles(gnp::clip(v.astype<std::int64_t>(), 3, std::uint64_t{1} << 63)) == list{3, 100, 255});
    CHECK(doubles(gnp::clip(v.astype<std::uint64_t>(), -3, ~std::uint64_t{})) == list{0, 100, 255});
    CHECK_THROWS_WITH(gnp::clip(v, 300, 400), "clip: the integer 300 is out of bounds for uint8");
    CHECK_THROWS_AS(gnp::clip(v, -9, -5), gnp::dtype_error);
    CHECK_THROWS_AS(gnp::clip(v, none, -1), gnp::dtype_error);
    CHECK_THROWS_AS(gnp::clip(v, 300, none), gnp::dtype_error);
  });
}

TEST_CASE("dot and inner with a number, roll by an array") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    CHECK(doubles(gnp::dot(v, 3)) == list{0, 3, 6, 9});
    CHECK(doubles(gnp::inner(0.5, v)) == list{0, 0.5, 1, 1.5});
    CHECK(doubles(v.dot(2)) == list{0, 2, 4, 6});
    CHECK(gnp::dot(2.5, gnp::arange<int>(3)).dtype() == gnp::dtype::float64);
    CHECK(doubles(gnp::roll(v, gnp::argmin(v) + 1)) == list{3, 0, 1, 2});
    CHECK(doubles(gnp::roll(v.reshape(2, 2), gnp::asarray({1, 1}), {0, 1})) == list{3, 2, 1, 0});
    CHECK_THROWS_AS(gnp::roll(v, gnp::asarray({{1}})), gnp::shape_error);
  });
}

TEST_CASE("a bound of clip may be none") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    CHECK(doubles(gnp::clip(v, none, 2)) == list{0, 1, 2, 2});
    CHECK(doubles((v + 1).clip(2, none)) == list{2, 2, 3, 4});
    CHECK(doubles(v.clip(none, v(1))) == list{0, 1, 1, 1});
  });
}

TEST_CASE("the bounds of clip go by name") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const int low = 1;
    CHECK(doubles(gnp::clip(v, {.min = low})) == list{1, 1, 2, 3});
    CHECK(doubles(gnp::clip(v, {.max = 1.5})) == list{0, 1, 1.5, 1.5});
    CHECK(doubles(gnp::clip(v, {.min = 1, .max = v(2)})) == list{1, 1, 2, 2});
    CHECK(doubles((v + 1).clip({.min = 2, .max = none})) == list{2, 2, 3, 4});
    CHECK(doubles(gnp::clip(v, gnp::clip_options{})) == doubles(v));
    const double nan = gnp::nan;
    CHECK(gnp::isnan(gnp::clip(gnp::asarray({nan, 1.0}), {.min = 0})).tolist() ==
          std::vector<bool>{true, false});
    CHECK(gnp::isnan(gnp::clip(v, {.min = nan})).all());
    const array<float> f = v;
    static_assert(std::is_same_v<decltype(gnp::clip(f, {.min = 0.1}))::value_type, float>);
    CHECK(gnp::clip(f, {.min = 0.1}).item(0) == 0.1F);
    CHECK(doubles(gnp::clip(v.astype<gnp::half>(), {.max = 1.5})) == list{0, 1, 1.5, 1.5});

    const array<std::uint8_t> bytes = gnp::asarray<std::uint8_t>({0, 100, 255});
    static_assert(std::is_same_v<decltype(bytes.clip({.min = 5}))::value_type, std::uint8_t>);
    CHECK(doubles(gnp::clip(bytes, {.min = 5})) == list{5, 100, 255});
    CHECK(doubles(bytes.clip({.min = -1, .max = 200})) == list{0, 100, 200});
    CHECK(doubles((bytes / std::uint8_t{1}).clip({.max = bytes(1).item()})) == list{0, 100, 100});
    CHECK_THROWS_WITH(gnp::clip(bytes, {.min = 300}), "clip: the integer 300 is out of bounds for uint8");
    const array<std::int64_t> large = gnp::asarray<std::int64_t>({std::int64_t{1} << 62, -5});
    CHECK(gnp::clip(large, {.min = (std::int64_t{1} << 62) + 1}).item(0) == (std::int64_t{1} << 62) + 1);
    CHECK_THROWS_WITH(gnp::clip(v, {.min = std::complex<double>(1, 1)}),
                      "clip: a bound of real numbers is real");
    CHECK_THROWS_AS(gnp::clip(v, {.min = v}), gnp::shape_error);
  });
}

TEST_CASE("modes and axes go by name") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    const array<double> ones = gnp::ones(3);
    const array<double> a = gnp::arange(6.0).reshape(2, 3);
    CHECK(doubles(gnp::convolve(v, ones, {.mode = "same"})) == list{1, 3, 6, 5});
    CHECK(doubles(gnp::correlate(v, ones, {.mode = "full"})) == list{0, 1, 3, 6, 5, 3});
    CHECK(doubles(gnp::tensordot(a, a, {.axes = 2})) == list{55});
    CHECK(doubles(gnp::tensordot(a, a, {.axes = {{0, 1}, {0, 1}}})) == list{55});
    CHECK(doubles(gnp::tensordot(a, a, {.axes = {0, 0}})) == list{9, 12, 15, 12, 17, 22, 15, 22, 29});
  });
}

// Computed before main(), on a GPU where there is one.
const array<double> made_before_main = gnp::arange<double>(3) * 2.0 + 1.0;

TEST_CASE("arrays can be computed before main") {
  CHECK(made_before_main.tolist() == std::vector<double>{1, 3, 5});
}

TEST_CASE("a C++ bool on the left of && and || decides as in Python") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::asarray({1.0, 2.0, 3.0});
    std::optional<array<double>> best;
    for (const auto row : gnp::asarray({{1.0, 2.0}, {4.0, 3.0}, {0.0, 1.0}}))
      if (!best || row.max() > best->max()) best = row;
    CHECK(best->tolist() == std::vector<double>{4, 3});
    gnp::index_t i = 0;
    while (i < x.size() && x(i) > 0.0) ++i;
    CHECK(i == 3);
    const array<bool> mask = x > 1.5;
    CHECK((mask && true).tolist() == std::vector<bool>{false, true, true});
    CHECK((mask || mask).tolist() == std::vector<bool>{false, true, true});
    CHECK_THROWS_AS(static_cast<void>(true && mask), gnp::error);
  });
}

TEST_CASE("rows are reached from the end, and lists of arrays outlive their expression") {
  for_each_device([](gnp::device) {
    const array<int> m = gnp::arange<int>(6).reshape(3, 2);
    CHECK((*std::prev(m.end())).tolist() == std::vector<int>{4, 5});
    CHECK(std::distance(m.begin(), m.end()) == 3);
    std::vector<int> found;
    for (const auto k : gnp::nonzero(m(1) > 2)[0]) found.push_back(static_cast<int>(k.item()));
    for (const auto v : gnp::split(m, 3)[2]) found.push_back(int(v.sum()));
    CHECK(found == std::vector<int>{1, 9});
    const auto& at = gnp::where(m(0) > 0)[0];
    CHECK(at.tolist() == std::vector<std::int64_t>{1});
    std::vector<array<int>> rows = gnp::split(m, 3);
    CHECK(gnp::array_equal(gnp::concatenate(gnp::split(m, 3)), m));
    CHECK(rows.size() == 3);
  });
}

TEST_CASE("bounds of linspace and geomspace may be sizes") {
  const gnp::index_t n = 5;
  CHECK(gnp::linspace(0, n - 1, 3).tolist() == std::vector<double>{0, 2, 4});
  CHECK(gnp::geomspace(1, n - 1, 3).tolist()[1] == 2);
}

TEST_CASE("elements that are the same memory are all read before one is written") {
  for_each_device([](gnp::device) {
    // Each window begins one further: every element but the ends is in two of them.
    const array<double> x = gnp::arange<double>(2000);
    const array<double> windows = gnp::as_strided(x, {1999, 2}, {8, 8});
    windows(gnp::ellipsis) += 1.0;
    CHECK(gnp::array_equal(x, gnp::arange<double>(2000) + 1.0));
    // Elements of their own, in whatever order: in place.
    const array<double> m = gnp::arange<double>(12).reshape(3, 4);
    m.T()(gnp::ellipsis) += 1.0;
    m(gnp::slice(gnp::none, gnp::none, 2), gnp::slice(gnp::none, gnp::none, -1)) *= 2.0;
    CHECK(m.tolist() == std::vector<double>{2, 4, 6, 8, 5, 6, 7, 8, 18, 20, 22, 24});
  });
}

TEST_CASE("the least number of counts by position") {
  const array<double> counts = gnp::bincount(gnp::asarray({0, 1, 1}), gnp::asarray({0.5, 0.5, 1.0}), 4);
  CHECK(counts.tolist() == std::vector<double>{0.5, 1.5, 0, 0});
}

TEST_CASE("members take a type and options, as functions do") {
  for_each_device([](gnp::device) {
    const array<int> n = gnp::arange<int>(6).reshape(2, 3);
    CHECK(std::is_same_v<decltype(n.sum<float>().item()), float>);
    CHECK(n.sum<double>(0).tolist() == std::vector<double>{3, 5, 7});
    CHECK(n.mean<float>(1, {.keepdims = true}).shape() == gnp::shape_t{2, 1});
    CHECK(std::is_same_v<decltype(n.mean<float>(1))::value_type, float>);
    CHECK(n.prod<double>({.axis = 1}).tolist() == std::vector<double>{0, 60});
    CHECK(n.var<float>().item() == gnp::var<float>(n).item());
    CHECK(n.std<float>(0, {.ddof = 1}).item(1) == gnp::std<float>(n, 0, {.ddof = 1}).item(1));
    CHECK((n * 1).cumsum<double>(1).tolist() == std::vector<double>{0, 1, 3, 3, 7, 12});
    CHECK(n(1).cumprod<float>().tolist() == std::vector<float>{3, 12, 60});
    // A narrow type wraps around, as in NumPy.
    using byte = std::uint8_t;
    const array<int> large = gnp::asarray({200, 100, 2});
    CHECK(gnp::cumsum<byte>(large).tolist() == std::vector<byte>{200, 44, 46});
    CHECK(large.cumprod<byte>().tolist() == std::vector<byte>{200, 32, 64});
    CHECK(gnp::cumulative_sum<std::int8_t>(large).tolist() == std::vector<std::int8_t>{-56, 44, 46});
    CHECK(gnp::cumsum<bool>(gnp::asarray({0, 2, 0})).tolist() == std::vector<bool>{false, true, true});
    CHECK(gnp::cumsum<gnp::half>(large).dtype() == gnp::dtype::float16);
    CHECK(gnp::searchsorted(gnp::asarray({1, 2, 2, 3}), {2, 0, 9}, "right").tolist() ==
          std::vector<gnp::index_t>{3, 0, 4});
    const auto places = gnp::ravel_multi_index({gnp::asarray({4, 1}), gnp::asarray({1, 9})}, {3, 4},
                                               {.mode = {"wrap", "clip"}});
    CHECK(places.tolist() == std::vector<gnp::index_t>{5, 7});
    CHECK_THROWS_WITH(gnp::ravel_multi_index({n, n, n}, {9, 9, 9}, {.mode = {"wrap", "clip"}}),
                      "ravel_multi_index: 2 modes for 3 axes");
    CHECK(array_equal(n.repeat(2, {.axis = 1}), gnp::repeat(n, 2, 1)));
    CHECK(array_equal(n.repeat({1, 2}, {.axis = 0}), gnp::repeat(n, {1, 2}, 0)));
    CHECK(array_equal(n.take({0, -1}, {.axis = 1}), n(gnp::all, {0, -1})));
    CHECK(array_equal(n.take(gnp::asarray({4, 7}), {.mode = "wrap"}), gnp::asarray({4, 1})));
  });
}

TEST_CASE("axes, diagonals and numbers of points go by name") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::arange(6.0).reshape(2, 3);
    const array<double> v = gnp::arange(3.0);
    CHECK(doubles(gnp::flip(a, {.axis = 0})) == list{3, 4, 5, 0, 1, 2});
    CHECK(gnp::squeeze(a.reshape(1, 2, 3), {.axis = 0}).shape() == shape_t{2, 3});
    CHECK(gnp::expand_dims(v, {.axis = 0}).shape() == shape_t{1, 3});
    CHECK(gnp::expand_dims(v, {.axis = {0, 2}}).shape() == shape_t{1, 3, 1});
    CHECK(gnp::expand_dims(v, {0, 2}).shape() == shape_t{1, 3, 1});
    CHECK_THROWS_AS(gnp::expand_dims(v, none), gnp::shape_error);
    const array<int> places = asarray<int>({{1, 0, 1}});
    CHECK(doubles(gnp::take_along_axis(a, places, {.axis = 0})) == list{3, 1, 5});
    const array<double> b = a.copy();
    gnp::put_along_axis(b, places, 9, {.axis = 0});
    CHECK(doubles(b) == list{0, 9, 2, 9, 4, 9});

    CHECK(doubles(gnp::diagonal(a, {.offset = 1})) == list{1, 5});
    CHECK(doubles(gnp::trace(a.reshape(1, 2, 3), {.axis1 = 1, .axis2 = 2})) == list{4});
    CHECK(doubles(gnp::eye(2, {.k = 1})) == list{0, 1, 0, 0});
    CHECK(doubles(gnp::eye<int>(2, 3, {.k = 1})) == list{0, 1, 0, 0, 0, 1});
    CHECK(doubles(gnp::tril(a, {.k = -1})) == list{0, 0, 0, 3, 0, 0});
    CHECK(doubles(gnp::triu(a, {.k = 1})) == list{0, 1, 2, 0, 0, 5});
    CHECK(gnp::diag(v, {.k = -1}).shape() == shape_t{4, 4});

    CHECK(doubles(gnp::linspace(0, 1, {.num = 3})) == list{0, 0.5, 1});
    CHECK(doubles(gnp::linspace<float>(0, 1, {.num = 2, .endpoint = false})) == list{0, 0.5});
    CHECK(gnp::linspace(0, 1, {.endpoint = false}).shape() == shape_t{50});
    CHECK(doubles(gnp::histogram(v, {.density = true}).hist)[0] == Approx(5. / 3));
  });
}

TEST_CASE("options stand in the order of NumPy's signatures") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(3.0);
    const auto [x, y] = gnp::meshgrid(v, v(slice(2)), {.copy = true, .sparse = true, .indexing = "ij"});
    CHECK(x.shape() == shape_t{3, 1});
    CHECK(y.shape() == shape_t{1, 2});
    const array<int> n = asarray<int>({{2, 1}, {2, 1}});
    const auto [rows, counts] = gnp::unique(n, {.return_counts = true, .axis = 0});
    CHECK(doubles(rows) == list{2, 1});
    CHECK(doubles(counts) == list{2});
  });
}

TEST_CASE("a delimiter is a character or a text of one") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/table.csv";
  std::ofstream(path) << "1,2\n3,4\n";
  CHECK(doubles(gnp::loadtxt(path, {.delimiter = ","})) == list{1, 2, 3, 4});
  CHECK(doubles(gnp::genfromtxt(path, {.delimiter = std::string(",")})) == list{1, 2, 3, 4});
  CHECK_THROWS_WITH(gnp::loadtxt(path, {.delimiter = ", "}), "a delimiter is one character, got ', '");
  CHECK(doubles(gnp::loadtxt(path, {.comments = '#', .delimiter = ',', .usecols = 1})) == list{2, 4});
  gnp::savetxt(path, asarray({{1, 2}, {3, 4}}), {.fmt = "%d", .delimiter = ';'});
  CHECK(doubles(gnp::loadtxt(path, {.delimiter = ';', .usecols = {1, 0}})) == list{2, 1, 4, 3});
  gnp::savetxt(path, asarray({0.256, 3.0}), "%.1f");
  CHECK(doubles(gnp::loadtxt(path)) == list{0.3, 3});
  gnp::savetxt(path, asarray({{1, 2}}), std::string("%d"), ';');
  CHECK(doubles(gnp::loadtxt(path, {.delimiter = ';'})) == list{1, 2});
}

TEST_CASE("a list in braces is one of several indices") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::arange(12.0).reshape(3, 4);
    CHECK(doubles(m({0, 1}, {1, 2})) == list{1, 6});
    CHECK(doubles(m(gnp::all, {0, 2})) == list{0, 2, 4, 6, 8, 10});
    CHECK(doubles(m({2, 0}, 1)) == list{9, 1});
    CHECK(doubles((m + 1)(-1, {3, 0})) == list{12, 9});
    const array<double> t = gnp::arange(24.0).reshape(2, 3, 4);
    CHECK(doubles(t(gnp::all, 0, {3, 0})) == list{3, 0, 15, 12});
    CHECK(t(gnp::all, gnp::all, {2, 1, 0}).shape() == shape_t{2, 3, 3});
    CHECK(doubles(t(gnp::all, {0, 2}, 1)) == list{1, 9, 13, 21});
    CHECK(doubles(t({1}, 0, slice(2))) == list{12, 13});
    m(gnp::all, {0, 2}) = -1.0;
    m(0, {1, 3}) += 100;
    CHECK(doubles(m) == list{-1, 101, -1, 103, -1, 5, -1, 7, -1, 9, -1, 11});
    const array<double> y = gnp::arange(4.0);
    y({0, 2}) = {5, 6};
    CHECK(doubles(y) == list{5, 1, 6, 3});
    y(y > 4) = {7, 8};
    CHECK(doubles(y) == list{7, 1, 8, 3});
    CHECK_THROWS_AS((y({0, 2}) = {1, 2, 3}), gnp::shape_error);
    m(0) = {1, 2, 3, 4};
    m(1, slice(2)) = {0.5, 7};
    m(2) += {1, 1, 2, 2};
    m(gnp::all, 3) -= {1, 2, 3};
    CHECK(doubles(m) == list{1, 2, 3, 3, 0.5, 7, -1, 5, 0, 10, 1, 10});
    m(slice(1, 3), slice(2)) = {{1, 2}, {3, 4}};
    CHECK(doubles(m) == list{1, 2, 3, 3, 1, 2, -1, 5, 3, 4, 1, 10});
    CHECK_THROWS_AS((m(0) = {1, 2, 3}), gnp::shape_error);
    CHECK_THROWS_AS(doubles(m(0, {1, 4})), gnp::index_error);
    const array<int> k = asarray({1, 2});
    CHECK(doubles(y({k(0), k(1)})) == list{1, 8});
    const std::string instead =
        ": index arrays in braces: write a(i, j) for one per axis, stack({i, j}) for rows";
    CHECK_THROWS_WITH(m({k, k}), "index" + instead);
    CHECK_THROWS_WITH(gnp::take(m, {k, k}), "take" + instead);
    CHECK_THROWS_WITH(gnp::put(m, {k, k}, {1, 2}), "put" + instead);
  });
}

TEST_CASE("a list in braces beside an array") {
  for_each_device([](gnp::device) {
    CHECK(doubles(gnp::diag({1, 2})) == list{1, 0, 0, 2});
    CHECK(doubles(gnp::diag({1.5}, -1)) == list{0, 0, 1.5, 0});
    const array<double> x = asarray({1.0, 2.5});
    CHECK(gnp::allclose(x, {1, 2.5}));
    CHECK_FALSE(gnp::allclose(x, {1, 2}));
    CHECK(gnp::allclose(x, {1.1, 2.5}, {.rtol = 0.2}));
    CHECK(gnp::array_equal(x, {1, 2.5}));
    CHECK_FALSE(gnp::array_equal(x, {1, 2, 3}));
    CHECK(gnp::array_equal(gnp::diag(x), {{1.0, 0.0}, {0.0, 2.5}}));
    CHECK(gnp::allclose(gnp::diag(x), {{1.0, 0.0}, {0.0, 2.5}}));
    CHECK(gnp::dot(x, {2, 2}).item() == 7);
    CHECK(doubles(gnp::matmul(gnp::diag(x), {2, 0.5})) == list{2, 1.25});
    CHECK(doubles(gnp::kron({1.0, 2.0}, x)) == list{1, 2.5, 2, 5});
    CHECK(doubles(gnp::cross(asarray({1.0, 2.0, 3.0}), {0, 0, 1})) == list{2, -1, 0});
  });
}

TEST_CASE("partition takes any number of places") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange(40.0)(gnp::slice(gnp::none, gnp::none, -1));
    std::vector<std::int64_t> places(20);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i);
    const array<double> parted = gnp::partition(x, places);
    CHECK(gnp::array_equal(parted(gnp::slice(20)), gnp::arange(20.0)));
    CHECK(gnp::argpartition(x, {0, -1})(0).item() == 39);
  });
}

TEST_CASE("several indices of add_at, sets beside lists, arrays by name") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray({{0.0, 1.0}, {2.0, 0.0}});
    gnp::add_at(x, gnp::nonzero(x), 10);
    CHECK(doubles(x) == list{0, 11, 12, 0});
    const array<std::int64_t> twice = asarray<std::int64_t>({1, 1});
    gnp::add_at(x, std::tuple(twice, 0), 1);
    CHECK(doubles(x) == list{0, 11, 14, 0});
    gnp::ufuncs::subtract.at(x, gnp::nonzero(x > 12), 4);
    CHECK(doubles(x) == list{0, 11, 10, 0});
    // Arrays in braces are one for each axis; what has no axis is a number, which chooses a row.
    const array<double> grid = gnp::zeros<double>({2, 3});
    const array<int> ends = asarray({0, 2});
    gnp::add_at(grid, {twice, ends}, 1);
    gnp::add_at(grid, {asarray({0}), asarray({1})}, 2);
    gnp::add_at(grid, {twice, 2}, 4);
    CHECK(doubles(grid) == list{0, 2, 0, 1, 0, 9});
    gnp::ufuncs::maximum.at(grid, {asarray({0}), asarray({0})}, 1);
    gnp::maximum_at(grid, {ends(0), 0}, 1);
    CHECK(doubles(grid) == list{1, 2, 1, 1, 0, 9});
    const array<std::uint64_t> wrapped = asarray<std::uint64_t>({0, ~std::uint64_t{0}});
    CHECK_THROWS_AS((gnp::add_at(grid, {wrapped, ends}, 1), gnp::synchronize(grid.device())), gnp::index_error);
    const array<int> k = asarray({3, 1, 2});
    CHECK(doubles(gnp::intersect1d(k, {1, 5})) == list{1});
    CHECK(doubles(gnp::union1d(k, {1, 5})) == list{1, 2, 3, 5});
    CHECK(doubles(gnp::setdiff1d(k, {1, 5})) == list{2, 3});
    CHECK(doubles(gnp::setxor1d(k, {1, 5})) == list{2, 3, 5});
    const array<int> picked = gnp::random::choice({4, 5, 6}, 7);
    CHECK(picked.shape() == shape_t{7});
    CHECK(gnp::all(gnp::isin(picked, {4, 5, 6})).item());
    // Options may follow what is chosen from: they are no shape.
    const array<double> m = gnp::arange(12.0).reshape(3, 4);
    CHECK(gnp::random::choice(m, {.axis = 1}).shape() == shape_t{3});
    CHECK(gnp::random::choice(m, {.replace = false}).shape() == shape_t{4});
    CHECK(gnp::random::choice(m, {2}, {.axis = 1}).shape() == shape_t{3, 2});
    CHECK(gnp::random::choice(m, {2, 3}).shape() == shape_t{2, 3, 4});
    CHECK(gnp::random::integers(3, 3, {.endpoint = true}).item() == 3);
    CHECK(gnp::random::integers(0, {.endpoint = true}).item() == 0);
    CHECK(gnp::random::integers(3, 3, {2, 2}, {.endpoint = true}).shape() == shape_t{2, 2});
    CHECK(gnp::random::integers(3, 3, {}, {.endpoint = true}).item() == 3);
    CHECK(gnp::random::integers(7, {}).ndim() == 0);
    const array<double> y = gnp::arange(5.0);
    CHECK_THROWS_WITH(gnp::trapezoid(y, gnp::ones({3})),
                      "trapezoid: x of shape (3,) does not fit y of shape (5,)");
    CHECK_THROWS_WITH(gnp::percentile(y, 150), contains("got 150"));
    const auto [low, high] = gnp::unstack<2>(asarray({{1.0, 2.0}, {3.0, 4.0}}));
    CHECK(doubles(high) == list{3, 4});
    CHECK(doubles(gnp::unstack<2>(asarray({{1.0, 2.0}, {3.0, 4.0}}), 1)[0]) == list{1, 3});
    CHECK(low.shape() == shape_t{2});
    CHECK_THROWS_WITH(gnp::unstack<3>(k(slice(2))), "unstack: 3 arrays were asked for, but the axis has 2");
  });
}

TEST_CASE("files of arrays are read by name in brackets") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/two.npz";
  gnp::savez(path, asarray({1, 2}), asarray({0.5}) * 3);
  const gnp::npz_file file = gnp::load_npz(path);
  CHECK(file.names() == std::vector<std::string>{"arr_0", "arr_1"});
  CHECK(doubles(file["arr_1"].get<double>()) == list{1.5});
  gnp::savez_compressed(path, asarray({7}));
  CHECK(doubles(gnp::load_npz(path)["arr_0"].get<int>()) == list{7});
}

TEST_CASE("what NumPy's programs name") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray({2.55, 1.04, 0.0});
    CHECK(doubles(gnp::round(x, {.decimals = 1})) == list{2.6, 1, 0});
    CHECK(doubles(x.round({.decimals = -1})) == list{0, 0, 0});
    CHECK(doubles(gnp::around(x, {.decimals = 0})) == list{3, 1, 0});
    CHECK(doubles(gnp::argsort(x, {.kind = "stable"})) == list{2, 1, 0});
    CHECK(doubles(gnp::sort(x, {.stable = true, .descending = true})) == list{2.55, 1.04, 0});
    CHECK_THROWS_WITH(gnp::sort(x, {.kind = "bubble"}), contains("kind must be") && contains("'bubble'"));
    CHECK(doubles(gnp::fft::fftfreq(4, {.d = 0.5})) == list{0, 0.5, -1, -0.5});
    CHECK(doubles(gnp::fft::rfftfreq(4, {.d = 0.5})) == list{0, 0.5, 1});
    CHECK(doubles(gnp::rot90(asarray({{1, 2}, {3, 4}}), {.k = 2})) == list{4, 3, 2, 1});
    CHECK(gnp::allclose(gnp::logspace(0, 3, {.num = 4}), {1, 10, 100, 1000}));
    CHECK(gnp::allclose(gnp::geomspace(1, 1000, {.num = 4}), {1, 10, 100, 1000}));
  });
}

TEST_CASE("functions of plain numbers are plain numbers") {
  static_assert(std::same_as<decltype(gnp::sqrt(2.0F)), float>);
  static_assert(std::same_as<decltype(gnp::sqrt(4)), double>);
  static_assert(std::same_as<decltype(gnp::power(2, 10)), int>);
  static_assert(std::same_as<decltype(gnp::maximum(1, 2.5)), double>);
  static_assert(std::same_as<decltype(gnp::abs(std::complex<float>())), float>);
  static_assert(gnp::maximum(1, 2) == 2);
  CHECK(gnp::sqrt(4) == 2.0);
  CHECK(gnp::power(2, 10) == 1024);
  CHECK(gnp::floor_divide(-7, 2) == -4);
  CHECK(gnp::abs(std::complex<double>(3, 4)) == 5.0);
  CHECK(gnp::isnan(gnp::nan));
  CHECK(gnp::clip(5, 0, 3) == 3);
  CHECK(gnp::round(2.5) == 2.0);
  CHECK(gnp::round(2.675F, 2) == 2.68F);  // numpy.round(numpy.float32(2.675), 2)
  CHECK(gnp::round(1250, -2) == 1200);
  CHECK(gnp::isclose(1.0, 1.0 + 1e-9));
  CHECK_FALSE(gnp::allclose(1, 2));
  // The standard library's functions are still the ones for numbers where both are visible.
  using gnp::sqrt;
  using std::sqrt;
  static_assert(std::same_as<decltype(sqrt(2)), double>);
  static_assert(std::same_as<decltype(sqrt(std::complex<double>())), std::complex<double>>);
}

TEST_CASE("a list of arrays prints") {
  for_each_device([](gnp::device) {
    std::ostringstream out;
    out << gnp::nonzero(asarray({{0, 1}, {2, 0}})) << std::vector<array<int>>();
    CHECK(out.str() == "([0 1], [1 0])()");
  });
}

TEST_CASE("several results print as a tuple") {
  for_each_device([](gnp::device) {
    const array<int> n = asarray<int>({3, 1, 3});
    std::ostringstream out;
    out << gnp::unique(n, {.return_counts = true}) << gnp::unique_all(n) << gnp::histogram(n, {0, 2, 4});
    CHECK(out.str() == "([1 3], [1 2])([1 3], [1 0], [1 0 1], [1 2])([1 2], [0 2 4])");
  });
}

TEST_CASE("a window is at most as long as its axis") {
  for_each_device([](gnp::device) {
    const array<double> v = gnp::arange(4.0);
    CHECK(gnp::sliding_window_view(v, 4).shape() == shape_t{1, 4});
    CHECK_THROWS_WITH(
        gnp::sliding_window_view(v, 5),
        "sliding_window_view: window shape cannot be larger than input array shape, got (5,) for (4,)");
  });
}

TEST_CASE("sums in a type that is named have it") {
  for_each_device([](gnp::device) {
    const array<std::int8_t> x = asarray<std::int8_t>({100, 100});
    CHECK(std::is_same_v<decltype(gnp::sum<std::int8_t>(x).eval()), array<std::int8_t>>);
    CHECK(gnp::sum<std::int8_t>(x).item() == -56);
    CHECK(gnp::prod<std::uint8_t>(asarray<std::uint8_t>({16, 17})).item() == 16);
    CHECK(gnp::sum<bool>(asarray<std::int8_t>({1, 2})).item());
    CHECK_FALSE(gnp::sum<bool>(asarray<std::int8_t>({0, 0})).item());
    CHECK(gnp::sum(x).item() == 200);
    CHECK(std::is_same_v<decltype(gnp::sum(x).eval()), array<std::int64_t>>);
    const array<int> rows = gnp::sum<int>(gnp::ones<std::int16_t>({3, 40000}) * 30000, 1);
    CHECK(gnp::all(rows == 1200000000));
  });
}

TEST_CASE("choose takes numbers, and add_at a mask") {
  for_each_device([](gnp::device) {
    const array<int> n = asarray<int>({0, 2, 1, 2});
    const array<std::int64_t> chosen = gnp::choose(n, {10, 20, 30});
    CHECK(gnp::array_equal(chosen, asarray({10, 30, 20, 30})));
    CHECK(gnp::array_equal(gnp::choose(n, {0.5, 1.5}, {.mode = "clip"}), asarray({0.5, 1.5, 1.5, 1.5})));
    CHECK_THROWS_AS((gnp::choose(n, {10, 20}), gnp::synchronize()), gnp::index_error);

    array<int> x = asarray<int>({7, -7, 3, 12});
    gnp::add_at(x(x > 5), 5);
    CHECK(gnp::array_equal(x, asarray<int>({12, -7, 3, 17})));
    gnp::multiply_at(x(x < 5), asarray<int>({2, 3}));
    CHECK(gnp::array_equal(x, asarray<int>({12, -14, 9, 17})));
  });
}

TEST_CASE("offsets and constants by name") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::arange<double>(9).reshape({3, 3});
    CHECK(gnp::linalg::trace(a, {.offset = 1}).item() == 6);
    CHECK(gnp::array_equal(gnp::linalg::diagonal(a, {.offset = -1}), asarray({3.0, 7.0})));
    CHECK(gnp::allclose(gnp::polyint(asarray({1.0}), 2, {.k = 3}), asarray({0.5, 3.0, 3.0})));
  });
}

TEST_CASE("numbers in errors are written as short as they are") {
  const auto message = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const gnp::error& e) {
      return e.what();
    }
    return "";
  };
  const array<double> x = gnp::arange<double>(5);
  CHECK(message([&] { return gnp::quantile(x, 1.5); }).ends_with("got 1.5"));
  CHECK(message([&] { return gnp::histogram(x, 3, {.range = {5, 1e-7}}); }).ends_with("got [5, 1e-07]"));
  CHECK(message([&] { return gnp::arange(0.0, gnp::nan); }).find("from 0 to nan by 1") != std::string::npos);
  CHECK(gnp::detail::shown(0.1) == "0.1");
  CHECK(gnp::detail::shown(1.0 / 3) == "0.3333333333333333");
}

TEST_CASE("polynomials in braces and in vectors") {
  for_each_device([](gnp::device) {
    const array<double> p = asarray({1.0, 2.0});
    CHECK(doubles(gnp::polymul({1, 0, 0, -1}, p)) == list{1, 2, 0, -1, -2});
    CHECK(doubles(gnp::polymul(p, {1, 0.5})) == list{1, 2.5, 1});
    CHECK(doubles(gnp::polyadd({0.5, 2}, {1, 1, 1})) == list{1, 1.5, 3});
    CHECK(doubles(gnp::polysub(std::vector<int>{1, 2}, std::vector<double>{3})) == list{1, -1});
    const auto [q, r] = gnp::polydiv({1, 0, -1}, {1, 1});
    CHECK(doubles(q) == list{1, -1});
    CHECK(doubles(r) == list{0});
  });
}

TEST_CASE("arrays of indices: as many as are named, of any type, by name") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::arange(12.0).reshape(3, 4);
    const auto [row, column] = gnp::unravel_index<2>(a.argmax(), a.shape());
    CHECK(row.item() == 2);
    CHECK(column.item() == 3);
    CHECK_THROWS_AS(gnp::unravel_index<2>(5, {3, 4, 5}), gnp::shape_error);
    const std::vector<array<int>> parts{asarray({0, 1}), asarray({1, 2})};
    CHECK(doubles(gnp::ravel_multi_index(parts, {3, 4})) == list{1, 6});
    CHECK(gnp::ravel_multi_index(gnp::unravel_index<2>(5, {3, 4}), {3, 4}).item() == 5);
    CHECK(doubles(gnp::triu_indices(3, {.k = 1})[1]) == list{1, 2, 2});
    CHECK(doubles(gnp::tril_indices(3, {.k = -1, .m = 4})[0]) == list{1, 2, 2});
    CHECK(doubles(gnp::triu_indices_from(a, {.k = 2})[1]) == list{2, 3, 3});
    CHECK(doubles(gnp::tril_indices_from(a, {.k = -2})[1]) == list{0});
    CHECK(gnp::indices(2, 3).shape() == shape_t{2, 2, 3});
    CHECK_THROWS_WITH(gnp::repeat(a, {1, 2}),
                      "repeat: counts of shape (2,) do not fit the 12 elements of the flattened array");
  });
}

TEST_CASE("truth values in braces are a mask") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::arange(3.0);
    x({true, false, true}) = 7;
    CHECK(doubles(x) == list{7, 1, 7});
    CHECK(doubles(x({false, true, true})) == list{1, 7});
    CHECK(doubles(x({1, 0})) == list{1, 7});
  });
}

TEST_CASE("NumPy's places for a side, an endpoint and several arrays") {
  for_each_device([](gnp::device) {
    const array<double> a = asarray({1., 2., 2., 3.});
    CHECK(doubles(gnp::searchsorted(a, asarray({2., 0.}), "right")) == list{3, 0});
    CHECK(gnp::searchsorted(a, 2.0, "left").item() == 1);
    CHECK_THROWS_AS(gnp::searchsorted(a, 2.0, "middle"), gnp::error);
    CHECK(doubles(gnp::linspace(0, 1, 4, false)) == list{0, 0.25, 0.5, 0.75});
    CHECK(doubles(gnp::linspace(0, 1, 3, true)) == list{0, 0.5, 1});
    const auto [row, column] = gnp::atleast_2d(a, a.reshape(4, 1));
    CHECK(row.shape() == shape_t{1, 4});
    CHECK(column.shape() == shape_t{4, 1});
    CHECK(a.shape() + row.shape() == shape_t{4, 1, 4});
    CHECK(gnp::as_strided(a, {2, 2}, a.strides() + a.strides())(1, 1) == 2);
  });
}

TEST_CASE("lists in braces in formulas, products and masks") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::asarray({1.0, 2.0, 3.0});
    const array<int> n = gnp::asarray({3, 1, 2});
    const array<double> m = gnp::asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
    const array<bool> c = x > 1.5;
    CHECK(doubles(gnp::maximum(x, {1, 5, 2})) == list{1, 5, 3});
    CHECK(doubles(gnp::minimum({1, 5, 2}, x + 0)) == list{1, 2, 2});
    CHECK(doubles(gnp::minimum(n, {1.5, 2, 3})) == list{1.5, 1, 2});
    CHECK(gnp::fmax(x, {{1}, {5}}).shape() == shape_t{2, 3});
    CHECK(gnp::fmin(n, {1, 5, 2}).dtype() == gnp::dtype::int32);
    CHECK(doubles(gnp::isclose(x, {1, 2.5, 3})) == list{1, 0, 1});
    CHECK(doubles(gnp::where(c, {1, 2, 3}, -x)) == list{-1, 2, 3});
    CHECK(doubles(gnp::where(c, 0, {1, 2.5, 3})) == list{1, 0, 0});
    CHECK(doubles(gnp::where(x > 1.5, {1, 2, 3}, {4, 5, 6})) == list{4, 2, 3});
    CHECK(doubles(gnp::where({true, false, true}, x, 0)) == list{1, 0, 3});

    CHECK(doubles(gnp::cross({1, 0, 0}, {0, 1, 0})) == list{0, 0, 1});
    CHECK(doubles(gnp::cross({1, 0, 0.5}, {0, 1, 0})) == list{-0.5, 0, 1});
    CHECK(gnp::dot({1, 2, 3}, {4, 5, 6}).item() == 32);
    CHECK(gnp::outer({1, 2}, {3, 4}).shape() == shape_t{2, 2});
    CHECK(doubles(gnp::matmul({{1, 2}, {3, 4}}, {1, 1})) == list{3, 7});
    // Braces in braces are rows, even where each has one number.
    CHECK(gnp::matmul(m, {{1}, {2}, {3}}).shape() == shape_t{2, 1});
    CHECK(doubles(gnp::matmul({{1, 0.5}}, m)) == list{3, 4.5, 6});

    CHECK(doubles(m(gnp::all, {true, false, true})) == list{1, 3, 4, 6});
    CHECK(doubles(m({true, false}, gnp::all)) == list{1, 2, 3});
    CHECK(doubles((m + 1)({false, true}, 0)) == list{5});
    const array<double> written = m.copy();
    written(gnp::all, {true, false, true}) = 0;
    CHECK(doubles(written) == list{0, 2, 0, 0, 5, 0});

    CHECK(doubles(gnp::isin(x, std::set<double>{1, 2})) == list{1, 1, 0});
  });
}

TEST_CASE("lists in braces and sizes of mixed integers for functions of libraries") {
  const gnp::use_device guard(gnp::device::cpu());  // the simulated GPU has no libraries
  CHECK(doubles(gnp::linalg::solve({{3, 1}, {1, 2}}, {9, 8})) == list{2, 3});
  CHECK(gnp::linalg::solve({{3, 1}, {1, 2}}, {{9}, {8}}).shape() == shape_t{2, 1});
  CHECK(gnp::linalg::solve(gnp::eye(2), {{1}, {2}}).shape() == shape_t{2, 1});
  CHECK(gnp::dot(gnp::arange<double>(3), {{1}, {2}, {3}}).shape() == shape_t{1});
  CHECK(double(gnp::linalg::norm({3, 4})) == Approx(5));
  CHECK(double(gnp::linalg::norm({3.0, 4.0})) == Approx(5));
  CHECK(double(gnp::linalg::det({{1, 2}, {3, 4}})) == Approx(-2));
  CHECK(gnp::allclose(gnp::linalg::inv({{1.0, 2.0}, {3.0, 4.0}}), asarray({{-2.0, 1.0}, {1.5, -0.5}})));
  const array<double> m = gnp::ones({2, 3});
  CHECK(gnp::fft::fft2(m, {m.shape(0), 4}).shape() == shape_t{2, 4});
  CHECK(gnp::fft::rfftn(m, {4, m.shape(1)}, {0, 1}).shape() == shape_t{4, 2});
  CHECK(gnp::fft::ifft2(m, {2, 4}).shape() == shape_t{2, 4});
  CHECK(gnp::fft::fft2(m, {.s = {4, 4}}).shape() == shape_t{4, 4});
  CHECK(gnp::fft::fftn(m, {}).shape() == shape_t{2, 3});
}

TEST_CASE("lines of a grid in vectors") {
  for_each_device([](gnp::device) {
    const std::vector<double> v{1, 2, 3};
    const auto [x, y] = gnp::meshgrid(v, std::vector{5, 6});
    CHECK(doubles(x) == list{1, 2, 3, 1, 2, 3});
    CHECK(doubles(y) == list{5, 5, 5, 6, 6, 6});
  });
}

TEST_CASE("a stream's floatfield changes how arrays print") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::asarray({1.0, 0.25, 300.0});
    const auto printed = [](const auto& a, int digits, auto field) {
      std::ostringstream out;
      out << field << std::setprecision(digits) << a;
      return out.str();
    };
    CHECK(printed(x, 2, std::scientific) == "[1.00e+00 2.50e-01 3.00e+02]");
    CHECK(printed(x, 6, std::scientific) == "[1.000000e+00 2.500000e-01 3.000000e+02]");
    CHECK(printed(x * 0, 1, std::scientific) == "[0.0e+00 0.0e+00 0.0e+00]");
    CHECK(printed(x, 2, std::fixed) == "[  1.00   0.25 300.00]");
    CHECK(printed(gnp::asarray({1, 2}), 2, std::scientific) == "[1 2]");
    CHECK(gnp::array2string(gnp::asnumpy(x), {.scientific = true}) == "[1.0e+00 2.5e-01 3.0e+02]");
  });
}

TEST_CASE("complex numbers in braces are converted to the type that is named") {
  for_each_device([](gnp::device) {
    using namespace std::complex_literals;
    using gnp::complex128;
    using gnp::complex64;
    const array<complex64> mixed = asarray<complex64>({1i, 2});
    CHECK(mixed(0).item() == complex64(0, 1));
    CHECK(mixed(1).item() == complex64(2, 0));
    const array<complex64> rows = asarray<complex64>({{1i, 2.0}, {3, 4i}});
    CHECK(rows.shape() == shape_t{2, 2});
    CHECK(rows(1, 0).item() == complex64(3, 0));
    CHECK(rows(1, 1).item() == complex64(0, 4));
    CHECK(asarray<complex64>({complex128(1, 2), complex128(1, 3)})(1).item() == complex64(1, 3));
    CHECK(asarray<complex128>({complex64(1, 2), complex64(1, 3)})(1).item() == complex128(1, 3));
    CHECK(asarray<complex128>({1, complex64(1, 3), 2i})(2).item() == complex128(0, 2));
  });
}

TEST_CASE("edges of differences in braces, and none for what interp leaves out") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray({1.0, 2.0, 4.0});
    CHECK(doubles(gnp::ediff1d(x, {.to_begin = {0, 1}})) == list{0, 1, 1, 2});
    CHECK(doubles(gnp::ediff1d(x, {.to_end = {-9.5, 1, 2}, .to_begin = 7})) == list{7, 1, 2, -9.5, 1, 2});
    CHECK(doubles(gnp::diff(x.astype<float>(), {.prepend = {0, 0.5}})) == list{0.5, 0.5, 1, 2});
    CHECK(doubles(gnp::diff(x.astype<std::int8_t>(), {.append = {4, 5}})) == list{1, 2, 0, 1});
    CHECK_THROWS_AS(gnp::diff(x.astype<std::int8_t>(), {.append = {4, 500}}), gnp::dtype_error);
    const auto at = asarray({0.0, 1.5, 9.0});
    CHECK(doubles(gnp::interp(at, x, x, {.left = -9, .period = none})) == list{-9, 1.5, 4});
    CHECK(doubles(gnp::interp(at, x, x, {.left = none, .right = 5})) == list{1, 1.5, 5});
    CHECK(doubles(gnp::interp(at, {0, 5}, {0, 5}, {.period = 10})) == list{0, 1.5, 1});
  });
}

TEST_CASE("swap swaps the names of two arrays") {
  for_each_device([](gnp::device) {
    array<double> p = asarray({1.0, 2.0});
    array<double> q = asarray({3.0});
    const double* const values = p.data();
    swap(p, q);
    CHECK(q.data() == values);
    CHECK(doubles(p) == list{3});
    using std::swap;
    swap(p, q);
    CHECK(p.data() == values);
    std::vector<array<double>> all{p, q};
    std::reverse(all.begin(), all.end());
    CHECK(all[1].data() == values);
  });
}
