// SPDX-License-Identifier: MIT
// The checks of array parameters whose element type is always the same.
#pragma once

#include <gnp/random/array_parameters.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE void check_trials(const char* function,
                                     const law_parameter<std::int64_t, long long>& trials) {
  if (trials.is_array()) {
    refuse_where(function, "n < 0", trials.values() < std::int64_t{0});
  } else if (trials.value() < 0) {
    throw_parameter(function, "n < 0", "n", static_cast<double>(trials.value()));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
