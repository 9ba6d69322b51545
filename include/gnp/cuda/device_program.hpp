// SPDX-License-Identifier: MIT
// device_program: kernels as source text, and the same kernels loaded on a GPU.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/context.hpp>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is compiled: a text with one or more kernels, their names in the text, and options in addition to those
/// of all programs. A name may be that of an instance of a template:
/// "scale<float, 4>".
struct device_program {
  device_program(std::string text)
      : source(std::move(text)), names{"gnp_kernel"}, options(generated_options()) {}
  device_program(std::string text, std::vector<std::string> kernels, std::vector<std::string> more)
      : source(std::move(text)), names(std::move(kernels)), options(std::move(more)), by_user(true) {}

  std::string source;
  std::vector<std::string> names;
  std::vector<std::string> options;
  bool by_user = false;
  GNP_DECLARED bool is(const device_program& other) const;

 private:
  /// Options for the kernels that gnp writes. Multiplications and additions of different operations are not
  /// fused: results then have the same bits as NumPy's wherever NumPy's are exact, and elementwise work waits
  /// for memory anyway. Textures and the CUDA runtime's types, which no such kernel uses, are left out, which
  /// reduces compile time by a tenth.
  [[gnu::cold]] GNP_DECLARED static std::vector<std::string> generated_options();
};

/// A program that is loaded on a GPU until the process ends, and the names of its kernels there.
struct loaded_program {
  CUmodule module = nullptr;
  std::vector<std::string> names;

  CUfunction function(std::size_t number) const {
    CUfunction found = nullptr;
    GNP_CUDA_CALL(cuModuleGetFunction, &found, module, names[number].c_str());
    return found;
  }
};

/// The program on this GPU, whose context is current. Threads that ask for the same one wait for one
/// compilation; threads that ask for others do not.
[[gnu::cold]] GNP_DECLARED const loaded_program& load_program(const gpu& device, const device_program& program);
/// The kernel of a program with a single kernel.
[[gnu::cold]] GNP_DECLARED CUfunction load_kernel(const gpu& device, const device_program& program);

}}}  // namespace gnp::GNP_ABI::detail

#endif
