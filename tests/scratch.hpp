// SPDX-License-Identifier: MIT
// Folders and files that tests make, and that are gone when they end.
#pragma once

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

/// A folder of its own under the system's folder for such things; gone with everything in it at the end.
class scratch_folder {
 public:
  scratch_folder() {
    const char* place = std::getenv("TMPDIR");
    path_ = std::string(place == nullptr ? "/tmp" : place) + "/gnp-test-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp failed for " + path_);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() { remove(path_); }
  const std::string& path() const { return path_; }

 private:
  static void remove(const std::string& path);
  std::string path_;
};

inline std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  DIR* open = ::opendir(folder.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.insert(name);
  }
  ::closedir(open);
  return names;
}

inline void scratch_folder::remove(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    for (const std::string& name : files_in(path)) remove(path + "/" + name);
    ::rmdir(path.c_str());
  } else {
    ::unlink(path.c_str());
  }
}

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
}
