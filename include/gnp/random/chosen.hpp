// SPDX-License-Identifier: MIT
// How a choice is made: with or without replacement, and with which probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <gnp/array/asarray.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/random/choice.hpp>
#include <gnp/random/order.hpp>
#include <gnp/random/parameters.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

namespace scalar {

// clang-format off

// The part of [0, 1] that a number in (0, 1] falls into. `ends` are the upper ends of the parts and rise to 1.
// A part of probability 0 is never chosen.
GNP_SCALAR(choice_draw, random,
  template <class T> struct choice_draw {
    static constexpr int words = 2;
    static constexpr int pieces = 4;
    const double* ends;
    unsigned long long count;
    inline T one(double u) const {
      unsigned long long first = 0;
      for (unsigned long long left = count - 1; left > 0;) {
        const unsigned long long half = (left + 1) / 2;
        first += ends[first + half - 1] < u ? half : 0;
        left -= half;
      }
      return static_cast<T>(first);
    }
    inline void operator()(const draw_place&, const words4& w, T* out) const {
      out[0] = one(unit(w.x, w.y));
      out[1] = one(unit(w.z, w.w));
    }
  };)

// clang-format on

}  // namespace scalar

namespace detail {

GNP_DEFINED_ON_USE std::vector<double> listed_probabilities(const array<double>& p) {
  if (p.ndim() != 1) {
    throw shape_error(std::string("choice: p must be 1-dimensional, got shape ") + to_string(p.shape()));
  }
  const host_array<double> host = asnumpy(p);
  return std::vector<double>(host.begin(), host.end());
}

GNP_ON_USE void check_probabilities(const random::probabilities& p, index_t count, index_t size, bool replace) {
  const std::vector<double>& values = p.values();
  if (static_cast<index_t>(values.size()) != count) {
    throw shape_error(std::string("choice: a and p must have the same size, got ") + std::to_string(count) +
                      " and " + std::to_string(values.size()));
  }
  double sum = 0;
  double lost = 0;  // Kahan's compensation
  index_t possible = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0)) {
      throw error(std::string(values[i] == values[i] ? "choice: probabilities are not non-negative: p["
                                                     : "choice: probabilities contain NaN: p[") +
                  std::to_string(i) + "] is " + shown(values[i]));
    }
    possible += values[i] > 0 ? 1 : 0;
    const double term = values[i] - lost;
    const double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  if (std::abs(sum - 1) > p.tolerance()) {
    throw error(std::string("choice: probabilities do not sum to 1: their sum is ") + shown(sum));
  }
  if (!replace && possible < size) {
    throw error(std::string("choice: fewer non-zero entries in p than size: ") + std::to_string(possible) +
                " for " + std::to_string(size));
  }
}

/// The running sums of the probabilities, the last of them 1.
GNP_ON_USE std::vector<double> cumulated(const std::vector<double>& p) {
  std::vector<double> ends(p.size());
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) ends[i] = sum += p[i];
  for (double& end : ends) end = end == sum ? 1.0 : end / sum;
  return ends;
}

/// `size` different indices, drawn one after another with these probabilities: the first of exponential arrival
/// times whose rates are the probabilities.
GNP_ON_USE std::vector<index_t> weighted_sample(const scalar::random_source& source,
                                                const std::vector<double>& p, index_t size) {
  struct arrival {
    double time;
    index_t which;
  };
  std::vector<arrival> arrivals;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] > 0)) continue;
    const scalar::words4 w = source.at(i, 65536);
    arrivals.push_back({scalar::minus_two_log(scalar::unit(w.x, w.y)) / p[i], static_cast<index_t>(i)});
  }
  const auto middle = arrivals.begin() + size;
  std::partial_sort(arrivals.begin(), middle, arrivals.end(), [](const arrival& a, const arrival& b) {
    return a.time < b.time || (a.time == b.time && a.which < b.which);
  });
  std::vector<index_t> sample;
  for (auto a = arrivals.begin(); a != middle; ++a) sample.push_back(a->which);
  return sample;
}

GNP_DEFINED_ON_USE array<index_t> chosen(const random_call& call, index_t count, const shape_t& shape,
                                         const random::choice_options& options) {
  const index_t size = element_count(shape, "choice");
  if (options.p.given()) check_probabilities(options.p, count, size, options.replace);
  if (size == 0) return array<index_t>(shape, call.where, "choice");
  if (count < 1) {
    throw error(std::string("choice: a must be greater than 0 unless no samples are taken, got ") +
                std::to_string(count));
  }
  if (!options.replace) {
    if (size > count) {
      throw error(std::string("choice: cannot take a larger sample than the population without replacement: ") +
                  std::to_string(size) + " of " + std::to_string(count));
    }
    if (!options.p.given()) return random_sample(call, count, size).reshape(shape);
    const use_device guard(call.where);
    const std::vector<index_t> sample = weighted_sample(source_for_host(call), options.p.values(), size);
    return asarray(sample.data(), shape);
  }
  if (!options.p.given()) {
    return integers_from<index_t>(call, "choice", 0, static_cast<std::uint64_t>(count) - 1, shape);
  }
  const use_device guard(call.where);
  const std::vector<double> sums = cumulated(options.p.values());
  const array<double> ends = asarray(sums.data(), shape_t{count});
  const scalar::choice_draw<index_t> draw{ends.data(), static_cast<unsigned long long>(count)};
  return drawn<index_t>(call, "choice", "choice_draw<result_t>", draw, shape, {ends.block().get()});
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
