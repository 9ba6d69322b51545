// SPDX-License-Identifier: MIT
// Fibres: stacks between which a CPU thread switches, each at its own place in the program.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <gnp/core/config.hpp>
#include <new>

// A switch takes a dozen instructions on processors for which it is implemented here, and a system call
// elsewhere.
#if defined(__x86_64__) && !defined(GNP_PORTABLE_FIBRES)
#define GNP_FAST_FIBRES 1
#else
#define GNP_FAST_FIBRES 0
#include <ucontext.h>
#endif

// The sanitizers have to be told which stack a thread is on.
#if defined(__SANITIZE_ADDRESS__)
#define GNP_ASAN_FIBRES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GNP_ASAN_FIBRES 1
#endif
#if __has_feature(thread_sanitizer)
#define GNP_TSAN_FIBRES 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define GNP_TSAN_FIBRES 1
#endif
// (Their headers are not always installed with the sanitizers.)
#if defined(GNP_ASAN_FIBRES)
extern "C" void __sanitizer_start_switch_fiber(void** kept, const void* bottom, std::size_t size);
extern "C" void __sanitizer_finish_switch_fiber(void* kept, const void** bottom, std::size_t* size);
#elif defined(GNP_TSAN_FIBRES)
extern "C" void* __tsan_get_current_fiber();
extern "C" void* __tsan_create_fiber(unsigned flags);
extern "C" void __tsan_destroy_fiber(void* fibre);
extern "C" void __tsan_switch_to_fiber(void* fibre, unsigned flags);
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A place where execution can continue: a stack and the contents of the registers. A thread's own stack is a
/// fibre, too.
class fibre {
 public:
  /// The stack that this thread is on.
  fibre() = default;
  /// A new stack, which starts with `body` when it is first switched to. `body` must not return. `number`
  /// shifts the first bytes that are used, because stacks that begin at the same offset in a page would compete
  /// for the few cache lines of that offset.
  fibre(void (*body)(), int number);
  fibre(const fibre&) = delete;
  fibre& operator=(const fibre&) = delete;
  ~fibre();

  /// Continues where `to` was left. To be called on the running fibre; returns when something switches back to
  /// it.
  GNP_INLINE void switch_to(fibre& to);
  /// To be called first on a new fibre.
  GNP_INLINE static void has_begun();

 private:
#if GNP_FAST_FIBRES
  /// Saves the place to continue on the old stack, and continues at the place saved on the new one. All
  /// registers that a function may expect to be preserved are listed as clobbered, so that the compiler saves
  /// them. The frame pointer cannot be listed, so it is saved by hand, below the bytes that a function may use
  /// beneath its stack pointer.
  [[gnu::noinline]] static void exchange_stacks(void** from, void* to) {
    asm volatile(
        "leaq -128(%%rsp), %%rsp\n\t"
        "pushq %%rbp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%%rdi)\n\t"
        "movq %%rsi, %%rsp\n\t"
        "popq %%rax\n\t"
        "jmpq *%%rax\n"
        "1:\n\t"
        "popq %%rbp\n\t"
        "leaq 128(%%rsp), %%rsp"
        : "+D"(from), "+S"(to)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
          "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
          "xmm14", "xmm15",
#if defined(__AVX512F__)
          "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
          "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
          "cc", "memory");
  }

  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_ = {};
#endif
  char* memory_ = nullptr;
#if defined(GNP_ASAN_FIBRES)
  void* shadow_ = nullptr;  // the sanitizer's data for a stack that is not running
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  GNP_VISIBLE static inline thread_local fibre* left_ = nullptr;
  GNP_VISIBLE static inline thread_local fibre* entered_ = nullptr;
#elif defined(GNP_TSAN_FIBRES)
  void* shadow_ = nullptr;
#endif

  // A page without access ends the stack, so that an overflow faults instead of overwriting other variables.
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t stack_size = std::size_t{128} << 10;
};

inline fibre::fibre(void (*body)(), int number) {
  void* const memory = ::mmap(nullptr, stack_size + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<char*>(memory);
  ::mprotect(memory_, page, PROT_NONE);
  const std::size_t moved = static_cast<std::size_t>(number % 32) * 2 * 64;
#if GNP_FAST_FIBRES
  auto* const first = reinterpret_cast<std::uintptr_t*>(memory_ + page + stack_size - 64 - moved);
  first[0] = reinterpret_cast<std::uintptr_t>(body);
  first[1] = 0;  // the return address of the first function
  stack_pointer_ = first;
#else
  ::getcontext(&context_);
  context_.uc_stack.ss_sp = memory_ + page;
  context_.uc_stack.ss_size = stack_size - moved;
  ::makecontext(&context_, body, 0);
#endif
#if defined(GNP_ASAN_FIBRES)
  bottom_ = memory_ + page;
  size_ = stack_size;
#elif defined(GNP_TSAN_FIBRES)
  shadow_ = __tsan_create_fiber(0);
#endif
}

inline fibre::~fibre() {
  if (memory_ == nullptr) return;
#if !defined(GNP_ASAN_FIBRES) && defined(GNP_TSAN_FIBRES)
  __tsan_destroy_fiber(shadow_);
#endif
  ::munmap(memory_, stack_size + page);
}

GNP_INLINE void fibre::switch_to(fibre& to) {
#if defined(GNP_ASAN_FIBRES)
  left_ = this;
  entered_ = &to;
  __sanitizer_start_switch_fiber(&shadow_, to.bottom_, to.size_);
#elif defined(GNP_TSAN_FIBRES)
  if (memory_ == nullptr) shadow_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.shadow_, 0);
#endif
#if GNP_FAST_FIBRES
  exchange_stacks(&stack_pointer_, to.stack_pointer_);
#else
  ::swapcontext(&context_, &to.context_);
#endif
  has_begun();
}

GNP_INLINE void fibre::has_begun() {
#if defined(GNP_ASAN_FIBRES)
  // Where a thread's own stack lies is known once it has been left.
  const bool own = left_->memory_ == nullptr;
  __sanitizer_finish_switch_fiber(entered_->shadow_, own ? &left_->bottom_ : nullptr,
                                  own ? &left_->size_ : nullptr);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
