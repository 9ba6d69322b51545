// SPDX-License-Identifier: MIT
// Before and after a factorisation: scaling to a magnitude of 1, and finding matrices that are not finite.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/gpu/finite_text.hpp>
#include <gnp/linalg/gpu/own_kernel.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// The address of each matrix of a stack without gaps, in the form that the batched functions expect.
template <class T>
array<std::int64_t> matrix_addresses(const array<T>& a, const matrix_stack& s) {
  const auto first = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(a.data()));
  const index_t step = s.rows * s.columns * static_cast<index_t>(sizeof(T));
  return range<std::int64_t>(first, first + s.count * step, step);
}

/// Which matrices of a stack have only finite elements. This must be checked before a library overwrites them,
/// because cuSOLVER's LU may leave no trace of a NaN in its factors.
template <class T>
array<bool> finite_matrices(const array<T>& a, const matrix_stack& s) {
  return all_along(isfinite(a), {.axis = {-2, -1}}).reshape(shape_t{s.count});
}

/// Sets the status of matrices that are not finite to -1, whatever the library reported for them.
template <class Info>
void mark_non_finite(const array<bool>& finite, const array<Info>& status) {
  status.assign(where(finite, status, -1));
}

/// The largest number of a contiguous array without negative numbers, on the host.
template <class T>
T largest_on_gpu(const array<T>& a) {
  static device_kernel largest_of_parts;
  const array<T> partial(shape_t{(std::min)(index_t{64}, a.size() / 2048 + 1)}, a.device(), "linalg");
  {
    const submission work(a.device());
    const CUfunction function = largest_of_parts.on(work.device(), [] {
      return linalg_source(device_real(dtype_of<T>), magnitude_text, largest_kernel_text);
    });
    work.launch(function, blocks_for(partial.size()), work.reads(a), static_cast<long long>(a.size()),
                static_cast<int>(partial.size()), work.writes(partial));
  }
  T largest(0);
  for (const T x : asnumpy(partial)) largest = x > largest || x != x ? x : largest;
  return largest;
}

/// Scales each matrix of a stack without gaps to a magnitude of about 1; `undo` gets the factors that reverse
/// this. Matrices that are not finite become zero, and their flags become 1.
template <class T>
void rescale_on_gpu(const array<T>& a, const matrix_stack& s, const array<real_t<T>>& undo,
                    const array<int>& flags) {
  static device_kernel largest_of_parts;
  static device_kernel rescale;
  const long long per_matrix = s.rows * s.columns * (is_complex(dtype_of<T>) ? 2 : 1);
  // Enough blocks to fill the GPU, with enough work for each.
  const gpu& hardware = gpu_at(a.device().ordinal());
  const index_t wanted = 8 * hardware.multiprocessors / s.count + 1;
  const index_t useful = per_matrix / 2048 + 1;
  const int pieces = static_cast<int>((std::min)(wanted, useful));
  const array<real_t<T>> partial(shape_t{s.count * pieces}, a.device(), "linalg");
  const char* real = device_real(dtype_of<T>);
  const submission work(a.device());
  const launch_shape shape = blocks_for(s.count * pieces);
  work.launch(largest_of_parts.on(work.device(),
                                  [real] { return linalg_source(real, magnitude_text, largest_kernel_text); }),
              shape, work.writes(a), per_matrix, pieces, work.writes(partial));
  work.launch(
      rescale.on(work.device(), [real] { return linalg_source(real, magnitude_text, rescale_kernel_text); }),
      shape, work.writes(a), per_matrix, pieces, work.writes(partial), work.writes(undo), work.writes(flags));
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
