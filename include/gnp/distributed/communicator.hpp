// SPDX-License-Identifier: MIT
// The GPUs of a group, connected by NCCL. NCCL's kernels wait for the other GPUs without a time limit, so a
// thread watches them, and aborts those that take longer than timeout().
#pragma once

#include <gnp/distributed/engine.hpp>
#include <gnp/distributed/in_time.hpp>
#include <gnp/libraries/nccl.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/submission.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

class communicator {
 public:
  using handle = gnp::detail::nccl_handle;
  using status = gnp::detail::nccl_status;

  /// All processes construct it at the same time. `host` is informed about failures here, and asked about
  /// failures elsewhere; it may be null.
  communicator(const char* function, int ordinal, int rank, int size, const gnp::detail::nccl_unique_id& id,
               engine* host)
      : ordinal_(ordinal), rank_(rank), size_(size), host_(host) {
    struct made {
      handle communicator = nullptr;
      status result = status::success;
      std::string text = {};
    };
    const auto result = std::make_shared<made>();
    const std::string why = why_not_in_time(
        [=] {
          gnp::detail::activate(ordinal);
          result->result = gnp::detail::nccl().ncclCommInitRank(&result->communicator, size, id, rank);
          if (result->result != status::success) result->text = gnp::detail::nccl_text(result->result);
        },
        [this] { return failure_of_host(); });
    if (!why.empty()) throw distributed_error(message(function, why));
    if (result->result != status::success)
      throw distributed_error(message(function, "NCCL says " + result->text));
    handle_ = result->communicator;
    gnp::detail::activate(ordinal);
    for (mark* m : {&first_, &last_}) GNP_CUDA_CALL(cuEventCreate, &m->event, CU_EVENT_DISABLE_TIMING);
    watch::of_program().add(this);
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  /// The other processes destroy theirs at the same time. Waits for work in progress, unless something has
  /// failed.
  ~communicator() {
    const bool unwinds = std::uncaught_exceptions() > 0;
    while (!unwinds && is_under_way()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    watch::of_program().remove(this);
    if (handle_ != nullptr && (unwinds || aborted_.load() || !failure_of_host().empty())) {
      abort();
    } else if (handle_ != nullptr) {
      finalize();
    }
    for (const mark* m : {&first_, &last_}) gnp::detail::driver().cuEventDestroy(m->event);
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  int ordinal() const { return ordinal_; }

  /// Queues the NCCL calls that f(handle, stream) makes, on the GPU's current stream.
  template <class F>
  void queue(const char* function, const F& f) {
    gnp::detail::require_no_recording("calls among processes are not recorded");
    const gnp::detail::submission work(gnp::device::cuda(ordinal_));
    if (gnp::detail::work_is_watched()) [[unlikely]]
      gnp::detail::note_work_on(work.stream(), true);
    const std::lock_guard lock(lock_);
    fail_if_aborted();
    if (handle_ == nullptr) throw_told(message(function, "an earlier call has failed: " + failure_));
    call_since_.store(now(), std::memory_order_relaxed);
    const status result = f(handle_, work.handle());
    call_since_.store(0, std::memory_order_relaxed);
    if (result != status::success || aborted_.load()) [[unlikely]] {  // aborted, it may say either
      std::string why = aborted_.load() ? nobody_came() : "NCCL says " + gnp::detail::nccl_text(result);
      why = message(function, why);
      fail(why);
      throw_told(why);
    }
    function_ = function;
    mark& m = first_.is_pending ? last_ : first_;
    GNP_CUDA_CALL(cuEventRecord, m.event, work.handle());
    m.since = now();
    m.is_pending = true;
  }

 private:
  /// Marks the end of a call that was queued.
  struct mark {
    CUevent event = nullptr;
    double since = 0;
    bool is_pending = false;
  };

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  std::string message(const char* function, const std::string& why) const {
    return std::string(function) + ": " + why + " (process " + std::to_string(rank_) + " of " +
           std::to_string(size_) + ", " + to_string(gnp::device::cuda(ordinal_)) + ")";
  }
  std::string failure_of_host() const { return host_ == nullptr ? std::string() : host_->failure(); }

  /// Aborts NCCL's work. The failure is recorded first for those who wait for this work, because the GPU
  /// continues when the kernels end.
  void fail(const std::string& why) {
    failure_ = why;
    if (first_.is_pending) gnp::detail::note_ended_work_of_gpu(ordinal_, why);
    if (host_ != nullptr) host_->end(why);
    abort();
    handle_ = nullptr;
  }
  /// A call may have ended by itself just before it was aborted, but its resources have been freed all the
  /// same.
  void fail_if_aborted() {
    if (handle_ != nullptr && aborted_.load()) fail(message(function_, nobody_came()));
  }
  /// Throws the failure here, so that it need not be reported again.
  [[noreturn]] void throw_told(const std::string& why) const {
    gnp::detail::forget_ended_work_of_gpu(ordinal_);
    throw distributed_error(why);
  }
  void abort() noexcept {
    if (aborted_.exchange(true)) return;
    const auto work = [mine = handle_, ordinal = ordinal_] {
      try {
        gnp::detail::activate(ordinal);
        gnp::detail::nccl().ncclCommAbort(mine);
      } catch (const std::exception&) {  // the driver has shut down, and NCCL's kernels have ended
      }
    };
    try {
      std::thread(work).detach();
    } catch (const std::exception&) {  // then here, though it may take its time: others wait for the kernels
      work();
    }
  }
  /// Frees NCCL's memory together with the other processes, or not at all.
  void finalize() noexcept {
    const auto work = [mine = handle_, ordinal = ordinal_] {
      gnp::detail::activate(ordinal);
      gnp::detail::nccl().ncclCommFinalize(mine);
      gnp::detail::nccl().ncclCommDestroy(mine);
    };
    try {
      static_cast<void>(why_not_in_time(work, [this] { return failure_of_host(); }));
    } catch (const std::exception&) {  // no thread, or the driver is gone: the program ends before long
    }
  }

  /// Called repeatedly by the thread that watches.
  void look() {
    const std::unique_lock lock(lock_, std::try_to_lock);
    if (!lock.owns_lock()) {
      // NCCL connects GPUs during their first calls, and waits there for the other GPUs.
      const double since = call_since_.load(std::memory_order_relaxed);
      if (since > 0 && (now() - since > timeout() || !failure_of_host().empty())) abort();
      return;
    }
    fail_if_aborted();
    if (handle_ == nullptr) return;
    gnp::detail::activate(ordinal_);
    see_what_has_ended();
    if (const std::string why = failure_of_host(); !why.empty()) return fail(message(function_, why));
    status state = status::success;
    gnp::detail::nccl().ncclCommGetAsyncError(handle_, &state);
    if (state != status::success && state != status::in_progress)
      return fail(message(function_, "NCCL says " + gnp::detail::nccl_text(state)));
    if (first_.is_pending && now() - first_.since > timeout()) fail(message(function_, nobody_came()));
  }
  void see_what_has_ended() {
    for (int i = 0; i < 2 && first_.is_pending; ++i) {
      if (gnp::detail::driver().cuEventQuery(first_.event) == CUDA_ERROR_NOT_READY) return;
      first_.is_pending = false;
      if (last_.is_pending) std::swap(first_, last_);
    }
  }
  bool is_under_way() {
    const std::lock_guard lock(lock_);
    if (handle_ == nullptr) return false;
    see_what_has_ended();
    return first_.is_pending;
  }

  /// The thread that watches: one for all communicators, started with the first.
  class watch {
   public:
    static watch& of_program() {
      static watch& all = *new watch;
      return all;
    }
    void add(communicator* c) {
      const std::lock_guard lock(lock_);
      if (!begun_) std::thread([this] { look_on(); }).detach();
      begun_ = true;
      watched_.push_back(c);
    }
    void remove(communicator* c) {
      const std::lock_guard lock(lock_);
      std::erase(watched_, c);
    }

   private:
    void look_on() {
      for (;; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
        const std::lock_guard lock(lock_);
        for (communicator* c : watched_) {
          try {
            c->look();
          } catch (const std::exception&) {  // the driver is gone: the program ends
          }
        }
      }
    }

    std::mutex lock_;
    std::vector<communicator*> watched_;
    bool begun_ = false;
  };

  int ordinal_;
  int rank_;
  int size_;
  engine* host_;
  std::mutex lock_;
  handle handle_ = nullptr;
  std::string failure_;
  const char* function_ = "";  // the last that was called
  std::atomic<double> call_since_{0};
  std::atomic<bool> aborted_{false};
  mark first_;  // the earliest call not known to have ended, and the last call
  mark last_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail

#endif
