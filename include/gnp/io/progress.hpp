// SPDX-License-Identifier: MIT
// Reports the progress of reading or writing a file.
#pragma once

#include <functional>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Called from time to time with the number of bytes done and in total, on the thread that called load or save.
/// An exception that it throws ends the call.
using progress_function = std::function<void(index_t done, index_t total)>;

}}  // namespace gnp::GNP_ABI
