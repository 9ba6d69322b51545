// SPDX-License-Identifier: MIT
// Compiled kernels on disk. If anything goes wrong here, a kernel is compiled again; it is never an error.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gnp/core/file.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A 64-bit hash; two seeds make the 128 bits that name a cache file.
GNP_INLINE std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t h = seed ^ (bytes.size() * 0x9e3779b97f4a7c15ULL);
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
    h *= 0xc4ceb9fe1a85ec53ULL;
    h ^= h >> 29;
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    mix(word);
  }
  std::uint64_t tail = 0;
  if (i < bytes.size()) std::memcpy(&tail, bytes.data() + i, bytes.size() - i);
  mix(tail);
  return h;
}

GNP_INLINE std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) text[static_cast<std::size_t>(i)] = "0123456789abcdef"[value & 15];
  return text;
}

/// $GNP_CACHE_DIR if it is set, otherwise $XDG_CACHE_HOME/gnp or ~/.cache/gnp; empty if there is none.
GNP_INLINE std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string own = variable("GNP_CACHE_DIR"); !own.empty()) return own;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/gnp";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/gnp";
  return {};
}

inline void make_folders(const std::string& folder) {
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = folder.find('/', slash + 1);  // not the slash at the beginning of an absolute path
    ::mkdir(folder.substr(0, slash).c_str(), 0700);
  }
}

struct cache_header {
  char magic[8] = {'g', 'n', 'p', 'k', 'e', 'r', 'n', '1'};
  std::uint64_t key[2] = {};
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

/// The compiled kernels of one folder, by a text of everything that they depend on.
class disk_cache {
 public:
  explicit disk_cache(std::string folder) : folder_(std::move(folder)) {}

  /// The kernel compiled from `recipe`; empty if there is none or if the file is damaged.
  std::string read(std::string_view recipe) const {
    if (folder_.empty()) return {};
    const file_descriptor file(::open(path(recipe).c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return {};
    cache_header header;
    struct stat status{};
    std::string payload;
    const bool sound = ::fstat(file.get(), &status) == 0 && read_all(file.get(), &header, sizeof header) &&
                       std::memcmp(header.magic, cache_header{}.magic, sizeof header.magic) == 0 &&
                       header.key[0] == hash_bytes(recipe, 1) && header.key[1] == hash_bytes(recipe, 2) &&
                       status.st_size == static_cast<off_t>(sizeof header + header.size);
    if (sound) {
      payload.resize(header.size);
      if (!read_all(file.get(), payload.data(), payload.size()) || hash_bytes(payload, 3) != header.checksum)
        payload.clear();
    }
    return payload;
  }

  /// The file is written under a temporary name and then renamed, so that a reader sees all of it or nothing.
  void write(std::string_view recipe, std::string_view payload) const {
    if (folder_.empty()) return;
    make_folders(folder_);
    new_file file;
    if (!file.open(path(recipe), 0600)) return;
    cache_header header;
    header.key[0] = hash_bytes(recipe, 1);
    header.key[1] = hash_bytes(recipe, 2);
    header.size = payload.size();
    header.checksum = hash_bytes(payload, 3);
    if (write_all(file.get(), &header, sizeof header) && write_all(file.get(), payload.data(), payload.size()))
      file.finish();
  }

  std::string path(std::string_view recipe) const {
    return folder_ + "/" + hex(hash_bytes(recipe, 1)) + hex(hash_bytes(recipe, 2)) + ".cubin";
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}}}  // namespace gnp::GNP_ABI::detail
