// SPDX-License-Identifier: MIT
// What goes wrong among processes: each prints "process R: message" for what it gets.  faults <case>
#ifndef WITHOUT_MPI
#define GNP_MPI
#endif
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <gnp/core.hpp>
#include <gnp/distributed.hpp>
#include <thread>
#include <vector>

namespace dist = gnp::distributed;

namespace {

void call(const auto& f) {
  try {
    f();
    std::printf("process %d: nothing wrong\n", dist::world().rank());
  } catch (const gnp::error& e) {
    std::printf("process %d: %s\n", dist::world().rank(), e.what());
  }
  std::fflush(stdout);
}

#ifndef WITHOUT_MPI
/// A message that comes when nobody waits for it any more, and its memory is in use for something else.
void receive_too_late() {
  const dist::group& world = dist::world();
  std::vector<char> memory(1000, 'a');
  const dist::detail::message one[] = {{1 - world.rank(), memory.data(), memory.size()}};
  if (world.rank() == 1) {
    std::this_thread::sleep_for(std::chrono::seconds(4));
    call([&] { world.engine()->exchange("send", one, {}); });
    return;
  }
  call([&] { world.engine()->exchange("receive", {}, one); });
  memory.assign(memory.size(), 'b');
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(4)) {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);  // lets MPI go on
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::printf("the memory is %s\n", memory == std::vector<char>(1000, 'b') ? "its own" : "written to");
  std::fflush(stdout);
  MPI_Finalize();  // which gnp leaves out after a failure: the others do come here
}
#endif

}  // namespace

int main(int, char** arguments) {
  const char* const wanted = arguments[1];
  if (std::strcmp(wanted, "start") == 0) {
    try {
      std::printf("a world of %d\n", dist::world().size());
    } catch (const gnp::distributed_error& e) {
      std::printf("%s\n", e.what());
    }
    return 0;
  }
  const dist::group& world = dist::world();
  const int me = world.rank();
  if (std::strcmp(wanted, "shapes") == 0) {  // nobody has asked for checks
    call([&] { static_cast<void>(gnp::asnumpy(world.all_reduce(gnp::ones<float>(me == 1 ? 50000 : 3)))); });
  } else if (std::strcmp(wanted, "slow") == 0) {
    if (me == 1) std::this_thread::sleep_for(std::chrono::seconds(6));
    call([&] { static_cast<void>(gnp::asnumpy(world.all_reduce(gnp::ones(3)))); });
    if (me == 0) call([&] { world.barrier(); });
  } else if (std::strcmp(wanted, "killed") == 0) {
    if (me == 1) std::raise(SIGKILL);
    call([&] { static_cast<void>(gnp::asnumpy(world.all_reduce(gnp::ones(3)))); });
#ifndef WITHOUT_MPI
  } else if (std::strcmp(wanted, "message") == 0 && me < 2) {
    receive_too_late();
#endif
  }
  return 0;
}
