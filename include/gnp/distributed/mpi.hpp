// SPDX-License-Identifier: MIT
// MPI as an engine: for programs of which one file defines GNP_MPI and is compiled with MPI's wrapper (mpicxx).
#pragma once

#include <gnp/distributed/combine.hpp>
#include <gnp/distributed/start.hpp>

#if defined(GNP_MPI)
// Leaves out MPI's own C++ classes, which date from 1998.
#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <gnp/core/error.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

class mpi_engine final : public engine {
 public:
  /// Takes ownership of a communicator that belongs only to this group.
  explicit mpi_engine(MPI_Comm own) : comm_(own) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  ~mpi_engine() override {
    int over = 0;
    MPI_Finalized(&over);
    if (over == 0 && !has_failed()) MPI_Comm_free(&comm_);
  }

  /// The engine of all processes. If the program has not started MPI itself, starts it here, and ends it when
  /// the program ends.
  static std::shared_ptr<engine> of_all() {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) {
      int threads = 0;
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &threads);
      MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                              MPI_ERRORS_RETURN);  // Open MPI asks it for errors of other groups
      std::atexit(end_program);
    }
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    return std::make_shared<mpi_engine>(own);
  }

  /// Has mpirun, mpiexec or srun started this process, or has the program started MPI itself?
  static bool is_there() {
    int started = 0;
    MPI_Initialized(&started);
    return started != 0 || processes_of_launcher() > 0;
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void barrier(const char* function) override {
    require_no_failure(function);
    MPI_Request request = MPI_REQUEST_NULL;
    check(function, MPI_Ibarrier(comm_, &request));
    wait(function, {&request, 1});
  }
  void broadcast(const char* function, void* data, std::size_t bytes, int root) override {
    require_no_failure(function);
    in_pieces(bytes, 1, [&](std::size_t done, int count) {
      MPI_Request request = MPI_REQUEST_NULL;
      check(function, MPI_Ibcast(static_cast<char*>(data) + done, count, MPI_BYTE, root, comm_, &request));
      wait(function, {&request, 1});
    });
  }
  void all_reduce(const char* function, const void* from, void* into, index_t count, dtype type,
                  reduction how) override {
    require_no_failure(function);
    in_pieces(static_cast<std::size_t>(count), itemsize(type), [&](std::size_t done, int elements) {
      MPI_Request request = MPI_REQUEST_NULL;
      check(function, MPI_Iallreduce(from == into ? MPI_IN_PLACE : static_cast<const char*>(from) + done,
                                     static_cast<char*>(into) + done, elements, type_of(type),
                                     operation(type, how), comm_, &request));
      wait(function, {&request, 1});
    });
  }
  void reduce(const char* function, const void* from, void* into, index_t count, dtype type, reduction how,
              int root) override {
    require_no_failure(function);
    in_pieces(static_cast<std::size_t>(count), itemsize(type), [&](std::size_t done, int elements) {
      const bool here = rank_ == root;
      MPI_Request request = MPI_REQUEST_NULL;
      check(function, MPI_Ireduce(here && from == into ? MPI_IN_PLACE : static_cast<const char*>(from) + done,
                                  here ? static_cast<char*>(into) + done : nullptr, elements, type_of(type),
                                  operation(type, how), root, comm_, &request));
      wait(function, {&request, 1});
    });
  }
  void all_gather(const char* function, const void* part, void* all,
                  std::span<const std::size_t> bytes) override {
    require_no_failure(function);
    std::vector<int> counts, places;
    std::size_t end = 0;
    for (const std::size_t b : bytes) {
      counts.push_back(static_cast<int>((std::min)(b, most)));
      places.push_back(static_cast<int>((std::min)(end, most)));
      end += b;
    }
    if (end <= most) {
      MPI_Request request = MPI_REQUEST_NULL;
      check(function, MPI_Iallgatherv(part, counts[static_cast<std::size_t>(rank_)], MPI_BYTE, all,
                                      counts.data(), places.data(), MPI_BYTE, comm_, &request));
      wait(function, {&request, 1});
      return;
    }
    // More bytes than an int counts.
    std::vector<message> sent, received;
    for (int r = 0; r < size_; ++r) {
      const auto at = static_cast<std::size_t>(r);
      sent.push_back(
          {r, const_cast<void*>(part), bytes[static_cast<std::size_t>(rank_)]});  // which is only read
      received.push_back({r, all, bytes[at]});
      all = static_cast<char*>(all) + bytes[at];
    }
    exchange(function, sent, received);
  }
  void exchange(const char* function, std::span<const message> sent,
                std::span<const message> received) override {
    require_no_failure(function);
    std::vector<MPI_Request> requests;
    try {
      start(function, sent, received, requests);
      wait(function, requests);
    } catch (...) {
      failure_of_program().store(true, std::memory_order_relaxed);  // also if memory was short
      take_back(requests);
      throw;
    }
  }
  std::shared_ptr<engine> split(const char* function, int color, int key) override {
    barrier(function);  // MPI_Comm_split itself waits for the others without limit
    MPI_Comm own = MPI_COMM_NULL;
    check(function, MPI_Comm_split(comm_, color < 0 ? MPI_UNDEFINED : color, key, &own));
    return own == MPI_COMM_NULL ? nullptr : std::make_shared<mpi_engine>(own);
  }
  void end(const std::string&) override { failure_of_program().store(true, std::memory_order_relaxed); }

 private:
  static constexpr std::size_t most = INT_MAX;
  static constexpr int tag = 0;

  /// Calls f(bytes done, elements of this piece) for pieces that MPI's int can count.
  static void in_pieces(std::size_t count, std::size_t size, const auto& f) {
    constexpr std::size_t piece = std::size_t{1} << 30;
    for (std::size_t done = 0; done < count; done += piece)
      f(done * size, static_cast<int>((std::min)(piece, count - done)));
  }

  static std::atomic<bool>& failure_of_program() {
    static std::atomic<bool> failed = false;
    return failed;
  }
  static bool has_failed() { return failure_of_program().load(std::memory_order_relaxed); }

  /// No call may follow a failure: a call that has been started may never end, and a later call would mistake
  /// its messages for its own.
  [[noreturn]] void fail(const char* function, const std::string& why) const {
    failure_of_program().store(true, std::memory_order_relaxed);
    throw distributed_error(std::string(function) + ": " + why + " (process " + std::to_string(rank_) + " of " +
                            std::to_string(size_) + ")");
  }
  void check(const char* function, int status) const {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(status, text, &length);
    fail(function, std::string("MPI says ") + text);
  }
  void require_no_failure(const char* function) const {
    if (has_failed()) fail(function, "an earlier call among the processes has failed");
  }

  void start(const char* function, std::span<const message> sent, std::span<const message> received,
             std::vector<MPI_Request>& requests) const {
    for (const message& m : received) {
      in_pieces(m.bytes, 1, [&](std::size_t done, int count) {
        requests.push_back(MPI_REQUEST_NULL);
        check(function, MPI_Irecv(static_cast<char*>(m.data) + done, count, MPI_BYTE, m.peer, tag, comm_,
                                  &requests.back()));
      });
    }
    for (const message& m : sent) {
      in_pieces(m.bytes, 1, [&](std::size_t done, int count) {
        requests.push_back(MPI_REQUEST_NULL);
        check(function, MPI_Isend(static_cast<const char*>(m.data) + done, count, MPI_BYTE, m.peer, tag, comm_,
                                  &requests.back()));
      });
    }
  }

  /// Ends work in progress, because its memory may soon be freed. Receives that have not begun are cancelled.
  /// But MPI need not cancel sends (Open MPI does not), or messages that have arrived in part. These get a
  /// moment to end, and are then left to MPI. MPI continues them only while it is being called, and gnp makes
  /// no call after a failure.
  static void take_back(std::span<MPI_Request> requests) {
    for (MPI_Request& r : requests) {
      if (r != MPI_REQUEST_NULL) MPI_Cancel(&r);
    }
    int waits = 0;
    for (MPI_Request& r : requests) {
      int done = 0;
      while (MPI_Test(&r, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0 && waits++ < 100)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (done == 0 && r != MPI_REQUEST_NULL) MPI_Request_free(&r);
    }
  }

  /// Waits for these calls. (Collective calls cannot be cancelled: if this fails, they are left to MPI, as
  /// above.)
  void wait(const char* function, std::span<MPI_Request> requests) const {
    const auto start = std::chrono::steady_clock::now();
    std::vector<MPI_Status> statuses(requests.size());
    for (int looks = 0;; ++looks) {
      int done = 0;
      const int status =
          MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, statuses.data());
      if (status == MPI_ERR_IN_STATUS) {
        for (const MPI_Status& s : statuses) {
          if (s.MPI_ERROR != MPI_ERR_PENDING) check(function, s.MPI_ERROR);
        }
      }
      check(function, status);
      if (done != 0) return;
      if (looks < 1000) continue;
      // There may be more processes than processors.
      std::this_thread::sleep_for(std::chrono::microseconds(looks < 10000 ? 20 : 1000));
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
      if (waited.count() > timeout())
        fail(function, std::string("another process did not come within ") + seconds_text(timeout()));
    }
  }

  static MPI_Datatype type_of(dtype type) {
    static const std::array<MPI_Datatype, dtype_count> types = [] {
      std::array<MPI_Datatype, dtype_count> made{};
      for (int i = 0; i < dtype_count; ++i) {
        MPI_Datatype& one = made[static_cast<std::size_t>(i)];
        MPI_Type_contiguous(static_cast<int>(itemsize(static_cast<dtype>(i))), MPI_BYTE, &one);
        MPI_Type_commit(&one);
      }
      return made;
    }();
    return types[static_cast<std::size_t>(type)];
  }

  template <class T, reduction How>
  static void combine_for_mpi(void* from, void* into, int* count, MPI_Datatype*) {
    combine<T, How>(from, into, *count);
  }
  template <reduction How>
  static std::array<MPI_Op, dtype_count> operations_of() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      std::array<MPI_Op, dtype_count> made{};
      (MPI_Op_create(combine_for_mpi<gnp::type_of<static_cast<dtype>(I)>, How>, 1, &made[I]), ...);
      return made;
    }(std::make_index_sequence<dtype_count>());
  }
  static MPI_Op operation(dtype type, reduction how) {
    static const std::array<std::array<MPI_Op, dtype_count>, 4> operations = {
        operations_of<reduction::sum>(), operations_of<reduction::prod>(), operations_of<reduction::min>(),
        operations_of<reduction::max>()};
    return operations[static_cast<std::size_t>(how)][static_cast<std::size_t>(type)];
  }

  /// Called when the program ends. After a failure, the others may never call MPI_Finalize.
  static void end_program() {
    int over = 0;
    MPI_Finalized(&over);
    if (over != 0) return;
    if (has_failed()) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
  }

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
};

/// Set before main(), so that world() starts with MPI if it is there.
[[maybe_unused]] inline const bool mpi_is_known =
    (mpi_of_program() = {mpi_engine::is_there, mpi_engine::of_all}, true);

}}}}  // namespace gnp::GNP_ABI::distributed::detail

#endif
