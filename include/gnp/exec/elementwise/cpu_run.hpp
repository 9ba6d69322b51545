// SPDX-License-Identifier: MIT
// A job on the CPU: the typed loop sees contiguous memory only; what is not contiguous goes through small
// buffers.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/layout/job.hpp>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Elements per buffer at most: few enough for all buffers to stay in the first-level cache.
inline constexpr index_t cpu_chunk = 1024;
/// Bytes of elements that are buffered at a time, if that is no less than a quarter of a chunk: what is read
/// with steps takes several times the room of the buffers.
inline constexpr index_t cpu_buffered = 4096;
/// Rows at least this long are read in place where they are contiguous.
inline constexpr index_t cpu_long_row = 128;
/// Elements worth a thread of their own.
inline constexpr index_t cpu_grain = 1 << 15;

/// Room for so many elements of any type, as memory comes.
GNP_INLINE std::unique_ptr<std::uint64_t[]> make_buffer(index_t count) {
  return std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(count) * 2);
}

template <std::size_t Size>
struct raw_element {
  unsigned char bytes[Size];
};

/// Elements `stride` apart, side by side. Every other one, and one over and over, are vectors' work.
template <std::size_t Size>
GNP_LOOP void copy_strided(char* to, const char* from, index_t stride, index_t count) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * Size);
  } else if (stride == 2) {
    GNP_INDEPENDENT
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i, in + 2 * i, Size);
  } else if (stride == 0) {
    const raw_element<Size> value = *in;
    GNP_INDEPENDENT
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i, &value, Size);
  } else {
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i, in + i * stride, Size);
  }
}

template <std::size_t Size>
GNP_LOOP void scatter_row(char* to, index_t stride, const char* from, index_t count) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * Size);
  } else {
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i * stride, in + i, Size);
  }
}

/// Calls f(integral_constant) for the element sizes there are.
template <class F>
void with_itemsize(int itemsize, const F& f) {
  switch (itemsize) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>());
    case 2:
      return f(std::integral_constant<std::size_t, 2>());
    case 4:
      return f(std::integral_constant<std::size_t, 4>());
    case 8:
      return f(std::integral_constant<std::size_t, 8>());
    default:
      return f(std::integral_constant<std::size_t, 16>());
  }
}

/// A place in the job's iteration, in row-major order of the collapsed shape.
struct cursor {
  index_t coordinates[max_rank] = {};

  cursor(const job& j, index_t position) {
    for (int d = j.rank - 1; d >= 0; --d) {
      coordinates[d] = position % j.shape[d];
      position /= j.shape[d];
    }
  }
  GNP_INLINE index_t offset(const job& j, const job_operand& o) const {
    index_t elements = 0;
    for (int d = 0; d < j.rank; ++d) elements += coordinates[d] * o.strides[d];
    return elements;
  }
  /// Moves on by `count`, which stays within the row.
  GNP_INLINE void advance(const job& j, index_t count) {
    coordinates[j.rank - 1] += count;
    for (int d = j.rank - 1; d > 0 && coordinates[d] >= j.shape[d]; --d) {
      coordinates[d] = 0;
      ++coordinates[d - 1];
    }
  }
};

/// Calls f(operand offset, elements done, run length) for each run along the innermost axis.
template <class F>
void for_each_run(const job& j, const job_operand& o, cursor at, index_t count, const F& f) {
  const index_t row = j.shape[j.rank - 1];
  for (index_t done = 0; done < count;) {
    const index_t run = (std::min)(count - done, row - at.coordinates[j.rank - 1]);
    f(at.offset(j, o), done, run);
    done += run;
    at.advance(j, run);
  }
}

GNP_INLINE void fill_buffer(const job& j, const job_operand& o, const cursor& at, index_t count, char* buffer) {
  const index_t stride = o.strides[j.rank - 1];
  if (o.block == nullptr) {  // positions
    auto* out = reinterpret_cast<std::int64_t*>(buffer);
    const auto base = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(o.data));
    for_each_run(j, o, at, count, [&](index_t offset, index_t done, index_t run) {
      for (index_t i = 0; i < run; ++i) out[done + i] = base + offset + i * stride;
    });
    return;
  }
  with_itemsize(o.itemsize, [&](auto size) {
    for_each_run(j, o, at, count, [&](index_t offset, index_t done, index_t run) {
      copy_strided<size>(buffer + done * o.itemsize, o.data + offset * o.itemsize, stride, run);
    });
  });
}

GNP_INLINE void empty_buffer(const job& j, const job_operand& o, const cursor& at, index_t count,
                             const char* buffer) {
  const index_t stride = o.strides[j.rank - 1];
  with_itemsize(o.itemsize, [&](auto size) {
    for_each_run(j, o, at, count, [&](index_t offset, index_t done, index_t run) {
      scatter_row<size>(o.data + offset * o.itemsize, stride, buffer + done * o.itemsize, run);
    });
  });
}

/// How an operand's next chunk is reached.
enum class chunk_access : std::uint8_t { flat, row, buffered, repeated, table };

GNP_INLINE chunk_access access_of(const job& j, const job_operand& o, bool by_rows) {
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
  if (by_rows && o.block != nullptr && o.strides[j.rank - 1] == 1) return chunk_access::row;
  return chunk_access::buffered;
}

/// Elements [begin, end) of a collapsed job of rank 1 or more.
GNP_INLINE void run_range_on_cpu(const job& j, index_t begin, index_t end) {
  const int operands = j.operand_count();
  const bool by_rows = j.shape[j.rank - 1] >= cpu_long_row;
  std::vector<chunk_access> accesses(static_cast<std::size_t>(operands));
  std::vector<const void*> input_list(static_cast<std::size_t>(operands));
  chunk_access* const access = accesses.data();
  const void** const inputs = input_list.data();
  bool all_flat = true;
  bool any_rows = false;
  index_t bytes = 0;
  for (int i = 0; i < operands; ++i) {
    access[i] = access_of(j, j.operands[i], by_rows);
    if (access[i] == chunk_access::buffered) bytes += j.operands[i].itemsize;
    all_flat = all_flat && access[i] == chunk_access::flat;
    any_rows = any_rows || access[i] == chunk_access::row;
  }
  const index_t fitting = std::clamp(cpu_buffered / (std::max)(bytes, index_t{1}), cpu_chunk / 4, cpu_chunk);
  const index_t chunk = all_flat ? end - begin : fitting;
  const auto buffers = all_flat ? nullptr : make_buffer(operands * cpu_chunk);
  const auto buffer = [&](int i) { return reinterpret_cast<char*>(buffers.get() + i * cpu_chunk * 2); };
  cursor at(j, begin);
  for (int i = 1; i < operands; ++i) {
    if (access[i] == chunk_access::table) inputs[i - 1] = j.operands[i].data;
    if (access[i] != chunk_access::repeated) continue;
    fill_buffer(j, j.operands[i], at, (std::min)(chunk, end - begin), buffer(i));
    inputs[i - 1] = buffer(i);
  }

  const index_t row = j.shape[j.rank - 1];
  for (index_t done = begin; done < end;) {
    index_t count = (std::min)(chunk, end - done);
    if (any_rows) count = (std::min)(count, row - at.coordinates[j.rank - 1]);
    void* out = buffer(0);
    for (int i = 0; i < operands; ++i) {
      const job_operand& o = j.operands[i];
      char* direct = nullptr;
      if (access[i] == chunk_access::flat) direct = o.data + done * o.itemsize;
      if (access[i] == chunk_access::row) direct = o.data + at.offset(j, o) * o.itemsize;
      if (i == 0) {
        if (direct != nullptr) out = direct;
      } else if (direct != nullptr) {
        inputs[i - 1] = direct;
      } else if (access[i] == chunk_access::buffered) {
        fill_buffer(j, o, at, count, buffer(i));
        inputs[i - 1] = buffer(i);
      }
    }
    j.code->compute(out, inputs, j.constants, count);
    if (out == buffer(0) && !all_flat) empty_buffer(j, j.operands[0], at, count, buffer(0));
    done += count;
    if (done >= end || all_flat) continue;
    at = any_rows ? at : cursor(j, done);
    if (any_rows) at.advance(j, count);
  }
}

GNP_INLINE void run_on_cpu(job& j) {
  parallel_for(j.count, cpu_grain, [&j](index_t begin, index_t end) { run_range_on_cpu(j, begin, end); });
}

}}}  // namespace gnp::GNP_ABI::detail
