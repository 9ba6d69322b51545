// SPDX-License-Identifier: MIT
// cuFFT: opened on the first Fourier transform on a GPU; each stream keeps the plans it used last.
#pragma once

#include <algorithm>
#include <gnp/cuda/library.hpp>
#include <gnp/cuda/memory.hpp>
#include <gnp/libraries/calls.hpp>
#include <gnp/libraries/cufft_functions.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct cufft_api {
  GNP_CUFFT_FUNCTIONS(GNP_DECLARE_FUNCTION)
  shared_library library;
};

[[gnu::cold]] GNP_INLINE cufft_api load_cufft() {
  cufft_api api;
  api.library = open_library({"libcufft.so.12", "libcufft.so.11"});
  if (!api.library) {
    throw device_error(
        "cuFFT, which makes Fourier transforms on the GPU, was not found. Install the CUDA 12 or 13 toolkit or "
        "the package nvidia-cufft, or set CUDA_HOME. Looked at" +
        api.library.where_it_looked());
  }
  GNP_CUFFT_FUNCTIONS(GNP_LOAD_FUNCTION)
  return api;
}

/// The library, loaded once.
GNP_INLINE const cufft_api& cufft() {
  static const cufft_api& api = *new cufft_api(load_cufft());
  return api;
}

/// The name of a status; the library has no function for this.
GNP_INLINE std::string cufft_status_name(cufft_status status) {
  constexpr const char* names[] = {"SUCCESS",
                                   "INVALID_PLAN",
                                   "ALLOC_FAILED",
                                   "INVALID_TYPE",
                                   "INVALID_VALUE",
                                   "INTERNAL_ERROR",
                                   "EXEC_FAILED",
                                   "SETUP_FAILED",
                                   "INVALID_SIZE",
                                   "UNALIGNED_DATA",
                                   "10",
                                   "INVALID_DEVICE",
                                   "12",
                                   "NO_WORKSPACE",
                                   "NOT_IMPLEMENTED",
                                   "15",
                                   "NOT_SUPPORTED"};
  const auto code = static_cast<std::size_t>(status);
  return std::string("CUFFT_") + (code < std::size(names) ? names[code] : std::to_string(code));
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_cufft(cufft_status status, const char* call) {
  const std::string text = std::string(call) + ": " + cufft_status_name(status);
  if (status == cufft_status::alloc_failed) throw out_of_memory(text);
  throw device_error(text);
}

inline void check_cufft(cufft_status status, const char* call) {
  if (status != cufft_status::success) [[unlikely]]
    throw_cufft(status, call);
}

/// GNP_CUFFT_CALL(cufftXtExec, ...): calls the library, and throws if the call fails.
#define GNP_CUFFT_CALL(function, ...) \
  ::gnp::detail::check_cufft(::gnp::detail::cufft().function(__VA_ARGS__), GNP_STRINGIZE(function))

/// The transforms of a call, as cuFFT's advanced layout has them: number (x, y, z) of transform b lies at
/// b distance + ((x embed[1] + y) embed[2] + z) step.
struct cufft_layout {
  static constexpr int most_axes = 3;

  struct side {
    long long embed[most_axes] = {};
    long long step = 1;
    long long distance = 1;
    bool operator==(const side&) const = default;
  };

  cufft_type type = cufft_type::complex64;
  int rank = 0;
  long long n[most_axes] = {};
  side in;
  side out;
  long long batch = 1;

  bool operator==(const cufft_layout&) const = default;
};

/// The plans that a stream used last. They own no work space: it is the stream's, and lasts as long as a call
/// takes.
class cufft_plans : public stream_resource {
 public:
  struct plan {
    cufft_layout layout;
    cufft_handle handle = -1;
    std::size_t work_bytes = 0;
  };

  explicit cufft_plans(stream_state* stream) : stream_(stream) {}
  ~cufft_plans() override {
    for (const plan& p : plans_) cufft().cufftDestroy(p.handle);
  }

  std::mutex& lock() { return lock_; }

  /// Call it, and use the plan, only while locked.
  GNP_INLINE const plan& of(const cufft_layout& layout) {
    for (auto at = plans_.begin(); at != plans_.end(); ++at) {
      if (!(at->layout == layout)) continue;
      std::rotate(at, at + 1, plans_.end());
      return plans_.back();
    }
    // A recorded graph goes on using its plans.
    if (plans_.size() >= most_plans && stream_->recorded == nullptr) {
      cufft().cufftDestroy(plans_.front().handle);
      plans_.erase(plans_.begin());
    }
    plans_.push_back(make(layout));
    return plans_.back();
  }

 private:
  static constexpr std::size_t most_plans = 32;

  [[gnu::cold]] GNP_INLINE plan make(const cufft_layout& layout) {
    plan made{.layout = layout};
    cufft_status status = try_to_make(made);
    if (status == cufft_status::alloc_failed && stream_->recorded == nullptr) {
      // Memory that gnp keeps for reuse, and memory of the plans here, may be what the library lacks.
      for (const plan& p : plans_) cufft().cufftDestroy(p.handle);
      plans_.clear();
      gpu& device = gpu_at(stream_->ordinal);
      empty_caches(device);
      wait_for_gpu(device);
      driver().cuMemPoolTrimTo(device.pool, 0);
      status = try_to_make(made);
    }
    check_cufft(status, "cufftMakePlanMany64");
    return made;
  }

  GNP_INLINE cufft_status try_to_make(plan& p) {
    GNP_CUFFT_CALL(cufftCreate, &p.handle);
    GNP_CUFFT_CALL(cufftSetAutoAllocation, p.handle, 0);
    cufft_layout l = p.layout;
    const cufft_status status =
        cufft().cufftMakePlanMany64(p.handle, l.rank, l.n, l.in.embed, l.in.step, l.in.distance, l.out.embed,
                                    l.out.step, l.out.distance, l.type, l.batch, &p.work_bytes);
    if (status == cufft_status::success) {
      GNP_CUFFT_CALL(cufftSetStream, p.handle, stream_->handle);
    } else {
      cufft().cufftDestroy(p.handle);
    }
    return status;
  }

  stream_state* stream_;
  std::mutex lock_;
  std::vector<plan> plans_;  // the newest last
};

/// Transforms that are submitted: this thread alone has the stream's plan meanwhile, and work space from the
/// stream.
class cufft_call : public submission {
 public:
  cufft_call(gnp::device where, const cufft_layout& layout)
      : submission(where),
        plans_(resource_of<cufft_plans>(stream())),
        lock_(plans_.lock()),
        plan_(plans_.of(layout)),
        work_(storage_ref::allocate(plan_.work_bytes, where)) {
    occupies(&plans_, sizeof plans_);
    if (plan_.work_bytes > 0) GNP_CUFFT_CALL(cufftSetWorkArea, plan_.handle, work_->data);
    if (work_is_watched()) [[unlikely]]
      note_work_on(stream(), true);
  }

  /// May be called several times: the calls share the work space, one after the other.
  void run(const void* in, void* out, bool inverse) const {
    GNP_CUFFT_CALL(cufftXtExec, plan_.handle, const_cast<void*>(in), out, inverse ? 1 : -1);
  }

 private:
  cufft_plans& plans_;
  std::lock_guard<std::mutex> lock_;
  const cufft_plans::plan& plan_;
  storage_ref work_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
