// SPDX-License-Identifier: MIT
// Work of a GPU that waited for another process and was ended, because that did not come: its results mean
// nothing, and whoever waits for them is told.
#pragma once

#include <gnp/cuda/context.hpp>
#if GNP_HAS_CUDA

#include <memory>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What there is to say of a GPU's work; null where nothing is.
GNP_INLINE std::atomic<const std::string*>& ended_work_of_gpu(int ordinal) {
  static constinit std::array<std::atomic<const std::string*>, most_gpus> all{};
  return all.at(static_cast<std::size_t>(ordinal));
}

[[gnu::cold]] GNP_INLINE void note_ended_work_of_gpu(int ordinal, const std::string& why) {
  delete ended_work_of_gpu(ordinal).exchange(new std::string(why));
}

inline void forget_ended_work_of_gpu(int ordinal) { delete ended_work_of_gpu(ordinal).exchange(nullptr); }

/// Whoever has waited for a GPU calls it.
GNP_INLINE void throw_ended_work_of_gpu(int ordinal) {
  std::atomic<const std::string*>& noted = ended_work_of_gpu(ordinal);
  if (noted.load(std::memory_order_acquire) == nullptr) [[likely]]
    return;
  const std::unique_ptr<const std::string> why(noted.exchange(nullptr));
  if (why != nullptr) throw distributed_error(*why);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
