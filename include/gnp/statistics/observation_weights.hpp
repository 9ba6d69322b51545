// SPDX-License-Identifier: MIT
// Weights as an option: {.weights = w}.
#pragma once

#include <gnp/routines/array_or_list.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Weights of observations: any real array, a std::vector, or numbers in braces, two at least; or none.
using observation_weights = detail::optional_array_or_list<double>;
/// The same where weights must be given.
using named_observation_weights = detail::array_or_list<double>;

}}  // namespace gnp::GNP_ABI
