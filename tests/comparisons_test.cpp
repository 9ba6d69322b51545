// SPDX-License-Identifier: MIT
// isclose and allclose, against NumPy's answers.
#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class A, class B>
void check_pair(const golden::file& goldens, int& found) {
  for (const golden::record& r : goldens.records) {
    if (!goldens.takes(r, golden::types<A, B>{})) continue;
    ++found;
    const array<A> a = asarray(goldens.operand(r, 0).values<A>());
    const array<B> b = asarray(goldens.operand(r, 1).values<B>());
    const gnp::isclose_options options =
        r.name == "isclose_wide"  ? gnp::isclose_options{.rtol = 0.1, .atol = 0.5}
        : r.name == "isclose_nan" ? gnp::isclose_options{.rtol = 0, .equal_nan = true}
                                  : gnp::isclose_options{};
    const array<bool> close = gnp::isclose(a, b, options);
    CHECK(gnp::array_equal(close, gnp::isclose(a, b, options.rtol, options.atol, options.equal_nan)));
    golden::check_values(goldens, r, gnp::asnumpy(close), golden::exact);
    // allclose: of all, and of those that are close.
    const gnp::host_array<bool> expected = r.result.values<bool>();
    const bool all_of_them = std::all_of(expected.begin(), expected.end(), [](bool x) { return x; });
    CHECK(gnp::allclose(a, b, options) == all_of_them);
    for (gnp::index_t i = 0; i < expected.size(); i += 5) {
      const auto at = gnp::slice(i, i + 1);
      CHECK(gnp::allclose(a(at), b(at), options) == expected[i]);
    }
  }
}

template <class... T>
void check_same(const golden::file& goldens, int& found, golden::types<T...>) {
  (check_pair<T, T>(goldens, found), ...);
}

}  // namespace

TEST_CASE("isclose and allclose are NumPy's for every pair of values") {
  const golden::file goldens("comparisons.bin");
  for_each_device([&](gnp::device) {
    int found = 0;
    check_same(goldens, found, golden::all_types{});
    check_pair<std::int32_t, float>(goldens, found);
    check_pair<float, double>(goldens, found);
    check_pair<double, float>(goldens, found);
    check_pair<std::int64_t, std::uint64_t>(goldens, found);
    check_pair<std::uint8_t, gnp::half>(goldens, found);
    check_pair<gnp::complex64, double>(goldens, found);
    check_pair<bool, float>(goldens, found);
    check_pair<float, std::int16_t>(goldens, found);
    CHECK(found == static_cast<int>(goldens.records.size()));
  });
}

TEST_CASE("isclose broadcasts, takes numbers and expressions, and is an expression") {
  for_each_device([](gnp::device) {
    const array<float> a = asarray<float>({{1, 2, 3}, {1, 2.00001F, not_a_number}});
    const array<float> b = asarray<float>({1, 2, 3});
    CHECK(gnp::count_nonzero(gnp::isclose(a, b)).item() == 5);
    CHECK(gnp::count_nonzero(!gnp::isclose(a * 2, b + b)).item() == 1);
    CHECK(gnp::allclose(a(0), b));
    CHECK(gnp::allclose(b, a(0)));
    CHECK(gnp::allclose(b * 0, 0));
    CHECK(gnp::allclose(0.0, b * 0));
    CHECK_FALSE(gnp::allclose(b, 2));
    CHECK(gnp::allclose(b, 2, {.atol = 1}));
    CHECK(gnp::allclose(b / 0, infinity));
    CHECK_FALSE(gnp::allclose(b / 0, -infinity));
    CHECK_FALSE(gnp::allclose(b * not_a_number, not_a_number));
    CHECK(gnp::allclose(b * not_a_number, not_a_number, {.equal_nan = true}));
    CHECK(gnp::allclose(asarray<std::int8_t>({-128}), asarray<std::int8_t>({-128})));
    CHECK_FALSE(gnp::allclose(asarray<std::int8_t>({-128}), asarray<std::int8_t>({127})));
    CHECK(gnp::allclose(asarray<gnp::bfloat16>({1, 2}), asarray<gnp::bfloat16>({1, 2})));
    CHECK_FALSE(gnp::allclose(asarray<gnp::bfloat16>({1, 2}), asarray<gnp::bfloat16>({1, 2.1F})));
    CHECK(gnp::allclose(gnp::full<gnp::complex64>({2}, gnp::complex64(1, 2)), gnp::complex64(1, 2)));
    CHECK(gnp::allclose(gnp::zeros<float>({0, 3}), gnp::ones<float>({3})));
    CHECK_THROWS_AS(gnp::isclose(a, gnp::zeros<float>({4})), gnp::shape_error);
  });
}
