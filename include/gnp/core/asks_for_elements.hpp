// SPDX-License-Identifier: MIT
// Which function asks for elements, for the error of work that is recorded and has none yet.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// The function that this thread called and that is not over; null where it needs no name.
GNP_VISIBLE inline thread_local const char* asking_for_elements = nullptr;

/// Stands at the beginning of a public function whose result depends on elements. The user called the outermost
/// one.
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
