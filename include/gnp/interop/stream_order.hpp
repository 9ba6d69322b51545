// SPDX-License-Identifier: MIT
// How gnp's work on a block is ordered before and after that of other code.
#pragma once

#include <gnp/interop/foreign_stream.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A stream of other code, for order_after, on a GPU whose context is current. It is not kept, because its
/// owner may destroy it at any time.
class foreign_stream {
 public:
  foreign_stream(gpu& device, void* handle) {
    state_.handle = static_cast<CUstream>(handle);
    state_.ordinal = device.ordinal;
    GNP_CUDA_CALL(cuEventCreate, &state_.event, CU_EVENT_DISABLE_TIMING);
  }
  foreign_stream(const foreign_stream&) = delete;
  foreign_stream& operator=(const foreign_stream&) = delete;
  ~foreign_stream() { driver().cuEventDestroy(state_.event); }

  stream_state* state() { return &state_; }

 private:
  stream_state state_;
};

GNP_INLINE void hand_over(storage& block, void* stream) {
  if (block.device.is_cpu()) return;
  const submission work(block.device, submission::on_default_stream());
  work.writes(block);
  if (is_default_stream(stream)) return;
  foreign_stream consumer(work.device(), stream);
  order_after(work.stream(), consumer.state());
}

GNP_INLINE void take_over(storage& block, void* stream) {
  if (block.device.is_cpu() || block.bytes == 0) return;
  const submission work(block.device, submission::on_default_stream());
  block.uses.begin(work.stream());
  if (is_default_stream(stream)) return;
  foreign_stream producer(work.device(), stream);
  order_after(producer.state(), work.stream());
}

GNP_INLINE void take_over_behind(storage& block, const void* event) {
  if (block.device.is_cpu() || block.bytes == 0) return;
  const submission work(block.device, submission::on_default_stream());
  if (event != nullptr)
    GNP_CUDA_CALL(cuStreamWaitEvent, work.handle(), *static_cast<const CUevent*>(event), CU_EVENT_WAIT_DEFAULT);
  block.uses.begin(work.stream());
}

GNP_INLINE void wait_for_event(gnp::device where, const void* event) {
  activate(where.ordinal());
  GNP_CUDA_CALL(cuEventSynchronize, *static_cast<const CUevent*>(event));
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
