// SPDX-License-Identifier: MIT
// cuSOLVER: opened on the first factorisation on a GPU; a handle for each stream.
#pragma once

#include <gnp/linalg/cublas.hpp>

#if GNP_HAS_CUBLAS && __has_include(<cusolverDn.h>)
#define GNP_HAS_CUSOLVER 1
#else
#define GNP_HAS_CUSOLVER 0
#endif

#if GNP_HAS_CUSOLVER

#include <cusolverDn.h>

#include <gnp/array/storage.hpp>

namespace gnp::inline GNP_ABI::detail {

// One function for every element type, with 64-bit sizes.
#define GNP_CUSOLVER_FUNCTIONS(X) \
  X(cusolverDnCreate)             \
  X(cusolverDnSetStream)          \
  X(cusolverDnCreateParams)       \
  X(cusolverDnXgetrf_bufferSize)  \
  X(cusolverDnXgetrf)             \
  X(cusolverDnXgetrs)             \
  X(cusolverDnXpotrf_bufferSize)  \
  X(cusolverDnXpotrf)             \
  X(cusolverDnXgeqrf_bufferSize)  \
  X(cusolverDnXgeqrf)             \
  X(cusolverDnXsyevd_bufferSize)  \
  X(cusolverDnXsyevd)             \
  X(cusolverDnXgesvd_bufferSize)  \
  X(cusolverDnXgesvd)             \
  X(cusolverDnXgesvdp_bufferSize) \
  X(cusolverDnXgesvdp)

/// A function that has a name for each of float, double, complex64 and complex128.
template <class Function>
struct by_type {
  Function functions[4] = {};
  Function operator[](dtype d) const {
    return functions[static_cast<int>(d) - static_cast<int>(dtype::float32)];
  }
};

/// Functions whose prototypes differ in the type of a pointer only, which is void here.
using orgqr_size_function = cusolverStatus_t (*)(cusolverDnHandle_t, int, int, int, const void*, int,
                                                 const void*, int*);
using orgqr_function = cusolverStatus_t (*)(cusolverDnHandle_t, int, int, int, void*, int, const void*, void*,
                                            int, int*);
using getrf_size_function = cusolverStatus_t (*)(cusolverDnHandle_t, int, int, const void*, int, int*);
using getrf_function = cusolverStatus_t (*)(cusolverDnHandle_t, int, int, void*, int, void*, int*, int*);
using getrs_function = cusolverStatus_t (*)(cusolverDnHandle_t, cublasOperation_t, int, int, const void*, int,
                                            const int*, void*, int, int*);
using potrf_batched_function = cusolverStatus_t (*)(cusolverDnHandle_t, cublasFillMode_t, int, void**, int,
                                                    int*, int);
// Since CUDA 12.6; older headers do not declare them.
using geev_size_function = cusolverStatus_t (*)(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                cusolverEigMode_t, std::int64_t, cudaDataType, const void*,
                                                std::int64_t, cudaDataType, const void*, cudaDataType,
                                                const void*, std::int64_t, cudaDataType, const void*,
                                                std::int64_t, cudaDataType, std::size_t*, std::size_t*);
using geev_function = cusolverStatus_t (*)(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                           cusolverEigMode_t, std::int64_t, cudaDataType, void*, std::int64_t,
                                           cudaDataType, void*, cudaDataType, void*, std::int64_t, cudaDataType,
                                           void*, std::int64_t, cudaDataType, void*, std::size_t, void*,
                                           std::size_t, int*);
using syev_batched_size_function = cusolverStatus_t (*)(cusolverDnHandle_t, cusolverDnParams_t,
                                                        cusolverEigMode_t, cublasFillMode_t, std::int64_t,
                                                        cudaDataType, const void*, std::int64_t, cudaDataType,
                                                        const void*, cudaDataType, std::size_t*, std::size_t*,
                                                        std::int64_t);
using syev_batched_function = cusolverStatus_t (*)(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                   cublasFillMode_t, std::int64_t, cudaDataType, void*,
                                                   std::int64_t, cudaDataType, void*, cudaDataType, void*,
                                                   std::size_t, void*, std::size_t, int*, std::int64_t);

struct cusolver_api {
#define GNP_DECLARE(function) decltype(&::function) function = nullptr;
  GNP_CUSOLVER_FUNCTIONS(GNP_DECLARE)
#undef GNP_DECLARE
  by_type<orgqr_size_function> orgqr_size;
  by_type<orgqr_function> orgqr;
  by_type<getrf_size_function> getrf_size;
  by_type<getrf_function> getrf;
  by_type<getrs_function> getrs;
  by_type<potrf_batched_function> potrf_batched;
  geev_size_function geev_size = nullptr;  // null where the library is older
  geev_function geev = nullptr;
  syev_batched_size_function syev_batched_size = nullptr;
  syev_batched_function syev_batched = nullptr;
  shared_library library;
};

[[gnu::cold]] inline cusolver_api load_cusolver() {
  cusolver_api api;
  // What cuSOLVER needs itself, found where the loader would not look: once loaded, they are found by name.
  cublas();
  open_library({"libnvJitLink.so.13", "libnvJitLink.so.12"});
  open_library({"libcusparse.so.12"});
  api.library = open_library({"libcusolver.so.12", "libcusolver.so.11"});
  if (!api.library) {
    throw device_error(
        "cuSOLVER, which factorises matrices on the GPU, was not found. Install the CUDA 12 or 13 toolkit or "
        "the "
        "package nvidia-cusolver, or set CUDA_HOME. Looked at" +
        api.library.where_it_looked());
  }
#define GNP_LOAD(function) load_symbol(api.library, GNP_STRINGIZE(function), api.function);
  GNP_CUSOLVER_FUNCTIONS(GNP_LOAD)
#undef GNP_LOAD
  const auto load_each = [&api](auto& table, const char* s, const char* d, const char* c, const char* z) {
    const char* names[] = {s, d, c, z};
    for (int i = 0; i < 4; ++i) load_symbol(api.library, names[i], table.functions[i]);
  };
  load_each(api.orgqr_size, "cusolverDnSorgqr_bufferSize", "cusolverDnDorgqr_bufferSize",
            "cusolverDnCungqr_bufferSize", "cusolverDnZungqr_bufferSize");
  load_each(api.orgqr, "cusolverDnSorgqr", "cusolverDnDorgqr", "cusolverDnCungqr", "cusolverDnZungqr");
  load_each(api.getrf_size, "cusolverDnSgetrf_bufferSize", "cusolverDnDgetrf_bufferSize",
            "cusolverDnCgetrf_bufferSize", "cusolverDnZgetrf_bufferSize");
  load_each(api.getrf, "cusolverDnSgetrf", "cusolverDnDgetrf", "cusolverDnCgetrf", "cusolverDnZgetrf");
  load_each(api.getrs, "cusolverDnSgetrs", "cusolverDnDgetrs", "cusolverDnCgetrs", "cusolverDnZgetrs");
  load_each(api.potrf_batched, "cusolverDnSpotrfBatched", "cusolverDnDpotrfBatched", "cusolverDnCpotrfBatched",
            "cusolverDnZpotrfBatched");
  const auto load_newer = [&api](const char* symbol, auto& function) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(api.library.handle, symbol));
  };
  load_newer("cusolverDnXgeev_bufferSize", api.geev_size);
  load_newer("cusolverDnXgeev", api.geev);
  load_newer("cusolverDnXsyevBatched_bufferSize", api.syev_batched_size);
  load_newer("cusolverDnXsyevBatched", api.syev_batched);
  return api;
}

/// The library, loaded once.
inline const cusolver_api& cusolver() {
  static const cusolver_api& api = *new cusolver_api(load_cusolver());
  return api;
}

[[noreturn, gnu::cold]] inline void throw_cusolver(cusolverStatus_t status, const char* call) {
  constexpr const char* names[] = {"SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
                                   "INVALID_VALUE",    "ARCH_MISMATCH",   "MAPPING_ERROR",
                                   "EXECUTION_FAILED", "INTERNAL_ERROR",  "MATRIX_TYPE_NOT_SUPPORTED",
                                   "NOT_SUPPORTED"};
  const auto code = static_cast<std::size_t>(status);
  const std::string text =
      std::string(call) + ": CUSOLVER_STATUS_" + (code < std::size(names) ? names[code] : std::to_string(code));
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw out_of_memory(text);
  throw device_error(text);
}

inline void check_cusolver(cusolverStatus_t status, const char* call) {
  if (status != CUSOLVER_STATUS_SUCCESS) [[unlikely]]
    throw_cusolver(status, call);
}

/// GNP_CUSOLVER_CALL(cusolverDnXpotrf, ...): calls the library and throws where it fails.
#define GNP_CUSOLVER_CALL(function, ...) \
  ::gnp::detail::check_cusolver(::gnp::detail::cusolver().function(__VA_ARGS__), GNP_STRINGIZE(function))

/// A stream's handle. Handles are kept for streams to come: making one takes milliseconds.
class cusolver_stream : public stream_resource {
 public:
  explicit cusolver_stream(stream_state* stream) : ordinal_(stream->ordinal) {
    activate(ordinal_);
    const std::lock_guard lock(idle().lock);
    auto& handles = idle().handles;
    for (std::size_t i = 0; i < handles.size() && handle_ == nullptr; ++i) {
      if (handles[i].first != ordinal_) continue;
      handle_ = handles[i].second;
      handles.erase(handles.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (handle_ == nullptr) GNP_CUSOLVER_CALL(cusolverDnCreate, &handle_);
    GNP_CUSOLVER_CALL(cusolverDnSetStream, handle_, stream->handle);
  }
  ~cusolver_stream() override {
    const std::lock_guard lock(idle().lock);
    idle().handles.emplace_back(ordinal_, handle_);
  }
  cusolverDnHandle_t handle() const { return handle_; }
  std::mutex& lock() { return lock_; }

 private:
  struct idle_handles {
    std::mutex lock;
    std::vector<std::pair<int, cusolverDnHandle_t>> handles;
  };
  static idle_handles& idle() {
    static idle_handles& kept = *new idle_handles;
    return kept;
  }

  int ordinal_;
  cusolverDnHandle_t handle_ = nullptr;
  std::mutex lock_;
};

/// cuSOLVER's settings for the X functions: the defaults.
inline cusolverDnParams_t cusolver_params() {
  static const cusolverDnParams_t params = [] {
    cusolverDnParams_t made = nullptr;
    GNP_CUSOLVER_CALL(cusolverDnCreateParams, &made);
    return made;
  }();
  return params;
}

/// The surroundings of a call: device, stream, the stream's handle for this thread alone, and work space, which
/// the stream gives back when the work is done.
class cusolver_call {
 public:
  explicit cusolver_call(gnp::device where)
      : device_(activate(where.ordinal())),
        stream_(current_stream(device_)),
        bridge_(resource_of<cusolver_stream>(stream_)),
        lock_(bridge_.lock()) {}

  cusolverDnHandle_t handle() const { return bridge_.handle(); }
  stream_state* stream() const { return stream_; }

  /// The address of what an array holds, for use on this call's stream.
  template <class Array>
  typename Array::value_type* use(const Array& a) const {
    use_on_stream(*a.block().get(), stream_);
    return a.data();
  }

  void reserve(std::size_t device_bytes, std::size_t host_bytes) {
    work_ = storage_ref::allocate(device_bytes, gnp::device::cuda(device_.ordinal));
    device_bytes_ = device_bytes;
    host_work_.resize(host_bytes);
  }
  void* work() const { return work_->data; }
  std::size_t work_bytes() const { return device_bytes_; }
  void* host_work() { return host_work_.data(); }
  std::size_t host_work_bytes() const { return host_work_.size(); }

 private:
  gpu& device_;
  stream_state* stream_;
  cusolver_stream& bridge_;
  std::lock_guard<std::mutex> lock_;
  storage_ref work_;
  std::size_t device_bytes_ = 0;
  std::vector<char> host_work_;
};

}  // namespace gnp::inline GNP_ABI::detail

#endif

namespace gnp::inline GNP_ABI::detail {

/// For what cannot be done on a GPU without cuSOLVER's header.
[[noreturn, gnu::cold]] inline void throw_no_cusolver(const char* function) {
  throw device_error(std::string(function) +
                     ": on a GPU this needs cuSOLVER, whose header cusolverDn.h was not found when the program "
                     "was compiled");
}

}  // namespace gnp::inline GNP_ABI::detail
