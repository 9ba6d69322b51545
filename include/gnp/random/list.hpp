// SPDX-License-Identifier: MIT
// A list of numbers as a parameter: {0.2, 0.8}, a vector or an array.
#pragma once

#include <concepts>
#include <cstdint>
#include <gnp/array/asarray.hpp>
#include <gnp/core/error.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace random {

class number_list {
 public:
  number_list(std::initializer_list<double> values) : listed_(values) {}
  template <class Number>
    requires std::is_arithmetic_v<Number>
  number_list(const std::vector<Number>& values) : listed_(values.begin(), values.end()) {}
  template <array_like X>
  number_list(const X& values) : array_(asarray<double>(values)) {
    static_assert(!is_complex(dtype_of<typename X::value_type>), "gnp: parameters of distributions are real");
  }

  /// The device of the array, if one was given; nothing for a list.
  std::optional<gnp::device> device() const {
    return array_ ? std::optional<gnp::device>(array_->device()) : std::nullopt;
  }
  /// As an array: an array unchanged, a list on this device.
  GNP_ON_USE array<double> on(gnp::device where) const {
    if (array_) return *array_;
    const use_device guard(where);
    return asarray(listed_.data(), shape_t{static_cast<index_t>(listed_.size())});
  }

 private:
  std::vector<double> listed_;
  std::optional<array<double>> array_;
};

/// A matrix of numbers in braces.
using covariance_list = std::initializer_list<std::initializer_list<double>>;

/// One number of a list of seeds.
class seed_word {
 public:
  template <std::integral Word>
  seed_word(Word word) : word_(static_cast<std::uint64_t>(word)) {
    if (std::cmp_less(word, 0)) throw error("default_rng: a seed is not negative, got " + std::to_string(word));
  }
  operator std::uint64_t() const { return word_; }

 private:
  std::uint64_t word_;
};

}}}  // namespace gnp::GNP_ABI::random
