// SPDX-License-Identifier: MIT
// A job on its device.
#pragma once

#include <gnp/exec/elementwise/cpu_gathered_rows.hpp>
#include <gnp/exec/elementwise/cpu_tiles.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/elementwise/statement_holder.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/work_names.hpp>
#include <gnp/memory/bad_index.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void run_unwatched(job& j) {
  collapse(j);
  if (j.where.is_cpu()) {
    if (const std::optional<gathered_rows> rows = gathered_rows::of(j)) {
      rows->copy();
    } else {
      const cpu_tiling cut = cut_into_tiles(j);
      cut.axis >= 0 ? run_tiles_on_cpu(j, cut) : run_on_cpu(j);
    }
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  run_on_gpu(j);
  check_sent_indices(j.where);
#endif
}

GNP_INLINE void run_now(job& j) {
  if (!work_is_watched()) [[likely]]
    return run_unwatched(j);
  const watched_work watched(j.where, [&j] { return facts_of(j); });
  run_unwatched(j);
}

GNP_INLINE void run(job& j) {
#if GNP_HAS_CUDA
  statement_holder* const holder = holder_here();
  if (holder != nullptr && holder->hold(*holder, j)) [[unlikely]]
    return;
#endif
  run_now(j);
}

GNP_INLINE void run_apart(const expression_code& code, const leaf_view& destination, const leaf_view* inputs,
                          const unsigned char* constants, job_operand* operands) {
  job j;
  j.code = &code;
  j.operands = operands;
  j.constants = constants;
  lay_out(j, destination, inputs);
  if (j.count > 0) run(j);
}

/// The layout of memory for as many elements as a destination has, row by row.
struct spare_rows {
  shape_t strides;
  index_t first = 0;     // elements from the beginning of the memory
  index_t elements = 0;  // in all
};

/// The layout of such memory. On a GPU, long rows begin at the same place of a 128-byte line as the
/// destination's, so that both are accessed in the same vectors; otherwise rows are one after the other.
GNP_INLINE spare_rows rows_like(const leaf_view& destination, device where) {
  constexpr index_t line = 128;
  constexpr index_t long_row = 1024;  // bytes: for such rows, the gaps between them are small
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

/// Temporary memory for results, while their destination is still being read.
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

/// Writing the result would change inputs that are still to be read. Should these be copied first, because they
/// are much smaller than the result, like the row in m -= m(0)? Otherwise the result is computed elsewhere and
/// then copied. On a GPU, each copy is a kernel.
GNP_INLINE bool overlaps_small_inputs(const job& j, const leaf_view* inputs) {
  constexpr index_t more_than_a_kernel = index_t{16} << 20;  // bytes
  index_t copies = 0, elements = 0;
  for (int i = 0; i < j.code->inputs; ++i) {
    if (!writing_changes(j, j.operands[0], j.operands[i + 1])) continue;
    if (inputs[i].table || j.code->input_types[i] != j.code->result) return false;
    copies += 1;
    elements += elements_in_memory(inputs[i]);
  }
  return elements <= j.count / 8 &&
         (copies == 1 || j.where.is_cpu() || j.count * j.operands[0].itemsize >= more_than_a_kernel);
}

/// The inputs of a job. An input that writing the result would change is replaced by a copy.
class inputs_apart {
 public:
  inputs_apart(const job& j, const leaf_view* inputs)
      : views_(inputs, inputs + j.code->inputs), where_(j.where), copies_(views_.size()) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      copies_[i].is_needed = writing_changes(j, j.operands[0], j.operands[i + 1]);
    }
  }

  const leaf_view* copied(const expression_code& copy, job_operand* operands) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (copies_[i].is_needed) copy_input(copies_[i], views_[i], copy, operands);
    }
    return views_.data();
  }

 private:
  struct copied_input {
    bool is_needed = false;
    shape_t shape, strides, read_strides;
    storage_ref memory;
  };

  void copy_input(copied_input& to, leaf_view& input, const expression_code& copy,
                  job_operand* operands) const {
    to.shape = *input.shape;
    to.read_strides = *input.strides;
    for (std::size_t d = 0; d < to.shape.size(); ++d) {
      if (to.read_strides[d] == 0) to.shape[d] = 1;
    }
    to.strides = contiguous_strides(to.shape);
    to.memory = storage_ref::allocate(
        static_cast<std::size_t>(elements_in_memory(input)) * static_cast<std::size_t>(input.itemsize), where_);
    const leaf_view source{input.data, input.block, input.itemsize, &to.shape, &to.read_strides};
    input = {static_cast<char*>(to.memory->data), to.memory.get(), input.itemsize, &to.shape, &to.strides};
    run_apart(copy, input, &source, nullptr, operands);
  }

  std::vector<leaf_view> views_;
  device where_;
  std::vector<copied_input> copies_;
};

GNP_INLINE void run_into(const expression_code& code, const expression_code& copy, const leaf_view& destination,
                         const leaf_view* inputs, const unsigned char* constants, job_operand* operands) {
  job j;
  j.code = &code;
  j.operands = operands;
  j.constants = constants;
  lay_out(j, destination, inputs);
  if (j.count == 0) return;
  if (!destination_overlaps_input(j)) return run(j);
  if (overlaps_small_inputs(j, inputs)) {
    inputs_apart apart(j, inputs);
    return run_apart(code, destination, apart.copied(copy, operands), constants, operands);
  }

  const spare_memory elsewhere(destination, j.where);
  run_apart(code, elsewhere.view(), inputs, constants, operands);
  run_apart(copy, destination, &elsewhere.view(), nullptr, operands);
}

}}}  // namespace gnp::GNP_ABI::detail
