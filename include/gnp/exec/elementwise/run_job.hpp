// SPDX-License-Identifier: MIT
// A job on its device.
#pragma once

#include <gnp/exec/elementwise/cpu_tiles.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/work_names.hpp>
#include <gnp/memory/bad_index.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void run_unwatched(job& j) {
  if (!j.rolls) collapse(j);
  if (j.where.is_cpu()) {
    const cpu_tiling cut = cut_into_tiles(j);
    cut.axis >= 0 ? run_tiles_on_cpu(j, cut) : run_on_cpu(j);
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  run_on_gpu(j);
  check_sent_indices(j.where);
#endif
}

GNP_INLINE void run(job& j) {
  if (!work_is_watched()) [[likely]]
    return run_unwatched(j);
  const watched_work watched(j.where, [&j] { return facts_of(j); });
  run_unwatched(j);
}

GNP_INLINE void run_apart(const program& code, const leaf_view& destination, const leaf_view* inputs,
                          const unsigned char* constants, job_operand* operands) {
  job j;
  j.code = &code;
  j.operands = operands;
  j.constants = constants;
  lay_out(j, destination, inputs);
  if (j.count > 0) run(j);
}

/// Memory for as many elements as a destination has, row by row.
struct spare_rows {
  shape_t strides;
  index_t first = 0;     // elements from the beginning of the memory
  index_t elements = 0;  // in all
};

/// The layout of such memory. On a GPU, long rows begin at the same place of a 128-byte line as the
/// destination's, so that both are accessed in the same vectors; otherwise rows are one after the other.
GNP_INLINE spare_rows rows_like(const leaf_view& destination, device where) {
  constexpr index_t line = 128;
  constexpr index_t long_row = 1024;  // bytes: what is left over between such rows is little
  const int rank = destination.shape->rank();
  spare_rows rows{contiguous_strides(*destination.shape), 0, 1};
  for (const index_t size : *destination.shape) rows.elements *= size;
  if (where.is_cpu() || rank < 2 || line % destination.itemsize != 0) return rows;
  const index_t length = (*destination.shape)[rank - 1];
  const shape_t& strides = *destination.strides;
  if (strides[rank - 1] != 1 || length * destination.itemsize < long_row) return rows;
  if (strides[rank - 2] * destination.itemsize % 16 != 0 || strides[rank - 2] == length) return rows;

  const index_t in_line = line / destination.itemsize;
  rows.first =
      static_cast<index_t>(reinterpret_cast<std::uintptr_t>(destination.data) % line) / destination.itemsize;
  index_t step = (rows.first + length + in_line - 1) / in_line * in_line;
  for (int d = rank - 2; d >= 0; --d) {
    rows.strides[d] = step;
    step *= (*destination.shape)[d];
  }
  rows.elements = step;
  return rows;
}

/// Memory for what a destination is to hold, while some of it is still to be read.
class spare_memory {
 public:
  spare_memory(const leaf_view& destination, device where)
      : rows_(rows_like(destination, where)),
        memory_(storage_ref::allocate(
            static_cast<std::size_t>(rows_.elements) * static_cast<std::size_t>(destination.itemsize), where)),
        view_{static_cast<char*>(memory_->data) + rows_.first * destination.itemsize, memory_.get(),
              destination.itemsize, destination.shape, &rows_.strides} {}
  spare_memory(const spare_memory&) = delete;
  spare_memory& operator=(const spare_memory&) = delete;
  ~spare_memory() = default;

  const leaf_view& view() const { return view_; }

 private:
  spare_rows rows_;
  storage_ref memory_;
  leaf_view view_;
};

GNP_INLINE void run_into(const program& code, const program& copy, const leaf_view& destination,
                         const leaf_view* inputs, const unsigned char* constants, job_operand* operands) {
  job j;
  j.code = &code;
  j.operands = operands;
  j.constants = constants;
  lay_out(j, destination, inputs);
  if (j.count == 0) return;
  if (!destination_overlaps_input(j)) return run(j);

  const spare_memory elsewhere(destination, j.where);
  run_apart(code, elsewhere.view(), inputs, constants, operands);
  run_apart(copy, destination, &elsewhere.view(), nullptr, operands);
}

}}}  // namespace gnp::GNP_ABI::detail
