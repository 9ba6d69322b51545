// SPDX-License-Identifier: MIT
// none: Python's None, for an argument that is left out.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI {

/// The type of none.
struct none_t {};
/// Python's None. It can mean a bound that a slice leaves out, all axes, or the default order of a norm.
inline constexpr none_t none{};

}}  // namespace gnp::GNP_ABI
