// SPDX-License-Identifier: MIT
// Where arrays live: gnp::device, the default one, and use_device for a scope.
#pragma once

#include <atomic>
#include <cstdlib>
#include <gnp/core/error.hpp>
#include <gnp/cuda/driver.hpp>
#include <optional>
#include <string>

namespace gnp { inline namespace GNP_ABI {

/// The CPU, or one of the GPUs.
class device {
 public:
  static constexpr device cpu() { return device(-1); }
  static constexpr device cuda(int ordinal = 0) { return device(ordinal); }

  constexpr bool is_cpu() const { return ordinal_ < 0; }
  constexpr bool is_cuda() const { return ordinal_ >= 0; }
  /// Which GPU, counted from 0; -1 for the CPU.
  constexpr int ordinal() const { return ordinal_; }

  friend constexpr bool operator==(device a, device b) { return a.ordinal_ == b.ordinal_; }

 private:
  constexpr explicit device(int ordinal) : ordinal_(ordinal) {}
  int ordinal_;
};

/// "cpu" or "cuda:0".
GNP_INLINE std::string to_string(device d) {
  return d.is_cpu() ? "cpu" : std::string("cuda:") + std::to_string(d.ordinal());
}

namespace detail {

/// Why CUDA cannot be used here; empty where it can.
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

/// Throws where the device is not there.
GNP_INLINE device require(device d) {
  if (d.is_cpu()) return d;
  if (const std::string why = cuda_unusable(); !why.empty()) throw device_error(to_string(d) + ": " + why);
  if (d.ordinal() >= cuda_device_count()) {
    throw device_error(to_string(d) + ": there are " + std::to_string(cuda_device_count()) + " CUDA devices");
  }
  return d;
}

/// GNP_DEVICE decides, else the first GPU, else the CPU.
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

GNP_VISIBLE inline thread_local std::optional<device> scoped_device;
/// The default of all threads where this process is one of several that share a machine's GPUs (distributed):
/// the GPU's number, or -1 for none in particular.
GNP_VISIBLE inline constinit std::atomic<int> gpu_of_process{-1};

}  // namespace detail

/// Is there a GPU, and a driver for it?
inline bool cuda_available() { return detail::cuda_device_count() > 0; }

/// Where new arrays go: the innermost use_device of this thread, else GNP_DEVICE, else cuda(0), else the CPU.
/// Among several processes of a machine each has a GPU of its own instead of cuda(0) (distributed::world()).
GNP_INLINE device default_device() {
  if (detail::scoped_device) return *detail::scoped_device;
  if (const int own = detail::gpu_of_process.load(std::memory_order_relaxed); own >= 0)
    return device::cuda(own);
  static const device from_environment = detail::device_from_environment();
  return from_environment;
}

/// Makes a device the default for this thread until the end of the scope.
class use_device {
 public:
  explicit use_device(device d) : previous_(detail::scoped_device) {
    detail::scoped_device = detail::require(d);
  }
  ~use_device() { detail::scoped_device = previous_; }
  use_device(const use_device&) = delete;
  use_device& operator=(const use_device&) = delete;

 private:
  std::optional<device> previous_;
};

}}  // namespace gnp::GNP_ABI
