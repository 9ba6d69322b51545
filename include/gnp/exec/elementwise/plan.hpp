// SPDX-License-Identifier: MIT
// Which GPU kernel a collapsed job gets: the shape, the vector width, and how each operand is accessed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <gnp/exec/elementwise/shifted_plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The edge of the square tiles, in elements, such that a tile with this element size fits in shared memory.
constexpr int tile_edge(int itemsize) { return itemsize > 8 ? 32 : 64; }

/// A tile kernel's edge is that of its widest operand.
GNP_INLINE int plan_tile_edge(const job& j, const kernel_plan& plan) {
  int widest = 1;
  for (int slot = 0; slot < plan.slots; ++slot) widest = (std::max)(widest, j.operands[slot].itemsize);
  return tile_edge(widest);
}

/// Do offsets to an operand's elements need 64 bits? A table may be read anywhere within its reach.
GNP_INLINE bool reaches_far(const job& j, const job_operand& o) {
  const element_span span = o.table ? o.reach : span_of(j.rank, j.shape, o.strides);
  return span.last - span.first > 0x7fff0000;
}

/// Are these the same elements? Tables have strides of 0, so for them the elements that may be read are
/// compared.
GNP_INLINE bool same_elements(const job& j, const job_operand& a, const job_operand& b) {
  if (a.table != b.table || (a.table && (a.reach.first != b.reach.first || a.reach.last != b.reach.last)))
    return false;
  if ((a.shifts == nullptr) != (b.shifts == nullptr) ||
      (a.shifts != nullptr && !std::equal(a.shifts, a.shifts + j.rank, b.shifts)))
    return false;
  return a.data == b.data && (a.block == nullptr) == (b.block == nullptr) && a.in_loop == b.in_loop &&
         std::equal(a.strides, a.strides + j.rank, b.strides);
}

/// Gives inputs with the same memory and layout a common slot, and moves the slots' operands to the front.
GNP_INLINE void merge_equal_inputs(job& j, kernel_plan& plan) {
  plan.slots = 1;
  plan.inputs = static_cast<std::uint8_t>(j.code->inputs);
  std::array<dtype, most_operands> types;
  for (int i = 0; i < j.code->inputs; ++i) {
    const job_operand& o = j.operands[i + 1];
    const dtype type = j.code->input_types[i];
    std::uint8_t slot = 1;
    for (; slot < plan.slots; ++slot) {
      if (types[slot] == type && same_elements(j, j.operands[slot], o)) break;
    }
    plan.slot_of[static_cast<std::size_t>(i)] = slot;
    if (slot < plan.slots) continue;
    types[slot] = type;
    if (slot != i + 1) j.operands[slot] = o;
    ++plan.slots;
  }
}

/// Picks an axis along which operands are contiguous although they are strided along the innermost axis, and
/// makes it the second to last. False if no axis is worth a tile.
GNP_INLINE bool choose_tile_axis(job& j, kernel_plan& plan) {
  constexpr index_t worthwhile = 16;
  const int inner = j.rank - 1;
  if (j.rank < 2 || j.operands[0].strides[inner] != 1 || j.shape[inner] < worthwhile) return false;
  for (int slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (o.block == nullptr || o.in_loop || o.strides[inner] == 0 || o.strides[inner] == 1) continue;
    for (int d = 0; d < inner; ++d) {
      if (o.strides[d] != 1 || j.shape[d] < worthwhile) continue;
      for (int e = d; e + 1 < inner; ++e) {
        std::swap(j.shape[e], j.shape[e + 1]);
        for (int i = 0; i < plan.slots; ++i) std::swap(j.operands[i].strides[e], j.operands[i].strides[e + 1]);
      }
      return true;
    }
  }
  return false;
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

/// What is known of the loops that read a job's inputs.
struct loop_facts : thread_loops {
  // For each input: how many consecutive elements of it a loop takes, if the loop is in no other loop;
  // otherwise 0.
  std::array<std::uint8_t, most_operands> taken_in_line{};
  const std::uint8_t* slot_of_number = nullptr;  // in the launch, where loops have numbers, too
};

/// Are all elements of one operand among those of another, with the same steps from the same first element?
GNP_INLINE bool is_within(const job& j, const job_operand& o, const job_operand& wide) {
  if (o.block == nullptr || o.block != wide.block || o.data != wide.data || o.itemsize != wide.itemsize)
    return false;
  for (int d = 0; d < j.rank; ++d) {
    if (o.strides[d] != 0 && o.strides[d] != wide.strides[d]) return false;
  }
  return true;
}

/// Notes along which axes each slot moves.
GNP_INLINE void mark_moves(const job& j, kernel_plan& plan) {
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    plan.moves[slot] = 0;
    for (int d = 0; d < j.rank; ++d) {
      if (j.operands[slot].strides[d] != 0) plan.moves[slot] |= static_cast<std::uint16_t>(1u << d);
    }
  }
}

/// Notes for the loops of a thread along which axes each slot moves, and which slot's places include its own:
/// then the text has one address for both, and the compiler makes one load.
GNP_INLINE void plan_loops(const job& j, const loop_facts& loops, kernel_plan& plan) {
  plan.loops = loops;
  if (!loops.any()) return;
  mark_moves(j, plan);
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    std::size_t widest = slot;
    for (std::size_t other = 1; other < plan.slots && slot > 0; ++other) {
      const bool more = std::popcount(plan.moves[other]) > std::popcount(plan.moves[widest]);
      const bool first = plan.moves[other] == plan.moves[widest] && other < widest;
      if ((more || first) && is_within(j, j.operands[slot], j.operands[other])) widest = other;
    }
    plan.in_loops[slot] = {.within = static_cast<std::uint8_t>(widest), .in_line = 0};
  }
}

/// Are all elements the same along the first axis, and is there enough work for the whole GPU without it? Then
/// each element is computed once and stored at every place along that axis. If each copy read its inputs again,
/// they would come from memory, because more lies between two copies than the caches hold.
GNP_INLINE bool copies_along_first_axis(const job& j, const kernel_plan& plan) {
  constexpr index_t enough_threads = 1 << 18;
  if (j.rank < 2 || plan.shape != kernel_shape::elementwise || plan.loops.any()) return false;
  if (j.count / j.shape[0] / plan.vector < enough_threads) return false;
  bool any_moves = false;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (j.operands[slot].strides[0] != 0) return false;
    any_moves =
        any_moves || (plan.access[slot] != lane_access::repeated && plan.access[slot] != lane_access::counted);
  }
  return any_moves;
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

/// Do the loops of adjacent threads read elements that are far apart and that other rows read again, as for all
/// distances between points? Or do they slide over an array, so that each element is read in every loop around
/// it? These elements come from the cache, and the number of cache lines matters: if a thread has single
/// elements of a result, a warp needs at most a quarter of the lines at a time that it would need with vectors.
GNP_INLINE bool loops_read_again(const job& j, const kernel_plan& plan) {
  const int inner = j.rank - 1;
  for (std::size_t i = 0; i < plan.inputs; ++i) {
    const bool slides = i < 64 && (plan.loops.one_by_one >> i & 1) != 0;
    if (slides && j.operands[plan.slot_of[i]].strides[inner] == 1) return true;
  }
  for (int slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (!o.in_loop || o.strides[inner] == 0 || o.strides[inner] == 1) continue;
    for (int d = 0; d < inner; ++d) {
      if (o.strides[d] == 0 && j.shape[d] > 1) return true;
    }
  }
  return false;
}

/// Gives a thread several elements if its loops compute one element at a time, because a block of threads with
/// one element each takes longer to start than to run. With two axes, these elements are in consecutive rows,
/// so that what the loops read for all of them is loaded once.
GNP_INLINE void share_loops_of_rows(const job& j, kernel_plan& plan) {
  constexpr index_t many = 1 << 20;
  if (plan.vector != 1 || plan.copied || j.count < many) return;
  std::uint64_t longest = 0;
  for (std::uint64_t lengths = plan.loops.lengths; lengths != 0; lengths >>= 8)
    longest = (std::max)(longest, lengths & 255);
  plan.items = longest <= 16 ? 4 : 2;
  if (j.rank == 2 && j.shape[0] >= 2 * plan.items) plan.rows_each = plan.items;
}

/// Does one of several results have gaps between its elements, like one component of the vectors in an array?
/// Then adjacent threads that store single elements write more of each line than they would with vectors.
GNP_INLINE bool results_have_gaps(const kernel_plan& plan, int results) {
  for (int k = 0; k < results && results > 1; ++k) {
    const std::size_t slot = k == 0 ? 0 : plan.slot_of[static_cast<std::size_t>(plan.inputs - k)];
    if (plan.access[slot] == lane_access::strided || plan.access[slot] == lane_access::every_other) return true;
  }
  return false;
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

/// Chooses how each slot is reached, and whether that takes 64-bit indices.
GNP_INLINE element_sizes choose_access(const job& j, kernel_plan& plan) {
  const bool tiled = plan.shape == kernel_shape::tile;
  const int inner = j.rank - 1;
  const int edge = plan_tile_edge(j, plan);
  int shared_memory = 0;
  element_sizes sizes;
  for (int slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    const index_t stride = o.strides[inner];
    const int tile_bytes = edge * (edge + 1) * o.itemsize;
    plan.wide = plan.wide || reaches_far(j, o);
    if (slot > 0 && (o.block == nullptr || o.in_loop)) {
      access = o.in_loop ? lane_access::pointers : lane_access::counted;
      continue;
    }
    if (tiled && slot > 0 && stride != 1 && stride != 0 && o.strides[inner - 1] == 1 &&
        shared_memory + tile_bytes <= 48 * 1024) {
      access = lane_access::transposed;
      shared_memory += tile_bytes;
    } else {
      access = stride == 1                         ? lane_access::run
               : stride == 0                       ? lane_access::repeated
               : stride == 2 && slot > 0 && !tiled ? lane_access::every_other
                                                   : lane_access::strided;
    }
    if (access != lane_access::repeated) {
      sizes.widest = (std::max)(sizes.widest, o.itemsize);
      sizes.narrowest = (std::min)(sizes.narrowest, o.itemsize);
    }
  }
  plan.wide = plan.wide || j.count > 0x7fff0000;
  return sizes;
}

/// Is every slot a run, the same element, or positions, and the destination a run?
GNP_INLINE bool nothing_is_strided(const kernel_plan& plan) {
  const auto straight = [](lane_access access) {
    return access == lane_access::run || access == lane_access::repeated || access == lane_access::counted;
  };
  return plan.access[0] == lane_access::run &&
         std::all_of(plan.access.begin(), plan.access.begin() + plan.slots, straight);
}

/// One 16-byte vector per thread and operand. An input may take two if another operand is narrower. The
/// destination may not: if a thread made two adjacent stores, each instruction would write half of every
/// 32-byte sector.
GNP_INLINE int longest_vector(const job& j, const element_sizes& sizes) {
  return (std::min)((std::min)(16 / sizes.narrowest, 32 / sizes.widest), 16 / j.operands[0].itemsize);
}

/// The longest vectors of up to `most` elements that fit the innermost axis, and the alignment of what is read.
GNP_INLINE int longest_that_fits(const job& j, const kernel_plan& plan, int widest, int most) {
  const bool tiled = plan.shape == kernel_shape::tile;
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

/// With too few bytes per thread, memory is not kept busy. Then each thread takes two vectors, or several
/// elements. The same if the vectors of rows have few bytes, or if only the destination has vectors, as in
/// repeat(), provided that there are still enough threads.
GNP_INLINE void choose_items(const job& j, kernel_plan& plan) {
  constexpr index_t many_vectors = 1 << 20;
  int bytes = 0;
  for (int slot = 0; slot < plan.slots; ++slot) {
    if (plan.access[static_cast<std::size_t>(slot)] == lane_access::run)
      bytes += j.operands[slot].itemsize * plan.vector;
  }
  if (j.rank == 1 && bytes < 32) {
    plan.items = 2;
    plan.threads = threads_per_block / 2;
  }
  const bool of_three = plan.vector == 3;  // a thread has a whole row of three
  if (!of_three && j.rank > 1 && (bytes < 32 || plan.through_rows) && plan.shape == kernel_shape::elementwise &&
      !plan.copied && !plan.loops.any() && j.count / plan.vector >= many_vectors) {
    plan.items = bytes < 16 || plan.through_rows ? 4 : 2;
  }
}

/// Reads every other element one by one, if it cannot be read in aligned vectors.
GNP_INLINE void take_unaligned_pairs_apart(const job& j, kernel_plan& plan) {
  for (int slot = 1; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (access == lane_access::every_other && !pairs_are_aligned(j, j.operands[slot], plan.vector))
      access = lane_access::strided;
  }
}

/// Plans a collapsed job, and reorders its operands and axes to match the plan. `through_rows`: can this
/// kernel's vectors run through the ends of rows? If there are several results, those after the first are the
/// last inputs.
GNP_INLINE kernel_plan make_plan(job& j, const loop_facts& loops = {}, bool through_rows = true,
                                 int results = 1) {
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  plan.rank = static_cast<std::uint8_t>(j.rank);
  const bool everywhere = j.code->condition == nullptr;
  if (everywhere && choose_tile_axis(j, plan)) plan.shape = kernel_shape::tile;
  plan_loops(j, loops, plan);
  const element_sizes sizes = choose_access(j, plan);
  if (everywhere && j.rank == 1 && nothing_is_strided(plan)) plan.shape = kernel_shape::flat;
  // If results are only stored where a condition holds, elements are taken one by one, so that a warp stores to
  // parts of one line, not of four.
  const bool read_again = loops_read_again(j, plan);
  const bool one_by_one = !everywhere || read_again || results_have_gaps(plan, results);
  choose_vector(j, plan, one_by_one ? 1 : longest_vector(j, sizes), sizes.widest, through_rows, results);
  plan.copied = everywhere && copies_along_first_axis(j, plan);
  if (everywhere) {
    choose_items(j, plan);
  } else {
    plan.items = 8;
  }
  if (read_again && everywhere && j.rank > 1 && plan.shape == kernel_shape::elementwise)
    share_loops_of_rows(j, plan);
  take_unaligned_pairs_apart(j, plan);
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail
