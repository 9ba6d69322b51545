// SPDX-License-Identifier: MIT
// Kernel text: the factors of Householder reflections whose columns had all but vanished.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// I - tau v vᴴ is unitary for tau = 2 / vᴴv. cuSOLVER squares what is left of a column without scaling it:
// where that is denormal (every column depends on the first, as in a matrix of ones), its tau has only a few
// digits. Such a column is negligible compared with what is above its diagonal, so the direction into which the
// reflection turns it does not matter. One block for each column; `vanished` says whether there was such a
// column.
inline constexpr const char* reflections_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const real* packed, long long rows, long long columns, long long count,
                                      int parts, real* factors, int* vanished) {
  constexpr real tiny = sizeof(real) == 4 ? real(1e-15) : real(1e-145);
  constexpr real nothing = sizeof(real) == 4 ? real(7e-9) : real(1e-17);
  __shared__ real heads[128];
  __shared__ real tails[128];
  const long long matrix = blockIdx.x / count;
  const long long column = blockIdx.x % count;
  const real* const p = packed + (matrix * columns + column) * rows * parts;
  const int thread = threadIdx.x;
  const real diagonal = fabs(p[column * parts]) + (parts == 2 ? fabs(p[column * 2 + 1]) : real(0));
  if (!(diagonal < tiny)) return;
  real head = 0;
  real tail = 0;
  for (long long i = thread; i < column * parts; i += 128) head = fmax(head, fabs(p[i]));
  for (long long i = (column + 1) * parts + thread; i < rows * parts; i += 128) tail += p[i] * p[i];
  heads[thread] = head;
  tails[thread] = tail;
  for (int half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      heads[thread] = fmax(heads[thread], heads[thread + half]);
      tails[thread] += tails[thread + half];
    }
  }
  if (thread != 0 || !(diagonal <= nothing * heads[0]) || !(tails[0] > 0)) return;
  *vanished = 1;
  factors[blockIdx.x * static_cast<long long>(parts)] = 2 / (1 + tails[0]);
  if (parts == 2) factors[blockIdx.x * 2LL + 1] = 0;
}
)";

}}}  // namespace gnp::GNP_ABI::detail
