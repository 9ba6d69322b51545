// SPDX-License-Identifier: MIT
// Weights as an option: {.weights = w}.
#pragma once

#include <gnp/routines/reductions.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

/// Weights of observations: any real array.
class observation_weights {
 public:
  observation_weights() = default;
  template <array_like W>
  observation_weights(const W& weights) : values_(array<double>(detail::in_type<double>(weights))) {
    static_assert(!is_complex(dtype_of<typename W::value_type>), "gnp: the weights of observations are real");
  }
  bool given() const { return values_.has_value(); }
  const array<double>& values() const { return *values_; }

 private:
  std::optional<array<double>> values_;
};

}}  // namespace gnp::GNP_ABI
