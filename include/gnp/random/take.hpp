// SPDX-License-Identifier: MIT
// Takes rows of an array in the order of a list, which is on the same device.
#pragma once

#include <cstring>
#include <gnp/array/transfer.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/random/fill.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// Elements are only moved, so that their size matters, but not their type.
[[gnu::cold]] GNP_INLINE std::string take_rows_source(std::size_t itemsize) {
  const char* type = itemsize == 1   ? "unsigned char"
                     : itemsize == 2 ? "unsigned short"
                     : itemsize == 4 ? "unsigned"
                     : itemsize == 8 ? "unsigned long long"
                                     : "uint4";
  return filled_in(R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(
    const $type* from, const long long* rows, $type* to, unsigned long long count, unsigned long long length) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= count) return;
  if (length == 1) {
    to[i] = from[rows[i]];
  } else {
    const unsigned long long row = i / length;
    to[i] = from[rows[row] * length + (i - row * length)];
  }
}
)",
                   {{"type", type}});
}

template <class T>
void take_rows_on_gpu(const array<T>& from, const array<index_t>& rows, const array<T>& to, index_t length) {
  static device_kernel taking;
  const submission work(to.device());
  const auto count = static_cast<unsigned long long>(to.size());
  const unsigned long long blocks = (count + 255) / 256;
  if (blocks > most_blocks) throw error(std::to_string(count) + " elements are more than one launch can move");
  work.launch(taking.on(work.device(), [] { return take_rows_source(sizeof(T)); }), {.blocks = blocks},
              work.reads(from), work.reads(rows), work.writes(to), count,
              static_cast<unsigned long long>(length));
}

#endif

/// The rows (along the first axis) of `source` that `rows` lists. `rows` has the shape `leading` and valid
/// values.
template <class T>
array<T> take_rows(const array<T>& source, const array<index_t>& rows, const shape_t& leading,
                   const char* function) {
  const array<T> from = source.is_contiguous() ? source : source.copy();
  shape_t shape = leading;
  index_t length = 1;
  for (int d = 1; d < from.ndim(); ++d) {
    shape.push_back(from.shape()[d]);
    length *= from.shape()[d];
  }
  array<T> result(shape, from.device(), function);
  if (result.size() == 0) return result;
  const watched_work watched(from.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(rows.nbytes() + 2 * result.nbytes()));
  });
  if (from.device().is_cpu()) {
    const index_t* list = rows.data();
    const T* in = from.data();
    T* out = result.data();
    parallel_for(rows.size(), 1 + (1 << 15) / length, [=](index_t begin, index_t end) {
      if (length == 1) {
        for (index_t i = begin; i < end; ++i) out[i] = in[list[i]];
      } else {
        for (index_t i = begin; i < end; ++i) {
          std::memcpy(out + i * length, in + list[i] * length, static_cast<std::size_t>(length) * sizeof(T));
        }
      }
    });
  } else {
#if GNP_HAS_CUDA
    take_rows_on_gpu(from, rows, result, length);
#endif
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
