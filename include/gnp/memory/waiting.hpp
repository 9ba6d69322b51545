// SPDX-License-Identifier: MIT
// Waiting for a stream, and for all work of a device.
#pragma once

#include <gnp/memory/stream.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_INLINE void stream::synchronize() const {
#if GNP_HAS_CUDA
  if (state_ == nullptr) return;
  detail::require_no_recording("stream::synchronize() waits for work that is recorded, not done");
  detail::activate(device_.ordinal());
  GNP_CUDA_CALL(cuStreamSynchronize, state_->handle);
  detail::throw_bad_index_of_gpu(device_.ordinal());
#endif
}

GNP_INLINE void synchronize(device where) {
  if (where.is_cpu()) return;
#if GNP_HAS_CUDA
  detail::require_no_recording("synchronize() waits for work that is recorded, not done");
  detail::check_cuda(detail::wait_for_gpu(detail::activate(detail::require(where).ordinal())),
                     "cuCtxSynchronize");
  detail::throw_bad_index_of_gpu(where.ordinal());
#else
  detail::require(where);
#endif
}

}}  // namespace gnp::GNP_ABI
