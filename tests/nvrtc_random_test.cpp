// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// The kernel texts of random numbers are compiled for every architecture, which takes NVRTC but no GPU.
#include <gnp/gnp.hpp>
#include <gnp/random/kernel_source.hpp>
#include <gnp/random/order_source.hpp>

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
  const auto real_types = {dtype::float16, dtype::bfloat16, dtype::float32, dtype::float64};
  const auto count_types = {dtype::int64, dtype::uint8, dtype::float16, dtype::float32};
  for (const char* draw : {"uniform_draw<result_t>", "normal_draw<result_t>", "exponential_draw<result_t>",
                           "lognormal_draw<result_t>", "by_element<uniform_laws<result_t, float>>",
                           "by_element<normal_laws<normal_draw<result_t>, double>>",
                           "by_element<normal_laws<lognormal_draw<result_t>, float>>",
                           "by_element<exponential_laws<result_t, double>>"}) {
    add(draw, real_types);
  }
  for (const char* draw : {"narrow_integer_draw<result_t>", "wide_integer_draw<result_t>"}) {
    add(draw, {dtype::bool_, dtype::int8, dtype::uint16, dtype::int32, dtype::int64, dtype::uint64});
  }
  add("by_element<integer_laws<narrow_integer_draw<result_t>, long long>>", {dtype::bool_, dtype::uint32});
  add("by_element<integer_laws<wide_integer_draw<result_t>, long long>>", {dtype::int64});
  add("by_element<integer_laws<wide_integer_draw<result_t>, unsigned long long>>", {dtype::uint64});
  for (const char* draw :
       {"poisson_draw<result_t>", "binomial_draw<result_t>", "by_element<poisson_laws<result_t, float>>",
        "by_element<binomial_laws<result_t, double, long long>>"}) {
    add(draw, count_types);
  }
  add("choice_draw<result_t>", {dtype::int64});
  check_all(kernels);
}

TEST_CASE("what graphs draw with compiles") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const dtype type : {dtype::float16, dtype::float32, dtype::float64}) {
    for (const char* draw : {"uniform_draw<result_t>", "normal_draw<result_t>"})
      kernels.push_back({std::string(draw) + " of " + name(type) + ", recorded",
                         gnp::detail::random_kernel_source(draw, type, true)});
  }
  check_all(kernels);
}

TEST_CASE("every law compiles, for parameters that are numbers and arrays") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const auto add = [&kernels](const std::string& draw, dtype type) {
    kernels.push_back({draw + " of " + name(type), gnp::detail::random_kernel_source(draw, type)});
  };
  for (const char* law : {"gamma",
                          "standard_gamma",
                          "beta",
                          "chisquare",
                          "f",
                          "standard_t",
                          "noncentral_chisquare",
                          "noncentral_f",
                          "wald",
                          "vonmises",
                          "laplace",
                          "logistic",
                          "gumbel",
                          "pareto",
                          "power",
                          "rayleigh",
                          "weibull",
                          "triangular",
                          "log_gamma",
                          "weight"}) {
    add("same_law<result_t, " + std::string(law) + "_law>", dtype::float64);
    add("own_law<result_t, " + std::string(law) + "_law>", dtype::float16);
  }
  for (const char* law : {"geometric", "negative_binomial", "hypergeometric", "logseries", "zipf"}) {
    add("same_law<result_t, " + std::string(law) + "_law>", dtype::int64);
    add("own_law<result_t, " + std::string(law) + "_law>", dtype::uint8);
  }
  add("same_law<result_t, standard_cauchy_law>", dtype::float32);
  check_all(kernels, {75, 90});
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
