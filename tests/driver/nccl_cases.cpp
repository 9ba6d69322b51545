// SPDX-License-Identifier: MIT
// What gnp makes of calls of NCCL that fail or take too long: beside a driver and an NCCL that do nothing.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <gnp/core.hpp>
#include <gnp/distributed.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "../catch.hpp"

namespace {

namespace dist = gnp::distributed;
using dist::detail::communicator;

template <class T>
T& variable_of(const gnp::detail::shared_library& library, const char* name) {
  return *static_cast<T*>(::dlsym(library.handle, name));
}
CUresult& state_of_events() {
  return variable_of<CUresult>(gnp::detail::driver().library, "fake_state_of_events");
}
std::atomic<int>& aborts() { return variable_of<std::atomic<int>>(gnp::detail::nccl().library, "fake_aborts"); }
std::atomic<int>& ends() { return variable_of<std::atomic<int>>(gnp::detail::nccl().library, "fake_ends"); }

/// A group that is told of failures.
class told : public dist::detail::engine {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void barrier(const char*) override {}
  void broadcast(const char*, void*, std::size_t, int) override {}
  void all_reduce(const char*, const void*, void*, gnp::index_t, gnp::dtype, dist::reduction) override {}
  void reduce(const char*, const void*, void*, gnp::index_t, gnp::dtype, dist::reduction, int) override {}
  void all_gather(const char*, const void*, void*, std::span<const std::size_t>) override {}
  void exchange(const char*, std::span<const dist::detail::message>,
                std::span<const dist::detail::message>) override {}
  std::shared_ptr<engine> split(const char*, int, int) override { return nullptr; }
  void end(const std::string& why) override { said = why; }
  std::string said = {};
};

/// One of two processes with a GPU each, after another: what the first broadcasts is kept for the second.
class two_gpus final : public told {
 public:
  two_gpus(int rank, std::string& sent) : rank_(rank), sent_(sent) {}
  int rank() const override { return rank_; }
  void broadcast(const char*, void* data, std::size_t bytes, int) override {
    if (rank_ == 0) sent_.assign(static_cast<const char*>(data), bytes);
    CHECK(sent_.size() == bytes);
    std::memcpy(data, sent_.data(), bytes);
  }
  void all_gather(const char*, const void* part, void* all, std::span<const std::size_t> bytes) override {
    std::memcpy(all, part, bytes[0]);
    std::memcpy(static_cast<char*>(all) + bytes[0], part, bytes[1]);
    static_cast<char*>(all)[bytes[0]] ^= 1;  // another GPU
  }

 private:
  int rank_;
  std::string& sent_;
};

using api = gnp::detail::nccl_api;

/// Another function in the place of one of NCCL's, for a time.
template <class F>
class of_nccl {
 public:
  of_nccl(F api::* which, F other)
      : place_(const_cast<api&>(gnp::detail::nccl()).*which), before_(std::exchange(place_, other)) {}
  of_nccl(const of_nccl&) = delete;
  of_nccl& operator=(const of_nccl&) = delete;
  ~of_nccl() { place_ = before_; }

 private:
  F& place_;
  F before_;
};
template <class F, class Other>
of_nccl(F api::*, Other) -> of_nccl<F>;

/// No machine has room for the stacks of threads that are started meanwhile.
class no_threads {
 public:
  no_threads() {
    pthread_attr_t other;
    ::pthread_getattr_default_np(&before_);
    ::pthread_getattr_default_np(&other);
    ::pthread_attr_setstacksize(&other, std::size_t{1} << 46);
    ::pthread_setattr_default_np(&other);
  }
  no_threads(const no_threads&) = delete;
  no_threads& operator=(const no_threads&) = delete;
  ~no_threads() { ::pthread_setattr_default_np(&before_); }

 private:
  pthread_attr_t before_;
};

struct connected {
  told host = {};
  gnp::array<float> x = gnp::array<float>(gnp::shape_t{8}, gnp::device::cuda(0));
  std::shared_ptr<communicator> gpus =
      std::make_shared<communicator>("a test", 0, 0, 2, gnp::detail::nccl_unique_id(), &host);
  void all_reduce() const {
    dist::detail::gpu_mover(0, gpus).all_reduce("all_reduce", x.data(), x.data(), 8, gnp::dtype::float32,
                                                dist::reduction::sum);
  }
};

void wait_until(const auto& is_so) {
  for (int i = 0; i < 500 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(is_so());
}

constexpr const char* late = "all_reduce: another process did not come within 0.1 s (process 0 of 2, cuda:0)";

}  // namespace

TEST_CASE("calls of NCCL that end in time leave nothing behind", "[nccl]") {
  const int aborts_before = aborts(), ends_before = ends();
  {
    const connected c;
    for (int i = 0; i < 3; ++i) c.all_reduce();
    CHECK_NOTHROW(gnp::asnumpy(c.x));
  }
  CHECK(aborts() == aborts_before);
  CHECK(ends() == ends_before + 1);
}

TEST_CASE("a call of NCCL that takes too long is ended, and said once", "[nccl]") {
  dist::set_timeout(0.1);
  state_of_events() = CUDA_ERROR_NOT_READY;
  const int aborts_before = aborts(), ends_before = ends();
  {
    const connected c;
    c.all_reduce();
    wait_until([&] { return aborts() == aborts_before + 1; });
    state_of_events() = CUDA_SUCCESS;
    CHECK(c.host.said == late);
    SECTION("by whoever waits for the GPU") {
      CHECK_THROWS_WITH(gnp::asnumpy(c.x), late);
      CHECK_NOTHROW(gnp::asnumpy(c.x));
      CHECK_THROWS_WITH(c.all_reduce(),
                        contains(std::string("all_reduce: an earlier call has failed: ") + late));
    }
    SECTION("by the next call") {
      CHECK_THROWS_AS(c.all_reduce(), gnp::distributed_error);
      CHECK_NOTHROW(gnp::asnumpy(c.x));
    }
  }
  CHECK(aborts() == aborts_before + 1);
  CHECK(ends() == ends_before);
  dist::set_timeout(600);
}

TEST_CASE("a group that ends waits for its calls, not for ever", "[nccl]") {
  dist::set_timeout(0.1);
  state_of_events() = CUDA_ERROR_NOT_READY;
  const int aborts_before = aborts();
  std::optional<connected> c(std::in_place);
  c->all_reduce();
  const gnp::array<float> x = c->x;
  c.reset();
  wait_until([&] { return aborts() == aborts_before + 1; });
  state_of_events() = CUDA_SUCCESS;
  CHECK_THROWS_WITH(gnp::asnumpy(x), late);
  dist::set_timeout(600);
}

TEST_CASE("an error of NCCL is thrown at once", "[nccl]") {
  auto& answer = variable_of<gnp::detail::nccl_status>(gnp::detail::nccl().library, "fake_answer");
  const int aborts_before = aborts();
  const connected c;
  answer = static_cast<gnp::detail::nccl_status>(6);
  CHECK_THROWS_WITH(c.all_reduce(),
                    "all_reduce: NCCL says an error of NCCL: and what was before it (process 0 of 2, cuda:0)");
  answer = gnp::detail::nccl_status::success;
  CHECK_NOTHROW(gnp::asnumpy(c.x));
  wait_until([&] { return aborts() == aborts_before + 1; });
}

TEST_CASE("where NCCL makes no id all are told", "[nccl]") {
  const of_nccl no_id(&api::ncclGetUniqueId,
                      [](gnp::detail::nccl_unique_id*) { return static_cast<gnp::detail::nccl_status>(6); });
  const std::string text = "NCCL makes no id for process 0 to connect the GPUs by: an error of NCCL";
  SECTION("when a group connects its GPUs") {
    std::string thrown[2];
    std::string sent;  // what the first tells the second
    for (int rank = 0; rank < 2; ++rank) {
      two_gpus host(rank, sent);
      try {
        static_cast<void>(dist::detail::connect_gpus("all_reduce", host, 0));
      } catch (const gnp::distributed_error& e) {
        thrown[rank] = e.what();
      }
    }
    CHECK(thrown[0] == "all_reduce: " + text);
    CHECK(thrown[1] == "all_reduce: " + text);
  }
  SECTION("when a group without MPI is split") {
    const of_nccl both_bring_the_same(&api::ncclAllGather,
                                      [](const void* part, void* all, std::size_t bytes, gnp::detail::nccl_type,
                                         communicator::handle, CUstream) {
                                        for (std::size_t r = 0; r < 2; ++r)
                                          std::memcpy(static_cast<char*>(all) + r * bytes, part, bytes);
                                        return gnp::detail::nccl_status::success;
                                      });
    const connected c;
    dist::detail::staged_engine all(std::make_shared<dist::detail::gpu_mover>(0, c.gpus));
    CHECK_THROWS_WITH(all.split("split", 0, 0), "split: " + text);
    CHECK(all.split("split", -1, 0) == nullptr);
  }
}

TEST_CASE("a communicator ends where no thread can be started", "[nccl]") {
  auto& answer = variable_of<gnp::detail::nccl_status>(gnp::detail::nccl().library, "fake_answer");
  const int aborts_before = aborts(), ends_before = ends();
  std::optional<connected> first(std::in_place), second(std::in_place);
  {
    const no_threads none;
    CHECK_THROWS_AS(std::thread([] {}), std::system_error);
    CHECK_THROWS_AS(connected(), std::system_error);
    answer = static_cast<gnp::detail::nccl_status>(6);
    CHECK_THROWS_AS(first->all_reduce(), gnp::distributed_error);
    answer = gnp::detail::nccl_status::success;
    CHECK(aborts() == aborts_before + 1);
    first.reset();
    second.reset();
  }
  CHECK(aborts() == aborts_before + 1);
  CHECK(ends() == ends_before);
}

TEST_CASE("an error of the thread that waits for NCCL is thrown", "[nccl]") {
  CHECK_THROWS_AS(communicator("no such GPU", 99, 0, 2, gnp::detail::nccl_unique_id(), nullptr),
                  std::exception);
}
