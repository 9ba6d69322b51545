// SPDX-License-Identifier: MIT
// Convolutions beside sums in double: long ones, which are made by Fourier transforms, and short ones.
#include <complex>
#include <limits>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::host_array;
using gnp::index_t;

template <class T>
array<T> numbers(index_t n, index_t seed) {
  host_array<T> host(gnp::shape_t{n});
  for (index_t i = 0; i < n; ++i) {
    const double re = static_cast<double>((i * 7919 + seed * 104729) % 1009) / 504 - 1;
    if constexpr (std::is_same_v<T, gnp::complex64>) {
      host[i] = T(static_cast<float>(re), static_cast<float>((i * 31 + seed) % 17) / 8 - 1);
    } else {
      host[i] = static_cast<T>(std::is_integral_v<T> ? re * 100 : re);
    }
  }
  return gnp::asarray(host);
}

/// The largest distance of each `step`-th result from the sums of products, over the largest of them.
template <class T>
double error_in_each(const array<T>& result, const array<T>& a, const array<T>& v, index_t first,
                     index_t step) {
  const host_array<T> got = gnp::asnumpy(result), x = gnp::asnumpy(a), w = gnp::asnumpy(v);
  using wide = std::conditional_t<std::is_same_v<T, gnp::complex64>, gnp::complex128, double>;
  const auto exact = [](wide sum) {
    if constexpr (std::is_same_v<T, std::int16_t>) return wide(static_cast<T>(static_cast<std::int64_t>(sum)));
    return sum;
  };
  double worst = 0;
  double largest = 0;
  for (index_t k = 0; k < got.size(); k += step) {
    wide sum = 0;
    for (index_t j = 0; j < w.size(); ++j) {
      const index_t i = first + k - j;
      if (i >= 0 && i < x.size()) sum += wide(x[i]) * wide(w[j]);
    }
    worst = std::max(worst, std::abs(exact(sum) - wide(got[k])));
    largest = std::max(largest, std::abs(sum));
  }
  return largest == 0 ? worst : worst / largest;
}

template <class T>
double error_of(const array<T>& result, const array<T>& a, const array<T>& v, index_t first) {
  return error_in_each(result, a, v, first, sanitized ? 97 : 7);
}
template <class T>
double error_in_all(const array<T>& result, const array<T>& a, const array<T>& v, index_t first) {
  return error_in_each(result, a, v, first, 1);
}

template <class T>
void check(double most) {
  for (const auto& [n, taps] : {std::pair<index_t, index_t>{5000, 300}, {40000, 999}, {200, 300}}) {
    INFO(n << " and " << taps);
    const array<T> a = numbers<T>(n, 1);
    const array<T> v = numbers<T>(taps, 2);
    CHECK(gnp::convolve(a, v).size() == n + taps - 1);
    CHECK(error_of(gnp::convolve(a, v), a, v, 0) < most);
    const index_t shorter = std::min(n, taps);
    CHECK(error_of(gnp::convolve(a, v, "valid"), a, v, shorter - 1) < most);
    CHECK(error_of(gnp::convolve(a, v, "same"), a, v, (shorter - 1) / 2) < most);
    CHECK(error_of(gnp::correlate(a, gnp::conj(gnp::flip(v)), "full"), a, v, 0) < most);
  }
}

}  // namespace

TEST_CASE("long convolutions") {
  for_each_device([](gnp::device d) {
    CHECK(gnp::detail::is_long_correlation(40000, 999, d));
    check<double>(1e-14);
    check<float>(1e-5);
    check<gnp::complex64>(1e-5);
    check<std::int64_t>(1e-15);  // exact, as sums
    if (!d.is_cpu()) return;
    // What is not finite stays where it is.
    array<double> a = numbers<double>(5000, 1);
    a(1000) = std::numeric_limits<double>::infinity();
    a(3000) = gnp::nan;
    const auto result = gnp::convolve(a, gnp::ones({200}), "valid");
    CHECK(gnp::count_nonzero(gnp::isnan(result)).item() == 200);
    CHECK(gnp::count_nonzero(gnp::isinf(result)).item() == 200);
    // Nor does the inverse transform, whose sums are n times the results, overflow.
    array<float> large = gnp::zeros<float>({4000});
    array<float> tap = gnp::zeros<float>({200});
    large(2000) = 1e35F;
    tap(66) = 1;
    const auto moved = gnp::convolve(large, tap);
    CHECK(gnp::all(gnp::isfinite(moved)).item());
    CHECK(moved(2066).item() == 1e35F);
  });
}

namespace {

/// Convolutions of few taps, about the blocks of 1024 results that the CPU computes at a time, of a view whose
/// elements are apart.
template <class T>
void check_short(double most) {
  for (const index_t n : {1, 3, 31, 1023, 1024, 1025, 2100}) {
    for (const index_t taps : {1, 2, 3, 4, 5, 8, 31}) {
      INFO(n << " and " << taps);
      const array<T> a = numbers<T>(2 * n, 1)(gnp::slice(gnp::none, gnp::none, 2));
      const array<T> v = numbers<T>(taps, 2);
      const index_t shorter = std::min(n, taps);
      const index_t longer = std::max(n, taps);
      const array<T> full = gnp::convolve(a, v), same = gnp::convolve(a, v, "same"),
                     valid = gnp::convolve(a, v, "valid"),
                     turned = gnp::correlate(a, gnp::conj(gnp::flip(v)), "full");
      CHECK(full.size() == n + taps - 1);
      CHECK(same.size() == longer);
      CHECK(valid.size() == longer - shorter + 1);
      CHECK(error_in_all(full, a, v, 0) <= most);
      CHECK(error_in_all(same, a, v, (shorter - 1) / 2) <= most);
      CHECK(error_in_all(valid, a, v, shorter - 1) <= most);
      CHECK(error_in_all(turned, a, v, 0) <= most);
    }
  }
}

}  // namespace

TEST_CASE("short convolutions") {
  for_each_device([](gnp::device d) {
    check_short<double>(1e-15);
    check_short<float>(1e-6);
    check_short<std::int16_t>(0);  // wraps around
    check_short<std::int64_t>(0);
    if (!d.is_cpu()) return;
    check_short<gnp::complex64>(1e-6);
    // Beyond the samples there is nothing, which an infinity or NaN among the taps would make NaN.
    const array<double> a = gnp::asarray<double>({1, 2, 3});
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(gnp::array_equal(gnp::convolve(a, gnp::asarray<double>({infinity, 1})),
                           gnp::asarray<double>({infinity, infinity, infinity, 3})));
    const array<double> spoilt = gnp::convolve(a, gnp::asarray<double>({1, gnp::nan, 1}));
    CHECK(gnp::array_equal(gnp::isnan(spoilt), gnp::asarray<bool>({false, true, true, true, false})));
    CHECK(gnp::array_equal(gnp::convolve(gnp::asarray<double>({-infinity, 2}), gnp::asarray<double>({1, 1})),
                           gnp::asarray<double>({-infinity, -infinity, 2})));
  });
}
