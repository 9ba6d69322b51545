// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Several reductions of elements that short reductions are read by, such as weights by distance: on a GPU they
// are one kernel, which computes each element once. Compared with plain loops on the host, in double.
#include <cmath>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;

/// Between 0 and 1, in steps of a sixteenth.
template <class T>
array<T> numbers(const gnp::shape_t& shape, int seed) {
  const index_t count = gnp::detail::element_count(shape, "numbers");
  const array<index_t> places = (gnp::arange<index_t>(count) * 7 + seed * 5) % 17;
  return (places.astype<T>() / T(16)).reshape(shape);
}

struct sums {
  double weights = 0, values = 0, least = 1e300;
  index_t nearest = 0;
};

/// The weights exp(-distance / width) of all y for point i.
template <class T>
sums around(const host_array<T>& x, const host_array<T>& y, const host_array<T>& values, index_t i,
            double width) {
  sums found;
  for (index_t k = 0; k < y.shape(0); ++k) {
    double distance = 0;
    for (index_t d = 0; d < x.shape(1); ++d)
      distance += std::pow(static_cast<double>(x(i, d)) - static_cast<double>(y(k, d)), 2);
    const double weight = std::exp(-distance / width);
    found.weights += weight;
    found.values += weight * static_cast<double>(values[k]);
    if (distance < found.least) {
      found.least = distance;
      found.nearest = k;
    }
  }
  return found;
}

template <class T>
bool near(T found, double wanted) {
  return std::abs(static_cast<double>(found) - wanted) <=
         (sizeof(T) == 8 ? 1e-12 : 2e-5) * (1 + std::abs(wanted));
}

bool is_one_kernel(const std::string& told, const char* functions) {
  return told.find(std::string(functions) + " of (") != std::string::npos &&
         told.find("in one pass, with loops of a thread") != std::string::npos;
}

/// x and y of these rows, in whichever layout.
template <class T>
void check(gnp::device where, const array<T>& x, const array<T>& y) {
  const index_t n = x.shape(0);
  const array<T> values = numbers<T>({y.shape(0)}, 3);
  const host_array<T> hx = gnp::asnumpy(x), hy = gnp::asnumpy(y), hv = gnp::asnumpy(values);
  const auto distances = sum(square(x(all, newaxis) - y), 2);
  const auto weights = exp(distances * T(-0.5));
  const auto formula = sum(weights * values, 1) / sum(weights, 1);
  const array<T> mean_around = formula;
  // With other numbers in it the second is another formula.
  const array<T> of_two = sum(weights * values, 1) / sum(exp(distances * T(-0.25)), 1);
  const auto [nearest, least, total] = gnp::eval(argmin(distances, 1), min(distances, 1), sum(weights, 1));
  if (!where.is_cpu()) CHECK(is_one_kernel(gnp::explain(formula), "sum and sum"));
  int wrong = 0;
  for (index_t i = 0; i < n; i += n > 500 ? 97 : 1) {
    const sums a = around(hx, hy, hv, i, 2), b = around(hx, hy, hv, i, 4);
    wrong += near(mean_around.item(i), a.values / a.weights) ? 0 : 1;
    wrong += near(of_two.item(i), a.values / b.weights) ? 0 : 1;
    wrong += near(least.item(i), a.least) && near(total.item(i), a.weights) ? 0 : 1;
    wrong += nearest.item(i) == a.nearest ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("joint loops: weights by distance and what they weigh") {
  for_each_device([](gnp::device where) {
    check<float>(where, numbers<float>({300, 8}, 1), numbers<float>({340, 8}, 2));
    check<double>(where, numbers<double>({300, 3}, 1), numbers<double>({341, 3}, 2));
    // So many that each result is a thread's.
    check<float>(where, numbers<float>({8200, 4}, 1), numbers<float>({70, 4}, 2));
    // The short axis is not the last one in memory, or walked backwards.
    check<float>(where, numbers<float>({5, 300}, 1).T(), numbers<float>({5, 333}, 2).T());
    check<float>(where, numbers<float>({300, 7}, 1)(all, gnp::slice(gnp::none, gnp::none, -1)),
                 numbers<float>({330, 14}, 2)(all, gnp::slice(gnp::none, gnp::none, 2)));
  });
}

TEST_CASE("joint loops: reductions along different axes") {
  for_each_device([](gnp::device) {
    const array<double> x = numbers<double>({310, 3}, 1), y = numbers<double>({321, 3}, 2);
    const auto distances = sum(square(x(all, newaxis) - y), 2);
    const auto [down, far, right, mean_of] =
        gnp::eval(min(distances, 0), max(distances, 1), argmin(distances, 0), mean(distances, 1));
    const host_array<double> hx = gnp::asnumpy(x), hy = gnp::asnumpy(y);
    const auto apart = [&](index_t i, index_t k) {
      double total = 0;
      for (index_t d = 0; d < 3; ++d) total += std::pow(hx(i, d) - hy(k, d), 2);
      return total;
    };
    int wrong = 0;
    for (index_t i = 0; i < 310; ++i) {
      double most = 0, total = 0;
      for (index_t k = 0; k < 321; ++k) {
        most = std::max(most, apart(i, k));
        total += apart(i, k);
      }
      wrong += near(far.item(i), most) && near(mean_of.item(i), total / 321) ? 0 : 1;
    }
    for (index_t k = 0; k < 321; ++k) {
      index_t at = 0;
      for (index_t i = 1; i < 310; ++i) at = apart(i, k) < apart(at, k) ? i : at;
      wrong += near(down.item(k), apart(at, k)) && right.item(k) == at ? 0 : 1;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("joint loops: windows of pictures") {
  for_each_device([](gnp::device) {
    // The spread of each window, and how far each is from the mean of its channel.
    const array<float> x = numbers<float>({40, 60, 16}, 4);
    const auto contrast = sum(square(x - mean(x, 2, {.keepdims = true})), 2);
    const auto [rows, least, most] = gnp::eval(sum(contrast, 1), min(contrast, 1), max(contrast, 1));
    const host_array<float> h = gnp::asnumpy(x);
    int wrong = 0;
    for (index_t i = 0; i < 40; ++i) {
      double total = 0, low = 1e300, high = 0;
      for (index_t k = 0; k < 60; ++k) {
        double middle = 0, spread = 0;
        for (index_t d = 0; d < 16; ++d) middle += static_cast<double>(h[(i * 60 + k) * 16 + d]) / 16;
        for (index_t d = 0; d < 16; ++d)
          spread += std::pow(static_cast<double>(h[(i * 60 + k) * 16 + d]) - middle, 2);
        total += spread;
        low = std::min(low, spread);
        high = std::max(high, spread);
      }
      wrong += near(rows.item(i), total) && near(least.item(i), low) && near(most.item(i), high) ? 0 : 1;
    }
    CHECK(wrong == 0);
  });
}
