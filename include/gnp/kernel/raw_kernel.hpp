// SPDX-License-Identifier: MIT
// raw_module and raw_kernel: CUDA C++ as a text, or what a compiler has made of it, as kernels.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/kernel/grid.hpp>
#include <gnp/kernel/loaded_kernel.hpp>
#include <gnp/memory/staging.hpp>
#include <gnp/memory/watched_work.hpp>
#include <memory>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// raw_module.
struct module_options {
  by_name only = by_name();
  std::vector<std::string> options = {};  // of the compiler: "-DN=4", "-I/some/folder"
  std::vector<std::string> kernels = {};  // their names: "fill", "scale<float, 4>"
};

/// raw_kernel.
struct raw_kernel_options {
  by_name only = by_name();
  std::vector<std::string> options = {};             // of the compiler
  std::vector<std::string> template_arguments = {};  // "float", "4"
};

/// What the driver says of a kernel on the default device.
struct kernel_attributes {
  int registers = 0;     // of a thread
  int shared_bytes = 0;  // of a block, besides what a launch asks for
  int local_bytes = 0;   // of a thread, for what the registers do not hold
  int constant_bytes = 0;
  int most_threads = 0;         // that a block may have
  int most_dynamic_shared = 0;  // bytes of shared memory that a launch may ask for
};

namespace detail {

[[noreturn]] GNP_INLINE void throw_no_raw_kernels(const char* name) {
  throw device_error(std::string(name) + ": a raw kernel runs on a GPU only; GNP_KERNEL runs on the CPU, too");
}

/// What is passed for an argument: the address of an array's memory, and everything else as it is.
template <class A>
struct raw_argument {
  static_assert(std::is_trivially_copyable_v<A>,
                "gnp: a raw kernel takes arrays, pointers, numbers and structs of them");
  raw_argument(const A& given, const char*) : value(given) {}
  kernel_array memory() const { return {}; }
  A value;
};
template <array_like A>
struct raw_argument<A> {
  using item = typename A::value_type;
  raw_argument(const A& source, const char* kernel) : array(source), value(array.data()) {
    if (array.is_contiguous()) return;
    throw error(std::string(kernel) + ": an array of shape " + to_string(array.shape()) +
                " has gaps or another order than its shape, which a pointer cannot tell: pass x.copy(), or "
                "x.data() and the strides");
  }
  /// (Whether it writes to an array, nobody knows.)
  kernel_array memory() const { return {view_of(array), is_array_v<A>}; }
  gnp::array<item> array;
  item* value;
};

/// A program and its kernels.
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

}  // namespace detail

/// A kernel of CUDA C++ as a text: raw_kernel(source, "name"); of PTX, a cubin or a fatbin likewise. It is
/// called like a GNP_KERNEL, with a grid and then with arguments, but what they have to be nobody checks:
/// arrays are passed as pointers, numbers as what they are.
class raw_kernel {
 public:
  raw_kernel(std::string source, std::string name, raw_kernel_options options = {})
      : raw_kernel(std::make_shared<detail::raw_program>(
                       std::move(source), std::move(options.options),
                       std::vector<std::string>{with_arguments(std::move(name), options.template_arguments)}),
                   0) {}

  /// A launch, which arguments are given to: kernel(grid(n))(x, y, n).
  class launch;
  launch operator()(const grid& g) const;

  const std::string& name() const { return program_->names[which_]; }

  /// Compiles the kernel for the default device, if need be.
  GNP_INLINE kernel_attributes attributes() const {
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

 private:
  friend class raw_module;
  raw_kernel(std::shared_ptr<detail::raw_program> program, std::size_t which)
      : program_(std::move(program)), which_(which) {}

  GNP_INLINE static std::string with_arguments(std::string name, const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) name += (i == 0 ? "<" : ", ") + arguments[i];
    return arguments.empty() ? name : name + ">";
  }

#if GNP_HAS_CUDA
  GNP_INLINE detail::loaded_kernel::on_gpu loaded(const detail::gpu& device) const {
    return program_->kernels[which_].on(device, [this] { return program_->program(); }, which_);
  }
#endif

  template <class... Argument>
  void run(const grid& g, const Argument&... arguments) const {
    const char* const kernel = name().c_str();
    const detail::kernel_array arrays[] = {arguments.memory()..., {}};
    const device where = detail::device_of(arrays, sizeof...(Argument), kernel);
    if (where.is_cpu()) detail::throw_no_raw_kernels(kernel);
    if (g.is_empty()) return;
    const detail::watched_work watched(where, [kernel] { return detail::work_facts{kernel}; });
#if GNP_HAS_CUDA
    const detail::submission work(where);
    const auto [function, block] = loaded(work.device());
    detail::use(work, arrays, sizeof...(Argument));
    work.launch(function, detail::shape_of(g, block, work.device(), kernel), arguments.value...);
#endif
  }

  std::shared_ptr<detail::raw_program> program_;
  std::size_t which_;
};

class raw_kernel::launch {
 public:
  launch(raw_kernel kernel, const grid& g) : kernel_(std::move(kernel)), grid_(g) {}
  template <class... A>
  void operator()(const A&... arguments) const {
    kernel_.run(grid_, detail::raw_argument<A>(arguments, kernel_.name().c_str())...);
  }

 private:
  raw_kernel kernel_;
  grid grid_;
};

inline raw_kernel::launch raw_kernel::operator()(const grid& g) const { return {*this, g}; }

/// Several kernels of one text, and its variables.
class raw_module {
 public:
  raw_module(std::string source, module_options options)
      : program_(std::make_shared<detail::raw_program>(std::move(source), std::move(options.options),
                                                       std::move(options.kernels))) {}

  /// One of .kernels, by its name there.
  GNP_INLINE raw_kernel kernel(const std::string& name) const {
    const auto& names = program_->names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw error(std::string("raw_module: ") + name + " is not among the .kernels that it was made with");
    return raw_kernel(program_, static_cast<std::size_t>(found - names.begin()));
  }

  /// Sets a __constant__ or __device__ variable, which must be extern "C", on the default device: an array of
  /// these numbers, or one.
  template <class Values>
  void set(const std::string& name, const Values& values) const {
    if constexpr (element<Values>) {
      set_bytes(name, &values, sizeof values);
    } else {
      set_bytes(name, std::data(values), std::size(values) * sizeof(*std::data(values)));
    }
  }

 private:
  GNP_INLINE void set_bytes(const std::string& name, const void* values, std::size_t bytes) const {
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

  std::shared_ptr<detail::raw_program> program_;
};

}}  // namespace gnp::GNP_ABI
