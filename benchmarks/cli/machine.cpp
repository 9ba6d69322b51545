// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <Eigen/Core>
#include <ctime>
#include <fstream>
#include <gnp/core.hpp>
#include <gnp/cuda/nvrtc.hpp>

#include "case.hpp"

namespace bench {
namespace {

/// What follows `key` and a colon in a file of such lines.
std::string line_of(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "";
}

#if GNP_HAS_CUDA

/// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build": the word with dots.
std::string kernel_driver_version() {
  const std::string line = line_of("/proc/driver/nvidia/version", "NVRM version");
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string word = line.substr(at, end - at);
    if (!word.empty() && word.find_first_not_of("0123456789.") == std::string::npos) return word;
    at = end + 1;
  }
  return "unknown";
}

std::string dotted(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

#endif

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string compiler_name() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2 and FMA";
#elif defined(__x86_64__)
  return "SSE2";
#else
  return "the compiler's default";
#endif
}

}  // namespace

std::vector<std::pair<std::string, std::string>> machine::lines() const {
  const std::vector<std::pair<std::string, std::string>> all{
      {"cpu", cpu + " (" + std::to_string(cores) + (cores == 1 ? " core)" : " cores)")},
      {"threads", std::to_string(threads)},
      {"gpu", gpu},
      {"driver", driver},
      {"CUDA of the driver", cuda},
      {"NVRTC", nvrtc},
      {"gnp", gnp},
      {"Eigen", eigen},
      {"compiler", compiler},
      {"compiled for", target},
      {"date", date}};
  std::vector<std::pair<std::string, std::string>> known;
  for (const auto& line : all) {
    if (!line.second.empty()) known.push_back(line);
  }
  return known;
}

std::string machine::in_short() const {
  const std::string processor = cpu + " (" + std::to_string(cores) + (cores == 1 ? " core)" : " cores)");
  return gpu.empty() ? processor : processor + " and " + gpu;
}

machine describe_machine(int threads, [[maybe_unused]] int gpu_ordinal) {
  machine m;
  m.cpu = line_of("/proc/cpuinfo", "model name");
  if (m.cpu.empty()) m.cpu = "unknown processor";
  m.cores = gnp::detail::threads_from_environment();
  m.threads = threads;
#if GNP_HAS_CUDA
  if (gpu_ordinal >= 0) {
    m.gpu = gnp::detail::activate(gpu_ordinal).name;
    m.driver = kernel_driver_version();
    int version = 0;
    GNP_CUDA_CALL(cuDriverGetVersion, &version);
    m.cuda = dotted(version);
    m.nvrtc = dotted(gnp::detail::nvrtc().version);
  }
#endif
  m.gnp = GNP_VERSION;
  m.eigen = std::to_string(EIGEN_WORLD_VERSION) + '.' + std::to_string(EIGEN_MAJOR_VERSION) + '.' +
            std::to_string(EIGEN_MINOR_VERSION);
  m.compiler = compiler_name();
  m.target = instruction_set();
  m.date = now();
  return m;
}

std::string wrong_processor() {
#if defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return "this program was compiled for processors with AVX2 and FMA; configure with -DGNP_BENCH_ARCH=x86-64";
#endif
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f"))
    return "this program was compiled for processors with AVX-512; configure with -DGNP_BENCH_ARCH=x86-64-v3";
#endif
  return "";
}

std::string eigen_all_means(int threads) {
  if (!eigen_uses_threads()) return "Eigen on all cores: none, this program was compiled without OpenMP.";
  return "Eigen on all cores: " + std::to_string(threads) +
         " OpenMP threads, used in products of matrices and what is built on them; else a dash.";
}

}  // namespace bench
