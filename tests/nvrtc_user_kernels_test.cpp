// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600, alone
// Kernels of a user's own compile for every architecture.
#include "kernel_text.hpp"
#include "nvrtc.hpp"
#include "user_kernels.hpp"

#if GNP_HAS_CUDA

GNP_GUFUNC(matvec, "(m,n),(n)->(m)", (a, x, y), {
  using T = typename decltype(y)::value_type;
  for (gnp::index_t i = 0; i < a.shape(0); ++i) {
    T sum = T(0);
    for (gnp::index_t k = 0; k < a.shape(1); ++k) sum += a(i, k) * x(k);
    y(i) = sum;
  }
})
GNP_GUFUNC(scaled_range, "(n),()->(),()", (x, scale, low, high), {
  low() = scale * x(0);
  high() = scale * x(x.shape(0) - 1);
})

GNP_UFUNC(polar, (x, y), results(sqrt(x* x + 0.5 * y * y), atan2(y, x)))
GNP_UFUNC(sorted_two, (x, y), auto low = x, if (y < x) return results(y, x), results(low, y))

TEST_CASE("ufuncs with several results as CUDA C++") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const auto add = [&kernels](const auto& results) {
    std::apply(
        [&](const auto&... part) { (kernels.push_back({"several results", kernel_text(part + part)}), ...); },
        results);
  };
  const gnp::use_device guard(gnp::device::cpu());
  const auto f = gnp::zeros<float>({2, 2});
  add(polar(f, f));
  add(polar(gnp::zeros<double>({2, 2}), 1));
  add(polar(gnp::zeros<gnp::half>({2, 2}), gnp::zeros<gnp::half>({2})));
  add(sorted_two(f, 1));
  add(sorted_two(gnp::zeros<std::int64_t>({2, 2}), gnp::zeros<std::int64_t>({2})));
  add(sorted_two(std::get<0>(polar(f, f)), std::get<1>(polar(f, f))));
  check_all(kernels, {75, 90});
}

TEST_CASE("GNP_KERNEL as CUDA C++") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  std::vector<kernel> kernels;
  const auto add = [&kernels](const char* name, const std::string& source) {
    kernels.push_back({name, gnp::detail::device_program(source, {name}, {})});
  };
  const auto f = gnp::zeros<float>({2, 2});
  const auto d = gnp::zeros<double>({2, 2});
  const auto i = gnp::zeros<int>({2, 2, 2});
  const auto u = gnp::zeros<unsigned>(4);
  const auto wide = gnp::zeros<long long>(4);
  add("smooth3", smooth3.source(f, f, 3));
  add("saxpy", saxpy.source(2, f, f, 3));
  add("functions_of_numbers", functions_of_numbers.source(1.0f, 1, gnp::zeros<double>(14)));
  add("selu_of", selu_of.source(f, f, 3));
  add("fourth_powers", fourth_powers.source(f, f, 3));
  add("fourth_powers", fourth_powers.source(wide, d, 3));
  add("transposed", transposed.source(f, f));
  add("transposed", transposed.source(gnp::zeros<gnp::half>({2, 2}), gnp::zeros<gnp::half>({2, 2})));
  add("transposed",
      transposed.source(gnp::zeros<gnp::complex128>({2, 2}), gnp::zeros<gnp::complex128>({2, 2})));
  add("matrix_product", matrix_product.source(f, f, f, 3));
  add("block_sums", block_sums.source(d, d, 3));
  add("warp_functions", warp_functions.source(u));
  add("atomic_functions", atomic_functions.source(i, u, f, wide, 3));
  add("reversed_blocks", reversed_blocks.source(i, i));
  add("places_3d", places_3d.source(i));
  add("numbers", numbers.source(true, 1, 2, 3, 4, 5, 6, 7, 8, d));
  add("mandelbrot", mandelbrot.source(i, 0, 0, 1, 50));
  add("matvec", matvec.source(f, f));
  add("matvec", matvec.source(d, f));
  const auto z = gnp::zeros<gnp::complex64>({2, 2});
  add("matvec", matvec.source(z, z));
  add("scaled_range", scaled_range.source(f, 2));
  add("scaled_range", scaled_range.source(gnp::zeros<gnp::half>(3), gnp::zeros<gnp::half>(3)));
  // With the checks of .checked().
  const auto checked = gnp::detail::user_kernel_source(
      {"checked", "", "", "(gnp::array_view<const float, 2> in, gnp::array_view<double, 1> out)",
       "{ out(0) = in(1, 2); }"},
      {"gnp::array_view<const float, 2>", "gnp::array_view<double, 1>"}, {.checked = true, .early = true});
  add("checked", checked);
  check_all(kernels);
}

#endif
