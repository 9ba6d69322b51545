// SPDX-License-Identifier: MIT
// How the record of a bad index is checked, and how the error is thrown.
#pragma once

#include <array>
#include <gnp/memory/bad_index.hpp>
#include <mutex>
#include <new>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn, gnu::cold]] GNP_INLINE void throw_out_of_bounds(const char* function, const std::string& index,
                                                            int axis, long long size) {
  const std::string what = axis < 0 ? "an array of" : "axis " + std::to_string(axis) + " with";
  throw index_error(std::string(function) + ": index " + index + " is out of bounds for " + what + " size " +
                    std::to_string(size));
}

[[gnu::cold]] GNP_INLINE void throw_bad_index(bad_index& found) {
  const bad_index error = found;
  std::atomic_ref(found.state).store(0, std::memory_order_release);
  const std::string index = error.is_unsigned != 0
                                ? std::to_string(static_cast<unsigned long long>(error.index))
                                : std::to_string(error.index);
  throw_out_of_bounds(error.function, index, error.axis, error.size);
}

GNP_INLINE bad_index& bad_index_on_cpu() {
  static constinit thread_local bad_index found;
  return found;
}

GNP_INLINE void throw_bad_index_on_cpu() {
  bad_index& found = bad_index_on_cpu();
  // (Other threads may be writing it down.)
  if (std::atomic_ref(found.state).load(std::memory_order_acquire) == 2) [[unlikely]]
    throw_bad_index(found);
}

#if GNP_HAS_CUDA

GNP_INLINE std::atomic<bad_index*>& bad_index_of_gpu(int ordinal) {
  static constinit std::array<std::atomic<bad_index*>, most_gpus> all{};
  return all.at(static_cast<std::size_t>(ordinal));
}

GNP_INLINE bad_index* make_bad_index_of_gpu(int ordinal) {
  std::atomic<bad_index*>& known = bad_index_of_gpu(ordinal);
  if (bad_index* record = known.load(std::memory_order_acquire)) return record;
  static std::mutex& making = *new std::mutex;
  const std::lock_guard lock(making);
  if (bad_index* record = known.load(std::memory_order_acquire)) return record;
  activate(ordinal);
  auto* const record = new (allocate_page_locked(sizeof(bad_index))) bad_index;
  known.store(record, std::memory_order_release);
  return record;
}

GNP_INLINE void throw_bad_index_of_gpu(int ordinal) {
  throw_ended_work_of_gpu(ordinal);
  bad_index* const found = bad_index_of_gpu(ordinal).load(std::memory_order_acquire);
  if (found == nullptr) return;
  if (std::atomic_ref(found->state).load(std::memory_order_acquire) == 2) [[unlikely]]
    throw_bad_index(*found);
}

GNP_INLINE std::atomic<bool>& checks_indices_at_once() {
  static constinit std::atomic<bool> wanted{false};
  return wanted;
}

GNP_INLINE bool& indices_were_sent() {
  static constinit thread_local bool sent = false;
  return sent;
}

GNP_INLINE void check_sent_indices(device where) {
  if (!indices_were_sent()) [[likely]]
    return;
  indices_were_sent() = false;
  if (recording_here != nullptr) return;  // a bad index is then found by the call that waits for a replay
  gpu& device = activate(where.ordinal());
  GNP_CUDA_CALL(cuStreamSynchronize, current_stream(device)->handle);
  throw_bad_index_of_gpu(where.ordinal());
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
