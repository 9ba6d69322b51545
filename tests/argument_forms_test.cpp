// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// The forms in which NumPy takes an argument: masks, slices, lists and vectors where an array or an integer is
// usual, and results that are unpacked as tuples.
#include <complex>
#include <fstream>
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
using list = std::vector<double>;
using whole = std::vector<std::int64_t>;

template <class X>
list doubles(const X& x) {
  return array<double>(x.template astype<double>()).tolist();
}

GNP_UFUNC(sum_and_difference, (x, y), results(x + y, x - y));

}  // namespace

TEST_CASE("insert takes masks and slices") {
  for_each_device([](gnp::device) {
    const auto a = asarray({1.0, 2.0, 3.0, 4.0});
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    CHECK(doubles(gnp::insert(a, a > 2, 9)) == list{1, 2, 9, 3, 9, 4});
    CHECK(doubles(gnp::insert(a, {true, false}, 9)) == list{9, 1, 2, 3, 4});
    CHECK(doubles(gnp::insert(a, std::vector<bool>{true, true}, {8, 9})) == list{8, 1, 9, 2, 3, 4});
    CHECK(doubles(gnp::insert(a, a > 5, 9)) == doubles(a));
    CHECK(doubles(gnp::insert(a, {1, 0}, {8, 9})) == list{9, 1, 8, 2, 3, 4});
    CHECK(doubles(gnp::insert(a, slice(1, 3), {8, 9})) == list{1, 8, 2, 9, 3, 4});
    CHECK(doubles(gnp::insert(a, slice(none, none, -2), {7, 8})) == list{1, 8, 2, 3, 7, 4});
    CHECK(doubles(gnp::insert(a, slice(2, 2), 9)) == doubles(a));
    CHECK(doubles(gnp::insert(m, slice(none, none, 2), 9, {.axis = 1})) == list{9, 0, 1, 9, 2, 9, 3, 4, 9, 5});
    CHECK(doubles(gnp::insert(m, {false, true}, {7, 8, 9}, 0)) == list{0, 1, 2, 7, 8, 9, 3, 4, 5});
    CHECK(doubles(gnp::insert(m, 1, {8, 9}, 1)) == list{0, 8, 1, 2, 3, 9, 4, 5});
    CHECK(doubles(gnp::insert(m, 1, std::vector<double>{7, 8, 9}, 0)) == list{0, 1, 2, 7, 8, 9, 3, 4, 5});
    CHECK(doubles(gnp::insert(m, {1}, {{8}, {9}}, 1)) == list{0, 8, 1, 2, 3, 9, 4, 5});
    CHECK_THROWS_WITH(gnp::insert(m, m > 2, 9), contains("insert: a mask has one axis, got shape (2, 3)"));
  });
}

TEST_CASE("delete_ takes masks and slices") {
  for_each_device([](gnp::device) {
    const auto a = asarray({1.0, 2.0, 3.0, 4.0});
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const array<bool> mask = a > 2;
    CHECK(doubles(gnp::delete_(a, mask)) == list{1, 2});
    CHECK(doubles(gnp::delete_(a, a > 2)) == list{1, 2});
    CHECK(doubles(gnp::delete_(a, {true, false, true, false})) == list{2, 4});
    CHECK(doubles(gnp::delete_(a, std::vector<bool>{true, true, true, true})).empty());
    CHECK(doubles(gnp::delete_(a, {1, 0})) == list{3, 4});
    CHECK(doubles(gnp::delete_(m, {true, false, true}, {.axis = 1})) == list{1, 4});
    CHECK(doubles(gnp::delete_(m, {true, false}, 0)) == list{3, 4, 5});
    CHECK(doubles(gnp::delete_(m, slice(none, none, 2), 1)) == list{1, 4});
    CHECK(doubles(gnp::delete_(m, m.ravel() > 1)) == list{0, 1});
    CHECK(gnp::delete_(gnp::zeros({0}), gnp::zeros<bool>({0})).size() == 0);
    CHECK_THROWS_WITH(gnp::delete_(a, {true, false}),
                      contains("delete_: a mask of shape (2,) for axis 0 with size 4"));
    CHECK_THROWS_WITH(gnp::delete_(m, m > 1),
                      contains("delete_: a mask of shape (2, 3) for axis 0 with size 6"));
  });
}

TEST_CASE("ix_ takes masks and lists together") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const auto rows = asarray({false, true});
    CHECK(doubles(m(gnp::ix_(rows, {0, 2}))) == list{3, 5});
    CHECK(doubles(m(gnp::ix_({1, 0}, asarray({true, false, true})))) == list{3, 5, 0, 2});
    CHECK(doubles(m(gnp::ix_({true, true}, {2}))) == list{2, 5});
    CHECK(doubles(m(gnp::ix_(std::vector<int>{1}, {1, 1}))) == list{4, 4});
    const array<double> cube = gnp::arange<double>(8).reshape(2, 2, 2);
    CHECK(doubles(cube(gnp::ix_(rows, {0}, {1, 0}))) == list{5, 4});
    CHECK_THROWS_WITH(gnp::ix_(m > 1, {0}),
                      contains("ix_: sequences must have one dimension, got shape (2, 3)"));
  });
}

TEST_CASE("choose takes choices along the first axis of an array") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const auto n = asarray({0, 1, 1});
    CHECK(doubles(gnp::choose(n, m)) == list{0, 4, 5});
    CHECK(doubles(gnp::choose(n, m * 10)) == list{0, 40, 50});
    CHECK(doubles(gnp::choose({1, 0, 1}, m)) == list{3, 1, 5});
    CHECK(doubles(gnp::choose({1, 0, 1}, {m(0), -m(0)})) == list{0, 1, -2});
    CHECK(doubles(gnp::choose({1, 0, 1}, {m, m + 1})) == list{1, 1, 3, 4, 4, 6});
    CHECK(doubles(gnp::choose({1, 5, -1}, {10, 20}, {.mode = "clip"})) == list{20, 20, 10});
    CHECK_THROWS_WITH(doubles(gnp::choose({0, 2}, {m(0, slice(2)), m(1, slice(2))})),
                      contains("choose: index 2 is out of"));
    CHECK(doubles(gnp::convolve({1, 2}, {0, 0.5})) == list{0, 0.5, 1});
    CHECK(doubles(gnp::convolve({1, 2, 3}, {0, 1, 2}, "same")) == list{1, 4, 7});
    CHECK(doubles(gnp::correlate({1, 2, 3}, {1, 2})) == list{5, 8});
    CHECK(doubles(gnp::choose(asarray({5, -1, 2}), m, {.mode = "wrap"})) == list{3, 4, 2});
    CHECK(doubles(gnp::choose(asarray({5, -1, 1}), m, {.mode = "clip"})) == list{3, 1, 5});
    CHECK(doubles(gnp::choose(asarray({{1}, {0}}), m)) == list{3, 4, 5, 0, 1, 2});
    CHECK(doubles(gnp::choose(n, asarray({10, 20}))) == list{10, 20, 20});
    CHECK(doubles(gnp::choose(gnp::asarray(1), m)) == list{3, 4, 5});
    CHECK(gnp::choose(gnp::zeros<int>({0, 1}), m).shape() == shape_t{0, 3});
    CHECK_THROWS_AS(gnp::choose(asarray({0, 1, 2}), m).eval().tolist(), gnp::index_error);
    CHECK_THROWS_WITH(gnp::choose(asarray({0, 1}), m), contains("choose: operands could not be broadcast"));
    CHECK_THROWS_WITH(gnp::choose(n, gnp::asarray(1.0)),
                      contains("choose: the choices lie along the first axis"));
  });
}

TEST_CASE("results of two parts are tuples") {
  for_each_device([](gnp::device) {
    const auto a = asarray({7.5, -7.5});
    array<double> q;
    array<double> r;
    std::tie(q, r) = gnp::divmod(a, 2);
    CHECK(doubles(q) == list{3, -4});
    CHECK(doubles(r) == list{1.5, 0.5});
    CHECK(doubles(std::get<0>(gnp::divmod(a, 2))) == list{3, -4});
    CHECK(doubles(std::get<1>(gnp::modf(a))) == list{7, -7});
    array<int> exponent;
    std::tie(q, exponent) = gnp::frexp(a);
    CHECK(exponent.tolist() == std::vector<int>{3, 3});
    std::tie(q, r) = gnp::eval(gnp::divmod(a, 2));
    CHECK(doubles(r) == list{1.5, 0.5});
    const auto both = gnp::divmod(a, 2);
    const auto [quotient, remainder] = both;
    CHECK(doubles(quotient) == doubles(both.quotient));
    CHECK(doubles(remainder) == doubles(both.remainder));
    const auto [s, d] = gnp::eval(sum_and_difference(a, asarray({0.5, 0.5})));
    static_assert(std::is_same_v<decltype(s), const array<double>>);
    CHECK(doubles(s) == list{8, -7});
    CHECK(doubles(d) == list{7, -8});
  });
}

TEST_CASE("lists and vectors in products and averages") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const list v = {1, 2, 3};
    const std::vector<int> n = {1, 3};
    CHECK(doubles(m.dot({1, 2, 3})) == list{8, 26});
    CHECK(doubles(m.dot(v)) == list{8, 26});
    CHECK(doubles(m.dot({{1}, {2}, {3}})) == list{8, 26});
    CHECK(doubles(gnp::matvec(m, {1, 2, 3})) == list{8, 26});
    CHECK(doubles(gnp::vecmat({1, 3}, m)) == list{9, 13, 17});
    CHECK(gnp::searchsorted(asarray(v), {0.5, 2, 9}, "right").tolist() == whole{0, 2, 3});
    CHECK(doubles(gnp::einsum("ij,j->i", m, v)) == list{8, 26});
    CHECK(doubles(gnp::einsum("i,ij", n, m)) == list{9, 13, 17});
    CHECK(gnp::einsum("i,i", v, v).item() == 14);
    CHECK(doubles(gnp::average(m, 1, v)) == list{8.0 / 6, 26.0 / 6});
    CHECK(doubles(gnp::average(m, 0, n)) == list{2.25, 3.25, 4.25});
    CHECK(doubles(gnp::average(m, 0, {1, 3})) == list{2.25, 3.25, 4.25});
    CHECK(doubles(gnp::average(m, 0, {0.5, 1.5}, {.keepdims = true})) == list{2.25, 3.25, 4.25});
    const auto [mean, weight] = gnp::average(m, 0, n, gnp::average_options{.returned = true});
    CHECK(doubles(mean) == list{2.25, 3.25, 4.25});
    CHECK(doubles(weight) == list{4, 4, 4});
  });
}

TEST_CASE("lists of arrays and of vectors are arrays") {
  for_each_device([](gnp::device) {
    const auto a = asarray({1.0, 2.0});
    const auto b = asarray({3.0, 5.0});
    const list v = {1, 2};
    const std::vector<int> n = {3, 4};
    const array<double> both = asarray({a, b});
    CHECK(both.shape() == shape_t{2, 2});
    CHECK(doubles(both) == list{1, 2, 3, 5});
    CHECK(doubles(asarray(std::vector<array<double>>{a, b, a})) == list{1, 2, 3, 5, 1, 2});
    CHECK(asarray(std::vector<array<double>>{}).shape() == shape_t{0});
    CHECK(doubles(asarray({v, v})) == list{1, 2, 1, 2});
    static_assert(std::is_same_v<decltype(asarray({n, n})), array<int>>);
    static_assert(std::is_same_v<decltype(asarray<float>({n, n})), array<float>>);
    static_assert(std::is_same_v<decltype(asarray<float>({a, b})), array<float>>);
    CHECK(asarray<float>({a, b}).tolist() == std::vector<float>{1, 2, 3, 5});
    CHECK(asarray<double>({a(0), b(1)}).shape() == shape_t{2});
    CHECK(gnp::sum({a, b}).item() == 11);
    CHECK(doubles(gnp::sum({a, b}, 0)) == list{4, 7});
    CHECK(doubles(gnp::mean({a, b}, 0, {.keepdims = true})) == list{2, 3.5});
    CHECK(doubles(gnp::max({v, list{0, 7}}, 0)) == list{1, 7});
    CHECK(doubles(gnp::sum<double>({n, n}, {.axis = 1})) == list{7, 7});
    CHECK_THROWS_WITH(asarray({a, gnp::zeros({3})}),
                      contains("asarray: the arrays have different shapes (2,) and (3,)"));
  });
}

TEST_CASE("numbers become arrays of at least so many axes") {
  for_each_device([](gnp::device) {
    CHECK(gnp::atleast_1d(5).shape() == shape_t{1});
    CHECK(gnp::atleast_2d(5.5).shape() == shape_t{1, 1});
    CHECK(gnp::atleast_3d(true).shape() == shape_t{1, 1, 1});
    const auto [a, b] = gnp::atleast_1d(5, asarray({1.0, 2.0}));
    CHECK(a.tolist() == std::vector<int>{5});
    CHECK(doubles(b) == list{1, 2});
  });
}

TEST_CASE("linspace of complex numbers") {
  for_each_device([](gnp::device) {
    using complex = std::complex<double>;
    CHECK(gnp::linspace(complex(0, 1), 2, 3).tolist() ==
          std::vector<complex>{complex(0, 1), complex(1, 0.5), complex(2, 0)});
    CHECK(gnp::linspace(0, complex(0, 1), {.num = 4, .endpoint = false}).tolist() ==
          std::vector<complex>{0, complex(0, 0.25), complex(0, 0.5), complex(0, 0.75)});
    CHECK(gnp::linspace<gnp::complex64>(0, gnp::complex64(2, 1), 2).tolist() ==
          std::vector<gnp::complex64>{0, gnp::complex64(2, 1)});
    CHECK(gnp::linspace(complex(1, 1), complex(1, 1), 0).size() == 0);
    CHECK(gnp::linspace(complex(1, 2), 5, 1).tolist() == std::vector<complex>{complex(1, 2)});
  });
}

TEST_CASE("positions in column-major order") {
  for_each_device([](gnp::device) {
    const auto at = gnp::unravel_index<3>(gnp::arange(24), {2, 3, 4}, {.order = 'F'});
    CHECK(gnp::ravel_multi_index(at, {2, 3, 4}, {.order = "F"}).tolist() == gnp::arange(24).tolist());
    const std::string columns_first = "F";
    CHECK(gnp::ravel_multi_index(at, {2, 3, 4}, {.order = columns_first}).tolist() == gnp::arange(24).tolist());
    CHECK(at[0].tolist()[5] == 1);
    CHECK(at[1].tolist()[5] == 2);
    CHECK(at[2].tolist()[6] == 1);
    CHECK(gnp::ravel_multi_index(at, {2, 3, 4}).tolist()[1] == 12);
    CHECK(gnp::unravel_index({1, 5}, {2, 3})[1].tolist() == whole{1, 2});
    CHECK_THROWS_WITH(gnp::unravel_index(5, {2, 3}, {.order = 'K'}),
                      contains("unravel_index: order is 'C' or 'F', got 'K'"));
  });
}

TEST_CASE("loadtxt takes several marks of comments") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/marks.txt";
  std::ofstream(path) << "// first\n1 2 # one\n% two\n3 4 // # %\n";
  CHECK(doubles(gnp::loadtxt(path, {.comments = {"#", "//", "%"}})) == list{1, 2, 3, 4});
  CHECK_THROWS_AS(gnp::loadtxt(path, {.comments = {"#", "//"}}), gnp::io_error);
  CHECK_THROWS_AS(gnp::loadtxt(path, {.comments = ""}), gnp::io_error);
}

TEST_CASE("lists as parameters of random numbers") {
  for_each_device([](gnp::device) {
    namespace random = gnp::random;
    const auto drawn = [](random::generator rng) { return doubles(rng.random(4)); };
    CHECK(drawn(random::default_rng(std::vector<int>{5})) == drawn(random::default_rng(5)));
    CHECK(drawn(random::default_rng({1, 2})) == drawn(random::default_rng(std::vector<int>{1, 2})));
    CHECK(drawn(random::default_rng({1, 2})) != drawn(random::default_rng({2, 1})));
    CHECK(drawn(random::default_rng({1, 2})) != drawn(random::default_rng({1, 2, 0})));
    CHECK(drawn(random::default_rng({1, 0})) != drawn(random::default_rng(1).spawn(1)[0]));
    CHECK_THROWS_WITH(random::default_rng({1, -2}), contains("default_rng: a seed is not negative, got -2"));
    CHECK_THROWS_AS(random::default_rng(std::vector<int>{}), gnp::error);
    random::seed({1, 2});
    CHECK(doubles(random::random({4})) == drawn(random::default_rng({1, 2})));
  });
}

TEST_CASE("permutation takes values in braces") {
  for_each_device([](gnp::device) {
    auto rng = gnp::random::default_rng(3);
    const array<double> mixed = rng.permutation({1.5, 4.0, 9.0});
    CHECK(gnp::array_equal(gnp::sort(mixed), {1.5, 4, 9}));
    CHECK(gnp::array_equal(gnp::sort(gnp::random::permutation({4, 1})), {1, 4}));
  });
}

TEST_CASE("multivariate_normal takes a covariance in braces") {
  const auto cov = asarray<double>({{2, 1}, {1, 3}});
  const gnp::array<double> expected = gnp::random::default_rng(5).multivariate_normal({0, 1}, cov, 3);
  CHECK(doubles(gnp::random::default_rng(5).multivariate_normal({0, 1}, {{2, 1}, {1, 3}}, 3)) ==
        doubles(expected));
  CHECK(gnp::random::multivariate_normal<float>({0, 1}, {{1, 0}, {0, 1}}).shape() == shape_t{2});
}

TEST_CASE("products after using namespace gnp and gnp::linalg") {
  using namespace gnp;
  using namespace gnp::linalg;
  for_each_device([](device) {
    const auto a = asarray({1.0, 0.0, 0.0});
    const auto b = asarray({0.0, 1.0, 0.0});
    CHECK(doubles(cross(a, b)) == std::vector<double>{0, 0, 1});
    CHECK(doubles(cross(a, {0, 1, 0})) == std::vector<double>{0, 0, 1});
    CHECK(doubles(cross(a, b, {.axis = 0})) == std::vector<double>{0, 0, 1});
    CHECK(doubles(cross({1, 0, 0}, {0, 1, 0})) == std::vector<double>{0, 0, 1});
    CHECK(doubles(cross(a + 0, 2 * b - a)) == std::vector<double>{0, 0, 2});
    // Formulas of stacks, along another axis.
    const auto stack = gnp::arange(18.0).reshape({3, 6});
    const auto turned = gnp::cross(stack + 1, stack * stack, {.axis = 0}).eval();
    CHECK(doubles(turned(gnp::all, 1)) == std::vector<double>{8 * 169 - 14 * 49, 14 - 2 * 169, 2 * 49 - 8});
    CHECK(doubles(outer(a, b)) == std::vector<double>{0, 1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(doubles(gnp::linalg::outer(a, b)) == doubles(gnp::outer(a, b)));
    CHECK(doubles(gnp::linalg::cross(a, b)) == std::vector<double>{0, 0, 1});
    CHECK_THROWS_AS(gnp::linalg::outer(eye(2), b), shape_error);
    CHECK(doubles(outer(eye(2), asarray({1.0, 2.0}))).size() == 8);
  });
}

TEST_CASE("messages name the function that was called") {
  for_each_device([](gnp::device) {
    const auto v = asarray({1.0, 2.0, 3.0, 4.0});
    const array<double> m = gnp::arange<double>(12).reshape(3, 4);
    const array<double> fixed = gnp::broadcast_to(v, {3, 4});
    const array<double> none_left = gnp::zeros({0});
    const auto n = asarray({4, 6});
    CHECK_THROWS_WITH(fixed.sort(0), contains("sort: the destination"));
    CHECK_THROWS_WITH(gnp::fill_diagonal(fixed, 1), contains("fill_diagonal: the destination"));
    CHECK_THROWS_WITH(gnp::fliplr(v), "fliplr: array must be at least 2-d, got shape (4,)");
    CHECK_THROWS_WITH(gnp::flipud(v(0)), "flipud: array must be at least 1-d, got shape ()");
    CHECK_THROWS_WITH(gnp::ufuncs::maximum.reduce(none_left),
                      contains("maximum.reduce: zero-size array of shape (0,) to reduction operation maximum"));
    CHECK_THROWS_WITH(gnp::ufuncs::fmin.reduce(none_left), contains("fmin.reduce: zero-size array"));
    CHECK(gnp::ufuncs::add.reduce(none_left).item() == 0);
    CHECK(gnp::ufuncs::maximum.reduce(gnp::zeros({0, 2}), 1).size() == 0);
    CHECK_THROWS_WITH(gnp::ufuncs::add.reduce(m, 5), contains("add.reduce: axis 5 is out of bounds"));
    CHECK_THROWS_WITH(gnp::ufuncs::gcd.reduce(n, 5), contains("gcd.reduce: axis 5 is out of bounds"));
    CHECK_THROWS_WITH(gnp::amin(m, 5), contains("amin: axis 5"));
    CHECK_THROWS_WITH(gnp::amax(none_left), contains("amax: zero-size array"));
    CHECK_THROWS_WITH(gnp::average(m, 5), contains("average: axis 5"));
    CHECK_THROWS_WITH(gnp::nansum(m, 5), contains("nansum: axis 5"));
    CHECK_THROWS_WITH(gnp::nanprod(n, 5), contains("nanprod: axis 5"));
    CHECK_THROWS_WITH(gnp::nanmin(gnp::zeros<int>({0})), contains("nanmin: zero-size array"));
    CHECK_THROWS_WITH(gnp::nanmax(n, 5), contains("nanmax: axis 5"));
    CHECK_THROWS_WITH(gnp::nanargmax(n, 5), contains("nanargmax: axis 5"));
    CHECK_THROWS_WITH(gnp::nanargmin(gnp::zeros<int>({0})), contains("nanargmin: "));
    CHECK_THROWS_WITH(gnp::nancumsum(m, 5), contains("nancumsum: axis 5"));
    CHECK_THROWS_WITH(gnp::nancumprod(n, 5), contains("nancumprod: axis 5"));
    const array<bool> five = gnp::ones<bool>({5});
    CHECK_THROWS_WITH(gnp::sum(m, {.where = five}), contains("sum: .where of shape (5,) does not broadcast"));
    CHECK_THROWS_WITH(gnp::any(m, {.where = five}), contains("any: .where of shape (5,) does not broadcast"));
    CHECK_THROWS_WITH(gnp::broadcast_arrays(v, n), contains("broadcast_arrays: shape mismatch"));
    CHECK_THROWS_WITH(gnp::broadcast_arrays(std::vector{v, none_left}),
                      contains("broadcast_arrays: shape mismatch"));
    CHECK_THROWS_WITH(gnp::broadcast_shapes({3}, {4}), contains("broadcast_shapes: shape mismatch"));
    CHECK_THROWS_WITH(gnp::piecewise(v, {m > 1}, {1}), contains("piecewise: a condition of shape"));
    CHECK_THROWS_WITH(gnp::piecewise(v, {m > 1}, 1), contains("piecewise: a condition of shape"));
    CHECK_THROWS_WITH(gnp::ravel_multi_index({gnp::arange(2), gnp::arange(3)}, {2, 3}),
                      contains("ravel_multi_index: operands could not be broadcast"));
    CHECK_THROWS_WITH(gnp::tril_indices_from(v), "tril_indices_from: input array must be 2-d, got shape (4,)");
    CHECK_THROWS_WITH(gnp::triu_indices_from(v), "triu_indices_from: input array must be 2-d, got shape (4,)");
    CHECK_THROWS_WITH(
        gnp::insert(v, {0, 1}, {1, 2, 3}),
        "insert: values of shape (3,) do not fit 2 positions along axis 0 of an array of shape (4,)");
    CHECK_THROWS_WITH(gnp::identity(-1), contains("identity: negative dimensions"));
    CHECK_THROWS_WITH(gnp::divmod(v, n), contains("divmod: operands could not be broadcast"));
    CHECK_THROWS_WITH(gnp::isclose(v, n), contains("isclose: operands could not be broadcast"));
    CHECK_THROWS_WITH(gnp::allclose(v, n), contains("allclose: operands could not be broadcast"));
    CHECK_THROWS_WITH(gnp::linalg::vector_norm(m, {.axis = 7}), contains("vector_norm: axis 7"));
  });
}

TEST_CASE("an option's unknown name is refused by the function that was called") {
  for_each_device([](gnp::device) {
    const auto v = asarray({1.0, 2.0, 4.0});
    const array<double> m = gnp::eye(3);
    CHECK_THROWS_WITH(gnp::quantile(v, 0.5, {.method = "bad"}),
                      contains("quantile: 'bad' is not a valid method: use one of inverted_cdf, averaged_"));
    CHECK_THROWS_WITH(gnp::percentile(v, 5, {.method = "bad"}),
                      contains("percentile: 'bad' is not a valid method"));
    CHECK_THROWS_WITH(gnp::nanquantile(v, 0.5, {.method = ""}),
                      contains("nanquantile: '' is not a valid method"));
    CHECK_THROWS_WITH(gnp::nanpercentile(gnp::zeros<int>({0}), 5, {.method = std::string("bad")}),
                      contains("nanpercentile: 'bad' is not a valid method"));
    CHECK_THROWS_WITH(gnp::sort(v, {.kind = "bubble"}),
                      "sort: kind must be 'quicksort', 'heapsort', 'mergesort' or 'stable', got 'bubble'");
    CHECK_THROWS_WITH(v.copy().sort({.kind = "bubble"}), contains("sort: kind must be"));
    CHECK_THROWS_WITH(gnp::argsort(v, {.kind = std::string("bubble")}), contains("argsort: kind must be"));
    CHECK_THROWS_WITH(v.argsort({.kind = "bubble"}), contains("argsort: kind must be"));
    CHECK_THROWS_WITH(gnp::partition(v, 1, {.kind = "quick"}),
                      "partition: kind must be 'introselect', got 'quick'");
    CHECK_THROWS_WITH(gnp::argpartition(v, 1, {.kind = "quick"}), contains("argpartition: kind must be"));
    CHECK_THROWS_WITH(gnp::linalg::norm(m, "frob"),
                      "norm: there is no norm 'frob': a number, \"fro\" or \"nuc\"");
    CHECK_THROWS_WITH(gnp::linalg::norm(v, {.ord = "frob", .axis = 0}),
                      contains("norm: there is no norm 'frob'"));
    CHECK_THROWS_WITH(gnp::linalg::vector_norm(v, {.ord = "frob"}),
                      contains("vector_norm: there is no norm 'frob'"));
    CHECK_THROWS_WITH(gnp::linalg::matrix_norm(m, {.ord = std::string("frob")}),
                      contains("matrix_norm: there is no norm 'frob'"));
    CHECK_THROWS_WITH(gnp::linalg::cond(m, "frob"), contains("cond: there is no norm 'frob'"));
    CHECK_THROWS_WITH(gnp::linalg::eigh(m, "upper"), "eigh: UPLO must be 'L' or 'U', got 'upper'");
    CHECK_THROWS_WITH(gnp::linalg::eigvalsh(m, ""), "eigvalsh: UPLO must be 'L' or 'U', got ''");
    // The name is kept, not only a reference to it; of a long one, the beginning.
    gnp::linalg::norm_options late;
    late.ord = std::string(100, 'x') + "y";
    CHECK_THROWS_WITH(gnp::linalg::norm(v, late),
                      contains("norm: there is no norm '" + std::string(40, 'x') + "'"));
    late.ord = "fro";
    CHECK(gnp::linalg::norm(m, late).item() == Approx(std::sqrt(3.0)));
  });
}

TEST_CASE("samples, spacings and bounds in braces or as vectors") {
  for_each_device([](gnp::device) {
    const auto v = asarray({1.0, 2.0, 4.0});
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const list places = {0, 1, 3};
    CHECK(doubles(gnp::gradient(v, {0., 1., 3.})) == list{1, 1, 1});
    CHECK(doubles(gnp::gradient(v, {0, 1, 3})) == list{1, 1, 1});
    CHECK(doubles(gnp::gradient(v, places)) == list{1, 1, 1});
    CHECK(doubles(gnp::gradient(v, {2})) == list{0.5, 0.75, 1});
    CHECK(doubles(gnp::gradient(v, {})) == list{1, 1.5, 2});
    CHECK(gnp::allclose(gnp::gradient(m, {0, 1, 3}, {.axis = 1}), {1, 5.0 / 6, 0.5}));
    CHECK_THROWS_WITH(gnp::gradient(v, {0, 1}), contains("gradient: coordinates of shape (2,) must match"));
    CHECK(doubles(gnp::trapezoid(m, {0., 1., 3.})) == list{3.5, 12.5});
    CHECK(doubles(gnp::trapezoid(m, {0, 2.5}, {.axis = 0})) == list{3.75, 6.25, 8.75});
    CHECK(doubles(gnp::trapezoid(m, places)) == list{3.5, 12.5});
    CHECK(gnp::trapezoid(v, {}).item() == 4.5);
    CHECK(doubles(gnp::clip(v, {1., 3., 5.}, 3)) == list{1, 3, 3});
    CHECK(doubles(gnp::clip(v, {0, 3, 0}, {1, 3, 3})) == list{1, 3, 3});
    CHECK(doubles(gnp::clip(v, {0, 2.5, 0}, {1, 3, 3.5})) == list{1, 2.5, 3.5});
    CHECK(doubles(gnp::clip(v, none, {1, 1.5, 9})) == list{1, 1.5, 4});
    CHECK(doubles(gnp::clip(v, 0, {1, 1, 1})) == list{1, 1, 1});
    CHECK(doubles(gnp::clip(v, {1, 3, 5}, v + 1)) == list{1, 3, 5});
    CHECK(doubles(gnp::clip(v, list{1, 3, 5}, 3)) == list{1, 3, 3});
    CHECK(doubles(gnp::clip(v, none, list{1, 1.5, 9})) == list{1, 1.5, 4});
    CHECK(doubles(v.clip({1, 3, 5}, 3)) == list{1, 3, 3});
    CHECK(doubles(v.clip(0, {1.5, 1, 1})) == list{1, 1, 1});
    CHECK(doubles(v.clip({0, 3, 0}, {1, 3, 3})) == list{1, 3, 3});
    CHECK(doubles((v + 1).clip({2.5, 3, 6}, none)) == list{2.5, 3, 6});
    // An array that is not on the default device.
    const auto there = v.to(gnp::device::cpu());
    CHECK(doubles(gnp::gradient(there, {0, 1, 3})) == list{1, 1, 1});
    CHECK(gnp::trapezoid(there, {0, 1, 3}).item() == 7.5);
    CHECK(doubles(gnp::clip(there, {1, 3, 5}, 3)) == list{1, 3, 3});
  });
}

TEST_CASE("full and full_like take values in braces, which broadcast") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const array<int> twice = gnp::full({2, 2}, {1, 2});
    CHECK(twice.tolist() == std::vector<int>{1, 2, 1, 2});
    CHECK(twice.shape() == shape_t{2, 2});
    CHECK(doubles(gnp::full({2, 2}, {{1}, {2.5}})) == list{1, 1, 2.5, 2.5});
    CHECK(doubles(gnp::full({2, 2}, {{1.}, {2.}})) == list{1, 1, 2, 2});
    CHECK(doubles(gnp::full({2, 2}, {1, 2.5})) == list{1, 2.5, 1, 2.5});
    CHECK(doubles(gnp::full(2, {1, 2})) == list{1, 2});
    const array<float> named = gnp::full<float>({2, 2}, {1, 2});
    CHECK(doubles(named) == list{1, 2, 1, 2});
    CHECK(doubles(gnp::full({2, 2}, list{1, 2})) == list{1, 2, 1, 2});
    CHECK(doubles(gnp::full_like(m, {1, 2.5, 3})) == list{1, 2.5, 3, 1, 2.5, 3});
    CHECK(doubles(gnp::full_like(m, {{1}, {2}})) == list{1, 1, 1, 2, 2, 2});
    CHECK(doubles(gnp::full_like(m, {{1.}, {2.}})) == list{1, 1, 1, 2, 2, 2});
    CHECK(doubles(gnp::full_like(m, list{1, 2, 3})) == list{1, 2, 3, 1, 2, 3});
    CHECK(gnp::full_like<int>(m, {1, 2, 3}).dtype() == gnp::dtype::int32);
    CHECK_THROWS_WITH(gnp::full({2, 2}, {1, 2, 3}), contains("full: "));
    array<double> into = gnp::zeros({2, 3});
    gnp::copyto(into, {1, 2, 3});
    CHECK(doubles(into) == list{1, 2, 3, 1, 2, 3});
    gnp::copyto(into, {0.5, 2, 3});
    CHECK(doubles(into) == list{0.5, 2, 3, 0.5, 2, 3});
    gnp::copyto(into, list{4, 5, 6});
    CHECK(doubles(into) == list{4, 5, 6, 4, 5, 6});
  });
}

TEST_CASE("sorters, sides and weights in braces") {
  for_each_device([](gnp::device) {
    const auto v = asarray({1.0, 2.0, 4.0});
    const auto n = asarray({0, 1, 1});
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    const list w = {1, 2, 3};
    CHECK(gnp::digitize(v, {1, 2}, true).tolist() == whole{0, 1, 2});
    CHECK(gnp::digitize(v, {1, 2.5}, true).tolist() == whole{0, 1, 2});
    CHECK(gnp::digitize(v, asarray({1, 2}), true).tolist() == whole{0, 1, 2});
    CHECK(gnp::digitize(v, list{1, 2}, false).tolist() == whole{1, 2, 2});
    const auto table = asarray({4.0, 1.0, 2.0});
    CHECK(gnp::searchsorted(table, v, {.sorter = {1, 2, 0}}).tolist() == whole{0, 1, 2});
    CHECK(gnp::searchsorted(table, v, {.sorter = std::vector<int>{1, 2, 0}}).tolist() == whole{0, 1, 2});
    CHECK(gnp::searchsorted(table, v, {.sorter = gnp::argsort(table)}).tolist() == whole{0, 1, 2});
    CHECK(gnp::searchsorted(table, 2, "right", {1, 2, 0}).item() == 2);
    CHECK(gnp::searchsorted(table, {2, 4}, "right", gnp::argsort(table)).tolist() == whole{2, 3});
    CHECK_THROWS_WITH(gnp::searchsorted(table, 2, {.sorter = {1, 0}}),
                      contains("searchsorted: sorter.size must equal a.size, got shapes (2,) (3,)"));
    CHECK(doubles(gnp::bincount(n, {1, 2.5, 3})) == list{1, 5.5});
    CHECK(doubles(gnp::bincount(n, {1, 2, 3}, 5)) == list{1, 5, 0, 0, 0});
    CHECK(doubles(gnp::bincount(n, w, {.minlength = 3})) == list{1, 5, 0});
    CHECK(doubles(gnp::bincount(n, {.weights = {1, 2, 3}})) == list{1, 5});
    CHECK(doubles(gnp::bincount(n, {.weights = v, .minlength = 3})) == list{1, 6, 0});
    CHECK(doubles(gnp::bincount(n, {})) == list{1, 2});
    CHECK(doubles(gnp::histogram(v, 2, {.weights = {1, 2, 3.5}}).hist) == list{3, 3.5});
    CHECK(doubles(gnp::histogram(v, {0, 2, 5}, {.weights = w}).hist) == list{1, 5});
    CHECK(doubles(gnp::histogram2d(v, v, 2, {.weights = {1, 2, 3}}).hist) == list{3, 0, 0, 3});
    CHECK(gnp::allclose(gnp::cov(m, {.aweights = {1, 2, 3}}), 10.0 / 11));
    CHECK(gnp::allclose(gnp::cov(m, {.fweights = {1, 2, 3}}), 2.0 / 3));
    CHECK(gnp::allclose(gnp::cov(v, {1, 2, 3}), {{7.0 / 3, 1.5}, {1.5, 1.0}}));
    CHECK(gnp::allclose(gnp::cov(v, w), {{7.0 / 3, 1.5}, {1.5, 1.0}}));
    CHECK(gnp::allclose(gnp::corrcoef(v, {1, 3, 2}), {{1, 0.32732684}, {0.32732684, 1}}));
    CHECK(gnp::average(v, {.weights = {1, 2, 3}}).item() == Approx(17.0 / 6));
    CHECK(doubles(gnp::average(m, {.axis = 1, .weights = {1, 2, 1}})) == list{1, 4});
    CHECK(doubles(gnp::average(m, 1, {.weights = {1, 2, 1}})) == list{1, 4});
    CHECK(gnp::quantile(v, 0.5, {.method = "inverted_cdf", .weights = {1, 1, 5}}).item() == 4);
    // An array that is not on the default device.
    const auto there = n.to(gnp::device::cpu());
    CHECK(doubles(gnp::bincount(there, {1, 2.5, 3})) == list{1, 5.5});
    CHECK(doubles(gnp::histogram(there, 2, {.weights = {1, 2, 3}}).hist) == list{1, 5});
    CHECK(gnp::searchsorted(table.to(gnp::device::cpu()), 2, {.sorter = {1, 2, 0}}).item() == 1);
    CHECK(gnp::cov(there, {.aweights = {1, 1, 1}}).item() == Approx(1.0 / 3));
    CHECK(gnp::average(there, {.weights = {1, 2, 3}}).item() == Approx(5.0 / 6));
    CHECK(gnp::average(there, {.weights = std::vector{0, 0, 3}}).item() == there.item(2));
  });
}

TEST_CASE("lists and options together") {
  for_each_device([](gnp::device) {
    const auto v = asarray({1.0, 2.0, 4.0});
    const array<double> m = gnp::arange<double>(6).reshape(2, 3);
    CHECK(doubles(gnp::append(m, {{7, 8, 9}}, 0)) == list{0, 1, 2, 3, 4, 5, 7, 8, 9});
    CHECK(doubles(gnp::append(m, {{7}, {8.5}}, 1)) == list{0, 1, 2, 7, 3, 4, 5, 8.5});
    CHECK(doubles(gnp::append(m, {{7.}, {8.}}, {.axis = 1})) == list{0, 1, 2, 7, 3, 4, 5, 8});
    CHECK(doubles(gnp::append(v, {5, 6.5}, 0)) == list{1, 2, 4, 5, 6.5});
    CHECK(doubles(gnp::append(m, {{7, 8}})).size() == 8);
    CHECK(gnp::linalg::norm(m, "fro", {.keepdims = true}).shape() == shape_t{1, 1});
    CHECK(doubles(gnp::linalg::norm(m, 1, {.axis = 1, .keepdims = true})) == list{3, 12});
    CHECK(gnp::linalg::norm(m, "fro", {}).item() == Approx(7.416198487));
    const std::string frobenius = "fro";
    CHECK(gnp::linalg::norm(m, frobenius).item() == Approx(7.416198487));
    CHECK(gnp::linalg::norm(m, none, {.keepdims = true}).shape() == shape_t{1, 1});
    CHECK(doubles(gnp::isclose(v, {1, 2.5, 4}, {.atol = 1})) == list{1, 1, 1});
    CHECK(doubles(gnp::isclose(v, {1, 2.5, 4})) == list{1, 0, 1});
    CHECK(doubles(gnp::isclose(v, {1, 2.5, 4}, 1, 0)) == list{1, 1, 1});
    CHECK(doubles(gnp::isclose({1, 2.1, 4}, v, {.atol = 0.2})) == list{1, 1, 1});
    CHECK(doubles(gnp::isclose(m, {{1}, {4}}, {.atol = 1})) == list{1, 1, 1, 1, 1, 1});
    CHECK(doubles(gnp::isclose(v, list{1, 2.5, 4}, {.atol = 1})) == list{1, 1, 1});
    CHECK(gnp::allclose(v, {1, 2.5, 4}, 1.0, 0));
    CHECK(doubles(gnp::maximum(m, {{1.}, {4.}})) == list{1, 1, 2, 4, 4, 5});
    const auto z = asarray<std::complex<double>>({1, std::complex<double>(0, 1), std::complex<double>(-1, -1)});
    CHECK(gnp::allclose(gnp::angle(z, {.deg = true}), {0, 90, -135}));
    CHECK(gnp::allclose(gnp::angle(z * 2, true), {0, 90, -135}));
    CHECK(doubles(gnp::angle(z, {})) == doubles(gnp::angle(z)));
    CHECK(gnp::angle(std::complex<double>(0, 1), true) == 90);
    CHECK(gnp::angle(gnp::zeros<gnp::complex64>({1}), true).dtype() == gnp::dtype::float32);
    CHECK(gnp::vdot(v, {1, 2, 3}).item() == 17);
    CHECK(gnp::vdot(v, list{1, 2, 3}).item() == 17);
    CHECK(!gnp::array_equiv(m, {0, 1, 2}));
    CHECK(gnp::array_equiv(gnp::stack({v, v}), {1, 2, 4}));
  });
}

TEST_CASE("numbers and vectors among the arrays of a tuple") {
  for_each_device([](gnp::device) {
    const auto v = asarray({1.0, 2.0, 4.0});
    const list w = {7, 8, 9};
    CHECK(doubles(gnp::hstack(std::tuple(v, 1.0))) == list{1, 2, 4, 1});
    CHECK(doubles(gnp::concatenate(std::tuple(v, w, v + 1))) == list{1, 2, 4, 7, 8, 9, 2, 3, 5});
    CHECK(doubles(gnp::concatenate(std::tuple(v, w), 0)).size() == 6);
    CHECK(doubles(gnp::stack(std::tuple(v, w), 1)) == list{1, 7, 2, 8, 4, 9});
    CHECK(doubles(gnp::stack(std::tuple(1, 2.5))) == list{1, 2.5});
    CHECK(gnp::vstack(std::tuple(1, 2.5)).shape() == shape_t{2, 1});
    CHECK(doubles(gnp::column_stack(std::tuple(v, w))) == list{1, 7, 2, 8, 4, 9});
    CHECK(gnp::dstack(std::tuple(w, v)).shape() == shape_t{1, 3, 2});
    CHECK(gnp::hstack(std::tuple(gnp::ones<float>({1}), 1.0)).dtype() == gnp::dtype::float64);
    CHECK(doubles(gnp::hstack(std::tuple(v.to(gnp::device::cpu()), 1.0))) == list{1, 2, 4, 1});
    CHECK_THROWS_AS(gnp::concatenate(std::tuple(v, 1.0)), gnp::shape_error);
  });
}

TEST_CASE("polyfit takes samples in braces or as vectors") {
  const gnp::use_device guard(gnp::device::cpu());
  const auto v = asarray({1.0, 2.0, 4.0});
  CHECK(gnp::allclose(gnp::polyfit({0, 1, 2}, {1, 3, 7}, 2), {1, 1, 1}));
  CHECK(gnp::allclose(gnp::polyfit(v, {1, 2, 4}, 1), {1, 0}));
  CHECK(gnp::allclose(gnp::polyfit({1, 2, 4}, v, 1, {.full = true}).p, {1, 0}));
  CHECK(gnp::allclose(gnp::polyfit(list{1, 2, 3}, v, 0), {7.0 / 3}));
}

TEST_CASE("literals in braces are written to halves") {
  for_each_device([](gnp::device) {
    const array<gnp::half> h = gnp::zeros<gnp::half>({4});
    gnp::put(h, {0, 1}, {0.5, 1.5});
    CHECK(doubles(h) == list{0.5, 1.5, 0, 0});
    gnp::place(h, h == 0, {2.5, gnp::half(3.5F)});
    CHECK(doubles(h) == list{0.5, 1.5, 2.5, 3.5});
    gnp::putmask(h, h > 1, {1, 0.25});
    CHECK(doubles(h) == list{0.5, 0.25, 1, 0.25});
    const array<gnp::bfloat16> m = gnp::zeros<gnp::bfloat16>({2, 2});
    gnp::fill_diagonal(m, {0.5, 2});
    CHECK(doubles(m) == list{0.5, 0, 0, 2});
  });
}

TEST_CASE("the first argument in braces, or as a vector") {
  using gnp::array_equal;
  const list numbers = {1, 2, 4};
  for_each_device([&](gnp::device d) {
    CHECK(gnp::trapezoid({1, 2, 3}, {4, 6, 8}).item() == 8);
    CHECK(gnp::trapezoid({1, 2.5, 3}, {.dx = 2}).item() == 9);
    CHECK(array_equal(gnp::trapezoid({{1, 2, 3}, {3, 4, 5}}), asarray({4.0, 8.0})));
    CHECK(gnp::trapezoid(numbers, numbers).item() == 7.5);
    CHECK(gnp::trapezoid(numbers, asarray({0, 1, 3})).item() == 7.5);
    CHECK(array_equal(gnp::vander({1, 2, 3}, 2), asarray({{1, 1}, {2, 1}, {3, 1}})));
    CHECK(array_equal(gnp::vander(numbers, {.increasing = true}),
                      asarray({{1.0, 1.0, 1.0}, {1.0, 2.0, 4.0}, {1.0, 4.0, 16.0}})));
    CHECK(array_equal(gnp::repeat({1, 2, 3}, {1, 0, 2}), asarray({1, 3, 3})));
    CHECK(array_equal(gnp::repeat(numbers, 2), asarray({1, 1, 2, 2, 4, 4})));
    CHECK(array_equal(gnp::repeat({{1, 2}, {3, 4}}, 2, {.axis = 1}), asarray({{1, 1, 2, 2}, {3, 3, 4, 4}})));
    CHECK(array_equal(gnp::repeat({{1, 2}, {3, 4}}, asarray({0, 1}), 0), asarray({{3, 4}})));
    CHECK(array_equal(gnp::tile({1, 2.5}, {2, 1}), asarray({{1.0, 2.5}, {1.0, 2.5}})));
    CHECK(array_equal(gnp::tile({{1, 2}, {3, 4}}, 2), asarray({{1, 2, 1, 2}, {3, 4, 3, 4}})));
    CHECK(array_equal(gnp::tile(numbers, 2), asarray({1, 2, 4, 1, 2, 4})));
    CHECK(array_equal(gnp::take({4, 5, 6}, {0, -1}), asarray({4, 6})));
    CHECK(array_equal(gnp::take({{1, 2}, {3, 4}}, 1, {.axis = 1}), asarray({2, 4})));
    CHECK(array_equal(gnp::take(numbers, whole{2, 0}), asarray({4, 1})));
    // Next to an array, lists are on its device.
    const gnp::use_device elsewhere(gnp::device::cpu());
    const array<double> v = asarray(numbers).to(d);
    CHECK(array_equal(gnp::take(v, {{0, 2}, {1, 1}}), asarray({{1, 4}, {2, 2}}).to(d)));
    CHECK(array_equal(v.take({{0, 2}, {1, 1}}, 0), asarray({{1, 4}, {2, 2}}).to(d)));
    CHECK(array_equal(gnp::extract({true, false, true}, v), asarray({1, 4}).to(d)));
    CHECK(array_equal(gnp::extract(v > 1, {7, 8, 9}), asarray({8, 9}).to(d)));
    CHECK(array_equal(gnp::extract(std::vector<bool>{false, true}, v), asarray({2}).to(d)));
    CHECK(gnp::tensordot(v, {1, 2, 3}, 1).item() == 17);
    CHECK(array_equal(gnp::tensordot({{1, 2, 3}, {4, 5, 6}}, v, 1), asarray({17, 38}).to(d)));
    CHECK(array_equal(gnp::tensordot(numbers, v, {.axes = 0}), gnp::outer(v, v)));
    CHECK(array_equal(gnp::tensordot(v, {{1, 2}, {3, 4}, {5, 6}}, {{0}, {0}}), asarray({27, 34}).to(d)));
    const auto [x, y] = gnp::meshgrid(v, {7, 8});
    CHECK(doubles(x) == list{1, 2, 4, 1, 2, 4});
    CHECK(doubles(y) == list{7, 7, 7, 8, 8, 8});
    const auto [p, q] = gnp::meshgrid({1, 2}, {3.5, 4.5}, {.indexing = "ij"});
    CHECK(doubles(p) == list{1, 1, 2, 2});
    CHECK(doubles(q) == list{3.5, 4.5, 3.5, 4.5});
    const auto [s, t] = gnp::meshgrid(list{1, 2}, v);
    CHECK(doubles(s + t) == list{2, 3, 3, 4, 5, 6});
    // Weights in braces, too.
    CHECK(gnp::average(v, {.weights = {1, 2, 1}}).item() == 2.25);
    CHECK(gnp::average(v, {.weights = std::vector<int>{1, 2, 1}}).item() == 2.25);
  });
}

TEST_CASE("numbers in braces in ufuncs, reductions and views") {
  using gnp::array_equal;
  for_each_device([&](gnp::device d) {
    const array<double> x = asarray({3.0, 4.0});
    CHECK(array_equal(gnp::square({1.5, 2.0}), asarray({2.25, 4.0})));
    CHECK(array_equal(gnp::negative({{1}, {2}}), asarray({{-1}, {-2}})));
    CHECK(array_equal(gnp::logical_not({true, false}), asarray({false, true})));
    CHECK(array_equal(gnp::round({1.25, 2.5}, 1), asarray({1.2, 2.5})));
    CHECK(array_equal(gnp::add(x, {1, 2}), asarray({4.0, 6.0})));
    CHECK(array_equal(gnp::subtract({1.0, 2.0}, x), asarray({-2.0, -2.0})));
    CHECK(allclose(gnp::power(x, {{1}, {2}}), asarray({{3.0, 4.0}, {9.0, 16.0}})));
    CHECK(array_equal(gnp::equal(x, {3, 5}), asarray({true, false})));
    CHECK(array_equal(gnp::hypot(x, {4, 3}), asarray({5.0, 5.0})));
    CHECK(gnp::add(gnp::ones<float>({2}), {1.5, 2.5}).dtype() == gnp::dtype::float64);
    CHECK(gnp::sum({1, 2, 3}).item() == 6);
    CHECK(gnp::sum({1, 2, 3}).dtype() == gnp::dtype::int64);
    CHECK(gnp::sum<float>({1, 2, 3}).dtype() == gnp::dtype::float32);
    CHECK(array_equal(gnp::sum({{1, 2}, {3, 4}}, 0), asarray({4, 6})));
    CHECK(array_equal(gnp::max({{1}, {2}}, 1), asarray({1, 2})));
    CHECK(gnp::median({3.0, 1.0, 2.0}).item() == 2);
    CHECK(array_equal(gnp::sort({3, 1, 2}), asarray({1, 2, 3})));
    CHECK(array_equal(gnp::cumsum({3, 1, 2}), asarray({3, 4, 6})));
    CHECK(array_equal(gnp::unique({3, 1, 3}), asarray({1, 3})));
    CHECK(array_equal(gnp::diff({3, 1, 2}), asarray({-2, 1})));
    CHECK(array_equal(gnp::bincount({0, 2, 2}), asarray({1, 0, 2})));
    CHECK(array_equal(gnp::nonzero({0, 2, 1})[0], asarray({1, 2})));
    CHECK(array_equal(gnp::flip({1, 2, 3}), asarray({3, 2, 1})));
    CHECK(array_equal(gnp::roll({1, 2, 3}, 1), asarray({3, 1, 2})));
    CHECK(array_equal(gnp::transpose({{1, 2}, {3, 4}}), asarray({{1, 3}, {2, 4}})));
    CHECK(array_equal(gnp::tril({{1, 2}, {3, 4}}), asarray({{1, 0}, {3, 4}})));
    CHECK(gnp::quantile({1.0, 3.0}, 0.5).item() == 2);
    CHECK(array_equal(gnp::clip(x, gnp::none, gnp::none), x));
    CHECK(array_equal(asarray({-1, 2}).clip(gnp::none, gnp::none), asarray({-1, 2})));
    CHECK(array_equal(gnp::clip({1, 5, 9}, 2, 6), asarray({2, 5, 6})));
    CHECK(array_equal(gnp::clip({{1.5}, {5.5}}, gnp::none, 2), asarray({{1.5}, {2.0}})));
    CHECK(array_equal(gnp::convolve(asarray({1, 2, 3}), 2), asarray({2, 4, 6})));
    CHECK(array_equal(gnp::convolve(0.5, asarray({1, 2, 3})), asarray({0.5, 1.0, 1.5})));
    CHECK(array_equal(gnp::sort(gnp::random::choice(5, 5, false)), gnp::arange(5)));
    CHECK(array_equal(gnp::sort(gnp::random::choice(asarray({4, 2}), 2, {.replace = false, .shuffle = false})),
                      asarray({2, 4})));
    // Borders, edits, differences and views of them.
    CHECK(array_equal(gnp::pad({1, 2, 3}, 1), asarray({0, 1, 2, 3, 0})));
    CHECK(array_equal(gnp::pad({1, 2, 3}, {1, 2}, "edge"), asarray({1, 1, 2, 3, 3, 3})));
    CHECK(array_equal(gnp::pad({{1, 2}}, {{1, 0}, {0, 1}}), asarray({{0, 0, 0}, {1, 2, 0}})));
    CHECK(array_equal(gnp::pad({1, 2}, 1, {.constant_values = 4}), asarray({4, 1, 2, 4})));
    CHECK(array_equal(gnp::trim_zeros({0, 1, 2, 0}), asarray({1, 2})));
    CHECK(array_equal(gnp::trim_zeros({0, 1, 2, 0}, "f"), asarray({1, 2, 0})));
    CHECK(array_equal(gnp::gradient({1, 2, 4}), asarray({1.0, 1.5, 2.0})));
    CHECK(array_equal(gnp::gradient({1, 2, 4}, 2), asarray({0.5, 0.75, 1.0})));
    CHECK(array_equal(gnp::gradient({1, 2, 4}, {.edge_order = 2}), asarray({0.5, 1.5, 2.5})));
    CHECK(array_equal(gnp::ediff1d({1, 2, 4}, {.to_end = 9}), asarray({1, 2, 9})));
    CHECK(array_equal(gnp::unwrap({0.0, 6.0}, {.period = 4}), asarray({0.0, 2.0})));
    CHECK(gnp::partition({3, 1, 2}, 1)(1).item() == 2);
    CHECK(gnp::argpartition({3, 1, 2}, {0, 1})(0).item() == 1);
    CHECK(array_equal(gnp::append({1, 2}, 4), asarray({1, 2, 4})));
    CHECK(array_equal(gnp::append({1, 2}, {4, 5}), asarray({1, 2, 4, 5})));
    CHECK(array_equal(gnp::append({{1, 2}, {3, 4}}, {{5, 6}}, 0), asarray({{1, 2}, {3, 4}, {5, 6}})));
    CHECK(array_equal(gnp::insert({1, 2, 3}, 1, 9), asarray({1, 9, 2, 3})));
    CHECK(array_equal(gnp::insert({1, 2, 3}, {0, 1}, {8, 9}), asarray({8, 1, 9, 2, 3})));
    CHECK(array_equal(gnp::insert({{1, 2}, {3, 4}}, 1, 9, 1), asarray({{1, 9, 2}, {3, 9, 4}})));
    CHECK(array_equal(gnp::delete_({1, 2, 3}, {0, 1}), asarray({3})));
    CHECK(array_equal(gnp::delete_({{1, 2}, {3, 4}}, 1, 0), asarray({{1, 2}})));
    CHECK(array_equal(gnp::resize({1, 2, 3}, 5), asarray({1, 2, 3, 1, 2})));
    CHECK(array_equal(gnp::broadcast_to({1, 2}, {2, 2}), asarray({{1, 2}, {1, 2}})));
    CHECK(array_equal(gnp::rot90({{1, 2}, {3, 4}}), asarray({{2, 4}, {1, 3}})));
    CHECK(array_equal(gnp::rot90({{1, 2}, {3, 4}}, {.k = 2}), asarray({{4, 3}, {2, 1}})));
    CHECK(array_equal(gnp::cov({{1, 2, 3}, {4, 5, 9}}), asarray({{1.0, 2.5}, {2.5, 7.0}})));
    CHECK(array_equal(gnp::cov({1, 2, 3}, {4, 5, 9}), asarray({{1.0, 2.5}, {2.5, 7.0}})));
    CHECK(array_equal(gnp::cov({{1, 3}, {4, 8}}, {.bias = true}), asarray({{1, 2}, {2, 4}})));
    CHECK(array_equal(gnp::corrcoef({1, 2, 3}, {2, 4, 6}), asarray({{1, 1}, {1, 1}})));
    CHECK(gnp::average({1, 2, 3}, {.weights = {1, 0, 1}}).item() == 2);
    CHECK(array_equal(gnp::average({{1, 2}, {5, 6}}, {.axis = 0, .weights = {3, 1}}), asarray({2, 3})));
    // Options and axes in braces beside them.
    CHECK(array_equal(gnp::diff({1, 4, 9}, {.n = 2}), asarray({2})));
    CHECK(array_equal(gnp::diff({{1, 4}, {9, 16}}, {.axis = 0, .prepend = 0}), asarray({{1, 4}, {8, 12}})));
    CHECK(array_equal(gnp::bincount({0, 2, 2}, {.minlength = 4}), asarray({1, 0, 2, 0})));
    CHECK(array_equal(gnp::bincount({0, 1, 1}, {.weights = {0.5, 1, 2}}), asarray({0.5, 3.0})));
    CHECK(gnp::quantile({1, 2, 4}, 0.5, {.method = "lower"}).item() == 2);
    CHECK(array_equal(gnp::quantile({1, 2, 4}, {0.5, 1}), asarray({2, 4})));
    CHECK(array_equal(gnp::percentile({{1, 3}, {4, 8}}, {0, 100}, {.axis = 0}), asarray({{1, 3}, {4, 8}})));
    CHECK(gnp::percentile({1.0, 2.0}, 50, {.keepdims = true}).shape() == shape_t{1});
    const auto [values, counts] = gnp::unique({3, 1, 3}, {.return_counts = true});
    CHECK(array_equal(values, asarray({1, 3})));
    CHECK(array_equal(counts, asarray({1, 2})));
    CHECK(array_equal(gnp::unique({{3, 1}, {3, 1}}, {.return_inverse = true, .axis = 0}).inverse,
                      asarray({0, 0})));
    CHECK(array_equal(gnp::unique({{3, 1}, {3, 1}}, {.axis = 0}), asarray({{3, 1}})));
    CHECK(gnp::sum({1, 2, 3}, {.axis = 0}).item() == 6);
    CHECK(gnp::sum({1.5, 2.0}, {.keepdims = true}).shape() == shape_t{1});
    CHECK(gnp::sum<float>({1, 2, 3}, {.axis = 0}).dtype() == gnp::dtype::float32);
    CHECK(array_equal(gnp::sum({{1, 2}, {3, 4}}, {.axis = 0}), asarray({4, 6})));
    CHECK(gnp::sum({{1, 2}, {3, 4}}, {0, 1}).item() == 10);
    CHECK(array_equal(gnp::sum({{1, 2}, {3, 4}}, 1, {.keepdims = true}), asarray({{3}, {7}})));
    CHECK(array_equal(gnp::sum({{1}, {2}}, {.axis = 0}), asarray({3})));
    CHECK(gnp::mean({{1, 2}, {3, 4}}, {0, 1}, {.keepdims = true}).shape() == shape_t{1, 1});
    CHECK(gnp::std({1, 2, 3}, {.ddof = 1}).item() == 1);
    CHECK(gnp::max({1, 2}, {.initial = 5}).item() == 5);
    CHECK(array_equal(gnp::sort({3, 1, 2}, {.descending = true}), asarray({3, 2, 1})));
    CHECK(array_equal(gnp::sort({{3, 4}, {1, 2}}, {.axis = 0}), asarray({{1, 2}, {3, 4}})));
    CHECK(array_equal(gnp::argsort({3, 1, 2}, {.descending = true}), asarray({0, 2, 1})));
    CHECK(array_equal(gnp::cumsum({{3, 1}, {1, 2}}, {.axis = 0}), asarray({{3, 1}, {4, 3}})));
    CHECK(array_equal(gnp::median({{3, 1}, {1, 2}}, {.axis = 0}), asarray({2.0, 1.5})));
    CHECK(gnp::any({0, 2}, {.axis = 0}).item());
    CHECK(array_equal(gnp::isin(x, 3), asarray({true, false})));
    CHECK(array_equal(gnp::isin(asarray<std::uint8_t>({1, 44}), 300), asarray({false, false})));
    CHECK(array_equal(gnp::isin(x, 3.5, {.invert = true}), asarray({true, true})));
    CHECK(gnp::square({1, 2}).device() == d);
    // Beside an array, on its device.
    const gnp::use_device elsewhere(gnp::device::cpu());
    CHECK(gnp::add(x, {1, 2}).device() == d);
  });
}

TEST_CASE("gradients with a spacing for each axis") {
  for_each_device([](gnp::device) {
    const array<double> a = asarray<double>({{1, 3, 13}, {3, 7, 19}});
    const auto both = gnp::gradients(a, 2, {0, 2, 6});
    CHECK(doubles(both[0]) == list{1, 2, 3, 1, 2, 3});
    CHECK(gnp::allclose(both[1], asarray<double>({{1, 1.5, 2.5}, {2, 7.0 / 3, 3}})));
    // In the order in which the axes are given.
    const auto turned = gnp::gradients(a, asarray({0, 2, 6}), 2, {.axis = {1, 0}});
    CHECK(doubles(turned[0]) == doubles(both[1]));
    CHECK(doubles(turned[1]) == doubles(both[0]));
    CHECK(doubles(gnp::gradients(a, {.axis = {1, 0}})[0]) == doubles(gnp::gradient(a, {.axis = 1})));
    CHECK(gnp::gradients(a, std::vector<gnp::sample_spacing>{2, 1}).size() == 2);
    CHECK_THROWS_WITH(gnp::gradients(gnp::zeros(2, 2, 2), 1, 2),
                      contains("gradients: 2 spacings are given for 3 axes"));
  });
}

TEST_CASE("pinv with an rcond for each matrix") {
  for_each_device([](gnp::device d) {
    if (gnp::to_string(d) != "cpu") return;  // the simulated GPU has no cuSOLVER
    const array<double> a = asarray<double>({{{2, 0}, {0, 1}}, {{2, 0}, {0, 1}}});
    CHECK(doubles(gnp::linalg::pinv(a, asarray({0.1, 0.6}))) == list{0.5, 0, 0, 1, 0.5, 0, 0, 0});
    CHECK(doubles(gnp::linalg::pinv(a, asarray(0.6))) == list{0.5, 0, 0, 0, 0.5, 0, 0, 0});
    CHECK_THROWS_WITH(gnp::linalg::pinv(a, asarray({0.1, 0.2, 0.3})),
                      contains("pinv: rcond of shape (3,) does not fit matrices of shape (2, 2, 2)"));
  });
}

TEST_CASE("NumPy's other names of arguments") {
  using gnp::array_equal;
  for_each_device([](gnp::device) {
    const array<double> v = asarray<double>({1, 2, 4});
    const array<double> a = asarray<double>({{1, 2, 4}, {3, 5, 9}});
    // copyto where a mask is true.
    array<double> b = a.copy();
    gnp::copyto(b, v, {.where = b > 3});
    CHECK(doubles(b) == list{1, 2, 4, 3, 2, 4});
    gnp::copyto(b, 7, {.where = v > 1});
    CHECK(doubles(b) == list{1, 7, 7, 3, 7, 7});
    CHECK_THROWS_WITH(gnp::copyto(v, v, {.where = a > 1}), contains("copyto: .where of shape (2, 3)"));
    CHECK_THROWS_WITH(gnp::copyto(v, a, {.where = v > 1}), contains("copyto: could not broadcast"));
    // The same number as ddof.
    CHECK(gnp::var(v, {.correction = 1}).item() == gnp::var(v, {.ddof = 1}).item());
    CHECK(v.std({.correction = 1}).item() == v.std({.ddof = 1}).item());
    CHECK(gnp::nanvar(v, {.correction = 1}).item() == gnp::var(v, {.ddof = 1}).item());
    CHECK(gnp::var(v, {.where = v < 3, .correction = 1}).item() == 0.5);
    CHECK_THROWS_WITH(gnp::var(v, {.ddof = 1, .correction = 1}),
                      contains("var: ddof and correction are two names of one number"));
    CHECK(doubles(gnp::clip(v, {.a_min = 2, .a_max = 3})) == list{2, 2, 3});
    CHECK(doubles(asarray({1, 5}).clip({.a_max = 3})) == list{1, 3});
    CHECK_THROWS_WITH(gnp::clip(v, {.a_max = 1, .max = 2}), contains("clip: .a_max and .max are two names"));
    // Bins.
    const auto [counts, edges] = gnp::histogram(a, {.bins = 2, .range = {0, 10}});
    CHECK(doubles(counts) == list{4, 2});
    CHECK(doubles(edges) == list{0, 5, 10});
    CHECK(doubles(gnp::histogram(a, {.bins = {0, 2, 10}, .density = true}).hist) == list{1 / 12.0, 5 / 48.0});
    CHECK(doubles(gnp::histogram(v, {.bins = asarray({0, 3, 5}), .weights = v}).hist) == list{3, 4});
    CHECK(array_equal(gnp::histogram(v, {.bins = "fd"}).hist, gnp::histogram(v, "fd").hist));
    CHECK(gnp::histogram(asarray<float>({1, 2}), {.bins = 1}).bin_edges.dtype() == gnp::dtype::float32);
    CHECK(doubles(gnp::histogram_bin_edges(v, {.bins = 3})) == list{1, 2, 3, 4});
    CHECK_THROWS_WITH(gnp::histogram(v, {.bins = "fd", .weights = v}), contains("no rule finds"));
    // Sizes and diagonals.
    CHECK(array_equal(gnp::tri(2, 3, {.k = 1}), gnp::tri(2, 3, 1)));
    CHECK(array_equal(gnp::tri(2, {.k = 1}), gnp::tri(2, 2, 1)));
    CHECK(array_equal(gnp::diagflat(v, {.k = 1}), gnp::diagflat(v, 1)));
    CHECK(gnp::diag_indices(2, {.ndim = 3}).size() == 3);
    CHECK(gnp::diag_indices(2, {.ndim = -1}).empty());
    CHECK(doubles(gnp::trim_zeros(asarray({0, 1, 0}), {.trim = "f"})) == list{1, 0});
    CHECK(gnp::trim_zeros(asarray({{0, 0}, {0, 1}}), {.axis = 0}).shape() == shape_t{1, 2});
    CHECK(a(slice(1)).squeeze({.axis = 0}).shape() == shape_t{3});
    // Polynomials and integrals.
    CHECK(doubles(gnp::polyder({1, 2, 3}, {.m = 2})) == list{2});
    CHECK(doubles(gnp::polyint(v, {.m = 2, .k = 3})) == doubles(gnp::polyint(v, 2, {.k = 3})));
    CHECK(gnp::trapezoid(v, {.x = {0, 1, 3}}).item() == 7.5);
    CHECK(gnp::trapezoid({1, 2, 4}, {.x = asarray({0, 1, 3})}).item() == 7.5);
    CHECK_THROWS_WITH(gnp::trapezoid(v, {.x = 2}), contains("a distance between them is .dx"));
    // Sizes of random arrays.
    CHECK(gnp::random::integers(0, 5, {.size = {2, 3}}).shape() == shape_t{2, 3});
    CHECK(gnp::random::integers(5, {.size = 4, .endpoint = true}).shape() == shape_t{4});
    CHECK(gnp::random::choice(5, {.size = 3, .replace = false}).shape() == shape_t{3});
    CHECK(gnp::random::choice(v, {.size = {2, 2}}).shape() == shape_t{2, 2});
    CHECK(gnp::random::choice({1, 2}, {.size = 4}).shape() == shape_t{4});
  });
}

TEST_CASE("numbers and vectors in braces beside arrays of one type") {
  for_each_device([](gnp::device where) {
    const array<double> v = asarray<double>({1, 2, 3});
    const list w{7, 8, 9};
    CHECK(doubles(gnp::hstack({v, 1.0})) == list{1, 2, 3, 1});
    CHECK(doubles(gnp::hstack({0, v + 1, 5})) == list{0, 2, 3, 4, 5});
    CHECK(gnp::hstack({asarray<std::uint8_t>({1, 2}), 3}).dtype() == gnp::dtype::uint8);
    CHECK_THROWS_WITH(gnp::hstack({asarray<std::uint8_t>({1, 2}), 300}), contains("hstack: the integer 300"));
    CHECK(doubles(gnp::hstack({1, 2})) == list{1, 2});
    CHECK(doubles(gnp::concatenate({v, w, v * 2})) == list{1, 2, 3, 7, 8, 9, 2, 4, 6});
    CHECK(doubles(gnp::concatenate({w, w}, 0)) == list{7, 8, 9, 7, 8, 9});
    CHECK(doubles(gnp::concatenate({v, 1.0}, {.axis = none})) == list{1, 2, 3, 1});
    CHECK(doubles(gnp::vstack({w, v})) == list{7, 8, 9, 1, 2, 3});
    CHECK(doubles(gnp::stack({v, w}, 1)) == list{1, 7, 2, 8, 3, 9});
    CHECK(doubles(gnp::column_stack({v + 0, w})) == list{1, 7, 2, 8, 3, 9});
    CHECK(gnp::dstack({w, v}).shape() == shape_t{1, 3, 2});
    CHECK(doubles(gnp::block({v, 1.0})) == list{1, 2, 3, 1});
    CHECK(doubles(gnp::block({v, w, v + 1})) == list{1, 2, 3, 7, 8, 9, 2, 3, 4});
    CHECK(doubles(gnp::block(std::tuple(v, 2))) == list{1, 2, 3, 2});
    const array<double> rows = gnp::block({{v, 1.0}, {v + 1, 2.0}});
    CHECK(rows.shape() == shape_t{2, 4});
    CHECK(doubles(rows) == list{1, 2, 3, 1, 2, 3, 4, 2});
    CHECK_THROWS_AS(gnp::concatenate({v, 1.0}), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::concatenate({1.0, 2.0}), contains("zero-dimensional arrays"));
    // They go where the arrays are.
    const array<double> there = v.to(gnp::device::cpu());
    CHECK(gnp::hstack({1.0, there}).device() == gnp::device::cpu());
    CHECK(gnp::hstack({w, there}).device() == gnp::device::cpu());
    CHECK(gnp::hstack({w, w}).device() == where);
  });
}

TEST_CASE("the first of two arguments, or both, in braces") {
  for_each_device([](gnp::device where) {
    const array<int> n = asarray({1, 2, 4});
    const array<double> v = asarray<double>({1, 2, 4});
    const auto truths = [](const array<bool>& x) { return gnp::to_vector(x); };
    using bools = std::vector<bool>;
    CHECK(truths(gnp::isin({2, 3}, n)) == bools{true, false});
    CHECK(truths(gnp::isin({2, 2.5}, v, {.invert = true})) == bools{false, true});
    CHECK(truths(gnp::isin({1, 2}, {2, 3})) == bools{false, true});
    CHECK(truths(gnp::isin(3, {1, 3})) == bools{true});
    CHECK(doubles(gnp::digitize({0.5, 2.0}, n)) == list{0, 2});
    CHECK(doubles(gnp::digitize({0.5, 2.0}, {0, 1, 3})) == list{1, 2});
    CHECK(doubles(gnp::digitize({1, 2.5}, {0, 2.5}, {.right = true})) == list{1, 1});
    CHECK(doubles(gnp::searchsorted({1, 2, 5}, {0, 2})) == list{0, 1});
    CHECK(doubles(gnp::searchsorted({1, 2, 5}, {0, 2}, "right")) == list{0, 2});
    CHECK(doubles(gnp::searchsorted({1, 2, 5}, {0, 2}, {.side = "right"})) == list{0, 2});
    CHECK(gnp::searchsorted({1, 2.5, 3}, 3, "right").item() == 3);
    CHECK(doubles(gnp::searchsorted({1, 2, 5}, v, "right")) == list{1, 2, 2});
    CHECK(doubles(gnp::maximum({1, 2}, {2, 1.5})) == list{2, 2});
    CHECK(gnp::minimum({1, 2}, {2, 1}).dtype() == gnp::dtype::int32);
    CHECK(doubles(gnp::fmax({1.0, 2.0}, {2, 1})) == list{2, 2});
    CHECK(doubles(gnp::fmin({1.0, 2.0}, {gnp::nan, 1.0})) == list{1, 1});
    CHECK(doubles(gnp::convolve({1, 2}, n)) == list{1, 4, 8, 8});
    CHECK(doubles(gnp::convolve({1, 0.5}, v, "valid")) == list{2.5, 5});
    CHECK(doubles(gnp::correlate({1, 2}, n, "same")) == list{10, 5, 2});
    CHECK(doubles(gnp::union1d({4, 3}, n)) == list{1, 2, 3, 4});
    CHECK(doubles(gnp::union1d({3, 1}, {2, 3})) == list{1, 2, 3});
    CHECK(doubles(gnp::intersect1d({2, 3}, v)) == list{2});
    CHECK(doubles(gnp::setdiff1d({1, 3}, n)) == list{3});
    CHECK(doubles(gnp::setxor1d({1, 2}, {2, 3}, {.assume_unique = true})) == list{1, 3});
    CHECK(doubles(gnp::where({true, false}, 1, 0)) == list{1, 0});
    CHECK(gnp::where({true, false}, 1, 0).dtype() == gnp::dtype::int64);
    CHECK(doubles(gnp::polyval(n, {0, 1, 2.5})) == list{4, 7, 15.25});
    CHECK(doubles(gnp::polyval({1, 2, 4}, {0, 1})) == list{4, 7});
    CHECK(doubles(gnp::polyval({1, 0.5}, {2, 4})) == list{2.5, 4.5});
    // They go where the arrays are.
    const array<double> there = v.to(gnp::device::cpu());
    CHECK(gnp::isin({1, 2}, there).device() == gnp::device::cpu());
    CHECK(gnp::convolve({1, 2}, there).device() == gnp::device::cpu());
    CHECK(gnp::maximum({1, 2}, {2, 1}).eval().device() == where);
  });
}

TEST_CASE("bins of grids by name") {
  for_each_device([](gnp::device) {
    const auto x = asarray<float>({0, 1, 2, 3, 3.5F});
    const auto y = asarray<float>({0, 1, 1, 0, 1.5F});
    const auto named = gnp::histogram2d(x, y, {.bins = {2, {0, 1, 2}}, .range = {{0, 4}, {}}});
    CHECK(doubles(named.hist) == list{1, 1, 1, 2});
    CHECK(doubles(named.xedges) == list{0, 2, 4});
    CHECK(named.yedges.dtype() == gnp::dtype::float32);
    CHECK(doubles(gnp::histogram2d(x, y, {.bins = {2, 3}}).hist) ==
          doubles(gnp::histogram2d(x, y, {2, 3}).hist));
    CHECK(doubles(gnp::histogram2d(x, y, {.bins = 2, .weights = x}).hist) ==
          doubles(gnp::histogram2d(x, y, 2, {.weights = x}).hist));
    CHECK(gnp::histogram2d(x, y, {.density = true}).hist.shape() == shape_t{10, 10});
    CHECK(doubles(gnp::histogram2d(x, y, {.bins = asarray({0, 2, 4})}).hist) == list{2, 0, 3, 0});
    CHECK(doubles(gnp::histogramdd({x, y}, {.bins = {2, 3}}).hist) ==
          doubles(gnp::histogramdd({x, y}, {2, 3}).hist));
    CHECK(gnp::histogramdd(gnp::stack({x, y, x}, -1), {.bins = {2, 3, 1}}).hist.shape() == shape_t{2, 3, 1});
    CHECK(gnp::histogramdd(gnp::stack({x, y}, -1), {.bins = 4, .density = true}).hist.shape() == shape_t{4, 4});
    CHECK_THROWS_WITH(gnp::histogramdd({x, y}, {.bins = {2, 3, 4}}), contains("histogramdd: "));
  });
}

TEST_CASE("what is left of nothing") {
  for_each_device([](gnp::device) {
    const array<double> none_left = gnp::zeros({0});
    const array<double> no_rows = gnp::zeros({0, 3});
    // NumPy looks at no place where there are no elements.
    CHECK(gnp::partition(none_left, 9).shape() == shape_t{0});
    CHECK(gnp::argpartition(no_rows, {0, -7}).shape() == shape_t{0, 3});
    CHECK(gnp::partition(no_rows, 1, 0).shape() == shape_t{0, 3});
    CHECK_THROWS_WITH(gnp::partition(gnp::zeros({2}), 2), contains("partition: kth(=2) out of bounds (2)"));
    // It repeats nothing a negative number of times, too, and the median of no complex numbers is NaN in both
    // parts.
    CHECK(gnp::repeat(none_left, -1).shape() == shape_t{0});
    CHECK(gnp::repeat(no_rows, -2, 0).shape() == shape_t{0, 3});
    CHECK_THROWS_WITH(gnp::repeat(no_rows, -2, 1), contains("repeat: repeats may not contain negative values"));
    CHECK(gnp::tile(none_left, {2, -1}).shape() == shape_t{2, 0});
    CHECK(gnp::tile(no_rows, {-1, 1}).shape() == shape_t{0, 3});
    CHECK_THROWS_WITH(gnp::tile(no_rows, -1), contains("tile: repeats may not contain negative values"));
    CHECK(gnp::random::default_rng(1).permutation(-1).shape() == shape_t{0});
    CHECK(gnp::ufuncs::multiply.reduce(asarray(2.5), -1).item() == 2.5);
    CHECK_THROWS_WITH(gnp::ufuncs::multiply.reduce(asarray(2.5), 1), contains("axis 1 is out of bounds"));
    const auto middle = gnp::median(gnp::zeros<gnp::complex128>({0})).item();
    CHECK(std::isnan(middle.real()));
    CHECK(std::isnan(middle.imag()));
    constexpr double inf = gnp::inf;
    CHECK_THROWS_WITH(gnp::linalg::norm(none_left, -inf), contains("norm: no element is the smallest"));
    CHECK_THROWS_WITH(gnp::linalg::vector_norm(no_rows, {.axis = 0, .ord = -inf}),
                      contains("vector_norm: no element is the smallest of an array of shape (0, 3)"));
    CHECK_THROWS_WITH(gnp::linalg::matrix_norm(no_rows, {.ord = -inf}), contains("matrix_norm: no element is"));
    CHECK(gnp::linalg::norm(no_rows, -inf, 1).shape() == shape_t{0});
    CHECK(gnp::linalg::norm(no_rows, -1).item() == 0);
    CHECK(gnp::linalg::norm(none_left, inf).item() == 0);
  });
}

TEST_CASE("keys of lexsort in braces are of any types") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray<double>({2, 1, 2, 1});
    const array<int> n = asarray({1, 2, 3, 4});
    CHECK(doubles(gnp::lexsort({-n, x})) == list{3, 1, 2, 0});
    CHECK(doubles(gnp::lexsort({n, -x})) == list{0, 2, 1, 3});
    CHECK(doubles(gnp::lexsort({list{4, 3, 2, 1}, list{0, 1, 0, 1}})) == list{2, 0, 3, 1});
    CHECK(doubles(gnp::lexsort({x, n > 2}, {.axis = 0})) == list{1, 0, 3, 2});
    CHECK(doubles(gnp::lexsort(std::vector<array<double>>{x, -x})) == list{0, 2, 1, 3});
  });
}

TEST_CASE("more options under NumPy's names, and a histogram's range by position") {
  for_each_device([](gnp::device) {
    const array<double> v = asarray<double>({1, 2, 3});
    const array<double> m = asarray<double>({{1, 2, 3}, {4, 5, 6}});
    const auto [counts, edges] = gnp::histogram(v, 4, {0, 4});
    CHECK(doubles(counts) == list{0, 1, 1, 1});
    CHECK(doubles(edges) == list{0, 1, 2, 3, 4});
    CHECK(doubles(gnp::histogram(v, 2, {0, 4}, {.density = true}).hist) == list{1 / 6.0, 1 / 3.0});
    CHECK(doubles(gnp::histogram(v, 2, {0, 4}, {.weights = v}).hist) == list{1, 5});
    CHECK(doubles(gnp::histogram(v, 2, {}).bin_edges) == list{1, 2, 3});
    CHECK(doubles(gnp::histogram_bin_edges(v, 2, {0, 1})) == list{0, 0.5, 1});
    CHECK(doubles(gnp::unique(asarray({3, 1, 3}), {.sorted = false})) == list{1, 3});
    CHECK(doubles(gnp::unique(asarray({3, 1, 3}), {.return_counts = true, .sorted = true}).counts) ==
          list{1, 2});
    CHECK(doubles(gnp::isin(v, {1, 2}, {.kind = "sort"})) == list{1, 1, 0});
    CHECK_THROWS_WITH(gnp::isin(v, v, {.kind = "hash"}), contains("isin: kind must be 'sort' or 'table'"));
    CHECK(gnp::partition(v, 1, {.kind = "introselect"}).size() == 3);
    CHECK_THROWS_WITH(gnp::argpartition(v, 1, {.kind = "quick"}), contains("kind must be 'introselect'"));
    const auto [samples, step] = gnp::linspace(0, 1, 5, {.retstep = true});
    CHECK(doubles(samples) == list{0, 0.25, 0.5, 0.75, 1});
    CHECK(step == 0.25);
    CHECK(gnp::linspace(2, 4, {.num = 4, .endpoint = false, .retstep = true}).step == 0.5);
    CHECK(std::isnan(gnp::linspace(0, 1, 1, {.retstep = true}).step));
    const std::vector<array<std::int64_t>> open = gnp::indices({2, 3}, {.sparse = true});
    CHECK(open[0].shape() == shape_t{2, 1});
    CHECK(doubles(open[1]) == list{0, 1, 2});
    CHECK(doubles(gnp::indices({2, 2}, {.sparse = false})[0]) == list{0, 0, 1, 1});
    CHECK(gnp::vecdot(m, m, {.keepdims = true}).shape() == shape_t{2, 1});
    CHECK(doubles(gnp::vecdot(m, m, {.axis = 0, .keepdims = true})) == list{17, 29, 45});
    CHECK(gnp::vecdot(m, m, {.axis = 0, .keepdims = false}).shape() == shape_t{3});
  });
}

TEST_CASE("masks beside axes by position, of members and in a type that is given") {
  using gnp::array_equal;
  for_each_device([](gnp::device) {
    const array<std::int32_t> a = asarray<std::int32_t>({{1, 2, 4}, {3, 5, 9}});
    const array<bool> c = a > 2;
    CHECK(array_equal(a.sum(0, {.where = c}), asarray({3, 5, 13})));
    CHECK(array_equal(gnp::sum<float>(a, 0, {.where = c}), asarray({3, 5, 13})));
    CHECK(gnp::sum<float>(a, 0, {.where = c}).dtype() == gnp::dtype::float32);
    CHECK(a.sum<double>({.where = c}).dtype() == gnp::dtype::float64);
    CHECK(array_equal(a.sum<double>(1, {.keepdims = true, .where = c}), asarray({{4}, {17}})));
    CHECK(array_equal(a.prod<double>(0, {.where = c}), asarray({3, 5, 36})));
    CHECK(a.prod<float>({.where = c}).item() == 540);
    CHECK(array_equal(a.prod({1}, {.where = c}), asarray({4, 135})));
    CHECK(array_equal(a.min(0, {.initial = 100, .where = c}), asarray({3, 5, 4})));
    CHECK(array_equal(a.max(1, {.initial = 0, .where = a < 5}), asarray({4, 3})));
    CHECK(allclose(a.mean(1, {.where = c}), asarray<double>({4, 17 / 3.0})));
    CHECK(allclose(a.var(1, {.where = c}), asarray<double>({0, 56 / 9.0})));
    CHECK(a.std(1, {.keepdims = true, .where = c}).shape() == shape_t{2, 1});
    CHECK(array_equal(a.any(0, {.where = a > 4}), asarray({false, true, true})));
    CHECK(array_equal((a % 2 == 1).all(0, {.where = c}), asarray({true, true, false})));
    CHECK(array_equal(gnp::all(a % 2 == 1, 0, {.where = c}), asarray({true, true, false})));
    CHECK(gnp::all(a > 0, {0, 1}, {.keepdims = true, .where = c}).shape() == shape_t{1, 1});
  });
}
