// SPDX-License-Identifier: MIT
// test: no-asan, timeout=900
// The kernel texts of random numbers are compiled for every architecture, which takes NVRTC but no GPU.
#include <cstdio>
#include <gnp/gnp.hpp>

#include "catch.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::dtype;

void check_compiles(const std::string& name, const std::string& source) {
  for (const int architecture : {75, 80, 86, 90, 100, 120}) {
    INFO(name << " for sm_" << architecture);
    std::string failure;
    try {
      if (gnp::detail::compile_kernel(source, architecture).empty()) failure = "no code";
    } catch (const gnp::compile_error& e) {
      failure = std::string(e.what()).substr(0, 2000);
    }
    CHECK(failure == "");
  }
}

bool nvrtc_is_missing() {
  try {
    gnp::detail::nvrtc();
    return false;
  } catch (const gnp::device_error&) {
    std::puts("skipped: no NVRTC");
    return true;
  }
}

TEST_CASE("every distribution compiles for every element type it has") {
  if (nvrtc_is_missing()) return;
  const auto check = [](const char* draw, std::initializer_list<dtype> types) {
    for (const dtype type : types) {
      check_compiles(std::string(draw) + " of " + name(type), gnp::detail::random_kernel_source(draw, type));
    }
  };
  for (const char* draw : {"uniform_draw", "normal_draw", "exponential_draw", "lognormal_draw"}) {
    check(draw, {dtype::float16, dtype::bfloat16, dtype::float32, dtype::float64});
  }
  for (const char* draw : {"narrow_integer_draw", "wide_integer_draw"}) {
    check(draw, {dtype::bool_, dtype::int8, dtype::uint16, dtype::int32, dtype::int64, dtype::uint64});
  }
  for (const char* draw : {"poisson_draw", "binomial_draw"}) {
    check(draw, {dtype::int64, dtype::uint8, dtype::float16, dtype::float32});
  }
  check("choice_draw", {dtype::int64});
}

TEST_CASE("taking rows compiles for every element size") {
  if (nvrtc_is_missing()) return;
  for (const std::size_t itemsize : {1, 2, 4, 8, 16}) {
    check_compiles("rows of " + std::to_string(itemsize), gnp::detail::take_rows_source(itemsize));
  }
}

}  // namespace

#else

TEST_CASE("kernel texts of random numbers") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
