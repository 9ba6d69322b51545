// SPDX-License-Identifier: MIT
// svd and svdvals: A = U diag(s) Vᴴ, with singular values in descending order.
#pragma once

#include <concepts>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/svd.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

GNP_REFUSED_OPTION(no_compute_uv, "the singular values alone are gnp::linalg::svdvals(a)")
struct svd_options {
  by_name only = by_name();
  bool full_matrices = true;  // square u and vh; otherwise one column and row per singular value
  no_compute_uv compute_uv = {};
  bool hermitian = false;     // x is Hermitian: its lower triangle is read
};

/// The singular value decomposition of each matrix.
template <array_like X>
auto svd(const X& x, svd_options options = {}) {
  const detail::asks_for_elements asking("svd");
  using T = detail::factor_t<X>;
  if (options.hermitian) return detail::hermitian_svd(detail::operand_as<T>(x), true, "svd");
  return detail::svd_of(detail::operand_as<T>(x), options.full_matrices, true, "svd");
}
template <array_like X, std::same_as<bool> Flag>
auto svd(const X& x, Flag full_matrices, svd_options options = {}) {
  options.full_matrices = full_matrices;
  return svd(x, options);
}

/// The singular values of each matrix, descending.
template <array_like X>
auto svdvals(const X& x) {
  const detail::asks_for_elements asking("svdvals");
  return detail::svd_of(detail::operand_as<detail::factor_t<X>>(x), false, false, "svdvals").s;
}

}}}  // namespace gnp::GNP_ABI::linalg
