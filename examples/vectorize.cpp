// SPDX-License-Identifier: MIT
// Functions of your own on whole arrays, timed beside the loops they stand for.
#include <cmath>
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "support/options.hpp"
#include "support/timing.hpp"

// What Numba's @vectorize is for: one line says what becomes of an element. The body is compiled for the CPU,
// and kept as text for the GPU. Literals are of the element's type: 1.05 would be double, and so would the
// result.
GNP_UFUNC(circle, (x), cos(x) * cos(x) + sin(x) * sin(x));
GNP_UFUNC(selu, (x), decltype(x)(1.05070098) * (x > 0 ? x : decltype(x)(1.67326324) * expm1(x)));

float circle_of(float x) { return std::cos(x) * std::cos(x) + std::sin(x) * std::sin(x); }
float selu_of(float x) { return 1.05070098F * (x > 0 ? x : 1.67326324F * std::expm1(x)); }

template <class Ufunc, class Function>
void compare(const std::string& what, gnp::index_t n, const Ufunc& ufunc, const Function& function) {
  gnp::array x = gnp::linspace<float>(-10, 10, n);
  gnp::array y = gnp::empty<float>({n});
  const double with_gnp = support::milliseconds([&] { y(gnp::ellipsis) = ufunc(x); });

  gnp::host_array<float> values = gnp::asnumpy(x);
  std::vector<float> results(static_cast<std::size_t>(n));
  const double with_loop = support::milliseconds([&] {
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = function(values.data()[i]);
  });

  std::cout << what << ", " << n << " numbers on " << gnp::to_string(x.device()) << ": " << with_gnp
            << " ms; a loop on one core: " << with_loop << " ms; " << with_loop / with_gnp
            << " times as fast\n";
  std::cout << "  from " << gnp::min(y) << " to " << gnp::max(y) << ", largest difference to the loop "
            << gnp::max(gnp::abs(y - gnp::asarray(results))) << '\n';
}

int main(int argc, char** argv) {
  gnp::index_t circle_size = 10'000'000, selu_size = 1'000'000;
  support::options options("Functions of your own on whole arrays, timed beside the loops they stand for.");
  options.add("circle", circle_size, "numbers for cos(x)^2 + sin(x)^2");
  options.add("selu", selu_size, "numbers for SELU, an activation function of neural networks");
  options.parse(argc, argv);

  compare("cos(x)^2 + sin(x)^2", circle_size, [](const auto& x) { return circle(x); }, circle_of);
  compare("SELU", selu_size, [](const auto& x) { return selu(x); }, selu_of);
}
