// SPDX-License-Identifier: MIT
// What the field's tutorials show: a product, a sum, a formula, an activation function, an SVD. Each with its
// arrays on the GPU, and with its inputs coming from and its results going to ordinary host memory.
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/svd.hpp>

#include "gpu_timing.hpp"
#include "noise.hpp"

GNP_UFUNC(selu, (x), decltype(x)(1.05070098) * (x > 0 ? x : decltype(x)(1.67326324) * expm1(x)));

namespace {

using namespace gpu_timing;
using gnp::array;
using gnp::host_array;
using gnp::shape_t;

/// formula(x, y) with x and y on the GPU already, and from the host and back. right(x, y, result) is asked
/// first.
template <class T, class Formula, class Right>
void add_both(const std::string& name, const shape_t& shape, const Formula& formula, const Right& right) {
  const auto checked = [=](const host_array<T>& x, const host_array<T>& y) {
    if (!right(x, y, gnp::asnumpy(formula(gnp::asarray(x), gnp::asarray(y)))))
      throw std::runtime_error("wrong result");
  };
  add_case("tutorial/" + name, [=](benchmark::State& state) {
    const host_array<T> x = noise<T>(shape, 1), y = noise<T>(shape, 2);
    checked(x, y);
    const array<T> a = gnp::asarray(x), b = gnp::asarray(y);
    report(state, time_calls([&] { const auto result = formula(a, b); }));
  });
  add_case("tutorial/" + name + "/transfers", [=](benchmark::State& state) {
    const host_array<T> x = noise<T>(shape, 1), y = noise<T>(shape, 2);
    checked(x, y);
    report(state,
           time_calls([&] { const auto result = gnp::asnumpy(formula(gnp::asarray(x), gnp::asarray(y))); }));
  });
}

template <class T>
bool right_product(const host_array<T>& x, const host_array<T>& y, const host_array<T>& product) {
  const index_t n = x.shape()[0];
  for (const index_t at : places(n * n)) {
    double sum = 0;
    for (index_t k = 0; k < n; ++k) sum += double{x(at / n, k)} * double{y(k, at % n)};
    if (std::fabs(double{product[at]} - sum) > 1e-4 * std::sqrt(static_cast<double>(n))) return false;
  }
  return true;
}

/// Of one input: the second is not even sent to the GPU.
template <class Formula, class Want>
void add_elementwise(const std::string& name, index_t count, const Formula& formula, const Want& want) {
  const auto checked = [=](const host_array<float>& x) {
    const host_array<float> result = gnp::asnumpy(formula(gnp::asarray(x)));
    for (const index_t at : places(count)) expect(double{result[at]}, want(double{x[at]}), 1e-5, at);
  };
  add_case("tutorial/" + name, [=](benchmark::State& state) {
    const host_array<float> x = noise<float>({count}, 1);
    checked(x);
    const array<float> a = gnp::asarray(x);
    report(state, time_calls([&] { const auto result = formula(a); }));
  });
  add_case("tutorial/" + name + "/transfers", [=](benchmark::State& state) {
    const host_array<float> x = noise<float>({count}, 1);
    checked(x);
    report(state, time_calls([&] { const auto result = gnp::asnumpy(formula(gnp::asarray(x))); }));
  });
}

void add_svd() {
  constexpr index_t n = 64;
  const auto check = [](const array<float>& a) {
    const auto [u, s, vh] = gnp::linalg::svd(a);
    const host_array<float> off = gnp::asnumpy(array<float>(gnp::matmul(u * s, vh) - a));
    for (const float x : off) expect(double{x}, 0, 1e-4, 0);
  };
  add_case("tutorial/svd_64", [=](benchmark::State& state) {
    const array<float> a = gnp::asarray(noise<float>({n, n}, 1));
    check(a);
    report(state, time_calls([&] { const auto result = gnp::linalg::svd(a); }));
  });
  add_case("tutorial/svd_64/transfers", [=](benchmark::State& state) {
    const host_array<float> x = noise<float>({n, n}, 1);
    check(gnp::asarray(x));
    report(state, time_calls([&] {
             const auto [u, s, vh] = gnp::linalg::svd(gnp::asarray(x));
             const host_array<float> left = gnp::asnumpy(u), values = gnp::asnumpy(s), right = gnp::asnumpy(vh);
           }));
  });
}

}  // namespace

void register_tutorial_benchmarks(bool quick) {
  quick_run = quick;
  const auto product = [](const auto& x, const auto& y) { return gnp::matmul(x, y).eval(); };
  add_both<float>("matmul_2048_float32", {2048, 2048}, product, right_product<float>);
  add_both<double>("dot_1000_float64", {1000, 1000}, product, right_product<double>);
  add_both<float>(
      "add_10000000", {10000000}, [](const auto& x, const auto& y) { return (x + y).eval(); },
      [](const auto& x, const auto& y, const auto& result) {
        for (const index_t at : places(result.size()))
          expect(double{result[at]}, double{x[at] + y[at]}, 1e-6, at);
        return true;
      });
  add_elementwise(
      "cos2_sin2_10000000", 10000000, [](const auto& x) { return (square(cos(x)) + square(sin(x))).eval(); },
      [](double) { return 1.0; });
  add_elementwise(
      "selu_1000000", 1000000, [](const auto& x) { return selu(x).eval(); },
      [](double x) { return 1.05070098 * (x > 0 ? x : 1.67326324 * std::expm1(x)); });
  add_svd();
}
