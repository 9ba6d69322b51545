// SPDX-License-Identifier: MIT
// test: no-asan
// Arrays that go from stream to stream and from thread to thread: nothing is read before it is there, and no
// memory is given away while it is read. (tests/driver looks at the order itself, without a GPU.)
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

constexpr gnp::index_t count = 1 << 18;

// Long enough for a thread to let go of the array, and to fill another, while it is read.
GNP_UFUNC(slow_twice, (x), auto y = x, for (int i = 0; i < 2000; ++i) y = sqrt(y * y), x + y);

std::string all_are(const gnp::array<float>& x, float value) {
  const gnp::host_array<float> host = gnp::asnumpy(x);
  for (gnp::index_t i = 0; i < host.size(); ++i) {
    if (host[i] != value)
      return std::to_string(host[i]) + " at " + std::to_string(i) + ", not " + std::to_string(value);
  }
  return "";
}

}  // namespace

TEST_CASE("threads with streams of their own read an array that the last of them frees") {
  for_each_device([](gnp::device d) {
    constexpr int threads = 8;
    const int rounds = d.is_cuda() ? 40 : 1;
    for (int round = 1; round <= rounds; ++round) {
      const auto value = static_cast<float>(round);
      std::vector<gnp::array<float>> handles;
      handles.push_back(gnp::full({d.is_cuda() ? count : 64}, value));
      while (handles.size() < threads) handles.push_back(handles[0]);
      std::vector<std::string> wrong(threads);
      std::atomic<int> ready{0};
      std::vector<std::thread> readers;
      for (int t = 0; t < threads; ++t) {
        readers.emplace_back([&, t, x = std::move(handles[static_cast<std::size_t>(t)])]() mutable {
          const gnp::use_device guard(d);
          const gnp::stream own;
          const gnp::use_stream on(own);
          ++ready;
          while (ready < threads) {
          }
          const gnp::array<float> result = slow_twice(x);
          const gnp::shape_t shape = x.shape();
          x = gnp::array<float>();
          const gnp::array<float> next = gnp::full(shape, -1.0F);  // in the memory of x, perhaps
          wrong[static_cast<std::size_t>(t)] = all_are(result, 2 * value) + all_are(next, -1);
        });
      }
      handles.clear();
      for (std::thread& reader : readers) reader.join();
      for (const std::string& w : wrong) REQUIRE(w == "");
    }
  });
}

TEST_CASE("what one stream writes another reads, and the first writes again") {
  for_each_device([](gnp::device d) {
    const gnp::stream first;
    const gnp::stream second;
    const gnp::index_t size = d.is_cuda() ? count : 64;
    gnp::array<float> x = gnp::zeros<float>({size});
    for (int round = 1; round <= (d.is_cuda() ? 50 : 2); ++round) {
      gnp::array<float> doubled;
      {
        const gnp::use_stream on(first);
        x += 1;
      }
      {
        const gnp::use_stream on(second);
        doubled = slow_twice(x);
      }
      {
        const gnp::use_stream on(first);
        x += 1;
        x -= 1;
      }
      REQUIRE(all_are(doubled, 2 * static_cast<float>(round)) == "");
    }
  });
}

TEST_CASE("every other element, to the end of memory that belongs to somebody else") {
#if GNP_HAS_CUDA
  if (gnp::cuda_available()) {
    const gnp::use_device guard(gnp::device::cuda(0));
    // Memory that ends with the view; one element further there may be nothing.
    for (const gnp::index_t size : {1, 2, 3, 31, 255, 256, 1001, 4096, 4097}) {
      gnp::detail::activate(0);
      CUdeviceptr memory = 0;
      const auto bytes = static_cast<std::size_t>(size) * sizeof(float);
      GNP_CUDA_CALL(cuMemAllocAsync, &memory, bytes, CU_STREAM_LEGACY);
      {
        const gnp::array<float> x = gnp::from_pointer(reinterpret_cast<float*>(memory), {size});
        x.assign(gnp::arange<float>(size));
        for (const int start : {0, 1}) {
          const gnp::array<float> view = x(gnp::slice(start, gnp::none, 2));
          const gnp::array<float> next = view + 1;
          CHECK(gnp::array_equal(next,
                                 gnp::arange<float>(static_cast<double>(start + 1),
                                                    static_cast<double>(start + 1 + 2 * view.size()), 2.0)));
          CHECK(gnp::sum(view).item() == gnp::sum(next).item() - static_cast<float>(view.size()));
        }
        gnp::synchronize();
      }
      gnp::detail::driver().cuMemFreeAsync(memory, CU_STREAM_LEGACY);
    }
    return;
  }
#endif
  say_that_cuda_was_skipped();
}
