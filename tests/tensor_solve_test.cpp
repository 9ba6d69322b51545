// SPDX-License-Identifier: MIT
// test: no-asan
// (Eigen loads complex numbers in ways that the undefined-behaviour sanitizer refuses.)
// tensorsolve, tensorinv and negative powers: what they solve, put back in.
#include <cmath>
#include <limits>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::shape_t;

/// Well conditioned: a heavy diagonal.
array<double> heavy(const shape_t& shape, index_t rows) {
  const array<double> waves = gnp::sin(gnp::arange<double>(rows * rows) * 1.7).reshape(rows, rows);
  const array<double> sum =
      waves + 3 * gnp::sqrt(static_cast<double>(rows) * gnp::ones<double>({1})) * gnp::eye<double>(rows);
  return sum.reshape(shape);
}

void check_close(const array<double>& got, const array<double>& expected) {
  REQUIRE(got.shape() == expected.shape());
  CHECK(gnp::linalg::norm(got - expected).item() < 1e-12 * (1 + gnp::linalg::norm(expected).item()));
}

}  // namespace

TEST_CASE("tensorsolve", "[tensor_solve]") {
  for_each_device([](gnp::device) {
    const array<double> a = heavy({2, 3, 4, 6, 4}, 24), b = gnp::cos(gnp::arange<double>(24)).reshape(2, 3, 4);
    const array x = gnp::linalg::tensorsolve(a, b);
    CHECK(x.shape() == shape_t{6, 4});
    check_close(gnp::tensordot(a, x, 2), b);
    // NumPy's documentation: the axes of the unknowns may come first.
    const array<double> turned = heavy({2, 3, 6}, 6).transpose(2, 0, 1);  // (6, 2, 3): rows (2, 3), columns 6
    const array y = gnp::linalg::tensorsolve(turned, gnp::ones<double>({2, 3}), {.axes = {0}});
    CHECK(y.shape() == shape_t{6});
    check_close(gnp::tensordot(heavy({2, 3, 6}, 6), y, 1), gnp::ones<double>({2, 3}));
    CHECK_THROWS_WITH(gnp::linalg::tensorsolve(gnp::ones<double>({2, 3, 4}), gnp::ones<double>({2})),
                      contains("tensorsolve") && contains("(2, 3, 4) and (2,)"));
  });
}

TEST_CASE("solve takes a list", "[tensor_solve]") {
  for_each_device([](gnp::device) {
    check_close(gnp::linalg::solve(gnp::eye(2) * 2.0, {2, 3}), gnp::asarray({1.0, 1.5}));
    check_close(gnp::linalg::solve(gnp::eye<float>(2) * 2, {2, 0.5}), gnp::asarray({1.0, 0.25}));
  });
}

TEST_CASE("tensorinv", "[tensor_solve]") {
  for_each_device([](gnp::device) {
    const array<double> a = heavy({4, 6, 8, 3}, 24);
    const array inverse = gnp::linalg::tensorinv(a);
    REQUIRE(inverse.shape() == shape_t{8, 3, 4, 6});
    check_close(gnp::tensordot(inverse, a, 2), gnp::eye<double>(24).reshape(8, 3, 8, 3));
    CHECK(gnp::linalg::tensorinv(heavy({6, 2, 3}, 6), 1).shape() == shape_t{2, 3, 6});
    CHECK_THROWS_WITH(gnp::linalg::tensorinv(gnp::ones<double>({2, 3})),
                      contains("tensorinv") && contains("(2, 3)"));
    CHECK_THROWS_AS(gnp::linalg::tensorinv(a, 0), gnp::error);
    CHECK_THROWS_AS(gnp::linalg::tensorinv(gnp::ones<double>({4, 2, 2}), 1), gnp::linalg_error);
  });
}

TEST_CASE("powers of matrices, negative ones, and of half", "[tensor_solve]") {
  for_each_device([](gnp::device) {
    const array<double> a = heavy({6, 6}, 6);
    const array cube = gnp::linalg::matrix_power(a, 3), inverse = gnp::linalg::matrix_power(a, -3);
    check_close(gnp::matmul(cube, inverse), gnp::eye<double>(6));
    const array<double> stack = gnp::broadcast_to(a, {3, 6, 6}).copy();
    check_close(gnp::linalg::matrix_power(stack, -3)(2), inverse);
    CHECK_THROWS_AS(gnp::linalg::matrix_power(gnp::ones<double>({2, 2}), -1), gnp::linalg_error);
    CHECK_THROWS_WITH(gnp::linalg::matrix_power(gnp::ones<int>({2, 2}), -1),
                      contains("matrix_power") && contains("int32"));
    const array<gnp::half> shear = gnp::array(gnp::asarray<double>({{1, 2}, {0, 1}})).astype<gnp::half>();
    const array<gnp::half> cubed = gnp::linalg::matrix_power(shear, 3);
    CHECK(gnp::array_equal(cubed.astype<double>(), gnp::asarray<double>({{1, 6}, {0, 1}})));
    CHECK_THROWS_AS(gnp::linalg::matrix_power(shear, -1), gnp::dtype_error);
  });
}
