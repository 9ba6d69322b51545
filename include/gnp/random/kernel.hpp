// SPDX-License-Identifier: MIT
// Random arrays on the GPU: one kernel text for every distribution.
//
// Why not cuRAND's host library, whose sequence this is? Its uniform numbers lie in (0, 1], unlike NumPy's, and
// moving them into [low, high) takes a second pass. Its float32 normals use approximate sines, which no CPU
// reproduces. And it is slower. Milliseconds on an H200 (CUDA 13.0), cuRAND in legacy and in dynamic order:
//
//                                         here   legacy  dynamic
//     uniform 2^28 float32, any range     0.269  0.291   0.275
//     normal 2^28 float32                 0.447  0.525   0.473
//     uniform 2^27 float64                0.296  0.581   0.580
//     normal 2^27 float64                 0.607  0.774   0.720
//
// All of 2^24 uniform numbers of either type have cuRAND's bits; normal ones differ from cuRAND's by at most
// 3.1e-6 (float32) and 4e-15 (float64).
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/kernel.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/random/philox.hpp>
#include <gnp/random/recorded_draws.hpp>
#include <string>
#include <string_view>
#ifdef GNP_READS_BODIES
#include <gnp/random/kernel_source.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel's text. A recorded kernel reads its source from where replays put it.
[[gnu::cold]] GNP_DECLARED std::string random_kernel_source(std::string_view draw, dtype type,
                                                            bool recorded = false);

/// Fills out[0, count), which is aligned as an array is, with the elements that `draw` makes. Draw is a struct
/// of the kernel text.
template <class T, class Draw>
void fill_on_gpu(std::string_view name, const Draw& draw, const numbers_of_call& call_source,
                 std::initializer_list<storage*> reads, storage& block, T* out, index_t count) {
  static device_kernel drawing;
  static device_kernel drawing_again;
  const submission work(block.device);
  const bool recorded = call_source.recorded != nullptr;
  const CUfunction function = (recorded ? drawing_again : drawing).on(work.device(), [name, recorded] {
    return random_kernel_source(name, dtype_of<T>, recorded);
  });
  for (storage* read : reads) {
    if (read != nullptr) work.reads(*read);
  }
  work.writes(block);
  constexpr int lanes = Draw::words == 1 && sizeof(T) <= 4 ? 4 : 2;  // as in the kernel
  constexpr auto most = static_cast<index_t>(4 * groups_of_a_source);
  for (index_t done = 0; done < count; done += most) {
    const index_t now = (std::min)(count - done, most);
    const auto full = static_cast<unsigned>(now / lanes);
    const auto rest = static_cast<unsigned>(now % lanes);
    constexpr unsigned per_block = 256 * Draw::pieces;
    const unsigned blocks = (full + (rest > 0 ? 1 : 0) + per_block - 1) / per_block;
    const auto group = static_cast<std::uint64_t>(done) / 4;
    if (recorded) {
      work.launch(function, {.blocks = blocks, .early = true}, recorded_draws::here().place(call_source, group),
                  out + done, full, rest, draw);
    } else {
      work.launch(function, {.blocks = blocks, .early = true}, call_source.from(group), out + done, full, rest,
                  draw);
    }
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
