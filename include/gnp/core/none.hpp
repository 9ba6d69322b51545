// SPDX-License-Identifier: MIT
// none: Python's None, for what is left out.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI {

/// The type of none.
struct none_t {};
/// Python's None: a slice's bound that is left out, all axes, no particular order of a norm.
inline constexpr none_t none{};

}}  // namespace gnp::GNP_ABI
