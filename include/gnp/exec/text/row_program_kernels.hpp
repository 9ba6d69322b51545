// SPDX-License-Identifier: MIT
// The kernel of a row program, as text: several reductions along the rows of the same arrays, each computed
// from elements and from the results of the reductions before it, and at the end elements computed from all of
// them. A group of threads shares a row. Array elements that more than one step needs stay in the group's
// registers, so that memory is read once. Rows that are strided in memory are called columns: each thread has a
// vector of adjacent columns, and the result of each step is such a vector, too. A short column has one thread.
// Long rows are shared by the threads of several blocks, a cluster, which write into each other's shared
// memory.
//
// Written for the constants of access.hpp and: kept (axes that stay), group (threads that share a row), items
// (vectors of a row that a thread has), threads (of a block), cluster (blocks that share rows), by_columns,
// whole (is a row exactly the vectors of its threads?), ends (1 if a thread may have one of the elements before
// and after a row's vectors, otherwise 0), rows_each (that a thread takes, one after the other), state_bytes
// (of the largest state).
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most steps that one kernel can have, including the last.
inline constexpr int most_row_steps = 8;

/// The kernel's second parameter.
GNP_KERNEL_ARGUMENTS(row_arguments,
                     unsigned long long rows = 1;
                     unsigned long long length = 1;  // of a row, in vectors, or in elements if it has ends
                     double parameter[8] = {};)      // of each reduction

/// The third parameter, if the results of some reductions are also wanted: where each step's results go, in the
/// layout of the kernel's result.
GNP_KERNEL_ARGUMENTS(row_results, unsigned long long of_step[8] = {};)

inline constexpr const char* row_program_text = R"(
constexpr int together = threads * cluster / group;       // rows, or vectors of columns, of a cluster
constexpr int side_by_side = by_columns ? vector : 1;     // rows that a vector's elements belong to
constexpr int elements_each = items * vector + ends;      // of a thread
constexpr int first_kept = by_columns ? rank - kept : 0;  // of the axes

inline void locate_row(const arguments& p, place& at, index_t n) {
  if constexpr (by_columns) locate_vector<first_kept>(p, at, n); else locate<0, kept>(p, at, n);
}
inline void locate_in_row(const arguments& p, place& at, index_t n) {
  if constexpr (by_columns) locate<0, first_kept>(p, at, n); else locate_vector<kept>(p, at, n);
  at.valid = vector;
}

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

template <class T, int Count> struct some { T v[Count]; };
// A value for each of the rows that are side by side.
template <class F> inline auto of_each_row(const F& f) {
  some<decltype(f(0)), side_by_side> y;
  for (int row = 0; row < side_by_side; ++row) y.v[row] = f(row);
  return y;
}
// Of a thread's vectors, the elements of one of them.
template <int First, int Last, class T> inline auto of_row(const T (&x)[elements_each], int row) {
  some<T, (Last - First) * vector / side_by_side> y;
  for (int i = 0; i < sizeof(y) / sizeof(T); ++i) y.v[i] = x[First * vector + i * side_by_side + row];
  return y;
}
template <int First, int Last, class T> inline auto& vectors_of(const T (&x)[elements_each]) {
  return reinterpret_cast<const T(&)[(Last - First) * vector]>(x[First * vector]);
}
// Their state: as they are where all are of one row, which takes the compiler half the time.
template <class R, int First, int Last, class... X> inline typename R::state state_of(int row, const X&... x) {
  if constexpr (side_by_side == 1) return batch_of<R>(vectors_of<First, Last>(x)...);
  else return batch_of<R>(of_row<First, Last>(x, row).v...);
}
// Of a thread's vectors only the last may be missing.
template <class R, class... X> inline typename R::state state_of_row(bool last_is_here, int row, const X&... x) {
  if constexpr (whole) {
    return state_of<R, 0, items>(row, x...);
  } else if constexpr (items == 1) {
    return last_is_here ? R::combine(R::identity(), state_of<R, 0, 1>(row, x...)) : R::identity();
  } else {
    const typename R::state total = state_of<R, 0, items - 1>(row, x...);
    return last_is_here ? R::combine(total, state_of<R, items - 1, items>(row, x...)) : total;
  }
}

// What the states of the first `width` lanes come to; in the first of them.
template <class R> inline typename R::state combined_in_warp(typename R::state total, int width) {
  #pragma unroll
  for (int d = width / 2; d > 0; d /= 2) total = R::combine(total, from_lane_below(total, d));
  return total;
}
)";

/// Variances of elements that can be read a second time. They are computed from distances to the mean, which
/// are less work to combine than moments. The mean is rounded, and the sum of the distances corrects for that
/// error.
inline constexpr const char* spread_text = R"(
inline float fused(float x, float y, float z) { return __fmaf_rn(x, y, z); }
inline double fused(double x, double y, double z) { return __fma_rn(x, y, z); }
template <class A> struct spread { A apart; A squares; };
template <class A, bool Root> struct spread_of {
  using state = spread<A>;
  static inline state identity() { return {A(0), A(0)}; }
  static inline state combine(const state& a, const state& b) { return {a.apart + b.apart, a.squares + b.squares}; }
  template <int Count> static inline state batch(const A (&distance)[Count]) {
    state sums[4];
    for (int i = 0; i < 4; ++i) sums[i] = identity();
    #pragma unroll
    for (int i = 0; i < Count; ++i) {
      sums[i % 4].apart += distance[i];
      sums[i % 4].squares = fused(distance[i], distance[i], sums[i % 4].squares);
    }
    return combine(combine(sums[0], sums[1]), combine(sums[2], sums[3]));
  }
  static inline A finish(const state& s, double ddof, double count) {
    const double freedom = count - ddof;
    const A squares = s.squares - s.apart * (s.apart / static_cast<A>(count));
    const A variance = (squares < A(0) ? A(0) : squares) / static_cast<A>(freedom > 0 ? freedom : 0);
    if constexpr (Root) { return sqrt(variance); } else { return variance; }
  }
};
)";

/// For rows that have at most one block each.
inline constexpr const char* rows_of_blocks_text = R"(
// What a step makes of a group's states, known to all of its threads. Each step has shared memory of its own, so that no
// thread can overwrite what another still reads.
template <class S, int Step> inline void reduce_in_group(const typename S::state (&state)[1], typename S::result (&result)[1], double parameter, double count) {
  using R = typename S::reducer;
  auto total = combined_in_warp<R>(state[0], group < 32 ? group : 32);
  if constexpr (group <= 32) {
    if constexpr (group > 1) total = from_first_lane(total, group);
    result[0] = S::finish(total, parameter, count);
  } else {
    constexpr int warps = group / 32;
    __shared__ alignas(16) unsigned char memory[threads / 32 * sizeof(total)];
    __shared__ alignas(16) unsigned char result_memory[together * sizeof(typename S::result)];
    auto* states = reinterpret_cast<typename R::state*>(memory);
    auto* results = reinterpret_cast<typename S::result*>(result_memory);
    const int warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);  // the same for all lanes, and known to be: no lane waits below
    const int lane = threadIdx.x % 32;
    if (lane == 0) states[warp] = total;
    __syncthreads();
    if (warp % warps == 0) {  // one warp for all of a row's
      total = lane < warps ? states[warp + lane] : R::identity();
      #pragma unroll
      for (int distance = 16; distance > 0; distance /= 2) if (distance < warps) total = R::combine(total, from_lane_below(total, distance));
      if (lane == 0) results[warp / warps] = S::finish(total, parameter, count);
    }
    __syncthreads();
    result[0] = results[warp / warps];
  }
}
inline unsigned number_in_cluster() { return 0; }
inline void begin_cluster() {}
)";

/// For short columns, of which each thread has its own.
inline constexpr const char* columns_of_threads_text = R"(
template <class S, int Step> inline void reduce_in_group(const typename S::state (&state)[side_by_side], typename S::result (&result)[side_by_side], double parameter, double count) {
  for (int c = 0; c < side_by_side; ++c) result[c] = S::finish(state[c], parameter, count);
}
inline unsigned number_in_cluster() { return 0; }
inline void begin_cluster() {}
)";

inline constexpr const char* row_program_kernel_text = R"(
extern "C" __global__ void __launch_bounds__(threads$resident) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ row_arguments r$more) {
  wait_for_results();
  begin_cluster();
  const unsigned thread = number_in_cluster() * threads + threadIdx.x;
  for (int part = 0; part < rows_each; ++part) {
  const index_t row = static_cast<index_t>(blockIdx.x / cluster * rows_each + part) * together + (by_columns ? thread % together : thread / group);
  const index_t lane = by_columns ? thread / together : thread % group;
  const bool in_range = row < r.rows;
  const double count = static_cast<double>(by_columns || ends > 0 ? r.length : r.length * vector);
  place start;
  locate_row(p, start, in_range ? row : 0);
$find_ends  place at[items + ends];
  bool here[items + ends];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    const index_t n = i * group + lane;
    here[i] = whole || i + 1 < items || n < $vectors;
    at[i] = start;
    locate_in_row(p, at[i], here[i] ? n : 0);
$after_end  }
$place_end$held$steps$result  }
}
)";

/// One reduction as a type.
inline constexpr const char* row_reducer_text = R"(struct $name {
  using T = $T; using A = $A; using P = $P; using reducer = $reducer;
  using value = T; using result = $result; using state = reducer::state;
  static inline result finish(const state& x, double parameter, double count) { return cast<result>(reducer::finish(x, parameter$count)); }
};
)";

/// A thread's elements for one reduction.
inline constexpr const char* row_values_text = R"(
  $name::value $values[elements_each];
$loads  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (!here[i]) continue;
    for (int e = 0; e < vector; ++e) $values[i * vector + e] = $compute;
  }
$end)";

/// The result of a reduction for the row. $number counts the reductions before it.
inline constexpr const char* row_reduction_text = R"(
  $name::state t$number[side_by_side];
  for (int c = 0; c < side_by_side; ++c) t$number[c] = state_of_row<$name::reducer>(here[items - 1], c, $values);
$end  $name::result $result[side_by_side];
  reduce_in_group<$name, $number>(t$number, $result, $parameter, count);
)";

/// A mean as it is stored, if distances from it are also wanted.
inline constexpr const char* row_stored_mean_text = R"(
  step_$k::result r$k[side_by_side];
  for (int c = 0; c < side_by_side; ++c) r$k[c] = cast<step_$k::result>(m$k[c]);
)";

/// The positions of those elements.
inline constexpr const char* row_positions_text = R"(  offset_t positions_$k[elements_each];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) positions_$k[i * vector + e] = static_cast<offset_t>($vector.v[e]);
  }
$end)";

/// The result, with one element for each element of the row ...
inline constexpr const char* row_elements_text = R"(
$reductions$loads  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (!here[i] || !in_range) continue;
$shared    pack<value_t> y;
    $values
    $store
  }
$end$last)";

inline constexpr const char* row_each_text = "for (int e = 0; e < vector; ++e) y.v[e] = $compute;";
inline constexpr const char* row_halves_text =
    "for (int e = 0; e < vector; e += 2) set_halves(y, e, $compute);";

/// ... or one element for each row.
inline constexpr const char* row_result_text = R"(
  if (lane == 0 && in_range) {
    constexpr int i = 0;
    offset_t offset = 0;
    for (int d = first_kept; d < first_kept + kept; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[0][d]);
$loads    for (int e = 0; e < side_by_side; ++e) {
      const offset_t to = offset + e * static_cast<offset_t>(p.stride[0][rank - 1]);
      reinterpret_cast<value_t*>(p.data[0])[to] = $compute;
$others    }
  }
)";
/// In addition to elements, the results of reductions for each row. Slot $places counts the rows, from the last
/// one if they are walked backwards.
inline constexpr const char* row_reductions_stored_text = R"(
  if (lane == 0 && in_range) {
    offset_t offset = static_cast<offset_t>(static_cast<long long>(p.data[$places]));
    for (int d = first_kept; d < first_kept + kept; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[$places][d]);
    for (int e = 0; e < side_by_side; ++e) {
      const offset_t to = offset + e * static_cast<offset_t>(p.stride[$places][rank - 1]);
$others    }
  }
)";
/// In addition to it, the result of an earlier reduction.
inline constexpr const char* row_other_result_text =
    "      reinterpret_cast<step_$k::result*>(results.of_step[$k])[to] = r$k[e];\n";

}}}  // namespace gnp::GNP_ABI::detail
