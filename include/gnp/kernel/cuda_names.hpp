// SPDX-License-Identifier: MIT
// CUDA's names as the body of a kernel sees them on the CPU.
#pragma once

#include <atomic>
#include <cstring>
#include <gnp/core/shape.hpp>
#include <gnp/kernel/cuda_numbers.hpp>
#include <gnp/kernel/simulator.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

/// What grid_index_2d() and grid_index_3d() return.
struct grid_index_xy {
  index_t x, y;
};
struct grid_index_xyz {
  index_t x, y, z;
};

namespace detail {

/// A body is a member of a class derived from this one; each thread gets a new object.
class cuda_names : public cuda_numbers {
 public:
  using uint3 = dimensions;
  using dim3 = dimensions;

  const dimensions threadIdx = in_kernel() ? block().thread() : dimensions{0, 0, 0};
  const dimensions blockIdx = in_kernel() ? block().where() : dimensions{0, 0, 0};
  const dimensions blockDim = in_kernel() ? block().launch().block : dimensions();
  const dimensions gridDim = in_kernel() ? block().launch().grid : dimensions();
  static constexpr int warpSize = 32;

  index_t grid_index() const { return index_t{blockIdx.x} * blockDim.x + threadIdx.x; }
  grid_index_xy grid_index_2d() const { return {grid_index(), index_t{blockIdx.y} * blockDim.y + threadIdx.y}; }
  grid_index_xyz grid_index_3d() const {
    return {grid_index(), index_t{blockIdx.y} * blockDim.y + threadIdx.y,
            index_t{blockIdx.z} * blockDim.z + threadIdx.z};
  }
  index_t grid_size() const { return index_t{gridDim.x} * blockDim.x; }

  // Barriers.
  static void __syncthreads() { block().wait_for_all(false); }
  static int __syncthreads_count(int x) { return block().wait_for_all(x != 0); }
  static int __syncthreads_and(int x) {
    return block().wait_for_all(x != 0) == static_cast<int>(block().launch().block.count()) ? 1 : 0;
  }
  static int __syncthreads_or(int x) { return block().wait_for_all(x != 0) > 0 ? 1 : 0; }
  static void __syncwarp(unsigned mask = all_lanes) { block().meet(meeting::barrier, mask, 0, 0); }
  static void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static void __threadfence_block() { __threadfence(); }
  static void __threadfence_system() { __threadfence(); }

  // Warps: votes and shuffles.
  static unsigned __ballot_sync(unsigned mask, int x) { return votes(mask, x != 0); }
  static int __any_sync(unsigned mask, int x) { return votes(mask, x != 0) != 0 ? 1 : 0; }
  static int __all_sync(unsigned mask, int x) { return votes(mask, x == 0) == 0 ? 1 : 0; }
  /// Only the calling lane, because the others may be anywhere.
  static unsigned __activemask() { return 1U << block().lane(); }
  template <class T>
  static unsigned __match_any_sync(unsigned mask, T x) {
    return static_cast<unsigned>(block().meet(meeting::match, mask, bits_of(x), 0));
  }
  template <class T>
  static T __shfl_sync(unsigned mask, T x, int lane, int width = warpSize) {
    return shuffled(mask, x, first_of_part(width) + (lane & (width - 1)));
  }
  template <class T>
  static T __shfl_up_sync(unsigned mask, T x, unsigned delta, int width = warpSize) {
    const int lane = block().lane() - static_cast<int>(delta);
    return shuffled(mask, x, lane < first_of_part(width) ? block().lane() : lane);
  }
  template <class T>
  static T __shfl_down_sync(unsigned mask, T x, unsigned delta, int width = warpSize) {
    const int lane = block().lane() + static_cast<int>(delta);
    return shuffled(mask, x, lane >= first_of_part(width) + width ? block().lane() : lane);
  }
  template <class T>
  static T __shfl_xor_sync(unsigned mask, T x, int lanes, int width = warpSize) {
    const int lane = block().lane() ^ lanes;
    return shuffled(mask, x, lane >= first_of_part(width) + width ? block().lane() : lane);
  }
  static unsigned __reduce_add_sync(unsigned mask, unsigned x) {
    return reduced(mask, x, [](unsigned a, unsigned b) { return a + b; });
  }
  static int __reduce_add_sync(unsigned mask, int x) {
    return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(x)));
  }
  static unsigned __reduce_min_sync(unsigned mask, unsigned x) { return least(mask, x); }
  static int __reduce_min_sync(unsigned mask, int x) { return least(mask, x); }
  static unsigned __reduce_max_sync(unsigned mask, unsigned x) { return greatest(mask, x); }
  static int __reduce_max_sync(unsigned mask, int x) { return greatest(mask, x); }

  // Atomic operations. Each returns the old value.
  template <class T>
  static T atomicAdd(T* place, std::type_identity_t<T> x) {
    return changed(place, [x](T old) { return static_cast<T>(old + x); });
  }
  template <class T>
  static T atomicSub(T* place, std::type_identity_t<T> x) {
    return changed(place, [x](T old) { return static_cast<T>(old - x); });
  }
  template <class T>
  static T atomicExch(T* place, std::type_identity_t<T> x) {
    return changed(place, [x](T) { return x; });
  }
  template <class T>
  static T atomicMin(T* place, std::type_identity_t<T> x) {
    return changed_whole(place, [x](T old) { return old < x ? old : x; });
  }
  template <class T>
  static T atomicMax(T* place, std::type_identity_t<T> x) {
    return changed_whole(place, [x](T old) { return old < x ? x : old; });
  }
  template <class T>
  static T atomicAnd(T* place, std::type_identity_t<T> x) {
    return changed_whole(place, [x](T old) { return old & x; });
  }
  template <class T>
  static T atomicOr(T* place, std::type_identity_t<T> x) {
    return changed_whole(place, [x](T old) { return old | x; });
  }
  template <class T>
  static T atomicXor(T* place, std::type_identity_t<T> x) {
    return changed_whole(place, [x](T old) { return old ^ x; });
  }
  static unsigned atomicInc(unsigned* place, unsigned last) {
    return changed(place, [last](unsigned old) { return old >= last ? 0 : old + 1; });
  }
  static unsigned atomicDec(unsigned* place, unsigned last) {
    return changed(place, [last](unsigned old) { return old == 0 || old > last ? last : old - 1; });
  }
  template <class T>
  static T atomicCAS(T* place, std::type_identity_t<T> compare, std::type_identity_t<T> x) {
    return changed_whole(place, [compare, x](T old) { return old == compare ? x : old; });
  }

  template <class T>
  static T __ldg(const T* place) {
    return *place;
  }

 protected:
  // What GNP_SHARED and GNP_DYNAMIC_SHARED are made of.
  template <class T>
  static void declare_shared(const char* name, T& variable) {
    block().declare(name, &variable, sizeof variable, sizeof(std::remove_all_extents_t<T>));
  }
  template <class T>
  static T* dynamic_shared(const char* name) {
    block().declare(name, block().dynamic_memory(), block().launch().shared_bytes, sizeof(T));
    return static_cast<T*>(block().dynamic_memory());
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;

  /// (A device function may also be called outside a kernel.)
  static bool in_kernel() { return simulated_block::current() != nullptr; }
  static simulated_block& block() { return *simulated_block::current(); }
  static int first_of_part(int width) { return block().lane() / width * width; }
  static unsigned votes(unsigned mask, bool x) {
    return static_cast<unsigned>(block().meet(meeting::vote, mask, x ? 1 : 0, 0));
  }

  template <class T>
  static std::uint64_t bits_of(T x) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>,
                  "gnp: lanes exchange numbers of up to 64 bits");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return bits;
  }
  template <class T>
  static T shuffled(unsigned mask, T x, int lane) {
    const std::uint64_t bits = block().meet(meeting::exchange, mask, bits_of(x), lane);
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  template <class T, class Join>
  static T reduced(unsigned mask, T x, const Join& join) {
    T result = x;
    const unsigned there = votes(mask, true);
    for (int lane = 0; lane < warpSize; ++lane) {
      if ((there >> lane & 1U) == 0) continue;
      const T other = shuffled(mask, x, lane);
      if (lane != block().lane()) result = join(result, other);
    }
    return result;
  }
  template <class T>
  static T least(unsigned mask, T x) {
    return reduced(mask, x, [](T a, T b) { return a < b ? a : b; });
  }
  template <class T>
  static T greatest(unsigned mask, T x) {
    return reduced(mask, x, [](T a, T b) { return a < b ? b : a; });
  }

  /// Changes a number that threads of other blocks may change at the same time.
  template <class T, class Change>
  static T changed(T* place, const Change& change) {
    static_assert(std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, float> ||
                      std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) == 8),
                  "gnp: atomic operations are for int, unsigned, 64-bit integers, float and double");
    const std::atomic_ref<T> shared(*place);
    T old = shared.load(std::memory_order_relaxed);
    T now = change(old);
    while (!shared.compare_exchange_weak(old, now)) now = change(old);
    if (in_kernel()) {
      block().changed_atomically(place, sizeof(T));
      if (now == old) block().changed_nothing();
    }
    return old;
  }
  template <class T, class Change>
  static T changed_whole(T* place, const Change& change) {
    static_assert(std::is_integral_v<T>, "gnp: CUDA has this atomic operation for integers only");
    return changed(place, change);
  }
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI
