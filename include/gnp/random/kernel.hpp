// SPDX-License-Identifier: MIT
// Random arrays on the GPU: one kernel text for every distribution.
//
// Why not cuRAND's host library, whose sequence this is: its uniform numbers lie in (0, 1], which NumPy's do
// not, and cost a second pass to move into [low, high); its float32 normals use approximate sines, which no CPU
// reproduces. And it is slower. Milliseconds on an H200 (CUDA 13.0), cuRAND in legacy and in dynamic order:
//
//                                         here   legacy  dynamic
//     uniform 2^28 float32, any range     0.269  0.291   0.275
//     normal 2^28 float32                 0.447  0.525   0.473
//     uniform 2^27 float64                0.296  0.581   0.580
//     normal 2^27 float64                 0.607  0.774   0.720
//
// All of 2^24 uniform numbers of either type have cuRAND's bits; normal ones are within 3.1e-6 and 4e-15 of it.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/random/philox.hpp>
#include <gnp/random/recorded_draws.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// gnp compiles with --fmad=false: a product is rounded before anything is added to it.
inline constexpr const char* random_prelude = R"(
inline float rounded(float x) { return x; }
inline double rounded(double x) { return x; }
inline unsigned long long double_bits(double x) { return static_cast<unsigned long long>(__double_as_longlong(x)); }
inline double bits_double(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }
inline unsigned long long multiply_high(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
)";

// A piece is what a thread stores at once: a group of four elements, or where they would be too many bytes, two
// of them. A thread makes four pieces, or one of those that take long.
inline constexpr const char* random_text = R"(
using result_t = $type;
using draw_t = $draw;
constexpr bool whole = draw_t::words == 1 && sizeof(result_t) <= 4;
constexpr int lanes = whole ? 4 : 2;
struct alignas(lanes * sizeof(result_t)) results { result_t values[lanes]; };
} }
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(
    $given, gnp::scalar::result_t* out, unsigned full, unsigned rest,
    const __grid_constant__ gnp::scalar::draw_t draw) {
  using namespace gnp::scalar;
  wait_for_results();
$read#pragma unroll
  for (int piece = 0; piece < draw_t::pieces; ++piece) {
    const unsigned i = blockIdx.x * (256u * draw_t::pieces) + 256u * piece + threadIdx.x;
    if (i > full) return;
    results made;
    if constexpr (whole) {
      const words4 w = source.group(i);
      draw(draw_place{source, i, 0u}, w, made.values);
      draw(draw_place{source, i, 2u}, words4{w.z, w.w, 0u, 0u}, made.values + 2);
    } else {
      const bool upper = (i & 1u) != 0;
      words4 w = draw_t::words == 1 ? source.group(i >> 1) : source.half_group(i);
      if (draw_t::words == 1) w = words4{upper ? w.z : w.x, upper ? w.w : w.y, 0u, 0u};
      draw(draw_place{source, i >> 1, upper ? 2u : 0u}, w, made.values);
    }
    if (i < full) {
      reinterpret_cast<results*>(out)[i] = made;
    } else {
      for (unsigned k = 0; k + 1 < lanes; ++k) {
        if (k < rest) out[static_cast<unsigned long long>(i) * lanes + k] = made.values[k];
      }
    }
  }
}
)";

/// Recorded, a kernel reads its source where replays put it.
[[gnu::cold]] GNP_INLINE std::string random_kernel_source(std::string_view draw, dtype type,
                                                          bool recorded = false) {
  source_writer writer;
  writer.uses(type);
  writer.draws();
  std::string text = prelude_text;
  if (writer.uses_half()) text += half_text;
  text += random_prelude;
  text +=
      filled_in("namespace gnp {\nnamespace scalar {\n$functions", {{"functions", writer.functions_for(draw)}});
  return text + filled_in(random_text,
                          {{"type", device_name(type)},
                           {"draw", draw},
                           {"given", recorded ? "const gnp::scalar::random_source* source_of_replay"
                                              : "const __grid_constant__ gnp::scalar::random_source source"},
                           {"read", recorded ? "  const random_source source = *source_of_replay;\n" : ""}});
}

/// Each element of out[0, count), which is aligned as an array is, as `draw` makes it. Draw is a struct of the
/// kernel text.
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
