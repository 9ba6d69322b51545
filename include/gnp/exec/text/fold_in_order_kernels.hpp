// SPDX-License-Identifier: MIT
// The kernel of a ufunc's reduce, accumulate and reduceat for operations whose result depends on the order, as
// text: a thread takes all elements of a segment of an axis, one after the other.
#pragma once

#include <gnp/cuda/arguments.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// For elements (outer, length, inner), contiguous. Without bounds there is one segment, the whole axis.
GNP_KERNEL_ARGUMENTS(fold_in_order_arguments,
                     unsigned long long values = 0;
                     unsigned long long results = 0;
                     unsigned long long bounds = 0;  // begin and end of each segment
                     unsigned long long outer = 1; unsigned long long segments = 1;
                     unsigned long long length = 1; unsigned long long inner = 1;
                     unsigned long long running = 0;  // is there a result after each element?
)

inline constexpr const char* fold_in_order_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ fold_in_order_arguments s) {
  wait_for_results();
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= s.outer * s.segments * s.inner) return;
  const unsigned long long column = i % s.inner;
  const unsigned long long segment = i / s.inner % s.segments;
  const unsigned long long first = i / s.inner / s.segments * s.length * s.inner + column;
  const element_t* const values = reinterpret_cast<const element_t*>(s.values) + first;
  element_t* const results = reinterpret_cast<element_t*>(s.results);
  unsigned long long k = 0;
  unsigned long long end = s.length;
  if (s.bounds != 0) {
    k = reinterpret_cast<const unsigned long long*>(s.bounds)[2 * segment];
    end = reinterpret_cast<const unsigned long long*>(s.bounds)[2 * segment + 1];
  }
  element_t so_far = values[k * s.inner];
  if (s.running != 0) results[first] = so_far;
  for (++k; k < end; ++k) {
    so_far = joined(so_far, values[k * s.inner]);
    if (s.running != 0) results[first + k * s.inner] = so_far;
  }
  if (s.running == 0) results[i] = so_far;
}
)";

/// The text of this kernel, for an operation on two elements of a type.
[[gnu::cold]] GNP_DECLARED std::string fold_in_order_source(const operation_source& op, dtype type,
                                                            dtype computed);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/exec/text/joining_source.hpp>
#endif
