// SPDX-License-Identifier: MIT
// Does a sample come from a distribution? With fixed seeds these are no game of chance: each limit is one that
// a right generator passes with probability 0.999 or more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gnp/gnp.hpp>
#include <vector>

#include "catch.hpp"

/// Any array as doubles on the host.
template <class T>
std::vector<double> as_doubles(const gnp::array<T>& x) {
  const gnp::host_array<T> host = gnp::asnumpy(x);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(host.size()));
  for (const T& value : host) {
    if constexpr (std::is_same_v<T, gnp::half> || std::is_same_v<T, gnp::bfloat16>) {
      result.push_back(static_cast<float>(value));
    } else {
      result.push_back(static_cast<double>(value));
    }
  }
  return result;
}

/// Kolmogorov and Smirnov's statistic: the largest distance from the distribution function, times sqrt(n).
template <class F>
double kolmogorov_smirnov(std::vector<double> sample, const F& below) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = below(sample[i]);
    worst = std::max({worst, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return worst * std::sqrt(n);
}
/// Its 0.999 quantile.
inline constexpr double ks_limit = 1.95;

/// Pearson's statistic against expected counts; small expectations are pooled into one cell.
struct chi_square {
  double statistic = 0;
  double limit = 0;  // its 0.999 quantile, after Wilson and Hilferty

  chi_square(const std::vector<double>& observed, const std::vector<double>& expected) {
    double pooled_observed = 0;
    double pooled_expected = 0;
    int cells = 0;
    const auto add = [&](double o, double e) {
      statistic += (o - e) * (o - e) / e;
      ++cells;
    };
    for (std::size_t i = 0; i < observed.size(); ++i) {
      if (expected[i] >= 10) {
        add(observed[i], expected[i]);
      } else {
        pooled_observed += observed[i];
        pooled_expected += expected[i];
      }
    }
    if (pooled_expected >= 10) {
      add(pooled_observed, pooled_expected);
    } else if (pooled_observed > 10 * pooled_expected + 10) {
      statistic += 1e9;  // what should hardly ever be is there often
    }
    const double k = cells - 1;
    const double root = 1 - 2 / (9 * k) + 3.09 * std::sqrt(2 / (9 * k));
    limit = k * root * root * root;
  }
};

inline double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
/// The k-th moment about a centre.
inline double moment(const std::vector<double>& x, double centre, int k) {
  double sum = 0;
  for (const double v : x) sum += std::pow(v - centre, k);
  return sum / static_cast<double>(x.size());
}

/// The bits of a host array, for comparing.
template <class T>
std::vector<unsigned char> bits(const gnp::array<T>& x) {
  const gnp::host_array<T> host = gnp::asnumpy(x);
  const auto* first = reinterpret_cast<const unsigned char*>(host.data());
  return {first, first + host.nbytes()};
}

/// f(generator) gives the same bits on the CPU and on the GPU. True where there is no GPU.
template <class F>
bool same_on_both_devices(const F& f) {
  if (!gnp::cuda_available()) return true;
  gnp::random::generator on_cpu(20260711, gnp::device::cpu());
  gnp::random::generator on_gpu(20260711, gnp::device::cuda(0));
  for (int call = 0; call < 2; ++call) {
    const auto a = f(on_cpu);
    const auto b = f(on_gpu);
    if (!a.device().is_cpu() || !b.device().is_cuda() || bits(a) != bits(b)) return false;
  }
  return true;
}
