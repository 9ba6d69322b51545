// SPDX-License-Identifier: MIT
// The texts of the kernels that draw.
#pragma once

#include <gnp/exec/text/kernel_source.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// gnp compiles with --fmad=false: a product is rounded before anything is added to it.
inline constexpr const char* random_prelude = R"(
inline float rounded(float x) { return x; }
inline double rounded(double x) { return x; }
inline unsigned long long double_bits(double x) { return static_cast<unsigned long long>(__double_as_longlong(x)); }
inline double bits_double(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }
inline unsigned long long multiply_high(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
)";

// A piece is what a thread stores at once: a group of four elements, or two of them if four would be too many
// bytes. A thread computes four pieces, or only one if a piece takes long.
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

[[gnu::cold]] GNP_INLINE std::string random_kernel_source(std::string_view draw, dtype type, bool recorded) {
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

}}}  // namespace gnp::GNP_ABI::detail
