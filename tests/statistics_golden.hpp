// SPDX-License-Identifier: MIT
// The lines of tests/data/statistics.txt; tests/golden/make_statistics.py says what they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "golden.hpp"

namespace statistics_golden {

struct line {
  std::string text, function, dtype, options, numbers;
  gnp::shape_t shape, result;

  bool has(const std::string& word) const {
    const auto words = golden::split(options, " ");
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  /// What stands after "name="; empty where it does not.
  std::string option(const std::string& name) const {
    for (const std::string& word : golden::split(options, " ")) {
      if (word.rfind(name + "=", 0) == 0) return word.substr(name.size() + 1);
    }
    return "";
  }
};

inline std::vector<line> lines_of(const std::vector<std::string>& functions) {
  std::vector<line> found;
  for (const std::string& text : golden::split(golden::read_file("statistics.txt"), "\n")) {
    const auto f = golden::split(text, ";");
    if (std::find(functions.begin(), functions.end(), f[0]) == functions.end()) continue;
    found.push_back(
        {text, f[0], f.at(1), f.at(3), f.at(5), golden::parse_shape(f.at(2)), golden::parse_shape(f.at(4))});
  }
  return found;
}

inline gnp::axes_t axes_of(const line& l) {
  const std::string text = l.option("axis");
  return text.empty() ? gnp::axes_t(gnp::none) : gnp::axes_t(golden::parse_shape(text));
}

inline gnp::index_t element_count(const gnp::shape_t& shape) {
  gnp::index_t count = 1;
  for (const gnp::index_t size : shape) count *= size;
  return count;
}

/// As values() of make_statistics.py.
template <class T>
gnp::array<T> values(const gnp::shape_t& shape, gnp::index_t seed = 0) {
  gnp::host_array<T> host(shape);
  for (gnp::index_t j = 0; j < host.size(); ++j) {
    const gnp::index_t k = (j * 7919 + seed * 31 + j / 7 + j * j / 3) % 37;
    if constexpr (std::is_same_v<T, bool>) {
      host[j] = k > 18;
    } else if constexpr (golden::is_complex_v<T>) {
      host[j] = T(static_cast<double>(k) / 4, static_cast<double>((j * 5 + seed) % 7));
    } else if constexpr (golden::is_float_v<T>) {
      const bool nan = seed == 9 && (j % 5 == 2 || j / 6 % 4 == 3);
      host[j] = static_cast<T>(nan ? gnp::nan : static_cast<double>(k) / 4 - 3);
    } else {
      host[j] = static_cast<T>(k * 3);
    }
  }
  return gnp::asarray(host);
}

/// Are these NumPy's numbers, but for a part of each, or of 1?
template <class R>
void check(const line& l, const gnp::array<R>& got, double distance) {
  REQUIRE(got.shape() == l.result);
  const auto host = gnp::asnumpy(got);
  const auto words = golden::split(l.numbers, " ");
  const auto close = [&](double g, double e) {
    return g == e || (std::isnan(g) && std::isnan(e)) || std::abs(g - e) <= distance * (1 + std::abs(e));
  };
  for (gnp::index_t i = 0; i < host.size(); ++i) {
    const auto parts = golden::split(words.at(static_cast<std::size_t>(i)), ",");
    bool right = false;
    if constexpr (golden::is_complex_v<R>) {
      right = close(host[i].real(), std::stod(parts.at(0))) && close(host[i].imag(), std::stod(parts.at(1)));
    } else {
      right = close(static_cast<double>(host[i]), std::stod(parts.at(0)));
    }
    if (right) continue;
    FAIL_CHECK("element " << i << " is " << golden::describe(static_cast<R>(host[i])) << ", NumPy's is "
                          << words[static_cast<std::size_t>(i)]);
  }
}

}  // namespace statistics_golden
