// SPDX-License-Identifier: MIT
// NumPy's constants. Next to arrays they are weak, like all numbers: pi times an array of float is an array of
// float.
#pragma once

#include <gnp/core/config.hpp>
#include <limits>
#include <numbers>

namespace gnp { inline namespace GNP_ABI {

inline constexpr double pi = std::numbers::pi;
inline constexpr double e = std::numbers::e;
inline constexpr double euler_gamma = std::numbers::egamma;
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}}  // namespace gnp::GNP_ABI
