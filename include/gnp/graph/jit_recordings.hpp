// SPDX-License-Identifier: MIT
// jit_recordings: the recordings of a jit function, by signature.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/graph/jit.hpp>
#include <gnp/memory/movable_launch.hpp>
#include <gnp/memory/storage.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class jit_recordings {
 public:
  static constexpr std::size_t most = 32;

  /// The recording for this signature, or a new one. If there are too many, the least recently used one is
  /// dropped.
  GNP_INLINE std::shared_ptr<void> find(const std::string& signature, std::shared_ptr<void> (*make)()) {
    const std::lock_guard lock(lock_);
    entry* found = nullptr;
    entry* oldest = nullptr;
    for (entry& e : known_) {
      if (e.signature == signature) found = &e;
      if (oldest == nullptr || e.used < oldest->used) oldest = &e;
    }
    if (found == nullptr) {
      found = known_.size() < most ? &known_.emplace_back() : oldest;
      *found = {signature};
    }
    found->used = ++calls_;
    if (found->recording == nullptr) found->recording = make();
    return found->recording;
  }

 private:
  struct entry {
    std::string signature = {};
    std::shared_ptr<void> recording = {};
    std::uint64_t used = 0;
  };
  std::mutex lock_;
  std::vector<entry> known_;
  std::uint64_t calls_ = 0;
};

GNP_INLINE std::shared_ptr<jit_recordings> make_jit_recordings() { return std::make_shared<jit_recordings>(); }

GNP_INLINE std::shared_ptr<void> find_recording(jit_recordings& recordings, const std::string& signature,
                                                std::shared_ptr<void> (*make)()) {
  return recordings.find(signature, make);
}

GNP_INLINE bool moved_arrays::can_take(const storage& own, storage& given, void* data, index_t bytes,
                                       bool is_alike) {
  constexpr std::uintptr_t widest_access = 16;
  // A block that the recording does not use, and that nobody else refers to, needs no memory in its place.
  if (!work_.uses(own) && own.references.load(std::memory_order_acquire) == 1) return true;
  const auto* const begin = static_cast<const char*>(bytes < 0 ? given.data : data);
  const given_argument made{&own, &given, begin,
                            begin + (bytes < 0 ? static_cast<index_t>(given.bytes) : bytes)};
  needs_plain_call_ |= work_.writes(given) || (work_.writes(own) && work_.uses(given));
  for (const given_argument& other : arguments_) {
    if (other.block == &given && made.begin < other.end && other.begin < made.end)
      needs_plain_call_ |= work_.writes(own) || work_.writes(*other.own);
  }
  arguments_.push_back(made);
  if (!is_alike || reinterpret_cast<std::uintptr_t>(data) % widest_access != 0 || !work_.can_move(own))
    return false;
  moved_.push_back({&own, &given, data});
  return true;
}

GNP_INLINE bool moved_arrays::has_written_copy(const storage& own) const {
  const auto is_own = [&own](const moved_block& one) { return one.recorded == &own; };
  return work_.writes(own) && std::none_of(moved_.begin(), moved_.end(), is_own);
}

GNP_INLINE void moved_arrays::renew(const storage& recorded, const void* data, std::size_t bytes) {
  if (bytes == 0 || recorded.data != data || recorded.bytes != bytes || !work_.can_move(recorded)) return;
  const storage_ref made = storage_ref::allocate(bytes, recorded.device);
  renewed_.emplace_back(&recorded, made);
  moved_.push_back({&recorded, made.get(), made->data});
}

GNP_INLINE const storage_ref* moved_arrays::new_block_of(const storage& recorded) const {
  for (const auto& [block, made] : renewed_) {
    if (block == &recorded) return &made;
  }
  return nullptr;
}

}}}  // namespace gnp::GNP_ABI::detail
