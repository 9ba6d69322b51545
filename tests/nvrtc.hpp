// SPDX-License-Identifier: MIT
// Compiles kernel texts for every architecture, which takes NVRTC but no GPU.
#pragma once

#include <gnp/cuda/nvrtc.hpp>

#include "catch.hpp"

#if GNP_HAS_CUDA

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

const std::vector<int> all_architectures = {75, 80, 86, 90, 100, 120};

bool nvrtc_is_missing() {
  try {
    gnp::detail::nvrtc();
    return false;
  } catch (const gnp::device_error&) {
    std::puts("skipped: no NVRTC");
    return true;
  }
}

struct kernel {
  std::string name;
  gnp::detail::device_program program;
};

inline bool has(const kernel& k, const char* text) { return k.program.source.find(text) != std::string::npos; }

/// Does a kernel wait for the one before it, as `launch` wants, before it touches anything? Those that are
/// launched otherwise have no such function, and those that are only compiled another name.
bool waits_first(const std::string& source) {
  const std::size_t body = source.find("gnp_kernel(");
  if (body == std::string::npos || source.find("void wait_for_results()") == std::string::npos) return true;
  const std::string begin = source.substr(source.find("{\n", body) + 2);
  return begin.rfind("  wait_for_results();\n", 0) == 0 ||
         begin.rfind("  using namespace gnp::scalar;\n  wait_for_results();\n", 0) == 0;
}

/// What NVRTC says against a kernel, with the conditions of this architecture, when it is only to read it: an
/// eighth of the time that machine code takes. Templates and the operands of assembly are looked at, too.
std::string refusal_on_reading(const gnp::detail::device_program& kernel, int architecture) {
  const gnp::detail::nvrtc_api& api = gnp::detail::nvrtc();
  std::vector<std::string> options = gnp::detail::compile_options(kernel, architecture);
  for (std::string& option : options) {
    if (const std::size_t at = option.find("=sm_"); at != std::string::npos) option.replace(at, 4, "=compute_");
  }
  options.emplace_back("-fdevice-syntax-only");
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());
  const auto run = [&](std::size_t count, std::string& log) {
    nvrtcProgram program = nullptr;
    if (api.nvrtcCreateProgram(&program, kernel.source.c_str(), "gnp_kernel.cu", 0, nullptr, nullptr) !=
        NVRTC_SUCCESS)
      return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    const nvrtcResult result = api.nvrtcCompileProgram(program, static_cast<int>(count), arguments.data());
    if (result != NVRTC_SUCCESS) {
      std::size_t size = 0;
      api.nvrtcGetProgramLogSize(program, &size);
      log.assign(size, ' ');
      api.nvrtcGetProgramLog(program, log.data());
      log += "\n" + kernel.source;
    }
    api.nvrtcDestroyProgram(&program);
    return result;
  };
  std::string log;
  nvrtcResult result = run(arguments.size(), log);
  // An NVRTC that does not know the option goes on to the intermediate code.
  if (result == NVRTC_ERROR_INVALID_OPTION) result = run(arguments.size() - 1, log);
  return result == NVRTC_SUCCESS ? "" : "refused: " + log;
}

/// For machine code that is only made to see that it can be. The compiler and the assembler refuse the same,
/// and with less to optimise they take half of the time. Older NVRTCs know fewer of the options, or none.
const std::vector<std::string>& in_less_time() {
  static const std::vector<std::string> options = [] {
    const std::vector<std::vector<std::string>> lists = {{"--Ofast-compile=mid", "--ptxas-options=-O1"},
                                                         {"--Ofast-compile=mid"}};
    for (const std::vector<std::string>& quick : lists) {
      try {
        gnp::detail::device_program empty("extern \"C\" __global__ void gnp_kernel() {}");
        empty.options = quick;
        gnp::detail::compile_kernel(empty, all_architectures.back());
        return quick;
      } catch (const gnp::compile_error&) {
      }
    }
    return std::vector<std::string>();
  }();
  return options;
}

/// What NVRTC says against a kernel when it makes machine code of it.
std::string refusal_of_code(gnp::detail::device_program kernel, int architecture) {
  kernel.options.insert(kernel.options.end(), in_less_time().begin(), in_less_time().end());
  return gnp::detail::compile_kernel(kernel, architecture).empty() ? "no code" : "";
}

struct compilation {
  const kernel* what;
  int architecture;
  bool to_code;
};

/// Each kernel for each architecture, for one of them in turn down to machine code. Of many kernels, each is
/// read for the first and two others in turn: what differs between architectures is in functions that they
/// share.
std::vector<compilation> compilations(const std::vector<kernel>& kernels,
                                      const std::vector<int>& architectures) {
  std::vector<compilation> all;
  const std::size_t count = architectures.size();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::vector<std::size_t> chosen;
    if (count > 3 && kernels.size() >= count) {
      const std::size_t others = count - 1;
      chosen = {0, 1 + k % others, 1 + (k + others / 2) % others};
    } else {
      for (std::size_t i = 0; i < count; ++i) chosen.push_back(i);
    }
    for (std::size_t i = 0; i < chosen.size(); ++i)
      all.push_back({&kernels[k], architectures[chosen[i]], i == k % chosen.size()});
  }
  return all;
}

/// Compiles on all cores; returns what was refused.
std::vector<std::string> refused(const std::vector<compilation>& all) {
  std::atomic<std::size_t> next{0};
  std::mutex lock;
  std::vector<std::string> failures;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < all.size(); i = next++) {
        const auto& [k, architecture, to_code] = all[i];
        std::string failure;
        try {
          failure = to_code ? refusal_of_code(k->program, architecture)
                            : refusal_on_reading(k->program, architecture).substr(0, 20000);
          if (!waits_first(k->program.source)) failure = "does not begin with wait_for_results()";
        } catch (const gnp::error& e) {
          failure = std::string(e.what()).substr(0, 20000);
        }
        if (failure.empty()) continue;
        const std::lock_guard guard(lock);
        failures.push_back(k->name + " for sm_" + std::to_string(architecture) + ": " + failure);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failures;
}

void check_all(const std::vector<kernel>& kernels, const std::vector<int>& architectures = all_architectures) {
  const std::vector<compilation> all = compilations(kernels, architectures);
  const std::vector<std::string> failures = refused(all);
  for (std::size_t i = 0; i < std::min<std::size_t>(failures.size(), 3); ++i) UNSCOPED_INFO(failures[i]);
  CHECK(failures.empty());
  std::printf("%zu kernels: %zu compilations for %zu architectures\n", kernels.size(), all.size(),
              architectures.size());
}

}  // namespace

#endif
