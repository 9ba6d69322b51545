// SPDX-License-Identifier: MIT
// array_list<T>: several arrays as one result.
#pragma once

#include <cstddef>
#include <gnp/array/array.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// A std::vector of arrays. What [] takes out of a temporary list is an array of its own, and not a reference to
/// one that is gone: for (auto k : nonzero(x > 0)[0]).
template <element T>
class array_list : public std::vector<array<T>> {
 public:
  using std::vector<array<T>>::vector;

  array<T>& operator[](std::size_t i) & { return this->begin()[static_cast<std::ptrdiff_t>(i)]; }
  const array<T>& operator[](std::size_t i) const& { return this->begin()[static_cast<std::ptrdiff_t>(i)]; }
  array<T> operator[](std::size_t i) && { return std::move(this->begin()[static_cast<std::ptrdiff_t>(i)]); }
};

}}  // namespace gnp::GNP_ABI
