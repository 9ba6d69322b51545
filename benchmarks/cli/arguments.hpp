// SPDX-License-Identifier: MIT
// What the command line asks for, and which cases that selects.
#pragma once

#include <string>
#include <vector>

#include "case.hpp"
#include "measure.hpp"

namespace bench {

struct arguments {
  bool list = false;
  std::string filter = "";
  std::string sizes = "";
  std::string dtype = "";
  std::string device = "";
  int threads = 1;
  bool quick = false;
  bool cold = false;
  bool no_table = false;
  bool distributed = false;
  std::string json = "";
  std::string csv = "";
  std::string plot = "";
  bench::effort effort;
};

/// A wrong command line is one line on stderr and exit code 2.
[[noreturn]] void refuse(const std::string& why);

arguments parse(int argc, char** argv);

/// The cases that --filter names, with the sizes and types that --sizes and --dtype leave.
std::vector<bench_case> select(const std::vector<bench_case>& all, const arguments& a);

/// Who takes part, by --device and what there is; `gpu_ordinal` is set where a GPU does.
std::vector<contender> select_contenders(const arguments& a, int& gpu_ordinal);

}  // namespace bench
