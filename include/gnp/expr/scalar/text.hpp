// SPDX-License-Identifier: MIT
// GNP_SCALAR: scalar functions that are written once, and become both host code and text for generated kernels.
//
// A chunk is C++20 without includes, preprocessor lines or comments. It is in gnp::scalar on both sides, and
// may use what other chunks define: the kernel generator finds the identifiers that it needs
// (exec/text/expression_source.hpp).
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/cpu/libm.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Which kernels a chunk is for: half and complex chunks go only into kernels that have such elements, body
/// chunks into kernels where a user's function has weak literals, and random chunks into kernels that draw
/// random numbers, so that their names cannot be confused with a variable of a user's function.
enum class text_family : std::uint8_t { base, half, real, complex, body, random };

/// One named piece of device code, linked into a list of all of them before main() starts. The list is complete
/// before other objects are initialised (init_priority), so that these can be arrays with values, even if the
/// list is in a library.
struct device_text {
  [[gnu::noinline]] device_text(const char* chunk_name, text_family chunk_family, const char* chunk_code)
      : name(chunk_name), family(chunk_family), code(chunk_code), next(head) {
    head = this;
  }
  device_text(const device_text&) = delete;
  device_text& operator=(const device_text&) = delete;

  const char* name;
  text_family family;
  const char* code;
  const device_text* next;

  static inline const device_text* head = nullptr;
};

}}}  // namespace gnp::GNP_ABI::detail

/// GNP_SCALAR(name, family, code...): defines the code, and registers its text under the name. Where the
/// library gnp::compiled is used, the library has already registered the text.
#if defined(GNP_USES_COMPILED) && !defined(GNP_COMPILES_LIBRARY)
#define GNP_SCALAR(name, family, ...) __VA_ARGS__
#define GNP_DEVICE_SCALAR(name, family, code)
#else
#define GNP_SCALAR(name, family, ...)                                                         \
  __VA_ARGS__                                                                                 \
  [[gnu::init_priority(101)]] inline const ::gnp::detail::device_text text_##family##_##name{ \
      #name, ::gnp::detail::text_family::family, #__VA_ARGS__};
/// GNP_DEVICE_SCALAR(name, family, "code"): the text alone, of what the host has written in another way.
#define GNP_DEVICE_SCALAR(name, family, code)                                                 \
  [[gnu::init_priority(101)]] inline const ::gnp::detail::device_text text_##family##_##name{ \
      #name, ::gnp::detail::text_family::family, code};
#endif
