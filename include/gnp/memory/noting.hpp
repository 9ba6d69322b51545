// SPDX-License-Identifier: MIT
// How recorded work tells the recording which blocks it uses.
#pragma once

#include <gnp/memory/recording.hpp>
#include <gnp/memory/submission.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE void submission::begin_recorded() const {
  static_cast<recording*>(stream_->recorded)->start_held();
  stream_->recorded->order().begin_work();
}
[[gnu::cold]] GNP_INLINE void submission::end_recorded() const noexcept {
  stream_->recorded->order().end_work();
}

[[gnu::cold]] GNP_INLINE void submission::note(storage& block, bool written) const {
  if (block.bytes == 0) return;
  static_cast<recording*>(stream_->recorded)->note(block, written);
  note(block.data, block.bytes, written);
}
[[gnu::cold]] GNP_INLINE void submission::note(const void* memory, std::size_t bytes, bool written) const {
  stream_->recorded->order().uses(memory, bytes, written);
}
[[gnu::cold]] GNP_INLINE void submission::note_anything() const { stream_->recorded->order().uses_anything(); }
[[gnu::cold]] GNP_INLINE void submission::note_launch(CUfunction function, const launch_shape& shape,
                                                      function_ref<void(movable_launch&)> describe) const {
  movable_launch made(function, shape);
  describe(made);
  static_cast<recording*>(stream_->recorded)->note(std::move(made));
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
