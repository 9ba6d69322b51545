// SPDX-License-Identifier: MIT
// Repeats elements on the CPU, each as often as its count says.
#pragma once

#include <gnp/core/shape.hpp>
#ifdef GNP_READS_BODIES
#include <algorithm>
#include <bit>
#include <cstring>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/elementwise/cpu_buffers.hpp>
#include <vector>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Counts in memory, `step` apart.
struct repeat_counts {
  const index_t* counts;
  index_t step;
  index_t length;
};

/// What has to be known about counts to check them and to allocate the result.
struct survey_of_counts {
  index_t least;
  index_t most;
  index_t total;  // may wrap around; it has not if `most` times the number of counts fits
};

GNP_DECLARED_ON_USE survey_of_counts survey_of(const repeat_counts& r);

/// Repeats each chunk of so many bytes, in each of `outer` blocks of r.length chunks. `total` is the counts'
/// sum.
GNP_DECLARED_ON_USE void repeat_on_cpu(const repeat_counts& r, const void* from, void* to, index_t outer,
                                       index_t chunk, index_t total);

/// Repeats each of `chunks` chunks of so many bytes the same number of times.
GNP_DECLARED_ON_USE void repeat_evenly_on_cpu(const void* from, void* to, index_t chunks, index_t chunk,
                                              index_t count);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE survey_of_counts survey_of(const repeat_counts& r) {
  survey_of_counts seen{r.counts[0], r.counts[0], 0};
  unsigned long long total = 0;
  for (index_t i = 0; i < r.length; ++i) {
    const index_t count = r.counts[i * r.step];
    seen.least = (std::min)(seen.least, count);
    seen.most = (std::max)(seen.most, count);
    total += static_cast<unsigned long long>(count);
  }
  seen.total = static_cast<index_t>(total);
  return seen;
}

/// This many copies of each element are stored, whatever its count is, and the next element overwrites those
/// that are too many. So only larger counts need a branch. Four elements of 8 bytes fill a vector.
inline constexpr index_t copies_stored = 4;

/// Stores `bytes` of copies of one element, more than a vector: a vector filled with copies is stored again and
/// again, the last time so that it ends where they end.
template <std::size_t Size>
void store_copies(const char* element, char* to, index_t bytes) {
  constexpr index_t size = Size;
  constexpr index_t vector = 16;
  char copies[vector];
  for (index_t k = 0; k < vector; k += size) std::memcpy(copies + k, element, Size);
  for (index_t done = 0; done < bytes - vector; done += vector) std::memcpy(to + done, copies, vector);
  std::memcpy(to + bytes - vector, copies, vector);
}

/// Repeats elements [first, last) of Size bytes into [to, end).
template <std::size_t Size>
void repeat_elements(const repeat_counts& r, const char* from, char* to, const char* end, index_t first,
                     index_t last) {
  constexpr auto size = static_cast<index_t>(Size);
  constexpr index_t stored = copies_stored * size;
  constexpr index_t many = (std::max)(copies_stored, 16 / size);
  for (index_t i = first; i < last; ++i) {
    const index_t count = r.counts[i * r.step];
    char element[Size];
    std::memcpy(element, from + i * size, Size);
    if (count > many) {
      store_copies<Size>(element, to, count * size);
    } else {
      index_t done = 0;
      if (end - to >= stored) {
        for (; done < copies_stored; ++done) std::memcpy(to + done * size, element, Size);
      }
      for (; done < count; ++done) std::memcpy(to + done * size, element, Size);
    }
    to += count * size;
  }
}

inline void repeat_chunks(const repeat_counts& r, const char* from, char* to, index_t first, index_t last,
                          index_t chunk) {
  for (index_t i = first; i < last; ++i) {
    for (index_t copy = r.counts[i * r.step]; copy > 0; --copy, to += chunk)
      std::memcpy(to, from + i * chunk, static_cast<std::size_t>(chunk));
  }
}

GNP_DEFINED_ON_USE void repeat_on_cpu(const repeat_counts& r, const void* from, void* to, index_t outer,
                                      index_t chunk, index_t total) {
  // Each part of the counts is a task in each block. A part's results begin where those before it end.
  const index_t threads = thread_count().load(std::memory_order_relaxed);
  const index_t parts =
      (std::max)(index_t{1}, (std::min)((std::min)(threads, r.length), (total + r.length) / cpu_grain));
  const auto part_begin = [&](index_t part) {
    return r.length / parts * part + (std::min)(part, r.length % parts);
  };
  std::vector<index_t> ends(static_cast<std::size_t>(parts), total);
  if (parts > 1) {
    parallel_for(parts, 1, [&](index_t first, index_t last) {
      for (index_t part = first; part < last; ++part) {
        const index_t begin = part_begin(part);
        ends[static_cast<std::size_t>(part)] =
            survey_of(repeat_counts{r.counts + begin * r.step, r.step, part_begin(part + 1) - begin}).total;
      }
    });
    for (std::size_t part = 1; part < ends.size(); ++part) ends[part] += ends[part - 1];
  }
  const index_t grain = (std::max)(index_t{1}, cpu_grain * parts / (total + r.length));
  parallel_for(outer * parts, grain, [&](index_t task, index_t last_task) {
    for (; task < last_task; ++task) {
      const index_t block = task / parts;
      const index_t part = task % parts;
      const index_t first = part_begin(part);
      const index_t last = part_begin(part + 1);
      const char* const in = static_cast<const char*>(from) + block * r.length * chunk;
      char* const out = static_cast<char*>(to) + block * total * chunk;
      char* const begin = out + (part == 0 ? 0 : ends[static_cast<std::size_t>(part - 1)]) * chunk;
      const char* const end = out + ends[static_cast<std::size_t>(part)] * chunk;
      switch (chunk) {
        case 1:
          repeat_elements<1>(r, in, begin, end, first, last);
          break;
        case 2:
          repeat_elements<2>(r, in, begin, end, first, last);
          break;
        case 4:
          repeat_elements<4>(r, in, begin, end, first, last);
          break;
        case 8:
          repeat_elements<8>(r, in, begin, end, first, last);
          break;
        case 16:
          repeat_elements<16>(r, in, begin, end, first, last);
          break;
        default:
          repeat_chunks(r, in, begin, first, last, chunk);
      }
    }
  });
}

/// Where the copies take less than a vector, a whole one is stored, and the next element's copies overwrite the
/// rest.
template <std::size_t Size>
void repeat_evenly(const char* from, char* to, index_t elements, index_t count) {
  constexpr index_t size = Size;
  constexpr index_t vector = 16;
  const index_t bytes = count * size;
  const char* const end = to + elements * bytes;
  char copies[vector];
  for (index_t i = 0; i < elements; ++i, to += bytes) {
    if (bytes > vector) {
      store_copies<Size>(from + i * size, to, bytes);
      continue;
    }
    for (index_t k = 0; k < vector; k += size) std::memcpy(copies + k, from + i * size, Size);
    if (end - to >= vector) {
      std::memcpy(to, copies, vector);
    } else {
      std::memcpy(to, copies, static_cast<std::size_t>(bytes));
    }
  }
}

/// Twice is the usual number of times, and vectorises.
template <std::size_t Size>
GNP_LOOP void repeat_twice(const char* from, char* to, index_t elements) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  GNP_INDEPENDENT
  for (index_t i = 0; i < elements; ++i) {
    std::memcpy(out + 2 * i, in + i, Size);
    std::memcpy(out + 2 * i + 1, in + i, Size);
  }
}

GNP_DEFINED_ON_USE void repeat_evenly_on_cpu(const void* from, void* to, index_t chunks, index_t chunk,
                                             index_t count) {
  const index_t grain = (std::max)(index_t{1}, cpu_grain / count);
  parallel_for(chunks, grain, [&](index_t first, index_t last) {
    const char* const in = static_cast<const char*>(from) + first * chunk;
    char* const out = static_cast<char*>(to) + first * chunk * count;
    const auto repeat = [&](auto size) {
      count == 2 ? repeat_twice<size>(in, out, last - first)
                 : repeat_evenly<size>(in, out, last - first, count);
    };
    if (chunk <= 16 && std::has_single_bit(static_cast<std::uint64_t>(chunk)))
      return with_itemsize(static_cast<int>(chunk), repeat);
    for (index_t i = 0; i < last - first; ++i) {
      for (index_t k = 0; k < count; ++k)
        std::memcpy(out + (i * count + k) * chunk, in + i * chunk, static_cast<std::size_t>(chunk));
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
