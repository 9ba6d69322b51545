// SPDX-License-Identifier: MIT
// Memory that Fourier transforms on the CPU work in, kept by each thread.
#pragma once

#include <cstddef>
#include <gnp/core/config.hpp>
#include <memory>
#include <new>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Aligned memory for `size` numbers, not set. A thread keeps one block of a few MiB at most for the next
/// transform; what is asked for while that is in use is allocated.
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
  static constexpr auto alignment = std::align_val_t{64};
  struct freed {
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };
  using owner = std::unique_ptr<void, freed>;
  struct block {
    owner memory;
    std::size_t bytes = 0;
    bool in_use = false;
  };
  static owner allocate(std::size_t bytes) { return owner(::operator new(bytes, alignment)); }
  static block& kept_by_thread() {
    thread_local block kept;
    return kept;
  }

  owner own_;
  block* borrowed_ = nullptr;
  void* data_ = nullptr;
};

}}}  // namespace gnp::GNP_ABI::detail
