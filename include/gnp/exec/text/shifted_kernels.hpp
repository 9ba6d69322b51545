// SPDX-License-Identifier: MIT
// The kernel for rows that are not aligned, as text: shifted views, rows of odd lengths, parts of arrays.
//
// In each row, vectors begin where those of the destination's memory begin, so that every store except a row's
// first and last is a whole vector. An input's elements for such a vector may be unaligned: they are assembled
// from the whole vectors of memory that contain them.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* shifted_kernel_text = R"(
struct surroundings {
  long long length;  // of a row, in elements
  long long rows;    // above each other
  unsigned long long block[slots][2];  // where the memory that a slot is in begins and ends
};

// A thread's part of a row: `vector` elements from at.c[rank - 1] on, of which those from `first` to `end` are its own.
struct stretch {
  place at;
  int first;
  int end;
};

// Of vector `number` of a row, which is cut short at the row's ends. Unless those elements go by a loop, the thread has
// elements of its neighbour there too, so that all it computes with are the row's.
inline void stretch_of(const arguments& p, const surroundings& s, stretch& part, offset_t number) {
  part.at.c[rank - 1] = 0;
  const value_t* row = reinterpret_cast<const value_t*>(p.data[0]) + offset_of<0, run>(p, part.at);
  const offset_t start = number * vector - static_cast<offset_t>(reinterpret_cast<unsigned long long>(row) / sizeof(value_t) % vector);
  const offset_t length = static_cast<offset_t>(s.length);
  const offset_t inside = ends_by_loop ? start : start < 0 ? 0 : start > length - vector ? length - vector : start;
  part.at.c[rank - 1] = inside;
  part.first = static_cast<int>((start < 0 ? 0 : start < length ? start : length) - inside);
  part.end = static_cast<int>((start + vector < length ? start + vector : length) - inside);
}

inline stretch located(const arguments& p, const surroundings& s, index_t block, int item) {
  stretch part;
  part.first = part.end = 0;
  if (across == 0) {
    const index_t n = block * ($threads * items) + threadIdx.x / 32 * (32 * items) + item * 32 + threadIdx.x % 32;
    if (n >= static_cast<index_t>(p.count)) return part;
    locate<0, rank>(p, part.at, n);
    stretch_of(p, s, part, part.at.c[rank - 1]);
    return part;
  }
  // Blocks take rows above each other, so that those they share are read once.
  constexpr int x = rank - 1, y = rank > 1 ? rank - 2 : 0;
  if (down_first) {
    const index_t rows = static_cast<index_t>(p.size[y]);
    const index_t rest = block / rows;
    part.at.c[y] = static_cast<offset_t>(block % rows);
    part.at.c[x] = static_cast<offset_t>(rest % static_cast<index_t>(p.size[x]));
    locate<0, rank - 2>(p, part.at, rest / static_cast<index_t>(p.size[x]));
  } else {
    locate<0, rank>(p, part.at, block);
  }
  const int thread = static_cast<int>(threadIdx.x);
  const offset_t number = part.at.c[x] * across + thread % across;
  part.at.c[y] = part.at.c[y] * above + thread / across;
  if (part.at.c[y] >= static_cast<offset_t>(s.rows)) return part;
  stretch_of(p, s, part, number);
  return part;
}

extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ surroundings s) {
  wait_for_results();
  stretch part[items];
  bool whole[items];
$declared  #pragma unroll
  for (int i = 0; i < items; ++i) {
    part[i] = located(p, s, blockIdx.x, i);
    const place& at = part[i].at;
    whole[i] = part[i].first < part[i].end;
    if (!whole[i]) continue;
    const offset_t offset0 = offset_of<0, run>(p, at);
    to0[i] = reinterpret_cast<value_t*>(p.data[0]) + offset0;
$placed    whole[i] = !ends_by_loop || (part[i].first == 0 && part[i].end == vector);
$within    if (whole[i]) {
$loaded    }
  }
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (whole[i]) {
$moved$results    } else if (ends_by_loop || guarded) {
      #pragma unroll 1
      for (int e = part[i].first; e < part[i].end; ++e) {
$singles      }
    }
  }
}
)";

/// One vector of a result.
inline constexpr const char* shifted_result_text = R"(      {
        pack<$type> result;
        #pragma unroll
$computed        if (ends_by_loop || (part[i].first == 0 && part[i].end == vector)) {
          store_vector(to$slot[i], result);
        } else {
          #pragma unroll
          for (int e = 0; e < vector; ++e) if (e >= part[i].first && e < part[i].end) to$slot[i][e] = result.v[e];
        }
      }
)";

}}}  // namespace gnp::GNP_ABI::detail
