// SPDX-License-Identifier: MIT
// cuSOLVER: opened on the first factorisation on a GPU; a handle for each stream.
#pragma once

#include <gnp/cuda/library.hpp>
#include <gnp/libraries/cublas.hpp>
#include <gnp/libraries/cusolver_functions.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#include <memory>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct cusolver_api {
  GNP_CUSOLVER_FUNCTIONS(GNP_DECLARE_FUNCTION)
  GNP_CUSOLVER_TYPED_FUNCTIONS(GNP_DECLARE_TYPED_FUNCTION)
  GNP_CUSOLVER_NEWER_FUNCTIONS(GNP_DECLARE_FUNCTION)  // null if the library is older
  shared_library library;
};

[[gnu::cold]] GNP_INLINE cusolver_api load_cusolver() {
  cusolver_api api;
  // Libraries that cuSOLVER itself needs, looked for where the loader would not look. Once loaded, they are
  // found by name.
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
  GNP_CUSOLVER_FUNCTIONS(GNP_LOAD_FUNCTION)
  GNP_CUSOLVER_TYPED_FUNCTIONS(GNP_LOAD_TYPED_FUNCTION)
#define GNP_LOAD_IF_THERE(name, ...) \
  api.name = reinterpret_cast<decltype(api.name)>(::dlsym(api.library.handle, #name));
  GNP_CUSOLVER_NEWER_FUNCTIONS(GNP_LOAD_IF_THERE)
#undef GNP_LOAD_IF_THERE
  return api;
}

/// The library, loaded once.
GNP_INLINE const cusolver_api& cusolver() {
  static const cusolver_api& api = *new cusolver_api(load_cusolver());
  return api;
}

/// The name of a status; the library has no function for this.
GNP_INLINE std::string cusolver_status_name(cusolver_status status) {
  constexpr const char* names[] = {"SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
                                   "INVALID_VALUE",    "ARCH_MISMATCH",   "MAPPING_ERROR",
                                   "EXECUTION_FAILED", "INTERNAL_ERROR",  "MATRIX_TYPE_NOT_SUPPORTED",
                                   "NOT_SUPPORTED"};
  const auto code = static_cast<std::size_t>(status);
  return std::string("CUSOLVER_STATUS_") + (code < std::size(names) ? names[code] : std::to_string(code));
}

[[noreturn, gnu::cold]] inline void throw_cusolver(cusolver_status status, const char* call) {
  const std::string text = std::string(call) + ": " + cusolver_status_name(status);
  if (status == cusolver_status::alloc_failed) throw out_of_memory(text);
  throw device_error(text);
}

inline void check_cusolver(cusolver_status status, const char* call) {
  if (status != cusolver_status::success) [[unlikely]]
    throw_cusolver(status, call);
}

/// GNP_CUSOLVER_CALL(cusolverDnXpotrf, ...): calls the library, and throws if the call fails.
#define GNP_CUSOLVER_CALL(function, ...) \
  ::gnp::detail::check_cusolver(::gnp::detail::cusolver().function(__VA_ARGS__), GNP_STRINGIZE(function))

inline cusolver_handle make_cusolver_handle() {
  cusolver_handle made = nullptr;
  GNP_CUSOLVER_CALL(cusolverDnCreate, &made);
  return made;
}

/// Page-locked memory for functions that send their work to the host and back, kept from call to call.
class page_locked_space {
 public:
  /// Null where more than 64 MiB are asked for, or where none is left.
  void* of(std::size_t bytes) {
    if (bytes > std::size_t{64} << 20) return nullptr;
    if (bytes > bytes_) {
      memory_.reset();
      bytes_ = 0;
      try {
        memory_.reset(allocate_page_locked(bytes));
      } catch (const out_of_memory&) {
        return nullptr;
      }
      bytes_ = bytes;
    }
    return memory_.get();
  }

 private:
  struct free {
    void operator()(void* memory) const { free_page_locked(memory); }
  };
  std::unique_ptr<void, free> memory_;
  std::size_t bytes_ = 0;
};

/// A stream's handle, and its work space on the host.
class cusolver_stream : public stream_resource {
 public:
  explicit cusolver_stream(stream_state* stream) : handle_(activate(stream->ordinal).ordinal) {
    GNP_CUSOLVER_CALL(cusolverDnSetStream, handle_.get(), stream->handle);
  }
  cusolver_handle handle() const { return handle_.get(); }
  std::mutex& lock() { return lock_; }
  page_locked_space& page_locked() { return page_locked_; }

 private:
  kept_handle<make_cusolver_handle> handle_;
  std::mutex lock_;
  page_locked_space page_locked_;
};

/// cuSOLVER's settings for the X functions: the defaults.
inline cusolver_params_handle cusolver_params() {
  static const cusolver_params_handle params = [] {
    cusolver_params_handle made = nullptr;
    GNP_CUSOLVER_CALL(cusolverDnCreateParams, &made);
    return made;
  }();
  return params;
}

/// A call that is submitted: this thread alone has the stream's handle meanwhile. The stream gives its work
/// space back when the work is done.
class cusolver_call : public submission {
 public:
  explicit cusolver_call(gnp::device where)
      : submission(where), bridge_(resource_of<cusolver_stream>(stream())), lock_(bridge_.lock()) {
    occupies(&bridge_, sizeof bridge_);
    if (work_is_watched()) [[unlikely]]
      note_work_on(stream(), true);
  }

  cusolver_handle handle() const { return bridge_.handle(); }

  void reserve(std::size_t device_bytes, std::size_t host_bytes) {
    reserve_on_device(device_bytes);
    host_bytes_ = host_bytes;
    own_host_work_ = std::make_unique_for_overwrite<char[]>(host_bytes);
    host_work_ = own_host_work_.get();
  }

  /// With page-locked memory on the host, where there is enough. The caller waits for the stream after each
  /// call: copies from this memory, which the next call writes to, may still be on their way.
  void reserve_page_locked(std::size_t device_bytes, std::size_t host_bytes) {
    host_work_ = bridge_.page_locked().of(host_bytes);
    if (host_work_ == nullptr) {
      reserve(device_bytes, host_bytes);
      return;
    }
    reserve_on_device(device_bytes);
    host_bytes_ = host_bytes;
  }
  void* work() const { return work_->data; }
  std::size_t work_bytes() const { return device_bytes_; }
  void* host_work() const { return host_work_; }
  std::size_t host_work_bytes() const { return host_bytes_; }

 private:
  void reserve_on_device(std::size_t bytes) {
    work_ = storage_ref::allocate(bytes, gnp::device::cuda(device().ordinal));
    device_bytes_ = bytes;
  }

  cusolver_stream& bridge_;
  std::lock_guard<std::mutex> lock_;
  storage_ref work_;
  std::size_t device_bytes_ = 0;
  std::unique_ptr<char[]> own_host_work_;
  void* host_work_ = nullptr;
  std::size_t host_bytes_ = 0;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
