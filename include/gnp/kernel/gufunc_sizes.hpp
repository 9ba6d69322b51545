// SPDX-License-Identifier: MIT
// What the arguments of a gufunc say about its dimensions.
#pragma once

#include <gnp/kernel/user_gufunc.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void gufunc_sizes::add(int i, const shape_t& shape) {
  const gufunc_core& core = signature_.cores[static_cast<std::size_t>(i)];
  const int outer = shape.rank() - core.rank;
  if (outer < 0) {
    throw shape_error(std::string(function_) + ": argument " + std::to_string(i + 1) + " has shape " +
                      to_string(shape) + ", and takes at least " + std::to_string(core.rank) + " dimensions");
  }
  for (int d = 0; d < core.rank; ++d) {
    const std::string_view name = core.dimensions[static_cast<std::size_t>(d)];
    const index_t size = shape[outer + d];
    const index_t known = of(name, size);
    if (known != size) {
      throw shape_error(std::string(function_) + ": argument " + std::to_string(i + 1) + " has shape " +
                        to_string(shape) + ", whose dimension " + std::string(name) + " has size " +
                        std::to_string(size) + ", not " + std::to_string(known));
    }
  }
  shape_t loop;
  for (int d = 0; d < outer; ++d) loop.push_back(shape[d]);
  loop_ = broadcast(function_, loop_, loop);
}

GNP_INLINE shape_t gufunc_sizes::shape_of(int i) {
  shape_t shape = loop_;
  const gufunc_core& core = signature_.cores[static_cast<std::size_t>(i)];
  for (int d = 0; d < core.rank; ++d) shape.push_back(of(core.dimensions[static_cast<std::size_t>(d)], 0));
  return shape;
}

GNP_INLINE index_t gufunc_sizes::of(std::string_view name, index_t said) {
  if (is_size(name)) {
    index_t size = 0;
    for (const char digit : name) size = 10 * size + (digit - '0');
    return size;
  }
  for (std::size_t i = 0; i < known_; ++i) {
    if (sizes_[i].name == name) return sizes_[i].size;
  }
  sizes_[known_++] = {name, said};
  return said;
}

}}}  // namespace gnp::GNP_ABI::detail
