// SPDX-License-Identifier: MIT
// Long convolutions, which are made by Fourier transforms, beside sums in double.
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

/// The largest distance from the sums of products, over the largest of them.
template <class T>
double error_of(const array<T>& result, const array<T>& a, const array<T>& v, index_t first) {
  const host_array<T> got = gnp::asnumpy(result), x = gnp::asnumpy(a), w = gnp::asnumpy(v);
  using wide = std::conditional_t<std::is_same_v<T, gnp::complex64>, gnp::complex128, double>;
  double worst = 0;
  double largest = 0;
  for (index_t k = 0; k < got.size(); k += sanitized ? 97 : 7) {
    wide sum = 0;
    for (index_t j = 0; j < w.size(); ++j) {
      const index_t i = first + k - j;
      if (i >= 0 && i < x.size()) sum += wide(x[i]) * wide(w[j]);
    }
    worst = std::max(worst, std::abs(sum - wide(got[k])));
    largest = std::max(largest, std::abs(sum));
  }
  return worst / largest;
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
