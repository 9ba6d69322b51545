// SPDX-License-Identifier: MIT
// cuBLAS: opened on the first product on a GPU; a handle and a workspace for each stream.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/core/error.hpp>

#if GNP_HAS_CUDA && __has_include(<cublas_api.h>)
#define GNP_HAS_CUBLAS 1
#else
#define GNP_HAS_CUBLAS 0
#endif

#if GNP_HAS_CUBLAS

// Without its ::half, which would make gnp::half ambiguous after `using namespace gnp`.
#if !defined(CUDA_NO_HALF) && !defined(__CUDA_FP16_H__)
#define CUDA_NO_HALF
#include <cublas_api.h>
#undef CUDA_NO_HALF
#else
#include <cublas_api.h>
#endif

#include <gnp/core/dtype.hpp>
#include <gnp/cuda/library.hpp>
#include <gnp/cuda/memory.hpp>
#include <utility>

namespace gnp::inline GNP_ABI::detail {

// The names as the library exports them, those for 64-bit sizes where there is a choice.
#define GNP_CUBLAS_FUNCTIONS(X)    \
  X(cublasCreate_v2)               \
  X(cublasGetVersion_v2)           \
  X(cublasSetStream_v2)            \
  X(cublasSetWorkspace_v2)         \
  X(cublasSetPointerMode_v2)       \
  X(cublasSetMathMode)             \
  X(cublasGetStatusName)           \
  X(cublasGetStatusString)         \
  X(cublasGemmEx_64)               \
  X(cublasGemmBatchedEx_64)        \
  X(cublasGemmStridedBatchedEx_64) \
  X(cublasSgemv_v2_64)             \
  X(cublasDgemv_v2_64)             \
  X(cublasCgemv_v2_64)             \
  X(cublasZgemv_v2_64)             \
  X(cublasDotEx_64)                \
  X(cublasDotcEx_64)

struct cublas_api {
#define GNP_DECLARE(function) decltype(&::function) function = nullptr;
  GNP_CUBLAS_FUNCTIONS(GNP_DECLARE)
#undef GNP_DECLARE
  shared_library library;
};

[[gnu::cold]] inline cublas_api load_cublas() {
  cublas_api api;
  api.library = open_library({"libcublas.so.13", "libcublas.so.12"});
  if (!api.library) {
    throw device_error(
        "cuBLAS, which multiplies matrices on the GPU, was not found. Install the CUDA 12 or 13 toolkit or the "
        "package nvidia-cublas, or set CUDA_HOME. Looked at" +
        api.library.where_it_looked());
  }
#define GNP_LOAD(function) load_symbol(api.library, GNP_STRINGIZE(function), api.function);
  GNP_CUBLAS_FUNCTIONS(GNP_LOAD)
#undef GNP_LOAD
  return api;
}

/// The library, loaded once.
inline const cublas_api& cublas() {
  static const cublas_api& api = *new cublas_api(load_cublas());
  return api;
}

[[noreturn, gnu::cold]] inline void throw_cublas(cublasStatus_t status, const char* call) {
  const std::string text = std::string(call) + ": " + cublas().cublasGetStatusName(status) + ": " +
                           cublas().cublasGetStatusString(status);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw out_of_memory(text);
  throw device_error(text);
}

/// GNP_CUBLAS_CALL(cublasGemmEx_64, ...): calls the library and throws where it fails.
#define GNP_CUBLAS_CALL(function, ...) \
  ::gnp::detail::check_cublas(::gnp::detail::cublas().function(__VA_ARGS__), GNP_STRINGIZE(function))
inline void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) [[unlikely]]
    throw_cublas(status, call);
}

/// A handle of this device. Those of streams that ended serve streams to come: making one takes milliseconds,
/// and destroying one waits for the whole device.
class cublas_handle {
 public:
  explicit cublas_handle(int ordinal) : ordinal_(ordinal) {
    const std::lock_guard lock(idle().lock);
    auto& handles = idle().handles;
    for (std::size_t i = 0; i < handles.size() && handle_ == nullptr; ++i) {
      if (handles[i].first != ordinal) continue;
      handle_ = handles[i].second;
      handles.erase(handles.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (handle_ == nullptr) GNP_CUBLAS_CALL(cublasCreate_v2, &handle_);
  }
  ~cublas_handle() {
    const std::lock_guard lock(idle().lock);
    idle().handles.emplace_back(ordinal_, handle_);
  }
  cublas_handle(const cublas_handle&) = delete;
  cublas_handle& operator=(const cublas_handle&) = delete;
  cublasHandle_t get() const { return handle_; }

 private:
  struct idle_handles {
    std::mutex lock;
    std::vector<std::pair<int, cublasHandle_t>> handles;
  };
  static idle_handles& idle() {
    static idle_handles& kept = *new idle_handles;
    return kept;
  }

  int ordinal_;
  cublasHandle_t handle_ = nullptr;
};

/// A stream's handle. Its stream and workspace never change, so that kernels of two streams never share memory.
class cublas_stream : public stream_resource {
 public:
  explicit cublas_stream(stream_state* stream) : stream_(stream), handle_(activate(stream->ordinal).ordinal) {
    gpu& device = gpu_at(stream->ordinal);
    GNP_CUBLAS_CALL(cublasSetStream_v2, handle_.get(), stream->handle);
    // Else parts of a sum of 16-bit products may be added in 16 bits.
    GNP_CUBLAS_CALL(cublasSetMathMode, handle_.get(), CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    // What NVIDIA recommends for each generation of chips.
    workspace_bytes_ = std::size_t{device.arch >= 120 ? 12U : device.arch >= 90 ? 32U : 4U} << 20;
    workspace_ = allocate_on_gpu(device, stream, workspace_bytes_);
    GNP_CUBLAS_CALL(cublasSetWorkspace_v2, handle_.get(), workspace_, workspace_bytes_);
  }
  ~cublas_stream() override { free_on_gpu(stream_->ordinal, stream_, workspace_, workspace_bytes_); }

  /// Calls f(handle) while no other thread uses the handle.
  template <class F>
  void with_handle(const F& f) {
    const std::lock_guard lock(lock_);
    f(handle_.get());
  }

 private:
  stream_state* stream_;
  cublas_handle handle_;
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  std::mutex lock_;
};

/// CUDA's name of an element type that cuBLAS multiplies.
constexpr cudaDataType cuda_type(dtype d) {
  switch (d) {
    case dtype::float16:
      return CUDA_R_16F;
    case dtype::bfloat16:
      return CUDA_R_16BF;
    case dtype::float64:
      return CUDA_R_64F;
    case dtype::complex64:
      return CUDA_C_32F;
    case dtype::complex128:
      return CUDA_C_64F;
    default:
      return CUDA_R_32F;
  }
}

}  // namespace gnp::inline GNP_ABI::detail

#endif

namespace gnp::inline GNP_ABI::detail {

/// For what cannot be done on a GPU without cuBLAS's header.
[[noreturn, gnu::cold]] inline void throw_no_cublas(const char* function) {
  throw device_error(std::string(function) +
                     ": on a GPU this needs cuBLAS, whose header cublas_api.h was not found when the program "
                     "was compiled");
}

}  // namespace gnp::inline GNP_ABI::detail
