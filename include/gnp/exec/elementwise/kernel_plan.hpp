// SPDX-License-Identifier: MIT
// Everything that the text of a kernel depends on.
#pragma once

#include <algorithm>
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
  rolled,       // rolled along some axes: element by element
};

enum class kernel_shape : std::uint8_t {
  flat,  // elementwise along one axis, where nothing is strided
  elementwise,
  shifted,  // elementwise along rows that are not aligned
  tile,
  reduce_rows,
  reduce_columns,
  scan_rows,
  scan_columns,
  compact,
  row_program  // several reductions along the same axes, and elements computed from their results
};

inline constexpr int threads_per_block = 256;
/// How many reductions the text of a row program can have.
inline constexpr std::size_t most_row_reductions = 64;
/// How many numbers of an expression a plan can compare.
inline constexpr int most_noted_numbers = 16;

/// Everything about a job that its kernel's text depends on, and nothing else: a cached launch compares these.
struct kernel_plan {
  kernel_shape shape = kernel_shape::elementwise;
  std::uint8_t rank = 0;
  std::uint8_t vector = 1;  // elements per thread
  std::uint8_t items = 1;   // vectors per thread
  std::uint16_t threads = threads_per_block;
  bool wide = false;          // 64-bit indices
  bool through_rows = false;  // do vectors run through the ends of rows, which lie one after the other?
  bool copied = false;        // is a thread's result stored for each place along the first axis?
  bool rolls = false;         // is a slot reached as lane_access::rolled?
  std::uint8_t slots = 0;     // distinct operands; slot 0 is the destination
  std::uint8_t inputs = 0;
  std::uint8_t kept = 0;    // of a reduction or scan: axes it does not run along
  std::uint16_t group = 0;  // of a reduction: threads that share an output, or outputs side by side
  // For a row program: the step of each of its reductions, in four bits each.
  std::array<std::uint64_t, most_row_reductions / 16> step_at = {};
  // For several reductions in one kernel: a bit for each step of their statement that is one of them.
  std::uint64_t steps = 0;
  // The members up to by_columns are for a row program, too.
  bool per_row = false;             // is its result one element for each row?
  bool whole_rows = false;          // is a row exactly what its threads take in one go?
  std::uint8_t rows_each = 1;       // rows that a thread takes, one after the other
  std::uint64_t same_rows = 0;      // a bit for each slot that is the same for all rows
  std::uint64_t same_elements = 0;  // a bit for each slot that is the same for all elements of a row
  std::uint8_t cluster = 1;         // how many blocks share a row
  bool by_columns = false;          // do the rows lie across memory?
  // For each of the first most_noted_numbers numbers, in four bits: how far before it, in the list of numbers,
  // is one that it is equal to. Both are then written as one, so that an expression that is written twice is
  // computed once. 0 if there is none.
  std::uint64_t equal_numbers = 0;
  // A bit for each of these numbers that is 1 as a float, and 16 bits further on for each that is 1 as a
  // double. Only set if a kernel computes much for what it reads: 1 / x takes half the instructions of y / x.
  std::uint32_t ones = 0;
  // Likewise, a bit for each number by which the kernel may divide small integers through its reciprocal.
  std::uint32_t divisors = 0;
  std::uint8_t stored_steps = 0;  // a bit for each step whose result is also stored, next to the row's result
  // For reductions that are loops of a thread.
  std::uint64_t lengths = 0;  // the length of each, in a byte
  std::uint64_t loop_at = 0;  // which of them is at each place of the text, in three bits each
  // For each slot, a bit for each axis along which it moves. (Also for vectors that run through rows; for a
  // rolled slot, the axes along which it is rolled.)
  std::array<std::uint16_t, most_operands> moves;
  std::array<std::uint8_t, most_operands> within;  // the slot whose memory and steps a slot shares, or itself
  std::uint64_t one_by_one = 0;        // for each input: do its elements follow each other in a loop?
  std::uint64_t in_whole_vectors = 0;  // for each input: are they whole vectors there?
  // For each slot of a reduction with such loops: the number of its consecutive elements for each step along
  // the reduced axis, if what a thread reads for its items is whole vectors in memory; otherwise 0.
  std::array<std::uint8_t, most_operands> in_line;
  // A bit for each input that is a table from which a gather takes a thread's elements one after the other, so
  // that they can be loaded together.
  std::uint64_t gathered_runs = 0;
  bool of_little = false;                           // of a reduction: are its elements many times what is read?
  std::array<lane_access, most_operands> access;    // per slot
  std::array<std::uint8_t, most_operands> slot_of;  // per input: the slot that holds it
  // The members from here on are for the shifted shape. A slot's leader is the slot with which its elements are
  // loaded together; `ahead` is how many elements the slot is ahead of it.
  std::array<std::uint8_t, most_operands> leader;
  std::array<std::uint8_t, most_operands> ahead;
  std::array<std::uint8_t, most_operands> like;  // of runs: the first slot with the same strides
  bool aligned = false;                          // are all rows aligned alike?
  // If so, for each leader: bytes between the beginning of a vector of memory and a thread's first element.
  std::array<std::uint8_t, most_operands> before;
  bool ends_by_loop = false;  // are the ends of rows read and written element by element?
  bool guarded = false;       // could a vector reach past the ends of the memory?
  // How many vectors of a row a block takes, and of how many rows; 0 if a block takes one vector per thread,
  // one after the other.
  std::uint8_t across = 0;
  std::uint8_t above = 0;
  bool down_first = false;  // do blocks go from row to row before they go on along a row?

  friend bool operator==(const kernel_plan& a, const kernel_plan& b) {
    return a.shape == b.shape && a.rank == b.rank && a.vector == b.vector && a.items == b.items &&
           a.threads == b.threads && a.wide == b.wide && a.copied == b.copied &&
           a.through_rows == b.through_rows && a.slots == b.slots && a.inputs == b.inputs && a.kept == b.kept &&
           a.group == b.group && a.step_at == b.step_at && a.steps == b.steps && a.per_row == b.per_row &&
           a.whole_rows == b.whole_rows && a.rows_each == b.rows_each && a.same_rows == b.same_rows &&
           a.same_elements == b.same_elements && a.cluster == b.cluster && a.by_columns == b.by_columns &&
           a.stored_steps == b.stored_steps && a.equal_numbers == b.equal_numbers && a.ones == b.ones &&
           a.divisors == b.divisors && a.lengths == b.lengths && a.loop_at == b.loop_at &&
           a.one_by_one == b.one_by_one && a.in_whole_vectors == b.in_whole_vectors &&
           a.gathered_runs == b.gathered_runs && a.rolls == b.rolls && a.of_little == b.of_little &&
           ((a.lengths == 0 && !a.through_rows && !a.rolls && a.gathered_runs == 0 && !a.of_little) ||
            std::equal(a.moves.begin(), a.moves.begin() + a.slots, b.moves.begin())) &&
           (a.lengths == 0 ||
            (std::equal(a.within.begin(), a.within.begin() + a.slots, b.within.begin()) &&
             std::equal(a.in_line.begin(), a.in_line.begin() + a.slots, b.in_line.begin()))) &&
           std::equal(a.access.begin(), a.access.begin() + a.slots, b.access.begin()) &&
           std::equal(a.slot_of.begin(), a.slot_of.begin() + a.inputs, b.slot_of.begin()) &&
           (a.shape != kernel_shape::shifted ||
            (a.aligned == b.aligned && a.ends_by_loop == b.ends_by_loop && a.guarded == b.guarded &&
             a.across == b.across && a.above == b.above && a.down_first == b.down_first &&
             std::equal(a.like.begin(), a.like.begin() + a.slots, b.like.begin()) &&
             std::equal(a.leader.begin(), a.leader.begin() + a.slots, b.leader.begin()) &&
             std::equal(a.ahead.begin(), a.ahead.begin() + a.slots, b.ahead.begin()) &&
             (!a.aligned || std::equal(a.before.begin(), a.before.begin() + a.slots, b.before.begin()))));
  }
};

/// Does a row program also store results of its reductions, in addition to elements? Then a slot gives the
/// place for each row.
constexpr bool stores_beside_elements(const kernel_plan& plan) {
  return plan.stored_steps != 0 && !plan.per_row;
}

/// Do kernels of this plan count the innermost axis in vectors? If it is the only axis, it need not be a whole
/// number of vectors.
constexpr bool counts_in_vectors(const kernel_plan& plan) {
  switch (plan.shape) {
    case kernel_shape::elementwise:
      return plan.rank > 1 && !plan.through_rows;
    case kernel_shape::reduce_rows:
    case kernel_shape::scan_rows:
    case kernel_shape::compact:
      return plan.rank - plan.kept > 1;
    case kernel_shape::row_program:
      return (plan.by_columns ? plan.kept : plan.rank - plan.kept) > 1;
    case kernel_shape::reduce_columns:
    case kernel_shape::scan_columns:
      return plan.kept > 1;
    default:
      return false;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
