// SPDX-License-Identifier: MIT
// The plan of a job whose rows are not aligned to vectors in memory: shifted views, rows of odd lengths, parts
// of arrays.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <gnp/exec/elementwise/kernel_plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Runs with the same strides share one offset. Inputs that are views of one array, shifted by a few elements,
/// are loaded together: each gets a leader, which is the one with the lowest address.
GNP_INLINE void choose_leaders(const job& j, kernel_plan& plan) {
  const int inner = j.rank - 1;
  const auto address = [&j](std::size_t slot) {
    return reinterpret_cast<std::uintptr_t>(j.operands[slot].data);
  };
  const auto loaded_whole = [&](std::size_t slot) {
    return plan.access[slot] == lane_access::run && j.operands[slot].itemsize * plan.vector >= 4;
  };
  std::size_t by_address[most_operands];
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    const auto itself = static_cast<std::uint8_t>(slot);
    plan.shifted_slots[slot] = {.leader = itself, .ahead = 0, .like = itself, .before = 0};
    for (std::size_t other = slot; other-- > 0 && plan.access[slot] == lane_access::run;) {
      if (plan.access[other] == lane_access::run &&
          std::equal(j.operands[slot].strides, j.operands[slot].strides + inner, j.operands[other].strides)) {
        plan.shifted_slots[slot].like = plan.shifted_slots[other].like;
        break;
      }
    }
    if (slot > 0 && loaded_whole(slot)) by_address[count++] = slot;
  }
  // A view may read the same memory as elements of another type.
  std::array<dtype, most_operands> types;
  for (std::size_t i = 0; i < plan.inputs; ++i) types[plan.slot_of[i]] = j.code->input_types[i];
  std::sort(by_address, by_address + count,
            [&](std::size_t a, std::size_t b) { return address(a) < address(b); });
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t slot = by_address[i];
    const job_operand& o = j.operands[slot];
    const auto size = static_cast<std::uintptr_t>(o.itemsize);
    for (std::size_t before = 0; before < i; ++before) {
      const std::size_t leader = by_address[before];
      const job_operand& first = j.operands[leader];
      const std::uintptr_t distance = address(slot) - address(leader);
      if (plan.shifted_slots[leader].leader != leader || first.block != o.block ||
          types[leader] != types[slot] || distance % size != 0 || distance / size > plan.vector ||
          !std::equal(o.strides, o.strides + inner, first.strides)) {
        continue;
      }
      plan.shifted_slots[slot].leader = static_cast<std::uint8_t>(leader);
      plan.shifted_slots[slot].ahead = static_cast<std::uint8_t>(distance / size);
      break;
    }
  }
}

/// In a shifted plan: the number of elements between the beginning of a vector in memory and the beginning of a
/// row; -1 if that differs from row to row.
GNP_INLINE index_t elements_before_rows(const job& j, const kernel_plan& plan) {
  const job_operand& out = j.operands[0];
  for (int d = 0; d + 1 < j.rank; ++d) {
    if (out.strides[d] % plan.vector != 0) return -1;
  }
  const auto size = static_cast<std::uintptr_t>(out.itemsize);
  return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(out.data) / size % plan.vector);
}

/// How many vectors a row has, counted from the first one that any row has elements in.
GNP_INLINE index_t vectors_in_a_row(const job& j, const kernel_plan& plan) {
  const index_t vector = plan.vector;
  const index_t before = elements_before_rows(j, plan);
  return (j.shape[j.rank - 1] + (before < 0 ? vector - 1 : before) + vector - 1) / vector;
}

/// The size in bytes of the vectors in which an operand is read or written, of so many elements.
GNP_INLINE int bytes_at_once(const job_operand& o, int vector) { return (std::min)(16, o.itemsize * vector); }

/// If neighbours along long rows are all aligned alike, that alignment becomes part of the text, which saves
/// the kernel most of its work.
GNP_INLINE void choose_alignment(const job& j, kernel_plan& plan) {
  constexpr index_t long_row = 64;  // vectors: the ends of shorter rows are too much work for a loop
  const index_t before = elements_before_rows(j, plan);
  bool neighbours = false;
  bool alike = before >= 0 && vectors_in_a_row(j, plan) >= long_row;
  for (std::size_t slot = 1; slot < plan.slots && alike; ++slot) {
    if (plan.access[slot] != lane_access::run) continue;
    neighbours = neighbours || plan.shifted_slots[slot].leader != slot;
    const job_operand& o = j.operands[slot];
    const index_t bytes = bytes_at_once(o, plan.vector);
    for (int d = 0; d + 1 < j.rank; ++d) alike = alike && o.strides[d] * o.itemsize % bytes == 0;
    const auto at =
        static_cast<index_t>(reinterpret_cast<std::uintptr_t>(o.data) % static_cast<std::uintptr_t>(bytes));
    plan.shifted_slots[slot].before =
        static_cast<std::uint8_t>(((at - before * o.itemsize) % bytes + bytes) % bytes);
  }
  plan.shifted.aligned = alike && neighbours;
  for (std::size_t slot = 1; slot < plan.slots && !plan.shifted.aligned; ++slot)
    plan.shifted_slots[slot].before = 0;
}

/// Do vectors of memory that contain an operand's elements begin before the block of memory that these are in,
/// and do some end after it?
struct reached_memory {
  bool before = false;
  bool after = false;
};
GNP_INLINE reached_memory memory_of_vectors(const job& j, const job_operand& o, int bytes) {
  const element_span span = span_of(j.rank, j.shape, o.strides);
  const auto width = static_cast<std::uintptr_t>(bytes);
  const auto address = [&o](index_t element) { return reinterpret_cast<std::uintptr_t>(advanced(o, element)); };
  const auto memory = reinterpret_cast<std::uintptr_t>(o.block->data);
  return {address(span.first) / width *
              width<memory, (address(span.last + 1) + width - 1) / width * width> memory +
          o.block->bytes};
}

/// Could a vector that contains an element of an input extend past the memory that it is in?
GNP_INLINE bool may_leave_memory(const job& j, const kernel_plan& plan) {
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] != lane_access::run) continue;
    const job_operand& o = j.operands[slot];
    const reached_memory reached = memory_of_vectors(j, o, bytes_at_once(o, plan.vector));
    if (reached.before || reached.after) return true;
  }
  return false;
}

/// What a shifted kernel counts along an axis: vectors of a row, or elements of other axes, or blocks of
/// either.
GNP_INLINE index_t shifted_size(const job& j, const kernel_plan& plan, int d) {
  const index_t size = d == j.rank - 1 ? vectors_in_a_row(j, plan) : j.shape[d];
  if (plan.shifted.across == 0 || d + 2 < j.rank) return size;
  const index_t taken = d == j.rank - 1 ? plan.shifted.across : plan.shifted.above;
  return (size + taken - 1) / taken;
}

/// Are consecutive rows all the same? Then what is read for one of them should be in the cache for the others,
/// so blocks go from row to row before they go on along a row.
GNP_INLINE bool rows_are_copies(const job& j, const kernel_plan& plan) {
  if (j.rank < 2) return false;
  bool any_moves = false;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (j.operands[slot].strides[j.rank - 2] != 0) return false;
    any_moves = any_moves || plan.access[slot] == lane_access::run;
  }
  return any_moves;
}

/// Chooses which elements a block of a shifted kernel takes. If inputs are adjacent rows of one array, a block
/// takes a few such rows, so that most of what it reads twice is in its first-level cache. (With adjacent
/// planes, it would need too many rows for that, and be slower than blocks that go along memory.)
GNP_INLINE void choose_block(const job& j, kernel_plan& plan) {
  const int inner = j.rank - 1;
  bool rows_meet = false;
  for (std::size_t a = 1; a < plan.slots; ++a) {
    for (std::size_t b = 1; b < a; ++b) {
      const job_operand& one = j.operands[a];
      const job_operand& other = j.operands[b];
      if (plan.access[a] != lane_access::run || plan.access[b] != lane_access::run ||
          plan.shifted_slots[a].leader == plan.shifted_slots[b].leader || one.block != other.block ||
          one.itemsize != other.itemsize || plan.shifted_slots[a].like != plan.shifted_slots[b].like) {
        continue;
      }
      const index_t bytes = one.data > other.data ? one.data - other.data : other.data - one.data;
      if (j.rank > 2 && 2 * bytes >= std::abs(one.strides[inner - 2]) * one.itemsize) return;
      rows_meet = true;
    }
  }
  if (rows_are_copies(j, plan) && vectors_in_a_row(j, plan) >= 2 * threads_per_block) {
    plan.shifted.across = threads_per_block / 2;
    plan.shifted.above = 2;
    plan.shifted.down_first = true;
    return;
  }
  if (!rows_meet || j.rank < 2) return;
  const index_t vectors = vectors_in_a_row(j, plan);
  for (int across = 32; across >= 16; across /= 2) {
    const index_t taken = (vectors + across - 1) / across * across;
    if (4 * taken > 5 * vectors) continue;
    plan.shifted.across = static_cast<std::uint8_t>(across);
    plan.shifted.above = static_cast<std::uint8_t>(threads_per_block / across);
    return;
  }
}

/// Results after the first need no loads if they are not also read.
GNP_INLINE void mark_written(kernel_plan& plan, int results) {
  const int read = plan.inputs - (results - 1);
  const auto first = plan.slot_of.begin();
  for (int k = 0; k < results - 1; ++k) {
    const std::size_t slot = plan.slot_of[static_cast<std::size_t>(read + k)];
    if (std::find(first, first + read, slot) == first + read) plan.access[slot] = lane_access::written;
  }
}

/// Does a slot read memory that also holds one of the results?
GNP_INLINE bool is_in_a_result(const job& j, const kernel_plan& plan, std::size_t slot, int results) {
  bool found = false;
  for (int k = 0; k < results; ++k) {
    const std::size_t result = slot_of_result(plan, k);
    found = found || j.operands[slot].block == j.operands[result].block;
  }
  return found;
}

/// For runs that do not begin at multiples of a vector of `most` elements. In each row, vectors begin where
/// those of the destination's memory begin, and the inputs' elements are assembled from the vectors that
/// contain them. False if the rows are too short for that to be worthwhile.
GNP_INLINE bool plan_shifted(const job& j, kernel_plan& plan, int most, int results) {
  const index_t length = j.shape[j.rank - 1];
  const bool gaps = j.rank > 1 && j.operands[0].strides[j.rank - 2] != length;
  // The ends of rows are stored element by element. With vectors of two elements, that is a large part of a
  // short row. If there are other elements between two rows, it costs more than the rest saves.
  const auto worthwhile = [length, gaps](int v) { return length >= (v == 2 && gaps ? 32 : 4) * v; };
  int vector = most;
  while (vector > plan.vector && !worthwhile(vector)) vector /= 2;
  if (vector <= plan.vector || plan.access[0] != lane_access::run || plan.loops.any()) return false;
  // Its arguments contain more for each slot than those of other kernels, and a launch takes at most 4 KiB.
  if (plan.slots * (3 + j.rank) + 3 * j.rank + 2 * j.code->constants > 480) return false;
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (plan.access[slot] == lane_access::run &&
        reinterpret_cast<std::uintptr_t>(o.data) % static_cast<std::uintptr_t>(o.itemsize) != 0) {
      return false;
    }
  }
  plan.shape = kernel_shape::shifted;
  plan.vector = static_cast<std::uint8_t>(vector);
  mark_written(plan, results);
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[slot];
    const bool few_bytes = access == lane_access::run && j.operands[slot].itemsize * vector < 4;
    if (few_bytes || access == lane_access::every_other) access = lane_access::strided;
  }
  choose_leaders(j, plan);
  choose_alignment(j, plan);
  plan.shifted.guarded = may_leave_memory(j, plan);
  plan.shifted.ends_by_loop = plan.shifted.aligned;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const bool read = plan.access[slot] != lane_access::written;
    plan.shifted.ends_by_loop = plan.shifted.ends_by_loop || (read && is_in_a_result(j, plan, slot, results));
  }
  choose_block(j, plan);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail
