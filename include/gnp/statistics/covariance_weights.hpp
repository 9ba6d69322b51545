// SPDX-License-Identifier: MIT
// The weights of observations in covariances.
#pragma once

#include <gnp/routines/reductions.hpp>
#include <gnp/statistics/covariance.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_ON_USE array<double> checked_weights(const observation_weights& weights, const char* name, index_t count,
                                         gnp::device where) {
  const array<double> w = weights.on(where);
  if (w.ndim() > 1) {
    throw shape_error(std::string("cov: cannot handle multidimensional ") + name + " of shape " +
                      to_string(w.shape()));
  }
  if (w.size() != count) {
    throw shape_error(std::string("cov: incompatible numbers of samples and ") + name + ": " +
                      std::to_string(count) + " and " + std::to_string(w.size()));
  }
  if (any(w < 0).item()) throw error(std::string("cov: ") + name + " cannot be negative");
  return w;
}

GNP_DEFINED_ON_USE array<double> weights_of_observations(const cov_options& options, index_t count,
                                                         gnp::device where) {
  array<double> w;
  if (options.fweights.given()) {
    w = checked_weights(options.fweights, "fweights", count, where);
    if (any(w != rint(w)).item()) throw error("cov: fweights must be integers");
  }
  if (options.aweights.given()) {
    const array<double> a = checked_weights(options.aweights, "aweights", count, where);
    w = options.fweights.given() ? array<double>(w * a) : a;
  }
  return w;
}

GNP_DEFINED_ON_USE array<double> divisor_of_weighted(const array<double>& w, const cov_options& options,
                                                     double ddof) {
  const array<double> total = sum(w);
  if (ddof == 0) return total;
  if (!options.aweights.given()) return total - ddof;
  return total - ddof * sum(w * options.aweights.on(w.device())) / total;
}

}}}  // namespace gnp::GNP_ABI::detail
