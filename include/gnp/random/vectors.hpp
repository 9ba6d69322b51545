// SPDX-License-Identifier: MIT
// Distributions whose draws are vectors, along the last axis: Dirichlet, multinomial, multivariate
// hypergeometric.
#pragma once

#include <gnp/random/by_law.hpp>
#include <gnp/random/list.hpp>
#include <gnp/random/more_counts.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE shape_t with_last(shape_t shape, index_t size) {
  shape.push_back(size);
  return shape;
}

/// Gamma numbers, each divided by the largest of its row, and the sum of each row.
struct shares_of_rows {
  array<double> shares;
  array<double> sums;
};
GNP_DECLARED_ON_USE shares_of_rows dirichlet_shares(const random_call& call, const array<double>& alpha,
                                                    const shape_t& rows);

/// Whole shares of the rows, on the CPU.
GNP_DECLARED_ON_USE array<double> dirichlet_on_cpu(const random_call& call, const array<double>& alpha,
                                                   const shape_t& rows);

/// A sum is at least 1, unless all shapes of its row are 0.
template <class T, class X>
array<T> over_sums(const array<X>& shares, const array<X>& sums) {
  return (shares / maximum(sums, 1.0)).template astype<T>();
}

/// Gamma numbers divided by their sum.
template <class T>
array<T> dirichlet_numbers(const random_call& call, const array<double>& alpha, const shape_t& rows) {
  static_assert(is_floating(dtype_of<T>),
                "gnp: numbers of this distribution are of a real floating-point type");
  if (call.where.is_cpu()) return dirichlet_on_cpu(call, alpha, rows).template astype<T>();
  const shares_of_rows made = dirichlet_shares(call, alpha, rows);
  return over_sums<T>(made.shares, made.sums);
}

GNP_DECLARED_ON_USE array<std::int64_t> multinomial_counts(const random_call& call,
                                                           law_parameter<std::int64_t, long long> trials,
                                                           const array<double>& chances, const shape_t& wanted);

GNP_DECLARED_ON_USE array<std::int64_t> multivariate_hypergeometric_counts(const random_call& call,
                                                                           const array<double>& colors,
                                                                           index_t nsample,
                                                                           const shape_t& wanted);

/// The same in another type.
template <class T>
array<T> counts_as(const array<std::int64_t>& counts) {
  return counts.template astype<T>();
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/shares.hpp>
#endif
