// SPDX-License-Identifier: MIT
// What the times were taken on and with.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

struct machine {
  std::string cpu;
  int cores = 0;
  int threads = 0;  // that "all cores" uses
  std::string gpu;  // empty where none takes part
  std::string driver;
  std::string cuda;
  std::string nvrtc;
  std::string gnp;
  std::string eigen;
  std::string compiler;
  std::string target;  // the instruction set that the program is compiled for
  std::string date;

  /// Name and value of all that is known, in this order.
  std::vector<std::pair<std::string, std::string>> lines() const;
  /// "AMD EPYC 9654 (96 cores)" or, with a GPU, "… and NVIDIA H200"
  std::string in_short() const;
};

/// `gpu_ordinal` is -1 where no GPU takes part.
machine describe_machine(int threads, int gpu_ordinal);

/// Why this processor cannot run what the program was compiled for; empty where it can.
std::string wrong_processor();

/// What the column "Eigen, all cores" means in this program.
std::string eigen_all_means(int threads);

}  // namespace bench
