// SPDX-License-Identifier: MIT
// The comparison with golden values notices what it must, and lets pass what it may.
#include "golden.hpp"

#include "devices.hpp"

using golden::close;
using golden::complex_ulps;
using golden::exact;
using golden::ulps;

TEMPLATE_TEST_CASE("close: floating types", "", gnp::half, gnp::bfloat16, float, double) {
  using T = TestType;
  const auto number = [](double value) { return static_cast<T>(value); };
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double epsilon = sizeof(T) == 8                 ? 0x1p-52
                         : sizeof(T) == 4               ? 0x1p-23
                         : std::is_same_v<T, gnp::half> ? 0x1p-10
                                                        : 0x1p-7;
  CHECK(close(number(1.5), number(1.5), exact));
  CHECK(close(number(nan), number(-nan), exact));
  CHECK(close(number(-infinity), number(-infinity), exact));
  CHECK_FALSE(close(number(1), number(-1), ulps(4)));
  CHECK_FALSE(close(number(0), number(-0.0), exact));
  CHECK_FALSE(close(number(0), number(-0.0), ulps(4)));
  CHECK(close(number(0), number(-0.0), golden::any_zero));
  CHECK_FALSE(close(number(nan), number(1), ulps(4)));
  CHECK_FALSE(close(number(1), number(nan), ulps(4)));
  CHECK_FALSE(close(number(infinity), number(-infinity), ulps(4)));
  CHECK_FALSE(close(number(1), number(infinity), ulps(4)));

  CHECK(golden::ulp_distance(number(1), number(1 + epsilon)) == 1);
  CHECK(golden::ulp_distance(number(1), number(1 - epsilon)) == 2);
  CHECK_FALSE(close(number(1), number(1 + epsilon), exact));
  CHECK(close(number(1), number(1 + epsilon), ulps(4)));
  CHECK(close(number(1), number(1 + 4 * epsilon), ulps(4)) == (sizeof(T) > 2));
  CHECK_FALSE(close(number(1), number(1 + 5 * epsilon), ulps(4)));
}

TEMPLATE_TEST_CASE("close: complex types", "", gnp::complex64, gnp::complex128) {
  using T = TestType;
  using R = typename T::value_type;
  const R infinity = std::numeric_limits<R>::infinity();
  const R nan = std::numeric_limits<R>::quiet_NaN();
  const R epsilon = std::numeric_limits<R>::epsilon();
  const auto four = complex_ulps(4);
  CHECK(close(T(1, -2), T(1, -2), exact));
  CHECK_FALSE(close(T(1, 2), T(1, -2), four));
  CHECK(close(T(1, 3 * epsilon), T(1, 0), four));
  CHECK_FALSE(close(T(1, 5 * epsilon), T(1, 0), four));
  CHECK_FALSE(close(T(epsilon, 3 * epsilon), T(epsilon, 0), four));
  CHECK(close(T(epsilon, 3 * epsilon), T(epsilon, 0), complex_ulps(4, 1)));
  CHECK_FALSE(close(T(1, 0), T(1, R(-0.0)), four));
  CHECK_FALSE(close(T(1, 0), T(1, R(-0.0)), exact));
  CHECK(close(T(1, 0), T(1, R(-0.0)), four, true));
  CHECK_FALSE(close(T(infinity, 0), T(-infinity, 0), four));
  CHECK(close(T(infinity, 0), T(-infinity, 0), four, true));
  CHECK_FALSE(close(T(infinity, 0), T(-infinity, 0), exact, true));
  CHECK(close(T(nan, 1), T(nan, 1), four));
  CHECK_FALSE(close(T(nan, 1), T(1, nan), four, true));
  CHECK_FALSE(close(T(infinity, 1), T(1, 1), four, true));
  CHECK_FALSE(close(T(1, 1), T(infinity, 1), four, true));
}

TEST_CASE("close: integers and bool") {
  CHECK(close(7, 7, ulps(4)));
  CHECK_FALSE(close(7, 8, ulps(4)));
  CHECK_FALSE(close(true, false, exact));
}

TEST_CASE("golden files that are cut off are refused") {
  CHECK_THROWS(golden::file("no such file"));
  CHECK_THROWS(golden::file("promotion.txt"));
}

TEST_CASE("for_each_device makes the device the default") {
  int runs = 0;
  for_each_device([&](gnp::device d) {
    ++runs;
    CHECK(gnp::default_device() == d);
  });
  CHECK(runs == (gnp::cuda_available() ? 2 : 1));
}
