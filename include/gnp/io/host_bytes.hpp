// SPDX-License-Identifier: MIT
// The elements of an array on the host, in row-major order, without their type.
#pragma once

#include <gnp/io/elements.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::vector<char> host_bytes(const any_array& x) {
  std::vector<char> dense(static_cast<std::size_t>(x.nbytes()));
  copy_to_host(*x.block().get(), dense.data(), x.data(), dense.size());
  if (x.is_contiguous()) return dense;
  std::vector<char> ordered(dense.size());
  const std::size_t bytes = itemsize(x.dtype());
  const shape_t& strides = x.element_strides();
  shape_t index(x.shape().size(), 0);
  index_t from = 0;
  for (std::size_t to = 0; to < ordered.size(); to += bytes) {
    std::memcpy(ordered.data() + to, dense.data() + static_cast<std::size_t>(from) * bytes, bytes);
    for (int d = x.ndim(); d-- > 0;) {  // the next index, the last axis first
      from += strides[d];
      if (++index[d] < x.shape()[d]) break;
      from -= strides[d] * x.shape()[d];
      index[d] = 0;
    }
  }
  return ordered;
}

}}}  // namespace gnp::GNP_ABI::detail
