// SPDX-License-Identifier: MIT
// test: asan, tsan, alone, simulated-gpu
// Kernels of a user's own, on a GPU and in the simulator of the CPU.
#include "user_kernels.hpp"

#include <cmath>
#include <numeric>
#include <thread>

#include "devices.hpp"

namespace {

using gnp::grid;
using gnp::index_t;

std::vector<float> some_numbers(index_t n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37 + 11) % 101) / 16.0f - 3;
  return x;
}

template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const gnp::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

GNP_KERNEL(leaves_early, (int* out, int n), {
  const int i = static_cast<int>(grid_index());
  if (i >= n) return;
  __syncthreads();
  out[i] = i;
});
GNP_KERNEL(waits_in_vain, (int* out), {
  const int i = static_cast<int>(grid_index());
  if (i < 16) {
    out[i] = __shfl_sync(0xffffffffu, i, 0);
  } else {
    __syncthreads();
    out[i] = i;
  }
});
GNP_KERNEL(foreign_lane, (int* out), { out[0] = __shfl_sync(0xfffffffeu, 1, 1); });
GNP_KERNEL(one_place, (int* out, bool with_barrier), {
  GNP_SHARED(int, place, [4]);
  if (threadIdx.x == 0) place[2] = -1;
  __syncthreads();
  if (threadIdx.x == 3) place[2] = 3;
  if (with_barrier) __syncthreads();
  if (threadIdx.x == 9) place[2] = 9;
  __syncthreads();
  out[threadIdx.x] = place[2];
});
GNP_KERNEL(counts_in_shared, (int* out), {
  GNP_SHARED(int, count);
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
});
GNP_KERNEL(reads_beside, (gnp::array_view<const float, 1> in, gnp::array_view<float, 1> out), {
  const gnp::index_t i = grid_index();
  if (i < out.shape(0)) out(i) = in(i + 1);
});

GNP_KERNEL(reductions_of_warps, (int* out), {
  const int x = 10 - static_cast<int>(threadIdx.x);
  int* const own = out + 6 * threadIdx.x;
  own[0] = __reduce_add_sync(0xffffffffu, x);
  own[1] = __reduce_min_sync(0xffffffffu, x);
  own[2] = __reduce_max_sync(0xffffffffu, x);
  own[3] = static_cast<int>(__reduce_add_sync(0xffffffffu, threadIdx.x));
  own[4] = static_cast<int>(__reduce_min_sync(0xffffffffu, threadIdx.x + 1));
  own[5] = static_cast<int>(__reduce_max_sync(0xffffffffu, threadIdx.x));
});
// The first thread waits for the third, which waits for the second.
GNP_KERNEL(waits_for_others, (int* flags, int* out), {
  if (threadIdx.x == 0) {
    while (atomicCAS(&flags[1], 1, 2) != 1) {
    }
    out[0] = flags[0] + flags[1];
  } else if (threadIdx.x == 1) {
    atomicExch(&flags[0], 5);
  } else {
    while (atomicAdd(&flags[0], 0) == 0) {
    }
    atomicExch(&flags[1], 1);
  }
});

namespace one {
GNP_DEVICE_FUNCTION(float, step_of, (float x), { return x + 1; })
GNP_DEVICE_FUNCTION(float, half_of, (float x), { return x / 2; })
GNP_KERNEL(steps, (float* y), { y[0] = step_of(y[0]); });
GNP_KERNEL(halves, (float* y), { y[0] = half_of(y[0]); });
}  // namespace one
namespace two {
GNP_DEVICE_FUNCTION(float, step_of, (float x), { return x * 100; })
GNP_DEVICE_FUNCTION(float, half_of, (float x), { return x / 2; })
}  // namespace two

GNP_KERNEL(launches_another, (int* out),
           { counts_in_shared(gnp::blocks(1, 1))(gnp::from_pointer(out, {1}, gnp::device::cpu())); })

}  // namespace

TEST_CASE("a kernel along one dimension") {
  for_each_device([](gnp::device) {
    for (const index_t n : {0, 1, 2, 3, 255, 256, 257, 10000}) {
      const std::vector<float> x = some_numbers(n);
      std::vector<float> expected(x.size(), 0.0f);
      for (std::size_t i = 1; i + 1 < x.size(); ++i) expected[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
      for (const grid& g : {grid(n), grid(n, 256), grid(n, 33), grid(n, 1024), gnp::blocks(n, 1)}) {
        const gnp::array<float> y = gnp::zeros<float>(n);
        smooth3(g)(gnp::asarray(x), y, n);
        CHECK(gnp::to_vector(y) == expected);
      }
    }
  });
}

TEST_CASE("arguments that are expressions, numbers of other types, a grid with fewer threads than elements") {
  for_each_device([](gnp::device) {
    const std::vector<float> x = some_numbers(1000);
    gnp::array<float> y = gnp::ones<float>(1000);
    saxpy(grid(1000))(2, gnp::asarray(x) + 1, y, 1000.0);
    std::vector<float> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = 2 * (x[i] + 1) + 1;
    CHECK(gnp::to_vector(y) == expected);

    selu_of(gnp::blocks(3, 64))(gnp::asarray(x), y, y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double v = x[i];
      expected[i] = static_cast<float>(1.0507009873554805 * (v > 0 ? v : 1.6732632423543772 * std::expm1(v)));
    }
    CHECK(gnp::allclose(y, gnp::asarray(expected), {.rtol = 1e-5, .atol = 1e-6}));
  });
}

TEST_CASE("a template, functions that call functions, two types in one kernel") {
  for_each_device([](gnp::device) {
    const gnp::array<int> x = gnp::arange<int>(-10, 10);
    const gnp::array<double> y = gnp::zeros<double>(20);
    fourth_powers(grid(20, 20))(x, y, 20);
    for (int i = 0; i < 20; ++i) CHECK(y.item(i) == std::pow(i - 10, 4) + i);
    const gnp::array<long long> z = gnp::zeros<long long>(20);
    fourth_powers(grid(20, 20))(x, z, 20);
    for (int i = 0; i < 20; ++i) CHECK(static_cast<double>(z.item(i)) == std::pow(i - 10, 4) + i);
  });
  CHECK(square(3) == 9);  // a device function is a function on the host, too
  CHECK(fourth_power(0.5) == 0.0625);
  CHECK(thread_number() == 0);
}

TEMPLATE_TEST_CASE("a transposition through shared memory, of views in any order", "", float, double, gnp::half,
                   std::int8_t, gnp::complex128) {
  for_each_device([](gnp::device) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {16, 16}, {17, 33}, {100, 3}, {1, 50}}) {
      const gnp::array<TestType> a =
          (gnp::arange<float>(rows * columns) % 100).reshape({rows, columns}).template astype<TestType>();
      gnp::array<TestType> t = gnp::zeros<TestType>({columns, rows});
      const grid g({columns, rows}, {TEST_TILE, TEST_TILE});
      transposed(g)(a, t);
      CHECK(gnp::array_equal(t, a.T()));
      // Backwards, every other row, and into a part of something larger.
      gnp::array<TestType> large = gnp::zeros<TestType>({columns + 2, 2 * rows});
      transposed(g)(gnp::flip(a), large(gnp::slice(1, -1), gnp::slice(gnp::none, gnp::none, 2)));
      CHECK(gnp::array_equal(large(gnp::slice(1, -1), gnp::slice(gnp::none, gnp::none, 2)), gnp::flip(a).T()));
      CHECK(gnp::array_equal(large(0), gnp::zeros<TestType>(2 * rows)));
      CHECK(gnp::array_equal(large(gnp::all, gnp::slice(1, gnp::none, 2)),
                             gnp::zeros<TestType>({columns + 2, rows})));
    }
  });
}

TEST_CASE("a matrix product with tiles in shared memory") {
  for_each_device([](gnp::device) {
    for (const int n : {1, 15, 16, 70}) {
      const std::vector<float> a = some_numbers(index_t{n} * n);
      const gnp::array<float> c = gnp::full<float>({n, n}, -1);
      const gnp::array<float> left = gnp::asarray(a).reshape({n, n});
      const gnp::array<float> right = left + 1;
      matrix_product(grid({n, n}, {TEST_TILE, TEST_TILE}).checked())(left, right, c, n);
      for (int i = 0; i < n; i += 7) {
        for (int j = 0; j < n; j += 5) {
          double sum = 0;
          for (int k = 0; k < n; ++k) {
            sum +=
                double{a[static_cast<std::size_t>(i * n + k)]} * (a[static_cast<std::size_t>(k * n + j)] + 1);
          }
          CHECK(c.item(i, j) == Approx(sum).epsilon(1e-5));
        }
      }
    }
  });
}

TEST_CASE("sums of blocks by shuffles, shared memory and an atomic addition") {
  for_each_device([](gnp::device) {
    for (const int block : {1, 5, 32, 33, 100, 256, 1024}) {
      const gnp::array<double> x = gnp::arange<double>(5000);
      const gnp::array<double> sum = gnp::zeros<double>(1);
      // Lanes that a block does not have give nothing to the others.
      if (block % 32 != 0 && gnp::default_device().is_cuda()) continue;
      block_sums(grid(5000, block))(x, sum, 5000);
      if (block % 32 == 0) CHECK(sum.item() == 5000.0 * 4999.0 / 2);
    }
  });
}

TEST_CASE("votes, shuffles and counts") {
  for_each_device([](gnp::device) {
    constexpr unsigned threads = 48;  // a warp and a half
    const gnp::array<unsigned> out = gnp::zeros<unsigned>({threads, 12});
    warp_functions(gnp::blocks(1, threads))(out);
    const gnp::host_array<unsigned> h = gnp::asnumpy(out);
    for (unsigned t = 0; t < threads; ++t) {
      INFO("thread " << t);
      const unsigned first = t / 32 * 32;
      const unsigned lanes = first == 0 ? 32 : 16;
      const unsigned lane = t % 32;
      unsigned thirds = 0;
      unsigned matches = 0;
      for (unsigned l = 0; l < lanes; ++l) {
        thirds |= (first + l) % 3 == 0 ? 1U << l : 0U;
        matches |= (first + l) % 4 == t % 4 ? 1U << l : 0U;
      }
      CHECK(h(t, 0) == thirds);
      CHECK(h(t, 1) == (first == 0 ? 1U : 0U));
      CHECK(h(t, 2) == (first == 0 ? 1U : 0U));
      CHECK(h(t, 3) == first + 7);
      CHECK(h(t, 4) == (lane % 8 < 3 ? t : t - 3));
      CHECK(h(t, 5) == (lane % 8 >= 5 ? t : t + 3));
      CHECK(h(t, 6) == (t ^ 1U));
      CHECK(h(t, 7) == matches);
      CHECK(h(t, 8) == threads / 2);
      CHECK(h(t, 9) == 0);
      CHECK(h(t, 10) == 1);
      if (lane < 16) CHECK(h(t, 11) == first + 15);
      if (first == 0 && lane >= 16) CHECK(h(t, 11) == 16);
    }
  });
}

TEST_CASE("a warp's sum, least and greatest number") {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<int> out = gnp::zeros<int>({32, 6});
  reductions_of_warps(gnp::blocks(1, 32))(out);
  CHECK(gnp::to_vector(out(7)) == std::vector<int>{320 - 496, -21, 10, 496, 1, 31});
}

TEST_CASE("the simulator lets a thread wait for others by atomic operations") {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<int> flags = gnp::zeros<int>(2);
  const gnp::array<int> out = gnp::zeros<int>(1);
  waits_for_others(gnp::blocks(1, 3))(flags, out);
  CHECK(out.item() == 7);
}

TEST_CASE("functions of one name in two namespaces of a file") {
  const gnp::array<float> y = gnp::ones<float>(1);
  CHECK(message_of([&] { static_cast<void>(one::steps.source(y)); }) ==
        std::string("GNP_DEVICE_FUNCTION: ") + __FILE__ + " has different functions of the name step_of");
  CHECK(one::halves.source(y).find("half_of") != std::string::npos);
}

TEST_CASE("functions of numbers have CUDA's types and values") {
  for_each_device([](gnp::device) {
    const gnp::array<double> out = gnp::zeros<double>(14);
    functions_of_numbers(grid(1, 1))(-4.0f, 2, out);
    const std::vector<double> found = gnp::to_vector(out);
    const std::vector<double> wanted{444, 444, 488, 12, -1, -1, 0.5, 0.2, 7, 0.5, 203, 472, 1.875, 7};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      INFO("number " << i);
      CHECK(std::abs(found[i] - wanted[i]) <= 1e-15 * std::abs(wanted[i]));
    }
    functions_of_numbers(grid(1, 1))(std::numeric_limits<float>::quiet_NaN(), 2, out);
    CHECK((out.item(3) == 1 || out.item(3) == 9));  // a NaN's sign is its own
    functions_of_numbers(grid(1, 1))(std::numeric_limits<float>::infinity(), 2, out);
    CHECK(out.item(3) == 2);
  });
}

TEST_CASE("atomic operations of many blocks") {
  for_each_device([](gnp::device) {
    constexpr int n = 3000;
    gnp::array<int> i = gnp::zeros<int>(9);
    i(5) = -1;
    const gnp::array<unsigned> u = gnp::zeros<unsigned>(2);
    const gnp::array<float> f = gnp::zeros<float>(1);
    const gnp::array<long long> wide = gnp::zeros<long long>(1);
    atomic_functions(grid(n, 128))(i, u, f, wide, n);
    int exclusive = 0;
    for (int t = 0; t < n; ++t) exclusive ^= t;
    CHECK(gnp::to_vector(i) == std::vector<int>{n * (n - 1) / 2, -n, -(n - 1), n - 1, (1 << 20) - 1,
                                                ~((1 << 20) - 1), exclusive, 42, 2 * n});
    CHECK(gnp::to_vector(u) == std::vector<unsigned>{n % 10, static_cast<unsigned>((10 - n % 10) % 10)});
    CHECK(f.item() == 0.5f * n);
    CHECK(wide.item() == (1LL << 33) * n);
  });
}

TEST_CASE("shared memory of the size that the launch says") {
  for_each_device([](gnp::device) {
    const gnp::array<int> x = gnp::arange<int>(512);
    const gnp::array<int> y = gnp::zeros<int>(512);
    reversed_blocks(gnp::blocks(8, 64).shared_memory(64 * sizeof(int)))(x, y);
    CHECK(gnp::array_equal(y.reshape({8, 64}), gnp::flip(x.reshape({8, 64}), 1)));
  });
}

TEST_CASE("three dimensions, and numbers of every kind") {
  for_each_device([](gnp::device) {
    const gnp::array<int> out = gnp::zeros<int>({3, 5, 7});
    for (const grid& g : {grid({7, 5, 3}), grid({7, 5, 3}, {2, 3, 2}), gnp::blocks({7, 5, 3}, {1, 1, 1})}) {
      out.fill(-1);
      places_3d(g)(out);
      for (int z = 0; z < 3; ++z) {
        for (int y = 0; y < 5; ++y) {
          for (int x = 0; x < 7; ++x) CHECK(out.item(z, y, x) == 100 * z + 10 * y + x);
        }
      }
    }
    const gnp::array<double> d = gnp::zeros<double>(10);
    numbers(grid(1, 1))(true, -7, 200, 30000.0, std::size_t{1} << 40, 0.5, 3, 1e300, gnp::complex64(1, -2), d);
    CHECK(gnp::to_vector(d) == std::vector<double>{1, -7, 200, 30000, 1099511627776.0, 0.5, 3, 1e300, 1, -2});
  });
}

TEST_CASE("the Mandelbrot set") {
  for_each_device([](gnp::device) {
    const gnp::array<int> steps = gnp::zeros<int>({30, 40});
    // (Pixels that are exact: a GPU rounds a product and a sum at once.)
    mandelbrot(grid({40, 30}))(steps, -2, 1.125, 0.0625, 60);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const std::complex<double> c(-2 + 0.0625 * x, 1.125 - 0.0625 * y);
        std::complex<double> z = 0;
        int count = 0;
        while (count < 60 && z.real() * z.real() + z.imag() * z.imag() <= 4) {
          z = {z.real() * z.real() - z.imag() * z.imag() + c.real(), 2 * z.real() * z.imag() + c.imag()};
          ++count;
        }
        CHECK(steps.item(y, x) == count);
      }
    }
  });
}

TEST_CASE("kernels from several threads at once, and with one thread") {
  const gnp::use_device guard(gnp::device::cpu());
  std::atomic<int> right{0};
  const auto work = [&right] {
    const gnp::use_device on_cpu(gnp::device::cpu());
    for (int round = 0; round < 5; ++round) {
      const gnp::array<double> sum = gnp::zeros<double>(1);
      block_sums(grid(3000, 64))(gnp::arange<double>(3000), sum, 3000);
      right += sum.item() == 3000.0 * 2999.0 / 2 ? 1 : 0;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  const int usual = gnp::get_num_threads();
  gnp::set_num_threads(1);
  work();
  gnp::set_num_threads(usual);
  CHECK(right == 20);
}

TEST_CASE("the simulator says which threads do not come to a barrier") {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<int> out = gnp::zeros<int>(64);
  CHECK(message_of([&] { leaves_early(gnp::blocks(2, 32))(out, 40); }) ==
        "leaves_early: thread (8, 0, 0) of block (1, 0, 0) has ended, and 8 threads wait at a barrier: all "
        "threads of "
        "a block have to come to a barrier");
  CHECK(message_of([&] { waits_in_vain(gnp::blocks(1, 32))(out); }) ==
        "waits_in_vain: block (0, 0, 0) cannot go on: 16 threads wait at a barrier, 16 threads for other lanes "
        "of "
        "their warp, thread (0, 0, 0) among them for lanes 0xffffffff");
  CHECK(message_of([&] { foreign_lane(gnp::blocks(1, 32))(out); }) ==
        "foreign_lane: thread (0, 0, 0) of block (0, 0, 0) is lane 0, which is not among those it waits for");
  CHECK(
      message_of([&] { launches_another(gnp::blocks(1, 2))(out); }) ==
      "launches_another: thread (0, 0, 0) of block (0, 0, 0) launches counts_in_shared: a kernel cannot launch "
      "another one");
  // It works on after that.
  leaves_early(gnp::blocks(2, 32))(out, 64);
  CHECK(gnp::array_equal(out, gnp::arange<int>(64)));
}

TEST_CASE("the simulator finds threads that write one place") {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<int> out = gnp::zeros<int>(40);
  CHECK(message_of([&] { one_place(gnp::blocks(1, 40).checked())(out, false); }) ==
        "one_place: threads (3, 0, 0) and (9, 0, 0) of block (0, 0, 0) both write element 2 of place, with no "
        "barrier between them");
  one_place(gnp::blocks(1, 40))(out, false);  // nobody asked
  one_place(gnp::blocks(1, 40).checked())(out, true);
  CHECK(gnp::array_equal(out, gnp::full<int>(40, 9)));
  counts_in_shared(gnp::blocks(1, 40).checked())(out);
  CHECK(out.item(0) == 40);
}

TEST_CASE("indices out of bounds of a view") {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<float> x = gnp::arange<float>(100);
  const gnp::array<float> y = gnp::zeros<float>(100);
  CHECK_THROWS_AS(reads_beside(grid(100, 64))(x, y), gnp::index_error);
  CHECK(message_of([&] { reads_beside(grid(100, 64))(x, y); }) ==
        "reads_beside: thread (35, 0, 0) of block (1, 0, 0): index 100 is out of bounds for axis 0 with size "
        "100");
  reads_beside(grid(100, 64))(x, y(gnp::slice(99)));
  CHECK(y.item(98) == 99);
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::array<float> gx = x.to(gnp::device::cuda());
  const gnp::array<float> gy = y.to(gnp::device::cuda());
  reads_beside(grid(100, 64).checked())(gx, gy);
  CHECK(message_of([&] { gnp::synchronize(gnp::device::cuda()); }) ==
        "reads_beside: index 100 is out of bounds for axis 0 with size 100");
}

TEST_CASE("what a kernel does not take") {
  for_each_device([](gnp::device d) {
    const gnp::array<float> x = gnp::arange<float>(10);
    const gnp::array<float> y = gnp::zeros<float>(10);
    CHECK(message_of([&] { saxpy(grid(10))(1, x, y, 3000000000); }) ==
          "saxpy: argument 4 is 3000000000, which is no int32");
    CHECK(message_of([&] { saxpy(grid(10))(1, x, y, 2.5); }) ==
          "saxpy: argument 4 is 2.500000, which is no int32");
    CHECK(message_of([&] { saxpy(grid(10))(1, x, y, std::nan("")); }).find("saxpy: argument 4 is ") == 0);
    CHECK(message_of([&] { saxpy(grid(10))(1, x, y, gnp::half(2.5F)); }) ==
          "saxpy: argument 4 is 2.500000, which is no int32");
    CHECK(message_of([&] { saxpy(grid(10))(1, x, y, gnp::bfloat16(1e20F)); }).find("saxpy: argument 4 ") == 0);
    saxpy(grid(10))(0, x, y, gnp::half(10.0F));
    CHECK(message_of([&] { smooth3(grid(5))(x(gnp::slice(gnp::none, gnp::none, 2)), y, 5); }) ==
          "smooth3: argument 1 has gaps or another order than its shape, which a pointer cannot tell: declare "
          "the "
          "parameter as an array_view, or pass x.copy()");
    CHECK(message_of([&] { smooth3(grid(5))(x, gnp::broadcast_to(y(0), {5}), 5); }).find("smooth3: ") == 0);
    CHECK(message_of([&] { transposed(grid(5))(x, y); }) ==
          "transposed: argument 1 has shape (10,), and its parameter is an array_view of 2 dimensions");
    CHECK(message_of([&] { reads_beside(grid(5))(x, gnp::broadcast_to(y(gnp::slice(1)), {5})); }) ==
          "reads_beside: the destination is a broadcast view of shape (5,) and cannot be written: copy() it "
          "first");
    if (d.is_cuda()) CHECK_THROWS_AS(smooth3(grid(5))(x.to(gnp::device::cpu()), y, 5), gnp::device_error);
    CHECK(message_of([&] { smooth3(gnp::blocks({1, 70000}, {1, 1}))(x, y, 5); }) ==
          "smooth3: a grid has up to 2147483647 blocks along x and 65535 along y and z, got (1, 70000, 1)");
    constexpr gnp::index_t far = gnp::index_t{1} << 31;
    CHECK_THROWS_AS(smooth3(gnp::blocks(2 * far, 1))(x, y, 5), gnp::shape_error);
    CHECK_THROWS_AS(smooth3(gnp::blocks(far << 23, 1024))(x, y, 5), gnp::shape_error);
    CHECK_THROWS_AS(smooth3(grid((std::numeric_limits<gnp::index_t>::max)()))(x, y, 5), gnp::shape_error);
    CHECK_THROWS_AS(smooth3(gnp::blocks({far, far, 4}, {1, 1, 1}))(x, y, 5), gnp::shape_error);
    if (d.is_cuda()) {
      const gnp::array<int> z = gnp::zeros<int>(64);
      CHECK_THROWS_AS(reversed_blocks(gnp::blocks(1, 64).shared_memory(std::size_t{1} << 32))(z, z),
                      gnp::error);
    }
  });
  CHECK_THROWS_WITH(grid(-1), "grid: sizes start at 0, got (-1,)");
  CHECK_THROWS_WITH(grid(10, 2048), "grid: a block has up to 1024 threads, and 64 along z, got (2048,)");
  CHECK_THROWS_WITH(grid({8, 8, 100}, {1, 1, 65}),
                    "grid: a block has up to 1024 threads, and 64 along z, got (1, 1, 65)");
  CHECK_THROWS_WITH(grid({10, 10}, {16}),
                    "grid: threads (10, 10) and blocks of (16,) must have the same number of dimensions");
  CHECK_THROWS_WITH(grid({1, 1, 1, 1}), "grid: a kernel has 1 to 3 dimensions, got (1, 1, 1, 1)");
  CHECK_THROWS_WITH(grid(10, 0), "grid: sizes start at 1, got (0,)");
  CHECK_THROWS_WITH(grid(10).cluster(0), "grid: a cluster of 0 blocks");
}

TEST_CASE("a kernel inside a function") {
  GNP_DEVICE_FUNCTION(int, three_times, (int x), { return 3 * x; })
  GNP_KERNEL(triples, (int* x, int n), {
    const int i = static_cast<int>(grid_index());
    if (i < n) x[i] = three_times(x[i]);
  });
  for_each_device([&](gnp::device) {
    const gnp::array<int> x = gnp::arange<int>(100);
    triples(grid(100))(x, 100);
    CHECK(gnp::array_equal(x, 3 * gnp::arange<int>(100)));
  });
}
