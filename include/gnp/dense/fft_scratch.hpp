// SPDX-License-Identifier: MIT
// Work space of Fourier transforms on the CPU, kept by each thread.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <gnp/core/config.hpp>
#include <memory>
#include <new>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Aligned memory for `size` numbers, not set. A thread keeps one block of a few MiB at most for the next
/// transform. Larger requests, and requests while the block is in use, are allocated separately.
template <class Real>
class fft_scratch {
 public:
  explicit fft_scratch(std::size_t size) {
    const std::size_t bytes = size * sizeof(Real);
    block& kept = kept_by_thread();
    if (bytes <= most_kept && !kept.in_use) {
      if (kept.bytes < bytes) {
        kept.memory.reset();
        kept.bytes = 0;
        kept.memory = allocate(bytes);
        kept.bytes = bytes;
      }
      kept.in_use = true;
      borrowed_ = &kept;
      data_ = kept.memory.get();
    } else {
      own_ = allocate(bytes);
      data_ = own_.get();
    }
  }
  ~fft_scratch() {
    if (borrowed_ != nullptr) borrowed_->in_use = false;
  }
  fft_scratch(const fft_scratch&) = delete;
  fft_scratch& operator=(const fft_scratch&) = delete;

  Real* data() const { return static_cast<Real*>(data_); }

 private:
  static constexpr std::size_t most_kept = std::size_t{4} << 20;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  struct freed {
    void operator()(void* memory) const { std::free(memory); }
  };
  using owner = std::unique_ptr<void, freed>;
  struct block {
    owner memory;
    std::size_t bytes = 0;
    bool in_use = false;
  };
  static owner allocate(std::size_t bytes) {
    const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : 64;
    const std::size_t rounded = (bytes + alignment) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    if (alignment == huge_page) ::madvise(memory, rounded, MADV_HUGEPAGE);  // fewer page faults; a hint only
    return owner(memory);
  }
  static block& kept_by_thread() {
    thread_local block kept;
    return kept;
  }

  owner own_;
  block* borrowed_ = nullptr;
  void* data_ = nullptr;
};

}}}  // namespace gnp::GNP_ABI::detail
