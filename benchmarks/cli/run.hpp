// SPDX-License-Identifier: MIT
// Runs a case at one size: every contender's answer is checked, and only then timed.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "case.hpp"
#include "measure.hpp"

namespace bench {

enum class status { absent, timed, wrong, failed };

/// What there is to say of one contender.
struct entry {
  bench::status status = bench::status::absent;
  measurement time = {};
  std::string message = {};  // why it is wrong or failed
};

struct row {
  std::string name;
  std::string dtype;
  index_t size = 0;
  std::array<entry, all_contenders.size()> entries = {};

  const entry& of(contender c) const { return entries[static_cast<std::size_t>(c)]; }
  entry& of(contender c) { return entries[static_cast<std::size_t>(c)]; }
  /// Seconds; NaN where it was not timed.
  double time(contender c) const;
  /// The best of Eigen's.
  double best_eigen() const;
  bool has_failure() const;
};

struct setting {
  std::vector<contender> contenders;
  int gpu_ordinal = -1;  // of the GPU that takes part, where one does
  int threads = 1;
  bench::effort effort = {};
};

/// "Eigen, 1 thread", "gnp, GPU": for tables, charts and files.
std::string label(contender c, int threads);
std::string key(contender c);

/// `report_done` is called after each contender.
row run_case(const bench_case& c, const std::string& dtype, index_t size, const setting& s,
             const std::function<void()>& report_done);

}  // namespace bench
