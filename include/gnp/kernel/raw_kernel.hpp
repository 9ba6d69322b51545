// SPDX-License-Identifier: MIT
// raw_module and raw_kernel: kernels from a text of CUDA C++, or from the output of a compiler.
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

/// The options of raw_module.
struct module_options {
  by_name only = by_name();
  std::vector<std::string> options = {};  // of the compiler: "-DN=4", "-I/some/folder"
  std::vector<std::string> kernels = {};  // their names: "fill", "scale<float, 4>"
};

/// The options of raw_kernel.
struct raw_kernel_options {
  by_name only = by_name();
  std::vector<std::string> options = {};             // of the compiler
  std::vector<std::string> template_arguments = {};  // "float", "4"
};

/// What the driver reports about a kernel on the default device.
struct kernel_attributes {
  int registers = 0;     // of a thread
  int shared_bytes = 0;  // of a block, in addition to what a launch requests
  int local_bytes = 0;   // of a thread, for what does not fit in registers
  int constant_bytes = 0;
  int most_threads = 0;         // that a block may have
  int most_dynamic_shared = 0;  // bytes of shared memory that a launch may request
};

namespace detail {

[[noreturn]] GNP_DECLARED void throw_no_raw_kernels(const char* name);

/// What is passed for an argument: for an array, the address of its memory; everything else as it is.
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
  /// (It is not known whether the kernel writes to an array, so the array counts as written.)
  kernel_array memory() const { return {view_of(array), is_array_v<A>}; }
  gnp::array<item> array;
  item* value;
};

/// A program and its kernels.
struct raw_program;
GNP_DECLARED std::shared_ptr<raw_program> make_raw_program(std::string source, std::vector<std::string> options,
                                                           std::vector<std::string> names);

}  // namespace detail

/// A kernel from a text of CUDA C++, raw_kernel(source, "name"), or likewise from PTX, a cubin or a fatbin. It
/// is called like a GNP_KERNEL, with a grid and then with arguments, but the arguments are not checked: arrays
/// are passed as pointers, and numbers with their own type.
class raw_kernel {
 public:
  raw_kernel(std::string source, std::string name, raw_kernel_options options = {})
      : raw_kernel(detail::make_raw_program(std::move(source), std::move(options.options),
                                            {with_arguments(std::move(name), options.template_arguments)}),
                   0) {}

  /// A launch, which is called with the kernel's arguments: kernel(grid(n))(x, y, n).
  class launch;
  launch operator()(const grid& g) const;
  template <class... Arguments>
    requires(!detail::is_one_grid<Arguments...>)
  launch operator()(const Arguments&...) const;

  GNP_DECLARED const std::string& name() const;

  /// Compiles the kernel for the default device if that is necessary.
  GNP_DECLARED kernel_attributes attributes() const;

 private:
  friend class raw_module;
  raw_kernel(std::shared_ptr<detail::raw_program> program, std::size_t which)
      : program_(std::move(program)), which_(which) {}

  GNP_DECLARED static std::string with_arguments(std::string name, const std::vector<std::string>& arguments);

#if GNP_HAS_CUDA
  GNP_DECLARED detail::loaded_kernel::on_gpu loaded(const detail::gpu& device) const;
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
    work.uses_anything();
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
template <class... Arguments>
  requires(!detail::is_one_grid<Arguments...>)
raw_kernel::launch raw_kernel::operator()(const Arguments&...) const {
  detail::refuse_call_without_grid<Arguments...>();
  return {*this, grid(0)};
}

/// Several kernels of one text, and its variables.
class raw_module {
 public:
  raw_module(std::string source, module_options options)
      : program_(detail::make_raw_program(std::move(source), std::move(options.options),
                                          std::move(options.kernels))) {}

  /// One of the kernels named in .kernels.
  GNP_DECLARED raw_kernel kernel(const std::string& name) const;

  /// Sets a __constant__ or __device__ variable, which must be extern "C", on the default device: an array of
  /// numbers or a single number.
  template <class Values>
  void set(const std::string& name, const Values& values) const {
    if constexpr (element<Values>) {
      set_bytes(name, &values, sizeof values);
    } else {
      set_bytes(name, std::data(values), std::size(values) * sizeof(*std::data(values)));
    }
  }

 private:
  GNP_DECLARED void set_bytes(const std::string& name, const void* values, std::size_t bytes) const;

  std::shared_ptr<detail::raw_program> program_;
};

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/kernel/raw_program.hpp>
#endif
