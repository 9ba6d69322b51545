// SPDX-License-Identifier: MIT
// A progress bar on stderr, where that is a terminal; elsewhere nothing. Call clear() before printing anything
// else.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gnp/memory/stream.hpp>
#include <iostream>
#include <string>

namespace support {

class progress {
 public:
  progress(std::string what, std::int64_t total)
      : what_(std::move(what)), total_(std::max<std::int64_t>(total, 1)) {}
  ~progress() { clear(); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// So much of the total is done. Draws ten times a second at most, so it may be called in a tight loop.
  void update(std::int64_t done) {
    if (!terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - drawn_at_ < std::chrono::milliseconds(100)) return;
    gnp::synchronize();  // on a GPU work is only queued: the bar would run ahead of it
    drawn_at_ = now;
    draw(std::clamp<std::int64_t>(done, 0, total_));
  }

  /// Takes the bar away and leaves its line to whatever is printed next.
  void clear() {
    if (length_ > 0) std::cerr << '\r' << std::string(length_, ' ') << '\r' << std::flush;
    length_ = 0;
  }

 private:
  void draw(std::int64_t done) {
    constexpr int width = 30;
    const double part = static_cast<double>(done) / static_cast<double>(total_);
    const auto filled = static_cast<std::size_t>(part * width);
    const std::string line = what_ + " [" + std::string(filled, '=') + std::string(width - filled, ' ') + "] " +
                             std::to_string(static_cast<int>(100 * part)) + " %";
    clear();
    std::cerr << line << std::flush;
    length_ = line.size();
  }

  std::string what_;
  std::int64_t total_;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point drawn_at_{};
  std::size_t length_ = 0;
};

}  // namespace support
