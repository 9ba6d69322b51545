// SPDX-License-Identifier: MIT
// Options can only be given by name: sum(x, {.axis = 1, .keepdims = true}), like Python's keyword arguments.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI {

/// The first member of every struct of options. No value in braces converts to it, so braces without names are
/// never options: {0, 1} is a list of axes, a shape or an error.
class by_name {
 public:
  explicit constexpr by_name() = default;
};

}}  // namespace gnp::GNP_ABI
