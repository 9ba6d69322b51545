// SPDX-License-Identifier: MIT
// The text of show_config: what gnp is and what it found, line by line.
#pragma once

#include <gnp/cpu/lapack_library.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/cuda/cache.hpp>
#include <gnp/cuda/context.hpp>
#include <gnp/cuda/nvrtc.hpp>
#include <gnp/memory/device.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

GNP_INLINE std::string config_text() {
  std::string text("gnp " GNP_VERSION "\n");
  const auto line = [&text](const char* what, const std::string& value) {
    text += what;
    text += value;
    text += '\n';
  };
  line("CUDA headers:   ", GNP_HAS_CUDA ? "yes" : "no: compiled for the CPU device only");
#if GNP_HAS_CUDA
  if (const std::string& why = detail::driver().unusable; !why.empty()) {
    line("CUDA driver:    ", why);
  } else {
    int version = 0;
    detail::driver().cuDriverGetVersion(&version);
    line("CUDA driver:    ", detail::driver().library.path + ", for CUDA " + std::to_string(version / 1000) +
                                 "." + std::to_string(version % 1000 / 10));
    for (int i = 0; i < detail::driver().device_count; ++i) {
      const detail::gpu& device = detail::activate(i);
      line("GPU:            ", to_string(device::cuda(i)) + ": " + device.name + ", compute capability " +
                                   std::to_string(device.arch / 10) + "." + std::to_string(device.arch % 10));
    }
    try {
      const detail::nvrtc_api& compiler = detail::nvrtc();
      line("NVRTC:          ", compiler.library.path + ", " + std::to_string(compiler.version / 1000) + "." +
                                   std::to_string(compiler.version % 1000 / 10));
    } catch (const device_error& refusal) {
      line("NVRTC:          ", refusal.what());
    }
    line("kernel cache:   ", detail::cache_folder());
  }
#endif
  try {
    line("default device: ", to_string(default_device()));
  } catch (const device_error& refusal) {
    line("default device: ", refusal.what());
  }
  line("CPU threads:    ", std::to_string(get_num_threads()));
  line("LAPACK:         ", detail::describe_lapack());
  return text;
}

}}  // namespace gnp::GNP_ABI
