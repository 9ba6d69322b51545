// SPDX-License-Identifier: MIT
// Elements of each row by their places in it, which are valid.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/exec/text/prelude.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// An element is moved, whatever it is: only its size counts.
[[gnu::cold]] inline std::string take_along_source(std::size_t itemsize) {
  const char* type = itemsize == 1   ? "unsigned char"
                     : itemsize == 2 ? "unsigned short"
                     : itemsize == 4 ? "unsigned"
                     : itemsize == 8 ? "unsigned long long"
                                     : "ulonglong2";
  return std::string(prelude_text) + filled_in(R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(
    const $type* from, const long long* places, $type* to, unsigned long long count, unsigned long long length, unsigned long long taken) {
  wait_for_results();
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= count) return;
  to[i] = from[(i / taken) * length + places[i]];
}
)",
                                               {{"type", type}});
}

template <class T>
void take_along_on_gpu(const array<T>& from, const array<index_t>& places, const array<T>& to, index_t length,
                       index_t taken) {
  static device_kernel taking;
  const submission work(to.device());
  const auto count = static_cast<unsigned long long>(to.size());
  const unsigned long long blocks = (count + 255) / 256;
  if (blocks > most_blocks) throw error(std::to_string(count) + " elements are more than one launch can move");
  work.launch(taking.on(work.device(), [] { return take_along_source(sizeof(T)); }),
              {.blocks = blocks, .early = true}, static_cast<const T*>(work.reads(from)),
              static_cast<const index_t*>(work.reads(places)), work.writes(to), count,
              static_cast<unsigned long long>(length), static_cast<unsigned long long>(taken));
}

#endif

/// Of rows of `length` elements, `taken` each: both arrays are contiguous.
template <class T>
array<T> take_along_rows(const array<T>& from, const array<index_t>& places, index_t length, index_t taken,
                         const char* function) {
  const array<T> to(places.shape(), from.device(), function);
  if (to.size() == 0) return to;
  if (from.device().is_cpu()) {
    const T* const in = from.data();
    const index_t* const list = places.data();
    T* const out = to.data();
    parallel_for(to.size(), 1 << 15, [=](index_t begin, index_t end) {
      index_t row = begin / taken;
      for (index_t i = begin; i < end; ++row) {
        for (const index_t row_end = (std::min)((row + 1) * taken, end); i < row_end; ++i)
          out[i] = in[row * length + list[i]];
      }
    });
  } else {
#if GNP_HAS_CUDA
    take_along_on_gpu(from, places, to, length, taken);
#endif
  }
  return to;
}

}}}  // namespace gnp::GNP_ABI::detail
