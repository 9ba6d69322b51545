// SPDX-License-Identifier: MIT
// The kernel of a row program, as text: several reductions along the rows of the same arrays, each made of
// elements and of what the reductions before it gave, and at the end elements made of all of them. A group of
// threads shares a row. What more than one step needs of the arrays stays in its registers, so that memory is
// read once.
//
// Written for the constants of access.hpp and: kept (axes that stay), group (threads that share a row), items
// (vectors of a row that a thread has), threads (of a block), whole (is a row exactly the vectors of its
// threads?).
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Steps that one kernel can have, the last included.
inline constexpr int most_row_steps = 8;

/// The kernel's second parameter.
GNP_KERNEL_ARGUMENTS(row_arguments,
                     unsigned long long rows = 1;
                     unsigned long long length = 1;  // of a row, in vectors
                     double parameter[8] = {};)      // of each reduction

inline constexpr const char* row_program_text = R"(
// A vector of what all rows read and none writes: such loads may come before stores that the program has before them.
template <class T, int Slot, lane_access Access> inline pack<T> shared_by_rows(const arguments& p, const place& at) {
  if constexpr (Access == run && sizeof(typename pack<T>::piece) == 16) {
    const auto* from = reinterpret_cast<const uint4*>(reinterpret_cast<const T*>(p.data[Slot]) + offset_of<Slot, Access>(p, at));
    pack<T> x;
    for (int i = 0; i < pack<T>::pieces; ++i) x.whole[i] = __ldg(from + i);
    return x;
  } else {
    return loaded<T, Slot, Access>(p, at);
  }
}

// What a group's states come to, known to all of its threads. Each step has shared memory of its own, so that no
// thread can overwrite what another still reads.
template <class R, int Step> inline typename R::state combined_in_group(typename R::state total) {
  #pragma unroll
  for (int distance = (group < 32 ? group : 32) / 2; distance > 0; distance /= 2)
    total = R::combine(total, from_lane_below(total, distance));
  if constexpr (group == 1) {
    return total;
  } else if constexpr (group <= 32) {
    return from_first_lane(total, group);
  } else {
    constexpr int warps = group / 32;
    __shared__ alignas(16) unsigned char memory[threads / 32 * sizeof(total)];
    auto* states = reinterpret_cast<typename R::state*>(memory);
    if (threadIdx.x % 32 == 0) states[threadIdx.x / 32] = total;
    __syncthreads();
    const int lane = threadIdx.x % 32;
    total = lane < warps ? states[threadIdx.x / group * warps + lane] : R::identity();
    #pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) if (distance < warps) total = R::combine(total, from_lane_below(total, distance));
    return from_first_lane(total, 32);
  }
}
)";

inline constexpr const char* row_program_kernel_text = R"(
extern "C" __global__ void __launch_bounds__(threads) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ row_arguments r) {
  wait_for_results();
  const index_t row = static_cast<index_t>(blockIdx.x) * (threads / group) + threadIdx.x / group;
  const bool in_range = row < r.rows;
  place start;
  locate<0, kept>(p, start, in_range ? row : 0);
  place at[items];
  bool here[items];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    const index_t n = i * group + threadIdx.x % group;
    here[i] = whole || n < static_cast<index_t>(r.length);
    at[i] = start;
    locate_vector<kept>(p, at[i], here[i] ? n : 0);
    at[i].valid = vector;
  }
$held$steps$result}
)";

/// One reduction: the elements of a thread, all at once where all of its vectors are there ...
inline constexpr const char* row_step_text = R"(
  step_$k::value w$k[items * vector];
$loads$positions  #pragma unroll
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) w$k[i * vector + e] = $compute;
  }
  const step_$k::state t$k = batch_of<step_$k::reducer>(w$k$at);
)";

/// ... else vector by vector.
inline constexpr const char* cut_row_step_text = R"(
  step_$k::value w$k[items * vector];
  step_$k::state t$k = step_$k::reducer::identity();
$loads  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (!here[i]) continue;
    step_$k::value values[vector];
    for (int e = 0; e < vector; ++e) w$k[i * vector + e] = values[e] = $compute;
$positions    t$k = step_$k::reducer::combine(t$k, batch_of<step_$k::reducer>(values$at));
  }
)";

/// What it comes to.
inline constexpr const char* row_step_result_text =
    R"(  const step_$k::result r$k = cast<step_$k::result>(step_$k::reducer::finish(combined_in_group<step_$k::reducer, $k>(t$k), r.parameter[$k]));
)";

/// The positions of those elements.
inline constexpr const char* row_positions_text = R"(  offset_t positions_$k[items * vector];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) positions_$k[i * vector + e] = static_cast<offset_t>($vector.v[e]);
  }
)";
inline constexpr const char* cut_row_positions_text = R"(    offset_t positions_$k[vector];
    for (int e = 0; e < vector; ++e) positions_$k[e] = static_cast<offset_t>($vector.v[e]);
)";

/// The result, an element for each of the row ...
inline constexpr const char* row_elements_text = R"(
$loads  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (!here[i] || !in_range) continue;
$shared    pack<value_t> y;
    for (int e = 0; e < vector; ++e) y.v[e] = $compute;
    store<value_t, $access>(p, at[i], y);
  }
)";

/// ... or one element for each row.
inline constexpr const char* row_result_text = R"(
  if (threadIdx.x % group == 0 && in_range) {
    constexpr int i = 0;
    constexpr int e = 0;
    offset_t offset = 0;
    for (int d = 0; d < kept; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[0][d]);
$loads    reinterpret_cast<value_t*>(p.data[0])[offset] = $compute;
  }
)";

}}}  // namespace gnp::GNP_ABI::detail
