// SPDX-License-Identifier: MIT
// Kernel text: c = alpha a b + beta c for matrices of any type and any strides.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// A block computes a square tile of c, a thread `each` by `each` elements of it, 16 apart so that neighbours
// are written together. Both factors pass through shared memory in steps of `depth` along k. Integers' sums
// wrap as NumPy's do; for bools, sums are "or" and products "and".
//
// Written for these types and constants, which the generator puts before it: element, sum_type (what is added),
// offset_t (32 or 64 bits), is_bool, is_complex, each, depth, axes (of the stack).
#define GNP_GEMM_ARGUMENTS                      \
  struct operand {                              \
    element* data;                              \
    long long row, column, batch[axes];         \
  };                                            \
  struct job {                                  \
    long long m, n, k, batch_rank, batch[axes]; \
    operand a, b, c;                            \
    alignas(16) sum_type alpha;                 \
    alignas(16) sum_type beta;                  \
  };

/// The kernel's argument: a job, laid out as on the host.
template <class element, class sum_type, unsigned axes>
struct gemm_arguments {
  GNP_GEMM_ARGUMENTS
};

inline constexpr char gemm_kernel_text[] = GNP_STRINGIZE(GNP_GEMM_ARGUMENTS) R"(
constexpr int edge = 16 * each;
constexpr int taken = edge * depth / 256;  // of each factor by a thread, in a step

inline unsigned times_plus(unsigned x, unsigned y, unsigned sum) { return is_bool ? sum | (x & y) : sum + x * y; }
inline unsigned long long times_plus(unsigned long long x, unsigned long long y, unsigned long long sum) { return sum + x * y; }
inline float times_plus(float x, float y, float sum) { return __fmaf_rn(x, y, sum); }
inline double times_plus(double x, double y, double sum) { return __fma_rn(x, y, sum); }
template <class Z> inline Z times_plus(const Z& x, const Z& y, const Z& sum) {
  return Z(times_plus(-x.im, y.im, times_plus(x.re, y.re, sum.re)), times_plus(x.im, y.re, times_plus(x.re, y.im, sum.im)));
}
// A factor that is real leaves infinities and NaNs where they are.
template <class Sum> inline Sum scaled(const Sum& by, const Sum& x) {
  if constexpr (is_complex) {
    return by.im == 0 ? Sum(by.re * x.re, by.re * x.im) : by * x;
  } else {
    return by * x;
  }
}

inline sum_type fetch(const operand& o, offset_t offset, offset_t i, offset_t j, offset_t rows, offset_t columns) {
  if (i >= rows || j >= columns) return sum_type(0);
  return static_cast<sum_type>(o.data[offset + i * static_cast<offset_t>(o.row) + j * static_cast<offset_t>(o.column)]);
}
inline bool steps_along_columns(const operand& o) {
  return (o.column < 0 ? -o.column : o.column) < (o.row < 0 ? -o.row : o.row);
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ job p) {
  wait_for_results();
  __shared__ sum_type a_tile[depth][edge + 1];
  __shared__ sum_type b_tile[depth][edge + 1];
  const int thread = threadIdx.x;
  const int row = thread / 16;
  const int column = thread % 16;
  const bool a_columns_fast = steps_along_columns(p.a);
  const bool b_columns_fast = steps_along_columns(p.b);
  const auto a_row = [=](int e) { return a_columns_fast ? e / depth : e % edge; };
  const auto a_column = [=](int e) { return a_columns_fast ? e % depth : e / edge; };
  const auto b_row = [=](int e) { return b_columns_fast ? e / edge : e % depth; };
  const auto b_column = [=](int e) { return b_columns_fast ? e % edge : e / depth; };
  const offset_t m = p.m;
  const offset_t n = p.n;
  const offset_t k = p.k;
  const offset_t tiles_down = (m + edge - 1) / edge;
  const offset_t tiles_across = (n + edge - 1) / edge;
  offset_t tiles = tiles_down * tiles_across;
  for (int d = 0; d < p.batch_rank; ++d) tiles *= p.batch[d];

  for (offset_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const offset_t j0 = tile % tiles_across * edge;
    const offset_t i0 = tile / tiles_across % tiles_down * edge;
    offset_t rest = tile / (tiles_across * tiles_down);
    offset_t a_offset = 0, b_offset = 0, c_offset = 0;
    for (int d = static_cast<int>(p.batch_rank) - 1; d >= 0; --d) {
      const offset_t at = rest % static_cast<offset_t>(p.batch[d]);
      rest /= static_cast<offset_t>(p.batch[d]);
      a_offset += at * static_cast<offset_t>(p.a.batch[d]);
      b_offset += at * static_cast<offset_t>(p.b.batch[d]);
      c_offset += at * static_cast<offset_t>(p.c.batch[d]);
    }

    sum_type sums[each][each];
    for (int u = 0; u < each; ++u) {
      for (int v = 0; v < each; ++v) sums[u][v] = sum_type(0);
    }
    // What the next step needs is on its way while this one is computed.
    sum_type a_next[taken], b_next[taken];
    const auto fetch_from = [&](offset_t k0) {
      #pragma unroll
      for (int i = 0; i < taken; ++i) {
        const int e = thread + 256 * i;
        a_next[i] = fetch(p.a, a_offset, i0 + a_row(e), k0 + a_column(e), m, k);
        b_next[i] = fetch(p.b, b_offset, k0 + b_row(e), j0 + b_column(e), k, n);
      }
    };
    fetch_from(0);
    for (offset_t k0 = 0; k0 < k; k0 += depth) {
      #pragma unroll
      for (int i = 0; i < taken; ++i) {
        const int e = thread + 256 * i;
        a_tile[a_column(e)][a_row(e)] = a_next[i];
        b_tile[b_row(e)][b_column(e)] = b_next[i];
      }
      __syncthreads();
      if (k0 + depth < k) fetch_from(k0 + depth);
      #pragma unroll 16
      for (int l = 0; l < depth; ++l) {
        sum_type x[each], y[each];
        #pragma unroll
        for (int u = 0; u < each; ++u) {
          x[u] = a_tile[l][row + 16 * u];
          y[u] = b_tile[l][column + 16 * u];
        }
        #pragma unroll
        for (int u = 0; u < each; ++u) {
          #pragma unroll
          for (int v = 0; v < each; ++v) sums[u][v] = times_plus(x[u], y[v], sums[u][v]);
        }
      }
      __syncthreads();
    }
    for (int u = 0; u < each; ++u) {
      for (int v = 0; v < each; ++v) {
        const offset_t i = i0 + row + 16 * u;
        const offset_t j = j0 + column + 16 * v;
        if (i < m && j < n) {
          element& c = p.c.data[c_offset + i * static_cast<offset_t>(p.c.row) + j * static_cast<offset_t>(p.c.column)];
          sum_type value = scaled(p.alpha, sums[u][v]);
          if (!(p.beta == sum_type(0))) value = value + scaled(p.beta, static_cast<sum_type>(c));
          c = static_cast<element>(value);
        }
      }
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
