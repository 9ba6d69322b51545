// SPDX-License-Identifier: MIT
// test: asan
// The poly functions give what NumPy's give: tests/data/polynomials.txt.
#include "named_golden.hpp"

namespace {

using gnp::array;
using gnp::slice;

void check_arithmetic(named_golden& g, const array<double>& p, const array<double>& q,
                      const array<std::int64_t>& i) {
  g.check("polyadd", gnp::polyadd(p, q));
  g.check("polyadd mixed", gnp::polyadd(i, p));
  g.check("polysub", gnp::polysub(q, p));
  g.check("polysub integers", gnp::polysub(i, i(slice(2))));
  g.check("polymul", gnp::polymul(p, q), 4);
  g.check("polymul integers", gnp::polymul(i, i));
  g.check("polymul leading zeros",
          gnp::polymul(gnp::asarray<std::int64_t>({0, 0, 2}), gnp::asarray<std::int64_t>({9, 5, 4})));
  g.check("polymul zeros", gnp::polymul(gnp::zeros<std::int64_t>({2}), gnp::arange<std::int64_t>(3)));
  g.check("polymul nothing", gnp::polymul(gnp::zeros<double>({0}), gnp::arange<double>(4)));
  const auto check_division = [&g](const std::string& name, const auto& division) {
    g.check(name + " 0", division.q, 8);
    g.check(name + " 1", division.r, 8);
  };
  check_division("polydiv", gnp::polydiv(p, q));
  check_division("polydiv whole", gnp::polydiv(gnp::polymul(q, i), q));
  check_division("polydiv shorter", gnp::polydiv(q, p));
  g.check("polyder", gnp::polyder(p));
  g.check("polyder twice", gnp::polyder(i, 2));
  g.check("polyder float32", gnp::polyder(numbers<float>(6)));
  g.check("polyder all", gnp::polyder(q, 5));
  g.refuses<gnp::error>("polyder negative", "polyder: order must be positive, got -1",
                        [&] { gnp::polyder(p, -1); });
  g.check("polyint", gnp::polyint(p), 2);
  g.check("polyint integers", gnp::polyint(i), 2);
  g.check("polyint twice", gnp::polyint(q, 2, {.k = {6, 5}}), 2);
  g.check("polyint constant", gnp::polyint(q, 3, {.k = {2}}), 2);
}

void check_values(named_golden& g, const array<double>& p, const array<std::int64_t>& i,
                  const array<double>& x) {
  const auto z = numbers<gnp::complex128>(3);
  g.check("polyval", gnp::polyval(p, x), 8);
  g.check("polyval integers", gnp::polyval(i, gnp::arange(6).reshape(2, 3)));
  g.check("polyval many", gnp::polyval(numbers<double>(11), x / 4), 16);
  g.check("polyval mixed", gnp::polyval(p, numbers<float>({2, 3})), 8);
  g.check("polyval one", gnp::polyval(p, 1.5), 4);
  g.check("polyval complex", gnp::polyval(z, z), 8);
  g.check("polyvander", gnp::polyvander(x(slice(4)), 3), 4);
  g.check("polyvander matrix", gnp::polyvander(x.reshape(3, 4), 2), 4);
}

void check_roots(named_golden& g, const array<double>& p) {
  g.check("poly", gnp::poly(gnp::asarray<double>({1.5, -2, 3})), 4);
  g.check("poly integers", gnp::poly(gnp::asarray<std::int64_t>({1, -2, 3})));
  g.check("poly none", gnp::poly(gnp::zeros({0})));
  g.check("poly complex", gnp::poly(numbers<gnp::complex128>(3)), 8);
  const auto matrix = gnp::asarray<double>({{2, 1, 0}, {1, 3, -1}, {0.5, -1, 4}});
  g.check("poly matrix", gnp::poly(matrix), 64);
  g.refuses<gnp::shape_error>("poly shape", "must be 1d or non-empty square 2d array, got shape (12, 2)",
                              [] { gnp::poly(numbers<double>({12, 2})); });
  const auto sorted = [](const auto& roots) { return gnp::sort_complex(gnp::roots(roots)); };
  g.check("roots", sorted(p), 256);
  g.check("roots real", sorted(gnp::asarray<double>({1, -6, 11, -6})), 256);
  g.check("roots zeros", sorted(gnp::asarray<double>({0, 0, 2, -4, 0, 0})), 64);
  CHECK(gnp::roots(gnp::zeros(3)).size() == 0);
}

void check_fits(named_golden& g, const array<double>& x) {
  const auto y = numbers<double>(12);
  const auto rows = numbers<double>({12, 2});
  const auto w = gnp::arange<double>(1, 13);
  g.check("polyfit", gnp::polyfit(x, y, 3), 4096);
  g.check("polyfit columns", gnp::polyfit(x, rows, 2), 4096);
  g.check("polyfit weights", gnp::polyfit(x, y, 2, {.w = w}), 4096);
  g.check("polyfit float32", gnp::polyfit(x.astype<float>(), y.astype<float>(), 1), 4096);
  const auto [p, residuals, rank, singular_values, rcond] = gnp::polyfit(x, y, 3, {.full = true});
  g.check("polyfit full", std::vector{p, residuals, singular_values}, 4096);
  CHECK((rank == 4 && rcond == 12 * 0x1p-52));
  const auto check_covariance = [&g](const std::string& name, const auto& fit) {
    g.check(name + " 0", fit.p, 4096);
    g.check(name + " 1", fit.V, 8192);
  };
  check_covariance("polyfit cov", gnp::polyfit(x, y, 2, {.cov = true}));
  check_covariance("polyfit cov columns", gnp::polyfit(x, rows, 1, {.cov = true}));
  check_covariance("polyfit cov unscaled", gnp::polyfit(x, y, 2, {.w = w, .cov = "unscaled"}));
  CHECK(gnp::polyfit(x, rows, 1, {.cov = "unscaled"}).V.shape() == gnp::shape_t{2, 2, 1});
  CHECK(gnp::array_equal(gnp::polyvander(gnp::asarray(3), 2), gnp::asarray<double>({{1, 3, 9}})));
  g.refuses<gnp::shape_error>("polyfit lengths", "polyfit: expected x and y to have same length, got 12 and 3",
                              [&] { gnp::polyfit(x, y(slice(3)), 2); });
}

}  // namespace

TEST_CASE("the poly functions give NumPy's results") {
  for_each_device([](gnp::device) {
    named_golden g("polynomials.txt");
    const auto p = gnp::asarray<double>({2, -3, 0.5, 1, -4});
    const auto q = gnp::asarray<double>({1, 2, -1});
    const auto i = gnp::asarray<std::int64_t>({3, 0, -2, 1});
    const auto x = gnp::linspace(-2, 3, 12);
    check_arithmetic(g, p, q, i);
    check_values(g, p, i, x);
    check_roots(g, p);
    check_fits(g, x);
    g.check_complete();
  });
}

TEST_CASE("polynomials may be numbers in braces, or in a std::vector") {
  for_each_device([](gnp::device) {
    const std::vector<double> v{3, 2, 1, 5};
    const auto p = gnp::asarray(v);
    const auto same = [](const auto& x, const auto& y) { return gnp::array_equal(x, y); };
    CHECK(same(gnp::polyder({3, 2, 1, 5}, 2), gnp::asarray<std::int64_t>({18, 4})));
    CHECK(same(gnp::polyder({3, 2.5, 1}), gnp::asarray({6.0, 2.5})));
    CHECK(same(gnp::polyder(v), gnp::polyder(p)));
    CHECK(same(gnp::polyder(v, 2), gnp::polyder(p, 2)));
    CHECK(same(gnp::polyint({3, 2, 1}), gnp::asarray<double>({1, 1, 1, 0})));
    CHECK(same(gnp::polyint({3, 2, 1}, {.k = 7}), gnp::asarray<double>({1, 1, 1, 7})));
    CHECK(same(gnp::polyint(v), gnp::polyint(p)));
    CHECK(same(gnp::polyint(v, 2, {.k = {1, 2}}), gnp::polyint(p, 2, {.k = {1, 2}})));
    CHECK(double(gnp::polyval({1, 2}, 3.0)) == 5);
    // Truth values are 0 and 1.
    const gnp::array<bool> truths = gnp::asarray({true, false, true});
    const gnp::array<std::uint8_t> bytes = gnp::asarray<std::uint8_t>({0, 255, 1});
    CHECK(gnp::array_equal(gnp::polyval(bytes, truths), {0, 1, 0}));
    CHECK(gnp::polyval(bytes, truths).dtype() == gnp::dtype::uint8);
    CHECK(gnp::array_equal(gnp::polyval(truths, truths), {true, true, true}));
    CHECK(gnp::polyval(truths, truths).dtype() == gnp::dtype::bool_);
    CHECK(gnp::array_equal(gnp::polyval(truths, bytes), {1, 2, 2}));
    CHECK(double(gnp::polyval({1, 0.5}, 3)) == 3.5);
    CHECK(std::int64_t(gnp::polyval({1, 2}, 3)) == 5);
    CHECK(double(gnp::polyval(v, 2.0)) == 39);
    CHECK(same(gnp::roots(v), gnp::roots(p)));
    CHECK(same(gnp::poly(v), gnp::poly(p)));
  });
}

TEST_CASE("polyval: any number of coefficients") {
  for_each_device([](gnp::device) {
    const gnp::array<double> x = gnp::asarray({-1.5, 0.0, 0.5, 2.0});
    for (gnp::index_t count = 0; count < 20; ++count) {
      const gnp::array<double> p = gnp::arange<double>(count) - 3.0;
      const auto found = gnp::asnumpy(gnp::polyval(p, x));
      for (gnp::index_t k = 0; k < 4; ++k) {
        const double place = gnp::asnumpy(x)[k];
        double value = 0;
        for (gnp::index_t i = 0; i < count; ++i) value = value * place + (static_cast<double>(i) - 3);
        CHECK(found[k] == Approx(value).epsilon(1e-14));
      }
    }
    CHECK(gnp::isnan(gnp::polyval({1.0, 2.0}, gnp::asarray({gnp::inf}))).item());  // as NumPy's
  });
}

TEST_CASE("integers are divided as doubles, next to float, too") {
  const auto of = [](auto first, auto second) { return gnp::polydiv(first, second).q.dtype(); };
  const auto whole = gnp::ones<std::int8_t>({2});
  const auto real = gnp::ones<float>({2});
  CHECK(of(whole, whole) == gnp::dtype::float64);
  CHECK(of(whole, real) == gnp::dtype::float64);
  CHECK(of(real, whole) == gnp::dtype::float64);
  CHECK(of(gnp::ones<gnp::half>({2}), whole) == gnp::dtype::float64);
  CHECK(of(whole, gnp::ones<gnp::complex64>({2})) == gnp::dtype::complex128);
  CHECK(of(real, real) == gnp::dtype::float32);
  CHECK(of(gnp::ones<gnp::half>({2}), real) == gnp::dtype::float32);
}
