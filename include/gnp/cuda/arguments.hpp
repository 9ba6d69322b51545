// SPDX-License-Identifier: MIT
// A kernel's arguments, said once for the host and for the kernel.
#pragma once

#include <gnp/core/config.hpp>

/// GNP_KERNEL_ARGUMENTS(name, unsigned long long count = 0; int step = 1;): a struct of these members, and as
/// `name_text` the same struct for the text of the kernel that takes it. The types are built-in ones, which
/// both compilers lay out alike.
#define GNP_KERNEL_ARGUMENTS(name, ...) \
  struct name {                         \
    __VA_ARGS__                         \
  };                                    \
  inline constexpr char name##_text[] = "struct " #name " { " #__VA_ARGS__ " };\n";
