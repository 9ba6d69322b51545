// SPDX-License-Identifier: MIT
// The kernel of a row program, as text: several reductions along the rows of the same arrays, each made of
// elements and of what the reductions before it gave, and at the end elements made of all of them. A group of
// threads shares a row. What more than one step needs of the arrays stays in its registers, so that memory is
// read once. Where rows lie across memory they are columns: each thread has a vector of them, side by side, and
// so has each step's result. The threads of long rows are those of several blocks, a cluster, which write into
// each other's shared memory.
//
// Written for the constants of access.hpp and: kept (axes that stay), group (threads that share a row), items
// (vectors of a row that a thread has), threads (of a block), cluster (blocks that share rows), by_columns,
// whole (is a row exactly the vectors of its threads?), state_bytes (of the largest state).
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
constexpr int together = threads * cluster / group;       // rows, or vectors of columns, of a cluster
constexpr int side_by_side = by_columns ? vector : 1;     // rows that a vector's elements belong to
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
template <int First, int Last, class T> inline auto of_row(const T (&x)[items * vector], int row) {
  some<T, (Last - First) * vector / side_by_side> y;
  for (int i = 0; i < sizeof(y) / sizeof(T); ++i) y.v[i] = x[First * vector + i * side_by_side + row];
  return y;
}
// Their state. Of a thread's vectors only the last may be missing.
template <class R, class... X> inline typename R::state state_of_row(bool last_is_here, int row, const X&... x) {
  if constexpr (whole) return batch_of<R>(of_row<0, items>(x, row).v...);
  typename R::state total = R::identity();
  if constexpr (items > 1) total = batch_of<R>(of_row<0, items - 1>(x, row).v...);
  return last_is_here ? R::combine(total, batch_of<R>(of_row<items - 1, items>(x, row).v...)) : total;
}

// What the states of the first `width` lanes come to; in the first of them.
template <class R> inline typename R::state combined_in_warp(typename R::state total, int width) {
  #pragma unroll
  for (int d = width / 2; d > 0; d /= 2) total = R::combine(total, from_lane_below(total, d));
  return total;
}
)";

/// Where a row is one block's at most.
inline constexpr const char* rows_of_blocks_text = R"(
// What a step makes of a group's states, known to all of its threads. Each step has shared memory of its own, so that no
// thread can overwrite what another still reads.
template <class S, int Step> inline void reduce_in_group(const typename S::state (&state)[1], typename S::result (&result)[1], double parameter) {
  using R = typename S::reducer;
  auto total = combined_in_warp<R>(state[0], group < 32 ? group : 32);
  if constexpr (group <= 32) {
    if constexpr (group > 1) total = from_first_lane(total, group);
    result[0] = S::finish(total, parameter);
  } else {
    constexpr int warps = group / 32;
    __shared__ alignas(16) unsigned char memory[threads / 32 * sizeof(total)];
    __shared__ alignas(16) unsigned char result_memory[together * sizeof(typename S::result)];
    auto* states = reinterpret_cast<typename R::state*>(memory);
    auto* results = reinterpret_cast<typename S::result*>(result_memory);
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (lane == 0) states[warp] = total;
    __syncthreads();
    if (warp % warps == 0) {  // one warp for all of a row's
      total = lane < warps ? states[warp + lane] : R::identity();
      #pragma unroll
      for (int distance = 16; distance > 0; distance /= 2) if (distance < warps) total = R::combine(total, from_lane_below(total, distance));
      if (lane == 0) results[warp / warps] = S::finish(total, parameter);
    }
    __syncthreads();
    result[0] = results[warp / warps];
  }
}
inline unsigned number_in_cluster() { return 0; }
inline void begin_cluster() {}
)";

/// Where rows are side by side, or a cluster's.
inline constexpr const char* rows_of_clusters_text = R"(
inline unsigned number_in_cluster() {
  unsigned number = 0;
  if constexpr (cluster > 1) asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
  return number;
}

// Blocks of a cluster send each other states. Each counts the bytes that arrive, for even steps and for odd ones: a block
// can be a step ahead of another, not two. (A barrier of the cluster would do, but waits for memory, too.)
__shared__ unsigned long long arrived[2];
inline unsigned shared_address(const void* here) { return static_cast<unsigned>(__cvta_generic_to_shared(here)); }
// The same place in another block of the cluster.
inline unsigned shared_address(const void* here, unsigned block) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(here)), "r"(block));
  return there;
}
inline void begin_cluster() {
  if constexpr (cluster > 1) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < 2; ++i) asm volatile("mbarrier.init.shared.b64 [%0], 1;" : : "r"(shared_address(arrived + i)) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" : : : "memory");
  }
}
// Before the first state is sent.
inline void wait_until_all_began() { asm volatile("barrier.cluster.wait.aligned;" : : : "memory"); }
template <class T> inline void send(const in_words<T>& x, in_words<T>* to, unsigned block, const void* counter) {
  const unsigned there = shared_address(to, block);
  for (int i = 0; i < words_of<T>(); ++i)
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" : : "r"(there + 4 * i), "r"(x.words.word[i]), "r"(shared_address(counter, block)) : "memory");
}
inline void expect(const void* counter, unsigned bytes) {
  if (threadIdx.x == 0) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" : : "r"(shared_address(counter)), "r"(bytes) : "memory");
}
inline void wait_for_all(const void* counter, unsigned parity) {
  unsigned done = 0;
  while (done == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared_address(counter)), "r"(parity) : "memory");
}

constexpr int warps = threads / 32;
constexpr int rows_of_block = by_columns ? together * vector : 1;
constexpr int lanes_of_row = by_columns ? together : 1;  // side by side
constexpr int power_of_two(int n) { int power = 1; while (power < n) power *= 2; return power; }

// The lanes of a warp that have the same rows share these out while they combine their states: at each step a lane gives
// half of its states away and combines the others with what it gets. `first` is the first that it has at the end.
template <class R, int Count, int Distance> inline void combine_lanes(typename R::state (&total)[side_by_side], int& first) {
  if constexpr (Distance >= lanes_of_row) {
    constexpr int half = Count / 2;
    const bool upper = (threadIdx.x & Distance) != 0;
    if constexpr (half == 0) total[0] = R::combine(total[0], from_lane_across(total[0], Distance));
    for (int c = 0; c < half; ++c) {
      const typename R::state given = upper ? total[c] : total[c + half];
      const typename R::state own = upper ? total[c + half] : total[c];
      total[c] = R::combine(own, from_lane_across(given, Distance));
    }
    if (upper) first += half;
    combine_lanes<R, (half > 0 ? half : 1), Distance / 2>(total, first);
  }
}

// For each row of the block: what `count` states of it come to, given to `use` with its number. As many lanes as there
// are states, or more, combine them, and all know the outcome.
template <class R, int Count, class Use> inline void combine_each(const in_words<typename R::state>* states, const Use& use) {
  constexpr int width = power_of_two(Count);
  constexpr int all = (rows_of_block * width + 31) / 32 * 32;
  #pragma unroll 1
  for (int t = threadIdx.x; t < all; t += threads) {
    const int row = t / width;
    const bool mine = t % width < Count && row < rows_of_block;
    typename R::state total = mine ? states[t % width * rows_of_block + row].value : R::identity();
    total = from_first_lane(combined_in_warp<R>(total, width), width);
    if (row < rows_of_block) use(row, t % width, total);
  }
}

// What a step makes of each row's states, known to all of its threads. The steps share memory: for the warps' states, for the
// blocks' by turns, and for the results.
constexpr int memory_of_each = rows_of_block * state_bytes;
__shared__ alignas(16) unsigned char memory[(warps + 2 * cluster + 1) * memory_of_each];
template <class S, int Step> inline void reduce_in_group(typename S::state (&total)[side_by_side], typename S::result (&result)[side_by_side], double parameter) {
  using R = typename S::reducer;
  using state = in_words<typename S::state>;
  auto* of_warps = reinterpret_cast<state*>(memory);
  auto* of_blocks = reinterpret_cast<state*>(memory + (warps + Step % 2 * cluster) * memory_of_each);
  auto* results = reinterpret_cast<typename S::result*>(memory + (warps + 2 * cluster) * memory_of_each);
  const int first = threadIdx.x % lanes_of_row * side_by_side;
  int mine = first;
  combine_lanes<R, side_by_side, 16>(total, mine);
  constexpr int left = side_by_side * lanes_of_row > 32 ? side_by_side * lanes_of_row / 32 : 1;
  for (int c = 0; c < left; ++c) of_warps[threadIdx.x / 32 * rows_of_block + mine + c].value = total[c];
  const auto finish = [&](int row, int lane, const typename S::state& x) { if (lane == 0) results[row] = S::finish(x, parameter); };
  __syncthreads();
  if constexpr (cluster == 1) {
    combine_each<R, warps>(of_warps, finish);
  } else {
    if constexpr (Step == 0) wait_until_all_began();
    const unsigned long long* counter = arrived + Step % 2;
    expect(counter, cluster * rows_of_block * words_of<typename S::state>() * 4);
    state* own = of_blocks + number_in_cluster() * rows_of_block;
    combine_each<R, warps>(of_warps, [&](int row, int lane, const typename S::state& x) {
      state sent;
      sent.value = x;
      for (int to = lane; to < cluster; to += power_of_two(warps)) send(sent, own + row, to, counter);
    });
    wait_for_all(counter, Step / 2 % 2);
    combine_each<R, cluster>(of_blocks, finish);
  }
  __syncthreads();
  for (int c = 0; c < side_by_side; ++c) result[c] = results[first + c];
}
)";

/// Where rows are a thread's each and lie one after the other: those of a block pass through shared memory.
inline constexpr const char* staged_rows_text = R"(
constexpr int row_length = items * vector;
__shared__ uint4 rows_of_threads[threads * row_length * $itemsize / 16];

// The elements of a block's rows: how many of them there are, after how many.
inline index_t elements_before() { return static_cast<index_t>(blockIdx.x) * (threads * row_length); }
inline int elements_here(const row_arguments& r) {
  const index_t left = static_cast<index_t>(r.rows) * row_length - elements_before();
  return left < threads * row_length ? static_cast<int>(left) : threads * row_length;
}

// Copies them: whole vectors, and what is left of the last row.
template <class T> inline void copy_rows(T* to, const T* from, int count) {
  constexpr int each = 16 / sizeof(T);
  constexpr int most = (row_length + each - 1) / each;
  const int whole_vectors = count / each;
  uint4 x[most];
  for (int i = 0; i < most; ++i) {
    const int n = i * threads + threadIdx.x;
    if (n < whole_vectors) x[i] = reinterpret_cast<const uint4*>(from)[n];
  }
  for (int i = 0; i < most; ++i) {
    const int n = i * threads + threadIdx.x;
    if (n < whole_vectors) reinterpret_cast<uint4*>(to)[n] = x[i];
  }
  const int n = whole_vectors * each + threadIdx.x;
  if (n < count) to[n] = from[n];
}

template <class T, int Slot> inline void load_rows(const arguments& p, const row_arguments& r, pack<T> (&x)[items]) {
  T* rows = reinterpret_cast<T*>(rows_of_threads);
  copy_rows(rows, reinterpret_cast<const T*>(p.data[Slot]) + elements_before(), elements_here(r));
  __syncthreads();
  for (int i = 0; i < items; ++i) load_vector(x[i], rows + threadIdx.x * row_length + i * vector);
  __syncthreads();
}
template <class T> inline void keep(const pack<T>& x, int i) {
  store_vector(reinterpret_cast<T*>(rows_of_threads) + threadIdx.x * row_length + i * vector, x);
}
template <class T> inline void store_rows(const arguments& p, const row_arguments& r) {
  __syncthreads();
  copy_rows(reinterpret_cast<T*>(p.data[0]) + elements_before(), reinterpret_cast<const T*>(rows_of_threads), elements_here(r));
}
)";

inline constexpr const char* row_program_kernel_text = R"(
extern "C" __global__ void __launch_bounds__(threads$resident) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ row_arguments r) {
  wait_for_results();
  begin_cluster();
  const unsigned thread = number_in_cluster() * threads + threadIdx.x;
  const index_t row = static_cast<index_t>(blockIdx.x / cluster) * together + (by_columns ? thread % together : thread / group);
  const index_t lane = by_columns ? thread / together : thread % group;
  const bool in_range = row < r.rows;
  place start;
  locate_row(p, start, in_range ? row : 0);
  place at[items];
  bool here[items];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    const index_t n = i * group + lane;
    here[i] = whole || i + 1 < items || n < static_cast<index_t>(r.length);
    at[i] = start;
    locate_in_row(p, at[i], here[i] ? n : 0);
  }
$held$steps$result}
)";

/// One reduction of a thread's elements, and what it comes to.
inline constexpr const char* row_step_text = R"(
  step_$k::value w$k[items * vector];
$loads$positions  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (!here[i]) continue;
    for (int e = 0; e < vector; ++e) w$k[i * vector + e] = $compute;
  }
  step_$k::state t$k[side_by_side];
  for (int c = 0; c < side_by_side; ++c) t$k[c] = state_of_row<step_$k::reducer>(here[items - 1], c, w$k$at);
  step_$k::result r$k[side_by_side];
  reduce_in_group<step_$k, $k>(t$k, r$k, r.parameter[$k]);
)";

/// The positions of those elements.
inline constexpr const char* row_positions_text = R"(  offset_t positions_$k[items * vector];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) positions_$k[i * vector + e] = static_cast<offset_t>($vector.v[e]);
  }
)";

/// The result, an element for each of the row ...
inline constexpr const char* row_elements_text = R"(
$loads  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (!here[i] || !in_range) continue;
$shared    pack<value_t> y;
    for (int e = 0; e < vector; ++e) y.v[e] = $compute;
    $store
  }
$last)";

/// ... or one element for each row.
inline constexpr const char* row_result_text = R"(
  if (lane == 0 && in_range) {
    constexpr int i = 0;
    offset_t offset = 0;
    for (int d = first_kept; d < first_kept + kept; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[0][d]);
$loads    for (int e = 0; e < side_by_side; ++e) {
      reinterpret_cast<value_t*>(p.data[0])[offset + e * static_cast<offset_t>(p.stride[0][rank - 1])] = $compute;
    }
  }
)";

}}}  // namespace gnp::GNP_ABI::detail
