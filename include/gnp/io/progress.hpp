// SPDX-License-Identifier: MIT
// Reports how far the transfer of a file has got.
#pragma once

#include <functional>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Called now and then with how many bytes of how many are done, on the thread that called load or save. An
/// exception thrown by it ends the call.
using progress_function = std::function<void(index_t done, index_t total)>;

}}  // namespace gnp::GNP_ABI
