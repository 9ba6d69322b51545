// SPDX-License-Identifier: MIT
// A job on the CPU. The typed loop only works on contiguous memory; other elements go through small buffers.
#pragma once

#include <algorithm>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/elementwise/cpu_taken_rows.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most elements in a buffer: few enough for all buffers to stay in the first-level cache.
inline constexpr index_t cpu_chunk = 1024;
/// Bytes of elements that are buffered at a time, but at least a quarter of a chunk. Strided reads need several
/// times as much of the cache as the buffers themselves.
inline constexpr index_t cpu_buffered = 4096;
/// The same for each operand of a long row: only a little at a time, so that several operands are read from
/// memory concurrently.
inline constexpr index_t cpu_buffered_of_row = 1024;
/// Rows at least this long are read in place where they are contiguous.
inline constexpr index_t cpu_long_row = 128;

/// How an operand's next chunk is accessed. Rows that are taken from a table are read as if they were an
/// array's; what says where they are is unused then.
enum class chunk_access : std::uint8_t { flat, buffered, repeated, table, taken, unused };

GNP_INLINE chunk_access access_of(const job& j, const job_operand& o) {
  if (o.table) return chunk_access::table;
  bool flat = o.block != nullptr;
  bool repeated = true;
  index_t expected = 1;
  for (int d = j.rank - 1; d >= 0; --d) {
    flat = flat && o.strides[d] == expected;
    repeated = repeated && o.strides[d] == 0;
    expected *= j.shape[d];
  }
  if (flat) return chunk_access::flat;
  if (repeated) return chunk_access::repeated;
  return chunk_access::buffered;
}

/// How all operands of a job are accessed.
struct job_access {
  chunk_access of[most_operands];
  std::vector<taken_rows> taken;
  bool all_flat = true;

  GNP_INLINE static job_access find(const job& j) {
    job_access access;
    access.taken = find_taken_rows(j);
    for (int i = 0; i < j.operand_count(); ++i) {
      access.of[i] = access_of(j, j.operands[i]);
      access.all_flat = access.all_flat && access.of[i] == chunk_access::flat;
      const taken_rows* const rows = reader_of(access.taken, i);
      if (rows != nullptr) access.of[i] = i == rows->table() ? chunk_access::taken : chunk_access::unused;
    }
    return access;
  }
};

/// Buffers for up to a chunk of each operand.
class chunk_buffers {
 public:
  chunk_buffers(int operands, index_t elements)
      : lines_(((std::min)(elements, cpu_chunk) + 3) / 4), memory_(make_buffer(operands * lines_ * 4)) {}
  char* operator[](int i) const { return reinterpret_cast<char*>(memory_.get() + i * lines_); }

 private:
  index_t lines_;
  element_buffer memory_;
};

/// An operand as it is read along a row.
struct row_operand {
  char* next = nullptr;  // the next element to read
  index_t step = 0;      // how far `next` moves for each element
  index_t stride = 0;
  row_gather gather = nullptr;  // used if elements are not contiguous
  char* buffer = nullptr;
  const taken_rows* taken = nullptr;  // if a gather takes its rows from a table
};

/// Elements [begin, end) of a job of long rows. Elements that lie side by side in a row are used in place; an
/// element that is the same for a whole row is buffered once for that row.
GNP_INLINE void run_rows_on_cpu(const job& j, const job_access& access, const void** inputs, index_t begin,
                                index_t end) {
  const int operands = j.operand_count();
  const int inner = j.rank - 1;
  const index_t row = j.shape[inner];
  const index_t most = (std::min)(row, end - begin);
  const chunk_buffers buffers(operands, most);
  row_operand walked[most_operands];
  index_t widest = 0;  // of what is buffered
  for (int i = 0; i < operands; ++i) {
    const job_operand& o = j.operands[i];
    row_operand& w = walked[i];
    if (access.of[i] == chunk_access::table || access.of[i] == chunk_access::unused) {
      inputs[i - 1] = access.of[i] == chunk_access::table ? o.data : nullptr;
      continue;
    }
    if (access.of[i] == chunk_access::taken) w.taken = reader_of(access.taken, i);
    w.stride = w.taken != nullptr ? w.taken->stride() : o.strides[inner];
    w.step = o.block == nullptr ? w.stride : w.stride * o.itemsize;
    if (o.block != nullptr && w.stride == 1) continue;
    w.gather = gather_of(o);
    w.buffer = buffers[i];
    widest = (std::max)(widest, static_cast<index_t>(o.itemsize));
  }
  const job_operand& destination = j.operands[0];
  row_operand& out = walked[0];
  // A copy gathers elements where they are to be, or scatters them from where they are. (The bytes of truth
  // values may be other than 0 and 1.)
  const bool copies = j.code->plain && j.code->result != dtype::bool_;
  const bool gathers = copies && out.gather == nullptr && walked[1].gather != nullptr && walked[1].stride != 0;
  const bool fills = operands == 1 && out.gather != nullptr;
  const bool scatters =
      fills || (copies && out.gather != nullptr && (walked[1].gather == nullptr || walked[1].stride == 0));
  const bool in_place = widest == 0 || gathers || (scatters && !fills && walked[1].gather == nullptr);
  const index_t chunk = in_place ? row : (std::min)({cpu_chunk, cpu_buffered_of_row / widest, most});
  const row_scatter scatter = scatter_of(destination);
  for (int i = 1; i < operands; ++i) {
    const row_operand& w = walked[i];
    if (access.of[i] == chunk_access::repeated) w.gather(w.buffer, j.operands[i].data, 0, chunk);
  }

  if (fills) {  // with one number
    j.code->compute(out.buffer, inputs, j.constants, chunk);
    inputs[0] = out.buffer;
  }

  for (cursor at(j, begin); begin < end;) {
    const index_t run = (std::min)(end - begin, row - at.coordinates[inner]);
    for (int i = 0; i < operands; ++i) {
      row_operand& w = walked[i];
      if (access.of[i] == chunk_access::table || access.of[i] == chunk_access::unused) continue;
      w.next =
          w.taken != nullptr ? w.taken->element(j, at) : advanced(j.operands[i], at.offset(j, j.operands[i]));
      if (i == 0 || w.stride != 0) continue;
      if (access.of[i] != chunk_access::repeated) w.gather(w.buffer, w.next, 0, (std::min)(run, chunk));
      inputs[i - 1] = w.buffer;
    }
    for (index_t done = 0; done < run; done += chunk) {
      const index_t count = (std::min)(chunk, run - done);
      for (int i = 1; i < operands; ++i) {
        row_operand& w = walked[i];
        if (w.stride == 0) continue;  // also the case for tables
        if (gathers) {
          w.gather(out.next, w.next, w.stride, count);
          continue;
        }
        if (w.gather != nullptr) w.gather(w.buffer, w.next, w.stride, count);
        inputs[i - 1] = w.gather != nullptr ? w.buffer : w.next;
        w.next = moved(w.next, count * w.step);
      }
      if (scatters) {
        scatter(out.next, out.stride, static_cast<const char*>(inputs[0]), count);
      } else if (!gathers) {
        char* const results = out.gather != nullptr ? out.buffer : out.next;
        j.code->compute(results, inputs, j.constants, count);
        if (out.gather != nullptr) scatter(out.next, out.stride, results, count);
      }
      out.next = moved(out.next, count * out.step);
    }
    begin += run;
    at.advance(j, run);
  }
}

/// The same for short rows, where many rows fit in a buffer.
GNP_INLINE void run_short_rows_on_cpu(const job& j, const job_access& access, const void** inputs,
                                      index_t begin, index_t end) {
  const int operands = j.operand_count();
  index_t bytes = 0;
  for (int i = 0; i < operands; ++i) {
    const bool buffered = access.of[i] == chunk_access::buffered || access.of[i] == chunk_access::taken;
    if (buffered) bytes += j.operands[i].itemsize;
  }
  const index_t chunk = std::clamp(cpu_buffered / (std::max)(bytes, index_t{1}), cpu_chunk / 4, cpu_chunk);
  const chunk_buffers buffers(operands, end - begin);
  for (index_t done = begin; done < end; done += chunk) {
    const index_t count = (std::min)(chunk, end - done);
    const auto flat = [&](int i) { return j.operands[i].data + done * j.operands[i].itemsize; };
    for (int i = 1; i < operands; ++i) {
      const job_operand& o = j.operands[i];
      switch (access.of[i]) {
        case chunk_access::table:
          inputs[i - 1] = o.data;
          continue;
        case chunk_access::unused:
          inputs[i - 1] = nullptr;
          continue;
        case chunk_access::flat:
          inputs[i - 1] = flat(i);
          continue;
        case chunk_access::taken:
          reader_of(access.taken, i)->read(buffers[i], done, count);
          break;
        case chunk_access::repeated:
          if (done != begin) break;
          [[fallthrough]];
        case chunk_access::buffered:
          operand_elements(j, o).read(buffers[i], done, count);
      }
      inputs[i - 1] = buffers[i];
    }
    const bool in_place = access.of[0] == chunk_access::flat;
    char* const results = in_place ? flat(0) : buffers[0];
    j.code->compute(results, inputs, j.constants, count);
    if (!in_place) empty_buffer(j, j.operands[0], cursor(j, done), count, results);
  }
}

/// Elements [begin, end) of a collapsed job of rank 1 or more.
GNP_INLINE void run_range_on_cpu(const job& j, index_t begin, index_t end) {
  const int operands = j.operand_count();
  const job_access access = job_access::find(j);
  const void* inputs[most_operands];
  if (access.all_flat) {
    for (int i = 1; i < operands; ++i) inputs[i - 1] = j.operands[i].data + begin * j.operands[i].itemsize;
    j.code->compute(j.operands[0].data + begin * j.operands[0].itemsize, inputs, j.constants, end - begin);
  } else if (j.shape[j.rank - 1] >= cpu_long_row) {
    run_rows_on_cpu(j, access, inputs, begin, end);
  } else {
    run_short_rows_on_cpu(j, access, inputs, begin, end);
  }
}

GNP_INLINE void run_on_cpu(job& j) {
  parallel_for(j.count, cpu_grain, [&j](index_t begin, index_t end) { run_range_on_cpu(j, begin, end); });
}

}}}  // namespace gnp::GNP_ABI::detail
