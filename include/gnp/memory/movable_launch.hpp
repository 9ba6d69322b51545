// SPDX-License-Identifier: MIT
// A recorded launch that can also be started on its own, with some of its arrays in other memory.
#pragma once

#include <cstring>
#include <gnp/cuda/launch.hpp>
#include <gnp/memory/storage.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A block of a recording, and the memory that takes its place in a call.
struct moved_block {
  const storage* recorded;
  storage* now;
  void* data;  // the address in the block `now` that takes the place of the beginning of the recorded block
};

#if GNP_HAS_CUDA

/// A kernel, its parameters, and which of their words are addresses in which blocks.
class movable_launch {
 public:
  movable_launch(CUfunction function, const launch_shape& shape) : function_(function), shape_(shape) {}

  /// The next parameter, whose size is a multiple of 8 bytes.
  GNP_INLINE void add(const void* parameter, std::size_t bytes) {
    parameters_.emplace_back(bytes / sizeof(std::uint64_t));
    std::memcpy(parameters_.back().data(), parameter, bytes);
  }
  /// A word of the last parameter is an address in this block.
  void has_address(std::size_t word, const storage* block) { place(word, block, part::anywhere); }
  /// The words are the block's first address, and the one after its last.
  void has_ends(std::size_t word, const storage* block) {
    place(word, block, part::begin);
    place(word + 1, block, part::end);
  }

  /// The block has been freed, so that another block may get its address.
  GNP_INLINE void forget(const storage* block) noexcept {
    for (address& a : addresses_) {
      if (a.block == block) a.block = nullptr;
    }
  }

  GNP_INLINE void start(const gpu& device, const stream_state* stream,
                        const std::vector<moved_block>& moved) const {
    std::vector<std::vector<std::uint64_t>> parameters = parameters_;
    for (const address& a : addresses_) {
      for (const moved_block& m : moved) {
        if (m.recorded == a.block) parameters[a.parameter][a.word] = address_in(m, a);
      }
    }
    std::vector<void*> list;
    for (auto& words : parameters) list.push_back(words.data());
    launch_kernel(device, stream, function_, shape_, list.data());
  }

 private:
  enum class part : std::uint8_t { anywhere, begin, end };
  struct address {
    std::size_t parameter, word;
    const storage* block;
    part where;
  };
  GNP_INLINE void place(std::size_t word, const storage* block, part where) {
    if (block != nullptr && block->bytes > 0)
      addresses_.push_back({parameters_.size() - 1, word, block, where});
  }
  static std::uint64_t number_of(const void* memory) {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(memory));
  }
  GNP_INLINE std::uint64_t address_in(const moved_block& m, const address& a) const {
    if (a.where == part::begin) return number_of(m.now->data);
    if (a.where == part::end) return number_of(m.now->data) + m.now->bytes;
    return parameters_[a.parameter][a.word] - number_of(a.block->data) + number_of(m.data);
  }

  CUfunction function_;
  launch_shape shape_;
  std::vector<std::vector<std::uint64_t>> parameters_;
  std::vector<address> addresses_;
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
