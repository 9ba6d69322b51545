// SPDX-License-Identifier: MIT
// Rows to be sorted on a GPU, without their C++ type.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/core/dtype.hpp>
#include <gnp/core/shape.hpp>
#include <gnp/cuda/kernel.hpp>
#include <gnp/memory/storage.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernels of one element type, with places and without.
struct sort_kernels {
  device_kernel lanes[2][8];  // by the logarithm of how many elements they sort, less 1
  device_kernel block[2][4];  // the same, less 9
  device_kernel count[2];     // by wide
  device_kernel starts[2];
  device_kernel pass[2][2];
  device_kernel upper_pass[2];  // by wide
  device_kernel select;
};

/// Contiguous rows to be sorted, into memory that does not overlap them.
struct sort_request {
  dtype type;
  bool with_places;
  bool descending;
  index_t rows;
  index_t length;
  storage* from_block;
  storage* to_block;
  const void* from;
  void* to;  // elements, or index_t if with_places
  sort_kernels* kernels;
  const char* function;
};

GNP_DECLARED void sort_rows_on_gpu(const sort_request& r);
/// Can the lanes of a warp keep `taken` elements? More are found by sorting.
constexpr bool can_select(index_t length, index_t taken) {
  return taken > 0 && taken <= 32 && length >= 128 && length < index_t{0xffffffff};
}

/// Writes `taken` places for each row to r.to, in order.
GNP_DECLARED void select_rows_on_gpu(const sort_request& r, index_t taken);

}}}  // namespace gnp::GNP_ABI::detail

#endif
