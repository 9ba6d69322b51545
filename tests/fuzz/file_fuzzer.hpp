// SPDX-License-Identifier: MIT
// Whatever bytes a file has, reading it gives arrays or an error of gnp's.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <gnp/io/loadtxt.hpp>
#include <gnp/io/npz.hpp>
#include <stdexcept>
#include <string>

namespace fuzz {

/// A file in memory, read under a path as any other.
class memory_file {
 public:
  memory_file() : file_(::memfd_create("gnp-fuzz", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::runtime_error("memfd_create failed");
    path_ = "/proc/self/fd/" + std::to_string(file_);
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { ::close(file_); }
  void set(const void* data, std::size_t size) const {
    if (::ftruncate(file_, 0) != 0 || !gnp::detail::write_at(file_, data, size, 0))
      throw std::runtime_error("a file in memory cannot be written");
  }
  const std::string& path() const { return path_; }

 private:
  int file_;
  std::string path_;
};

template <class Body>
bool is_refused(const Body& body) {
  try {
    body();
    return false;
  } catch (const gnp::error&) {
    return true;
  }
}

/// Reads the file as each kind that there is. What gets out of here other than an error of gnp's is a fault.
inline void read_every_way(const std::string& path) {
  is_refused([&] { gnp::load_any(path); });
  is_refused([&] {
    const gnp::npz_file file = gnp::load_npz(path, {.max_bytes = 1 << 24});
    for (const std::string& name : file.names()) is_refused([&] { file.get_any(name); });
  });
  gnp::loadtxt_options options;
  is_refused([&] { gnp::detail::read_text(path, gnp::dtype::float64, options); });
  options.delimiter = ',';
  options.usecols = {0, -1};
  is_refused([&] { gnp::detail::read_text(path, gnp::dtype::int16, options); });
  is_refused([&] { gnp::detail::read_text(path, gnp::dtype::complex64, options); });
}

}  // namespace fuzz
