// SPDX-License-Identifier: MIT
// How the elements of a row program's rows are divided: how many threads share a row, in how many blocks, and
// how many vectors each thread takes. column_groups.hpp divides rows that lie across memory.
#pragma once

#include <bit>
#include <gnp/core/whole_numbers.hpp>
#include <gnp/exec/elementwise/plan_access.hpp>
#include <gnp/exec/statement/ends_apart.hpp>
#include <gnp/exec/statement/statement.hpp>
#include <gnp/exec/text/row_program_kernels.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a row program's plan needs to know about the GPU.
struct row_hardware {
  int multiprocessors;
  std::uint64_t most_in_cluster;  // blocks that can write into each other's shared memory; 1 if none can
};
/// All GPUs with clusters can run clusters of 8 blocks, those for data centres also of 16.
inline row_hardware row_hardware_of(const gpu& device) {
  const bool for_data_centres = device.arch == 90 || (device.arch >= 100 && device.arch < 110);
  return {device.multiprocessors, for_data_centres ? 16u : device.arch >= 90 ? 8u : 1u};
}

/// How many bytes of a thread's registers hold elements of its row.
inline constexpr std::uint64_t row_register_bytes = 256;
/// The most blocks that share a contiguous row.
inline constexpr std::uint64_t most_blocks_of_row = 8;
/// The most threads in each such block. With more, a multiprocessor would have no room for a second block.
inline constexpr std::uint64_t most_of_cluster_block = 512;
/// No row program takes longer rows.
inline constexpr index_t longest_row = most_blocks_of_row * most_of_cluster_block * row_register_bytes / 4;
/// Shared memory that a block gets without asking for more.
inline constexpr std::uint64_t shared_bytes_of_block = 48 * 1024;

/// The bytes for what is computed from the inputs at each element of a row. A count or a position may be wider
/// than all inputs, but there is only one of it for each row.
GNP_INLINE std::uint64_t bytes_of_computed(const job& elements, const kernel_plan& plan) {
  const std::size_t result = (std::max)(std::size_t{4}, itemsize(elements.code->result));
  if (!plan.rows.per_row || !is_integer(elements.code->result)) return result;
  std::size_t widest = 4;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    widest = (std::max)(widest, static_cast<std::size_t>(elements.operands[slot].itemsize));
  }
  return (std::min)(result, widest);
}

/// The bytes for each element of a row: those of each input that differs from row to row, and of what is
/// computed from them.
GNP_INLINE std::uint64_t bytes_of_element(const job& elements, const kernel_plan& plan) {
  std::size_t bytes = bytes_of_computed(elements, plan);
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = elements.operands[slot];
    const bool same = plan.rows.is_same_for_rows(slot) || plan.rows.is_same_for_elements(slot);
    if (o.table && plan.gathered_runs != 0) bytes += static_cast<std::size_t>((std::max)(4, o.itemsize));
    if (o.block == nullptr || plan.access[slot] == lane_access::repeated || same) continue;
    bytes += static_cast<std::size_t>((std::max)(4, o.itemsize));
  }
  return bytes;
}

/// The most vectors that a thread can hold.
GNP_INLINE std::uint64_t most_items(const job& elements, const kernel_plan& plan) {
  const std::uint64_t bytes = plan.vector * bytes_of_element(elements, plan);
  return std::clamp<std::uint64_t>(row_register_bytes / bytes, 1, 16);
}

/// Plans `group` threads for a row and `threads` for a block, in clusters of `cluster` blocks; false if GPUs of
/// this kind cannot run such blocks.
GNP_INLINE bool set_groups(kernel_plan& plan, std::uint64_t length, std::uint64_t group, std::uint64_t threads,
                           std::uint64_t cluster, row_hardware hardware) {
  if (threads > (cluster > 1 ? most_of_cluster_block : 1024)) return false;
  if (cluster > hardware.most_in_cluster) return false;
  plan.group = static_cast<std::uint16_t>(group);
  plan.threads = static_cast<std::uint16_t>(threads);
  plan.rows.cluster = static_cast<std::uint8_t>(cluster);
  plan.items = static_cast<std::uint8_t>(divided_up(length, group));
  plan.rows.whole_rows = length == group * plan.items && !plan.rows.ends_apart;
  return true;
}

/// How many threads share a row. If there are few rows, it is more than they need (but at most `most`), so that
/// the GPU is full.
GNP_INLINE std::uint64_t enough_threads(std::uint64_t group, std::uint64_t rows, std::uint64_t length,
                                        std::uint64_t most, row_hardware hardware) {
  const auto wanted = static_cast<std::uint64_t>(hardware.multiprocessors) * 1024;
  const std::uint64_t limit = (std::max)(group, most);
  while (rows * group < wanted && group < limit && group < length) group *= 2;
  return (std::min)(group, limit);
}

/// Is a row of `row` bytes faster with one thread, which needs `registers` bytes of registers for it, than with
/// several? Several threads read `vector` bytes at once; the wider that is, the less is gained by a single
/// thread. Reductions to one element per row, such as variances, gain most. Measured on an H100 with softmax,
/// variances and argmax of 2 to 84 elements. (With more bytes in registers, the text takes long to compile.)
GNP_INLINE bool suits_one_thread(bool per_row, std::uint64_t row, std::uint64_t vector, std::uint64_t registers,
                                 bool wide) {
  if (per_row) return row <= 256 && registers <= 336;
  return row <= (vector >= 16 ? 144u : vector >= 8 ? 216u : 272u) && registers <= (wide ? 320u : 400u);
}

/// Gives each short row to one thread where that is faster, if the rows are contiguous. A block moves all of
/// its rows through shared memory, in whole vectors. False for other rows, or if there are few. Rows of 2, 4,
/// 8, ... whole vectors are faster with one thread for each vector. If rows have only a few bytes, a thread
/// takes several rows, so that enough data is in flight: converting images of 3 bytes per pixel to grey becomes
/// 4 times as fast.
GNP_INLINE bool stage_short_rows(const job& j, kernel_plan& plan, const row_arguments& sizes,
                                 row_hardware hardware) {
  constexpr std::uint64_t threads = 128;
  const std::uint64_t length = sizes.length * plan.vector;
  if (j.rank != 2 || plan.kept != 1 || plan.gathered_runs != 0 || length > 272 ||
      sizes.rows < static_cast<std::uint64_t>(hardware.multiprocessors) * 1024)
    return false;
  std::uint64_t staged = 0;
  std::uint64_t widest = 1;  // bytes of an element
  for (std::size_t slot = plan.rows.per_row ? 1 : 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (plan.access[slot] != lane_access::run) continue;
    if (slot >= 64) return false;
    if (plan.rows.is_same_for_rows(slot)) continue;
    const bool dense = o.strides[0] == j.shape[1] && reinterpret_cast<std::uintptr_t>(o.data) % 16 == 0;
    if (!dense) return false;
    staged |= std::uint64_t{1} << slot;
    widest = (std::max)(widest, static_cast<std::uint64_t>(o.itemsize));
  }
  if (staged == 0 || (!plan.rows.per_row && (staged & 1) == 0)) return false;
  const std::uint64_t vector = widest * plan.vector;
  if (vector >= 16 && std::has_single_bit(sizes.length)) return false;
  std::uint64_t bytes = bytes_of_element(j, plan);
  if (plan.rows.per_row) bytes -= bytes_of_computed(j, plan);
  if (!suits_one_thread(plan.rows.per_row, length * widest, vector, length * bytes, widest > 4)) return false;
  if (!set_groups(plan, sizes.length, 1, threads, 1, hardware)) return false;
  const std::uint64_t rows_each = std::clamp<std::uint64_t>(divided_up(16, length * widest), 1, 8);
  const auto places = static_cast<std::uint64_t>(std::popcount(staged));
  if (sizes.rows >= static_cast<std::uint64_t>(hardware.multiprocessors) * 1024 * rows_each &&
      places * threads * rows_each * length * widest <= shared_bytes_of_block)
    plan.rows_each = static_cast<std::uint8_t>(rows_each);
  for (std::size_t slot = 0; slot < plan.slots && slot < 64; ++slot) {
    if ((staged >> slot & 1) != 0) plan.access[slot] = lane_access::staged;
  }
  return true;
}

/// How many threads of a short row read adjacent vectors, at least: a whole cache line of vectors of 16 bytes,
/// or of 8 bytes if at the row's end most threads have one, too. (With smaller vectors, so many threads would
/// spend the time in combining what each has. Measured on an H200.)
GNP_INLINE std::uint64_t lanes_of_line(const job& elements, const kernel_plan& plan, std::uint64_t length) {
  std::uint64_t widest = 1;
  for (std::size_t slot = plan.rows.per_row ? 1 : 0; slot < plan.slots; ++slot) {
    if (plan.access[slot] == lane_access::run)
      widest = (std::max)(widest, static_cast<std::uint64_t>(elements.operands[slot].itemsize));
  }
  const bool many_have_none = 4 * divided_up(length, 16) * 16 > 5 * length;
  return plan.vector * widest == 8 && length >= 32 && !many_have_none ? 16 : 8;
}

/// Plans how many threads share a contiguous row; false if the row is longer than they can hold.
GNP_INLINE bool plan_row_groups(const job& elements, kernel_plan& plan, const row_arguments& sizes,
                                row_hardware hardware) {
  if (stage_short_rows(elements, plan, sizes, hardware)) return true;
  const bool ends_apart = take_ends_apart(elements, plan);
  const std::uint64_t rows = sizes.rows;
  const std::uint64_t length =
      ends_apart ? static_cast<std::uint64_t>(elements.shape[elements.rank - 1] / plan.vector) : sizes.length;
  const std::uint64_t needed = divided_up(length, most_items(elements, plan));
  if (hardware.most_in_cluster > 1 && needed > most_of_cluster_block) {
    // Several blocks share a long row: while one waits for memory, others on the multiprocessor compute.
    const std::uint64_t group =
        enough_threads(needed, rows, length, most_blocks_of_row * most_of_cluster_block, hardware);
    const std::uint64_t cluster = (std::min)(power_of_two(divided_up(group, 256)), most_blocks_of_row);
    const std::uint64_t threads = divided_up(group, 32 * cluster) * 32;
    return set_groups(plan, length, threads * cluster, threads, cluster, hardware);
  }
  std::uint64_t group = power_of_two(needed);
  // A short row of single elements has one thread.
  if (plan.vector > 1 || length > 12)
    group = (std::max)(group, (std::min)(power_of_two(length), lanes_of_line(elements, plan, length)));
  if (ends_apart) group = (std::max)(group, threads_with_ends(plan));
  group = enough_threads(group, rows, length, 1024, hardware);
  // No more warps than the row needs.
  if (group > 32) group = divided_up(divided_up(length, divided_up(length, group)), 32) * 32;
  const std::uint64_t at_once = (std::max)(threads_per_block / group, std::uint64_t{1});
  return set_groups(plan, length, group, group * at_once, 1, hardware);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
