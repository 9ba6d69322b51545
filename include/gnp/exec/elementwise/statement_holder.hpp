// SPDX-License-Identifier: MIT
// statement_holder: receives the statements of a recording before they are queued. Programs without graphs have
// none.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/layout/job.hpp>
#include <gnp/memory/recording.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct leaf_view;
struct reduction;
struct statement;

struct statement_holder : work_holder {
  /// Takes an elementwise statement. False if it has to run now.
  bool (*hold)(statement_holder&, const job&);
  /// Runs a reduction that reads results of held statements; its axes must not have been collapsed yet. False
  /// if it reads no such results, or if it is better to read them from memory.
  bool (*reduce)(statement_holder&, const reduction&, const bool* reduced, const char* function);
  /// Takes a statement with reductions in it. False if it has to run now.
  bool (*hold_rows)(statement_holder&, const statement&, const expression_code& text,
                    const leaf_view& destination);
};

/// The holder of this thread's recording; null if nothing is being recorded.
inline statement_holder* holder_here() {
  if (recording_here == nullptr) [[likely]]
    return nullptr;
  return static_cast<statement_holder*>(static_cast<recording*>(recording_here)->holder());
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
