// SPDX-License-Identifier: MIT
// Choices from a population, with equal or with given probabilities.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/random/fill.hpp>
#include <gnp/random/take.hpp>
#include <gnp/routines/manipulation.hpp>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// The probabilities that a vector holds.
GNP_DECLARED_ON_USE std::vector<double> listed_probabilities(const array<double>& p);

}  // namespace detail

namespace random {

/// The probabilities of a choice: {0.2, 0.8}, a vector or an array. If none are given, all are the same.
class probabilities {
 public:
  probabilities() = default;
  probabilities(std::initializer_list<double> values) : values_(values), given_(true) {}
  probabilities(std::vector<double> values) : values_(std::move(values)), given_(true) {}
  template <array_like X>
  probabilities(const X& values)
      : values_(detail::listed_probabilities(asarray<double>(values))),
        given_(true),
        tolerance_(tolerance_of<typename X::value_type>()) {}

  bool given() const { return given_; }
  const std::vector<double>& values() const { return values_; }
  /// How far from 1 the sum may be: as much as rounding to the given type can cause, as in NumPy.
  double tolerance() const { return tolerance_; }

 private:
  /// The root of the distance from 1 to the next number.
  template <class T>
  static constexpr double tolerance_of() {
    return std::is_same_v<T, half>       ? 0x1p-5
           : std::is_same_v<T, bfloat16> ? 0.0884
           : std::is_same_v<T, float>    ? 3.5e-4
                                         : 1.5e-8;
  }

  std::vector<double> values_;
  bool given_ = false;
  double tolerance_ = tolerance_of<double>();
};

struct choice_options {
  by_name only = by_name();
  shape_t size = {};     // unless it is given by position
  bool replace = true;   // may one be chosen twice?
  probabilities p = {};  // of each; all the same unless given
  int axis = 0;          // along which an array's parts are chosen
  bool shuffle = true;   // without replacement: NumPy may leave the order as it is if false; here it is random
};

}  // namespace random

namespace detail {

/// Indices into a population of `count`, on the call's device.
GNP_DECLARED_ON_USE array<index_t> chosen(const random_call& call, index_t count, const shape_t& shape,
                                          const random::choice_options& options);

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/random/chosen.hpp>
#endif
