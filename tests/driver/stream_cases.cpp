// SPDX-License-Identifier: MIT
// Which stream waits for which, watched by the fake driver (order_of_work.hpp): no GPU is needed to see that
// memory is not written, or given to another array, while a stream may still read it.
#include <dlfcn.h>

#include <atomic>
#include <gnp/core.hpp>
#include <optional>
#include <random>
#include <thread>

#include "../catch.hpp"
#include "order_of_work.hpp"

namespace {

using gnp::detail::submission;

order_of_work& watched() {
  void* const entry = ::dlsym(gnp::detail::driver().library.handle, "fake_order_of_work");
  return *reinterpret_cast<order_of_work* (*)()>(entry)();
}

constexpr gnp::device first_gpu = gnp::device::cuda(0);

gnp::array<float> new_array(gnp::index_t size = 256) { return {gnp::shape_t{size}, first_gpu}; }

/// Queues a copy from one array to another: work that reads the one and writes the other.
void copy(const gnp::array<float>& from, const gnp::array<float>& to) {
  const submission work(to.device());
  const auto source = reinterpret_cast<CUdeviceptr>(work.reads(from));
  const auto target = reinterpret_cast<CUdeviceptr>(work.writes(to));
  GNP_CUDA_CALL(cuMemcpyDtoDAsync, target, source, static_cast<std::size_t>(to.nbytes()), work.handle());
}

TEST_CASE("readers wait for the writer and not for each other; a writer waits for them", "[streams]") {
  const gnp::stream writer(first_gpu);
  const gnp::stream left(first_gpu);
  const gnp::stream right(first_gpu);
  const gnp::array<float> source = new_array();
  gnp::array<float> x;
  {
    const gnp::use_stream on(writer);
    x = new_array();
    copy(source, x);
  }
  const auto read_on = [&x](const gnp::stream& s) {
    const gnp::use_stream on(s);
    copy(x, new_array());
  };
  for (int round = 0; round < 3; ++round) {
    read_on(left);
    read_on(right);
  }
  CHECK_FALSE(watched().comes_after(left.handle(), right.handle()));
  CHECK_FALSE(watched().comes_after(right.handle(), left.handle()));
  CHECK(watched().comes_after(left.handle(), writer.handle()));
  CHECK(watched().comes_after(right.handle(), writer.handle()));
  {
    const gnp::use_stream on(writer);
    copy(source, x);
  }
  CHECK(watched().comes_after(writer.handle(), left.handle()));
  CHECK(watched().comes_after(writer.handle(), right.handle()));
  CHECK(watched().conflicts() == 0);
}

TEST_CASE("freed memory is not waited for by streams that had done with it", "[streams]") {
  const gnp::stream producer(first_gpu);
  const gnp::stream consumer(first_gpu);
  const gnp::array<float> source = new_array();
  gnp::array<float> x;
  {
    const gnp::use_stream on(producer);
    x = new_array();
    copy(source, x);
  }
  {
    const gnp::use_stream on(consumer);
    copy(x, new_array());
  }
  {
    const gnp::use_stream on(producer);
    copy(source, new_array());  // the next piece
  }
  x = new_array();
  CHECK_FALSE(watched().comes_after(consumer.handle(), producer.handle()));
  CHECK(watched().conflicts() == 0);
}

TEST_CASE("many streams read one array", "[streams]") {
  std::vector<std::unique_ptr<gnp::stream>> streams;
  for (int i = 0; i < 9; ++i) streams.push_back(std::make_unique<gnp::stream>(first_gpu));
  for (int round = 0; round < 4; ++round) {
    const gnp::array<float> x = new_array();
    copy(new_array(), x);
    for (const auto& s : streams) {
      const gnp::use_stream on(*s);
      copy(x, new_array());
      copy(x, new_array());
    }
    if (round % 2 == 0) {
      const gnp::use_stream on(*streams[4]);
      copy(new_array(), x);
    }
  }
  CHECK(watched().conflicts() == 0);
}

TEST_CASE("random work on random streams, by one thread", "[streams]") {
  std::mt19937 random(1);
  std::vector<std::unique_ptr<gnp::stream>> streams;
  for (int i = 0; i < 5; ++i) streams.push_back(std::make_unique<gnp::stream>(first_gpu));
  std::vector<gnp::array<float>> arrays(6, new_array());
  for (int step = 0; step < 20000; ++step) {
    if (step % 500 == 0) streams[random() % streams.size()] = std::make_unique<gnp::stream>(first_gpu);
    std::optional<gnp::use_stream> on;
    if (random() % 6 != 0) on.emplace(*streams[random() % streams.size()]);
    gnp::array<float>& to = arrays[random() % arrays.size()];
    if (random() % 4 == 0) to = new_array();
    copy(arrays[random() % arrays.size()], to);
  }
  CHECK(watched().conflicts() == 0);
}

TEST_CASE("threads with streams of their own read one array, which is freed by the last of them", "[streams]") {
  watched().dawdle();
  constexpr int threads = 4;
  for (int round = 0; round < 200; ++round) {
    std::optional<gnp::array<float>> shared = new_array();
    copy(new_array(), *shared);
    std::atomic<int> ready{0};
    std::vector<std::thread> readers;
    std::vector<gnp::array<float>> mine(threads, *shared);
    shared.reset();
    for (int t = 0; t < threads; ++t) {
      readers.emplace_back([&ready, x = std::move(mine[static_cast<std::size_t>(t)])]() mutable {
        const gnp::stream own(first_gpu);
        const gnp::use_stream on(own);
        const gnp::array<float> result = new_array();
        ++ready;
        while (ready < threads) {
        }
        copy(x, result);
        x = new_array();  // may be the memory just freed
        copy(result, x);
      });
    }
    mine.clear();
    for (std::thread& reader : readers) reader.join();
  }
  CHECK(watched().conflicts() == 0);
}

TEST_CASE("threads with streams of their own write rows of one array, which all of it is read from",
          "[streams]") {
  watched().dawdle();
  constexpr int threads = 4;
  std::vector<std::unique_ptr<gnp::stream>> streams;
  for (int i = 0; i < threads; ++i) streams.push_back(std::make_unique<gnp::stream>(first_gpu));
  for (int round = 0; round < 100; ++round) {
    const gnp::array<float> x = new_array();
    std::atomic<int> ready{0};
    std::vector<std::thread> writers;
    for (int t = 0; t < threads; ++t) {
      writers.emplace_back([&, t] {
        const gnp::use_stream on(*streams[static_cast<std::size_t>(t)]);
        const gnp::array<float> row = new_array();
        ++ready;
        while (ready < threads) {
        }
        copy(row, x);
      });
    }
    for (std::thread& writer : writers) writer.join();
    // Writers of one place have no order among themselves, but whoever reads comes after all of them.
    const gnp::stream reader(first_gpu);
    const gnp::use_stream on(reader);
    copy(x, new_array());
    for (const auto& s : streams) CHECK(watched().comes_after(reader.handle(), s->handle()));
  }
}

TEST_CASE("a stream of one GPU leaves the streams of the others alone", "[streams]") {
  const gnp::stream first(first_gpu);
  const gnp::stream second(gnp::device::cuda(1));
  const gnp::use_stream outer(first);
  {
    const gnp::use_stream inner(second);
    CHECK(gnp::detail::current_stream(gnp::detail::gpu_at(0)) == first.state());
    CHECK(gnp::detail::current_stream(gnp::detail::gpu_at(1)) == second.state());
  }
  CHECK(gnp::detail::current_stream(gnp::detail::gpu_at(1)) != second.state());
}

TEST_CASE("an order that fails leaves the context as it was", "[streams]") {
  const gnp::stream first(first_gpu);
  const gnp::stream second(gnp::device::cuda(1));
  gnp::detail::activate(1);
  watched().fail_next_record();
  CHECK_THROWS_AS(gnp::detail::order_after(first.state(), second.state()), gnp::device_error);
  CUcontext current = nullptr;
  gnp::detail::driver().cuCtxGetCurrent(&current);
  CHECK(current == gnp::detail::gpu_at(1).context);
}

TEST_CASE("out of memory empties what every stream keeps", "[streams]") {
  constexpr gnp::index_t mib = (1 << 20) / sizeof(float);
  watched().limit_memory(std::size_t{300} << 20);
  {
    const gnp::stream other(first_gpu);
    {
      const gnp::use_stream on(other);
      std::vector<gnp::array<float>> many;
      for (int i = 0; i < 6; ++i) many.push_back(new_array(40 * mib));
    }
    CHECK_NOTHROW(new_array(200 * mib));
    CHECK_THROWS_AS(new_array(400 * mib), gnp::out_of_memory);
    {
      const gnp::use_stream on(other);
      std::vector<gnp::array<float>> many;
      for (int i = 0; i < 6; ++i) many.push_back(new_array(40 * mib));
    }
    CHECK_NOTHROW(gnp::graph([] { new_array(200 * mib); }, first_gpu));
    CHECK_THROWS_AS(gnp::graph([] { new_array(400 * mib); }, first_gpu), gnp::out_of_memory);
  }
  watched().limit_memory(static_cast<std::size_t>(-1));
}

}  // namespace
