// SPDX-License-Identifier: MIT
// How vectors are drawn: as gamma numbers, each divided by their sum, or as counts that are split in two again
// and again.
#pragma once

#include <bit>
#include <gnp/array/transfer.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/random/dirichlet_rows.hpp>
#include <gnp/random/first_tries.hpp>
#include <gnp/random/vectors.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/manipulation.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How two numbers, or two arrays of them, become one.
struct larger_share {
  template <array_like X>
  auto operator()(const X& a, const X& b) const {
    return maximum(a, b);
  }
  /// As maximum: NaN if one of them is.
  double operator()(double a, double b) const { return a >= b || a != a ? a : b; }
};
struct sum_of_shares {
  template <class X>
  auto operator()(const X& a, const X& b) const {
    return a + b;
  }
};

/// The last axis, which is not empty, folded to one element, in an order that does not depend on the device.
template <class Combine>
array<double> folded(array<double> x, const Combine& combine) {
  const index_t length = x.shape()[x.ndim() - 1];
  if (x.device().is_cpu() && x.is_contiguous() && length > 1) {
    shape_t shape = x.shape();
    shape[x.ndim() - 1] = 1;
    const array<double> result(shape, x.device(), "sum");
    const double* in = x.data();
    double* out = result.data();
    constexpr index_t grain = 1 << 15;  // the number of elements for which a separate thread is worthwhile
    parallel_for(result.size(), 1 + grain / length, [=](index_t begin, index_t end) {
      std::vector<double> kept(static_cast<std::size_t>(length - length / 2));
      double* row = kept.data();
      for (index_t r = begin; r < end; ++r) {
        const double* from = in + r * length;
        const index_t rest = length - length / 2;
        for (index_t i = 0; i < rest; ++i) row[i] = from[i];
        for (index_t i = 0; i < length / 2; ++i) row[i] = combine(row[i], from[rest + i]);
        for (index_t n = rest; n > 1;) {
          const index_t half = n / 2;
          n -= half;
          for (index_t i = 0; i < half; ++i) row[i] = combine(row[i], row[n + i]);
        }
        out[r] = row[0];
      }
    });
    return result;
  }
  for (index_t n = length; n > 1;) {
    const index_t half = n / 2;
    n -= half;
    const array<double> kept = x(ellipsis, slice(none, n)).copy();
    kept(ellipsis, slice(none, half)) = combine(x(ellipsis, slice(none, half)), x(ellipsis, slice(n, none)));
    x = kept;
  }
  return x;
}

GNP_ON_USE law_values checked_alpha(const array<double>& alpha) {
  static constexpr law_facts facts{"dirichlet", "", {{"alpha", "$ < 0", 0, no_limit, true, true}}};
  if (alpha.ndim() != 1) {
    throw shape_error(std::string("dirichlet: alpha must be one-dimensional, got shape ") +
                      to_string(alpha.shape()));
  }
  return checked_parameter(facts, 0, alpha);
}

/// Computed with logarithms, since all numbers of a row may be too small for the type.
GNP_DEFINED_ON_USE shares_of_rows dirichlet_shares(const random_call& call, const array<double>& alpha,
                                                   const shape_t& rows) {
  static constexpr law_facts gammas{"dirichlet", "log_gamma_law"};
  static constexpr law_facts weights{"dirichlet", "weight_law"};
  law_values checked[] = {checked_alpha(alpha)};
  const shape_t shape = with_last(rows, alpha.size());
  if (element_count(shape, "dirichlet") == 0) {
    const array<double> nothing(shape, call.where, "dirichlet");
    return {nothing, nothing};
  }
  const array<double> logarithms =
      numbers_by_law<double, scalar::log_gamma_law, true>(call, gammas, shape, checked);
  const array<double> largest = folded(logarithms, larger_share());
  law_values both[] = {law_values(logarithms), law_values(largest)};
  const array<double> x = numbers_by_law<double, scalar::weight_law, true>(call, weights, shape, both);
  return {x, folded(x, sum_of_shares())};
}

GNP_DEFINED_ON_USE array<double> dirichlet_on_cpu(const random_call& call, const array<double>& alpha,
                                                  const shape_t& rows) {
  checked_alpha(alpha);
  array<double> result(with_last(rows, alpha.size()), call.where, "dirichlet");
  if (result.size() == 0) return result;
  const watched_work watched(call.where, [&] {
    return facts_of("dirichlet", dtype::float64, static_cast<std::size_t>(result.nbytes()));
  });
  fill_dirichlet_on_cpu(call.numbers, alpha, result.data(), result.size() / alpha.size());
  return result;
}

/// How often each of several things occurs. The things are split into two halves again and again, so that a row
/// takes only log2 of its length draws one after another. At level k there are 2^k nodes, and `split(k, counts,
/// shape)` says how many of each node's count go to the first half of its things.
template <class Split>
array<std::int64_t> split_again_and_again(array<std::int64_t> counts, index_t things, const Split& split) {
  const shape_t rows = counts.shape();
  counts = expand_dims(counts, -1);
  std::uint64_t k = 0;
  for (index_t nodes = 1; nodes < things; nodes *= 2) {
    const array<std::int64_t> first = split(k++, counts, with_last(rows, nodes));
    const array<std::int64_t> next(with_last(rows, 2 * nodes), counts.device(), "multinomial");
    next(ellipsis, slice(0, none, 2)) = first;
    next(ellipsis, slice(1, none, 2)) = counts - first;
    counts = next;
  }
  return counts(ellipsis, slice(none, things));
}

/// The sums of the parts below each node, level by level from the root on. `parts` lie along the last axis and
/// are filled up with 0 to a power of 2.
GNP_ON_USE std::vector<array<double>> sums_of_nodes(const array<double>& parts) {
  const index_t count = parts.shape()[parts.ndim() - 1];
  shape_t shape = parts.shape();
  shape[parts.ndim() - 1] = static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(count)));
  const use_device guard(parts.device());
  array<double> nodes = zeros<double>(shape);
  nodes(ellipsis, slice(none, count)) = parts;
  std::vector<array<double>> levels = {nodes};
  for (index_t n = nodes.shape()[nodes.ndim() - 1]; n > 1; n /= 2) {
    nodes = nodes(ellipsis, slice(0, none, 2)) + nodes(ellipsis, slice(1, none, 2));
    levels.insert(levels.begin(), nodes);
  }
  return levels;
}

GNP_DEFINED_ON_USE array<std::int64_t> multinomial_counts(const random_call& call,
                                                          law_parameter<std::int64_t, long long> trials,
                                                          const array<double>& chances, const shape_t& wanted) {
  static constexpr law_facts facts{
      "multinomial", "", {{"pvals", "$ < 0, $ > 1 or $ contains NaNs", 0, 1, true, false}}};
  if (chances.ndim() == 0 || chances.shape()[chances.ndim() - 1] == 0)
    throw shape_error("multinomial: pvals must have at least 1 dimension, and the last must not be empty");
  checked_parameter(facts, 0, chances);
  const use_device guard(call.where);
  check_trials("multinomial", trials);
  if (!trials.is_array()) {
    trials = law_parameter<std::int64_t, long long>(full<std::int64_t>({}, trials.value()));
  }
  // The last probability is what the others leave.
  const index_t things = chances.shape()[chances.ndim() - 1];
  shape_t common = chances.shape();
  common.pop_back();
  array<double> parts = chances.copy();
  array<double> rest = ones<double>(common);
  if (things > 1) {
    const array<double> others = folded(chances(ellipsis, slice(none, -1)), sum_of_shares());
    refuse_where("multinomial", "sum(pvals[:-1]) > 1.0", others(ellipsis, 0) > 1 + 1e-12);
    rest = maximum(1.0 - others(ellipsis, 0), 0.0);
  }
  parts(ellipsis, -1) = rest;
  common = broadcast("multinomial", common, trials.values().shape());
  const shape_t rows = shape_of_draws("multinomial", wanted, common);
  const std::vector<array<double>> nodes = sums_of_nodes(parts);
  return split_again_and_again(
      broadcast_to(trials.values(), rows).copy(), things,
      [&](std::uint64_t level, const array<std::int64_t>& all, const shape_t& shape) {
        const array<double> both = nodes[level];
        const array<double> first = nodes[level + 1](ellipsis, slice(0, none, 2));
        law_parameter<std::int64_t, long long> n(all);
        law_parameter<double, double> chance(array<double>(minimum(first / where(both > 0.0, both, 1.0), 1.0)));
        return binomial_numbers<std::int64_t>(call.inner(level), shape, n, chance);
      });
}

GNP_DEFINED_ON_USE array<std::int64_t> multivariate_hypergeometric_counts(const random_call& call,
                                                                          const array<double>& colors,
                                                                          index_t nsample,
                                                                          const shape_t& wanted) {
  static constexpr law_facts facts{"multivariate_hypergeometric", "hypergeometric_law"};
  const char* function = "multivariate_hypergeometric";
  const auto fail = [&](const std::string& what) { throw error(std::string(function) + ": " + what); };
  if (colors.ndim() != 1)
    throw shape_error(std::string(function) + ": colors must be one-dimensional, got shape " +
                      to_string(colors.shape()));
  double total = 0;
  for (const double color : asnumpy(colors)) {
    if (!(color >= 0) || color != std::floor(color)) fail("colors must be integers and not negative");
    total += color;
  }
  if (total >= 1e9) fail("sum(colors) must be less than 1000000000");
  if (nsample < 0) fail("nsample must not be negative, got " + std::to_string(nsample));
  if (static_cast<double>(nsample) > total) fail("nsample > sum(colors)");
  const index_t things = colors.size();
  if (things == 0) return array<std::int64_t>(with_last(wanted, 0), call.where, function);
  const use_device guard(call.where);
  const std::vector<array<double>> nodes = sums_of_nodes(colors);
  return split_again_and_again(full<std::int64_t>(wanted, nsample), things,
                               [&](std::uint64_t level, const array<std::int64_t>& all, const shape_t& shape) {
                                 law_values given[] = {law_values(nodes[level + 1](slice(0, none, 2))),
                                                       law_values(nodes[level + 1](slice(1, none, 2))),
                                                       law_values(all)};
                                 return numbers_by_law<std::int64_t, scalar::hypergeometric_law, true>(
                                     call.inner(level), facts, shape, given);
                               });
}

}}}  // namespace gnp::GNP_ABI::detail
