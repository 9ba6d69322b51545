// SPDX-License-Identifier: MIT
// Repeated timing of a call, and what to say of the times.
#pragma once

#include <functional>
#include <vector>

namespace bench {

struct effort {
  int repeats = 15;      // samples
  double seconds = 0.5;  // after which three samples must do
};

/// Seconds per call.
struct measurement {
  double first_call = 0;  // with everything that happens once: compiling, opening libraries, starting threads
  std::vector<double> samples = {};
  int calls_per_sample = 0;

  double median() const;
  double fastest() const;
  /// Half the distance between the quartiles, as a part of the median.
  double spread() const;
};

/// `batch(calls)` makes so many calls and returns the seconds they took together. A sample is a batch that is
/// long beside the clock's resolution and a call's own start-up.
measurement measure(const std::function<double(int calls)>& batch, const effort& e, double least_batch_seconds);

/// A batch by the wall clock; `finish` waits for what the calls have queued.
std::function<double(int)> by_wall_clock(std::function<void()> call, std::function<void()> finish);

/// A batch by the GPU's clock, on the default device.
std::function<double(int)> by_gpu_clock(std::function<void()> call);

}  // namespace bench
