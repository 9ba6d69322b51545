// SPDX-License-Identifier: MIT
// Checks that several threads may make at once, which Catch2's may not.
#pragma once

#include <cstdio>
#include <exception>
#include <gnp/core.hpp>
#include <gnp/distributed.hpp>
#include <mutex>
#include <string>

namespace checks {

inline std::mutex lock;
inline int made = 0;
inline int failed = 0;

inline void note(bool passed, const char* file, int line, const std::string& what) {
  const std::lock_guard guard(lock);
  ++made;
  if (passed) return;
  ++failed;
  std::printf("%s:%d: process %d of %d on %s: FAILED: %s\n", file, line, gnp::distributed::world().rank(),
              gnp::distributed::world().size(), to_string(gnp::default_device()).c_str(), what.c_str());
  std::fflush(stdout);
}

/// Runs f() and looks at what it throws.
template <class Error, class F>
void throws(const F& f, const std::string& part, const char* file, int line, const char* code) {
  try {
    f();
    note(false, file, line, std::string(code) + " throws nothing");
  } catch (const Error& e) {
    const std::string text = e.what();
    note(text.find(part) != std::string::npos, file, line,
         std::string(code) + " says '" + text + "', not '" + part + "'");
  } catch (const std::exception& e) {
    note(false, file, line, std::string(code) + " throws another type: " + e.what());
  }
}

/// Whether all checks passed, said as Catch2 does.
inline int result() {
  if (failed > 0) {
    std::printf("%d of %d checks failed\n", failed, made);
    return 1;
  }
  std::printf("All tests passed (%d checks)\n", made);
  return 0;
}

}  // namespace checks

#define CHECK(...) checks::note(static_cast<bool>(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_THROWS(error, text, ...) \
  checks::throws<error>([&] { static_cast<void>(__VA_ARGS__); }, text, __FILE__, __LINE__, #__VA_ARGS__)

/// Runs body(device) on the CPU and, where that is one, on the default device of this process.
template <class Body>
void for_each_device(const Body& body) {
  const auto run = [&](gnp::device d) {
    const gnp::use_device guard(d);
    body(d);
  };
  const gnp::device own = gnp::default_device();
  run(gnp::device::cpu());
  if (own.is_cuda()) run(own);
}
