// SPDX-License-Identifier: MIT
// reduce, accumulate, reduceat, outer and at of ufuncs give what NumPy gives: tests/data/ufunc_methods.txt.
#include <gnp/gnp.hpp>

#include "named_golden.hpp"

namespace {

using gnp::array;
using gnp::newaxis;
using gnp::none;
using gnp::slice;
namespace ufuncs = gnp::ufuncs;

GNP_UFUNC(mean_of_two, (x, y), (x + y) / 2);

template <class T>
void check_methods(named_golden& g, const std::string& name, const T& u, const auto& x, double ulps) {
  for (const int axis : {0, 1, -1}) {
    g.check(name + " reduce " + std::to_string(axis), u.reduce(x, axis), ulps);
    g.check(name + " accumulate " + std::to_string(axis), u.accumulate(x, axis), ulps);
  }
  g.check(name + " reduceat", u.reduceat(x, {0, 3, 1, 1}, 1), ulps);
  g.check(name + " keepdims", u.reduce(x(gnp::all, slice(none, none, -2)), 1, {.keepdims = true}), ulps);
  g.check(name + " outer", u.outer(x(0, slice(2), slice(2)), x(1, 1)), ulps);
}

// What one kind of number is given to.
#define FLOATS(X)                                                                                            \
  X(add)                                                                                                     \
  X(subtract)                                                                                                \
  X(multiply) X(divide) X(floor_divide) X(remainder) X(fmod) X(power) X(float_power) X(maximum) X(minimum)   \
      X(fmax) X(fmin) X(hypot) X(logaddexp) X(logaddexp2) X(arctan2) X(copysign) X(heaviside) X(logical_and) \
          X(logical_or) X(logical_xor)
#define FLOATS_OF_32_BITS(X)                                                                               \
  X(add)                                                                                                   \
  X(subtract)                                                                                              \
  X(multiply) X(divide) X(maximum) X(minimum) X(fmax) X(fmin) X(hypot) X(logaddexp) X(arctan2) X(copysign) \
      X(logical_or)
#define HALVES(X) X(add) X(subtract) X(multiply) X(maximum) X(fmin)
#define INTS(X)                                                                                          \
  X(add)                                                                                                 \
  X(subtract)                                                                                            \
  X(multiply) X(divide) X(maximum) X(minimum) X(fmax) X(fmin) X(gcd) X(lcm) X(bitwise_and) X(bitwise_or) \
      X(bitwise_xor) X(logical_and) X(logical_or) X(logical_xor) X(left_shift) X(hypot)
#define BYTES(X) X(add) X(subtract) X(multiply) X(maximum) X(bitwise_or) X(bitwise_xor) X(gcd)
#define WORDS(X) X(add) X(subtract) X(multiply) X(minimum) X(bitwise_and)
#define LONGS(X) X(add) X(subtract) X(multiply) X(maximum) X(bitwise_and) X(gcd)
#define BOOLS(X)                                                                                 \
  X(add)                                                                                         \
  X(multiply)                                                                                    \
  X(maximum) X(minimum) X(bitwise_and) X(bitwise_or) X(bitwise_xor) X(logical_and) X(logical_or) \
      X(logical_xor)
#define COMPLEX(X) X(add) X(subtract) X(multiply) X(divide) X(maximum) X(logical_or)

void check_all_methods(named_golden& g) {
#define METHODS(ufunc) check_methods(g, std::string(#ufunc) + kind, ufuncs::ufunc, x, ulps);
  const auto check_kind = [](const char* name, const auto& numbers_of_kind, double allowed, const auto& each) {
    each(std::string(" ") + name, numbers_of_kind, allowed);
  };
  const gnp::shape_t shape{3, 4, 5};
  check_kind("floats", numbers<double>(shape), 16,
             [&](const auto& kind, const auto& x, double ulps) { FLOATS(METHODS) });
  check_kind("floats32", numbers<float>(shape), 16,
             [&](const auto& kind, const auto& x, double ulps) { FLOATS_OF_32_BITS(METHODS) });
  check_kind("halves", numbers<gnp::half>(shape), 16,
             [&](const auto& kind, const auto& x, double ulps) { HALVES(METHODS) });
  check_kind("ints", array(numbers<int>(shape) % 7), 16,
             [&](const auto& kind, const auto& x, double ulps) { INTS(METHODS) });
  check_kind("bytes", numbers<std::int8_t>(shape), 0,
             [&](const auto& kind, const auto& x, double ulps) { BYTES(METHODS) });
  check_kind("words", numbers<std::uint16_t>(shape), 0,
             [&](const auto& kind, const auto& x, double ulps) { WORDS(METHODS) });
  check_kind("longs", numbers<std::int64_t>(shape), 0,
             [&](const auto& kind, const auto& x, double ulps) { LONGS(METHODS) });
  check_kind("bools", numbers<bool>(shape), 0,
             [&](const auto& kind, const auto& x, double ulps) { BOOLS(METHODS) });
  check_kind("complex", numbers<gnp::complex128>(shape), 64,
             [&](const auto& kind, const auto& x, double ulps) { COMPLEX(METHODS) });
#undef METHODS
}

void check_edges(named_golden& g) {
  const auto x = numbers<double>({3, 4});
  g.check("all axes", ufuncs::add.reduce(x, none), 4);
  g.check("two axes", ufuncs::multiply.reduce(x, {.axis = {0, 1}}), 4);
  g.check("number", ufuncs::subtract.reduce(gnp::full({}, 3.5)));
  g.check("no elements", ufuncs::logaddexp.reduce(gnp::zeros<double>({0, 3})));
  g.check("no elements and", ufuncs::bitwise_and.reduce(gnp::zeros<int>({2, 0}), 1));
  g.check("no elements hypot", ufuncs::hypot.reduce(gnp::zeros<double>(0)));
  g.check("no results", ufuncs::subtract.reduce(gnp::zeros<double>({0, 3}), 1));
  g.check("no accumulate", ufuncs::subtract.accumulate(gnp::zeros<double>({0, 3})));
  g.check("no segments", ufuncs::subtract.reduceat(x, std::vector<int>()));
  g.check("one", ufuncs::subtract.reduce(x(slice(1))));
  const double nan = gnp::nan;
  g.check("nan", ufuncs::fmax.reduce(gnp::asarray({{nan, 1.0, nan}, {nan, nan, 3.0}})));
  g.check("nan accumulate", ufuncs::fmin.accumulate(gnp::asarray({nan, 2.0, nan, 1.0, 5.0})));
  g.check("as double", ufuncs::add.reduce<double>(numbers<float>(9)), 4);
  g.check("bytes as ints", ufuncs::subtract.accumulate<int>(numbers<std::uint8_t>(9)));
  using gnp::shape_error;
  g.refuses<shape_error>("two axes in order",
                         "subtract.reduce: the order of the operations matters, so at most one",
                         [&] { return ufuncs::subtract.reduce(x, none); });
  g.refuses<shape_error>("no identity", "zero-size array of shape (0, 3) to reduction operation subtract",
                         [&] { return ufuncs::subtract.reduce(gnp::zeros<double>({0, 3})); });
  g.refuses<shape_error>("number accumulate", "add.accumulate: cannot accumulate on a scalar",
                         [&] { return ufuncs::add.accumulate(gnp::full({}, 1.0)); });
  g.refuses<shape_error>("number reduceat", "add.reduceat: cannot reduceat on a scalar",
                         [&] { return ufuncs::add.reduceat(gnp::full({}, 1.0), {0}); });
  g.refuses<gnp::index_error>("index too large", "add.reduceat: index 3 is out of bounds for an axis of size 3",
                              [&] { return ufuncs::add.reduceat(x, {0, 3}); });
  g.refuses<gnp::index_error>("index negative", "index -1 is out of bounds for an axis of size 3",
                              [&] { return ufuncs::add.reduceat(x, gnp::asarray({-1})); });
  g.refuses<gnp::index_error>("axis too large",
                              "subtract.reduce: axis 2 is out of bounds for array of dimension 2",
                              [&] { return ufuncs::subtract.reduce(x, 2); });

  g.check("user reduce", mean_of_two.reduce(x, 1));
  g.check("user accumulate", mean_of_two.accumulate(x * 1.0));
  g.check("user reduceat", mean_of_two.reduceat(x, gnp::asarray<std::int32_t>({0, 2, 1}), {.axis = 1}));
  g.check("user outer", mean_of_two.outer(x(0), x(slice(2))));
  const array y = x(0).copy();
  mean_of_two.at(y, {0, 0, 2, -1}, 8.0);
  g.check("user at", y);
  const array z = x.copy();
  ufuncs::hypot.at(z(gnp::asarray({0, 0, 2}), gnp::asarray({1, 1, 3})), gnp::asarray({3.0, 4.0, 5.0}));
  g.check("hypot at", z, 2);
}

}  // namespace

TEST_CASE("methods of ufuncs, as NumPy's") {
  for_each_device([](gnp::device) {
    named_golden g("ufunc_methods.txt");
    check_all_methods(g);
    check_edges(g);
    g.check_complete();
  });
}

TEST_CASE("methods in order: long axes, many columns, views, what is computed on the way") {
  for_each_device([](gnp::device) {
    // x0 - x1 - x2 ... is 2 x0 - sum, in whole numbers.
    const array<std::int64_t> x = gnp::arange<std::int64_t>(1000 * 77 * 3).reshape(3, 1000, 77) % 1009;
    const auto left = [](const auto& a, int axis) {
      const auto first = gnp::take(a, gnp::asarray({0}), {.axis = axis});
      return array(gnp::squeeze(2 * first, axis) - sum(a, axis));
    };
    CHECK(gnp::array_equal(ufuncs::subtract.reduce(x), left(x, 0)));
    CHECK(gnp::array_equal(ufuncs::subtract.reduce(x, 1), left(x, 1)));
    CHECK(gnp::array_equal(ufuncs::subtract.reduce(x, 2), left(x, 2)));
    CHECK(gnp::array_equal(ufuncs::subtract.reduce(x.T() * 3, 1), left(x.T() * 3, 1)));
    CHECK(gnp::array_equal(ufuncs::subtract.reduce(flip(x)(gnp::all, slice(none, none, 3)), 1),
                           left(array(flip(x)(gnp::all, slice(none, none, 3))), 1)));
    const auto running = ufuncs::subtract.accumulate(x, 1);
    CHECK(gnp::array_equal(running(gnp::all, 999), left(x, 1)));
    CHECK(gnp::array_equal(running(gnp::all, slice(500)),
                           ufuncs::subtract.accumulate(x(gnp::all, slice(500)), 1)));
    CHECK(gnp::array_equal(2 * x(gnp::all, slice(1)) - cumsum(x, 1), running));
  });
}

TEST_CASE("a type that is named is that of the result, of which small integers keep the last bits") {
  for_each_device([](gnp::device) {
    const auto x = gnp::asarray<std::int8_t>({100, 100});
    const auto sum = gnp::ufuncs::add.reduce<std::int8_t>(x);
    CHECK(sum.dtype() == gnp::dtype::int8);
    CHECK(gnp::array(sum).item() == -56);
    CHECK(gnp::ufuncs::add.reduce(x).dtype() == gnp::dtype::int64);
    CHECK(gnp::to_vector(gnp::ufuncs::multiply.accumulate<std::int8_t>(x)) ==
          std::vector<std::int8_t>{100, 16});
    CHECK(gnp::to_vector(gnp::ufuncs::add.reduceat<std::int8_t>(x, {0, 1})) ==
          std::vector<std::int8_t>{100, 100});
    CHECK(gnp::array(gnp::ufuncs::add.reduce<double>(x)).item() == 200);
  });
}

TEST_CASE("segments that are long are reductions, and short ones agree with them") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::sin(gnp::arange<double>(3 * 70000)).reshape(3, 70000);
    const auto sums = ufuncs::add.reduceat(x, {0, 20000, 50000}, 1);
    CHECK(sums.shape() == gnp::shape_t{3, 3});
    const auto parts = [&](auto begin, auto end) { return sum(x(gnp::all, slice(begin, end)), 1); };
    CHECK(gnp::allclose(sums(gnp::all, 0), parts(0, 20000), {.rtol = 1e-12}));
    CHECK(gnp::allclose(sums(gnp::all, 2), parts(50000, 70000), {.rtol = 1e-12}));
    const auto many = ufuncs::add.reduceat(x, gnp::arange<int>(0, 70000, 10), 1);
    CHECK(gnp::allclose(many, sum(x.reshape(3, 7000, 10), 2), {.rtol = 1e-12, .atol = 1e-12}));
    const array<int> counts = gnp::ones<int>(100000);
    CHECK(gnp::array_equal(ufuncs::add.reduceat(counts, {90000, 10, 50000}),
                           gnp::asarray<std::int64_t>({1, 49990, 50000})));
  });
}

TEMPLATE_TEST_CASE("segments of every length around the lanes they are folded in", "", std::int8_t,
                   std::uint16_t, std::int32_t, std::int64_t, std::uint64_t, float, double) {
  for_each_device([](gnp::device) {
    // Lengths up to some whole registers, and around the runs that sums of floats add in pairs.
    std::vector<int> starts;
    int size = 5;
    for (int length = 1; length < 140; ++length) starts.push_back(std::exchange(size, size + length));
    for (const int length : {511, 512, 513, 527, 544, 1023, 1056, 1057, 2100, 5000})
      starts.push_back(std::exchange(size, size + length));
    std::vector<TestType> values;
    for (int i = 0; i < 2 * size; ++i) values.push_back(static_cast<TestType>(i * i % 61 + i % 64));
    const auto x = gnp::asarray(values).reshape(2, size);
    const auto agrees = [&](const auto& ufunc, const auto& fold) {
      const auto results = ufunc.reduceat(x, starts, 1);
      using R = typename std::remove_cvref_t<decltype(results)>::value_type;
      std::vector<R> expected;
      for (int row = 0; row < 2; ++row) {
        for (std::size_t s = 0; s < starts.size(); ++s) {
          const int end = s + 1 < starts.size() ? starts[s + 1] : size;
          R all = static_cast<R>(values[static_cast<std::size_t>(row * size + starts[s])]);
          for (int i = starts[s] + 1; i < end; ++i)
            all = static_cast<R>(fold(all, static_cast<R>(values[static_cast<std::size_t>(row * size + i)])));
          expected.push_back(all);
        }
      }
      return gnp::to_vector(results) == expected;
    };
    CHECK(agrees(ufuncs::add, [](auto a, auto b) { return a + b; }));
    CHECK(agrees(ufuncs::maximum, [](auto a, auto b) { return (std::max)(a, b); }));
    CHECK(agrees(ufuncs::minimum, [](auto a, auto b) { return (std::min)(a, b); }));
    // Few factors that are not 1, so that products of floats are exact.
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<TestType>(i % 397 == 0 || (i < 2700 && i % 41 == 0) ? 3 : 1);
    x.assign(gnp::asarray(values).reshape(2, size));
    if constexpr (std::is_integral_v<TestType>) {
      CHECK(agrees(ufuncs::bitwise_xor, [](auto a, auto b) { return a ^ b; }));
      CHECK(agrees(ufuncs::bitwise_and, [](auto a, auto b) { return a & b; }));
    } else {
      CHECK(agrees(ufuncs::multiply, [](auto a, auto b) { return a * b; }));
      const array<TestType> zeros = gnp::full<TestType>({100}, TestType(-0.0));
      CHECK(gnp::to_vector(gnp::signbit(ufuncs::add.reduceat(zeros, {0, 1, 10, 45}))) ==
            std::vector<bool>{true, true, true, true});
      zeros(70) = std::numeric_limits<TestType>::quiet_NaN();
      const auto most = gnp::to_vector(ufuncs::maximum.reduceat(zeros, {0, 45}));
      CHECK((std::signbit(most[0]) && std::isnan(most[1])));
      const auto numbers = gnp::to_vector(ufuncs::fmax.reduceat(zeros, {0, 45}));
      CHECK((numbers[0] == 0 && numbers[1] == 0));
    }
  });
}

TEST_CASE("one more element, which comes first") {
  for_each_device([](gnp::device) {
    const array<double> m = gnp::asarray<double>({{1, 2, 3}, {4, 5, 6}});
    const auto is = [](const auto& x, std::vector<double> values) {
      return x.template astype<double>().tolist() == values;
    };
    CHECK(is(ufuncs::add.reduce(m, {.initial = 10}), {15, 17, 19}));
    CHECK(is(ufuncs::add.reduce(m, {.axis = none, .initial = 10}), {31}));
    CHECK(is(ufuncs::multiply.reduce(m, 0, {.initial = 2.5}), {10, 25, 45}));
    CHECK(is(ufuncs::subtract.reduce(m, 1, {.initial = 10}), {4, -5}));
    CHECK(is(ufuncs::divide.reduce(m, 1, {.initial = 120}), {20, 1}));
    CHECK(ufuncs::subtract.reduce(m, {.axis = 0, .keepdims = true, .initial = 10}).shape() ==
          gnp::shape_t{1, 3});
    CHECK(is(ufuncs::add.reduce(array<double>(5), {.initial = 3}), {8}));
    // Of no elements it is the result.
    CHECK(is(ufuncs::maximum.reduce(gnp::zeros({0, 3}), {.initial = -5}), {-5, -5, -5}));
    CHECK(is(ufuncs::subtract.reduce(gnp::zeros({0, 2}), {.initial = 4}), {4, 4}));
    const auto sum_of_bytes = ufuncs::add.reduce(gnp::asarray<std::uint8_t>({200, 100}), {.initial = 7});
    CHECK(sum_of_bytes.dtype() == gnp::dtype::uint64);
    CHECK(is(sum_of_bytes, {307}));
    CHECK_THROWS_WITH(ufuncs::subtract.reduce(m, none, {.initial = 1}), contains("at most one axis"));
  });
}

TEST_CASE("reductions of halves in order round once") {
  for_each_device([](gnp::device) {
    const auto halves = [](std::initializer_list<double> values) { return gnp::asarray<gnp::half>(values); };
    const auto is = [&](const array<gnp::half>& x, std::initializer_list<double> values) {
      return gnp::array_equal(gnp::ravel(x), halves(values));
    };
    const array<gnp::half> x = halves({300, 300, 0.01, 2, 300, 400, 0.5});
    CHECK(is(ufuncs::multiply.reduceat(x, {0, 3}), {900, gnp::inf}));
    CHECK(is(ufuncs::divide.reduceat(x, {0, 3}), {100, 3.331899642944336e-05}));
    CHECK(is(ufuncs::subtract.reduceat(halves({2048, 1, 1, -1, 2048}), {0}), {-1}));
    CHECK(is(ufuncs::divide.reduce(halves({3, 0.3, 7, 0.1, 9})), {1.588}));
  });
}
