// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
// The kernels that join arrays compile, for every size of what stays together and every number of parts, and so
// do those that store a result several times.
#include <gnp/exec/join/gpu_join.hpp>

#include "kernel_text.hpp"
#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::array;

template <class T>
kernel tiled(gnp::index_t length) {
  const array<T> a = gnp::zeros<T>({length});
  return {std::string("tile of ") + gnp::name(gnp::dtype_of<T>),
          kernel_text_into(gnp::zeros<T>({3, length}), a + a)};
}

}  // namespace

TEST_CASE("kernels that join arrays compile") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const int unit : {1, 2, 4, 8, 16}) {
    const std::string bytes = std::to_string(unit) + " bytes";
    kernels.push_back({"consecutive, " + bytes, gnp::detail::consecutive_source(unit)});
    kernels.push_back({"consecutive anywhere, " + bytes, gnp::detail::consecutive_source(unit, true)});
    for (const int parts : {2, 3, 5, 8, gnp::detail::most_interleaved}) {
      kernels.push_back(
          {std::to_string(parts) + " interleaved, " + bytes, gnp::detail::interleaved_source(unit, parts)});
    }
  }
  check_all(kernels);
}

TEST_CASE("kernels that store a result several times compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  constexpr gnp::index_t vectors = 1 << 18;
  std::vector<kernel> kernels = {tiled<std::uint8_t>(16 * vectors), tiled<gnp::half>(8 * vectors),
                                 tiled<float>(4 * vectors), tiled<double>(2 * vectors),
                                 tiled<gnp::complex128>(vectors)};
  for (const kernel& k : kernels) {
    INFO(k.name);
    CHECK(k.program.source.find("constexpr bool copied = true") != std::string::npos);
  }
  check_all(kernels);
  CHECK(tiled<float>(4 * vectors - 4).program.source.find("constexpr bool copied = false") !=
        std::string::npos);
}

TEST_CASE("kernels of rows that are copies and begin anywhere compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  const auto text = []<class T>(T, gnp::shape_t shape) {
    const array<T> a = gnp::zeros<T>({shape[shape.rank() - 1]});
    return kernel{gnp::name(gnp::dtype_of<T>), kernel_text_into(gnp::zeros<T>(shape), a + a)};
  };
  const std::vector<kernel> kernels = {text(std::uint8_t{}, {3, 20001}), text(gnp::half{}, {3, 20001}),
                                       text(float{}, {3, 20001}), text(double{}, {3, 20001})};
  for (const kernel& k : kernels) {
    INFO(k.name);
    CHECK(k.program.source.find("constexpr bool down_first = true") != std::string::npos);
  }
  check_all(kernels);
  CHECK(text(float{}, {3, 2001}).program.source.find("constexpr bool down_first = false") != std::string::npos);
}

TEST_CASE("arguments of joining kernels are what their texts say") {
  CHECK(sizeof(gnp::detail::consecutive_arguments::from) == 8 * gnp::detail::most_consecutive);
  CHECK(sizeof(gnp::detail::consecutive_arguments::begin) == 8 * (gnp::detail::most_consecutive + 1));
  CHECK(sizeof(gnp::detail::interleaved_arguments::from) == 8 * gnp::detail::most_interleaved);
}

#else

TEST_CASE("kernels that join arrays") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
