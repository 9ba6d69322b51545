// SPDX-License-Identifier: MIT
// Before and after a factorisation: scaling to a magnitude of 1, and finding what is not finite.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/linalg/kernels/finite_text.hpp>
#include <gnp/linalg/kernels/launch.hpp>
#include <gnp/linalg/matrices.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp::inline GNP_ABI::detail {

#if GNP_HAS_CUDA

/// The address of each matrix of a stack without gaps, as the batched functions want them.
template <class T>
array<std::int64_t> matrix_addresses(const array<T>& a, const matrix_stack& s) {
  const auto first = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(a.data()));
  const index_t step = s.rows * s.columns * static_cast<index_t>(sizeof(T));
  return range<std::int64_t>(first, first + s.count * step, step);
}

/// Which matrices of a stack have finite elements only. To be asked before a library overwrites them:
/// cuSOLVER's LU may leave nothing of a NaN in its factors.
template <class T>
array<bool> finite_matrices(const array<T>& a, const matrix_stack& s) {
  return all_along(isfinite(a), {.axis = {-2, -1}}).reshape(shape_t{s.count});
}

/// The status of matrices that are not finite becomes -1, whatever the library made of them.
template <class Info>
void mark_non_finite(const array<bool>& finite, const array<Info>& status) {
  status.assign(where(finite, status, -1));
}

/// The largest of the numbers of a contiguous array, none of them negative, on the host.
template <class T>
T largest_on_gpu(const array<T>& a) {
  static linalg_kernel kernel;
  gpu& device = activate(a.device().ordinal());
  stream_state* stream = current_stream(device);
  const array<T> partial(shape_t{(std::min)(index_t{64}, a.size() / 2048 + 1)}, a.device(), "linalg");
  use_on_stream(*a.block().get(), stream);
  use_on_stream(*partial.block().get(), stream);
  const CUfunction function = kernel.on(
      device, [] { return linalg_source(device_real(dtype_of<T>), magnitude_text, largest_kernel_text); });
  launch_linalg(function, stream, partial.size(), 256, 0, static_cast<const void*>(a.data()),
                static_cast<long long>(a.size()), static_cast<int>(partial.size()),
                static_cast<void*>(partial.data()));
  T largest(0);
  for (const T x : asnumpy(partial)) largest = x > largest || x != x ? x : largest;
  return largest;
}

/// Scales each matrix of a stack without gaps to a magnitude of about 1, and says how to undo that. Matrices
/// that are not finite become zeros, and their flags 1.
template <class T>
void rescale_on_gpu(const array<T>& a, const matrix_stack& s, const array<real_t<T>>& undo,
                    const array<int>& flags) {
  static linalg_kernel largest_kernel;
  static linalg_kernel rescale_kernel;
  gpu& device = activate(a.device().ordinal());
  stream_state* stream = current_stream(device);
  const long long per_matrix = s.rows * s.columns * (is_complex(dtype_of<T>) ? 2 : 1);
  // Enough blocks to fill the GPU, and some work for each.
  const index_t wanted = 8 * device.multiprocessors / s.count + 1;
  const index_t useful = per_matrix / 2048 + 1;
  const int pieces = static_cast<int>((std::min)(wanted, useful));
  const array<real_t<T>> partial(shape_t{s.count * pieces}, a.device(), "linalg");
  for (storage* block : {a.block().get(), undo.block().get(), flags.block().get(), partial.block().get()}) {
    use_on_stream(*block, stream);
  }
  const char* real = device_real(dtype_of<T>);
  launch_linalg(
      largest_kernel.on(device, [real] { return linalg_source(real, magnitude_text, largest_kernel_text); }),
      stream, s.count * pieces, 256, 0, static_cast<const void*>(a.data()), per_matrix, pieces,
      static_cast<void*>(partial.data()));
  launch_linalg(
      rescale_kernel.on(device, [real] { return linalg_source(real, magnitude_text, rescale_kernel_text); }),
      stream, s.count * pieces, 256, 0, static_cast<void*>(a.data()), per_matrix, pieces,
      static_cast<const void*>(partial.data()), static_cast<void*>(undo.data()),
      static_cast<void*>(flags.data()));
}

#endif

}  // namespace gnp::inline GNP_ABI::detail
