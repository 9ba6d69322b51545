// SPDX-License-Identifier: MIT
// A scan on its device.
#pragma once

#include <gnp/exec/reduce/cpu_reduce.hpp>
#include <gnp/exec/scan/gpu_scan.hpp>
#include <gnp/exec/scan/scan_job.hpp>
#include <gnp/exec/text/work_names.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Orders the axes. Those of the scan keep their order, which is the order of the elements; the others are
/// ordered by the destination's memory. Neighbouring axes of the same kind are merged if they are contiguous in
/// every operand.
GNP_INLINE void collapse(scan& s, const bool* scanned) {
  job_axes axes(s.values, s.values.operand_count(), scanned);
  // Scans along rows if these are contiguous in memory.
  const bool by_rows = s.outputs == 1 || axes.count() == 0 || axes.marked(axes.count() - 1);
  s.along = by_rows ? reduced_along::rows : reduced_along::columns;
  axes.sort([&axes, by_rows](int later, int earlier) {
    return axes.marked(later) != axes.marked(earlier) && axes.marked(later) != by_rows;
  });
  axes.sort([&axes](int later, int earlier) {
    return !axes.marked(later) && !axes.marked(earlier) && axes.stride(0, later) > axes.stride(0, earlier);
  });
  s.kept = axes.merge();
}

/// Scans elements [begin, end) of one row: into the results, if there are any, and into the total.
GNP_INLINE void scan_run(const scan& s, value_reader& reader, index_t row, index_t begin, index_t end,
                         void* total, void* results) {
  const job& j = s.values;
  const bool in_place = access_of(j, j.operands[0]) == chunk_access::flat;
  for (index_t done = begin; done < end; done += cpu_chunk) {
    const index_t count = (std::min)(cpu_chunk, end - done);
    const index_t position = row * s.length + done;
    const void* values = reader.values(position, count);
    if (results == nullptr) {
      s.code->sum_up(values, total, count);
    } else if (in_place) {
      s.code->run(j.operands[0].data + position * j.operands[0].itemsize, values, total, count);
    } else {
      s.code->run(results, values, total, count);
      empty_buffer(j, j.operands[0], cursor(j, position), count, static_cast<const char*>(results));
    }
  }
}

/// Scans rows [first, last), which are short: as many at a time as fit in a chunk.
GNP_INLINE void scan_short_rows(const scan& s, value_reader& reader, index_t first, index_t last, char* totals,
                                char* results) {
  const job& j = s.values;
  const job_operand& out = j.operands[0];
  const bool in_place = access_of(j, out) == chunk_access::flat;
  const index_t read = s.length * static_cast<index_t>(itemsize(j.code->result));
  const index_t written = s.length * out.itemsize;
  const index_t group = cpu_chunk / s.length;
  for (; first < last; first += group) {
    const index_t rows = (std::min)(group, last - first);
    const index_t position = first * s.length;
    const char* const values = static_cast<const char*>(reader.values(position, rows * s.length));
    char* const to = in_place ? out.data + position * out.itemsize : results;
    for (index_t row = 0; row < rows; ++row)
      s.code->run(to + row * written, values + row * read, totals + (first + row) * s.code->total_size,
                  s.length);
    if (!in_place) empty_buffer(j, out, cursor(j, position), rows * s.length, results);
  }
}

GNP_INLINE void scan_rows_on_cpu(const scan& s) {
  const index_t pieces = s.length >= 2 * reduced_piece ? (s.length + reduced_piece - 1) / reduced_piece : 1;
  const auto size = static_cast<std::size_t>(s.code->total_size);
  std::vector<state_memory> memory(static_cast<std::size_t>(s.outputs * pieces) * size / sizeof(state_memory) +
                                   1);
  char* totals = reinterpret_cast<char*>(memory.data());
  s.code->begin(totals, s.outputs * pieces);
  const auto total_of = [&](index_t task) { return totals + static_cast<std::size_t>(task) * size; };
  const index_t grain = (std::max)(index_t{1}, cpu_grain / (std::min)(s.length, reduced_piece));
  const auto for_each_piece = [&](const auto& f) {
    parallel_for(s.outputs * pieces, grain, [&](index_t task, index_t last) {
      value_reader reader(s.values);
      for (; task < last; ++task) {
        const index_t begin = task % pieces * reduced_piece;
        f(reader, task, begin, pieces == 1 ? s.length : (std::min)(begin + reduced_piece, s.length));
      }
    });
  };
  if (s.length <= cpu_chunk / 2) {
    parallel_for(s.outputs, grain, [&](index_t row, index_t last) {
      value_reader reader(s.values);
      const auto results = make_buffer((std::min)(cpu_chunk, s.values.count));
      scan_short_rows(s, reader, row, last, totals, reinterpret_cast<char*>(results.get()));
    });
    return;
  }
  // A single thread may scan the pieces in turn, reading each element once, if that gives the same results.
  // Sums of floating-point numbers would then depend on the number of threads.
  if (pieces > 1 && get_num_threads() == 1 && s.code->same_in_parts) {
    value_reader reader(s.values);
    const auto results = make_buffer(cpu_chunk);
    for (index_t row = 0; row < s.outputs; ++row) {
      scan_run(s, reader, row, 0, s.length, total_of(row * pieces), results.get());
    }
    return;
  }
  if (pieces > 1) {  // first the total of each piece, then the total before it
    for_each_piece([&](value_reader& reader, index_t task, index_t begin, index_t end) {
      scan_run(s, reader, task / pieces, begin, end, total_of(task), nullptr);
    });
    std::vector<char> piece(size);
    std::vector<char> so_far(size);
    for (index_t task = 0; task < s.outputs * pieces; ++task) {
      if (task % pieces == 0) s.code->begin(so_far.data(), 1);
      std::memcpy(piece.data(), total_of(task), size);
      std::memcpy(total_of(task), so_far.data(), size);
      s.code->join(so_far.data(), piece.data());
    }
  }
  for_each_piece([&](value_reader& reader, index_t task, index_t begin, index_t end) {
    const auto results = make_buffer((std::min)(cpu_chunk, s.length));
    scan_run(s, reader, task / pieces, begin, end, total_of(task), results.get());
  });
}

GNP_INLINE void scan_columns_on_cpu(const scan& s) {
  const job& j = s.values;
  const job_operand& out = j.operands[0];
  const bool in_place = access_of(j, out) == chunk_access::flat;
  const index_t groups = (s.outputs + columns_at_once - 1) / columns_at_once;
  const index_t grain = (std::max)(index_t{1}, cpu_grain / ((std::min)(columns_at_once, s.outputs) * s.length));
  // Rows of all columns follow each other in the order of iteration, so several of them are taken together.
  const index_t most_rows = groups == 1 ? (std::max)(index_t{1}, columns_at_once / s.outputs) : 1;
  parallel_for(groups, grain, [&](index_t g, index_t last) {
    value_reader reader(j);
    std::vector<state_memory> totals(columns_at_once);
    const auto results = make_buffer((std::min)(columns_at_once, j.count));
    for (; g < last; ++g) {
      const index_t first = g * columns_at_once;
      const index_t count = (std::min)(columns_at_once, s.outputs - first);
      s.code->begin(totals.data(), count);
      for (index_t row = 0; row < s.length; row += most_rows) {
        const index_t rows = (std::min)(most_rows, s.length - row);
        const index_t position = row * s.outputs + first;
        const void* values = reader.values(position, rows * count);
        void* const to = in_place ? out.data + position * out.itemsize : static_cast<void*>(results.get());
        s.code->rows(to, values, totals.data(), count, rows);
        if (in_place) continue;
        empty_buffer(j, out, cursor(j, position), rows * count, static_cast<const char*>(to));
      }
    }
  });
}

GNP_INLINE void scan_on_cpu(const scan& s) {
  s.along == reduced_along::rows ? scan_rows_on_cpu(s) : scan_columns_on_cpu(s);
}

GNP_INLINE void run_scan(scan& s, const bool* scanned, const char* function) {
  const job& j = s.values;
  const watched_work watched(j.where, [&] { return facts_of(j, function, s.code->result); });
  collapse(s, scanned);
  if (j.where.is_cpu()) {
    scan_on_cpu(s);
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  scan_on_gpu(s);
  check_sent_indices(j.where);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
