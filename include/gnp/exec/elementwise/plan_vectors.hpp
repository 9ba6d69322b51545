// SPDX-License-Identifier: MIT
// How many elements of a row a thread of a GPU kernel takes at once.
#pragma once

#include <gnp/exec/elementwise/plan_slots.hpp>
#include <gnp/exec/elementwise/shifted_plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The edge of the square tiles, in elements, such that a tile with this element size fits in shared memory.
constexpr int tile_edge(int itemsize) { return itemsize > 8 ? 32 : 64; }
constexpr int bytes_of_tile(int edge, int itemsize) { return edge * (edge + 1) * itemsize; }
inline constexpr int most_bytes_of_tiles = 48 * 1024;

/// A tile kernel's edge is that of its widest operand; of a reduction, of its widest input.
GNP_INLINE int plan_tile_edge(const job& j, const kernel_plan& plan) {
  int widest = 1;
  for (int slot = plan.shape == kernel_shape::reduce_tiles ? 1 : 0; slot < plan.slots; ++slot)
    widest = (std::max)(widest, j.operands[slot].itemsize);
  return tile_edge(widest);
}

/// How many tiles the last two axes have, at each place along the others.
GNP_INLINE std::uint64_t count_tiles(const job& j, const kernel_plan& plan) {
  const auto edge = static_cast<std::uint64_t>(plan_tile_edge(j, plan));
  std::uint64_t tiles = 1;
  for (int d = 0; d < j.rank; ++d) {
    const auto size = static_cast<std::uint64_t>(j.shape[d]);
    tiles *= d >= j.rank - 2 ? (size + edge - 1) / edge : size;
  }
  return tiles;
}

/// Can runs of `vector` elements along `axis` be loaded at once: is every run's address a multiple of its size?
GNP_INLINE bool runs_are_aligned(const job& j, const job_operand& o, int axis, int vector) {
  const int width = (std::min)(16, o.itemsize * vector);
  if (reinterpret_cast<std::uintptr_t>(o.data) % static_cast<std::uintptr_t>(width) != 0) return false;
  for (int d = 0; d < j.rank; ++d) {
    if (d != axis && o.strides[d] * o.itemsize % width != 0) return false;
  }
  return true;
}

/// The most elements that a thread could load at once, given how slots are accessed: 16 bytes of the narrowest,
/// and at most 32 of the widest.
GNP_INLINE int longest_vector_of_loads(const job& j, const kernel_plan& plan) {
  int widest = 1, narrowest = 16;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    const lane_access access = plan.access[slot];
    if (!o.table && (access == lane_access::repeated || access == lane_access::counted)) continue;
    widest = (std::max)(widest, o.itemsize);
    narrowest = (std::min)(narrowest, o.itemsize);
  }
  return (std::min)(16 / narrowest, 32 / widest);
}

/// For a stride of 2 along the innermost axis: are the pairs aligned that begin at the first element, or at the
/// one before it?
GNP_INLINE bool pairs_are_aligned(const job& j, const job_operand& o, int vector) {
  if (vector % 2 != 0 || o.itemsize * vector > 16) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(o.data);
  const auto width = static_cast<std::uintptr_t>(o.itemsize * vector);
  if (address % width != 0 && address % width != static_cast<std::uintptr_t>(o.itemsize)) return false;
  for (int d = 0; d + 1 < j.rank; ++d) {
    if (o.strides[d] % vector != 0) return false;
  }
  return true;
}

/// Reads every other element one by one, if it cannot be read in aligned vectors.
GNP_INLINE void take_unaligned_pairs_apart(const job& j, kernel_plan& plan) {
  for (int slot = 1; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (access == lane_access::every_other && !pairs_are_aligned(j, j.operands[slot], plan.vector))
      access = lane_access::strided;
  }
}

/// Rows of three, such as points in space, with several inputs that are constant along each row: a thread takes
/// whole rows, and reads these inputs and computes with them only once. (Loading or storing elements that are
/// three apart takes longer than whole vectors, so this is not worthwhile for few such inputs.)
GNP_INLINE bool takes_rows_of_three(const job& j, const kernel_plan& plan) {
  const int inner = j.rank - 1;
  if (j.rank < 2 || j.shape[inner] != 3 || plan.shape != kernel_shape::elementwise || plan.loops.any() ||
      plan.access[0] != lane_access::run) {
    return false;
  }
  int same_along_rows = 0;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] == lane_access::run) return false;
    const index_t* strides = j.operands[slot].strides;
    const bool moves = std::any_of(strides, strides + inner, [](index_t stride) { return stride != 0; });
    if (moves && plan.access[slot] == lane_access::repeated) ++same_along_rows;
  }
  return same_along_rows >= 3;
}

/// Short contiguous rows, with operands that repeat in each row or differ only from row to row, as when the
/// mean of each colour is subtracted from an image. Vectors then run through the ends of rows, and the other
/// operands are read element by element, mostly from the cache.
GNP_INLINE bool plan_through_rows(const job& j, kernel_plan& plan, int vector) {
  if (j.rank != 2 || plan.shape != kernel_shape::elementwise || plan.loops.any()) return false;
  const auto runs_through = [&](std::size_t slot, int v) {
    const job_operand& o = j.operands[slot];
    return plan.access[slot] == lane_access::run && o.strides[0] == j.shape[1] &&
           reinterpret_cast<std::uintptr_t>(o.data) %
                   static_cast<std::uintptr_t>((std::min)(16, o.itemsize * v)) ==
               0;
  };
  while (vector > plan.vector && !runs_through(0, vector)) vector /= 2;
  if (vector <= plan.vector) return false;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (j.operands[slot].block == nullptr || j.operands[slot].in_loop) return false;
  }
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const bool one_element = plan.access[slot] == lane_access::repeated && j.operands[slot].strides[0] == 0;
    if (!one_element && !runs_through(slot, vector)) plan.access[slot] = lane_access::wrapped;
  }
  plan.through_rows = true;
  mark_moves(j, plan);
  plan.vector = static_cast<std::uint8_t>(vector);
  return true;
}

/// Is no slot made of whole vectors? Then a vector is nothing more than several elements for a thread, and if
/// there are few elements, as in a column, other threads get none.
GNP_INLINE bool nothing_runs(const kernel_plan& plan) {
  return !plan.loops.any() && std::none_of(plan.access.begin(), plan.access.begin() + plan.slots,
                                           [](lane_access access) { return access == lane_access::run; });
}

/// The sizes in bytes of the elements that differ along a row: of the widest and of the narrowest ones.
struct element_sizes {
  int widest = 1;
  int narrowest = 16;
};

/// One 16-byte vector per thread and operand. An input may take two if another operand is narrower. The
/// destination may not: if a thread made two adjacent stores, each instruction would write half of every
/// 32-byte sector.
GNP_INLINE int longest_vector(const job& j, const element_sizes& sizes) {
  return (std::min)((std::min)(16 / sizes.narrowest, 32 / sizes.widest), 16 / j.operands[0].itemsize);
}

/// The longest vectors of up to `most` elements that fit the innermost axis, and the alignment of what is read.
GNP_INLINE int longest_that_fits(const job& j, const kernel_plan& plan, int widest, int most) {
  const bool tiled = plan.has_tiles();
  const int inner = j.rank - 1;
  const auto fits = [&](int v) {
    if (tiled && tile_edge(widest) * tile_edge(widest) / v < threads_per_block) return false;
    if (j.rank > 1 && !tiled && j.shape[inner] % v != 0) return false;
    for (int slot = 0; slot < plan.slots; ++slot) {
      const job_operand& o = j.operands[slot];
      const lane_access access = plan.access[static_cast<std::size_t>(slot)];
      if (access == lane_access::run && !runs_are_aligned(j, o, inner, v)) return false;
      if (access == lane_access::transposed && !runs_are_aligned(j, o, inner - 1, v)) return false;
    }
    return true;
  };
  int vector = most;
  while (vector > 1 && !fits(vector)) vector /= 2;
  return vector;
}

/// Chooses how many elements a thread takes at once, at most `most`, and with that another shape for rows in
/// which fewer would fit.
GNP_INLINE void choose_vector(const job& j, kernel_plan& plan, int most, int widest, bool through_rows,
                              int results) {
  constexpr index_t enough_for_all_threads = 1 << 16;
  const int vector = longest_that_fits(j, plan, widest, most);
  plan.vector = static_cast<std::uint8_t>(vector);
  const bool everywhere = j.code->condition == nullptr;
  if (everywhere && takes_rows_of_three(j, plan)) {
    plan.vector = 3;
  } else if (vector < most && plan.shape != kernel_shape::tile && !plan_shifted(j, plan, most, results) &&
             everywhere && through_rows) {
    plan_through_rows(j, plan, most);
  }
  if (plan.shape == kernel_shape::elementwise && nothing_runs(plan)) {
    while (plan.vector > 1 && j.count / plan.vector < enough_for_all_threads) plan.vector /= 2;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
