// SPDX-License-Identifier: MIT
// The program of raw kernels, and its kernels on a GPU.
#pragma once

#include <algorithm>
#include <gnp/kernel/raw_kernel.hpp>
#include <memory>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

struct raw_program {
  std::string source;
  std::vector<std::string> options;
  std::vector<std::string> names;
#if GNP_HAS_CUDA
  std::vector<loaded_kernel> kernels;

  raw_program(std::string text, std::vector<std::string> more, std::vector<std::string> kernel_names)
      : source(std::move(text)),
        options(std::move(more)),
        names(std::move(kernel_names)),
        kernels(names.size()) {}
  device_program program() const { return {source, names, options}; }
#else
  raw_program(std::string text, std::vector<std::string> more, std::vector<std::string> kernel_names)
      : source(std::move(text)), options(std::move(more)), names(std::move(kernel_names)) {}
#endif
};

GNP_INLINE std::shared_ptr<raw_program> make_raw_program(std::string source, std::vector<std::string> options,
                                                         std::vector<std::string> names) {
  return std::make_shared<raw_program>(std::move(source), std::move(options), std::move(names));
}

[[noreturn]] GNP_INLINE void throw_no_raw_kernels(const char* name) {
  throw device_error(std::string(name) + ": a raw kernel runs on a GPU only; GNP_KERNEL runs on the CPU, too");
}

}  // namespace detail

GNP_INLINE const std::string& raw_kernel::name() const { return program_->names[which_]; }

GNP_INLINE kernel_attributes raw_kernel::attributes() const {
  if (default_device().is_cpu()) detail::throw_no_raw_kernels(name().c_str());
  kernel_attributes found;
#if GNP_HAS_CUDA
  const detail::submission work(default_device());
  const CUfunction function = loaded(work.device()).function;
  const auto ask = [function](int& value, CUfunction_attribute what) {
    GNP_CUDA_CALL(cuFuncGetAttribute, &value, what, function);
  };
  ask(found.registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
  ask(found.shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  ask(found.local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  ask(found.constant_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  ask(found.most_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  ask(found.most_dynamic_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
#endif
  return found;
}

GNP_INLINE std::string raw_kernel::with_arguments(std::string name, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) name += (i == 0 ? "<" : ", ") + arguments[i];
  return arguments.empty() ? name : name + ">";
}

#if GNP_HAS_CUDA

GNP_INLINE detail::loaded_kernel::on_gpu raw_kernel::loaded(const detail::gpu& device) const {
  return program_->kernels[which_].on(device, [this] { return program_->program(); }, which_);
}

#endif

GNP_INLINE raw_kernel raw_module::kernel(const std::string& name) const {
  const auto& names = program_->names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw error(std::string("raw_module: ") + name + " is not among the .kernels that it was made with");
  return raw_kernel(program_, static_cast<std::size_t>(found - names.begin()));
}

GNP_INLINE void raw_module::set_bytes(const std::string& name, const void* values, std::size_t bytes) const {
  if (default_device().is_cpu()) detail::throw_no_raw_kernels("raw_module");
#if GNP_HAS_CUDA
  const detail::submission work(default_device());
  CUdeviceptr address = 0;
  std::size_t size = 0;
  GNP_CUDA_CALL(cuModuleGetGlobal, &address, &size,
                detail::load_program(work.device(), program_->program()).module, name.c_str());
  if (bytes > size) {
    throw shape_error(std::string("raw_module: ") + std::to_string(bytes) + " bytes for " + name +
                      ", which has " + std::to_string(size));
  }
  detail::host_to_gpu(work.stream(), reinterpret_cast<void*>(address), values, bytes);
#else
  static_cast<void>(name);
  static_cast<void>(values);
  static_cast<void>(bytes);
#endif
}

}}  // namespace gnp::GNP_ABI
