// SPDX-License-Identifier: MIT
// A short sort that compiles very fast: std::sort takes twenty times as long, in every file that includes gnp.
#pragma once

#include <cstdlib>
#include <gnp/core/config.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Sorts pointers by what they point to. `Compare` says less, equal or greater of two, as qsort's does.
template <class T, int (*Compare)(const T&, const T&)>
void sort_pointers(std::vector<T*>& pointers) {
  if (pointers.empty()) return;  // qsort must not get a null pointer, not even for no elements
  std::qsort(pointers.data(), pointers.size(), sizeof pointers[0], [](const void* a, const void* b) {
    return Compare(**static_cast<T* const*>(a), **static_cast<T* const*>(b));
  });
}

}}}  // namespace gnp::GNP_ABI::detail
