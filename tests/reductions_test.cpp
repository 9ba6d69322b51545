// SPDX-License-Identifier: MIT
// test: asan
// Reductions beside the goldens: members, types, fused expressions, what is first, errors and their messages.
#include "devices.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class X>
using result_of = typename std::remove_cvref_t<X>::value_type;

array<float> counted(const gnp::shape_t& shape) {
  return gnp::arange<float>(static_cast<double>(gnp::detail::element_count(shape, "test"))).reshape(shape);
}

}  // namespace

TEST_CASE("reductions: the result's type is NumPy's, or the one asked for") {
  using gnp::half;
  const array<std::int8_t> small = gnp::ones<std::int8_t>({3});
  const array<std::uint16_t> natural = gnp::ones<std::uint16_t>({3});
  const array<half> h = gnp::ones<half>({3});
  const array<gnp::complex64> z = gnp::ones<gnp::complex64>({3});
  static_assert(std::is_same_v<result_of<decltype(gnp::sum(small))>, std::int64_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::prod(natural))>, std::uint64_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::sum(small > 0))>, std::int64_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::nansum(h))>, half>);
  static_assert(std::is_same_v<result_of<decltype(gnp::mean(h))>, half>);
  static_assert(std::is_same_v<result_of<decltype(gnp::mean(small))>, double>);
  static_assert(std::is_same_v<result_of<decltype(gnp::var(z))>, float>);
  static_assert(std::is_same_v<result_of<decltype(gnp::nanstd(natural))>, double>);
  static_assert(std::is_same_v<result_of<decltype((gnp::min)(small))>, std::int8_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::ptp(natural))>, std::uint16_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::argmax(z))>, std::int64_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::any(h))>, bool>);
  static_assert(std::is_same_v<result_of<decltype(gnp::count_nonzero(h))>, std::int64_t>);
  static_assert(std::is_same_v<result_of<decltype(gnp::sum<double>(h))>, double>);
  static_assert(std::is_same_v<result_of<decltype(gnp::nanmean<double>(h))>, double>);
  static_assert(std::is_same_v<result_of<decltype(gnp::prod<float>(small))>, float>);
  for_each_device([](gnp::device) {
    const array<half> tenths = gnp::full<half>({100000}, static_cast<half>(0.1F));
    CHECK(gnp::sum<double>(tenths).item() == Approx(100000 * static_cast<double>(static_cast<half>(0.1F))));
    CHECK(gnp::sum<std::int8_t>(gnp::ones<std::int8_t>({300})).item() == 44);  // 300 in eight bits
    CHECK(gnp::nanvar<double>(gnp::ones<float>({4}) * not_a_number).shape() == gnp::shape_t{});
  });
}

TEST_CASE("reductions: members do as the functions") {
  for_each_device([](gnp::device) {
    const array<float> a = counted({3, 4}) - 5;
    const auto same = [](const auto& x, const auto& y) { return gnp::array_equal(x, y); };
    CHECK(same(a.sum({.axis = 0}), gnp::sum(a, {.axis = 0})));
    CHECK(same(a.prod({.axis = 1, .initial = 2}), gnp::prod(a, {.axis = 1, .initial = 2})));
    CHECK(same(a.mean({.keepdims = true}), gnp::mean(a, {.keepdims = true})));
    CHECK(same(a.var({.ddof = 1}), gnp::var(a, {.ddof = 1})));
    CHECK(same(a.std({.axis = 0, .ddof = 1}), gnp::std(a, {.axis = 0, .ddof = 1})));
    CHECK(same((a.min)({.axis = 0}), (gnp::min)(a, {.axis = 0})));
    CHECK(same((a.max)(), (gnp::max)(a)));
    CHECK(same(a.argmin({.axis = -1}), gnp::argmin(a, {.axis = -1})));
    CHECK(same(a.argmax(), gnp::argmax(a)));
    CHECK(same(a.any({.axis = 1}), gnp::any(a, {.axis = 1})));
    CHECK(same(a.all({.axis = 1}), gnp::all(a, {.axis = 1})));
    CHECK(same((a * a).sum({.axis = {0, 1}}), gnp::sum(a * a)));
    CHECK(same(gnp::amin(a, {.axis = 0}), (gnp::min)(a, {.axis = 0})));
    CHECK(same(gnp::amax(a, {.axis = 0}), (gnp::max)(a, {.axis = 0})));
    CHECK(same(gnp::average(a, {.axis = 0}), gnp::mean(a, {.axis = 0})));
    // all is a slice, too.
    CHECK(a(gnp::all, 0).all().item());
    CHECK_FALSE(gnp::all(a).item());
  });
}

TEST_CASE("reductions: expressions are computed on the way in") {
  for_each_device([](gnp::device) {
    const array<float> a = counted({4, 4});
    const array<float> b = counted({4, 4}) * 2 + 1;
    // By hand: sum over i of i * (2 i + 1) for i in [0, 16), and so on.
    CHECK(gnp::sum(a * b).item() == 2 * 1240 + 120);
    CHECK(gnp::sum(gnp::square(a - a.T())).item() == 2 * 9 * (3 * 1 + 2 * 4 + 1 * 9));
    CHECK(gnp::count_nonzero(a > 3).item() == 12);
    CHECK(gnp::mean(gnp::square(a - b)).item() == Approx((1240 + 2 * 120 + 16) / 16.0));
    CHECK((gnp::max)(gnp::where(a > 7, -a, a)).item() == 7);
    CHECK(gnp::argmin(gnp::where(a > 7, -a, a)).item() == 15);
    CHECK(gnp::sum(a(gnp::all, gnp::newaxis) + a(0), {.axis = {0, 2}}).shape() == gnp::shape_t{1});
    CHECK(gnp::any(a.T() == 15, {.axis = 0}).item(3));
    CHECK(gnp::sum(gnp::sqrt(gnp::square(a))).item() == 120);
    CHECK(gnp::sum(a.astype<std::int8_t>()).item() == 120);
    CHECK(gnp::sum(gnp::sum(a, {.axis = 0}) * gnp::sum(b, {.axis = 0})).item() ==
          Approx(24 * 52 + 28 * 60 + 32 * 68 + 36 * 76));
  });
}

TEST_CASE("argmin and argmax: the first of several, NaN before all, in the order of the indices") {
  for_each_device([](gnp::device) {
    CHECK(gnp::argmin(asarray<float>({0.0F, -0.0F})).item() == 0);
    CHECK(gnp::argmax(asarray<float>({-0.0F, 0.0F})).item() == 0);
    CHECK(gnp::argmax(asarray<float>({1, not_a_number, infinity, not_a_number})).item() == 1);
    CHECK(gnp::argmin(asarray<float>({1, not_a_number, -infinity, not_a_number})).item() == 1);
    CHECK(gnp::nanargmax(asarray<float>({not_a_number, 1, 3, not_a_number, 3})).item() == 2);
    CHECK(gnp::nanargmin(asarray<float>({not_a_number, infinity, not_a_number})).item() == 1);
    CHECK(gnp::argmax(asarray<bool>({false, true, true})).item() == 1);
    CHECK(
        gnp::argmax(asarray<gnp::complex64>({gnp::complex64(1, 2), gnp::complex64(1, 3), gnp::complex64(0, 9)}))
            .item() == 1);
    // Ties that a layout has in another order than the indices.
    const array<std::int32_t> a = asarray<std::int32_t>({{0, 7, 1}, {7, 0, 7}});
    CHECK(gnp::argmax(a).item() == 1);
    CHECK(gnp::argmax(a.T()).item() == 1);
    CHECK(gnp::argmax(gnp::flip(a)).item() == 0);
    CHECK(gnp::argmin(gnp::flip(a, 0)).item() == 1);
    CHECK(gnp::argmax(gnp::broadcast_to(a(0), {5, 3})).item() == 1);
    // Long enough for several threads or blocks.
    for (const index_t n : {5000, 300000, 3000001}) {
      array<float> x = gnp::zeros<float>({n});
      x(n / 2) = 1;
      x(n - 1) = 1;
      CHECK(gnp::argmax(x).item() == n / 2);
      CHECK(gnp::argmax(gnp::flip(x)).item() == 0);
      CHECK(gnp::argmin(x).item() == 0);
      x(n / 3) = not_a_number;
      CHECK(gnp::argmax(x).item() == n / 3);
      CHECK(gnp::nanargmax(x).item() == n / 2);
    }
  });
}

TEST_CASE("min and max: NaN wins, and loses in the nan forms") {
  for_each_device([](gnp::device) {
    const array<float> a = asarray<float>(
        {{1, not_a_number, -infinity}, {not_a_number, not_a_number, not_a_number}, {2, infinity, 3}});
    CHECK(std::isnan((gnp::min)(a).item()));
    CHECK(std::isnan((gnp::max)(a).item()));
    CHECK(gnp::nanmin(a).item() == -infinity);
    CHECK(gnp::nanmax(a).item() == infinity);
    CHECK(std::isnan(gnp::nanmax(a, {.axis = 1}).item(1)));
    CHECK(gnp::nanmax(a, {.axis = 1, .initial = -5}).item(1) == -5);
    CHECK(std::isnan((gnp::max)(a(0), {.initial = 100}).item()));
    CHECK(gnp::nansum(a(1)).item() == 0);
    CHECK(gnp::nanprod(a(1)).item() == 1);
    CHECK(std::isnan(gnp::nanmean(a(1)).item()));
    CHECK(gnp::nanmean(a(gnp::slice(gnp::none), 0)).item() == 1.5F);
    CHECK(gnp::nanvar(a(gnp::all, 0)).item() == 0.25F);
    CHECK(std::isnan(gnp::nanvar(a(gnp::all, 0), {.ddof = 2}).item()));
    CHECK(gnp::nancumsum(a(gnp::all, 0)).item(-1) == 3);
    CHECK(gnp::nancumprod(a(gnp::all, 0) * 3).item(-1) == 18);
    CHECK(gnp::nancumsum(gnp::ones<std::int8_t>({200})).item(-1) == 200);
  });
}

TEST_CASE("var: exactly zero of a constant, and right far from zero") {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 3, 128, 1000, 100003}) {
      CHECK(gnp::var(gnp::full<float>({n}, 0.1F)).item() == 0);
      CHECK(gnp::std(gnp::full<double>({n}, 1e300)).item() == 0);
      CHECK(gnp::var(gnp::full<float>({n, 3}, 123.456F), {.axis = 0}).item(2) == 0);
      CHECK(gnp::nanvar(gnp::full<gnp::half>({3, n}, static_cast<gnp::half>(0.1F)), {.axis = 1}).item(1) == 0);
    }
    // 1e8 - 8 and 1e8 + 8 in float, whose neighbours there are 8 apart.
    const array<float> far = 1e8F + (gnp::arange(100000) % 2).astype<float>() * 16;
    CHECK(gnp::var(far).item() == Approx(64));
    CHECK(gnp::var(far.reshape(100, 1000), {.axis = 0, .ddof = 1}).item(0) == 0);
    CHECK(gnp::std(far.reshape(1000, 100), {.axis = 1}).item(999) == Approx(8));
    CHECK(gnp::nanvar(far).item() == Approx(64));
  });
}

TEST_CASE("reductions: axes by position, options by name") {
  for_each_device([](gnp::device) {
    const array<float> a = asarray<float>({{0, 1, 2}, {5, 4, 3}});
    const auto is = [](const auto& got, const auto& expected) { return gnp::array_equal(got, expected); };
    const array<float> columns = asarray<float>({5, 5, 5});
    const array<float> rows = asarray<float>({3, 12});
    // A list in braces is a list of axes, in every form; an integer of any type is one.
    CHECK(gnp::sum(a, {0, 1}).shape() == gnp::shape_t{});
    CHECK(gnp::sum(a, {0, 1}).item() == 15);
    CHECK(a.sum({0, 1}).item() == 15);
    CHECK((a + 0).sum({1, 0}).item() == 15);
    CHECK(is(gnp::sum(a, 0), columns));
    CHECK(is(gnp::sum(a, {0}), columns));
    CHECK(is(gnp::sum(a, -1), rows));
    CHECK(is(a.sum(std::size_t{1}), rows));
    CHECK(is(a.sum(std::vector<int>{1}), rows));
    CHECK(is(gnp::sum(a, 1, {.keepdims = true}), rows.reshape(2, 1)));
    CHECK(is(a.sum({0, -1}, {.keepdims = true, .initial = 1}), asarray<float>({16}).reshape(1, 1)));
    static_assert(std::is_same_v<result_of<decltype(gnp::sum<double>(a, 0))>, double>);
    // None, and nothing in braces, are all axes; an empty list is no axis.
    CHECK(gnp::sum(a, gnp::none).item() == 15);
    CHECK(gnp::sum(a, {}).item() == 15);
    CHECK(a.sum({}).item() == 15);
    CHECK(is(gnp::sum(a, gnp::shape_t{}), a));
    CHECK(gnp::all(a, {}).item() == false);
    // All of them.
    CHECK(gnp::prod(a, {0, 1}).item() == 0);
    CHECK(is(a.prod(0), asarray<float>({0, 4, 6})));
    CHECK(is(gnp::mean(a, 1), asarray<float>({1, 4})));
    CHECK(a.mean({0, 1}).item() == 2.5);
    CHECK(gnp::var(a, {0, 1}).item() == Approx(35.0 / 12));
    CHECK(gnp::var(a, 0, {.ddof = 1}).get()(0) == 12.5F);
    CHECK(is(a.var(0), asarray<float>({6.25F, 2.25F, 0.25F})));
    CHECK(is(gnp::std(a, 0), asarray<float>({2.5F, 1.5F, 0.5F})));
    CHECK(is(a.std(0), asarray<float>({2.5F, 1.5F, 0.5F})));
    CHECK((gnp::max)(a, {0, 1}).item() == 5);
    CHECK((gnp::min)(a, {0, 1}).item() == 0);
    CHECK(is((a.max)(0, {.initial = 4.5}), asarray<float>({5, 4.5, 4.5})));
    CHECK(is((a.min)(-1), asarray<float>({0, 3})));
    CHECK(is(gnp::amin(a, 1), asarray<float>({0, 3})));
    CHECK(is(gnp::amax(a, 1), asarray<float>({2, 5})));
    CHECK(is(gnp::ptp(a, 0), asarray<float>({5, 3, 1})));
    CHECK(is(gnp::argmax(a, -1), asarray<std::int64_t>({2, 0})));
    CHECK(is(gnp::argmin(a, -1, {.keepdims = true}), asarray<std::int64_t>({0, 2}).reshape(2, 1)));
    CHECK(is(a.argmax(0), asarray<std::int64_t>({1, 1, 1})));
    CHECK(is(a.argmin(0), asarray<std::int64_t>({0, 0, 0})));
    CHECK(is(gnp::any(a > 4, 1), asarray<bool>({false, true})));
    CHECK(is((a > 4).any(0), asarray<bool>({true, false, false})));
    CHECK(is(gnp::all(a, 1), asarray<bool>({false, true})));
    CHECK_FALSE(gnp::all(a, {0, 1}).item());
    CHECK(is(a.all(0, {.keepdims = true}), asarray<bool>({false, true, true}).reshape(1, 3)));
    CHECK(is(gnp::count_nonzero(a, 1), asarray<std::int64_t>({2, 3})));
    CHECK(gnp::count_nonzero(a, {0, 1}).item() == 5);
    CHECK(is(gnp::cumsum(a, 0), asarray<float>({{0, 1, 2}, {5, 5, 5}})));
    CHECK(is(a.cumsum(-1), asarray<float>({{0, 1, 3}, {5, 9, 12}})));
    CHECK(is(a.cumprod(0), asarray<float>({{0, 1, 2}, {0, 4, 6}})));
    CHECK(is(gnp::cumprod(a, 1), asarray<float>({{0, 0, 0}, {5, 20, 60}})));
    CHECK(is(gnp::average(a, 0), asarray<float>({2.5F, 2.5F, 2.5F})));
    CHECK(is(gnp::average(a, 0, asarray<float>({4, 1})), asarray<float>({1, 1.6F, 2.2F})));
    CHECK(gnp::average(a, {0, 1}).item() == 2.5);
    const auto w = asarray<float>({4, 1});
    CHECK(is(gnp::average(a, {.axis = 0, .weights = w}), asarray<float>({1, 1.6F, 2.2F})));
    CHECK(is(gnp::average(a, 0, {.weights = std::vector{4, 1}}), asarray<double>({1, 1.6, 2.2})));
    CHECK(is(gnp::average(a, 0, {.weights = w * gnp::complex64(0, 1)}),
             asarray<gnp::complex64>({1, 1.6F, 2.2F})));
    // The type is NumPy's for these weights.
    CHECK(gnp::average(a, {.axis = 0, .weights = w}).dtype() == gnp::dtype::float32);
    CHECK(gnp::average(a, {.axis = 0, .weights = w.astype<gnp::half>()}).dtype() == gnp::dtype::float32);
    CHECK(gnp::average(a.astype<int>(), 0, {.weights = w}).dtype() == gnp::dtype::float64);
    CHECK(gnp::average(a, {.axis = 0, .weights = w.astype<double>()}).dtype() == gnp::dtype::float64);
    CHECK(gnp::average(a, {.axis = 0, .weights = w.astype<int>()}).dtype() == gnp::dtype::float64);
    CHECK(gnp::average(a, {.axis = 0, .weights = w, .keepdims = true}).shape() == gnp::shape_t{1, 3});
    CHECK(gnp::average(a, 0, {.weights = std::vector{4, 1}})(1).item() == Approx(1.6));
    CHECK(gnp::average(a, {.weights = a + 1}).item() == Approx(gnp::average(a, a + 1).item()));
    const auto [avg, weight] = gnp::average(a, {.axis = 0, .weights = w, .returned = true});
    CHECK(is(avg, asarray<float>({1, 1.6F, 2.2F})));
    CHECK(is(weight, asarray<float>({5, 5, 5})));
    CHECK_THROWS_WITH(gnp::average(a, {.axis = 1, .weights = w}), contains("do not fit axis (1,)"));
    const array<float> holes = gnp::where(a == 1, not_a_number, a);
    CHECK(is(gnp::nansum(holes, 1), asarray<float>({2, 12})));
    CHECK(is(gnp::nanprod(holes, 0), asarray<float>({0, 4, 6})));
    CHECK(is(gnp::nanmin(holes, 0), asarray<float>({0, 4, 2})));
    CHECK(is(gnp::nanmax(holes, {1}), asarray<float>({2, 5})));
    CHECK(is(gnp::nanargmin(holes, 0), asarray<std::int64_t>({0, 1, 0})));
    CHECK(is(gnp::nanargmax(holes, 1), asarray<std::int64_t>({2, 0})));
    CHECK(is(gnp::nanmean(holes, 1), asarray<float>({1, 4})));
    CHECK(gnp::nanvar(holes, {0, 1}).item() == Approx(2.96));
    CHECK(is(gnp::nanstd(holes, 0), asarray<float>({2.5F, 0, 0.5F})));
    CHECK(is(gnp::nancumsum(holes, 1), asarray<float>({{0, 0, 2}, {5, 9, 12}})));
    CHECK(is(gnp::nancumprod(holes, 0), asarray<float>({{0, 1, 2}, {0, 4, 6}})));
    CHECK(is(gnp::diff(a, 1, 0), asarray<float>({{5, 3, 1}})));
    CHECK(is(gnp::diff(a, 2), asarray<float>({0, 0}).reshape(2, 1)));
    CHECK(is(gnp::diff(a, 1, {.axis = 0}), asarray<float>({5, 3, 1}).reshape(1, 3)));
    CHECK(is(gnp::flip(a, {0, 1}), asarray<float>({{3, 4, 5}, {2, 1, 0}})));
    // The order of a norm stands before its axes.
    CHECK(is(gnp::linalg::norm(a, 1, 0), columns));
    CHECK(is(gnp::linalg::norm(a, {.ord = 1, .axis = 0}), columns));
    CHECK(is(gnp::linalg::norm(asarray<float>({{3, 4}, {5, 12}}), {.axis = 1}), asarray<float>({5, 13})));
    CHECK(gnp::linalg::norm(a, "fro").item() == Approx(std::sqrt(55.0)));
    CHECK(gnp::linalg::norm(a, gnp::none, {0, 1}).item() == Approx(std::sqrt(55.0)));
    CHECK(gnp::linalg::norm(a, 1, {0, 1}, {.keepdims = true}).shape() == gnp::shape_t{1, 1});
    CHECK_THROWS_WITH(gnp::sum(a, 2), contains("sum: axis 2 is out of bounds for array of dimension 2"));
    CHECK_THROWS_WITH(a.sum({0, -2}), contains("sum: duplicate value in axis (0, -2)"));
    CHECK_THROWS_WITH(gnp::cumsum(a, {0, 1}), contains("cumsum: takes one axis or none, got (0, 1)"));
    CHECK_THROWS_WITH(gnp::mean(gnp::full<float>({}, 1.0F), 0), contains("mean: axis 0 is out of bounds"));
    CHECK_THROWS_WITH(gnp::std(gnp::full<float>({}, 1.0F), -1), contains("std: axis -1 is out of bounds"));
  });
}

// Nothing but names makes options.
template <class Options, class... Values>
concept made_by_position = requires(Values... values) { Options{values...}; };
template <class Options>
inline constexpr bool by_name_alone =
    std::is_aggregate_v<Options> && requires { Options{}; } && !made_by_position<Options, int> &&
    !made_by_position<Options, int, bool> && !made_by_position<Options, double, double> &&
    !made_by_position<Options, bool> && !made_by_position<Options, char>;

TEST_CASE("options are given by name alone") {
  using namespace gnp;
  STATIC_REQUIRE(by_name_alone<reduce_options>);
  STATIC_REQUIRE(by_name_alone<sum_options>);
  STATIC_REQUIRE(by_name_alone<var_options>);
  STATIC_REQUIRE(by_name_alone<clip_options>);
  STATIC_REQUIRE(by_name_alone<scan_options>);
  STATIC_REQUIRE(by_name_alone<diff_options<int>>);
  STATIC_REQUIRE(by_name_alone<isclose_options>);
  STATIC_REQUIRE(by_name_alone<array_equal_options>);
  STATIC_REQUIRE(by_name_alone<linspace_options>);
  STATIC_REQUIRE(by_name_alone<logspace_options>);
  STATIC_REQUIRE(by_name_alone<nan_to_num_options>);
  STATIC_REQUIRE(by_name_alone<vecdot_options>);
  STATIC_REQUIRE(by_name_alone<cross_options>);
  STATIC_REQUIRE(by_name_alone<print_options>);
  STATIC_REQUIRE(by_name_alone<linalg::norm_options>);
  STATIC_REQUIRE(by_name_alone<linalg::matrix_norm_options>);
  STATIC_REQUIRE(by_name_alone<linalg::eigh_options>);
  STATIC_REQUIRE(by_name_alone<linalg::cholesky_options>);
  STATIC_REQUIRE(by_name_alone<linalg::svd_options>);
  STATIC_REQUIRE(by_name_alone<linalg::qr_options>);
  STATIC_REQUIRE(!made_by_position<linalg::qr_options, const char*>);
  STATIC_REQUIRE(by_name_alone<linalg::pinv_options>);
  STATIC_REQUIRE(by_name_alone<linalg::lstsq_options>);
  STATIC_REQUIRE(by_name_alone<linalg::matrix_rank_options>);
  STATIC_REQUIRE(by_name_alone<linalg::tensorsolve_options>);
  STATIC_REQUIRE(by_name_alone<random::integers_options>);
  STATIC_REQUIRE(by_name_alone<random::axis_options>);
  STATIC_REQUIRE(by_name_alone<random::choice_options>);
}

TEST_CASE("reductions: the whole part of an initial value must fit an integer result") {
  for_each_device([](gnp::device) {
    const auto bytes = asarray<std::int8_t>({1, 2});
    const auto longs = asarray<std::int64_t>({1, 2});
    CHECK((gnp::max)(longs, {.initial = 2.7}).item() == 2);
    CHECK((gnp::min)(bytes, {.initial = -128.9}).item() == -128);
    CHECK_THROWS_WITH((gnp::min)(bytes, {.initial = -129.0}), "min: the number -129 is out of bounds for int8");
    CHECK_THROWS_AS((gnp::max)(bytes, {.initial = 128.0}), gnp::dtype_error);
    CHECK((gnp::min)(longs, {.initial = -9223372036854775808.0}).item() ==
          (std::numeric_limits<std::int64_t>::min)());
    for (const double wrong : {9223372036854775808.0, gnp::inf, gnp::nan})
      CHECK_THROWS_AS(gnp::sum(longs, {.initial = wrong}), gnp::dtype_error);
    CHECK_THROWS_AS((gnp::max)(asarray<std::uint64_t>({1}), {.initial = -1.0}), gnp::dtype_error);
    CHECK(gnp::any(bytes).item());
  });
}

TEMPLATE_TEST_CASE("reductions: any byte of a row counts, wherever it is", "", std::uint8_t, std::int8_t,
                   bool) {
  using T = TestType;
  for_each_device([](gnp::device device) {
    for (const gnp::index_t length : {1, 7, 8, 9, 255, 256, 257, 263, 264, 500, 511, 1000, 4097, 5000}) {
      if (!device.is_cpu() && length != 264) continue;  // the others are what the CPU's loops take at a time
      const gnp::index_t apart = length < 300 ? 1 : 37;
      std::vector<T> values(static_cast<std::size_t>((length / apart + 2) * length));
      std::vector<bool> some(static_cast<std::size_t>(length / apart + 2), true);
      some[0] = false;
      for (std::size_t row = 1; row < some.size(); ++row) {
        const auto place = (std::min)((static_cast<gnp::index_t>(row) - 1) * apart, length - 1);
        values[row * static_cast<std::size_t>(length) + static_cast<std::size_t>(place)] = static_cast<T>(128);
      }
      const array<T> x = gnp::asarray(values).reshape(-1, length);
      CHECK(gnp::array_equal(gnp::any(x, {.axis = 1}), gnp::asarray(some)));
      CHECK_FALSE(gnp::any(x(0)).item());
      CHECK(gnp::any(x(-1)).item());
    }
  });
}

TEMPLATE_TEST_CASE("reductions: formulas of short rows, some rows at a time", "", std::int8_t, float, double,
                   gnp::complex128) {
  using T = TestType;
  for_each_device([](gnp::device device) {
    for (const gnp::index_t length : {1, 3, 170, 341, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049}) {
      if (!device.is_cpu() && length != 513)
        continue;  // the others are where the CPU takes more rows, or fewer
      const auto x =
          (gnp::arange<std::int64_t>(23 * length) % 3).template astype<T>().reshape(23, length).copy();
      std::vector<std::int64_t> sums(23);
      for (gnp::index_t i = 0; i < 23 * length; ++i)
        sums[static_cast<std::size_t>(i / length)] += (i % 3) * (i % 3) + 1;
      const auto found = gnp::sum((x * x + static_cast<T>(1)).template astype<T>(), {.axis = 1});
      CHECK(gnp::array_equal(found, gnp::asarray(sums)));
    }
  });
}

TEST_CASE("reductions: columns that lie side by side in another order than their results") {
  for_each_device([](gnp::device) {
    const gnp::array<int> whole = gnp::arange<int>(7 * 18 * 31) * 37 % 101;
    const gnp::array<int> x = whole.reshape({7, 18, 31});
    const gnp::array<int> rows = gnp::arange<int>(7).reshape({7, 1, 1});
    const gnp::array<int> part = x.index({gnp::all, gnp::slice(0, 17), gnp::slice(1, 30)});
    for (const gnp::array<int>& elements : {x, part}) {
      const gnp::array<int> across = elements.transpose({2, 1, 0});  // reduced along the slowest axis
      const gnp::array<int> plain = across.copy();
      const gnp::host_array<int> given = gnp::asnumpy(elements);
      const gnp::host_array<int> largest = gnp::asnumpy(gnp::max(across, {.axis = 2}));
      const gnp::host_array<gnp::index_t> total =
          gnp::asnumpy(gnp::sum(across, {.axis = 2}).astype<gnp::index_t>());
      int wrong = 0;
      for (gnp::index_t j = 0; j < given.shape()[1]; ++j) {
        for (gnp::index_t k = 0; k < given.shape()[2]; ++k) {
          int most = given(0, j, k);
          gnp::index_t sum = 0;
          for (gnp::index_t i = 0; i < given.shape()[0]; ++i) {
            most = (std::max)(most, given(i, j, k));
            sum += given(i, j, k);
          }
          wrong += largest(k, j) == most && total(k, j) == sum ? 0 : 1;
        }
      }
      CHECK(wrong == 0);
      CHECK(gnp::array_equal(gnp::sum(across, {.axis = 2}), gnp::sum(plain, {.axis = 2})));
      CHECK(gnp::array_equal(gnp::max(across, {.axis = 2}), gnp::max(plain, {.axis = 2})));
      CHECK(gnp::array_equal(gnp::argmax(across, {.axis = 2}), gnp::argmax(plain, {.axis = 2})));
      CHECK(gnp::array_equal(gnp::all(across, {.axis = 2}), gnp::all(plain, {.axis = 2})));
      const gnp::array<bool> few = across > 90;
      CHECK(gnp::array_equal(gnp::argmax(few, {.axis = 2}), gnp::argmax(few.copy(), {.axis = 2})));
      CHECK(gnp::array_equal(gnp::argmax(few, {.axis = 2}), gnp::argmax(few.astype<int>(), {.axis = 2})));
      CHECK(gnp::array_equal(gnp::argmin(few, {.axis = 2}), gnp::argmin(few.astype<int>(), {.axis = 2})));
      const gnp::array<double> real = elements.astype<double>();
      const gnp::array<double> real_across = real.transpose({2, 1, 0});
      CHECK(gnp::array_equal(gnp::mean(real_across, {.axis = 2}), gnp::mean(real_across.copy(), {.axis = 2})));
      CHECK(gnp::array_equal(gnp::sum(real_across * real_across, {.axis = 2}),
                             gnp::sum(plain * plain, {.axis = 2}).astype<double>()));
      // One factor lies in fewer pieces than the other, or in another order.
      CHECK(gnp::array_equal(
          gnp::sum(real_across * (rows + 1).transpose({2, 1, 0}).astype<double>(), {.axis = 2}),
          gnp::sum(plain * (rows + 1).transpose({2, 1, 0}), {.axis = 2}).astype<double>()));
      CHECK(gnp::array_equal(
          gnp::sum(real * gnp::array<double>(real_across.copy()).transpose({2, 1, 0}), {.axis = 0}),
          gnp::sum(elements * elements, {.axis = 0}).astype<double>()));
      // Into every other column, and into a transposed place.
      gnp::array<double> places = gnp::zeros<double>({elements.shape()[1], 2 * elements.shape()[2]});
      places(gnp::all, gnp::slice(gnp::none, gnp::none, 2)) = gnp::sum(real, {.axis = 0});
      CHECK(gnp::array_equal(places(gnp::all, gnp::slice(gnp::none, gnp::none, 2)),
                             gnp::sum(elements, {.axis = 0}).astype<double>()));
      CHECK(gnp::sum(places(gnp::all, gnp::slice(1, gnp::none, 2))).item() == 0);
    }
    // A result goes where the elements were.
    gnp::array<int> own = x.copy();
    own(0) = gnp::max(own, {.axis = 0});
    CHECK(gnp::array_equal(own(0), gnp::max(x, {.axis = 0})));
    own = x.copy();
    own(gnp::all, gnp::all, 3) = gnp::sum(own, {.axis = 2});
    CHECK(gnp::array_equal(own(gnp::all, gnp::all, 3), gnp::sum(x, {.axis = 2})));
  });
}

TEST_CASE("reductions: of nothing, to nothing, of one") {
  for_each_device([](gnp::device) {
    const array<float> none = gnp::zeros<float>({0, 3});
    CHECK(gnp::sum(none).item() == 0);
    CHECK(gnp::array_equal(gnp::prod(none, {.axis = 0}), gnp::ones<float>({3})));
    CHECK(gnp::sum(none, {.axis = 1}).shape() == gnp::shape_t{0});
    CHECK(gnp::argmax(none, {.axis = 1}).shape() == gnp::shape_t{0});
    CHECK(gnp::nanargmax(none, {.axis = 1}).shape() == gnp::shape_t{0});
    CHECK((gnp::max)(none, {.axis = 1, .keepdims = true}).shape() == gnp::shape_t{0, 1});
    CHECK((gnp::max)(none, {.initial = 4}).item() == 4);
    const array<float> nothing = gnp::zeros<float>({0, 0});  // to reduce, and to compute
    CHECK_THROWS_WITH((gnp::max)(nothing, 0), contains("zero-size array of shape (0, 0)"));
    CHECK_THROWS_AS((gnp::min)(gnp::zeros<float>({4, 0, 0}), {0, 1}), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::argmax(nothing, 0), contains("attempt to get argmax of an empty sequence"));
    CHECK_THROWS_AS(gnp::nanargmin(nothing, 0), gnp::shape_error);
    CHECK_THROWS_AS(gnp::ptp(nothing, 1), gnp::shape_error);
    CHECK_THROWS_AS(gnp::ufuncs::subtract.reduce(nothing, 0), gnp::shape_error);
    CHECK((gnp::max)(nothing, {.axis = 0, .initial = 1}).shape() == gnp::shape_t{0});
    CHECK(gnp::all(none).item());
    CHECK_FALSE(gnp::any(none).item());
    CHECK(std::isnan(gnp::mean(none).item()));
    CHECK(std::isnan(gnp::var(none).item()));
    CHECK(gnp::count_nonzero(none).item() == 0);
    const array<float> one = gnp::full<float>({}, 3.0F);
    CHECK(gnp::sum(one).item() == 3);
    CHECK(gnp::argmax(one).item() == 0);
    CHECK(gnp::var(one).item() == 0);
    CHECK(std::isnan(gnp::var(one, {.ddof = 1}).item()));
    CHECK(gnp::sum(one, {.keepdims = true}).shape() == gnp::shape_t{});
  });
}

TEST_CASE("reductions: errors name the function and the values") {
  for_each_device([](gnp::device) {
    const array<float> a = counted({3, 4});
    const array<float> none = gnp::zeros<float>({0, 4});
    const array<float> no_number = gnp::full<float>({2}, not_a_number);
    CHECK_THROWS_AS(gnp::sum(a, {.axis = 2}), gnp::index_error);
    CHECK_THROWS_WITH(gnp::sum(a, {.axis = 2}),
                      contains("sum: axis 2 is out of bounds for array of dimension 2"));
    CHECK_THROWS_WITH(gnp::var(a, {.axis = -3}), contains("var: axis -3 is out of bounds"));
    CHECK_THROWS_WITH(gnp::nanmean(a, {.axis = {0, 5}}), contains("nanmean: axis 5 is out of bounds"));
    CHECK_THROWS_AS((gnp::max)(a, {.axis = {1, -1}}), gnp::shape_error);
    CHECK_THROWS_WITH((gnp::max)(a, {.axis = {1, -1}}), contains("max: duplicate value in axis (1, -1)"));
    CHECK_THROWS_WITH(gnp::nanmin(a, {.axis = {0, 0}}), contains("nanmin: duplicate value in axis (0, 0)"));
    CHECK_THROWS_AS(gnp::argmax(a, {.axis = {0, 1}}), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::argmax(a, {.axis = {0, 1}}), contains("argmax: takes one axis or none, got (0, 1)"));
    CHECK_THROWS_AS(gnp::argmax(none), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::argmax(none), contains("attempt to get argmax of an empty sequence, shape (0, 4)"));
    CHECK_THROWS_WITH(gnp::nanargmin(none, {.axis = 0}),
                      contains("attempt to get nanargmin of an empty sequence"));
    CHECK_THROWS_AS((gnp::min)(none), gnp::shape_error);
    CHECK_THROWS_WITH((gnp::min)(none, {.axis = 0}), contains("min: zero-size array of shape (0, 4)"));
    CHECK_THROWS_WITH(gnp::nanmax(none), contains("nanmax: zero-size array of shape (0, 4)"));
    CHECK_THROWS_WITH(gnp::ptp(none), contains("ptp: zero-size array of shape (0, 4)"));
    CHECK_THROWS_WITH(gnp::nanargmax(no_number), contains("nanargmax: All-NaN slice encountered"));
    CHECK_THROWS_WITH(gnp::nanargmin(no_number.reshape(2, 1), {.axis = 1}),
                      contains("nanargmin: All-NaN slice"));
    CHECK_THROWS_AS(gnp::average(a, gnp::ones<float>({3}), {.axis = 1}), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::average(a, gnp::ones<float>({3}), {.axis = 1}),
                      contains("weights of shape (3,) do not fit axis (1,)"));
    CHECK_THROWS_WITH(gnp::average(a, gnp::ones<float>({4})), contains("axis must be specified"));
    CHECK_THROWS_WITH(gnp::average(a, a * 0), contains("weights sum to zero"));
  });
}

TEST_CASE("variances of columns of halves, by as many rows as a thread takes at once and others") {
  for_each_device([](gnp::device) {
    for (const gnp::index_t height : {15, 255, 256, 257, 4111}) {
      for (const gnp::index_t width : {8, 37}) {
        INFO(height << " x " << width);
        const gnp::array<gnp::half> x =
            (sin(gnp::arange<float>(height * width).reshape(height, width)) * 3 + 20).astype<gnp::half>();
        CHECK(gnp::allclose(gnp::var(x, 0).astype<double>(), gnp::var(x.astype<double>(), 0), {.rtol = 1e-3}));
      }
    }
  });
}

TEST_CASE("a mask chooses which elements are reduced") {
  for_each_device([](gnp::device) {
    const double inf = gnp::inf;
    const array<double> m = gnp::asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, inf}});
    const array<bool> ends = gnp::asarray({true, false, true});
    CHECK(gnp::sum(m, {.where = gnp::isfinite(m)}).item() == 15);
    CHECK(gnp::array_equal(gnp::sum(m, {.axis = 0, .where = ends}), gnp::asarray({5.0, 0.0, inf})));
    CHECK(gnp::array_equal(gnp::sum(m, 1, {.initial = 10, .where = m < 5}), gnp::asarray({16, 14})));
    CHECK(gnp::sum(m, {.keepdims = true, .where = m < 3}).shape() == gnp::shape_t{1, 1});
    CHECK(gnp::prod(m, {.initial = 2, .where = m < 4}).item() == 12);
    CHECK(gnp::array_equal((m + 0).max({.axis = 1, .initial = 4.5, .where = m < 6}), gnp::asarray({4.5, 5.0})));
    CHECK(gnp::min(gnp::asarray<std::int8_t>({3, 1, 2}),
                   {.initial = 7, .where = gnp::asarray({true, false, true})})
              .item() == 2);
    CHECK(gnp::array_equal(gnp::mean(m, {.axis = 1, .where = m < 5}), gnp::asarray({2, 4})));
    CHECK(gnp::array_equal(m.var({.axis = 1, .where = m < 6}), gnp::asarray({2.0 / 3, 0.25})));
    CHECK(gnp::array_equal(gnp::var(m, {.axis = 0, .ddof = 3, .where = m < 6}) > 0,
                           gnp::asarray({true, true, false})));  // infinities, and 0 / 0
    CHECK(gnp::std(m, {.ddof = 1, .where = m < 6}).item() == Approx(std::sqrt(2.5)));
    CHECK(gnp::array_equal(gnp::any(m, {.axis = 1, .where = m > 3}), gnp::asarray({false, true})));
    CHECK(gnp::array_equal(gnp::all(m - 1, {.axis = 1, .where = ends}), gnp::asarray({false, true})));
    CHECK((m - 1).all({.where = m > 1}).item());
    CHECK(gnp::isnan(m.mean({.where = m > inf})).item());

    const array<gnp::half> large = gnp::full<gnp::half>({4}, 60000);
    CHECK(gnp::mean(large, {.where = large > 0}).item() == gnp::half(60000.0F));
    const array<gnp::complex64> z =
        gnp::asarray<gnp::complex64>({{1, 1}, {3, 3}, {9, 9}})(gnp::all, 0) * gnp::complex64(0, 1);
    CHECK(gnp::var(z, {.where = gnp::asarray({true, true, false})}).item() == 1);
    CHECK(gnp::mean(gnp::asarray({1, 2, 4}), {.where = ends}).item() == 2.5);
    CHECK(gnp::sum(gnp::asarray({true, true, true}), {.where = ends}).item() == 2);

    // The same without NaN: the values are NumPy's.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const array<double> n = gnp::asarray({{1.0, nan, 3.0}, {4.0, 5.0, nan}});
    const array<bool> first = gnp::asarray({true, true, false});
    CHECK(gnp::array_equal(gnp::nansum(n, {.axis = 1, .where = first}), gnp::asarray({1, 9})));
    CHECK(gnp::array_equal(gnp::nanprod(n, 1, {.where = first}), gnp::asarray({1, 20})));
    CHECK(gnp::array_equal(gnp::nanmean(n, {.axis = 1, .where = first}), gnp::asarray({1.0, 4.5})));
    CHECK(gnp::array_equal(gnp::nanvar(n, {.axis = 1, .where = first}), gnp::asarray({0.0, 0.25})));
    CHECK(gnp::array_equal(gnp::nanstd(n, 1, {.where = first}), gnp::asarray({0.0, 0.5})));
    CHECK(gnp::array_equal(gnp::nanmin(n, {.axis = 1, .initial = 2, .where = first}), gnp::asarray({1, 2})));
    CHECK(gnp::array_equal(gnp::nanmax(n, 1, {.initial = 2, .where = first}), gnp::asarray({2, 5})));
    CHECK(gnp::isnan(gnp::nanmean(n, {.where = n > 9})).item());
    CHECK(gnp::nansum(n, {.keepdims = true, .initial = 7, .where = n > 9}).shape() == gnp::shape_t{1, 1});
    CHECK(gnp::nansum(n, {.initial = 7, .where = n > 9}).item() == 7);
    CHECK(gnp::nanvar(n, {.ddof = 1, .where = n < 5}).item() == Approx(7.0 / 3));
    CHECK(gnp::nanmean(n.astype<float>(), {.where = n > 3}).item() == 4.5F);
    CHECK(gnp::nansum(gnp::asarray({1, 2, 4}), {.where = ends}).item() == 5);
    CHECK(gnp::nanmean(gnp::asarray({1, 2, 4}), {.where = ends}).item() == 2.5);
    CHECK_THROWS_WITH(gnp::nanmax(n, {.where = n > 2}),
                      contains("nanmax: to use .where, .initial must be given"));

    CHECK_THROWS_WITH(gnp::min(m, {.where = m > 2}), contains("min: to use .where, .initial must be given"));
    CHECK_THROWS_WITH(gnp::sum(ends, {.where = m > 2}),
                      "sum: .where of shape (2, 3) does not broadcast to the array's shape (3,)");
    CHECK_THROWS_AS(gnp::sum(m, {.where = gnp::asarray({true, false})}), gnp::shape_error);
  });
}
