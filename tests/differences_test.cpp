// SPDX-License-Identifier: MIT
// test: asan
// array_equal, array_equiv and diff where they are not elementwise: shapes, NaN, corners, errors.
#include "devices.hpp"

namespace {

using gnp::array;
using gnp::asarray;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("array_equal and array_equiv are NumPy's") {
  for_each_device([](gnp::device) {
    const array<float> a = asarray<float>({{1, not_a_number}, {3, 4}});
    CHECK_FALSE(gnp::array_equal(a, a));
    CHECK(gnp::array_equal(a, a, {.equal_nan = true}));
    CHECK_FALSE(gnp::array_equal(a, gnp::flip(a), {.equal_nan = true}));
    CHECK_FALSE(gnp::array_equal(a, a.ravel(), {.equal_nan = true}));
    CHECK(gnp::array_equal(a.T().T(), a + 0, {.equal_nan = true}));
    const array<std::int32_t> b = asarray<std::int32_t>({1, 2});
    CHECK(gnp::array_equal(b, asarray<double>({1, 2})));
    CHECK_FALSE(gnp::array_equal(b, asarray<double>({1, 2.5})));
    CHECK_FALSE(gnp::array_equal(b, b.reshape(1, 2)));
    CHECK(gnp::array_equal(gnp::zeros<float>({0, 2}), gnp::ones<int>({0, 2})));
    CHECK_FALSE(gnp::array_equal(gnp::zeros<float>({0, 2}), gnp::zeros<float>({2, 0})));
    // Of different types, the numbers that they are.
    CHECK_FALSE(gnp::array_equal(asarray<std::int64_t>({-1}), asarray<std::uint64_t>({~0ULL})));
    CHECK(gnp::array_equal(asarray<float>({0.0F}), asarray<float>({-0.0F})));
    const array<gnp::complex64> z =
        asarray<gnp::complex64>({gnp::complex64(1, not_a_number), gnp::complex64(2, 3)});
    CHECK_FALSE(gnp::array_equal(z, z));
    CHECK(gnp::array_equal(z, z, {.equal_nan = true}));

    CHECK(gnp::array_equiv(b, asarray<std::int32_t>({{1, 2}, {1, 2}})));
    CHECK_FALSE(gnp::array_equiv(b, asarray<std::int32_t>({{1, 2}, {1, 3}})));
    CHECK_FALSE(gnp::array_equiv(b, asarray<std::int32_t>({1, 2, 3})));
    CHECK(gnp::array_equiv(gnp::ones<float>({2, 3}), 1));
    CHECK_FALSE(gnp::array_equiv(2, b));
    CHECK_FALSE(gnp::array_equiv(a, a));
  });
}

TEST_CASE("diff: the errors and the corners") {
  for_each_device([](gnp::device) {
    const array<std::int32_t> a = asarray<std::int32_t>({{1, 4, 9}, {16, 25, 36}});
    CHECK(gnp::array_equal(gnp::diff(a), asarray<std::int32_t>({{3, 5}, {9, 11}})));
    CHECK(gnp::array_equal(gnp::diff(a, {.n = 2}), asarray<std::int32_t>({{2}, {2}})));
    CHECK(gnp::array_equal(gnp::diff(a, {.axis = 0}), asarray<std::int32_t>({15, 21, 27}).reshape(1, 3)));
    CHECK(gnp::array_equal(gnp::diff(a.T(), {.axis = 0}), gnp::diff(a).T()));
    CHECK(gnp::array_equal(gnp::diff(gnp::flip(a) * 2), asarray<std::int32_t>({{-22, -18}, {-10, -6}})));
    CHECK(gnp::array_equal(gnp::diff(a > 4), asarray<bool>({{false, true}, {false, false}})));
    CHECK(gnp::array_equal(gnp::diff(asarray<std::uint8_t>({3, 1})), asarray<std::uint8_t>({254})));
    CHECK(gnp::array_equal(gnp::diff(a, {.n = 0}), a));
    CHECK(gnp::array_equal(gnp::diff(a > 4, {.n = 0}), a > 4));
    CHECK(gnp::signbit(gnp::diff(asarray({-0.0}), {.n = 0})).item());
    CHECK(gnp::array_equal(gnp::sum(gnp::abs(gnp::diff(a)), 1), asarray<std::int64_t>({8, 20})));
    CHECK_THAT(gnp::explain(gnp::sum(gnp::abs(gnp::diff(a)))), contains("1 kernel\n") || contains("1 loop\n"));
    CHECK(gnp::diff(a, {.n = 7}).shape() == gnp::shape_t{2, 0});
    CHECK(gnp::diff(a, {.n = 2000000000}).shape() == gnp::shape_t{2, 0});
    CHECK(gnp::diff(gnp::zeros<float>({5, 0}), {.n = 2, .axis = 0}).shape() == gnp::shape_t{3, 0});
    CHECK_THROWS_WITH(gnp::diff(a, {.n = -1}), contains("diff: order must be non-negative but got -1"));
    CHECK_THROWS_AS(gnp::diff(a, {.axis = 2}), gnp::index_error);
    CHECK_THROWS_WITH(gnp::diff(a, {.axis = -3}), contains("diff: axis -3 is out of bounds"));
    CHECK_THROWS_AS(gnp::diff(gnp::full<float>({}, 1.0F)), gnp::shape_error);
  });
}
