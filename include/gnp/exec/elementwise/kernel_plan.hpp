// SPDX-License-Identifier: MIT
// Everything that the text of a kernel depends on.
#pragma once

#include <array>
#include <gnp/exec/layout/job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How a thread reaches an operand's elements along the innermost axis.
enum class lane_access : std::uint8_t {
  run,          // one after the other: a vector load
  repeated,     // all the same: one load
  every_other,  // stride 2: two vector loads, every other element kept
  strided,      // anything else: element by element
  transposed,   // through a tile in shared memory
  counted,      // a position, which is not in memory
  pointers,     // read in a loop of the thread, which gets the address where the elements begin
  neighbours,   // consecutive along an axis of one vector, loaded one by one
  staged,       // a thread's short row, read through shared memory together with the rows next to it
  wrapped,      // short rows that vectors run through: element by element, each in its own row
  written,      // another result of a shifted kernel: not read, and stored at the same place as the first
  rolled,       // rolled along some axes
  unaligned,    // a run whose vectors lie across two vectors of memory, in all rows alike
  in_record,    // beside elements of other slots, with which one load or store moves it
};

enum class kernel_shape : std::uint8_t {
  flat,  // elementwise along one axis, where nothing is strided
  elementwise,
  shifted,  // elementwise along rows that are not aligned
  tile,
  reduce_rows,
  reduce_columns,
  reduce_tiles,  // to one element, of arrays that lie across each other
  scan_rows,
  scan_short_rows,
  scan_columns,
  compact,
  row_program  // several reductions along the same axes, and elements computed from their results
};

inline constexpr int threads_per_block = 256;
/// How many reductions the text of a row program can have.
inline constexpr std::size_t most_row_reductions = 64;
/// Of how many numbers of an expression a plan can say that they are 1, or divisors.
inline constexpr int most_noted_numbers = 16;
/// How many numbers of an expression a plan can compare with each other.
inline constexpr int most_compared_numbers = 64;

/// What every kernel's text depends on, except for its slots.
struct kernel_basics {
  kernel_shape shape = kernel_shape::elementwise;
  std::uint8_t rank = 0;
  std::uint8_t vector = 1;  // elements per thread
  std::uint8_t items = 1;   // vectors per thread
  std::uint16_t threads = threads_per_block;
  bool wide = false;           // 64-bit indices
  bool through_rows = false;   // do vectors run through the ends of rows, which lie one after the other?
  bool in_patches = false;     // do the warps of a block take vectors of rows above each other?
  bool copied = false;         // is a thread's result stored for each place along the first axis?
  bool reads_records = false;  // is a slot read as lane_access::in_record?
  bool stores_record = false;  // are the results one record, which a single store writes?
  bool reads_little = false;   // of a reduction: are its elements many times what is read?
  bool some_stay = false;      // of a reduction: is a slot the same for all elements of a result?
  bool unaligned = false;      // of a reduction: is a slot read as lane_access::unaligned?
  bool ragged = false;         // of a reduction along rows: are its rows no whole number of vectors long?
  std::uint8_t slots = 0;      // distinct operands; slot 0 is the destination
  std::uint8_t inputs = 0;     // how many operands are read
  std::uint8_t kept = 0;       // of a reduction or scan: axes it does not run along
  std::uint8_t rows_each = 1;  // rows that a thread takes, one after the other
  std::uint8_t stored = 0;     // of a reduction: how many formulas are stored beside it, into the last inputs
  std::uint8_t shifts = 0;     // by how many different numbers of places slots are rolled; at least 1 if any is
  std::uint8_t overhangs = 0;  // a bit for each reduction of a larger shape than the elements that all have
  std::uint8_t pairs = 0;      // of a reduction over pairs: the rows of a thread, and its columns
  std::uint16_t group = 0;     // of a reduction: threads that share an output, or outputs side by side
  // For several reductions in one kernel: a bit for each step of their statement that is one of them.
  std::uint64_t steps = 0;
  // A bit for each input that is a table from which a gather takes a thread's elements one after the other, so
  // that they can be loaded together.
  std::uint64_t gathered_runs = 0;

  friend bool operator==(const kernel_basics&, const kernel_basics&) = default;
};

/// What is known of the first numbers of an expression.
struct noted_numbers {
  // For each number: how far before it, in the list of numbers, is one that it is equal to. Both are then
  // written as one, so that an expression that is written twice is computed once. 0 if there is none.
  std::array<std::uint8_t, most_compared_numbers> equal{};
  bool some_are_equal = false;
  // A bit for each number that is 1 as a float, and 16 bits further on for each that is 1 as a double. Only set
  // if a kernel computes much for what it reads: 1 / x takes half the instructions of y / x.
  std::uint32_t ones = 0;
  // Likewise, a bit for each number by which the kernel may divide small integers through its reciprocal.
  std::uint32_t divisors = 0;
  // And for each that is a power of two, so that the product with its reciprocal is the quotient.
  std::uint32_t powers = 0;

  friend bool operator==(const noted_numbers& a, const noted_numbers& b) {
    return a.ones == b.ones && a.divisors == b.divisors && a.powers == b.powers &&
           a.some_are_equal == b.some_are_equal && (!a.some_are_equal || a.equal == b.equal);
  }
};

/// The reductions that are loops of a thread.
struct thread_loops {
  std::uint64_t lengths = 0;           // the length of each, in a byte
  std::uint64_t inner_lengths = 0;     // of each that runs along two axes: the inner one's length, in a byte
  std::uint64_t loop_at = 0;           // which of them is at each place of the text, in three bits each
  std::uint64_t one_by_one = 0;        // for each input: do its elements follow each other in a loop?
  std::uint64_t in_whole_vectors = 0;  // for each input: are they whole vectors there?
  // For each input: is it the same for all steps of its innermost loop, along the inner axis of two, or the only
  // one; and along the outer one? Or does it advance by one element along the outer one?
  std::uint64_t same_along_inner = 0;
  std::uint64_t same_along_outer = 0;
  std::uint64_t next_along_outer = 0;

  bool any() const { return lengths != 0; }
  friend bool operator==(const thread_loops&, const thread_loops&) = default;
};

/// How a slot is read if a kernel has loops of a thread.
struct slot_in_loops {
  std::uint8_t within;  // the slot whose memory and steps it shares, or itself
  // Of a reduction: the number of consecutive elements for each step along the reduced axis, if what a thread
  // reads for its items is whole vectors in memory; otherwise 0.
  std::uint8_t in_line;

  friend bool operator==(const slot_in_loops&, const slot_in_loops&) = default;
};

/// What only the text of a row program depends on.
struct row_program_plan {
  std::array<std::uint64_t, most_row_reductions / 16> step_at = {};  // of each reduction, in four bits each
  std::uint64_t same_rows = 0;      // a bit for each slot that is the same for all rows
  std::uint64_t same_elements = 0;  // a bit for each slot that is the same for all elements of a row
  std::uint8_t stored_steps = 0;    // a bit for each step whose result is stored, next to the row's result
  std::uint8_t cluster = 1;         // how many blocks share a row
  bool per_row = false;             // is its result one element for each row?
  bool whole_rows = false;          // is a row exactly what its threads take in one go?
  bool by_columns = false;          // do the rows lie across memory?
  bool ends_apart = false;          // do rows begin and end within vectors of memory?
  std::uint8_t alike = 0;           // if so: a slot; rows of all slots begin at the same place in a vector

  bool is_same_for_rows(std::size_t slot) const { return slot < 64 && (same_rows >> slot & 1) != 0; }
  bool is_same_for_elements(std::size_t slot) const { return slot < 64 && (same_elements >> slot & 1) != 0; }

  friend bool operator==(const row_program_plan&, const row_program_plan&) = default;
};

/// What only the text of a shifted kernel depends on, except for its slots.
struct shifted_rows {
  bool aligned = false;       // are all rows aligned alike?
  bool ends_by_loop = false;  // are the ends of rows read and written element by element?
  bool guarded = false;       // could a vector reach past the ends of the memory?
  bool down_first = false;    // do blocks go from row to row before they go on along a row?
  // How many vectors of a row a block takes, and of how many rows; 0 if a block takes one vector per thread,
  // one after the other.
  std::uint8_t across = 0;
  std::uint8_t above = 0;

  friend bool operator==(const shifted_rows&, const shifted_rows&) = default;
};

/// How a slot of a shifted kernel is read.
struct shifted_slot {
  std::uint8_t leader;  // the slot with which its elements are loaded together
  std::uint8_t ahead;   // how many elements it is ahead of its leader
  std::uint8_t like;    // of a run: the first slot with the same strides
  // Of a leader, if all rows are aligned alike: bytes between the beginning of a vector of memory and a
  // thread's first element. Otherwise 0.
  std::uint8_t before;

  friend bool operator==(const shifted_slot&, const shifted_slot&) = default;
};

/// Where a slot's elements lie in records: in arrays of vectors with 2, 4, ... components, of which each slot
/// has one.
struct slot_in_record {
  std::uint8_t first;  // of what is read: the slot of the record's first element
  std::uint8_t place;  // which element of the record
  std::uint8_t width;  // how many elements it has

  friend bool operator==(const slot_in_record&, const slot_in_record&) = default;
};

/// How a rolled slot is read.
struct rolled_slot {
  std::uint64_t shifts;  // for each axis, in six bits: which of the kernel's shifts, from 1 on; 0 for none
  std::uint8_t source;   // the first slot with the same memory and strides
  lane_access inner;     // how its elements lie along the innermost axis
  // A vector begins so many elements into one vector of memory, and ends in the next one, which the innermost
  // axis reaches by another shift.
  std::uint8_t ahead;
  std::uint8_t next_shift;

  friend bool operator==(const rolled_slot&, const rolled_slot&) = default;
};

/// How an unaligned slot is read.
struct unaligned_slot {
  std::uint8_t ahead;         // its elements begin so many elements into a vector of memory
  std::uint8_t source;        // the first slot that is read in the same vectors of memory
  std::uint8_t source_ahead;  // the same of that slot's elements

  friend bool operator==(const unaligned_slot&, const unaligned_slot&) = default;
};

/// One value for each slot or input. It has no initial values: a plan has far fewer slots than there could be.
template <class T>
using for_each_slot = std::array<T, most_operands>;

/// Are the first `count` values the same? (A loop, because a plan has so few that a call of memcmp takes
/// longer.)
template <class T>
bool begin_alike(std::size_t count, const for_each_slot<T>& a, const for_each_slot<T>& b) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

/// Everything about a job that its kernel's text depends on, and nothing else: a cached launch compares these.
struct kernel_plan : kernel_basics {
  noted_numbers numbers;
  for_each_slot<lane_access> access;
  for_each_slot<std::uint8_t> slot_of;  // per input: the slot that holds it
  // A bit for each axis along which a slot moves.
  for_each_slot<std::uint16_t> moves;
  thread_loops loops;
  for_each_slot<slot_in_loops> in_loops;
  row_program_plan rows;
  shifted_rows shifted;
  for_each_slot<shifted_slot> shifted_slots;
  for_each_slot<slot_in_record> records;
  for_each_slot<rolled_slot> rolled_slots;        // of slots that are reached as lane_access::rolled
  for_each_slot<unaligned_slot> unaligned_slots;  // and as lane_access::unaligned

  /// Does a block read square tiles of the last two axes?
  bool has_tiles() const { return shape == kernel_shape::tile || shape == kernel_shape::reduce_tiles; }

  /// Has a thread of an elementwise kernel elements of several consecutive rows?
  bool has_rows_above() const { return shape == kernel_shape::elementwise && rows_each > 1; }

  /// Are `moves` known?
  bool knows_moves() const {
    return loops.any() || through_rows || gathered_runs != 0 || reads_little || some_stay || has_rows_above();
  }

  bool rolled_alike(const kernel_plan& other) const {
    for (std::size_t slot = 0; slot < slots && shifts != 0; ++slot) {
      if (access[slot] == lane_access::rolled && !(rolled_slots[slot] == other.rolled_slots[slot]))
        return false;
    }
    return true;
  }

  bool unaligned_alike(const kernel_plan& other) const {
    for (std::size_t slot = 0; slot < slots && unaligned; ++slot) {
      if (access[slot] == lane_access::unaligned && !(unaligned_slots[slot] == other.unaligned_slots[slot]))
        return false;
    }
    return true;
  }

  bool has_records() const { return reads_records || stores_record; }

  /// A group that only some kernels have is compared only for these, and slots only as far as there are any.
  friend bool operator==(const kernel_plan& a, const kernel_plan& b) {
    const std::size_t slots = a.slots;
    return static_cast<const kernel_basics&>(a) == b && a.numbers == b.numbers &&
           a.loops.any() == b.loops.any() && begin_alike(slots, a.access, b.access) &&
           begin_alike(a.inputs, a.slot_of, b.slot_of) &&
           (!a.knows_moves() || begin_alike(slots, a.moves, b.moves)) &&
           (!a.loops.any() || (a.loops == b.loops && begin_alike(slots, a.in_loops, b.in_loops))) &&
           (!a.has_records() || begin_alike(slots, a.records, b.records)) && a.rolled_alike(b) &&
           a.unaligned_alike(b) && (a.shape != kernel_shape::row_program || a.rows == b.rows) &&
           (a.shape != kernel_shape::shifted ||
            (a.shifted == b.shifted && begin_alike(slots, a.shifted_slots, b.shifted_slots)));
  }
};

/// The slot of a result. The results after the first are the last inputs.
GNP_INLINE std::size_t slot_of_result(const kernel_plan& plan, int k) {
  return k == 0 ? 0 : plan.slot_of[static_cast<std::size_t>(plan.inputs - k)];
}

/// The slot to which a reduction's kernel stores one of the formulas beside it.
GNP_INLINE std::size_t slot_of_stored(const kernel_plan& plan, int k) {
  return plan.slot_of[static_cast<std::size_t>(plan.inputs - plan.stored + k)];
}

/// Is a slot where a formula is stored? (Nothing is loaded from it, and the functions for elements ignore it.)
GNP_INLINE bool is_stored(const kernel_plan& plan, std::size_t slot) {
  for (int k = 0; k < plan.stored; ++k) {
    if (slot_of_stored(plan, k) == slot) return true;
  }
  return false;
}

/// Does a row program also store results of its reductions, in addition to elements? Then a slot gives the
/// place for each row.
constexpr bool also_stores_reductions(const kernel_plan& plan) {
  return plan.rows.stored_steps != 0 && !plan.rows.per_row;
}

/// Do kernels of this plan count the innermost axis in vectors? If it is the only axis, it need not be a whole
/// number of vectors.
constexpr bool counts_in_vectors(const kernel_plan& plan) {
  switch (plan.shape) {
    case kernel_shape::elementwise:
      return plan.rank > 1 && !plan.through_rows;
    case kernel_shape::reduce_rows:
    case kernel_shape::scan_rows:
    case kernel_shape::scan_short_rows:
    case kernel_shape::compact:
      return plan.rank - plan.kept > 1;
    case kernel_shape::row_program:
      return (plan.rows.by_columns ? plan.kept : plan.rank - plan.kept) > 1;
    case kernel_shape::reduce_columns:
    case kernel_shape::scan_columns:
      return plan.kept > 1;
    default:
      return false;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
