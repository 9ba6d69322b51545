// SPDX-License-Identifier: MIT
// A reduction on the CPU. As many elements as fit in the first-level cache are computed at a time, and then
// folded. Long reductions are cut into pieces of a fixed size, so that the result does not depend on the number
// of threads.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <gnp/exec/elementwise/cpu_run.hpp>
#include <gnp/exec/reduce/reduction_job.hpp>
#include <limits>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The number of elements that one thread folds into one state before states are combined.
inline constexpr index_t reduced_piece = 1 << 16;
/// How many columns, and rows of them, are folded together. If rows of more columns are computed or gathered
/// first, then in narrower parts, of which more rows fit in the buffer.
inline constexpr index_t columns_at_once = 1024;
inline constexpr index_t columns_in_buffers = 512;
inline constexpr index_t rows_at_once = 4;
/// How many rows of columns are folded together directly from memory, without a buffer.
inline constexpr index_t rows_in_place = 64;
inline constexpr index_t values_at_once = columns_at_once * rows_at_once;

/// Memory for states of any type. (nvcc 13.0 cannot compile vectors of std::max_align_t.)
struct alignas(16) state_memory {
  unsigned char bytes[16];
};

/// Computes a job's elements from any position in its order of iteration.
class value_reader {
 public:
  explicit value_reader(const job& j)
      : j_(j),
        taken_(find_taken_rows(j)),
        inputs_(static_cast<std::size_t>(j.operand_count())),
        buffers_(static_cast<std::size_t>(j.operand_count())) {}

  /// What elements [position, position + count) are computed from; at most values_at_once unless in_place().
  GNP_INLINE const void* const* inputs(index_t position, index_t count) {
    const cursor at(j_, position);
    for (int i = 1; i < j_.operand_count(); ++i) {
      inputs_[static_cast<std::size_t>(i - 1)] = operand(i, at, position, count);
    }
    return inputs_.data();
  }

  /// These elements themselves, in place or computed.
  GNP_INLINE const void* values(index_t position, index_t count) {
    inputs(position, count);
    if (j_.code->plain) return inputs_[0];
    j_.code->compute(buffer(0), inputs_.data(), j_.constants, count);
    return buffer(0);
  }

  /// `runs` runs of `count` elements, each of which begins `apart` after the one before, computed or copied to
  /// follow each other in memory; at most values_at_once in all.
  GNP_INLINE const void* runs(index_t position, index_t count, index_t runs, index_t apart) {
    char* to = buffer(0);
    const index_t bytes = count * static_cast<index_t>(itemsize(j_.code->result));
    for (index_t run = 0; run < runs; ++run, to += bytes) {
      inputs(position + run * apart, count);
      if (j_.code->plain) {
        std::memcpy(to, inputs_[0], static_cast<std::size_t>(bytes));
      } else {
        j_.code->compute(to, inputs_.data(), j_.constants, count);
      }
    }
    return buffer(0);
  }

  /// Are the elements contiguous in memory, in this order, with nothing to compute?
  bool in_place() const { return j_.code->plain && inputs_in_place(); }
  /// The same of all that the elements are computed from.
  bool inputs_in_place() const {
    return std::all_of(j_.operands + 1, j_.operands + j_.operand_count(),
                       [this](const job_operand& o) { return access_of(j_, o) == chunk_access::flat; });
  }

 private:
  /// Room for computed elements, and for those of an operand that is not contiguous. It is allocated on first
  /// use: for small reductions the allocation would take longer than everything else.
  GNP_INLINE char* buffer(int i) {
    auto& buffer = buffers_[static_cast<std::size_t>(i)];
    if (buffer == nullptr) buffer = make_buffer((std::min)(values_at_once, j_.count));
    return reinterpret_cast<char*>(buffer.get());
  }

  GNP_INLINE const void* operand(int i, const cursor& at, index_t position, index_t count) {
    const job_operand& o = j_.operands[i];
    const int inner = j_.rank - 1;
    const bool in_one_row = at.coordinates[inner] + count <= j_.shape[inner];
    if (const taken_rows* const taken = reader_of(taken_, i)) {
      if (i != taken->table()) return nullptr;
      if (in_one_row && taken->stride() == 1) return taken->element(j_, at);
      taken->read(buffer(i), position, count);
      return buffer(i);
    }
    if (o.table) return o.data;
    if (o.block != nullptr && o.strides[inner] == 1 && (in_one_row || access_of(j_, o) == chunk_access::flat)) {
      return o.data + at.offset(j_, o) * o.itemsize;
    }
    operand_elements(j_, o).read(buffer(i), position, count);
    return buffer(i);
  }

  const job& j_;
  std::vector<taken_rows> taken_;
  std::vector<const void*> inputs_;
  std::vector<element_buffer> buffers_;
};

/// The positions of an indexed reduction's elements along `axis`, starting at a position in the order of
/// iteration, and how many elements follow in equal steps. For other reductions there is no limit.
struct positions_on {
  element_positions at;
  index_t left = (std::numeric_limits<index_t>::max)();

  positions_on(const reduction& r, index_t position, int axis) {
    if (!r.code->indexed || axis < 0) return;  // axis -1: one element each, at position 0
    const job& j = r.values;
    const job_operand& o = j.operands[j.operand_count()];
    const cursor here(j, position);
    at = {static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(o.data)) + here.offset(j, o),
          o.strides[axis]};
    left = j.shape[axis] - here.coordinates[axis];
  }
};

/// How many elements of a row that is not in place are computed or gathered at a time before they are folded.
GNP_INLINE index_t values_in_buffers(const job& j) {
  index_t widest = 1;
  for (int i = 1; i < j.operand_count(); ++i) {
    widest = (std::max)(widest, static_cast<index_t>(j.operands[i].itemsize));
  }
  return (std::min)(cpu_chunk, cpu_buffered / widest);
}

/// How many elements of short rows are computed before they are folded: a quarter of the first-level cache, so
/// that they are still there, beside what they are computed from.
GNP_INLINE index_t rows_computed_at_once(const job& j) {
  constexpr index_t bytes = 8192;
  return (std::min)(values_at_once, bytes / static_cast<index_t>(itemsize(j.code->result)));
}

/// The stride of elements that are strided and can be folded in place; 1 for all others.
GNP_INLINE index_t apart_in_place(const reduction& r) {
  const job& j = r.values;
  if (!j.code->plain || !r.code->takes_apart || j.operands[1].block == nullptr) return 1;
  const index_t stride = j.operands[1].strides[j.rank - 1];
  if (stride == -1 && j.operands[1].itemsize < 4) return 1;  // gathered in vectors
  return stride == 2 || stride == 4 || (stride != 0 && r.code->takes_any_step) ? stride : 1;
}

/// Is it a sum of products of factors that lie in memory as they are read, in rows long enough for a call each?
GNP_INLINE bool multiplies_in_place(const reduction& r, const value_reader& reader) {
  constexpr index_t long_enough = 8;
  return r.code->products != nullptr && r.length >= long_enough && reader.inputs_in_place();
}

/// Are the factors of a sum of products arrays' elements that are better read where they are, although not all
/// lie one after the other? Those that are backwards, and every other complex number, are gathered in vectors,
/// which takes less time.
GNP_INLINE bool multiplies_apart(const reduction& r) {
  constexpr index_t long_enough = 64;
  const job& j = r.values;
  const int inner = j.rank - 1;
  if (r.code->products == nullptr || j.shape[inner] < long_enough) return false;
  const job_operand& x = j.operands[1];
  const job_operand& y = j.operands[2];
  if (x.block == nullptr || y.block == nullptr) return false;
  const index_t x_step = x.strides[inner], y_step = y.strides[inner];
  if (x_step == 0 || y_step == 0) return false;
  const bool far_apart = (std::max)(std::abs(x_step), std::abs(y_step)) > 2;
  const bool is_complex = gnp::is_complex(j.code->result);
  return far_apart || (x_step == 1 && y_step == 1) || (!is_complex && x_step > 0 && y_step > 0);
}

/// Folds as many products as follow `position` in a row, at most `count`, and returns how many these are.
GNP_INLINE index_t fold_products_apart(const reduction& r, char* state, index_t position, index_t count) {
  const job& j = r.values;
  const int inner = j.rank - 1;
  const cursor at(j, position);
  const auto in_memory = [&](int i) { return advanced(j.operands[i], at.offset(j, j.operands[i])); };
  const index_t in_row = (std::min)(count, j.shape[inner] - at.coordinates[inner]);
  r.code->products(state,
                   {in_memory(1), in_memory(2), j.operands[1].strides[inner], j.operands[2].strides[inner]}, 1,
                   in_row, 0);
  return in_row;
}

/// Are the elements those of an array, contiguous along the innermost axis only, in rows that are long enough
/// for a call each? Then they are folded where they are.
GNP_INLINE bool has_rows_in_place(const reduction& r, const value_reader& reader) {
  constexpr index_t long_enough = 64;
  const job& j = r.values;
  const job_operand& o = j.operands[1];
  return j.code->plain && !reader.in_place() && o.block != nullptr && !o.table && o.strides[j.rank - 1] == 1 &&
         j.shape[j.rank - 1] >= long_enough;
}

/// Folds elements [begin, end) of each of the `count` outputs from `first` on into the outputs' states.
GNP_INLINE void fold_rows(const reduction& r, value_reader& reader, char* states, index_t first, index_t count,
                          index_t begin, index_t end) {
  if (multiplies_in_place(r, reader)) {
    const void* const* const found = reader.inputs(first * r.length + begin, end - begin);
    return r.code->products(states, {found[0], found[1]}, count, end - begin, r.length);
  }
  const index_t length = end - begin;
  const int inner = r.values.rank - 1;
  const bool one_axis = !r.code->indexed || r.values.shape[inner] == length;
  constexpr index_t long_enough = 64;  // for a call of its own
  const index_t apart = length >= long_enough ? apart_in_place(r) : 1;
  const bool is_whole = length == r.length && one_axis;
  const bool products_apart = length >= long_enough && multiplies_apart(r);
  const bool by_rows = has_rows_in_place(r, reader);
  if (apart == 1 && !products_apart && !by_rows && length * 2 <= values_at_once &&
      is_whole) {  // short rows, several at a time
    const index_t group =
        reader.in_place() ? count : (std::max)(index_t{1}, rows_computed_at_once(r.values) / length);
    for (index_t done = 0; done < count; done += group) {
      const index_t rows = (std::min)(group, count - done);
      const index_t position = (first + done) * length;
      const positions_on row(r, position, inner);
      r.code->rows(states + done * r.code->state_size, reader.values(position, rows * length), row.at, rows,
                   length, 1);
    }
    return;
  }
  const index_t most = reader.in_place() ? length : values_in_buffers(r.values);
  constexpr index_t few = 64;  // these elements may already decide the result
  for (index_t output = 0; output < count; ++output) {
    char* const state = states + output * r.code->state_size;
    index_t at_once = r.code->is_final != nullptr ? (std::min)(few, most) : most;
    for (index_t done = begin; done < end;) {
      const index_t position = (first + output) * r.length + done;
      if (products_apart) {
        done += fold_products_apart(r, state, position, end - done);
        continue;
      }
      if (apart != 1) {
        const job_operand& o = r.values.operands[1];
        const cursor at(r.values, position);
        const index_t in_row = (std::min)(end - done, r.values.shape[inner] - at.coordinates[inner]);
        r.code->rows(state, advanced(o, at.offset(r.values, o)), {}, 1, in_row, apart);
        done += in_row;
        continue;
      }
      const positions_on row(r, position, inner);
      index_t run = (std::min)((std::min)(at_once, end - done), row.left);
      if (by_rows) run = (std::min)(run, r.values.shape[inner] - position % r.values.shape[inner]);
      r.code->rows(state, reader.values(position, run), row.at, 1, run, 1);
      // The lowest position counts. If an axis is walked backwards, it comes last.
      const bool in_order = !r.code->indexed || (r.values.rank - r.kept == 1 && row.at.step >= 0);
      if (in_order && r.code->is_final != nullptr && r.code->is_final(state)) break;
      done += run;
      at_once = (std::min)(most, 4 * at_once);
    }
  }
}

/// How many columns lie side by side in an operand, and so in how many pieces it has them all. The results may
/// lie in another order, which keeps the axes of the job apart.
GNP_INLINE index_t columns_side_by_side(const reduction& r, const job_operand& o) {
  const job& j = r.values;
  index_t columns = 1;
  for (int d = j.rank - 1; d >= j.rank - r.kept && (j.shape[d] == 1 || o.strides[d] == columns); --d)
    columns *= j.shape[d];
  return columns;
}

/// The same of all operands that are read where they are; 0 if they are not, because too few columns lie side
/// by side in memory.
GNP_INLINE index_t columns_in_place(const reduction& r) {
  constexpr index_t enough = 8;
  const job& j = r.values;
  if (r.kept == 0 || r.kept == j.rank) return 0;
  const bool products = r.code->product_columns != nullptr;
  if (!products && !j.code->plain) return 0;
  index_t columns = r.outputs;
  for (int i = 1; i <= (products ? 2 : 1); ++i) {
    const job_operand& o = j.operands[i];
    if (o.block == nullptr || o.strides[j.rank - 1] != 1) return 0;
    columns = (std::min)(columns, columns_side_by_side(r, o));
  }
  return j.rank == 2 || columns >= enough ? columns : 0;
}

/// Folds at most `rows` rows of `count` columns where they are, from a position in the order of iteration on,
/// and returns how many rows these were: as many as are equally far apart. Columns are taken in runs that lie
/// `side_by_side`.
GNP_INLINE index_t fold_columns_in_place(const reduction& r, char* states, index_t position, index_t count,
                                         index_t rows, index_t side_by_side) {
  const job& j = r.values;
  const job_operand& o = j.operands[1];
  const int axis = j.rank - 1 - r.kept;
  rows = (std::min)(rows, j.shape[axis] - cursor(j, position).coordinates[axis]);
  for (index_t done = 0; done < count;) {
    const cursor at(j, position + done);
    const index_t run = (std::min)(count - done, side_by_side - (position + done) % side_by_side);
    char* const to = states + done * r.code->state_size;
    if (r.code->product_columns != nullptr) {
      const job_operand& by = j.operands[2];
      const product_factors factors{advanced(o, at.offset(j, o)), advanced(by, at.offset(j, by)),
                                    o.strides[axis], by.strides[axis]};
      r.code->product_columns(to, factors, run, rows);
    } else {
      r.code->columns(to, advanced(o, at.offset(j, o)), positions_on(r, position + done, axis).at, run, rows,
                      o.strides[axis]);
    }
    done += run;
  }
  return rows;
}

/// Folds rows [begin, end) of the columns [first, first + count), at most columns_at_once, into the columns'
/// states.
GNP_INLINE void fold_columns(const reduction& r, value_reader& reader, char* states, index_t first,
                             index_t count, index_t begin, index_t end) {
  const job& j = r.values;
  // If these are all columns of a row, rows follow each other in the order of iteration, and many of them can
  // be computed at once.
  const bool whole_rows = count == r.outputs;
  const index_t side_by_side = columns_in_place(r);
  const bool in_place = side_by_side != 0;
  const index_t group = in_place ? rows_in_place : values_at_once / count;
  for (index_t row = begin; row < end;) {
    const index_t position = row * r.outputs + first;
    const positions_on column(r, position, j.rank - r.kept - 1);
    index_t rows = (std::min)((std::min)(group, end - row), column.left);
    if (in_place) {
      rows = fold_columns_in_place(r, states, position, count, rows, side_by_side);
    } else if (whole_rows) {
      r.code->columns(states, reader.values(position, rows * count), column.at, count, rows, count);
    } else {
      r.code->columns(states, reader.runs(position, count, rows, r.outputs), column.at, count, rows, count);
    }
    row += rows;
  }
}

/// Writes the results of the `count` outputs from `first` on to their places in the destination.
GNP_INLINE void finish_outputs(const reduction& r, const char* states, index_t first, index_t count) {
  const job& j = r.values;
  // The destination along the kept axes only.
  const int skipped = r.along == reduced_along::rows ? 0 : j.rank - r.kept;
  job kept = j;
  job_operand out = j.operands[0];
  kept.rank = r.kept;
  for (int d = 0; d < r.kept; ++d) {
    kept.shape[d] = j.shape[skipped + d];
    out.strides[d] = j.operands[0].strides[skipped + d];
  }
  if (access_of(kept, out) == chunk_access::flat)
    return r.code->finish(out.data + first * out.itemsize, states, count, r.parameter[0]);
  std::vector<std::uint64_t> results(static_cast<std::size_t>(count * out.itemsize + 7) / 8 + 1);
  r.code->finish(results.data(), states, count, r.parameter[0]);
  empty_buffer(kept, out, cursor(kept, first), count, reinterpret_cast<const char*>(results.data()));
}

GNP_INLINE void reduce_on_cpu(reduction& r) {
  job& j = r.values;
  const bool by_rows = r.along == reduced_along::rows;
  // Outputs are taken in groups, the elements of each group in pieces.
  const index_t columns =
      r.outputs <= columns_at_once || columns_in_place(r) != 0 ? columns_at_once : columns_in_buffers;
  const index_t group =
      by_rows ? (std::max)(index_t{1}, reduced_piece / r.length) : (std::min)(columns, r.outputs);
  const index_t groups = (r.outputs + group - 1) / group;
  const index_t most = (std::max)(index_t{1}, reduced_piece / group);
  const index_t pieces = r.length >= 2 * most ? (r.length + most - 1) / most : 1;
  const index_t piece = (r.length + pieces - 1) / pieces;
  const index_t grain = (std::max)(index_t{1}, cpu_grain / (group * piece));
  const auto size = static_cast<index_t>(r.code->state_size);
  const auto new_states = [size](index_t count) {  // initialised by r.code->begin
    return std::make_unique_for_overwrite<state_memory[]>(
        static_cast<std::size_t>(count * size) / sizeof(state_memory) + 1);
  };

  const auto fold = [&](value_reader& reader, index_t g, index_t begin, index_t end, char* states) {
    const index_t first = g * group;
    const index_t count = (std::min)(group, r.outputs - first);
    r.code->begin(states, count);
    if (by_rows) {
      fold_rows(r, reader, states, first, count, begin, end);
    } else {
      fold_columns(r, reader, states, first, count, begin, end);
    }
    return count;
  };
  if (pieces == 1) {
    parallel_for(groups, grain, [&](index_t g, index_t last) {
      value_reader reader(j);
      auto memory = new_states((std::min)(group, r.outputs));
      char* states = reinterpret_cast<char*>(memory.get());
      for (; g < last; ++g) {
        const index_t count = fold(reader, g, 0, r.length, states);
        finish_outputs(r, states, g * group, count);
      }
    });
    return;
  }
  auto memory = new_states(groups * pieces * group);
  char* states = reinterpret_cast<char*>(memory.get());
  parallel_for(groups * pieces, grain, [&](index_t task, index_t last) {
    value_reader reader(j);
    for (; task < last; ++task) {
      const index_t begin = task % pieces * piece;
      fold(reader, task / pieces, (std::min)(begin, r.length), (std::min)(begin + piece, r.length),
           states + task * group * size);
    }
  });
  for (index_t g = 0; g < groups; ++g) {
    char* first = states + g * pieces * group * size;
    const index_t count = (std::min)(group, r.outputs - g * group);
    for (index_t p = 1; p < pieces; ++p) r.code->combine(first, first + p * group * size, count);
    finish_outputs(r, first, g * group, count);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
