// SPDX-License-Identifier: MIT
// Graphs beside a driver that records copies, refuses what cannot be recorded, and watches the order of what
// replays use.
#include <dlfcn.h>

#include <cstring>
#include <gnp/gnp.hpp>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "order_of_work.hpp"

namespace {

using gnp::detail::submission;
constexpr gnp::device gpu = gnp::device::cuda(0);

order_of_work& watched() {
  void* const entry = ::dlsym(gnp::detail::driver().library.handle, "fake_order_of_work");
  return *reinterpret_cast<order_of_work* (*)()>(entry)();
}

gnp::array<int> new_array(gnp::index_t size = 256) { return {gnp::shape_t{size}, gpu}; }

void copy(const gnp::array<int>& from, const gnp::array<int>& to) {
  const submission work(to.device());
  const auto source = reinterpret_cast<CUdeviceptr>(work.reads(from));
  const auto target = reinterpret_cast<CUdeviceptr>(work.writes(to));
  GNP_CUDA_CALL(cuMemcpyDtoDAsync, target, source, static_cast<std::size_t>(to.nbytes()), work.handle());
}

}  // namespace

TEST_CASE("replays come after what writes their inputs, and before what reads their results", "[graphs]") {
  const gnp::array<int> in = new_array(), out = new_array();
  const gnp::stream left(gpu), right(gpu);
  const int before = watched().conflicts();
  std::optional<gnp::graph> g;
  g.emplace(
      [&] {
        const gnp::array<int> through = new_array();
        copy(in, through);
        copy(through, out);
      },
      gpu);
  for (int round = 1; round <= 4; ++round) {
    const std::vector<int> given(256, round);
    {
      const gnp::use_stream on(round % 2 == 0 ? left : right);
      copy(gnp::asarray(given).to(gpu), in);
    }
    {
      const gnp::use_stream on(round % 3 == 0 ? left : right);
      (*g)();
    }
    CHECK(gnp::asnumpy(out)[7] == round);
  }
  g.reset();
  for (int i = 0; i < 20; ++i) copy(in, new_array());
  CHECK(watched().conflicts() == before);
}

TEST_CASE("a graph's memory is nobody else's while it lives", "[graphs]") {
  const gnp::array<int> in = new_array(), out = new_array();
  std::vector<const int*> used;
  std::optional<gnp::graph> g;
  g.emplace(
      [&] {
        for (int i = 0; i < 30; ++i) {
          const gnp::array<int> through = new_array();
          used.push_back(through.data());
          copy(in, through);
          copy(through, out);
        }
      },
      gpu);
  CHECK(std::set(used.begin(), used.end()).size() <= 9);  // but its own again
  (*g)();
  std::vector<gnp::array<int>> others;
  for (int i = 0; i < 50; ++i) others.push_back(new_array());
  for (const gnp::array<int>& other : others) CHECK(other.data() != used[0]);
  g.reset();
}

namespace {

using awaited = order_of_work::awaited_pieces;

template <class Body>
awaited order_of(const Body& body) {
  const gnp::graph g(body, gpu);
  return watched().last_graph();
}

}  // namespace

TEST_CASE("recorded work waits for what it shares written memory with, and for nothing else", "[graphs]") {
  const gnp::array<int> a = new_array(), b = new_array(), c = new_array(), d = new_array();
  CHECK(order_of([&] { copy(a, b), copy(c, d); }) == awaited{{}, {}});
  CHECK(order_of([&] { copy(a, b), copy(a, c); }) == awaited{{}, {}});
  CHECK(order_of([&] { copy(a, b), copy(b, c); }) == awaited{{}, {0}});
  CHECK(order_of([&] { copy(a, b), copy(c, b); }) == awaited{{}, {0}});
  CHECK(order_of([&] { copy(a, b), copy(a, c), copy(d, a); }) == awaited{{}, {}, {0, 1}});
  // The first comes before the second, for which the last waits.
  CHECK(order_of([&] { copy(a, b), copy(b, c), copy(b, d), copy(c, b); }) == awaited{{}, {0}, {0}, {1, 2}});
  CHECK(order_of([&] { copy(a, a), copy(a, a), copy(b, b); }) == awaited{{}, {0}, {}});
}

TEST_CASE("what is queued in one piece is in order, and waits for what is named meanwhile", "[graphs]") {
  const gnp::array<int> a = new_array(), b = new_array(), c = new_array(), d = new_array(), e = new_array();
  const auto queue = [](const submission& work, const gnp::array<int>& from, const gnp::array<int>& to) {
    const auto source = reinterpret_cast<CUdeviceptr>(work.reads(from));
    const auto target = reinterpret_cast<CUdeviceptr>(work.writes(to));
    GNP_CUDA_CALL(cuMemcpyDtoDAsync, target, source, 4, work.handle());
  };
  CHECK(order_of([&] {
          copy(a, b);
          {
            const submission work(gpu);
            queue(work, c, d);
            queue(work, b, e);
          }
          copy(d, c);
        }) == awaited{{}, {}, {0, 1}, {2}});
  // A piece within another one is part of it.
  CHECK(order_of([&] {
          copy(a, b);
          {
            const submission work(gpu);
            queue(work, c, d);
            copy(a, e);
          }
          copy(e, c);
        }) == awaited{{}, {}, {1}, {2}});
  // One that names memory and queues nothing is none.
  CHECK(order_of([&] {
          copy(a, b);
          {
            const submission work(gpu);
            work.writes(b);
          }
          copy(c, d);
        }) == awaited{{}, {}});
}

TEST_CASE("work whose memory nobody has named comes after all before it and before all after it", "[graphs]") {
  const gnp::array<int> a = new_array(), b = new_array(), c = new_array(), d = new_array();
  const auto unnamed = [&](CUstream stream) {
    GNP_CUDA_CALL(cuMemcpyDtoDAsync, reinterpret_cast<CUdeviceptr>(d.data()),
                  reinterpret_cast<CUdeviceptr>(c.data()), 4, stream);
  };
  const awaited all{{}, {}, {0, 1}, {2}, {2}};
  CHECK(order_of([&] {
          copy(a, b), copy(c, d);
          unnamed(submission(gpu).handle());
          copy(a, b), copy(c, d);
        }) == all);
  CHECK(order_of([&] {
          copy(a, b), copy(c, d);
          {
            const submission work(gpu);
            unnamed(work.handle());
          }
          copy(a, b), copy(c, d);
        }) == all);
  for (const bool named_before : {false, true}) {
    CHECK(order_of([&] {
            copy(a, b), copy(c, d);
            {
              const submission work(gpu);
              if (named_before) work.writes(a);
              work.uses_anything();
              if (!named_before) work.writes(a);
              unnamed(work.handle());
            }
            copy(a, b), copy(c, d);
          }) == all);
  }
}

TEST_CASE("recorded work on parts of memory that overlap is ordered", "[graphs]") {
  const gnp::array<int> whole = new_array(300), b = new_array(), c = new_array();
  const auto part = [&](gnp::index_t first) { return gnp::from_pointer(whole.data() + first, {100}, gpu); };
  const gnp::array<int> left = part(0), middle = part(50), right = part(120);
  CHECK(order_of([&] { copy(b, left), copy(b, right); }) == awaited{{}, {}});
  CHECK(order_of([&] { copy(b, left), copy(b, right), copy(b, middle); }) == awaited{{}, {}, {0, 1}});
  CHECK(order_of([&] { copy(b, left), copy(right, b), copy(c, whole); }) == awaited{{}, {0}, {1}});
  CHECK(order_of([&] { copy(c, whole), copy(b, left), copy(middle, b); }) == awaited{{}, {0}, {1}});
}

TEST_CASE("recorded kernels that count share counters one after the other", "[graphs]") {
  const gnp::array<int> from = new_array();
  std::vector<gnp::array<int>> to;
  for (int i = 0; i < 6; ++i) to.push_back(new_array());
  CHECK(order_of([&] {
          for (const gnp::array<int>& each : to) {
            const submission work(gpu);
            work.writes(each);
            gnp::detail::counters_of(work.stream());
            copy(from, each);
          }
        }) == awaited{{}, {}, {}, {}, {0}, {1}});
}

TEST_CASE("recorded work waits for what had its scratch memory before", "[graphs]") {
  const gnp::array<int> from = new_array();
  std::vector<gnp::array<int>> to;
  for (int i = 0; i < 10; ++i) to.push_back(new_array());
  const awaited all = order_of([&] {
    for (const gnp::array<int>& each : to) {
      const submission work(gpu);
      const auto scratch = gnp::detail::storage_ref::allocate(5000, gpu);
      copy(from, each);
    }
  });
  for (std::size_t i = 0; i < 8; ++i) CHECK(all[i].empty());
  CHECK(all[8] == std::vector<std::size_t>{0});
  CHECK(all[9] == std::vector<std::size_t>{1});
}

TEST_CASE("as much recorded work as a GPU runs side by side waits for nothing", "[graphs]") {
  std::vector<gnp::array<int>> from, to;
  for (int i = 0; i < 400; ++i) {
    from.push_back(new_array(1));
    to.push_back(new_array(1));
  }
  const awaited all = order_of([&] {
    for (std::size_t i = 0; i < from.size(); ++i) copy(from[i], to[i]);
    copy(to.front(), to.back());
  });
  CHECK(all[31].empty());
  CHECK(all[32] == std::vector<std::size_t>{0});
  CHECK(all[399] == std::vector<std::size_t>{367});
  // (The first is so far back that it is not known what comes between.)
  CHECK(all[400] == std::vector<std::size_t>{0, 368, 399});
}

TEST_CASE("a driver that fails to order what is recorded is an error", "[graphs]") {
  const gnp::array<int> a = new_array(), b = new_array();
  watched().fail_order_of_graphs(true);
  CHECK_THROWS_AS(order_of([&] { copy(a, b), copy(b, a); }), gnp::device_error);
  watched().fail_order_of_graphs(false);
  CHECK(order_of([&] { copy(a, b); }) == awaited{{}});
}

TEST_CASE("copies from the host are of what was there when they were recorded", "[graphs]") {
  gnp::array<int> out = new_array(3);
  std::vector<int> host{1, 2, 3};
  gnp::graph g([&] { copy(gnp::asarray(host), out); }, gpu);
  host = {4, 5, 6};
  g();
  CHECK(gnp::asnumpy(out)[2] == 3);
}

TEST_CASE("each replay has the sources of random numbers that the body's next run would have", "[graphs]") {
  using gnp::detail::numbers_of_call;
  const auto state = std::make_shared<gnp::detail::generator_state>();
  state->seed = 17;
  state->calls = 5;
  constexpr gnp::index_t words = sizeof(gnp::scalar::random_source) / sizeof(int);
  constexpr int draws = 70;  // more than fit a page
  const gnp::array<int> out = new_array(draws * words);
  const auto source_of = [&](std::uint64_t number) {
    numbers_of_call numbers{state->seed, 0, 0};
    numbers.recorded =
        std::make_shared<const gnp::detail::recorded_draw>(gnp::detail::recorded_draw{state, number});
    return number % 4 == 0 ? numbers : numbers.inner(3);
  };
  gnp::graph g(
      [&] {
        auto& draw = gnp::detail::recorded_draws::here();
        for (gnp::index_t i = 0; i < draws; ++i) {
          const numbers_of_call numbers = source_of(draw.calls_of(state, 2));
          const submission work(gpu);
          const auto to = reinterpret_cast<CUdeviceptr>(work.writes(out) + i * words);
          const auto from = reinterpret_cast<CUdeviceptr>(draw.place(numbers, 1 << 30));
          GNP_CUDA_CALL(cuMemcpyDtoDAsync, to, from, sizeof(gnp::scalar::random_source), work.handle());
        }
      },
      gpu);
  CHECK(state->calls == 5);
  const auto check = [&](std::uint64_t seed, std::uint64_t first) {
    const gnp::host_array<int> got = gnp::asnumpy(out);
    for (std::uint64_t i = 0; i < draws; ++i) {
      const numbers_of_call call{seed, first + 2 * i, 0};
      const gnp::scalar::random_source want = (i % 2 == 0 ? call : call.inner(3)).from(1 << 30);
      CHECK(std::memcmp(got.data() + i * words, &want, sizeof want) == 0);
    }
  };
  g();
  check(17, 5);
  g();
  check(17, 5 + 2 * draws);
  state->calls = 1;
  state->seed = 18;
  g();
  check(18, 1);
  CHECK(state->calls == 1 + 2 * draws);
}

TEST_CASE("what waits is refused, and the recording ends", "[graphs]") {
  const gnp::array<int> in = new_array(1), out = new_array(1);
  copy(gnp::asarray({5}).to(gpu), in);
  const auto recorded = [](const auto& body) { gnp::graph g(body, gpu); };
  CHECK_THROWS_AS(recorded([&] { std::ignore = int(in); }), gnp::graph_error);
  CHECK_THROWS_AS(recorded([&] { gnp::synchronize(gpu); }), gnp::graph_error);
  CHECK_THROWS_AS(recorded([&] {
                    copy(in, out);
                    throw std::out_of_range("mine");
                  }),
                  std::out_of_range);
  copy(in, out);
  CHECK(int(out) == 5);
  gnp::graph g([&] { copy(in, out); }, gpu);
  g();
  CHECK(int(out) == 5);
}

TEST_CASE("threads wait for the whole GPU while another one records", "[graphs]") {
  const gnp::array<int> in = new_array(), out = new_array();
  gnp::graph g(
      [&] {
        copy(in, out);
        std::thread([&] {
          copy(in, new_array());
          CHECK_NOTHROW(gnp::synchronize(gpu));
        }).join();
      },
      gpu);
  CHECK_NOTHROW(gnp::synchronize(gpu));
  g();
}

TEST_CASE("a profile times work by events on its streams, and a graph by its calls", "[profile]") {
  const gnp::profile seen;
  const std::vector<int> host(256, 7);
  const gnp::array<int> in = gnp::asarray(host).to(gpu), out = new_array();
  gnp::graph g([&] { copy(in, out); }, gpu);
  const gnp::stream side(gpu);
  {
    const gnp::use_stream on(side);
    for (int i = 0; i < 3; ++i) g();
    CHECK(gnp::asnumpy(out)[7] == 7);
  }
  const auto check = [&](const char* name, std::int64_t calls, std::size_t bytes) {
    INFO(name);
    for (const gnp::profile_row& row : seen.rows()) {
      if (row.name != name || row.device.is_cpu()) continue;
      CHECK(row.calls == calls);
      CHECK(row.bytes == bytes);
      CHECK(row.seconds == Approx(0.002 * static_cast<double>(calls)));  // each interval of the fake driver's
      return;
    }
    FAIL("not seen");
  };
  check("copy from the host", 1, 1024);
  check("copy to the host", 1, 1024);
  check("graph", 3, 0);
}
