// SPDX-License-Identifier: MIT
// Several arrays that get names one by one, auto [i, j] = nonzero<2>(x): their number is a template argument.
#pragma once

#include <array>
#include <cstddef>
#include <gnp/array/array.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The first `Count` of several arrays; there must be as many.
template <std::size_t Count, element T>
std::array<array<T>, Count> named_arrays(const std::vector<array<T>>& arrays) {
  return [&arrays]<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<array<T>, Count>{arrays[Index]...};
  }(std::make_index_sequence<Count>());
}

}}}  // namespace gnp::GNP_ABI::detail
