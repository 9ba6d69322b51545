// SPDX-License-Identifier: MIT
// Where arrays are: gnp::device, the default device, and use_device for a scope.
#pragma once

#include <atomic>
#include <cstdlib>
#include <gnp/core/error.hpp>
#include <gnp/cuda/driver.hpp>
#include <optional>
#include <string>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

[[noreturn, gnu::cold]] GNP_INLINE void throw_no_such_gpu(int ordinal) {
  throw device_error(std::string("cuda:") + std::to_string(ordinal) + ": GPUs are counted from 0");
}

}  // namespace detail

/// The CPU, or one of the GPUs.
class device {
 public:
  static constexpr device cpu() { return device(-1); }
  static constexpr device cuda(int ordinal = 0) {
    if (ordinal < 0) detail::throw_no_such_gpu(ordinal);
    return device(ordinal);
  }

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
GNP_DECLARED std::string to_string(device d);

namespace detail {

/// Why CUDA cannot be used here; empty if it can.
GNP_DECLARED std::string cuda_unusable();

GNP_DECLARED int cuda_device_count();

/// Throws if the device does not exist.
GNP_DECLARED device require(device d);

GNP_VISIBLE inline thread_local std::optional<device> scoped_device;
/// If this process is one of several that share a machine's GPUs (distributed), the number of its default GPU,
/// for all threads; otherwise -1.
GNP_VISIBLE inline constinit std::atomic<int> gpu_of_process{-1};

}  // namespace detail

/// Is there a GPU, and a driver for it?
inline bool cuda_available() { return detail::cuda_device_count() > 0; }

/// Where new arrays go: the device of this thread's innermost use_device; otherwise that of GNP_DEVICE;
/// otherwise cuda(0), if there is a GPU, and the CPU if not. If several processes run on one machine, each has
/// its own GPU instead of cuda(0) (distributed::world()).
GNP_DECLARED device default_device();

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

#ifdef GNP_READS_BODIES
#include <gnp/memory/find_device.hpp>
#endif
