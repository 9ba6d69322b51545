// SPDX-License-Identifier: MIT
// The scatter kernels, as text. If several elements go to the same place, each of them first claims the place
// in a separate kernel. The last element in order wins, whatever the order in which they run.
#pragma once

#include <gnp/cuda/arguments.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Claims are the numbers of elements, counted from 1. There is one claim for each element of the memory, or a
/// table of twice as many as there are places, in which the search for a place begins at its hash.
GNP_KERNEL_ARGUMENTS(scatter_arguments, unsigned long long places = 0; unsigned long long count = 0;
                     unsigned long long claims = 0; unsigned long long last_claim = 0; long long first = 0;
                     unsigned long long memory = 0; unsigned long long values = 0; int one_value = 0;
                     int claimed = 0; int hashed = 0; int unused = 0;)

inline constexpr const char* claims_text = R"(
constexpr long long nowhere = -0x0200000000000000;  // and below

inline unsigned long long claim_of(const scatter_arguments& s, long long place) {
  if (!s.hashed) return static_cast<unsigned long long>(place - s.first);
  const unsigned long long h = static_cast<unsigned long long>(place) * 0x9e3779b97f4a7c15ull;
  return (h ^ (h >> 32)) & s.last_claim;
}
)";

inline constexpr const char* claim_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ scatter_arguments s) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= s.count) return;
  const long long* const places = reinterpret_cast<const long long*>(s.places);
  claim_t* const claims = reinterpret_cast<claim_t*>(s.claims);
  const long long place = places[i];
  if (place < nowhere) return;
  const claim_t mine = static_cast<claim_t>(i + 1);
  for (unsigned long long c = claim_of(s, place);; c = (c + 1) & s.last_claim) {
    const claim_t holder = atomicCAS(claims + c, static_cast<claim_t>(0), mine);
    if (holder == 0) return;
    if (s.hashed && places[holder - 1] != place) continue;  // another place's, for good
    atomicMax(claims + c, mine);
    return;
  }
}
)";

inline constexpr const char* scatter_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ scatter_arguments s) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= s.count) return;
  const long long* const places = reinterpret_cast<const long long*>(s.places);
  const claim_t* const claims = reinterpret_cast<const claim_t*>(s.claims);
  const long long place = places[i];
  if (place < nowhere) return;
  if (s.claimed) {
    unsigned long long c = claim_of(s, place);
    while (s.hashed && places[claims[c] - 1] != place) c = (c + 1) & s.last_claim;
    if (claims[c] != static_cast<claim_t>(i + 1)) return;
  }
  reinterpret_cast<$type*>(s.memory)[place] = reinterpret_cast<const $type*>(s.values)[s.one_value ? 0 : i];
}
)";

/// The name in kernels of an unsigned type with this many bytes. Elements are moved as this type, whatever they
/// are.
constexpr const char* bytes_name(int itemsize) {
  return itemsize == 1   ? "unsigned char"
         : itemsize == 2 ? "unsigned short"
         : itemsize == 4 ? "unsigned"
         : itemsize == 8 ? "unsigned long long"
                         : "uint4";
}

[[gnu::cold]] GNP_INLINE std::string claims_source(bool wide) {
  std::string text = scatter_arguments_text;
  text += wide ? "using claim_t = unsigned long long;\n" : "using claim_t = unsigned;\n";
  return text + claims_text;
}
[[gnu::cold]] GNP_INLINE std::string claim_source(bool wide) { return claims_source(wide) + claim_text; }
[[gnu::cold]] GNP_INLINE std::string scatter_source(int itemsize, bool wide) {
  return claims_source(wide) + filled_in(scatter_text, {{"type", bytes_name(itemsize)}});
}

}}}  // namespace gnp::GNP_ABI::detail
