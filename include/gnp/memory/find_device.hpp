// SPDX-License-Identifier: MIT
// Which devices there are, and the one that GNP_DEVICE names.
#pragma once

#include <cstdlib>
#include <gnp/memory/device.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_INLINE std::string to_string(device d) {
  return d.is_cpu() ? "cpu" : std::string("cuda:") + std::to_string(d.ordinal());
}
namespace detail {

GNP_INLINE std::string cuda_unusable() {
#if GNP_HAS_CUDA
  return driver().unusable;
#else
  return "gnp was compiled without the CUDA headers";
#endif
}

GNP_INLINE int cuda_device_count() {
#if GNP_HAS_CUDA
  return driver().unusable.empty() ? driver().device_count : 0;
#else
  return 0;
#endif
}

GNP_INLINE device require(device d) {
  if (d.is_cpu()) return d;
  if (const std::string why = cuda_unusable(); !why.empty()) throw device_error(to_string(d) + ": " + why);
  if (d.ordinal() >= cuda_device_count()) {
    throw device_error(to_string(d) + ": there are " + std::to_string(cuda_device_count()) + " CUDA devices");
  }
  return d;
}

/// The device that GNP_DEVICE names; otherwise the first GPU, if there is one, and the CPU if not.
[[gnu::cold]] GNP_INLINE device device_from_environment() {
  const char* variable = std::getenv("GNP_DEVICE");
  const std::string text = variable == nullptr ? "" : variable;
  if (text.empty()) {
#if GNP_HAS_CUDA
    if (driver().broken) {
      throw device_error(std::string("the NVIDIA driver does not work: ") + driver().unusable +
                         ". Set GNP_DEVICE=cpu to do without it");
    }
#endif
    return cuda_device_count() > 0 ? device::cuda(0) : device::cpu();
  }
  if (text == "cpu") return device::cpu();
  if (text == "cuda") return require(device::cuda(0));
  if (text.starts_with("cuda:") && text.size() > 5 && text.size() < 9 &&
      text.find_first_not_of("0123456789", 5) == std::string::npos) {
    return require(device::cuda(std::stoi(text.substr(5))));
  }
  throw device_error(std::string("GNP_DEVICE: expected cpu, cuda or cuda:N, got '") + text + "'");
}

}  // namespace detail

GNP_INLINE device default_device() {
  if (detail::scoped_device) return *detail::scoped_device;
  if (const int own = detail::gpu_of_process.load(std::memory_order_relaxed); own >= 0)
    return device::cuda(own);
  static const device from_environment = detail::device_from_environment();
  return from_environment;
}

}}  // namespace gnp::GNP_ABI
