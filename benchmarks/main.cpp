// SPDX-License-Identifier: MIT
// gnp_benchmarks: what gnp costs, a case for each row of benchmarks/README.md.
#include <benchmark/benchmark.h>

#include <cstring>
#include <gnp/gnp.hpp>

// Registered in this order rather than by static initialisers, whose order across files is the linker's:
// first calls before this process holds the GPU, then the copy that every bandwidth row is compared with.
void register_first_call_benchmarks(bool quick);
void register_gpu_benchmarks(bool quick);
void register_stencil_benchmarks(bool quick);
void register_graph_benchmarks(bool quick);
void register_random_benchmarks(bool quick);
void register_cpu_benchmarks(bool quick);
void register_cpu_linalg_benchmarks(bool quick);
void register_reduce_benchmarks(bool quick);
void register_matmul_benchmarks(bool quick);
void register_fft_benchmarks(bool quick);
void register_linalg_benchmarks(bool quick);
void register_sort_benchmarks(bool quick);
void register_statistics_benchmarks(bool quick);
void register_stream_benchmarks(bool quick);
void register_tutorial_benchmarks(bool quick);
int first_call_child();
int linalg_turns();
void count_failure();

namespace {

int failures = 0;

// Takes our own flag out of argv, so that Google Benchmark complains only about real mistakes.
bool take_flag(int& argc, char** argv, const char* flag) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], flag) != 0) continue;
    std::memmove(argv + i, argv + i + 1, static_cast<std::size_t>(argc - i) * sizeof(char*));
    --argc;
    return true;
  }
  return false;
}

}  // namespace

// A case that failed, or whose answer was wrong, makes the whole program's status 1. A skipped one does not.
void count_failure() { ++failures; }

int main(int argc, char** argv) {
  if (take_flag(argc, argv, "--first-call-child")) return first_call_child();
  const bool quick = take_flag(argc, argv, "--quick");
  if (take_flag(argc, argv, "--turns")) {
    register_linalg_benchmarks(false);
    return linalg_turns();
  }
  benchmark::AddCustomContext("gnp_version", GNP_VERSION);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // In the order of peers.py's workers: what comes before a case tells how warm the GPU is.
  register_first_call_benchmarks(quick);
  register_gpu_benchmarks(quick);
  register_stencil_benchmarks(quick);
  register_graph_benchmarks(quick);
  register_random_benchmarks(quick);
  register_cpu_benchmarks(quick);
  register_reduce_benchmarks(quick);
  register_tutorial_benchmarks(quick);
  register_sort_benchmarks(quick);
  register_statistics_benchmarks(quick);
  register_matmul_benchmarks(quick);
  register_fft_benchmarks(quick);
  register_cpu_linalg_benchmarks(quick);
  register_linalg_benchmarks(quick);
  register_stream_benchmarks(quick);  // last, so that nothing is timed after streams came and went
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return failures == 0 ? 0 : 1;
}
