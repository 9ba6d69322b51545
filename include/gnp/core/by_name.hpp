// SPDX-License-Identifier: MIT
// Options can only be given by name: sum(x, {.axis = 1, .keepdims = true}), like Python's keyword arguments.
#pragma once

#include <gnp/core/config.hpp>
#include <initializer_list>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

/// The first member of every struct of options. No value in braces converts to it, so braces without names are
/// never options: {0, 1} is a list of axes, a shape or an error.
class by_name {
 public:
  explicit constexpr by_name() = default;
};

/// An option that adds a result, as .return_counts does. It has no default, so that options without it are
/// another struct. Once it is named the result is returned, whether its value is true or false, because no type
/// depends on a value.
struct named_part {
  constexpr named_part(bool) {}
};

/// An option that changes the type of the result by being named. It has no default either.
struct named_flag {
  constexpr named_flag(bool flag) : value(flag) {}
  bool value;
};

}}  // namespace gnp::GNP_ABI

/// An option that NumPy has and gnp cannot have: naming it is an error, whose message says what to write.
#define GNP_REFUSED_OPTION(type, sentence)                            \
  struct type {                                                       \
    constexpr type() = default;                                       \
    template <class Value>                                            \
    type(const Value&) {                                              \
      static_assert(!std::is_same_v<Value, Value>, "gnp: " sentence); \
    }                                                                 \
  };

/// A name that is nearly that of an option. It has no default, so that options without it are another struct.
#define GNP_MISNAMED_OPTION(type, sentence)                           \
  struct type {                                                       \
    template <class Value>                                            \
    type(const Value&) {                                              \
      static_assert(!std::is_same_v<Value, Value>, "gnp: " sentence); \
    }                                                                 \
    template <class Value>                                            \
    type(std::initializer_list<Value>) {                              \
      static_assert(!std::is_same_v<Value, Value>, "gnp: " sentence); \
    }                                                                 \
  };
