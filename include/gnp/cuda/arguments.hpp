// SPDX-License-Identifier: MIT
// A kernel's arguments, declared once for the host and for the kernel.
#pragma once

#include <cstdint>
#include <gnp/core/config.hpp>

/// GNP_KERNEL_ARGUMENTS(name, unsigned long long count = 0; int step = 1;): a struct of these members, and as
/// `name_text` the same struct for the text of the kernel that takes it. The types must be built-in ones, for
/// which both compilers use the same layout.
#define GNP_KERNEL_ARGUMENTS(name, ...) \
  struct name {                         \
    __VA_ARGS__                         \
  };                                    \
  inline constexpr char name##_text[] = "struct " #name " { " #__VA_ARGS__ " };\n";

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A pointer as a member of such a struct.
inline std::uint64_t address_of(const void* data) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(data));
}

}}}  // namespace gnp::GNP_ABI::detail
