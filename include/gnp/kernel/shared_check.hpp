// SPDX-License-Identifier: MIT
// Finds threads of a block that write to the same place in shared memory without a barrier between the two
// writes.
#pragma once

#include <cstring>
#include <gnp/core/error.hpp>
#include <gnp/kernel/dimensions.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Each time a thread stops, at a barrier or at its end, shared memory is compared with its previous contents:
/// everything that has changed was written by that thread. (A write that does not change the value is not
/// noticed.)
class shared_check {
 public:
  explicit shared_check(const char* kernel) : kernel_(kernel) {}

  /// A thread, and how many barriers of its block and of its warp it has passed.
  struct writer {
    std::int64_t thread = -1;
    unsigned barriers = 0;
    unsigned meetings = 0;
  };

  void begin_block() { variables_.clear(); }

  GNP_INLINE void declare(const char* name, void* memory, std::size_t bytes, std::size_t element) {
    if (find(memory) != nullptr) return;
    auto* const first = static_cast<unsigned char*>(memory);
    variables_.push_back({name, first, element, {first, first + bytes}, std::vector<writer>(bytes / element)});
  }

  /// Atomic operations may change the same place in any order.
  GNP_INLINE void accept(const void* memory, std::size_t bytes) {
    if (variable* const v = find(memory)) {
      const std::ptrdiff_t offset = static_cast<const unsigned char*>(memory) - v->memory;
      std::memcpy(v->before.data() + offset, memory, bytes);
    }
  }

  GNP_INLINE void note_writes(const writer& now, const dimensions& block, const dimensions& where) {
    for (variable& v : variables_) {
      if (std::memcmp(v.memory, v.before.data(), v.before.size()) == 0) continue;
      for (std::size_t e = 0; e < v.writers.size(); ++e) {
        unsigned char* const before = v.before.data() + e * v.element;
        const unsigned char* const after = v.memory + e * v.element;
        if (std::memcmp(before, after, v.element) == 0) continue;
        std::memcpy(before, after, v.element);
        const writer last = std::exchange(v.writers[e], now);
        if (!unordered(last, now)) continue;
        throw error(std::string(kernel_) + ": threads " + block.position(last.thread).text() + " and " +
                    block.position(now.thread).text() + " of block " + where.text() + " both write element " +
                    std::to_string(e) + " of " + v.name + ", with no barrier between them");
      }
    }
  }

 private:
  struct variable {
    const char* name;
    unsigned char* memory;
    std::size_t element;
    std::vector<unsigned char> before;
    std::vector<writer> writers;  // of each element
  };

  static bool unordered(const writer& last, const writer& now) {
    if (last.thread < 0 || last.thread == now.thread || last.barriers != now.barriers) return false;
    return last.thread / 32 != now.thread / 32 || last.meetings == now.meetings;
  }

  GNP_INLINE variable* find(const void* memory) {
    const auto* const byte = static_cast<const unsigned char*>(memory);
    for (variable& v : variables_) {
      if (byte >= v.memory && byte < v.memory + v.before.size()) return &v;
    }
    return nullptr;
  }

  const char* kernel_;
  std::vector<variable> variables_;
};

}}}  // namespace gnp::GNP_ABI::detail
