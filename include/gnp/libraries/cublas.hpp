// SPDX-License-Identifier: MIT
// cuBLAS: opened on the first product on a GPU; a handle and a workspace for each stream.
#pragma once

#include <gnp/cuda/library.hpp>
#include <gnp/cuda/memory.hpp>
#include <gnp/libraries/cublas_functions.hpp>
#include <gnp/memory/watched_work.hpp>
#if GNP_HAS_CUDA

#include <gnp/libraries/calls.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct cublas_api {
  GNP_CUBLAS_FUNCTIONS(GNP_DECLARE_FUNCTION)
  GNP_CUBLAS_TYPED_FUNCTIONS(GNP_DECLARE_TYPED_FUNCTION)
  shared_library library;
};

[[gnu::cold]] GNP_INLINE cublas_api load_cublas() {
  cublas_api api;
  api.library = open_library({"libcublas.so.13", "libcublas.so.12"});
  if (!api.library) {
    throw device_error(
        "cuBLAS, which multiplies matrices on the GPU, was not found. Install the CUDA 12 or 13 toolkit or the "
        "package nvidia-cublas, or set CUDA_HOME. Looked at" +
        api.library.where_it_looked());
  }
  GNP_CUBLAS_FUNCTIONS(GNP_LOAD_FUNCTION)
  GNP_CUBLAS_TYPED_FUNCTIONS(GNP_LOAD_TYPED_FUNCTION)
  return api;
}

/// The library, loaded once.
GNP_INLINE const cublas_api& cublas() {
  static const cublas_api& api = *new cublas_api(load_cublas());
  return api;
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_cublas(cublas_status status, const char* call) {
  const std::string text = std::string(call) + ": " + cublas().cublasGetStatusName(status) + ": " +
                           cublas().cublasGetStatusString(status);
  if (status == cublas_status::alloc_failed) throw out_of_memory(text);
  throw device_error(text);
}

/// GNP_CUBLAS_CALL(cublasGemmEx_64, ...): calls the library, and throws if the call fails.
#define GNP_CUBLAS_CALL(function, ...) \
  ::gnp::detail::check_cublas(::gnp::detail::cublas().function(__VA_ARGS__), GNP_STRINGIZE(function))
inline void check_cublas(cublas_status status, const char* call) {
  if (status != cublas_status::success) [[unlikely]]
    throw_cublas(status, call);
}

GNP_INLINE cublas_handle make_cublas_handle() {
  cublas_handle made = nullptr;
  GNP_CUBLAS_CALL(cublasCreate_v2, &made);
  return made;
}

/// A stream's handle. Its stream and workspace never change, so that kernels of two streams never share memory.
class cublas_stream : public stream_resource {
 public:
  explicit cublas_stream(stream_state* stream) : stream_(stream), handle_(activate(stream->ordinal).ordinal) {
    gpu& device = gpu_at(stream->ordinal);
    GNP_CUBLAS_CALL(cublasSetStream_v2, handle_.get(), stream->handle);
    // Otherwise parts of a sum of 16-bit products may be added in 16 bits.
    GNP_CUBLAS_CALL(cublasSetMathMode, handle_.get(), cublas_math::no_sums_in_16_bits);
    // The sizes that NVIDIA recommends for each generation of GPUs.
    workspace_bytes_ = std::size_t{device.arch >= 120 ? 12U : device.arch >= 90 ? 32U : 4U} << 20;
    workspace_ = allocate_on_gpu(device, stream, workspace_bytes_);
    GNP_CUBLAS_CALL(cublasSetWorkspace_v2, handle_.get(), workspace_, workspace_bytes_);
  }
  ~cublas_stream() override { free_on_gpu(stream_->ordinal, stream_, workspace_, workspace_bytes_); }

  /// Calls f(handle) while no other thread uses the handle, for work on this stream.
  template <class F>
  void with_handle(const submission& work, const F& f) {
    work.occupies(workspace_, workspace_bytes_);
    without_workspace(f);
  }
  /// The same for calls that specify whether they use the workspace.
  template <class F>
  void without_workspace(const F& f) {
    const std::lock_guard lock(lock_);
    if (work_is_watched()) [[unlikely]]
      note_work_on(stream_, true);
    f(handle_.get());
  }
  void* workspace() const { return workspace_; }
  std::size_t workspace_bytes() const { return workspace_bytes_; }

 private:
  stream_state* stream_;
  kept_handle<make_cublas_handle> handle_;
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  std::mutex lock_;
};

/// CUDA's name of an element type that cuBLAS multiplies.
constexpr cuda_data_type cuda_type(dtype d) {
  switch (d) {
    case dtype::float16:
      return cuda_data_type::float16;
    case dtype::bfloat16:
      return cuda_data_type::bfloat16;
    case dtype::float64:
      return cuda_data_type::float64;
    case dtype::complex64:
      return cuda_data_type::complex64;
    case dtype::complex128:
      return cuda_data_type::complex128;
    default:
      return cuda_data_type::float32;
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
