// SPDX-License-Identifier: MIT
// allow_tf32: products with fewer digits, for speed.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace linalg {

/// During its lifetime, this thread's float32 (and complex64) products may round their inputs to TF32: 10 bits
/// of mantissa, for several times the speed.
class allow_tf32 {
 public:
  [[nodiscard]] explicit allow_tf32(bool allow = true) : previous_(allowed()) { allowed() = allow; }
  ~allow_tf32() { allowed() = previous_; }
  allow_tf32(const allow_tf32&) = delete;
  allow_tf32& operator=(const allow_tf32&) = delete;

  GNP_INLINE static bool& allowed() {
    static thread_local bool on = false;
    return on;
  }

 private:
  bool previous_;
};

}}}  // namespace gnp::GNP_ABI::linalg
