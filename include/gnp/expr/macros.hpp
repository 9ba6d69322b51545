// SPDX-License-Identifier: MIT
// GNP_UFUNC's preprocessor work: parameters become `auto x, auto y`, statements become a body.
#pragma once

// Rescans its argument often enough for lists of up to 64 items.
#define GNP_EXPAND(...) GNP_EXPAND_3(GNP_EXPAND_3(GNP_EXPAND_3(GNP_EXPAND_3(__VA_ARGS__))))
#define GNP_EXPAND_3(...) GNP_EXPAND_2(GNP_EXPAND_2(GNP_EXPAND_2(GNP_EXPAND_2(__VA_ARGS__))))
#define GNP_EXPAND_2(...) GNP_EXPAND_1(GNP_EXPAND_1(GNP_EXPAND_1(GNP_EXPAND_1(__VA_ARGS__))))
#define GNP_EXPAND_1(...) __VA_ARGS__
#define GNP_PARENTHESES ()

// (x, y) -> auto x, auto y
#define GNP_PARAMETERS(...) GNP_EXPAND(GNP_PARAMETER(__VA_ARGS__))
#define GNP_PARAMETER(first, ...) [[maybe_unused]] auto first __VA_OPT__(, GNP_NEXT_PARAMETER GNP_PARENTHESES(__VA_ARGS__))
#define GNP_NEXT_PARAMETER() GNP_PARAMETER

// statement, statement, value -> statement; statement; return value;
#define GNP_STATEMENTS(...) GNP_EXPAND(GNP_STATEMENT(__VA_ARGS__))
#define GNP_STATEMENT(first, ...) \
  GNP_RETURN_IF_LAST(__VA_ARGS__) first; __VA_OPT__(GNP_NEXT_STATEMENT GNP_PARENTHESES(__VA_ARGS__))
#define GNP_NEXT_STATEMENT() GNP_STATEMENT
#define GNP_RETURN_IF_LAST(...) GNP_FIRST_OF(__VA_OPT__(, ) return)
#define GNP_FIRST_OF(...) GNP_FIRST_OF_(__VA_ARGS__, )
#define GNP_FIRST_OF_(first, ...) first
