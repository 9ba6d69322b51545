// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Reductions of windows that slide over an array: running sums, filters of pictures, largest neighbours.
// Against plain loops on the host, in double.
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::none;
using gnp::shape_t;
using gnp::slice;
using gnp::sliding_window_view;

/// Small numbers that every type holds exactly, in no order.
template <class T>
array<T> numbers(const shape_t& shape) {
  std::vector<T> values(static_cast<std::size_t>(gnp::detail::element_count(shape, "numbers")));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<float>((i * i) % 23));
  return gnp::asarray(values).reshape(shape);
}

using list = std::vector<double>;
using of_window = std::function<double(const list&)>;

double sum_of(const list& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double mean_of(const list& x) { return sum_of(x) / static_cast<double>(x.size()); }
double max_of(const list& x) { return *std::max_element(x.begin(), x.end()); }
double place_of_max(const list& x) {
  return static_cast<double>(std::max_element(x.begin(), x.end()) - x.begin());
}
double variance_of(const list& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return sum / static_cast<double>(x.size());
}

/// The largest distance, relative to what is larger than 1, of results from f of each window, whose first
/// element is at (i, j) times the steps.
template <class R, class T>
double distance(const array<R>& found, const host_array<T>& x, index_t height, index_t width,
                const of_window& f, index_t down = 1, index_t across = 1) {
  const host_array<R> results = gnp::asnumpy(found);
  const bool rows = x.ndim() == 2;
  double most = 0;
  const index_t step = sanitized ? 7 : 1;  // all are computed, and these are compared
  for (index_t i = 0; i < (rows ? results.shape(0) : 1); ++i) {
    for (index_t j = 0; j < results.shape(rows ? 1 : 0); j += step) {
      list window;
      for (index_t y = 0; y < height; ++y) {
        for (index_t z = 0; z < width; ++z) {
          const index_t row = i * down + y, column = j * across + z;
          window.push_back(static_cast<double>(rows ? x(row, column) : x(column)));
        }
      }
      const double wanted = f(window);
      const double is = static_cast<double>(rows ? results(i, j) : results(j));
      most = std::max(most, std::abs(is - wanted) / std::max(1.0, std::abs(wanted)));
    }
  }
  return most;
}

template <class T>
void check_lines(index_t length, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << ", windows of " << length);
  const array<T> x = numbers<T>({9000 + length});
  const host_array<T> h = gnp::asnumpy(x);
  const auto windows = sliding_window_view(x, length);
  CHECK(distance(array(sum(windows, 1)), h, 1, length, sum_of) <= tolerance);
  CHECK(distance(array(max(windows, 1)), h, 1, length, max_of) == 0);
  CHECK(distance(array(argmax(windows, 1)), h, 1, length, place_of_max) == 0);
}

/// Reductions of windows of a picture, and of windows that take every other row and every third column.
template <class T>
void check_pictures(index_t height, index_t width, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << ", windows of " << height << " x " << width);
  const array<T> x = numbers<T>({100 + height, 113 + width});
  const host_array<T> h = gnp::asnumpy(x);
  const auto windows = sliding_window_view(x, {height, width});
  CHECK(distance(array(mean(windows, {2, 3})), h, height, width, mean_of) <= tolerance);
  CHECK(distance(array(max(windows, {2, 3})), h, height, width, max_of) == 0);
  CHECK(distance(array(var(windows, {2, 3})), h, height, width, variance_of) <= tolerance);
  const auto apart =
      sliding_window_view(numbers<T>({220, 400}), {height, width})(slice(none, none, 2), slice(none, none, 3));
  CHECK(distance(array(mean(apart, {2, 3})), gnp::asnumpy(numbers<T>({220, 400})), height, width, mean_of, 2,
                 3) <= tolerance);
}

}  // namespace

TEST_CASE("windows of one axis, from one element to more than a thread takes") {
  for_each_device([](gnp::device) {
    // Up to 32 elements are in registers at once, up to 255 some at a time, and 256 are for another kernel.
    for (const index_t length : {1, 2, 5, 31, 32, 33, 48, 255, 256}) check_lines<float>(length, 1e-6);
    check_lines<double>(70, 1e-14);
    check_lines<std::int16_t>(9, 0);
    check_lines<gnp::half>(7, 1e-3);
  });
}

TEST_CASE("windows of two axes") {
  for_each_device([](gnp::device) {
    check_pictures<float>(3, 3, 2e-6);
    check_pictures<float>(1, 7, 2e-6);
    check_pictures<float>(7, 1, 2e-6);
    check_pictures<float>(11, 11, 2e-6);
    check_pictures<float>(3, 40, 2e-6);     // a part of each row at a time, and a rest
    check_pictures<double>(16, 16, 1e-13);  // more elements than loops take
  });
}

TEST_CASE("a filter, of weights in both orders") {
  for_each_device([](gnp::device) {
    const array<float> x = numbers<float>({110, 119});
    const host_array<float> h = gnp::asnumpy(x);
    const array<float> weights = numbers<float>({3, 5}) * 0.25F;
    const host_array<float> w = gnp::asnumpy(weights);
    const auto filtered = [&](const list& window) {
      double sum = 0;
      for (index_t i = 0; i < 3; ++i) {
        for (index_t j = 0; j < 5; ++j) sum += window[static_cast<std::size_t>(5 * i + j)] * double{w(i, j)};
      }
      return sum;
    };
    CHECK(distance(array(sum(sliding_window_view(x, {3, 5}) * weights, {2, 3})), h, 3, 5, filtered) < 1e-6);
    const array<float> turned = weights.T().copy();
    CHECK(distance(array(sum(sliding_window_view(x, {3, 5}) * turned.T(), {2, 3})), h, 3, 5, filtered) < 1e-6);
    // Windows that slide over the transpose, and a filter longer than 32.
    const auto across = sliding_window_view(x.T(), {5, 3}).transpose(1, 0, 3, 2);
    CHECK(distance(array(sum(across * weights, {2, 3})), h, 3, 5, filtered) < 1e-6);
    const array<float> line = numbers<float>({9100});
    const array<float> many = numbers<float>({64}) * 0.125F;
    const host_array<float> m = gnp::asnumpy(many);
    CHECK(distance(array(sum(sliding_window_view(line, 64) * many, 1)), gnp::asnumpy(line), 1, 64,
                   [&](const list& window) {
                     double sum = 0;
                     for (index_t k = 0; k < 64; ++k) sum += window[static_cast<std::size_t>(k)] * double{m(k)};
                     return sum;
                   }) < 1e-6);
  });
}

TEST_CASE("windows in formulas, and loops within loops") {
  for_each_device([](gnp::device) {
    const array<float> x = numbers<float>({104, 122});
    const host_array<float> h = gnp::asnumpy(x);
    const auto windows = sliding_window_view(x, {3, 3});
    const auto contrast =
        (x(slice(1, -1), slice(1, -1)) - mean(windows, {2, 3})) / (gnp::std(windows, {2, 3}) + 0.5F);
    CHECK(distance(array(contrast), h, 3, 3, [](const list& window) {
            return (window[4] - mean_of(window)) / (std::sqrt(variance_of(window)) + 0.5);
          }) < 1e-5);
    const auto deviation = sum(abs(windows - mean(windows, {2, 3}, {.keepdims = true})), {2, 3});
    CHECK(distance(array(deviation), h, 3, 3, [](const list& window) {
            double sum = 0;
            for (const double v : window) sum += std::abs(v - mean_of(window));
            return sum;
          }) < 1e-5);
    const auto largest_row = max(sum(square(windows), 3), 2);
    CHECK(distance(array(largest_row), h, 3, 3, [](const list& window) {
            double most = 0;
            for (std::size_t i = 0; i < 9; i += 3) {
              most = std::max(
                  most, window[i] * window[i] + window[i + 1] * window[i + 1] + window[i + 2] * window[i + 2]);
            }
            return most;
          }) < 1e-6);
  });
}

TEST_CASE("windows of three axes, blocks side by side, and what nothing slides over") {
  for_each_device([](gnp::device) {
    const array<double> x = numbers<double>({24, 26, 28});
    const host_array<double> h = gnp::asnumpy(x);
    const host_array<double> found = gnp::asnumpy(array(mean(sliding_window_view(x, {2, 3, 2}), {3, 4, 5})));
    double most = 0;
    for (index_t i = 0; i < 23; ++i) {
      for (index_t j = 0; j < 24; ++j) {
        for (index_t k = 0; k < 27; ++k) {
          double sum = 0;
          for (index_t n = 0; n < 12; ++n) sum += h(i + n / 6, j + n / 2 % 3, k + n % 2);
          most = std::max(most, std::abs(found(i, j, k) - sum / 12));
        }
      }
    }
    CHECK(most < 1e-13);
    const array<float> picture = numbers<float>({200, 300});
    CHECK(distance(array(max(picture.reshape(100, 2, 150, 2), {1, 3})), gnp::asnumpy(picture), 2, 2, max_of, 2,
                   2) == 0);
    CHECK_THROWS_AS(sum(sliding_window_view(x, {25, 1, 1}), 3), gnp::shape_error);
    CHECK(array(sum(sliding_window_view(numbers<float>({9000, 0}), 5, 0), 2)).shape() == shape_t{8996, 0});
  });
}

/// Values of NumPy.
TEST_CASE("taps that are not finite reach only results that they take part in") {
  for_each_device([](gnp::device) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const array<float> w = gnp::asarray<float>({1, nan, 2, inf, -1});
    const array<std::int8_t> a = gnp::asarray<std::int8_t>({2, -3, 4, 1, 7});
    const auto is = [](const array<float>& found, const std::vector<float>& expected) {
      const host_array<float> host = gnp::asnumpy(found);
      CHECK(host.size() == static_cast<index_t>(expected.size()));
      for (index_t i = 0; i < host.size(); ++i) {
        const float x = expected[static_cast<std::size_t>(i)];
        CHECK((host[i] == x || (std::isnan(host[i]) && std::isnan(x))));
      }
    };
    is(gnp::correlate(a, w, "full"), {-2, inf, -inf, nan, nan, nan, nan, nan, 7});
    is(gnp::convolve(a, w, "same"), {nan, nan, nan, nan, inf});
    is(gnp::convolve(a, w, "valid"), {nan});
    const array<gnp::complex64> z =
        gnp::convolve(a.astype<gnp::complex64>(), w.astype<gnp::complex64>(), "full");
    is(gnp::real(z)(slice(2)), {2, nan});
    is(gnp::real(z)(slice(-1, none)), {-7});

    const array<float> many = gnp::ones<float>(300);
    many(5) = nan;
    many(290) = inf;
    const array<float> long_result = gnp::convolve(gnp::ones<float>(400), many, "full");
    CHECK(gnp::sum(gnp::isnan(long_result)).item() == 400);
    CHECK(gnp::sum(gnp::isinf(long_result)).item() == 285);
    is(long_result(slice(6)), {1, 2, 3, 4, 5, nan});
    is(long_result(slice(-6, none)), {6, 5, 4, 3, 2, 1});
    is(gnp::convolve(gnp::ones<float>(400), many, "same")(slice(2)), {nan, nan});
  });
}

TEST_CASE("explain says how windows are read") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  const array<float> x = numbers<float>({120, 130});
  const auto says = [](const std::string& text, const char* part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    CHECK(text.starts_with("1 kernel\n"));
  };
  says(gnp::explain(mean(sliding_window_view(x, {3, 3}), {2, 3})),
       "with loops of a thread: mean of 9 elements");
  says(gnp::explain(sum(sliding_window_view(x.ravel(), 200), 1)),
       "with loops of a thread: sum of 200 elements");
  says(gnp::explain(sum(sliding_window_view(x.ravel(), 256), 1)), "kernel 1: sum of (15345, 256)");
  // Rows that nothing slides over are a row program, or the reduction kernel's.
  says(gnp::explain(sum(gnp::ones<float>({20000, 7}), 1)), "rows of 7 elements, sum of each");
  says(gnp::explain(sum(gnp::ones<float>({20000, 100}), 1)), "kernel 1: sum of (20000, 100)");
}
