// SPDX-License-Identifier: MIT
// Multivariate normal numbers: standard normal ones times a root of the covariance matrix. Separate from the
// generator, which does not depend on linear algebra.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/linalg/cholesky.hpp>
#include <gnp/linalg/eigh.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/random/generator.hpp>
#include <gnp/routines/comparisons.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A matrix F with Fᵀ F = cov: rows x of independent standard normal numbers become x F. Computed in double,
/// whatever the type of the numbers, so that the tolerance of the check is larger than rounding errors. (A
/// template, so that the factorisations are compiled only where it is used: their return types can only be
/// found by compiling them.)
template <class Matrix>
array<double> root_of_covariance(const Matrix& cov, const random::multivariate_normal_options& options) {
  const asks_for_elements asking("multivariate_normal");
  using method = random::covariance_root;
  const auto check = [&](bool valid) {
    if (!options.check_valid || valid) return;
    throw linalg_error("multivariate_normal: covariance is not symmetric positive-semidefinite");
  };
  if (options.method == method::cholesky) {
    if (options.check_valid) check(allclose(cov, cov.T(), {.rtol = options.tol, .atol = options.tol}));
    return linalg::cholesky(cov).T();
  }
  if (options.method == method::eigh) {
    const auto [values, vectors] = linalg::eigh(cov);
    if (options.check_valid) {
      check(allclose(cov, cov.T(), {.rtol = options.tol, .atol = options.tol}) &&
            !any(values < -options.tol).item());
    }
    return array<double>(vectors * sqrt(abs(values))).T();
  }
  const auto [u, s, vh] = linalg::svd(cov);
  if (options.check_valid) {
    // For a positive-semidefinite matrix, the singular vectors on both sides are the same.
    check(allclose(matmul(array<double>(vh.T() * s), vh), cov, {.rtol = options.tol, .atol = options.tol}));
  }
  return expand_dims(sqrt(s), 1) * vh;
}

template <class T>
struct multivariate_normal_of {
  using real = typename scalar::computed_as<T>::type;

  static array<T> make(const random_call& call, const array<double>& mean, const array<double>& cov,
                       const shape_t& rows, const random::multivariate_normal_options& options) {
    static_assert(is_floating(dtype_of<T>), "gnp: normal numbers are of a real floating-point type");
    const auto fail = [](const char* what, const shape_t& got) {
      throw shape_error(std::string("multivariate_normal: ") + what + ", got shape " + to_string(got));
    };
    if (mean.ndim() != 1) fail("mean must be 1 dimensional", mean.shape());
    if (cov.ndim() != 2 || cov.shape()[0] != cov.shape()[1])
      fail("cov must be 2 dimensional and square", cov.shape());
    if (cov.shape()[0] != mean.size()) fail("mean and cov must have the same length", cov.shape());
    const shape_t shape = with_last(rows, mean.size());
    const index_t count = element_count(rows, "multivariate_normal");
    const scalar::normal_draw<real> standard{0, 1};
    const array<real> x = drawn<real>(call, "multivariate_normal", "normal_draw<result_t>", standard,
                                      shape_t{count, mean.size()});
    if (x.size() == 0) return array<T>(shape, call.where, "multivariate_normal");
    const array<real> root = root_of_covariance(cov, options).template astype<real>();
    const array<real> made = matmul(x, root) + mean.template astype<real>();
    return made.reshape(shape).template astype<T>();
  }
};

}}}  // namespace gnp::GNP_ABI::detail
