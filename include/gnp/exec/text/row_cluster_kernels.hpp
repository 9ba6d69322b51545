// SPDX-License-Identifier: MIT
// How the threads of a row program combine the states of their rows, as text, if rows are columns or are shared
// by the blocks of a cluster. Written for the constants of row_program_kernels.hpp.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// For rows that are columns, or that a cluster shares.
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
    __syncwarp();  // the barrier takes whole warps
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
template <class S, int Step> inline void reduce_in_group(typename S::state (&total)[side_by_side], typename S::result (&result)[side_by_side], double parameter, double count) {
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
  const auto finish = [&](int row, int lane, const typename S::state& x) { if (lane == 0) results[row] = S::finish(x, parameter, count); };
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

}}}  // namespace gnp::GNP_ABI::detail
