// SPDX-License-Identifier: MIT
// NVRTC: CUDA C++ source in, machine code out. Opened on the first compilation; it works without a GPU.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <nvrtc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gnp/cuda/device_program.hpp>
#include <gnp/cuda/library.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#define GNP_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion)              \
  X(nvrtcGetErrorString)       \
  X(nvrtcGetNumSupportedArchs) \
  X(nvrtcGetSupportedArchs)    \
  X(nvrtcCreateProgram)        \
  X(nvrtcAddNameExpression)    \
  X(nvrtcGetLoweredName)       \
  X(nvrtcCompileProgram)       \
  X(nvrtcDestroyProgram)       \
  X(nvrtcGetProgramLogSize)    \
  X(nvrtcGetProgramLog)        \
  X(nvrtcGetCUBINSize)         \
  X(nvrtcGetCUBIN)             \
  X(nvrtcGetPTXSize)           \
  X(nvrtcGetPTX)

struct nvrtc_api {
#define GNP_DECLARE(function) decltype(&::function) function = nullptr;
  GNP_NVRTC_FUNCTIONS(GNP_DECLARE)
#undef GNP_DECLARE
  shared_library library;
  int version = 0;         // 13000 for 13.0
  std::vector<int> archs;  // the architectures that it can generate code for, in ascending order
};

[[gnu::cold]] GNP_INLINE nvrtc_api load_nvrtc() {
  nvrtc_api api;
  api.library = open_library({"libnvrtc.so.13", "libnvrtc.so.12"});
  if (!api.library) {
    throw device_error(
        "NVRTC, which compiles gnp's kernels, was not found. Install the CUDA 12 or 13 toolkit or the package "
        "nvidia-cuda-nvrtc, or set CUDA_HOME. Looked at" +
        api.library.where_it_looked());
  }
#define GNP_LOAD(function) load_symbol(api.library, GNP_STRINGIZE(function), api.function);
  GNP_NVRTC_FUNCTIONS(GNP_LOAD)
#undef GNP_LOAD
  int major = 0;
  int minor = 0;
  api.nvrtcVersion(&major, &minor);
  api.version = major * 1000 + minor * 10;
  int count = 0;
  api.nvrtcGetNumSupportedArchs(&count);
  api.archs.resize(static_cast<std::size_t>(count));
  api.nvrtcGetSupportedArchs(api.archs.data());
  return api;
}

GNP_INLINE const nvrtc_api& nvrtc() {
  static const nvrtc_api& api = *new nvrtc_api(load_nvrtc());
  return api;
}

[[gnu::cold]] GNP_INLINE std::vector<std::string> device_program::generated_options() {
  std::vector<std::string> options = {"--fmad=false"};
  if (nvrtc().version >= 12040) options.emplace_back("--minimal");
  return options;
}

/// The newest architecture that the compiler knows and that is not newer than this one. (It may know newer ones
/// without knowing this one.)
[[gnu::cold]] GNP_INLINE int compiled_arch(const nvrtc_api& api, int arch) {
  int newest = arch;  // if all are newer, the compiler reports that it does not know this one
  for (const int known : api.archs) {
    if (known <= arch) newest = known;
  }
  return newest;
}

/// The options that a kernel is compiled with.
[[gnu::cold]] GNP_INLINE std::vector<std::string> compile_options(const device_program& program, int arch) {
  // For a GPU that the compiler does not know, the code is PTX for an older one, which the driver translates.
  const int target = compiled_arch(nvrtc(), arch);
  std::vector<std::string> options = {
      (target == arch ? "--gpu-architecture=sm_" : "--gpu-architecture=compute_") + std::to_string(target),
      "--std=c++20", "--device-as-default-execution-space"};
  options.insert(options.end(), program.options.begin(), program.options.end());
  return options;
}

/// Lets the C library keep the memory of a compilation for the next one. NVRTC allocates and frees some
/// megabytes in each. glibc returns them to the system until it has seen a larger block freed; until then a
/// tenth of a compilation's time is page faults.
[[gnu::cold]] GNP_INLINE void keep_compilers_memory() {
  static const bool once = [] {
    void* volatile block = std::malloc(std::size_t{16} << 20);  // never touched
    std::free(block);
    return true;
  }();
  static_cast<void>(once);
}

/// The text with line numbers, to which the compiler's messages refer.
[[gnu::cold]] GNP_INLINE std::string numbered_lines(const std::string& text) {
  std::string result;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = (std::min)(text.find('\n', begin), text.size());
    char number[16];
    std::snprintf(number, sizeof number, "%4d ", ++line);
    result += number;
    result.append(text, begin, end - begin);
    result += '\n';
    begin = end + 1;
  }
  return result;
}

struct compiled_program {
  std::string image;               // machine code, or PTX, which can be loaded in the same way
  std::vector<std::string> names;  // of the kernels, as the image has them
};

/// Compiles for one architecture; throws compile_error.
[[gnu::cold]] GNP_INLINE compiled_program compile_program(const device_program& kernel, int arch) {
  const nvrtc_api& api = nvrtc();
  keep_compilers_memory();
  nvrtcProgram program = nullptr;
  const auto check = [&api](nvrtcResult result, const char* call) {
    if (result != NVRTC_SUCCESS) throw device_error(std::string(call) + ": " + api.nvrtcGetErrorString(result));
  };
  const std::string file = (kernel.by_user ? std::string("kernel") : kernel.names.front()) + ".cu";
  check(api.nvrtcCreateProgram(&program, kernel.source.c_str(), file.c_str(), 0, nullptr, nullptr),
        "nvrtcCreateProgram");
  struct destroyer {
    const nvrtc_api& api;
    nvrtcProgram& program;
    ~destroyer() { api.nvrtcDestroyProgram(&program); }
  } destroy{api, program};

  // (The names of gnp's own kernels need no lookup: they stay as they are.)
  for (const std::string& name : kernel.names) {
    if (kernel.by_user) check(api.nvrtcAddNameExpression(program, name.c_str()), "nvrtcAddNameExpression");
  }
  const std::vector<std::string> options = compile_options(kernel, arch);
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());
  const nvrtcResult result =
      api.nvrtcCompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    api.nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    api.nvrtcGetProgramLog(program, log.data());
    throw compile_error(std::string("the device compiler refused a kernel (") +
                        std::string(api.nvrtcGetErrorString(result)) + ", " + options.front() + "):\n" +
                        log.c_str() + "\nThe source was:\n" +
                        (kernel.by_user ? numbered_lines(kernel.source) : kernel.source));
  }
  const bool machine_code = compiled_arch(api, arch) == arch;
  std::size_t size = 0;
  check(machine_code ? api.nvrtcGetCUBINSize(program, &size) : api.nvrtcGetPTXSize(program, &size),
        "nvrtcGetCUBINSize");
  std::string image(size, '\0');
  check(machine_code ? api.nvrtcGetCUBIN(program, image.data()) : api.nvrtcGetPTX(program, image.data()),
        "nvrtcGetCUBIN");
  compiled_program compiled{std::move(image), kernel.names};
  for (std::string& name : compiled.names) {
    const char* lowered = name.c_str();
    if (kernel.by_user) check(api.nvrtcGetLoweredName(program, lowered, &lowered), "nvrtcGetLoweredName");
    name = std::string(lowered);
  }
  return compiled;
}

[[gnu::cold]] GNP_INLINE std::string compile_kernel(const device_program& program, int arch) {
  return compile_program(program, arch).image;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
