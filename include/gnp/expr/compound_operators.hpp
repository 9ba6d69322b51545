// SPDX-License-Identifier: MIT
// The operators that write to their left side, each with the function that computes what is written.
#pragma once

// clang-format off
#define GNP_FOR_EACH_COMPOUND_OPERATOR(define) \
  define(+=, add)                              \
  define(-=, subtract)                         \
  define(*=, multiply)                         \
  define(/=, divide)                           \
  define(%=, remainder)                        \
  define(&=, bitwise_and)                      \
  define(|=, bitwise_or)                       \
  define(^=, bitwise_xor)                      \
  define(<<=, left_shift)                      \
  define(>>=, right_shift)
// clang-format on
