// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// The kernel texts of random numbers are compiled for every architecture, which takes NVRTC but no GPU.
#include <gnp/gnp.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

using gnp::dtype;

TEST_CASE("every distribution compiles for every element type it has") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const auto add = [&kernels](const char* draw, std::initializer_list<dtype> types) {
    for (const dtype type : types) {
      kernels.push_back(
          {std::string(draw) + " of " + name(type), gnp::detail::random_kernel_source(draw, type)});
    }
  };
  for (const char* draw : {"uniform_draw", "normal_draw", "exponential_draw", "lognormal_draw"}) {
    add(draw, {dtype::float16, dtype::bfloat16, dtype::float32, dtype::float64});
  }
  for (const char* draw : {"narrow_integer_draw", "wide_integer_draw"}) {
    add(draw, {dtype::bool_, dtype::int8, dtype::uint16, dtype::int32, dtype::int64, dtype::uint64});
  }
  for (const char* draw : {"poisson_draw", "binomial_draw"}) {
    add(draw, {dtype::int64, dtype::uint8, dtype::float16, dtype::float32});
  }
  add("choice_draw", {dtype::int64});
  check_all(kernels);
}

TEST_CASE("taking rows compiles for every element size") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const std::size_t itemsize : {1, 2, 4, 8, 16}) {
    kernels.push_back({"rows of " + std::to_string(itemsize), gnp::detail::take_rows_source(itemsize)});
  }
  check_all(kernels);
}

TEST_CASE("long orders compile") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const char* work : gnp::detail::order_works) {
    kernels.push_back({work, gnp::detail::order_kernel_source(work)});
  }
  check_all(kernels);
}

#else

TEST_CASE("kernel texts of random numbers") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
