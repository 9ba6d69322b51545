// SPDX-License-Identifier: MIT
// The kernels of add_at and similar functions, as text. If the result depends on the order of operations, a
// thread takes all elements for one place, in order; otherwise each element is joined separately.
#pragma once

#include <gnp/cuda/arguments.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_KERNEL_ARGUMENTS(at_arguments, unsigned long long places = 0; unsigned long long order = 0;
                     unsigned long long values = 0; unsigned long long memory = 0; unsigned long long count = 0;
                     unsigned long long one_value = 0;)

inline constexpr const char* at_in_order_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ at_arguments s) {
  wait_for_results();
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= s.count) return;
  const long long* const places = reinterpret_cast<const long long*>(s.places);
  const long long* const order = reinterpret_cast<const long long*>(s.order);
  const value_t* const values = reinterpret_cast<const value_t*>(s.values);
  const long long place = places[order[i]];
  if (place < nowhere || (i > 0 && places[order[i - 1]] == place)) return;
  element_t x = reinterpret_cast<element_t*>(s.memory)[place];
  for (unsigned long long j = i; j < s.count && places[order[j]] == place; ++j) {
    x = joined(x, values[s.one_value ? 0 : order[j]]);
  }
  reinterpret_cast<element_t*>(s.memory)[place] = x;
}
)";

inline constexpr const char* at_in_any_order_text = R"(
union carrier {
  word_t bits;
  element_t x;
  carrier() {}
};
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ at_arguments s) {
  wait_for_results();
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= s.count) return;
  const long long place = reinterpret_cast<const long long*>(s.places)[i];
  if (place < nowhere) return;
  const value_t value = reinterpret_cast<const value_t*>(s.values)[s.one_value ? 0 : i];
  word_t* const to = reinterpret_cast<word_t*>(s.memory) + place;
  carrier was;
  was.bits = *to;
  for (;;) {
    carrier next;
    next.x = joined(was.x, value);
    const word_t there = atomicCAS(to, was.bits, next.bits);
    if (there == was.bits) return;
    was.bits = there;
  }
}
)";

/// The text of such a kernel, for an operation on an element and a value, which is computed in a third type.
[[gnu::cold]] GNP_DECLARED std::string at_source(const operation_source& op, dtype type, dtype value,
                                                 dtype computed, bool in_order);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/exec/text/joining_source.hpp>
#endif
