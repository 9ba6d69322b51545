// SPDX-License-Identifier: MIT
// Golden results under names: the test makes the arrays that the Python script made, calls gnp's functions and
// compares with what NumPy's gave.
//
//     name | dtype | shape | values, the parts of a complex number one after the other
//     name | error
#pragma once

#include <map>
#include <set>

#include "devices.hpp"
#include "golden.hpp"

class named_golden {
 public:
  explicit named_golden(const std::string& path) {
    for (const std::string& line : golden::split(golden::read_file(path), "\n")) {
      if (line.empty() || line[0] == '#') continue;
      auto parts = golden::split(line, " | ");
      const std::string name = parts.at(0);
      if (!cases_.emplace(name, std::move(parts)).second) throw std::logic_error("golden: twice " + name);
    }
  }

  /// Is this NumPy's result: type, shape and values, these within so many units of the largest's last place?
  template <class T>
  void check(const std::string& name, const gnp::array<T>& result, double ulps = 0) {
    INFO(name);
    const std::vector<std::string>* parts = find(name);
    if (parts == nullptr || parts->size() != 4) {
      FAIL_CHECK("not what NumPy does");
      return;
    }
    CHECK((*parts)[1] == gnp::name(gnp::dtype_of<T>));
    CHECK((*parts)[2] == gnp::to_string(result.shape()));
    const auto words = (*parts)[3].empty() ? std::vector<std::string>{} : golden::split((*parts)[3], " ");
    const gnp::host_array<T> got = gnp::asnumpy(result);
    std::vector<long double> values;
    for (const T& value : got) append(values, value);
    if (values.size() != words.size()) {
      FAIL_CHECK(values.size() << " values, NumPy has " << words.size());
      return;
    }
    long double largest = 0;
    for (const std::string& word : words) {
      const long double value = std::abs(std::stold(word));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    const auto allowed = static_cast<long double>(ulps) * static_cast<long double>(epsilon<T>()) * largest;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const long double expected = parse<T>(words[i]);
      const bool same = std::isnan(expected)
                            ? std::isnan(values[i])
                            : values[i] == expected || std::abs(values[i] - expected) <= allowed;
      if (!same) FAIL_CHECK("value " << i << ": " << values[i] << ", NumPy's is " << words[i]);
    }
  }
  template <gnp::array_like X>
    requires(!gnp::detail::is_array_v<X>)
  void check(const std::string& name, const X& result, double ulps = 0) {
    check(name, result.eval(), ulps);
  }
  /// Each of several results, which the script wrote as "name 0", "name 1", ...
  template <class T>
  void check(const std::string& name, const std::vector<gnp::array<T>>& results, double ulps = 0) {
    for (std::size_t i = 0; i < results.size(); ++i) check(name + " " + std::to_string(i), results[i], ulps);
    CHECK(find(name + " " + std::to_string(results.size()), false) == nullptr);
  }
  /// NumPy refuses it, too.
  template <class Error, class F>
  void refuses(const std::string& name, const std::string& sentence, const F& call) {
    INFO(name);
    const std::vector<std::string>* parts = find(name);
    CHECK((parts != nullptr && parts->size() == 2));
    CHECK_THROWS_AS(call(), Error);
    CHECK_THROWS_WITH(call(), contains(sentence));
  }
  /// After the last check: was every line of the file asked for?
  void check_complete() const {
    for (const auto& [name, parts] : cases_) {
      if (!asked_.count(name)) FAIL_CHECK("not checked: " << name);
    }
  }

 private:
  const std::vector<std::string>* find(const std::string& name, bool asked = true) {
    const auto found = cases_.find(name);
    if (found == cases_.end()) return nullptr;
    if (asked) asked_.insert(name);
    return &found->second;
  }
  template <class T>
  static void append(std::vector<long double>& values, const T& value) {
    if constexpr (golden::is_complex_v<T>) {
      values.push_back(value.real());
      values.push_back(value.imag());
    } else if constexpr (std::is_integral_v<T>) {
      values.push_back(static_cast<long double>(value));
    } else {
      values.push_back(static_cast<double>(value));
    }
  }
  template <class T>
  static long double parse(const std::string& word) {
    if constexpr (std::is_integral_v<T>) {
      return std::stold(word);
    } else {
      return std::stod(word);  // the shortest text that means this double
    }
  }
  template <class T>
  static double epsilon() {
    if constexpr (golden::is_complex_v<T>) {
      return epsilon<typename T::value_type>();
    } else if constexpr (std::is_integral_v<T>) {
      return 0;
    } else if constexpr (sizeof(T) == 2) {
      return std::is_same_v<T, gnp::half> ? 0x1p-10 : 0x1p-7;
    } else {
      return static_cast<double>(std::numeric_limits<T>::epsilon());
    }
  }

  std::map<std::string, std::vector<std::string>> cases_;
  std::set<std::string> asked_;
};

/// The numbers that the scripts' numbers(shape, dtype) makes: all types can hold them, and none is like its
/// neighbours.
template <class T>
gnp::array<T> numbers(const gnp::shape_t& shape) {
  gnp::host_array<T> values(shape);
  for (gnp::index_t i = 0; i < values.size(); ++i) {
    const auto n = static_cast<int>(i * 7 % 23);
    if constexpr (std::is_same_v<T, bool>) {
      values[i] = n > 11;
    } else if constexpr (golden::is_complex_v<T>) {
      values[i] = T(static_cast<float>(n - 9) / 4, static_cast<float>(i % 5));
    } else if constexpr (std::is_integral_v<T>) {
      values[i] = static_cast<T>(n);
    } else {
      values[i] = T(static_cast<float>(n - 9) / 4);
    }
  }
  return gnp::asarray(values.data(), shape);
}
