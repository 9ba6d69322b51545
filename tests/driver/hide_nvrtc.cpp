// SPDX-License-Identifier: MIT
// Preloaded, it makes NVRTC disappear: a machine with a driver and without the toolkit.
#include <dlfcn.h>

#include <cstring>

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* name, int flags) noexcept {
  if (name != nullptr && std::strstr(name, "libnvrtc") != nullptr) return nullptr;
  static const auto next = reinterpret_cast<void* (*)(const char*, int)>(::dlsym(RTLD_NEXT, "dlopen"));
  return next(name, flags);
}
