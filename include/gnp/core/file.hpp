// SPDX-License-Identifier: MIT
// Files by descriptor: reads and writes that are complete or fail, and files that get their name only when they
// are complete.
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
  /// Returns false if something that was written has been lost.
  bool close() {
    const int file = std::exchange(file_, -1);
    return file < 0 || ::close(file) == 0;
  }

 private:
  int file_;
};

// Reads all bytes, or returns false: with errno set if the system reports an error, and with errno 0 if the
// file is too short.

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

/// Reads at a position in the file; any number of threads may read at the same time.
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

/// Overwrites the file at this position.
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

/// A file that is written under a temporary name, in the folder where it will be. Others see the complete new
/// file or, until then and after a failure, what was there before.
class new_file {
 public:
  new_file() = default;
  /// False, with errno set, if it cannot be created.
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
  const std::string& temporary_name() const { return temporary_; }

  /// Gives the file its name. False, with errno set, if that fails or if something that was written has been
  /// lost.
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
