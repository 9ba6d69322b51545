// SPDX-License-Identifier: MIT
// jit_recordings: what a function for jit has been recorded for, by signature.
#pragma once

#include <cstdint>
#include <gnp/graph/jit.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class jit_recordings {
 public:
  static constexpr std::size_t most = 32;

  /// The recording of this signature, or a new one, for which the least recently used one makes room.
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

}}}  // namespace gnp::GNP_ABI::detail
