// SPDX-License-Identifier: MIT
// Drivers that are broken, old or without a device, a GPU without NVRTC, and transfers, which need no kernel:
// each case runs beside the fake driver of its name, see CMakeLists.txt.
#include <sys/wait.h>
#include <unistd.h>

#include <gnp/gnp.hpp>

#include "../catch.hpp"

namespace {

TEST_CASE("a driver that does not work is an error, not a reason to take the CPU", "[broken]") {
  CHECK_FALSE(gnp::cuda_available());
  for (int time = 0; time < 2; ++time) {  // not only the first time
    CHECK_THROWS_AS(gnp::default_device(), gnp::device_error);
    CHECK_THROWS_WITH(gnp::zeros({3}),
                      contains("the NVIDIA driver does not work: cuInit failed: the fake driver says "
                               "no. Set GNP_DEVICE=cpu to do without it"));
  }
  CHECK_THROWS_WITH(gnp::use_device(gnp::device::cuda(0)), contains("cuda:0: cuInit failed: "));
  const gnp::use_device on_cpu(gnp::device::cpu());  // asked for, the CPU is there
  CHECK((gnp::ones({3}) + 1).eval().item(2) == 2);
}

TEST_CASE("GNP_DEVICE=cpu does without a driver that does not work", "[broken-cpu]") {
  CHECK(gnp::default_device() == gnp::device::cpu());
  CHECK((gnp::ones({3}) + 1).eval().item(2) == 2);
}

TEST_CASE("GNP_DEVICE=cuda says why there is no GPU", "[broken-cuda]") {
  CHECK_THROWS_AS(gnp::default_device(), gnp::device_error);
  CHECK_THROWS_WITH(gnp::zeros({3}), contains("cuda:0: cuInit failed: the fake driver says no"));
}

TEST_CASE("a driver without a function that gnp needs is an error", "[old]") {
  CHECK_FALSE(gnp::cuda_available());
  CHECK_THROWS_AS(gnp::default_device(), gnp::device_error);
  CHECK_THROWS_WITH(gnp::zeros({3}),
                    contains("libcuda.so.1 has no function cuDriverGetVersion: it is too old for gnp"));
}

TEST_CASE("a driver without a device leaves the CPU", "[no-device]") {
  CHECK_FALSE(gnp::cuda_available());
  CHECK(gnp::default_device() == gnp::device::cpu());
  CHECK((gnp::ones({3}) + 1).eval().item(2) == 2);
  CHECK_THROWS_WITH(gnp::use_device(gnp::device::cuda(0)), contains("cuda:0: cuInit failed: "));
}

TEST_CASE("large transfers of ordinary memory go in pieces, by any number of threads", "[transfers]") {
  REQUIRE(gnp::default_device() == gnp::device::cuda(0));
  constexpr std::size_t mib = std::size_t{1} << 20;
  for (const std::size_t count : {mib, 2 * mib, 2 * mib + 1, 5 * mib - 1, 9 * mib + 513, 40 * mib + 7}) {
    std::vector<std::uint8_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 13);
    for (const int threads : {1, 2, 3, 8, 64}) {
      gnp::set_num_threads(threads);
      const gnp::array x = gnp::asarray(values);
      const auto back = gnp::asnumpy(x);
      INFO(count << " bytes, " << threads << " threads");
      CHECK(std::equal(values.begin(), values.end(), back.data()));
    }
  }
}

/// What body() returns in a child of this process, at most 99.
template <class Body>
int in_a_child(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("a child of fork() has no GPU once its parent had one, and says so", "[fork]") {
  // Before the driver is loaded a child may have it.
  CHECK(in_a_child([] { return gnp::asnumpy(gnp::asarray(std::vector<int>{1, 2}))[1]; }) == 2);
  const gnp::array<int> x = gnp::asarray(std::vector<int>{1, 2, 3});
  CHECK(in_a_child([&x] {
          const auto refused = [](const auto& work) {
            try {
              work();
              return false;
            } catch (const gnp::device_error& e) {
              return std::string(e.what()).find("forked from one that had started CUDA") != std::string::npos;
            }
          };
          {
            const gnp::array<int> dropped = x;  // and what is dropped here does no harm
          }
          if (!refused([] { gnp::zeros({3}); })) return 10;
          if (!refused([&x] { gnp::asnumpy(x); })) return 11;
          if (!refused([&x] { (x + 1).eval(); })) return 12;
          if (!refused([] { gnp::synchronize(); })) return 13;
          if (!refused([] { gnp::stream side; })) return 14;
          const gnp::use_device on_cpu(gnp::device::cpu());
          return (gnp::ones<int>({3}) + 1).eval().item(2);
        }) == 2);
  CHECK(gnp::asnumpy(x)[2] == 3);
}

TEST_CASE("a GPU without NVRTC holds arrays, and says what it cannot do", "[no-nvrtc]") {
  REQUIRE(gnp::cuda_available());
  REQUIRE(gnp::default_device() == gnp::device::cuda(0));
  const std::vector<float> values{1, 2, 3};
  const gnp::array<float> x = gnp::asarray(values);
  CHECK(x.device() == gnp::device::cuda(0));
  CHECK(gnp::asnumpy(x)[2] == 3);
  for (int time = 0; time < 2; ++time) {
    CHECK_THROWS_AS((x + 1).eval(), gnp::device_error);
    CHECK_THROWS_WITH(
        (x + 1).eval(),
        contains("NVRTC, which compiles gnp's kernels, was not found. Install the CUDA 12 or 13 toolkit "
                 "or the package nvidia-cuda-nvrtc, or set CUDA_HOME. Looked at\n  libnvrtc.so.13") &&
            contains("/usr/local/cuda/lib64"));
  }
  CHECK(gnp::asnumpy(x)[0] == 1);
  const gnp::array<float> y = x.to(gnp::device::cpu());
  CHECK((y + 1).eval().item(2) == 4);
}

}  // namespace
