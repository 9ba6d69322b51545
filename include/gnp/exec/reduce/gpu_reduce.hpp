// SPDX-License-Identifier: MIT
// A reduction on a GPU: how many threads and blocks share an output, and the launch.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/core/whole_numbers.hpp>
#include <gnp/exec/elementwise/gathered_runs.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/reduce/pairs.hpp>
#include <gnp/exec/text/reduce_source.hpp>
#include <gnp/memory/storage.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Elements at stride 2 that are not aligned for vectors are read one by one.
GNP_INLINE void check_pairs(const job& j, kernel_plan& plan, int first) {
  for (int slot = first; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (access == lane_access::every_other && !pairs_are_aligned(j, j.operands[slot], plan.vector)) {
      access = lane_access::strided;
    }
  }
}

/// Plans how each slot from `first` on is accessed, and how many elements a thread takes at once: whole vectors
/// along the innermost axis. The last vector may be incomplete if that axis is the only one of its kind
/// (`alone`).
template <class Allowed>
void plan_access(const job& j, kernel_plan& plan, int first, bool alone, const Allowed& allowed) {
  const int inner = j.rank - 1;
  int widest = 1;
  int narrowest = 16;
  plan.access[0] = lane_access::strided;
  plan.wide = j.count > 0x7fff0000;
  for (int slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    plan.wide = plan.wide || reaches_far(j, o);
    if (slot < first) continue;
    const index_t stride = o.strides[inner];
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (o.in_loop) {
      access = lane_access::pointers;
      continue;
    }
    access = o.block == nullptr         ? lane_access::counted
             : stride == 1              ? lane_access::run
             : stride == 0              ? lane_access::repeated
             : stride == 2 && slot != 0 ? lane_access::every_other
                                        : lane_access::strided;
    if (access == lane_access::repeated || access == lane_access::counted) continue;
    widest = (std::max)(widest, o.itemsize);
    narrowest = (std::min)(narrowest, o.itemsize);
  }
  const auto fits = [&](int v) {
    if (!allowed(v) || j.shape[inner] < v || (!alone && j.shape[inner] % v != 0)) return false;
    for (int slot = first; slot < plan.slots; ++slot) {
      if (plan.access[static_cast<std::size_t>(slot)] == lane_access::run &&
          !runs_are_aligned(j, j.operands[slot], inner, v))
        return false;
    }
    return true;
  };
  int vector = (std::min)(16 / narrowest, 32 / widest);
  // If a thread made two adjacent stores, each instruction would write only half of every 32-byte sector.
  if (plan.shape == kernel_shape::row_program && first == 0)
    vector = (std::min)(vector, 16 / j.operands[0].itemsize);
  while (vector > 1 && !fits(vector)) vector /= 2;
  plan.vector = static_cast<std::uint8_t>(vector);
  check_pairs(j, plan, first);
}

/// Tables are loaded in vectors as well if a thread's elements of them are contiguous. The vector length then
/// suits both tables and other inputs, unless the other inputs alone allow longer vectors.
template <class Allowed>
void plan_gathered_runs(const job& j, std::span<const node_source* const> sources, kernel_plan& plan, int first,
                        const Allowed& allowed) {
  const int inner = j.rank - 1;
  int widest = 1;
  int narrowest = 16;
  for (int slot = 1; slot < plan.slots; ++slot) {
    const lane_access access = plan.access[static_cast<std::size_t>(slot)];
    const job_operand& o = j.operands[slot];
    if (!o.table && (access == lane_access::repeated || access == lane_access::counted)) continue;
    widest = (std::max)(widest, o.itemsize);
    narrowest = (std::min)(narrowest, o.itemsize);
  }
  const auto fits = [&](int v) {
    if (!allowed(v) || j.shape[inner] % v != 0) return false;
    for (int slot = first; slot < plan.slots; ++slot) {
      if (plan.access[static_cast<std::size_t>(slot)] == lane_access::run &&
          !runs_are_aligned(j, j.operands[slot], inner, v))
        return false;
    }
    return find_gathered_runs(j, plan, sources, v) != 0;
  };
  int vector = (std::min)(16 / narrowest, 32 / widest);
  while (vector > plan.vector && !fits(vector)) vector /= 2;
  plan.vector = static_cast<std::uint8_t>((std::max)(vector, int{plan.vector}));
  check_pairs(j, plan, first);
  mark_gathered_runs(j, sources, plan);
}

/// The sources of the elements of a reduction, or of several reductions in one kernel.
GNP_INLINE std::vector<const node_source*> sources_of_values(const reduction_code& code) {
  if (code.parts == nullptr) return {code.values->source};
  std::vector<const node_source*> sources;
  for (int k = 0; k < code.part_count; ++k) sources.push_back(code.parts[k]->values->source);
  return sources;
}

/// Plans the inputs' slots, how each is accessed, and how many elements a thread loads at once.
GNP_INLINE kernel_plan plan_loads(reduction& r) {
  job& j = r.values;
  kernel_plan plan;
  const job_operand positions = j.operands[j.operand_count()];
  merge_equal_inputs(j, plan);
  if (r.code->indexed) {
    plan.slot_of[plan.inputs] = plan.slots;
    j.operands[plan.slots++] = positions;
  }
  const bool by_rows = r.along == reduced_along::rows;
  plan.shape = by_rows ? kernel_shape::reduce_rows : kernel_shape::reduce_columns;
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.kept = static_cast<std::uint8_t>(r.kept);
  plan.steps = r.steps;
  if (r.loops.lengths == 0) note_equal_numbers(j, plan);
  note_equal_numbers(j, r.loops, plan);
  if (r.code->parts == nullptr && (r.reads_little || r.loops.slot_of_number != nullptr))
    note_ones(j, plan, r.loops.slot_of_number);
  plan_loops(j, r.loops, plan);
  if (r.reads_little) {
    plan.reads_little = true;
    mark_moves(j, plan);
  }

  // Along columns, the states of a block, one for each element of its threads, share its fastest memory.
  // Variances of formulas of several arrays also need registers, so that less is left for states.
  const int most_bytes = (r.code->around_mean != nullptr && plan.slots > 2 ? 16 : 32) * 1024;
  const auto allowed = [&r, by_rows, most_bytes](int v) {
    return by_rows || threads_per_block * v * r.code->state_size <= most_bytes;
  };
  plan_access(j, plan, 1, (by_rows ? j.rank - r.kept : r.kept) == 1, allowed);
  if (r.loops.lengths == 0 && reads_tables(j, plan)) {
    const std::vector<const node_source*> sources = sources_of_values(*r.code);
    // Several reductions may choose the same rows. The rows are loaded once if the numbers involved are noted
    // as equal.
    if (r.code->parts != nullptr)
      note_equal_numbers(j, find_alike_parts(sources.data(), r.code->part_count), plan);
    plan_gathered_runs(j, sources, plan, 1, allowed);
  }
  // Results along a short axis, such as coordinates, belong to one thread, because what loops compute is the
  // same for all of them.
  const index_t inner = j.shape[j.rank - 1];
  if (plan.loops.any() && !by_rows && r.kept > 1 && inner >= 2 && inner <= 4 &&
      allowed(static_cast<int>(inner))) {
    plan.vector = static_cast<std::uint8_t>(inner);
    for (int slot = 1; slot < plan.slots; ++slot) {
      lane_access& access = plan.access[static_cast<std::size_t>(slot)];
      if (access == lane_access::run) access = lane_access::neighbours;
      if (access == lane_access::every_other) access = lane_access::strided;
    }
  }
  return plan;
}

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
/// little data would be in flight.
GNP_INLINE bool plan_short_rows(const reduction& r, kernel_plan& plan, const gpu& device) {
  const job& j = r.values;
  const auto vectors = static_cast<int>((std::min)(r.length / plan.vector, index_t{1000}));
  if (r.length % plan.vector != 0 || vectors > 16 || plan.loops.any() || plan.gathered_runs != 0) return false;
  int bytes = 0;   // of a vector of each array
  int widest = 0;  // of an element
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] == lane_access::repeated || plan.access[slot] == lane_access::counted) continue;
    bytes += plan.vector * j.operands[slot].itemsize;
    widest = (std::max)(widest, j.operands[slot].itemsize);
  }
  if (bytes == 0) return false;
  // Adjacent threads read adjacent memory: pieces of a vector, or one vector each if the row is longer.
  const bool alone = j.shape[j.rank - 1] * widest <= 16 && vectors <= 4;
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
  if (rows == 1) return false;
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

/// Plans how many threads share an output, or how many outputs adjacent threads take, and how many vectors a
/// thread loads at once.
GNP_INLINE void plan_groups(reduction& r, kernel_plan& plan, const gpu& device) {
  if (plan_pairs(r, plan, device)) return;
  const auto vector = static_cast<std::uint64_t>(plan.vector);
  const auto outputs = static_cast<std::uint64_t>(r.outputs);
  if (r.along == reduced_along::rows && plan_short_rows(r, plan, device)) return;
  if (r.along == reduced_along::rows) {
    const std::uint64_t length = divided_up(static_cast<std::uint64_t>(r.length), vector);
    plan.items = length >= (1 << 16) && vector >= 4 ? 8 : length >= 8 ? 4 : 1;
    // No more vectors than a quarter of a thread's registers can hold.
    std::uint64_t bytes = 0;
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      if (plan.access[slot] != lane_access::repeated)
        bytes += vector * static_cast<std::uint64_t>((std::max)(4, r.values.operands[slot].itemsize));
    }
    while (plan.items > 1 && plan.items * bytes > 256) plan.items /= 2;
    if (plan.loops.any()) plan.items = (std::min)(plan.items, std::uint8_t{2});
    // If each element takes part in several reductions, a thread has enough to do with fewer vectors, and the
    // kernel's text would become too long.
    if (r.code->part_count > 1) plan.items = (std::min)(plan.items, std::uint8_t{4});
    // A thread for the shortest rows, part of a warp for short ones, a warp, a block.
    const std::uint64_t threads = power_of_two(divided_up(length, plan.items));
    const bool few = outputs < static_cast<std::uint64_t>(device.multiprocessors) * 32;
    plan.group = static_cast<std::uint16_t>(threads <= 16 ? threads : length <= (few ? 256 : 1024) ? 32 : 256);
  } else {
    const auto length = static_cast<std::uint64_t>(r.length);
    plan.items = length >= 16 ? 8 : length >= 8 ? 4 : length >= 2 ? 2 : 1;
    // States of variances take long to combine, and halves are read twice as fast as floats: on an H200, 16384
    // x 32768 of them take 0.33 ms instead of 0.57 (0.47 with 32 items).
    if (r.code->around_mean != nullptr && itemsize(r.code->values->result) <= 2 && length >= 256)
      plan.items = 16;
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
}

struct work_shares {
  reduction_arguments arguments;
  std::uint64_t tiles = 1;  // groups of outputs, each computed by one block or by several blocks together
};

/// How the work is shared out among blocks, of which a multiprocessor holds `resident` at a time.
GNP_INLINE work_shares share_out(const reduction& r, const kernel_plan& plan, const gpu& device, int resident) {
  work_shares shares;
  reduction_arguments& a = shares.arguments;
  std::copy(r.parameter, r.parameter + most_reductions, a.parameter);
  // All results are laid out alike, but where axes are walked backwards, the first output is not the first
  // element in memory.
  const job_operand& out = r.values.operands[0];
  for (int k = 1; k < most_reductions; ++k) {
    if (r.results[k] == nullptr) continue;
    const std::ptrdiff_t first = (out.data - static_cast<char*>(out.block->data)) / out.itemsize;
    char* const to = static_cast<char*>(r.results[k]->data) +
                     first * static_cast<std::ptrdiff_t>(itemsize(r.code->parts[k]->result));
    a.results[k] = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(to));
  }
  const auto vector = static_cast<std::uint64_t>(plan.vector);
  const auto outputs = static_cast<std::uint64_t>(r.outputs);
  const auto length = static_cast<std::uint64_t>(r.length);
  if (plan.pairs != 0) {
    a.length = length;
    shares.tiles = tiles_of_pairs(r, plan.pairs);
    return shares;
  }
  const std::uint64_t group = plan.group;
  std::uint64_t step = 0;  // the part of the length that a block takes in one go
  if (r.along == reduced_along::rows) {
    a.outputs = outputs;
    a.length = divided_up(length, vector);
    a.whole = length / vector;
    shares.tiles = divided_up(outputs, threads_per_block / group * plan.rows_each);
    step = group == threads_per_block ? group * plan.items : a.length;
  } else {
    a.outputs = divided_up(outputs, vector);
    a.length = length;
    a.whole = length;
    shares.tiles = divided_up(a.outputs, group);
    step = threads_per_block / group * plan.items;
  }
  // No more blocks than can run at the same time, because a few late ones would run alone. Four blocks on a
  // multiprocessor keep memory busy, since each thread has several vectors in flight. If loops compute the
  // elements, computing takes longer than reading memory. Then there are several times as many blocks as fit,
  // so that multiprocessors finish at about the same time.
  const bool computes = (plan.loops.any() || plan.reads_little) && r.along == reduced_along::columns;
  const std::uint64_t wave = static_cast<std::uint64_t>(device.multiprocessors) *
                             static_cast<std::uint64_t>(computes ? 4 * resident : std::clamp(resident, 1, 4));
  if (computes) step *= 8;
  if (shares.tiles <= stream_counters) {
    a.splits = (std::max)(std::uint64_t{1}, (std::min)(wave / shares.tiles, std::uint64_t{a.length / step}));
  }
  return shares;
}

/// A collapsed reduction with its kernel.
struct planned_reduction {
  kernel_plan plan;
  gpu_kernel kernel;
  work_shares shares;
};
GNP_INLINE planned_reduction plan_reduction(reduction& r, gpu& device) {
  planned_reduction made{plan_loads(r), {}, {}};
  plan_groups(r, made.plan, device);
  made.kernel = kernel_of(*r.code, made.plan, device);
  made.shares = share_out(r, made.plan, device, made.kernel.resident);
  return made;
}

GNP_INLINE void reduce_on_gpu(reduction& r) {
  job& j = r.values;
  const submission work(j.where);
  gpu& device = work.device();
  planned_reduction planned = plan_reduction(r, device);
  const kernel_plan& plan = planned.plan;
  reduction_arguments& shares = planned.shares.arguments;
  const std::uint64_t tiles = planned.shares.tiles;
  use_slots(work, j, plan);
  for (storage* more : r.results) {
    if (more != nullptr) work.writes(*more);
  }
  storage_ref states;
  if (shares.splits > 1) {
    const auto outputs = static_cast<std::uint64_t>(
        r.along == reduced_along::rows ? shares.outputs : tiles * plan.group * std::uint64_t{plan.vector});
    states = storage_ref::allocate(
        outputs * static_cast<std::uint64_t>(shares.splits) * static_cast<std::uint64_t>(r.code->state_size),
        j.where);
    shares.states = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(states->data));
    shares.counters = counters_of(work.stream());
  }
  const std::uint64_t blocks = tiles * shares.splits;
  if (blocks > 0x7fffffff)
    throw error(std::string("a reduction to ") + std::to_string(r.outputs) +
                " elements is more than one launch can cover");
  argument_block arguments;
  add_layout(arguments, j, plan, 0);
  void* parameters[] = {arguments.data(), &shares};
  const bool fills_the_gpu = blocks >= static_cast<std::uint64_t>(device.multiprocessors);
  work.launch(
      planned.kernel.function, {.blocks = blocks, .threads = threads_per_block, .early = !fills_the_gpu},
      parameters, [&](movable_launch& launch) {
        constexpr std::size_t first_result = offsetof(reduction_arguments, results) / sizeof(std::uint64_t);
        describe_layout(launch, arguments, j, plan);
        launch.add(&shares, sizeof shares);
        for (std::size_t k = 1; k < most_reductions; ++k) launch.has_address(first_result + k, r.results[k]);
      });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
