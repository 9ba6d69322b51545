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
#include <gnp/random/philox_vectors.hpp>
#include <limits>
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
  if (p.device().is_cpu() && p.is_contiguous()) return std::vector<double>(p.data(), p.data() + p.size());
  const host_array<double> host = asnumpy(p);
  return std::vector<double>(host.begin(), host.end());
}

GNP_ON_USE void check_probabilities(const random::probabilities& p, index_t count, index_t size, bool replace) {
  const std::vector<double>& values = p.values();
  if (static_cast<index_t>(values.size()) != count) {
    throw shape_error(std::string("choice: a and p must have the same size, got ") + std::to_string(count) +
                      " and " + std::to_string(values.size()));
  }
  // Kahan's compensated sum, in lanes: one sum alone would wait for four additions at each number.
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  double lost[lanes] = {};
  const auto add = [&](std::size_t lane, double x) {
    const double term = x - lost[lane];
    const double next = sums[lane] + term;
    lost[lane] = (next - sums[lane]) - term;
    sums[lane] = next;
  };
  index_t possible = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0)) {
      throw error(std::string(values[i] == values[i] ? "choice: probabilities are not non-negative: p["
                                                     : "choice: probabilities contain NaN: p[") +
                  std::to_string(i) + "] is " + shown(values[i]));
    }
    possible += values[i] > 0 ? 1 : 0;
    add(i % lanes, values[i]);
  }
  for (std::size_t lane = 1; lane < lanes; ++lane) add(0, sums[lane]);
  const double sum = sums[0];
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

/// The exponential arrival times of the things [begin, end), whose rates are their probabilities.
[[gnu::always_inline]] inline void write_arrivals_inline(const scalar::random_source& source, const double* p,
                                                         std::size_t begin, std::size_t end, double* times) {
  constexpr std::size_t tile = 64;  // a constant: then g++ vectorises the loop
  for (; begin < end; begin += tile) {
    std::uint64_t upper[tile];
    std::uint64_t lower[tile];
    double time[tile];
    write_blocks<false, tile>(source, begin, 65536, upper, lower);
    for (std::size_t i = 0; i < tile; ++i)
      time[i] = scalar::minus_two_log(
          scalar::unit(static_cast<std::uint32_t>(upper[i] >> 32), static_cast<std::uint32_t>(upper[i])));
    const std::size_t count = (std::min)(tile, end - begin);
    for (std::size_t i = 0; i < count; ++i) times[begin + i] = time[i] / p[begin + i];
  }
}

GNP_LOOP inline void write_arrivals_anywhere(const scalar::random_source& source, const double* p,
                                             std::size_t begin, std::size_t end, double* times) {
  write_arrivals_inline(source, p, begin, end, times);
}

#if GNP_RANDOM_TWICE
GNP_LOOP [[gnu::target("avx2,fma")]] inline void write_arrivals_fused(const scalar::random_source& source,
                                                                      const double* p, std::size_t begin,
                                                                      std::size_t end, double* times) {
  write_arrivals_inline(source, p, begin, end, times);
}
#endif

GNP_ON_USE void write_arrivals(const scalar::random_source& source, const double* p, std::size_t begin,
                               std::size_t end, double* times) {
#if GNP_RANDOM_TWICE
  if (random_is_fused()) return write_arrivals_fused(source, p, begin, end, times);
#endif
  write_arrivals_anywhere(source, p, begin, end, times);
}

/// A time that about `wanted` things, and a few more, come no later than: it is estimated from every so manyth
/// thing. Infinity if most things are wanted, or if there are so few that it does not matter.
GNP_ON_USE double latest_arrival(const double* times, const double* p, std::size_t count, std::size_t wanted) {
  constexpr std::size_t asked = 1024;
  constexpr double any = std::numeric_limits<double>::infinity();
  if (count < 4 * asked) return any;
  std::vector<double> some;
  for (std::size_t i = 0; i < asked; ++i) {
    const std::size_t at = i * (count / asked);
    some.push_back(p[at] > 0 ? times[at] : any);
  }
  // Four standard deviations more than are expected among those asked; if that is too few, the caller notices.
  const double expected = static_cast<double>(asked) * static_cast<double>(wanted) / static_cast<double>(count);
  const auto place = static_cast<std::size_t>(expected + 4 * std::sqrt(expected) + 4);
  if (place >= asked) return any;
  const auto found = some.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(some.begin(), found, some.end());
  return *found;
}

/// `size` different indices, drawn one after another with these probabilities: the first of exponential arrival
/// times whose rates are the probabilities.
GNP_ON_USE std::vector<index_t> weighted_sample(const scalar::random_source& source,
                                                const std::vector<double>& p, index_t size) {
  struct arrival {
    double time;
    index_t which;
  };
  const array<double> made(shape_t{static_cast<index_t>(p.size())}, device::cpu(), "choice");
  double* const times = made.data();
  parallel_for(static_cast<index_t>(p.size()), 1 << 14, [&](index_t begin, index_t end) {
    write_arrivals(source, p.data(), static_cast<std::size_t>(begin), static_cast<std::size_t>(end), times);
  });
  std::vector<arrival> arrivals;
  const auto gather = [&](double latest) {
    arrivals.clear();
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (times[i] <= latest && p[i] > 0) arrivals.push_back({times[i], static_cast<index_t>(i)});
    }
  };
  const auto wanted = static_cast<std::size_t>(size);
  gather(latest_arrival(times, p.data(), p.size(), wanted));
  if (arrivals.size() < wanted) gather(std::numeric_limits<double>::infinity());
  const auto middle = arrivals.begin() + size;
  const auto earlier = [](const arrival& a, const arrival& b) {
    return a.time < b.time || (a.time == b.time && a.which < b.which);
  };
  if (middle != arrivals.end()) std::nth_element(arrivals.begin(), middle, arrivals.end(), earlier);
  std::sort(arrivals.begin(), middle, earlier);
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
