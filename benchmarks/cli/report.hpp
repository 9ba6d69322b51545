// SPDX-License-Identifier: MIT
// The forms in which results leave the program.
#pragma once

#include <string>
#include <vector>

#include "machine.hpp"
#include "run.hpp"

namespace bench {

/// Everything that a report may tell.
struct results {
  bench::machine machine;
  std::vector<contender> contenders;
  std::vector<bench_case> cases;  // those that were run
  std::vector<row> rows;
  bench::effort effort;

  const bench_case& case_of(const row& r) const {
    for (const bench_case& c : cases) {
      if (c.name == r.name) return c;
    }
    return cases.at(0);
  }
};

// For a terminal of 120 columns; lines, each with its line break.
std::string table_header(const std::vector<contender>& contenders, int threads);
std::string table_row(const row& r, const std::vector<contender>& contenders, int threads);
std::string table_notes(const std::vector<contender>& contenders, int threads);

std::string as_json(const results& r);
std::string as_csv(const results& r);
std::string as_svg(const results& r);
std::string as_html(const results& r);

/// 1.23 ms: three digits and a unit.
std::string human_time(double seconds);

}  // namespace bench
