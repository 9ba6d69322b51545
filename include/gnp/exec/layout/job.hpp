// SPDX-License-Identifier: MIT
// A job: one expression with its operands' memory and layout, without C++ types, ready to run on any device.
#pragma once

#include <gnp/core/layout.hpp>
#include <gnp/memory/storage.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct node_source;
struct reduction_code;
class kernel_table;

/// What is known about an expression at compile time. There is one object for each pair of expression type and
/// destination type.
struct expression_code {
  int inputs = 0;     // arrays (and positions) that are read, in the order in which the expression names them
  int constants = 0;  // scalars, likewise
  dtype result{};     // what is stored
  const dtype* input_types = nullptr;
  // Computes `count` contiguous elements. inputs[i] and constants are arrays with elements of the types above.
  // Null if only a GPU computes this.
  void (*compute)(void* out, const void* const* inputs, const void* constants, index_t count) = nullptr;
  const node_source* source = nullptr;     // the same computation, for its text
  kernel_table* kernels = nullptr;         // the GPU kernels made from it so far
  bool plain = false;                      // an array's own elements: nothing is computed
  const node_source* condition = nullptr;  // GPU only: where to store; null: everywhere
};

/// Scalars are passed in slots that are large enough for a complex128.
inline constexpr std::size_t constant_slot = 16;

/// The destination and up to 64 inputs.
inline constexpr int most_operands = 65;

/// By how many different numbers of places a kernel may roll its operands, and along how many axes.
inline constexpr int most_kernel_shifts = 63;
inline constexpr int most_rolled_axes = 10;

/// One array of a job. Strides are in elements.
struct job_operand {
  char* data = nullptr;
  storage* block = nullptr;  // null for positions: their "data" is a number
  int itemsize = 0;
  bool table = false;    // read at places that the expression computes; neither iterated over nor buffered
  bool in_loop = false;  // read within reductions that a single GPU thread computes
  element_span reach;    // of a table: its elements, from the first one on
  index_t strides[max_rank];
  index_t* shifts = nullptr;  // along each axis, if a GPU's kernel rolls it; else null
};

/// operands[0] is the destination, the inputs follow.
struct job {
  const expression_code* code = nullptr;
  job_operand* operands = nullptr;
  const unsigned char* constants = nullptr;
  gnp::device where = gnp::device::cpu();
  int rank = 0;
  index_t shape[max_rank];
  index_t count = 0;
  bool rolls = false;  // has an operand shifts?
  index_t kernel_shifts[most_kernel_shifts];  // those that a kernel's plan names

  int operand_count() const { return code->inputs + 1; }
};

/// The address `bytes` further on. `from` may also be a number in place of an address.
inline char* moved(const char* from, index_t bytes) {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(bytes));
}

/// An operand's data `elements` further on. Positions are counted in elements, memory in bytes.
inline char* advanced(const job_operand& o, index_t elements) {
  return moved(o.data, o.block == nullptr ? elements : elements * o.itemsize);
}

/// Could writing one operand change what is still to be read from another? False only if it is certain: if they
/// have no element in common, or if they are the same elements, each of which is written by whoever has read
/// it.
GNP_DECLARED bool writing_changes(const job& j, const job_operand& out, const job_operand& in);

GNP_INLINE bool destination_overlaps_input(const job& j) {
  for (int i = 1; i < j.operand_count(); ++i) {
    if (writing_changes(j, j.operands[0], j.operands[i])) return true;
  }
  return false;
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/exec/layout/shared_elements.hpp>
#endif
