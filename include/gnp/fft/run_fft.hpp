// SPDX-License-Identifier: MIT
// Runs a transform on its device.
#pragma once

#include <gnp/fft/cpu.hpp>
#include <gnp/fft/gpu.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class Out, class In>
array<Out> run_fft(const array<In>& in, const fft_request& request) {
  const watched_work watched(in.device(), [&] {
    return facts_of(request.function, dtype_of<In>, static_cast<std::size_t>(2 * in.nbytes()));
  });
  if (in.device().is_cpu()) return fft_on_cpu<Out>(in, request);
#if GNP_HAS_CUDA
  if (!has_repeated_axes(request)) return fft_on_gpu<Out>(in, request);
  // One axis after the other, as on the CPU.
  using C = complex_t<Out>;
  const int last = request.count() - 1;
  if constexpr (is_complex(dtype_of<Out>)) {
    array<C> a = fft_on_gpu<C>(in, request.along(last));
    for (int i = last - 1; i >= 0; --i) a = fft_on_gpu<C>(a, request.along(i));
    return a;
  } else {
    array<C> a = in;
    for (int i = 0; i < last; ++i) a = fft_on_gpu<C>(a, request.along(i));
    return fft_on_gpu<Out>(a, request.along(last));
  }
#else
  require(in.device());
  return {};
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
