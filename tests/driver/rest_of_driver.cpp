// SPDX-License-Identifier: MIT
// Every driver function that gnp knows and fake_driver.cpp does not define: it succeeds and does nothing.
#include <gnp/cuda/driver.hpp>

extern "C" __attribute__((used)) int fake_success() { return 0; }

#define FAKE_FUNCTION(function) \
  __asm__(".weak " GNP_STRINGIZE(function) "\n.set " GNP_STRINGIZE(function) ", fake_success");
GNP_DRIVER_FUNCTIONS(FAKE_FUNCTION)
