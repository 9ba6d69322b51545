// SPDX-License-Identifier: MIT
// average, cov and corrcoef beside NumPy's; tests/golden/make_statistics.py says what a line is.
#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"
#include "statistics_golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using namespace statistics_golden;

}  // namespace

TEMPLATE_TEST_CASE("cov and corrcoef are NumPy's", "", double, gnp::complex128) {
  using T = TestType;
  for_each_device([](gnp::device) {
    int found = 0;
    for (const line& l : lines_of({"cov", "corrcoef"})) {
      if (l.dtype != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(l.text);
      const array<T> x = values<T>(l.shape);
      const array<T> y = values<T>(l.shape, 3);
      const bool rowvar = !l.has("rowvar=0");
      if (l.function == "corrcoef") {
        check(l, l.has("y") ? gnp::corrcoef(x, y, {.rowvar = rowvar}) : gnp::corrcoef(x, {.rowvar = rowvar}),
              1e-13);
        continue;
      }
      const index_t count = !rowvar && x.ndim() == 2 ? x.shape(0) : x.shape(-1);
      gnp::cov_options options{.rowvar = rowvar, .bias = l.has("bias")};
      if (l.has("ddof=0")) options.ddof = 0;
      if (l.has("ddof=2")) options.ddof = 2;
      if (l.has("fweights")) options.fweights = gnp::arange<int>(count) % 3 + 1;
      if (l.has("aweights")) options.aweights = (gnp::arange<double>(count) * 5 % 7 + 1) / 4;
      check(l, l.has("y") ? gnp::cov(x, y, options) : gnp::cov(x, options), 1e-13);
    }
    CHECK(found > 60);
  });
}

TEMPLATE_TEST_CASE("average is NumPy's", "", std::int8_t, float) {
  using T = TestType;
  for_each_device([](gnp::device) {
    int found = 0;
    for (const line& l : lines_of({"average", "average-weights"})) {
      if (l.dtype != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(l.text);
      const array<T> x = values<T>(l.shape);
      const gnp::shape_t shape = golden::parse_shape(l.option("weights"));
      const array<double> w =
          ((gnp::arange<double>(gnp::shape_t(shape).size() == 0 ? 1 : element_count(shape)) * 5 % 4 + 1) / 4)
              .eval()
              .reshape(shape);
      const auto [avg, total] = gnp::average(x, w, {.axis = axes_of(l), .returned = true});
      check(l, l.function == "average" ? avg : total, 1e-14);
      check(l, l.function == "average" ? gnp::average(x, w, {.axis = axes_of(l)}) : total, 1e-14);
    }
    CHECK(found == 12);
  });
}

TEST_CASE("cov and average: corners and errors") {
  for_each_device([](gnp::device) {
    const array<double> x = asarray<double>({{1, 2, 4}, {2, 1, 0}});
    CHECK(gnp::cov(gnp::zeros<double>({0, 3})).shape() == gnp::shape_t{0, 0});
    CHECK(gnp::cov(gnp::zeros<double>({0, 3}), x(0)).shape() == gnp::shape_t{0, 0});
    CHECK(gnp::all(gnp::isnan(gnp::cov(gnp::ones<double>({2, 1})))).item());
    static_assert(std::is_same_v<decltype(gnp::cov(array<float>())), array<double>>);
    static_assert(std::is_same_v<decltype(gnp::cov<float>(array<int>())), array<float>>);
    CHECK(gnp::allclose(gnp::cov<float>(x.T(), {.rowvar = false}), gnp::cov(x)));
    // What the means are subtracted from is not the caller's memory, whatever its type and order.
    const array<double> mine = gnp::sin(gnp::arange<double>(3000)).eval().reshape({30, 100});
    const array<double> before = mine.copy();
    const array<double> covariance = gnp::cov(mine);
    CHECK(gnp::array_equal(mine, before));
    CHECK(gnp::array_equal(covariance, gnp::cov(mine + 0)));
    CHECK(gnp::allclose(covariance, gnp::cov(mine.T(), {.rowvar = false})));
    CHECK(gnp::array_equal(mine, before));
    CHECK(gnp::allclose(covariance, gnp::cov(mine(gnp::slice(0, 15)), mine(gnp::slice(15, 30)))));
    CHECK(gnp::allclose(covariance, gnp::cov(mine.astype<float>()), {.rtol = 1e-4, .atol = 1e-6}));
    CHECK(gnp::array_equal(covariance, covariance.T()));
    CHECK_THROWS_WITH(gnp::cov(gnp::ones<float>({2, 2, 2})), contains("cov: x has more than 2 dimensions"));
    CHECK_THROWS_WITH(gnp::cov(x, gnp::ones<float>({2, 4})),
                      contains("cov: x and y have 3 and 4 observations"));
    CHECK_THROWS_WITH(gnp::corrcoef(gnp::ones<float>({2, 2, 2})),
                      contains("corrcoef: x has more than 2 dimensions"));
    CHECK_THROWS_WITH(gnp::corrcoef(gnp::ones({2, 3}), gnp::ones({2, 4})),
                      contains("corrcoef: x and y have 3 and 4 observations"));
    CHECK_THROWS_WITH(gnp::cov(x, {.fweights = gnp::ones<int>({2})}),
                      contains("cov: incompatible numbers of samples and fweights: 3 and 2"));
    CHECK_THROWS_WITH(gnp::cov(x, {.fweights = gnp::full({3}, 0.5)}),
                      contains("cov: fweights must be integers"));
    CHECK_THROWS_WITH(gnp::cov(x, {.aweights = gnp::full({3}, -0.5)}), contains("aweights cannot be negative"));
    const auto [avg, count] = gnp::average(x, {.axis = 0, .returned = true, .keepdims = true});
    CHECK(gnp::array_equal(avg, asarray<double>({{1.5, 1.5, 2}})));
    CHECK(gnp::array_equal(count, asarray<double>({{2, 2, 2}})));
    CHECK_THROWS_WITH(gnp::average(x, gnp::ones<float>({3})), contains("average: axis must be specified"));
    CHECK_THROWS_WITH(gnp::average(x, 0, gnp::ones<float>({3})), contains("do not fit axis (0,)"));
    CHECK_THROWS_WITH(gnp::average(x, x * 0), contains("weights sum to zero"));
  });
}
