// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "gpu_timer.hpp"

namespace bench {
namespace {

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point start) {
  return std::chrono::duration<double>(steady::now() - start).count();
}

/// The value below which a part of the samples lies.
double quantile(std::vector<double> samples, double part) {
  if (samples.empty()) return std::nan("");
  std::sort(samples.begin(), samples.end());
  const double place = part * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] + (place - static_cast<double>(below)) * (samples[above] - samples[below]);
}

}  // namespace

double measurement::median() const { return quantile(samples, 0.5); }
double measurement::fastest() const { return quantile(samples, 0); }
double measurement::spread() const {
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / median();
}

measurement measure(const std::function<double(int)>& batch, const effort& e, double least_batch_seconds) {
  constexpr int most_calls = 1 << 20;
  const auto started = steady::now();
  // Warms up, and finds out how many calls make a batch that is long enough.
  int calls = 1;
  double time = batch(calls);
  while (time < least_batch_seconds && calls < most_calls) {
    const double factor = std::clamp(1.2 * least_batch_seconds / std::max(time, 1e-9), 2.0, 100.0);
    calls = static_cast<int>(std::min<double>(most_calls, std::ceil(calls * factor)));
    time = batch(calls);
  }
  measurement result;
  result.calls_per_sample = calls;
  for (int i = 0; i < e.repeats; ++i) {
    if (i >= 3 && seconds_since(started) > e.seconds) break;
    result.samples.push_back(batch(calls) / calls);
  }
  return result;
}

std::function<double(int)> by_wall_clock(std::function<void()> call, std::function<void()> finish) {
  return [call = std::move(call), finish = std::move(finish)](int calls) {
    finish();
    const auto start = steady::now();
    for (int i = 0; i < calls; ++i) call();
    finish();
    return seconds_since(start);
  };
}

std::function<double(int)> by_gpu_clock(std::function<void()> call) {
  return [call = std::move(call), timer = std::make_shared<gpu_timer>()](int calls) {
    timer->start();
    for (int i = 0; i < calls; ++i) call();
    return timer->stop();
  };
}

}  // namespace bench
