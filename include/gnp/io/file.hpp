// SPDX-License-Identifier: MIT
// Files by path, and their errors: io_error says which function, which file, where in it, and what is wrong.
#pragma once

#include <cstdlib>
#include <cstring>
#include <gnp/core/error.hpp>
#include <gnp/core/file.hpp>
#include <gnp/io/path.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Which function works on which file, for error messages.
struct file_errors {
  const char* function;
  std::string path;

  [[noreturn]] void fail(const std::string& what) const {
    throw io_error(std::string(function) + ": " + path + ": " + what);
  }
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& what) const {
    throw io_error(std::string(function) + ": " + path + ", byte " + std::to_string(offset) + ": " + what);
  }
  /// Throws with the system's last error.
  [[noreturn]] GNP_INLINE void fail_with_errno(const char* doing) const {
    const int why = errno;
    fail(std::string(doing) + ": " + (why == 0 ? "the file ended" : std::strerror(why)));
  }
};

/// A file that is read.
class input_file {
 public:
  input_file(const char* function, const path_arg& path) : errors_{function, path.text()} {
    file_ = file_descriptor(::open(errors_.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file_) errors_.fail_with_errno("cannot be opened");
    struct stat status{};
    if (::fstat(file_.get(), &status) != 0) errors_.fail_with_errno("cannot be examined");
    if (!S_ISREG(status.st_mode)) errors_.fail("is not a regular file");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  std::uint64_t size() const { return size_; }
  const file_errors& errors() const { return errors_; }
  int get() const { return file_.get(); }

  /// Reads bytes that the caller knows to be there. If they are not, the file has become shorter since then.
  GNP_INLINE void read(void* to, std::size_t bytes, std::uint64_t offset) const {
    if (read_at(file_.get(), to, bytes, offset)) return;
    if (errno != 0) errors_.fail_with_errno("cannot be read");
    errors_.fail_at(offset, "the file ended here, " + std::to_string(bytes) + " bytes too early");
  }

 private:
  file_errors errors_;
  file_descriptor file_;
  std::uint64_t size_ = 0;
};

/// Replaces a path by the target of its symbolic links, even if there is no file yet. False, with errno set, if
/// the links form a circle.
GNP_INLINE bool follow_links(std::string& path) {
  for (int followed = 0; followed < 40; ++followed) {
    char to[4096];
    const ssize_t length = ::readlink(path.c_str(), to, sizeof to);
    if (length < 0) return true;
    const std::string_view target(to, static_cast<std::size_t>(length));
    path.resize(target.starts_with('/') ? 0 : path.rfind('/') + 1);
    path += target;
  }
  errno = ELOOP;
  return false;
}

/// A file that is written from beginning to end. An ordinary file has a temporary name until it is complete.
class output_file {
 public:
  output_file(const char* function, const path_arg& path) : errors_{function, path.text()} {
    std::string target = errors_.path;
    struct stat status{};
    const bool there = ::stat(target.c_str(), &status) == 0;
    if (there && !S_ISREG(status.st_mode)) {  // a pipe or a terminal
      direct_ = file_descriptor(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
      if (!direct_) errors_.fail_with_errno("cannot be opened for writing");
      return;
    }
    if (there) {  // replaces what a link points to, not the link; never a read-only file
      if (::access(target.c_str(), W_OK) != 0) errors_.fail_with_errno("cannot be written");
      if (char* const resolved = ::realpath(target.c_str(), nullptr); resolved != nullptr) {
        target = resolved;
        std::free(resolved);
      }
    } else if (!follow_links(target)) {
      errors_.fail_with_errno("cannot be made");
    }
    if (!created_.open(target, 0666)) errors_.fail_with_errno("cannot be made");
    // If permissions cannot be kept (of another user's file in a shared folder), the file is written anyway.
    if (there && ::fchmod(created_.get(), status.st_mode & 07777) != 0) errno = 0;
  }

  const file_errors& errors() const { return errors_; }
  std::uint64_t position() const { return position_; }
  bool is_direct() const { return static_cast<bool>(direct_); }
  /// The name that the file has for now, unless it is direct.
  const std::string& temporary_name() const { return created_.temporary_name(); }

  GNP_INLINE void write(const void* from, std::size_t bytes) {
    if (!write_all(get(), from, bytes)) errors_.fail_with_errno("cannot be written");
    position_ += bytes;
  }
  /// Overwrites what has already been written.
  void write_over(const void* from, std::size_t bytes, std::uint64_t offset) const {
    if (!write_at(get(), from, bytes, offset)) errors_.fail_with_errno("cannot be written");
  }
  /// Only now does the file exist under its name. Without this call nothing of it remains (except in pipes and
  /// terminals, which have received what was written).
  void finish() {
    if (direct_ ? !direct_.close() : !created_.finish()) errors_.fail_with_errno("cannot be written");
  }

 private:
  int get() const { return direct_ ? direct_.get() : created_.get(); }

  file_errors errors_;
  new_file created_;
  file_descriptor direct_;
  std::uint64_t position_ = 0;
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI
