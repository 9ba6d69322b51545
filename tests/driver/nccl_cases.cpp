// SPDX-License-Identifier: MIT
// What gnp makes of calls of NCCL that fail or take too long: beside a driver and an NCCL that do nothing.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <gnp/core.hpp>
#include <gnp/distributed.hpp>
#include <optional>
#include <thread>

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
class told final : public dist::detail::engine {
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
  const connected c;
  answer = static_cast<gnp::detail::nccl_status>(6);
  CHECK_THROWS_WITH(c.all_reduce(),
                    "all_reduce: NCCL says an error of NCCL: and what was before it (process 0 of 2, cuda:0)");
  answer = gnp::detail::nccl_status::success;
  CHECK_NOTHROW(gnp::asnumpy(c.x));
}
