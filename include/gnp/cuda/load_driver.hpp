// SPDX-License-Identifier: MIT
// Opens the CUDA driver, and gives names to its errors.
#pragma once

#include <pthread.h>

#include <gnp/cuda/driver.hpp>
#include <gnp/cuda/library.hpp>

#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE driver_api load_driver() {
  driver_api api;
  // Only by its versioned name, because plain libcuda.so may be the toolkit's stub, which does nothing.
  api.library = open_library({"libcuda.so.1"});
  if (!api.library) {
    api.unusable =
        std::string("no NVIDIA driver: libcuda.so.1 was not found; looked at") + api.library.where_it_looked();
    return api;
  }
  try {
#define GNP_LOAD(function) load_symbol(api.library, GNP_STRINGIZE(function), api.function);
    GNP_DRIVER_FUNCTIONS(GNP_LOAD)
#undef GNP_LOAD
  } catch (const device_error& e) {
    api.unusable = e.what();
    api.broken = true;
    return api;
  }
  ::pthread_atfork(nullptr, nullptr, [] { forked_from_driver.store(true, std::memory_order_relaxed); });
  if (const CUresult result = api.cuInit(0); result != CUDA_SUCCESS) {
    const char* text = nullptr;
    api.cuGetErrorString(result, &text);
    api.unusable = std::string("cuInit failed: ") + (text == nullptr ? "unknown error" : text);
    api.broken = result != CUDA_ERROR_NO_DEVICE && result != CUDA_ERROR_STUB_LIBRARY;
    return api;
  }
  api.cuDeviceGetCount(&api.device_count);
  if (api.device_count == 0) api.unusable = "the NVIDIA driver reports no device";
  return api;
}

GNP_INLINE const driver_api& driver() {
  static const driver_api& api = *new driver_api(load_driver());  // outlives every array, including global ones
  return api;
}

[[noreturn]] GNP_INLINE void throw_cuda(CUresult result, const char* call) {
  const char* error_name = nullptr;
  const char* text = nullptr;
  driver().cuGetErrorName(result, &error_name);
  driver().cuGetErrorString(result, &text);
  throw device_error(std::string(call) + ": " + (error_name == nullptr ? "unknown error" : error_name) + ": " +
                     (text == nullptr ? "" : text));
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
