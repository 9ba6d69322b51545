// SPDX-License-Identifier: MIT
// How the elements of a reduction are divided among the threads of a block, and how many each thread loads at
// once.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/core/whole_numbers.hpp>
#include <gnp/cuda/context.hpp>
#include <gnp/exec/reduce/pairs.hpp>
#include <gnp/exec/text/reduce_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// If there are few long columns, many blocks share each of them, and the last of these blocks has to combine
/// as many states. Narrower blocks take more rows, so that fewer blocks share a column; they must still read
/// whole lines. On an H100, 262144 x 256 bytes are added up in 35 us instead of 43.
GNP_INLINE void narrow_blocks(const reduction& r, kernel_plan& plan, std::uint64_t vectors, const gpu& device) {
  constexpr std::uint64_t most_bytes = 48 * 8;  // of an output's states
  constexpr int line = 128;
  int narrowest = 16;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] != lane_access::repeated)
      narrowest = (std::min)(narrowest, r.values.operands[slot].itemsize);
  }
  const auto state_bytes = static_cast<std::uint64_t>((std::max)(8, r.code->state_size));
  const auto blocks = [&] {
    const std::uint64_t batch = threads_per_block / plan.group * std::uint64_t{plan.items};
    return (std::min)(4 * static_cast<std::uint64_t>(device.multiprocessors) / divided_up(vectors, plan.group),
                      static_cast<std::uint64_t>(r.length) / batch);
  };
  while (plan.group > 8 && plan.group / 2 * plan.vector * narrowest >= line &&
         blocks() * state_bytes > most_bytes) {
    plan.group /= 2;
  }
}

/// If there are many short rows of whole vectors, a thread takes several rows at once, because with one row too
/// little data would be in flight; or all vectors of a row, if they are apart, as those of 4 x 4 elements of a
/// picture.
GNP_INLINE bool plan_short_rows(const reduction& r, kernel_plan& plan, const gpu& device) {
  const job& j = r.values;
  const auto vectors = static_cast<int>((std::min)(r.length / plan.vector, index_t{1000}));
  if (r.length % plan.vector != 0 || plan.ragged || plan.overhangs != 0 || vectors > 16 || plan.loops.any() ||
      plan.gathered_runs != 0)
    return false;
  int bytes = 0;   // of a vector of each array
  int widest = 0;  // of an element
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] == lane_access::repeated || plan.access[slot] == lane_access::counted) continue;
    bytes += plan.vector * j.operands[slot].itemsize;
    widest = (std::max)(widest, j.operands[slot].itemsize);
  }
  if (bytes == 0) return false;
  // Adjacent threads read adjacent memory: pieces of a vector, or one vector each if the row is longer.
  const bool alone = j.shape[j.rank - 1] * widest <= 16 && vectors <= 8;
  // (Combining these states among threads takes longer than a load.)
  if (!alone && (r.code->indexed || r.code->around_mean != nullptr)) return false;
  const int items = alone ? vectors : 1;
  int rows = 8;
  while (rows > 1 && rows * items * bytes > 64) rows /= 2;
  const std::uint64_t group = alone ? 1 : power_of_two(static_cast<std::uint64_t>(vectors));
  // There must still be enough threads for the whole GPU.
  const auto enough = static_cast<std::uint64_t>(device.multiprocessors) * 2048;
  while (rows > 1 && static_cast<std::uint64_t>(r.outputs) * group < enough * static_cast<std::uint64_t>(rows))
    rows /= 2;
  if (rows == 1 && (items == 1 || static_cast<std::uint64_t>(r.outputs) < enough)) return false;
  plan.items = static_cast<std::uint8_t>(items);
  plan.rows_each = static_cast<std::uint8_t>(rows);
  plan.group = static_cast<std::uint16_t>(group);
  return true;
}

/// The number of consecutive elements of a slot for each step along the only reduced axis, if those of `items`
/// steps are whole vectors in memory; otherwise 0.
GNP_INLINE index_t elements_in_line(const reduction& r, const kernel_plan& plan, std::size_t slot,
                                    index_t items) {
  const job_operand& o = r.values.operands[slot];
  const int inner = r.values.rank - 1;
  const bool neighbours = plan.access[slot] == lane_access::neighbours;
  index_t each = 0;
  if (o.block == nullptr) return 0;
  if (neighbours) each = plan.vector;
  if (plan.access[slot] == lane_access::repeated) each = 1;
  if (plan.access[slot] == lane_access::pointers && (plan.vector == 1 || o.strides[inner] == 0)) {
    for (std::size_t i = 0; i < plan.inputs; ++i) {
      if (plan.slot_of[i] != slot) continue;
      // (A loop that takes whole vectors loads them itself.)
      const bool unknown = r.loops.taken_in_line[i] == 0 || (plan.loops.in_whole_vectors >> i & 1) != 0;
      if (unknown) return 0;
      each = (std::max)(each, index_t{r.loops.taken_in_line[i]});
    }
  }
  const auto is_aligned = [&o](index_t elements) { return elements * o.itemsize % 16 == 0; };
  if (each == 0 || o.strides[0] != each || !is_aligned(items * each) ||
      reinterpret_cast<std::uintptr_t>(o.data) % 16 != 0)
    return 0;
  for (int d = 1; d < r.values.rank - (neighbours ? 1 : 0); ++d) {
    if (!is_aligned(o.strides[d])) return 0;
  }
  return each;
}

/// What a thread reads along the reduced axis may be contiguous: the coordinates of one body, then those of the
/// next. A thread then loads the data for several steps as whole vectors, with a quarter of the instructions,
/// provided that its registers can hold them. On an H100, the accelerations of 8192 bodies take 0.120 ms
/// instead of 0.162.
GNP_INLINE void plan_lines(const reduction& r, kernel_plan& plan) {
  constexpr index_t most_bytes = 160;
  if (!plan.loops.any() || r.values.rank - r.kept != 1) return;
  for (const int items : {8, 4}) {
    if (r.length < 32 * items) continue;
    index_t bytes = 0;
    std::array<std::uint8_t, most_operands> in_line{};
    for (std::size_t slot = 1; slot < plan.slots; ++slot)
      in_line[slot] = static_cast<std::uint8_t>(elements_in_line(r, plan, slot, items));
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      // A slot whose elements are within those of another slot is loaded with that slot.
      const bool again = plan.in_loops[slot].within != slot && in_line[plan.in_loops[slot].within] != 0;
      if (!again) bytes += items * in_line[slot] * r.values.operands[slot].itemsize;
    }
    if (bytes == 0 || bytes > most_bytes) continue;
    for (std::size_t slot = 1; slot < plan.slots; ++slot) plan.in_loops[slot].in_line = in_line[slot];
    plan.items = static_cast<std::uint8_t>(items);
    return;
  }
}

/// Plans a reduction over pairs; false if it is none.
GNP_INLINE bool plan_pairs(reduction& r, kernel_plan& plan, const gpu& device) {
  const int each = rows_of_pairs(r, plan, device.multiprocessors);
  if (each == 0) return false;
  turn_pairs(r);
  mark_moves(r.values, plan);
  plan.pairs = static_cast<std::uint8_t>(each);
  plan.vector = (std::min)(plan.vector, std::uint8_t{longest_vector_of_pairs});
  plan.items = vectors_of_pairs;
  return true;
}

/// How many calls of functions that branch are in the values of a reduction?
GNP_INLINE int branching_calls(const reduction_code& code) {
  if (code.parts == nullptr) return code.values->source->branching_calls;
  int calls = 0;
  for (int k = 0; k < code.part_count; ++k) calls += code.parts[k]->values->source->branching_calls;
  return calls;
}

/// Plans how many threads share an output that is reduced along rows, and how many vectors a thread loads at
/// once.
GNP_INLINE void group_along_rows(const reduction& r, kernel_plan& plan, const gpu& device) {
  const auto vector = static_cast<std::uint64_t>(plan.vector);
  const std::uint64_t length = divided_up(static_cast<std::uint64_t>(r.length), vector);
  plan.items = length >= (1 << 16) && vector >= 4 ? 8 : length >= 8 ? 4 : 1;
  // No more vectors than a quarter of a thread's registers can hold.
  std::uint64_t bytes = 0;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] != lane_access::repeated && !is_stored(plan, slot))
      bytes += vector * static_cast<std::uint64_t>((std::max)(4, r.values.operands[slot].itemsize));
  }
  while (plan.items > 1 && plan.items * bytes > 256) plan.items /= 2;
  if (plan.loops.any()) plan.items = (std::min)(plan.items, std::uint8_t{2});
  // If each element takes part in several reductions, a thread has enough to do with fewer vectors, and the
  // kernel's text would become too long.
  if (r.code->part_count - plan.stored > 1) plan.items = (std::min)(plan.items, std::uint8_t{4});
  // A thread computes functions that branch one after the other. With fewer of them for each thread, there are
  // more threads: on an H200, the mean of sin(x) of 2^26 floats takes 0.082 ms instead of 0.217 (0.088 with two
  // items), that of sin(x) * cos(y) 0.154 with two instead of 0.353 with four.
  const int calls = branching_calls(*r.code);
  if (calls > 0) plan.items = (std::min)(plan.items, static_cast<std::uint8_t>(calls == 1 ? 4 : 2));
  // A thread for the shortest rows, part of a warp for short ones, a warp, a block.
  const std::uint64_t threads = power_of_two(divided_up(length, plan.items));
  const bool few =
      static_cast<std::uint64_t>(r.outputs) < static_cast<std::uint64_t>(device.multiprocessors) * 32;
  plan.group = static_cast<std::uint16_t>(threads <= 16 ? threads : length <= (few ? 256 : 1024) ? 32 : 256);
}

/// Plans how many outputs adjacent threads take if columns are reduced, and how many rows a thread loads at
/// once.
GNP_INLINE void group_along_columns(const reduction& r, kernel_plan& plan, const gpu& device) {
  const auto vector = static_cast<std::uint64_t>(plan.vector);
  const auto outputs = static_cast<std::uint64_t>(r.outputs);
  const auto length = static_cast<std::uint64_t>(r.length);
  plan.items = length >= 16 ? 8 : length >= 8 ? 4 : length >= 2 ? 2 : 1;
  // States of variances take long to combine, and halves are read twice as fast as floats: on an H200, 16384
  // x 32768 of them take 0.33 ms instead of 0.57 (0.47 with 32 items).
  if (r.code->around_mean != nullptr && itemsize(r.code->values->result) <= 2 && length >= 256) plan.items = 16;
  // In addition to these states, there is room for the vectors of one array, or for fewer vectors of each of
  // several arrays.
  auto arrays = std::count_if(plan.access.begin() + 1, plan.access.begin() + plan.slots,
                              [](lane_access access) { return access != lane_access::repeated; });
  for (; r.code->around_mean != nullptr && arrays > 1 && plan.items > 1; arrays /= 2) plan.items /= 2;
  // Adjacent threads of a warp read whole lines; more threads are adjacent only if there are few rows. If
  // loops compute the elements, a few elements are enough work for a thread.
  if (plan.loops.any() || plan.reads_little)
    plan.items = (std::min)(plan.items, static_cast<std::uint8_t>(length >= 1024 ? 4 : 2));
  plan_lines(r, plan);
  const std::uint64_t rows = power_of_two(divided_up(length, plan.items));
  std::uint64_t above = (std::min)(rows, std::uint64_t{8});
  // Gathered rows mostly come from the cache, and instructions take most of the time. Most of them are needed
  // once per thread, not once per row, so a thread takes more rows as long as there are enough threads for
  // the whole GPU.
  if (plan.gathered_runs != 0) {
    const std::uint64_t enough = static_cast<std::uint64_t>(device.multiprocessors) * 2048;
    while (above > 1 && outputs / vector * above / 2 >= enough) above /= 2;
    if (above == 1 && length >= 4 && plan.items < 4) plan.items = 4;
  }
  const std::uint64_t across = threads_per_block / above;
  const std::uint64_t vectors = divided_up(outputs, vector);
  plan.group = static_cast<std::uint16_t>((std::min)(across, power_of_two(vectors)));
  if (!plan.loops.any() && plan.gathered_runs == 0 && !plan.reads_little)
    narrow_blocks(r, plan, vectors, device);
}

GNP_INLINE void plan_groups(reduction& r, kernel_plan& plan, const gpu& device) {
  if (plan.shape == kernel_shape::reduce_tiles || plan_pairs(r, plan, device)) return;
  if (r.along == reduced_along::columns) return group_along_columns(r, plan, device);
  if (!plan_short_rows(r, plan, device)) group_along_rows(r, plan, device);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
