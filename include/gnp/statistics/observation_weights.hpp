// SPDX-License-Identifier: MIT
// Weights as an option: {.weights = w}.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/routines/reductions.hpp>
#include <optional>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// Weights of observations: any real array.
class observation_weights {
 public:
  observation_weights() = default;
  template <array_like W>
  observation_weights(const W& weights) : values_(array<double>(detail::in_type<double>(weights))) {
    static_assert(!is_complex(dtype_of<typename W::value_type>), "gnp: the weights of observations are real");
  }
  template <class Numbers>
    requires(detail::is_host_vector_v<Numbers>)
  observation_weights(const Numbers& weights) : listed_(std::vector<double>(weights.begin(), weights.end())) {}
  /// Numbers in braces, two at least: {.weights = {1, 2.5}}.
  template <scalar_like A, scalar_like B, scalar_like... More>
  observation_weights(A first, B second, More... more)
      : listed_(std::vector<double>{static_cast<double>(first), static_cast<double>(second),
                                    static_cast<double>(more)...}) {}

  bool given() const { return values_ || listed_; }
  /// Numbers that the host listed are copied to the device of what they weigh.
  array<double> values(device where) const {
    if (values_) return *values_;
    const use_device guard(where);
    return asarray(*listed_);
  }

 private:
  std::optional<array<double>> values_;
  std::optional<std::vector<double>> listed_;
};

/// The same without a default: options that have such a member can only be made with weights, so that a
/// function has another overload for those without.
struct named_observation_weights : observation_weights {
  template <array_like W>
  named_observation_weights(const W& weights) : observation_weights(weights) {}
  template <class Numbers>
    requires(detail::is_host_vector_v<Numbers>)
  named_observation_weights(const Numbers& weights) : observation_weights(weights) {}
  template <scalar_like A, scalar_like B, scalar_like... More>
  named_observation_weights(A first, B second, More... more) : observation_weights(first, second, more...) {}
};

}}  // namespace gnp::GNP_ABI
