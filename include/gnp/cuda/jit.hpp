// SPDX-License-Identifier: MIT
// From kernel source to a function on a GPU: memory first, then disk, then the compiler.
#pragma once

#include <gnp/cuda/cache.hpp>
#include <gnp/cuda/context.hpp>
#include <gnp/cuda/nvrtc.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Everything a compiled kernel depends on, as one text.
[[gnu::cold]] GNP_INLINE std::string kernel_recipe(const device_program& program, int arch) {
  std::string recipe = std::string("nvrtc ") + std::to_string(nvrtc().version);
  for (const std::string& option : compile_options(program, arch)) recipe += std::string(" ") + option;
  return recipe + "\n" + program.function + "\n" + program.source;
}

GNP_INLINE CUfunction load_image(const std::string& image, const char* name, CUresult& result) {
  CUmodule module = nullptr;  // stays loaded: kernels are used until the process ends
  CUfunction function = nullptr;
  result = driver().cuModuleLoadData(&module, image.c_str());
  if (result == CUDA_SUCCESS) result = driver().cuModuleGetFunction(&function, module, name);
  return function;
}

/// The kernel made from `program` for this GPU, whose context is current. Threads that ask for the same kernel
/// wait for one compilation; threads that ask for others do not.
[[gnu::cold]] GNP_INLINE CUfunction load_kernel(const gpu& device, const device_program& program) {
  struct entry {
    int ordinal;
    device_program program;
    std::mutex building;
    CUfunction function = nullptr;
    entry* next;
  };
  static std::mutex& lock_entries = *new std::mutex;
  static entry* first = nullptr;  // a list: this is where compiling starts, which takes a thousand times longer

  entry* kernel = nullptr;
  {
    const std::lock_guard lock(lock_entries);
    for (entry* e = first; e != nullptr && kernel == nullptr; e = e->next) {
      if (e->ordinal == device.ordinal && e->program == program) kernel = e;
    }
    if (kernel == nullptr) first = kernel = new entry{device.ordinal, program, {}, nullptr, first};
  }
  const std::lock_guard lock(kernel->building);
  if (kernel->function != nullptr) return kernel->function;

  const std::string recipe = kernel_recipe(program, device.arch);
  const disk_cache cache(cache_folder());
  CUresult result = CUDA_SUCCESS;
  if (const std::string image = cache.read(recipe); !image.empty()) {
    kernel->function = load_image(image, program.function.c_str(), result);
    if (result == CUDA_SUCCESS) return kernel->function;
  }
  const std::string image = compile_kernel(program, device.arch);
  kernel->function = load_image(image, program.function.c_str(), result);
  check_cuda(result, "cuModuleLoadData");
  cache.write(recipe, image);
  return kernel->function;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
