// SPDX-License-Identifier: MIT
// How ended work is recorded, and how the error is thrown after a wait.
#pragma once

#include <array>
#include <atomic>
#include <gnp/memory/ended_work.hpp>
#include <memory>
#include <string>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::atomic<const std::string*>& ended_work_of_gpu(int ordinal) {
  static constinit std::array<std::atomic<const std::string*>, most_gpus> all{};
  return all.at(static_cast<std::size_t>(ordinal));
}

[[gnu::cold]] GNP_INLINE void note_ended_work_of_gpu(int ordinal, const std::string& why) {
  delete ended_work_of_gpu(ordinal).exchange(new std::string(why));
}

GNP_INLINE void throw_ended_work_of_gpu(int ordinal) {
  std::atomic<const std::string*>& noted = ended_work_of_gpu(ordinal);
  if (noted.load(std::memory_order_acquire) == nullptr) [[likely]]
    return;
  const std::unique_ptr<const std::string> why(noted.exchange(nullptr));
  if (why != nullptr) throw distributed_error(*why);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
