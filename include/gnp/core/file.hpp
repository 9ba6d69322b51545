// SPDX-License-Identifier: MIT
// Files by descriptor: reads and writes that are whole or fail, and files that get their name when they are
// complete.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <gnp/core/config.hpp>
#include <string>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Owns an open file, or none (below 0).
class file_descriptor {
 public:
  explicit file_descriptor(int file = -1) : file_(file) {}
  file_descriptor(file_descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~file_descriptor() { close(); }
  int get() const { return file_; }
  explicit operator bool() const { return file_ >= 0; }
  /// False where something written was lost after all.
  bool close() {
    const int file = std::exchange(file_, -1);
    return file < 0 || ::close(file) == 0;
  }

 private:
  int file_;
};

// All of it, or false: with errno where the system refuses, and with errno 0 where the file ends before.

GNP_INLINE bool read_all(int file, void* data, std::size_t size) {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(file, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// From a place in the file; any number of threads may read at once.
GNP_INLINE bool read_at(int file, void* data, std::size_t size, std::uint64_t offset) {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::pread(file, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

GNP_INLINE bool write_all(int file, const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::write(file, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

/// Writes over what is at a place in the file already.
GNP_INLINE bool write_at(int file, const void* data, std::size_t size, std::uint64_t offset) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::pwrite(file, from, size, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    size -= static_cast<std::size_t>(put);
    offset += static_cast<std::uint64_t>(put);
  }
  return true;
}

/// A file under a temporary name in the folder of its own. Others see all of it or, until then and where it
/// fails, what was there before.
class new_file {
 public:
  new_file() = default;
  /// False, and errno, where it cannot be made.
  GNP_INLINE bool open(const std::string& path, mode_t mode) {
    static std::atomic<unsigned> made{0};
    path_ = path;
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    do {
      temporary_ =
          folder + ".gnp-" + std::to_string(::getpid()) + '-' + std::to_string(made.fetch_add(1)) + ".tmp";
      file_ = file_descriptor(::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    } while (!file_ && errno == EEXIST);
    return is_open();
  }
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;
  ~new_file() {
    if (!file_) return;
    file_.close();
    ::unlink(temporary_.c_str());
  }

  bool is_open() const { return static_cast<bool>(file_); }
  int get() const { return file_.get(); }

  /// Gives the file its name. False, and errno, where that fails or not all that was written is in it.
  bool finish() {
    if (file_.close() && std::rename(temporary_.c_str(), path_.c_str()) == 0) return true;
    const int why = errno;
    ::unlink(temporary_.c_str());
    errno = why;
    return false;
  }

 private:
  std::string path_;
  std::string temporary_;
  file_descriptor file_;
};

}}}  // namespace gnp::GNP_ABI::detail
