// SPDX-License-Identifier: MIT
// Which GPU kernel a collapsed job gets: its shape, vector width and how each operand is reached.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <gnp/exec/layout/job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How a thread reaches an operand's elements along the innermost axis.
enum class lane_access : std::uint8_t {
  run,          // one after the other: a vector load
  repeated,     // all the same: one load
  every_other,  // stride 2: two vector loads, every other element kept
  strided,      // anything else: element by element
  transposed,   // through a tile in shared memory
  counted,      // a position: no memory at all
};

enum class kernel_shape : std::uint8_t {
  flat,  // elementwise along one axis, where nothing is strided
  elementwise,
  shifted,  // elementwise along rows that begin anywhere
  tile,
  reduce_rows,
  reduce_columns,
  scan_rows,
  scan_columns,
  compact
};

inline constexpr int threads_per_block = 256;

/// Everything about a job that its kernel's text depends on, and nothing else: a cached launch compares these.
struct kernel_plan {
  kernel_shape shape = kernel_shape::elementwise;
  std::uint8_t rank = 0;
  std::uint8_t vector = 1;  // elements per thread
  std::uint8_t items = 1;   // vectors per thread
  std::uint16_t threads = threads_per_block;
  bool wide = false;       // 64-bit indices
  std::uint8_t slots = 0;  // distinct operands; slot 0 is the destination
  std::uint8_t inputs = 0;
  std::uint8_t kept = 0;    // of a reduction or scan: axes it does not run along
  std::uint16_t group = 0;  // of a reduction: threads that share an output, or outputs side by side
  std::array<lane_access, most_operands> access;    // per slot
  std::array<std::uint8_t, most_operands> slot_of;  // per input: the slot that holds it
  // Of the shifted shape, per slot: the slot with whose elements its own are loaded, and how many it is ahead of it.
  std::array<std::uint8_t, most_operands> leader;
  std::array<std::uint8_t, most_operands> ahead;
  std::array<std::uint8_t, most_operands> like;  // of runs: the first slot with the same strides
  // Of that shape: are all rows aligned alike, and then a leader's bytes between the beginning of a vector of memory and
  // a thread's first element; do the ends of rows go element by element; could a vector reach past the memory's ends?
  bool aligned = false;
  std::array<std::uint8_t, most_operands> before;
  bool ends_by_loop = false;
  bool guarded = false;
  // And how many vectors of a row, and rows, a block takes, where it is not as many vectors as it has threads, one after
  // the other.
  std::uint8_t across = 0;
  std::uint8_t above = 0;

  friend bool operator==(const kernel_plan& a, const kernel_plan& b) {
    return a.shape == b.shape && a.rank == b.rank && a.vector == b.vector && a.items == b.items &&
           a.threads == b.threads && a.wide == b.wide && a.slots == b.slots && a.inputs == b.inputs &&
           a.kept == b.kept && a.group == b.group &&
           std::equal(a.access.begin(), a.access.begin() + a.slots, b.access.begin()) &&
           std::equal(a.slot_of.begin(), a.slot_of.begin() + a.inputs, b.slot_of.begin()) &&
           (a.shape != kernel_shape::shifted ||
            (a.aligned == b.aligned && a.ends_by_loop == b.ends_by_loop && a.guarded == b.guarded && a.across == b.across && a.above == b.above &&
             std::equal(a.like.begin(), a.like.begin() + a.slots, b.like.begin()) &&
             std::equal(a.leader.begin(), a.leader.begin() + a.slots, b.leader.begin()) &&
             std::equal(a.ahead.begin(), a.ahead.begin() + a.slots, b.ahead.begin()) &&
             (!a.aligned || std::equal(a.before.begin(), a.before.begin() + a.slots, b.before.begin()))));
  }
};

/// Do kernels of this plan count the innermost axis in vectors? Where it is the only one, it need not be whole
/// vectors.
constexpr bool counts_in_vectors(const kernel_plan& plan) {
  switch (plan.shape) {
    case kernel_shape::elementwise:
      return plan.rank > 1;
    case kernel_shape::reduce_rows:
    case kernel_shape::scan_rows:
    case kernel_shape::compact:
      return plan.rank - plan.kept > 1;
    case kernel_shape::reduce_columns:
    case kernel_shape::scan_columns:
      return plan.kept > 1;
    default:
      return false;
  }
}

/// Edge of the square tiles, in elements: what keeps a tile of this element size within shared memory.
constexpr int tile_edge(int itemsize) { return itemsize > 8 ? 32 : 64; }

/// A tile kernel's edge is that of its widest operand.
GNP_INLINE int plan_tile_edge(const job& j, const kernel_plan& plan) {
  int widest = 1;
  for (int slot = 0; slot < plan.slots; ++slot) widest = (std::max)(widest, j.operands[slot].itemsize);
  return tile_edge(widest);
}

/// Gives inputs that are the same memory in the same layout one slot, and moves the slots' operands to the
/// front.
GNP_INLINE void merge_equal_inputs(job& j, kernel_plan& plan) {
  plan.slots = 1;
  plan.inputs = static_cast<std::uint8_t>(j.code->inputs);
  std::array<dtype, most_operands> types;
  for (int i = 0; i < j.code->inputs; ++i) {
    const job_operand& o = j.operands[i + 1];
    const dtype type = j.code->input_types[i];
    std::uint8_t slot = 1;
    for (; slot < plan.slots; ++slot) {
      const job_operand& other = j.operands[slot];
      if (other.data == o.data && types[slot] == type && (other.block == nullptr) == (o.block == nullptr) &&
          std::equal(o.strides, o.strides + j.rank, other.strides)) {
        break;
      }
    }
    plan.slot_of[static_cast<std::size_t>(i)] = slot;
    if (slot < plan.slots) continue;
    types[slot] = type;
    if (slot != i + 1) j.operands[slot] = o;
    ++plan.slots;
  }
}

/// Picks an axis along which operands lie contiguously that are strided along the innermost one, and makes it
/// the last but one. False where there is none worth a tile.
GNP_INLINE bool choose_tile_axis(job& j, kernel_plan& plan) {
  constexpr index_t worthwhile = 16;
  const int inner = j.rank - 1;
  if (j.rank < 2 || j.operands[0].strides[inner] != 1 || j.shape[inner] < worthwhile) return false;
  for (int slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (o.block == nullptr || o.strides[inner] == 0 || o.strides[inner] == 1) continue;
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

/// Stride 2 along the innermost axis: the pairs from the aligned address at or one element before the first.
GNP_INLINE bool pairs_are_aligned(const job& j, const job_operand& o, int vector) {
  if (vector < 2 || o.itemsize * vector > 16) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(o.data);
  const auto width = static_cast<std::uintptr_t>(o.itemsize * vector);
  if (address % width != 0 && address % width != static_cast<std::uintptr_t>(o.itemsize)) return false;
  for (int d = 0; d + 1 < j.rank; ++d) {
    if (o.strides[d] % vector != 0) return false;
  }
  return true;
}

/// Runs of the same strides are at the same offset. Inputs that are one array, a few elements further on, are loaded
/// together: each gets a leader, which is the one of the lowest address.
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
    plan.leader[slot] = static_cast<std::uint8_t>(slot);
    plan.ahead[slot] = 0;
    plan.like[slot] = static_cast<std::uint8_t>(slot);
    for (std::size_t other = slot; other-- > 0 && plan.access[slot] == lane_access::run;) {
      if (plan.access[other] == lane_access::run &&
          std::equal(j.operands[slot].strides, j.operands[slot].strides + inner, j.operands[other].strides)) {
        plan.like[slot] = plan.like[other];
        break;
      }
    }
    if (slot > 0 && loaded_whole(slot)) by_address[count++] = slot;
  }
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
      if (plan.leader[leader] != leader || first.block != o.block || first.itemsize != o.itemsize ||
          distance % size != 0 || distance / size > plan.vector ||
          !std::equal(o.strides, o.strides + inner, first.strides)) {
        continue;
      }
      plan.leader[slot] = static_cast<std::uint8_t>(leader);
      plan.ahead[slot] = static_cast<std::uint8_t>(distance / size);
      break;
    }
  }
}

/// Of a shifted plan: elements between the beginning of a vector of memory and that of a row. Where that differs from
/// row to row, -1.
GNP_INLINE index_t elements_before_rows(const job& j, const kernel_plan& plan) {
  const job_operand& out = j.operands[0];
  for (int d = 0; d + 1 < j.rank; ++d) {
    if (out.strides[d] % plan.vector != 0) return -1;
  }
  const auto size = static_cast<std::uintptr_t>(out.itemsize);
  return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(out.data) / size % plan.vector);
}

/// The vectors of a row, from the first that any row has elements of.
GNP_INLINE index_t vectors_in_a_row(const job& j, const kernel_plan& plan) {
  const index_t vector = plan.vector;
  const index_t before = elements_before_rows(j, plan);
  return (j.shape[j.rank - 1] + (before < 0 ? vector - 1 : before) + vector - 1) / vector;
}

/// Bytes of the vectors that memory moves an operand in.
GNP_INLINE index_t bytes_at_once(const job_operand& o, const kernel_plan& plan) {
  return (std::min)(16, o.itemsize * plan.vector);
}

/// Neighbours along long rows that are aligned alike: how, is part of the text, which spares it most of its work.
GNP_INLINE void choose_alignment(const job& j, kernel_plan& plan) {
  constexpr index_t long_row = 64;  // vectors: the ends of shorter ones are too much of them to go by a loop
  const index_t before = elements_before_rows(j, plan);
  bool neighbours = false;
  bool alike = before >= 0 && vectors_in_a_row(j, plan) >= long_row;
  for (std::size_t slot = 1; slot < plan.slots && alike; ++slot) {
    plan.before[slot] = 0;
    if (plan.access[slot] != lane_access::run) continue;
    neighbours = neighbours || plan.leader[slot] != slot;
    const job_operand& o = j.operands[slot];
    const index_t bytes = bytes_at_once(o, plan);
    for (int d = 0; d + 1 < j.rank; ++d) alike = alike && o.strides[d] * o.itemsize % bytes == 0;
    const auto at = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(o.data) % static_cast<std::uintptr_t>(bytes));
    plan.before[slot] = static_cast<std::uint8_t>(((at - before * o.itemsize) % bytes + bytes) % bytes);
  }
  plan.before[0] = 0;
  plan.aligned = alike && neighbours;
}

/// Could a vector around an element of an input reach past the memory that it is in?
GNP_INLINE bool may_leave_memory(const job& j, const kernel_plan& plan) {
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] != lane_access::run) continue;
    const job_operand& o = j.operands[slot];
    const element_span span = span_of(j.rank, j.shape, o.strides);
    const auto bytes = static_cast<std::uintptr_t>(bytes_at_once(o, plan));
    const auto address = [&o](index_t element) { return reinterpret_cast<std::uintptr_t>(advanced(o, element)); };
    const auto memory = reinterpret_cast<std::uintptr_t>(o.block->data);
    if (address(span.first) / bytes * bytes < memory) return true;
    if ((address(span.last + 1) + bytes - 1) / bytes * bytes > memory + o.block->bytes) return true;
  }
  return false;
}

/// What a shifted kernel counts along an axis: vectors of a row or blocks, and elements.
GNP_INLINE index_t shifted_size(const job& j, const kernel_plan& plan, int d) {
  const index_t size = d == j.rank - 1 ? vectors_in_a_row(j, plan) : j.shape[d];
  if (plan.across == 0 || d + 2 < j.rank) return size;
  const index_t taken = d == j.rank - 1 ? plan.across : plan.above;
  return (size + taken - 1) / taken;
}

/// Which elements a block of a shifted kernel takes: where rows of one array meet that are above each other, a few such
/// rows, so that it finds most of what it reads twice in its fastest memory. (With planes behind each other it would
/// take too many rows for that, and is slower than blocks that walk along memory.)
GNP_INLINE void choose_block(const job& j, kernel_plan& plan) {
  const int inner = j.rank - 1;
  bool rows_meet = false;
  for (std::size_t a = 1; a < plan.slots; ++a) {
    for (std::size_t b = 1; b < a; ++b) {
      const job_operand& one = j.operands[a];
      const job_operand& other = j.operands[b];
      if (plan.access[a] != lane_access::run || plan.access[b] != lane_access::run ||
          plan.leader[a] == plan.leader[b] || one.block != other.block || one.itemsize != other.itemsize ||
          plan.like[a] != plan.like[b]) {
        continue;
      }
      const index_t bytes = one.data > other.data ? one.data - other.data : other.data - one.data;
      if (j.rank > 2 && 2 * bytes >= std::abs(one.strides[inner - 2]) * one.itemsize) return;
      rows_meet = true;
    }
  }
  if (!rows_meet || j.rank < 2) return;
  const index_t vectors = vectors_in_a_row(j, plan);
  for (int across = 32; across >= 16; across /= 2) {
    const index_t taken = (vectors + across - 1) / across * across;
    if (4 * taken > 5 * vectors) continue;
    plan.across = static_cast<std::uint8_t>(across);
    plan.above = static_cast<std::uint8_t>(threads_per_block / across);
    return;
  }
}

/// Where runs do not begin at multiples of a vector of `most` elements: vectors are counted from where those of the
/// destination's memory begin, in each row, and the inputs' elements are put together of the vectors around them.
/// False where the rows are too short for that to be worthwhile.
GNP_INLINE bool plan_shifted(const job& j, kernel_plan& plan, int most) {
  constexpr index_t least_vectors = 4;  // in a row
  int vector = most;
  while (vector > plan.vector && j.shape[j.rank - 1] < least_vectors * vector) vector /= 2;
  if (vector <= plan.vector || plan.access[0] != lane_access::run) return false;
  // Its arguments say more of each slot than others do, and a launch takes 4 KiB.
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
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[slot];
    const bool few_bytes = access == lane_access::run && j.operands[slot].itemsize * vector < 4;
    if (few_bytes || access == lane_access::every_other) access = lane_access::strided;
  }
  choose_leaders(j, plan);
  choose_alignment(j, plan);
  plan.guarded = may_leave_memory(j, plan);
  plan.ends_by_loop = plan.aligned;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    plan.ends_by_loop = plan.ends_by_loop || j.operands[slot].block == j.operands[0].block;
  }
  choose_block(j, plan);
  return true;
}

/// Plans a collapsed job; reorders its operands and axes to the plan's.
GNP_INLINE kernel_plan make_plan(job& j) {
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  if (choose_tile_axis(j, plan)) plan.shape = kernel_shape::tile;
  const bool tiled = plan.shape == kernel_shape::tile;
  const int inner = j.rank - 1;
  plan.rank = static_cast<std::uint8_t>(j.rank);

  const int edge = plan_tile_edge(j, plan);
  int shared_memory = 0;
  int widest = 1;
  int narrowest = 16;
  for (int slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    const index_t stride = o.strides[inner];
    const int tile_bytes = edge * (edge + 1) * o.itemsize;
    const element_span span = span_of(j.rank, j.shape, o.strides);
    plan.wide = plan.wide || span.last - span.first > 0x7fff0000;
    if (o.block == nullptr && slot > 0) {
      access = lane_access::counted;
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
      widest = (std::max)(widest, o.itemsize);
      narrowest = (std::min)(narrowest, o.itemsize);
    }
  }
  plan.wide = plan.wide || j.count > 0x7fff0000;

  const auto straight = [](lane_access access) {
    return access == lane_access::run || access == lane_access::repeated || access == lane_access::counted;
  };
  if (j.rank == 1 && plan.access[0] == lane_access::run &&
      std::all_of(plan.access.begin(), plan.access.begin() + plan.slots, straight)) {
    plan.shape = kernel_shape::flat;
  }

  // One 16-byte vector per thread and operand. An input may take two where another operand is narrower; two
  // stores of a thread side by side would leave each instruction with half of every 32-byte sector.
  const int most = (std::min)((std::min)(16 / narrowest, 32 / widest), 16 / j.operands[0].itemsize);
  int vector = most;
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
  while (vector > 1 && !fits(vector)) vector /= 2;
  plan.vector = static_cast<std::uint8_t>(vector);
  if (vector < most && !tiled && plan_shifted(j, plan, most)) vector = plan.vector;
  // Too few bytes per thread leave memory waiting for threads: then each takes two vectors.
  int bytes = 0;
  for (int slot = 0; slot < plan.slots; ++slot) {
    if (plan.access[static_cast<std::size_t>(slot)] == lane_access::run)
      bytes += j.operands[slot].itemsize * vector;
  }
  if (j.rank == 1 && bytes < 32) {
    plan.items = 2;
    plan.threads = threads_per_block / 2;
  }
  for (int slot = 1; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (access == lane_access::every_other && !pairs_are_aligned(j, j.operands[slot], vector)) {
      access = lane_access::strided;
    }
  }
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail
