// SPDX-License-Identifier: MIT
// Remembers which function needs elements. While work is recorded there are none yet, and the error names the
// function.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// The public function that this thread is in; null if there is none whose name an error needs.
GNP_VISIBLE inline thread_local const char* asking_for_elements = nullptr;

/// Declared at the beginning of a public function whose result depends on elements. If such functions are
/// nested, the outermost one counts, because that is the one the user called.
class asks_for_elements {
 public:
  explicit asks_for_elements(const char* function) : is_outermost_(asking_for_elements == nullptr) {
    if (is_outermost_) asking_for_elements = function;
  }
  ~asks_for_elements() {
    if (is_outermost_) asking_for_elements = nullptr;
  }
  asks_for_elements(const asks_for_elements&) = delete;
  asks_for_elements& operator=(const asks_for_elements&) = delete;

 private:
  bool is_outermost_;
};

#else

class asks_for_elements {
 public:
  explicit asks_for_elements(const char*) {}
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
