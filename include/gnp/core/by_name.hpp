// SPDX-License-Identifier: MIT
// Options are given by name alone: sum(x, {.axis = 1, .keepdims = true}), as Python's keyword arguments.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI {

/// The first member of every struct of options. Nothing in braces makes one, so braces without names are never
/// read as options: {0, 1} is a list of axes, a shape or an error.
class by_name {
 public:
  explicit constexpr by_name() = default;
};

}}  // namespace gnp::GNP_ABI
