// SPDX-License-Identifier: MIT
// Places in the order of their keys.
#pragma once

#include <algorithm>
#include <gnp/core/config.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Sorts places by key(place). Places with equal keys stay in ascending order, and those with a NaN come last.
/// (std::stable_sort allocates memory in a way of which clang 19 warns.)
template <class Place, class Key>
void sort_places(std::vector<Place>& places, const Key& key) {
  std::sort(places.begin(), places.end(), [&key](Place a, Place b) {
    const auto x = key(a), y = key(b);
    if (x < y || y < x) return x < y;
    const bool x_is_nan = !(x == x), y_is_nan = !(y == y);
    return x_is_nan == y_is_nan ? a < b : y_is_nan;
  });
}

}}}  // namespace gnp::GNP_ABI::detail
