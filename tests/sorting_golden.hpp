// SPDX-License-Identifier: MIT
// The arrays of tests/golden/make_sorting.py, and its lines.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using gnp::shape_t;

double real_element(index_t k) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {std::nan(""), infinity, -infinity, -0.0, 0.0};
  return k >= 18 && k < 23 ? special[k - 18] : static_cast<double>(k - 9) / 4;
}

// As element() of make_sorting.py.
template <class T>
T element(index_t j, index_t seed) {
  const index_t k = (j * 7919 + seed * 104729 + j * j % 13) % 23;
  if constexpr (std::is_same_v<T, bool>) {
    return k > 11;
  } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    using R = typename T::value_type;
    return T(static_cast<R>(real_element(k % 5 + 14 * (k % 3))), static_cast<R>(real_element(k % 7 + 12)));
  } else if constexpr (gnp::is_floating(gnp::dtype_of<T>)) {
    return static_cast<T>(static_cast<float>(real_element(k)));
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(k < 12 ? k : -k);
  } else {
    return static_cast<T>((k - 11) * (index_t{1} << (8 * sizeof(T) - 5)));
  }
}

template <class T>
array<T> made(const shape_t& shape, index_t seed) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) host[j] = element<T>(j, seed);
  return asarray(host);
}

std::vector<index_t> parsed_numbers(const std::string& text) {
  std::vector<index_t> result;
  std::istringstream in(text);
  for (index_t n; in >> n;) result.push_back(n);
  return result;
}

}  // namespace
