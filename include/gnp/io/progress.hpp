// SPDX-License-Identifier: MIT
// How far a transfer of a file is.
#pragma once

#include <functional>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Told now and then how many bytes of how many are done, by the thread that called load or save. What it
/// throws ends the call.
using progress_function = std::function<void(index_t done, index_t total)>;

}}  // namespace gnp::GNP_ABI
