// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// The kernels that sort are compiled for every architecture, which takes NVRTC but no GPU.
#include <gnp/core.hpp>
#include <gnp/exec/sort/gpu_sort.hpp>
#include <gnp/routines/searching.hpp>
#include <gnp/routines/sorting.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

using gnp::dtype;
using gnp::detail::sort_step;
using gnp::detail::sort_variant;

namespace {

void add(std::vector<kernel>& kernels, const sort_variant& v) {
  constexpr const char* steps[] = {"count", "starts", "pass", "lanes", "block", "select"};
  kernels.push_back({std::string(steps[static_cast<int>(v.step)]) + " of " + name(v.type) +
                         (v.with_places ? " with places" : "") +
                         (v.upper_half ? " and the keys' upper half" : "") + (v.wide ? ", wide, " : ", ") +
                         std::to_string(v.items) + " items",
                     gnp::detail::sort_kernel_source(v)});
}

}  // namespace

TEST_CASE("every order sorts by each of the kernels") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const dtype type : {dtype::bool_, dtype::int16, dtype::bfloat16, dtype::float32, dtype::complex64}) {
    add(kernels, gnp::detail::pass_variant(type, false, false));
    add(kernels, gnp::detail::lanes_variant(type, true, 3));
    add(kernels, {.step = sort_step::count, .type = type});
    add(kernels, {.step = sort_step::select, .type = type});
  }
  add(kernels, gnp::detail::pass_variant(dtype::bool_, true, false));
  add(kernels, gnp::detail::pass_variant(dtype::complex64, true, false, true));
  add(kernels, gnp::detail::block_variant(dtype::bool_, true, 9));
  add(kernels, gnp::detail::block_variant(dtype::float32, true, 11));
  add(kernels, gnp::detail::block_variant(dtype::complex128, false, 11));
  add(kernels, {.step = sort_step::starts});
  check_all(kernels, {75, 90});
}

TEST_CASE("searching compiles") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const dtype type : {dtype::bool_, dtype::float16, dtype::int64, dtype::complex64, dtype::complex128}) {
    const bool with_equal = type == dtype::int64;
    kernels.push_back({std::string("search of ") + name(type), gnp::detail::search_source(type, with_equal)});
  }
  check_all(kernels, {75, 90});
}

TEST_CASE("the largest of each compile everywhere") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const bool places : {false, true}) {
    add(kernels, gnp::detail::pass_variant(dtype::float64, places, true));
    add(kernels, gnp::detail::lanes_variant(dtype::complex128, places, 8));
    add(kernels, gnp::detail::block_variant(dtype::float64, places, 12));
  }
  add(kernels, gnp::detail::pass_variant(dtype::float64, true, true, true));
  add(kernels, gnp::detail::pass_variant(dtype::complex128, false, false));
  add(kernels, gnp::detail::pass_variant(dtype::complex128, true, false));
  add(kernels, {.step = sort_step::count, .type = dtype::complex128, .wide = true});
  add(kernels, {.step = sort_step::select, .type = dtype::complex128});
  add(kernels, {.step = sort_step::starts, .wide = true});
  check_all(kernels);
}

#endif
