// SPDX-License-Identifier: MIT
// Matrix products of integers and bools on the GPU, which cuBLAS does not have: one tiled kernel, any strides.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/jit.hpp>
#include <gnp/cuda/stream.hpp>
#include <gnp/linalg/gemm_job.hpp>

namespace gnp::inline GNP_ABI::detail {

// A block computes a 64 by 64 tile of c, a thread 4 by 4 elements of it, 16 apart so that neighbours are
// written together. Both factors pass through shared memory in steps of 16 along k. Sums wrap as NumPy's do; a
// bool's are "or" and products "and".
inline constexpr char gemm_kernel_text[] = R"(
struct operand { char* data; long long row, column, batch[16]; };
struct job { long long m, n, k, batch_rank, batch[16]; operand a, b, c; };

__device__ sum_type fetch(const operand& o, long long offset, long long i, long long j, long long rows, long long columns) {
  if (i >= rows || j >= columns) return 0;
  return static_cast<sum_type>(reinterpret_cast<const element*>(o.data)[offset + i * o.row + j * o.column]);
}
__device__ bool steps_along_columns(const operand& o) {
  return (o.column < 0 ? -o.column : o.column) < (o.row < 0 ? -o.row : o.row);
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ job p) {
  __shared__ sum_type a_tile[16][64 + 1];
  __shared__ sum_type b_tile[16][64 + 1];
  const int thread = threadIdx.x;
  const int row = thread / 16;
  const int column = thread % 16;
  const bool a_columns_fast = steps_along_columns(p.a);
  const bool b_columns_fast = steps_along_columns(p.b);
  const long long tiles_down = (p.m + 63) / 64;
  const long long tiles_across = (p.n + 63) / 64;
  long long tiles = tiles_down * tiles_across;
  for (int d = 0; d < p.batch_rank; ++d) tiles *= p.batch[d];

  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const long long j0 = tile % tiles_across * 64;
    const long long i0 = tile / tiles_across % tiles_down * 64;
    long long rest = tile / (tiles_across * tiles_down);
    long long a_offset = 0, b_offset = 0, c_offset = 0;
    for (int d = static_cast<int>(p.batch_rank) - 1; d >= 0; --d) {
      const long long at = rest % p.batch[d];
      rest /= p.batch[d];
      a_offset += at * p.a.batch[d];
      b_offset += at * p.b.batch[d];
      c_offset += at * p.c.batch[d];
    }

    sum_type sums[4][4] = {};
    for (long long k0 = 0; k0 < p.k; k0 += 16) {
      for (int e = thread; e < 64 * 16; e += 256) {
        const int ai = a_columns_fast ? e / 16 : e % 64;
        const int ak = a_columns_fast ? e % 16 : e / 64;
        a_tile[ak][ai] = fetch(p.a, a_offset, i0 + ai, k0 + ak, p.m, p.k);
        const int bk = b_columns_fast ? e / 64 : e % 16;
        const int bj = b_columns_fast ? e % 64 : e / 16;
        b_tile[bk][bj] = fetch(p.b, b_offset, k0 + bk, j0 + bj, p.k, p.n);
      }
      __syncthreads();
      #pragma unroll
      for (int k = 0; k < 16; ++k) {
        sum_type x[4], y[4];
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
          x[u] = a_tile[k][row + 16 * u];
          y[u] = b_tile[k][column + 16 * u];
        }
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
          #pragma unroll
          for (int v = 0; v < 4; ++v) {
            if (is_bool) sums[u][v] |= x[u] & y[v];
            else sums[u][v] += x[u] * y[v];
          }
        }
      }
      __syncthreads();
    }
    for (int u = 0; u < 4; ++u) {
      for (int v = 0; v < 4; ++v) {
        const long long i = i0 + row + 16 * u;
        const long long j = j0 + column + 16 * v;
        if (i < p.m && j < p.n) {
          reinterpret_cast<element*>(p.c.data)[c_offset + i * p.c.row + j * p.c.column] =
              static_cast<element>(sums[u][v]);
        }
      }
    }
  }
}
)";

/// The kernel's text for an element type: integers are added in 32 or 64 bits, which wrap alike.
[[gnu::cold]] inline std::string gemm_kernel_source(dtype type) {
  const char* names[] = {
      "bool",     "signed char",       "short", "int", "long long", "unsigned char", "unsigned short",
      "unsigned", "unsigned long long"};
  return std::string("using element = ") + names[static_cast<int>(type)] +
         ";\nusing sum_type = " + (itemsize(type) == 8 ? "unsigned long long" : "unsigned") +
         ";\nconstexpr bool is_bool = " + (type == dtype::bool_ ? "true" : "false") + ";\n" + gemm_kernel_text;
}

/// What the kernel takes, as its text declares it.
struct gemm_arguments {
  struct operand {
    char* data;
    long long row, column, batch[max_rank];
    explicit operand(const gemm_operand& o) : data(o.data), row(o.row), column(o.column) {
      std::copy(o.batch, o.batch + max_rank, batch);
    }
  };
  long long m, n, k, batch_rank, batch[max_rank];
  operand a, b, c;
  explicit gemm_arguments(const gemm_job& j)
      : m(j.m), n(j.n), k(j.k), batch_rank(j.batch_rank), a(j.a), b(j.b), c(j.c) {
    std::copy(j.batch, j.batch + max_rank, batch);
  }
};

inline void multiply_integers_on_gpu(gemm_job& j, dtype type) {
  static std::atomic<CUfunction> kernels[static_cast<int>(dtype::uint64) + 1][most_gpus];
  gpu& hardware = activate(j.c.block->device.ordinal());
  stream_state* stream = current_stream(hardware);
  for (const gemm_operand* o : {&j.a, &j.b, &j.c}) use_on_stream(*o->block, stream);
  collapse_batch(j);
  std::atomic<CUfunction>& kernel = kernels[static_cast<int>(type)][hardware.ordinal];
  if (kernel.load() == nullptr) kernel = load_kernel(hardware, gemm_kernel_source(type));

  gemm_arguments arguments(j);
  void* parameters[] = {&arguments};
  const index_t tiles = ((j.m + 63) / 64) * ((j.n + 63) / 64) * j.batch_count();
  const auto blocks = static_cast<unsigned>((std::min)(tiles, index_t{0x7fffffff}));
  GNP_CUDA_CALL(cuLaunchKernel, kernel.load(), blocks, 1, 1, 256, 1, 1, 0, stream->handle, parameters, nullptr);
}

}  // namespace gnp::inline GNP_ABI::detail

#endif
