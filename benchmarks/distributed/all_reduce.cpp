// SPDX-License-Identifier: MIT
// all_reduce of several GPUs beside NCCL called by hand on the same memory, in turn, in one run.
//   distributed_all_reduce            a thread for each GPU of this process
// Processes that RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT describe run it as they are.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <gnp/distributed.hpp>
#include <gnp/gnp.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#if GNP_HAS_CUDA

namespace {

namespace dist = gnp::distributed;
using gnp::array;
using gnp::index_t;
using gnp::detail::nccl;

/// NCCL as its manual has it: a communicator and a stream.
class by_hand {
 public:
  explicit by_hand(const dist::group& world) {
    gnp::detail::nccl_unique_id id;
    if (world.rank() == 0) check(nccl().ncclGetUniqueId(&id));
    world.engine()->broadcast("by hand", &id, sizeof id, 0);
    gnp::detail::activate(gnp::default_device().ordinal());
    check(nccl().ncclCommInitRank(&communicator_, world.size(), id, world.rank()));
  }
  ~by_hand() { nccl().ncclCommAbort(communicator_); }
  by_hand(const by_hand&) = delete;
  by_hand& operator=(const by_hand&) = delete;

  void all_reduce(const array<float>& from, const array<float>& into, CUstream stream) const {
    check(nccl().ncclAllReduce(from.data(), into.data(), static_cast<std::size_t>(from.size()),
                               gnp::detail::nccl_type::float32, gnp::detail::nccl_operation::sum, communicator_,
                               stream));
  }

 private:
  static void check(gnp::detail::nccl_status status) {
    if (status != gnp::detail::nccl_status::success) throw std::runtime_error(gnp::detail::nccl_text(status));
  }
  gnp::detail::nccl_handle communicator_ = nullptr;
};

/// Seconds per call of the slowest process: `calls` of them between two moments at which all GPUs are idle.
double seconds(const dist::group& world, index_t calls, bool each_is_waited_for, const auto& call) {
  using clock = std::chrono::steady_clock;
  gnp::synchronize();
  world.barrier();
  const auto start = clock::now();
  for (index_t i = 0; i < calls; ++i) {
    call();
    if (each_is_waited_for) gnp::synchronize();
  }
  gnp::synchronize();
  double own = std::chrono::duration<double>(clock::now() - start).count() / static_cast<double>(calls);
  world.engine()->all_reduce("seconds", &own, &own, 1, gnp::dtype::float64, dist::reduction::max);
  return own;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(const dist::group& world, const char* what, index_t calls, bool each_is_waited_for,
             const auto& ours, const auto& theirs) {
  std::vector<double> a, b;
  for (int round = -1; round < 9; ++round) {  // the first is for warmth
    const double x = seconds(world, calls, each_is_waited_for, ours);
    const double y = seconds(world, calls, each_is_waited_for, theirs);
    if (round < 0) continue;
    a.push_back(x);
    b.push_back(y);
  }
  if (world.rank() != 0) return;
  std::printf("%-46s gnp %10.2f us, NCCL by hand %10.2f us, ratio of times %.3f\n", what, median(a) * 1e6,
              median(b) * 1e6, median(a) / median(b));
  std::fflush(stdout);
}

void measure() {
  const dist::group& world = dist::world();
  const by_hand nccl_by_hand(world);
  const gnp::stream stream;
  const auto rows = [&](const char* where) {
    for (const index_t bytes : {index_t{1} << 10, index_t{1} << 20, index_t{1} << 30}) {
      const array<float> x = gnp::ones<float>(bytes / 4), y = gnp::zeros<float>(bytes / 4);
      CUstream queue = nullptr;
      {
        const gnp::detail::submission work(x.device());
        queue = work.handle();
      }
      const std::string size = bytes >> 20 == 0   ? std::to_string(bytes >> 10) + " KiB"
                               : bytes >> 30 == 0 ? std::to_string(bytes >> 20) + " MiB"
                                                  : std::to_string(bytes >> 30) + " GiB";
      if (!bool(gnp::all(world.all_reduce(x) == static_cast<float>(world.size()))))
        throw std::runtime_error("a wrong sum");
      const auto by_nccl = [&] { nccl_by_hand.all_reduce(x, y, queue); };
      const auto by_gnp = [&] { static_cast<void>(world.all_reduce(x)); };
      const index_t calls = bytes >> 30 != 0 ? 5 : 200;
      const std::string text = std::string(where) + ", " + size;
      compare(world, (text + ", one after the other").c_str(), calls, false, by_gnp, by_nccl);
      compare(world, (text + ", each waited for").c_str(), calls, true, by_gnp, by_nccl);
      array<float> z = gnp::zeros<float>(bytes / 4);
      compare(
          world, (text + ", in place").c_str(), calls, false, [&] { world.all_reduce_in_place(z); },
          [&] { nccl_by_hand.all_reduce(y, y, queue); });
    }
  };
  rows("default stream");
  const gnp::use_stream guard(stream);
  rows("a stream");
}

}  // namespace

int main() {
  if (!gnp::cuda_available()) {
    std::puts("skipped: no CUDA device");
    return 0;
  }
  if (dist::detail::number_in("WORLD_SIZE") > 1) {
    measure();
  } else {
    dist::run(measure);
  }
}

#else

int main() { std::puts("skipped: compiled without the CUDA headers"); }

#endif
