// SPDX-License-Identifier: MIT
// What goes wrong among the threads of run() is a named error on all of them, in time.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <gnp/core.hpp>
#include <gnp/distributed.hpp>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "checks.hpp"

namespace {

/// How many allocations of this thread succeed before one fails; any number where it is negative.
thread_local int allocations_left = -1;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = allocations_left == 0 ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (allocations_left >= 0) --allocations_left;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

namespace dist = gnp::distributed;

/// What f() does to the threads, and how long it takes: what run() throws, and what each thread has caught.
struct outcome {
  std::string thrown;
  std::string caught[4];
  double seconds = 0;
};
template <class F>
outcome run_threads(const F& f, int threads = 3) {
  outcome result;
  const auto start = std::chrono::steady_clock::now();
  try {
    dist::run(threads, [&] {
      try {
        f(dist::world());
      } catch (const gnp::distributed_error& e) {
        result.caught[dist::world().rank()] = e.what();
        throw;
      }
    });
  } catch (const gnp::error& e) {
    result.thrown = e.what();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void a_thread_that_throws() {
  const outcome o = run_threads([](const dist::group& world) {
    const auto pair = world.split(world.rank() / 2);  // two of them, and one that waits elsewhere
    if (world.rank() == 1) throw gnp::shape_error("what the program has to say");
    if (world.rank() == 0) pair->barrier();
    static_cast<void>(world.all_reduce(gnp::ones(3)));
  });
  CHECK(o.thrown == "what the program has to say");
  CHECK(contains(o.caught[0], "process 1 has ended with an exception"));
  CHECK(contains(o.caught[2], "process 1 has ended with an exception"));
  CHECK(o.seconds < 20);
}

void a_thread_that_never_comes() {
  const outcome gone = run_threads([](const dist::group& world) {
    if (world.rank() != 1) static_cast<void>(world.all_reduce(gnp::ones(3)));
  });
  // (The thread that calls after the other has found this says that an earlier call has failed, and why.)
  CHECK(contains(gone.thrown, "all_reduce: "));
  CHECK(contains(gone.thrown, "process 1 has ended"));
  CHECK(gone.seconds < 20);

  dist::set_timeout(0.5);
  const outcome late = run_threads([](const dist::group& world) {
    if (world.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(2));
    try {
      static_cast<void>(world.all_reduce(gnp::ones(3)));
    } catch (const gnp::distributed_error& e) {
      if (world.rank() == 0) CHECK(contains(e.what(), "all_reduce: another process did not come within 0.5 s"));
      CHECK_THROWS(gnp::distributed_error, "barrier: an earlier call", world.barrier());
      return;
    }
    CHECK(std::string("the call ends").empty());
  });
  CHECK(late.thrown.empty());
  CHECK(late.seconds < 20);
  const outcome message = run_threads([](const dist::group& world) {
    if (world.rank() == 0) world.send(gnp::ones(100000), 1);
    if (world.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(1));
  });
  CHECK(contains(message.thrown, "send: "));
  dist::set_timeout(600);
}

/// Whatever still keeps a place in its groups: an array elsewhere, or a group that an exception has ended.
void a_thread_that_ends_is_noticed() {
  dist::set_timeout(30);
  std::vector<std::optional<dist::array<double>>> kept(2);
  const outcome with_array = run_threads(
      [&](const dist::group& world) {
        kept[static_cast<std::size_t>(world.rank())] = dist::zeros({4});
        if (world.rank() == 1) world.barrier();
      },
      2);
  CHECK(contains(with_array.thrown, "barrier: process 0 has ended"));
  CHECK(with_array.seconds < 20);
  const outcome in_part = run_threads([](const dist::group& world) {
    try {
      const auto pair = world.split(world.rank() == 0 ? -1 : 0);
      if (world.rank() == 1) pair->barrier();
      if (world.rank() == 2) throw 1;
    } catch (int) {
    }
  });
  CHECK(contains(in_part.thrown, "barrier: process 1 has ended"));  // of the pair
  CHECK(in_part.seconds < 20);
  dist::set_timeout(600);
}

/// A thread may end while others go on without it. Whoever waits for one that has ended is told.
void a_thread_that_is_done_first() {
  const auto ending_early = [](bool sends, gnp::index_t size) {
    return run_threads([=](const dist::group& world) {
      if (world.rank() == 2) return;
      if (world.rank() == 0) CHECK(world.receive<double>(1).size() == size);
      if (world.rank() == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // longer than a wait goes without looking
      if (sends) world.send(gnp::ones(size), 0);
    });
  };
  CHECK(ending_early(true, 3).thrown.empty());
  CHECK(ending_early(true, 100000).thrown.empty());  // not copied
  CHECK(contains(ending_early(false, 3).thrown, "receive: process 1 has ended"));
  for (int attempt = 0; attempt < 30; ++attempt) {
    CHECK(run_threads([](const dist::group& world) { static_cast<void>(world.gather(gnp::arange(4))); }, 4)
              .thrown.empty());
  }
}

/// A thread ends the run while others copy out of this one's memory: this one does not go on before they have.
/// (The copies have to last longer than a wait goes without looking. Whether the thread throws meanwhile is up
/// to the machine, which may be busy: it has some attempts.)
template <class Call>
bool throws_while_others_copy(const Call& call) {
  constexpr std::size_t bytes = std::size_t{1} << 27;
  bool is_told = false;
  const outcome o = run_threads(
      [&](const dist::group& world) {
        const auto three = world.split(world.rank() == 3 ? -1 : 0);
        const std::unique_ptr<void, void (*)(void*)> memory(std::calloc(bytes, 1), std::free);
        auto* const data = static_cast<unsigned char*>(memory.get());
        if (world.rank() == 0) std::memset(data, 1, bytes);
        world.barrier();
        if (world.rank() == 3) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          throw gnp::shape_error("what the program has to say");
        }
        try {
          call(*three->engine(), data, bytes);
        } catch (const gnp::distributed_error&) {
          if (world.rank() == 0) is_told = true;
        }
        if (world.rank() == 0) std::memset(data, 2, bytes);  // as if others had it now
        if (world.rank() != 0) CHECK(std::find(data, data + bytes, 2) == data + bytes);
      },
      4);
  CHECK(o.thrown == "what the program has to say");
  return is_told;
}
template <class Call>
void a_thread_that_throws_while_others_copy(const Call& call) {
  bool is_told = false;
  for (int attempt = 0; attempt < 20 && !is_told; ++attempt) is_told = throws_while_others_copy(call);
  CHECK(is_told);
}

void memory_stays_while_it_is_copied() {
  a_thread_that_throws_while_others_copy([](dist::detail::engine& all, void* data, std::size_t bytes) {
    all.broadcast("broadcast", data, bytes, 0);
  });
  a_thread_that_throws_while_others_copy([](dist::detail::engine& all, void* data, std::size_t bytes) {
    const dist::detail::message sent[] = {{1, data, bytes}, {2, data, bytes}}, received[] = {{0, data, bytes}};
    if (all.rank() == 0) {
      all.exchange("send", sent, {});
    } else {
      all.exchange("receive", {}, received);
    }
  });
}

/// Any allocation of a call may fail: the thread says so, and the others do not wait for it for ever.
void a_thread_without_memory() {
  bool has_passed = false;
  for (int allowed = 0; !has_passed; ++allowed) {
    const auto call = [&](const dist::group& world) {
      double from[1000] = {}, into[1000] = {};
      if (world.rank() == 1) allocations_left = allowed;
      const dist::detail::message sent[] = {{(world.rank() + 1) % 3, from, sizeof from}};
      const dist::detail::message received[] = {{(world.rank() + 2) % 3, into, sizeof into}};
      try {
        world.engine()->all_reduce("all_reduce", from, into, 1000, gnp::dtype::float64, dist::reduction::sum);
        world.engine()->exchange("exchange", sent, received);
        if (world.rank() == 1) has_passed = allocations_left >= 0;
      } catch (const std::bad_alloc&) {
        CHECK(world.rank() == 1);
        allocations_left = -1;
        CHECK_THROWS(gnp::distributed_error, "an earlier call among the processes has failed", world.barrier());
      }
      allocations_left = -1;
    };
    CHECK(run_threads(call).seconds < 20);
  }
}

void a_thread_that_cannot_be_started() {
  bool has_passed = false, others_are_told = false;
  for (int allowed = 0; !has_passed; ++allowed) {
    allocations_left = allowed;
    try {
      dist::run(3, [&] {
        try {
          dist::world().barrier();
        } catch (const gnp::distributed_error& e) {
          const std::lock_guard guard(checks::lock);
          if (contains(e.what(), "barrier: a thread could not be started")) others_are_told = true;
          throw;
        }
      });
      has_passed = allocations_left >= 0;
    } catch (const std::bad_alloc&) {
    }
    allocations_left = -1;
  }
  CHECK(others_are_told);
}

/// What is waited for on a thread of its own is not the end of the program.
void what_throws_while_it_is_waited_for() {
  CHECK_THROWS(gnp::distributed_error, "no such GPU",
               dist::detail::why_not_in_time([] { throw gnp::distributed_error("no such GPU"); },
                                             [] { return std::string(); }));
}

void other_shapes() {
  dist::run(3, [] {
    const dist::group& world = dist::world();
    CHECK_THROWS(gnp::distributed_error,
                 "all_reduce: process 0 calls all_reduce with 12 bytes, process 1 all_reduce with 16",
                 world.all_reduce(gnp::ones<float>(world.rank() == 1 ? 4 : 3)));
    CHECK_THROWS(gnp::distributed_error, "in another way",
                 world.all_reduce(gnp::ones<float>(3),
                                  {.op = world.rank() == 2 ? dist::reduction::max : dist::reduction::sum}));
    CHECK(int(world.all_reduce(gnp::asarray(1))) == 3);  // the group goes on
  });
}

void what_run_refuses() {
  CHECK_THROWS(gnp::distributed_error, "run: the number of threads must be positive, got 0",
               dist::run(0, [] {}));
  dist::run(1, [] {
    CHECK_THROWS(gnp::distributed_error, "run: this is a thread of run() already", dist::run(1, [] {}));
  });
  CHECK(dist::world().size() == 1);  // outside
}

/// Kernels of NCCL wait for GPUs whose threads do not come: whoever waits for the kernels is told.
void on_gpus() {
  const auto connected = [](const dist::group& world) { CHECK(int(world.all_reduce(gnp::asarray(1))) == 2); };
  const outcome o = run_threads(
      [&](const dist::group& world) {
        connected(world);
        if (world.rank() == 1) throw gnp::shape_error("what the program has to say");
        static_cast<void>(gnp::asnumpy(world.all_reduce(gnp::ones(3))));
      },
      2);
  CHECK(o.thrown == "what the program has to say");
  CHECK(contains(o.caught[0], "all_reduce: process 1 has ended with an exception (process 0 of 2, cuda:0)"));

  dist::set_timeout(2);
  const outcome late = run_threads(
      [&](const dist::group& world) {
        connected(world);
        if (world.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(5));
        const auto sum = world.all_reduce(gnp::ones(3));  // nobody waits yet
        static_cast<void>(gnp::asnumpy(sum));
      },
      2);
  CHECK(contains(late.thrown, "all_reduce: another process did not come within 2 s (process 0 of 2, cuda:0)"));
  CHECK(late.seconds < 20);
  const outcome first = run_threads(
      [&](const dist::group& world) {
        if (world.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(5));
        static_cast<void>(gnp::asnumpy(world.all_reduce(gnp::ones(3))));
      },
      2);
  CHECK(contains(first.thrown, "all_reduce: another process did not come within 2 s"));
  dist::set_timeout(600);
  CHECK(run_threads(connected, 2).thrown.empty());  // a new world is a new beginning
}

}  // namespace

int main() {
  a_thread_that_throws();
  a_thread_that_never_comes();
  a_thread_that_ends_is_noticed();
  a_thread_that_is_done_first();
  memory_stays_while_it_is_copied();
  a_thread_without_memory();
  a_thread_that_cannot_be_started();
  what_throws_while_it_is_waited_for();
  other_shapes();
  what_run_refuses();
  if (gnp::default_device().is_cuda() && gnp::detail::cuda_device_count() > 1) {
    on_gpus();
  } else {
    std::puts("skipped: fewer than two CUDA devices");
  }
  return checks::result();
}
