// SPDX-License-Identifier: MIT
// Catch2, version 2.13 (Debian 12) or 3, under the names that both share. Every test includes this one.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <cstdlib>
#include <string>

/// Whether a sanitizer looks on. Code takes up to fifty times as long then: the longest tests take what they
/// need to go all ways, and no more.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// For CHECK_THROWS_WITH(…, contains("part of the message")): Catch2 3 renamed the matcher.
#if __has_include(<catch2/catch_all.hpp>)
inline auto contains(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
#else
inline auto contains(const std::string& part) { return Catch::Matchers::Contains(part); }
#endif

/// The path of a file of tests/data; GNP_TEST_DATA in the environment serves when the tests were moved to
/// another machine than the one they were built on.
inline std::string test_data(const std::string& file) {
  const char* moved = std::getenv("GNP_TEST_DATA");
  return std::string(moved != nullptr && *moved != '\0' ? moved : GNP_TEST_DATA) + "/" + file;
}
