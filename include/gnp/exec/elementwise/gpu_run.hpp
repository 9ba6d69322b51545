// SPDX-License-Identifier: MIT
// A job on a GPU: plan it, find or make its kernel, pack the arguments, launch.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <cstring>
#include <gnp/cuda/jit.hpp>
#include <gnp/exec/elementwise/equal_numbers.hpp>
#include <gnp/exec/elementwise/first_parts.hpp>
#include <gnp/exec/elementwise/gathered_runs.hpp>
#include <gnp/exec/elementwise/kernel_table.hpp>
#include <gnp/exec/elementwise/rolled_plan.hpp>
#include <gnp/exec/elementwise/rows_above.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/memory/movable_launch.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct gpu_kernel {
  CUfunction function = nullptr;
  int resident = 0;  // blocks that a multiprocessor holds at a time
};

struct kernel_table::entry {
  kernel_plan plan;
  int ordinal;
  gpu_kernel kernel;
  entry* next;
};

GNP_INLINE const gpu_kernel* kernel_table::find(const kernel_plan& plan, int ordinal) const {
  for (const entry* e = head_.load(std::memory_order_acquire); e != nullptr; e = e->next) {
    if (e->ordinal == ordinal && e->plan == plan) return &e->kernel;
  }
  return nullptr;
}

GNP_INLINE const gpu_kernel* kernel_table::add(const kernel_plan& plan, int ordinal, const gpu_kernel& kernel) {
  auto* added = new entry{plan, ordinal, kernel, head_.load(std::memory_order_relaxed)};
  while (!head_.compare_exchange_weak(added->next, added, std::memory_order_release)) {
  }
  return &added->kernel;
}

GNP_INLINE const std::vector<alike_parts>& kernel_table::alike(const node_source* const* sources, int count) {
  const std::vector<alike_parts>* known = alike_.load(std::memory_order_acquire);
  if (known != nullptr) [[likely]]
    return *known;
  auto* const made = new std::vector<alike_parts>(find_alike_parts(sources, count));
  if (alike_.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *known;
}

/// The same for a job whose kernel computes only this expression.
GNP_INLINE void note_equal_numbers(const job& j, kernel_plan& plan) {
  const expression_code& code = *j.code;
  if (code.constants < 2 || code.kernels == nullptr || code.source->inputs != code.inputs ||
      code.source->numbers != code.constants)
    return;
  note_equal_numbers(j, code.kernels->alike(&code.source, 1), plan);
}
/// The same for a job whose kernel also has numbers for the loops of a thread.
GNP_INLINE void note_equal_numbers(const job& j, const loop_facts& loops, kernel_plan& plan) {
  if (loops.slot_of_number != nullptr)
    note_equal_numbers(j, j.code->kernels->alike(&j.code->source, 1), plan, loops.slot_of_number);
}

/// Division by `size` as a multiplication and a shift, exact below 2^31 (below 2^63 if `wide`).
GNP_INLINE void set_divisor(bool wide, std::uint64_t size, std::uint64_t& magic, std::uint64_t& shift) {
  shift = 0;
  while ((std::uint64_t{1} << shift) < size) ++shift;
  __extension__ using wide_t = unsigned __int128;
  const wide_t one = wide_t{1} << (wide ? 64 : 32);
  magic = static_cast<std::uint64_t>(one * ((wide_t{1} << shift) - size) / size + 1);
}

/// The kernel's parameter block, laid out as arguments_text says.
class argument_block {
 public:
  void add(std::uint64_t value) { words_[size_++] = value; }
  std::size_t size() const { return size_; }
  GNP_INLINE void add_constants(const unsigned char* constants, int count) {
    if (count == 0) return;
    size_ += size_ % 2;  // constants are 16-byte aligned
    std::memcpy(words_ + size_, constants, static_cast<std::size_t>(count) * constant_slot);
    size_ += static_cast<std::size_t>(count) * 2;
  }
  void* data() { return words_; }
  const void* data() const { return words_; }
  /// At least as many bytes as a kernel takes: it aligns its constants, and has one even if there are none.
  std::size_t bytes() const { return (size_ + 4) * sizeof(std::uint64_t); }
  /// The word at which the addresses of a layout begin.
  std::size_t addresses_at = 0;
  /// Do the arguments of a job of these sizes fit into the 4 KiB that kernels take?
  static bool fits(std::size_t rank, std::size_t slots, std::size_t constants, std::size_t shifts = 0) {
    return 1 + 3 * rank + slots * (1 + rank) + shifts + 1 + 2 * (constants > 0 ? constants : 1) <=
           capacity - second;
  }

 private:
  static constexpr std::size_t capacity = 4096 / sizeof(std::uint64_t);
  static constexpr std::size_t second = 32;  // words left for a second parameter
  alignas(16) std::uint64_t words_[capacity];
  std::size_t size_ = 0;
};

/// Can one kernel read this many arrays and numbers?
GNP_INLINE bool fits_in_a_kernel(std::size_t leaves, std::size_t numbers, int rank) {
  const std::size_t slots = leaves + 2;  // the destination, and positions
  return slots < static_cast<std::size_t>(most_operands) &&
         argument_block::fits(static_cast<std::size_t>(rank), slots, numbers);
}

/// Can a kernel roll operands by these numbers of places along each axis, 0 among them? The axis that becomes
/// the innermost one may need two shifts where others need one.
GNP_INLINE bool shifts_fit_in_a_kernel(const std::vector<std::vector<index_t>>& shifts, std::size_t leaves,
                                       std::size_t numbers) {
  std::size_t all = 0, most = 0;
  for (const std::vector<index_t>& along : shifts) {
    all += along.size() - 1;
    most = (std::max)(most, along.size() - 1);
  }
  return shifts.size() <= static_cast<std::size_t>(most_rolled_axes) && all + most <= most_kernel_shifts &&
         argument_block::fits(shifts.size(), leaves + 2, numbers, most_kernel_shifts);
}

/// How many patches, each a warp wide, are beside each other along rows.
inline std::uint64_t patches_across(const job& j, const kernel_plan& plan) {
  return (static_cast<std::uint64_t>(j.shape[j.rank - 1]) / plan.vector + 31) / 32;
}

/// The arguments that every kernel has: sizes and strides of a job. `vectors` is the number of vectors that the
/// kernel counts.
GNP_INLINE void add_layout(argument_block& arguments, const job& j, const kernel_plan& plan,
                           std::uint64_t vectors) {
  if (!argument_block::fits(plan.rank, plan.slots, static_cast<std::size_t>(j.code->constants), plan.shifts)) {
    throw error(
        std::string("an expression of ") + std::to_string(plan.slots - 1) + " arrays of " +
        std::to_string(j.rank) +
        " dimensions is more than a kernel's arguments can hold: compute a part of it first with .eval()");
  }
  arguments.add(vectors);
  std::uint64_t magic[max_rank] = {};
  std::uint64_t shift[max_rank] = {};
  for (int d = 0; d < j.rank; ++d) {
    const bool shortened = counts_in_vectors(plan) && d == j.rank - 1;
    const auto size = static_cast<std::uint64_t>(plan.shape == kernel_shape::shifted ? shifted_size(j, plan, d)
                                                 : shortened                         ? j.shape[d] / plan.vector
                                                                                     : j.shape[d]);
    if (d > 0) set_divisor(plan.wide, size, magic[d], shift[d]);  // the outermost axis needs no division
    if (plan.in_patches && shortened) set_divisor(plan.wide, patches_across(j, plan), magic[0], shift[0]);
    arguments.add(size);
  }
  for (int d = 0; d < j.rank; ++d) arguments.add(magic[d]);
  for (int d = 0; d < j.rank; ++d) arguments.add(shift[d]);
  arguments.addresses_at = arguments.size();
  for (int slot = 0; slot < plan.slots; ++slot) {
    arguments.add(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(j.operands[slot].data)));
  }
  for (int slot = 0; slot < plan.slots; ++slot) {
    for (int d = 0; d < j.rank; ++d) arguments.add(static_cast<std::uint64_t>(j.operands[slot].strides[d]));
  }
  for (int k = 0; k < plan.shifts; ++k) arguments.add(static_cast<std::uint64_t>(j.kernel_shifts[k]));
  arguments.add_constants(j.constants, j.code->constants);
}

/// Tells a recording which words of these arguments are addresses.
[[gnu::cold]] GNP_INLINE void describe_layout(movable_launch& launch, const argument_block& arguments,
                                              const job& j, const kernel_plan& plan) {
  launch.add(arguments.data(), arguments.bytes());
  for (std::size_t slot = 0; slot < plan.slots; ++slot)
    launch.has_address(arguments.addresses_at + slot, j.operands[slot].block);
}

/// The second argument of a shifted kernel: the innermost sizes, and the bounds of the memory blocks that hold
/// the slots.
GNP_INLINE void add_surroundings(argument_block& around, const job& j, const kernel_plan& plan) {
  for (int d = j.rank - 1; d >= j.rank - 2; --d) around.add(d < 0 ? 1 : static_cast<std::uint64_t>(j.shape[d]));
  for (int slot = 0; slot < plan.slots; ++slot) {
    const storage* block = j.operands[slot].block;
    const std::uint64_t first = block == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(block->data);
    around.add(first);
    around.add(block == nullptr ? 0 : first + block->bytes);
  }
}

GNP_INLINE void launch_job(const submission& work, const job& j, const kernel_plan& plan, CUfunction function) {
  const int inner = j.rank - 1;
  std::uint64_t blocks = 1;
  std::uint64_t vectors = 1;
  argument_block arguments;
  if (plan.shape == kernel_shape::tile) {
    blocks = count_tiles(j, plan);
  } else if (plan.shape == kernel_shape::shifted) {
    for (int d = 0; d < j.rank; ++d) vectors *= static_cast<std::uint64_t>(shifted_size(j, plan, d));
    const std::uint64_t per_block =
        plan.shifted.across > 0 ? 1 : static_cast<std::uint64_t>(plan.threads) * plan.items;
    blocks = (vectors + per_block - 1) / per_block;
  } else {
    const auto count = static_cast<std::uint64_t>(plan.copied ? j.count / j.shape[0] : j.count);
    const std::uint64_t left = count % plan.vector;
    // A flat kernel has one thread for each element that is left over; other kernels have one thread for all of
    // them.
    vectors = count / plan.vector + (plan.shape == kernel_shape::flat || left == 0 ? left : 1);
    const std::uint64_t per_block = static_cast<std::uint64_t>(plan.threads) * plan.items;
    blocks = (vectors + per_block - 1) / per_block;
    if (plan.has_rows_above()) {
      const auto rows = static_cast<std::uint64_t>(j.shape[0]);
      vectors = (rows + plan.rows_each - 1) / plan.rows_each * (count / plan.vector / rows);
      blocks = (vectors + plan.threads - 1) / plan.threads;
    }
    if (plan.in_patches) {
      const auto rows = static_cast<std::uint64_t>(j.count / j.shape[inner]);
      const std::uint64_t warps = static_cast<std::uint64_t>(plan.threads) / 32;
      blocks = (rows + warps - 1) / warps * patches_across(j, plan);
    }
    if (plan.through_rows) {
      const std::uint64_t apart = 32 * static_cast<std::uint64_t>(j.shape[inner]);
      const std::uint64_t threads = (vectors + apart * plan.items - 1) / (apart * plan.items) * apart;
      blocks = (threads + plan.threads - 1) / plan.threads;
    }
  }
  add_layout(arguments, j, plan, vectors);
  if (blocks > 0x7fffffff)
    throw error(std::string("an array of ") + std::to_string(j.count) +
                " elements is more than one launch can cover");

  argument_block around;
  if (plan.shape == kernel_shape::shifted) add_surroundings(around, j, plan);
  void* parameters[] = {arguments.data(), around.data()};
  work.launch(function, {.blocks = blocks, .threads = plan.threads, .early = true}, parameters,
              [&](movable_launch& launch) {
                describe_layout(launch, arguments, j, plan);
                if (plan.shape != kernel_shape::shifted) return;
                launch.add(around.data(), around.bytes());
                for (std::size_t slot = 0; slot < plan.slots; ++slot)
                  launch.has_ends(2 + 2 * slot, j.operands[slot].block);
              });
}

/// The kernel of a plan on this GPU, compiled on first use. Each type of code has a function kernel_source()
/// that writes its text (exec/text/ and the headers of the types). Code that is generated for a single call
/// keeps no kernels.
template <class Code>
gpu_kernel kernel_of(const Code& code, const kernel_plan& plan, gpu& device) {
  const gpu_kernel* const known = code.kernels == nullptr ? nullptr : code.kernels->find(plan, device.ordinal);
  if (known != nullptr) [[likely]]
    return *known;
  gpu_kernel made;
  made.function = load_kernel(device, kernel_source(code, plan));
  GNP_CUDA_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, &made.resident, made.function, plan.threads, 0);
  return code.kernels == nullptr ? made : *code.kernels->add(plan, device.ordinal, made);
}

/// Declares that the work to come writes the memory of the first slot and reads the memory of the others.
GNP_INLINE void use_slots(const submission& work, const job& j, const kernel_plan& plan) {
  work.writes(*j.operands[0].block);
  for (int slot = 1; slot < plan.slots; ++slot) {
    if (j.operands[slot].block != nullptr) work.reads(*j.operands[slot].block);
  }
}

GNP_INLINE void run_on_gpu(job& j) {
  first_parts parts;
  if (j.code->kernels != nullptr &&
      parts.take_from(j, {&j.code->source, 1}, *j.code->kernels, {0, j.rank}, true)) {
    parts.run_each(run_on_gpu);
    collapse(j);
  }
  const submission work(j.where);
  kernel_plan plan = j.rolls ? make_rolled_plan(j) : make_plan(j);
  if (!j.rolls) take_rows_above(j, plan);
  mark_gathered_runs(j, plan);
  note_equal_numbers(j, plan);
  note_divisors(j, plan);
  const gpu_kernel kernel = kernel_of(*j.code, plan, work.device());
  use_slots(work, j, plan);
  launch_job(work, j, plan, kernel.function);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
