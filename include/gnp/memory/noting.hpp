// SPDX-License-Identifier: MIT
// Work that is recorded tells the recording which blocks it uses.
#pragma once

#include <gnp/memory/recording.hpp>
#include <gnp/memory/submission.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE void submission::note(storage& block, bool written) const {
  if (block.bytes != 0) static_cast<recording*>(stream_->recorded)->note(block, written);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
