// SPDX-License-Identifier: MIT
// The preprocessor part of GNP_UFUNC: parameters become `auto x, auto y`, and statements become a body. Up to
// 12 of each.
#pragma once

#define GNP_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, chosen, ...) chosen

// (x, y) -> auto x, auto y
#define GNP_PARAMETERS(...)                                                                                    \
  GNP_PICK(__VA_ARGS__, GNP_AUTO_12, GNP_AUTO_11, GNP_AUTO_10, GNP_AUTO_9, GNP_AUTO_8, GNP_AUTO_7, GNP_AUTO_6, \
           GNP_AUTO_5, GNP_AUTO_4, GNP_AUTO_3, GNP_AUTO_2, GNP_AUTO_1, )                                       \
  (__VA_ARGS__)
#define GNP_AUTO_1(x) [[maybe_unused]] auto x
#define GNP_AUTO_2(x, ...) GNP_AUTO_1(x), GNP_AUTO_1(__VA_ARGS__)
#define GNP_AUTO_3(x, ...) GNP_AUTO_1(x), GNP_AUTO_2(__VA_ARGS__)
#define GNP_AUTO_4(x, ...) GNP_AUTO_1(x), GNP_AUTO_3(__VA_ARGS__)
#define GNP_AUTO_5(x, ...) GNP_AUTO_1(x), GNP_AUTO_4(__VA_ARGS__)
#define GNP_AUTO_6(x, ...) GNP_AUTO_1(x), GNP_AUTO_5(__VA_ARGS__)
#define GNP_AUTO_7(x, ...) GNP_AUTO_1(x), GNP_AUTO_6(__VA_ARGS__)
#define GNP_AUTO_8(x, ...) GNP_AUTO_1(x), GNP_AUTO_7(__VA_ARGS__)
#define GNP_AUTO_9(x, ...) GNP_AUTO_1(x), GNP_AUTO_8(__VA_ARGS__)
#define GNP_AUTO_10(x, ...) GNP_AUTO_1(x), GNP_AUTO_9(__VA_ARGS__)
#define GNP_AUTO_11(x, ...) GNP_AUTO_1(x), GNP_AUTO_10(__VA_ARGS__)
#define GNP_AUTO_12(x, ...) GNP_AUTO_1(x), GNP_AUTO_11(__VA_ARGS__)

// statement, statement, value -> statement; statement; return value;
#define GNP_STATEMENTS(...)                                                                               \
  GNP_PICK_OF_24(__VA_ARGS__, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, \
                 GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG,              \
                 GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_TOO_LONG, GNP_BODY_12, \
                 GNP_BODY_11, GNP_BODY_10, GNP_BODY_9, GNP_BODY_8, GNP_BODY_7, GNP_BODY_6, GNP_BODY_5,    \
                 GNP_BODY_4, GNP_BODY_3, GNP_BODY_2, GNP_BODY_1, )                                        \
  (__VA_ARGS__)
#define GNP_PICK_OF_24(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, \
                       _20, _21, _22, _23, _24, chosen, ...)                                                 \
  chosen
#define GNP_BODY_TOO_LONG(...)                                                                              \
  static_assert(sizeof(char) == 0, "gnp: a ufunc's body has up to 12 statements: join some by semicolons"); \
  return 0;
#define GNP_BODY_1(value) return value;
#define GNP_BODY_2(statement, ...) \
  statement;                       \
  GNP_BODY_1(__VA_ARGS__)
#define GNP_BODY_3(statement, ...) \
  statement;                       \
  GNP_BODY_2(__VA_ARGS__)
#define GNP_BODY_4(statement, ...) \
  statement;                       \
  GNP_BODY_3(__VA_ARGS__)
#define GNP_BODY_5(statement, ...) \
  statement;                       \
  GNP_BODY_4(__VA_ARGS__)
#define GNP_BODY_6(statement, ...) \
  statement;                       \
  GNP_BODY_5(__VA_ARGS__)
#define GNP_BODY_7(statement, ...) \
  statement;                       \
  GNP_BODY_6(__VA_ARGS__)
#define GNP_BODY_8(statement, ...) \
  statement;                       \
  GNP_BODY_7(__VA_ARGS__)
#define GNP_BODY_9(statement, ...) \
  statement;                       \
  GNP_BODY_8(__VA_ARGS__)
#define GNP_BODY_10(statement, ...) \
  statement;                        \
  GNP_BODY_9(__VA_ARGS__)
#define GNP_BODY_11(statement, ...) \
  statement;                        \
  GNP_BODY_10(__VA_ARGS__)
#define GNP_BODY_12(statement, ...) \
  statement;                        \
  GNP_BODY_11(__VA_ARGS__)
